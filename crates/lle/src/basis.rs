//! The bottom eigenvectors of an alignment matrix.

use embedding::implement::{N_LESS_1, Range, Sizes};
use embedding::{Error, MemoryLimit, Observer};
use faer::Mat;
use serde::{Deserialize, Serialize};
use spectral::{Pairs, Smallest, Sparse, Tolerance, canonical_signs, smallest};

use crate::alignment::alignment;

/// The length of a coordinate column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ColumnNorm {
    /// Variance one in every direction: YᵀY = n I, as in the paper.
    #[default]
    UnitCovariance,
    /// Columns of norm one: YᵀY = I.
    UnitNorm,
}

embedding::words!(ColumnNorm { UnitCovariance = "unit-covariance", UnitNorm = "unit-norm" });

impl ColumnNorm {
    /// The norm of a column for n points.
    pub fn norm(self, n: usize) -> f64 {
        match self {
            Self::UnitCovariance => (n as f64).sqrt(),
            Self::UnitNorm => 1.0,
        }
    }
}

/// The eigenproblem of an alignment matrix M that gives the coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Normalization {
    /// M y = λ y, as in the papers.
    #[default]
    None,
    /// M y = λ D y, D the diagonal of M divided by its mean.
    Diagonal,
}

embedding::words!(Normalization { None = "none", Diagonal = "diagonal" });

/// The pairs of [`spectral_basis`] for the eigenproblem of a normalization.
///
/// With [`Normalization::Diagonal`] every indicator of a single point has the Rayleigh quotient 1, so that no
/// eigenvector can be confined to a point that few neighborhoods contain. The eigenproblem is solved for
/// D^(−½) M D^(−½); values and residuals refer to this matrix, and the vectors D^(−½) z are centered and
/// orthonormalized. A null space of M next to the constant is the same either way.
///
/// Fails with [`Error::Degenerate`] if a diagonal entry is zero to rounding: then the
/// coordinates of that point are arbitrary.
pub(crate) fn normalized_basis(
    matrix: &Sparse,
    normalization: Normalization,
    count: usize,
    tolerance: Tolerance,
    memory_limit: MemoryLimit,
    observer: &dyn Observer,
) -> Result<Pairs, Error> {
    let n = matrix.nrows();
    if normalization == Normalization::None || n < 2 {
        return spectral_basis(matrix, None, count, tolerance, memory_limit, observer);
    }
    check_dim(count, n)?;
    observer.stage("eigenvectors");
    let mean = matrix.trace() / n as f64;
    let mut roots = Vec::with_capacity(n);
    for i in 0..n {
        let (js, values) = matrix.row(i);
        let own = js.binary_search(&(i as u32)).map_or(0.0, |at| values[at]);
        if own <= n as f64 * f64::EPSILON * mean {
            return Err(Error::degenerate(
                format!("the neighborhoods that contain point {i} do not determine its coordinates"),
                "use more neighbors, or normalization=none",
            ));
        }
        roots.push((own / mean).sqrt());
    }
    let scaled = |i: usize| {
        let (js, values) = matrix.row(i);
        js.iter().zip(values).map(|(&j, v)| (j, v / (roots[i] * roots[j as usize]))).collect()
    };
    let scaled = Sparse::from_rows(n, (0..n).map(scaled).collect())?;
    let norm = roots.iter().map(|r| r * r).sum::<f64>().sqrt();
    let null = Mat::from_fn(n, 1, |i, _| roots[i] / norm);
    let memory_limit = memory_limit.beside(matrix.bytes());
    let problem = Smallest { matrix: &scaled, factor: None, null: &null, count, tolerance, memory_limit };
    let pairs = smallest(problem, observer)?;
    let mut vectors = Mat::from_fn(n, count, |i, j| pairs.vectors[(i, j)] / roots[i]);
    orthonormalize_columns(&mut vectors);
    canonical_signs(vectors.as_mut());
    Ok(Pairs { vectors, ..pairs })
}

