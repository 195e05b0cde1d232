//! Hessian locally linear embedding.

use embedding::implement::{Bound, PairDistances, Range};
use embedding::{About, DataKind, Error, Explanation, Observer, Recipe};
use neighbor_graph::{Components, Duplicates, Manifold, Neighborhood, Neighbors, implement::GraphMethod};
use serde::{Deserialize, Serialize};
use spectral::{Sparse, Tolerance};

use crate::basis::{ColumnNorm, Normalization};
use crate::fitted_alignment::FittedAlignment;
use crate::frame::{Frame, orthonormalize};
use crate::patch_columns::PatchColumns;
use crate::patches::Patches;
use crate::tangent_maps::TangentMaps;
use crate::tangents::{Tangents, fit_tangents};

/// Hessian locally linear embedding: coordinates whose second derivatives along the
/// manifold vanish.
///
#[doc = include_str!("hessian_lle.md")]
///
/// **Details.** The matrix is [`hessian_alignment`], its eigenvectors
/// [`crate::steps::spectral_basis`]. Neighborhoods are without the point itself, unless it is
/// isolated. Where the other columns already determine a product (neighbors on a circle or a line, on a grid
/// of too few points, copies), deviations of Y from affine functions are penalized on this patch, as in
/// [`crate::Ltsa`]. Elsewhere only the Hessian columns are penalized, not everything orthogonal to the affine
/// functions, as in [`crate::Ltsa`]. A disconnected graph: see [`Components`].
///
/// Distances instead of points give the geometry of each neighborhood by classical scaling of its point and
/// members; negative eigenvalues, which non-Euclidean distances have, are dropped. The model keeps the
/// distances for new points, 4 n² bytes.
///
/// **Cost.** Neighbor search; Hessians O(n (k D min(k, D) + k d⁴)) time and n k d²/2 numbers; M
/// O(n k² d²) time and at most n k² numbers; one sparse factorization for the eigenvectors. No
/// n × n matrix is formed.
///
/// The map collapses to a few outliers where a point is in few neighborhoods. For its indicator e, eᵀ M e =
/// Mᵢᵢ sums one term per neighborhood that contains the point; if the data are not a d-dimensional manifold,
/// this is below the eigenvalues of all maps of the whole. With k = 10, 1,974 of 2,000 MNIST images (`compare
/// run --datasets mnist --n 2000`) are within 1 % of the extent. The median image is in 9 lists, 36 are in
/// none and 68 in one; the columns of local tangent space alignment have all their length in one image each,
/// of 0 and 2 lists. [`Normalization::Diagonal`] makes all these quotients equal: no collapse there, and a
/// trustworthiness of 0.78 instead of 0.69.
///
/// ```
/// use lle::{HessianLle, Method, Model, PointSet};
/// // A quarter of a cylinder, unrolled.
/// let point = |i: u32| {
///     let (angle, height) = (f64::from(i % 10) * 0.15, f64::from(i / 10) * 0.15);
///     [angle.cos(), angle.sin(), height]
/// };
/// let points = PointSet::new((0..100).flat_map(point).collect(), 3)?;
/// let fitted = HessianLle::default().fit(&points)?;
/// assert_eq!(fitted.embedding().coordinates().shape(), (100, 2));
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct HessianLle {
    /// The rule that selects neighbors.
    #[param(flatten)]
    pub neighborhood: Neighborhood,
    /// Target dimension d.
    #[param(default = 2, range = Range::from_one_to(FITTING))]
    pub dim: usize,
    /// Length of a coordinate column.
    #[param(default = ColumnNorm::UnitCovariance)]
    pub scale: ColumnNorm,
    /// Weights of the points in the eigenproblem.
    #[param(default = Normalization::None)]
    pub normalization: Normalization,
    /// What to do with a disconnected neighbor graph.
    #[param(default = Components::Reject)]
    pub components: Components,
    /// What to do with rows that are exact copies of others.
    #[param(default = Duplicates::Merge)]
    pub duplicates: Duplicates,
    /// Residual demanded of the eigenvectors, relative to the operator's norm.
    pub tolerance: Tolerance,
}

/// A fitted Hessian locally linear embedding.
pub type FittedHessianLle = FittedAlignment<TangentMaps>;

/// The largest d with 1 + d + d (d + 1)/2 ≤ k.
const FITTING: Bound = Bound::new("the largest d with (d + 1) (d + 2) / 2 <= k", |s| {
    s.neighbors.map(|k| (1..=k).take_while(|&d| least_neighbors(d) <= k).count() as f64)
});

/// 1 + d + d (d + 1)/2: the columns of a local Hessian estimate.
fn least_neighbors(dim: usize) -> usize {
    dim.saturating_add(1).saturating_mul(dim.saturating_add(2)) / 2
}

impl GraphMethod for HessianLle {
    type Model = FittedHessianLle;

    const READS_COORDINATES: bool = true;

    const ABOUT: About = About {
        name: "hessian-lle",
        title: "Hessian LLE",
        summary: "Coordinates whose second derivatives vanish on the tangent spaces.",
        preserves: "local isometry, up to an affine map",
        cost: "time n (k^2 D + k d^4), then a sparse eigenproblem; memory n k^2, of distances 4 n^2 bytes",
        new_points: "an affine map of the nearest training points, plus its residuals at them by inverse distance; interpolates: near a training row it tends to the row's position",
        accepts: &[DataKind::Points, DataKind::Distances],
        needs_labels: false,
        least_points: 2,
        explanation: Explanation::new(include_str!("hessian_lle.md")),
    };

