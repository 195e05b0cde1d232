//! Maximum variance unfolding of a basis.

use embedding::implement::{Scale, proceed, require_finite};
use embedding::{Error, Recipe};
use faer::MatRef;
use lle::FittedLle;
use neighbor_graph::Manifold;
use serde::{Deserialize, Serialize};
use spectral::dense;

use crate::angles::{angle_error, angles};
use crate::basis_coordinates::BasisCoordinates;
use crate::basis_map::BasisMap;
use crate::conditions::{check_sizes, require_connected};
use crate::normalized_scale::with_normalized_scale;
use crate::starts::{axes, leading};
use crate::svec::svec_product;
use crate::variance::{GAP, STIFFNESS, check_stiffness, check_tolerance};
use crate::{LengthLoss, Outcome, PatchPairs, UnfoldingSolution, basis_start, maximize_variance};

/// Settings of the unfolding of a basis of m vectors to d ≤ m coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct Unfolding {
    /// How much lengths count against variance. It is ν of [`crate::MaximumVarianceUnfolding`].
    #[param(default = 1e3, range = STIFFNESS)]
    pub stiffness: f64,
    /// Which pairs of a neighborhood count.
    #[param(default = PatchPairs::Clique)]
    pub pairs: PatchPairs,
    /// Certified distance to the optimum that counts as solved.
    #[param(name = "gap", default = 1e-8, range = GAP)]
    pub tolerance: f64,
}

impl Unfolding {
    pub(crate) fn check(&self) -> Result<(), Error> {
        check_stiffness(self.stiffness)?;
        check_tolerance(self.tolerance)
    }
}

/// Coordinates of maximum variance that approximately preserve local distances, as a
/// linear function of a basis, with a report of the optimization.
pub type UnfoldedMap = BasisCoordinates<UnfoldingReport>;

/// Intermediate results and quality measures of an unfolded map.
///
/// A length error is √E, see [`LengthLoss`]: the relative root mean square error of
/// squared distances between neighbors. Distances themselves have half that relative
/// error.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UnfoldingReport {
    /// The solution in all m dimensions, with its certificate; P in units of `unit`.
    pub solution: UnfoldingSolution,
    /// V, the variance of the points (a squared length), divided by the square of `scale`.
    pub unit: f64,
    /// The power of two by which the data were divided, so that fourth powers of distances
    /// are normal numbers; 1 for data of ordinary scale.
    pub scale: Scale,
    /// Variances along the axes of that solution in descending order, in squared units of
    /// the points, divided by the square of `scale`. A sharp drop suggests the intrinsic dimension.
    pub spectrum: Vec<f64>,
    /// The fraction of the variance along the first d axes.
    pub variance_kept: f64,
    /// The length error of the first d basis vectors, optimally scaled.
    pub length_error_before: f64,
    /// The length error of the solution in all m dimensions.
    pub length_error_unfolded: f64,
    /// The length error of the map.
    pub length_error_after: f64,
    /// Angle error of the first d basis vectors, in degrees; see [`quality::shape::angle_error`].
    pub angle_error_before: f64,
    /// Angle error of the map, in degrees.
    pub angle_error_after: f64,
}

/// Length error above which a warning is given.
const WRONG: f64 = 0.2;

impl UnfoldingReport {
    /// Returns a warning if the map is not reliable: if it is not certified, or if
    /// squared lengths have relative errors above a fifth.
    pub fn warning(&self) -> Option<String> {
        if self.solution.outcome != Outcome::Certified {
            return Some(format!(
                "the unfolding stopped at a relative gap of {:.1e}, without a certificate; use a smaller \
                 stiffness or fewer basis vectors",
                self.solution.certificate.gap()
            ));
        }
        (self.length_error_after > WRONG).then(|| {
            format!(
                "squared lengths between neighbors have a relative error of {:.0} %; the first axes hold {:.0} % \
                 of the variance: the data may be curved, of more dimensions than requested, or joined by edges \
                 between layers",
                100.0 * self.length_error_after,
                100.0 * self.variance_kept
            )
        })
    }
}

