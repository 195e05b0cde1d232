//! Estimated peak memory of a fit against the memory a process takes. The only test of
//! this executable, so that no other test is measured.

use embedding::{Input, Method};
use testkit::memory;
use trimap::{Descent, Trimap};

/// Points, columns, and the largest number of columns kept.
const CASES: [(usize, usize, usize); 4] =
    [(20_000, 3, 100), (12_000, 40, 100), (6_000, 700, 100), (16_000, 200, 150)];

#[test]
fn a_fit_takes_the_memory_estimated_and_is_refused_below() {
    memory::estimates_memory(
        "TRIMAP_MEMORY_CASE",
        |_| "TriMap",
        &CASES,
        |(n, columns, _)| memory::points(*n, *columns, false),
        |(_, _, columns), points, limit| {
            let recipe = Trimap { columns: *columns, ..quick() };
            recipe.fit(Input::from(points).with_memory_limit(limit)).map(|_| ())
        },
    );
}

fn quick() -> Trimap {
    Trimap { descent: Descent { iterations: 2, ..Descent::default() }, ..Trimap::default() }
}
