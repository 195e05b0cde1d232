//! Quality measures of the report.

use embedding::{Embedding, Error, Input, Metric, Observer, PointSet, Points, Rows, Silent};
use neighbor_graph::Neighbors;
use quality::{Context, Measure, Original, RowSample};

use crate::dataset_source::DatasetSource;
use crate::results::Score;

/// Points up to which every row is looked at.
const EXACT: usize = 3000;
/// Number of rows sampled by rank-based and local measures for more points.
const SAMPLE: usize = 500;

/// A data set with its known structure.
#[derive(Clone, Copy)]
pub(crate) struct EvaluationData<'a> {
    /// The data, with their zeros or without.
    pub points: Rows<'a>,
    /// The distance between the points.
    pub metric: Metric,
    /// The true coordinates, if known.
    pub truth: Option<Points<'a>>,
    /// The class of each point, `None` where it is unknown.
    pub labels: Option<&'a [Option<u32>]>,
}

impl<'a> EvaluationData<'a> {
    /// Returns what is known of a data set, with the classes of its rows.
    pub(crate) fn of(source: &'a DatasetSource, metric: Metric, classes: Option<&'a [Option<u32>]>) -> Self {
        Self { points: source.points(), metric, truth: source.data.global_truth(), labels: classes }
    }

    /// The input of a fit.
    pub(crate) fn input(&self) -> Input<'a> {
        let input = match self.points {
            Rows::Dense(points) => Input::from(points),
            Rows::Sparse(points) => Input::from(points),
        };
        let input = input.with_metric(self.metric);
        self.labels.map_or(input, |labels| input.with_partial_labels(labels))
    }

    /// The data, as measures read them.
    pub(crate) fn original(&self) -> Original<'a> {
        match self.points {
            Rows::Dense(points) => points.into(),
            Rows::Sparse(points) => points.into(),
        }
    }
}

/// The number of rows over which measures of neighborhoods of n points are averaged, where these are a
/// sample.
pub(crate) fn sampled(n: usize) -> Option<usize> {
    (n > EXACT).then_some(SAMPLE)
}

/// All rows, or a sample of this many rows.
pub(crate) fn rows(sample: Option<usize>) -> RowSample {
    sample.map_or(RowSample::All, |count| RowSample::Sample { count, seed: 0 })
}

/// What maps of data are measured against, with the true coordinates and the class of each point where
/// they are known, with averages over `rows`. `lists` are the data's own neighbor
/// lists by the same metric, with the neighborhood size of rank measures and classification.
pub(crate) fn context<'a>(
    data: impl Into<Original<'a>>,
    rows: RowSample,
    lists: (&'a Neighbors, usize),
    metric: Metric,
    (truth, labels): (Option<Points<'a>>, Option<&'a [Option<u32>]>),
) -> Context<'a> {
    let (data, (neighbors, k)) = (data.into(), lists);
    let mut context = Context::new(data, neighbors, k, rows).with_metric(metric);
    if let Some(truth) = truth {
        context = context.with_truth(truth);
    }
    if let Some(labels) = labels {
        context = context.with_partial_labels(labels);
    }
    context
}

/// The reference of all measures of one data set, computed once.
pub(crate) struct Reference<'a> {
    known: EvaluationData<'a>,
    neighbors: &'a Neighbors,
    k: usize,
    context: Context<'a>,
    /// The graph of geodesic distances.
    graph: &'a Neighbors,
    observer: &'a dyn Observer,
}

impl<'a> Reference<'a> {
    /// Prepares the measures. `neighbors` are the data's own lists by the same metric; `k` is the
    /// neighborhood size of rank measures and classification.
    pub(crate) fn new(known: EvaluationData<'a>, neighbors: &'a Neighbors, k: usize) -> Self {
        let context = context(
            known.original(),
            rows(sampled(known.points.len())),
            (neighbors, k),
            known.metric,
            (known.truth, known.labels),
        );
        Self { known, neighbors, k, context, graph: neighbors, observer: &Silent }
    }

    /// Adds an observer, which may cancel.
    #[must_use]
    pub(crate) fn with_observer(self, observer: &'a dyn Observer) -> Self {
        Self { observer, context: self.context.with_observer(observer), ..self }
    }

    /// Measures geodesic distances along this graph instead of the one of the neighbor lists: the same
    /// for every method, so that residual variances can be compared.
    #[must_use]
    pub(crate) fn along(self, graph: &'a Neighbors) -> Self {
        Self { graph, context: self.context.along(graph), ..self }
    }

    /// Returns the data set with its known structure.
    pub(crate) fn known(&self) -> EvaluationData<'a> {
        self.known
    }

    /// Every measure that applies, in the order of [`quality::measures`].
    pub(crate) fn score(&self, embedding: &Embedding) -> Result<Vec<Score>, Error> {
        let placed = PointSet::from_mat(embedding.coordinates())?;
        let Some(rows) = embedding.placed_rows() else { return scores(&self.context, placed.view()) };
        let (dense, sparse);
        let points = match self.known.points {
            Rows::Dense(points) => {
                dense = points.select(rows);
                Rows::from(dense.view())
            }
            Rows::Sparse(points) => {
                sparse = points.select(rows);
                Rows::from(sparse.view())
            }
        };
        let truth = self.known.truth.map(|truth| truth.select(rows));
        let labels: Option<Vec<Option<u32>>> =
            self.known.labels.map(|labels| rows.iter().map(|&row| labels[row as usize]).collect());
        let known = EvaluationData {
            points,
            metric: self.known.metric,
            truth: truth.as_ref().map(PointSet::view),
            labels: labels.as_deref(),
        };
        let neighbors = self.neighbors.restricted(rows);
        let graph = self.graph.restricted(rows);
        let part = Reference::new(known, &neighbors, self.k).with_observer(self.observer).along(&graph);
        scores(&part.context, placed.view())
    }
}

fn scores(context: &Context<'_>, embedding: Points<'_>) -> Result<Vec<Score>, Error> {
    let score = |(measure, value): (&Measure, f64)| Score { measure: measure.name.to_owned(), value };
    Ok(context.score(embedding)?.into_iter().map(score).collect())
}
