//! The vocabulary of manifold learning: validated [`Points`] in, an
//! [`Embedding`] out, and the one [`Error`] that says why not.
//!
//! Every method of the workspace speaks these words and no others:
//!
//! - [`Points`] (borrowed) and [`PointSet`] (owned): n points in D dimensions,
//!   one per row, every value finite; checked once, at the door.
//! - [`Embedder`]: a recipe that turns points into an [`Embedding`].
//! - [`Transform`]: a fitted model that can place new points.
//! - [`Observer`]: hears stages and steps, and may cancel.
//! - [`persist`]: fitted models as bytes and back, with version and checksum.
//! - [`Error`]: what must hold, what came, what to try.
//!
//! Architecture invariant: this crate depends on no other crate of the
//! workspace, prints nothing, reads no file, no clock and no environment.

mod coordinates;
mod distance;
mod error;
mod extremes;
pub mod matrix;
mod memory;
mod method;
mod normal;
mod observer;
pub mod persist;
mod points;
mod suggestion;

pub use coordinates::Embedding;
pub use distance::{LANES, pairwise_sum, squared_distance};
pub use error::Error;
pub use extremes::{maximum, minimum};
pub use memory::MemoryLimit;
pub use method::{Embedder, Model, Status, Transform};
pub use normal::standard_normal;
pub use observer::{Iteration, Observer, Silent, proceed};
pub use points::{PointSet, Points};
pub use suggestion::nearest_name;
