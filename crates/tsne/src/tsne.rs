//! The recipe.

use embedding::{
    About, Data, Embedding, Error, Fact, Fitted, Form, Input, MemoryLimit, Method, Model, ONE, Observer,
    Parameter, Points, Range, Sizes, Status, Transform, Value, ZERO, field,
};
use neighbor_graph::{NeighborIndex, Neighborhood, neighbors_of_input};
use serde::{Deserialize, Serialize};

use crate::affinities::{PERPLEXITY, neighbors_for};
use crate::kernel::Kernel;
use crate::optimize::Descent;
use crate::repulsion::exact_normalization;
use crate::{Affinities, Gradient, Placing, Start};

/// t-distributed stochastic neighbor embedding.
///
/// **Idea.** Match the neighbor probabilities of data and map, using a heavy-tailed
/// kernel in the map, so that crowded neighbors spread out. Between-cluster distances
/// are not meaningful.
///
/// **Definition.** Minimize KL(P‖Q) = Σ p_ij ln(p_ij / q_ij) with P the
/// [`Affinities`] of the given perplexity, q_ij = w_ij / Σ w and
/// w_ij = (1 + |y_i − y_j|²/α)^−α.
///
/// **Steps and cost.** Neighbors: 3 · perplexity of them, see [`embedding::Neighbors`].
/// Affinities: O(n k). Start: two principal components. Optimization, per
/// iteration: O(n k) for the attraction and, for the repulsion, O(n²), O(n log n)
/// or O(n + grid); see [`Gradient`]. Memory O(n k).
///
/// **When it fails.** Sizes of clusters and distances between them mean nothing;
/// low perplexities show clusters in noise. The divergence is not convex: runs
/// from other starts end elsewhere. Equal points stay together under the default
/// start.
///
/// ```
/// use tsne::{Method, Model, PointSet, Tsne};
/// let two_groups = (0..60).flat_map(|i| [f64::from(i % 2) * 50.0 + f64::from(i) * 0.1, f64::from(i * 7 % 11)]);
/// let points = PointSet::new(two_groups.collect(), 2)?;
/// let fitted = Tsne { perplexity: 10.0, ..Tsne::default() }.fit(&points)?;
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
    /// The initial coordinates; default the principal components.
    pub start: Start,
    /// The optimization.
    pub schedule: Schedule,
    /// α of the kernel; default 1, the Cauchy kernel. Below 1 the tails are
    /// heavier and clusters separate into finer ones.
    pub degrees_of_freedom: f64,
    /// How new points are placed.
    pub placing: Placing,
    /// Seed of random coordinates in the start; default 0.
    pub seed: u64,
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
        }
    }
}

/// The optimization: gradient descent with gains, with momentum 0.5 during early
/// exaggeration and 0.8 afterwards. The gradient is that without its factor 4.
/// Momentum and gains are reset after early exaggeration.
///
/// A gain grows by 0.2 where the product of the last step and the gradient is
/// negative, and is multiplied by 0.8 elsewhere, down to 0.01.
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
    /// Converged when the divergence has not decreased for this number of iterations after
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

impl Value for LearningRate {
    const FORM: Form = Form::WordOrNumber("auto, by-phase");

    fn show(&self) -> String {
        match self {
            Self::Auto => "auto".to_owned(),
            Self::ByPhase => "by-phase".to_owned(),
            Self::Fixed(rate) => rate.show(),
        }
    }

    fn read(text: &str) -> Option<Self> {
        match text {
            "auto" => Some(Self::Auto),
            "by-phase" => Some(Self::ByPhase),
            _ => f64::read(text).map(Self::Fixed),
        }
    }

    fn number(&self) -> Option<f64> {
        match self {
            Self::Auto | Self::ByPhase => None,
            Self::Fixed(rate) => Some(*rate),
        }
    }
}

embedding::text!(LearningRate);

