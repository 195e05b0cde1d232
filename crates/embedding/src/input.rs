//! What a method is fitted to.

use crate::{
    DistanceMatrix, Error, Geometry, Labels, Measured, MemoryLimit, Metric, Neighbors, NewPoints, Observer,
    PointSet, Points, Scale, Silent, Sizes, SparsePoints,
};

/// The input of a fit: points and, where given, a metric, neighbors, distances, labels,
/// an observer and a memory limit.
///
/// Points alone convert into an input, so that `recipe.fit(points)` is the whole
/// call; everything else is added:
///
/// ```
/// use embedding::{Input, MemoryLimit, PointSet};
/// let points = PointSet::new(vec![0.0, 0.0, 1.0, 0.0, 0.0, 1.0], 2)?;
/// let input = Input::from(&points).labels(&[0, 1, 1]).memory_limit(MemoryLimit::new(1_000_000_000));
/// assert_eq!(input.len(), 3);
/// # Ok::<(), embedding::Error>(())
/// ```
///
/// Given neighbors replace the search. Given distances replace points for the
/// methods that accept them (see [`About::accepts`](crate::About)).
///
/// A [`Metric`] other than Euclidean is accepted by the methods that accept distances, and
/// selects the neighbors and the distances of points, for the fit and for new points.
/// Methods that read coordinates of neighborhoods (the variants of LLE, conformal
/// eigenmaps, maximum variance unfolding) take the neighbors by the metric and everything
/// else from the coordinates. Given neighbors stay those of the metric by which they were
/// found; a row that has no distance by the metric of the input is refused beside them, too.
///
/// [`SparsePoints`] are an input of their neighbor lists: of them a method reads the lists by
/// the metric, the copies among them, the distances between components and the principal components
/// of a start, so that those methods can be fitted that accept neighbor lists. Such models keep the
/// sparse points, and place new ones with their zeros or without
/// ([`Transform::place`](crate::Transform::place)).
/// Methods with [`Method::SPARSE`](crate::Method::SPARSE) read the entries themselves.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    points: Option<Points<'a>>,
    sparse: Option<SparsePoints<'a>>,
    metric: Metric,
    neighbors: Option<&'a Neighbors>,
    distances: Option<DistanceMatrix<'a>>,
    labels: Option<Labels<'a>>,
    observer: &'a dyn Observer,
    memory_limit: MemoryLimit,
}

/// A kind of data that a method can be fitted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Data {
    /// Points, one per row.
    Points,
    /// Distances between all pairs of points.
    Distances,
    /// Neighbor lists with distances.
    Neighbors,
}

crate::words!(Data { Points = "points", Distances = "distances", Neighbors = "neighbors" });

impl<'a> Input<'a> {
    fn empty() -> Self {
        Self {
            points: None,
            sparse: None,
            metric: Metric::Euclidean,
            neighbors: None,
            distances: None,
            labels: None,
            observer: &Silent,
            memory_limit: MemoryLimit::default(),
        }
    }

    /// The distance between points; by default Euclidean, as which Minkowski's of exponent 2
    /// counts.
    pub fn metric(self, metric: Metric) -> Self {
        let metric = if metric.is_euclidean() { Metric::Euclidean } else { metric };
        Self { metric, ..self }
    }

    /// Neighbor lists in place of a search; alone, or with the points.
    pub fn neighbors(self, neighbors: &'a Neighbors) -> Self {
        Self { neighbors: Some(neighbors), ..self }
    }

    /// A class per point.
    pub fn labels(self, labels: &'a [u32]) -> Self {
        Self { labels: Some(Labels::All(labels)), ..self }
    }

    /// A class for some of the points, `None` where it is unknown. Methods that need a class
    /// per point are not fitted to them.
    pub fn partial_labels(self, labels: &'a [Option<u32>]) -> Self {
        Self { labels: Some(Labels::Some(labels)), ..self }
    }

    /// Receives stages, steps and iterations, and may cancel; by default nothing does.
    pub fn observer(self, observer: &'a dyn Observer) -> Self {
        Self { observer, ..self }
    }

    /// The memory that one stage may allocate; by default 4 GB.
    pub fn memory_limit(self, memory_limit: MemoryLimit) -> Self {
        Self { memory_limit, ..self }
    }

