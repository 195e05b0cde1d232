//! Double centering: inner products from squared distances.

use faer::reborrow::*;
use faer::{Mat, MatMut, MatRef};

use crate::Operator;
pub use crate::distance_components::{distance_components, distance_components_bytes};

/// Returns B = −½ J S J for a symmetric matrix S of squared distances, J = I − 1 1ᵀ/n.
/// O(n²) time and one n × n matrix.
pub fn double_center(squares: MatRef<'_, f64>) -> Mat<f64> {
    let n = squares.nrows();
    let means: Vec<f64> = (0..n).map(|j| squares.col(j).iter().sum::<f64>() / n as f64).collect();
    let grand = means.iter().sum::<f64>() / n as f64;
    Mat::from_fn(n, n, |i, j| -0.5 * (squares[(i, j)] - means[i] - means[j] + grand))
}

/// The doubly centered matrix as an operator: S is not modified; J is applied to the
/// vectors instead.
#[derive(Clone, Copy, Debug)]
pub struct CenteredSquares<O>(pub O);

impl<O: Operator> Operator for CenteredSquares<O> {
    fn order(&self) -> usize {
        self.0.order()
    }

    fn apply(&self, x: MatRef<'_, f64>, mut out: MatMut<'_, f64>) {
        let mut centered = x.to_owned();
        center_columns(centered.as_mut());
        self.0.apply(centered.as_ref(), out.rb_mut());
        center_columns(out.rb_mut());
        for j in 0..out.ncols() {
            out.rb_mut().col_mut(j).iter_mut().for_each(|v| *v *= -0.5);
        }
    }
}

fn center_columns(mut x: MatMut<'_, f64>) {
    let n = x.nrows() as f64;
    for j in 0..x.ncols() {
        let mean = x.rb().col(j).iter().sum::<f64>() / n;
        x.rb_mut().col_mut(j).iter_mut().for_each(|v| *v -= mean);
    }
}
