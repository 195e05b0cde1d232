//! Block Krylov iteration with thick restart.

use embedding::Error;
use faer::{Accum, Mat, MatRef};

use crate::progress::Progress;
use crate::{Operator, block, dense, orthonormal};

/// What is asked of the iteration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Demand {
    pub(crate) count: usize,
    pub(crate) residual: f64,
    pub(crate) relative_to: Scale,
    pub(crate) applications: usize,
}

/// What a residual is measured against.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scale {
    /// The norm of the operator.
    Norm,
    /// The eigenvalue itself.
    Value,
}

/// Leading pairs, descending.
pub(crate) struct Leading {
    pub(crate) values: Vec<f64>,
    pub(crate) vectors: Mat<f64>,
    /// The largest magnitude of any Ritz value: the norm of the operator.
    pub(crate) norm: f64,
    /// The worst residual over its scale.
    pub(crate) residual: f64,
    pub(crate) applications: usize,
}

/// The widths of the iteration for `count` pairs: the block, and the basis
/// that is kept between restarts.
///
/// The block is wider than `count`, so that no multiplicity up to `count` is
/// missed and the last wanted pair is separated from the rest.
pub(crate) fn widths(count: usize) -> (usize, usize) {
    let block = count + (count / 4).clamp(2, 8);
    (block, 6 * block)
}

/// The `count` algebraically largest eigenpairs of `operator` on the
/// orthogonal complement of the columns of `locked`, which it must leave
/// invariant.
///
/// Rayleigh–Ritz on the block Krylov space of a fixed random start; the basis
/// V and its image AV are both kept, every new block is orthogonalized against
/// all of V, and the Ritz residuals are computed, not estimated. A full basis
/// is restarted with its leading Ritz vectors.
pub(crate) fn leading(
    operator: &dyn Operator,
    locked: MatRef<'_, f64>,
    demand: Demand,
    progress: &mut Progress<'_>,
) -> Result<Leading, Error> {
    let n = operator.order();
    let (width, capacity) = widths(demand.count);
    let capacity = capacity.min(n - locked.ncols());
    let (mut v, mut av) = (Mat::zeros(n, capacity), Mat::zeros(n, capacity));
    let mut ritz = Mat::<f64>::zeros(capacity, capacity);
    let (mut size, mut applications) = (0, 0);
    let mut next = block::random(n, width, 0);
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
        let (values, vectors) = descending(ritz.get(..size, ..size))?;
        let norm = values[0].abs().max(values[size - 1].abs());
        if !norm.is_finite() {
            return Err(Error::degenerate(
                "the operator of an eigenproblem returned a value that is not finite",
                "check the scale of the data",
            ));
        }
        if size >= demand.count {
            let wanted = vectors.get(.., ..demand.count);
            let x = block::product(v.get(.., ..size), wanted);
            let image = block::product(av.get(.., ..size), wanted);
            let worst =
                worst(
                    &block::residuals(image.as_ref(), x.as_ref(), &values[..demand.count]),
                    |j| match demand.relative_to {
                        Scale::Norm => norm,
                        Scale::Value => values[j].abs(),
                    },
                );
            progress.report(worst / demand.residual, demand.residual)?;
            let exhausted = size == n - locked.ncols();
            if worst <= demand.residual || exhausted || applications >= demand.applications {
                let mut values = values;
                values.truncate(demand.count);
                return Ok(Leading { values, vectors: x, norm, residual: worst, applications });
            }
        }

        next = av.get(.., size - added..size).to_owned();
        if size + width > capacity {
            next = orthonormal::complement(next, &[locked, v.get(.., ..size)]);
            let kept = (demand.count + width).min(size);
            block::rotate(v.get_mut(.., ..size), vectors.get(.., ..kept));
            block::rotate(av.get_mut(.., ..size), vectors.get(.., ..kept));
            ritz = Mat::from_fn(capacity, capacity, |i, j| if i == j && i < kept { values[i] } else { 0.0 });
            size = kept;
        }
    }
}

/// Eigenpairs of a small symmetric matrix, descending.
fn descending(a: MatRef<'_, f64>) -> Result<(Vec<f64>, Mat<f64>), Error> {
    let (mut values, vectors) = dense::symmetric_eigen(a)?;
    values.reverse();
    Ok((values, vectors.reverse_cols().to_owned()))
}

/// The largest residual over its scale; 0 where both vanish.
pub(crate) fn worst(residuals: &[f64], scale: impl Fn(usize) -> f64) -> f64 {
    let ratio = |j: usize| if residuals[j] == 0.0 { 0.0 } else { residuals[j] / scale(j) };
    (0..residuals.len()).map(ratio).fold(0.0, f64::max)
}
