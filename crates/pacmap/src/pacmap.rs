//! The recipe of PaCMAP.

use embedding::implement::{Division, StartScale, proceed};
use embedding::{About, DataKind, Error, Explanation, Input, Method, Recipe};
use layout::{Placing, Preparation, ScaledNeighbors, embedding_of, on_pool};
use neighbor_graph::{
    Deduplicated, Duplicates,
    implement::{Copies, fit_deduplicated},
};
use serde::{Deserialize, Serialize};

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
/// **Details.** Points of more than `columns` columns, and sparse points, are replaced by as many principal
/// components, or by all where there are fewer. Neighbor lists of the input, if any, are the candidates
/// instead of a search, at least k for each point; their points keep all columns. With a metric other than Euclidean all columns count, and
/// neighbors and mid-near pairs are found by the metric; the start is computed from the coordinates. A new
/// point has near pairs among the training points. Their terms are divided by scaled distances, so that the
/// position of a row tends to the position of a training row as it approaches it.
///
/// **Steps and cost.** Principal components: O(n D²); of sparse points O(n D c) for c of them. Neighbors, see
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct Pacmap {
    /// Near pairs of each point; auto is 10 for up to 10,000 points, then 15 more for ten times as
    /// many, but at most a third of the other points. Beyond 10,000 points it is 10 + 15 log₁₀(n /
    /// 10,000), rounded.
    #[param(default = None, range = "1 to n - 1")]
    pub k: Option<usize>,
    /// Target dimension d.
    #[param(default = 2, range = "at least 1")]
    pub dim: usize,
    /// Mid-near pairs per near pair. Their number is rounded.
    #[param(default = 0.5, range = "0 to 1000")]
    pub mid_near_ratio: f64,
    /// Further pairs per near pair. Their number is rounded.
    #[param(default = 2.0, range = "0 to 1000")]
    pub further_ratio: f64,
    /// Nearest neighbors beyond k among which near pairs are selected.
    #[param(default = 50, range = "at least 0")]
    pub extra_neighbors: usize,
    /// Number of random points; the second nearest becomes a mid-near pair.
    #[param(default = 6, range = "at least 2")]
    pub mid_near_draws: usize,
    /// Largest number of columns; points with more, and sparse points, are reduced to as many principal components.
    #[param(default = 100, range = "at least 1")]
    pub columns: usize,
    /// Fraction of the true neighbors that the search must find; 1 is exact, as is the search by
    /// given distances. For less, see [`neighbor_graph::NeighborSearch::with_recall`].
    #[param(default = 1.0, range = "0.01 to 1")]
    pub recall: f64,
    /// Lengths of the phases and weights of the pairs.
    #[param(flatten)]
    pub phases: Phases,
    /// Squared distances at which the terms are a half.
    #[param(flatten)]
    pub saturation: Saturation,
    /// Length of a step.
    #[param(default = 1.0, range = "above 0")]
    pub learning_rate: f64,
    /// Decay of the mean of gradients in Adam.
    #[param(default = 0.9, range = "at least 0 and below 1")]
    pub gradient_decay: f64,
    /// Decay of the mean of squared gradients in Adam.
    #[param(default = 0.999, range = "at least 0 and below 1")]
    pub square_decay: f64,
    /// Initial coordinates.
    #[param(default = Start::Pca)]
    pub start: Start,
    /// Largest number of steps of a new point.
    #[param(default = 100, range = "1 to 1000000")]
    pub placing_steps: usize,
    /// What to do with rows that are exact copies of others. Kept, each is a point of its own, near
    /// the others in the map. Merged, only distinct rows are embedded, and each counts once, whatever the
    /// number of its copies.
    #[param(default = Duplicates::Keep)]
    pub duplicates: Duplicates,
    /// Seed of all random choices.
    #[param(default = 0)]
    pub seed: u64,
}

/// Number of points up to which 10 near pairs are the default.
const FEW: f64 = 10_000.0;

impl Method for Pacmap {
    type Fitted = Deduplicated<FittedPacmap>;

    const ABOUT: About = About {
        name: "pacmap",
        title: "PaCMAP",
        summary: "Draws near and mid-near pairs close and further pairs apart, in three phases.",
        preserves: "neighborhoods and clusters, and roughly their arrangement; no distances",
        cost: "k + 50 neighbors per point, then time and memory n k per iteration",
        new_points: "the loss of near pairs of each new point alone, divided by their scaled distances, in the fixed map; interpolates: near a training row it tends to the row's position",
        accepts: &[DataKind::Points, DataKind::Distances],
        needs_labels: false,
        least_points: 3,
        explanation: Explanation::new(include_str!("pacmap.md")),
    };

