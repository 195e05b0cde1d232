//! Incomplete triangular factorization of a square sparse matrix.

use std::cmp::Ordering;

use embedding::Error;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::amd;
use faer::{MatMut, MatRef};
use rayon::prelude::*;

use crate::{Operator, Sparse, chunks};

/// Columns solved together by one task; each set reads the factors once.
const COLUMNS: usize = 2;

/// The smallest pivot allowed, relative to the mean magnitude of a row.
const SMALLEST_PIVOT: f64 = 1e-3;

/// L U ≈ P (B + σ I) Pᵀ with small entries dropped, as the operator
/// (LU)⁻¹ (LU)⁻ᵀ ≈ (BᵀB)⁻¹.
///
/// Rows are eliminated in an approximate minimum degree order of the pattern of B + Bᵀ. A
/// computed entry is kept if its magnitude is at least `drop` times the mean magnitude of
/// the row's entries in B (Saad's threshold rule, doi:10.1002/nla.1680010405). Values are
/// stored in single precision, which loses fewer digits than dropping.
pub(crate) struct Incomplete {
    /// Row `i` of the factors is row `order[i]` of B.
    order: Vec<u32>,
    lower: Triangle,
    /// U without its diagonal.
    upper: Triangle,
    /// Reciprocals of the diagonal of U.
    reciprocals: Vec<f32>,
}

#[derive(Default)]
struct Triangle {
    offsets: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f32>,
}

impl Triangle {
    fn row(&self, i: usize) -> impl Iterator<Item = (usize, f32)> {
        let range = self.offsets[i]..self.offsets[i + 1];
        let values = &self.values[range.clone()];
        self.columns[range].iter().zip(values).map(|(&c, &v)| (c as usize, v))
    }

    fn push(&mut self, column: u32, value: f32) {
        self.columns.push(column);
        self.values.push(value);
    }
}

impl Incomplete {
    /// Memory per stored entry.
    pub(crate) const BYTES: usize = size_of::<u32>() + size_of::<f32>();

    /// Factorizes B + `shift` I sequentially, calling `pulse` now and then to check for
    /// cancellation. Returns `None` if more than `most` entries would be kept.
    pub(crate) fn new(
        b: &Sparse,
        shift: f64,
        drop: f64,
        most: usize,
        pulse: &dyn Fn() -> Result<(), Error>,
    ) -> Result<Option<Self>, Error> {
        let n = b.nrows();
        let order = minimum_degree(b)?;
        let mut place = vec![0_u32; n];
        order.iter().enumerate().for_each(|(i, &v)| place[v as usize] = i as u32);
        let mut lower = Triangle { offsets: vec![0], ..Triangle::default() };
        let mut upper = Triangle { offsets: vec![0], ..Triangle::default() };
        let mut reciprocals: Vec<f32> = Vec::with_capacity(n);
        let mut row = Row::new(n);
        for (i, &own) in order.iter().enumerate() {
            if i % 1024 == 0 {
                pulse()?;
            }
            let (columns, values) = b.row(own as usize);
            let mean = values.iter().map(|v| v.abs()).sum::<f64>() / values.len().max(1) as f64;
            let least = (drop * mean) as f32;
            row.begin(i);
            row.add(i, shift as f32);
            for (&c, &v) in columns.iter().zip(values) {
                row.add(place[c as usize] as usize, v as f32);
            }
            while let Some(c) = row.lower.pop() {
                let factor = row.cells[c].value * reciprocals[c];
                if factor.abs() >= least {
                    lower.push(c as u32, factor);
                    upper.row(c).for_each(|(j, v)| row.add(j, -factor * v));
                }
            }
            lower.offsets.push(lower.columns.len());
            row.upper.retain(|&c| row.cells[c as usize].value.abs() >= least);
            row.upper.sort_unstable();
            row.upper.iter().for_each(|&c| upper.push(c, row.cells[c as usize].value));
            upper.offsets.push(upper.columns.len());
            // A vanishing pivot is replaced by a small one; the factors are approximate
            // in any case.
            let (pivot, least) = (row.cells[i].value, (SMALLEST_PIVOT * mean) as f32);
            reciprocals.push(if pivot.abs() >= least { pivot } else { least.copysign(pivot) }.recip());
            if lower.columns.len() + upper.columns.len() > most {
                return Ok(None);
            }
        }
        Ok(Some(Self { order, lower, upper, reciprocals }))
    }

