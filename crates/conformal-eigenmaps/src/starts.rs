//! Initializations of the alternating minimization.

use embedding::Error;
use embedding::implement::standard_normal;
use faer::{Mat, MatRef};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};
use spectral::dense;

/// Initialization of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Start {
    /// The first r basis vectors: for a basis of locally linear embedding, that embedding
    /// itself.
    Basis,
    /// The leading r eigenpairs of the convex solution.
    Truncated,
    /// Independent normal entries.
    Random {
        /// The seed.
        seed: u64,
    },
}

/// Returns the first r rows of I / √r: P = diag(1/r, …, 1/r, 0, …), the unrefined basis.
pub fn basis_start(rank: usize, order: usize) -> Mat<f64> {
    let size = 1.0 / (rank as f64).sqrt();
    Mat::from_fn(rank, order, |i, j| if i == j { size } else { 0.0 })
}

/// Independent normal entries of variance 1 / (r m).
pub fn random_start(rank: usize, order: usize, seed: u64) -> Mat<f64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let size = 1.0 / ((rank * order) as f64).sqrt();
    let mut normal = || size * standard_normal(1.0 - rng.random::<f64>(), rng.random::<f64>());
    let rows: Vec<f64> = (0..rank * order).map(|_| normal()).collect();
    MatRef::from_row_major_slice(&rows, rank, order).to_owned()
}

/// Returns the factor √wᵢ vᵢᵀ of the leading r eigenpairs (wᵢ, vᵢ) of LᵀL, r × m; L may
/// have any number of rows.
///
/// Fails if r is 0 or exceeds m.
pub fn truncated(factor: MatRef<'_, f64>, rank: usize) -> Result<Mat<f64>, Error> {
    let m = factor.ncols();
    if rank == 0 || rank > m {
        return Err(Error::parameter("the rank", format!("between 1 and {m}"), rank));
    }
    let (values, vectors) = leading(factor)?;
    Ok(Mat::from_fn(rank, m, |i, j| values[i].sqrt() * vectors[(j, i)]))
}

/// Returns the eigenvalues of LᵀL, descending and nonnegative, and its eigenvectors.
pub(crate) fn leading(factor: MatRef<'_, f64>) -> Result<(Vec<f64>, Mat<f64>), Error> {
    let m = factor.ncols();
    let (values, vectors) = dense::symmetric_eigen(dense::product(factor.transpose(), factor).as_ref())?;
    let values = (0..m).map(|i| values[m - 1 - i].max(0.0)).collect();
    Ok((values, Mat::from_fn(m, m, |i, j| vectors[(i, m - 1 - j)])))
}

/// Returns V diag(√w) for the d leading eigenpairs (w, v) of LᵀL: the map to principal
/// axes, m × d.
pub(crate) fn axes(factor: MatRef<'_, f64>, d: usize) -> Result<Mat<f64>, Error> {
    Ok(truncated(factor, d)?.transpose().to_owned())
}
