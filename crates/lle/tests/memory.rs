//! Estimated peak memory of a fit against the memory a process takes. The only test of
//! this executable, so that no other test is measured.

#[path = "../../testkit/tests/common/memory.rs"]
mod memory;

use embedding::{DynMethod, Input};
use lle::{HessianLle, Lle, Ltsa, ModifiedLle};
use testkit::cloud;

/// Points and columns of a fit, the method, and the stage that is refused last.
type Case = (usize, usize, fn() -> Box<dyn DynMethod>, &'static str);

const FACTOR: &str = "a sparse Cholesky factor";

const CASES: [Case; 5] = [
    (20_000, 2, || Box::new(Lle::default()), FACTOR),
    (5_000, 3, || Box::new(Lle::default()), FACTOR),
    (20_000, 2, || Box::new(ModifiedLle::default()), FACTOR),
    (20_000, 2, || Box::new(HessianLle::default()), FACTOR),
    (20_000, 2, || Box::new(Ltsa::default()), FACTOR),
];

#[test]
fn a_fit_takes_the_memory_estimated_and_is_refused_below() {
    memory::estimates_memory(
        "LLE_MEMORY_CASE",
        |(.., stage)| stage,
        &CASES,
        |(n, columns, ..)| cloud(*n, *columns, 1).view().to_owned(),
        |(_, _, method, _), points, limit| {
            method().fit_dyn(&Input::from(points).memory_limit(limit)).map(|_| ())
        },
    );
}
