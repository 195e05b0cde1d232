//! The refinement of any centered basis to a conformal map.

use embedding::implement::{Scale, proceed, require, require_finite};
use embedding::{Error, Model, Observer, Recipe};
use faer::{Mat, MatRef};
use lle::FittedLle;
use neighbor_graph::Manifold;
use quality::shape::Angles;
use serde::{Deserialize, Serialize};
use spectral::dense;

use crate::angles::{angle_error, angles};
use crate::basis_coordinates::BasisCoordinates;
use crate::basis_map::BasisMap;
use crate::basis_observer::BasisObserver;
use crate::conditions::{check_sizes, require_connected};
use crate::local_scale::{local_scale, mean_and_variation};
use crate::normalized_scale::with_normalized_scale;
use crate::rank::{Candidate, RESTARTS, best_of_rank, rank_profile};
use crate::starts::{axes, leading};
use crate::{Alternation, PatchPairs, PatchWeight, Quadratic, Solution, alternate, basis_start, certificate};

/// Settings of the refinement of a basis of m vectors to d ≤ m coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct Refinement {
    /// Which pairs of a neighborhood count.
    #[param(default = PatchPairs::Clique)]
    pub pairs: PatchPairs,
    /// How much a neighborhood counts.
    pub weight: PatchWeight,
    /// Which solutions are computed.
    #[param(default = Pipeline::ConvexThenRank)]
    pub pipeline: Pipeline,
    /// Random starts in addition to the deterministic ones.
    #[param(default = 0, range = RESTARTS)]
    pub restarts: usize,
    /// Seed of all random choices. Each further start increments it.
    #[param(default = 0)]
    pub seed: u64,
    /// Number of ranks 1, 2, … whose smallest loss is recorded, at most m.
    #[param(skip, default = 4)]
    pub profile: usize,
    /// Unit of length of the result.
    #[param(default = Units::Input)]
    pub units: Units,
    /// Minimization of the loss.
    #[param(flatten)]
    pub alternation: Alternation,
}

/// Which solutions are computed, and which one is returned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pipeline {
    /// The convex solution, for spectrum and certificate, then the best solution of rank
    /// d.
    #[default]
    ConvexThenRank,
    /// The convex solution only, truncated to its d leading directions: the method as
    /// published.
    Convex,
    /// Rank d only, starting from the unrefined basis: fast, without spectrum.
    Rank,
}

embedding::words!(Pipeline { ConvexThenRank = "convex-then-rank", Convex = "convex", Rank = "rank" });

/// The unit of length of the coordinates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Units {
    /// The mean of the local scale s_h of squared distances is 1.
    #[default]
    Input,
    /// The trace of the covariance is 1.
    UnitTrace,
}

embedding::words!(Units { Input = "input", UnitTrace = "unit-trace" });

/// Coordinates that preserve angles, linear in the basis they were made from, with
/// everything known about them.
pub type ConformalMap = BasisCoordinates<ConformalReport>;

/// Intermediate results and quality measures of a conformal map. Losses D are relative to
/// the loss of the basis with P = I/m.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ConformalReport {
    /// The loss that was minimized, for use with [`alternate`], [`certificate`] or
    /// [`crate::solve_by_barrier`].
    pub quadratic: Quadratic,
    /// D(I/m) before normalization; multiply losses by it to compare bases. With weights other
    /// than [`PatchWeight::Paper`] it is computed from the data divided by `scale`.
    pub raw_scale: f64,
    /// D of the first d basis vectors, unrefined.
    pub basis_value: f64,
    /// D of the map.
    pub value: f64,
    /// The convex solution with its certificate; `None` for [`Pipeline::Rank`].
    pub convex: Option<Solution>,
    /// D of the d leading directions of the convex solution.
    pub truncated_value: Option<f64>,
    /// Angle error of the d leading directions of the convex solution, in degrees.
    pub truncated_angle_error: Option<f64>,
    /// The runs at rank d; empty for [`Pipeline::Convex`] and if d = m.
    pub candidates: Vec<Candidate>,
    /// The candidate that was chosen: the one with the smallest angle error.
    pub chosen: Option<usize>,
    /// Eigenvalues of P (variances along the axes) in descending order, with sum 1; P is
    /// the convex solution, if computed. A sharp drop suggests the intrinsic dimension.
    pub spectrum: Vec<f64>,
    /// The smallest D found at ranks 1, 2, …; nonincreasing, bounded below by D of the
    /// convex solution.
    pub rank_profile: Vec<f64>,
    /// s_h of the map, see [`local_scale`], in the units of the coordinates; for
    /// [`Units::UnitTrace`] with the points divided by `scale`.
    pub local_scale: Vec<Option<f64>>,
    /// Standard deviation of s_h divided by its mean: below 0.2 the map is nearly
    /// isometric, above 1 it is not reliable.
    pub scale_variation: f64,
    /// Angle error of the first d basis vectors, in degrees; see [`quality::shape::angle_error`].
    pub angle_error_before: f64,
    /// Angle error of the map, in degrees.
    pub angle_error_after: f64,
    /// Angle error of the refined map, where it is larger than the angle error of the
    /// first d basis vectors, which are then returned instead.
    pub refined_angle_error: Option<f64>,
    /// The power of two by which the data were divided for `raw_scale` and `local_scale`, so that
    /// fourth powers of distances are normal numbers; 1 for data of ordinary scale, and where
    /// neither depends on it.
    pub scale: Scale,
}

