//! Estimated peak memory of a fit against the memory a process takes. The only test of
//! this executable, so that no other test is measured.

use laplacian::{DiffusionMaps, LaplacianEigenmaps};
use testkit::memory::{self, Explicit, FACTOR, Fitting, LEAST, SEARCH, SINGLE};

const BASIS: &str = "the basis of a filtered eigenproblem";

const CASES: [Fitting; 7] = [
    (15_000, 2, || Box::new(LaplacianEigenmaps::default()), FACTOR),
    (8_000, 3, || Box::new(LaplacianEigenmaps::default()), FACTOR),
    (30_000, 2, || Box::new(DiffusionMaps::default()), FACTOR),
    (15_000, 40, || Box::new(LaplacianEigenmaps::default()), BASIS),
    (10_000, 20, || Box::new(DiffusionMaps::default()), BASIS),
    (12_000, 150, || Box::new(LaplacianEigenmaps::default()), BASIS),
    (8_000, 100, || Box::new(DiffusionMaps::default()), BASIS),
];

const SHEETS: [Fitting; 3] = [
    (8_000, 100, || Box::new(LaplacianEigenmaps::default()), FACTOR),
    (8_000, 100, || Box::new(DiffusionMaps::default()), FACTOR),
    (4_000, 800, || Box::new(LaplacianEigenmaps::default()), SEARCH),
];

const EXPLICIT: [Explicit; 4] = [
    ((8_000, 3, || Box::new(LaplacianEigenmaps::default()), SINGLE), 27_000_000),
    ((8_000, 3, || Box::new(LaplacianEigenmaps::default()), BASIS), LEAST),
    ((8_000, 3, || Box::new(DiffusionMaps::default()), SINGLE), 27_000_000),
    ((8_000, 3, || Box::new(DiffusionMaps::default()), BASIS), LEAST),
];

#[test]
fn a_fit_takes_the_memory_estimated_and_is_refused_below() {
    memory::methods_estimate_memory("LAPLACIAN_MEMORY_CASE", &CASES, &SHEETS, &EXPLICIT);
}
