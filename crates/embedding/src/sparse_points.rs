//! Validated points with mostly zero values.

use serde::{Deserialize, Serialize};

use crate::implement::scale::times_power_of_two;
use crate::implement::{Validate, require};
use crate::{Error, MemoryLimit, PointSet, Points};

/// n points in D dimensions in compressed rows (CSR): of each row the columns and values that
/// are not 0.
///
/// A borrowed view, checked once, in [`SparsePoints::new`]. The entries of row i are
/// `offsets[i]..offsets[i + 1]`, in strictly increasing order of their columns, finite and not
/// 0. [`SparsePointSet::new`] brings other entries into this form.
///
/// ```
/// use embedding::SparsePoints;
/// // (0, 2, 0), (0, 0, 0) and (1, 0, 3).
/// let points = SparsePoints::new(&[0, 1, 1, 3], &[1, 0, 2], &[2.0, 1.0, 3.0], 3)?;
/// assert_eq!((points.len(), points.dim(), points.entries()), (3, 3, 3));
/// assert_eq!(points.row(2), (&[0, 2][..], &[1.0, 3.0][..]));
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SparsePoints<'a> {
    offsets: &'a [usize],
    columns: &'a [u32],
    values: &'a [f64],
    dim: usize,
}

impl<'a> SparsePoints<'a> {
    /// Views compressed rows of `dim` columns.
    ///
    /// Fails when `dim` is not from 1 to 2³², when there is no row, when offsets decrease or do
    /// not go from 0 to the number of entries, when columns of a row do not increase or exceed
    /// `dim`, and at the first value that is not finite or is 0. O(n + entries) time, no memory.
    pub fn new(
        offsets: &'a [usize],
        columns: &'a [u32],
        values: &'a [f64],
        dim: usize,
    ) -> Result<Self, Error> {
        check_shape(offsets, columns, values, dim)?;
        let points = Self { offsets, columns, values, dim };
        for row in 0..points.len() {
            let (columns, values) = points.row(row);
            if let Some(pair) = columns.windows(2).find(|pair| pair[0] >= pair[1]) {
                return Err(Error::parameter(
                    "the columns of a row",
                    "strictly increasing (SparsePointSet::new sorts them)",
                    format!("{} before {} in row {row}", pair[0], pair[1]),
                ));
            }
            if let Some(at) = values.iter().position(|v| *v == 0.0) {
                return Err(Error::parameter(
                    "a stored value",
                    "not 0 (SparsePointSet::new leaves zeros out)",
                    format!("0 in row {row}, column {}", columns[at]),
                ));
            }
        }
        Ok(points)
    }

    /// The number of points, n.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Always false: there is no empty data set.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of columns, D.
    pub fn dim(&self) -> usize {
        self.dim
    }

    /// The number of values that are not 0.
    pub fn entries(&self) -> usize {
        self.values.len()
    }

    /// The columns and values of point `i` that are not 0.
    pub fn row(&self, i: usize) -> (&'a [u32], &'a [f64]) {
        let range = self.offsets[i]..self.offsets[i + 1];
        (&self.columns[range.clone()], &self.values[range])
    }