impl ConformalReport {
    /// Returns a warning if the map is not reliable: if the scale varies by more than its
    /// mean.
    pub fn warning(&self) -> Option<String> {
        (self.scale_variation > 1.0).then(|| {
            format!(
                "the local scale varies by {:.2} times its mean; regions that the map shrinks may be distorted: \
                 look for outliers, a nearly disconnected graph, or data of higher intrinsic dimension",
                self.scale_variation
            )
        })
    }
}

/// Computes the linear map of a basis that best preserves the angles between
/// neighbors.
///
/// `basis` is n × m, one row per point: eigenvectors of locally linear embedding, local
/// tangent space alignment or a graph Laplacian, or any other functions. It is centered
/// and whitened first; only its span matters.
///
/// **Idea.** A conformal map preserves angles: near every point it is a rotation times a
/// scale. Among all maps z = L y that are linear in the basis and have total variance tr
/// LᵀL = 1, choose the one whose patches are closest to that.
///
/// **Steps.** [`crate::whiten`]; [`Quadratic::build`]; [`alternate`] with m rows: the convex
/// optimum, its spectrum and its certificate; [`alternate`] with d rows from the convex optimum
/// truncated to d directions, from the first d basis vectors, and from `restarts` random matrices,
/// choosing the result with the smallest mean angle error, or the first d basis vectors where their
/// angle error is smaller (not for [`Pipeline::Convex`], the method as published); rotation to
/// principal axes in descending order of variance, with the entry of largest magnitude of each axis
/// positive; scaling.
///
/// Stages `"quadratic form"`, `"convex solution"`, `"rank refinement"`,
/// `"rank profile"`, `"local scale"`. Every iteration of the convex solution and of the runs
/// at rank d is shown to the observer, with the coordinates in d dimensions and D; an
/// observer that ends one run gets the best map so far, [`crate::Outcome::Stopped`].
///
/// **Cost.** [`Quadratic::build`] once, O(n k² m⁴); the optimization is independent of n;
/// coordinates O(n m d), angles and scales O(n k² D).
///
/// Fails if the graph is disconnected (the indicator function of a component preserves
/// all angles), if d is 0 or exceeds m, if m ≥ n, if no list has two neighbors or every
/// list has all other points, if all points coincide, or if one of the steps fails.
///
/// ```
/// use conformal_eigenmaps::{Refinement, refine};
/// use embedding::Points;
/// use faer::Mat;
/// use neighbor_graph::{Manifold, NeighborSearch};
/// // A plane sheet, and functions on it: two coordinates and three distractions.
/// let uv = |i: usize| ((i as f64 * 0.754_877_666).fract(), (i as f64 * 0.569_840_291).fract());
/// let sheet: Vec<f64> = (1..=200).flat_map(|i| [2.0 * uv(i).0, uv(i).1]).collect();
/// let points = Points::new(&sheet, 2)?;
/// let neighbors = NeighborSearch::nearest(8).find(points)?;
/// let basis = Mat::from_fn(200, 5, |i, j| {
///     let (u, v) = uv(i + 1);
///     [u + v * v, v, u * v, v * v, (3.0 * u).cos()][j]
/// });
/// let map = refine(Manifold::new(points, &neighbors), basis.as_ref(), 2, &Refinement::default())?;
/// assert!(map.report.angle_error_before > 10.0 && map.report.angle_error_after < 1e-4);
/// # Ok::<(), embedding::Error>(())
/// ```
pub fn refine(
    manifold: Manifold<'_>,
    basis: MatRef<'_, f64>,
    dim: usize,
    settings: &Refinement,
) -> Result<ConformalMap, Error> {
    require_connected(&manifold)?;
    refine_manifold(manifold, basis, dim, settings)
}

