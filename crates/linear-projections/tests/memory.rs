//! Estimated peak memory of a fit against the memory a process takes. The only test of
//! this executable, so that no other test is measured.

use linear_projections::{Lltsa, Lpp, Npe};
use testkit::memory::{self, Fitting};

const SPACE: &str = "the row space of the data";

const CASES: [Fitting; 9] = [
    (20_000, 5, || Box::new(Lpp::default()), SPACE),
    (20_000, 60, || Box::new(Lpp::default()), SPACE),
    (4_000, 400, || Box::new(Lpp::default()), SPACE),
    (20_000, 5, || Box::new(Npe::default()), SPACE),
    (20_000, 60, || Box::new(Npe::default()), SPACE),
    (4_000, 400, || Box::new(Npe::default()), SPACE),
    (20_000, 5, || Box::new(Lltsa::default()), SPACE),
    (20_000, 60, || Box::new(Lltsa::default()), SPACE),
    (4_000, 400, || Box::new(Lltsa::default()), SPACE),
];

#[test]
fn a_fit_takes_the_memory_estimated_and_is_refused_below() {
    memory::methods_estimate_memory("PROJECTIONS_MEMORY_CASE", &CASES, &[], &[]);
}
