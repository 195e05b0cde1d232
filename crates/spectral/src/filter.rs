//! Chebyshev-filtered eigenproblems, without a factorization.

use faer::reborrow::ReborrowMut;
use faer::{MatMut, MatRef};
use rayon::prelude::*;

use crate::{Operator, Sparse};

/// The largest degree; the observer is polled once per polynomial.
const MOST: usize = 1000;

/// Rows per parallel task.
const ROWS: usize = 512;

/// Columns that are multiplied together.
const WIDTH: usize = 4;

/// The Chebyshev polynomial p of M with p(0) = 1 and small magnitude between `cut` and
/// `norm`: eigenvalues near 0 become the dominant ones of p(M).
/// p decreases monotonically from 0 to `cut`; its degree is the smallest for which
/// p(`cut`) is about 0.1: 1.5 (`norm` / `cut`)^½.
pub(crate) struct Filter<'a> {
    matrix: &'a Sparse,
    pub(crate) degree: usize,
    cut: f64,
    norm: f64,
}

/// Values of the columns of a block in one row.
type Row = [f64; WIDTH];

/// Weights of a step of the recurrence: α (M y − c y) − β z.
#[derive(Clone, Copy)]
struct Weights {
    alpha: f64,
    center: f64,
    beta: f64,
}

impl<'a> Filter<'a> {
    /// Creates a filter; `norm` is an upper bound on the eigenvalues of `matrix`.
    pub(crate) fn new(matrix: &'a Sparse, cut: f64, norm: f64) -> Self {
        Self { matrix, degree: Self::degree(cut, norm), cut, norm }
    }

    /// The degree of a filter, the number of products of one application.
    pub(crate) fn degree(cut: f64, norm: f64) -> usize {
        ((1.5 * (norm / cut).sqrt()).ceil() as usize).clamp(2, MOST)
    }

    /// Overwrites `oldest` by the next block of the recurrence.
    fn advance(&self, oldest: &mut [Row], now: &[Row], weights: Weights) {
        let Weights { alpha, center, beta } = weights;
        oldest.par_chunks_mut(ROWS).enumerate().for_each(|(chunk, oldest)| {
            for (local, oldest) in oldest.iter_mut().enumerate() {
                let i = chunk * ROWS + local;
                let (columns, values) = self.matrix.row(i);
                let mut image = [0.0; WIDTH];
                for (&j, &v) in columns.iter().zip(values) {
                    let y = &now[j as usize];
                    for l in 0..WIDTH {
                        image[l] += v * y[l];
                    }
                }
                for l in 0..WIDTH {
                    oldest[l] = alpha * (image[l] - center * now[i][l]) - beta * oldest[l];
                }
            }
        });
    }

    /// Replaces the block `now` by p(M) `now`.
    ///
    /// The scaled three-term recurrence of Zhou, Saad, Tiago and Chelikowsky
    /// (doi:10.1016/j.jcp.2006.03.017).
    fn filter(&self, now: &mut Vec<Row>) {
        let (half_width, center) = ((self.norm - self.cut) / 2.0, (self.norm + self.cut) / 2.0);
        let first = -half_width / center;
        let mut sigma = first;
        let mut before = vec![[0.0; WIDTH]; now.len()];
        self.advance(&mut before, now, Weights { alpha: sigma / half_width, center, beta: 0.0 });
        std::mem::swap(&mut before, now);
        for _ in 1..self.degree {
            let next = 1.0 / (2.0 / first - sigma);
            let weights = Weights { alpha: 2.0 * next / half_width, center, beta: sigma * next };
            self.advance(&mut before, now, weights);
            std::mem::swap(&mut before, now);
            sigma = next;
        }
    }
}

impl Operator for Filter<'_> {
    fn order(&self) -> usize {
        self.matrix.nrows()
    }

    fn apply(&self, x: MatRef<'_, f64>, mut out: MatMut<'_, f64>) {
        for first in (0..x.ncols()).step_by(WIDTH) {
            let columns = first..x.ncols().min(first + WIDTH);
            let mut block = vec![[0.0; WIDTH]; x.nrows()];
            for (l, j) in columns.clone().enumerate() {
                block.iter_mut().zip(x.col(j).iter()).for_each(|(row, v)| row[l] = *v);
            }
            self.filter(&mut block);
            for (l, j) in columns.enumerate() {
                out.rb_mut().col_mut(j).iter_mut().zip(&block).for_each(|(v, row)| *v = row[l]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use faer::Mat;

    use super::Filter;
    use crate::{Operator, Sparse};

    /// T(t) of degree k, for any t.
    fn chebyshev(k: usize, t: f64) -> f64 {
        (1..k).fold((1.0, t), |(before, now), _| (now, 2.0 * t * now - before)).1
    }

    /// It oscillates between the cut and the norm and is one at zero.
    #[test]
    fn a_filter_is_the_chebyshev_polynomial_of_the_interval_above_the_cut() {
        let n = 40;
        let rows = (0..n).map(|i| vec![(i, 0.1 * f64::from(i))]).collect();
        let matrix = Sparse::from_rows(n as usize, rows).expect("a diagonal");
        let filter = Filter::new(&matrix, 0.5, 3.9);
        let at =
            |value: f64| chebyshev(filter.degree, (value - 2.2) / 1.7) / chebyshev(filter.degree, -2.2 / 1.7);
        let x = Mat::from_fn(n as usize, 9, |_, j| 1.0 + j as f64);
        let mut out = Mat::zeros(n as usize, 9);
        filter.apply(x.as_ref(), out.as_mut());
        for i in 0..n as usize {
            for j in 0..9 {
                let expected = at(0.1 * i as f64) * x[(i, j)];
                assert!((out[(i, j)] - expected).abs() < 1e-13, "{i} {j}: {} is not {expected}", out[(i, j)]);
            }
        }
    }
}
