//! The recipe: locally linear embedding, then the unfolding.

use embedding::implement::{Fact, Sizes, Validate};
use embedding::{
    About, DataKind, Embedding, Error, Explanation, Fitted, Model, Recipe, Rows, TrainingRows, Transform,
};
use lle::FittedLle;
use neighbor_graph::{Components, Duplicates, Manifold, Neighborhood, implement::GraphMethod};
use serde::{Deserialize, Serialize};
use serde_json::json;
use spectral::Tolerance;

use crate::spectral_basis::{SpectralBasis, triangles};
use crate::unfolding::unfold_manifold;
use crate::{BasisSize, UnfoldedMap, Unfolding, UnfoldingReport};

/// Maximum variance unfolding in the span of locally linear embedding's vectors.
///
#[doc = include_str!("maximum_variance_unfolding.md")]
///
/// **Details.** The form is [`crate::LengthLoss`], the solution [`crate::unfold`], the proof
/// [`crate::unfolding_certificate`]. Coordinates come in the unit of the input, along principal
/// axes of descending variance. d ≤ m < n; 2 ≤ k ≤ n − 2; a disconnected graph: see
/// [`Components`]. [`UnfoldingReport::length_error_after`] and
/// [`UnfoldingReport::variance_kept`] measure the loss by truncation to d dimensions, and
/// [`UnfoldingReport::warning`] reports it. s_h = 1 in the terms of Sha and Saul (2005).
///
/// **Isometric, not conformal.** [`crate::ConformalEigenmaps`] minimizes the same sum with a
/// factor s_h in front of |x_i − x_j|², free for every neighborhood, at a fixed variance: it
/// preserves angles, while lengths may drift. Here every s_h is 1, so the result has the
/// unit and the size of the input. The variance decides between maps that preserve lengths
/// equally well: maximizing it unfolds the sheet. For a sheet that is conformal but not
/// isometric to a plane, such as a hemisphere, use conformal eigenmaps.
///
/// **Stiffness.** A finite ν stretches: on a flat sheet in its own coordinates P = P₀ + (2 ν
/// A)⁻¹ I exactly, squared lengths longer by tr P₀ / (2 ν) in the mean, where tr P₀ is the
/// variance of the sheet in units of V, 6 for a Swiss roll. A small ν stretches visibly. A
/// large one keeps lengths, and with them the errors of the basis: the part of the sheet
/// outside the span of the basis shrinks the map or bends it into more dimensions. On five
/// Swiss rolls and five S-curves of 1,000 points with m = 15, the mean squared distance from
/// the true sheet, relative to its variance and without rescaling, is 4.4e-5 and 2.3e-5 at ν =
/// 300, 5.5e-5 and 1.0e-4 at 1,000, 1.4e-4 and 1.8e-4 at 3,000, 4.9e-4 and 3.4e-4 at 100,000.
///
/// **Basis.** With m = 10, which is enough for a conformal map, those numbers are 1.9e-4 and
/// 2.9e-4 at ν = 1,000; with m = 20 they are 5.2e-5 and 8.2e-5, at five times the cost of a
/// step. Hence 15.
///
/// If distances are given instead of points, the distances between neighbors are read from
/// the matrix, and the basis comes from [`lle::Lle`] of the same distances.
///
/// **Cost.** Locally linear embedding with m vectors. The quadratic form takes O(n k² m⁴) time,
/// in parallel, and 17 q² numbers, q = m (m + 1) / 2. The solution takes some 30 to 50 Newton
/// steps of O(m⁶) time each, whatever n is.
///
/// ```
/// use conformal_eigenmaps::{MaximumVarianceUnfolding, Method, Model, Points};
/// // A strip bent into an arch, unevenly sampled.
/// let uv = |i: usize| ((i as f64 * 0.754_877_666).fract(), (i as f64 * 0.569_840_291).fract());
/// let arch: Vec<f64> =
///     (1..=400).map(uv).flat_map(|(u, v)| [(3.0 * u).cos(), (3.0 * u).sin(), v]).collect();
/// let fitted = MaximumVarianceUnfolding::default().fit(Points::new(&arch, 3)?)?.into_single()?;
/// assert!(fitted.report().solution.certificate.gap() < 1e-6);
/// // Three times as long as wide, in the unit of the input.
/// let z = fitted.embedding().coordinates();
/// let extent = |j: usize| {
///     let column: Vec<f64> = z.col(j).iter().copied().collect();
///     column.iter().fold(f64::MIN, |m, v| m.max(*v)) - column.iter().fold(f64::MAX, |m, v| m.min(*v))
/// };
/// assert!((extent(0) - 3.0).abs() < 0.1 && (extent(1) - 1.0).abs() < 0.05);
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct MaximumVarianceUnfolding {
    /// The rule that selects neighbors.
    #[param(flatten = triangles)]
    pub neighborhood: Neighborhood,
    /// Target dimension d.
    #[param(default = 2, range = "1 to basis")]
    pub dim: usize,
    /// Number m of spectral vectors.
    #[param(default = BasisSize::Auto)]
    pub basis: BasisSize,
    /// Added to the diagonal of each local Gram matrix, relative to its trace.
    #[param(name = "reg", default = 1e-3, range = "above 0")]
    pub regularization: f64,
    /// Settings of the unfolding.
    #[param(flatten)]
    pub unfolding: Unfolding,
    /// What to do with a disconnected neighbor graph.
    #[param(default = Components::Reject)]
    pub components: Components,
    /// What to do with rows that are exact copies of others.
    #[param(default = Duplicates::Merge)]
    pub duplicates: Duplicates,
    /// Residual demanded of the eigenvectors, relative to the operator's norm.
    pub tolerance: Tolerance,
}

