//! Estimated peak memory of a fit against the memory a process takes. The only test of
//! this executable, so that no other test is measured.

use mds::{ClassicalMds, LandmarkMds, Landmarks, NonmetricMds, Sammon, Smacof};
use testkit::memory::{self, Fitting};

const COMPONENTS: &str = "the principal components";
const SMACOF: &str = "dissimilarities and the start";
const SAMMON: &str = "distances, weights and their inverse";
const NONMETRIC: &str = "dissimilarities and their order";
const LANDMARKS: &str = "the distances between landmarks";

const CASES: [Fitting; 8] = [
    (200_000, 5, || Box::new(ClassicalMds::default()), COMPONENTS),
    (1_000, 2_500, || Box::new(ClassicalMds::default()), COMPONENTS),
    (1_500, 3, || Box::new(Smacof { max_iterations: 3, ..Smacof::default() }), SMACOF),
    (1_000, 300, || Box::new(Smacof { max_iterations: 3, ..Smacof::default() }), SMACOF),
    (1_000, 3, || Box::new(Sammon { max_iterations: 3, ..Sammon::default() }), SAMMON),
    (1_200, 3, || Box::new(NonmetricMds { max_iterations: 3, ..NonmetricMds::default() }), NONMETRIC),
    (200_000, 5, || Box::new(LandmarkMds::default()), LANDMARKS),
    (
        4_000,
        5,
        || Box::new(LandmarkMds { landmarks: Landmarks::MaxMin { count: 2_000 }, ..LandmarkMds::default() }),
        LANDMARKS,
    ),
];

#[test]
fn a_fit_takes_the_memory_estimated_and_is_refused_below() {
    memory::methods_estimate_memory("MDS_MEMORY_CASE", &CASES, &[], &[]);
}
