//! Chebyshev-filtered eigenproblems, without a factorization.

use faer::{Mat, MatMut, MatRef};
use rayon::prelude::*;

use crate::{Operator, chunks};

/// The largest degree; the observer is polled once per polynomial.
const MOST: usize = 1000;

/// The Chebyshev polynomial p of M with p(0) = 1 and small magnitude between `cut` and
/// `norm`: eigenvalues near 0 become the dominant ones of p(M).
/// p decreases monotonically from 0 to `cut`; its degree is the smallest for which
/// p(`cut`) is about 0.1: 1.5 (`norm` / `cut`)^½.
/// leaves about a tenth there: 1.5 (`norm` / `cut`)^½.
pub(crate) struct Filter<'a> {
    matrix: &'a dyn Operator,
    pub(crate) degree: usize,
    cut: f64,
    norm: f64,
}

impl<'a> Filter<'a> {
    /// Creates a filter; `norm` is an upper bound on the eigenvalues of `matrix`.
    pub(crate) fn new(matrix: &'a dyn Operator, cut: f64, norm: f64) -> Self {
        let degree = ((1.5 * (norm / cut).sqrt()).ceil() as usize).clamp(2, MOST);
        Self { matrix, degree, cut, norm }
    }
}

impl Operator for Filter<'_> {
    fn order(&self) -> usize {
        self.matrix.order()
    }

    /// Applies the scaled three-term recurrence of Zhou, Saad, Tiago and Chelikowsky
    /// (doi:10.1016/j.jcp.2006.03.017).
    fn apply(&self, x: MatRef<'_, f64>, mut out: MatMut<'_, f64>) {
        let (half_width, center) = ((self.norm - self.cut) / 2.0, (self.norm + self.cut) / 2.0);
        let first = -half_width / center;
        let mut sigma = first;
        let (mut before, mut now) = (x.to_owned(), Mat::zeros(x.nrows(), x.ncols()));
        let mut image = Mat::zeros(x.nrows(), x.ncols());
        self.matrix.apply(x, image.as_mut());
        advance(&mut now, &image, x, x, (sigma / half_width, center, 0.0));
        for _ in 1..self.degree {
            let next = 1.0 / (2.0 / first - sigma);
            self.matrix.apply(now.as_ref(), image.as_mut());
            // The oldest block is overwritten by the newest.
            let weights = (2.0 * next / half_width, center, sigma * next);
            let mut newest = before;
            let oldest = newest.clone();
            advance(&mut newest, &image, now.as_ref(), oldest.as_ref(), weights);
            (before, now) = (now, newest);
            sigma = next;
        }
        out.copy_from(&now);
    }
}

/// Computes `out` ← α (`image` − c `now`) − β `before`.
fn advance(
    out: &mut Mat<f64>,
    image: &Mat<f64>,
    now: MatRef<'_, f64>,
    before: MatRef<'_, f64>,
    (alpha, c, beta): (f64, f64, f64),
) {
    chunks::columns_mut(out.as_mut(), 1).into_par_iter().enumerate().for_each(|(j, column)| {
        let others = image.col(j).iter().zip(now.col(j).iter()).zip(before.col(j).iter());
        column
            .col_mut(0)
            .iter_mut()
            .zip(others)
            .for_each(|(o, ((i, y), z))| *o = alpha * (i - c * y) - beta * z);
    });
}
