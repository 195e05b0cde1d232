//! Estimated peak memory of a fit against the memory a process takes. The only test of this
//! executable, so that no other test is measured.

#[path = "../../testkit/tests/common/memory.rs"]
mod memory;

use embedding::{DynMethod, Input, MemoryLimit};
use lle::{HessianLle, Lle, Ltsa, ModifiedLle, Neighborhood};
use testkit::cloud;

/// Points and columns of a fit, and the method.
type Case = (usize, usize, fn() -> Box<dyn DynMethod>);

const K: Neighborhood = Neighborhood::Nearest { k: 12 };

const CASES: [Case; 5] = [
    (12_000, 3, || Box::new(Lle { neighborhood: K, ..Lle::default() })),
    (6_000, 3, || Box::new(ModifiedLle { neighborhood: K, ..ModifiedLle::default() })),
    (6_000, 3, || Box::new(HessianLle { neighborhood: K, ..HessianLle::default() })),
    (6_000, 3, || Box::new(Ltsa { neighborhood: K, ..Ltsa::default() })),
    (12_000, 2, || Box::new(Ltsa { neighborhood: K, ..Ltsa::default() })),
];

#[test]
fn a_fit_takes_the_memory_estimated_and_is_refused_below() {
    memory::estimates_memory(
        "LLE_MEMORY_CASE",
        "a sparse Cholesky factor",
        &CASES,
        |(n, columns, _)| cloud(*n, *columns, 1).view().to_owned(),
        |(_, _, method), points, limit| {
            // An explicit limit would select an algorithm that needs less.
            let free = MemoryLimit::free(limit.bytes);
            method().fit_dyn(&Input::from(points).memory_limit(free)).map(|_| ())
        },
    );
}
