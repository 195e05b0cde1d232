//! How many coordinates do the data need: estimators of intrinsic dimension.
//!
//! All of them see a manifold through a finite number of points, and all are
//! biased in known ways: points near a border have half-empty neighborhoods,
//! which lowers every estimate, more so in higher dimensions; noise raises the
//! estimates at scales below it; curvature raises them at scales above its
//! radius. Compare several before believing one.

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
