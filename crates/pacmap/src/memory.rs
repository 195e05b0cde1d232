//! Peak memory of a fit, estimated before anything is allocated.

use embedding::{Error, Input};
use layout::{LANES, Preparation};

/// Fails unless a whole fit of `rows` points with the columns of the input, in `dim` dimensions with as many pairs per
/// point, fits its limit.
pub(crate) fn allow_fit(
    (input, rows): (&Input<'_>, usize),
    preparation: &Preparation,
    pairs: usize,
    dim: usize,
) -> Result<(), Error> {
    let (n, preparing) = (rows as f64, preparation.bytes(input, rows));
    // Lists of the points, one by one and together, or both ends of each pair, twice while further pairs are
    // drawn again; and the padding of the last block of the three kinds.
    let pairs = (4.0 + 8.0 + 8.0) * pairs as f64 + 3.0 * 4.0 * LANES as f64 / 2.0;
    // Positions before and after a step, moments, the copy for the observer.
    let map = (4.0 * 4.0 + 8.0) * dim as f64;
    let end = preparing.last as f64 + n * 8.0 * dim as f64;
    let moving = preparing.kept as f64 + n * (pairs + map);
    let bytes = (preparing.peak as f64).max(moving).max(end);
    input.memory_limit().allow("the layout", bytes as u64, "use fewer neighbors, pairs, points or dimensions")
}