impl LearningRate {
    /// The rate for n points under an exaggeration of the attraction.
    pub(crate) fn rate(self, n: usize, exaggeration: f64) -> f64 {
        match self {
            Self::Auto => (n as f64 / 12.0).max(200.0),
            Self::ByPhase => (n as f64 / exaggeration).max(200.0),
            Self::Fixed(rate) => rate,
        }
    }
}

/// Number of points up to which the final divergence is computed over all pairs.
const EXACT_DIVERGENCE_UP_TO: usize = 20_000;

impl Method for Tsne {
    type Fitted = FittedTsne;

    const ABOUT: About = About {
        name: "tsne",
        title: "t-SNE",
        summary: "Matches neighbor probabilities of data and map, using a heavy-tailed kernel in the map.",
        preserves: "neighborhoods and clusters; neither distances nor densities",
        cost: "3 perplexity neighbors per point, then time n per iteration, memory n perplexity",
        new_points: "optimization of each new point alone in the fixed map",
        accepts: &[Data::Points, Data::Distances, Data::Neighbors],
        needs_labels: false,
        least_points: 2,
    };

    fn parameters() -> Vec<Parameter<Self>> {
        let positive = Range::positive();
        let count = Range::at_least(ZERO);
        vec![
            Parameter::ranged(
                "perplexity",
                "effective number of neighbors of a point",
                field!(perplexity),
                PERPLEXITY,
            ),
            Parameter::dim(field!(dim), Range::at_least(ONE)),
            Parameter::new(
                "gradient",
                "how the forces between all pairs are computed; interpolation in 1 or 2, barnes-hut in up to 3 dimensions",
                field!(gradient),
            ),
            Parameter::new("start", "initial coordinates", field!(start)),
            Parameter::ranged(
                "early-exaggeration",
                "factor on the attraction at first",
                field!(schedule.early_exaggeration),
                positive,
            ),
            Parameter::ranged(
                "early-iterations",
                "iterations with that factor",
                field!(schedule.early_iterations),
                count,
            ),
            Parameter::ranged(
                "iterations",
                "largest number of iterations afterwards",
                field!(schedule.iterations),
                count,
            ),
            Parameter::ranged(
                "late-exaggeration",
                "factor on the attraction afterwards",
                field!(schedule.late_exaggeration),
                positive,
            ),
            Parameter::ranged(
                "learning-rate",
                "step length relative to the gradient; auto is max(n / 12, 200), by-phase max(n / exaggeration, 200)",
                field!(schedule.learning_rate),
                positive,
            ),
            Parameter::ranged(
                "patience",
                "converged when the divergence has not decreased for this many iterations",
                field!(schedule.patience),
                count,
            ),
            Parameter::ranged(
                "smallest-gradient",
                "converged when the norm of the gradient is at most this",
                field!(schedule.smallest_gradient),
                count,
            ),
            Parameter::ranged(
                "check-every",
                "iterations between evaluations of divergence and gradient",
                field!(schedule.check_every),
                Range::at_least(ONE),
            ),
            Parameter::ranged(
                "degrees-of-freedom",
                "of the kernel in the map; below 1 clusters separate into finer ones",
                field!(degrees_of_freedom),
                positive,
            ),
            Parameter::ranged(
                "placing-perplexity",
                "perplexity of a new point",
                field!(placing.perplexity),
                Range::at_least(ONE),
            ),
            Parameter::ranged(
                "placing-iterations",
                "steps of a new point",
                field!(placing.iterations),
                count,
            ),
            Parameter::ranged(
                "placing-learning-rate",
                "step length of a new point relative to the gradient",
                field!(placing.learning_rate),
                positive,
            ),
            Parameter::ranged(
                "placing-exaggeration",
                "factor on the attraction of a new point",
                field!(placing.exaggeration),
                positive,
            ),
            Parameter::ranged(
                "placing-longest-gradient",
                "longest gradient of a new point",
                field!(placing.longest_gradient),
                positive,
            ),
            Parameter::seed(field!(seed)),
        ]
    }

    fn neighborhood(&self, n: usize) -> Option<Neighborhood> {
        neighbors_for(self.perplexity, n).ok().map(|k| Neighborhood::Nearest { k })
    }

