//! Non-metric multidimensional scaling.

use embedding::implement::{Sizes, StartScale};
use embedding::{About, Embedding, Error, Explanation, Input, Method, Observer, Recipe};
use serde::{Deserialize, Serialize};

use crate::configuration::{ACCEPTS, Iterative, Origin};
use crate::disparities::Ordered;
use crate::majorization::Targets;
use crate::placement::Placement;
use crate::sweep::matrix_of;
use crate::{Configuration, Dissimilarities, FittedConfiguration, Start};

/// Non-metric multidimensional scaling: distances in the order of the dissimilarities.
///
#[doc = include_str!("nonmetric_mds.md")]
///
/// **Details.** The start is a [`Start`]; d̂ comes from [`crate::steps::isotonic_regression`], the step of
/// majorization from [`crate::Smacof`]. 1 ≤ d ≤ n − 1.
///
/// **Cost.** O(n² log n) once, O(n² d) per step (O(n² log n) with many primary ties), about 40
/// n² bytes.
///
/// ```
/// use embedding::Points;
/// use mds::{NonmetricMds, Method};
/// let points: Vec<f64> = (0..20).flat_map(|i| [f64::from(i % 5), f64::from(i * i % 7)]).collect();
/// let fitted = NonmetricMds::default().fit(Points::new(&points, 2)?)?;
/// assert!(fitted.configuration().stress().stress_1 < 1e-6);
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct NonmetricMds {
    /// Target dimension d.
    #[param(default = 2, range = "1 to n - 1")]
    pub dim: usize,
    /// Initial coordinates; of several random runs the best is kept.
    #[param(default = Start::Classical)]
    pub start: Start,
    /// Whether equal dissimilarities may get different distances.
    #[param(default = Ties::Primary)]
    pub ties: Ties,
    /// Converged when two steps in a row lower the stress by less, relative to the weighted sum of
    /// squared dissimilarities.
    #[param(default = 1e-6, range = "at least 0")]
    pub tolerance: f64,
    /// Largest number of iterations of a run.
    #[param(name = "iterations", default = 300, range = "at least 1")]
    pub max_iterations: usize,
}

/// The treatment of ties: whether equal dissimilarities require equal distances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ties {
    /// Their distances may differ.
    #[default]
    Primary,
    /// Their distances must be equal.
    Secondary,
}

embedding::words!(Ties { Primary = "primary", Secondary = "secondary" });

impl Method for NonmetricMds {
    type Fitted = FittedConfiguration;

    const ABOUT: About = About {
        name: "nonmetric-mds",
        title: "Non-metric MDS",
        summary: "Fits the order of the distances in the map to their order in the data.",
        preserves: "the order of Euclidean distances",
        cost: "time n^2 log n, then n^2 d per iteration, memory 40 n^2 bytes",
        new_points: "majorization of the stress of the new point alone; does not interpolate: near a training row, up to 0.6 % of the map's extent from its position in the median of 13 trials, and 10 % in the worst; more where classes overlap (300 digits or points of a roll)",
        accepts: ACCEPTS,
        needs_labels: false,
        least_points: 2,
        explanation: Explanation::new(include_str!("nonmetric_mds.md")),
    };

    /// Distances of the map have the unit of the data.
    const START: Option<StartScale> = Some(StartScale::Unchanged);

    const FIXES: bool = true;

    /// Stages `"start"`, `"majorization"`.
    fn fit_input(&self, input: &Input<'_>) -> Result<FittedConfiguration, Error> {
        Iterative::fit_input(input, (40, "dissimilarities and their order"), |dissimilarities, observer| {
            self.fit_at(dissimilarities, Origin::of(input), observer)
        })
    }
}

impl NonmetricMds {
    /// Maps objects by the order of given dissimilarities.
    pub fn fit_dissimilarities(
        &self,
        dissimilarities: &Dissimilarities,
        observer: &dyn Observer,
    ) -> Result<Configuration, Error> {
        self.fit_at(dissimilarities, Origin::default(), observer)
    }

    fn fit_at(
        &self,
        dissimilarities: &Dissimilarities,
        origin: Origin<'_>,
        observer: &dyn Observer,
    ) -> Result<Configuration, Error> {
        self.check(Sizes { points: Some(dissimilarities.len()), ..Sizes::default() })?;
        let mut targets = Ordered::new(dissimilarities, self.ties);
        let (run, state) =
            self.iterative().from(origin).best(dissimilarities, dissimilarities, &mut targets, observer)?;
        // The result is the best run, which need not be the last.
        targets.sweep(&run.x)?;
        Ok(Configuration {
            embedding: Embedding::new(matrix_of(&run.x)),
            stress: targets.stress(),
            history: run.history,
            status: run.status,
            placement: Placement::Monotone(targets.knots()),
            state: Some(state),
        })
    }

    fn iterative(&self) -> Iterative<'static> {
        Iterative::new(self.dim, self.start, self.tolerance, self.max_iterations)
    }
}
