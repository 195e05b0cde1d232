//! Isomap.

use embedding::{Embedding, Error, MemoryLimit, Model, Observer, Points, Transform};
use faer::Mat;
use mds::{ClassicalScaling, Precision};
use neighbor_graph::{Components, Graph, Manifold, Neighborhood, Symmetry};
use serde::{Deserialize, Serialize};
use spectral::Tolerance;

use crate::entrance::Entrance;
use crate::geodesic_scaling::{GeodesicScaling, Unrolled};

/// Classical scaling of distances along the manifold.
///
/// **Idea.** Near points know their distance; the distance of far points is the
/// length of the shortest way through near ones. Coordinates that reproduce
/// these geodesics lay a rolled sheet flat.
///
/// **Definition.** With G the shortest-path distances on the symmetric neighbor
/// graph, B = −½ J (Gᵢⱼ²) J = V Λ Vᵀ and Y = V_d Λ_d^½. A new point x reaches
/// training point l at min over its neighbors j of |x − x_j| + G_jl, and is then
/// placed by Gower's formula (see [`mds::ClassicalMds`]); a training row goes
/// where it is, to 1e-10. Coordinates are centered, in input units, and of each
/// column the entry of largest magnitude is positive.
///
/// **Steps.** Neighbors, symmetric graph, shortest paths from every point,
/// classical scaling by a partial eigensolver with proven residuals, residual
/// variance of the first 1 ..= d columns (the columns are nested: ask for ten
/// dimensions to see the elbow, use the first two).
///
/// **Cost.** Neighbor search; O(n² (k + log n)) time and n²/2 numbers of
/// `precision` for the geodesics, refused beforehand where `memory_limit` is
/// less; O(n² d) per step of the eigensolver. Each new point: one shortest-path
/// search, O(n (k + log n)); the model keeps the graph, not the geodesics.
///
/// **When it fails.** 1 ≤ d ≤ n − 1; the graph must be connected (see
/// [`Components`]); fewer than d positive eigenvalues are refused. One edge
/// across a fold short-circuits all geodesics. Holes and intrinsic curvature
/// distort distances, since geodesics bend around them; the negative
/// eigenvalues tell. With k = n − 1 the result is classical scaling.
///
/// ```
/// use embedding::{Model, Points, Silent};
/// use isomap::Isomap;
/// use neighbor_graph::Neighborhood;
/// // A spiral, unrolled to a line.
/// let spiral: Vec<f64> =
///     (0..60).map(|i| 0.1 * f64::from(i)).flat_map(|t| [t * (2.0 * t).cos(), t * (2.0 * t).sin()]).collect();
/// let recipe = Isomap { neighborhood: Neighborhood::Nearest { k: 2 }, dim: 1, ..Isomap::default() };
/// let fitted = recipe.fit(Points::new(&spiral, 2)?, &Silent)?;
/// let y = fitted.embedding().coordinates.col(0);
/// assert!((1..60).all(|i| y[i] > y[i - 1]) || (1..60).all(|i| y[i] < y[i - 1]));
/// # Ok::<(), embedding::Error>(())
/// ```
///
/// **Reference.** Tenenbaum, de Silva and Langford (2000),
/// doi:10.1126/science.290.5500.2319; new points: Bengio et al. (2003),
/// "Out-of-sample extensions for LLE, Isomap, MDS, eigenmaps, and spectral
/// clustering".
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Isomap {
    /// Who is near; default the 10 nearest.
    pub neighborhood: Neighborhood,
    /// Which edges count; default union.
    pub symmetry: Symmetry,
    /// Target dimension d; default 2, 1 ≤ d ≤ n − 1.
    pub dim: usize,
    /// What to do with a disconnected graph; default reject.
    pub components: Components,
    /// How geodesics are kept; default single, which changes coordinates by
    /// about 1e-8 of themselves.
    pub precision: Precision,
    /// Residual demanded of the eigenvectors, relative to the largest eigenvalue.
    pub tolerance: Tolerance,
    /// The largest matrix of geodesics allowed; default 4 GB.
    pub memory_limit: MemoryLimit,
}

impl Default for Isomap {
    fn default() -> Self {
        Self {
            neighborhood: Neighborhood::default(),
            symmetry: Symmetry::Union,
            dim: 2,
            components: Components::Reject,
            precision: Precision::Single,
            tolerance: Tolerance::default(),
            memory_limit: MemoryLimit::default(),
        }
    }
}

neighbor_graph::graph_method!(Isomap, FittedIsomap, "isomap", check_points);

impl Isomap {
    /// The recipe, on one connected manifold.
    ///
    /// Stages `"geodesics"`, `"eigenvectors"`, `"residual variance"`.
    pub fn fit_manifold(
        &self,
        manifold: Manifold<'_>,
        observer: &dyn Observer,
    ) -> Result<FittedIsomap, Error> {
        self.scaling().check(manifold.points)?;
        let graph = Graph::new(manifold.neighbors, self.symmetry);
        let unrolled = self.scaling().fit(graph, observer)?;
        Ok(FittedIsomap { unrolled, entrance: Entrance::new(manifold) })
    }

    /// Where all points must be one manifold.
    fn check_points(&self, points: Points<'_>) -> Result<(), Error> {
        match self.components {
            Components::Reject | Components::Bridge => self.scaling().check(points),
            Components::Largest | Components::PerComponent => Ok(()),
        }
    }

    fn scaling(&self) -> GeodesicScaling {
        GeodesicScaling {
            dim: self.dim,
            precision: self.precision,
            tolerance: self.tolerance,
            memory_limit: self.memory_limit,
        }
    }
}

/// A fitted Isomap.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FittedIsomap {
    unrolled: Unrolled,
    entrance: Entrance,
}

impl FittedIsomap {
    /// The scaling of the geodesics: eigenvalues and their residuals, negative
    /// eigenvalues, reconstruction error.
    pub fn scaling(&self) -> &ClassicalScaling {
        &self.unrolled.scaling
    }

    /// 1 − r² between geodesics and the distances in 1, 2, …
    /// dimensions: d of them, up to 5,000 points at least 10, or as many as have
    /// positive eigenvalues; see [`mds::residual_variances`].
    pub fn residual_variances(&self) -> &[f64] {
        &self.unrolled.residual_variances
    }
}

impl Model for FittedIsomap {
    fn embedding(&self) -> &Embedding {
        self.unrolled.embedding()
    }
}

impl Transform for FittedIsomap {
    /// Through the geodesics of the nearest training points, as many as the
    /// longest training list, within the recipe's radius if it has one.
    fn transform(&self, new: Points<'_>) -> Result<Mat<f64>, Error> {
        self.unrolled.place(&self.entrance.edges(new)?)
    }
}
