//! Estimated peak memory of a fit against the memory a process takes. The only test of
//! this executable, so that no other test is measured.

use embedding::{Input, Method, Points};
use testkit::memory;
use umap::{Start, Umap};

/// Points and columns, and whether they are a slice, which the model copies.
const CASES: [(usize, usize, bool); 5] =
    [(30_000, 3, false), (15_000, 40, false), (6_000, 700, false), (12_000, 150, false), (6_000, 700, true)];

#[test]
fn a_fit_takes_the_memory_estimated_and_is_refused_below() {
    memory::estimates_memory(
        "UMAP_MEMORY_CASE",
        |_| "the layout",
        &CASES,
        |(n, columns, _)| memory::points(*n, *columns, false),
        |(_, columns, slice), points, limit| {
            let values = Points::new(points.view().values(), *columns)?;
            let input = if *slice { Input::from(values) } else { Input::from(points) };
            let recipe = Umap { epochs: Some(20), start: Start::Random, ..Umap::default() };
            recipe.fit(input.with_memory_limit(limit)).map(|_| ())
        },
    );
}
