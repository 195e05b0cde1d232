//! The refinement of any centered basis to a conformal map.

use embedding::{Embedding, Error, Model, Recipe, Scale, Sizes, proceed, require, require_finite};
use faer::{Mat, MatRef};
use lle::FittedLle;
use neighbor_graph::{Graph, Manifold, Symmetry};
use serde::{Deserialize, Serialize};
use spectral::dense;

use crate::angles::{angle_error, angles};
use crate::basis_map::{BasisMap, require_map};
use crate::basis_observer::BasisObserver;
use crate::local_scale::{local_scale, mean_and_variation};
use crate::near::near;
use crate::placing::{Placing, require_map};
use crate::rank::{Candidate, RESTARTS, best_of_rank, rank_profile};
use crate::shown::Shown;
use crate::spectral_basis::DIM;
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
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ConformalMap {
    embedding: Embedding,
    placing: BasisMap,
    /// Intermediate results and quality measures.
    pub report: ConformalReport,
}

/// Intermediate results and quality measures of a conformal map. Losses D are relative to
/// that of the basis with P = I/m.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ConformalReport {
    /// The loss that was minimized, for use with [`alternate`], [`certificate`] or
    /// [`crate::solve_by_barrier`].
    pub quadratic: Quadratic,
    /// D(I/m) before normalization; multiply losses by it to compare bases. With weights other
    /// than [`PatchWeight::Paper`] that of the data divided by `scale`.
    pub raw_scale: f64,
    /// D of the first d basis vectors, unrefined.
    pub basis_value: f64,
    /// D of the map.
    pub value: f64,
    /// The convex solution with its certificate; `None` for [`Pipeline::Rank`].
    pub convex: Option<Solution>,
    /// D of the d leading directions of the convex solution.
    pub truncated_value: Option<f64>,
    /// Angle error of those directions, in degrees.
    pub truncated_angle_error: Option<f64>,
    /// The runs at rank d; empty for [`Pipeline::Convex`] and if d = m.
    pub candidates: Vec<Candidate>,
    /// The candidate that was chosen: the one with the smallest angle error.
    pub chosen: Option<usize>,
    /// Eigenvalues of P (variances along the axes) in descending order, with sum 1; those
    /// of the convex solution, if computed. A sharp drop suggests the intrinsic
    /// dimension.
    pub spectrum: Vec<f64>,
    /// The smallest D found at ranks 1, 2, …; nonincreasing, bounded below by that of the
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
    /// Angle error of the refined map, where it is larger than that of the first d basis
    /// vectors, which are returned in its place.
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

impl ConformalMap {
    /// Returns the coordinates of rows of the basis with m entries: z = (y − mean) ·
    /// linear. Each row is computed independently, so training rows reproduce their
    /// coordinates exactly.
    ///
    /// Fails if the number of columns is not m.
    pub fn apply(&self, basis: MatRef<'_, f64>) -> Result<Mat<f64>, Error> {
        self.placing.apply(basis)
    }

    /// Returns the mean of the basis, of length m.
    pub fn mean(&self) -> &[f64] {
        &self.placing.mean
    }

    /// Returns the linear map from the centered basis, m × d.
    pub fn linear(&self) -> MatRef<'_, f64> {
        self.placing.linear.as_ref()
    }
}

impl Model for ConformalMap {
    fn embedding(&self) -> &Embedding {
        &self.embedding
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
/// **Steps.** [`crate::whiten`]; [`Quadratic::build`]; [`alternate`] with m rows: the
/// convex optimum, its spectrum and its certificate; [`alternate`] with d rows from the
/// convex optimum truncated to d directions, from the first d basis vectors, and from
/// `restarts` random matrices, choosing the result with the smallest mean angle error, or the
/// first d basis vectors where theirs is smaller (not for [`Pipeline::Convex`], the method as
/// published); rotation to principal axes in descending order of variance, with the entry of largest
/// magnitude of each axis positive; scaling.
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
    let n = manifold.geometry()?.len();
    crate::patches::check_rows("the number of neighbor lists", n, manifold.neighbors.len())?;
    Graph::new(manifold.neighbors, Symmetry::Union).require_connected()?;
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
        let ConformalMap { embedding, placing, mut report } = refine_near(manifold, basis, dim, settings)?;
        let unit = match settings.units {
            Units::Input => scale,
            Units::UnitTrace => Scale::ONE,
        };
        let independent = settings.units == Units::Input && settings.weight == PatchWeight::Paper;
        report.scale = if independent { Scale::ONE } else { scale };
        let (placing, embedding) = placing.multiplied(unit, basis, embedding)?;
        Ok(ConformalMap { embedding, placing, report })
    })
}