/// Computes the linear transformation of a basis that maximizes the variance while
/// preserving the distances between neighbors.
///
/// `basis` is n × m, one row per point, as for [`crate::refine`]. It is centered
/// and whitened first; only its span matters.
///
/// **Idea.** Among all maps z = L y that are linear in the basis, choose the one with the
/// largest variance subject to preserving distances between neighbors.
///
/// **Definition.** Over P = LᵀL ⪰ 0, in units of the variance V of the points, minimize ν
/// E(P) − tr P, with E from [`LengthLoss`]. Both terms are dimensionless.
///
/// **Steps.** [`crate::whiten`]; [`LengthLoss::build`]; [`maximize_variance`]; the d
/// leading eigenvectors of P, which are the principal axes of the map, with the entry of
/// largest magnitude of each axis positive. Coordinates are in the units of the points,
/// without rescaling.
///
/// Stages `"quadratic form"`, `"unfolding"`, `"distortion"`.
///
/// **Cost.** [`LengthLoss::build`] once, O(n k² m⁴); the optimization is independent of
/// n; coordinates O(n m d), and their angles O(k² D) for each of at most 1,000 patches.
///
/// Fails if the graph is disconnected (the distance between components would be
/// unbounded), if d is 0 or exceeds m, if m ≥ n, if no list has two neighbors or every
/// list has all other points, if all points coincide, or if one of the steps fails.
///
/// ```
/// use conformal_eigenmaps::{Unfolding, unfold};
/// use embedding::Points;
/// use faer::Mat;
/// use neighbor_graph::{Manifold, NeighborSearch};
/// // A sheet, bent into an arch, and functions on it: two of them unbend it.
/// let uv = |i: usize| ((i as f64 * 0.754_877_666).fract(), (i as f64 * 0.569_840_291).fract());
/// let arch: Vec<f64> =
///     (1..=400).map(uv).flat_map(|(u, v)| [(3.0 * u).cos(), (3.0 * u).sin(), v]).collect();
/// let points = Points::new(&arch, 3)?;
/// let neighbors = NeighborSearch::nearest(8).find(points)?;
/// let basis = Mat::from_fn(400, 4, |i, j| {
///     let (u, v) = uv(i + 1);
///     [u + v * v, v, u * v, v * v][j]
/// });
/// let map = unfold(Manifold::new(points, &neighbors), basis.as_ref(), 2, &Unfolding::default())?;
/// assert!(map.report.length_error_before > 0.3 && map.report.length_error_after < 0.03);
/// # Ok::<(), embedding::Error>(())
/// ```
pub fn unfold(
    manifold: Manifold<'_>,
    basis: MatRef<'_, f64>,
    dim: usize,
    settings: &Unfolding,
) -> Result<UnfoldedMap, Error> {
    require_connected(&manifold)?;
    unfold_manifold(manifold, basis, dim, settings)
}

/// [`unfold`] for a graph known to be connected.
pub(crate) fn unfold_manifold(
    manifold: Manifold<'_>,
    basis: MatRef<'_, f64>,
    dim: usize,
    settings: &Unfolding,
) -> Result<UnfoldedMap, Error> {
    with_normalized_scale(manifold, |manifold, scale| {
        let mut map = unfold_normalized(manifold, basis, dim, settings)?;
        map.report.scale = scale;
        map.multiplied(scale, basis)
    })
}

/// The unfolding where fourth powers of distances are normal numbers.
fn unfold_normalized(
    manifold: Manifold<'_>,
    basis: MatRef<'_, f64>,
    d: usize,
    settings: &Unfolding,
) -> Result<UnfoldedMap, Error> {
    let Manifold { neighbors, observer, memory_limit, .. } = manifold;
    let distances = manifold.pair_distances()?;
    check_sizes("maximum variance unfolding", &manifold, basis, d)?;
    settings.check()?;
    let white = crate::whiten(basis)?;
    let pairs = settings.pairs;
    let loss = LengthLoss::build(distances, neighbors, white.basis.as_ref(), pairs, memory_limit, observer)?;

    observer.stage("unfolding");
    let solution = maximize_variance(&loss, settings.stiffness, settings.tolerance, observer)?;

    observer.stage("distortion");
    proceed(observer, 0, 1)?;
    let unit = loss.unit();
    let principal = axes(solution.factor.as_ref(), d)?;
    let mut map = BasisMap::new(&white, (faer::Scale(unit.sqrt()) * &principal).as_ref());
    let coordinates = map.coordinates(basis);
    let coordinates = map.normalize(basis, &coordinates, 1.0);
    let values = leading(solution.factor.as_ref())?.0;
    let spectrum: Vec<f64> = values.iter().map(|v| v * unit).collect();
    let plain = basis_start(d, basis.ncols());
    let angles = angles(distances, neighbors)?;
    let before = dense::product(white.basis.as_ref(), plain.transpose());
    let error = |factor: MatRef<'_, f64>| loss.value(&svec_product(factor, factor)).sqrt();
    let report = UnfoldingReport {
        unit,
        scale: Scale::ONE,
        variance_kept: values[..d].iter().sum::<f64>() / values.iter().sum::<f64>(),
        spectrum: spectrum.clone(),
        length_error_before: loss.scaled(&svec_product(plain.as_ref(), plain.as_ref())).1.sqrt(),
        length_error_unfolded: error(solution.factor.as_ref()),
        length_error_after: error(principal.transpose()),
        angle_error_before: angle_error(&angles, before.as_ref())?,
        angle_error_after: angle_error(&angles, coordinates.as_ref())?,
        solution,
    };
    proceed(observer, 1, 1)?;
    Ok(BasisCoordinates::new(coordinates, map, spectrum, report))
}

impl UnfoldedMap {
    /// Fails unless map and report belong to a saved basis.
    pub(crate) fn require(&self, basis: &FittedLle) -> Result<(), Error> {
        require_finite(&self.report.spectrum, "a variance")?;
        self.require_map(basis)
    }
}
