//! The recipe.

use std::borrow::Cow;

use embedding::implement::{Division, Scale, StartScale, proceed};
use embedding::{
    About, Data, DataKind, Embedding, Error, Explanation, Input, MemoryLimit, Method, Neighbors, Recipe,
};
use layout::on_pool;
use neighbor_graph::{
    Deduplicated, Duplicates, Graph, NeighborIndex, NeighborSearch, Neighborhood,
    implement::{Copies, fit_deduplicated},
};
use serde::{Deserialize, Serialize};

use crate::density::Density;
use crate::fuzzy::CONNECTIVITY;
use crate::optimizer::Schedule;
use crate::placing::{NEGATIVES, Placing, Pushes};
use crate::start::Origin;
use crate::targets::TargetValues;
use crate::{Curve, FittedUmap, FuzzyGraph, Radii, Start, Surface, Target, TransformSettings, memory, radii};

/// Uniform manifold approximation and projection.
///
#[doc = include_str!("umap.md")]
///
/// **Details.** The weights are a [`FuzzyGraph`], a and b of a [`Curve`].
///
/// **Steps and cost.** Neighbors, see [`embedding::Neighbors`]. Memberships: O(n k).
/// Start: d eigenvectors of the graph's Laplacian. Optimization, per epoch: an edge of
/// weight v is visited v / max v times, and `negatives` random points with each visit:
/// O(n k (1 + negatives)) at most. Every step computes the displacements of all points
/// from their positions before it, in parallel; on another surface than the plane it takes about 15 times as long
/// (1,000 digits of 8 × 8 pixels, two cores of an AMD EPYC). Memory: about 110 n k bytes, with a continuous target twice
/// as many.
///
/// ```
/// use umap::{Method, Model, PointSet, Umap};
/// let two_groups = (0..60).flat_map(|i| [f64::from(i % 2) * 50.0 + f64::from(i) * 0.1, f64::from(i * 7 % 11)]);
/// let points = PointSet::new(two_groups.collect(), 2)?;
/// let fitted = Umap::default().fit(&points)?;
/// assert_eq!(fitted.embedding().len(), 60);
/// assert_eq!(fitted.components(), 2);
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct Umap {
    /// The rule that selects neighbors. umap-learn counts the point itself: its 15 neighbors are
    /// 14.
    #[param(flatten, default = Neighborhood::Nearest { k: 14 })]
    pub neighborhood: Neighborhood,
    /// Target dimension d.
    #[param(default = 2, range = "at least 1")]
    pub dim: usize,
    /// Distance up to which points of the map are fully similar; at most the spread.
    #[param(default = 0.1, range = "at least 0")]
    pub min_dist: f64,
    /// Distance over which the similarity in the map decays.
    #[param(default = 1.0, range = "above 0")]
    pub spread: f64,
    /// Passes over the edges; auto is 1000 for up to 10,000 points, 200 for more, and 200 in
    /// addition for densmap.
    #[param(default = None, range = "at least 1")]
    pub epochs: Option<usize>,
    /// The surface of the map: plane; sphere, whose d = 3 coordinates are unit vectors; torus, whose
    /// d = 4 are cosines and sines of two angles; or hyperboloid, whose d = 2 are places in the Poincaré
    /// disk. A smaller spread makes the last three larger in units of the similarity. Densmap has the
    /// plane alone.
    #[param(default = Surface::Plane)]
    pub surface: Surface,
    /// Initial coordinates. On a surface they are moved onto it.
    #[param(default = Start::Spectral)]
    pub start: Start,
    /// Step length relative to the gradient at first; it decreases linearly to 0. With 1, points
    /// still move far when the epochs end. On 10,000 digits of MNIST, means of two seeds, 1 gave a
    /// trustworthiness of 0.9582, 0.5 one of 0.9592, 0.25 one of 0.9612.
    #[param(default = 0.25, range = "above 0")]
    pub learning_rate: f64,
    /// Random points that repel a point, per visit of an edge.
    #[param(default = 5, range = NEGATIVES)]
    pub negatives: usize,
    /// Weight of the repulsion by each random point.
    #[param(default = 1.0, range = "at least 0")]
    pub repulsion: f64,
    /// Number of nearest neighbors of full membership. A fraction interpolates.
    #[param(default = 1.0, range = CONNECTIVITY)]
    pub local_connectivity: f64,
    /// 1 for the union of the directed edges, 0 for their intersection.
    #[param(default = 1.0, range = "0 to 1")]
    pub mix: f64,
    /// Weight of the labels or of a continuous target, which separates classes or values; none uses
    /// neither. 0 uses labels least, and a continuous target not at all.
    #[param(name = "target-weight", default = Target::Ignored, range = "0 to 1")]
    pub target: Target,
    /// Number of neighbors of each value of a continuous target, at most the known values less one;
    /// auto is k (14 with a radius).
    #[param(default = None, range = "at least 1")]
    pub target_neighbors: Option<usize>,
    /// How new points are placed.
    #[param(flatten)]
    pub placing: TransformSettings,
    /// What to do with rows that are exact copies of others. Kept, each is a point of its own, near
    /// the others in the map. Merged, only distinct rows are embedded, and each counts once, whatever the
    /// number of its copies. It has the class of its copies, or an unknown one where the copies have
    /// different classes, and the mean of their known target values.
    #[param(default = Duplicates::Keep)]
    pub duplicates: Duplicates,
    /// Seed of all random choices.
    #[param(default = 0)]
    pub seed: u64,
}

