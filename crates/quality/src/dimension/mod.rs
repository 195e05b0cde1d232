//! Estimators of intrinsic dimension.
//!
//! All estimators are biased for finite samples, in known ways: points near a boundary
//! have one-sided neighborhoods, which lowers every estimate, more so in higher
//! dimensions; noise raises estimates at scales below it; curvature raises them at scales
//! above its radius. Compare several estimators.

mod correlation;
mod elbow;
mod likelihood;
mod local_pca;
mod two_nn;

pub use correlation::{CorrelationDimension, correlation_dimension};
pub use elbow::elbow;
pub use likelihood::{Averaging, maximum_likelihood};
pub use local_pca::local_pca;
pub use two_nn::two_nn;
