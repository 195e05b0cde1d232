//! Modified locally linear embedding.

use embedding::{About, Bound, Data, Error, Observer, Parameter, Points, Range, field};
use neighbor_graph::{Components, GraphMethod, Manifold, Neighborhood, Neighbors};
use serde::{Deserialize, Serialize};
use spectral::{Sparse, Tolerance};

use crate::assemble::Patches;
use crate::barycenter::Barycenter;
use crate::barycentric::Barycentric;
use crate::basis::{Scale, check_dim, require_distinct, spectral_basis};
use crate::each_point::{cut, each_point};
use crate::fitted::FittedAlignment;
use crate::frame::{Frame, Origin};
use crate::weights::{check_regularization, regularization_parameter, require_neighbors, singular};

/// Modified locally linear embedding: preserves all weight vectors that reconstruct
/// each point almost equally well.
///
/// **Idea.** With more neighbors than dimensions many weight vectors reconstruct
/// a point. One of them, made unique by a penalty, carries little of the geometry;
/// a full orthogonal set of them determines the tangent space.
///
/// **Definition.** For the k neighbors of point i, Xᵢ − 1 xᵢᵀ = U Σ Vᵀ. With
/// ρᵢ = Σ_{j>d} σⱼ² / Σ_{j≤d} σⱼ² and η the median of all ρᵢ, sᵢ ≤ k − d is the
/// largest s with Σ_{j>k−s} σⱼ² < η Σ_{j≤k−s} σⱼ². Vᵢ holds the sᵢ last left singular
/// vectors, wᵢ the regularized weights of [`crate::Lle`], and
/// Wᵢ = VᵢHᵢ + (1 − αᵢ) wᵢ1ᵀ with αᵢ = |Vᵢᵀ1|/√sᵢ and Hᵢ the Householder
/// reflection that takes Vᵢᵀ1 to αᵢ1, so that each column of Wᵢ has sum one.
/// Y minimizes Σᵢ |WᵢᵀYᵢ − 1 yᵢᵀ|² with YᵀY = n I and Σ yᵢ = 0.
///
/// **Steps.** Neighbors; [`modified_alignment`]; [`crate::spectral_basis`].
///
/// **Cost.** Neighbor search; local decompositions O(n (k D min(k, D) + k³)) time
/// and n k min(k, D) numbers; M O(n k² min(k, D)) time and at most n (k + 1)²
/// numbers, usually a few times fewer; one sparse factorization for the
/// eigenvectors. No n × n matrix.
///
/// **When it fails.** Every point needs at least d + 1 neighbors; the graph must
/// be connected (see [`Components`]). Columns have unit variance: aspect ratios
/// are lost.
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
///
/// **Reference.** Zhang and Wang (2006), Advances in Neural Information Processing
/// Systems 19, 1593–1600,
/// <https://papers.nips.cc/paper/2006/hash/fb2606a5068901da92473666256e6e5b-Abstract.html>.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModifiedLle {
    /// The rule that selects neighbors; default the 10 nearest.
    pub neighborhood: Neighborhood,
    /// Target dimension d, 1 ≤ d < k; default 2.
    pub dim: usize,
    /// Weight of |w|² relative to the trace of the local Gram matrix, positive;
    /// default 1e-3.
    pub regularization: f64,
    /// The length of a coordinate column; default unit covariance.
    pub scale: Scale,
    /// What to do with a disconnected graph; default reject.
    pub components: Components,
    /// Residual demanded of the eigenvectors.
    pub tolerance: Tolerance,
}

impl Default for ModifiedLle {
    fn default() -> Self {
        Self {
            neighborhood: Neighborhood::default(),
            dim: 2,
            regularization: 1e-3,
            scale: Scale::UnitCovariance,
            components: Components::Reject,
            tolerance: Tolerance::default(),
        }
    }
}

/// A fitted modified locally linear embedding.
pub type FittedModifiedLle = FittedAlignment<Barycentric>;

/// k − 1.
const K_LESS_1: Bound = Bound::new("k - 1", |s| s.neighbors.map(|k| k as f64 - 1.0));

impl GraphMethod for ModifiedLle {
    type Model = FittedModifiedLle;

    const ABOUT: About = About {
        name: "modified-lle",
        title: "Modified LLE",
        summary: "LLE with several weight vectors per point, which removes its folds.",
        preserves: "all weights that reconstruct each point well; scale is lost",
        cost: "time n k^3 + n k^2 D, then a sparse eigenproblem; memory n k^2",
        new_points: "the weights that reconstruct the new point from its neighbors",
        accepts: &[Data::Points],
        needs_labels: false,
        least_points: 2,
    };

    fn parameters() -> Vec<Parameter<Self>> {
        vec![
            Neighborhood::k_parameter(field!(neighborhood)),
            Neighborhood::radius_parameter(field!(neighborhood)),
            Parameter::dim(field!(dim), Range::from_one_to(K_LESS_1)),
            regularization_parameter(field!(regularization)),
            Scale::parameter(field!(scale)),
            Components::parameter(field!(components)),
            Tolerance::parameter(field!(tolerance)),
        ]
    }

    fn neighborhood(&self) -> Neighborhood {
        self.neighborhood
    }

    fn components(&self) -> Components {
        self.components
    }