    /// Overwrites the rows of `x` (columns interleaved) with (LU)⁻¹ (LU)⁻ᵀ x.
    fn solve(&self, x: &mut [[f64; COLUMNS]]) {
        let n = x.len();
        // Solves with Uᵀ, then Lᵀ: the rows of the factors are the columns of their
        // transposes.
        for i in 0..n {
            x[i] = x[i].map(|v| v * f64::from(self.reciprocals[i]));
            let own = x[i];
            self.upper.row(i).for_each(|(j, v)| subtract(&mut x[j], v, own));
        }
        for i in (0..n).rev() {
            let own = x[i];
            self.lower.row(i).for_each(|(j, v)| subtract(&mut x[j], v, own));
        }
        for i in 0..n {
            let mut own = x[i];
            self.lower.row(i).for_each(|(j, v)| subtract(&mut own, v, x[j]));
            x[i] = own;
        }
        for i in (0..n).rev() {
            let mut own = x[i];
            self.upper.row(i).for_each(|(j, v)| subtract(&mut own, v, x[j]));
            x[i] = own.map(|v| v * f64::from(self.reciprocals[i]));
        }
    }
}

fn subtract(from: &mut [f64; COLUMNS], factor: f32, what: [f64; COLUMNS]) {
    let factor = f64::from(factor);
    from.iter_mut().zip(what).for_each(|(f, w)| *f -= factor * w);
}

/// The row being eliminated, in dense storage.
struct Row {
    at: usize,
    cells: Vec<Cell>,
    /// Columns before the diagonal.
    lower: AscendingSet,
    /// Columns after the diagonal.
    upper: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Cell {
    /// The row this value belongs to.
    row: u32,
    value: f32,
}

impl Row {
    fn new(n: usize) -> Self {
        let cells = vec![Cell { row: u32::MAX, value: 0.0 }; n];
        Self { at: 0, cells, lower: AscendingSet::new(n), upper: Vec::new() }
    }

    fn begin(&mut self, at: usize) {
        self.at = at;
        self.upper.clear();
    }

    fn add(&mut self, column: usize, value: f32) {
        let cell = &mut self.cells[column];
        if cell.row == self.at as u32 {
            cell.value += value;
            return;
        }
        *cell = Cell { row: self.at as u32, value };
        match column.cmp(&self.at) {
            Ordering::Less => self.lower.insert(column),
            Ordering::Equal => {}
            Ordering::Greater => self.upper.push(column as u32),
        }
    }
}

/// A set of integers removed in ascending order; an insertion between removals must
/// exceed the last integer removed.
struct AscendingSet {
    members: Vec<u64>,
    /// Bitmap of the nonzero words of `members`.
    words: Vec<u64>,
    /// All earlier words of `words` are 0.
    from: usize,
}

impl AscendingSet {
    fn new(n: usize) -> Self {
        let words = n.div_ceil(64);
        Self { members: vec![0; words], words: vec![0; words.div_ceil(64)], from: 0 }
    }

    fn insert(&mut self, number: usize) {
        let word = number / 64;
        self.members[word] |= 1 << (number % 64);
        self.words[word / 64] |= 1 << (word % 64);
    }

