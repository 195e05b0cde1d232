//! Laplacian eigenmaps.

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
use crate::walk::{Walk, functions};

/// Laplacian eigenmaps: the smoothest functions on the neighbor graph as coordinates.
///
#[doc = include_str!("laplacian_eigenmaps.md")]
///
/// **Details.** [`Eigenproblem::Generalized`] solves L y = λ D y, scaled to Σ dᵢ yᵢ² = Σ dᵢ;
/// [`Eigenproblem::Normalized`] solves D^−½ L D^−½ u = λ u orthogonal to D^½ 1, scaled to |u|² = n; y = D^−½
/// u up to that scale. The known null vector is deflated. 1 ≤ d ≤ n − 1; a disconnected graph: see
/// [`Components`]. New points: Bengio et al. (2003), "Out-of-sample extensions for LLE, Isomap, MDS,
/// eigenmaps, and spectral clustering".
///
/// **Cost.** Neighbor search, O(n k) for the matrix, then one sparse Cholesky factorization and
/// a few solves per vector.
///
/// ```
/// use embedding::Points;
/// use laplacian::{LaplacianEigenmaps, Method, Model, Neighborhood};
/// // Along a path the first mode is monotone.
/// let path: Vec<f64> = (0..20).map(f64::from).collect();
/// let recipe = LaplacianEigenmaps { neighborhood: Neighborhood::Nearest { k: 2 }, dim: 1, ..Default::default() };
/// let fitted = recipe.fit(Points::new(&path, 1)?)?;
/// let y = fitted.embedding().coordinates().col(0);
/// assert!((1..20).all(|i| y[i] > y[i - 1]) || (1..20).all(|i| y[i] < y[i - 1]));
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct LaplacianEigenmaps {
    /// The rule that selects neighbors.
    #[param(flatten)]
    pub neighborhood: Neighborhood,
    /// Which directed edges make an undirected one.
    #[param(default = Symmetry::Union)]
    pub symmetry: Symmetry,
    /// Target dimension d.
    #[param(default = 2, range = "1 to n - 1")]
    pub dim: usize,
    /// Affinity of neighbors; heat without a width uses the mean distance to the last neighbor.
    #[param(default = Weights::Heat { width: Width::Auto })]
    pub weights: Weights,
    /// The eigenproblem of the Laplacian that is solved.
    #[param(default = Eigenproblem::Generalized)]
    pub form: Eigenproblem,
    /// What to do with a disconnected neighbor graph.
    #[param(default = Components::Reject)]
    pub components: Components,
    /// What to do with rows that are exact copies of others.
    #[param(default = Duplicates::Merge)]
    pub duplicates: Duplicates,
    /// Residual demanded of the eigenvectors, relative to the operator's norm.
    pub tolerance: Tolerance,
}

/// Which eigenproblem of the graph Laplacian.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Eigenproblem {
    /// L y = λ D y, the paper's.
    #[default]
    Generalized,
    /// D^−½ L D^−½ u = λ u.
    Normalized,
}

embedding::words!(Eigenproblem { Generalized = "generalized", Normalized = "normalized" });

impl GraphMethod for LaplacianEigenmaps {
    type Model = FittedLaplacianEigenmaps;

    const ABOUT: About = About {
        name: "laplacian-eigenmaps",
        title: "Laplacian eigenmaps",
        summary: "The smoothest functions on the neighbor graph as coordinates.",
        preserves: "nearness: neighbors stay together, distances are not preserved",
        cost: "neighbors, then a sparse eigenproblem: time about n k^2, more for data of high intrinsic dimension",
        new_points: "Nystrom's formula over the nearest training points; does not interpolate: near a training row, up to 4.1 % of the map's extent from its position in the median of 13 trials, and 6.8 % in the worst; more where classes overlap (300 digits or points of a roll)",
        accepts: &[DataKind::Points, DataKind::Distances, DataKind::Neighbors],
        needs_labels: false,
        least_points: 2,
        explanation: Explanation::new(include_str!("laplacian_eigenmaps.md")),
    };

