//! The recipe: locally linear embedding, then the refinement.

use embedding::implement::{Fact, Sizes, Validate};
use embedding::{
    About, DataKind, Embedding, Error, Explanation, Fitted, Model, PerPoint, PointSet, Recipe, Rows,
    TrainingRows, Transform,
};
use lle::FittedLle;
use neighbor_graph::{Components, Duplicates, Manifold, Neighborhood, implement::GraphMethod};
use serde::{Deserialize, Serialize};
use serde_json::json;
use spectral::Tolerance;

use crate::convergence::convergence;
use crate::refinement::refine_manifold;
use crate::spectral_basis::{SpectralBasis, triangles};
use crate::{BasisSize, ConformalMap, ConformalReport, Refinement};

/// Conformal eigenmaps: locally linear embedding, refined to preserve angles.
///
#[doc = include_str!("conformal_eigenmaps.md")]
///
/// **Details.** The form is [`crate::Quadratic`], the refinement [`crate::refine`], which
/// returns the convex solution with its spectrum and certificate. Coordinates come in the unit
/// of the input (see [`crate::Units`]), along principal axes of descending variance. d ≤ m < n;
/// 2 ≤ k ≤ n − 2, because an angle needs two neighbors and a patch must not contain every
/// point. For a disconnected graph see [`Components`]. [`ConformalReport::scale_variation`]
/// measures how the scale varies, and [`ConformalReport::warning`] reports it.
///
/// If distances are given instead of points, the distances between neighbors are read from
/// the matrix, and the basis comes from [`lle::Lle`] of the same distances.
///
/// **Cost.** Locally linear embedding with m vectors. The quadratic form takes O(n k² m⁴)
/// time, in parallel, and 17 q² numbers, q = m (m + 1) / 2. The convex solution takes some
/// 30 estimates of O(m⁶) time each, and the map some 20 of O(d³ m³), whatever n is.
///
/// ```
/// use conformal_eigenmaps::{ConformalEigenmaps, Method, Model, Points};
/// // A strip bent into an arch, unevenly sampled.
/// let uv = |i: usize| ((i as f64 * 0.754_877_666).fract(), (i as f64 * 0.569_840_291).fract());
/// let arch: Vec<f64> =
///     (1..=400).map(uv).flat_map(|(u, v)| [(3.0 * u).cos(), (3.0 * u).sin(), v]).collect();
/// let fitted = ConformalEigenmaps::default().fit(Points::new(&arch, 3)?)?.into_single()?;
/// let report = fitted.report();
/// assert!(report.angle_error_before > 10.0 && report.angle_error_after < 2.0);
/// // Three times as long as wide, in the unit of the input.
/// let z = fitted.embedding().coordinates();
/// let extent = |j: usize| {
///     let column: Vec<f64> = z.col(j).iter().copied().collect();
///     column.iter().fold(f64::MIN, |m, v| m.max(*v)) - column.iter().fold(f64::MAX, |m, v| m.min(*v))
/// };
/// assert!((extent(0) - 3.0).abs() < 0.2 && (extent(1) - 1.0).abs() < 0.1);
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct ConformalEigenmaps {
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
    /// Settings of the refinement.
    #[param(flatten)]
    pub refinement: Refinement,
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
const USUAL: usize = 10;

impl GraphMethod for ConformalEigenmaps {
    type Model = FittedConformalEigenmaps;

    const READS_COORDINATES: bool = true;

    const ABOUT: About = About {
        name: "conformal-eigenmaps",
        title: "Conformal eigenmaps",
        summary: "Rotates and scales LLE's eigenvectors to preserve the angles inside neighborhoods.",
        preserves: "angles, and lengths up to a local factor; in the unit of the input",
        cost: "as lle with m vectors, then n k^2 m^4 once and some 50 small problems, whatever n is",
        new_points: "the weights that reconstruct the new point from its neighbors, then the map; interpolates: near a training row it tends to the row's position",
        accepts: &[DataKind::Points, DataKind::Distances],
        needs_labels: false,
        least_points: 4,
        explanation: Explanation::new(include_str!("conformal_eigenmaps.md")),
    };

    fn complete(&self, sizes: Sizes) -> Sizes {
        self.basis.complete(sizes, self.dim, USUAL)
    }

    /// Stages `"weights"`, `"alignment"`, `"eigenvectors"`, then the stages of [`crate::refine`].
    fn fit_manifold(&self, manifold: Manifold<'_>) -> Result<FittedConformalEigenmaps, Error> {
        self.refinement.alternation.check()?;
        let spectral = SpectralBasis {
            size: self.basis,
            usual: USUAL,
            dim: self.dim,
            regularization: self.regularization,
            tolerance: self.tolerance,
        };
        let basis = spectral.fit(manifold)?;
        let y = basis.embedding().coordinates().to_owned();
        let map = refine_manifold(manifold, y.as_ref(), self.dim, &self.refinement)?;
        Ok(FittedConformalEigenmaps { basis, map })
    }
}

neighbor_graph::graph_method!(ConformalEigenmaps);

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
    /// The basis of the new point, from the weights that reconstruct it from its nearest
    /// training points, then the map. A point equal to a training row takes the
    /// coordinates of that row exactly (the first of several equal ones). Under a radius,
    /// a point with no training point within the radius is an error.
    fn place(&self, rows: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        self.map.apply(self.basis.place(rows, known)?.coordinates()).map(Embedding::new)
    }
}

