//! Isomap by stage, on Swiss rolls with ten neighbors: the geodesics, their
//! scaling, the whole of each variant, and new points.
//!
//! `cargo bench --bench isomap` in this folder

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use embedding::{Method, PointSet, Silent, Transform};
use isomap::{ConformalIsomap, Isomap, LandmarkIsomap, Landmarks};
use mds::steps::{Distances, Packing};
use mds::{ClassicalMds, Precision};
use neighbor_graph::{Graph, NeighborSearch, Symmetry};

fn roll(n: usize) -> PointSet {
    datasets::generate("swiss-roll", n, 0).expect("n is positive").points
}

fn stages(c: &mut Criterion) {
    let mut group = c.benchmark_group("isomap stages");
    group.sample_size(10);
    for n in [500, 2000, 8000] {
        let points = roll(n);
        let neighbors = NeighborSearch::nearest(10).find(points.view()).expect("ten is less than n");
        let graph = Graph::new(&neighbors, Symmetry::Union);
        let sources: Vec<u32> = (0..n as u32).collect();
        let packing = Packing::new(1.0, Precision::Single);
        let geodesics = || {
            Distances::from_slots(n, packing, |slots| {
                graph
                    .geodesics_map(&sources, &Silent, |i, row| slots[i].fill(&row[..i]))?
                    .into_iter()
                    .collect()
            })
            .expect("a connected roll")
        };
        group.bench_function(BenchmarkId::new("geodesics", n), |b| b.iter(geodesics));
        let distances = geodesics();
        group.bench_function(BenchmarkId::new("scaling", n), |b| {
            b.iter(|| ClassicalMds::default().fit_distances(&distances, &Silent));
        });
    }
    group.finish();
}

fn methods(c: &mut Criterion) {
    let mut group = c.benchmark_group("isomap");
    group.sample_size(10);
    for n in [500, 2000, 8000] {
        let points = roll(n);
        let points = points.view();
        group.bench_function(BenchmarkId::new("isomap", n), |b| {
            b.iter(|| Isomap::default().fit(points).expect("a connected roll"));
        });
        group.bench_function(BenchmarkId::new("c-isomap", n), |b| {
            b.iter(|| ConformalIsomap::default().fit(points).expect("a connected roll"));
        });
        let landmarks = Landmarks::Random { count: 100, seed: 1 };
        let recipe = LandmarkIsomap { landmarks, ..LandmarkIsomap::default() };
        group.bench_function(BenchmarkId::new("landmark-isomap", n), |b| {
            b.iter(|| recipe.fit(points).expect("a connected roll"));
        });
        let new = datasets::generate("swiss-roll", 100, 1).expect("positive").points;
        let fitted = Isomap::default().fit(points).expect("a connected roll");
        group.bench_function(BenchmarkId::new("transform of 100 rows", n), |b| {
            b.iter(|| fitted.transform(new.view()).expect("rows of the roll"));
        });
    }
    group.finish();
}

criterion_group!(benches, stages, methods);
criterion_main!(benches);