/// Number of points up to which the default is 1000 epochs.
const FEW: usize = 10_000;

/// Epochs that a density term adds to the default.
const MORE: usize = 200;

impl Method for Umap {
    type Fitted = Deduplicated<FittedUmap>;

    const ABOUT: About = About {
        name: "umap",
        title: "UMAP",
        summary: "Draws the edges of a weighted neighbor graph short and other pairs apart.",
        preserves: "neighborhoods and clusters; neither distances nor densities",
        cost: "k neighbors per point, a sparse eigenproblem, then time n k per epoch, memory n k",
        new_points: "optimization of each new point alone in the fixed map; does not interpolate: near a training row, up to 3.7 % of the map's extent from its position in the median of 13 trials, and 21 % in the worst; more where classes overlap (300 digits or points of a roll)",
        accepts: &[DataKind::Points, DataKind::Distances, DataKind::Neighbors],
        needs_labels: false,
        least_points: 2,
        explanation: Explanation::new(include_str!("umap.md")),
    };

    const DIVISION: Option<Division> = Some(Division::Least);

    const START: Option<StartScale> = Some(Start::SCALE);

    const FIXES: bool = true;

    const LABEL_PARAMETER: Option<&'static str> = Some("target-weight");

    fn neighborhood(&self, _n: usize) -> Option<Neighborhood> {
        Some(self.neighborhood)
    }

    fn divided(&self, scale: Scale) -> Self {
        Self { neighborhood: self.neighborhood.divided(scale), ..self.clone() }
    }

    fn settled(&self, n: usize) -> Self {
        Self { epochs: Some(self.epochs_of(n, false)), ..self.clone() }
    }

    /// Counts the given number of nearest neighbors, without copies that are merged first.
    fn check_memory_of(&self, input: &Input<'_>, n: usize) -> Result<(), Error> {
        match (self.neighborhood, self.duplicates) {
            (Neighborhood::Nearest { k }, Duplicates::Keep) => self.allow_fit(input, n, n * k),
            _ => Ok(()),
        }
    }

    /// Fails with [`Error::Parameter`] where `min_dist` exceeds `spread`, and where `dim` is not the
    /// number of coordinates of `surface`, and with
    /// [`Error::Degenerate`] where no two points are neighbors, a target weight lacks labels and
    /// target values, or fewer than two different target values are known. Stages `"neighbors"`, `"memberships"`, `"start"`, `"optimization"`.
    fn fit_input(&self, input: &Input<'_>) -> Result<Deduplicated<FittedUmap>, Error> {
        fit_deduplicated(self, self.duplicates, input, |input, copies| {
            self.of_input(input, copies)?.fit_with(input, None)
        })
    }
}

impl Umap {
    /// The recipe for an input, which may have its own start and contain the distinct points alone.
    pub(crate) fn of_input(&self, input: &Input<'_>, copies: Option<&Copies>) -> Result<Self, Error> {
        Ok(Self { start: self.start.of_input(input, copies)?, ..self.clone() })
    }

    /// The fit, with a density term for densMAP.
    pub(crate) fn fit_with(&self, input: &Input<'_>, density: Option<Density>) -> Result<FittedUmap, Error> {
        let observer = input.observer();
        let curve = Curve::fit(self.min_dist, self.spread)?;
        self.check_surface(input)?;
        let neighbors = self.neighbors_of(input)?;
        let fuzzy = FuzzyGraph::of_neighbors(&neighbors, self.local_connectivity, self.mix, observer)?;
        let overall = fuzzy.overall();
        let values = self.target_values(input, neighbors.neighborhood());
        let graph = self.target.applied(fuzzy.into_graph(), input, values)?;
        let epochs = self.epochs_of(input.len(), density.is_some());
        let visited = visited(&graph, epochs)?;
        let radii = radii::of_data(&visited, &neighbors);
        let memory_limit = input.memory_limit().beside(memory::held(input, &neighbors, &[&graph, &visited]));
        let mut start = self.start_of(input, &visited, memory_limit)?;
        self.surface.start(&mut start);
        observer.stage("optimization");
        let course = on_pool(|| {
            let term = density.and_then(|d| d.term(&visited, &radii.relative, curve, self.dim, epochs));
            let schedule = self.schedule(curve, epochs);
            let map = (self.dim, input.fixed_rows());
            schedule.run(&visited, &graph, start, map, term, observer)
        })?;
        let radii = Radii::new(radii, &visited, (curve, self.surface), &course.y, self.dim);
        Ok(FittedUmap {
            embedding: self.embedding_of(course.y, input),
            training: NeighborIndex::of_input(input, neighbors.neighborhood()),
            cross_entropy: course.loss,
            history: course.history,
            components: visited.components().sizes.len(),
            edges: visited.edge_count(),
            radii,
            placing: self.placing_by(curve, overall),
            scale: Scale::ONE,
        })
    }

