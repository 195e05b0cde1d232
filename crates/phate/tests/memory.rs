//! Estimated peak memory of a fit against the memory a process takes. The only test of
//! this executable, so that no other test is measured.

use phate::{Landmarks, Phate};
use testkit::memory::{self, Fitting};

const KERNEL: &str = "the kernel";
const DIFFUSION: &str = "the diffusion";

const FEW: Landmarks = Landmarks::Random { count: 1_200, seed: 0 };

const CASES: [Fitting; 3] = [
    (1_000, 3, || Box::new(Phate { max_iterations: 3, ..Phate::default() }), DIFFUSION),
    (6_000, 20, || Box::new(Phate { landmarks: FEW, max_iterations: 3, ..Phate::default() }), DIFFUSION),
    (20_000, 3, || Box::new(Phate { landmarks: FEW, max_iterations: 3, ..Phate::default() }), DIFFUSION),
];

const FEWER: Landmarks = Landmarks::Random { count: 500, seed: 0 };

const SHEETS: [Fitting; 2] = [
    (8_000, 100, || Box::new(Phate { landmarks: FEWER, max_iterations: 3, ..Phate::default() }), KERNEL),
    (4_000, 800, || Box::new(Phate { landmarks: FEWER, max_iterations: 3, ..Phate::default() }), KERNEL),
];

#[test]
fn a_fit_takes_the_memory_estimated_and_is_refused_below() {
    memory::methods_estimate_memory("PHATE_MEMORY_CASE", &CASES, &SHEETS, &[]);
}
