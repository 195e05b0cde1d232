//! Diffusion maps.

use embedding::{Embedding, Error, MemoryLimit, Model, Observer, Points, Transform};
use faer::Mat;
use neighbor_graph::{Components, Graph, Manifold, Neighborhood, Symmetry};
use serde::{Deserialize, Serialize};
use spectral::Tolerance;

use crate::affinity::{Weights, Width};
use crate::nystrom::{Home, Nystrom};
use crate::walk::{Walk, functions};

/// Where a random walker ends up after a time t, as coordinates.
///
/// **Idea.** Two points are close when walkers that start there spread alike.
/// Dividing the density out first (α = 1) leaves the geometry of the manifold,
/// whatever the sampling.
///
/// **Definition.** k_ij = exp(−(|x_i − x_j|/width)²) on the neighbor graph,
/// k_ii = 1; q_i = Σⱼ k_ij; k̃_ij = k_ij/(q_i q_j)^α; P = D^−1 k̃ with
/// P ψ = λ ψ. Coordinates λⱼᵗ ψⱼ for the d largest |λ| < 1 that are not the
/// constant's, with Σ πᵢ ψᵢ² = 1 under the stationary distribution π. With all
/// n − 1 of them, Euclidean distances are diffusion distances.
///
/// **Cost.** As for [`crate::LaplacianEigenmaps`].
///
/// **When it fails.** 1 ≤ d ≤ n − 1, 0 ≤ α ≤ 1, t ≥ 0; the graph must be
/// connected. The largest λ are taken, not the largest |λ|: strongly negative
/// ones, which a bipartite graph has, carry no geometry. A large t leaves one
/// coordinate that matters.
///
/// ```
/// use embedding::{Model, Points, Silent};
/// use laplacian::DiffusionMaps;
/// use neighbor_graph::Neighborhood;
/// let path: Vec<f64> = (0..20).map(f64::from).collect();
/// let recipe = DiffusionMaps { neighborhood: Neighborhood::Nearest { k: 3 }, ..Default::default() };
/// let fitted = recipe.fit(Points::new(&path, 1)?, &Silent)?;
/// assert!(fitted.eigenvalues()[0] > fitted.eigenvalues()[1]);
/// # Ok::<(), embedding::Error>(())
/// ```
///
/// **Reference.** Coifman and Lafon (2006), doi:10.1016/j.acha.2006.04.006.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DiffusionMaps {
    /// Who is near; default the 10 nearest.
    pub neighborhood: Neighborhood,
    /// Target dimension d; default 2.
    pub dim: usize,
    /// Width of the kernel; default automatic.
    pub width: Width,
    /// How much of the density is divided out, 0 ..= 1; default 1.
    pub alpha: f64,
    /// Diffusion time t ≥ 0; default 1.
    pub time: f64,
    /// What to do with a disconnected graph; default reject.
    pub components: Components,
    /// Residual demanded of the eigenvectors.
    pub tolerance: Tolerance,
    /// The largest factorization allowed; default 4 GB.
    pub memory_limit: MemoryLimit,
}

impl Default for DiffusionMaps {
    fn default() -> Self {
        Self {
            neighborhood: Neighborhood::default(),
            dim: 2,
            width: Width::Auto,
            alpha: 1.0,
            time: 1.0,
            components: Components::Reject,
            tolerance: Tolerance::default(),
            memory_limit: MemoryLimit::default(),
        }
    }
}

neighbor_graph::graph_method!(DiffusionMaps, FittedDiffusionMaps, "diffusion-maps");

impl DiffusionMaps {
    /// The recipe, on one connected manifold.
    ///
    /// Stages `"affinities"`, `"eigenvectors"`.
    pub fn fit_manifold(
        &self,
        manifold: Manifold<'_>,
        observer: &dyn Observer,
    ) -> Result<FittedDiffusionMaps, Error> {
        let n = manifold.points.len();
        self.check(n)?;
        observer.stage("affinities");
        let graph = Graph::new(manifold.neighbors, Symmetry::Union);
        graph.require_connected()?;
        let affinity = Weights::Heat { width: self.width }.settle(manifold.neighbors);
        let mut walk = Walk { graph: &graph, affinities: affinity.edges(&graph), own: vec![1.0; n] };
        let densities: Vec<f64> = walk.degrees().iter().map(|q| q.powf(self.alpha)).collect();
        walk.divide_out(&densities);
        let degrees = walk.degrees();
        embedding::proceed(observer, 1, 1)?;
        observer.stage("eigenvectors");
        let pairs = walk.slow_modes(&degrees, self.dim, self.tolerance, self.memory_limit, observer)?;
        embedding::proceed(observer, 1, 1)?;
        let eigenvalues: Vec<f64> = pairs.values.iter().map(|v| 1.0 - v).collect();
        if let Some(&negative) = eigenvalues.iter().find(|l| **l <= 0.0) {
            return Err(Error::degenerate(
                format!(
                    "the walk has fewer than {} positive eigenvalues beside 1 (next: {negative:e})",
                    self.dim
                ),
                "choose a smaller target dimension or more neighbors",
            ));
        }
        let psi = functions(&pairs, &degrees);
        let decay: Vec<f64> = eigenvalues.iter().map(|l| l.powf(self.time)).collect();
        let coordinates = Mat::from_fn(n, self.dim, |i, j| psi[(i, j)] * decay[j]);
        let extension =
            Nystrom::new(manifold.points, manifold.neighbors, affinity, densities, psi, eigenvalues.clone());
        Ok(FittedDiffusionMaps {
            embedding: Embedding::with_spectrum(coordinates, eigenvalues),
            residuals: pairs.residuals,
            decay,
            extension,
        })
    }

    fn check(&self, n: usize) -> Result<(), Error> {
        crate::walk::check_dim(self.dim, n)?;
        Weights::Heat { width: self.width }.check()?;
        if !(0.0..=1.0).contains(&self.alpha) {
            return Err(Error::parameter("alpha", "between 0 and 1", self.alpha));
        }
        if !(self.time.is_finite() && self.time >= 0.0) {
            return Err(Error::parameter("time", "finite and not negative", self.time));
        }
        Ok(())
    }
}

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
        self.embedding.spectrum.as_deref().unwrap_or_default()
    }

    /// Residual of each eigenpair of the normalized Laplacian.
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
    fn transform(&self, new: Points<'_>) -> Result<Mat<f64>, Error> {
        let placed = self.extension.extend(new)?;
        let image = |(psi, home): &(Vec<f64>, Home), j: usize| match *home {
            Home::Training(i) => self.embedding.coordinates[(i as usize, j)],
            Home::Between { .. } => psi[j] * self.decay[j],
        };
        Ok(Mat::from_fn(new.len(), self.embedding.dim(), |i, j| image(&placed[i], j)))
    }
}
