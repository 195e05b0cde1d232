//! The gradients of a map, and the importance of columns.

use embedding::Error;
use serde::{Deserialize, Serialize};

/// The step of a column by which its importance is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unit {
    /// One standard deviation of the column over the rows of the map: columns of different units are
    /// comparable.
    #[default]
    Deviation,
    /// One unit of the data.
    Value,
}

/// How the places of a map change with the columns of the data, at every point. See
/// [`Drivers`](crate::drivers::Drivers).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MapGradients {
    pub(super) rows: Vec<u32>,
    pub(super) dim: usize,
    pub(super) columns: usize,
    /// d × D numbers per point, or once for all points of a linear map.
    pub(super) gradients: Vec<f64>,
    pub(super) certainty: Vec<f64>,
    pub(super) deviations: Vec<f64>,
    pub(super) penalty: Option<f64>,
}

/// The importance of one column for a set of points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnDriver {
    /// The column, counted from 0.
    pub column: usize,
    /// Mean importance over the points, in units of the map.
    pub importance: f64,
    /// Standard deviation of the importance over the points.
    pub spread: f64,
    /// Fraction of the points where the column is among the five most important (Angerer et al. 2020);
    /// points where no column matters do not count.
    pub among_first: f64,
}

/// Number of columns that count as the most important of a point.
const FIRST: usize = 5;

impl MapGradients {
    /// The rows of the input that are the points of the map, in its order.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Number of coordinates of the map, d.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// Number of columns of the data, D.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The gradient at a point of the map: change of each coordinate per unit of each column, d × D
    /// numbers, the columns of the first coordinate first.
    ///
    /// # Panics
    /// If the map does not have this point.
    pub fn gradient(&self, point: usize) -> &[f64] {
        assert!(point < self.rows.len(), "the map has {} points, not point {point}", self.rows.len());
        let size = self.dim * self.columns;
        let at = if self.gradients.len() == size { 0 } else { point };
        &self.gradients[at * size..][..size]
    }

    /// The certainty of the gradient of each point, 0 to 1: the fraction R² of the variance of its
    /// neighbors' places that the regression predicts for left-out neighbors. 1 for linear maps; 0 where the
    /// columns predict nothing.
    pub fn certainty(&self) -> &[f64] {
        &self.certainty
    }

    /// The median of [`MapGradients::certainty`]; 0 for a map without points.
    pub fn median_certainty(&self) -> f64 {
        let mut sorted = self.certainty.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
    }

    /// The standard deviation of each column over the rows of the map.
    pub fn deviations(&self) -> &[f64] {
        &self.deviations
    }

    /// The penalty of the regressions, in units of the mean variance of a direction in a neighborhood;
    /// `None` for linear maps, whose gradients are exact.
    pub fn penalty(&self) -> Option<f64> {
        self.penalty
    }

    /// The importance of each column at a point: the distance in the map by which the point moves per
    /// step of the column.
    ///
    /// # Panics
    /// If the map does not have this point.
    pub fn importance(&self, point: usize, unit: Unit) -> Vec<f64> {
        let gradient = self.gradient(point);
        let length = |column: usize| {
            let along = (0..self.dim).map(|axis| gradient[axis * self.columns + column]);
            along.fold(0.0, f64::hypot)
        };
        (0..self.columns).map(|column| self.step(column, unit) * length(column)).collect()
    }

    /// The columns that drive some points of the map, such as a class, the most important first. Equally
    /// important columns have the order of the data. Empty without points.
    ///
    /// # Panics
    /// If the map does not have one of the points.
    pub fn of_points(&self, points: impl IntoIterator<Item = usize>, unit: Unit) -> Vec<ColumnDriver> {
        let mut sums = vec![[0.0; 3]; self.columns];
        let (mut count, mut ranked) = (0, 0);
        let mut order: Vec<usize> = Vec::new();
        for point in points {
            let values = self.importance(point, unit);
            count += 1;
            sums.iter_mut().zip(&values).for_each(|(sums, value)| {
                sums[0] += value;
                sums[1] += value.powi(2);
            });
            order.clear();
            order.extend((0..self.columns).filter(|column| values[*column] > 0.0));
            ranked += usize::from(!order.is_empty());
            let larger = |a: &usize, b: &usize| values[*b].total_cmp(&values[*a]).then(a.cmp(b));
            if order.len() > FIRST {
                order.select_nth_unstable_by(FIRST - 1, larger);
            }
            order.iter().take(FIRST).for_each(|column| sums[*column][2] += 1.0);
        }
        let of_column = |(column, [sum, squares, among]): (usize, [f64; 3])| {
            let importance = sum / f64::from(count);
            ColumnDriver {
                column,
                importance,
                spread: (squares / f64::from(count) - importance.powi(2)).max(0.0).sqrt(),
                among_first: if ranked == 0 { 0.0 } else { among / ranked as f64 },
            }
        };
        if count == 0 {
            return Vec::new();
        }
        let mut found: Vec<ColumnDriver> = sums.into_iter().enumerate().map(of_column).collect();
        found.sort_by(|a, b| b.importance.total_cmp(&a.importance));
        found
    }

    /// The columns that drive the whole map, the most important first.
    pub fn of_map(&self, unit: Unit) -> Vec<ColumnDriver> {
        self.of_points(0..self.rows.len(), unit)
    }

    /// The mean change of one coordinate per step of each column, over all points, D numbers with their
    /// sign: near 0 where a column changes the coordinate in opposite ways in different parts of the map.
    ///
    /// # Panics
    /// If the map does not have this coordinate.
    pub fn of_axis(&self, axis: usize, unit: Unit) -> Vec<f64> {
        self.mean_along(axis, unit, |value| value)
    }

    /// The mean length of the change of one coordinate per step of each column, D numbers.
    ///
    /// # Panics
    /// If the map does not have this coordinate.
    pub fn length_along_axis(&self, axis: usize, unit: Unit) -> Vec<f64> {
        self.mean_along(axis, unit, f64::abs)
    }

    /// The gradients per unit of the original data, where each column was divided by a length before the
    /// regressions, as for standardized data.
    ///
    /// Fails with [`Error::Shape`] unless there is a length for each column.
    pub fn per_undivided_unit(mut self, lengths: &[f64]) -> Result<Self, Error> {
        if lengths.len() != self.columns {
            return Err(Error::Shape {
                what: "the lengths by which columns were divided",
                expected: self.columns.to_string(),
                got: lengths.len().to_string(),
            });
        }
        for gradient in self.gradients.chunks_exact_mut(self.columns) {
            gradient.iter_mut().zip(lengths).for_each(|(value, length)| *value /= length);
        }
        self.deviations.iter_mut().zip(lengths).for_each(|(deviation, length)| *deviation *= length);
        Ok(self)
    }

    fn mean_along(&self, axis: usize, unit: Unit, of: impl Fn(f64) -> f64) -> Vec<f64> {
        assert!(axis < self.dim, "the map has {} coordinates, not coordinate {axis}", self.dim);
        let mut means = vec![0.0; self.columns];
        for point in 0..self.rows.len() {
            let gradient = &self.gradient(point)[axis * self.columns..][..self.columns];
            means.iter_mut().zip(gradient).for_each(|(mean, value)| *mean += of(*value));
        }
        let n = self.rows.len().max(1) as f64;
        means.iter().enumerate().map(|(column, sum)| self.step(column, unit) * sum / n).collect()
    }

    fn step(&self, column: usize, unit: Unit) -> f64 {
        match unit {
            Unit::Deviation => self.deviations[column],
            Unit::Value => 1.0,
        }
    }
}