    /// All values that are not 0, row by row.
    pub fn values(&self) -> &'a [f64] {
        self.values
    }

    /// Fails with [`Error::Shape`] when new points do not have as many columns as the training
    /// data.
    pub fn check_columns(&self, expected: usize) -> Result<(), Error> {
        if self.dim == expected { Ok(()) } else { Err(Error::other_columns(expected, self.dim)) }
    }

    /// These points, followed by other points with the same number of columns.
    pub fn followed_by(&self, others: SparsePoints<'_>) -> Result<SparsePointSet, Error> {
        others.check_columns(self.dim)?;
        let base = self.values.len();
        let offsets = self.offsets.iter().copied().chain(others.offsets[1..].iter().map(|o| base + o));
        Ok(SparsePointSet {
            offsets: offsets.collect(),
            columns: [self.columns, others.columns].concat(),
            values: [self.values, others.values].concat(),
            dim: self.dim,
        })
    }

    /// Fails with [`Error::Degenerate`] where all points coincide. O(entries).
    pub(crate) fn require_distinct(&self) -> Result<(), Error> {
        let same = (1..self.len()).all(|i| self.row(i) == self.row(0));
        if same { Err(Error::coincident(self.len())) } else { Ok(()) }
    }

    /// A copy.
    pub fn to_owned(&self) -> SparsePointSet {
        self.with_values(self.values.to_vec())
    }

    /// The points with the given indices, in that order.
    pub fn select(&self, rows: &[u32]) -> SparsePointSet {
        let mut set =
            SparsePointSet { offsets: vec![0], columns: Vec::new(), values: Vec::new(), dim: self.dim };
        for &row in rows {
            let (columns, values) = self.row(row as usize);
            set.columns.extend_from_slice(columns);
            set.values.extend_from_slice(values);
            set.offsets.push(set.columns.len());
        }
        set
    }

    /// The columns as rows: D points in n dimensions. O(D + entries).
    ///
    /// ```
    /// use embedding::SparsePoints;
    /// let points = SparsePoints::new(&[0, 1, 3], &[1, 0, 2], &[2.0, 1.0, 3.0], 3)?;
    /// let columns = points.transposed();
    /// assert_eq!((columns.view().len(), columns.view().dim()), (3, 2));
    /// assert_eq!(columns.view().row(2), (&[1][..], &[3.0][..]));
    /// # Ok::<(), embedding::Error>(())
    /// ```
    pub fn transposed(&self) -> SparsePointSet {
        let mut offsets = vec![0; self.dim + 1];
        self.columns.iter().for_each(|&c| offsets[c as usize + 1] += 1);
        for c in 0..self.dim {
            offsets[c + 1] += offsets[c];
        }
        let mut ends = offsets.clone();
        let (mut columns, mut values) = (vec![0; self.columns.len()], vec![0.0; self.values.len()]);
        for i in 0..self.len() {
            let (of, with) = self.row(i);
            for (&c, &v) in of.iter().zip(with) {
                let at = &mut ends[c as usize];
                (columns[*at], values[*at]) = (i as u32, v);
                *at += 1;
            }
        }
        SparsePointSet { offsets, columns, values, dim: self.len() }
    }

    /// The points times 2ᵉ; values that become 0 are left out. Fails where a value leaves the range
    /// of numbers.
    pub fn times_power_of_two(&self, e: i32) -> Result<SparsePointSet, Error> {
        let rows: Vec<_> = (0..self.len()).map(|i| self.row(i)).collect();
        let mut offsets = vec![0];
        offsets.extend(rows.iter().scan(0, |end, row| {
            *end += row.0.len();
            Some(*end)
        }));
        let columns = rows.iter().flat_map(|row| row.0).copied().collect();
        let values = self.values().iter().map(|v| times_power_of_two(*v, e)).collect();
        SparsePointSet::new(offsets, columns, values, self.dim())
    }

    /// The same rows and columns with other values, which may be 0.
    pub(crate) fn with_values(&self, values: Vec<f64>) -> SparsePointSet {
        let (offsets, columns) = (self.offsets.to_vec(), self.columns.to_vec());
        SparsePointSet { offsets, columns, values, dim: self.dim }
    }

    /// All n × D values, zeros included.
    ///
    /// Fails with [`Error::Memory`] where they exceed the limit.
    pub fn dense(&self, limit: MemoryLimit) -> Result<PointSet, Error> {
        let count = (self.len() as u64).saturating_mul(self.dim as u64);
        limit.allow(
            "holding the matrix without its gaps",
            count.saturating_mul(8),
            "read fewer rows or allow more memory",
        )?;
        let mut dense = vec![0.0; self.len() * self.dim];
        for (i, row) in dense.chunks_exact_mut(self.dim).enumerate() {
            let (columns, values) = self.row(i);
            columns.iter().zip(values).for_each(|(&c, &v)| row[c as usize] = v);
        }
        PointSet::new(dense, self.dim)
    }
}

/// Owned sparse points: the same promise as [`SparsePoints`], with its own memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SparsePointSet {
    offsets: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
    dim: usize,
}

