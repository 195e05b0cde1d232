//! Estimated peak memory of a fit to sparse points against the memory that a process takes. The only
//! test of this executable, so that no other test is measured.

use embedding::{Input, Method};
use linear::Pca;
use testkit::memory::{self, SparseSize};

/// Sizes and directions: wide, tall, and with few columns, where the eigenproblem is decomposed as a whole. The whole
/// basis of the eigensolver is used.
const CASES: [(SparseSize, usize); 4] =
    [((10_000, 50_000, 60), 2), ((60_000, 5_000, 20), 2), ((40_000, 250, 20), 2), ((8_000, 20_000, 60), 5)];

#[test]
fn a_fit_to_sparse_points_takes_the_memory_estimated_and_is_refused_below() {
    memory::sparse_fits_estimate_memory(
        "LINEAR_SPARSE_MEMORY_CASE",
        "the principal components",
        &CASES,
        |case| case.0,
        |(_, dim), points, limit| {
            Pca { dim: *dim, ..Pca::default() }.fit(Input::from(points).with_memory_limit(limit)).map(drop)
        },
    );
}
