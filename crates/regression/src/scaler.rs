//! Columns brought to mean 0 and standard deviation 1, and back.

use faer::MatRef;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Scaler {
    means: Vec<f64>,
    scales: Vec<f64>,
}

impl Scaler {
    /// A constant column keeps its scale.
    pub(crate) fn new(values: MatRef<'_, f64>) -> Self {
        let n = values.nrows() as f64;
        let mean = |j: usize| values.col(j).iter().sum::<f64>() / n;
        let means: Vec<f64> = (0..values.ncols()).map(mean).collect();
        let deviation = |(j, m): (usize, &f64)| {
            let variance = values.col(j).iter().map(|v| (v - m).powi(2)).sum::<f64>() / n;
            if variance.sqrt() > 1e-12 * m.abs() { variance.sqrt() } else { 1.0 }
        };
        let scales = means.iter().enumerate().map(deviation).collect();
        Self { means, scales }
    }

    pub(crate) fn len(&self) -> usize {
        self.means.len()
    }

    pub(crate) fn forward(&self, j: usize, value: f64) -> f64 {
        (value - self.means[j]) / self.scales[j]
    }

    pub(crate) fn backward(&self, j: usize, value: f64) -> f64 {
        self.means[j] + self.scales[j] * value
    }

    /// The scale of a column.
    pub(crate) fn scale(&self, j: usize) -> f64 {
        self.scales[j]
    }
}