/// The usual number of vectors.
const USUAL: usize = 15;

impl GraphMethod for MaximumVarianceUnfolding {
    type Model = FittedMaximumVarianceUnfolding;

    const READS_COORDINATES: bool = true;

    const ABOUT: About = About {
        name: "mvu",
        title: "Maximum variance unfolding",
        summary: "Stretches LLE's eigenvectors as far as neighbor distances allow.",
        preserves: "distances between neighbors, in the unit of the input",
        cost: "as lle with m vectors, then n k^2 m^4 once and some 40 small problems, whatever n is",
        new_points: "the weights that reconstruct the new point from its neighbors, then the map; interpolates: near a training row it tends to the row's position",
        accepts: &[DataKind::Points, DataKind::Distances],
        needs_labels: false,
        least_points: 4,
        explanation: Explanation::new(include_str!("maximum_variance_unfolding.md")),
    };

    fn complete(&self, sizes: Sizes) -> Sizes {
        self.basis.complete(sizes, self.dim, USUAL)
    }

    /// Stages `"weights"`, `"alignment"`, `"eigenvectors"`, then the stages of [`crate::unfold`].
    fn fit_manifold(&self, manifold: Manifold<'_>) -> Result<FittedMaximumVarianceUnfolding, Error> {
        let spectral = SpectralBasis {
            size: self.basis,
            usual: USUAL,
            dim: self.dim,
            regularization: self.regularization,
            tolerance: self.tolerance,
        };
        let basis = spectral.fit(manifold)?;
        let y = basis.embedding().coordinates().to_owned();
        let map = unfold_manifold(manifold, y.as_ref(), self.dim, &self.unfolding)?;
        Ok(FittedMaximumVarianceUnfolding { basis, map })
    }
}

neighbor_graph::graph_method!(MaximumVarianceUnfolding);

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
    /// The basis of the new point, from the weights that reconstruct it from its nearest
    /// training points, then the map. A point equal to a training row takes the
    /// coordinates of that row exactly (the first of several equal ones). Under a radius,
    /// a point with no training point within the radius is an error.
    fn place(&self, rows: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        self.map.apply(self.basis.place(rows, known)?.coordinates()).map(Embedding::new)
    }
}

impl Fitted for FittedMaximumVarianceUnfolding {
    fn facts() -> Vec<Fact<Self>> {
        let mut facts = vec![Fact::residuals(|m: &Self| m.basis.residuals())];
        facts.extend(
            UnfoldingReport::facts().into_iter().map(|fact| fact.within(|m: &Self| Some(m.report()))),
        );
        facts
    }

    fn notes(&self) -> Vec<String> {
        let report = self.report();
        let mut notes = vec![format!(
            "error of squared lengths between neighbors: {:.0} % for plain LLE, {:.1} % here",
            100.0 * report.length_error_before,
            100.0 * report.length_error_after
        )];
        notes.extend(report.warning());
        notes.extend(report.scale.note("the variances"));
        notes
    }
}

impl UnfoldingReport {
    fn facts() -> Vec<Fact<Self>> {
        vec![
            Fact::new(
                "certificate",
                "the optimum: its objective, the proven lower bound, and how the iteration ended",
                |r: &Self| {
                    json!({
                        "status": r.solution.outcome,
                        "value": r.solution.certificate.value,
                        "lower_bound": r.solution.certificate.lower_bound,
                        "gap": r.solution.certificate.gap(),
                        "iterations": r.solution.iterations,
                    })
                },
            ),
            Fact::new(
                "explained_variance",
                "variance along each axis of the solution in all m dimensions",
                |r: &Self| r.spectrum.clone(),
            ),
            Fact::new("explained_variance_ratio", "the same as fractions of the total", |r: &Self| {
                let total: f64 = r.spectrum.iter().sum();
                r.spectrum.iter().map(|v| v / total).collect::<Vec<_>>()
            }),
            Fact::new("total_variance", "variance of that solution", |r: &Self| {
                r.spectrum.iter().sum::<f64>()
            }),
            Fact::new(
                "length_error_before",
                "error of squared lengths between neighbors relative to their size, in root mean square, of LLE's \
                 first d vectors at their best scale",
                |r: &Self| r.length_error_before,
            ),
            Fact::new(
                "length_error_unfolded",
                "the same of the convex solution in all m dimensions",
                |r: &Self| r.length_error_unfolded,
            ),
            Fact::new("length_error_after", "the same in the result", |r: &Self| r.length_error_after),
            Fact::new(
                "angle_error_before",
                "mean change of triangle angles in LLE's own coordinates, in degrees",
                |r: &Self| r.angle_error_before,
            ),
            Fact::new("angle_error_after", "the same in the result", |r: &Self| r.angle_error_after),
        ]
    }
}

impl Validate for FittedMaximumVarianceUnfolding {
    fn validate(&self) -> Result<(), Error> {
        self.map.require(&self.basis)
    }
}
