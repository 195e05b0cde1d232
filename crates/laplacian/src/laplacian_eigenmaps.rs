//! Laplacian eigenmaps.

use embedding::{Embedding, Error, MemoryLimit, Model, Observer, Points, Transform};
use faer::Mat;
use neighbor_graph::{Components, Graph, Manifold, Neighborhood, Symmetry};
use serde::{Deserialize, Serialize};
use spectral::Tolerance;

use crate::affinity::Weights;
use crate::nystrom::{Home, Nystrom};
use crate::walk::{Walk, functions};

/// The smoothest functions on the neighbor graph, as coordinates.
///
/// **Idea.** Neighbors should stay close: minimize Σ a_ij |y_i − y_j|² over all
/// maps that do not collapse.
///
/// **Definition.** With affinities A, degrees D and L = D − A: the d smallest
/// solutions of L y = λ D y beside the constant ([`Form::Generalized`], scaled
/// to Σ dᵢ yᵢ² = Σ dᵢ), or of D^−½ L D^−½ u = λ u beside D^½ 1
/// ([`Form::Normalized`], scaled to |u|² = n). y = D^−½ u up to that scale.
///
/// **Steps.** Neighbors, symmetric graph, affinities, eigenvectors with the
/// known null vector deflated.
///
/// **Cost.** Neighbor search, O(n k) for the matrix, then one sparse Cholesky
/// factorization and a few solves per vector.
///
/// **When it fails.** 1 ≤ d ≤ n − 1; the graph must be connected (see
/// [`Components`]). A long strip shows its slowest modes, which are functions of
/// one coordinate: the second axis of a 4:1 strip is cos 2x, not y. Distances
/// are not kept, and functions flatten at the boundary.
///
/// ```
/// use embedding::{Model, Points, Silent};
/// use laplacian::LaplacianEigenmaps;
/// use neighbor_graph::Neighborhood;
/// // Along a path the first mode is monotone.
/// let path: Vec<f64> = (0..20).map(f64::from).collect();
/// let recipe = LaplacianEigenmaps { neighborhood: Neighborhood::Nearest { k: 2 }, dim: 1, ..Default::default() };
/// let fitted = recipe.fit(Points::new(&path, 1)?, &Silent)?;
/// let y = fitted.embedding().coordinates.col(0);
/// assert!((1..20).all(|i| y[i] > y[i - 1]) || (1..20).all(|i| y[i] < y[i - 1]));
/// # Ok::<(), embedding::Error>(())
/// ```
///
/// **Reference.** Belkin and Niyogi (2003), doi:10.1162/089976603321780317;
/// new points: Bengio et al. (2003), "Out-of-sample extensions for LLE, Isomap,
/// MDS, eigenmaps, and spectral clustering".
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LaplacianEigenmaps {
    /// Who is near; default the 10 nearest.
    pub neighborhood: Neighborhood,
    /// Which edges count; default union.
    pub symmetry: Symmetry,
    /// Target dimension d; default 2.
    pub dim: usize,
    /// Affinities; default heat with automatic width.
    pub weights: Weights,
    /// Which eigenproblem; default generalized.
    pub form: Form,
    /// What to do with a disconnected graph; default reject.
    pub components: Components,
    /// Residual demanded of the eigenvectors.
    pub tolerance: Tolerance,
    /// The largest factorization allowed; default 4 GB.
    pub memory_limit: MemoryLimit,
}

/// Which eigenproblem of the graph Laplacian.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Form {
    /// L y = λ D y, the paper's.
    #[default]
    Generalized,
    /// D^−½ L D^−½ u = λ u.
    Normalized,
}

impl Default for LaplacianEigenmaps {
    fn default() -> Self {
        Self {
            neighborhood: Neighborhood::default(),
            symmetry: Symmetry::Union,
            dim: 2,
            weights: Weights::Heat { width: crate::Width::Auto },
            form: Form::Generalized,
            components: Components::Reject,
            tolerance: Tolerance::default(),
            memory_limit: MemoryLimit::default(),
        }
    }
}

