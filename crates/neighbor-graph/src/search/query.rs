//! The neighbors of new points among the training points.

use embedding::implement::{TrainingPoints, Validate, require};
use embedding::{
    Data, Error, Input, Metric, Neighborhood, Points, Rows, Silent, SparsePointSet, TrainingRows,
};
use serde::{Deserialize, Serialize};

use crate::Manifold;
use crate::search::by_metric::run_by_metric;
use crate::search::lists::{self, List};
use crate::search::new_points::NewPoints;
use crate::search::query_rule::{QueryRule, Radii};
use crate::search::sparse;

/// The training points of a fitted model, and the rule by which new points find
/// their neighbors among them; part of every model of a graph method.
///
/// A model of dense or sparse points takes new points of either kind. A model of
/// distances takes the distances of new points to all training points, n columns. A model
/// of neighbor lists alone takes the neighbor lists of new points.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NeighborIndex {
    training: Training,
    neighborhood: Neighborhood,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Training {
    Points(TrainingPoints),
    Distances { count: usize },
    Neighbors { count: usize },
    Sparse { points: SparsePointSet, metric: Metric },
}

impl Training {
    /// Keeps the data; for sparse points and a metric that does not apply to them, their number alone.
    fn of(data: Data<'_>, metric: Metric) -> Self {
        match data {
            Data::Rows(Rows::Dense(points)) => Self::Points(TrainingPoints::new(points, metric)),
            Data::Rows(Rows::Sparse(points)) if metric.takes_sparse() => {
                Self::Sparse { points: points.to_owned(), metric }
            }
            Data::Distances(given) => Self::Distances { count: given.len() },
            Data::Rows(Rows::Sparse(_)) | Data::Neighbors(_) => Self::Neighbors { count: data.len() },
        }
    }
}

impl NeighborIndex {
    /// Keeps the points ([`Points::to_owned`]), whose distances are Euclidean.
    pub fn new(points: Points<'_>, neighborhood: Neighborhood) -> Self {
        Self::with_metric(points, Metric::Euclidean, neighborhood)
    }

    /// The same by another metric.
    pub fn with_metric(points: Points<'_>, metric: Metric, neighborhood: Neighborhood) -> Self {
        Self { training: Training::Points(TrainingPoints::new(points, metric)), neighborhood }
    }

    /// The training data of a manifold, with the rule of its lists.
    pub fn of(manifold: &Manifold<'_>) -> Self {
        let training = Training::of(manifold.data, manifold.metric);
        Self { training, neighborhood: manifold.neighbors.neighborhood() }
    }

    /// `count` training points about which nothing but their number is known.
    pub fn unknown(count: usize, neighborhood: Neighborhood) -> Self {
        Self { training: Training::Neighbors { count }, neighborhood }
    }

    /// The training data of an input.
    pub fn of_input(input: &Input<'_>, neighborhood: Neighborhood) -> Self {
        Self { training: Training::of(input.data(), input.metric()), neighborhood }
    }

    /// Some of the points of a manifold.
    pub(crate) fn of_part(manifold: &Manifold<'_>, rows: &[u32]) -> Self {
        let metric = manifold.metric;
        let training = match manifold.data {
            Data::Rows(Rows::Dense(points)) => Training::of(points.select(rows).view().into(), metric),
            Data::Rows(Rows::Sparse(points)) => Training::of(points.select(rows).view().into(), metric),
            Data::Distances(_) => Training::Distances { count: rows.len() },
            Data::Neighbors(_) => Training::Neighbors { count: rows.len() },
        };
        Self { training, neighborhood: manifold.neighbors.neighborhood() }
    }