/// [`refine`] for a graph known to be connected.
pub(crate) fn refine_manifold(
    manifold: Manifold<'_>,
    basis: MatRef<'_, f64>,
    dim: usize,
    settings: &Refinement,
) -> Result<ConformalMap, Error> {
    with_normalized_scale(manifold, |manifold, scale| {
        let mut map = refine_normalized(manifold, basis, dim, settings)?;
        let unit = match settings.units {
            Units::Input => scale,
            Units::UnitTrace => Scale::ONE,
        };
        let independent = settings.units == Units::Input && settings.weight == PatchWeight::Paper;
        map.report.scale = if independent { Scale::ONE } else { scale };
        map.multiplied(unit, basis)
    })
}

/// The refinement where fourth powers of distances are normal numbers.
fn refine_normalized(
    manifold: Manifold<'_>,
    basis: MatRef<'_, f64>,
    dim: usize,
    settings: &Refinement,
) -> Result<ConformalMap, Error> {
    let Manifold { neighbors, observer, memory_limit, .. } = manifold;
    let distances = manifold.pair_distances()?;
    check_sizes("a conformal map", &manifold, basis, dim)?;
    settings.alternation.check()?;
    let white = crate::whiten(basis)?;
    let Refinement { pairs, weight, .. } = *settings;
    let quadratic =
        Quadratic::build(distances, neighbors, white.basis.as_ref(), pairs, weight, memory_limit, observer)?;

    let shown = BasisObserver::new(observer, white.basis.as_ref(), dim);
    let convex = convex_solution(&quadratic, settings, observer, &shown)?;
    observer.stage("rank refinement");
    let errors = AngleErrors { angles: angles(distances, neighbors)?, basis: white.basis.as_ref(), dim };
    let solutions = Solutions::new(convex, &quadratic, settings, &errors, &shown)?;
    let (convex, candidates) = (solutions.convex.as_ref(), &solutions.candidates[..]);
    observer.stage("rank profile");
    let profile = rank_profile(&quadratic, convex, candidates, dim, settings, observer)?;

    observer.stage("local scale");
    proceed(observer, 0, 1)?;
    let axes = axes(solutions.factor.as_ref(), dim)?;
    let map = ScaledMap::new(BasisMap::new(&white, axes.as_ref()), basis, &manifold, settings)?;
    let map = conformal_map(map, quadratic, solutions, profile, &errors)?;
    proceed(observer, 1, 1)?;
    Ok(map)
}

/// The convex solution with all m rows; `None` where the pipeline leaves it out. Stage
/// `"convex solution"`.
fn convex_solution(
    quadratic: &Quadratic,
    settings: &Refinement,
    observer: &dyn Observer,
    shown: &BasisObserver<'_>,
) -> Result<Option<Solution>, Error> {
    if settings.pipeline == Pipeline::Rank {
        return Ok(None);
    }
    observer.stage("convex solution");
    let m = quadratic.order();
    alternate(quadratic, basis_start(m, m).as_ref(), &settings.alternation, shown).map(Some)
}

/// Measures the angle errors of maps that are linear in a whitened basis.
struct AngleErrors<'a> {
    /// The angles of the data.
    angles: Angles<'a>,
    /// The whitened basis, n × m.
    basis: MatRef<'a, f64>,
    /// The number d of coordinates.
    dim: usize,
}

impl AngleErrors<'_> {
    /// The angle error, in degrees, of the d leading directions of a factor with m columns.
    fn of(&self, factor: MatRef<'_, f64>) -> Result<f64, Error> {
        let axes = axes(factor, self.dim)?;
        angle_error(&self.angles, dense::product(self.basis, axes.as_ref()).as_ref())
    }
}

/// The solutions of a refinement, and the factor of the map that is returned.
struct Solutions {
    convex: Option<Solution>,
    candidates: Vec<Candidate>,
    chosen: Option<usize>,
    /// The factor of the chosen solution, or of the first d basis vectors.
    factor: Mat<f64>,
    /// The angle error of the first d basis vectors.
    basis_error: f64,
    /// The angle error of the chosen solution, where the basis vectors have the smaller one.
    refined_error: Option<f64>,
}

