//! The recipe of PaCMAP.

use embedding::{
    About, Bound, Data, Embedding, Error, Explanation, Input, Method, N_LESS_1, ONE, Parameter, Range, ZERO,
    field, proceed,
};
use layout::{Placing, Preparation, ScaledNeighbors, on_pool};
use neighbor_graph::{Copies, Duplicates, Merged, fit_merged};
use serde::{Deserialize, Serialize};

use crate::loss::{LARGE, SCALE};
use crate::memory::allow_fit;
use crate::nearby::Nearby;
use crate::optimize::Schedule;
use crate::pairs::{Counts, Pairs};
use crate::placing::PairPlacing;
use crate::{FittedPacmap, Phases, Saturation, Start};

/// Pairwise controlled manifold approximation projection.
///
#[doc = include_str!("pacmap.md")]
///
/// **Details.** Points of more than `columns` columns are replaced by as many principal
/// components. Neighbor lists of the input, if any, are the candidates in place of a search, at
/// least k for each point; their points keep all columns. With a metric
/// other than Euclidean all columns count, and neighbors and mid-near pairs are those of the metric;
/// the start is that of the coordinates. A new point has near pairs among the training points;
/// their terms are divided by scaled distances, so that the place of a row tends to that of a
/// training row as it approaches it.
///
/// **Steps and cost.** Principal components: O(n D²). Neighbors, see
/// [`embedding::Neighbors`], k + `extra_neighbors` for each point. Pairs: O(n k (draws · D)).
/// Optimization, per iteration: O(n k d (1 + `mid_near_ratio` + `further_ratio`)). An
/// iteration computes the steps of all points from their positions before it, in parallel.
/// Memory: about 24 bytes per pair and 12 per candidate.
///
/// ```
/// use pacmap::{Method, Model, Pacmap, PointSet};
/// let two_groups = (0..60).flat_map(|i| [f64::from(i % 2) * 50.0 + f64::from(i) * 0.1, f64::from(i * 7 % 11)]);
/// let points = PointSet::new(two_groups.collect(), 2)?;
/// let fitted = Pacmap::default().fit(&points)?;
/// assert_eq!(fitted.embedding().len(), 60);
/// assert_eq!(fitted.pairs(), [600, 300, 1200]);
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Pacmap {
    /// Near pairs that each point selects; default 10 for up to 10,000 points,
    /// 10 + 15 log₁₀(n / 10,000) for more, and at most (n − 1) / 3, so that others are left for
    /// further pairs, rounded.
    pub k: Option<usize>,
    /// Target dimension d; default 2.
    pub dim: usize,
    /// Mid-near pairs of a point, relative to k; default 0.5, rounded.
    pub mid_near_ratio: f64,
    /// Further pairs of a point, relative to k; default 2, rounded.
    pub further_ratio: f64,
    /// Nearest neighbors, beyond k, among which near pairs are selected; default 50.
    pub extra_neighbors: usize,
    /// Random points of which the second nearest makes a mid-near pair; default 6.
    pub mid_near_draws: usize,
    /// Columns above which principal components replace them; default 100.
    pub columns: usize,
    /// Fraction of the true neighbors that the search must find; default 1, an exact search.
    /// For less, see [`neighbor_graph::find_neighbors_approximately`]. Neighbors by given
    /// distances are exact in any case.
    pub recall: f64,
    /// Lengths of the phases and weights of the pairs.
    pub phases: Phases,
    /// Squared distances at which the terms are a half.
    pub saturation: Saturation,
    /// Length of a step; default 1.
    pub learning_rate: f64,
    /// Decay of the mean of gradients in Adam; default 0.9.
    pub gradient_decay: f64,
    /// Decay of the mean of squared gradients in Adam; default 0.999.
    pub square_decay: f64,
    /// The initial coordinates; default principal components.
    pub start: Start,
    /// Most steps of a new point; default 100.
    pub placing_steps: usize,
    /// What to do with rows that are exact copies of others; default keep: each is a point of its
    /// own, near the others in the map. Merged, distinct rows are embedded, each of which counts
    /// once, whatever the number of its copies.
    pub duplicates: Duplicates,
    /// Seed of all random choices; default 0.
    pub seed: u64,
}

impl Default for Pacmap {
    fn default() -> Self {
        Self {
            k: None,
            dim: 2,
            mid_near_ratio: 0.5,
            further_ratio: 2.0,
            extra_neighbors: 50,
            mid_near_draws: 6,
            columns: 100,
            recall: 1.0,
            phases: Phases::default(),
            saturation: Saturation::default(),
            learning_rate: 1.0,
            gradient_decay: 0.9,
            square_decay: 0.999,
            start: Start::Pca,
            placing_steps: 100,
            duplicates: Duplicates::Keep,
            seed: 0,
        }
    }
}

