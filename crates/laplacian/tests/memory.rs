//! Estimated peak memory of a fit against the memory a process takes. The only test of
//! this executable, so that no other test is measured.

#[path = "../../testkit/tests/common/memory.rs"]
mod memory;

use embedding::{DynMethod, Input};
use laplacian::{DiffusionMaps, LaplacianEigenmaps};
use testkit::cloud;

/// Points and columns of a fit, the method, and the stage that is refused last.
type Case = (usize, usize, fn() -> Box<dyn DynMethod>, &'static str);

const FACTOR: &str = "a sparse Cholesky factor";
const BASIS: &str = "the basis of a filtered eigenproblem";

const CASES: [Case; 5] = [
    (15_000, 2, || Box::new(LaplacianEigenmaps::default()), FACTOR),
    (8_000, 3, || Box::new(LaplacianEigenmaps::default()), FACTOR),
    (30_000, 2, || Box::new(DiffusionMaps::default()), FACTOR),
    (15_000, 40, || Box::new(LaplacianEigenmaps::default()), BASIS),
    (10_000, 20, || Box::new(DiffusionMaps::default()), BASIS),
];

#[test]
fn a_fit_takes_the_memory_estimated_and_is_refused_below() {
    memory::estimates_memory(
        "LAPLACIAN_MEMORY_CASE",
        |(.., stage)| stage,
        &CASES,
        |(n, columns, ..)| cloud(*n, *columns, 1).view().to_owned(),
        |(_, _, method, _), points, limit| {
            method().fit_dyn(&Input::from(points).memory_limit(limit)).map(|_| ())
        },
    );
}