/// Centers the columns and orthonormalizes them from the left, twice for full accuracy.
fn orthonormalize_columns(columns: &mut Mat<f64>) {
    let n = columns.nrows();
    for _ in 0..2 {
        for j in 0..columns.ncols() {
            let mean = (0..n).map(|i| columns[(i, j)]).sum::<f64>() / n as f64;
            (0..n).for_each(|i| columns[(i, j)] -= mean);
            for l in 0..j {
                let along: f64 = (0..n).map(|i| columns[(i, l)] * columns[(i, j)]).sum();
                (0..n).for_each(|i| columns[(i, j)] -= along * columns[(i, l)]);
            }
            let norm = (0..n).map(|i| columns[(i, j)].powi(2)).sum::<f64>().sqrt();
            (0..n).for_each(|i| columns[(i, j)] /= norm);
        }
    }
}

/// The `count` smallest eigenpairs of an alignment matrix M except the constant vector, ascending; columns
/// are centered, orthonormal and of canonical sign.
///
/// The constant, which M is known to annihilate, is deflated: it cannot come
/// back in a mixture with other small eigenvectors, and no vector is dropped by
/// its position. Any 1 ≤ `count` < n, whatever the dimension of the data.
/// `factor` is B with M = BᵀB (for locally linear embedding [`crate::steps::residual_map`])
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

/// Fails unless an alignment matrix M (`None` before it is assembled) fits the memory limit: M twice, as it
/// is joined from parts, plus `assembling` bytes.
pub(crate) fn allow_alignment(limit: MemoryLimit, assembling: u64, m: Option<&Sparse>) -> Result<(), Error> {
    let matrices = m.map_or(0, |m| 2 * m.bytes());
    let needed = assembling.saturating_add(matrices);
    limit.allow("the alignment matrix", needed, "use fewer points or neighbors, or allow more memory")
}

/// The `count` smallest eigenpairs of M = BᵀB, B = I − W ([`crate::steps::residual_map`]),
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
    let limit = memory_limit.beside(residual_map.bytes());
    Ok(restored(spectral_basis(&m, Some(&b), count, tolerance, limit, observer)?, &order))
}

/// The eigenpairs of a matrix from the eigenpairs of the same matrix in the order of a permutation.
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

#[cfg(test)]
mod tests {
    use embedding::Silent;

    use super::*;

    /// The path of two points: its one vector except the constant is their difference.
    #[test]
    fn two_points_have_one_vector() -> Result<(), Error> {
        let row = |a: f64, b: f64| vec![(0, a), (1, b)];
        let path = Sparse::from_rows(2, vec![row(1.0, -1.0), row(-1.0, 1.0)])?;
        for normalization in [Normalization::None, Normalization::Diagonal] {
            let (tolerance, limit) = (Tolerance::default(), MemoryLimit::default());
            let pairs = normalized_basis(&path, normalization, 1, tolerance, limit, &Silent)?;
            assert!((pairs.values[0] - 2.0).abs() < 1e-12, "{normalization:?}: {:?}", pairs.values);
            assert!((pairs.vectors[(0, 0)] + pairs.vectors[(1, 0)]).abs() < 1e-12);
            assert!((pairs.vectors[(0, 0)].abs() - 0.5_f64.sqrt()).abs() < 1e-12);
        }
        Ok(())
    }

    /// The workspace of the assembly, and the matrix twice.
    #[test]
    fn an_alignment_is_allowed_what_it_takes_and_no_less() -> Result<(), Error> {
        let one = Sparse::from_rows(3, (0..3).map(|i| vec![(i, 1.0)]).collect())?;
        for (matrix, needed) in [(None, 1000), (Some(&one), 1000 + 2 * one.bytes())] {
            assert_eq!(allow_alignment(MemoryLimit::new(needed), 1000, matrix), Ok(()));
            let refused = allow_alignment(MemoryLimit::new(needed - 1), 1000, matrix);
            assert!(matches!(refused, Err(Error::Memory { .. })), "{refused:?}");
        }
        Ok(())
    }
}
