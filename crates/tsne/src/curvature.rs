//! The curvature of the loss in the place of each point.

use embedding::{Error, Points};
use rayon::prelude::*;
use spectral::dense::symmetric_eigenvalues;

use crate::Affinities;
use crate::kernel::Kernel;
use crate::repulsion::exact_normalization;
use crate::row_loss::RowLoss;

/// Computes the smallest eigenvalue of each point's block of the Hessian of the loss KL(P‖Q).
///
/// *Idea.* The place of a point is determined by a sharp minimum of the loss, or by a flat one: where the
/// curvature is small in some direction, a small change of the data moves the point far.
///
/// *Definition.* With p_ij of sum one, w_ij = 1/(1 + d_ij²), Z = Σ w_kl over ordered pairs, and
/// s_i = Σ_j w_ij² (y_i − y_j), the d × d block is
///
/// H_ii = Σ_j [(4 p_ij w_ij − 4 w_ij²/Z) I + (16 w_ij³/Z − 8 p_ij w_ij²)(y_i − y_j)(y_i − y_j)ᵀ] − 16 s_i s_iᵀ/Z².
///
/// The singularity score of point i is the inverse of its smallest eigenvalue. High scores everywhere mean
/// that the perplexity is too small and that the map breaks structure; high scores only at the rims of
/// clusters are as they should be. An eigenvalue of a converged map is negative only up to the residual of
/// the optimization.
///
/// For other degrees of freedom α of the kernel the block follows the same derivation.
///
/// *Cost.* O(n² d²) time, points in parallel.
///
/// *Fails* with [`Error::Shape`] unless the map has a row per point, and where the degrees of freedom are
/// not positive.
///
/// *Reference.* Liu, Ma and Zhong (2025), doi:10.1038/s41467-025-60434-9. The block that their
/// implementation computes has the other sign of the last term.
///
/// ```
/// use embedding::{Points, Silent};
/// use tsne::{Affinities, smallest_curvatures};
/// let data = [0.0, 1.0, 2.5, 4.0, 9.0, 10.0];
/// let affinities = Affinities::of_points(Points::new(&data, 1)?, 2.0, &Silent)?;
/// let map = [0.0, 0.2, 0.1, 0.4, 3.0, 3.1];
/// let curvatures = smallest_curvatures(&affinities, Points::new(&map, 1)?, 1.0)?;
/// assert_eq!(curvatures.len(), 6);
/// # Ok::<(), embedding::Error>(())
/// ```
pub fn smallest_curvatures(
    affinities: &Affinities,
    map: Points<'_>,
    degrees_of_freedom: f64,
) -> Result<Vec<f64>, Error> {
    let (n, dim) = (affinities.len(), map.dim());
    if map.len() != n {
        let (expected, got) = (format!("{n} rows, one per point"), map.len().to_string());
        return Err(Error::Shape { what: "the map", expected, got });
    }
    if !(degrees_of_freedom.is_finite() && degrees_of_freedom > 0.0) {
        return Err(Error::parameter("degrees_of_freedom", "positive and finite", degrees_of_freedom));
    }
    let kernel = Kernel { alpha: degrees_of_freedom };
    let normalization = exact_normalization(kernel, dim, map.values());
    let curvature = |point: usize| {
        let (columns, values) = affinities.of(point);
        let attraction: Vec<(u32, f64)> = columns.iter().copied().zip(values.iter().copied()).collect();
        let y = map.row(point);
        let own = RowLoss::own_sum(kernel, dim, map.values(), point);
        let rest = (normalization - 2.0 * own).max(0.0);
        let loss = RowLoss { kernel, dim, map: map.values(), point, attraction: &attraction, rest };
        let hessian = loss.expand(y).hessian;
        let eigenvalues = symmetric_eigenvalues(hessian.as_ref());
        eigenvalues.ok().and_then(|values| values.first().copied()).filter(|value| value.is_finite())
    };
    let curvatures: Vec<Option<f64>> = (0..n).into_par_iter().map(curvature).collect();
    curvatures.into_iter().collect::<Option<Vec<f64>>>().ok_or_else(|| {
        Error::degenerate("a curvature of the map left the range of numbers", "scale the map to about 100")
    })
}