    /// The training points with all values; `None` where the model was fitted to something else.
    pub fn points(&self) -> Option<Points<'_>> {
        match &self.training {
            Training::Points(training) => Some(training.points()),
            _ => None,
        }
    }

    /// The number of columns of the training points; `None` where there are none.
    pub fn columns(&self) -> Option<usize> {
        match &self.training {
            Training::Points(training) => Some(training.points().dim()),
            Training::Sparse { points, .. } => Some(points.view().dim()),
            Training::Distances { .. } | Training::Neighbors { .. } => None,
        }
    }

    /// The metric of the points; Euclidean where there are none.
    pub fn metric(&self) -> Metric {
        match &self.training {
            Training::Points(training) => training.metric(),
            Training::Sparse { metric, .. } => *metric,
            Training::Distances { .. } | Training::Neighbors { .. } => Metric::Euclidean,
        }
    }

    /// The number of training points, n.
    pub fn len(&self) -> usize {
        match &self.training {
            Training::Points(training) => training.len(),
            Training::Sparse { points, .. } => points.view().len(),
            Training::Distances { count } | Training::Neighbors { count } => *count,
        }
    }

    /// The number of training points among which new points have neighbor lists; `None` unless they are given by
    /// lists.
    pub fn lists_among(&self) -> Option<usize> {
        match self.training {
            Training::Neighbors { count } => Some(count),
            _ => None,
        }
    }

    /// Whether there is no training point.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rule.
    pub fn neighborhood(&self) -> Neighborhood {
        self.neighborhood
    }

    /// For each row of `new` its neighbors by the rule: (index, distance), nearest
    /// first, ties by index; all n training points where k ≥ n − 1. Rows in parallel,
    /// each by itself.
    ///
    /// Fails with [`Error::Degenerate`] when no training point lies within the
    /// radius of a new point.
    pub fn lists<'a>(&self, new: impl Into<NewPoints<'a>>) -> Result<Vec<Vec<(u32, f64)>>, Error> {
        self.lists_of(new, TrainingRows::Extended)
    }

    /// The same among the training points that are not left out: all n − 1 others where k ≥ n − 2. A
    /// row that equals a training row has it as a neighbor.
    ///
    /// Fails also with [`Error::Parameter`] unless there is an element for every row in
    /// [`TrainingRows::LeftOut`].
    pub fn lists_of<'a>(
        &self,
        new: impl Into<NewPoints<'a>>,
        known: TrainingRows<'_>,
    ) -> Result<Vec<Vec<(u32, f64)>>, Error> {
        let (new, n) = (new.into(), self.len());
        let lists = match (self.neighborhood, known) {
            (Neighborhood::Nearest { k }, _) if k + 1 >= n => self.nearest_of(new, n, known)?,
            (Neighborhood::Nearest { k }, TrainingRows::LeftOut(left_out)) if k + 2 == n => {
                let mut lists = self.nearest_of(new, n, known)?;
                let complete = lists.iter_mut().zip(left_out).filter(|(_, left_out)| left_out.is_none());
                complete.for_each(|(list, _)| list.truncate(k));
                lists
            }
            (Neighborhood::Nearest { k }, _) => self.nearest_of(new, k, known)?,
            (Neighborhood::Within { .. }, _) => {
                let mut lists = self.search(new, self.neighborhood.into())?;
                leave_out(&mut lists, known)?;
                lists
            }
        };
        match lists.iter().position(Vec::is_empty) {
            None => Ok(lists),
            Some(row) => Err(self.without_neighbors(new, row, known)?),
        }
    }

    /// The error for a new row without neighbors.
    fn without_neighbors(
        &self,
        new: NewPoints<'_>,
        row: usize,
        known: TrainingRows<'_>,
    ) -> Result<Error, Error> {
        let nearest = self.nearest_of(new, 1, known)?[row].first().map(|entry| entry.1);
        Ok(match (self.neighborhood, nearest) {
            (Neighborhood::Within { radius }, Some(nearest)) => Error::degenerate(
                format!(
                    "no training point lies within the radius {radius} of new point {row}; the \
                     nearest is {nearest} away"
                ),
                "leave the point out, fit with a larger radius, or fit with nearest neighbors",
            ),
            _ => Error::degenerate(
                format!("no training point is left as a neighbor of new point {row}"),
                "fit more than one point",
            ),
        })
    }

    /// The edges by which each row of `new` joins the graph: its [`NeighborIndex::lists`].
    /// A row that coincides with training points and takes their place has an edge to the
    /// first of them only.
    pub fn edges<'a>(
        &self,
        new: impl Into<NewPoints<'a>>,
        known: TrainingRows<'_>,
    ) -> Result<Vec<Vec<(u32, f64)>>, Error> {
        let mut lists = self.lists_of(new, known)?;
        for list in lists.iter_mut().filter(|list| known == TrainingRows::Stored && list[0].1 == 0.0) {
            list.truncate(1);
        }
        Ok(lists)
    }

    /// For each row of `new` its `k` nearest training points, whatever the rule.
    pub fn nearest<'a>(
        &self,
        new: impl Into<NewPoints<'a>>,
        k: usize,
    ) -> Result<Vec<Vec<(u32, f64)>>, Error> {
        if k == 0 || k > self.len() {
            return Err(Error::parameter("k", format!("1 to {}", self.len()), k));
        }
        self.search(new.into(), QueryRule::Nearest { k })
    }

    /// The same among the training points that are not left out: the `k` nearest, or the k − 1 nearest
    /// where `k` is n.
    pub fn nearest_of<'a>(
        &self,
        new: impl Into<NewPoints<'a>>,
        k: usize,
        known: TrainingRows<'_>,
    ) -> Result<Vec<Vec<(u32, f64)>>, Error> {
        let TrainingRows::LeftOut(_) = known else { return self.nearest(new, k) };
        let mut lists = self.nearest(new, if (1..self.len()).contains(&k) { k + 1 } else { k })?;
        leave_out(&mut lists, known)?;
        lists.iter_mut().for_each(|list| list.truncate(k));
        Ok(lists)
    }

    /// For each row of `new` all training points within its own radius, nearest first, ties
    /// by index. For a model of distances, `new` has the distances to all training points.
    /// A list may be empty.
    ///
    /// Fails unless there is a radius for each row, and where a radius is NaN.
    pub fn within<'a>(
        &self,
        new: impl Into<NewPoints<'a>>,
        radii: &[f64],
    ) -> Result<Vec<Vec<(u32, f64)>>, Error> {
        let new = new.into();
        if radii.len() != new.len() {
            return Err(Error::parameter(
                "the number of radii",
                format!("{} as of rows", new.len()),
                radii.len(),
            ));
        }
        if let Some(row) = radii.iter().position(|radius| radius.is_nan()) {
            return Err(Error::parameter("a radius", "a number", format!("NaN of row {row}")));
        }
        self.search(new, QueryRule::Within { radii: Radii::Each(radii) })
    }

    /// The same among the training points that are not left out.
    pub fn within_of<'a>(
        &self,
        new: impl Into<NewPoints<'a>>,
        radii: &[f64],
        known: TrainingRows<'_>,
    ) -> Result<Vec<Vec<(u32, f64)>>, Error> {
        let mut lists = self.within(new, radii)?;
        leave_out(&mut lists, known)?;
        Ok(lists)
    }

    /// The distances of each row of `new` to the training points `of`. O(m D (1 + |of|)) for m
    /// rows.
    ///
    /// # Panics
    /// If an element of `of` is no training point.
    pub fn distances(&self, new: Points<'_>, of: &[u32]) -> Result<Vec<Vec<f64>>, Error> {
        match &self.training {
            Training::Points(training) => {
                let points = training.points();
                new.check_columns(points.dim())?;
                let chosen = points.select(of);
                let (known, new) =
                    (training.metric().prepare(chosen.view())?, training.metric().prepare(new)?);
                known.check_new(&new)?;
                let row = |a: &[f64]| known.rows().rows().map(|b| known.between(a, b)).collect();
                Ok(new.rows().rows().map(row).collect())
            }
            Training::Distances { count } => {
                new.check_distances(*count)?;
                Ok(new.rows().map(|row| of.iter().map(|&j| row[j as usize]).collect()).collect())
            }
            Training::Sparse { points, metric } => {
                let (known, new) = (points.view().select(of), SparsePointSet::of(new)?);
                let all = QueryRule::Nearest { k: of.len() };
                let lists = sparse::neighbors_of_new(known.view(), new.view(), all, *metric)?;
                let row = |list: Vec<(u32, f64)>| {
                    let mut row = vec![0.0; of.len()];
                    list.into_iter().for_each(|(j, d)| row[j as usize] = d);
                    row
                };
                Ok(lists.into_iter().map(row).collect())
            }
            Training::Neighbors { .. } => Err(no_places()),
        }
    }

    fn search(&self, new: NewPoints<'_>, rule: QueryRule<'_>) -> Result<Vec<List>, Error> {
        let new = match (new, &self.training) {
            (NewPoints::Rows(rows), _) => rows,
            (NewPoints::Listed(new), Training::Neighbors { count }) => {
                new.check_training(*count)?;
                let of = |(q, list): (usize, &List)| {
                    let mut list = list.clone();
                    lists::keep(&mut list, rule, q);
                    list
                };
                return Ok(new.lists().iter().enumerate().map(of).collect());
            }
            (NewPoints::Listed(_), _) => return Err(no_lists()),
        };
        match (&self.training, new) {
            (Training::Points(training), new) => {
                let (points, metric, mut all) = (training.points(), training.metric(), Vec::new());
                new.dense_blocks(|new| {
                    new.check_columns(points.dim())?;
                    let rule = rule.part(all.len()..all.len() + new.len());
                    let (lists, _) = run_by_metric(points, Some(new), rule, metric, &Silent)?;
                    all.extend(lists.into_vecs());
                    if metric.is_mixed() {
                        let found = all.len() - new.len()..;
                        equal_first(points, new, &mut all[found]);
                    }
                    Ok(())
                })?;
                Ok(all)
            }
            (Training::Sparse { points, metric }, Rows::Dense(new)) => {
                let new = SparsePointSet::of(new)?;
                sparse::neighbors_of_new(points.view(), new.view(), rule, *metric)
            }
            (Training::Sparse { points, metric }, Rows::Sparse(new)) => {
                sparse::neighbors_of_new(points.view(), new, rule, *metric)
            }
            (Training::Distances { count }, new) => {
                let mut all = Vec::with_capacity(new.len());
                new.dense_blocks(|new| {
                    new.check_distances(*count)?;
                    let first = all.len();
                    all.extend(new.rows().enumerate().map(|(row, ds)| select(ds, rule, first + row)));
                    Ok(())
                })?;
                Ok(all)
            }
            (Training::Neighbors { .. }, _) => Err(no_places()),
        }
    }
}

