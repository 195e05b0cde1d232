//! Estimated peak memory of a fit against the memory a process takes. The only test of
//! this executable, so that no other test is measured.

use conformal_eigenmaps::settings::BasisSize;
use conformal_eigenmaps::{ConformalEigenmaps, MaximumVarianceUnfolding};
use testkit::memory::{self, Explicit, FACTOR, Fitting, LEAST, SEARCH};

const INCOMPLETE: &str = "incomplete factors of an eigenproblem";
const BASIS: &str = "the basis of a filtered eigenproblem";
const FORM: &str = "the quadratic form";

const THIRTY: BasisSize = BasisSize::Vectors { count: 30 };

const CASES: [Fitting; 5] = [
    (3_000, 3, || Box::new(ConformalEigenmaps::default()), FACTOR),
    (6_000, 3, || Box::new(ConformalEigenmaps::default()), FACTOR),
    (1_000, 3, || Box::new(ConformalEigenmaps { basis: THIRTY, ..ConformalEigenmaps::default() }), FORM),
    (3_000, 3, || Box::new(MaximumVarianceUnfolding::default()), FACTOR),
    (
        1_000,
        3,
        || Box::new(MaximumVarianceUnfolding { basis: THIRTY, ..MaximumVarianceUnfolding::default() }),
        FORM,
    ),
];

const SHEETS: [Fitting; 3] = [
    (8_000, 100, || Box::new(ConformalEigenmaps::default()), FACTOR),
    (8_000, 100, || Box::new(MaximumVarianceUnfolding::default()), FACTOR),
    (4_000, 800, || Box::new(MaximumVarianceUnfolding::default()), SEARCH),
];

const EXPLICIT: [Explicit; 3] = [
    ((6_000, 3, || Box::new(ConformalEigenmaps::default()), INCOMPLETE), 29_000_000),
    ((2_000, 50, || Box::new(ConformalEigenmaps::default()), BASIS), LEAST),
    ((2_000, 50, || Box::new(MaximumVarianceUnfolding::default()), BASIS), LEAST),
];

#[test]
fn a_fit_takes_the_memory_estimated_and_is_refused_below() {
    memory::methods_estimate_memory("CONFORMAL_MEMORY_CASE", &CASES, &SHEETS, &EXPLICIT);
}
