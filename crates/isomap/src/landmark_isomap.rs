//! Landmark Isomap.

use embedding::implement::{Fact, Sizes, Validate, require};
use embedding::{
    About, Embedding, Error, Explanation, Fitted, MemoryLimit, Model, NewNeighbors, Observer, PointSet,
    Recipe, Rows, TrainingRows, Transform,
};
use mds::steps::ClassicalScaling;
use mds::{ClassicalMds, Landmarks, Precision};
use neighbor_graph::{
    Components, Duplicates, Graph, Manifold, NeighborIndex, Neighborhood, NewPoints, Symmetry,
    implement::GraphMethod,
};
use serde::{Deserialize, Serialize};
use spectral::Tolerance;

use crate::geodesic_scaling::{ACCEPTS, graph_bytes};
use crate::landmark_geodesics::LandmarkGeodesics;

/// Landmark Isomap (L-Isomap): Isomap with geodesics from a few landmarks only.
///
#[doc = include_str!("landmark_isomap.md")]
///
/// **Details.** The triangulation is the same as in [`mds::LandmarkMds`]. Landmarks are chosen by distances
/// in the input space. For neighbor lists alone, sparse points, or a metric other than Euclidean, they are
/// chosen along the graph, beginning at the point farthest from point 0. A new point x reaches landmark a at
/// min over its neighbors j of |x − x_j| + G_aj; a training row returns its own coordinates. As
/// [`crate::Isomap`], and l ≥ d + 1.
///
/// **Cost.** Neighbor search; O(l n (k + log n)) time and l n numbers of `precision`, which the
/// model keeps for new points; O(l² d) per step of the eigensolver; O(l n d). Each new point:
/// O(l (k + d)).
///
/// ```
/// use embedding::Points;
/// use isomap::{LandmarkIsomap, Landmarks, Method, Model, Neighborhood};
/// let spiral: Vec<f64> =
///     (0..60).map(|i| 0.1 * f64::from(i)).flat_map(|t| [t * (2.0 * t).cos(), t * (2.0 * t).sin()]).collect();
/// let recipe = LandmarkIsomap {
///     neighborhood: Neighborhood::Nearest { k: 2 },
///     landmarks: Landmarks::MaxMin { count: 4 },
///     dim: 1,
///     ..LandmarkIsomap::default()
/// };
/// let fitted = recipe.fit(Points::new(&spiral, 2)?)?;
/// let y = fitted.embedding().coordinates().col(0);
/// assert!((1..60).all(|i| y[i] > y[i - 1]) || (1..60).all(|i| y[i] < y[i - 1]));
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct LandmarkIsomap {
    /// The rule that selects neighbors.
    #[param(flatten)]
    pub neighborhood: Neighborhood,
    /// Which directed edges make an undirected one. With mutual edges the placement of new points
    /// does not interpolate: a new point has edges to all of its neighbors.
    #[param(default = Symmetry::Union)]
    pub symmetry: Symmetry,
    /// Number and choice of landmarks.
    pub landmarks: Landmarks,
    /// Target dimension d.
    #[param(default = 2, range = "1 to landmarks - 1")]
    pub dim: usize,
    /// What to do with a disconnected neighbor graph.
    #[param(default = Components::Reject)]
    pub components: Components,
    /// What to do with rows that are exact copies of others.
    #[param(default = Duplicates::Merge)]
    pub duplicates: Duplicates,
    /// Precision of the stored distances.
    #[param(default = Precision::Single)]
    pub precision: Precision,
    /// Residual demanded of the eigenvectors, relative to the operator's norm.
    pub tolerance: Tolerance,
}

impl GraphMethod for LandmarkIsomap {
    type Model = FittedLandmarkIsomap;

    const ABOUT: About = About {
        name: "landmark-isomap",
        title: "Landmark Isomap",
        summary: "Isomap of a few landmarks; the other points are placed by their geodesics to them.",
        preserves: "distances along the manifold, large and small",
        cost: "time l n (k + log n), memory (4 l + 1000) n bytes, l landmarks",
        new_points: "geodesics to the landmarks through the nearest training points; interpolates: near a training row it tends to the row's position, but with mutual edges it was up to 54 % of the map's extent from it in trials (300 points of a roll)",
        accepts: ACCEPTS,
        needs_labels: false,
        least_points: 2,
        explanation: Explanation::new(include_str!("landmark_isomap.md")),
    };

    fn complete(&self, sizes: Sizes) -> Sizes {
        let landmarks = sizes.points.map(|n| self.landmarks.count(n));
        Sizes { landmarks, dim: Some(self.dim), ..sizes }
    }

    fn check_memory(&self, sizes: Sizes, limit: MemoryLimit) -> Result<(), Error> {
        let n = sizes.points.unwrap_or(0);
        let geodesics = LandmarkGeodesics::bytes(n, self.landmarks.count(n), self.precision);
        let needed = geodesics + graph_bytes(n, sizes);
        let advice = match self.precision {
            Precision::Single => "use fewer landmarks or points, or allow more memory",
            Precision::Double => "use fewer landmarks or points, single precision, or allow more memory",
        };
        limit.allow("the geodesics of the landmarks", needed, advice)
    }

