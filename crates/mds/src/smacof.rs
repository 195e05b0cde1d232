//! Metric multidimensional scaling.

use embedding::{Embedder, Embedding, Error, MemoryLimit, Observer, Points};
use serde::{Deserialize, Serialize};

use crate::configuration::{Iterative, matrix_of};
use crate::majorization::{Fixed, Stop};
use crate::placement::Placement;
use crate::{Configuration, Dissimilarities, FittedConfiguration, Start, Stress};

/// Least squares on the distances themselves.
///
/// **Idea.** Ask that each distance on the map be the given one, and minimize
/// the squared errors. The sum is not convex, but a simple quadratic lies above
/// it and touches it at the present map; its minimizer is a better map (SMACOF:
/// scaling by majorizing a complicated function).
///
/// **Definition.** Minimize σ(Y) = Σ_{i<j} w_ij (δ_ij − |y_i − y_j|)². With equal
/// weights one step is y_i ← (1/n) Σ_j (δ_ij / d_ij)(y_i − y_j); with others the
/// same sum is multiplied by the pseudoinverse of the Laplacian of the weights.
/// Steps after the first are lengthened and turned by what the earlier ones
/// told about the curvature (L-BFGS); one that would not lower σ enough gives way
/// to the plain step. The result is centered, on its principal
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
/// use embedding::{Model, Points, Silent};
/// use mds::Smacof;
/// let square = [0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0];
/// let fitted = Smacof::default().fit(Points::new(&square, 2)?, &Silent)?;
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
    /// Smallest decrease worth a step, as a share of Σ w δ²; default 1e-6.
    pub tolerance: f64,
    /// Steps at most, per start; default 300.
    pub max_iterations: usize,
    /// The largest matrix of dissimilarities allowed; default 4 GB.
    pub memory_limit: MemoryLimit,
}

impl Default for Smacof {
    fn default() -> Self {
        Self {
            dim: 2,
            start: Start::Classical,
            tolerance: 1e-6,
            max_iterations: 300,
            memory_limit: MemoryLimit::default(),
        }
    }
}

impl Smacof {
    /// Scales the Euclidean distances of points; stages `"start"`,
    /// `"majorization"`.
    pub fn fit(&self, points: Points<'_>, observer: &dyn Observer) -> Result<FittedConfiguration, Error> {
        self.iterative().check(points.len())?;
        let n = points.len() as u64;
        let advice = "use landmark-mds, fewer points, or allow more memory";
        self.memory_limit.allow("dissimilarities and a start from them", 12 * n * n, advice)?;
        let dissimilarities = Dissimilarities::euclidean(points, self.memory_limit)?;
        let configuration = self.fit_dissimilarities(&dissimilarities, observer)?;
        Ok(FittedConfiguration { points: points.to_owned(), configuration })
    }

    /// Scales given dissimilarities.
    pub fn fit_dissimilarities(
        &self,
        dissimilarities: &Dissimilarities,
        observer: &dyn Observer,
    ) -> Result<Configuration, Error> {
        let mut targets = Fixed(dissimilarities);
        let run = self.iterative().best(dissimilarities, dissimilarities, &mut targets, observer)?;
        let coordinates = matrix_of(&run.x);
        let stress = Stress::of(dissimilarities, coordinates.as_ref())?;
        Ok(Configuration {
            embedding: Embedding::new(coordinates),
            stress,
            history: run.history,
            status: run.status,
            placement: Placement::Metric,
        })
    }

    fn iterative(&self) -> Iterative {
        let stop = Stop { tolerance: self.tolerance, max_iterations: self.max_iterations };
        Iterative { dim: self.dim, start: self.start, stop }
    }
}

impl Embedder for Smacof {
    fn name(&self) -> &'static str {
        "smacof"
    }

    fn embed(&self, points: Points<'_>, observer: &dyn Observer) -> Result<Embedding, Error> {
        Ok(self.fit(points, observer)?.configuration.embedding)
    }
}