    /// The number of points, n.
    pub fn len(&self) -> usize {
        let points = self.points.map(|points| points.len());
        let distances = self.distances.map(|distances| distances.len());
        let sparse = self.sparse.map(|points| points.len());
        points.or(distances).or(sparse).or(self.neighbors.map(Neighbors::len)).unwrap_or(0)
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What the input consists of: points where there are any; neighbors of sparse points.
    pub fn data(&self) -> Data {
        match (self.points, self.distances) {
            (Some(_), _) => Data::Points,
            (None, Some(_)) => Data::Distances,
            (None, None) => Data::Neighbors,
        }
    }

    /// The points, where given.
    pub fn given_points(&self) -> Option<Points<'a>> {
        self.points
    }

    /// The sparse points, where given.
    pub fn given_sparse(&self) -> Option<SparsePoints<'a>> {
        self.sparse
    }

    /// The points, with all values or sparse, where given.
    pub fn rows(&self) -> Option<NewPoints<'a>> {
        self.points.map(NewPoints::from).or(self.sparse.map(NewPoints::from))
    }

    /// The points; fails with [`Error::Degenerate`] where there are none.
    pub fn points(&self) -> Result<Points<'a>, Error> {
        self.points.ok_or_else(Error::no_points)
    }

    /// The distance between points.
    pub fn given_metric(&self) -> Metric {
        self.metric
    }

    /// The points prepared for their metric; `None` where it is Euclidean, and where there
    /// are no points.
    ///
    /// Fails as [`Metric::prepare`], and with [`Error::Memory`] where a prepared copy of the
    /// points would exceed the memory limit.
    pub fn measured(&self) -> Result<Option<Measured<'a>>, Error> {
        let Some(points) = self.points.filter(|_| !self.metric.is_euclidean()) else { return Ok(None) };
        let needed = 8 * points.values().len() as u64;
        self.memory_limit.allow("the points as the metric reads them", needed, "allow more memory")?;
        self.metric.prepare(points).map(Some)
    }

    /// The points, as coordinates, or the distances; fails with [`Error::Degenerate`] where
    /// there are neighbor lists alone.
    pub fn geometry(&self) -> Result<Geometry<'a>, Error> {
        Geometry::of(self.points, self.distances)
    }

    /// Fails with [`Error::Degenerate`] where points or distances tell that all points coincide.
    pub fn require_distinct(&self) -> Result<(), Error> {
        self.geometry().map_or(Ok(()), |geometry| geometry.require_distinct())
    }

    /// The distances, where given.
    pub fn given_distances(&self) -> Option<DistanceMatrix<'a>> {
        self.distances
    }

    /// The neighbor lists, where given.
    pub fn given_neighbors(&self) -> Option<&'a Neighbors> {
        self.neighbors
    }

    /// The classes, where given.
    pub fn given_labels(&self) -> Option<Labels<'a>> {
        self.labels
    }

    /// Who observes the fit.
    pub fn observed_by(&self) -> &'a dyn Observer {
        self.observer
    }

    /// The memory that one stage may allocate.
    pub fn limit(&self) -> MemoryLimit {
        self.memory_limit
    }

    /// The scale of the points, or of distances in place of points.
    pub(crate) fn scale(&self) -> Scale {
        match (self.points, self.distances) {
            (Some(points), _) => Scale::of(points),
            (None, Some(distances)) => Scale::of_length(distances.largest()),
            (None, None) => Scale::ONE,
        }
    }

    /// The same, by which the quotients are as wide as ordinary ones can be.
    pub(crate) fn widest_scale(&self) -> Scale {
        match (self.points, self.distances) {
            (Some(points), _) => Scale::widest(points),
            (None, Some(distances)) => Scale::widest_of_length(distances.largest()),
            (None, None) => Scale::ONE,
        }
    }

    /// The points divided by a power of two, and given lists by a metric in units of the points
    /// with their distances divided; or distances in place of points divided.
    pub(crate) fn divided(&self, scale: Scale) -> Result<Divided, Error> {
        let Some(points) = self.points else {
            let distances = self.distances.map(|distances| self.divided_distances(distances, scale));
            return Ok(Divided { points: None, distances: distances.transpose()?, neighbors: None });
        };
        let needed = 8 * points.values().len() as u64;
        self.memory_limit.allow("the points divided by a power of two", needed, "allow more memory")?;
        let of_lists = self.metric.scale(scale);
        let lists = self.neighbors.filter(|_| !of_lists.is_one());
        Ok(Divided {
            points: Some(scale.divide(points)?),
            distances: None,
            neighbors: lists.map(|lists| lists.divided(of_lists)).transpose()?,
        })
    }

    fn divided_distances(&self, distances: DistanceMatrix<'_>, scale: Scale) -> Result<Vec<f64>, Error> {
        let n = distances.len();
        let needed = 8 * (n as u64).pow(2);
        self.memory_limit.allow("the distances divided by a power of two", needed, "allow more memory")?;
        Ok((0..n * n).map(|at| scale.quotient(distances.get(at / n, at % n))).collect())
    }

    /// The sizes that legal ranges depend on.
    pub fn sizes(&self) -> Sizes {
        Sizes {
            points: Some(self.len()),
            columns: self.points.map(|points| points.dim()),
            neighbors: self.neighbors.and_then(|lists| lists.neighborhood().k()),
            classes: self.labels.map(|labels| labels.classes()),
            ..Sizes::default()
        }
    }

    /// The bytes of the points that a model copies: none where it shares those of a
    /// [`PointSet`](crate::PointSet).
    pub fn copied_bytes(&self) -> u64 {
        self.points.map_or(0, |points| points.copied_bytes())
    }

    /// Fails with [`Error::Shape`] when the parts have different numbers of points.
    pub fn check(&self) -> Result<(), Error> {
        let parts = [
            ("the number of labels", self.labels.map(|labels| labels.len())),
            ("the number of neighbor lists", self.neighbors.map(Neighbors::len)),
        ];
        for (what, len) in parts {
            if let Some(got) = len.filter(|len| *len != self.len()) {
                let expected = format!("{}, one per point", self.len());
                return Err(Error::Shape { what, expected, got: got.to_string() });
            }
        }
        Ok(())
    }

    /// Fails as [`Metric::prepare`] where lists are given with the points, which no search of a fit
    /// prepares then; the model prepares them to place new points.
    pub(crate) fn check_metric_of_listed(&self) -> Result<(), Error> {
        match self.rows() {
            Some(rows) if self.neighbors.is_some() => self.metric.check_rows(rows),
            _ => Ok(()),
        }
    }
}

