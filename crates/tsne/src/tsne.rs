//! The recipe.

use embedding::{
    Embedder, Embedding, Error, MemoryLimit, Model, Observer, PointSet, Points, Status, Transform,
};
use faer::{Mat, MatRef};
use neighbor_graph::Neighbors;
use serde::{Deserialize, Serialize};

use crate::kernel::Kernel;
use crate::optimize::Descent;
use crate::repulsion::exact_normalization;
use crate::{Affinities, Gradient, Placing, Start};

/// t-distributed stochastic neighbor embedding.
///
/// **Idea.** Say by probabilities who is near whom in the data, say the same of
/// a map with a kernel of heavy tails, and move the map until the two agree.
/// Crowded neighbors get room; what lies between clusters is not to be
/// believed.
///
/// **Definition.** Minimize KL(P‖Q) = Σ p_ij ln(p_ij / q_ij) with P the
/// [`Affinities`] of the given perplexity, q_ij = w_ij / Σ w and
/// w_ij = (1 + |y_i − y_j|²/α)^−α.
///
/// **Steps and cost.** Neighbors: 3 · perplexity of them, see [`Neighbors`].
/// Affinities: O(n k). Start: two principal components. Optimization, per
/// iteration: O(n k) for the attraction and, for the repulsion, O(n²), O(n log n)
/// or O(n + grid); see [`Gradient`]. Memory O(n k).
///
/// **When it fails.** Sizes of clusters and distances between them mean nothing;
/// low perplexities show clusters in noise. The divergence is not convex: runs
/// from other starts end elsewhere. Equal points stay together under the default
/// start.
///
/// **Legal ranges.** 1 ≤ perplexity ≤ n − 1; dim ≥ 1 (up to 3 with Barnes–Hut,
/// up to 2 interpolated); α > 0.
///
/// ```
/// use embedding::{Model, PointSet, Silent};
/// use tsne::Tsne;
/// let two_groups = (0..60).flat_map(|i| [f64::from(i % 2) * 50.0 + f64::from(i) * 0.1, f64::from(i * 7 % 11)]);
/// let points = PointSet::new(two_groups.collect(), 2)?;
/// let fitted = Tsne { perplexity: 10.0, ..Tsne::default() }.fit(points.view(), &Silent)?;
/// assert_eq!(fitted.embedding().len(), 60);
/// assert!(fitted.divergence().value() < 0.5);
/// # Ok::<(), embedding::Error>(())
/// ```
///
/// **Reference.** van der Maaten and Hinton (2008), Journal of Machine Learning
/// Research 9, 2579–2605; Barnes–Hut: van der Maaten (2014), JMLR 15, 3221–3245;
/// interpolation: Linderman et al. (2019), doi:10.1038/s41592-018-0308-4;
/// defaults: Kobak and Berens (2019), doi:10.1038/s41467-019-13056-x.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tsne {
    /// The effective number of neighbors of a point; default 30.
    pub perplexity: f64,
    /// Target dimension d; default 2.
    pub dim: usize,
    /// How forces between all pairs are computed; default by n and d.
    pub gradient: Gradient,
    /// Where the map begins; default the principal components.
    pub start: Start,
    /// How the map moves.
    pub schedule: Schedule,
    /// α of the kernel; default 1, the Cauchy kernel. Below 1 the tails are
    /// heavier and clusters fall apart into finer ones.
    pub degrees_of_freedom: f64,
    /// How new points are placed.
    pub placing: Placing,
    /// Seed of random coordinates in the start; default 0.
    pub seed: u64,
    /// The largest map allowed while it moves, 48 bytes per coordinate; default
    /// 4 GB.
    pub memory_limit: MemoryLimit,
}

impl Default for Tsne {
    fn default() -> Self {
        Self {
            perplexity: 30.0,
            dim: 2,
            gradient: Gradient::Auto,
            start: Start::Pca,
            schedule: Schedule::default(),
            degrees_of_freedom: 1.0,
            placing: Placing::default(),
            seed: 0,
            memory_limit: MemoryLimit::default(),
        }
    }
}

