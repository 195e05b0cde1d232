//! The list of measures: name, meaning, range, direction and computation of each.

use std::fmt;
use std::sync::{Arc, OnceLock};

use embedding::{Error, Labels, Metric, Observer, Points, Silent, proceed};
use faer::Mat;
use neighbor_graph::{Graph, Neighbors, Symmetry};

use crate::distances::same_length;
use crate::{
    Estimate, Matrix, Reflection, Rows, SharedRanks, Validation, affine_residual, angle_error, knn_accuracy,
    local_procrustes, procrustes, residual_variance, silhouette_over,
};

/// A number for the quality of an embedding, with what a reader must know of it.
#[derive(Clone, Copy)]
pub struct Measure {
    /// The stable name, unique among [`measures`].
    pub name: &'static str,
    /// What is measured, as a noun phrase.
    pub meaning: &'static str,
    /// The possible values.
    pub range: Range,
    /// Which end of the range is better.
    pub better: Better,
    compute: fn(&Context<'_>, Points<'_>) -> Result<Outcome, Error>,
}

/// The outcome of a measure.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The value.
    Value(f64),
    /// It needs this, which the context does not have: "labels" or "true coordinates".
    NotGiven(&'static str),
    /// It is undefined for this data or embedding, for this reason.
    Undefined(String),
}

impl Outcome {
    /// The value, if there is one.
    pub fn value(&self) -> Option<f64> {
        match self {
            Self::Value(value) => Some(*value),
            Self::NotGiven(_) | Self::Undefined(_) => None,
        }
    }
}

impl From<f64> for Outcome {
    fn from(value: f64) -> Self {
        Self::Value(value)
    }
}

/// All values from `low` to `high`, both included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The smallest value.
    pub low: f64,
    /// The largest value.
    pub high: f64,
}

/// Which end of its range a measure is better at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Larger values are better.
    Higher,
    /// Smaller values are better.
    Lower,
}

impl Better {
    /// The best of some values; none if there is no value or any is NaN.
    pub fn best(self, values: impl IntoIterator<Item = f64>) -> Option<f64> {
        let best = match self {
            Self::Higher => embedding::maximum(values),
            Self::Lower => embedding::minimum(values),
        };
        let nothing = if self == Self::Higher { f64::NEG_INFINITY } else { f64::INFINITY };
        (!best.is_nan() && best != nothing).then_some(best)
    }
}

impl fmt::Display for Better {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Higher => "higher is better",
            Self::Lower => "lower is better",
        })
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.low, self.high)
    }
}

impl Range {
    /// Whether the value lies in the range.
    pub fn contains(self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

impl Measure {
    /// The best value there is: one end of the range.
    pub fn best_value(&self) -> f64 {
        match self.better {
            Better::Higher => self.range.high,
            Better::Lower => self.range.low,
        }
    }

    /// The value of an embedding, one row per point of the context; `None` where the
    /// measure does not apply. See [`Measure::outcome`].
    pub fn score(&self, context: &Context<'_>, embedding: Points<'_>) -> Result<Option<f64>, Error> {
        Ok(self.outcome(context, embedding)?.value())
    }

    /// Measures an embedding, one row per point of the context. Without a value where the
    /// measure does not apply: the context lacks what it needs, or the measure is
    /// undefined for this data or embedding, such as a correlation of distances
    /// that are all equal.
    ///
    /// Fails when the sizes differ and when the value is not finite.
    pub fn outcome(&self, context: &Context<'_>, embedding: Points<'_>) -> Result<Outcome, Error> {
        match (self.compute)(context, embedding) {
            Ok(Outcome::Value(value)) if !value.is_finite() => Err(Error::degenerate(
                format!("{} is {value}", self.name),
                "divide the coordinates by the largest of them",
            )),
            Err(error @ (Error::Degenerate { .. } | Error::TooFewPoints { .. })) => {
                Ok(Outcome::Undefined(error.to_string()))
            }
            other => other,
        }
    }
}

impl fmt::Debug for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Measure({}: {}, {})", self.name, self.range, self.better)
    }
}

/// What embeddings of one data set are measured against. Ranks and geodesic
/// distances of the data are computed when a measure first needs them, and once.
pub struct Context<'a> {
    pub(crate) points: Points<'a>,
    pub(crate) neighbors: &'a Neighbors,
    pub(crate) k: usize,
    pub(crate) rows: Rows,
    metric: Metric,
    truth: Option<Points<'a>>,
    labels: Option<Labels<'a>>,
    graph: &'a Neighbors,
    observer: &'a dyn Observer,
    ranks: Arc<OnceLock<SharedRanks>>,
    geodesics: OnceLock<Result<Mat<f64>, &'static str>>,
}

