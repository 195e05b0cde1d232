//! An operator on the complement of known null vectors.

use faer::{Mat, MatMut, MatRef};

use crate::{Operator, block};

/// The operator P A P, where P projects out the null vectors.
pub(super) struct Projected<'a, A> {
    pub(super) inverse: A,
    pub(super) null: &'a Mat<f64>,
}

impl<A: Operator> Operator for Projected<'_, A> {
    fn order(&self) -> usize {
        self.null.nrows()
    }

    fn apply(&self, x: MatRef<'_, f64>, mut out: MatMut<'_, f64>) {
        let mut inside = x.to_owned();
        self.project(inside.as_mut());
        self.inverse.apply(inside.as_ref(), out.as_mut());
        self.project(out);
    }
}

impl<A> Projected<'_, A> {
    fn project(&self, x: MatMut<'_, f64>) {
        let h = block::cross(self.null.as_ref(), x.as_ref());
        block::combine(x, faer::Accum::Add, self.null.as_ref(), h.as_ref(), -1.0);
    }
}
