//! Estimated peak memory of a fit against the memory a process takes. The only test of
//! this executable, so that no other test is measured.

use linear::{FactorAnalysis, FastIca, KernelPca, Pca, RandomProjection};
use testkit::memory::{self, Fitting};

const COMPONENTS: &str = "the principal components";
const KERNEL: &str = "the kernel matrix";
const WHITENING: &str = "whitening";
const FACTORS: &str = "factor analysis";
const PROJECTION: &str = "the projection";

const CASES: [Fitting; 17] = [
    (200_000, 5, || Box::new(Pca::default()), COMPONENTS),
    (20_000, 500, || Box::new(Pca::default()), COMPONENTS),
    (1_000, 2_500, || Box::new(Pca::default()), COMPONENTS),
    (5_000, 2_000, || Box::new(Pca::default()), COMPONENTS),
    (2_000, 3, || Box::new(KernelPca::default()), KERNEL),
    (1_000, 60, || Box::new(KernelPca::default()), KERNEL),
    (1_500, 2_000, || Box::new(KernelPca::default()), KERNEL),
    (100_000, 5, || Box::new(FastIca::default()), WHITENING),
    (10_000, 100, || Box::new(FastIca::default()), WHITENING),
    (4_000, 500, || Box::new(FastIca::default()), WHITENING),
    (1_000, 2_500, || Box::new(FastIca::default()), WHITENING),
    (100_000, 5, || Box::new(FactorAnalysis::default()), FACTORS),
    (10_000, 100, || Box::new(FactorAnalysis::default()), FACTORS),
    (4_000, 500, || Box::new(FactorAnalysis::default()), FACTORS),
    (1_000, 2_000, || Box::new(FactorAnalysis::default()), FACTORS),
    (200_000, 5, || Box::new(RandomProjection::default()), PROJECTION),
    (20_000, 100, || Box::new(RandomProjection { dim: 50, ..RandomProjection::default() }), PROJECTION),
];

#[test]
fn a_fit_takes_the_memory_estimated_and_is_refused_below() {
    memory::methods_estimate_memory("LINEAR_MEMORY_CASE", &CASES, &[], &[]);
}
