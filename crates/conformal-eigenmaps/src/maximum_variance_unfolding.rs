//! The recipe: locally linear embedding, then the unfolding.

use embedding::{Embedding, Error, Model, Observer, Points, Transform};
use faer::Mat;
use lle::FittedLle;
use neighbor_graph::{Components, Manifold, Neighborhood};
use serde::{Deserialize, Serialize};
use spectral::Tolerance;

use crate::spectral_basis::SpectralBasis;
use crate::unfolding::unfold_manifold;
use crate::{BasisSize, UnfoldedMap, Unfolding, UnfoldingReport};

/// Maximum variance unfolding in the span of locally linear embedding's vectors.
///
/// **Idea.** Pull the points apart as far as they go while neighbors keep their
/// distances: a folded sheet of paper lies flat in the end. The original is a
/// semidefinite program over n × n matrices. Functions that vary slowly along the
/// manifold are enough to write the result: with the m bottom vectors of locally
/// linear embedding it is a program over m × m matrices, whatever n is.
///
/// **Definition.** Y, n × m, are the m bottom eigenvectors of locally linear
/// embedding, 1ᵀY = 0, YᵀY = n I; V is the variance of the points. Over
/// P = LᵀL / V ⪰ 0, z = L y minimizes
///
/// ν Σ_e (|z_i − z_j|² − |x_i − x_j|²)² / Σ_e |x_i − x_j|⁴ − (1/n) Σ_i |z_i|² / V
///
/// over the pairs e = (i, j) of each neighborhood {h} ∪ N(h), see
/// [`crate::LengthLoss`]; the second term is tr P. Then the d leading principal
/// axes are kept. The problem is convex: one optimum, which is proven to have been
/// reached, see [`crate::unfolding_certificate`].
///
/// **Isometric, not conformal.** [`crate::ConformalEigenmaps`] minimizes the same
/// sum with a factor s_h in front of |x_i − x_j|², free for every neighborhood, at
/// a fixed variance: angles count, lengths may drift. Here every s_h is 1, so that
/// the result has the unit and the size of the input, and the variance is what
/// decides between maps that keep lengths equally well: it unfolds what is folded.
/// A sheet that is conformal but not isometric to a plane, a hemisphere, is for
/// the other.
///
/// **Stiffness.** A finite ν stretches: on a flat sheet in its own coordinates
/// P = P₀ + (2 ν A)⁻¹ I exactly, squared lengths longer by tr P₀ / (2 ν) in the
/// mean, where tr P₀ is the variance of the sheet in units of V, 6 for a Swiss
/// roll. A small ν stretches visibly; a large one keeps lengths, and with them the
/// errors of the basis: what lies outside of its span shrinks the map or bends it
/// into more dimensions. On five Swiss rolls and five S-curves of 1,000 points with
/// m = 15, the mean squared distance from the true sheet, relative to its variance
/// and without rescaling, is 4.4e-5 and 2.3e-5 at ν = 300, 5.5e-5 and 1.0e-4 at
/// 1,000, 1.4e-4 and 1.8e-4 at 3,000, 4.9e-4 and 3.4e-4 at 100,000.
///
/// **Basis.** With m = 10, which is enough for a conformal map, those numbers are
/// 1.9e-4 and 2.9e-4 at ν = 1,000; with m = 20 they are 5.2e-5 and 8.2e-5, at five
/// times the cost of a step. Hence 15.
///
/// **Steps.** Neighbors; [`lle::Lle`] with m vectors; [`crate::unfold`].
/// Coordinates come in the unit of the input, along principal axes of descending
/// variance.
///
/// **Cost.** That of locally linear embedding with m vectors; the quadratic form,
/// O(n k² m⁴) time, in parallel, and 17 q² numbers, q = m (m + 1) / 2; some 30 to 50
/// Newton steps of O(m⁶) time each, whatever n is.
///
/// **When it fails.** d ≤ m < n; 2 ≤ k ≤ n − 2; the graph must be connected (see
/// [`Components`]), or its pieces would fly apart. A surface that cannot be
/// flattened without stretching, a sphere, keeps its lengths in more than d
/// dimensions, and the cut to d loses them:
/// [`UnfoldingReport::length_error_after`] and
/// [`UnfoldingReport::variance_kept`] tell, [`UnfoldingReport::warning`] speaks
/// up. With m too small the sheet's coordinates are not in the span of the basis.
/// One edge of the graph between two layers of a roll ties them together. With k
/// so large or a regularization so small that the weights rebuild the surface in
/// space, its own coordinates are in the span and nothing needs to unroll but for
/// the variance.
///
/// ```
/// use conformal_eigenmaps::MaximumVarianceUnfolding;
/// use embedding::{Model, Points, Silent};
/// // A strip bent into an arch, unevenly sampled.
/// let uv = |i: usize| ((i as f64 * 0.754_877_666).fract(), (i as f64 * 0.569_840_291).fract());
/// let arch: Vec<f64> =
///     (1..=400).map(uv).flat_map(|(u, v)| [(3.0 * u).cos(), (3.0 * u).sin(), v]).collect();
/// let fitted = MaximumVarianceUnfolding::default().fit(Points::new(&arch, 3)?, &Silent)?;
/// assert!(fitted.report().solution.certificate.gap() < 1e-6);
/// // Three times as long as wide, in the unit of the input.
/// let z = &fitted.embedding().coordinates;
/// let extent = |j: usize| {
///     let column: Vec<f64> = z.col(j).iter().copied().collect();
///     column.iter().fold(f64::MIN, |m, v| m.max(*v)) - column.iter().fold(f64::MAX, |m, v| m.min(*v))
/// };
/// assert!((extent(0) - 3.0).abs() < 0.1 && (extent(1) - 1.0).abs() < 0.05);
/// # Ok::<(), embedding::Error>(())
/// ```
///
/// **Reference.** Weinberger and Saul (2006), "Unsupervised learning of image
/// manifolds by semidefinite programming", doi:10.1007/s11263-005-4939-z;
/// Weinberger, Sha, Zhu and Saul (2006), "Graph Laplacian regularization for
/// large-scale semidefinite programming", NIPS 19; s_h = 1: Sha and Saul (2005),
/// doi:10.1145/1102351.1102450.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct MaximumVarianceUnfolding {
    /// Who is near; default the 10 nearest.
    pub neighborhood: Neighborhood,
    /// The number m of spectral vectors; default automatic.
    pub basis: BasisSize,
    /// Regularization of the weights, see [`lle::Lle`]; default 1e-3.
    pub regularization: f64,
    /// What to do with a disconnected graph; default reject.
    pub components: Components,
    /// Residual demanded of the eigenvectors.
    pub tolerance: Tolerance,
    /// The unfolding, with the target dimension.
    pub unfolding: Unfolding,
}

