//! Modified locally linear embedding.

use embedding::implement::PairDistances;
use embedding::{About, DataKind, Error, Explanation, Observer, Recipe};
use neighbor_graph::{Components, Duplicates, Manifold, Neighborhood, Neighbors, implement::GraphMethod};
use serde::{Deserialize, Serialize};
use spectral::{Sparse, Tolerance};

use crate::barycentric_extension::BarycentricExtension;
use crate::basis::{ColumnNorm, allow_alignment, check_dim, spectral_basis};
use crate::chart::Chart;
use crate::fitted_alignment::FittedAlignment;
use crate::frame::{Frame, Origin};
use crate::patch_columns::{Columns, PatchColumns};
use crate::patches::{Patches, listed};
use crate::per_point::{cut, each_point};
use crate::training_neighbors::TrainingNeighbors;
use crate::weights::{LocalWeights, check_regularization, require_neighbors, singular};

/// Modified locally linear embedding: preserves all weight vectors that reconstruct
/// each point almost equally well.
///
#[doc = include_str!("modified_lle.md")]
///
/// **Details.** The matrix is [`modified_alignment`], its eigenvectors
/// [`crate::steps::spectral_basis`]. With Xᵢ − 1 xᵢᵀ = U Σ Vᵀ and ρᵢ = Σ_{j>d} σⱼ² / Σ_{j≤d} σⱼ², η is
/// the median of all ρᵢ, and sᵢ = max {s ≤ k − d : Σ_{j>k−s} σⱼ² < η Σ_{j≤k−s} σⱼ²}, as Zhang and
/// Wang (2006) define it, but at least 1. The bound k − d follows from ranks. The neighbors of a point in a
/// d-dimensional plane have a local Gram matrix of rank d at most, so that at least k − d of its eigenvalues
/// vanish. Among the functions on the k + 1 points of a patch, the null space of sᵢ independent weight
/// vectors has k + 1 − sᵢ dimensions; it contains the d + 1 dimensions of the affine functions of the plane
/// only if sᵢ ≤ k − d. Where the Gram matrix has a rank r below d, there are r + 1 such functions, and sᵢ = k
/// − r. Ratios that differ from η by rounding alone, as on a regular grid, count as equal to it. A
/// disconnected graph: see [`Components`].
///
/// Distances instead of points give the geometry of each neighborhood by classical scaling of its point and
/// members; negative eigenvalues, which non-Euclidean distances have, are dropped. The model keeps the
/// distances for new points, 4 n² bytes.
///
/// **Cost.** Neighbor search; local decompositions O(n (k D min(k, D) + k³)) time and n k
/// min(k, D) numbers; M O(n k² min(k, D)) time and at most n (k + 1)² numbers, usually a few
/// times fewer; one sparse factorization for the eigenvectors. No n × n matrix is formed.
///
/// ```
/// use lle::{ModifiedLle, Method, Model, PointSet};
/// // A quarter of a cylinder, unrolled.
/// let point = |i: u32| {
///     let (angle, height) = (f64::from(i % 10) * 0.15, f64::from(i / 10) * 0.15);
///     [angle.cos(), angle.sin(), height]
/// };
/// let points = PointSet::new((0..100).flat_map(point).collect(), 3)?;
/// let fitted = ModifiedLle::default().fit(&points)?;
/// assert_eq!(fitted.embedding().coordinates().shape(), (100, 2));
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct ModifiedLle {
    /// The rule that selects neighbors.
    #[param(flatten)]
    pub neighborhood: Neighborhood,
    /// Target dimension d.
    #[param(default = 2, range = "1 to k - 1")]
    pub dim: usize,
    /// Added to the diagonal of each local Gram matrix, relative to its trace.
    #[param(name = "reg", default = 1e-3, range = "above 0")]
    pub regularization: f64,
    /// Length of a coordinate column.
    #[param(default = ColumnNorm::UnitCovariance)]
    pub scale: ColumnNorm,
    /// What to do with a disconnected neighbor graph.
    #[param(default = Components::Reject)]
    pub components: Components,
    /// What to do with rows that are exact copies of others.
    #[param(default = Duplicates::Merge)]
    pub duplicates: Duplicates,
    /// Residual demanded of the eigenvectors, relative to the operator's norm.
    pub tolerance: Tolerance,
}

/// A fitted modified locally linear embedding.
pub type FittedModifiedLle = FittedAlignment<BarycentricExtension>;

