//! The recipe.

use embedding::implement::{Division, FixedRows, Scale, Sizes, StartScale, proceed};
use embedding::{
    About, Data, DataKind, Embedding, Error, Explanation, Input, Method, Observer, Points, Recipe,
};
use neighbor_graph::{
    Deduplicated, Duplicates, NeighborIndex, NeighborSearch, Neighborhood, implement::fit_deduplicated,
};
use serde::{Deserialize, Serialize};

use crate::affinities::{PERPLEXITY, neighbors_for};
use crate::kernel::Kernel;
use crate::memory;
use crate::optimize::Descent;
use crate::repulsion::exact_normalization;
use crate::{Affinities, Divergence, FittedTsne, Gradient, Schedule, Start, TransformSettings};

/// t-distributed stochastic neighbor embedding.
///
#[doc = include_str!("tsne.md")]
///
/// **Details.** The probabilities are [`Affinities`], the forces [`Gradient`]. Equal points begin
/// at one place under the default start, but do not stay there: two copies each of 200 points ended at most
/// .02 of the largest coordinate apart, 200 copies of one point among 199 others .77. [`Duplicates::Merge`]
/// keeps them together.
///
/// **Steps and cost.** Neighbors: 3 · perplexity of them, see [`embedding::Neighbors`].
/// Affinities: O(n k). Start: two principal components. Optimization, per iteration: O(n k) for
/// the attraction and, for the repulsion, O(n²), O(n log n) or O(n + grid); see [`Gradient`].
/// Memory: about 53 n k bytes for the affinities, or the forces where that is more. Points that are not a
/// [`PointSet`](embedding::PointSet) take 8 n D bytes in addition to the forces. A fit that would exceed the
/// memory limit of its input is refused before it starts.
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct Tsne {
    /// Effective number of neighbors of a point.
    #[param(default = 30.0, range = PERPLEXITY)]
    pub perplexity: f64,
    /// Target dimension d.
    #[param(default = 2, range = "at least 1")]
    pub dim: usize,
    /// How the forces between all pairs are computed; interpolation in 1 or 2, barnes-hut in up to
    /// 3 dimensions. The automatic choice depends on n and d.
    #[param(default = Gradient::Auto)]
    pub gradient: Gradient,
    /// Initial coordinates.
    #[param(default = Start::Pca)]
    pub start: Start,
    /// The optimization.
    #[param(flatten)]
    pub schedule: Schedule,
    /// Degrees of freedom of the kernel in the map; below 1 clusters separate into finer ones. With
    /// α = 1 it is the Cauchy kernel; below, its tails are heavier.
    #[param(default = 1.0, range = "above 0")]
    pub degrees_of_freedom: f64,
    /// How new points are placed.
    #[param(flatten)]
    pub placing: TransformSettings,
    /// What to do with rows that are exact copies of others. Kept, each is a point of its own, near
    /// the others in the map. Merged, only distinct rows are embedded, and each counts once, whatever the
    /// number of its copies.
    #[param(default = Duplicates::Keep)]
    pub duplicates: Duplicates,
    /// Seed of all random choices.
    #[param(default = 0)]
    pub seed: u64,
}

/// Number of points up to which the final divergence is computed over all pairs.
const EXACT_DIVERGENCE_UP_TO: usize = 20_000;

impl Method for Tsne {
    type Fitted = Deduplicated<FittedTsne>;

    const ABOUT: About = About {
        name: "tsne",
        title: "t-SNE",
        summary: "Matches neighbor probabilities of data and map, using a heavy-tailed kernel in the map.",
        preserves: "neighborhoods and clusters; neither distances nor densities",
        cost: "3 perplexity neighbors per point, then time n per iteration, memory n perplexity",
        new_points: "optimization of each new point alone in the fixed map; does not interpolate: near a training row, up to 1.3 % of the map's extent from its position in the median of 13 trials, and 1.9 % in the worst; more where classes overlap (300 digits or points of a roll)",
        accepts: &[DataKind::Points, DataKind::Distances, DataKind::Neighbors],
        needs_labels: false,
        least_points: 2,
        explanation: Explanation::new(include_str!("tsne.md")),
    };

    const DIVISION: Option<Division> = Some(Division::Least);

    const START: Option<StartScale> = Some(Start::SCALE);

    const FIXES: bool = true;

    fn neighborhood(&self, n: usize) -> Option<Neighborhood> {
        neighbors_for(self.perplexity, n).ok().map(|k| Neighborhood::Nearest { k })
    }

    fn settled(&self, n: usize) -> Self {
        Self { gradient: self.gradient.settled(n, self.dim), ..self.clone() }
    }

    /// Without early exaggeration, which would draw the map together.
    fn resumed(&self) -> Self {
        Self { schedule: Schedule { early_iterations: 0, ..self.schedule }, ..self.clone() }
    }

