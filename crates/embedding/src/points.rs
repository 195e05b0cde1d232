//! Validated data matrices.

use std::fmt;
use std::sync::Arc;

use faer::MatRef;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::implement::{Scalar, Validate};

/// n points in D dimensions, one per row, every value finite.
///
/// A borrowed, row-major view. The checks run once, in [`Points::new`];
/// whoever holds a `Points` may rely on them. A model that is fitted to the view of a
/// [`PointSet`] shares its memory, and copies other points. `Points<f32>` views values in single
/// precision, for the functions that take points of any [`Scalar`];
/// [`Points::widened`] copies them for all others.
///
/// ```
/// use embedding::Points;
/// let values = [0.0, 0.0, 1.0, 0.0, 0.0, 1.0];
/// let points = Points::new(&values, 2)?;
/// assert_eq!((points.len(), points.dim()), (3, 2));
/// assert_eq!(points.row(1), &[1.0, 0.0]);
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Points<'a, T = f64> {
    values: &'a [T],
    dim: usize,
    /// The owner of the values, where they belong to a [`PointSet`].
    owner: Option<&'a Arc<Vec<T>>>,
}

impl<'a, T: Scalar> Points<'a, T> {
    /// Views `values` as rows of `dim` numbers each.
    ///
    /// Fails when `dim` is zero, when there is no row, when the last row is
    /// incomplete, or at the first value that is not finite, which is named by
    /// row and column. O(n D) time, no memory.
    pub fn new(values: &'a [T], dim: usize) -> Result<Self, Error> {
        check_rows(values.len(), dim)?;
        if let Some(at) = values.iter().position(|v| !v.widened().is_finite()) {
            let value = values[at].widened();
            return Err(Error::NotFinite { row: at / dim, column: at % dim, value });
        }
        Ok(Self { values, dim, owner: None })
    }

    /// The number of points, n.
    pub fn len(&self) -> usize {
        self.values.len() / self.dim
    }

    /// Always false: there is no empty data set.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The number of coordinates per point, D.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// The coordinates of point `i`.
    pub fn row(&self, i: usize) -> &'a [T] {
        &self.values[i * self.dim..(i + 1) * self.dim]
    }

    /// All rows in order.
    pub fn rows(&self) -> std::slice::ChunksExact<'a, T> {
        self.values.chunks_exact(self.dim)
    }

    /// All values, row by row.
    pub fn values(&self) -> &'a [T] {
        self.values
    }

    /// A copy in double precision.
    pub fn widened(&self) -> PointSet {
        PointSet::unchecked(self.values.iter().map(|v| v.widened()).collect(), self.dim)
    }
}

impl<T: fmt::Debug> fmt::Debug for Points<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Points").field("values", &self.values).field("dim", &self.dim).finish()
    }
}

impl<'a> Points<'a> {
    /// The same numbers as an n × D matrix view; nothing is copied.
    pub fn as_mat(&self) -> MatRef<'a, f64> {
        MatRef::from_row_major_slice(self.values, self.len(), self.dim)
    }

    /// Fails with [`Error::Shape`] unless there are `expected` columns, as in the
    /// training data.
    pub fn check_columns(&self, expected: usize) -> Result<(), Error> {
        if self.dim == expected { Ok(()) } else { Err(Error::other_columns(expected, self.dim)) }
    }

    /// Fails unless every row holds the distances of a new point to `count` training
    /// points: [`Error::Shape`] for another number of columns, [`Error::Parameter`] for a
    /// negative distance.
    pub fn check_distances(&self, count: usize) -> Result<(), Error> {
        self.check_columns(count)?;
        match self.values.iter().position(|d| *d < 0.0) {
            None => Ok(()),
            Some(at) => {
                let (i, j) = (at / count, at % count);
                let got = format!("{} from new point {i} to training point {j}", self.values[at]);
                Err(Error::parameter("a distance", "not negative", got))
            }
        }
    }

    /// The points with the given indices, in that order.
    pub fn select(&self, rows: &[u32]) -> PointSet {
        let values = rows.iter().flat_map(|&i| self.row(i as usize)).copied().collect();
        PointSet::unchecked(values, self.dim)
    }

    /// An owned set: the one that is viewed, whose memory it shares, or a copy.
    pub fn to_owned(&self) -> PointSet {
        match self.owner {
            Some(owner) => PointSet { values: Arc::clone(owner), dim: self.dim },
            None => PointSet::unchecked(self.values.to_vec(), self.dim),
        }
    }

    /// The bytes of the values, 8 n D.
    pub fn bytes(&self) -> u64 {
        size_of_val(self.values) as u64
    }

    /// The bytes that [`Points::to_owned`] allocates: 8 n D, or none.
    pub fn copied_bytes(&self) -> u64 {
        if self.owner.is_some() { 0 } else { self.bytes() }
    }
}

