//! Estimated peak memory of a fit to sparse points against the memory that a process takes. The only
//! test of this executable, so that no other test is measured.

use std::sync::OnceLock;

use embedding::{Input, Method, Metric, PointSet, SparsePointSet};
use pacmap::Pacmap;
use testkit::{Random, memory};

/// Points, columns, entries of a row, and the metric.
type Case = (usize, usize, usize, Metric);

const CASES: [Case; 3] = [
    (3_000, 20_000, 60, Metric::Euclidean),
    (10_000, 300, 20, Metric::Euclidean),
    (3_000, 20_000, 60, Metric::Cosine),
];

/// The points of the case, made before the fit is measured.
static POINTS: OnceLock<SparsePointSet> = OnceLock::new();

fn points((n, columns, entries, _): &Case) -> SparsePointSet {
    let mut random = Random::new(7);
    let columns_of = (0..n * entries).map(|_| random.below(*columns) as u32).collect();
    let values = (0..n * entries).map(|at| 1.0 + (at % 13) as f64).collect();
    let offsets = (0..=*n).map(|i| i * entries).collect();
    SparsePointSet::new(offsets, columns_of, values, *columns).expect("legal")
}

#[test]
fn a_fit_to_sparse_points_takes_the_memory_estimated_and_is_refused_below() {
    memory::estimates_memory(
        "PACMAP_SPARSE_MEMORY_CASE",
        |_| "the layout",
        &CASES,
        |case| {
            POINTS.get_or_init(|| points(case));
            PointSet::new(vec![0.0; case.0], 1).expect("legal")
        },
        |(n, .., metric), given, limit| {
            let all = POINTS.get().expect("made before").view();
            // A fit to some of the rows, which is not counted.
            let rows = (0..given.len() as u32).collect::<Vec<_>>();
            let some = (given.len() < *n).then(|| all.select(&rows));
            let points = some.as_ref().map_or(all, SparsePointSet::view);
            let mut recipe = Pacmap::default();
            let phases = &mut recipe.phases;
            for phase in [&mut phases.first, &mut phases.second, &mut phases.third] {
                phase.iterations = 2;
            }
            recipe.fit(Input::from(points).with_metric(*metric).with_memory_limit(limit)).map(drop)
        },
    );
}
