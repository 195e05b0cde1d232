//! Metric multidimensional scaling.

use embedding::{About, Error, Input, Method, Observer, Parameter, Sizes, field};
use serde::{Deserialize, Serialize};

use crate::configuration::{ACCEPTS, Iterative, parameters};
use crate::placement::Placement;
use crate::{Configuration, Dissimilarities, FittedConfiguration, Start};

/// Metric multidimensional scaling by SMACOF: least squares on the distances.
///
/// **Idea.** Ask that each distance on the map be the given one, and minimize
/// the squared errors. The sum is not convex, but a simple quadratic lies above
/// it and touches it at the present map; its minimizer is a better map (SMACOF:
/// scaling by majorizing a complicated function).
///
/// **Definition.** Minimize σ(Y) = Σ_{i<j} w_ij (δ_ij − |y_i − y_j|)². With equal
/// weights one step is y_i ← (1/n) Σ_j (δ_ij / d_ij)(y_i − y_j); with others the
/// same sum is multiplied by the pseudoinverse of the Laplacian of the weights.
/// Later steps use the curvature estimated from earlier ones (L-BFGS); a step that
/// would not lower σ enough is replaced by the plain one. The result is centered, on its principal
/// axes, in input units; of each column the entry of largest magnitude is positive.
///
/// **Steps.** A start ([`Start`]), then steps until two in a row lower σ by less
/// than `tolerance` · Σ w δ². σ never rises. [`Configuration::status`] says why
/// it ended.
///
/// **Cost.** O(n² d) per step and 12 n² bytes; with weights that differ O(n³)
/// once and 44 n² bytes more.
///
/// **When it fails.** 1 ≤ d ≤ n − 1. σ has local minima, the more the smaller d:
/// in one dimension the order of the points hardly ever changes. The classical
/// start is good for distances that are nearly Euclidean; try random starts
/// otherwise.
///
/// ```
/// use mds::{Smacof, Method, Model, Points};
/// let square = [0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0];
/// let fitted = Smacof::default().fit(Points::new(&square, 2)?)?;
/// assert!(fitted.configuration().stress().raw < 1e-12);
/// # Ok::<(), embedding::Error>(())
/// ```
///
/// **Reference.** de Leeuw (1977), "Applications of convex analysis to
/// multidimensional scaling"; Borg and Groenen (2005), chapter 8,
/// doi:10.1007/0-387-28981-X; longer steps: Liu and Nocedal (1989),
/// doi:10.1007/BF01589116.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Smacof {
    /// Target dimension d; default 2, 1 ≤ d ≤ n − 1.
    pub dim: usize,
    /// Default classical.
    pub start: Start,
    /// Smallest decrease worth a step, as a fraction of Σ w δ²; default 1e-6.
    pub tolerance: f64,
    /// Steps at most, per start; default 300.
    pub max_iterations: usize,
}

impl Default for Smacof {
    fn default() -> Self {
        Self { dim: 2, start: Start::Classical, tolerance: 1e-6, max_iterations: 300 }
    }
}

impl Method for Smacof {
    type Fitted = FittedConfiguration;

    const ABOUT: About = About {
        name: "smacof",
        title: "SMACOF",
        summary: "Minimizes the squared errors of the distances, by majorization of the stress.",
        preserves: "Euclidean distances, all alike",
        cost: "time n^2 (D + d per iteration), memory 12 n^2 bytes",
        new_points: "majorization of the stress of the new point alone",
        accepts: ACCEPTS,
        needs_labels: false,
        least_points: 2,
    };

    fn parameters() -> Vec<Parameter<Self>> {
        parameters(field!(dim), field!(start), field!(tolerance), field!(max_iterations))
    }

    /// Stages `"start"`, `"majorization"`.
    fn fit_input(&self, input: &Input<'_>) -> Result<FittedConfiguration, Error> {
        Iterative::fit_input(input, (12, "dissimilarities and the start"), |dissimilarities, observer| {
            self.fit_dissimilarities(dissimilarities, observer)
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
        self.check(Sizes { points: Some(dissimilarities.len()), ..Sizes::default() })?;
        self.iterative().metric(dissimilarities, dissimilarities, Placement::Metric, observer)
    }

    fn iterative(&self) -> Iterative {
        Iterative::new(self.dim, self.start, self.tolerance, self.max_iterations)
    }
}
