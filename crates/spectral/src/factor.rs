//! Sparse Cholesky factorization with its cost known beforehand.

use embedding::Error;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::linalg::cholesky::{
    CholeskySymbolicParams, LltRef, SymbolicCholesky, SymmetricOrdering, factorize_symbolic_cholesky,
};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::traits::ComplexField;
use faer::{Conj, MatMut, Par, Side};

use crate::Sparse;

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

    /// Values of the factor.
    pub(crate) fn stored(&self) -> usize {
        self.symbolic.len_val()
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
        let mut values = vec![T::narrow(0.0); self.stored()];
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
    /// Overwrites the columns of `x` with the solutions.
    pub(crate) fn solve(&self, x: MatMut<'_, T>) {
        let scratch = self.symbolic.solve_in_place_scratch::<T>(x.ncols(), Par::Seq);
        let mut memory = MemBuffer::new(scratch);
        let factor = LltRef::new(self.symbolic, &self.values);
        factor.solve_in_place_with_conj(Conj::No, x, Par::Seq, MemStack::new(&mut memory));
    }
}

/// The two precisions of a factor.
pub(crate) trait Real: ComplexField + Copy {
    fn narrow(value: f64) -> Self;
}

impl Real for f64 {
    fn narrow(value: f64) -> Self {
        value
    }
}

impl Real for f32 {
    fn narrow(value: f64) -> Self {
        value as f32
    }
}
