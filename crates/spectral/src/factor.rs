//! Sparse Cholesky factorization with its cost known beforehand.

use embedding::Error;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::reborrow::*;
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering,
    factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::traits::ComplexField;
use faer::{Conj, Mat, MatMut, MatRef, Par, Side};
use rayon::prelude::*;

use crate::{Operator, Sparse, block};

/// Columns solved together by one task; each group reads the factor once.
const COLUMNS: usize = 4;

/// The elimination order of a sparse symmetric matrix and the pattern of its factor.
pub(crate) struct Plan {
    symbolic: SymbolicCholesky<usize>,
    offsets: Vec<usize>,
    rows: Vec<usize>,
}

impl Plan {
    /// Orders by approximate minimum degree; O(stored) memory, no values are read.
    pub(crate) fn new(matrix: &Sparse) -> Result<Self, Error> {
        // Row i of a symmetric matrix is its column i; the upper triangle has rows up to i.
        let n = matrix.nrows();
        let mut offsets = vec![0];
        let mut rows = Vec::with_capacity(matrix.stored() / 2 + n);
        for i in 0..n {
            rows.extend(matrix.row(i).0.iter().map(|&c| c as usize).filter(|&c| c <= i));
            offsets.push(rows.len());
        }
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &offsets, None, &rows);
        let (order, parameters) = (SymmetricOrdering::Amd, CholeskySymbolicParams::default());
        let symbolic =
            factorize_symbolic_cholesky(pattern, Side::Upper, order, parameters).map_err(|_| {
                Error::degenerate("the analysis of a sparse matrix ran out of memory", "use fewer neighbors")
            })?;
        Ok(Self { symbolic, offsets, rows })
    }

    /// What factorizing takes: the values of the factor and the working space.
    pub(crate) fn bytes<T: Real>(&self) -> u64 {
        let scratch = self.symbolic.factorize_numeric_llt_scratch::<T>(Par::Seq, Default::default());
        (self.symbolic.len_val() * size_of::<T>() + scratch.unaligned_bytes_required()) as u64
    }

    /// The multiplications that factorizing takes: Σ over columns of (entries)².
    pub(crate) fn operations(&self) -> f64 {
        match self.symbolic.raw() {
            SymbolicCholeskyRaw::Simplicial(l) => {
                l.col_ptr().windows(2).map(|w| ((w[1] - w[0]) as f64).powi(2)).sum()
            }
            SymbolicCholeskyRaw::Supernodal(l) => {
                let widths =
                    l.supernode_begin().iter().zip(l.supernode_end()).map(|(begin, end)| end - begin);
                let below = l.col_ptr_for_row_idx().windows(2).map(|w| w[1] - w[0]);
                let columns = |(width, below): (usize, usize)| {
                    (below..below + width).map(|rows| (rows as f64 + 1.0).powi(2)).sum::<f64>()
                };
                widths.zip(below).map(columns).sum()
            }
        }
    }

    /// The factor of `matrix` + `shift` I, or `None` when a pivot fails.
    pub(crate) fn factor<T: Real>(&self, matrix: &Sparse, shift: f64) -> Option<Factor<'_, T>> {
        let n = matrix.nrows();
        let mut upper = Vec::with_capacity(self.rows.len());
        for i in 0..n {
            let (columns, values) = matrix.row(i);
            upper.extend(
                columns
                    .iter()
                    .zip(values)
                    .filter(|(c, _)| **c as usize <= i)
                    .map(|(&c, &v)| T::narrow(if c as usize == i { v + shift } else { v })),
            );
        }
        let pattern = SymbolicSparseColMatRef::new_checked(n, n, &self.offsets, None, &self.rows);
        let a = SparseColMatRef::new(pattern, &upper[..]);
        let mut values = vec![T::narrow(0.0); self.symbolic.len_val()];
        let scratch = self.symbolic.factorize_numeric_llt_scratch::<T>(Par::Seq, Default::default());
        let mut memory = MemBuffer::new(scratch);
        let stack = MemStack::new(&mut memory);
        let (regularization, parameters) = (Default::default(), Default::default());
        self.symbolic
            .factorize_numeric_llt(&mut values, a, Side::Upper, regularization, Par::Seq, stack, parameters)
            .ok()?;
        Some(Factor { symbolic: &self.symbolic, values })
    }
}

/// A Cholesky factor.
pub(crate) struct Factor<'a, T> {
    symbolic: &'a SymbolicCholesky<usize>,
    values: Vec<T>,
}

impl<T: Real> Factor<'_, T> {
    /// Overwrites the columns of `x` with the solutions; groups of columns in
    /// parallel.
    pub(crate) fn solve(&self, x: MatMut<'_, f64>) {
        let factor = LltRef::new(self.symbolic, &self.values);
        x.par_col_chunks_mut(COLUMNS).for_each(|mut x| {
            let mut narrow = Mat::from_fn(x.nrows(), x.ncols(), |i, j| T::narrow(x[(i, j)]));
            let scratch = self.symbolic.solve_in_place_scratch::<T>(x.ncols(), Par::Seq);
            let mut memory = MemBuffer::new(scratch);
            let stack = MemStack::new(&mut memory);
            factor.solve_in_place_with_conj(Conj::No, narrow.as_mut(), Par::Seq, stack);
            for j in 0..x.ncols() {
                let column = narrow.col(j);
                x.rb_mut().col_mut(j).iter_mut().zip(column.iter()).for_each(|(x, y)| *x = y.widen());
            }
        });
    }

    /// How wrong a solution x of (M + `shift` I) x = b is for a random b:
    /// |b − (M + shift I) x| over |M| |x| + |b|. NaN when it is not finite.
    pub(crate) fn probe(&self, matrix: &Sparse, shift: f64, norm: f64) -> f64 {
        let b = block::random(matrix.nrows(), 1, u64::MAX);
        let mut x = b.clone();
        self.solve(x.as_mut());
        let mut image = Mat::zeros(x.nrows(), 1);
        matrix.apply(x.as_ref(), image.as_mut());
        let rest = Mat::from_fn(x.nrows(), 1, |i, _| b[(i, 0)] - image[(i, 0)] - shift * x[(i, 0)]);
        rest.norm_l2() / (norm * x.norm_l2() + b.norm_l2())
    }
}

impl<T: Real> Operator for Factor<'_, T> {
    fn order(&self) -> usize {
        self.symbolic.nrows()
    }

    fn apply(&self, x: MatRef<'_, f64>, mut out: MatMut<'_, f64>) {
        out.copy_from(x);
        self.solve(out);
    }
}

/// The two precisions of a factor.
pub(crate) trait Real: ComplexField + Copy {
    /// A probe beyond this betrays a factor that is none: rounding alone stays
    /// a thousand times below.
    const SOUND: f64;

    fn narrow(value: f64) -> Self;

    fn widen(self) -> f64;
}

impl Real for f64 {
    const SOUND: f64 = 1e-12;

    fn narrow(value: f64) -> Self {
        value
    }

    fn widen(self) -> f64 {
        self
    }
}

impl Real for f32 {
    const SOUND: f64 = 1e-3;

    fn narrow(value: f64) -> Self {
        value as f32
    }

    fn widen(self) -> f64 {
        f64::from(self)
    }
}
