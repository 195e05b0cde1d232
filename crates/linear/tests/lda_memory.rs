//! Estimated peak memory of linear discriminant analysis against the memory a process takes. The
//! only test of this executable, so that no other test is measured.

use embedding::Input;
use linear::{Lda, Method};
use testkit::memory;

/// Points and columns.
const CASES: [(usize, usize); 4] = [(400_000, 5), (20_000, 100), (4_000, 500), (1_000, 1_500)];

#[test]
fn a_fit_takes_the_memory_estimated_and_is_refused_below() {
    memory::estimates_memory(
        "LDA_MEMORY_CASE",
        |_| "the scatter within the classes",
        &CASES,
        |&(n, columns)| memory::points(n, columns, false),
        |_, points, limit| {
            let labels: Vec<u32> = (0..points.len() as u32).map(|i| i % 3).collect();
            let input = Input::from(points).with_labels(&labels).with_memory_limit(limit);
            Lda::default().fit(input).map(|_| ())
        },
    );
}
