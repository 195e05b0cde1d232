//! Quality measures of the report.

use datasets::Dataset;
use embedding::{Embedding, Error, PointSet, Points};
use neighbor_graph::{Neighborhood, Neighbors};
use quality::{Context, Measure, Outcome, Rows};

use crate::results::Score;

/// Points up to which every row is looked at.
const EXACT: usize = 3000;
/// Number of rows sampled by rank-based and local measures for more points.
const SAMPLE: usize = 500;

/// A data set with its known structure.
#[derive(Clone, Copy)]
pub struct Known<'a> {
    /// The data.
    pub points: Points<'a>,
    /// The true coordinates, if known.
    pub truth: Option<Points<'a>>,
    /// The class of each point, if known.
    pub labels: Option<&'a [u32]>,
}

impl<'a> Known<'a> {
    /// Returns what is known of a data set, with the first of several label sets.
    pub fn of(data: &'a Dataset) -> Self {
        Self {
            points: data.points.view(),
            truth: data.global_truth(),
            labels: data.labels.first().map(|labels| &labels.values[..]),
        }
    }
}

/// The reference of all measures of one data set, computed once.
pub struct Reference<'a> {
    known: Known<'a>,
    neighbors: &'a Neighbors,
    k: usize,
    context: Context<'a>,
    /// The same along the graphs of methods.
    along: Vec<(&'a Neighbors, Context<'a>)>,
}

impl<'a> Reference<'a> {
    /// Prepares the measures. `neighbors` are the data's own lists; `k` is the
    /// neighborhood size of rank measures and classification.
    pub fn new(known: Known<'a>, neighbors: &'a Neighbors, k: usize) -> Self {
        let n = known.points.len();
        let rows = if n > EXACT { Rows::Sample { count: SAMPLE, seed: 0 } } else { Rows::All };
        let mut context = Context::new(known.points, neighbors, k, rows);
        if let Some(truth) = known.truth {
            context = context.with_truth(truth);
        }
        if let Some(labels) = known.labels {
            context = context.with_labels(labels);
        }
        Self { known, neighbors, k, context, along: Vec::new() }
    }

    /// Adds graphs of methods: geodesic distances are measured along the graph that a
    /// method used.
    #[must_use]
    pub fn along(mut self, graphs: &'a [Neighbors]) -> Self {
        self.along = graphs.iter().map(|graph| (graph, self.context.along(graph))).collect();
        self
    }

    /// Returns the data set with its known structure.
    pub fn known(&self) -> Known<'a> {
        self.known
    }

    /// Every measure of a map of all points, with its value or why it has none.
    pub fn outcomes(&self, embedding: Points<'_>) -> Result<Vec<(&'static Measure, Outcome)>, Error> {
        self.context.outcomes(embedding)
    }

    /// Every measure that applies, in the order of [`quality::measures`]; `rule` is that
    /// of the graph of the method, if it has one and this was [added](Self::along).
    pub fn score(&self, embedding: &Embedding, rule: Option<Neighborhood>) -> Result<Vec<Score>, Error> {
        let placed = PointSet::from_mat(embedding.coordinates())?;
        let used = rule.and_then(|rule| self.along.iter().find(|(graph, _)| graph.neighborhood() == rule));
        let Some(rows) = embedding.placed_rows() else {
            return scores(used.map_or(&self.context, |(_, context)| context), placed.view());
        };
        let points = self.known.points.select(rows);
        let truth = self.known.truth.map(|truth| truth.select(rows));
        let labels: Option<Vec<u32>> =
            self.known.labels.map(|labels| rows.iter().map(|&row| labels[row as usize]).collect());
        let known = Known {
            points: points.view(),
            truth: truth.as_ref().map(PointSet::view),
            labels: labels.as_deref(),
        };
        let neighbors = self.neighbors.restricted(rows);
        let graph = used.map(|(graph, _)| graph.restricted(rows));
        let part = Reference::new(known, &neighbors, self.k);
        match &graph {
            Some(graph) => scores(&part.context.along(graph), placed.view()),
            None => scores(&part.context, placed.view()),
        }
    }
}

fn scores(context: &Context<'_>, embedding: Points<'_>) -> Result<Vec<Score>, Error> {
    let score = |(measure, value): (&Measure, f64)| Score { measure: measure.name.to_owned(), value };
    Ok(context.score(embedding)?.into_iter().map(score).collect())
}
