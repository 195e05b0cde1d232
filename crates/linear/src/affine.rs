//! The map of a linear method, and its place in a saved model.

use embedding::{Embedding, Error, Validate, require};
pub(crate) use spectral::Affine;

/// Fails unless a saved map has as many columns as a saved embedding.
pub(crate) fn require_map(map: &Affine, embedding: &Embedding) -> Result<(), Error> {
    map.validate()?;
    require(
        map.matrix().ncols() == embedding.dim(),
        "its map has another number of columns than its coordinates",
    )
}