impl SparsePointSet {
    /// Takes compressed rows of `dim` columns with entries in any order. Entries of one place
    /// are added in the order given, and zeros are left out, as SciPy reads such a matrix.
    ///
    /// Fails as [`SparsePoints::new`] for other reasons than these, and where a sum is not
    /// finite.
    ///
    /// ```
    /// use embedding::SparsePointSet;
    /// let points = SparsePointSet::new(vec![0, 4], vec![5, 1, 5, 2], vec![1.0, 3.0, 1.5, 0.0], 6)?;
    /// assert_eq!(points.view().row(0), (&[1, 5][..], &[3.0, 2.5][..]));
    /// # Ok::<(), embedding::Error>(())
    /// ```
    pub fn new(offsets: Vec<usize>, columns: Vec<u32>, values: Vec<f64>, dim: usize) -> Result<Self, Error> {
        check_shape(&offsets, &columns, &values, dim)?;
        let mut set = Self {
            offsets: Vec::with_capacity(offsets.len()),
            columns: Vec::with_capacity(columns.len()),
            values: Vec::with_capacity(values.len()),
            dim,
        };
        set.offsets.push(0);
        let mut row: Vec<(u32, f64)> = Vec::new();
        for ends in offsets.windows(2) {
            row.clear();
            row.extend((ends[0]..ends[1]).map(|at| (columns[at], values[at])));
            row.sort_by_key(|entry| entry.0);
            for same in row.chunk_by(|a, b| a.0 == b.0) {
                let value: f64 = same.iter().map(|entry| entry.1).sum();
                if !value.is_finite() {
                    let (row, column) = (set.offsets.len() - 1, same[0].0 as usize);
                    return Err(Error::NotFinite { row, column, value });
                }
                if value != 0.0 {
                    set.columns.push(same[0].0);
                    set.values.push(value);
                }
            }
            set.offsets.push(set.columns.len());
        }
        Ok(set)
    }

    /// The entries of points that are not 0.
    ///
    /// Fails when there are more than 2³² columns.
    pub fn of(points: Points<'_>) -> Result<Self, Error> {
        let (mut offsets, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
        for row in points.rows() {
            for (c, &v) in row.iter().enumerate().filter(|(_, v)| **v != 0.0) {
                columns.push(c as u32);
                values.push(v);
            }
            offsets.push(columns.len());
        }
        Self::new(offsets, columns, values, points.dim())
    }

    /// The borrowed view.
    pub fn view(&self) -> SparsePoints<'_> {
        SparsePoints { offsets: &self.offsets, columns: &self.columns, values: &self.values, dim: self.dim }
    }
}

impl Validate for SparsePointSet {
    fn validate(&self) -> Result<(), Error> {
        let Self { offsets, columns, values, dim } = self;
        let legal = SparsePoints::new(offsets, columns, values, *dim).is_ok();
        require(legal, "its sparse points are no compressed rows")
    }
}

/// Fails unless the arrays are compressed rows of `dim` columns with finite values.
fn check_shape(offsets: &[usize], columns: &[u32], values: &[f64], dim: usize) -> Result<(), Error> {
    if dim == 0 || dim as u64 > 1 << 32 {
        return Err(Error::parameter("dimensions", "from 1 to 2³²", dim));
    }
    if offsets.len() < 2 {
        return Err(Error::TooFewPoints { what: "a data set", needed: 1, got: 0 });
    }
    if columns.len() != values.len() {
        return Err(Error::Shape {
            what: "the number of columns of entries",
            expected: format!("{}, one per value", values.len()),
            got: columns.len().to_string(),
        });
    }
    let ends = (offsets[0], offsets[offsets.len() - 1]);
    let decreasing = offsets.windows(2).position(|pair| pair[0] > pair[1]);
    if ends != (0, values.len()) || decreasing.is_some() {
        let got = match decreasing {
            Some(row) => format!("{} before {} at row {row}", offsets[row], offsets[row + 1]),
            None => format!("{} to {}", ends.0, ends.1),
        };
        return Err(Error::Shape {
            what: "the offsets of the rows",
            expected: format!("in ascending order, from 0 to {}, the number of entries", values.len()),
            got,
        });
    }
    let row_of = |at: usize| offsets.partition_point(|offset| *offset <= at) - 1;
    if let Some(at) = columns.iter().position(|column| *column as usize >= dim) {
        let got = format!("{} in row {}", columns[at], row_of(at));
        return Err(Error::parameter("a column", format!("below {dim}, the number of columns"), got));
    }
    if let Some(at) = values.iter().position(|v| !v.is_finite()) {
        return Err(Error::NotFinite { row: row_of(at), column: columns[at] as usize, value: values[at] });
    }
    Ok(())
}
