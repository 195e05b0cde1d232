//! Estimated peak memory of a fit against the memory a process takes. The only test of
//! this executable, so that no other test is measured.

#[path = "../../testkit/tests/common/memory.rs"]
mod memory;

use embedding::{Input, Method};
use pacmap::Pacmap;
use testkit::cloud;

/// Points, columns, and what is replaced by principal components.
const CASES: [(usize, usize, usize); 4] =
    [(20_000, 3, 100), (12_000, 40, 100), (6_000, 700, 100), (16_000, 200, 150)];

#[test]
fn a_fit_takes_the_memory_estimated_and_is_refused_below() {
    memory::estimates_memory(
        "PACMAP_MEMORY_CASE",
        |_| "PaCMAP",
        &CASES,
        |(n, columns, _)| cloud(*n, *columns, 1).view().to_owned(),
        |(_, _, columns), points, limit| {
            let recipe = Pacmap { columns: *columns, ..quick() };
            recipe.fit(Input::from(points).memory_limit(limit)).map(|_| ())
        },
    );
}

fn quick() -> Pacmap {
    let mut recipe = Pacmap::default();
    let phases = &mut recipe.phases;
    for phase in [&mut phases.first, &mut phases.second, &mut phases.third] {
        phase.iterations = 2;
    }
    recipe
}
