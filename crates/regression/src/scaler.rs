//! Standardization of columns, and its inverse.

use embedding::Error;
use embedding::implement::{Division, Scale, Validate, require, require_finite};
use faer::MatRef;
use serde::{Deserialize, Serialize};

/// How inputs are scaled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Standardization {
    /// Each column by its own standard deviation: for columns in different units.
    #[default]
    ByColumn,
    /// All columns by the root mean square of their standard deviations: for columns in
    /// one unit, such as pixels. A nearly constant column stays small, so an unusual
    /// value in it cannot dominate a new point.
    Common,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Scaler {
    means: Vec<f64>,
    scales: Vec<f64>,
}

impl Scaler {
    /// Computes means and standard deviations; a constant column is not scaled.
    pub(crate) fn new(values: MatRef<'_, f64>) -> Self {
        let (means, scales) = (0..values.ncols())
            .map(|j| {
                let unit = unit_of(values.col(j).iter());
                let mean = mean(values, j, unit);
                let deviation = variance(values, j, unit, mean).sqrt();
                let scale = if deviation > 1e-12 * mean.abs() { unit.times(deviation) } else { 1.0 };
                (unit.times(mean), scale)
            })
            .unzip();
        Self { means, scales }
    }

    /// Computes means and scales of inputs.
    pub(crate) fn of_inputs(values: MatRef<'_, f64>, standardization: Standardization) -> Self {
        let mut scaler = Self::new(values);
        if standardization == Standardization::Common {
            let unit = unit_of((0..values.ncols()).flat_map(|j| values.col(j).iter()));
            let means: Vec<f64> = (0..values.ncols()).map(|j| mean(values, j, unit)).collect();
            let total: f64 = means.iter().enumerate().map(|(j, m)| variance(values, j, unit, *m)).sum();
            let common = (total / values.ncols() as f64).sqrt();
            let most = means.iter().fold(0.0_f64, |most, mean| most.max(mean.abs()));
            scaler.scales.fill(if common > 1e-12 * most { unit.times(common) } else { 1.0 });
        }
        scaler
    }

    pub(crate) fn len(&self) -> usize {
        self.means.len()
    }

    pub(crate) fn forward(&self, j: usize, value: f64) -> f64 {
        let difference = value - self.means[j];
        // Uses halves where the difference overflows.
        if difference.is_finite() {
            difference / self.scales[j]
        } else {
            (0.5 * value - 0.5 * self.means[j]) / (0.5 * self.scales[j])
        }
    }

    pub(crate) fn backward(&self, j: usize, value: f64) -> f64 {
        self.means[j] + self.scales[j] * value
    }

    /// Returns the power of two by which the scales are divided so that their squares are finite and not 0.
    pub(crate) fn unit(&self) -> Scale {
        unit_of(self.scales.iter())
    }

    /// Returns the scale of a column.
    pub(crate) fn scale(&self, j: usize) -> f64 {
        self.scales[j]
    }
}

/// The power of two by which the values are divided so that their squares are finite and not 0; one for
/// ordinary values.
fn unit_of<'a>(values: impl Iterator<Item = &'a f64>) -> Scale {
    Scale::of_length(values.fold(0.0, |largest, v| largest.max(v.abs())), Division::SQUARES)
}

/// The mean of a column, in this unit.
fn mean(values: MatRef<'_, f64>, j: usize, unit: Scale) -> f64 {
    values.col(j).iter().map(|v| unit.quotient(*v)).sum::<f64>() / values.nrows() as f64
}

/// The variance of a column about this mean, in the square of this unit.
fn variance(values: MatRef<'_, f64>, j: usize, unit: Scale, mean: f64) -> f64 {
    values.col(j).iter().map(|v| (unit.quotient(*v) - mean).powi(2)).sum::<f64>() / values.nrows() as f64
}

impl Validate for Scaler {
    fn validate(&self) -> Result<(), Error> {
        require(
            !self.means.is_empty() && self.means.len() == self.scales.len(),
            "it does not have a scale for every column",
        )?;
        require_finite(self.means.iter().chain(&self.scales), "the mean or scale of a column")?;
        require(self.scales.iter().all(|scale| *scale > 0.0), "the scale of a column is not positive")
    }
}
