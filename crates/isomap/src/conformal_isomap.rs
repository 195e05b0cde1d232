//! Conformal Isomap.

use embedding::implement::{Fact, Sizes, Validate, mean_distance, require, require_finite};
use embedding::{
    About, Embedding, Error, Explanation, Fitted, MemoryLimit, Model, NewNeighbors, PerPoint, PointSet,
    Recipe, Rows, TrainingRows, Transform,
};
use mds::Precision;
use mds::steps::ClassicalScaling;
use neighbor_graph::{
    Components, Duplicates, Graph, Manifold, NeighborIndex, Neighborhood, Neighbors, NewPoints, Symmetry,
    implement::GraphMethod,
};
use serde::{Deserialize, Serialize};
use spectral::Tolerance;

use crate::geodesic_scaling::{
    ACCEPTS, GeodesicScaling, center_and_decompose, check_memory, require_rows, shortest_paths,
};

/// Conformal Isomap (C-Isomap): Isomap with each edge measured in units of the local
/// spacing of points.
///
#[doc = include_str!("conformal_isomap.md")]
///
/// **Details.** A new point has its own M; a training row returns its own coordinates, to
/// 1e-10. A point without spacing is [`Error::Degenerate`].
///
/// **Cost.** As [`crate::Isomap`].
///
/// ```
/// use embedding::Points;
/// use isomap::{ConformalIsomap, Method, Model, Neighborhood};
/// // Evenly spaced points on a line, stretched more and more.
/// let line: Vec<f64> = (0..40).map(|i| (0.1 * f64::from(i)).exp()).collect();
/// let recipe =
///     ConformalIsomap { neighborhood: Neighborhood::Nearest { k: 2 }, dim: 1, ..Default::default() };
/// let y = recipe.fit(Points::new(&line, 1)?)?.embedding().clone();
/// let step = |i: usize| (y[(i + 1, 0)] - y[(i, 0)]).abs();
/// assert!((step(30) / step(10) - 1.0).abs() < 1e-3, "the steps are even again");
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct ConformalIsomap {
    /// The rule that selects neighbors.
    #[param(flatten)]
    pub neighborhood: Neighborhood,
    /// Which directed edges make an undirected one. With mutual edges the placement of new points
    /// does not interpolate: a new point has edges to all of its neighbors.
    #[param(default = Symmetry::Union)]
    pub symmetry: Symmetry,
    /// Target dimension d.
    #[param(default = 2, range = "1 to n - 1")]
    pub dim: usize,
    /// What to do with a disconnected neighbor graph.
    #[param(default = Components::Reject)]
    pub components: Components,
    /// What to do with rows that are exact copies of others.
    #[param(default = Duplicates::Merge)]
    pub duplicates: Duplicates,
    /// Precision of the stored distances. Single precision changes coordinates by about 1e-8 of
    /// themselves.
    #[param(default = Precision::Single)]
    pub precision: Precision,
    /// Residual demanded of the eigenvectors, relative to the operator's norm.
    pub tolerance: Tolerance,
}

impl GraphMethod for ConformalIsomap {
    type Model = FittedConformalIsomap;

    const ABOUT: About = About {
        name: "c-isomap",
        title: "C-Isomap",
        summary: "Isomap with edges measured in units of the local spacing of points.",
        preserves: "angles, where the density of points follows the conformal factor",
        cost: "as isomap",
        new_points: "geodesics through the nearest training points, then Gower's formula; interpolates: near a training row it tends to the row's position, but with mutual edges it was up to 55 % of the map's extent from it in trials (300 points of a roll)",
        accepts: ACCEPTS,
        needs_labels: false,
        least_points: 2,
        explanation: Explanation::new(include_str!("conformal_isomap.md")),
    };

    fn check_memory(&self, sizes: Sizes, limit: MemoryLimit) -> Result<(), Error> {
        check_memory(sizes, self.dim, self.precision, limit)
    }

