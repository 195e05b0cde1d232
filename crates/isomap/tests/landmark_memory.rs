//! Estimated peak memory of a fit of landmark Isomap against the memory a process takes. The
//! only test of this executable, so that no other test is measured.

use embedding::{DynMethod, Input};
use isomap::{LandmarkIsomap, Landmarks, Neighborhood, Precision};
use testkit::memory;

/// Points, columns, neighbors and landmarks of a fit, and the precision.
type Case = (usize, usize, usize, usize, Precision);

const CASES: [Case; 4] = [
    (20_000, 3, 10, 200, Precision::Single),
    (20_000, 50, 20, 50, Precision::Single),
    (12_000, 3, 10, 400, Precision::Double),
    (40_000, 3, 6, 60, Precision::Single),
];

#[test]
fn a_fit_takes_the_memory_estimated_and_is_refused_below() {
    memory::estimates_memory(
        "LANDMARK_ISOMAP_MEMORY_CASE",
        |_| "the geodesics of the landmarks",
        &CASES,
        |(n, columns, ..)| memory::points(*n, *columns, false),
        |&(_, _, k, count, precision), points, limit| {
            let recipe = LandmarkIsomap {
                neighborhood: Neighborhood::Nearest { k },
                landmarks: Landmarks::MaxMin { count: count.min(points.len() / 2) },
                precision,
                ..LandmarkIsomap::default()
            };
            recipe.fit_dyn(&Input::from(points).with_memory_limit(limit)).map(|_| ())
        },
    );
}
