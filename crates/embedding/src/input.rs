//! The input of a fit.

use crate::implement::{Division, FixedRows, MetricPoints, PairDistances, Scale, Sizes};
use crate::{
    Data, DistanceMatrix, Error, Labels, MemoryLimit, Metric, Neighbors, Observer, PointSet, Points, Rows,
    Silent, SparsePointSet, SparsePoints, row_weights,
};

/// The input of a fit: the [`Data`] to embed and, where given, a metric, neighbor lists, labels, target values,
/// weights of rows, a start, fixed rows, an observer and a memory limit.
///
/// Data alone convert into an input, so that `recipe.fit(points)` is the whole
/// call; everything else is added:
///
/// ```
/// use embedding::{Input, MemoryLimit, PointSet};
/// let points = PointSet::new(vec![0.0, 0.0, 1.0, 0.0, 0.0, 1.0], 2)?;
/// let input = Input::from(&points).with_labels(&[0, 1, 1]).with_memory_limit(MemoryLimit::new(1_000_000_000));
/// assert_eq!(input.len(), 3);
/// # Ok::<(), embedding::Error>(())
/// ```
///
/// Given neighbors replace the search. Given distances replace points for the
/// methods that accept them (see [`About::accepts`](crate::About)).
///
/// A [`Metric`] other than Euclidean is accepted by the methods that accept distances, and
/// selects the neighbors and the distances of points, for the fit and for new points.
/// Methods that read coordinates of neighborhoods (the variants of LLE, conformal eigenmaps,
/// maximum variance unfolding) take the neighbors by the metric and everything else from the
/// coordinates. Given neighbors are used as they are, whatever metric they were found by. A
/// row that has no distance by the metric of the input is refused even if neighbors are
/// given.
///
/// [`SparsePoints`] serve as an input of neighbor lists, so every method that accepts neighbor
/// lists can be fitted to them. From sparse points a method reads the lists by the metric, the
/// copies among the points, the distances between components, and the principal components for a
/// start. Such models keep the sparse points, and place dense or sparse new points
/// ([`Transform::place`](crate::Transform::place)). Methods with
/// [`Method::SPARSE`](crate::Method::SPARSE) read the entries themselves.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    data: Data<'a>,
    metric: Metric,
    /// Lists in addition to the data.
    neighbors: Option<&'a Neighbors>,
    labels: Option<Labels<'a>>,
    row_weights: Option<&'a [f64]>,
    /// A number per point, NaN where it is unknown.
    targets: Option<&'a [f64]>,
    start: Option<Points<'a>>,
    /// Whether each row keeps its place in the start.
    fixed: Option<&'a [bool]>,
    /// How strongly these rows are drawn to their places; infinite where they are fixed.
    pull: f64,
    /// Whether all rows may be fixed.
    all_fixed_allowed: bool,
    /// Whether the start is the map of an earlier fit that goes on.
    goes_on: bool,
    state: Option<&'a [u8]>,
    observer: &'a dyn Observer,
    memory_limit: MemoryLimit,
}

impl<'a> Input<'a> {
    /// The distance between points; Euclidean by default. Minkowski's distance of exponent 2
    /// counts as Euclidean.
    pub fn with_metric(self, metric: Metric) -> Self {
        let metric = if metric.is_euclidean() { Metric::Euclidean } else { metric };
        Self { metric, ..self }
    }

    /// Neighbor lists instead of a search; alone, or with the points.
    pub fn with_neighbors(self, neighbors: &'a Neighbors) -> Self {
        match self.data {
            Data::Neighbors(_) => Self { data: Data::Neighbors(neighbors), ..self },
            Data::Rows(_) | Data::Distances(_) => Self { neighbors: Some(neighbors), ..self },
        }
    }

    /// A class per point.
    pub fn with_labels(self, labels: &'a [u32]) -> Self {
        Self { labels: Some(Labels::All(labels)), ..self }
    }

    /// A class for some of the points, `None` where it is unknown. Methods that need a class
    /// per point are not fitted to them.
    pub fn with_partial_labels(self, labels: &'a [Option<u32>]) -> Self {
        Self { labels: Some(Labels::Some(labels)), ..self }
    }

