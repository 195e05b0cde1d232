//! Estimated peak memory of a fit against the memory a process takes. The only test of
//! this executable, so that no other test is measured.

use embedding::{Input, Method};
use testkit::memory;
use tsne::{Gradient, Schedule, Tsne};

/// Points, columns, perplexity and gradient of the fits.
const CASES: [(usize, usize, f64, Gradient); 6] = [
    (3_000, 20, 30.0, Gradient::Auto),
    (6_000, 3, 30.0, Gradient::Auto),
    (9_000, 6, 40.0, Gradient::Interpolation),
    (5_000, 700, 20.0, Gradient::Auto),
    (15_000, 12, 60.0, Gradient::Auto),
    (30_000, 3, 30.0, Gradient::Auto),
];

#[test]
fn a_fit_takes_the_memory_estimated_and_is_refused_below() {
    memory::estimates_memory(
        "TSNE_MEMORY_CASE",
        |_| "t-SNE",
        &CASES,
        |(n, columns, ..)| memory::points(*n, *columns, false),
        |(_, _, perplexity, gradient), points, limit| {
            let schedule = Schedule { early_iterations: 2, iterations: 2, ..Schedule::default() };
            let recipe = Tsne { perplexity: *perplexity, gradient: *gradient, schedule, ..Tsne::default() };
            recipe.fit(Input::from(points).with_memory_limit(limit)).map(|_| ())
        },
    );
}