    /// Stages `"geodesics"`, `"eigenvectors"`, `"residual variance"`.
    fn fit_manifold(&self, manifold: Manifold<'_>) -> Result<FittedConformalIsomap, Error> {
        let graph = Graph::new(manifold.neighbors, self.symmetry);
        let spacing = spacing(manifold.neighbors, &graph)?;
        let graph = graph.map_weights(|i, j, w| in_units(w, spacing[i], spacing[j]));
        let geodesics = shortest_paths(&graph, self.precision, manifold.observer)?;
        let scaled = center_and_decompose(&geodesics, self.dim, self.tolerance, manifold.observer)?;
        Ok(FittedConformalIsomap { graph, scaled, training: NeighborIndex::of(&manifold), spacing })
    }
}

neighbor_graph::graph_method!(ConformalIsomap);

/// M_i: the mean distance to the neighbors, or, if the point lists none, to the points that list it.
fn spacing(neighbors: &Neighbors, graph: &Graph) -> Result<Vec<f64>, Error> {
    let of = |i: usize| {
        let own = neighbors.distances_of(i);
        let distances = if own.is_empty() { graph.weights_of(i) } else { own };
        let spacing = mean_distance(&[distances], distances.len().max(1));
        if spacing > 0.0 {
            return Ok(spacing);
        }
        Err(Error::degenerate(
            format!("all neighbors of point {i} coincide with it, so that there is no spacing around it"),
            "remove duplicates, or use more neighbors than copies",
        ))
    };
    (0..neighbors.len()).map(of).collect()
}

/// |x_i − x_j| / √(M_i M_j); the same bits for j and i.
fn in_units(distance: f64, one: f64, other: f64) -> f64 {
    distance / (one.sqrt() * other.sqrt())
}

/// A fitted C-Isomap.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FittedConformalIsomap {
    graph: Graph,
    scaled: GeodesicScaling,
    training: NeighborIndex,
    spacing: Vec<f64>,
}

impl FittedConformalIsomap {
    /// The scaling of the geodesics.
    pub fn scaling(&self) -> &ClassicalScaling {
        &self.scaled.scaling
    }

    /// As [`crate::FittedIsomap::residual_variances`].
    pub fn residual_variances(&self) -> &[f64] {
        &self.scaled.residual_variances
    }

    /// The mean distance of each training point to its neighbors, in input units.
    pub fn spacing(&self) -> &[f64] {
        &self.spacing
    }
}

impl Model for FittedConformalIsomap {
    fn embedding(&self) -> &Embedding {
        self.scaled.scaling.embedding()
    }
}

impl Transform for FittedConformalIsomap {
    /// Places rows by the geodesics of the nearest training points; edges are in units of the spacing around
    /// both ends.
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

impl FittedConformalIsomap {
    fn place_points(&self, new: NewPoints<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        let mut edges = self.training.edges(new, known)?;
        for list in &mut edges {
            let distances: Vec<f64> = list.iter().map(|e| e.1).collect();
            let own = mean_distance(&[&distances], distances.len());
            if own > 0.0 {
                list.iter_mut().for_each(|(j, d)| *d = in_units(*d, own, self.spacing[*j as usize]));
            }
        }
        self.scaled.place(&self.graph, &edges)
    }
}

impl Fitted for FittedConformalIsomap {
    fn training_points(&self) -> Result<Option<PointSet>, Error> {
        Ok(self.training.points().map(|points| points.to_owned()))
    }

    fn facts() -> Vec<Fact<Self>> {
        GeodesicScaling::facts_of(|m: &Self| &m.scaled, |m| Some(m.scaling()))
    }

    fn per_point(&self) -> Vec<PerPoint> {
        vec![PerPoint { title: "local spacing".to_owned(), values: self.spacing.clone() }]
    }
}

impl Validate for FittedConformalIsomap {
    fn validate(&self) -> Result<(), Error> {
        require_rows(&self.scaled, &self.graph, &self.training)?;
        require(self.spacing.len() == self.training.len(), "it does not have a spacing for every row")?;
        require_finite(&self.spacing, "a spacing")?;
        require(self.spacing.iter().all(|s| *s >= 0.0), "a spacing is negative")
    }
}
