//! Shortest paths: one source at a time, and all of them together.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use embedding::{PointSet, Silent};
use neighbor_graph::{Graph, NeighborSearch, Symmetry};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn swiss_roll(n: usize) -> Graph {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let values = (0..n).flat_map(|_| {
        let t = 1.5 * std::f64::consts::PI * (1.0 + 2.0 * rng.random::<f64>());
        [t * t.cos(), 21.0 * rng.random::<f64>(), t * t.sin()]
    });
    let points = PointSet::new(values.collect(), 3).expect("finite");
    let neighbors = NeighborSearch::nearest(10).find(points.view()).expect("k below n");
    Graph::new(&neighbors, Symmetry::Union)
}

fn geodesics(c: &mut Criterion) {
    let mut group = c.benchmark_group("geodesics");
    group.sample_size(10);
    for n in [500, 2000, 8000] {
        let graph = swiss_roll(n);
        group.bench_with_input(BenchmarkId::new("one source", n), &graph, |b, graph| {
            b.iter(|| graph.geodesics_from(n / 2));
        });
        let landmarks: Vec<u32> = (0..n as u32).step_by(20).collect();
        group.bench_with_input(BenchmarkId::new("every twentieth source", n), &graph, |b, graph| {
            b.iter(|| graph.geodesics_map(&landmarks, &Silent, |_, row| row[0]));
        });
        let all: Vec<u32> = (0..n as u32).collect();
        group.bench_with_input(BenchmarkId::new("all sources", n), &graph, |b, graph| {
            b.iter(|| graph.geodesics_map(&all, &Silent, |_, row| row[0]));
        });
    }
    group.finish();
}

criterion_group!(benches, geodesics);
criterion_main!(benches);
