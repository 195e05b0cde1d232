//! The rotation of whitened data whose coordinates are farthest from normal distributions.

use embedding::implement::{maximum, proceed};
use embedding::{Error, Iteration, Observer, Status};
use faer::{Mat, MatRef};
use rayon::prelude::*;
use spectral::dense;

use crate::{Algorithm, Contrast};

/// Rows per partial sum.
const CHUNK: usize = 1024;

/// An orthogonal matrix W, one unmixing vector per row, and how it was found.
pub(crate) struct Unmixing {
    pub(crate) w: Mat<f64>,
    pub(crate) status: Status,
    /// 1 − |w_new · w_old| of the last step, the largest of all vectors.
    pub(crate) change: f64,
}

/// The fixed-point iteration on whitened data.
pub(crate) struct FixedPoint<'a> {
    /// n × d, mean 0 and covariance 1.
    pub(crate) whitened: MatRef<'a, f64>,
    /// The same, row by row.
    pub(crate) rows: &'a [f64],
    pub(crate) contrast: Contrast,
    pub(crate) tolerance: f64,
    pub(crate) max_iterations: usize,
}

impl FixedPoint<'_> {
    pub(crate) fn run(
        &self,
        algorithm: Algorithm,
        start: &Mat<f64>,
        observer: &dyn Observer,
    ) -> Result<Unmixing, Error> {
        match algorithm {
            Algorithm::Parallel => self.parallel(start, observer),
            Algorithm::Deflation => self.deflation(start, observer),
        }
    }

    /// All vectors at the same time: W ← (W₊ W₊ᵀ)^(−½) W₊.
    fn parallel(&self, start: &Mat<f64>, observer: &dyn Observer) -> Result<Unmixing, Error> {
        let total = self.max_iterations;
        let (mut w, mut change) = (orthogonal(start)?, f64::INFINITY);
        proceed(observer, 0, total)?;
        let mut status = Status::IterationLimit { iterations: total };
        for iterations in 1..=total {
            let next = orthogonal(&self.step(&w))?;
            change = maximum((0..w.nrows()).map(|i| change_between(next.row(i), w.row(i))));
            w = next;
            let coordinates = dense::product(self.whitened, w.transpose());
            let shown = Iteration { number: iterations, objective: None, coordinates: coordinates.as_ref() };
            if observer.iteration(&shown).is_break() {
                status = Status::Stopped { iterations };
                break;
            }
            if change < self.tolerance {
                status = Status::Converged { iterations };
                break;
            }
            proceed(observer, iterations.min(total - 1), total)?;
        }
        proceed(observer, total, total)?;
        Ok(Unmixing { w, status, change })
    }

    /// One vector after the other, each orthogonal to the vectors before it.
    fn deflation(&self, start: &Mat<f64>, observer: &dyn Observer) -> Result<Unmixing, Error> {
        let d = start.nrows();
        let total = d * self.max_iterations;
        // Vectors that are not reached keep their start.
        let mut w = start.clone();
        (0..d).for_each(|i| orthonormalize(&mut w, i));
        proceed(observer, 0, total)?;
        let (mut most, mut change, mut reached) = (0, 0.0_f64, true);
        for i in 0..d {
            orthonormalize(&mut w, i);
            let mut last = f64::INFINITY;
            for iterations in 1..=self.max_iterations {
                let before = w.row(i).to_owned();
                let next = self.step(&w.subrows(i, 1).to_owned());
                w.row_mut(i).copy_from(next.row(0));
                orthonormalize(&mut w, i);
                last = change_between(w.row(i), before.as_ref());
                most = most.max(iterations);
                let coordinates = dense::product(self.whitened, w.transpose());
                let number = i * self.max_iterations + iterations;
                let shown = Iteration { number, objective: None, coordinates: coordinates.as_ref() };
                if observer.iteration(&shown).is_break() {
                    (i + 1..d).for_each(|later| orthonormalize(&mut w, later));
                    proceed(observer, total, total)?;
                    return Ok(Unmixing { w, status: Status::Stopped { iterations: most }, change: last });
                }
                if last < self.tolerance {
                    break;
                }
                proceed(observer, number.min(total - 1), total)?;
            }
            reached &= last < self.tolerance;
            change = change.max(last);
        }
        proceed(observer, total, total)?;
        let status = if reached {
            Status::Converged { iterations: most }
        } else {
            Status::IterationLimit { iterations: most }
        };
        Ok(Unmixing { w, status, change })
    }

    /// E[x g(w·x)] − E[g′(w·x)] w of each row w, in chunks whose sums are added in order.
    fn step(&self, w: &Mat<f64>) -> Mat<f64> {
        let (c, d) = w.shape();
        let n = self.whitened.nrows() as f64;
        let vectors: Vec<f64> = (0..c * d).map(|e| w[(e / d, e % d)]).collect();
        let partial: Vec<Vec<f64>> = self
            .rows
            .par_chunks(CHUNK * d)
            .map(|chunk| {
                let mut sums = vec![0.0; c * (d + 1)];
                for x in chunk.chunks_exact(d) {
                    for (w, sums) in vectors.chunks_exact(d).zip(sums.chunks_exact_mut(d + 1)) {
                        let s: f64 = w.iter().zip(x).map(|(w, x)| w * x).sum();
                        let (first, second) = self.contrast.slopes(s);
                        sums.iter_mut().zip(x).for_each(|(sum, x)| *sum += first * x);
                        sums[d] += second;
                    }
                }
                sums
            })
            .collect();
        let mut sums = vec![0.0; c * (d + 1)];
        partial.iter().for_each(|part| sums.iter_mut().zip(part).for_each(|(sum, v)| *sum += v));
        let sum = |i: usize, j: usize| sums[i * (d + 1) + j] / n;
        Mat::from_fn(c, d, |i, j| sum(i, j) - sum(i, d) * w[(i, j)])
    }

    /// |E G(s) − E G(ν)| of each component, ν standard normal.
    pub(crate) fn distances_from_normal(&self, w: &Mat<f64>) -> Vec<f64> {
        let components = dense::product(self.whitened, w.transpose());
        let mean = |j: usize| {
            let values = components.col(j).iter().map(|s| self.contrast.value(*s));
            values.sum::<f64>() / components.nrows() as f64
        };
        (0..w.nrows()).map(|j| (mean(j) - self.contrast.of_normal()).abs()).collect()
    }
}

/// 1 − |a · b|.
fn change_between(a: faer::RowRef<'_, f64>, b: faer::RowRef<'_, f64>) -> f64 {
    (a.iter().zip(b.iter()).map(|(a, b)| a * b).sum::<f64>().abs() - 1.0).abs()
}

/// (W Wᵀ)^(−½) W: the orthogonal matrix nearest to W.
fn orthogonal(w: &Mat<f64>) -> Result<Mat<f64>, Error> {
    let (u, _, v) = dense::thin_svd(w.as_ref())?;
    Ok(dense::product(u.as_ref(), v.transpose()))
}

/// Makes row i orthogonal to the rows before it, and of length one.
fn orthonormalize(w: &mut Mat<f64>, i: usize) {
    // Twice for full accuracy.
    for _ in 0..2 {
        for l in 0..i {
            let along: f64 = w.row(i).iter().zip(w.row(l).iter()).map(|(a, b)| a * b).sum();
            for c in 0..w.ncols() {
                w[(i, c)] -= along * w[(l, c)];
            }
        }
        let norm = w.row(i).iter().map(|v| v * v).sum::<f64>().sqrt();
        if norm > 0.0 {
            w.row_mut(i).iter_mut().for_each(|v| *v /= norm);
        }
    }
}
