//! Estimated peak memory of a fit to sparse points against the memory that a process takes. The only
//! test of this executable, so that no other test is measured.

use std::sync::OnceLock;

use embedding::{Input, Method, PointSet, SparsePointSet};
use linear::Pca;
use testkit::Random;
use testkit::memory;

/// Points, columns, entries of a row and directions.
type Case = (usize, usize, usize, usize);

/// Wide, tall, and with few columns, where the eigenproblem is decomposed as a whole.
const CASES: [Case; 4] =
    [(10_000, 50_000, 60, 2), (60_000, 5_000, 20, 2), (40_000, 250, 20, 2), (8_000, 20_000, 60, 5)];

/// The points of the case, made before the fit is measured.
static POINTS: OnceLock<SparsePointSet> = OnceLock::new();

fn points((n, columns, entries, _): &Case) -> SparsePointSet {
    // A spectrum without a gap: the whole basis of the eigensolver is used.
    let mut random = Random::new(7);
    let columns_of = (0..n * entries).map(|_| random.below(*columns) as u32).collect();
    let values = (0..n * entries).map(|at| 1.0 + (at % 13) as f64).collect();
    let offsets = (0..=*n).map(|i| i * entries).collect();
    SparsePointSet::new(offsets, columns_of, values, *columns).expect("legal")
}

#[test]
fn a_fit_to_sparse_points_takes_the_memory_estimated_and_is_refused_below() {
    memory::estimates_memory(
        "LINEAR_SPARSE_MEMORY_CASE",
        |_| "the principal components",
        &CASES,
        |case| {
            POINTS.get_or_init(|| points(case));
            PointSet::new(vec![0.0; case.0], 1).expect("legal")
        },
        |(n, .., dim), given, limit| {
            let all = POINTS.get().expect("made before").view();
            // A fit to some of the rows, which is not counted.
            let rows = (0..given.len() as u32).collect::<Vec<_>>();
            let some = (given.len() < *n).then(|| all.select(&rows));
            let points = some.as_ref().map_or(all, SparsePointSet::view);
            Pca { dim: *dim, ..Pca::default() }.fit(Input::from(points).with_memory_limit(limit)).map(drop)
        },
    );
}