/// Puts a training row that equals a new row before others at distance 0, which differ from it in gaps.
fn equal_first(points: Points<'_>, new: Points<'_>, lists: &mut [List]) {
    for (row, list) in new.rows().zip(lists) {
        let at_zero = list.iter().take_while(|entry| entry.1 == 0.0);
        if let Some(at) = at_zero.map(|entry| entry.0).position(|i| points.row(i as usize) == row) {
            list[..=at].rotate_right(1);
        }
    }
}

impl Validate for NeighborIndex {
    fn validate(&self) -> Result<(), Error> {
        match &self.training {
            Training::Points(training) => training.validate()?,
            Training::Sparse { points, metric } => {
                points.validate()?;
                metric.validate()?;
                require(metric.takes_sparse(), "its metric is none of sparse points")?;
            }
            Training::Distances { .. } | Training::Neighbors { .. } => {}
        }
        require(!self.is_empty() && u32::try_from(self.len()).is_ok(), "it has no training points")?;
        self.neighborhood.validate()
    }
}

/// Removes from the list of each new row the training row that is left out.
fn leave_out(lists: &mut [List], known: TrainingRows<'_>) -> Result<(), Error> {
    known.check(lists.len())?;
    for (row, list) in lists.iter_mut().enumerate() {
        if let Some(left_out) = known.left_out(row) {
            list.retain(|entry| entry.0 != left_out);
        }
    }
    Ok(())
}

/// The error for the coordinates of new points of a model of neighbor lists.
fn no_places() -> Error {
    Error::degenerate(
        "the model was fitted to neighbor lists alone, which do not say where new points are",
        "give the neighbor lists of new points, or fit it to points, or to these and neighbor lists",
    )
}

/// The error for neighbor lists of new points of another model.
fn no_lists() -> Error {
    Error::degenerate(
        "the model was fitted to points or distances, and neighbor lists of new points are given",
        "give the coordinates of new points, or their distances to all training points",
    )
}

/// The neighbors of query `q` in its row of distances.
fn select(row: &[f64], rule: QueryRule<'_>, q: usize) -> List {
    let mut list: List = row.iter().enumerate().map(|(j, &d)| (j as u32, d + 0.0)).collect();
    lists::keep(&mut list, rule, q);
    list
}
