//! Multidimensional scaling on Swiss rolls: classical from distances and from
//! points, landmark, and the iterative methods for twenty steps.
//!
//! `cargo bench --bench mds` in this folder

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use embedding::{MemoryLimit, Method, PointSet, Silent};
use mds::steps::Distances;
use mds::{ClassicalMds, LandmarkMds, NonmetricMds, Precision, Sammon, Smacof};

fn roll(n: usize) -> PointSet {
    datasets::generate("swiss-roll", n, 0).expect("n is positive").points
}

fn spectral(c: &mut Criterion) {
    let mut group = c.benchmark_group("mds");
    group.sample_size(10);
    for n in [500, 2000, 8000] {
        let points = roll(n);
        let points = points.view();
        for precision in [Precision::Single, Precision::Double] {
            let distances =
                || Distances::euclidean(points, precision, MemoryLimit::default(), &Silent).expect("fits");
            let name = format!("distances, {precision:?}").to_lowercase();
            group.bench_function(BenchmarkId::new(name, n), |b| b.iter(distances));
            let distances = distances();
            let name = format!("classical of distances, {precision:?}").to_lowercase();
            group.bench_function(BenchmarkId::new(name, n), |b| {
                b.iter(|| {
                    ClassicalMds::default().fit_distances(&distances, &Silent).expect("two dimensions")
                });
            });
        }
        group.bench_function(BenchmarkId::new("classical of points", n), |b| {
            b.iter(|| ClassicalMds::default().fit(points).expect("two dimensions"));
        });
        group.bench_function(BenchmarkId::new("landmark", n), |b| {
            b.iter(|| LandmarkMds::default().fit(points).expect("two dimensions"));
        });
    }
    group.finish();
}

fn iterative(c: &mut Criterion) {
    let mut group = c.benchmark_group("mds, twenty steps");
    group.sample_size(10);
    // No tolerance: exactly as many steps as allowed.
    let (tolerance, max_iterations) = (0.0, 20);
    for n in [500, 2000] {
        let points = roll(n);
        let points = points.view();
        let smacof = Smacof { tolerance, max_iterations, ..Smacof::default() };
        let nonmetric = NonmetricMds { tolerance, max_iterations, ..NonmetricMds::default() };
        let sammon = Sammon { tolerance, max_iterations, ..Sammon::default() };
        group.bench_function(BenchmarkId::new("smacof", n), |b| {
            b.iter(|| smacof.fit(points).expect("points differ"));
        });
        group.bench_function(BenchmarkId::new("nonmetric", n), |b| {
            b.iter(|| nonmetric.fit(points).expect("points differ"));
        });
        group.bench_function(BenchmarkId::new("sammon", n), |b| {
            b.iter(|| sammon.fit(points).expect("points differ"));
        });
    }
    group.finish();
}

criterion_group!(benches, spectral, iterative);
criterion_main!(benches);