impl GraphMethod for ModifiedLle {
    type Model = FittedModifiedLle;

    const READS_COORDINATES: bool = true;

    const ABOUT: About = About {
        name: "modified-lle",
        title: "Modified LLE",
        summary: "LLE with several weight vectors per point, which removes its folds.",
        preserves: "all weights that reconstruct each point well; scale is lost",
        cost: "time n k^3 + n k^2 D, then a sparse eigenproblem; memory n k^2, of distances 4 n^2 bytes",
        new_points: "the weights that reconstruct the new point from its neighbors; interpolates: near a training row it tends to the row's position",
        accepts: &[DataKind::Points, DataKind::Distances],
        needs_labels: false,
        least_points: 2,
        explanation: Explanation::new(include_str!("modified_lle.md")),
    };

    /// Stages `"weights"`, `"alignment"`, `"eigenvectors"`.
    fn fit_manifold(&self, manifold: Manifold<'_>) -> Result<FittedModifiedLle, Error> {
        let Manifold { neighbors, memory_limit, observer, .. } = manifold;
        let near = TrainingNeighbors::of(&manifold)?;
        let limit = memory_limit.beside(near.bytes(&manifold) + neighbors.bytes());
        let distances = manifold.pair_distances()?;
        let assembling = Columns::assembling_bytes(neighbors, most_columns(distances, neighbors), OWN);
        allow_alignment(limit, assembling, None)?;
        let m = modified_alignment(distances, neighbors, self.dim, self.regularization, observer)?;
        allow_alignment(limit, assembling, Some(&m))?;
        let basis = spectral_basis(&m, None, self.dim, self.tolerance, limit, observer)?;
        let extension = BarycentricExtension::new(near, self.regularization);
        Ok(FittedAlignment::new(basis, self.scale, extension))
    }
}

neighbor_graph::graph_method!(ModifiedLle);

/// M = Σᵢ Eᵢ (Wᵢ; −1ᵀ)(Wᵢ; −1ᵀ)ᵀ Eᵢᵀ over the neighbors of i and, last, i itself:
/// yᵀ M y is the squared error with which all the weights of [`ModifiedLle`] reconstruct y.
///
/// Only the projector P = VᵢVᵢᵀ matters, not the basis chosen for it. With
/// û = P1/|P1|, α = |P1|/√s and q = (û + (1 − α)√s w; −√s), the patch is
/// P − ûûᵀ + qqᵀ: no reflection is formed.
///
/// Sparse, symmetric, positive semidefinite, M 1 = 0. Any number of its
/// eigenvectors may be computed with [`crate::steps::spectral_basis`]. Lists may be ragged,
/// each at least d + 1 long.
///
/// Stages `"weights"` and `"alignment"`.
pub fn modified_alignment<'a>(
    distances: impl Into<PairDistances<'a>>,
    neighbors: &Neighbors,
    dim: usize,
    regularization: f64,
    observer: &dyn Observer,
) -> Result<Sparse, Error> {
    let distances = distances.into();
    let n = distances.len();
    check_dim(dim, n)?;
    check_regularization(regularization)?;
    require_neighbors(n, neighbors, dim + 1, "modified locally linear embedding")?;
    observer.stage("weights");
    let most = most_columns(distances, neighbors);
    let patches = Patches::with_self(neighbors);
    let mut singular_vectors = Columns::zeros(&patches, most);
    let mut squares = vec![0.0; n * most];
    let mut own = vec![Own::default(); patches.total()];
    let parts = singular_vectors.split(&patches).into_iter().zip(squares.chunks_exact_mut(most));
    let mut local: Vec<Local<'_>> = parts
        .zip(cut(&mut own, patches.sizes()))
        .map(|((u, squares), own)| Local { u, squares, own, kept: 0, copied: false })
        .collect();
    each_point(&mut local, observer, Workspace::default, |workspace, i, local| {
        let members = patches.of(i);
        workspace.chart.around(distances, i, &members[..members.len() - 1]);
        local
            .regularized_weights(workspace, regularization)
            .ok_or_else(|| singular(format!("point {i}"), regularization))?;
        local.singular_vectors(workspace);
        local.copied = workspace.chart.has_copies(TIE);
        Ok(())
    })?;
    let eta = median(local.iter().map(|local| ratio(local.squares, dim)).collect());
    for (local, listed) in local.iter_mut().zip(listed(neighbors)) {
        local.choose_count(dim, eta);
        let norm = local.project_ones();
        local.complete(norm, listed);
    }
    let kept: Vec<usize> = local.iter().map(|local| local.kept).collect();
    drop(local);
    drop(squares);
    observer.stage("alignment");
    // Row p of P − ûûᵀ + qqᵀ, where P = I − UUᵀ on the neighbors.
    let patch_row = |i: usize, p: usize, out: &mut [f64]| {
        let own = &own[patches.range(i)];
        let inside = singular_vectors.products(patches.range(i), p, kept[i]);
        for ((value, inside), other) in out.iter_mut().zip(inside).zip(own) {
            *value = own[p].q * other.q - own[p].u_hat * other.u_hat - inside;
        }
        if p + 1 < out.len() {
            out[p] += 1.0;
        }
    };
    patches.assemble(patch_row, observer)
}

