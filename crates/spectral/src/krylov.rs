//! Block Krylov iteration with thick restart.

use embedding::Error;
use faer::{Accum, Mat, MatRef};

use crate::{Operator, block, dense, orthonormal};

/// Where the wanted values span more than this, the rounding errors of the
/// images that hold the largest ones would drown the smallest after a restart;
/// the images are then computed afresh.
const WIDE: f64 = 1e5;

/// What is asked of the iteration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Demand {
    pub(crate) count: usize,
    pub(crate) goal: Goal,
    pub(crate) applications: usize,
}

/// When a pair has converged.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal {
    /// When its residual is at most this share of the operator's norm.
    Norm(f64),
    /// When its residual is at most this share of its eigenvalue; the iteration
    /// ends where pairs are distinct and rounding lets them come no closer.
    Value(f64),
    /// When its residual is at most this share of the operator's norm, and
    /// either small beside its eigenvalue or at rounding level.
    Distinct(f64),
}

/// A residual at most this share of an eigenvalue tells it from its neighbors
/// well enough for an embedding.
pub(crate) const DISTINCT: f64 = 1e-3;

impl Goal {
    /// The largest residual allowed for an eigenvalue of an operator.
    pub(crate) fn allowed(self, value: f64, norm: f64) -> f64 {
        match self {
            Self::Norm(share) => share * norm,
            Self::Value(share) => share * value.abs(),
            Self::Distinct(share) => {
                (share * norm).min((DISTINCT * value.abs()).max(16.0 * f64::EPSILON * norm))
            }
        }
    }
}

/// Leading pairs, descending.
pub(crate) struct Leading {
    /// The wanted values, then those of some more that need not have converged.
    pub(crate) values: Vec<f64>,
    /// Orthonormal, as many as values.
    pub(crate) vectors: Mat<f64>,
    /// The largest magnitude of any Ritz value: the norm of the operator.
    pub(crate) norm: f64,
    /// The worst residual of a wanted pair over what its goal allows.
    pub(crate) excess: f64,
    pub(crate) applications: usize,
}

/// The widths of the iteration for `count` pairs: the block, and the basis.
///
/// A block is wider than a small `count`, so that no multiplicity is missed and
/// the last wanted pair is well separated from the first that is not in it.
pub(crate) fn widths(count: usize) -> (usize, usize) {
    let block = (count + (count / 4).clamp(2, 8)).min(32);
    (block, count + 5 * block)
}

/// The `count` algebraically largest eigenpairs of `operator` on the
/// orthogonal complement of the columns of `locked`, which it must leave
/// invariant.
///
/// Rayleigh–Ritz on a growing orthonormal basis V of which the image AV is
/// kept. What V is extended by are the residuals of the leading pairs that
/// have not converged: without a preconditioner they span the block Krylov
/// space, and where rounding has drowned a direction of it, they are what is
/// left to find; with one this is Davidson's method (Morgan and Scott,
/// doi:10.1137/0907054). A full basis is restarted with its leading Ritz vectors.
/// `report` hears the excess after each block.
pub(crate) fn leading(
    operator: &dyn Operator,
    preconditioner: Option<&dyn Operator>,
    locked: MatRef<'_, f64>,
    start: Option<Mat<f64>>,
    demand: Demand,
    report: &mut dyn FnMut(f64) -> Result<(), Error>,
) -> Result<Leading, Error> {
    let Demand { count, goal, .. } = demand;
    let n = operator.order();
    let free = n - locked.ncols();
    let (width, capacity) = widths(count);
    let capacity = capacity.min(free);
    let (mut v, mut av) = (Mat::zeros(n, capacity), Mat::zeros(n, capacity));
    let mut ritz = Mat::<f64>::zeros(capacity, capacity);
    let (mut size, mut applications) = (0, 0);
    let mut stall = Stall { best: f64::INFINITY, at: 0 };
    let mut next = start.unwrap_or_else(|| preconditioned(preconditioner, block::random(n, width, 0)));
    loop {
        let mut fresh = orthonormal::complement(next, &[locked, v.get(.., ..size)]);
        if fresh.ncols() == 0 {
            let start = block::random(n, width, applications as u64 + 1);
            fresh = orthonormal::complement(start, &[locked, v.get(.., ..size)]);
        }
        let added = fresh.ncols().min(capacity - size);
        let fresh = fresh.get(.., ..added);
        v.get_mut(.., size..size + added).copy_from(fresh);
        operator.apply(fresh, av.get_mut(.., size..size + added));
        applications += 1;

        let coupling = block::cross(v.get(.., ..size + added), av.get(.., size..size + added));
        for j in 0..added {
            for i in 0..size + j + 1 {
                ritz[(i, size + j)] = coupling[(i, j)];
                ritz[(size + j, i)] = coupling[(i, j)];
            }
        }
        size += added;
        let (values, rotation) = descending(ritz.get(..size, ..size))?;
        let norm = values[0].abs().max(values[size - 1].abs());
        let kept = (count + width).min(size);
        let x = block::product(v.get(.., ..size), rotation.get(.., ..kept));
        let rest = outside(v.get(.., ..size), av.get(.., ..size), rotation.get(.., ..kept));
        let residuals = block::norms(rest.as_ref());
        let allowed = |j: usize| goal.allowed(values[j], norm);
        if size >= count {
            let excess = worst(&residuals[..count], allowed);
            report(excess)?;
            let stalled = stall.after(excess, applications, goal);
            if excess <= 1.0 || stalled || size == free || applications >= demand.applications {
                let values = values[..kept].to_vec();
                return Ok(Leading { values, vectors: x, norm, excess, applications });
            }
        }

        let open = (0..kept).filter(|&j| residuals[j] > allowed(j)).take(width);
        next = preconditioned(preconditioner, columns(&rest, &open.collect::<Vec<usize>>()));
        if size + width > capacity && size > kept {
            v.get_mut(.., ..kept).copy_from(&x);
            if values[0].abs() > WIDE * values[count - 1].abs() {
                operator.apply(x.as_ref(), av.get_mut(.., ..kept));
                applications += kept.div_ceil(width);
            } else {
                block::rotate(av.get_mut(.., ..size), rotation.get(.., ..kept));
            }
            ritz = Mat::from_fn(capacity, capacity, |i, j| if i == j && i < kept { values[i] } else { 0.0 });
            size = kept;
        }
    }
}

