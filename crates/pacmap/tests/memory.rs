//! Estimated peak memory of a fit against the memory a process takes. The only test of
//! this executable, so that no other test is measured.

use embedding::{Input, Method};
use pacmap::{Localmap, Pacmap};
use testkit::memory;

/// Points, columns, the largest number of columns kept, and whether the method is LocalMAP.
const CASES: [(usize, usize, usize, bool); 6] = [
    (20_000, 3, 100, false),
    (12_000, 40, 100, false),
    (6_000, 700, 100, false),
    (16_000, 200, 150, false),
    (20_000, 3, 100, true),
    (6_000, 700, 100, true),
];

#[test]
fn a_fit_takes_the_memory_estimated_and_is_refused_below() {
    memory::estimates_memory(
        "PACMAP_MEMORY_CASE",
        |_| "the layout",
        &CASES,
        |(n, columns, ..)| memory::points(*n, *columns, false),
        |(_, _, columns, local), points, limit| {
            let pacmap = Pacmap { columns: *columns, ..quick() };
            let input = Input::from(points).with_memory_limit(limit);
            if *local {
                return Localmap { pacmap, ..Localmap::default() }.fit(input).map(|_| ());
            }
            pacmap.fit(input).map(|_| ())
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
