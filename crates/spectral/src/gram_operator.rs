//! A positive semidefinite matrix, represented by its factor if one is known.

use faer::{Mat, MatMut, MatRef};

use crate::{Operator, Sparse, block};

/// M, or BᵀB if a B with M = BᵀB is known: B has fewer entries, and xᵀMx = |Bx|² computes
/// tiny eigenvalues to high relative accuracy.
pub(crate) struct GramOperator<'a> {
    matrix: &'a Sparse,
    factor: Option<(&'a Sparse, Sparse)>,
}

impl<'a> GramOperator<'a> {
    pub(crate) fn new(matrix: &'a Sparse, factor: Option<&'a Sparse>) -> Self {
        Self { matrix, factor: factor.map(|b| (b, b.transposed())) }
    }

    /// Returns XᵀMX and MX.
    pub(crate) fn quadratic(&self, x: &Mat<f64>) -> (Mat<f64>, Mat<f64>) {
        let mut image = Mat::zeros(x.nrows(), x.ncols());
        let Some((b, transposed)) = &self.factor else {
            self.matrix.apply(x.as_ref(), image.as_mut());
            return (block::cross(x.as_ref(), image.as_ref()), image);
        };
        let mut half = Mat::zeros(b.nrows(), x.ncols());
        b.apply(x.as_ref(), half.as_mut());
        transposed.apply(half.as_ref(), image.as_mut());
        (block::cross(half.as_ref(), half.as_ref()), image)
    }
}

impl Operator for GramOperator<'_> {
    fn order(&self) -> usize {
        self.matrix.nrows()
    }

    fn apply(&self, x: MatRef<'_, f64>, out: MatMut<'_, f64>) {
        let Some((b, transposed)) = &self.factor else {
            return self.matrix.apply(x, out);
        };
        let mut half = Mat::zeros(b.nrows(), x.ncols());
        b.apply(x, half.as_mut());
        transposed.apply(half.as_ref(), out);
    }
}

/// −M: its largest eigenpairs are the smallest eigenpairs of M.
pub(crate) struct Negative<'a>(pub(crate) &'a GramOperator<'a>);

impl Operator for Negative<'_> {
    fn order(&self) -> usize {
        self.0.order()
    }

    fn apply(&self, x: MatRef<'_, f64>, mut out: MatMut<'_, f64>) {
        self.0.apply(x, out.as_mut());
        out *= faer::Scale(-1.0);
    }
}
