//! Non-metric multidimensional scaling.

use embedding::{Embedder, Embedding, Error, MemoryLimit, Observer, Points};
use serde::{Deserialize, Serialize};

use crate::configuration::{Iterative, matrix_of};
use crate::majorization::{Stop, Targets};
use crate::ordered::Ordered;
use crate::placement::Placement;
use crate::{Configuration, Dissimilarities, FittedConfiguration, Start};

/// Distances in the order of the dissimilarities.
///
/// **Idea.** Judgments of likeness are ordinal: believe only that this pair is
/// more alike than that one, and fit distances to the best ascending function
/// of the dissimilarities.
///
/// **Definition.** Minimize Σ_{i<j} w (d̂_ij − |y_i − y_j|)² over Y and over
/// disparities d̂ that ascend with δ, with Σ w d̂² = Σ w δ² held fixed.
///
/// **Steps.** A start ([`Start`]); then, in turn, d̂ by isotonic regression of the
/// distances on the order of δ ([`crate::isotonic_regression`]) and rescaling, and one
/// step of majorization as in [`crate::Smacof`]. Neither raises the stress.
///
/// **Cost.** O(n² log n) once, O(n² d) per step (O(n² log n) with many primary
/// ties), about 40 n² bytes.
///
/// **When it fails.** 1 ≤ d ≤ n − 1. Local minima, as metric scaling has them.
/// With well separated clusters, or few points in many dimensions, the order is
/// met exactly by a map with little structure left (degeneration): the stress
/// goes to 0.
///
/// ```
/// use embedding::{Points, Silent};
/// use mds::NonmetricMds;
/// let points: Vec<f64> = (0..20).flat_map(|i| [f64::from(i % 5), f64::from(i * i % 7)]).collect();
/// let fitted = NonmetricMds::default().fit(Points::new(&points, 2)?, &Silent)?;
/// assert!(fitted.configuration().stress().stress_1 < 1e-6);
/// # Ok::<(), embedding::Error>(())
/// ```
///
/// **Reference.** Kruskal (1964), doi:10.1007/BF02289565 and
/// doi:10.1007/BF02289694; Borg and Groenen (2005), chapter 9,
/// doi:10.1007/0-387-28981-X.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct NonmetricMds {
    /// Target dimension d; default 2, 1 ≤ d ≤ n − 1.
    pub dim: usize,
    /// Default classical.
    pub start: Start,
    /// What equal dissimilarities ask for; default primary.
    pub ties: Ties,
    /// Smallest decrease worth a step, as a share of Σ w δ²; default 1e-6.
    pub tolerance: f64,
    /// Steps at most, per start; default 300.
    pub max_iterations: usize,
    /// The largest matrices allowed; default 4 GB.
    pub memory_limit: MemoryLimit,
}

/// What equal dissimilarities ask of their distances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ties {
    /// Nothing: they may differ.
    #[default]
    Primary,
    /// To be equal.
    Secondary,
}

impl Default for NonmetricMds {
    fn default() -> Self {
        let crate::Smacof { dim, start, tolerance, max_iterations, memory_limit } = crate::Smacof::default();
        Self { dim, start, ties: Ties::Primary, tolerance, max_iterations, memory_limit }
    }
}

impl NonmetricMds {
    /// Maps points by the order of their Euclidean distances; stages `"start"`,
    /// `"majorization"`.
    pub fn fit(&self, points: Points<'_>, observer: &dyn Observer) -> Result<FittedConfiguration, Error> {
        self.iterative().check(points.len())?;
        let n = points.len() as u64;
        let advice = "use landmark-mds, fewer points, or allow more memory";
        self.memory_limit.allow("dissimilarities and their order", 40 * n * n, advice)?;
        let dissimilarities = Dissimilarities::euclidean(points, self.memory_limit)?;
        let configuration = self.fit_dissimilarities(&dissimilarities, observer)?;
        Ok(FittedConfiguration { points: points.to_owned(), configuration })
    }

    /// Maps objects by the order of given dissimilarities.
    pub fn fit_dissimilarities(
        &self,
        dissimilarities: &Dissimilarities,
        observer: &dyn Observer,
    ) -> Result<Configuration, Error> {
        let mut targets = Ordered::new(dissimilarities, self.ties);
        let run = self.iterative().best(dissimilarities, dissimilarities, &mut targets, observer)?;
        // Of the best run, which need not be the last.
        targets.sweep(&run.x)?;
        Ok(Configuration {
            embedding: Embedding::new(matrix_of(&run.x)),
            stress: targets.stress(),
            history: run.history,
            status: run.status,
            placement: Placement::Monotone(targets.knots()),
        })
    }

    fn iterative(&self) -> Iterative {
        let stop = Stop { tolerance: self.tolerance, max_iterations: self.max_iterations };
        Iterative { dim: self.dim, start: self.start, stop }
    }
}

impl Embedder for NonmetricMds {
    fn name(&self) -> &'static str {
        "nonmetric-mds"
    }

    fn embed(&self, points: Points<'_>, observer: &dyn Observer) -> Result<Embedding, Error> {
        Ok(self.fit(points, observer)?.configuration.embedding)
    }
}
