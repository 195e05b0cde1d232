//! Standardization of columns by their own spread.

use embedding::{Error, PointSet, Points};
use serde::{Deserialize, Serialize};

/// Standardization: x ↦ (x − mean) / deviation, per column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scaling {
    /// The mean of each column.
    pub mean: Vec<f64>,
    /// The standard deviation of each column (divided by n, not n − 1); 1 for a
    /// column whose values are all equal.
    pub deviation: Vec<f64>,
}

impl Scaling {
    /// Means and standard deviations of the columns.
    pub fn of(points: Points<'_>) -> Self {
        let n = points.len() as f64;
        let column = |j: usize| {
            let cells = || points.rows().map(move |row| row[j]);
            // Computed in units of the largest value, so that no square overflows.
            let largest = cells().fold(0.0, |most: f64, value| most.max(value.abs()));
            let first = cells().next().unwrap_or(0.0);
            if cells().all(|value| value == first) {
                return (first, 1.0);
            }
            let mean = cells().map(|value| value / largest).sum::<f64>() / n;
            let variance = cells().map(|value| (value / largest - mean).powi(2)).sum::<f64>() / n;
            (mean * largest, variance.sqrt() * largest)
        };
        let (mean, deviation) = (0..points.dim()).map(column).unzip();
        Self { mean, deviation }
    }

    /// Standardizes points.
    ///
    /// Fails when they have another number of columns.
    pub fn apply(&self, points: Points<'_>) -> Result<PointSet, Error> {
        let columns = self.mean.len();
        if points.dim() != columns {
            return Err(Error::Shape {
                what: "the number of columns",
                expected: format!("{columns}, as when the columns were standardized"),
                got: points.dim().to_string(),
            });
        }
        let scaled = |row: &[f64]| -> Vec<f64> {
            let units = self.mean.iter().zip(&self.deviation);
            row.iter().zip(units).map(|(value, (mean, deviation))| (value - mean) / deviation).collect()
        };
        PointSet::new(points.rows().flat_map(scaled).collect(), columns)
    }

    /// Converts standardized points back to the units of the columns.
    ///
    /// Fails when they have another number of columns.
    pub fn undo(&self, points: Points<'_>) -> Result<PointSet, Error> {
        points.check_columns(self.mean.len())?;
        let unscaled = |row: &[f64]| -> Vec<f64> {
            let units = self.mean.iter().zip(&self.deviation);
            row.iter().zip(units).map(|(value, (mean, deviation))| mean + deviation * value).collect()
        };
        PointSet::new(points.rows().flat_map(unscaled).collect(), points.dim())
    }
}