    /// Stages `"landmarks"`, `"geodesics"`, `"eigenvectors"`, `"triangulation"`.
    fn fit_manifold(&self, manifold: Manifold<'_>) -> Result<FittedLandmarkIsomap, Error> {
        let (n, observer) = (manifold.len(), manifold.observer);
        let graph = Graph::new(manifold.neighbors, self.symmetry);
        graph.require_connected()?;
        observer.stage("landmarks");
        let rows = match manifold.pair_distances() {
            Ok(distances) if manifold.metric.is_euclidean() => self.landmarks.choose(distances, observer)?,
            _ => self.landmarks.choose_by(n, |i| graph.geodesics_from(i), observer)?,
        };
        let geodesics = LandmarkGeodesics::new(&graph, &rows, self.precision, observer)?;
        let scaling = self.scale(&rows, &geodesics, observer)?;
        observer.stage("triangulation");
        embedding::implement::proceed(observer, 0, 1)?;
        let placed = scaling.place_rows(n, |i, row| geodesics.copy(i, row))?;
        embedding::implement::proceed(observer, 1, 1)?;
        let embedding = placed.with_spectrum(scaling.eigenvalues().to_vec());
        let training = NeighborIndex::of(&manifold);
        Ok(FittedLandmarkIsomap { embedding, rows, geodesics, scaling, training })
    }
}

neighbor_graph::graph_method!(LandmarkIsomap);

impl LandmarkIsomap {
    /// Classical scaling of the geodesics between landmarks.
    fn scale(
        &self,
        rows: &[u32],
        geodesics: &LandmarkGeodesics,
        observer: &dyn Observer,
    ) -> Result<ClassicalScaling, Error> {
        let l = rows.len();
        if l <= self.dim {
            return Err(Error::degenerate(
                format!("only {l} landmarks differ, which cannot fill {} dimensions", self.dim),
                "request fewer dimensions, and check whether points coincide",
            ));
        }
        let distances = geodesics.between(rows)?;
        let recipe = ClassicalMds { dim: self.dim, tolerance: self.tolerance, ..ClassicalMds::default() };
        recipe.fit_distances(&distances, observer)
    }
}

/// A fitted landmark Isomap.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FittedLandmarkIsomap {
    embedding: Embedding,
    rows: Vec<u32>,
    geodesics: LandmarkGeodesics,
    scaling: ClassicalScaling,
    training: NeighborIndex,
}

impl FittedLandmarkIsomap {
    /// The rows of the landmarks, ascending.
    pub fn landmarks(&self) -> &[u32] {
        &self.rows
    }

    /// The scaling of the geodesics between landmarks.
    pub fn scaling(&self) -> &ClassicalScaling {
        &self.scaling
    }
}

impl Model for FittedLandmarkIsomap {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}

impl Transform for FittedLandmarkIsomap {
    /// Places rows by the geodesics of the nearest training points to the landmarks; training rows reproduce
    /// to the bit.
    fn place(&self, new: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        self.place_points(new.into(), known)
    }

    fn place_listed(&self, new: &NewNeighbors, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        self.place_points(new.into(), known)
    }

    fn lists_among(&self) -> Option<usize> {
        self.training.lists_among()
    }
}

impl FittedLandmarkIsomap {
    fn place_points(&self, new: NewPoints<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        let edges = self.training.edges(new, known)?;
        self.scaling.place_rows(new.len(), |i, row| self.geodesics.copy_from_outside(&edges[i], row))
    }
}

impl Fitted for FittedLandmarkIsomap {
    fn training_points(&self) -> Result<Option<PointSet>, Error> {
        Ok(self.training.points().map(|points| points.to_owned()))
    }

    fn facts() -> Vec<Fact<Self>> {
        let mut facts = ClassicalScaling::facts_of(|m: &Self| Some(&m.scaling));
        facts.push(Fact::new("landmarks", "the landmarks, as numbers of embedded points", |m: &Self| {
            m.rows.clone()
        }));
        facts
    }

    fn notes(&self) -> Vec<String> {
        self.scaling.notes()
    }
}

impl Validate for FittedLandmarkIsomap {
    fn validate(&self) -> Result<(), Error> {
        self.scaling.validate()?;
        self.training.validate()?;
        let (n, l) = (self.embedding.len(), self.rows.len());
        require(self.training.len() == n, "it does not have a training point for every row")?;
        let ascending = self.rows.is_sorted_by(|a, b| a < b);
        require(
            ascending && self.rows.last().is_some_and(|&row| (row as usize) < n),
            "a landmark is no row of it",
        )?;
        let scaled = self.scaling.embedding();
        let same = scaled.len() == l && scaled.dim() == self.embedding.dim();
        require(same, "its landmarks are not the landmarks that it scaled")?;
        self.geodesics.require_shape(l, n)
    }
}
