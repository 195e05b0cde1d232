//! Block Krylov iteration with thick restart.

use embedding::Error;
use faer::{Accum, Mat, MatRef};

use crate::{Operator, block, dense, orthonormal};

/// Ratio of the largest to the smallest wanted value above which images are recomputed
/// after a restart: otherwise rounding errors of the images of the largest would exceed
/// the smallest.
const WIDE: f64 = 1e5;

/// The number of eigenpairs wanted, their convergence criterion, and the work allowed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Demand {
    pub(crate) count: usize,
    pub(crate) goal: Goal,
    pub(crate) applications: usize,
}

/// The convergence criterion of a pair.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal {
    /// The residual is at most this fraction of the operator's norm.
    Norm(f64),
    /// The residual is at most this fraction of the eigenvalue. The iteration also ends
    /// if all pairs are distinct and rounding prevents smaller residuals.
    Value(f64),
    /// The residual is at most this fraction of the operator's norm and, in addition,
    /// either small relative to the eigenvalue or at rounding level.
    Distinct(f64),
}

/// The largest residual, relative to the eigenvalue, at which neighboring eigenvalues are
/// distinguished well enough for an embedding.
pub(crate) const DISTINCT: f64 = 1e-3;

impl Goal {
    /// Returns the largest residual allowed for an eigenvalue of an operator of the given
    /// norm.
    pub(crate) fn allowed(self, value: f64, norm: f64) -> f64 {
        match self {
            Self::Norm(fraction) => fraction * norm,
            Self::Value(fraction) => fraction * value.abs(),
            Self::Distinct(fraction) => {
                (fraction * norm).min((DISTINCT * value.abs()).max(16.0 * f64::EPSILON * norm))
            }
        }
    }
}

/// Leading pairs in descending order.
pub(crate) struct Leading {
    /// The wanted values, followed by additional ones that need not have converged.
    pub(crate) values: Vec<f64>,
    /// Orthonormal vectors, one per value.
    pub(crate) vectors: Mat<f64>,
    /// The largest magnitude of any Ritz value: an estimate of the operator's norm.
    pub(crate) norm: f64,
    /// The largest ratio of a wanted pair's residual to its allowed residual.
    pub(crate) excess: f64,
    pub(crate) applications: usize,
}

/// Returns the block size and the largest basis size for `count` pairs.
///
/// For small `count` the block is larger than `count`, so that multiple eigenvalues are
/// found and the last wanted pair is well separated from the first pair outside the
/// block.
pub(crate) fn widths(count: usize) -> (usize, usize) {
    let block = (count + (count / 4).clamp(2, 8)).min(32);
    (block, count + 5 * block)
}

/// Computes the `count` algebraically largest eigenpairs of `operator` on the orthogonal
/// complement of the columns of `locked`, which must be an invariant subspace.
///
/// Rayleigh–Ritz on a growing orthonormal basis V with stored image AV. V is extended by
/// the residuals of the leading pairs that have not converged: without a preconditioner
/// they span the block Krylov space and also recover directions lost to rounding; with a
/// preconditioner this is Davidson's method (Morgan and Scott, doi:10.1137/0907054). A
/// full basis is restarted with its leading Ritz vectors. `report` receives the excess
/// after each block.
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
        let (values, rotation) = dense::leading_eigen(ritz.get(..size, ..size), size)?;
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

/// Applications without halving of the excess after which rounding is assumed to prevent
/// further progress.
const PATIENCE: usize = 25;

/// The best excess so far and when it was reached.
struct Stall {
    best: f64,
    at: usize,
}

impl Stall {
    /// Returns whether the excess has stalled although all pairs are distinct
    /// ([`Goal::Value`] only).
    fn after(&mut self, excess: f64, applications: usize, goal: Goal) -> bool {
        let Goal::Value(fraction) = goal else { return false };
        if excess < 0.5 * self.best {
            (self.best, self.at) = (excess, applications);
        }
        excess * fraction <= DISTINCT && applications > self.at + PATIENCE
    }
}

fn preconditioned(preconditioner: Option<&dyn Operator>, block: Mat<f64>) -> Mat<f64> {
    let Some(preconditioner) = preconditioner else { return block };
    let mut out = Mat::zeros(block.nrows(), block.ncols());
    preconditioner.apply(block.as_ref(), out.as_mut());
    out
}

/// Returns the components of the Ritz vectors' images outside the span of the basis V:
/// their residuals, up to the asymmetry that rounding introduces in the operator.
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

/// The largest residual over its scale, 0 where the residual is; NaN if any is
/// NaN.
pub(crate) fn worst(residuals: &[f64], scale: impl Fn(usize) -> f64) -> f64 {
    let ratio = |j: usize| if residuals[j] == 0.0 { 0.0 } else { residuals[j] / scale(j) };
    embedding::implement::maximum(std::iter::once(0.0).chain((0..residuals.len()).map(ratio)))
}

