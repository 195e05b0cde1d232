//! Regression between points and embedding coordinates: out-of-sample extension and inverse
//! for any method.
//!
//! A [`Regressor`] learns a function from points and targets: [`Perceptron`] for many points,
//! [`KernelRidge`] for few, [`LocalBarycentric`] for points of few dimensions. [`Learned`]
//! combines a regressor with any [`Method`].
//!
//! The inverse of an embedding is a regressor that is fitted the other way round, with the positions in the
//! map as points and the data as targets; [`LeaveOut`] measures its error.
//!
//! ```
//! use linear::Pca;
//! use regression::{KernelRidge, Learned, PointSet, Transform};
//! let x = PointSet::new((0..50).map(|i| f64::from(i) / 25.0 - 1.0).collect(), 1)?;
//! let learned = Learned { method: Pca { dim: 1, ..Pca::default() }, regressor: KernelRidge::default() };
//! assert_eq!(learned.fit(&x)?.transform(x.view())?.len(), 50);
//! # Ok::<(), regression::Error>(())
//! ```

pub use embedding::{Error, Method, Model, PointSet, Transform};

/// The crate of the public types that are not defined here.
pub use embedding;

mod adam;
mod kernel_ridge;
mod layers;
mod learned;
mod leave_out;
mod local_barycentric;
mod perceptron;
mod scaler;
mod shuffle;

pub use kernel_ridge::{FittedKernelRidge, KernelRidge, Width};
pub use learned::{FittedLearned, Learned};
pub use leave_out::{LeaveOut, LeftOut};
pub use local_barycentric::{FittedLocalBarycentric, LocalBarycentric};
pub use perceptron::{FittedPerceptron, Perceptron};
pub use scaler::Standardization;

use embedding::{Observer, Points};
use faer::MatRef;
use serde::{Deserialize, Serialize};

/// A regression method with its parameters.
pub trait Regressor {
    /// The fitted function.
    type Fitted: Transform;

    /// Fits a function to n points and their n × d targets.
    fn fit(
        &self,
        points: Points<'_>,
        targets: MatRef<'_, f64>,
        observer: &dyn Observer,
    ) -> Result<Self::Fitted, Error>;
}

/// The error on points not used for fitting.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ValidationError {
    /// Root mean square distance to the target, in units of the targets.
    pub root_mean_square: f64,
    /// Fraction of the targets' variance left unexplained; 0 is perfect, 1 is no better
    /// than predicting their mean, and infinite is an error where the targets do not vary.
    pub unexplained: f64,
}

impl ValidationError {
    /// Computes the error from two sums over `count` targets, in squares of `unit`: the squared distances
    /// between target and prediction, and between target and mean.
    pub(crate) fn of(squared: f64, spread: f64, count: usize, unit: f64) -> Self {
        Self {
            root_mean_square: unit * (squared / count as f64).sqrt(),
            unexplained: if squared > 0.0 { squared / spread } else { 0.0 },
        }
    }

    /// The root mean square error relative to the root mean square deviation of the targets
    /// from their mean, √`unexplained`.
    pub fn relative(&self) -> f64 {
        self.unexplained.sqrt()
    }
}

/// Fails unless there is one finite target row per point.
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
