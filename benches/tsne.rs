//! t-SNE by stage: calibration, and ten iterations with each kind of forces on
//! a map of its final size, over n.
//!
//! `cargo bench --bench tsne` in this folder

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use embedding::{PointSet, Silent};
use neighbor_graph::{NeighborSearch, Neighborhood};
use tsne::{Affinities, Gradient, Schedule, Start, Tsne};

fn fashion(n: usize) -> PointSet {
    datasets::generate("fashion", n, 0).expect("up to 2,000 pictures").points
}

fn calibration(c: &mut Criterion) {
    let mut group = c.benchmark_group("calibration");
    group.sample_size(10);
    for n in [500, 2000] {
        let points = fashion(n);
        let neighborhood = Neighborhood::Nearest { k: 90 };
        let neighbors = NeighborSearch::from(neighborhood).find(points.view()).expect("90 neighbors");
        group.bench_function(BenchmarkId::new("affinities", n), |b| {
            b.iter(|| Affinities::of_neighbors(&neighbors, 30.0, &Silent).expect("perplexity below 90"));
        });
    }
    group.finish();
}

/// Points on a spiral of even density, as wide as a map of n points becomes.
fn map(n: usize) -> PointSet {
    let point = |i: usize| {
        let (radius, angle) = ((i as f64 / n as f64).sqrt() * 0.6 * (n as f64).sqrt(), 2.4 * i as f64);
        [radius * angle.cos(), radius * angle.sin()]
    };
    PointSet::new((0..n).flat_map(point).collect(), 2).expect("finite")
}

fn iterations(c: &mut Criterion) {
    let mut group = c.benchmark_group("ten iterations");
    group.sample_size(10);
    for n in [500_usize, 1000, 2000, 4000, 8000, 16_000] {
        let roll = datasets::generate("swiss-roll", n, 0).expect("n is positive").points;
        let affinities = Affinities::of_points(roll.view(), 30.0, &Silent).expect("perplexity below n");
        for (name, gradient) in [
            ("exact", Gradient::Exact),
            ("Barnes-Hut", Gradient::BarnesHut { theta: 0.5 }),
            ("interpolated", Gradient::Interpolation),
        ] {
            let schedule = Schedule { early_iterations: 0, iterations: 10, ..Schedule::default() };
            let recipe = Tsne { gradient, schedule, start: Start::Given(map(n)), ..Tsne::default() };
            group.bench_function(BenchmarkId::new(name, n), |b| {
                b.iter(|| recipe.fit_affinities(None, &affinities, &Silent).expect("a legal recipe"));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, calibration, iterations);
criterion_main!(benches);
