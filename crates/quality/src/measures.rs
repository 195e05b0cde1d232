//! The list of measures: name, meaning, range, direction and computation of each.

use std::fmt;

use embedding::{Error, Explanation, Points};

use crate::angle_error::angle_error;
use crate::classification::{Validation, knn_accuracy};
use crate::local_procrustes::local_procrustes;
use crate::procrustes::{Reflection, affine_residual, procrustes};
use crate::reference_distances::Matrix;
use crate::residual_variance::residual_variance;
use crate::silhouette::silhouette_over;
use crate::{Context, Estimate};

/// A quality measure of embeddings: its computation, and its description for readers.
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
    /// Its idea and definition, when it misleads, and its source.
    pub explanation: Explanation,
    compute: fn(&Context<'_>, Points<'_>) -> Result<Outcome, Error>,
}

/// The outcome of a measure.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The value.
    Value(f64),
    /// The context lacks what the measure needs: "labels" or "true coordinates".
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
            Self::Higher => embedding::implement::maximum(values),
            Self::Lower => embedding::implement::minimum(values),
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
    /// The best possible value: one end of the range.
    pub fn best_value(&self) -> f64 {
        match self.better {
            Better::Higher => self.range.high,
            Better::Lower => self.range.low,
        }
    }

    /// The distance of a value from the best one, as a fraction of the range: 0 is best, 1 is worst.
    pub fn loss(&self, value: f64) -> f64 {
        (value - self.best_value()).abs() / (self.range.high - self.range.low)
    }

    /// Whether a value lies in the best fifth of the range. The best of several maps is recommended, and
    /// marked as the best, only if its value is good.
    pub fn is_good(&self, value: f64) -> bool {
        self.loss(value) <= GOOD
    }

    /// The worst value that is good; see [`Measure::is_good`].
    pub fn limit(&self) -> f64 {
        let part = GOOD * (self.range.high - self.range.low);
        match self.better {
            Better::Higher => self.range.high - part,
            Better::Lower => self.range.low + part,
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

/// Every measure, in the order in which they are reported.
pub fn measures() -> &'static [Measure] {
    &MEASURES
}

/// The measure of this name.
pub fn measure(name: &str) -> Option<&'static Measure> {
    MEASURES.iter().find(|measure| measure.name == name)
}

/// The part of a range, from its best end, in which values are good.
const GOOD: f64 = 0.2;

const UNIT: Range = Range { low: 0.0, high: 1.0 };

static MEASURES: [Measure; 9] = [
    Measure {
        name: "trustworthiness",
        meaning: "fraction of neighbors in the embedding that are neighbors in the data, by ranks",
        range: UNIT,
        better: Better::Higher,
        explanation: Explanation::of_measure(include_str!("explanations/trustworthiness.md")),
        compute: |c, y| c.by_ranks(|ranks| ranks.trustworthiness(y, c.k)),
    },
    Measure {
        name: "continuity",
        meaning: "fraction of neighbors in the data that are neighbors in the embedding, by ranks",
        range: UNIT,
        better: Better::Higher,
        explanation: Explanation::of_measure(include_str!("explanations/continuity.md")),
        compute: |c, y| c.by_ranks(|ranks| ranks.continuity(y, c.k)),
    },
    Measure {
        name: "procrustes",
        meaning: "residual to the true coordinates after a rotation, a translation and a scaling",
        range: UNIT,
        better: Better::Lower,
        explanation: Explanation::of_measure(include_str!("explanations/procrustes.md")),
        compute: |c, y| {
            c.by_truth(|truth| procrustes(truth, y, Reflection::Allowed).map(|found| found.residual))
        },
    },
    Measure {
        name: "affine",
        meaning: "residual to the true coordinates after an affine map",
        range: UNIT,
        better: Better::Lower,
        explanation: Explanation::of_measure(include_str!("explanations/affine.md")),
        compute: |c, y| c.by_truth(|truth| affine_residual(truth, y)),
    },
    Measure {
        name: "residual_variance",
        meaning: "fraction of the variance of geodesic distances that the embedding does not explain",
        range: UNIT,
        better: Better::Lower,
        explanation: Explanation::of_measure(include_str!("explanations/residual_variance.md")),
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
        explanation: Explanation::of_measure(include_str!("explanations/angle_error.md")),
        compute: |c, y| match c.lacks_coordinates() {
            Some(undefined) => Ok(undefined),
            None => value(angle_error(c.data, y, c.neighbors, c.rows)),
        },
    },
    Measure {
        name: "local_procrustes",
        meaning: "mean residual of each neighborhood after a rotation, a translation and a scaling",
        range: UNIT,
        better: Better::Lower,
        explanation: Explanation::of_measure(include_str!("explanations/local_procrustes.md")),
        compute: |c, y| match c.lacks_coordinates() {
            Some(undefined) => Ok(undefined),
            None => value(local_procrustes(c.data, y, c.neighbors, c.rows)),
        },
    },
    Measure {
        name: "knn_accuracy",
        meaning: "fraction of points with the class of most of their k nearest others",
        range: UNIT,
        better: Better::Higher,
        explanation: Explanation::of_measure(include_str!("explanations/knn_accuracy.md")),
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
        meaning: "how much nearer the points of the own class are than the points of the next class, on average",
        range: Range { low: -1.0, high: 1.0 },
        better: Better::Higher,
        explanation: Explanation::of_measure(include_str!("explanations/silhouette.md")),
        compute: |c, y| {
            c.by_labels(y, |y, labels| match labels.iter().any(|label| *label != labels[0]) {
                true => value(silhouette_over(y, labels, c.silhouette_rows(y.len()))),
                false => Ok(Outcome::Undefined("all points have the same label".to_owned())),
            })
        },
    },
];

pub(crate) fn value(estimate: Result<Estimate, Error>) -> Result<Outcome, Error> {
    estimate.map(|estimate| estimate.value.into())
}