    /// Stages `"hessians"`, `"alignment"`, `"eigenvectors"`.
    fn fit_manifold(&self, manifold: Manifold<'_>) -> Result<FittedHessianLle, Error> {
        let Self { dim, scale, tolerance, normalization, .. } = *self;
        fit_tangents(manifold, (dim, width(dim)), scale, tolerance, normalization, hessian_alignment)
    }
}

neighbor_graph::graph_method!(HessianLle);

/// M = Σᵢ Eᵢ HᵢHᵢᵀ Eᵢᵀ: yᵀ M y is the squared norm of the Hessian of y over the manifold (see
/// [`HessianLle`]).
///
/// Sparse, symmetric, positive semidefinite, M 1 = 0. Any number of its
/// eigenvectors may be computed with [`crate::steps::spectral_basis`]. Lists may be ragged,
/// each at least 1 + d + d(d + 1)/2 long.
///
/// Stages `"hessians"` and `"alignment"`.
pub fn hessian_alignment<'a>(
    distances: impl Into<PairDistances<'a>>,
    neighbors: &'a Neighbors,
    dim: usize,
    observer: &dyn Observer,
) -> Result<Sparse, Error> {
    let tangents = Tangents { distances: distances.into(), neighbors, dim };
    tangents.check(least_neighbors(dim), "Hessian locally linear embedding")?;
    observer.stage("hessians");
    let patches = Patches::covering(neighbors);
    let width = width(dim);
    let columns = tangents.columns(&patches, width, observer, hessian_columns)?;
    observer.stage("alignment");
    // Row p of HᵢHᵢᵀ, or of I − 1 1ᵀ/k − u₁u₁ᵀ − … − u_d u_dᵀ.
    let patch_row = |i: usize, p: usize, out: &mut [f64]| {
        let (mean, members) = (1.0 / out.len() as f64, patches.range(i));
        let undetermined = columns.vanishes(members.clone(), width - 1);
        for (value, product) in out.iter_mut().zip(columns.products(members, p, width)) {
            *value = if undetermined { -mean - product } else { product };
        }
        if undetermined {
            out[p] += 1.0;
        }
    };
    patches.assemble(patch_row, observer)
}

/// The columns of a patch: d (d + 1)/2 products of coordinates, or 1 and the coordinates.
fn width(dim: usize) -> usize {
    (dim.saturating_mul(dim.saturating_add(1)) / 2).max(dim.saturating_add(1))
}

/// Orthonormalizes (1, u, products of u); the product columns that are left are Hᵢ, the last
/// columns of the patch. Where some are dependent, u are the first columns and the last
/// column is zero.
fn hessian_columns(columns: &mut Vec<f64>, frame: &Frame, hessian: &mut PatchColumns<'_>) {
    let (k, dim) = (frame.len(), frame.columns());
    columns.clear();
    columns.resize(k, 1.0 / (k as f64).sqrt());
    (0..dim).for_each(|a| columns.extend_from_slice(frame.column(a)));
    // In one dimension the patch has two columns, but only one product exists.
    let mut next = if hessian.width() == 2 { 1 } else { 0 };
    for a in 0..dim {
        for b in a..dim {
            let start = columns.len();
            columns.extend(frame.column(a).iter().zip(frame.column(b)).map(|(x, y)| x * y));
            let before: f64 = columns[start..].iter().map(|v| v * v).sum::<f64>().sqrt();
            let (done, own) = columns.split_at_mut(start);
            let left = orthonormalize(done, own);
            // What is left of a dependent column is rounding.
            if left <= 64.0 * k as f64 * f64::EPSILON * before {
                hessian.clear();
                (0..dim).for_each(|j| hessian.set(j, frame.column(j)));
                return;
            }
            // Repeated for a column that lost most of its length the first time.
            orthonormalize(done, own);
            hessian.set(next, own);
            next += 1;
        }
    }
    if next < hessian.width() {
        hessian.clear();
        (0..dim).for_each(|j| hessian.set(j, frame.column(j)));
    }
}

#[cfg(test)]
mod tests {
    use embedding::Points;
    use neighbor_graph::Neighborhood;

    use super::*;
    use crate::chart::Chart;
    use crate::frame::Origin;
    use crate::patch_columns::Columns;

    /// On a hyperbola the product of the two coordinates is a combination of 1 and the square of the first.
    #[test]
    fn a_product_that_depends_on_others_leaves_the_coordinates_alone() {
        let rows: Vec<f64> = [-4.0, -3.0, -2.0, -1.0, 1.0, 2.0, 3.0, 4.0]
            .iter()
            .flat_map(|x| [*x, 1.0 / x - 2.0 / 15.0 * x])
            .collect();
        let (mut chart, mut frame) = (Chart::default(), Frame::default());
        chart.differences(Points::new(&rows, 2).expect("finite"), &[0.0; 2], &[0, 1, 2, 3, 4, 5, 6, 7]);
        frame.decompose(&chart, Origin::Mean, 2);
        let list = |i: usize| (1..8).map(|at| (((i + at) % 8) as u32, at as f64)).collect();
        let lists = Neighbors::from_lists((0..8).map(list).collect(), Neighborhood::Nearest { k: 7 });
        let patches = Patches::with_self(&lists.expect("lists"));
        let mut columns = Columns::zeros(&patches, 3);
        let mut hessian = columns.split(&patches).remove(0);
        hessian_columns(&mut Vec::new(), &frame, &mut hessian);
        for j in 0..2 {
            assert!(hessian.column(j).eq(frame.column(j).iter().copied()), "coordinate {j}");
        }
        assert!(hessian.column(2).all(|v| v == 0.0));
    }
}
