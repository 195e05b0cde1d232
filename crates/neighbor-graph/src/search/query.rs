//! The neighbors of new points among the training points.

use embedding::{
    Error, ExactMatches, Input, Metric, Neighborhood, Points, Silent, TrainingPoints, Validate, require,
};
use serde::{Deserialize, Serialize};

use crate::Manifold;
use crate::search::by_metric::run_by_metric;
use crate::search::lists::{self, List};

/// The training points of a fitted model, and the rule by which new points find
/// their neighbors among them; part of every model of a graph method.
///
/// A model of points takes new points; one of distances takes the distances of new
/// points to all training points, n columns; one of neighbor lists alone places no
/// new points.
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
}

impl NeighborIndex {
    /// Keeps a copy of the points, whose distances are Euclidean.
    pub fn new(points: Points<'_>, neighborhood: Neighborhood) -> Self {
        Self::with_metric(points, Metric::Euclidean, neighborhood)
    }

    /// The same by another metric.
    pub fn with_metric(points: Points<'_>, metric: Metric, neighborhood: Neighborhood) -> Self {
        Self { training: Training::Points(TrainingPoints::new(points, metric)), neighborhood }
    }

    /// The training data of a manifold, with the rule of its lists.
    pub fn of(manifold: &Manifold<'_>) -> Self {
        match manifold.points {
            Some(points) => Self::with_metric(points, manifold.metric, manifold.neighbors.neighborhood()),
            None => Self::without_points(manifold, manifold.len()),
        }
    }

    /// `count` training points of which nothing but their number is known.
    pub fn unknown(count: usize, neighborhood: Neighborhood) -> Self {
        Self { training: Training::Neighbors { count }, neighborhood }
    }

    /// The training data of an input.
    pub fn of_input(input: &Input<'_>, neighborhood: Neighborhood) -> Self {
        match (input.given_points(), input.given_distances()) {
            (Some(points), _) => Self::with_metric(points, input.given_metric(), neighborhood),
            (None, Some(given)) => {
                Self { training: Training::Distances { count: given.len() }, neighborhood }
            }
            (None, None) => Self::unknown(input.len(), neighborhood),
        }
    }

    /// A part of `count` points of a manifold without points.
    pub(crate) fn without_points(manifold: &Manifold<'_>, count: usize) -> Self {
        let training = match manifold.distances {
            Some(_) => Training::Distances { count },
            None => Training::Neighbors { count },
        };
        Self { training, neighborhood: manifold.neighbors.neighborhood() }
    }

    /// The training points; `None` where the model was fitted to something else.
    pub fn points(&self) -> Option<Points<'_>> {
        match &self.training {
            Training::Points(training) => Some(training.points()),
            _ => None,
        }
    }

    /// The metric of the points; Euclidean where there are none.
    pub fn metric(&self) -> Metric {
        match &self.training {
            Training::Points(training) => training.metric(),
            _ => Metric::Euclidean,
        }
    }

    /// The number of training points, n.
    pub fn len(&self) -> usize {
        match &self.training {
            Training::Points(training) => training.len(),
            Training::Distances { count } | Training::Neighbors { count } => *count,
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
    pub fn lists(&self, new: Points<'_>) -> Result<Vec<Vec<(u32, f64)>>, Error> {
        match self.neighborhood {
            Neighborhood::Nearest { k } if k >= self.len() - 1 => self.nearest(new, self.len()),
            Neighborhood::Nearest { k } => self.nearest(new, k),
            Neighborhood::Within { radius } => {
                let lists = self.search(new, self.neighborhood)?;
                match lists.iter().position(Vec::is_empty) {
                    None => Ok(lists),
                    Some(row) => {
                        let nearest = self.nearest(new.select(&[row as u32]).view(), 1)?[0][0].1;
                        Err(Error::degenerate(
                            format!(
                                "no training point lies within the radius {radius} of new point {row}; the \
                                 nearest is {nearest} away"
                            ),
                            "leave the point out, fit with a larger radius, or fit with nearest neighbors",
                        ))
                    }
                }
            }
        }
    }

    /// The edges by which each row of `new` joins the graph: its [`NeighborIndex::lists`];
    /// where it coincides with training points whose place it takes, the first of these
    /// alone.
    pub fn edges(&self, new: Points<'_>, exact: ExactMatches) -> Result<Vec<Vec<(u32, f64)>>, Error> {
        let mut lists = self.lists(new)?;
        for list in lists.iter_mut().filter(|list| exact == ExactMatches::Stored && list[0].1 == 0.0) {
            list.truncate(1);
        }
        Ok(lists)
    }

    /// For each row of `new` its `k` nearest training points, whatever the rule.
    pub fn nearest(&self, new: Points<'_>, k: usize) -> Result<Vec<Vec<(u32, f64)>>, Error> {
        if k == 0 || k > self.len() {
            return Err(Error::parameter("k", format!("1 to {}", self.len()), k));
        }
        self.search(new, Neighborhood::Nearest { k })
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
                let row = |a: &[f64]| known.rows().rows().map(|b| known.between(a, b)).collect();
                Ok(new.rows().rows().map(row).collect())
            }
            Training::Distances { count } => {
                new.check_distances(*count)?;
                Ok(new.rows().map(|row| of.iter().map(|&j| row[j as usize]).collect()).collect())
            }
            Training::Neighbors { .. } => Err(no_places()),
        }
    }

    fn search(&self, new: Points<'_>, neighborhood: Neighborhood) -> Result<Vec<List>, Error> {
        match &self.training {
            Training::Points(training) => {
                let points = training.points();
                new.check_columns(points.dim())?;
                let (lists, _) = run_by_metric(points, Some(new), neighborhood, training.metric(), &Silent)?;
                Ok(lists.into_vecs())
            }
            Training::Distances { count } => {
                new.check_distances(*count)?;
                Ok(new.rows().map(|row| select(row, neighborhood)).collect())
            }
            Training::Neighbors { .. } => Err(no_places()),
        }
    }
}

impl Validate for NeighborIndex {
    fn validate(&self) -> Result<(), Error> {
        require(!self.is_empty() && u32::try_from(self.len()).is_ok(), "it has no training points")?;
        if let Training::Points(training) = &self.training {
            training.validate()?;
        }
        self.neighborhood.validate()
    }
}

/// What is said of new points of a model of neighbor lists.
fn no_places() -> Error {
    Error::degenerate(
        "the model was fitted to neighbor lists alone, which do not say where new points are",
        "fit it to points, or to points and neighbor lists",
    )
}

/// The neighbors in a row of distances.
fn select(row: &[f64], neighborhood: Neighborhood) -> List {
    let mut list: List = row.iter().enumerate().map(|(j, &d)| (j as u32, d + 0.0)).collect();
    lists::keep(&mut list, neighborhood);
    list
}
