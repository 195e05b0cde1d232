//! What a method of the comparison is.

use faer::Mat;
use serde::{Deserialize, Serialize};

use crate::{Embedding, Error, Observer, Points};

/// A recipe that turns points into coordinates.
///
/// Recipes are plain structs with public fields, a `Default` and serde; they
/// hold no data. The trait is object-safe: it is what a comparison loops over.
pub trait Embedder: Send + Sync {
    /// The method's name on the command line: `"isomap"`, `"ltsa"`, ….
    fn name(&self) -> &'static str;

    /// Places every point. Honors the recipe's component policy.
    fn embed(&self, points: Points<'_>, observer: &dyn Observer) -> Result<Embedding, Error>;
}

/// A fitted model: it owns the embedding of its training points.
pub trait Model {
    /// The coordinates of the training points.
    fn embedding(&self) -> &Embedding;
}

/// A fitted model that can place new points.
///
/// Pure and row by row: a row's image depends on that row alone, so that
/// `transform(subset)` equals the rows of `transform(all)`.
pub trait Transform {
    /// Places `new` (m × D) and returns m × d coordinates.
    ///
    /// Fails with [`Error::Shape`] when the number of columns differs from the
    /// training data's.
    fn transform(&self, new: Points<'_>) -> Result<Mat<f64>, Error>;
}

/// How an iterative method ended.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Status {
    /// The stopping criterion of the recipe was met, and checked.
    Converged {
        /// Iterations spent.
        iterations: usize,
    },
    /// The recipe's largest number of iterations was reached first.
    IterationLimit {
        /// Iterations spent.
        iterations: usize,
    },
    /// The observer asked to stop; the result so far is valid.
    Stopped {
        /// Iterations spent.
        iterations: usize,
    },
}