    /// Stages `"weights"`, `"alignment"`, `"eigenvectors"`.
    fn fit_manifold(&self, manifold: Manifold<'_>) -> Result<FittedModifiedLle, Error> {
        let Manifold { neighbors, memory_limit, observer, .. } = manifold;
        let points = manifold.require_points()?;
        require_distinct(points)?;
        let m = modified_alignment(points, neighbors, self.dim, self.regularization, observer)?;
        let basis = spectral_basis(&m, None, self.dim, self.tolerance, memory_limit, observer)?;
        let extension = Barycentric::new(points, neighbors.neighborhood(), self.regularization);
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
/// eigenvectors may be asked of [`crate::spectral_basis`]. Lists may be ragged,
/// each at least d + 1 long.
///
/// Stages `"weights"` and `"alignment"`.
pub fn modified_alignment(
    points: Points<'_>,
    neighbors: &Neighbors,
    dim: usize,
    regularization: f64,
    observer: &dyn Observer,
) -> Result<Sparse, Error> {
    check_dim(dim, points.len())?;
    check_regularization(regularization)?;
    require_neighbors(points, neighbors, dim + 1, "modified locally linear embedding")?;
    observer.stage("weights");
    let most = neighbors.degrees().1.min(points.dim());
    let patches = Patches::with_self(neighbors);
    let mut directions = vec![0.0; patches.total() * most];
    let mut squares = vec![0.0; points.len() * most];
    let mut own = vec![Own::default(); patches.total()];
    let mut local: Vec<_> = cut(&mut directions, patches.sizes().map(|k| k * most))
        .into_iter()
        .zip(squares.chunks_exact_mut(most))
        .zip(cut(&mut own, patches.sizes()))
        .map(|((u, squares), own)| Local { u, squares, own, kept: 0 })
        .collect();
    let scratch = || (Frame::default(), Barycenter::default(), Vec::new());
    each_point(&mut local, observer, scratch, |(frame, barycenter, w), i, local| {
        let members = &patches.of(i)[..patches.of(i).len() - 1];
        w.resize(members.len(), 0.0);
        barycenter
            .solve(points, members.iter().copied(), points.row(i), regularization, w)
            .ok_or_else(|| singular(format!("point {i}"), regularization))?;
        local.own.iter_mut().zip(w).for_each(|(own, w)| own.w = *w);
        frame.decompose(points, members, points.row(i), Origin::Point, most);
        local.kept = frame.rank;
        local.squares[..frame.rank].copy_from_slice(&frame.squares[..frame.rank]);
        for j in 0..frame.rank {
            local.u[j..].iter_mut().step_by(most).zip(frame.column(j)).for_each(|(u, v)| *u = *v);
        }
        Ok(())
    })?;
    let eta = median(local.iter().map(|l| ratio(l.squares, dim)).collect());
    local.iter_mut().for_each(|l| l.choose(dim, eta, most));
    let kept: Vec<usize> = local.iter().map(|l| l.kept).collect();
    drop(local);
    observer.stage("alignment");
    let line = |i: usize, p: usize, out: &mut [f64]| {
        let (range, kept) = (patches.range(i), kept[i]);
        let u = &directions[range.start * most..range.end * most];
        let own = &own[range];
        let at = &u[p * most..p * most + kept];
        for ((value, other), own_other) in out.iter_mut().zip(u.chunks_exact(most)).zip(own) {
            let inside: f64 = at.iter().zip(&other[..kept]).map(|(a, b)| a * b).sum();
            *value = own[p].q * own_other.q - own[p].u_hat * own_other.u_hat - inside;
        }
        if p + 1 < out.len() {
            out[p] += 1.0;
        }
    };
    patches.assemble(line, observer)
}

/// What belongs to one member of a patch: its weight, its entry of û and of q.
#[derive(Clone, Copy, Default)]
struct Own {
    w: f64,
    u_hat: f64,
    q: f64,
}

/// A patch while it is made.
struct Local<'a> {
    /// Left singular vectors, member by member; the point itself has zeros.
    u: &'a mut [f64],
    /// Their σ², zeros behind the rank.
    squares: &'a mut [f64],
    own: &'a mut [Own],
    /// How many of the leading singular vectors are not among Vᵢ: k − sᵢ.
    kept: usize,
}

impl Local<'_> {
    /// Chooses sᵢ and forms û and q.
    fn choose(&mut self, dim: usize, eta: f64, width: usize) {
        let k = self.own.len() - 1;
        let rank = self.kept;
        let small = |l: &usize| ratio(self.squares, *l) < eta;
        self.kept = (dim..rank).find(small).unwrap_or(rank).min(rank).min(k - 1);
        let s = ((k - self.kept) as f64).sqrt();
        for own in &mut self.own[..k] {
            own.u_hat = 1.0;
        }
        for j in 0..self.kept {
            let sum: f64 = self.u[j..].iter().step_by(width).sum();
            let column = self.u[j..].iter().step_by(width);
            self.own[..k].iter_mut().zip(column).for_each(|(own, u)| own.u_hat -= sum * u);
        }
        let norm = self.own[..k].iter().map(|own| own.u_hat * own.u_hat).sum::<f64>().sqrt();
        // The reflection of a vector that is rounding has no direction.
        let (scale, alpha) =
            if norm > 1e-12 * (k as f64).sqrt() { (1.0 / norm, norm / s) } else { (0.0, 0.0) };
        for own in &mut self.own[..k] {
            own.u_hat *= scale;
            own.q = own.u_hat + (1.0 - alpha) * s * own.w;
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
