//! Sammon's mapping.

use embedding::implement::{Sizes, StartScale};
use embedding::{About, Error, Explanation, Input, Method, Observer, Recipe};
use serde::{Deserialize, Serialize};

use crate::configuration::{ACCEPTS, Iterative, Origin};
use crate::placement::Placement;
use crate::{Configuration, Dissimilarities, FittedConfiguration, Start, Stress};

/// Sammon's mapping: least squares on the relative errors of the distances.
///
#[doc = include_str!("sammon.md")]
///
/// **Details.** Weights that are given multiply 1/δ; E is minimized as in [`crate::Smacof`],
/// and the tolerance is relative to Σ w δ².
///
/// **Cost.** O(n³) once for the weights, O(n² d) per step, 56 n² bytes while the weights are
/// inverted.
///
/// ```
/// use embedding::Points;
/// use mds::{Sammon, Method, Model};
/// let corner = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.2];
/// let fitted = Sammon::default().fit(Points::new(&corner, 3)?)?;
/// assert_eq!(fitted.embedding().dim(), 2);
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct Sammon {
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

impl Method for Sammon {
    type Fitted = FittedConfiguration;

    const ABOUT: About = About {
        name: "sammon",
        title: "Sammon",
        summary: "Minimizes the squared errors of the distances, each relative to its distance.",
        preserves: "Euclidean distances, small ones as well as large ones",
        cost: "time n^3 once, then n^2 d per iteration, memory 56 n^2 bytes",
        new_points: "majorization of the stress of the new point alone; interpolates: near a training row it tends to the row's position",
        accepts: ACCEPTS,
        needs_labels: false,
        least_points: 2,
        explanation: Explanation::new(include_str!("sammon.md")),
    };

    /// Distances of the map have the unit of the data.
    const START: Option<StartScale> = Some(StartScale::Unchanged);

    const FIXES: bool = true;

    /// Stages `"start"`, `"majorization"`.
    fn fit_input(&self, input: &Input<'_>) -> Result<FittedConfiguration, Error> {
        Iterative::fit_input(
            input,
            (56, "distances, weights and their inverse"),
            |dissimilarities, observer| self.fit_at(dissimilarities, Origin::of(input), observer),
        )
    }
}

impl Sammon {
    /// Maps objects by given dissimilarities. The raw stress of the result carries the weights 1/δ:
    /// E = raw / Σ δ. Its stress-1 and normalized stress do not, so that they can be compared with other
    /// methods.
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
        let weighted =
            dissimilarities.reweighted(|value, weight| if value > 0.0 { weight / value } else { 0.0 });
        let found = self.iterative().from(origin).metric(
            dissimilarities,
            &weighted,
            Placement::Relative,
            observer,
        )?;
        let plain = Stress::of(dissimilarities, found.embedding.coordinates())?;
        Ok(Configuration { stress: Stress { raw: found.stress.raw, ..plain }, ..found })
    }

    fn iterative(&self) -> Iterative<'static> {
        Iterative::new(self.dim, self.start, self.tolerance, self.max_iterations)
    }
}