/// What an input has in place of its own points or distances, and lists.
pub(crate) struct Divided {
    points: Option<PointSet>,
    /// All pairs, row by row.
    distances: Option<Vec<f64>>,
    neighbors: Option<Neighbors>,
}

impl Divided {
    /// The input with these.
    pub(crate) fn input<'b>(&'b self, of: &Input<'b>) -> Result<Input<'b>, Error> {
        let matrix = |values: &'b Vec<f64>| DistanceMatrix::new(values, of.len());
        Ok(Input {
            points: self.points.as_ref().map(PointSet::view),
            distances: self.distances.as_ref().map(matrix).transpose()?.or(of.distances),
            neighbors: self.neighbors.as_ref().or(of.neighbors),
            memory_limit: of
                .memory_limit
                .beside(self.points.as_ref().map_or(0, |points| points.view().bytes())),
            ..*of
        })
    }
}

impl<'a> From<Points<'a>> for Input<'a> {
    fn from(points: Points<'a>) -> Self {
        Self { points: Some(points), ..Self::empty() }
    }
}

impl<'a> From<&'a PointSet> for Input<'a> {
    fn from(points: &'a PointSet) -> Self {
        points.view().into()
    }
}

impl<'a> From<SparsePoints<'a>> for Input<'a> {
    fn from(points: SparsePoints<'a>) -> Self {
        Self { sparse: Some(points), ..Self::empty() }
    }
}

impl<'a> From<DistanceMatrix<'a>> for Input<'a> {
    fn from(distances: DistanceMatrix<'a>) -> Self {
        Self { distances: Some(distances), ..Self::empty() }
    }
}

impl<'a> From<&'a Neighbors> for Input<'a> {
    fn from(neighbors: &'a Neighbors) -> Self {
        Self { neighbors: Some(neighbors), ..Self::empty() }
    }
}

impl<'a> From<&Input<'a>> for Input<'a> {
    fn from(input: &Input<'a>) -> Self {
        *input
    }
}