    /// A weight per row, for the methods with [`Method::WEIGHTS`](crate::Method::WEIGHTS); others refuse weights.
    /// A row of weight w counts as w copies of it: for whole numbers the map is the map of the repeated rows, up
    /// to rounding, with each row once.
    ///
    /// Each weight must be above 0 and at most 2⁵³, and the sum of several above 1, because variances have the
    /// divisor Σ w − 1.
    ///
    /// ```
    /// # fn demo(pca: &impl embedding::Method, points: &embedding::PointSet) -> Result<(), embedding::Error> {
    /// use embedding::Input;
    /// // The first row counts three times.
    /// let weights: Vec<f64> = (0..points.len()).map(|row| if row == 0 { 3.0 } else { 1.0 }).collect();
    /// let fitted = pca.fit(Input::from(points).with_row_weights(&weights))?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn with_row_weights(self, weights: &'a [f64]) -> Self {
        Self { row_weights: Some(weights), ..self }
    }

    /// A continuous target: a finite number per point, NaN where it is unknown. Methods with a
    /// [`Method::LABEL_PARAMETER`](crate::Method::LABEL_PARAMETER) are supervised by it, as by labels, and by it
    /// alone where labels are given, too; others ignore it.
    pub fn with_targets(self, targets: &'a [f64]) -> Self {
        Self { targets: Some(targets), ..self }
    }

    /// The initial coordinates of an iterative method, n × d, instead of the start of its recipe.
    /// [`Method::START`](crate::Method::START) says at which scale they are used.
    pub fn with_start(self, start: Points<'a>) -> Self {
        Self { start: Some(start), goes_on: false, state: None, ..self }
    }

    /// The map of an earlier fit of the same data, n × d, from which the fit goes on: a start that is used
    /// unchanged, at its own scale. Fit the recipe of [`Method::resumed`](crate::Method::resumed).
    ///
    /// With the [`Fitted::state`](crate::Fitted::state) of that fit, methods that have one go on to the bit: 500
    /// iterations and 500 more give the map of 1,000. These are SMACOF, non-metric MDS and Sammon's mapping. The
    /// steps of UMAP, densMAP and PaCMAP follow a schedule of the number of iterations, and t-SNE and TriMap
    /// begin again without velocities, so that their maps differ from the map of one longer fit.
    pub fn with_continued(self, map: Points<'a>, state: Option<&'a [u8]>) -> Self {
        Self { start: Some(map), goes_on: true, state, ..self }
    }

    /// The rows that keep their places in the given start while the others move: a value per row, true for a
    /// fixed one. At the end they are there to the bit, for the methods with
    /// [`Method::FIXES`](crate::Method::FIXES); others refuse fixed rows.
    ///
    /// With a fixed row the start is used unchanged, at its own scale, and the map is neither centered nor
    /// rotated. Without one the fit is the fit without this call. A fit of no moving row is refused, unless
    /// [`Input::with_all_fixed_allowed`] permits it.
    ///
    /// ```
    /// # fn demo(umap: &impl embedding::Method, points: &embedding::PointSet, map: &embedding::PointSet) -> Result<(), embedding::Error> {
    /// use embedding::{Input, Model};
    /// // The first 100 rows stay.
    /// let fixed: Vec<bool> = (0..points.len()).map(|row| row < 100).collect();
    /// let fitted = umap.fit(Input::from(points).with_start(map.view()).with_fixed(&fixed))?;
    /// assert_eq!(fitted.embedding().row(0), map.view().row(0));
    /// # Ok(())
    /// # }
    /// ```
    pub fn with_fixed(self, fixed: &'a [bool]) -> Self {
        self.with_pull(fixed, f64::INFINITY)
    }

    /// The rows that are drawn to their places in the given start by a pull λ ≥ 0: a value per row, true for a
    /// row that is drawn. An infinite pull fixes them ([`Input::with_fixed`]), and 0 has no effect.
    ///
    /// The loss has the additional term λ/2 Σ |y − p|² over these rows, p their places. Its gradient has the unit
    /// of the gradients in the method's own steps: of PaCMAP, LocalMAP, TriMap, UMAP and densMAP the sum over the
    /// pairs of a row, of t-SNE n times the gradient. For the scaling methods λ is relative to the sum of the
    /// weights of a row. As with fixed rows, the start is used unchanged, and the map is neither centered nor
    /// rotated. PaCMAP and LocalMAP then run their third phase alone: the mid-near pairs of the others would draw
    /// the map together.
    pub fn with_pull(self, rows: &'a [bool], pull: f64) -> Self {
        Self { fixed: Some(rows), pull, ..self }
    }

    /// Permits a fit in which all rows are fixed, or are copies of fixed rows: it moves no row, and its model
    /// places new rows in the given map.
    pub fn with_all_fixed_allowed(self) -> Self {
        Self { all_fixed_allowed: true, ..self }
    }

    /// Receives stages, steps and iterations, and may cancel; by default nothing does.
    pub fn with_observer(self, observer: &'a dyn Observer) -> Self {
        Self { observer, ..self }
    }

    /// The memory that one stage may allocate; by default 4 GB.
    pub fn with_memory_limit(self, memory_limit: MemoryLimit) -> Self {
        Self { memory_limit, ..self }
    }

    /// The number of points, n.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The same with the start at another scale.
    pub(crate) fn at_scale(self, start: Points<'a>) -> Self {
        Self { start: Some(start), ..self }
    }

    /// The data to embed.
    pub fn data(&self) -> Data<'a> {
        self.data
    }

    /// The points, dense or sparse, where given.
    pub fn rows(&self) -> Option<Rows<'a>> {
        self.data.rows()
    }

    /// The dense points, where given.
    pub fn points(&self) -> Option<Points<'a>> {
        self.data.points()
    }

    /// The dense points; fails with [`Error::Degenerate`] where there are none.
    pub fn require_points(&self) -> Result<Points<'a>, Error> {
        self.points().ok_or_else(Error::no_points)
    }

    /// The sparse points, where given.
    pub fn sparse_points(&self) -> Option<SparsePoints<'a>> {
        self.data.sparse_points()
    }

    /// The distance between points.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    /// The points prepared for their metric; `None` where it is Euclidean, and where there
    /// are no points.
    ///
    /// Fails as [`Metric::prepare`], and with [`Error::Memory`] where a prepared copy of the
    /// points would exceed the memory limit.
    pub fn metric_points(&self) -> Result<Option<MetricPoints<'a>>, Error> {
        let Some(points) = self.points().filter(|_| !self.metric.is_euclidean()) else { return Ok(None) };
        let needed = 8 * points.values().len() as u64;
        self.memory_limit.allow("the points as the metric reads them", needed, "allow more memory")?;
        self.metric.prepare(points).map(Some)
    }

    /// The points as coordinates, where a metric reads rows that hold none ([`Metric::coordinates`]).
    pub fn coordinates(&self) -> Result<Option<PointSet>, Error> {
        let points = self.points().map(|points| self.metric.coordinates(points, self.memory_limit));
        points.transpose().map(Option::flatten)
    }

    /// The points, as coordinates, or the distances; fails with [`Error::Degenerate`] where
    /// there are neighbor lists alone.
    pub fn pair_distances(&self) -> Result<PairDistances<'a>, Error> {
        PairDistances::of(self.data)
    }

    /// Fails with [`Error::Degenerate`] where the points or the distances show that all points coincide.
    pub fn require_distinct(&self) -> Result<(), Error> {
        if let Some(points) = self.sparse_points() {
            return points.require_distinct();
        }
        self.pair_distances().map_or(Ok(()), |geometry| geometry.require_distinct())
    }

    /// The distances, where given.
    pub fn distances(&self) -> Option<DistanceMatrix<'a>> {
        self.data.distances()
    }

    /// The neighbor lists, where given: as the data, or in addition.
    pub fn neighbors(&self) -> Option<&'a Neighbors> {
        match self.data {
            Data::Neighbors(lists) => Some(lists),
            Data::Rows(_) | Data::Distances(_) => self.neighbors,
        }
    }

    /// The classes, where given.
    pub fn labels(&self) -> Option<Labels<'a>> {
        self.labels
    }

    /// The weights of the rows, where given.
    pub fn row_weights(&self) -> Option<&'a [f64]> {
        self.row_weights
    }

    /// The continuous target, where given: NaN where it is unknown.
    pub fn targets(&self) -> Option<&'a [f64]> {
        self.targets
    }

    /// The initial coordinates, where given.
    pub fn start(&self) -> Option<Points<'a>> {
        self.start
    }

    /// Whether the start is the map of an earlier fit that goes on.
    pub fn goes_on(&self) -> bool {
        self.goes_on
    }

    /// The state of the earlier fit, where given.
    pub fn state(&self) -> Option<&'a [u8]> {
        self.state
    }

    /// Whether each row is fixed or drawn, and how strongly, where that is given.
    pub fn fixed(&self) -> Option<(&'a [bool], f64)> {
        self.fixed.map(|rows| (rows, self.pull))
    }

    /// Whether all rows may be fixed.
    pub fn all_fixed_allowed(&self) -> bool {
        self.all_fixed_allowed
    }

    /// The fixed or drawn rows with their places; `None` where there is no such row or no start is given.
    pub fn fixed_rows(&self) -> Option<FixedRows<'a>> {
        let mask = self.fixed.filter(|mask| mask.contains(&true) && self.pull > 0.0)?;
        Some(FixedRows::new(mask, self.start?, self.pull))
    }

    /// The observer of the fit.
    pub fn observer(&self) -> &'a dyn Observer {
        self.observer
    }

    /// The memory that one stage may allocate.
    pub fn memory_limit(&self) -> MemoryLimit {
        self.memory_limit
    }

    /// The power of two by which points or distances are divided; sparse points only where the method
    /// reads their entries.
    pub(crate) fn scale(&self, division: Division, of_entries: bool) -> Scale {
        match self.data {
            Data::Rows(Rows::Dense(points)) => Scale::of_points(points, division),
            Data::Rows(Rows::Sparse(points)) if of_entries => Scale::of_sparse(points, division),
            Data::Distances(distances) => Scale::of_length(distances.largest(), division),
            Data::Rows(Rows::Sparse(_)) | Data::Neighbors(_) => Scale::ONE,
        }
    }

    /// Points divided by a power of two, with the lists that were given with them and have their unit; or
    /// distances divided by it.
    pub(crate) fn divided(&self, scale: Scale) -> Result<Divided, Error> {
        match self.data {
            Data::Rows(Rows::Dense(points)) => {
                let needed = 8 * points.values().len() as u64;
                self.memory_limit.allow(
                    "the points divided by a power of two",
                    needed,
                    "allow more memory",
                )?;
                Ok(Divided::Points { points: scale.divide(points)?, neighbors: self.divided_lists(scale)? })
            }
            Data::Rows(Rows::Sparse(points)) => {
                let needed = 12 * points.entries() as u64;
                let advice = "allow more memory";
                self.memory_limit.allow("the points divided by a power of two", needed, advice)?;
                let points = points.times_power_of_two(-scale.exponent())?;
                Ok(Divided::Sparse { points, neighbors: self.divided_lists(scale)? })
            }
            Data::Distances(distances) => {
                let n = distances.len();
                let needed = 8 * (n as u64).pow(2);
                let limit = self.memory_limit;
                limit.allow("the distances divided by a power of two", needed, "allow more memory")?;
                let divided = (0..n * n).map(|at| scale.quotient(distances.get(at / n, at % n)));
                Ok(Divided::Distances(divided.collect()))
            }
            Data::Neighbors(_) => Ok(Divided::Nothing),
        }
    }

    /// The lists that were given with points and have their unit, divided with them.
    fn divided_lists(&self, scale: Scale) -> Result<Option<Neighbors>, Error> {
        let of_lists = self.metric.scale(scale);
        let lists = self.neighbors.filter(|_| !of_lists.is_one());
        lists.map(|lists| lists.divided(of_lists)).transpose()
    }

    /// The sizes that legal ranges depend on.
    pub fn sizes(&self) -> Sizes {
        Sizes {
            points: Some(self.len()),
            columns: self.points().map(|points| points.dim()),
            neighbors: self.neighbors().and_then(|lists| lists.neighborhood().k()),
            classes: self.labels.map(|labels| labels.classes()),
            ..Sizes::default()
        }
    }

    /// The bytes of the points that a model copies: none where it shares the memory of a
    /// [`PointSet`](crate::PointSet).
    pub fn copied_bytes(&self) -> u64 {
        self.points().map_or(0, |points| points.copied_bytes())
    }

    /// An amount of the input, such as bytes or neighbors, for `n` points: it grows with the number of points.
    pub fn amount_for(&self, n: usize, amount: u64) -> u64 {
        (u128::from(amount) * n as u128).div_ceil(self.len() as u128) as u64
    }

    /// Fails with [`Error::Shape`] when the parts have different numbers of points, and with
    /// [`Error::Parameter`] for weights outside of their range ([`Input::with_row_weights`]) and for an infinite
    /// target value.
    pub fn check(&self) -> Result<(), Error> {
        let parts = [
            ("the number of labels", self.labels.map(|labels| labels.len())),
            ("the number of weights of rows", self.row_weights.map(<[f64]>::len)),
            ("the number of target values", self.targets.map(<[f64]>::len)),
            ("the number of neighbor lists", self.neighbors().map(Neighbors::len)),
            ("the number of rows of the given start", self.start.map(|start| start.len())),
            ("the number of values that say which rows are fixed", self.fixed.map(<[bool]>::len)),
        ];
        for (what, len) in parts {
            if let Some(got) = len.filter(|len| *len != self.len()) {
                let expected = format!("{}, one per point", self.len());
                return Err(Error::Shape { what, expected, got: got.to_string() });
            }
        }
        match self.targets.and_then(|targets| targets.iter().position(|value| value.is_infinite())) {
            Some(row) => {
                let requirement = "finite, or NaN where it is unknown";
                Err(Error::parameter("a target value", requirement, format!("an infinite one in row {row}")))
            }
            None => self.row_weights.map_or(Ok(()), row_weights::check),
        }
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

/// The replacement of the data and the lists of an input, in a fit to data divided by a power of two.
pub(crate) enum Divided {
    Points {
        points: PointSet,
        neighbors: Option<Neighbors>,
    },
    Sparse {
        points: SparsePointSet,
        neighbors: Option<Neighbors>,
    },
    /// All pairs, row by row.
    Distances(Vec<f64>),
    Nothing,
}

impl Divided {
    /// The input with these.
    pub(crate) fn input<'b>(&'b self, of: &Input<'b>) -> Result<Input<'b>, Error> {
        Ok(match self {
            Self::Points { points, neighbors } => Input {
                data: points.into(),
                neighbors: neighbors.as_ref().or(of.neighbors),
                memory_limit: of.memory_limit.beside(points.view().bytes()),
                ..*of
            },
            Self::Sparse { points, neighbors } => {
                Input { data: points.into(), neighbors: neighbors.as_ref().or(of.neighbors), ..*of }
            }
            Self::Distances(values) => Input { data: DistanceMatrix::new(values, of.len())?.into(), ..*of },
            Self::Nothing => *of,
        })
    }
}

impl<'a> From<Data<'a>> for Input<'a> {
    fn from(data: Data<'a>) -> Self {
        Self {
            data,
            metric: Metric::Euclidean,
            neighbors: None,
            labels: None,
            row_weights: None,
            targets: None,
            start: None,
            fixed: None,
            pull: f64::INFINITY,
            all_fixed_allowed: false,
            goes_on: false,
            state: None,
            observer: &Silent,
            memory_limit: MemoryLimit::default(),
        }
    }
}