    fn pop(&mut self) -> Option<usize> {
        while let Some(&words) = self.words.get(self.from) {
            if words == 0 {
                self.from += 1;
                continue;
            }
            let word = 64 * self.from + words.trailing_zeros() as usize;
            let number = 64 * word + self.members[word].trailing_zeros() as usize;
            self.members[word] &= self.members[word] - 1;
            if self.members[word] == 0 {
                self.words[self.from] &= words - 1;
            }
            return Some(number);
        }
        self.from = 0;
        None
    }
}

impl Operator for Incomplete {
    fn order(&self) -> usize {
        self.order.len()
    }

    fn apply(&self, x: MatRef<'_, f64>, mut out: MatMut<'_, f64>) {
        out.copy_from(x);
        chunks::columns_mut(out, COLUMNS).into_par_iter().for_each(|mut x| {
            let value = |i: u32, j: usize| if j < x.ncols() { x[(i as usize, j)] } else { 0.0 };
            let mut rows: Vec<[f64; COLUMNS]> =
                self.order.iter().map(|&v| std::array::from_fn(|j| value(v, j))).collect();
            self.solve(&mut rows);
            for j in 0..x.ncols() {
                self.order.iter().zip(&rows).for_each(|(&v, row)| x[(v as usize, j)] = row[j]);
            }
        });
    }
}

/// Returns a fill-reducing order of the rows of B, by approximate minimum degree.
fn minimum_degree(b: &Sparse) -> Result<Vec<u32>, Error> {
    let n = b.nrows();
    // Column i of the pattern is row i of B, since B + Bᵀ and its transpose are the same.
    let mut offsets = vec![0];
    let mut rows = Vec::with_capacity(b.stored());
    for i in 0..n {
        rows.extend(b.row(i).0.iter().map(|&c| c as usize));
        offsets.push(rows.len());
    }
    let pattern = SymbolicSparseColMatRef::new_checked(n, n, &offsets, None, &rows);
    let (mut order, mut inverse) = (vec![0_usize; n], vec![0_usize; n]);
    let mut memory = MemBuffer::new(amd::order_scratch::<usize>(n, rows.len()));
    amd::order(&mut order, &mut inverse, pattern, Default::default(), MemStack::new(&mut memory)).map_err(
        |_| Error::degenerate("the analysis of a sparse matrix ran out of memory", "use fewer neighbors"),
    )?;
    Ok(order.into_iter().map(|v| v as u32).collect())
}

#[cfg(test)]
mod tests {
    use super::Incomplete;
    use crate::{Operator, Sparse, block};

    /// Not symmetric, with a large diagonal.
    fn scattered(n: usize) -> Sparse {
        let row = |i: usize| {
            let others = [(i * 7 + 3) % n, (i * i + 1) % n, (i + 1) % n];
            others.into_iter().map(|j| (j as u32, 0.5)).chain([(i as u32, 3.0 + (i % 5) as f64)]).collect()
        };
        Sparse::from_rows(n, (0..n).map(row).collect()).expect("columns are below n")
    }

    /// (BᵀB)⁻¹, to the digits of single precision.
    #[test]
    fn factors_of_which_nothing_is_dropped_solve_exactly() {
        for n in [1, 90, 300] {
            let b = scattered(n);
            let factors = Incomplete::new(&b, 0.0, 0.0, n * n, &|| Ok(())).expect("not canceled");
            let factors = factors.expect("all entries may be kept");
            assert_eq!(factors.order(), n);
            let x = block::random(n, 3, 1);
            let mut solution = faer::Mat::zeros(n, 3);
            factors.apply(x.as_ref(), solution.as_mut());
            let mut image = faer::Mat::zeros(n, 3);
            b.gram().apply(solution.as_ref(), image.as_mut());
            assert!((image - &x).norm_max() < 1e-4, "{n}");
        }
    }

    #[test]
    fn factors_of_more_entries_than_allowed_are_abandoned() {
        let b = scattered(90);
        let kept = |most| Incomplete::new(&b, 0.0, 0.0, most, &|| Ok(())).expect("not canceled").is_some();
        assert!(kept(90 * 90) && !kept(90));
    }
}
