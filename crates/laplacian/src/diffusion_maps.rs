//! Diffusion maps.

use embedding::implement::{Fact, Validate, require, require_finite};
use embedding::{
    About, DataKind, Embedding, Error, Explanation, Fitted, Model, NewNeighbors, PointSet, Recipe, Rows,
    TrainingRows, Transform,
};
use faer::Mat;
use neighbor_graph::{
    Components, Duplicates, Graph, Manifold, Neighborhood, NewPoints, Symmetry, implement::GraphMethod,
};
use serde::{Deserialize, Serialize};
use spectral::Tolerance;

use crate::affinity::{Weights, Width};
use crate::nystrom::{Nystrom, Position, require_numbers};
use crate::walk::{OfWalk, Walk, functions};

/// Diffusion maps: the transition probabilities of a random walk after a time t as
/// coordinates.
///
#[doc = include_str!("diffusion_maps.md")]
///
/// **Details.** k_ii = 1; the edge weights k_ij are at least 1e-4. Σ πᵢ ψᵢ² = 1 under the
/// stationary distribution π. 1 ≤ d ≤ n − 1, 0 ≤ α ≤ 1, t ≥ 0. Negative λ, which a bipartite
/// graph has, carry no geometry and are not used, however large their magnitude.
///
/// **Cost.** As for [`crate::LaplacianEigenmaps`].
///
/// ```
/// use embedding::Points;
/// use laplacian::{DiffusionMaps, Method, Model, Neighborhood};
/// let path: Vec<f64> = (0..20).map(f64::from).collect();
/// let recipe = DiffusionMaps { neighborhood: Neighborhood::Nearest { k: 3 }, ..Default::default() };
/// let fitted = recipe.fit(Points::new(&path, 1)?)?.into_single()?;
/// assert!(fitted.eigenvalues()[0] > fitted.eigenvalues()[1]);
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct DiffusionMaps {
    /// The rule that selects neighbors.
    #[param(flatten)]
    pub neighborhood: Neighborhood,
    /// Target dimension d.
    #[param(default = 2, range = "1 to n - 1")]
    pub dim: usize,
    /// Width of the kernel in input units.
    #[param(default = Width::Auto)]
    pub width: Width,
    /// Exponent of the sampling density that is divided out.
    #[param(default = 1.0, range = "0 to 1")]
    pub alpha: f64,
    /// Diffusion time t.
    #[param(default = 1.0, range = "at least 0")]
    pub time: f64,
    /// What to do with a disconnected neighbor graph.
    #[param(default = Components::Reject)]
    pub components: Components,
    /// What to do with rows that are exact copies of others.
    #[param(default = Duplicates::Merge)]
    pub duplicates: Duplicates,
    /// Residual demanded of the eigenvectors, relative to the operator's norm.
    pub tolerance: Tolerance,
}

impl GraphMethod for DiffusionMaps {
    type Model = FittedDiffusionMaps;

    const ABOUT: About = About {
        name: "diffusion-maps",
        title: "Diffusion maps",
        summary: "The transition probabilities of a random walk after a time t, as coordinates.",
        preserves: "diffusion distance: the number of short paths that join two points",
        cost: "neighbors, then a sparse eigenproblem: time about n k^2, more for data of high intrinsic dimension",
        new_points: "Nystrom's formula over the nearest training points; does not interpolate: near a training row, up to 5.6 % of the map's extent from its position in the median of 13 trials, and 12.5 % in the worst; more where classes overlap (300 digits or points of a roll)",
        accepts: &[DataKind::Points, DataKind::Distances, DataKind::Neighbors],
        needs_labels: false,
        least_points: 2,
        explanation: Explanation::new(include_str!("diffusion_maps.md")),
    };