/// Number of points up to which 10 near pairs are the default.
const FEW: f64 = 10_000.0;

/// Legal weights.
const WEIGHT: Range = Range::between(ZERO, LARGE);

/// Legal numbers of iterations of a phase.
const ITERATIONS: Range = Range::between(ZERO, Bound::new("1000000", |_| Some(1e6)));

/// Legal numbers of pairs relative to k.
const RATIO: Range = Range::between(ZERO, Bound::new("1000", |_| Some(1e3)));

impl Method for Pacmap {
    type Fitted = Merged<FittedPacmap>;

    const ABOUT: About = About {
        name: "pacmap",
        title: "PaCMAP",
        summary: "Draws near and mid-near pairs close and further pairs apart, in three phases.",
        preserves: "neighborhoods and clusters, and roughly their arrangement; no distances",
        cost: "k + 50 neighbors per point, then time and memory n k per iteration",
        new_points: "the loss of near pairs of each new point alone, divided by their scaled distances, in the fixed map; interpolates: beside a training row it tends to its place",
        accepts: &[Data::Points, Data::Distances],
        needs_labels: false,
        least_points: 3,
        explanation: Explanation::new(include_str!("pacmap.md")),
    };

    const WIDEST: bool = true;

    fn parameters() -> Vec<Parameter<Self>> {
        let decay = Range::below(ZERO, ONE);
        let [columns, recall] = Preparation::parameters::<Self>(field!(columns), field!(recall));
        vec![
            Parameter::ranged(
                "k",
                "near pairs of each point; auto is 10 for up to 10,000 points, then 15 more for ten \
                 times as many, but at most a third of the other points",
                field!(k),
                Range::from_one_to(N_LESS_1),
            ),
            Parameter::dim(field!(dim), Range::at_least(ONE)),
            Parameter::ranged(
                "mid-near-ratio",
                "mid-near pairs per near pair",
                field!(mid_near_ratio),
                RATIO,
            ),
            Parameter::ranged("further-ratio", "further pairs per near pair", field!(further_ratio), RATIO),
            Parameter::ranged(
                "extra-neighbors",
                "nearest neighbors beyond k among which near pairs are selected",
                field!(extra_neighbors),
                Range::at_least(ZERO),
            ),
            Parameter::ranged(
                "mid-near-draws",
                "random points of which the second nearest makes a mid-near pair",
                field!(mid_near_draws),
                Range::at_least(Bound::new("2", |_| Some(2.0))),
            ),
            columns,
            recall,
            Parameter::ranged(
                "first-iterations",
                "iterations of the first phase",
                field!(phases.first.iterations),
                ITERATIONS,
            ),
            Parameter::ranged("first-near", "weight of near pairs in it", field!(phases.first.near), WEIGHT),
            Parameter::ranged(
                "first-mid-near",
                "weight of mid-near pairs at its start; it changes linearly to that of the second phase",
                field!(phases.first.mid_near),
                WEIGHT,
            ),
            Parameter::ranged(
                "first-further",
                "weight of further pairs in the first phase",
                field!(phases.first.further),
                WEIGHT,
            ),
            Parameter::ranged(
                "second-iterations",
                "iterations of the second phase",
                field!(phases.second.iterations),
                ITERATIONS,
            ),
            Parameter::ranged(
                "second-near",
                "weight of near pairs in it",
                field!(phases.second.near),
                WEIGHT,
            ),
            Parameter::ranged(
                "second-mid-near",
                "weight of mid-near pairs in it",
                field!(phases.second.mid_near),
                WEIGHT,
            ),
            Parameter::ranged(
                "second-further",
                "weight of further pairs in it",
                field!(phases.second.further),
                WEIGHT,
            ),
            Parameter::ranged(
                "third-iterations",
                "iterations of the third phase",
                field!(phases.third.iterations),
                ITERATIONS,
            ),
            Parameter::ranged("third-near", "weight of near pairs in it", field!(phases.third.near), WEIGHT),
            Parameter::ranged(
                "third-mid-near",
                "weight of mid-near pairs in it",
                field!(phases.third.mid_near),
                WEIGHT,
            ),
            Parameter::ranged(
                "third-further",
                "weight of further pairs in it",
                field!(phases.third.further),
                WEIGHT,
            ),
            Parameter::ranged(
                "near-saturation",
                "1 + squared distance at which the term of a near pair is a half",
                field!(saturation.near),
                SCALE,
            ),
            Parameter::ranged(
                "mid-near-saturation",
                "the same of a mid-near pair",
                field!(saturation.mid_near),
                SCALE,
            ),
            Parameter::ranged(
                "further-saturation",
                "the same of a further pair",
                field!(saturation.further),
                SCALE,
            ),
            Parameter::ranged("learning-rate", "length of a step", field!(learning_rate), Range::positive()),
            Parameter::ranged(
                "gradient-decay",
                "decay of the mean of gradients in Adam",
                field!(gradient_decay),
                decay,
            ),
            Parameter::ranged(
                "square-decay",
                "decay of the mean of squared gradients in Adam",
                field!(square_decay),
                decay,
            ),
            Parameter::new("start", "initial coordinates", field!(start)),
            Placing::parameter(field!(placing_steps)),
            Duplicates::parameter(field!(duplicates)),
            Parameter::seed(field!(seed)),
        ]
    }

