//! Random projection.

use embedding::implement::{Division, Fact, Validate};
use embedding::{About, DataKind, Embedding, Error, Explanation, Fitted, Input, Method, Recipe};
use faer::Mat;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};
use spectral::AffineMap;

use crate::random::{normal, uniform};

/// The entries of the random matrix; both have mean 0 and variance 1/d.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Distribution {
    /// Normal entries.
    #[default]
    Gaussian,
    /// Entries ±√(s/d) with probability 1/(2s) each and 0 otherwise, s = √D
    /// (Li, Hastie and Church 2006).
    Sparse,
}

embedding::words!(Distribution { Gaussian = "gaussian", Sparse = "sparse" });

/// Random projection: projection on random directions, which keeps distances within a factor
/// 1 ± ε when d is large enough ([`RandomProjection::sufficient_dim`]).
///
#[doc = include_str!("random_projection.md")]
///
/// **Details.** `dim` ≥ 1; it may exceed D.
///
/// **Cost.** O(n D d) time, O(D d) memory.
///
/// ```
/// use embedding::Points;
/// use linear::{Method, RandomProjection};
/// let points = Points::new(&[1.0, 0.0, 0.0, 1.0], 2)?;
/// let fitted = RandomProjection { dim: 3, ..Default::default() }.fit(points)?;
/// assert_eq!(fitted.directions().ncols(), 3);
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct RandomProjection {
    /// Target dimension d.
    #[param(default = 2, range = "at least 1")]
    pub dim: usize,
    /// Distribution of the matrix entries.
    #[param(default = Distribution::Gaussian)]
    pub distribution: Distribution,
    /// Seed of all random choices.
    #[param(default = 0)]
    pub seed: u64,
}

impl Method for RandomProjection {
    type Fitted = FittedRandomProjection;

    const ABOUT: About = About {
        name: "random-projection",
        title: "Random projection",
        summary: "Projects on random directions: the baseline that is independent of the data.",
        preserves: "distances on average, within an error that shrinks as d grows",
        cost: "time n D d, memory D d",
        new_points: "the same projection; interpolates: near a training row it tends to the row's position",
        accepts: &[DataKind::Points],
        needs_labels: false,
        least_points: 1,
        explanation: Explanation::new(include_str!("random_projection.md")),
    };

    const DIVISION: Option<Division> = None;

    /// Draws the matrix and projects; stage `"projection"`.
    fn fit_input(&self, input: &Input<'_>) -> Result<FittedRandomProjection, Error> {
        let (points, observer) = (input.require_points()?, input.observer());
        let needed = (self.dim as u64).saturating_mul(8 * (points.dim() + points.len()) as u64);
        input.memory_limit().allow("the projection", needed, "use a smaller target dimension")?;
        observer.stage("projection");
        embedding::implement::proceed(observer, 0, 1)?;
        let map = AffineMap::new(vec![0.0; points.dim()], self.matrix(points.dim()));
        let embedding = map.apply(points)?;
        embedding::implement::proceed(observer, 1, 1)?;
        Ok(FittedRandomProjection { embedding, map })
    }
}

impl RandomProjection {
    /// A dimension that keeps all distances among n points within 1 ± `epsilon`
    /// with probability at least 1 − 1/n: d ≥ 4 ln n / (ε²/2 − ε³/3)
    /// (Dasgupta and Gupta 2003, doi:10.1002/rsa.10073). 0 < ε < 1.
    pub fn sufficient_dim(n: usize, epsilon: f64) -> Result<usize, Error> {
        if !(epsilon > 0.0 && epsilon < 1.0) {
            return Err(Error::parameter("epsilon", "between 0 and 1, both excluded", epsilon));
        }
        let needed = 4.0 * (n.max(1) as f64).ln() / (epsilon.powi(2) / 2.0 - epsilon.powi(3) / 3.0);
        Ok((needed.ceil() as usize).max(1))
    }

    fn matrix(&self, rows: usize) -> Mat<f64> {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        let scale = (1.0 / self.dim as f64).sqrt();
        let mut matrix = Mat::zeros(rows, self.dim);
        for i in 0..rows {
            for j in 0..self.dim {
                matrix[(i, j)] = scale
                    * match self.distribution {
                        Distribution::Gaussian => normal(&mut random),
                        Distribution::Sparse => sparse(&mut random, (rows as f64).sqrt()),
                    };
            }
        }
        matrix
    }
}

/// ±√s with probability 1/(2s) each, else 0.
fn sparse(random: &mut ChaCha8Rng, s: f64) -> f64 {
    match uniform(random) * 2.0 * s {
        u if u < 1.0 => s.sqrt(),
        u if u < 2.0 => -s.sqrt(),
        _ => 0.0,
    }
}

/// A drawn projection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FittedRandomProjection {
    embedding: Embedding,
    map: AffineMap,
}

impl FittedRandomProjection {
    /// The random matrix R, D × d.
    pub fn directions(&self) -> &Mat<f64> {
        self.map.matrix()
    }
}

spectral::projection_model!(FittedRandomProjection);

impl Fitted for FittedRandomProjection {
    fn facts() -> Vec<Fact<Self>> {
        Vec::new()
    }
}

impl Validate for FittedRandomProjection {
    fn validate(&self) -> Result<(), Error> {
        self.map.require_fits(&self.embedding)
    }
}
