//! Estimated peak memory of a fit with a spectral start against the memory a process takes. The
//! only test of this executable, so that no other test is measured.

#[path = "../../testkit/tests/common/memory.rs"]
mod memory;

use embedding::{DynMethod, Input};
use testkit::cloud;
use umap::{Densmap, Umap};

/// Points and columns of a fit, the method, and the stage that is refused last.
type Case = (usize, usize, fn() -> Box<dyn DynMethod>, &'static str);

const FACTOR: &str = "a sparse Cholesky factor";

const CASES: [Case; 4] = [
    (60_000, 2, || Box::new(quick()), FACTOR),
    (8_000, 3, || Box::new(quick()), FACTOR),
    (30_000, 2, || Box::new(Densmap { umap: quick(), ..Densmap::default() }), FACTOR),
    (15_000, 40, || Box::new(quick()), "UMAP"),
];

fn quick() -> Umap {
    Umap { epochs: Some(5), ..Umap::default() }
}

#[test]
fn a_fit_takes_the_memory_estimated_and_is_refused_below() {
    memory::estimates_memory(
        "UMAP_START_MEMORY_CASE",
        |(.., stage)| stage,
        &CASES,
        |(n, columns, ..)| cloud(*n, *columns, 1).view().to_owned(),
        |(_, _, method, _), points, limit| {
            method().fit_dyn(&Input::from(points).memory_limit(limit)).map(|_| ())
        },
    );
}