    /// Stages `"components"` (for points of more columns), `"neighbors"` (without given
    /// lists), `"pairs"`, `"start"`, `"optimization"`.
    fn fit_input(&self, input: &Input<'_>) -> Result<Merged<FittedPacmap>, Error> {
        fit_merged(self, self.duplicates, input, |input, copies| {
            self.of_distinct(copies)?.fit_with(input, None)
        })
    }
}

impl Pacmap {
    /// Number of near pairs that each of `n` points selects.
    pub fn near_pairs(&self, n: usize) -> usize {
        let default = 10.0 + 15.0 * (n as f64 / FEW).log10().max(0.0);
        let third = (n.saturating_sub(1) as f64 / 3.0).max(1.0);
        self.k.unwrap_or_else(|| default.min(third).round() as usize)
    }

    /// The recipe for the distinct points of an input.
    pub(crate) fn of_distinct(&self, copies: Option<&Copies>) -> Result<Self, Error> {
        Ok(Self { start: self.start.of_distinct(copies)?, ..self.clone() })
    }

    /// A fit with or without the changes of LocalMAP.
    pub(crate) fn fit_with(&self, input: &Input<'_>, nearby: Option<Nearby>) -> Result<FittedPacmap, Error> {
        let (n, observer) = (input.len(), input.observed_by());
        let near = self.near_pairs(n);
        let of_near = |ratio: f64| ((near as f64 * ratio).round() as usize).min(n - 1);
        let counts = Counts {
            mid_near: of_near(self.mid_near_ratio),
            further: of_near(self.further_ratio),
            draws: self.mid_near_draws,
        };
        if counts.further > 0 && near + 1 >= n {
            return Err(Error::parameter(
                "k",
                format!("at most n - 2 (here {}), so that points are left for further pairs", n - 2),
                near,
            ));
        }
        let preparation = Preparation {
            columns: self.columns,
            selected: near,
            candidates: near.saturating_add(self.extra_neighbors),
            recall: self.recall,
            seed: self.seed,
        };
        allow_fit(input, &preparation, near + counts.mid_near + counts.further, self.dim)?;
        let reduced = preparation.apply(input)?;
        observer.stage("pairs");
        let neighbors = ScaledNeighbors::select(reduced.neighbors(), near);
        let pairs = Pairs::select(&reduced.distances_from()?, &neighbors, counts, self.seed, observer)?;
        let numbers = [&pairs.near, &pairs.mid_near, &pairs.further].map(|lists| lists.pairs());
        observer.stage("start");
        let start = self.start.coordinates(&reduced, self.dim, self.seed)?;
        proceed(observer, 1, 1)?;
        observer.stage("optimization");
        let schedule = Schedule {
            phases: self.phases,
            saturation: self.saturation,
            learning_rate: self.learning_rate,
            decays: [self.gradient_decay, self.square_decay],
            nearby,
            seed: self.seed,
        };
        let course = on_pool(|| schedule.run(pairs, start, self.dim, observer))?;
        Ok(FittedPacmap {
            embedding: Embedding::from_rows(course.y.into_iter().map(f64::from).collect(), self.dim),
            loss: course.loss,
            history: course.history,
            recall: reduced.recall(),
            pairs: numbers,
            placing: PairPlacing {
                shared: Placing::new(reduced, neighbors, near, self.placing_steps),
                term: schedule.terms(true)[0],
            },
        })
    }
}
