//! Estimated peak memory of a fit against the memory a process takes. The only test of
//! this executable, so that no other test is measured.

#[path = "../../testkit/tests/common/memory.rs"]
mod memory;

use embedding::{DynMethod, Input};
use isomap::{ConformalIsomap, Isomap, Precision};
use testkit::cloud;

/// Points and columns of a fit, and the method.
type Case = (usize, usize, fn() -> Box<dyn DynMethod>);

const CASES: [Case; 5] = [
    (950, 3, || Box::new(Isomap::default())),
    (2_500, 3, || Box::new(Isomap::default())),
    (2_500, 600, || Box::new(Isomap { precision: Precision::Double, ..Isomap::default() })),
    (5_500, 3, || Box::new(Isomap::default())),
    (3_000, 5, || Box::new(ConformalIsomap::default())),
];

#[test]
fn a_fit_takes_the_memory_estimated_and_is_refused_below() {
    memory::estimates_memory(
        "ISOMAP_MEMORY_CASE",
        |_| "the matrix of geodesics",
        &CASES,
        |(n, columns, _)| cloud(*n, *columns, 1).view().to_owned(),
        |(_, _, method), points, limit| {
            method().fit_dyn(&Input::from(points).memory_limit(limit)).map(|_| ())
        },
    );
}