impl Solutions {
    /// Finds the best solution of rank d, unless only the convex solution is requested.
    fn new(
        convex: Option<Solution>,
        quadratic: &Quadratic,
        settings: &Refinement,
        errors: &AngleErrors<'_>,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let (d, m) = (errors.dim, quadratic.order());
        let (candidates, chosen, refined) = match &convex {
            Some(convex) if settings.pipeline == Pipeline::Convex || d == m => {
                (Vec::new(), None, convex.factor.clone())
            }
            convex => {
                let error = |factor: MatRef<'_, f64>| errors.of(factor);
                let (candidates, chosen) =
                    best_of_rank(quadratic, convex.as_ref(), d, settings, &error, observer)?;
                let refined = candidates[chosen].solution.factor.clone();
                (candidates, Some(chosen), refined)
            }
        };
        let total = settings.alternation.max_iterations * candidates.len().max(1);
        proceed(observer, total, total)?;
        // The loss weights patches otherwise than the mean angle error does, so that its minimum
        // can have the larger error.
        let plain = basis_start(d, m);
        let (basis_error, error) = (errors.of(plain.as_ref())?, errors.of(refined.as_ref())?);
        let kept = settings.pipeline != Pipeline::Convex && basis_error < error;
        let factor = if kept { plain } else { refined };
        Ok(Self { convex, candidates, chosen, factor, basis_error, refined_error: kept.then_some(error) })
    }
}

/// A map in its unit of length, with the local scale of every patch.
struct ScaledMap {
    map: BasisMap,
    coordinates: Mat<f64>,
    local_scale: Vec<Option<f64>>,
    variation: f64,
}

impl ScaledMap {
    /// Divides a map by the unit of length of the settings.
    ///
    /// Fails where the points of every patch have one image.
    fn new(
        mut map: BasisMap,
        basis: MatRef<'_, f64>,
        manifold: &Manifold<'_>,
        settings: &Refinement,
    ) -> Result<Self, Error> {
        let coordinates = map.coordinates(basis);
        let scales = local_scale(
            manifold.pair_distances()?,
            manifold.neighbors,
            settings.pairs,
            coordinates.as_ref(),
        )?;
        let Some((mean, variation)) = mean_and_variation(&scales) else {
            return Err(Error::degenerate(
                "the map collapses every patch to a point",
                "look for outliers or a nearly disconnected graph, or use more neighbors",
            ));
        };
        let size = match settings.units {
            Units::Input => mean.sqrt(),
            Units::UnitTrace => 1.0,
        };
        let coordinates = map.normalize(basis, &coordinates, size);
        let local_scale = scales.into_iter().map(|s| s.map(|s| s / (size * size))).collect();
        Ok(Self { map, coordinates, local_scale, variation })
    }
}

/// The map with its report, before it is multiplied by the scale of the data.
fn conformal_map(
    ScaledMap { map, coordinates, local_scale, variation }: ScaledMap,
    quadratic: Quadratic,
    solutions: Solutions,
    rank_profile: Vec<f64>,
    errors: &AngleErrors<'_>,
) -> Result<ConformalMap, Error> {
    let (d, m) = (errors.dim, quadratic.order());
    let Solutions { convex, candidates, chosen, factor, basis_error, refined_error } = solutions;
    let loss = |factor: MatRef<'_, f64>| -> Result<f64, Error> {
        Ok(certificate(&quadratic, &crate::svec::svec_product(factor, factor))?.value)
    };
    let cut = convex.as_ref().map(|c| crate::truncated(c.factor.as_ref(), d)).transpose()?;
    let spectrum = leading(convex.as_ref().map_or(&factor, |c| &c.factor).as_ref())?.0;
    let report = ConformalReport {
        raw_scale: quadratic.raw_scale(),
        basis_value: loss(basis_start(d, m).as_ref())?,
        value: loss(crate::truncated(factor.as_ref(), d)?.as_ref())?,
        truncated_value: cut.as_ref().map(|c| loss(c.as_ref())).transpose()?,
        truncated_angle_error: cut.as_ref().map(|c| errors.of(c.as_ref())).transpose()?,
        angle_error_before: basis_error,
        angle_error_after: angle_error(&errors.angles, coordinates.as_ref())?,
        refined_angle_error: refined_error,
        spectrum: spectrum.clone(),
        rank_profile,
        scale_variation: variation,
        local_scale,
        convex,
        candidates,
        chosen,
        quadratic,
        scale: Scale::ONE,
    };
    Ok(BasisCoordinates::new(coordinates, map, spectrum, report))
}

impl ConformalMap {
    /// Fails unless map and report belong to a saved basis.
    pub(crate) fn require(&self, basis: &FittedLle) -> Result<(), Error> {
        self.require_map(basis)?;
        let ConformalReport { local_scale, chosen, candidates, .. } = &self.report;
        require(local_scale.len() == self.embedding().len(), "it does not have a local scale for every row")?;
        require(
            chosen.is_none_or(|chosen| chosen < candidates.len()),
            "it does not have the run that it chose",
        )?;
        require_finite(local_scale.iter().flatten(), "a local scale")
    }
}