neighbor_graph::graph_method!(LaplacianEigenmaps, FittedLaplacianEigenmaps, "laplacian-eigenmaps");

impl LaplacianEigenmaps {
    /// The recipe, on one connected manifold.
    ///
    /// Stages `"affinities"`, `"eigenvectors"`.
    pub fn fit_manifold(
        &self,
        manifold: Manifold<'_>,
        observer: &dyn Observer,
    ) -> Result<FittedLaplacianEigenmaps, Error> {
        let n = manifold.points.len();
        crate::walk::check_dim(self.dim, n)?;
        self.weights.check()?;
        observer.stage("affinities");
        let graph = Graph::new(manifold.neighbors, self.symmetry);
        graph.require_connected()?;
        let affinity = self.weights.settle(manifold.neighbors);
        let walk = Walk { graph: &graph, affinities: affinity.edges(&graph), own: vec![0.0; n] };
        let degrees = walk.degrees();
        embedding::proceed(observer, 1, 1)?;
        observer.stage("eigenvectors");
        let pairs = walk.slow_modes(&degrees, self.dim, self.tolerance, self.memory_limit, observer)?;
        embedding::proceed(observer, 1, 1)?;
        let psi = functions(&pairs, &degrees);
        let root = self.root_degrees(&degrees);
        let coordinates = Mat::from_fn(n, self.dim, |i, j| psi[(i, j)] * root(degrees[i]));
        let walk_values = pairs.values.iter().map(|v| 1.0 - v).collect();
        Ok(FittedLaplacianEigenmaps {
            embedding: Embedding::with_spectrum(coordinates, pairs.values),
            residuals: pairs.residuals,
            form: self.form,
            total_degree: degrees.iter().sum(),
            extension: Nystrom::new(
                manifold.points,
                manifold.neighbors,
                affinity,
                vec![1.0; n],
                psi,
                walk_values,
            ),
        })
    }

    /// From ψ to the form's coordinates: a factor per point.
    fn root_degrees(&self, degrees: &[f64]) -> impl Fn(f64) -> f64 + use<> {
        root_degree(self.form, degrees.len(), degrees.iter().sum())
    }
}

fn root_degree(form: Form, n: usize, total: f64) -> impl Fn(f64) -> f64 {
    move |degree| match form {
        Form::Generalized => 1.0,
        Form::Normalized => (n as f64 * degree / total).sqrt(),
    }
}

/// Fitted Laplacian eigenmaps.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FittedLaplacianEigenmaps {
    embedding: Embedding,
    residuals: Vec<f64>,
    form: Form,
    total_degree: f64,
    extension: Nystrom,
}

impl FittedLaplacianEigenmaps {
    /// Eigenvalues λ of L y = λ D y, ascending, without the zero; in 0 ..= 2.
    pub fn eigenvalues(&self) -> &[f64] {
        self.embedding.spectrum.as_deref().unwrap_or_default()
    }

    /// Residual of each eigenpair of the normalized Laplacian.
    pub fn residuals(&self) -> &[f64] {
        &self.residuals
    }
}

impl Model for FittedLaplacianEigenmaps {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}

impl Transform for FittedLaplacianEigenmaps {
    /// Nyström's formula over the nearest training points; a point that
    /// coincides with a training row takes that row's coordinates exactly.
    fn transform(&self, new: Points<'_>) -> Result<Mat<f64>, Error> {
        let placed = self.extension.extend(new)?;
        let root = root_degree(self.form, self.embedding.len(), self.total_degree);
        let image = |(psi, home): &(Vec<f64>, Home), j: usize| match *home {
            Home::Training(i) => self.embedding.coordinates[(i as usize, j)],
            Home::Between { degree } => psi[j] * root(degree),
        };
        Ok(Mat::from_fn(new.len(), self.embedding.dim(), |i, j| image(&placed[i], j)))
    }
}