/// Owned points: the same promise as [`Points`]. Clones, and models that are fitted to it,
/// share its memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RawPointSet")]
pub struct PointSet {
    values: Arc<Vec<f64>>,
    dim: usize,
}

impl PointSet {
    /// Takes `values` as rows of `dim` numbers each; checks as [`Points::new`].
    pub fn new(values: Vec<f64>, dim: usize) -> Result<Self, Error> {
        Points::new(&values, dim)?;
        Ok(Self::unchecked(values, dim))
    }

    fn unchecked(values: Vec<f64>, dim: usize) -> Self {
        Self { values: Arc::new(values), dim }
    }

    /// Copies rows of equal length: `&[Vec<f64>]`, `&[[f64; D]]`, …; checks as
    /// [`Points::new`].
    ///
    /// ```
    /// use embedding::PointSet;
    /// assert_eq!(PointSet::from_rows(&[[0.0, 1.0], [2.0, 3.0]])?.dim(), 2);
    /// assert!(PointSet::from_rows(&[vec![0.0, 1.0], vec![2.0]]).is_err());
    /// # Ok::<(), embedding::Error>(())
    /// ```
    pub fn from_rows<R: AsRef<[f64]>>(rows: &[R]) -> Result<Self, Error> {
        let dim = rows.first().map_or(1, |row| row.as_ref().len());
        if let Some((i, row)) = rows.iter().enumerate().find(|(_, row)| row.as_ref().len() != dim) {
            return Err(Error::Shape {
                what: "the number of columns of every row",
                expected: format!("{dim} as in the first"),
                got: format!("{} in row {i}", row.as_ref().len()),
            });
        }
        Self::new(rows.iter().flat_map(|row| row.as_ref()).copied().collect(), dim)
    }

    /// Copies the rows of a matrix; checks as [`Points::new`].
    pub fn from_mat(mat: MatRef<'_, f64>) -> Result<Self, Error> {
        Self::new(crate::implement::matrix::to_rows(mat), mat.ncols())
    }

    /// The borrowed view that every method takes.
    pub fn view(&self) -> Points<'_> {
        Points { values: &self.values, dim: self.dim, owner: Some(&self.values) }
    }

    /// The number of points, n.
    pub fn len(&self) -> usize {
        self.view().len()
    }

    /// Always false: there is no empty data set.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The number of coordinates per point, D.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// The values, row by row: a copy where a clone or a model shares them.
    pub fn into_values(self) -> Vec<f64> {
        Arc::unwrap_or_clone(self.values)
    }
}

#[derive(Deserialize)]
struct RawPointSet {
    values: Vec<f64>,
    dim: usize,
}

impl TryFrom<RawPointSet> for PointSet {
    type Error = Error;
    fn try_from(raw: RawPointSet) -> Result<Self, Error> {
        Self::new(raw.values, raw.dim)
    }
}

impl Validate for PointSet {
    /// Checked where it is read.
    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }
}

/// Fails unless a number of values is one row of `dim` columns or more.
pub(crate) fn check_rows(values: usize, dim: usize) -> Result<(), Error> {
    if dim == 0 {
        return Err(Error::parameter("dimensions", "at least 1", 0));
    }
    if values == 0 {
        return Err(Error::TooFewPoints { what: "a data set", needed: 1, got: 0 });
    }
    if values.is_multiple_of(dim) {
        return Ok(());
    }
    Err(Error::Shape {
        what: "the number of values",
        expected: format!("a multiple of {dim} columns"),
        got: values.to_string(),
    })
}