impl<'a> Context<'a> {
    /// A data set with its own neighbor lists. `k` is the neighborhood size of
    /// rank measures and of classification; `rows` are the rows over which the
    /// measures of ranks and neighborhoods are averaged. With a sample of these, the silhouette of
    /// more than 10,000 points is that of 2,000 rows. With all rows, geodesic
    /// distances of all pairs are measured too, which takes 8 n² bytes.
    pub fn new(points: Points<'a>, neighbors: &'a Neighbors, k: usize, rows: Rows) -> Self {
        let (ranks, geodesics) = (Arc::default(), OnceLock::new());
        let metric = Metric::Euclidean;
        Self {
            points,
            neighbors,
            k,
            rows,
            metric,
            truth: None,
            labels: None,
            graph: neighbors,
            observer: &Silent,
            ranks,
            geodesics,
        }
    }

    /// Ranks the data by this metric, by which the neighbor lists were found as well. Angles
    /// and local residuals stay those of the coordinates of the listed neighbors.
    #[must_use]
    pub fn with_metric(self, metric: Metric) -> Self {
        Self { metric, ranks: Arc::default(), ..self }
    }

    /// The same context with geodesic distances along another graph than that of its own
    /// lists: the graph that a method used. Ranks are shared.
    #[must_use]
    pub fn along(&self, graph: &'a Neighbors) -> Self {
        let ranks = Arc::clone(&self.ranks);
        Self { graph, ranks, geodesics: OnceLock::new(), ..*self }
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

    /// Adds a class of some points. The measures of classes are those of these points among
    /// themselves: the others are left out of the map.
    #[must_use]
    pub fn with_partial_labels(self, labels: &'a [Option<u32>]) -> Self {
        Self { labels: Some(Labels::Some(labels)), ..self }
    }

    /// Adds an observer of [`Context::outcomes`]: a stage for each measure, and steps at which it
    /// may cancel. Geodesic distances have steps of their own.
    #[must_use]
    pub fn observed_by(self, observer: &'a dyn Observer) -> Self {
        Self { observer, ..self }
    }

    /// Those of [`measures`] that apply to an embedding, in that order, with
    /// their values; failures as [`Measure::outcome`].
    pub fn score(&self, embedding: Points<'_>) -> Result<Vec<(&'static Measure, f64)>, Error> {
        let found = self.outcomes(embedding)?.into_iter();
        Ok(found.filter_map(|(measure, outcome)| Some((measure, outcome.value()?))).collect())
    }

    /// All [`measures`], in that order, with what came out; failures as
    /// [`Measure::outcome`], and [`Error::Cancelled`] when the observer cancels.
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

    /// The ranks, where k is in the range of the rank measures and the metric applies to
    /// every point.
    pub(crate) fn ranks(&self) -> Option<&SharedRanks> {
        if !(1..self.points.len().div_ceil(2)).contains(&self.k) {
            return None;
        }
        if self.metric.is_euclidean() {
            return Some(self.ranks.get_or_init(|| SharedRanks::new(self.points, self.rows)));
        }
        if self.ranks.get().is_none() {
            let measured = self.metric.prepare(self.points).ok()?;
            self.ranks.get_or_init(|| SharedRanks::measured(&measured, self.rows));
        }
        self.ranks.get()
    }

    /// What `compute` makes of the ranks.
    fn by_ranks(&self, compute: impl Fn(&SharedRanks) -> Result<Estimate, Error>) -> Result<Outcome, Error> {
        match self.ranks() {
            Some(ranks) => value(compute(ranks)),
            None => Ok(Outcome::Undefined(format!(
                "k = {} is not between 1 and less than half of the {} points",
                self.k,
                self.points.len()
            ))),
        }
    }

    /// What `compute` makes of the true coordinates.
    fn by_truth(&self, compute: impl Fn(Points<'_>) -> Result<f64, Error>) -> Result<Outcome, Error> {
        self.truth.map_or(Ok(Outcome::NotGiven("true coordinates")), |truth| Ok(compute(truth)?.into()))
    }

    /// The rows of `n` over which silhouettes are averaged. Each takes the distances to all points of the
    /// map, which are few columns: more rows than those of ranks.
    fn silhouette_rows(&self, n: usize) -> Rows {
        match self.rows {
            _ if n <= SILHOUETTE_EXACT => Rows::All,
            Rows::All => Rows::All,
            Rows::Sample { seed, .. } => Rows::Sample { count: SILHOUETTE_ROWS, seed },
            Rows::Spaced { .. } => Rows::Spaced { count: SILHOUETTE_ROWS },
        }
    }

    /// What `compute` makes of the points of the map whose class is known, and their classes.
    fn by_labels(
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
    fn geodesics(&self) -> Result<Result<&Mat<f64>, &'static str>, Error> {
        if self.rows != Rows::All {
            return Ok(Err("of many points only a sample of rows is measured, and this measure takes all"));
        }
        if self.geodesics.get().is_none() {
            let graph = Graph::new(self.graph, Symmetry::Union);
            let found = if graph.components().sizes.len() == 1 {
                let sources: Vec<u32> = (0..self.graph.len() as u32).collect();
                let rows = graph.geodesics(&sources, self.observer)?;
                Ok(Mat::from_fn(rows.len(), rows.len(), |i, j| rows[i][j]))
            } else {
                Err("the neighbor graph is disconnected")
            };
            // Where another thread was first, it found the same.
            let _ = self.geodesics.set(found);
        }
        Ok(self.geodesics.get().expect("it was set").as_ref().map_err(|reason| *reason))
    }
}

/// Every measure, in the order in which they are reported.
pub fn measures() -> &'static [Measure] {
    &MEASURES
}

/// The measure of this name.
pub fn measure(name: &str) -> Option<&'static Measure> {
    MEASURES.iter().find(|measure| measure.name == name)
}

