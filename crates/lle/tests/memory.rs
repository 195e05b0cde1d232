//! Estimated peak memory of a fit against the memory a process takes. The only test of
//! this executable, so that no other test is measured.

use embedding::Neighborhood;
use lle::{HessianLle, Lle, Ltsa, ModifiedLle};
use testkit::memory::{self, Explicit, FACTOR, Fitting, LEAST, SEARCH, SINGLE};

const ALIGNMENT: &str = "the alignment matrix";
const INCOMPLETE: &str = "incomplete factors of an eigenproblem";
const BASIS: &str = "the basis of a filtered eigenproblem";

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
    (4_000, 800, || Box::new(Lle::default()), SEARCH),
];

const EXPLICIT: [Explicit; 9] = [
    ((10_000, 2, || Box::new(Lle::default()), INCOMPLETE), 26_000_000),
    ((6_000, 3, || Box::new(Lle::default()), INCOMPLETE), 22_000_000),
    ((3_000, 50, || Box::new(Lle::default()), BASIS), LEAST),
    ((6_000, 3, || Box::new(ModifiedLle::default()), SINGLE), 30_000_000),
    ((6_000, 3, || Box::new(HessianLle::default()), SINGLE), 30_000_000),
    ((6_000, 3, || Box::new(Ltsa::default()), SINGLE), 30_000_000),
    ((4_000, 5, || Box::new(ModifiedLle::default()), ALIGNMENT), LEAST),
    ((4_000, 5, || Box::new(Ltsa::default()), BASIS), LEAST),
    ((2_000, 5, || Box::new(of_four_dimensions()), ALIGNMENT), LEAST),
];

fn of_four_dimensions() -> HessianLle {
    HessianLle { dim: 4, neighborhood: Neighborhood::Nearest { k: 20 }, ..HessianLle::default() }
}

#[test]
fn a_fit_takes_the_memory_estimated_and_is_refused_below() {
    memory::methods_estimate_memory("LLE_MEMORY_CASE", &CASES, &SHEETS, &EXPLICIT);
}
