//! Independent component analysis.

use embedding::implement::{Fact, Scale, Validate, require, require_finite};
use embedding::{About, DataKind, Embedding, Error, Explanation, Fitted, Input, Method, Recipe, Status};
use faer::Mat;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};
use spectral::{AffineMap, RowSpace, dense};

use crate::Contrast;
use crate::random::normal;
use crate::unmixing::{FixedPoint, Unmixing};

/// Independent component analysis by the fixed-point iteration FastICA: projection on
/// directions that are as far from normal distributions as possible.
///
#[doc = include_str!("fast_ica.md")]
///
/// **Details.** `dim` must lie in 1 ..= min(n − 1, D), and the centered data must span as many
/// dimensions. The iteration starts at a random rotation and ends when 1 − |w₊ · w| is below
/// `tolerance` for every vector; [`FittedFastIca::status`] states whether it did. Each direction's entry of
/// largest magnitude is positive, and components come in descending order of |E G(s) − E G(ν)|. Seeds that
/// lead to the same optimum therefore give the same map, up to a rotation of each vector by several times the
/// root of `tolerance`.
///
/// **Cost.** O(n D min(n, D)) for the whitening, O(n d²) per iteration; memory of two copies
/// of the data.
///
/// ```
/// use linear::{FastIca, Method, Model, PointSet};
/// // A sawtooth and a square wave, mixed.
/// let row = |i: u32| {
///     let (a, b) = (f64::from(i % 23) / 11.0 - 1.0, if i % 14 < 7 { 1.0 } else { -1.0 });
///     [a + 0.5 * b, 0.3 * a - b, a + b]
/// };
/// let points = PointSet::from_rows(&(0..644).map(row).collect::<Vec<_>>())?;
/// let fitted = FastIca::default().fit(&points)?;
/// // One of the coordinates takes two values: it is the square wave.
/// let spread = |j: usize| fitted.embedding().rows().map(|row| (row[j].abs() - 1.0).abs()).fold(0.0, f64::max);
/// assert!(spread(0).min(spread(1)) < 0.1);
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct FastIca {
    /// Target dimension d.
    #[param(default = 2, range = "1 to min(n - 1, D)")]
    pub dim: usize,
    /// Function that measures the distance from a normal distribution.
    #[param(default = Contrast::LogCosh)]
    pub contrast: Contrast,
    /// Whether components are found together or one after the other.
    #[param(default = Algorithm::Parallel)]
    pub algorithm: Algorithm,
    /// Converged when no direction changes by more, as 1 - |cosine|.
    #[param(default = 1e-4, range = "above 0")]
    pub tolerance: f64,
    /// Largest number of iterations. Components that are found one after the other have as many
    /// each.
    #[param(name = "iterations", default = 200, range = "at least 1")]
    pub max_iterations: usize,
    /// Seed of all random choices.
    #[param(default = 0)]
    pub seed: u64,
}

/// The order in which components are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Algorithm {
    /// All at the same time, with symmetric orthogonalization.
    #[default]
    Parallel,
    /// One after the other, each orthogonal to the components before it.
    Deflation,
}

embedding::words!(Algorithm { Parallel = "parallel", Deflation = "deflation" });

impl Method for FastIca {
    type Fitted = FittedFastIca;

    const ABOUT: About = About {
        name: "fast-ica",
        title: "FastICA",
        summary: "Projects on directions that are as independent, and as far from normal distributions, as possible.",
        preserves: "independent sources, up to order and sign; scale is lost",
        cost: "time n D min(n, D), then n d^2 per iteration; memory n D",
        new_points: "the same projection; interpolates: near a training row it tends to the row's position",
        accepts: &[DataKind::Points],
        needs_labels: false,
        least_points: 2,
        explanation: Explanation::new(include_str!("fast_ica.md")),
    };

