//! Initialization of the map.

use ::spectral::{Principal, Tolerance, sparse_components};
use embedding::{Error, Form, MemoryLimit, NewPoints, Observer, PointSet, Value, standard_normal};
use faer::Mat;
use neighbor_graph::{Copies, Graph};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

mod spectral;

/// Largest magnitude of initial coordinates. On 4,000 digits of MNIST, four seeds of 500
/// epochs each, 10 gave a standard deviation of trustworthiness of 0.0013, 5 one of 0.0003.
pub(crate) const EXTENT: f64 = 5.0;

/// Standard deviation of the noise added to computed starts, which separates duplicates.
const NOISE: f64 = 1e-4;

/// Stream of random numbers, beside that of the optimization.
const STREAM: u64 = 1 << 62;

/// Initialization of the map. All but `Given` are scaled to a largest magnitude of 5, and
/// normally distributed noise of standard deviation 1e-4 is added.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Start {
    /// Eigenvectors of the graph's normalized Laplacian for the smallest eigenvalues above
    /// 0, of each connected component by itself; components are placed side by side. The
    /// default.
    #[default]
    Spectral,
    /// The leading principal components of the data. Coordinates beyond their number, and
    /// all where the input has no points, are random.
    Pca,
    /// Independent, uniformly distributed coordinates.
    Random,
    /// The caller's coordinates, n × d, unchanged.
    Given(PointSet),
}

impl Value for Start {
    const FORM: Form = Form::Words(&["spectral", "pca", "random"]);

    fn show(&self) -> String {
        match self {
            Self::Spectral => "spectral",
            Self::Pca => "pca",
            Self::Random => "random",
            Self::Given(_) => "given",
        }
        .to_owned()
    }

    fn read(text: &str) -> Option<Self> {
        match text {
            "spectral" => Some(Self::Spectral),
            "pca" => Some(Self::Pca),
            "random" => Some(Self::Random),
            _ => None,
        }
    }
}

embedding::text!(Start);

/// What a start is computed from.
pub(crate) struct Origin<'a> {
    pub(crate) points: Option<NewPoints<'a>>,
    pub(crate) graph: &'a Graph,
    pub(crate) dim: usize,
    pub(crate) seed: u64,
    pub(crate) memory_limit: MemoryLimit,
    pub(crate) observer: &'a dyn Observer,
}

impl Start {
    /// Of a start for all rows that of the distinct points among them.
    pub(crate) fn of_distinct(&self, copies: Option<&Copies>) -> Result<Self, Error> {
        match (self, copies) {
            (Self::Given(given), Some(copies)) => copies.select("the given start", given).map(Self::Given),
            _ => Ok(self.clone()),
        }
    }

    /// Returns n × d coordinates, stored by rows.
    pub(crate) fn coordinates(&self, origin: &Origin<'_>) -> Result<Vec<f32>, Error> {
        let Origin { points, graph, dim, .. } = *origin;
        let n = graph.len();
        let mut random = Random::new(origin.seed);
        let mut y = match (self, points) {
            (Self::Given(given), _) => {
                if (given.len(), given.dim()) != (n, dim) {
                    return Err(Error::Shape {
                        what: "the given start",
                        expected: format!("{n} × {dim}"),
                        got: format!("{} × {}", given.len(), given.dim()),
                    });
                }
                return Ok(given.view().values().iter().map(|&v| v as f32).collect());
            }
            (Self::Spectral, _) => spectral::spectral_start(origin, &mut random)?,
            (Self::Pca, Some(points)) => {
                let columns = components(points, origin)?;
                random.completed(columns, n, dim)
            }
            (Self::Pca, None) | (Self::Random, _) => random.completed(Mat::zeros(n, 0), n, dim),
        };
        y.iter_mut().for_each(|v| *v += NOISE * random.normal());
        Ok(y.into_iter().map(|v| v as f32).collect())
    }
}

/// Centered coordinates along the leading principal directions, at most d.
pub(crate) fn components(points: NewPoints<'_>, origin: &Origin<'_>) -> Result<Mat<f64>, Error> {
    let Origin { dim, observer, .. } = *origin;
    let points = match points {
        NewPoints::Dense(points) => points,
        NewPoints::Sparse(points) => {
            let needed = Principal::sparse_bytes(points, dim);
            origin.memory_limit.allow("the principal components", needed, "start at random (`start`)")?;
            return sparse_components(points, dim, observer);
        }
    };
    let count = dim.min(points.dim()).min(points.len());
    let principal = Principal::new(points, count, Tolerance::default(), observer)?;
    let coordinate = |i: usize, c: usize| -> f64 {
        let centered = points.row(i).iter().zip(&principal.mean).map(|(x, m)| x - m);
        centered.enumerate().map(|(j, x)| x * principal.directions[(j, c)]).sum()
    };
    Ok(Mat::from_fn(points.len(), count, coordinate))
}

/// Random numbers of a start.
pub(crate) struct Random(ChaCha8Rng);

impl Random {
    fn new(seed: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(STREAM);
        Self(random)
    }

    /// Uniform between −1 and 1.
    pub(crate) fn uniform(&mut self) -> f64 {
        2.0 * self.positive() - 1.0
    }

    fn normal(&mut self) -> f64 {
        standard_normal(self.positive(), self.positive())
    }

    fn positive(&mut self) -> f64 {
        ((self.0.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// The columns scaled to a largest magnitude of 5, row by row; columns that are
    /// missing or zero are random.
    pub(crate) fn completed(&mut self, columns: Mat<f64>, n: usize, dim: usize) -> Vec<f64> {
        let largest = columns.norm_max();
        let scale = if largest > 0.0 { EXTENT / largest } else { 0.0 };
        let mut y = vec![0.0; n * dim];
        for c in 0..dim {
            let known = c < columns.ncols() && scale * columns.col(c).norm_max() > 1e-6 * EXTENT;
            for i in 0..n {
                y[i * dim + c] = if known { scale * columns[(i, c)] } else { EXTENT * self.uniform() };
            }
        }
        y
    }
}