/// The largest number of singular vectors of a patch.
fn most_columns(distances: PairDistances<'_>, neighbors: &Neighbors) -> usize {
    let most = neighbors.degrees().1;
    match distances {
        PairDistances::Points(points) => most.min(points.dim()),
        PairDistances::Distances(_) => most,
    }
}

/// The numbers of one member of a patch: its weight, its entry of û and of q.
#[derive(Clone, Copy, Default)]
struct Own {
    w: f64,
    u_hat: f64,
    q: f64,
}

/// The numbers of one member.
const OWN: usize = size_of::<Own>() / size_of::<f64>();

/// Ratios within this fraction of η are equal to it, and points within this fraction of the extent of a patch
/// are copies. It exceeds the rounding of coordinates.
const TIE: f64 = 1e-8;

/// Memory of the local problems.
#[derive(Default)]
struct Workspace {
    chart: Chart,
    frame: Frame,
    solver: LocalWeights,
    w: Vec<f64>,
}

/// A patch while it is made: the neighbors of a point and, last, the point itself.
struct Local<'a> {
    /// Left singular vectors; the point itself has zeros.
    u: PatchColumns<'a>,
    /// Their σ², zeros beyond the rank.
    squares: &'a mut [f64],
    own: &'a mut [Own],
    /// The number of singular vectors; after the choice of sᵢ, of the vectors that are not among Vᵢ: k − sᵢ.
    kept: usize,
    /// Whether some of its points are copies of each other.
    copied: bool,
}

impl Local<'_> {
    /// wᵢ, the weights of [`crate::Lle`]; `None` where their system is singular.
    fn regularized_weights(&mut self, workspace: &mut Workspace, regularization: f64) -> Option<()> {
        let Workspace { chart, solver, w, .. } = workspace;
        w.resize(chart.len(), 0.0);
        solver.solve(chart, regularization, w)?;
        self.own.iter_mut().zip(w).for_each(|(own, w)| own.w = *w);
        Some(())
    }

    /// U and σ² of the neighbors relative to the point, as far as they exceed rounding.
    fn singular_vectors(&mut self, workspace: &mut Workspace) {
        let frame = &mut workspace.frame;
        frame.decompose(&workspace.chart, Origin::Point, self.squares.len());
        self.kept = frame.rank;
        self.squares[..frame.rank].copy_from_slice(&frame.squares[..frame.rank]);
        (0..frame.rank).for_each(|j| self.u.set(j, frame.column(j)));
    }

    /// The number of neighbors, k.
    fn neighbors(&self) -> usize {
        self.own.len() - 1
    }

    /// Chooses sᵢ: the largest s ≤ k − d whose directions are short, by η.
    fn choose_count(&mut self, dim: usize, eta: f64) {
        let rank = self.kept;
        let rounding = TIE * eta + 4.0 * self.neighbors() as f64 * f64::EPSILON;
        let short = |l: &usize| ratio(self.squares, *l) < eta - rounding;
        self.kept = (dim..rank).find(short).unwrap_or(rank).min(rank).min(self.neighbors() - 1);
    }

    /// Stores P1 = 1 − UUᵀ1 instead of û and returns its norm.
    fn project_ones(&mut self) -> f64 {
        let k = self.neighbors();
        let own = &mut self.own[..k];
        own.iter_mut().for_each(|own| own.u_hat = 1.0);
        for j in 0..self.kept {
            let sum: f64 = self.u.column(j).sum();
            own.iter_mut().zip(self.u.column(j)).for_each(|(own, u)| own.u_hat -= sum * u);
        }
        own.iter().map(|own| own.u_hat * own.u_hat).sum::<f64>().sqrt()
    }

    /// û = P1/|P1| and q = (û + (1 − α)√s w; −√s), for the norm of P1.
    ///
    /// In a patch with copies w is P1/|P1|², the shortest of its weights that sum to 1. The trace, which
    /// scales the regularization of wᵢ, counts a point once for each copy; wᵢ is then far from reconstructing
    /// the other directions, and affine functions would not be null vectors. Where P1 = 0 too, the point is
    /// affinely independent of its neighbors: no weights reconstruct it, and q = 0 leaves it to the patches
    /// of other points, where it is listed in one.
    fn complete(&mut self, norm: f64, listed: bool) {
        let k = self.neighbors();
        let s = ((k - self.kept) as f64).sqrt();
        // A vector of rounding errors has no direction to reflect.
        let rounding = if self.copied { TIE } else { 1e-12 };
        let determined = norm > rounding * (k as f64).sqrt();
        let (scale, alpha) = if determined { (1.0 / norm, norm / s) } else { (0.0, 0.0) };
        let s = if self.copied && !determined && listed { 0.0 } else { s };
        for own in &mut self.own[..k] {
            own.u_hat *= scale;
            let w = if self.copied && determined { own.u_hat * scale } else { own.w };
            own.q = own.u_hat + (1.0 - alpha) * s * w;
        }
        self.own[k].q = -s;
    }
}