/// Divides residuals by the norm of the operator; zero residuals stay zero.
pub(crate) fn relative(residuals: &mut [f64], norm: f64) {
    residuals.iter_mut().filter(|r| **r != 0.0).for_each(|r| *r /= norm);
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use faer::{Mat, MatMut, MatRef};

    use super::{DISTINCT, Demand, Goal, PATIENCE, Stall, leading, outside, widths, worst};
    use crate::{Operator, block};

    #[test]
    fn a_small_eigenvalue_is_distinguished_down_to_rounding() {
        let goal = Goal::Distinct(1e-4);
        assert_eq!(goal.allowed(0.5, 2.0), 2e-4);
        assert_eq!(goal.allowed(-1e-3, 2.0), DISTINCT * 1e-3);
        assert_eq!(goal.allowed(1e-14, 2.0), 32.0 * f64::EPSILON);
    }

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

    #[test]
    fn an_iteration_without_progress_ends_where_its_pairs_are_distinct() {
        let goal = Goal::Value(1e-6);
        let fresh = || Stall { best: f64::INFINITY, at: 0 };
        let mut stall = fresh();
        assert!(!stall.after(100.0, 3, goal), "the first excess is progress");
        // Less than half is progress, half is not.
        assert!(!stall.after(49.0, 20, goal));
        assert!(!stall.after(24.5, 20 + PATIENCE, goal));
        assert!(stall.after(24.5, 21 + PATIENCE, goal));
        // Above this excess the pairs are not distinct, and the iteration continues.
        let most = DISTINCT / 1e-6;
        for (excess, ends) in [(0.9 * most, true), (1.1 * most, false)] {
            let mut stall = fresh();
            assert!(!stall.after(excess, 1, goal));
            assert_eq!(stall.after(excess, 500, goal), ends, "{excess}");
        }
        assert!(!Stall { best: 1.0, at: 0 }.after(1.0, 500, Goal::Norm(1e-6)));
    }

    #[test]
    fn residuals_are_orthogonal_to_the_basis() {
        let v = crate::orthonormal::complement(block::random(60, 4, 1), &[]);
        let rotation = block::random(4, 3, 3);
        // Images nearly within the span; one projection leaves rounding errors of them.
        let inside = block::product(v.as_ref(), block::random(4, 4, 4).as_ref());
        let outer = block::random(60, 4, 2);
        let av = Mat::from_fn(60, 4, |i, j| 1e8 * inside[(i, j)] + outer[(i, j)]);
        let rest = outside(v.as_ref(), av.as_ref(), rotation.as_ref());
        let left = block::cross(v.as_ref(), rest.as_ref()).norm_max();
        assert!(left < 1e-13 * rest.norm_max(), "{left:e}");
        let expected = outside(v.as_ref(), outer.as_ref(), rotation.as_ref());
        assert!((rest - &expected).norm_max() < 1e-6 * expected.norm_max());
    }

    /// A diagonal, and how many vectors it was applied to each time.
    struct Diagonal(Vec<f64>, Mutex<Vec<usize>>);

    impl Operator for Diagonal {
        fn order(&self) -> usize {
            self.0.len()
        }

        fn apply(&self, x: MatRef<'_, f64>, mut out: MatMut<'_, f64>) {
            self.1.lock().expect("no product panics").push(x.ncols());
            for j in 0..x.ncols() {
                for i in 0..x.nrows() {
                    out[(i, j)] = self.0[i] * x[(i, j)];
                }
            }
        }
    }

    /// Images are recomputed after a restart, also where all values are small; each application counts.
    #[test]
    fn values_far_below_the_largest_one_converge() {
        let n = 600;
        for unit in [1.0, 1e-11] {
            let value = |i: usize| if i == 0 { 1e11 } else { 3.0 - 2.9 * (i as f64 / n as f64).sqrt() };
            let operator = Diagonal((0..n).map(|i| unit * value(i)).collect(), Mutex::default());
            let demand = Demand { count: 4, goal: Goal::Value(1e-7), applications: 150 };
            let none = Mat::zeros(n, 0);
            let found = leading(&operator, None, none.as_ref(), None, demand, &mut |_| Ok(()));
            let found = found.expect("a diagonal is finite");
            assert!(found.excess <= 1.0, "{unit:e}: {} after {}", found.excess, found.applications);
            // Up to rounding of the largest one.
            for (j, found) in found.values[..4].iter().enumerate() {
                assert!((found / (unit * value(j)) - 1.0).abs() < 1e-4, "{unit:e}: {found:e}");
            }
            let calls = operator.1.into_inner().expect("no product panics");
            let (width, capacity) = widths(4);
            assert!(calls.len() * width > 2 * capacity, "the test needs restarts");
            assert!(calls.iter().any(|columns| *columns > width), "images are recomputed");
            assert_eq!(found.applications, calls.iter().map(|c| c.div_ceil(width)).sum::<usize>());
        }
    }
}
