//! Affine weights that reconstruct one point from others.

use faer::traits::pulp::{Arch, NullaryFnOnce};

use crate::chart::Chart;

/// Workspace for a sequence of local problems.
#[derive(Debug, Default)]
pub(crate) struct Barycenter {
    gram: Vec<f64>,
}

impl Barycenter {
    /// Solves (G + R I) w = 1 for the Gram matrix G of a chart's rows, with R =
    /// `regularization` · tr G (or `regularization` itself if the trace is zero), and
    /// scales w to sum 1. O(k² D + k³).
    ///
    /// Returns `None` if the matrix is not positive definite in floating point.
    pub(crate) fn solve(&mut self, chart: &Chart, regularization: f64, w: &mut [f64]) -> Option<()> {
        let k = w.len();
        let g = self.gram_of(chart);
        let trace: f64 = (0..k).map(|a| g[a * k + a]).sum();
        let r = if trace > 0.0 { regularization * trace } else { regularization };
        for a in 0..k {
            g[a * k + a] += r;
        }
        affine(g, w)
    }

    /// As [`Barycenter::solve`], with R = `regularization` · k · diag G in place of a multiple
    /// of the identity of the same trace. As the length δ of a row vanishes, its weight is
    /// 1 − O(δ), and 1 where it is zero (the first of several).
    pub(crate) fn interpolate(&mut self, chart: &Chart, regularization: f64, w: &mut [f64]) -> Option<()> {
        let k = w.len();
        let g = self.gram_of(chart);
        if let Some(zero) = (0..k).find(|a| g[a * k + a] == 0.0) {
            w.fill(0.0);
            w[zero] = 1.0;
            return Some(());
        }
        for a in 0..k {
            g[a * k + a] *= 1.0 + regularization * k as f64;
        }
        affine(g, w)
    }

    /// The lower triangle of the Gram matrix of a chart's rows.
    fn gram_of(&mut self, chart: &Chart) -> &mut [f64] {
        let k = chart.len();
        self.gram.resize(k * k, 0.0);
        let g = &mut self.gram[..k * k];
        Arch::new().dispatch(Gram { rows: chart.rows(), dim: chart.dim(), g });
        g
    }
}

/// Solves G w = 1 and scales w to sum 1.
fn affine(g: &mut [f64], w: &mut [f64]) -> Option<()> {
    w.fill(1.0);
    solve_spd_in_place(g, w)?;
    let total: f64 = w.iter().sum();
    w.iter_mut().for_each(|v| *v /= total);
    w.iter().all(|v| v.is_finite()).then_some(())
}

/// The lower triangle of the Gram matrix of some rows.
struct Gram<'a> {
    rows: &'a [f64],
    dim: usize,
    g: &'a mut [f64],
}

// A named type: a closure would be compiled for the baseline instruction set only.
impl NullaryFnOnce for Gram<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let k = self.rows.len() / self.dim;
        for (a, x) in self.rows.chunks_exact(self.dim).enumerate() {
            for (b, y) in self.rows.chunks_exact(self.dim).take(a + 1).enumerate() {
                self.g[a * k + b] = dot(x, y);
            }
        }
    }
}

/// Computes x ← A⁻¹ x by Cholesky for symmetric positive definite A, whose lower triangle
/// is overwritten. `None` if a pivot is not positive.
fn solve_spd_in_place(a: &mut [f64], x: &mut [f64]) -> Option<()> {
    let k = x.len();
    for i in 0..k {
        let (above, row) = a.split_at_mut(i * k);
        for j in 0..i {
            let other = &above[j * k..j * k + j];
            let inner: f64 = row[..j].iter().zip(other).map(|(p, q)| p * q).sum();
            row[j] = (row[j] - inner) / above[j * k + j];
        }
        let pivot = row[i] - row[..i].iter().map(|v| v * v).sum::<f64>();
        if pivot.is_nan() || pivot <= 0.0 {
            return None;
        }
        row[i] = pivot.sqrt();
    }
    for i in 0..k {
        let inner: f64 = a[i * k..i * k + i].iter().zip(&*x).map(|(l, v)| l * v).sum();
        x[i] = (x[i] - inner) / a[i * k + i];
    }
    for i in (0..k).rev() {
        let inner: f64 = (i + 1..k).map(|j| a[j * k + i] * x[j]).sum();
        x[i] = (x[i] - inner) / a[i * k + i];
    }
    Some(())
}

/// Returns the inner product, summed in eight lanes: the same result on every processor,
/// and suited to vectorization.
#[inline(always)]
pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
    let (xs, x_rest) = x.as_chunks::<8>();
    let (ys, y_rest) = y.as_chunks::<8>();
    let mut lanes = [0.0; 8];
    for (a, b) in xs.iter().zip(ys) {
        for lane in 0..8 {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    let rest: f64 = x_rest.iter().zip(y_rest).map(|(a, b)| a * b).sum();
    lanes.iter().sum::<f64>() + rest
}
