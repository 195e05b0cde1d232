//! The recipe: locally linear embedding, then the refinement.

use embedding::{Embedding, Error, Model, Observer, Points, Transform};
use faer::Mat;
use lle::FittedLle;
use neighbor_graph::{Components, Manifold, Neighborhood};
use serde::{Deserialize, Serialize};
use spectral::Tolerance;

use crate::refinement::refine_manifold;
use crate::spectral_basis::SpectralBasis;
use crate::{BasisSize, ConformalMap, ConformalReport, Refinement};

/// Locally linear embedding whose angles survive.
///
/// **Idea.** Locally linear embedding knows the shape of the sheet but stretches
/// it at will: all its columns have unit variance. Take more of its eigenvectors
/// than wanted, m instead of d, and look for the linear map of them under which
/// the triangles between neighbors keep their angles: a map that is, near every
/// point, a rotation times a scale.
///
/// **Definition.** Y, n × m, are the m bottom eigenvectors of locally linear
/// embedding, 1ᵀY = 0, YᵀY = n I. Over L with tr LᵀL = 1, z = L y minimizes
///
/// D(LᵀL) = Σ_h w_h min_s Σ_(i,j) (|z_i − z_j|² − s |x_i − x_j|²)²
///
/// over the pairs of each neighborhood {h} ∪ N(h), see [`crate::Quadratic`].
///
/// **Steps.** Neighbors; [`lle::Lle`] with m vectors; [`crate::refine`]: the
/// convex solution by the alternating B/C refinement, its spectrum and its
/// certificate, then the best map into d dimensions by the same refinement.
/// Coordinates come in the unit of the input (see [`crate::Units`]), along
/// principal axes of descending variance.
///
/// **Cost.** That of locally linear embedding with m vectors; the quadratic form,
/// O(n k² m⁴) time, in parallel, and 17 q² numbers, q = m (m + 1) / 2; some 30
/// estimates of O(m⁶) time each for the convex solution and some 20 of
/// O(d³ m³) for the map, whatever n is.
///
/// **When it fails.** d ≤ m < n; 2 ≤ k ≤ n − 2, as two neighbors make an angle
/// and a patch that holds every point is no patch; the graph must be connected
/// (see [`Components`]). Conformal is not isometric: where the scale
/// may vary, as on a roll that is sampled unevenly, angles are right and lengths
/// need not be; [`ConformalReport::scale_variation`] tells, and
/// [`ConformalReport::warning`] speaks up. Data without a two-dimensional
/// conformal picture gain little. With k so large or a regularization so small
/// that the weights rebuild the surface in space, that surface itself keeps all
/// angles and nothing is unrolled: keep k around 8 to 15 and the regularization
/// at 1e-3. With k ≤ 6 the eigenvectors are too noisy.
///
/// ```
/// use conformal_eigenmaps::ConformalEigenmaps;
/// use embedding::{Model, Points, Silent};
/// // A strip bent into an arch, unevenly sampled.
/// let uv = |i: usize| ((i as f64 * 0.754_877_666).fract(), (i as f64 * 0.569_840_291).fract());
/// let arch: Vec<f64> =
///     (1..=400).map(uv).flat_map(|(u, v)| [(3.0 * u).cos(), (3.0 * u).sin(), v]).collect();
/// let fitted = ConformalEigenmaps::default().fit(Points::new(&arch, 3)?, &Silent)?;
/// let report = fitted.report();
/// assert!(report.angle_error_before > 10.0 && report.angle_error_after < 2.0);
/// // Three times as long as wide, in the unit of the input.
/// let z = &fitted.embedding().coordinates;
/// let extent = |j: usize| {
///     let column: Vec<f64> = z.col(j).iter().copied().collect();
///     column.iter().fold(f64::MIN, |m, v| m.max(*v)) - column.iter().fold(f64::MAX, |m, v| m.min(*v))
/// };
/// assert!((extent(0) - 3.0).abs() < 0.2 && (extent(1) - 1.0).abs() < 0.1);
/// # Ok::<(), embedding::Error>(())
/// ```
///
/// **Reference.** Sha and Saul (2005), "Analysis and extension of spectral
/// methods for nonlinear dimensionality reduction",
/// doi:10.1145/1102351.1102450; the alternation: Salawa, Synowiec and Wójcik,
/// lecture slides, AGH Kraków (2016).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ConformalEigenmaps {
    /// Who is near; default the 10 nearest.
    pub neighborhood: Neighborhood,
    /// The number m of spectral vectors to refine; default automatic.
    pub basis: BasisSize,
    /// Regularization of the weights, see [`lle::Lle`]; default 1e-3.
    pub regularization: f64,
    /// What to do with a disconnected graph; default reject.
    pub components: Components,
    /// Residual demanded of the eigenvectors.
    pub tolerance: Tolerance,
    /// The refinement, with the target dimension.
    pub refinement: Refinement,
}

