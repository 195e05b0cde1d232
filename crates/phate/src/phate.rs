//! The recipe.

use embedding::implement::{Sizes, StartScale, proceed};
use embedding::{
    About, DataKind, Embedding, Error, Explanation, Input, MemoryLimit, Model, Observer, Recipe,
};
use faer::Mat;
use mds::{Configuration, Landmarks, Smacof};
use neighbor_graph::{
    Components, Duplicates, Graph, Manifold, NeighborIndex, Neighborhood, Neighbors, Symmetry,
    implement::GraphMethod,
};
use serde::{Deserialize, Serialize};
use spectral::Sparse;

use crate::diffusion::Diffusion;
use crate::entropy::{eigenvalues, entropies, knee};
use crate::fitted::LandmarkModel;
use crate::kernel::{Kernel, THRESHOLD};
use crate::landmark_observer::LandmarkObserver;
use crate::power::power;
use crate::triangle::groups;
use crate::{FittedPhate, kernel_support, potential};

/// PHATE: potential of heat-diffusion for affinity-based transition embedding.
///
#[doc = include_str!("phate.md")]
///
/// **Details.** Affinities below the threshold are 0, so that the kernel is sparse; its graph
/// has all pairs with an affinity, and components refer to this graph. It needs points, dense
/// or sparse, or distances. Given lists from which edges were removed, and lists by radius, are the kernel's graph
/// unchanged; an edge that bridges components has the affinity of the threshold. The entropies are computed
/// from the eigenvalues of P, the time is at the knee of t = 1 … 100. Stress is minimized as by [`Smacof`]
/// from the classical solution; coordinates are in units of the potentials, centered, on their principal
/// axes. 1 ≤ d ≤ l − 1.
///
/// With more points than landmarks, the points nearest to a landmark along the graph are its cell. The
/// diffusion then runs between cells (from a cell to the points and back), two steps of the kernel at a time.
/// The paper chooses the cells by k-means of the spectrum; a random sample needs no spectrum, and its cells
/// follow the density too. Points are placed by their probabilities to reach the landmarks in one step.
///
/// **Cost.** m points or landmarks, of n. Neighbors, see [`embedding::Neighbors`], searched
/// again for the completion. The eigenvalues of the entropy O(m³), above m = 1,000 in single precision, so
/// that entropies have six digits. The power takes m times the affinities per step of the diffusion, or
/// log₂ t products of m³/2 multiplications where that is less; potential distances m³/2; majorization
/// O(m² d) per step. Memory 23 m² bytes and about 100 bytes per affinity.
///
/// ```
/// use phate::{Method, Model, PointSet, Phate};
/// let arms: Vec<[f64; 2]> = (0..60)
///     .map(|i| (1.0 + f64::from(i / 3), f64::from(i % 3) * 2.1))
///     .map(|(r, angle)| [r * angle.cos(), r * angle.sin()])
///     .collect();
/// let fitted = Phate::default().fit(&PointSet::from_rows(&arms)?)?.into_single()?;
/// assert_eq!(fitted.embedding().len(), 60);
/// assert_eq!(fitted.entropies().len(), 100);
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct Phate {
    /// The rule that selects neighbors. The distance to the last of them is the bandwidth of a
    /// point.
    #[param(flatten, default = Neighborhood::Nearest { k: 5 })]
    pub neighborhood: Neighborhood,
    /// Target dimension d.
    #[param(default = 2, range = "1 to landmarks - 1")]
    pub dim: usize,
    /// Exponent of the kernel; the larger, the sharper its end. With 2 it is Gaussian.
    #[param(default = 40.0, range = "above 0")]
    pub decay: f64,
    /// Affinity below which a pair of points has none.
    #[param(default = 1e-4, range = THRESHOLD)]
    pub threshold: f64,
    /// Steps of the diffusion; auto is the knee of the von Neumann entropy.
    #[param(default = None, range = "at least 1")]
    pub time: Option<usize>,
    /// Potential: 1 for logarithms of probabilities, -1 for probabilities.
    #[param(default = 1.0, range = "-1 to 1")]
    pub gamma: f64,
    /// Number and choice of landmarks. With at most that many points every point is scaled.
    #[param(default = Landmarks::Random { count: 2000, seed: 0 })]
    pub landmarks: Landmarks,
    /// Converged when two steps in a row lower the stress by less, relative to the weighted sum of
    /// squared dissimilarities.
    #[param(default = 1e-6, range = "at least 0")]
    pub tolerance: f64,
    /// Largest number of steps of the scaling.
    #[param(name = "iterations", default = 300, range = "at least 1")]
    pub max_iterations: usize,
    /// What to do with a disconnected neighbor graph.
    #[param(default = Components::Reject)]
    pub components: Components,
    /// What to do with rows that are exact copies of others.
    #[param(default = Duplicates::Merge)]
    pub duplicates: Duplicates,
}

impl GraphMethod for Phate {
    type Model = FittedPhate;

    const ABOUT: About = About {
        name: "phate",
        title: "PHATE",
        summary: "Scales the distances between logarithms of diffused probabilities.",
        preserves: "potential distance: branches and the transitions between them",
        cost: "neighbors, then time m^3 and memory 23 m^2 bytes, m = at most 2000 landmarks",
        new_points: "the kernel's mean of the places of training points; does not interpolate: near a training row, up to 7.9 % of the map's extent from its position in the median of 13 trials, and 23 % in the worst; more where classes overlap (300 digits or points of a roll)",
        accepts: &[DataKind::Points, DataKind::Distances],
        needs_labels: false,
        least_points: 2,
        explanation: Explanation::new(include_str!("phate.md")),
    };

    const SPARSE: bool = true;

