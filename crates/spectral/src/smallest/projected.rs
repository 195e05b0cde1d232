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

#[cfg(test)]
mod tests {
    use super::Projected;
    use crate::{DenseOperator, Operator, block, dense, orthonormal};

    #[test]
    fn null_vectors_are_projected_out_before_and_after() {
        let root = block::random(30, 30, 1);
        let matrix = dense::gram(root.as_ref());
        let null = orthonormal::complement(block::random(30, 2, 2), &[]);
        let operator = Projected { inverse: DenseOperator(matrix.as_ref()), null: &null };
        assert_eq!(operator.order(), 30);
        // P A P of a sum equals P A P of the part outside the null vectors.
        let part = orthonormal::complement(block::random(30, 3, 3), &[null.as_ref()]);
        let sum = &part + block::product(null.as_ref(), block::random(2, 3, 4).as_ref());
        let mut image = faer::Mat::zeros(30, 3);
        operator.apply(sum.as_ref(), image.as_mut());
        let whole = dense::product(matrix.as_ref(), part.as_ref());
        let expected = &whole - &null * (null.transpose() * &whole);
        assert!((image - &expected).norm_max() < 1e-13 * expected.norm_max());
    }
}