impl<'a> From<Rows<'a>> for Input<'a> {
    fn from(rows: Rows<'a>) -> Self {
        Data::from(rows).into()
    }
}

impl<'a> From<Points<'a>> for Input<'a> {
    fn from(points: Points<'a>) -> Self {
        Data::from(points).into()
    }
}

impl<'a> From<&'a PointSet> for Input<'a> {
    fn from(points: &'a PointSet) -> Self {
        Data::from(points).into()
    }
}

impl<'a> From<SparsePoints<'a>> for Input<'a> {
    fn from(points: SparsePoints<'a>) -> Self {
        Data::from(points).into()
    }
}

impl<'a> From<&'a SparsePointSet> for Input<'a> {
    fn from(points: &'a SparsePointSet) -> Self {
        Data::from(points).into()
    }
}

impl<'a> From<DistanceMatrix<'a>> for Input<'a> {
    fn from(distances: DistanceMatrix<'a>) -> Self {
        Data::from(distances).into()
    }
}

impl<'a> From<&'a Neighbors> for Input<'a> {
    fn from(lists: &'a Neighbors) -> Self {
        Data::from(lists).into()
    }
}

impl<'a> From<&Input<'a>> for Input<'a> {
    fn from(input: &Input<'a>) -> Self {
        *input
    }
}