    const DIVISION: Option<Division> = Some(Division::Least);

    const SPARSE: bool = true;

    const START: Option<StartScale> = Some(Start::SCALE);

    const FIXES: bool = true;

    fn settled(&self, n: usize) -> Self {
        Self { k: Some(self.near_pairs(n)), ..self.clone() }
    }

    /// Counts no copies that are merged first.
    fn check_memory_of(&self, input: &Input<'_>, n: usize) -> Result<(), Error> {
        match self.duplicates {
            Duplicates::Keep => self.allow_fit(input, n),
            Duplicates::Merge => Ok(()),
        }
    }

    /// With the third phase alone: the others arrange a small start.
    fn resumed(&self) -> Self {
        Self { phases: self.phases.last_alone(), ..self.clone() }
    }

    /// Stages `"components"` (for points of more columns), `"neighbors"` (without given
    /// lists), `"pairs"`, `"start"`, `"optimization"`.
    fn fit_input(&self, input: &Input<'_>) -> Result<Deduplicated<FittedPacmap>, Error> {
        fit_deduplicated(self, self.duplicates, input, |input, copies| {
            self.of_input(input, copies)?.fit_with(input, None)
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

    /// The recipe for an input, which may have its own start and contain the distinct points alone.
    pub(crate) fn of_input(&self, input: &Input<'_>, copies: Option<&Copies>) -> Result<Self, Error> {
        Ok(Self { start: self.start.of_input(input, copies)?, ..self.clone() })
    }

    /// Fails where a fit of n points with the columns of the input would exceed its memory limit.
    fn allow_fit(&self, input: &Input<'_>, n: usize) -> Result<(), Error> {
        let counts = self.counts(n);
        let pairs = self.near_pairs(n) + counts.mid_near + counts.further;
        allow_fit((input, n), &self.preparation(n), pairs, self.dim)
    }

    /// The numbers of pairs of each of n points.
    fn counts(&self, n: usize) -> Counts {
        let near = self.near_pairs(n);
        let of_near = |ratio: f64| ((near as f64 * ratio).round() as usize).min(n.saturating_sub(1));
        Counts {
            mid_near: of_near(self.mid_near_ratio),
            further: of_near(self.further_ratio),
            draws: self.mid_near_draws,
        }
    }

    /// The preparation of n points.
    fn preparation(&self, n: usize) -> Preparation {
        let selected = self.near_pairs(n);
        Preparation {
            columns: self.columns,
            selected,
            candidates: selected.saturating_add(self.extra_neighbors),
            recall: self.recall,
            seed: self.seed,
        }
    }

    /// A fit with or without the changes of LocalMAP.
    pub(crate) fn fit_with(&self, input: &Input<'_>, nearby: Option<Nearby>) -> Result<FittedPacmap, Error> {
        let (n, observer) = (input.len(), input.observer());
        let near = self.near_pairs(n);
        let counts = self.counts(n);
        if counts.further > 0 && near + 1 >= n {
            return Err(Error::parameter(
                "k",
                format!("at most n - 2 (here {}), so that points are left for further pairs", n - 2),
                near,
            ));
        }
        self.allow_fit(input, n)?;
        let reduced = self.preparation(n).apply(input)?;
        observer.stage("pairs");
        let neighbors = ScaledNeighbors::select(reduced.neighbors(), near);
        let pairs = Pairs::select(&reduced.distances_from(), &neighbors, counts, self.seed, observer)?;
        let numbers = [&pairs.near, &pairs.mid_near, &pairs.further].map(|lists| lists.pairs());
        observer.stage("start");
        let start = self.start.coordinates(&reduced, self.dim, self.seed)?;
        proceed(observer, 1, 1)?;
        observer.stage("optimization");
        let fixed = input.fixed_rows();
        // The mid-near pairs of the other phases would draw the map together, away from the given places.
        let is_drawn = fixed.is_some_and(|fixed| fixed.pull().is_some());
        let schedule = Schedule {
            phases: if is_drawn { self.phases.last_alone() } else { self.phases },
            saturation: self.saturation,
            learning_rate: self.learning_rate,
            decays: [self.gradient_decay, self.square_decay],
            nearby,
            seed: self.seed,
        };
        let course = on_pool(|| schedule.run(pairs, start, (self.dim, fixed), observer))?;
        Ok(FittedPacmap {
            embedding: embedding_of(course.y, self.dim, fixed),
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