/// The refinement where fourth powers of distances are normal numbers.
fn refine_near(
    manifold: Manifold<'_>,
    basis: MatRef<'_, f64>,
    d: usize,
    settings: &Refinement,
) -> Result<ConformalMap, Error> {
    let Manifold { neighbors, observer, memory_limit, .. } = manifold;
    let geometry = manifold.geometry()?;
    let m = basis.ncols();
    DIM.check("dim", d as f64, &Sizes { basis: Some(m), ..Sizes::default() }, &d)?;
    check_degrees("a conformal map", neighbors.degrees(), geometry.len())?;
    settings.alternation.check()?;
    let white = crate::whiten(basis)?;
    let Refinement { pairs, weight, .. } = *settings;
    let quadratic =
        Quadratic::build(geometry, neighbors, white.basis.as_ref(), pairs, weight, memory_limit, observer)?;

    let shown = BasisObserver::new(observer, white.basis.as_ref(), d);

    let convex = match settings.pipeline {
        Pipeline::Rank => None,
        Pipeline::ConvexThenRank | Pipeline::Convex => {
            observer.stage("convex solution");
            Some(alternate(&quadratic, basis_start(m, m).as_ref(), &settings.alternation, &shown)?)
        }
    };

    observer.stage("rank refinement");
    let angles = angles(geometry, neighbors)?;
    let error = |factor: MatRef<'_, f64>| -> Result<f64, Error> {
        angle_error(&angles, dense::product(white.basis.as_ref(), axes(factor, d)?.as_ref()).as_ref())
    };
    let plain = basis_start(d, m);
    let (candidates, chosen) = match settings.pipeline {
        Pipeline::Convex => (Vec::new(), None),
        _ if d == m && convex.is_some() => (Vec::new(), None),
        _ => best_of_rank(&quadratic, convex.as_ref(), d, settings, &error, &shown)?,
    };
    let total = settings.alternation.max_iterations * candidates.len().max(1);
    proceed(observer, total, total)?;
    observer.stage("rank profile");
    let profile = rank_profile(&quadratic, convex.as_ref(), &candidates, d, settings, observer)?;
    let refined = match (chosen, &convex) {
        (Some(at), _) => &candidates[at].solution.factor,
        (None, Some(convex)) => &convex.factor,
        (None, None) => unreachable!("every pipeline computes a convex solution or candidates"),
    };
    // The loss weights patches otherwise than the mean angle error does, so that its minimum
    // can have the larger error.
    let (before, after) = (error(plain.as_ref())?, error(refined.as_ref())?);
    let kept = settings.pipeline != Pipeline::Convex && before < after;
    let factor = if kept { &plain } else { refined };

    observer.stage("local scale");
    proceed(observer, 0, 1)?;
    let mut placing = BasisMap::new(&white, axes(factor.as_ref(), d)?.as_ref());
    let coordinates = placing.place(basis);
    let scales = local_scale(geometry, neighbors, pairs, coordinates.as_ref())?;
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
    let coordinates = placing.normalize(basis, &coordinates, size);
    let local_scale = scales.into_iter().map(|s| s.map(|s| s / (size * size))).collect();
    let value_of = |factor: MatRef<'_, f64>| -> Result<f64, Error> {
        Ok(certificate(&quadratic, &crate::svec::svec_product(factor, factor))?.value)
    };
    let cut = convex.as_ref().map(|c| crate::truncated(c.factor.as_ref(), d)).transpose()?;
    let spectrum = leading(convex.as_ref().map_or(factor, |c| &c.factor).as_ref())?.0;
    let report = ConformalReport {
        raw_scale: quadratic.raw_scale(),
        basis_value: value_of(plain.as_ref())?,
        value: value_of(crate::truncated(factor.as_ref(), d)?.as_ref())?,
        truncated_value: cut.as_ref().map(|c| value_of(c.as_ref())).transpose()?,
        truncated_angle_error: cut.as_ref().map(|c| error(c.as_ref())).transpose()?,
        angle_error_before: before,
        angle_error_after: angle_error(&angles, coordinates.as_ref())?,
        refined_angle_error: kept.then_some(after),
        spectrum: spectrum.clone(),
        rank_profile: profile,
        scale_variation: variation,
        local_scale,
        convex,
        candidates,
        chosen,
        quadratic,
        scale: Scale::ONE,
    };
    proceed(observer, 1, 1)?;
    Ok(ConformalMap { embedding: Embedding::new(coordinates).with_spectrum(spectrum), placing, report })
}

/// Fails if lists are too short to form an angle, or if every patch contains all points,
/// given the lengths of the shortest and the longest list.
pub(crate) fn check_degrees(
    what: &'static str,
    (least, most): (usize, usize),
    n: usize,
) -> Result<(), Error> {
    if n < 4 {
        return Err(Error::TooFewPoints { what, needed: 4, got: n });
    }
    let range = || format!("between 2, to form triangles, and {}, so that patches differ", n - 2);
    if most < 2 {
        return Err(Error::parameter("k", range(), most));
    }
    if least > n - 2 {
        return Err(Error::parameter("k", range(), least));
    }
    Ok(())
}

impl ConformalMap {
    /// Fails unless map and report belong to a saved basis.
    pub(crate) fn require(&self, basis: &FittedLle) -> Result<(), Error> {
        require_map(&self.placing, basis, &self.embedding)?;
        let ConformalReport { local_scale, chosen, candidates, .. } = &self.report;
        require(local_scale.len() == self.embedding.len(), "it does not have a local scale for every row")?;
        require(
            chosen.is_none_or(|chosen| chosen < candidates.len()),
            "it does not have the run that it chose",
        )?;
        require_finite(local_scale.iter().flatten(), "a local scale")
    }
}
