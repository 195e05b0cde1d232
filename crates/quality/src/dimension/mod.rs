//! Estimators of intrinsic dimension.
//!
//! All estimators are biased for finite samples, in known ways: points near a boundary
//! have one-sided neighborhoods, which lowers every estimate, more so in higher
//! dimensions; noise raises estimates at scales below it; curvature raises them at scales
//! above its radius. Compare several estimators: [`estimators`] lists them with what each assumes.

mod correlation;
mod elbow;
mod estimators;
mod likelihood;
mod local_pca;
mod principal_components;
mod two_nn;

pub use correlation::{CorrelationDimension, correlation_dimension};
pub use elbow::elbow;
pub use estimators::{Estimator, Evidence, estimators};
pub use likelihood::{Averaging, maximum_likelihood, maximum_likelihood_of_rows};
pub use local_pca::{local_pca, local_pca_of_rows};
pub use principal_components::principal_components;
pub use two_nn::two_nn;