    /// Stages `"affinities"`, `"eigenvectors"`.
    fn fit_manifold(&self, manifold: Manifold<'_>) -> Result<FittedDiffusionMaps, Error> {
        let (n, observer) = (manifold.len(), manifold.observer);
        observer.stage("affinities");
        let graph = Graph::new(manifold.neighbors, Symmetry::Union);
        graph.require_connected()?;
        let affinity = Weights::Heat { width: self.width }.settle(manifold.neighbors);
        let mut walk = Walk { graph: &graph, affinities: affinity.edges(&graph), own: vec![1.0; n] };
        let densities: Vec<f64> = walk.degrees().iter().map(|q| q.powf(self.alpha)).collect();
        walk.divide_out(&densities);
        let degrees = walk.degrees();
        embedding::implement::proceed(observer, 1, 1)?;
        observer.stage("eigenvectors");
        let of_walk = OfWalk(observer);
        let limit = manifold.memory_limit.beside(manifold.neighbors.bytes() + manifold.copied_bytes());
        let pairs = walk.slow_modes(&degrees, self.dim, self.tolerance, limit, &of_walk)?;
        embedding::implement::proceed(observer, 1, 1)?;
        let eigenvalues: Vec<f64> = pairs.values.iter().map(|v| 1.0 - v).collect();
        if let Some(&negative) = eigenvalues.iter().find(|l| **l <= 0.0) {
            return Err(Error::degenerate(
                format!(
                    "the walk has fewer than {} positive eigenvalues besides 1 (next: {negative:e})",
                    self.dim
                ),
                "choose a smaller target dimension or more neighbors",
            ));
        }
        let psi = functions(&pairs, &degrees);
        let decay: Vec<f64> = eigenvalues.iter().map(|l| l.powf(self.time)).collect();
        let coordinates = Mat::from_fn(n, self.dim, |i, j| psi[(i, j)] * decay[j]);
        let largest = coordinates.norm_max();
        if largest < f64::MIN_POSITIVE {
            return Err(Error::degenerate(
                format!(
                    "after the diffusion all points have the same probabilities (largest coordinate {largest:e})"
                ),
                "use a smaller time",
            ));
        }
        let extension = Nystrom::new(&manifold, affinity, densities, psi, eigenvalues.clone());
        Ok(FittedDiffusionMaps {
            embedding: Embedding::new(coordinates).with_spectrum(eigenvalues),
            residuals: pairs.residuals,
            decay,
            extension,
        })
    }
}

neighbor_graph::graph_method!(DiffusionMaps);

/// Fitted diffusion maps.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FittedDiffusionMaps {
    embedding: Embedding,
    residuals: Vec<f64>,
    /// λᵗ.
    decay: Vec<f64>,
    extension: Nystrom,
}

impl FittedDiffusionMaps {
    /// The walk's eigenvalues λ, descending, without the 1; positive.
    pub fn eigenvalues(&self) -> &[f64] {
        self.embedding.spectrum()
    }

    /// Residual of each eigenpair of the normalized Laplacian, relative to its norm.
    pub fn residuals(&self) -> &[f64] {
        &self.residuals
    }
}

impl Model for FittedDiffusionMaps {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}

impl Transform for FittedDiffusionMaps {
    /// Nyström's formula over the nearest training points; a point that
    /// coincides with a training row takes that row's coordinates exactly.
    fn place(&self, new: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        self.place_points(new.into(), known)
    }

    fn place_listed(&self, new: &NewNeighbors, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        self.place_points(new.into(), known)
    }

    fn lists_among(&self) -> Option<usize> {
        self.extension.lists_among()
    }
}

impl FittedDiffusionMaps {
    fn place_points(&self, new: NewPoints<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        let placed = self.extension.place(new, known)?;
        let image = |(psi, position): &(Vec<f64>, Position), j: usize| match *position {
            Position::Training(i) => self.embedding[(i as usize, j)],
            Position::New { .. } => psi[j] * self.decay[j],
        };
        require_numbers(Embedding::new(Mat::from_fn(new.len(), self.embedding.dim(), |i, j| {
            image(&placed[i], j)
        })))
    }
}

impl Fitted for FittedDiffusionMaps {
    fn training_points(&self) -> Result<Option<PointSet>, Error> {
        Ok(self.extension.points().map(|points| points.to_owned()))
    }

    fn facts() -> Vec<Fact<Self>> {
        vec![
            Fact::eigenvalues(Self::eigenvalues),
            Fact::residuals(Self::residuals),
            Fact::optional("width", "width of the kernel, in input units", |m: &Self| m.extension.width()),
        ]
    }
}

impl Validate for FittedDiffusionMaps {
    fn validate(&self) -> Result<(), Error> {
        require(self.decay.len() == self.embedding.dim(), "it does not have a decay for every coordinate")?;
        require_finite(self.decay.iter().chain(&self.residuals), "a decay or residual")?;
        self.extension.require_shape(self.embedding.len(), self.embedding.dim())
    }
}