/// How the map moves: gradient descent with gains, with momentum 0.5 while
/// exaggerated and 0.8 afterwards. The gradient is that without its factor 4.
/// When the exaggeration ends the map comes to rest, and all gains are 1 again:
/// the second phase is a descent of its own from where the first ended.
///
/// A gain grows by 0.2 where the last step went downhill still, its product with
/// the gradient being negative, and is multiplied by 0.8 elsewhere, down to 0.01.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Schedule {
    /// Factor on the attraction at first; default 12.
    pub early_exaggeration: f64,
    /// Iterations with that factor; default 250.
    pub early_iterations: usize,
    /// Iterations afterwards, at most; default 1000. On 1,797 digits the divergence is
    /// 0.740 after 750 of them, 0.731 after 1000 and 0.725 after 1500.
    pub iterations: usize,
    /// Factor on the attraction afterwards; default 1. Larger factors pull
    /// clusters together.
    pub late_exaggeration: f64,
    /// Length of a step relative to the gradient.
    pub learning_rate: LearningRate,
    /// Converged when the divergence has not fallen for so many iterations after
    /// the exaggeration; default 300.
    pub patience: usize,
    /// Converged when the norm of the whole gradient (with the factor 4) is not
    /// above this; default 1e-7.
    pub smallest_gradient: f64,
    /// Iterations between looks at divergence and gradient; default 50.
    pub check_every: usize,
}

impl Default for Schedule {
    fn default() -> Self {
        Self {
            early_exaggeration: 12.0,
            early_iterations: 250,
            iterations: 1000,
            late_exaggeration: 1.0,
            learning_rate: LearningRate::Auto,
            patience: 300,
            smallest_gradient: 1e-7,
            check_every: 50,
        }
    }
}

/// Length of a step relative to the gradient (without the factor 4, as in all
/// programs but scikit-learn, whose rates are a quarter of these).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum LearningRate {
    /// max(n/12, 200).
    #[default]
    Auto,
    /// Finite and positive.
    Fixed(f64),
    /// max(n/exaggeration, 200), so that steps grow when the early exaggeration
    /// ends. On 70,000 pictures of digits 750 iterations reach a divergence of
    /// 2.86 instead of 2.95.
    ByPhase,
}

impl LearningRate {
    /// For n points while attraction is exaggerated so many times.
    pub(crate) fn rate(self, n: usize, exaggeration: f64) -> f64 {
        match self {
            Self::Auto => (n as f64 / 12.0).max(200.0),
            Self::ByPhase => (n as f64 / exaggeration).max(200.0),
            Self::Fixed(rate) => rate,
        }
    }
}

/// Up to so many points the final divergence is computed over all pairs.
const EXACT_DIVERGENCE_UP_TO: usize = 20_000;

impl Tsne {
    /// Fits; stages `"neighbors"`, `"affinities"`, `"start"`, `"optimization"`.
    pub fn fit(&self, points: Points<'_>, observer: &dyn Observer) -> Result<FittedTsne, Error> {
        self.check()?;
        let affinities = Affinities::of_points(points, self.perplexity, observer)?;
        self.fit_affinities(Some(points), &affinities, observer)
    }

    /// The same on given neighbor lists, each at least as long as the perplexity
    /// and best three times as long.
    pub fn fit_neighbors(
        &self,
        points: Points<'_>,
        neighbors: &Neighbors,
        observer: &dyn Observer,
    ) -> Result<FittedTsne, Error> {
        self.check()?;
        let affinities = Affinities::of_neighbors(neighbors, self.perplexity, observer)?;
        self.fit_affinities(Some(points), &affinities, observer)
    }

    /// The recipe on given affinities. Without points the principal components
    /// of the start are random numbers, and the model places no new points.
    pub fn fit_affinities(
        &self,
        points: Option<Points<'_>>,
        affinities: &Affinities,
        observer: &dyn Observer,
    ) -> Result<FittedTsne, Error> {
        self.check()?;
        let n = affinities.len();
        if let Some(points) = points.filter(|p| p.len() != n) {
            let (expected, got) = (n.to_string(), points.len().to_string());
            return Err(Error::Shape { what: "the points of the affinities", expected, got });
        }
        let needed = (self.dim as u64).saturating_mul(48 * n as u64);
        self.memory_limit.allow("the map", needed, "ask for fewer dimensions")?;
        let kernel = Kernel { alpha: self.degrees_of_freedom };
        let repulsion = self.gradient.prepare(n, self.dim, kernel)?;
        observer.stage("start");
        let start = self.start.coordinates(points, affinities, self.dim, self.seed, observer)?;
        embedding::proceed(observer, 1, 1)?;
        observer.stage("optimization");
        let mut descent = Descent::new(affinities, kernel, self.dim, start, repulsion);
        // On a thread of the pool: from elsewhere every loop would wait for one to wake.
        let course = rayon::scope(|_| descent.run(&self.schedule, observer))?;
        if let Some(at) = descent.y.iter().position(|v| !v.is_finite()) {
            return Err(Error::degenerate(
                format!("the map of point {} left the range of numbers", at / self.dim),
                "use a smaller learning rate",
            ));
        }
        let divergence = self.divergence(&mut descent, kernel)?;
        let coordinates = Mat::from_fn(n, self.dim, |i, c| descent.y[i * self.dim + c]);
        Ok(FittedTsne {
            embedding: Embedding::new(coordinates),
            points: points.map(|p| p.to_owned()),
            divergence,
            divergences: course.divergences,
            status: course.status,
            gradient: self.gradient.settled(n, self.dim),
            alpha: self.degrees_of_freedom,
            placing: self.placing,
        })
    }

