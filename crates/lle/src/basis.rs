//! The bottom eigenvectors of an alignment matrix.

use embedding::{Access, Error, MemoryLimit, N_LESS_1, Observer, Parameter, Range, Sizes};
use faer::Mat;
use serde::{Deserialize, Serialize};
use spectral::{Pairs, Smallest, Sparse, Tolerance, canonical_signs, smallest};

use crate::weights::alignment;

/// How long a coordinate column is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scale {
    /// Variance one in every direction: YᵀY = n I, as in the paper.
    #[default]
    UnitCovariance,
    /// Columns of norm one: YᵀY = I.
    UnitNorm,
}

embedding::words!(Scale { UnitCovariance = "unit-covariance", UnitNorm = "unit-norm" });

impl Scale {
    /// The parameter `scale` of a recipe with this field.
    pub fn parameter<R: 'static>(access: Access<R, Self>) -> Parameter<R> {
        Parameter::new("scale", "length of a coordinate column", access)
    }

    /// The norm of a column for n points.
    pub fn norm(self, n: usize) -> f64 {
        match self {
            Self::UnitCovariance => (n as f64).sqrt(),
            Self::UnitNorm => 1.0,
        }
    }
}

/// The `count` smallest eigenpairs of an alignment matrix M beside the constant
/// vector, ascending; columns are centered, orthonormal and of canonical sign.
///
/// The constant, which M is known to annihilate, is deflated: it cannot come
/// back in a mixture with other small eigenvectors, and no vector is dropped by
/// its position. Any 1 ≤ `count` < n, whatever the dimension of the data.
/// `factor` is B with M = BᵀB (for locally linear embedding [`crate::residual_map`])
/// and keeps tiny eigenvalues accurate; without it, pass `None`.
///
/// Stage `"eigenvectors"`. One sparse factorization and a few solves per vector.
pub fn spectral_basis(
    matrix: &Sparse,
    factor: Option<&Sparse>,
    count: usize,
    tolerance: Tolerance,
    memory_limit: MemoryLimit,
    observer: &dyn Observer,
) -> Result<Pairs, Error> {
    let n = matrix.nrows();
    check_dim(count, n)?;
    observer.stage("eigenvectors");
    let null = Mat::from_fn(n, 1, |_, _| 1.0 / (n as f64).sqrt());
    let problem = Smallest { matrix, factor, null: &null, count, tolerance, memory_limit };
    smallest(problem, observer)
}

/// The `count` smallest eigenpairs of M = BᵀB, B = I − W ([`crate::residual_map`]),
/// as [`spectral_basis`].
///
/// Points are renumbered breadth first before M is formed, so that points that
/// share a neighborhood are close in memory.
///
/// Stages `"alignment"`, `"eigenvectors"`.
pub fn residual_basis(
    residual_map: &Sparse,
    count: usize,
    tolerance: Tolerance,
    memory_limit: MemoryLimit,
    observer: &dyn Observer,
) -> Result<Pairs, Error> {
    check_dim(count, residual_map.nrows())?;
    let order = residual_map.breadth_first();
    let b = residual_map.reordered(&order);
    let m = alignment(&b, observer)?;
    Ok(restored(spectral_basis(&m, Some(&b), count, tolerance, memory_limit, observer)?, &order))
}

/// The pairs of a matrix from those of the same matrix in the order of a permutation.
fn restored(pairs: Pairs, order: &[u32]) -> Pairs {
    let mut vectors = Mat::zeros(order.len(), pairs.vectors.ncols());
    for j in 0..vectors.ncols() {
        order.iter().enumerate().for_each(|(new, &old)| vectors[(old as usize, j)] = pairs.vectors[(new, j)]);
    }
    canonical_signs(vectors.as_mut());
    Pairs { vectors, ..pairs }
}

pub(crate) fn check_dim(dim: usize, n: usize) -> Result<(), Error> {
    if n < 2 {
        return Err(Error::TooFewPoints { what: "a locally linear embedding", needed: 2, got: n });
    }
    DIM.check("dim", dim as f64, &Sizes { points: Some(n), ..Sizes::default() }, &dim)
}

/// Legal numbers of eigenvectors.
pub(crate) const DIM: Range = Range::from_one_to(N_LESS_1);
