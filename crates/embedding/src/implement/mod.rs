//! Items for authors of methods, which callers of methods do not need.
//!
//! - Parameters: a [`Parameter`] with its legal [`Range`] between [`Bound`]s, which depend on the
//!   [`Sizes`] of the input; [`Value`]s with their text form.
//! - [`Fact`]s that a model reports, and the [`Section`]s of an explanation.
//! - [`fit_lowered`]: fits with a target dimension that the data can have.
//! - [`Validate`]: the checks of a model that was read.
//! - [`StartScale`]: the scale at which given coordinates are the start of an iterative method.
//! - [`FixedRows`]: the rows that keep their given places while others move, or are drawn to them.
//! - Views of data: [`PairDistances`], [`MetricPoints`], [`SparseMetricPoints`], [`Stored`]
//!   precision, [`OwnedData`] and [`TrainingPoints`]; the [`Scale`] by which data of extreme scale
//!   are divided.
//! - Computations that all methods must do alike: [`squared_distance`], [`multiply`],
//!   [`standard_normal`], [`maximum`] with NaN, and others.

pub mod matrix;
pub mod number;
pub mod scale;

pub use self::scale::{Division, Scale};
pub use crate::distance::{LANES, inner_product, pairwise_sum, squared_distance};
pub use crate::explanation::{Part, Section};
pub use crate::extremes::{maximum, minimum, unit};
pub use crate::fact::Fact;
pub use crate::fixed::{Coordinate, FixedRows, require_moving};
pub use crate::further::eigenvalues_beyond;
pub use crate::lowered::{Lowered, fit_lowered};
pub use crate::mean::mean_distance;
pub use crate::metric_points::MetricPoints;
pub use crate::mixed::check_weights;
pub use crate::normal::standard_normal;
pub use crate::observer::proceed;
pub use crate::owned_data::OwnedData;
pub use crate::pair_distances::PairDistances;
pub use crate::parameter::{Access, Kind, Parameter};
pub use crate::product::{multiply, multiply_lower, release_registers};
pub use crate::range::{Bound, Limits, N_LESS_1, ONE, Range, Sizes, ZERO};
pub use crate::scalar::{Scalar, Stored};
pub use crate::sparse_metric_points::SparseMetricPoints;
pub use crate::start::{StartScale, require_distinct_rows, require_shape};
pub use crate::suggestion::nearest_name;
pub use crate::training_points::TrainingPoints;
pub use crate::validate::{Validate, require, require_finite};
pub use crate::value::{Value, ValueSyntax};
