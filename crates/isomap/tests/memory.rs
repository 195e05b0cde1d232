//! Estimated peak memory of a fit against the memory a process takes. The only test of
//! this executable, so that no other test is measured.

use isomap::{ConformalIsomap, Isomap, Precision};
use testkit::memory::{self, Fitting};

const GEODESICS: &str = "the matrix of geodesics";

const CASES: [Fitting; 5] = [
    (1_500, 3, || Box::new(Isomap::default()), GEODESICS),
    (2_500, 3, || Box::new(Isomap::default()), GEODESICS),
    (2_500, 600, || Box::new(Isomap { precision: Precision::Double, ..Isomap::default() }), GEODESICS),
    (5_500, 3, || Box::new(Isomap::default()), GEODESICS),
    (3_000, 5, || Box::new(ConformalIsomap::default()), GEODESICS),
];

#[test]
fn a_fit_takes_the_memory_estimated_and_is_refused_below() {
    memory::methods_estimate_memory("ISOMAP_MEMORY_CASE", &CASES, &[], &[]);
}
