//! Estimated peak memory of a fit against the memory a process takes. The only test of
//! this executable, so that no other test is measured.

#[path = "../../testkit/tests/common/memory.rs"]
mod memory;

use lle::{HessianLle, Lle, Ltsa, ModifiedLle};
use memory::{FACTOR, Fitting};

const INCOMPLETE: &str = "incomplete factors of an eigenproblem";

const CASES: [Fitting; 6] = [
    (20_000, 2, || Box::new(Lle::default()), FACTOR),
    (5_000, 3, || Box::new(Lle::default()), FACTOR),
    (20_000, 2, || Box::new(ModifiedLle::default()), FACTOR),
    (20_000, 2, || Box::new(HessianLle::default()), FACTOR),
    (20_000, 2, || Box::new(Ltsa::default()), FACTOR),
    (8_000, 100, || Box::new(Lle::default()), INCOMPLETE),
];

const SHEETS: [Fitting; 4] = [
    (8_000, 100, || Box::new(Lle::default()), FACTOR),
    (8_000, 100, || Box::new(ModifiedLle::default()), FACTOR),
    (8_000, 100, || Box::new(Ltsa::default()), FACTOR),
    (4_000, 800, || Box::new(Lle::default()), FACTOR),
];

#[test]
fn a_fit_takes_the_memory_estimated_and_is_refused_below() {
    memory::methods_estimate_memory("LLE_MEMORY_CASE", &CASES, &SHEETS, &[]);
}