    /// Stages `"whitening"`, `"rotation"`.
    fn fit_input(&self, input: &Input<'_>) -> Result<FittedFastIca, Error> {
        let (points, observer, dim) = (input.require_points()?, input.observer(), self.dim);
        let n = points.len();
        // The row space; or the coordinates with a scaled copy by rows, and the embedding.
        let iterating = 8 * (4 * n + points.dim()) as u64 * dim as u64;
        let needed = RowSpace::bytes(n, points.dim(), Some(dim)).max(iterating);
        input.memory_limit().allow("whitening", needed, "use fewer points")?;
        observer.stage("whitening");
        let RowSpace { mean, map, coordinates } = RowSpace::new(points, Some(dim), observer)?;
        let found = coordinates.ncols();
        if found < dim && dim == n.min(points.dim()) {
            return Err(Error::degenerate(
                format!("the data span {found} dimensions, fewer than the {dim} wanted"),
                "choose a smaller target dimension",
            ));
        }
        if found < dim {
            return Err(Error::degenerate(
                format!(
                    "of the {dim} leading principal directions, all but {found} are too short for double precision"
                ),
                "choose a smaller target dimension, or scale the columns to one deviation",
            ));
        }
        observer.stage("rotation");
        let whitened = coordinates * faer::Scale((n as f64).sqrt());
        let rows = embedding::implement::matrix::to_rows(whitened.as_ref());
        let iteration = FixedPoint {
            whitened: whitened.as_ref(),
            rows: &rows,
            contrast: self.contrast,
            tolerance: self.tolerance,
            max_iterations: self.max_iterations,
        };
        let Unmixing { w, status, change } = iteration.run(self.algorithm, &self.start(), observer)?;
        let distances = iteration.distances_from_normal(&w);
        let mut order: Vec<usize> = (0..dim).collect();
        order.sort_by(|&a, &b| distances[b].total_cmp(&distances[a]));
        let sorted = Mat::from_fn(dim, dim, |i, j| (n as f64).sqrt() * w[(order[j], i)]);
        let mut directions = dense::product(map.as_ref(), sorted.as_ref());
        spectral::canonical_signs(directions.as_mut());
        let map = AffineMap::new(mean, directions);
        let spectrum = order.iter().map(|&j| distances[j]).collect();
        Ok(FittedFastIca { embedding: map.apply(points)?.with_spectrum(spectrum), map, status, change })
    }
}

impl FastIca {
    /// d × d standard normal numbers.
    fn start(&self) -> Mat<f64> {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        let values: Vec<f64> = (0..self.dim * self.dim).map(|_| normal(&mut random)).collect();
        Mat::from_fn(self.dim, self.dim, |i, j| values[i * self.dim + j])
    }
}

/// Fitted independent components.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FittedFastIca {
    embedding: Embedding,
    map: AffineMap,
    status: Status,
    change: f64,
}

impl FittedFastIca {
    /// The unmixing matrix A, D × d: the components of x are Aᵀ (x − mean). For data near the smallest
    /// numbers, mean and matrices refer to the data divided by a power of two, which [`Fitted::notes`]
    /// states.
    pub fn directions(&self) -> &Mat<f64> {
        self.map.matrix()
    }

    /// The column means of the training data.
    pub fn mean(&self) -> &[f64] {
        self.map.origin()
    }

    /// The mixing matrix, D × d: the pseudo-inverse of Aᵀ, by which components s give the
    /// point mean + mixing · s.
    pub fn mixing(&self) -> Result<Mat<f64>, Error> {
        Ok(self.map.pseudo_inverse()?.transpose().to_owned())
    }

    /// |E G(s) − E G(ν)| of each component, descending.
    pub fn distances_from_normal(&self) -> &[f64] {
        self.embedding.spectrum()
    }

    /// Whether the iteration converged.
    pub fn status(&self) -> Status {
        self.status
    }
}

spectral::projection_model!(FittedFastIca);

impl Fitted for FittedFastIca {
    fn multiplied(self, scale: Scale) -> Result<Self, Error> {
        Ok(Self { map: self.map.multiplied(scale, Scale::ONE), ..self })
    }

    fn facts() -> Vec<Fact<Self>> {
        vec![
            Fact::new(
                "distances_from_normal",
                "how far each component is from a normal distribution, by the contrast function",
                |m: &Self| m.distances_from_normal().to_vec(),
            ),
            Fact::new("status", "how the iteration ended", Self::status),
            Fact::new(
                "change",
                "largest change of a direction in the last iteration, as 1 - |cosine|",
                |m: &Self| m.change,
            ),
        ]
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::from_iter(self.map.note());
        if let Status::IterationLimit { iterations } = self.status {
            notes.push(format!(
                "the components did not converge in {iterations} iterations: the last one changed a direction by \
                 {:.1e}; allow more iterations, or fewer dimensions",
                self.change
            ));
        }
        notes
    }
}

impl Validate for FittedFastIca {
    fn validate(&self) -> Result<(), Error> {
        self.map.require_fits(&self.embedding)?;
        require(
            self.embedding.spectrum().len() == self.embedding.dim(),
            "it does not have a distance from a normal distribution for every coordinate",
        )?;
        require_finite([&self.change], "the change of its last iteration")
    }
}