impl Default for ConformalEigenmaps {
    fn default() -> Self {
        Self {
            neighborhood: Neighborhood::default(),
            basis: BasisSize::default(),
            regularization: 1e-3,
            components: Components::default(),
            tolerance: Tolerance::default(),
            refinement: Refinement::default(),
        }
    }
}

neighbor_graph::graph_method!(
    ConformalEigenmaps,
    FittedConformalEigenmaps,
    "conformal-eigenmaps",
    check_points
);

impl ConformalEigenmaps {
    /// The default recipe for another target dimension.
    pub fn with_dim(dim: usize) -> Self {
        Self { refinement: Refinement { dim, ..Refinement::default() }, ..Self::default() }
    }

    /// The recipe, on one connected manifold.
    ///
    /// Stages `"weights"`, `"alignment"`, `"eigenvectors"`, then those of [`crate::refine`].
    pub fn fit_manifold(
        &self,
        manifold: Manifold<'_>,
        observer: &dyn Observer,
    ) -> Result<FittedConformalEigenmaps, Error> {
        self.refinement.alternation.check()?;
        let basis = self.spectral().fit(manifold, observer)?;
        let y = basis.embedding().coordinates.as_ref();
        let map = refine_manifold(manifold, y, &self.refinement, observer)?;
        Ok(FittedConformalEigenmaps { basis, map })
    }

    fn check_points(&self, points: Points<'_>) -> Result<(), Error> {
        self.spectral().check(points.len())?;
        self.refinement.alternation.check()
    }

    /// Where the vectors come from.
    fn spectral(&self) -> SpectralBasis {
        SpectralBasis {
            what: "a conformal map",
            usual: 10,
            neighborhood: self.neighborhood,
            size: self.basis,
            dim: self.refinement.dim,
            regularization: self.regularization,
            components: self.components,
            tolerance: self.tolerance,
            memory_limit: self.refinement.memory_limit,
        }
    }
}

/// A fitted conformal map with the spectral basis it is linear in.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FittedConformalEigenmaps {
    basis: FittedLle,
    map: ConformalMap,
}

impl FittedConformalEigenmaps {
    /// The locally linear embedding that was refined, with its m vectors and
    /// eigenvalues.
    pub fn basis(&self) -> &FittedLle {
        &self.basis
    }

    /// The map from that basis to the coordinates.
    pub fn map(&self) -> &ConformalMap {
        &self.map
    }

    /// How the map was found, and how good it is.
    pub fn report(&self) -> &ConformalReport {
        &self.map.report
    }
}

impl Model for FittedConformalEigenmaps {
    fn embedding(&self) -> &Embedding {
        self.map.embedding()
    }
}

impl Transform for FittedConformalEigenmaps {
    /// The basis of the new point, from the weights that rebuild it from its
    /// nearest training points, then the map. A point equal to a training row
    /// takes the coordinates of that row exactly (the first of several equal
    /// ones). Under a radius a point with no training point that near is an
    /// error.
    fn transform(&self, new: Points<'_>) -> Result<Mat<f64>, Error> {
        self.map.apply(self.basis.transform(new)?.as_ref())
    }
}
