//! The locally linear family by stage, on Swiss rolls with 12 neighbors.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use swissroll::datasets::synthetic::swiss_roll;
use swissroll::embedding::{DynMethod, MemoryLimit, PointSet, Silent};
use swissroll::lle::steps::{
    alignment, hessian_alignment, modified_alignment, residual_map, spectral_basis, tangent_alignment,
    weights,
};
use swissroll::lle::{HessianLle, Lle, Ltsa, ModifiedLle};
use swissroll::neighbor_graph::{NeighborSearch, Neighborhood, Neighbors};
use swissroll::spectral::Tolerance;

const NEAREST: Neighborhood = Neighborhood::Nearest { k: 12 };

fn data(n: usize) -> (PointSet, Neighbors) {
    let points = swiss_roll(n, 1).expect("n is positive").points;
    let neighbors = NeighborSearch::from(NEAREST).find(points.view()).expect("12 is less than n");
    (points, neighbors)
}

fn stages(c: &mut Criterion) {
    for n in [500, 2000, 8000] {
        let (points, neighbors) = data(n);
        let points = points.view();
        let w = weights(points, &neighbors, 1e-3, &Silent).expect("no point coincides with all others");
        let b = residual_map(&w);
        let m = alignment(&b, &Silent).expect("not canceled");
        let mut group = c.benchmark_group("lle stages");
        group.sample_size(20);
        let mut stage = |name: &str, work: &dyn Fn()| {
            group.bench_function(BenchmarkId::new(name, n), |bencher| bencher.iter(work));
        };
        stage("weights", &|| drop(weights(points, &neighbors, 1e-3, &Silent)));
        stage("alignment", &|| drop(alignment(&b, &Silent)));
        stage("modified alignment", &|| drop(modified_alignment(points, &neighbors, 2, 1e-3, &Silent)));
        stage("tangent alignment", &|| drop(tangent_alignment(points, &neighbors, 2, &Silent)));
        stage("hessian alignment", &|| drop(hessian_alignment(points, &neighbors, 2, &Silent)));
        stage("eigenvectors", &|| {
            let pairs =
                spectral_basis(&m, Some(&b), 2, Tolerance::default(), MemoryLimit::default(), &Silent);
            pairs.expect("the roll is connected");
        });
    }
}

fn methods(c: &mut Criterion) {
    let recipes: [Box<dyn DynMethod>; 4] = [
        Box::new(Lle { neighborhood: NEAREST, ..Lle::default() }),
        Box::new(ModifiedLle { neighborhood: NEAREST, ..ModifiedLle::default() }),
        Box::new(Ltsa { neighborhood: NEAREST, ..Ltsa::default() }),
        Box::new(HessianLle { neighborhood: NEAREST, ..HessianLle::default() }),
    ];
    let mut group = c.benchmark_group("lle methods");
    group.sample_size(10);
    for n in [500, 2000, 8000] {
        let (points, _) = data(n);
        for recipe in &recipes {
            group.bench_function(BenchmarkId::new(recipe.about().name, n), |bencher| {
                bencher.iter(|| recipe.fit_dyn(&(&points).into()).expect("the roll is connected"));
            });
        }
    }
}

criterion_group!(benches, stages, methods);
criterion_main!(benches);