    /// Counts no copies that are merged first.
    fn check_memory_of(&self, input: &Input<'_>, n: usize) -> Result<(), Error> {
        match self.duplicates {
            Duplicates::Keep => memory::allow_fit(self, input, n, neighbors_for(self.perplexity, n)?),
            Duplicates::Merge => Ok(()),
        }
    }

    /// Fails with [`Error::Memory`] before anything is allocated where the whole fit
    /// would exceed the memory limit of the input. Given neighbor lists are at least as long as the perplexity, and best three
    /// times as long. Stages `"neighbors"`, `"affinities"`, `"start"`,
    /// `"optimization"`.
    fn fit_input(&self, input: &Input<'_>) -> Result<Deduplicated<FittedTsne>, Error> {
        fit_deduplicated(self, self.duplicates, input, |input, copies| {
            Self { start: self.start.of_input(input, copies)?, ..self.clone() }.fit_points(input)
        })
    }
}

impl Tsne {
    /// The fit of all points of an input.
    fn fit_points(&self, input: &Input<'_>) -> Result<FittedTsne, Error> {
        let observer = input.observer();
        let k = neighbors_for(self.perplexity, input.len())?;
        memory::allow_fit(self, input, input.len(), k)?;
        input.require_distinct()?;
        let rule = Neighborhood::Nearest { k };
        let affinities = match input.neighbors() {
            Some(given) => Affinities::of_neighbors(given, self.perplexity, observer)?,
            None => {
                Affinities::of_neighbors(&NeighborSearch::from(rule).find(input)?, self.perplexity, observer)?
            }
        };
        let training = NeighborIndex::of_input(input, rule);
        let coordinates = if self.start == Start::Pca { input.coordinates()? } else { None };
        let data = coordinates.as_ref().map_or(input.data(), Data::from);
        let fixed = input.fixed_rows();
        self.fit_training(training, Some(data), (&affinities, fixed), observer)
    }

    /// Fits given affinities. Without points the start is random where principal components are
    /// requested, and the model places no new points.
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
        memory::allow_map(self, n, points)?;
        let rule = Neighborhood::Nearest { k: neighbors_for(self.perplexity, n)? };
        let training = match points {
            Some(points) => NeighborIndex::new(points, rule),
            None => NeighborIndex::unknown(n, rule),
        };
        self.fit_training(training, points.map(Data::from), (affinities, None), observer)
    }

    /// The fit of a map to affinities; a start by principal components needs the data.
    fn fit_training(
        &self,
        training: NeighborIndex,
        data: Option<Data<'_>>,
        (affinities, fixed): (&Affinities, Option<FixedRows<'_>>),
        observer: &dyn Observer,
    ) -> Result<FittedTsne, Error> {
        let n = affinities.len();
        let kernel = Kernel { alpha: self.degrees_of_freedom };
        let repulsion = self.gradient.prepare(n, self.dim, kernel)?;
        let start = self.start_of(data, affinities, observer)?;
        observer.stage("optimization");
        let mut descent = Descent::new(affinities, kernel, self.dim, start, repulsion).with_fixed(fixed);
        // On a thread of the pool: from elsewhere every loop would wait for one to wake.
        let course = rayon::scope(|_| descent.run(&self.schedule, observer))?;
        descent.require_finite()?;
        if let Some(fixed) = fixed {
            fixed.restore(&mut descent.y);
        }
        let divergence = self.divergence(&mut descent, kernel)?;
        require_finite_divergences(&course.divergences, divergence)?;
        Ok(FittedTsne {
            embedding: Embedding::from_rows(std::mem::take(&mut descent.y), self.dim),
            training,
            divergence,
            divergences: course.divergences,
            status: course.status,
            gradient: self.gradient.settled(n, self.dim),
            alpha: self.degrees_of_freedom,
            placing: self.placing,
            scale: Scale::ONE,
        })
    }

    /// The initial coordinates, by rows.
    fn start_of(
        &self,
        data: Option<Data<'_>>,
        affinities: &Affinities,
        observer: &dyn Observer,
    ) -> Result<Vec<f64>, Error> {
        observer.stage("start");
        let start = self.start.coordinates(data, affinities, self.dim, self.seed, observer)?;
        proceed(observer, 1, 1)?;
        Ok(start)
    }

    /// The divergence of the final map.
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

/// Fails unless all divergences of an optimization, and of the final map, are finite.
fn require_finite_divergences(found: &[(usize, f64)], last: Divergence) -> Result<(), Error> {
    if found.iter().map(|(_, value)| *value).chain([last.value()]).all(f64::is_finite) {
        return Ok(());
    }
    Err(Error::degenerate(
        "the divergence of the map left the range of numbers",
        "use a smaller learning rate",
    ))
}
