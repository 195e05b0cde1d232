//! The points of an input and their candidates for neighbors.

use embedding::implement::{Fact, Scale, Validate, matrix, proceed, require, squared_distance};
use embedding::{Error, Input, Metric, Neighborhood, Neighbors, PointSet, Points, Rows, TrainingRows};
use neighbor_graph::{NeighborIndex, NeighborSearch, implement::distances_from};
use serde::{Deserialize, Serialize};
use spectral::centering::distance_components;
use spectral::{AffineMap, Principal, Tolerance, sparse_components};

use crate::measured::Measured;

/// Rows of sparse points that are projected with their zeros at a time.
pub(crate) const DENSE_ROWS: usize = 256;

/// The preparation of an input before pairs are selected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preparation {
    /// Most columns: points with more are replaced by as many principal components; sparse points always,
    /// by at most as many.
    pub columns: usize,
    /// Number of neighbors of a point that are selected.
    pub selected: usize,
    /// Number of neighbors searched, n − 1 where there are fewer points.
    pub candidates: usize,
    /// Fraction of the true neighbors that a search of points must find; 1 is exact. A search by given
    /// distances is always exact.
    pub recall: f64,
    /// Seed of a search that is not exact.
    pub seed: u64,
}

/// An input after its [`Preparation`].
pub struct ReducedPoints<'a> {
    input: &'a Input<'a>,
    measured: Option<Measured<'a>>,
    reduced: Option<(AffineMap, PointSet)>,
    found: Option<Neighbors>,
    candidates: usize,
    recall: f64,
}

impl Preparation {
    /// Reduces the points of an input and searches their neighbors. Stages `"components"`,
    /// for points of more columns, and `"neighbors"`.
    ///
    /// Neighbor lists of the input replace a search; their points keep all
    /// columns, as do points with a metric other than Euclidean. Fails where a given list is
    /// shorter than the number selected.
    pub fn apply<'a>(&self, input: &'a Input<'a>) -> Result<ReducedPoints<'a>, Error> {
        input.require_distinct()?;
        let reduces = input.metric().is_euclidean() && input.neighbors().is_none();
        let measured = Measured::of(input, reduces)?;
        let candidates = self.candidates.min(input.len() - 1);
        let by_metric = measured.is_some();
        let mut reduced_points =
            ReducedPoints { input, measured, reduced: None, found: None, candidates, recall: 1.0 };
        if let Some(given) = input.neighbors() {
            let shortest = given.degrees().0;
            return if shortest < self.selected { Err(self.too_few(shortest)) } else { Ok(reduced_points) };
        }
        let observer = input.observer();
        let exact = NeighborSearch::nearest(candidates).with_observer(observer);
        if let Some(rows) = input.rows().filter(|_| reduces) {
            reduced_points.reduced = self.reduced(rows, input)?;
        }
        let searched = match reduced_points.points().filter(|_| !by_metric) {
            Some(points) => Input::from(points),
            None => *input,
        };
        let search = if self.recall < 1.0 && input.distances().is_none() {
            exact.with_recall(self.recall).with_seed(self.seed)
        } else {
            exact
        };
        let (lists, recall) = search.find_with_recall(searched)?;
        (reduced_points.found, reduced_points.recall) = (Some(lists), recall.measured);
        Ok(reduced_points)
    }

    fn too_few(&self, shortest: usize) -> Error {
        let requirement = format!(
            "at most {shortest}, the length of the shortest neighbor list (more neighbors allow a larger one)"
        );
        Error::parameter("k", requirement, self.selected)
    }

