//! The data set that embeddings are compared with.

use std::sync::{Arc, OnceLock};

use embedding::implement::proceed;
use embedding::{Error, Labels, MemoryLimit, Metric, Observer, Points, Silent};
use faer::Mat;
use neighbor_graph::{Graph, Neighbors, Symmetry};

use crate::measures::value;
use crate::reference_distances::same_length;
use crate::shared_ranks::SharedRanks;
use crate::{Estimate, Measure, Original, Outcome, RowSample, measures};

/// Largest number of points for which the silhouette is averaged over all rows.
const SILHOUETTE_EXACT: usize = 10_000;
/// Rows of the silhouette for more points.
const SILHOUETTE_ROWS: usize = 2000;

/// The advice where the memory limit refuses a measure.
const FEWER: &str = "measure fewer points or allow more memory";

/// The data set that embeddings are compared with. Ranks and geodesic distances of the
/// data are computed once, when a measure first needs them.
pub struct Context<'a> {
    pub(crate) data: Original<'a>,
    pub(crate) neighbors: &'a Neighbors,
    pub(crate) k: usize,
    pub(crate) rows: RowSample,
    metric: Metric,
    memory_limit: MemoryLimit,
    truth: Option<Points<'a>>,
    labels: Option<Labels<'a>>,
    graph: &'a Neighbors,
    observer: &'a dyn Observer,
    of_data: OfData,
}

/// Ranks and geodesic distances of the data, which do not depend on the map: computed when a
/// measure first needs them, and shared by clones. Ranks take 8 n bytes per measured row, and so do
/// geodesic distances, which are measured with all rows only.
#[derive(Clone, Default)]
pub struct OfData {
    ranks: Arc<OnceLock<Result<SharedRanks, Error>>>,
    geodesics: Arc<OnceLock<Result<Mat<f64>, &'static str>>>,
}

impl<'a> Context<'a> {
    /// A data set, [`Original`], with its own neighbor lists. `k` is the neighborhood size of rank
    /// measures and of classification; `rows` are the rows over which the measures of ranks and
    /// neighborhoods are averaged. With a sample of rows, the silhouette of more than 10,000 points
    /// is averaged over 2,000 rows. With all rows, geodesic distances of all pairs are measured
    /// too, which takes 16 n² bytes while they are computed and 8 n² after.
    pub fn new(data: impl Into<Original<'a>>, neighbors: &'a Neighbors, k: usize, rows: RowSample) -> Self {
        Self {
            data: data.into(),
            neighbors,
            k,
            rows,
            metric: Metric::Euclidean,
            memory_limit: MemoryLimit::UNLIMITED,
            truth: None,
            labels: None,
            graph: neighbors,
            observer: &Silent,
            of_data: OfData::default(),
        }
    }

    /// Takes ranks and geodesic distances from `of_data` if they are there, and otherwise stores
    /// them there once computed. It must belong to the same points, lists, rows and metric;
    /// otherwise the scores are wrong.
    ///
    /// ```
    /// use quality::{Context, OfData, RowSample};
    /// let points = embedding::PointSet::new((0..40).map(|i| f64::from(i * i % 23)).collect(), 2)?;
    /// let rule = neighbor_graph::Neighborhood::Nearest { k: 4 };
    /// let lists = neighbor_graph::NeighborSearch::from(rule).find(points.view())?;
    /// let of_data = OfData::default();
    /// let context = || Context::new(points.view(), &lists, 4, RowSample::All).with_data(&of_data);
    /// let (first, second) = (context().outcomes(points.view())?, context().outcomes(points.view())?);
    /// assert!(first.iter().zip(&second).all(|(a, b)| a.1 == b.1));
    /// # Ok::<(), embedding::Error>(())
    /// ```
    #[must_use]
    pub fn with_data(self, of_data: &OfData) -> Self {
        Self { of_data: of_data.clone(), ..self }
    }

    /// Ranks points by this metric, by which the neighbor lists were found as well. Angles
    /// and local residuals are still computed from the coordinates of the listed
    /// neighbors.
    #[must_use]
    pub fn with_metric(self, metric: Metric) -> Self {
        Self { metric, of_data: OfData::default(), ..self }
    }

    /// Refuses measures, with [`Error::Memory`], whose ranks or geodesic distances of the data would
    /// take more memory; without a limit none is refused.
    #[must_use]
    pub fn with_memory_limit(self, memory_limit: MemoryLimit) -> Self {
        Self { memory_limit, ..self }
    }

    /// The same context with geodesic distances along another graph than the graph of its
    /// own lists, such as the graph that a method used. Ranks are shared.
    #[must_use]
    pub fn along(&self, graph: &'a Neighbors) -> Self {
        let of_data = OfData { ranks: Arc::clone(&self.of_data.ranks), geodesics: Arc::default() };
        Self { graph, of_data, ..*self }
    }

    /// Adds the true coordinates, one row per point.
    #[must_use]
    pub fn with_truth(self, truth: Points<'a>) -> Self {
        Self { truth: Some(truth), ..self }
    }

    /// Adds a class per point.
    #[must_use]
    pub fn with_labels(self, labels: &'a [u32]) -> Self {
        Self { labels: Some(Labels::All(labels)), ..self }
    }

    /// Adds a class of some points. The measures of classes are computed among these points
    /// alone: the others are left out of the map.
    #[must_use]
    pub fn with_partial_labels(self, labels: &'a [Option<u32>]) -> Self {
        Self { labels: Some(Labels::Some(labels)), ..self }
    }

    /// Adds an observer of [`Context::outcomes`]: a stage for each measure, and steps at which it
    /// may cancel. Geodesic distances have steps of their own.
    #[must_use]
    pub fn with_observer(self, observer: &'a dyn Observer) -> Self {
        Self { observer, ..self }
    }

