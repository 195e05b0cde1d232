//! Estimated peak memory of a fit against the memory a process takes. The only test of
//! this executable, so that no other test is measured.

#[path = "../../testkit/tests/common/memory.rs"]
mod memory;

use embedding::{Input, Method};
use testkit::cloud;
use umap::{Start, Umap};

/// Points and columns.
const CASES: [(usize, usize); 4] = [(30_000, 3), (15_000, 40), (6_000, 700), (12_000, 150)];

#[test]
fn a_fit_takes_the_memory_estimated_and_is_refused_below() {
    memory::estimates_memory(
        "UMAP_MEMORY_CASE",
        |_| "the layout",
        &CASES,
        |(n, columns)| cloud(*n, *columns, 1).view().to_owned(),
        |_, points, limit| {
            let recipe = Umap { epochs: Some(20), start: Start::Random, ..Umap::default() };
            recipe.fit(Input::from(points).memory_limit(limit)).map(|_| ())
        },
    );
}