    fn reduced(&self, rows: Rows<'_>, input: &Input<'_>) -> Result<Option<(AffineMap, PointSet)>, Error> {
        let (n, width) = (rows.len(), rows.dim());
        let count = self.columns.min(n).min(width);
        if rows.dense().is_some() && width <= self.columns {
            return Ok(None);
        }
        let observer = input.observer();
        observer.stage("components");
        let tolerance = Tolerance::default();
        let (projection, values) = match rows {
            Rows::Dense(points) => {
                let principal = Principal::new(points, count, tolerance, observer)?;
                let projection = AffineMap::new(principal.mean, principal.directions);
                let images = projection.apply(points)?;
                (projection, images.into_values())
            }
            Rows::Sparse(points) => {
                let (principal, _, scale) = Principal::of_sparse(points, count, tolerance, observer)?;
                let projection = AffineMap::new(principal.mean, principal.directions);
                let (projection, mut values) = (projection.multiplied(scale, Scale::ONE), Vec::new());
                // As new rows are projected, so that a training row is found again to the bit.
                let all: Vec<u32> = (0..n as u32).collect();
                for block in all.chunks(DENSE_ROWS) {
                    let block = points.select(block).view().dense(input.memory_limit())?;
                    values.extend(projection.apply(block.view())?.into_values());
                }
                (projection, values)
            }
        };
        proceed(observer, 1, 1)?;
        Ok(Some((projection, PointSet::new(values, count)?)))
    }
}

impl ReducedPoints<'_> {
    /// The dense points, reduced where they had more columns or were sparse.
    pub fn points(&self) -> Option<Points<'_>> {
        match &self.reduced {
            Some((_, points)) => Some(points.view()),
            None => self.input.points(),
        }
    }

    /// The distance between points i and j, by the metric of the input. O(D), or O(1) of
    /// given distances, whose squares could leave the range of numbers.
    pub fn distances(&self) -> impl Fn(usize, usize) -> f64 + Sync {
        move |i, j| match (&self.measured, self.points(), self.input.distances()) {
            (Some(measured), ..) => measured.distance(i, j),
            (None, Some(points), _) => squared_distance(points.row(i), points.row(j)).sqrt(),
            (None, None, given) => given.expect("sparse points are reduced or measured").get(i, j),
        }
    }

    /// The distances from a point to others, faster than one by one; see [`ReducedPoints::distances`].
    pub fn distances_from(&self) -> impl Fn(usize, &[u32], &mut [f64]) + Sync {
        let between = self.distances();
        let points = self.points().filter(|_| self.measured.is_none());
        move |i: usize, others: &[u32], distances: &mut [f64]| match points {
            Some(points) => distances_from(points, i, others, distances),
            None => distances.iter_mut().zip(others).for_each(|(d, j)| *d = between(i, *j as usize)),
        }
    }

    /// Coordinates on the `count` leading principal directions of the points, by rows, and their number,
    /// smaller where there are fewer directions; `None` without points and distances. Reduced points return their
    /// first columns; of rows without coordinates the directions of [`Metric::coordinates`]; of distances the
    /// [`distance_components`].
    pub fn leading(&self, count: usize) -> Result<Option<(Vec<f64>, usize)>, Error> {
        let coordinates = self.input.coordinates()?;
        let held = coordinates.as_ref().map(PointSet::view).or(self.points());
        let observer = self.input.observer();
        let rows = match (held.map(Rows::from).or(self.input.rows()), self.input.distances()) {
            (Some(rows), _) => rows,
            (None, Some(distances)) => {
                let components = distance_components(distances, count, observer)?;
                return Ok(Some((matrix::to_rows(components.as_ref()), components.ncols())));
            }
            (None, None) => return Ok(None),
        };
        let count = count.min(rows.dim()).min(rows.len());
        if let Some((_, points)) = &self.reduced {
            let leading = points.view().rows().flat_map(|row| &row[..count]).copied().collect();
            return Ok(Some((leading, count)));
        }
        let points = match rows {
            Rows::Dense(points) => points,
            Rows::Sparse(points) => {
                let components = sparse_components(points, count, observer)?;
                return Ok(Some((matrix::to_rows(components.as_ref()), count)));
            }
        };
        let principal = Principal::new(points, count, Tolerance::default(), observer)?;
        let projection = AffineMap::new(principal.mean, principal.directions);
        Ok(Some((projection.apply(points)?.into_values(), count)))
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.input.len()
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The lists from which neighbors are selected.
    pub fn neighbors(&self) -> &Neighbors {
        let given = self.input.neighbors();
        self.found.as_ref().or(given).expect("lists are searched where they are not given")
    }

    /// The fraction of true neighbors in a sample of the lists; 1 for an exact search and for
    /// given lists.
    pub fn recall(&self) -> f64 {
        self.recall
    }

    /// The fact that states this fraction, of a model that stores it.
    pub fn recall_fact<M: 'static>(recall: impl Fn(&M) -> f64 + Send + Sync + 'static) -> Fact<M> {
        Fact::new(
            "neighbor_recall",
            "fraction of the true neighbors that the search found, in a sample; 1 where it was exact",
            recall,
        )
    }

    /// What a model keeps to find the neighbors of new points.
    pub fn into_training(self) -> Training {
        let neighborhood = Neighborhood::Nearest { k: self.candidates };
        // Points can be copied: the lists need not take memory next to both copies.
        drop(self.found);
        match self.reduced {
            Some((projection, points)) => Training {
                scale: Scale::ONE,
                projection: Some(projection),
                index: NeighborIndex::new(points.view(), neighborhood),
            },
            None => Training {
                scale: Scale::ONE,
                projection: None,
                index: NeighborIndex::of_input(self.input, neighborhood),
            },
        }
    }
}

