//! Metric multidimensional scaling.

use embedding::implement::{Sizes, StartScale};
use embedding::{About, Error, Explanation, Input, Method, Observer, Points, Recipe};
use serde::{Deserialize, Serialize};

use crate::configuration::{ACCEPTS, Iterative, Origin};
use crate::placement::Placement;
use crate::{Configuration, Dissimilarities, FittedConfiguration, Start};

/// Metric multidimensional scaling by SMACOF: least squares on the distances.
///
#[doc = include_str!("smacof.md")]
///
/// **Details.** With weights that differ, the sum of a step is multiplied by the pseudoinverse
/// of the Laplacian of the weights. A step of L-BFGS that would not lower σ enough is replaced
/// by the plain one. The tolerance is relative to Σ w δ²; [`Configuration::status`] states why the steps
/// ended. The result is centered, on its principal axes, in input units; of each column the entry of largest
/// magnitude is positive. The start is a [`Start`]. 1 ≤ d ≤ n − 1.
///
/// **Cost.** O(n² d) per step and 12 n² bytes; with weights that differ O(n³) once and 44 n²
/// bytes more.
///
/// ```
/// use embedding::Points;
/// use mds::{Smacof, Method, Model};
/// let square = [0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0];
/// let fitted = Smacof::default().fit(Points::new(&square, 2)?)?;
/// assert!(fitted.configuration().stress().raw < 1e-12);
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct Smacof {
    /// Target dimension d.
    #[param(default = 2, range = "1 to n - 1")]
    pub dim: usize,
    /// Initial coordinates; of several random runs the best is kept.
    #[param(default = Start::Classical)]
    pub start: Start,
    /// Converged when two steps in a row lower the stress by less, relative to the weighted sum of
    /// squared dissimilarities.
    #[param(default = 1e-6, range = "at least 0")]
    pub tolerance: f64,
    /// Largest number of iterations of a run.
    #[param(name = "iterations", default = 300, range = "at least 1")]
    pub max_iterations: usize,
}

impl Method for Smacof {
    type Fitted = FittedConfiguration;

    const ABOUT: About = About {
        name: "smacof",
        title: "SMACOF",
        summary: "Minimizes the squared errors of the distances, by majorization of the stress.",
        preserves: "Euclidean distances, all alike",
        cost: "time n^2 (D + d per iteration), memory 12 n^2 bytes",
        new_points: "majorization of the stress of the new point alone; does not interpolate: near a training row, up to 1.4 % of the map's extent from its position in the median of 13 trials, and 24 % in the worst; more where classes overlap (300 digits or points of a roll)",
        accepts: ACCEPTS,
        needs_labels: false,
        least_points: 2,
        explanation: Explanation::new(include_str!("smacof.md")),
    };

    /// Distances of the map have the unit of the data.
    const START: Option<StartScale> = Some(StartScale::Unchanged);

    const FIXES: bool = true;

    /// Stages `"start"`, `"majorization"`.
    fn fit_input(&self, input: &Input<'_>) -> Result<FittedConfiguration, Error> {
        Iterative::fit_input(input, (12, "dissimilarities and the start"), |dissimilarities, observer| {
            self.fit_at(dissimilarities, Origin::of(input), observer)
        })
    }
}

impl Smacof {
    /// Scales given dissimilarities.
    pub fn fit_dissimilarities(
        &self,
        dissimilarities: &Dissimilarities,
        observer: &dyn Observer,
    ) -> Result<Configuration, Error> {
        self.fit_from(dissimilarities, None, observer)
    }

    /// The same from given coordinates, n × d, instead of the start of the recipe.
    ///
    /// Fails with [`Error::Shape`] where they have another shape, and with [`Error::Degenerate`] where all rows
    /// are equal or squares of their extent leave the range of numbers.
    pub fn fit_from(
        &self,
        dissimilarities: &Dissimilarities,
        start: Option<Points<'_>>,
        observer: &dyn Observer,
    ) -> Result<Configuration, Error> {
        self.fit_at(dissimilarities, Origin { given: start, ..Origin::default() }, observer)
    }

    fn fit_at(
        &self,
        dissimilarities: &Dissimilarities,
        origin: Origin<'_>,
        observer: &dyn Observer,
    ) -> Result<Configuration, Error> {
        self.check(Sizes { points: Some(dissimilarities.len()), ..Sizes::default() })?;
        self.iterative().from(origin).metric(dissimilarities, dissimilarities, Placement::Metric, observer)
    }

    fn iterative(&self) -> Iterative<'static> {
        Iterative::new(self.dim, self.start, self.tolerance, self.max_iterations)
    }
}