    /// Given neighbor lists are at least as long as the perplexity, and best three
    /// times as long. Stages `"neighbors"`, `"affinities"`, `"start"`,
    /// `"optimization"`.
    fn fit_input(&self, input: &Input<'_>) -> Result<FittedTsne, Error> {
        let observer = input.observed_by();
        let rule = Neighborhood::Nearest { k: neighbors_for(self.perplexity, input.len())? };
        let affinities = match input.given_neighbors() {
            Some(given) => Affinities::of_neighbors(given, self.perplexity, observer)?,
            None => Affinities::of_neighbors(&neighbors_of_input(input, rule)?, self.perplexity, observer)?,
        };
        let training = NeighborIndex::of_input(input, rule);
        self.fit_training(training, &affinities, input.limit(), observer)
    }
}

impl Tsne {
    /// Fits given affinities. Without points the initial coordinates are random in place
    /// of principal components, and the model places no new points.
    pub fn fit_affinities(
        &self,
        points: Option<Points<'_>>,
        affinities: &Affinities,
        observer: &dyn Observer,
    ) -> Result<FittedTsne, Error> {
        let n = affinities.len();
        if let Some(points) = points.filter(|p| p.len() != n) {
            let (expected, got) = (n.to_string(), points.len().to_string());
            return Err(Error::Shape { what: "the points of the affinities", expected, got });
        }
        self.check(Sizes { points: Some(n), ..Sizes::default() })?;
        let rule = Neighborhood::Nearest { k: neighbors_for(self.perplexity, n)? };
        let training = match points {
            Some(points) => NeighborIndex::new(points, rule),
            None => NeighborIndex::unknown(n, rule),
        };
        self.fit_training(training, affinities, MemoryLimit::default(), observer)
    }

    fn fit_training(
        &self,
        training: NeighborIndex,
        affinities: &Affinities,
        memory_limit: MemoryLimit,
        observer: &dyn Observer,
    ) -> Result<FittedTsne, Error> {
        let n = affinities.len();
        let needed = (self.dim as u64).saturating_mul(48 * n as u64);
        memory_limit.allow("the map", needed, "ask for fewer dimensions")?;
        let kernel = Kernel { alpha: self.degrees_of_freedom };
        let repulsion = self.gradient.prepare(n, self.dim, kernel)?;
        observer.stage("start");
        let start = self.start.coordinates(training.points(), affinities, self.dim, self.seed, observer)?;
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
        Ok(FittedTsne {
            embedding: Embedding::from_rows(std::mem::take(&mut descent.y), self.dim),
            training,
            divergence,
            divergences: course.divergences,
            status: course.status,
            gradient: self.gradient.settled(n, self.dim),
            alpha: self.degrees_of_freedom,
            placing: self.placing,
        })
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
    training: NeighborIndex,
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

impl Model for FittedTsne {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}

impl Transform for FittedTsne {
    /// Optimizes each new point alone in the fixed map; see [`Placing`]. A training row
    /// does not return exactly its own coordinates. Fails for a model fitted to
    /// neighbor lists or affinities alone.
    fn transform(&self, new: Points<'_>) -> Result<Embedding, Error> {
        self.placing.place(new, &self.training, &self.embedding, Kernel { alpha: self.alpha })
    }
}

impl Fitted for FittedTsne {
    fn facts() -> Vec<Fact<Self>> {
        vec![
            Fact::new(
                "kl_divergence",
                "the divergence of the map's neighbor probabilities from the data's, in nats",
                |m: &Self| m.divergence.value(),
            ),
            Fact::new("kl_divergence_exact", "whether it is summed over all pairs", |m: &Self| {
                matches!(m.divergence, Divergence::Exact(_))
            }),
            Fact::new(
                "kl_divergences",
                "iteration and divergence at every evaluation, as approximated for the forces",
                |m: &Self| m.divergences.clone(),
            ),
            Fact::new("status", "how the iteration ended", |m: &Self| m.status),
            Fact::new("gradient", "how the forces were computed", |m: &Self| m.gradient.show()),
        ]
    }
}
