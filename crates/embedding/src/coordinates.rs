//! The result of every method.

use std::ops::Index;

use faer::{Mat, MatRef};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::implement::{Scale, Validate, matrix};

/// Coordinates of n points in d dimensions, and the input rows they belong to.
///
/// ```
/// use embedding::Embedding;
/// let y = Embedding::from_rows(vec![0.0, 1.0, 2.0, 3.0], 2);
/// assert_eq!(y.row(1), &[2.0, 3.0]);
/// assert_eq!(y[(1, 0)], 2.0);
/// assert_eq!(y.input_rows().collect::<Vec<_>>(), [0, 1]);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RawEmbedding")]
pub struct Embedding {
    /// Row by row.
    values: Vec<f64>,
    dim: usize,
    spectrum: Vec<f64>,
    rows: Option<Vec<u32>>,
}

impl Embedding {
    /// Coordinates of every input row, n × d, without a spectrum.
    pub fn new(coordinates: Mat<f64>) -> Self {
        Self::from_rows(matrix::to_rows(coordinates.as_ref()), coordinates.ncols())
    }

    /// The same coordinates, with the eigenvalues behind them.
    pub fn with_spectrum(self, spectrum: Vec<f64>) -> Self {
        Self { spectrum, ..self }
    }

    /// Coordinates of every input row as values row by row.
    ///
    /// Panics unless their number is a multiple of `dim`, which is not zero.
    pub fn from_rows(values: Vec<f64>, dim: usize) -> Self {
        assert!(dim > 0 && values.len().is_multiple_of(dim), "whole rows of {dim} coordinates");
        Self { values, dim, spectrum: Vec::new(), rows: None }
    }

    /// The same coordinates, assigned to the given input rows, in increasing order.
    ///
    /// Panics unless there is one for each row.
    pub fn of_rows(self, rows: Vec<u32>) -> Self {
        assert_eq!(rows.len(), self.len(), "one input row for each row of coordinates");
        Self { rows: Some(rows), ..self }
    }

    /// The coordinates times a power of two; the spectrum stays. Fails where one leaves the range
    /// of numbers.
    pub fn multiplied(mut self, scale: Scale) -> Result<Self, Error> {
        if scale.is_one() {
            return Ok(self);
        }
        self.values.iter_mut().for_each(|v| *v = scale.times(*v));
        if self.values.iter().all(|v| v.is_finite()) {
            return Ok(self);
        }
        Err(Error::degenerate(
            "coordinates of the map exceed the range of numbers",
            "divide the data by a power of two",
        ))
    }

    /// The number of placed points.
    pub fn len(&self) -> usize {
        self.values.len() / self.dim
    }

    /// Whether no point was placed.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The target dimension, d.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// The coordinates of placed point `i`.
    ///
    /// Panics unless `i` < [`Embedding::len`].
    pub fn row(&self, i: usize) -> &[f64] {
        &self.values[i * self.dim..(i + 1) * self.dim]
    }

    /// The coordinates of all placed points in order.
    pub fn rows(&self) -> std::slice::ChunksExact<'_, f64> {
        self.values.chunks_exact(self.dim)
    }

    /// All coordinates, row by row.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// All coordinates, row by row; nothing is copied.
    pub fn into_values(self) -> Vec<f64> {
        self.values
    }

    /// All coordinates as an n × d matrix view; nothing is copied.
    pub fn coordinates(&self) -> MatRef<'_, f64> {
        MatRef::from_row_major_slice(&self.values, self.len(), self.dim)
    }

    /// The eigenvalues behind the coordinates, in the method's own order and
    /// meaning; empty for methods without a spectrum.
    pub fn spectrum(&self) -> &[f64] {
        &self.spectrum
    }

    /// The input row of each row of coordinates, in increasing order.
    pub fn input_rows(&self) -> impl Iterator<Item = u32> {
        (0..self.len()).map(|i| self.rows.as_ref().map_or(i as u32, |rows| rows[i]))
    }

    /// The input rows that were placed, where a component policy omitted others;
    /// `None` where every row was placed.
    pub fn placed_rows(&self) -> Option<&[u32]> {
        self.rows.as_deref()
    }
}

/// Coordinate j of placed point i.
impl Index<(usize, usize)> for Embedding {
    type Output = f64;

    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.row(i)[j]
    }
}

/// A deserialized embedding before validation.
#[derive(Deserialize)]
struct RawEmbedding {
    values: Vec<f64>,
    dim: usize,
    spectrum: Vec<f64>,
    rows: Option<Vec<u32>>,
}

impl TryFrom<RawEmbedding> for Embedding {
    type Error = Error;

    fn try_from(raw: RawEmbedding) -> Result<Self, Error> {
        let RawEmbedding { values, dim, spectrum, rows } = raw;
        if dim == 0 || values.is_empty() || !values.len().is_multiple_of(dim) {
            return Err(Error::damaged("the coordinates of an embedding are not whole rows"));
        }
        let n = values.len() / dim;
        if let Some(rows) = rows.as_ref().filter(|rows| rows.len() != n) {
            return Err(Error::Shape {
                what: "the number of input rows of an embedding",
                expected: format!("{n}, one for each point"),
                got: rows.len().to_string(),
            });
        }
        if rows.as_ref().is_some_and(|rows| !rows.is_sorted_by(|a, b| a < b)) {
            return Err(Error::damaged("the input rows of an embedding do not increase"));
        }
        if !values.iter().chain(&spectrum).all(|v| v.is_finite()) {
            return Err(Error::damaged("a coordinate or eigenvalue is not finite"));
        }
        Ok(Self { values, dim, spectrum, rows })
    }
}

impl Validate for Embedding {
    /// Checked where it is read.
    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }
}