    /// Distances of the map have the unit of the potentials.
    const START: Option<StartScale> = Some(StartScale::Unchanged);

    fn complete(&self, sizes: Sizes) -> Sizes {
        let landmarks = sizes.points.map(|n| self.landmarks.count(n));
        Sizes { landmarks, dim: Some(self.dim), ..sizes }
    }

    /// A power and its square; or potentials and their inner products, then distances and the scaling's
    /// start. Between landmarks S has more entries. Lists and kernel take the rest.
    fn check_memory(&self, sizes: Sizes, limit: MemoryLimit) -> Result<(), Error> {
        let Sizes { points, columns, .. } = sizes;
        let (n, columns) = (points.unwrap_or(0), columns.unwrap_or(0));
        let m = self.landmarks.count(n) as u64;
        let kernel = if columns > 0 { kernel_support::search_bytes(n, columns) } else { 0 };
        limit.allow("the kernel", kernel, "use fewer points or columns, or allow more memory")?;
        let diffusion = if m < n as u64 { 23 } else { 17 } * m * m + 500 * n as u64;
        limit.allow("the diffusion", diffusion, "use fewer landmarks, or allow more memory")
    }

    /// Stage `"kernel"`.
    fn widened(&self, input: &Input<'_>, neighbors: &Neighbors) -> Result<Option<Neighbors>, Error> {
        input.observer().stage("kernel");
        kernel_support::widened(input, neighbors, self.kernel())
    }

    /// Stages `"affinities"`, `"landmarks"` where there are more points, `"entropy"` where the
    /// time is not given, `"diffusion"`, `"potential"`, `"start"`, `"majorization"`.
    fn fit_manifold(&self, manifold: Manifold<'_>) -> Result<FittedPhate, Error> {
        let (n, observer) = (manifold.len(), manifold.observer);
        observer.stage("affinities");
        proceed(observer, 0, 1)?;
        let affinities = self.kernel().matrix(manifold.neighbors)?;
        proceed(observer, 1, 1)?;
        let landmarks = (self.landmarks.count(n) < n).then(|| self.landmarks_of(&manifold)).transpose()?;
        let (diffusion, spread) = match &landmarks {
            None => (Diffusion::of_points(&affinities)?, None),
            Some((rows, cells)) => {
                let (diffusion, spread) = Diffusion::of_cells(&affinities, cells, rows.len())?;
                (diffusion, Some(spread))
            }
        };
        let (entropies, time) = match self.time {
            Some(time) => (Vec::new(), time),
            None => entropy_and_knee(&diffusion, observer)?,
        };
        observer.stage("diffusion");
        let Diffusion { symmetric, roots } = diffusion;
        let diffused = power(&symmetric, time, observer)?;
        drop(symmetric);
        observer.stage("potential");
        let total = groups(roots.len());
        let mut done = 0;
        proceed(observer, done, total)?;
        let mut advance = || {
            done += 1;
            proceed(observer, done, total)
        };
        let distances = potential::distances(diffused, &roots, self.gamma, &mut advance)?;
        let scaling = Smacof {
            dim: self.dim,
            tolerance: self.tolerance,
            max_iterations: self.max_iterations,
            ..Smacof::default()
        };
        let shown = LandmarkObserver { observer, spread: spread.as_ref() };
        // Scaled are the landmarks, where there are more points.
        let selected = landmarks.as_ref().zip(manifold.start).map(|((rows, _), start)| start.select(rows));
        let start = selected.as_ref().map(|start| start.view()).or(manifold.start);
        let configuration = scaling.fit_from(&distances, start, &shown)?;
        let landmarks = landmarks.zip(spread).map(|((rows, of), spread)| {
            let embedding = spread_over(&spread, &configuration);
            LandmarkModel { rows, of, embedding }
        });
        Ok(FittedPhate {
            configuration,
            landmarks,
            training: NeighborIndex::of(&manifold),
            kernel: self.kernel(),
            time,
            entropies,
            affinities: affinities.stored(),
        })
    }
}

impl Phate {
    fn kernel(&self) -> Kernel {
        Kernel { decay: self.decay, threshold: self.threshold }
    }

    /// The rows of the landmarks, and the landmark of each point.
    fn landmarks_of(&self, manifold: &Manifold<'_>) -> Result<(Vec<u32>, Vec<u32>), Error> {
        manifold.observer.stage("landmarks");
        let graph = Graph::new(manifold.neighbors, Symmetry::Union);
        let rows = match manifold.pair_distances() {
            Ok(distances) if manifold.metric.is_euclidean() => {
                self.landmarks.choose(distances, manifold.observer)?
            }
            _ => {
                let along = |i| graph.geodesics_from(i);
                self.landmarks.choose_by(graph.len(), along, manifold.observer)?
            }
        };
        let nearest = graph.nearest_sources(&rows)?;
        match nearest.into_iter().collect::<Option<Vec<u32>>>() {
            Some(cells) => Ok((rows, cells)),
            None => Err(graph.components().error()),
        }
    }
}

fn entropy_and_knee(diffusion: &Diffusion, observer: &dyn Observer) -> Result<(Vec<f64>, usize), Error> {
    observer.stage("entropy");
    proceed(observer, 0, 1)?;
    let entropies = entropies(&eigenvalues(&diffusion.symmetric)?);
    proceed(observer, 1, 1)?;
    let time = knee(&entropies);
    Ok((entropies, time))
}

fn spread_over(spread: &Sparse, configuration: &Configuration) -> Embedding {
    let landmarks = configuration.embedding();
    let mut all = Mat::zeros(spread.nrows(), landmarks.dim());
    spread.apply(landmarks.coordinates(), all.as_mut());
    Embedding::new(all)
}

neighbor_graph::graph_method!(Phate);
