//! The recipe of TriMap.

use embedding::implement::{Division, StartScale, proceed};
use embedding::{About, DataKind, Error, Explanation, Input, Method, Recipe};
use layout::{Placing, Preparation, ScaledNeighbors, embedding_of, on_pool};
use neighbor_graph::{Deduplicated, Duplicates, implement::fit_deduplicated};
use serde::{Deserialize, Serialize};

use crate::memory::allow_fit;
use crate::placing::{TripletPlacing, draw_outliers};
use crate::triplets::{Counts, Triplets};
use crate::weights::{LEAST_SCALE, TEMPERATURE, Weighting, floor};
use crate::{Descent, FittedTrimap, Start};

/// TriMap, a layout by triplets of points.
///
#[doc = include_str!("trimap.md")]
///
/// **Details.** Points of more than `columns` columns, and sparse points, are replaced by as many principal
/// components, or by all where there are fewer. Neighbor lists of the input, if any, are the candidates
/// instead of a search, at least k for each point; their points keep all columns. With a metric other than Euclidean all columns count, and the
/// metric gives all distances; the start is computed from the coordinates. Scales below `least_scale` times
/// their mean are raised to this bound, so that copies of a point have no infinite weight. Gradients are
/// halved, as the learning rate of the reference implementation (trimap 1.2.0) assumes. A new point has the
/// triplets of its own inliers with `placing_outliers` training points, the same for all rows.
///
/// **Steps and cost.** Principal components: O(n D²); of sparse points O(n D c) for c of them. Neighbors, see
/// [`embedding::Neighbors`], k + `extra_neighbors` for each point. Triplets:
/// O(n (k `outliers` + `random`) D). Optimization, per iteration: O(n d (k `outliers` + `random`)).
/// An iteration computes the gradients of 16 parts of the triplets in parallel, and adds them in
/// order. Memory: about 44 bytes per triplet, 12 per candidate and 64 d per point.
///
/// ```
/// use trimap::{Method, Model, PointSet, Trimap};
/// let two_groups = (0..60).flat_map(|i| [f64::from(i % 2) * 50.0 + f64::from(i) * 0.1, f64::from(i * 7 % 11)]);
/// let points = PointSet::new(two_groups.collect(), 2)?;
/// let fitted = Trimap::default().fit(&points)?;
/// assert_eq!(fitted.embedding().len(), 60);
/// assert_eq!(fitted.triplets(), [60 * 12 * 4, 60 * 3]);
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct Trimap {
    /// Inliers of each point; auto is 12, n - 2 for fewer than 14 points.
    #[param(default = None, range = "1 to n - 2")]
    pub k: Option<usize>,
    /// Target dimension d.
    #[param(default = 2, range = "at least 1")]
    pub dim: usize,
    /// Random outliers of each inlier. All others where there are fewer.
    #[param(default = 4, range = "1 to 1000000")]
    pub outliers: usize,
    /// Triplets of each point with two random points.
    #[param(default = 3, range = "0 to 1000000")]
    pub random: usize,
    /// Factor of the margins of triplets with two random points.
    #[param(default = 0.1, range = "0 to 1e6")]
    pub random_weight: f64,
    /// Temperature of the logarithm of weights; 0 is none, 1 the natural one.
    #[param(default = 0.5, range = TEMPERATURE)]
    pub temperature: f64,
    /// Nearest neighbors beyond k among which inliers are selected.
    #[param(default = 50, range = "at least 0")]
    pub extra_neighbors: usize,
    /// Smallest scale of a point in weights, relative to the mean scale.
    #[param(default = 1e-3, range = LEAST_SCALE)]
    pub least_scale: f64,
    /// Largest number of columns; points with more, and sparse points, are reduced to as many principal components.
    #[param(default = 100, range = "at least 1")]
    pub columns: usize,
    /// Fraction of the true neighbors that the search must find; 1 is exact, as is the search by
    /// given distances. For less, see [`neighbor_graph::NeighborSearch::with_recall`].
    #[param(default = 1.0, range = "0.01 to 1")]
    pub recall: f64,
    /// The optimization.
    #[param(flatten)]
    pub descent: Descent,
    /// Initial coordinates.
    #[param(default = Start::Pca)]
    pub start: Start,
    /// Training points that are the outliers of every new point.
    #[param(default = 50, range = "at least 1")]
    pub placing_outliers: usize,
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

/// Default number of inliers.
const INLIERS: usize = 12;

impl Method for Trimap {
    type Fitted = Deduplicated<FittedTrimap>;

    const ABOUT: About = About {
        name: "trimap",
        title: "TriMap",
        summary: "Satisfies weighted triplets: a point is closer to its inlier than to its outlier.",
        preserves: "the order of distances in triplets: clusters and roughly their arrangement; no distances",
        cost: "k + 50 neighbors per point, then time and memory n k per iteration",
        new_points: "the loss of triplets of each new point alone, in the fixed map; does not interpolate: near a training row, up to 4.4 % of the map's extent from its position in the median of 13 trials, and 26 % in the worst; more where classes overlap (300 digits or points of a roll)",
        accepts: &[DataKind::Points, DataKind::Distances],
        needs_labels: false,
        least_points: 3,
        explanation: Explanation::new(include_str!("trimap.md")),
    };

    const DIVISION: Option<Division> = Some(Division::Least);

    const SPARSE: bool = true;

    const START: Option<StartScale> = Some(Start::SCALE);

    const FIXES: bool = true;

    /// Counts no copies that are merged first.
    fn check_memory_of(&self, input: &Input<'_>, n: usize) -> Result<(), Error> {
        match self.duplicates {
            Duplicates::Keep => self.allow_fit(input, n),
            Duplicates::Merge => Ok(()),
        }
    }

    /// With the last momentum from the beginning.
    fn resumed(&self) -> Self {
        Self { descent: Descent { switch: 0, ..self.descent }, ..self.clone() }
    }

    /// Stages `"components"` (for points of more columns), `"neighbors"` (without given
    /// lists), `"triplets"`, `"start"`, `"optimization"`.
    fn fit_input(&self, input: &Input<'_>) -> Result<Deduplicated<FittedTrimap>, Error> {
        fit_deduplicated(self, self.duplicates, input, |input, copies| {
            Self { start: self.start.of_input(input, copies)?, ..self.clone() }.fit_points(input)
        })
    }
}

impl Trimap {
    /// Fails where a fit of n points with the columns of the input would exceed its memory limit.
    fn allow_fit(&self, input: &Input<'_>, n: usize) -> Result<(), Error> {
        let triplets = self.inliers(n) * self.outliers.min(n.saturating_sub(2)) + self.random;
        allow_fit((input, n), &self.preparation(n), triplets, self.dim)
    }

    /// The preparation of n points.
    fn preparation(&self, n: usize) -> Preparation {
        let selected = self.inliers(n);
        Preparation {
            columns: self.columns,
            selected,
            candidates: selected.saturating_add(self.extra_neighbors),
            recall: self.recall,
            seed: self.seed,
        }
    }

    /// The fit of all points of an input.
    fn fit_points(&self, input: &Input<'_>) -> Result<FittedTrimap, Error> {
        let (n, observer) = (input.len(), input.observer());
        let k = self.inliers(n);
        self.allow_fit(input, n)?;
        let reduced = self.preparation(n).apply(input)?;
        observer.stage("triplets");
        let neighbors = ScaledNeighbors::select(reduced.neighbors(), k);
        let distance = reduced.distances();
        let extent = || (1..n).map(|j| distance(0, j)).fold(0.0, f64::max);
        let weighting = Weighting {
            floor: floor(neighbors.scales(), self.least_scale, extent),
            least: 0.0,
            temperature: self.temperature,
        };
        let counts =
            Counts { outliers: self.outliers, random: self.random, random_weight: self.random_weight };
        let (triplets, weighting) =
            Triplets::sample(&distance, &neighbors, counts, weighting, self.seed, observer)?;
        drop(distance);
        observer.stage("start");
        let start = self.start.coordinates(&reduced, self.dim, self.seed)?;
        proceed(observer, 1, 1)?;
        observer.stage("optimization");
        let fixed = input.fixed_rows();
        let course = on_pool(|| self.descent.run(&triplets, start, (self.dim, fixed), observer))?;
        Ok(FittedTrimap {
            embedding: embedding_of(course.y, self.dim, fixed),
            loss: course.loss.value,
            violated: course.loss.violated,
            history: course.history,
            recall: reduced.recall(),
            triplets: triplets.numbers,
            placing: TripletPlacing {
                shared: Placing::new(reduced, neighbors, k, self.placing_steps),
                outliers: draw_outliers(n, self.placing_outliers, self.seed),
                weighting,
            },
        })
    }

    /// Number of inliers of each of `n` points.
    pub fn inliers(&self, n: usize) -> usize {
        self.k.unwrap_or(INLIERS.min(n.saturating_sub(2)))
    }
}
