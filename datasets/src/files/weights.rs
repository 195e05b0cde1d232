//! Weights of columns.

use embedding::implement::check_weights;
use embedding::{Error, Metric};

use super::raw::Raw;
use super::reading::Reading;
use super::scaling::Scaling;
use crate::Quantity;

/// Weights of columns for distances by a metric; columns without one have weight 1.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnWeights {
    /// Columns (names of the header, or numbers counted from 0) and their weights, each above 0.
    pub columns: Vec<(String, f64)>,
    /// The metric, for which [`ColumnWeights::applies`].
    pub metric: Metric,
}

impl ColumnWeights {
    /// Whether columns have weights by a metric: by metrics that add terms of columns, Chebyshev's, and the metrics
    /// of mixed columns.
    pub fn applies(metric: Metric) -> bool {
        metric.is_mixed() || factor(metric, 1.0).is_some()
    }
}

/// The factor of a column that gives its term in a distance this weight w: √w for Euclidean distances Σ w d²,
/// w for Σ w |d| and max w |d|, and w^(1/P) for Σ w |d|^P.
fn factor(metric: Metric, weight: f64) -> Option<f64> {
    match metric {
        Metric::Euclidean => Some(weight.sqrt()),
        Metric::Manhattan | Metric::Chebyshev => Some(weight),
        Metric::Minkowski { p } => Some(weight.powf(p.recip())),
        _ => None,
    }
}

impl Reading {
    /// The weights of the coordinates; `None` where there are none.
    pub(super) fn column_weights(&self, raw: &Raw) -> Result<Option<Vec<f64>>, Error> {
        let Some(ColumnWeights { columns, .. }) = &self.weights else { return Ok(None) };
        let mut weights: Vec<Option<f64>> = vec![None; raw.width];
        for (which, weight) in columns {
            let at = raw.coordinate("the weights", which)?;
            if weights[at].replace(*weight).is_some() {
                return Err(Error::parameter("the weights", "one per column", format!("two of `{which}`")));
            }
        }
        let weights: Vec<f64> = weights.into_iter().map(|weight| weight.unwrap_or(1.0)).collect();
        check_weights(&weights, raw.width)?;
        Ok(Some(weights))
    }

    /// Takes the weights of the rows out of the quantities, whose last they are, with a note.
    pub(super) fn row_weights(&self, raw: &mut Raw) -> Result<Option<Vec<f64>>, Error> {
        if self.weight_column.is_none() {
            return Ok(None);
        }
        let Some(Quantity { name, values }) = raw.quantities.pop() else {
            return Err(Error::parameter("the column of weights", "in a table", "a file without columns"));
        };
        let weight = |(row, weight): (usize, Option<f64>)| {
            let requirement = "above 0 and finite (leave out rows without weight)";
            let got = |shown: String| format!("{shown} in row {row} (counted from 0) of column `{name}`");
            match weight {
                Some(weight) if weight > 0.0 && weight.is_finite() => Ok(weight),
                Some(weight) => {
                    Err(Error::parameter("the weight of a row", requirement, got(weight.to_string())))
                }
                None => Err(Error::parameter("the weight of a row", requirement, got("none".to_owned()))),
            }
        };
        let weights: Vec<f64> = values.into_iter().enumerate().map(weight).collect::<Result<_, _>>()?;
        let sum: f64 = weights.iter().sum();
        raw.notes.push(format!("column `{name}` has the weights of the rows, whose sum is {sum}"));
        Ok(Some(weights))
    }

    /// A scaling that multiplies each column by the factor of its weight, after another one.
    pub(super) fn weighted(&self, scaling: Option<Scaling>, weights: &[f64]) -> Option<Scaling> {
        let metric = self.weights.as_ref()?.metric;
        let count = weights.len();
        let mut scaling =
            scaling.unwrap_or_else(|| Scaling { mean: vec![0.0; count], deviation: vec![1.0; count] });
        for (deviation, weight) in scaling.deviation.iter_mut().zip(weights) {
            *deviation /= factor(metric, *weight)?;
        }
        Some(scaling)
    }
}
