//! Estimated peak memory of a fit to sparse points against the memory that a process takes. The only
//! test of this executable, so that no other test is measured.

use embedding::{Input, Method, Metric};
use pacmap::Pacmap;
use testkit::memory::{self, SparseSize};

const CASES: [(SparseSize, Metric); 3] = [
    ((3_000, 20_000, 60), Metric::Euclidean),
    ((10_000, 300, 20), Metric::Euclidean),
    ((3_000, 20_000, 60), Metric::Cosine),
];

#[test]
fn a_fit_to_sparse_points_takes_the_memory_estimated_and_is_refused_below() {
    memory::sparse_fits_estimate_memory(
        "PACMAP_SPARSE_MEMORY_CASE",
        "the layout",
        &CASES,
        |case| case.0,
        |(_, metric), points, limit| {
            let mut recipe = Pacmap::default();
            let phases = &mut recipe.phases;
            for phase in [&mut phases.first, &mut phases.second, &mut phases.third] {
                phase.iterations = 2;
            }
            recipe.fit(Input::from(points).with_metric(*metric).with_memory_limit(limit)).map(drop)
        },
    );
}