impl Default for MaximumVarianceUnfolding {
    fn default() -> Self {
        Self {
            neighborhood: Neighborhood::default(),
            basis: BasisSize::default(),
            regularization: 1e-3,
            components: Components::default(),
            tolerance: Tolerance::default(),
            unfolding: Unfolding::default(),
        }
    }
}

neighbor_graph::graph_method!(MaximumVarianceUnfolding, FittedMaximumVarianceUnfolding, "mvu", check_points);

impl MaximumVarianceUnfolding {
    /// The default recipe for another target dimension.
    pub fn with_dim(dim: usize) -> Self {
        Self { unfolding: Unfolding { dim, ..Unfolding::default() }, ..Self::default() }
    }

    /// The recipe, on one connected manifold.
    ///
    /// Stages `"weights"`, `"alignment"`, `"eigenvectors"`, then those of [`crate::unfold`].
    pub fn fit_manifold(
        &self,
        manifold: Manifold<'_>,
        observer: &dyn Observer,
    ) -> Result<FittedMaximumVarianceUnfolding, Error> {
        self.unfolding.check()?;
        let basis = self.spectral().fit(manifold, observer)?;
        let y = basis.embedding().coordinates.as_ref();
        let map = unfold_manifold(manifold, y, &self.unfolding, observer)?;
        Ok(FittedMaximumVarianceUnfolding { basis, map })
    }

    fn check_points(&self, points: Points<'_>) -> Result<(), Error> {
        self.spectral().check(points.len())?;
        self.unfolding.check()
    }

    /// Where the vectors come from.
    fn spectral(&self) -> SpectralBasis {
        SpectralBasis {
            what: "maximum variance unfolding",
            usual: 15,
            neighborhood: self.neighborhood,
            size: self.basis,
            dim: self.unfolding.dim,
            regularization: self.regularization,
            components: self.components,
            tolerance: self.tolerance,
            memory_limit: self.unfolding.memory_limit,
        }
    }
}

/// A fitted unfolding with the spectral basis it is linear in.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FittedMaximumVarianceUnfolding {
    basis: FittedLle,
    map: UnfoldedMap,
}

impl FittedMaximumVarianceUnfolding {
    /// The locally linear embedding that was unfolded, with its m vectors and
    /// eigenvalues.
    pub fn basis(&self) -> &FittedLle {
        &self.basis
    }

    /// The map from that basis to the coordinates.
    pub fn map(&self) -> &UnfoldedMap {
        &self.map
    }

    /// How the map was found, and how good it is.
    pub fn report(&self) -> &UnfoldingReport {
        &self.map.report
    }
}

impl Model for FittedMaximumVarianceUnfolding {
    fn embedding(&self) -> &Embedding {
        self.map.embedding()
    }
}

impl Transform for FittedMaximumVarianceUnfolding {
    /// The basis of the new point, from the weights that rebuild it from its
    /// nearest training points, then the map. A point equal to a training row
    /// takes the coordinates of that row exactly (the first of several equal
    /// ones). Under a radius a point with no training point that near is an
    /// error.
    fn transform(&self, new: Points<'_>) -> Result<Mat<f64>, Error> {
        self.map.apply(self.basis.transform(new)?.as_ref())
    }
}