/// Applications without halving the excess after which rounding is at work.
const PATIENCE: usize = 25;

/// When the excess was last seen to halve.
struct Stall {
    best: f64,
    at: usize,
}

impl Stall {
    /// Whether pairs measured by their values are distinct and come no closer.
    fn after(&mut self, excess: f64, applications: usize, goal: Goal) -> bool {
        let Goal::Value(share) = goal else { return false };
        if excess < 0.5 * self.best {
            (self.best, self.at) = (excess, applications);
        }
        excess * share <= DISTINCT && applications > self.at + PATIENCE
    }
}

fn preconditioned(preconditioner: Option<&dyn Operator>, block: Mat<f64>) -> Mat<f64> {
    let Some(preconditioner) = preconditioner else { return block };
    let mut out = Mat::zeros(block.nrows(), block.ncols());
    preconditioner.apply(block.as_ref(), out.as_mut());
    out
}

/// The images of the Ritz vectors outside the span of the basis V: their
/// residuals, but for the asymmetry that rounding gives to the operator.
fn outside(v: MatRef<'_, f64>, av: MatRef<'_, f64>, rotation: MatRef<'_, f64>) -> Mat<f64> {
    let mut rest = block::product(av, rotation);
    for _ in 0..2 {
        let inside = block::cross(v, rest.as_ref());
        block::combine(rest.as_mut(), Accum::Add, v, inside.as_ref(), -1.0);
    }
    rest
}

fn columns(a: &Mat<f64>, which: &[usize]) -> Mat<f64> {
    Mat::from_fn(a.nrows(), which.len(), |i, j| a[(i, which[j])])
}

/// Eigenpairs of a small symmetric matrix, descending.
fn descending(a: MatRef<'_, f64>) -> Result<(Vec<f64>, Mat<f64>), Error> {
    let (mut values, vectors) = dense::symmetric_eigen(a)?;
    values.reverse();
    Ok((values, vectors.reverse_cols().to_owned()))
}

/// The largest residual over its scale, 0 where the residual is; NaN if any is
/// NaN.
pub(crate) fn worst(residuals: &[f64], scale: impl Fn(usize) -> f64) -> f64 {
    let ratio = |j: usize| if residuals[j] == 0.0 { 0.0 } else { residuals[j] / scale(j) };
    embedding::maximum(std::iter::once(0.0).chain((0..residuals.len()).map(ratio)))
}

#[cfg(test)]
mod tests {
    use super::worst;

    #[test]
    fn a_residual_that_is_no_number_is_not_overlooked() {
        assert_eq!(worst(&[1.0, 3.0, 0.0], |j| j as f64), f64::INFINITY);
        assert_eq!(worst(&[1.0, 3.0, 0.0], |j| j as f64 + 1.0), 1.5);
        assert_eq!(worst(&[], |_| 1.0), 0.0);
        for at in 0..3 {
            let mut residuals = [1.0, 2.0, 3.0];
            residuals[at] = f64::NAN;
            assert!(worst(&residuals, |_| 1.0).is_nan(), "{at}");
        }
    }
}
