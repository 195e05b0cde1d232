//! Which columns of the data drive a map, and how much of a column the map explains.

mod explained;
mod gradients;
mod recipe;

pub use explained::{ExplainedColumns, explained_columns};
pub use gradients::{ColumnDriver, MapGradients, Unit};
pub use recipe::Drivers;