/// The training points of a model after their [`Preparation`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Training {
    /// The factor by which rows are divided first.
    scale: Scale,
    projection: Option<AffineMap>,
    index: NeighborIndex,
}

impl Training {
    /// The candidates of each row of `new`, (training point, distance), nearest first; rows are independent.
    /// Rows are points, or distances to all training points where the model was fitted to distances.
    /// Training points that are left out are no candidates.
    pub fn candidates(
        &self,
        new: Points<'_>,
        known: TrainingRows<'_>,
    ) -> Result<Vec<Vec<(u32, f64)>>, Error> {
        self.of_prepared(new, |rows| self.index.lists_of(rows, known))
    }

    /// The distances of each row of `new`, as above, to the training points `of`.
    ///
    /// # Panics
    /// If an element of `of` is no training point.
    pub fn distances(&self, new: Points<'_>, of: &[u32]) -> Result<Vec<Vec<f64>>, Error> {
        self.of_prepared(new, |rows| self.index.distances(rows, of))
    }

    fn of_prepared<T>(
        &self,
        new: Points<'_>,
        find: impl Fn(Points<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.scale.divided(new, |new| match &self.projection {
            None => find(new),
            Some(projection) => {
                let images = projection.apply(new)?;
                find(Points::new(images.values(), images.dim())?)
            }
        })
    }

    /// The same after the points are multiplied by a power of two.
    pub fn multiplied(self, scale: Scale) -> Self {
        Self { scale, ..self }
    }

    /// The training points; `None` where their columns were reduced, and of other data.
    pub fn points(&self) -> Result<Option<PointSet>, Error> {
        let points = self.index.points().filter(|_| self.projection.is_none());
        points.map(|points| self.scale.inverse().divide(points)).transpose()
    }

    /// The metric of the training points.
    pub fn metric(&self) -> Metric {
        self.index.metric()
    }

    /// Number of training points.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether there is no training point.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }
}

impl Validate for Training {
    fn validate(&self) -> Result<(), Error> {
        self.index.validate()?;
        let Some(projection) = &self.projection else { return Ok(()) };
        projection.validate()?;
        let columns = self.index.points().map(|points| points.dim());
        require(
            columns == Some(projection.matrix().ncols()),
            "its training points have another number of columns than their projection",
        )
    }
}