/// Points up to which the silhouette is that of all rows.
const SILHOUETTE_EXACT: usize = 10_000;
/// Rows of more points.
const SILHOUETTE_ROWS: usize = 2000;

const UNIT: Range = Range { low: 0.0, high: 1.0 };

static MEASURES: [Measure; 9] = [
    Measure {
        name: "trustworthiness",
        meaning: "fraction of neighbors in the embedding that are neighbors in the data, by ranks",
        range: UNIT,
        better: Better::Higher,
        compute: |c, y| c.by_ranks(|ranks| ranks.trustworthiness(y, c.k)),
    },
    Measure {
        name: "continuity",
        meaning: "fraction of neighbors in the data that are neighbors in the embedding, by ranks",
        range: UNIT,
        better: Better::Higher,
        compute: |c, y| c.by_ranks(|ranks| ranks.continuity(y, c.k)),
    },
    Measure {
        name: "procrustes",
        meaning: "residual to the true coordinates after a rotation, a translation and a scaling",
        range: UNIT,
        better: Better::Lower,
        compute: |c, y| {
            c.by_truth(|truth| procrustes(truth, y, Reflection::Allowed).map(|found| found.residual))
        },
    },
    Measure {
        name: "affine",
        meaning: "residual to the true coordinates after an affine map",
        range: UNIT,
        better: Better::Lower,
        compute: |c, y| c.by_truth(|truth| affine_residual(truth, y)),
    },
    Measure {
        name: "residual_variance",
        meaning: "fraction of the variance of geodesic distances that the embedding does not explain",
        range: UNIT,
        better: Better::Lower,
        compute: |c, y| match c.geodesics()? {
            Ok(d) => residual_variance(&Matrix(d.as_ref()), y).map(Outcome::Value),
            Err(reason) => Ok(Outcome::Undefined(reason.to_owned())),
        },
    },
    Measure {
        name: "angle_error",
        meaning: "mean change of the angles of neighborhood triangles, in degrees",
        range: Range { low: 0.0, high: 120.0 },
        better: Better::Lower,
        compute: |c, y| value(angle_error(c.points, y, c.neighbors, c.rows)),
    },
    Measure {
        name: "local_procrustes",
        meaning: "mean residual of each neighborhood after a rotation, a translation and a scaling",
        range: UNIT,
        better: Better::Lower,
        compute: |c, y| value(local_procrustes(c.points, y, c.neighbors, c.rows)),
    },
    Measure {
        name: "knn_accuracy",
        meaning: "fraction of points with the class of most of their k nearest others",
        range: UNIT,
        better: Better::Higher,
        compute: |c, y| {
            c.by_labels(y, |y, labels| match c.k < y.len() {
                true => Ok(knn_accuracy(y, labels, c.k, Validation::LeaveOneOut)?.into()),
                false => Ok(Outcome::Undefined(format!(
                    "k = {} is not below the number of points of known class",
                    c.k
                ))),
            })
        },
    },
    Measure {
        name: "silhouette",
        meaning: "how much nearer the points of the own class are than those of the next, on average",
        range: Range { low: -1.0, high: 1.0 },
        better: Better::Higher,
        compute: |c, y| {
            c.by_labels(y, |y, labels| match labels.iter().any(|label| *label != labels[0]) {
                true => value(silhouette_over(y, labels, c.silhouette_rows(y.len()))),
                false => Ok(Outcome::Undefined("all points have the same label".to_owned())),
            })
        },
    },
];

fn value(estimate: Result<Estimate, Error>) -> Result<Outcome, Error> {
    estimate.map(|estimate| estimate.value.into())
}