/// Σ_{j>l} σⱼ² / Σ_{j≤l} σⱼ², zero for a neighborhood without extent.
fn ratio(squares: &[f64], l: usize) -> f64 {
    let (head, tail) = squares.split_at(l.min(squares.len()));
    let (head, tail): (f64, f64) = (head.iter().sum(), tail.iter().sum());
    if head > 0.0 { tail / head } else { 0.0 }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let half = values.len() / 2;
    if values.len() % 2 == 1 { values[half] } else { 0.5 * (values[half - 1] + values[half]) }
}

#[cfg(test)]
mod tests {
    use neighbor_graph::{Neighborhood, Neighbors};

    use super::{Local, Own, median, ratio};
    use crate::patch_columns::Columns;
    use crate::patches::Patches;

    #[test]
    fn the_median_of_an_even_number_is_the_mean_of_the_middle_two() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![8.0, 1.0, 2.0, 4.0]), 3.0);
        assert_eq!(median(vec![7.0]), 7.0);
    }

    #[test]
    fn a_neighborhood_without_extent_has_the_ratio_zero() {
        assert_eq!(ratio(&[0.0, 0.0], 1), 0.0);
        assert_eq!(ratio(&[2.0, 1.0, 3.0], 1), 2.0);
    }

    /// The number of directions that are kept of a patch of k neighbors.
    fn kept(squares: &[f64], k: usize, eta: f64) -> usize {
        let list = |i: usize| (1..=k).map(|at| (((i + at) % (k + 1)) as u32, at as f64)).collect();
        let lists = Neighbors::from_lists((0..=k).map(list).collect(), Neighborhood::Nearest { k });
        let patches = Patches::with_self(&lists.expect("lists"));
        let mut columns = Columns::zeros(&patches, squares.len());
        let u = columns.split(&patches).remove(0);
        let (mut squares, mut own) = (squares.to_vec(), vec![Own::default(); k + 1]);
        let kept = squares.len();
        let mut local = Local { u, squares: &mut squares, own: &mut own, kept, copied: false };
        local.choose_count(1, eta);
        local.kept
    }

    /// Σ_{j>l} σⱼ² / Σ_{j≤l} σⱼ² must be less than η, by more than 1e-8 of it and rounding of the squares.
    #[test]
    fn directions_are_short_by_a_ratio_below_the_median() {
        // The ratios are 0.01 and about 0.005.
        let squares = [100.0, 0.5, 0.5];
        for (more, expected) in [(-1e-3, 2), (0.0, 2), (1e-9, 2), (1e-6, 1), (0.5, 1)] {
            assert_eq!(kept(&squares, 5, 0.01 * (1.0 + more)), expected, "{more}");
        }
        assert_eq!(kept(&[1.0, 0.0, 0.0], 5, 15.0 * f64::EPSILON), 3, "rounding is not less than rounding");
    }

    /// At least one direction is always short.
    #[test]
    fn a_patch_keeps_fewer_directions_than_neighbors() {
        assert_eq!(kept(&[1.0; 4], 4, 0.0), 3);
    }
}
