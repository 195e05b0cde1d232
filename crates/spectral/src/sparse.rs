//! Compressed sparse rows.

use embedding::Error;
use faer::{Mat, MatMut, MatRef};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::chunks;
use crate::raw::RawSparse;

/// Rows per parallel task.
const ROWS: usize = 512;

/// A sparse matrix in compressed sparse row format; column indices are ascending within
/// each row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "RawSparse")]
pub struct Sparse {
    ncols: usize,
    offsets: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl Sparse {
    /// Creates a matrix from rows of (column, value) pairs; the pairs of a row may come
    /// in any order, and values of repeated columns are added.
    pub fn from_rows(ncols: usize, rows: Vec<Vec<(u32, f64)>>) -> Result<Self, Error> {
        let mut offsets = vec![0];
        let (mut columns, mut values) = (Vec::new(), Vec::new());
        for mut row in rows {
            row.sort_by_key(|entry| entry.0);
            for (column, value) in row {
                if column as usize >= ncols {
                    return Err(Error::Shape {
                        what: "a column index",
                        expected: format!("below {ncols}"),
                        got: column.to_string(),
                    });
                }
                let start = offsets[offsets.len() - 1];
                if columns.len() > start && columns.last() == Some(&column) {
                    *values.last_mut().expect("values and columns have equal length") += value;
                } else {
                    columns.push(column);
                    values.push(value);
                }
            }
            offsets.push(columns.len());
        }
        Ok(Self { ncols, offsets, columns, values })
    }

    /// Creates a matrix from CSR arrays: row `i` is `offsets[i]..offsets[i + 1]`, its
    /// columns strictly ascending and below `ncols`.
    pub fn from_parts(ncols: usize, offsets: Vec<usize>, columns: Vec<u32>, values: Vec<f64>) -> Self {
        debug_assert_eq!(offsets.last().copied(), Some(columns.len()));
        debug_assert_eq!(columns.len(), values.len());
        debug_assert!(offsets.windows(2).all(|w| columns[w[0]..w[1]].is_sorted_by(|a, b| a < b)));
        Self { ncols, offsets, columns, values }
    }

    /// Returns the number of rows.
    pub fn nrows(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns the number of columns.
    pub fn ncols(&self) -> usize {
        self.ncols
    }

    /// Returns the number of stored entries.
    pub fn stored(&self) -> usize {
        self.values.len()
    }

    /// Returns the memory of the arrays, in bytes.
    pub fn bytes(&self) -> u64 {
        (self.offsets.len() * size_of::<usize>() + self.stored() * (size_of::<u32>() + size_of::<f64>()))
            as u64
    }

    /// Returns the columns and values of row `i`.
    pub fn row(&self, i: usize) -> (&[u32], &[f64]) {
        let range = self.offsets[i]..self.offsets[i + 1];
        (&self.columns[range.clone()], &self.values[range])
    }

    /// Returns the sum of the diagonal.
    pub fn trace(&self) -> f64 {
        (0..self.nrows())
            .map(|i| {
                let (columns, values) = self.row(i);
                columns.binary_search(&(i as u32)).map_or(0.0, |at| values[at])
            })
            .sum()
    }

    /// Returns the transpose. O(stored).
    pub fn transposed(&self) -> Self {
        let mut offsets = vec![0; self.ncols + 1];
        for &c in &self.columns {
            offsets[c as usize + 1] += 1;
        }
        for i in 0..self.ncols {
            offsets[i + 1] += offsets[i];
        }
        let mut next = offsets.clone();
        let (mut columns, mut values) = (vec![0; self.stored()], vec![0.0; self.stored()]);
        for i in 0..self.nrows() {
            let (cs, vs) = self.row(i);
            for (&c, &v) in cs.iter().zip(vs) {
                columns[next[c as usize]] = i as u32;
                values[next[c as usize]] = v;
                next[c as usize] += 1;
            }
        }
        Self { ncols: self.nrows(), offsets, columns, values }
    }

    /// Returns a breadth-first order of the rows of a square matrix, in which adjacent
    /// rows are close together. `order[new]` is the old index.
    pub fn breadth_first(&self) -> Vec<u32> {
        let mut met = vec![false; self.nrows()];
        let mut order = Vec::with_capacity(self.nrows());
        for start in 0..self.nrows() {
            if met[start] {
                continue;
            }
            let mut next = order.len();
            met[start] = true;
            order.push(start as u32);
            while next < order.len() {
                for &c in self.row(order[next] as usize).0 {
                    if !std::mem::replace(&mut met[c as usize], true) {
                        order.push(c);
                    }
                }
                next += 1;
            }
        }
        order
    }

    /// Permutes rows and columns of a square matrix: entry (p, q) of the result is entry
    /// (`order[p]`, `order[q]`) of this matrix.
    pub fn reordered(&self, order: &[u32]) -> Self {
        let mut rank = vec![0; order.len()];
        order.iter().zip(0_u32..).for_each(|(&old, new)| rank[old as usize] = new);
        let mut offsets = Vec::with_capacity(order.len() + 1);
        offsets.push(0);
        offsets.extend(order.iter().scan(0, |end, &old| {
            *end += self.row(old as usize).0.len();
            Some(*end)
        }));
        let (mut columns, mut values) = (vec![0; self.stored()], vec![0.0; self.stored()]);
        let parts = order.chunks(ROWS).zip(cut(&mut columns, &offsets)).zip(cut(&mut values, &offsets));
        parts.collect::<Vec<_>>().into_par_iter().for_each_init(
            Vec::new,
            |row, ((olds, columns), values)| {
                let mut slots = columns.iter_mut().zip(values);
                for &old in olds {
                    let (cs, vs) = self.row(old as usize);
                    row.clear();
                    row.extend(cs.iter().map(|&c| rank[c as usize]).zip(vs));
                    row.sort_unstable_by_key(|entry: &(u32, &f64)| entry.0);
                    for (&(c, &v), (column, value)) in row.iter().zip(&mut slots) {
                        (*column, *value) = (c, v);
                    }
                }
            },
        );
        Self { ncols: self.ncols, offsets, columns, values }
    }

    /// Returns AᵀA, both triangles stored; rows are computed in parallel.
    pub fn gram(&self) -> Self {
        let transposed = self.transposed();
        let blocks: Vec<Rows> = (0..self.ncols.div_ceil(ROWS))
            .into_par_iter()
            .map_init(
                || (vec![u32::MAX; self.ncols], vec![0.0; self.ncols]),
                |(seen, sums), block| {
                    let rows = block * ROWS..((block + 1) * ROWS).min(self.ncols);
                    self.gram_rows(&transposed, rows, seen, sums)
                },
            )
            .collect();
        let mut offsets = Vec::with_capacity(self.ncols + 1);
        offsets.push(0);
        let stored = blocks.iter().map(|rows| rows.columns.len()).sum();
        let (mut columns, mut values) = (Vec::with_capacity(stored), Vec::with_capacity(stored));
        for rows in blocks {
            let start = columns.len();
            offsets.extend(rows.ends.iter().map(|end| start + end));
            columns.extend(rows.columns);
            values.extend(rows.values);
        }
        Self::from_parts(self.ncols, offsets, columns, values)
    }

    /// Computes some rows of AᵀA. `seen[c]` is the last row with an entry in column c,
    /// and `sums[c]` the sum accumulated there.
    fn gram_rows(
        &self,
        transposed: &Self,
        rows: std::ops::Range<usize>,
        seen: &mut [u32],
        sums: &mut [f64],
    ) -> Rows {
        let mut out = Rows::default();
        for i in rows {
            let start = out.columns.len();
            let (members, weights) = transposed.row(i);
            for (&r, &w) in members.iter().zip(weights) {
                let (cs, vs) = self.row(r as usize);
                for (&c, &v) in cs.iter().zip(vs) {
                    let at = c as usize;
                    if seen[at] != i as u32 {
                        seen[at] = i as u32;
                        sums[at] = 0.0;
                        out.columns.push(c);
                    }
                    sums[at] += w * v;
                }
            }
            out.columns[start..].sort_unstable();
            out.values.extend(out.columns[start..].iter().map(|&c| sums[c as usize]));
            out.ends.push(out.columns.len());
        }
        out
    }

    /// Computes `out` = A X, rows in parallel, all columns of X together.
    pub fn apply(&self, x: MatRef<'_, f64>, out: MatMut<'_, f64>) {
        let b = x.ncols();
        // Rows are stored contiguously, so that each entry of A reads one contiguous
        // range.
        let mut rows = vec![0.0; x.nrows() * b];
        MatMut::from_row_major_slice_mut(&mut rows, x.nrows(), b).copy_from(x);
        chunks::rows_mut(out, ROWS).into_par_iter().enumerate().for_each(|(chunk, mut out)| {
            let mut sum = vec![0.0; b];
            for i in 0..out.nrows() {
                let (columns, values) = self.row(chunk * ROWS + i);
                sum.fill(0.0);
                for (&c, &v) in columns.iter().zip(values) {
                    let x = &rows[c as usize * b..][..b];
                    sum.iter_mut().zip(x).for_each(|(s, x)| *s += v * x);
                }
                (0..b).for_each(|j| out[(i, j)] = sum[j]);
            }
        });
    }

    /// Computes `out` = Aᵀ X.
    pub fn apply_transposed(&self, x: MatRef<'_, f64>, out: MatMut<'_, f64>) {
        self.transposed().apply(x, out);
    }

    /// Returns the largest absolute row sum, an upper bound on the norm of a symmetric
    /// matrix; not finite if an entry is not.
    pub fn norm_bound(&self) -> f64 {
        let sums = (0..self.nrows()).map(|i| self.row(i).1.iter().map(|v| v.abs()).sum::<f64>());
        // `f64::max` would ignore NaN.
        sums.fold(0.0, |most, sum| if sum <= most { most } else { sum })
    }

    /// Returns the dense matrix, for small problems and tests.
    pub fn to_dense(&self) -> Mat<f64> {
        let mut dense = Mat::zeros(self.nrows(), self.ncols);
        for i in 0..self.nrows() {
            let (cs, vs) = self.row(i);
            for (&c, &v) in cs.iter().zip(vs) {
                dense[(i, c as usize)] += v;
            }
        }
        dense
    }
}

/// Splits entries at every [`ROWS`] rows.
fn cut<'a, T>(mut entries: &'a mut [T], offsets: &[usize]) -> Vec<&'a mut [T]> {
    let ends = offsets[1..].chunks(ROWS).map(|rows| rows[rows.len() - 1]);
    let mut begin = 0;
    ends.map(|end| {
        let (head, tail) = std::mem::take(&mut entries).split_at_mut(end - begin);
        (entries, begin) = (tail, end);
        head
    })
    .collect()
}

/// Consecutive rows of a matrix under construction.
#[derive(Default)]
struct Rows {
    ends: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
}
