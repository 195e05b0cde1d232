//! Neighbor search: each algorithm at sizes for which it is selected, and at the crossover.

use std::num::NonZero;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use embedding::PointSet;
use kiddo::{ImmutableKdTree, SquaredEuclidean};
use neighbor_graph::{NeighborSearch, Neighborhood, Search};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn uniform(n: usize, dim: usize) -> PointSet {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    PointSet::new((0..n * dim).map(|_| rng.random()).collect(), dim).expect("finite")
}

fn swiss_roll(n: usize) -> PointSet {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let values = (0..n).flat_map(|_| {
        let t = 1.5 * std::f64::consts::PI * (1.0 + 2.0 * rng.random::<f64>());
        [t * t.cos(), 21.0 * rng.random::<f64>(), t * t.sin()]
    });
    PointSet::new(values.collect(), 3).expect("finite")
}

fn neighbors(c: &mut Criterion) {
    let rule = Neighborhood::Nearest { k: 12 };
    let mut group = c.benchmark_group("neighbors");
    group.sample_size(10);
    for n in [500, 2000, 8000] {
        let set = swiss_roll(n);
        group.bench_with_input(BenchmarkId::new("swiss roll", n), &set, |b, set| {
            b.iter(|| NeighborSearch::from(rule).find(set.view()));
        });
    }
    for dim in [4, 6, 8] {
        let set = uniform(8000, dim);
        for search in [Search::KdTree, Search::BruteForce] {
            group.bench_with_input(BenchmarkId::new(format!("uniform {search:?}"), dim), &set, |b, set| {
                b.iter(|| NeighborSearch::from(rule).with_algorithm(search).find(set.view()));
            });
        }
    }
    for n in [2000, 32_000] {
        let set = swiss_roll(n);
        let rows: Vec<[f64; 3]> = (0..n).map(|i| std::array::from_fn(|j| set.view().row(i)[j])).collect();
        group.bench_with_input(BenchmarkId::new("k-d tree, one thread", n), &set, |b, set| {
            let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
            b.iter(|| {
                one.install(|| NeighborSearch::from(rule).with_algorithm(Search::KdTree).find(set.view()))
            });
        });
        group.bench_with_input(BenchmarkId::new("kiddo, one thread", n), &rows, |b, rows| {
            let asked = NonZero::new(13).expect("not zero");
            b.iter(|| {
                let tree = ImmutableKdTree::<f64, 3>::new_from_slice(rows).expect("fewer than 2³² rows");
                let near = |row| tree.query(row).nearest_n::<SquaredEuclidean<f64>>(asked).execute();
                rows.iter().map(|row| near(row).len()).sum::<usize>()
            });
        });
    }
    let set = uniform(4000, 200);
    group.bench_function("uniform, 200 dimensions", |b| {
        b.iter(|| NeighborSearch::from(rule).find(set.view()));
    });
    group.finish();
}

criterion_group!(benches, neighbors);
criterion_main!(benches);
