//! Learned maps from points to embedding coordinates, so that any method can
//! place new points.
//!
//! A [`Regressor`] learns a function from pairs of points and coordinates:
//! [`Perceptron`] for many points, [`KernelRidge`] for few. [`Learned`] puts one
//! behind any [`Method`].

pub use embedding::{Embedding, Error, Input, Method, Model, PointSet, Points, Transform};

mod adam;
mod kernel_ridge;
mod layers;
mod learned;
mod perceptron;
mod scaler;

pub use kernel_ridge::{FittedKernelRidge, KernelRidge, Width};
pub use learned::{FittedLearned, Learned};
pub use perceptron::{FittedPerceptron, Perceptron};
pub use scaler::Standardization;

use embedding::Observer;
use faer::MatRef;
use serde::{Deserialize, Serialize};

/// A recipe that learns a function from examples.
pub trait Regressor {
    /// The learned function.
    type Fitted: Transform;

    /// Learns from n points and their n × d targets.
    fn fit(
        &self,
        points: Points<'_>,
        targets: MatRef<'_, f64>,
        observer: &dyn Observer,
    ) -> Result<Self::Fitted, Error>;
}

/// The error on examples that the function was not fitted to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ValidationError {
    /// Root mean square distance to the target, in units of the targets.
    pub root_mean_square: f64,
    /// The share of the targets' variance that is not explained; 0 is perfect,
    /// 1 is as good as their mean.
    pub unexplained: f64,
}

/// Fails unless there is one finite target row for every point.
fn check_targets(points: Points<'_>, targets: MatRef<'_, f64>) -> Result<(), Error> {
    if targets.nrows() != points.len() || targets.ncols() == 0 {
        return Err(Error::Shape {
            what: "the targets",
            expected: format!("{} rows and at least one column", points.len()),
            got: format!("{} × {}", targets.nrows(), targets.ncols()),
        });
    }
    for row in 0..targets.nrows() {
        if let Some(column) = (0..targets.ncols()).find(|&c| !targets[(row, c)].is_finite()) {
            return Err(Error::NotFinite { row, column, value: targets[(row, column)] });
        }
    }
    Ok(())
}