    /// Stages `"affinities"`, `"eigenvectors"`.
    fn fit_manifold(&self, manifold: Manifold<'_>) -> Result<FittedLaplacianEigenmaps, Error> {
        let (n, observer) = (manifold.len(), manifold.observer);
        observer.stage("affinities");
        let graph = Graph::new(manifold.neighbors, self.symmetry);
        graph.require_connected()?;
        let affinity = self.weights.settle(manifold.neighbors);
        let walk = Walk { graph: &graph, affinities: affinity.edges(&graph), own: vec![0.0; n] };
        let degrees = walk.degrees();
        embedding::implement::proceed(observer, 1, 1)?;
        observer.stage("eigenvectors");
        let limit = manifold.memory_limit.beside(manifold.neighbors.bytes() + manifold.copied_bytes());
        let pairs = walk.slow_modes(&degrees, self.dim, self.tolerance, limit, observer)?;
        embedding::implement::proceed(observer, 1, 1)?;
        let psi = functions(&pairs, &degrees);
        let root = self.root_degrees(&degrees);
        let coordinates = Mat::from_fn(n, self.dim, |i, j| psi[(i, j)] * root(degrees[i]));
        let walk_values = pairs.values.iter().map(|v| 1.0 - v).collect();
        Ok(FittedLaplacianEigenmaps {
            embedding: Embedding::new(coordinates).with_spectrum(pairs.values),
            residuals: pairs.residuals,
            form: self.form,
            total_degree: degrees.iter().sum(),
            extension: Nystrom::new(&manifold, affinity, vec![1.0; n], psi, walk_values),
        })
    }
}

neighbor_graph::graph_method!(LaplacianEigenmaps);

impl LaplacianEigenmaps {
    /// From ψ to the form's coordinates: a factor per point.
    fn root_degrees(&self, degrees: &[f64]) -> impl Fn(f64) -> f64 + use<> {
        root_degree(self.form, degrees.len(), degrees.iter().sum())
    }
}

fn root_degree(form: Eigenproblem, n: usize, total: f64) -> impl Fn(f64) -> f64 {
    move |degree| match form {
        Eigenproblem::Generalized => 1.0,
        Eigenproblem::Normalized => (n as f64 * degree / total).sqrt(),
    }
}

/// Fitted Laplacian eigenmaps.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FittedLaplacianEigenmaps {
    embedding: Embedding,
    residuals: Vec<f64>,
    form: Eigenproblem,
    total_degree: f64,
    extension: Nystrom,
}

impl FittedLaplacianEigenmaps {
    /// Eigenvalues λ of L y = λ D y, ascending, without the zero; in 0 ..= 2.
    pub fn eigenvalues(&self) -> &[f64] {
        self.embedding.spectrum()
    }

    /// Residual of each eigenpair of the normalized Laplacian, relative to its norm.
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

impl FittedLaplacianEigenmaps {
    fn place_points(&self, new: NewPoints<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        let placed = self.extension.place(new, known)?;
        let root = root_degree(self.form, self.embedding.len(), self.total_degree);
        let image = |(psi, position): &(Vec<f64>, Position), j: usize| match *position {
            Position::Training(i) => self.embedding[(i as usize, j)],
            Position::New { degree } => psi[j] * root(degree),
        };
        require_numbers(Embedding::new(Mat::from_fn(new.len(), self.embedding.dim(), |i, j| {
            image(&placed[i], j)
        })))
    }
}

impl Fitted for FittedLaplacianEigenmaps {
    fn training_points(&self) -> Result<Option<PointSet>, Error> {
        Ok(self.extension.points().map(|points| points.to_owned()))
    }

    fn facts() -> Vec<Fact<Self>> {
        vec![
            Fact::eigenvalues(Self::eigenvalues),
            Fact::residuals(Self::residuals),
            Fact::optional(
                "width",
                "width of the kernel of the weights, in input units, where they have one",
                |m: &Self| m.extension.width(),
            ),
        ]
    }
}

impl Validate for FittedLaplacianEigenmaps {
    fn validate(&self) -> Result<(), Error> {
        let total = self.total_degree;
        require(total.is_finite() && total > 0.0, "its total degree is not positive")?;
        require_finite(&self.residuals, "a residual")?;
        self.extension.require_shape(self.embedding.len(), self.embedding.dim())
    }
}