    /// On a symmetric matrix of distances, n × n; such a model places no new
    /// points.
    pub fn fit_distances(
        &self,
        distances: MatRef<'_, f64>,
        observer: &dyn Observer,
    ) -> Result<FittedTsne, Error> {
        self.check()?;
        let affinities = Affinities::of_distances(distances, self.perplexity, observer)?;
        self.fit_affinities(None, &affinities, observer)
    }

    fn divergence(&self, descent: &mut Descent<'_>, kernel: Kernel) -> Result<Divergence, Error> {
        let n = descent.affinities.len();
        if n <= EXACT_DIVERGENCE_UP_TO {
            let z = exact_normalization(kernel, self.dim, &descent.y);
            return Ok(Divergence::Exact(descent.divergence(z)));
        }
        let mut repulsion = self.gradient.prepare(n, self.dim, kernel)?;
        let mut force = vec![0.0; descent.y.len()];
        let z = repulsion.compute(&descent.y, &mut force);
        Ok(Divergence::Approximate(descent.divergence(z)))
    }

    fn check(&self) -> Result<(), Error> {
        let positive = |name: &'static str, value: f64| {
            if value.is_finite() && value > 0.0 {
                return Ok(());
            }
            Err(Error::parameter(name, "finite and positive", value))
        };
        let schedule = &self.schedule;
        if self.dim == 0 {
            return Err(Error::parameter("the target dimension", "at least 1", 0));
        }
        positive("degrees_of_freedom", self.degrees_of_freedom)?;
        positive("early_exaggeration", schedule.early_exaggeration)?;
        positive("late_exaggeration", schedule.late_exaggeration)?;
        if let LearningRate::Fixed(rate) = schedule.learning_rate {
            positive("learning_rate", rate)?;
        }
        if schedule.check_every == 0 {
            return Err(Error::parameter("check_every", "at least 1", 0));
        }
        self.placing.check()
    }
}

/// KL divergence of a map, in nats.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Divergence {
    /// Normalized over all pairs.
    Exact(f64),
    /// Normalized by the same approximation as the forces: beyond 20,000 points.
    Approximate(f64),
}

impl Divergence {
    /// The number.
    pub fn value(self) -> f64 {
        match self {
            Self::Exact(value) | Self::Approximate(value) => value,
        }
    }
}

/// A fitted map.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FittedTsne {
    embedding: Embedding,
    points: Option<PointSet>,
    divergence: Divergence,
    divergences: Vec<(usize, f64)>,
    status: Status,
    gradient: Gradient,
    alpha: f64,
    placing: Placing,
}

impl FittedTsne {
    /// KL divergence of the final map.
    pub fn divergence(&self) -> Divergence {
        self.divergence
    }

    /// Iteration and KL divergence at every look, normalized as the forces
    /// were.
    pub fn divergences(&self) -> &[(usize, f64)] {
        &self.divergences
    }

    /// How the optimization ended.
    pub fn status(&self) -> Status {
        self.status
    }

    /// How the forces were computed.
    pub fn gradient(&self) -> Gradient {
        self.gradient
    }
}

impl Embedder for Tsne {
    fn name(&self) -> &'static str {
        "tsne"
    }

    fn embed(&self, points: Points<'_>, observer: &dyn Observer) -> Result<Embedding, Error> {
        Ok(self.fit(points, observer)?.embedding)
    }
}

impl Model for FittedTsne {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}

impl Transform for FittedTsne {
    /// Each new point descends by itself into the map, which stays; see
    /// [`Placing`]. A training row does not return exactly to its place. Fails
    /// for a model fitted without points.
    fn transform(&self, new: Points<'_>) -> Result<Mat<f64>, Error> {
        let Some(points) = &self.points else {
            return Err(Error::degenerate(
                "the map was fitted to distances, which do not say where new points are",
                "fit it to points",
            ));
        };
        self.placing.place(new, points, &self.embedding, Kernel { alpha: self.alpha })
    }
}
