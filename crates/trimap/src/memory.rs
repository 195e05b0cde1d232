//! Peak memory of a fit, estimated before anything is allocated.

use embedding::{Error, Input};
use layout::{LANES, Preparation};

use crate::forces::parts;

/// Fails unless a whole fit of `rows` points with the columns of the input, in `dim` dimensions with as many triplets
/// per point, fits its limit.
pub(crate) fn allow_fit(
    (input, rows): (&Input<'_>, usize),
    preparation: &Preparation,
    triplets: usize,
    dim: usize,
) -> Result<(), Error> {
    let (n, preparing) = (rows as f64, preparation.bytes(input, rows));
    let (filled, d) = (triplets.next_multiple_of(LANES) as f64, dim as f64);
    // Lists of the points with their margins, which can be half empty, and all together.
    let sampling = 2.0 * 16.0 * triplets as f64 + 12.0 * filled;
    // The triplets; partial sums; positions, velocities, gains; the copy for the observer.
    let moving = 12.0 * filled + (4.0 * parts(rows) as f64 + 4.0 * 4.0 + 8.0) * d;
    let end = preparing.last as f64 + n * (12.0 * filled + 8.0 * d);
    let bytes = (preparing.peak as f64).max(preparing.kept as f64 + n * sampling.max(moving)).max(end);
    input.memory_limit().allow("TriMap", bytes as u64, "use fewer inliers, outliers, points or dimensions")
}