    /// The [`measures`] that apply to an embedding, in that order, with their values;
    /// fails as [`Measure::outcome`].
    pub fn score(&self, embedding: Points<'_>) -> Result<Vec<(&'static Measure, f64)>, Error> {
        let found = self.outcomes(embedding)?.into_iter();
        Ok(found.filter_map(|(measure, outcome)| Some((measure, outcome.value()?))).collect())
    }

    /// All [`measures`], in that order, with their outcomes. Fails as
    /// [`Measure::outcome`], and with [`Error::Cancelled`] when the observer cancels.
    pub fn outcomes(&self, embedding: Points<'_>) -> Result<Vec<(&'static Measure, Outcome)>, Error> {
        let total = measures().len();
        let outcome = |(done, measure): (usize, &'static Measure)| {
            self.observer.stage(measure.name);
            proceed(self.observer, done, total)?;
            Ok((measure, measure.outcome(self, embedding)?))
        };
        let outcomes = measures().iter().enumerate().map(outcome).collect::<Result<_, Error>>()?;
        proceed(self.observer, total, total)?;
        Ok(outcomes)
    }

    /// The outcome of measures that read coordinates, where rows with categories and gaps have none.
    pub(crate) fn lacks_coordinates(&self) -> Option<Outcome> {
        let reason = || format!("rows compared by {} have no coordinates", self.metric);
        self.metric.is_mixed().then(|| Outcome::Undefined(reason()))
    }

    /// The ranks, where k is in the range of the rank measures. Fails where the metric does not apply
    /// to a point, and where they exceed the memory limit.
    pub(crate) fn ranks(&self) -> Result<Option<&SharedRanks>, Error> {
        if !(1..self.data.len().div_ceil(2)).contains(&self.k) {
            return Ok(None);
        }
        if self.of_data.ranks.get().is_none() {
            let needed = SharedRanks::bytes(self.data, self.metric, self.rows);
            self.memory_limit.allow("ranking the distances of the data", needed, FEWER)?;
        }
        let compute = || SharedRanks::by_metric(self.data, self.metric, self.rows);
        self.of_data.ranks.get_or_init(compute).as_ref().map(Some).map_err(Error::clone)
    }

    /// The result of `compute` for the ranks.
    pub(crate) fn by_ranks(
        &self,
        compute: impl Fn(&SharedRanks) -> Result<Estimate, Error>,
    ) -> Result<Outcome, Error> {
        match self.ranks()? {
            Some(ranks) => value(compute(ranks)),
            None => Ok(Outcome::Undefined(format!(
                "k = {} is not between 1 and less than half of the {} points",
                self.k,
                self.data.len()
            ))),
        }
    }

    /// The result of `compute` for the true coordinates.
    pub(crate) fn by_truth(
        &self,
        compute: impl Fn(Points<'_>) -> Result<f64, Error>,
    ) -> Result<Outcome, Error> {
        self.truth.map_or(Ok(Outcome::NotGiven("true coordinates")), |truth| Ok(compute(truth)?.into()))
    }

    /// The rows of `n` over which silhouettes are averaged. Each row takes the distances to all points of
    /// the map. A map has few columns, so more rows are used than for ranks.
    pub(crate) fn silhouette_rows(&self, n: usize) -> RowSample {
        match self.rows {
            _ if n <= SILHOUETTE_EXACT => RowSample::All,
            RowSample::All => RowSample::All,
            RowSample::Sample { seed, .. } => RowSample::Sample { count: SILHOUETTE_ROWS, seed },
            RowSample::Spaced { .. } => RowSample::Spaced { count: SILHOUETTE_ROWS },
        }
    }

    /// The result of `compute` for the points of the map whose class is known, and their classes.
    pub(crate) fn by_labels(
        &self,
        y: Points<'_>,
        compute: impl Fn(Points<'_>, &[u32]) -> Result<Outcome, Error>,
    ) -> Result<Outcome, Error> {
        let Some(labels) = self.labels else { return Ok(Outcome::NotGiven("labels")) };
        if let Some(classes) = labels.all() {
            return compute(y, &classes);
        }
        same_length("the number of labels", y.len(), labels.len())?;
        let rows: Vec<u32> =
            (0..labels.len()).filter(|&i| labels.of(i).is_some()).map(|i| i as u32).collect();
        if rows.is_empty() {
            return Ok(Outcome::Undefined("no point has a known class".to_owned()));
        }
        let classes: Vec<u32> = labels.select(&rows).into_iter().flatten().collect();
        compute(y.select(&rows).view(), &classes)
    }

    /// Distances along the graph, or why they are not known. Fails when the observer cancels.
    pub(crate) fn geodesics(&self) -> Result<Result<&Mat<f64>, &'static str>, Error> {
        if self.rows != RowSample::All {
            return Ok(Err("of many points only a sample of rows is measured, and this measure takes all"));
        }
        if self.of_data.geodesics.get().is_none() {
            let needed = 16 * (self.graph.len() as u64).pow(2);
            self.memory_limit.allow("geodesic distances of the data", needed, FEWER)?;
            let graph = Graph::new(self.graph, Symmetry::Union);
            let found = if graph.components().sizes.len() == 1 {
                let sources: Vec<u32> = (0..self.graph.len() as u32).collect();
                let rows = graph.geodesics(&sources, self.observer)?;
                Ok(Mat::from_fn(rows.len(), rows.len(), |i, j| rows[i][j]))
            } else {
                Err("the neighbor graph is disconnected")
            };
            // Where another thread was first, it found the same.
            let _ = self.of_data.geodesics.set(found);
        }
        Ok(self.of_data.geodesics.get().expect("it was set").as_ref().map_err(|reason| *reason))
    }
}
