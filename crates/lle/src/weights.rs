//! Reconstruction weights: each point as an affine combination of its neighbors.

use embedding::implement::{PairDistances, Range, Sizes, inner_product};
use embedding::{Error, Observer};
use faer::traits::pulp::{Arch, NullaryFnOnce};
use neighbor_graph::Neighbors;
use spectral::Sparse;

use crate::chart::Chart;
use crate::per_point::{cut, each_point};

/// Computes the matrix W with xᵢ ≈ Σⱼ wᵢⱼ xⱼ over the neighbors j of i, with rows of sum
/// one.
///
/// Minimizes |xᵢ − Σⱼ wᵢⱼ xⱼ|² + R |wᵢ|² with R = `regularization` · tr G, where G is the
/// Gram matrix of the differences xⱼ − xᵢ (R = `regularization` if all neighbors coincide
/// with the point). W is invariant under rotation, scaling and translation of the data.
/// Lists may have different lengths. For an [`embedding::DistanceMatrix`] instead of points, G has the
/// entries ½ (dᵢⱼ² + dᵢₗ² − dⱼₗ²), by classical scaling of the point and its neighbors; negative eigenvalues,
/// which non-Euclidean distances have, are dropped.
///
/// Stage `"weights"`. O(n k² (D + k)) time, in parallel; n k numbers. O(n k³) for distances.
///
/// Fails if `regularization` is not finite and positive, if the number of lists differs
/// from the number of points, if a list is empty, or if a local system is numerically
/// singular (regularization below rounding level).
///
/// ```
/// use embedding::{Points, Silent};
/// use neighbor_graph::NeighborSearch;
/// let line = [0.0, 1.0, 2.0, 3.0];
/// let points = Points::new(&line, 1)?;
/// let neighbors = NeighborSearch::nearest(2).find(points)?;
/// let w = lle::steps::weights(points, &neighbors, 1e-3, &Silent)?;
/// // The midpoint of its two neighbors.
/// let (js, ws) = w.row(1);
/// assert_eq!(js, [0, 2]);
/// assert!(ws.iter().all(|w| (w - 0.5).abs() < 1e-12));
/// # Ok::<(), embedding::Error>(())
/// ```
pub fn weights<'a>(
    distances: impl Into<PairDistances<'a>>,
    neighbors: &Neighbors,
    regularization: f64,
    observer: &dyn Observer,
) -> Result<Sparse, Error> {
    let distances = distances.into();
    let n = distances.len();
    check_regularization(regularization)?;
    require_neighbors(n, neighbors, 1, "locally linear embedding")?;
    observer.stage("weights");
    let degrees = || (0..n).map(|i| neighbors.indices_of(i).len());
    let offsets = std::iter::once(0)
        .chain(degrees().scan(0, |sum, k| {
            *sum += k;
            Some(*sum)
        }))
        .collect();
    let mut columns = vec![0_u32; neighbors.edge_count()];
    let mut values = vec![0.0; neighbors.edge_count()];
    let mut rows: Vec<_> =
        cut(&mut columns, degrees()).into_iter().zip(cut(&mut values, degrees())).collect();
    let scratch = || (Chart::default(), LocalWeights::default());
    each_point(&mut rows, observer, scratch, |(chart, solver), i, (js, w)| {
        js.copy_from_slice(neighbors.indices_of(i));
        js.sort_unstable();
        chart.around(distances, i, js);
        solver.solve(chart, regularization, w).ok_or_else(|| singular(format!("point {i}"), regularization))
    })?;
    Ok(Sparse::from_parts(n, offsets, columns, values))
}

/// Solves for the weights of one point at a time; workspace is reused.
#[derive(Debug, Default)]
pub(crate) struct LocalWeights {
    gram: Vec<f64>,
}

impl LocalWeights {
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

    /// As [`LocalWeights::solve`], with R = `regularization` · k · diag G instead of a multiple
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

impl NullaryFnOnce for Gram<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let k = self.rows.len() / self.dim;
        for (a, x) in self.rows.chunks_exact(self.dim).enumerate() {
            for (b, y) in self.rows.chunks_exact(self.dim).take(a + 1).enumerate() {
                self.g[a * k + b] = inner_product(x, y);
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

pub(crate) fn check_regularization(regularization: f64) -> Result<(), Error> {
    REGULARIZATION.check("reg", regularization, &Sizes::default(), &regularization)
}

/// Legal regularizations.
const REGULARIZATION: Range = Range::positive();

/// Fails unless there is one list per point and every list has at least `least`
/// neighbors.
pub(crate) fn require_neighbors(
    n: usize,
    neighbors: &Neighbors,
    least: usize,
    method: &'static str,
) -> Result<(), Error> {
    if neighbors.len() != n {
        return Err(Error::Shape {
            what: "the number of neighbor lists",
            expected: format!("{n}, the number of points"),
            got: neighbors.len().to_string(),
        });
    }
    match (0..n).find(|&i| neighbors.indices_of(i).len() < least) {
        None => Ok(()),
        Some(i) => Err(Error::degenerate(
            format!(
                "{method} needs at least {least} neighbors of every point, but point {i} has {}",
                neighbors.indices_of(i).len()
            ),
            "use more neighbors or a larger radius",
        )),
    }
}

pub(crate) fn singular(whose: String, regularization: f64) -> Error {
    Error::degenerate(
        format!(
            "the local system of {whose} is singular in floating point with regularization {regularization:e}"
        ),
        "increase the regularization, or rescale values near the limits of floating point",
    )
}