impl Fitted for FittedConformalEigenmaps {
    fn training_points(&self) -> Result<Option<PointSet>, Error> {
        self.basis.training_points()
    }

    fn facts() -> Vec<Fact<Self>> {
        let mut facts = vec![
            Fact::eigenvalues(|m: &Self| m.basis.eigenvalues()),
            Fact::residuals(|m: &Self| m.basis.residuals()),
        ];
        facts.extend(
            ConformalReport::facts().into_iter().map(|fact| fact.within(|m: &Self| Some(m.report()))),
        );
        facts
    }

    fn notes(&self) -> Vec<String> {
        let report = self.report();
        let mut notes = vec![format!(
            "mean angle error of small triangles: {:.1}\u{b0} for plain LLE, {:.1}\u{b0} here",
            report.angle_error_before, report.angle_error_after
        )];
        notes.extend(report.refined_angle_error.map(|refined| {
            format!(
                "the map is the map of plain LLE: its refinement changes angles more, by {refined:.1}\u{b0} on average"
            )
        }));
        notes.extend(report.warning());
        notes.extend(report.scale.note("the local scale and the size of the loss"));
        notes
    }

    fn per_point(&self) -> Vec<PerPoint> {
        // A patch whose points coincide has no scale.
        let values = self.report().local_scale.iter().map(|scale| scale.unwrap_or(0.0)).collect();
        vec![PerPoint { title: "local scale".to_owned(), values }]
    }
}

impl ConformalReport {
    fn facts() -> Vec<Fact<Self>> {
        vec![
            Fact::new(
                "angle_error_before",
                "mean change of triangle angles in LLE's own coordinates, in degrees",
                |r: &Self| r.angle_error_before,
            ),
            Fact::new("angle_error_after", "the same in the result", |r: &Self| r.angle_error_after),
            Fact::optional(
                "angle_error_refined",
                "the same in the refined map, where LLE's own coordinates are better and were kept",
                |r: &Self| r.refined_angle_error,
            ),
            Fact::new(
                "angle_error_truncated",
                "the same in the leading directions of the convex solution",
                |r: &Self| r.truncated_angle_error,
            ),
            Fact::new(
                "conformal_spectrum",
                "variance along the axes of the convex solution, sum 1; a drop suggests the dimension",
                |r: &Self| r.spectrum.clone(),
            ),
            Fact::new("rank_profile", "the smallest loss at rank 1, 2, ...", |r: &Self| {
                r.rank_profile.clone()
            }),
            Fact::new(
                "scale_variation",
                "standard deviation of the local scale divided by its mean; below 0.2 nearly isometric",
                |r: &Self| r.scale_variation,
            ),
            Fact::new("loss_of_basis", "the loss of angles of LLE's first d vectors", |r: &Self| {
                r.basis_value
            }),
            Fact::new(
                "loss",
                "the loss of angles of the result; the basis scores 1 on average over directions",
                |r: &Self| r.value,
            ),
            Fact::optional(
                "certificate",
                "the convex optimum: its loss, the proven lower bound, and how the iteration ended",
                |r: &Self| {
                    r.convex.as_ref().map(|convex| {
                        json!({
                            "status": convex.outcome,
                            "value": convex.certificate.value,
                            "lower_bound": convex.certificate.lower_bound,
                            "gap": convex.certificate.gap(),
                            "iterations": convex.iterations,
                            "estimates": convex.estimates,
                        })
                    })
                },
            ),
            Fact::optional(
                "convergence",
                "the states of the alternation on the convex problem and of plain loops on the same, by name",
                |r: &Self| r.convex.as_ref().map(|convex| convergence(&r.quadratic, convex)),
            ),
        ]
    }
}

impl Validate for FittedConformalEigenmaps {
    fn validate(&self) -> Result<(), Error> {
        self.map.require(&self.basis)
    }
}