    /// Fails where the surface has another number of coordinates, and where rows that keep their places are
    /// not on it.
    fn check_surface(&self, input: &Input<'_>) -> Result<(), Error> {
        self.surface.check_dim(self.dim)?;
        let unchanged = input.goes_on() || input.fixed_rows().is_some();
        input.start().filter(|_| unchanged).map_or(Ok(()), |start| self.surface.check_places(start))
    }

    /// The map of the final positions: on its surface in double precision.
    fn embedding_of(&self, y: Vec<f32>, input: &Input<'_>) -> Embedding {
        let map = layout::embedding_of(y, self.dim, input.fixed_rows());
        if self.surface == Surface::Plane {
            return map;
        }
        let mut values = map.values().to_vec();
        self.surface.rounded(&mut values);
        if let Some(fixed) = input.fixed_rows() {
            fixed.restore(&mut values);
        }
        Embedding::from_rows(values, self.dim)
    }

    /// The neighbor lists of an input, searched where it has none. Fails where the fit would
    /// exceed the memory limit.
    fn neighbors_of<'a>(&self, input: &'a Input<'_>) -> Result<Cow<'a, Neighbors>, Error> {
        input.require_distinct()?;
        // With a radius the number of neighbors is known after the search.
        let most = input.len() * self.neighborhood.k().unwrap_or(0);
        let expected = input.neighbors().map_or(most, |given| given.edge_count());
        self.allow_fit(input, input.len(), expected)?;
        let neighbors = match input.neighbors() {
            Some(given) => Cow::Borrowed(given),
            None => Cow::Owned(NeighborSearch::from(self.neighborhood).find(input)?),
        };
        self.allow_fit(input, input.len(), neighbors.edge_count())?;
        Ok(neighbors)
    }

    /// Fails where a fit of n points with the columns of the input, with `entries` in all neighbor lists together,
    /// would exceed the memory limit.
    fn allow_fit(&self, input: &Input<'_>, n: usize, entries: usize) -> Result<(), Error> {
        let rule = input.neighbors().map_or(self.neighborhood, Neighbors::neighborhood);
        let of_target = self.target_values(input, rule).map_or(0, TargetValues::entries);
        let of_target = input.amount_for(n, of_target as u64) as usize;
        memory::allow_fit((self.dim, n), input, entries, of_target)
    }

    /// The continuous target, where it is used.
    fn target_values<'a>(&self, input: &Input<'a>, of_data: Neighborhood) -> Option<TargetValues<'a>> {
        self.target.values(input, self.target_neighbors, of_data)
    }

    /// The number of epochs for n points; 200 more with a density term.
    pub(crate) fn epochs_of(&self, n: usize, has_density: bool) -> usize {
        let more = if has_density { MORE } else { 0 };
        self.epochs.unwrap_or(more + if n <= FEW { 1000 } else { 200 })
    }

    /// The initial coordinates, by rows, of a map of this graph.
    fn start_of(
        &self,
        input: &Input<'_>,
        graph: &Graph,
        memory_limit: MemoryLimit,
    ) -> Result<Vec<f32>, Error> {
        let observer = input.observer();
        observer.stage("start");
        let reads_data = matches!(self.start, Start::Spectral | Start::Pca);
        let coordinates = if reads_data { input.coordinates()? } else { None };
        let data = coordinates.as_ref().map_or(input.data(), Data::from);
        let origin = Origin { data, graph, dim: self.dim, seed: self.seed, memory_limit, observer };
        let start = self.start.coordinates(&origin)?;
        proceed(observer, 1, 1)?;
        Ok(start)
    }

    fn schedule(&self, curve: Curve, epochs: usize) -> Schedule {
        Schedule {
            curve,
            epochs,
            learning_rate: self.learning_rate,
            negatives: self.negatives,
            repulsion: self.repulsion,
            seed: self.seed,
            surface: self.surface,
        }
    }

    /// What the model stores to place new points; `overall` is the mean distance of the training
    /// points to their neighbors.
    fn placing_by(&self, curve: Curve, overall: f64) -> Placing {
        Placing {
            curve,
            settings: self.placing,
            connectivity: self.local_connectivity,
            pushes: Pushes { negatives: self.negatives, surface: self.surface },
            repulsion: self.repulsion,
            seed: self.seed,
            overall,
        }
    }
}

/// The edges that are visited at least once.
fn visited(graph: &Graph, epochs: usize) -> Result<Graph, Error> {
    let (n, largest) = (graph.len(), graph.longest_edge());
    if largest <= 0.0 {
        return Err(Error::degenerate(
            "no two points are neighbors of weight above 0",
            "use more neighbors, a larger radius or a mix above 0",
        ));
    }
    let least = largest / epochs as f64;
    let mut edges = Vec::with_capacity(graph.edge_count());
    edges.extend(graph.edges().filter(|edge| edge.2 >= least));
    Graph::from_edges(n, &edges)
}
