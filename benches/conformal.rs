//! Conformal eigenmaps and maximum variance unfolding on the Swiss roll, stage by stage: n = 2,000, k = 10, m = 10.
//!
//! `cargo bench --bench conformal` in this folder

use criterion::{Criterion, criterion_group, criterion_main};
use swissroll::conformal_eigenmaps::settings::{Alternation, PatchPairs, PatchWeight};
use swissroll::conformal_eigenmaps::steps::{
    LengthLoss, Quadratic, alternate, basis_start, estimate, maximize_variance, smat, solve_by_barrier, svec,
    truncated, whiten,
};
use swissroll::conformal_eigenmaps::{Refinement, Unfolding, refine, unfold};
use swissroll::datasets::generate;
use swissroll::embedding::{MemoryLimit, Method, Model, PointSet, Silent};
use swissroll::lle::Lle;
use swissroll::neighbor_graph::{Manifold, NeighborSearch};
use swissroll::quality::RowSample;
use swissroll::quality::shape::Angles;

const N: usize = 2000;
const M: usize = 10;

fn stages(c: &mut Criterion) {
    let roll = generate("swiss-roll", N, 0).expect("2,000 points");
    let points = roll.points.view();
    let neighbors = NeighborSearch::nearest(10).find(points).expect("k < n");
    let manifold = Manifold::new(points, &neighbors);
    let lle = Lle { dim: M, ..Lle::default() }.fit(points).expect("a connected roll");
    let raw = lle.embedding().coordinates();
    let basis = whiten(raw).expect("independent eigenvectors").basis;
    let (pairs, weight, limit) = (PatchPairs::Clique, PatchWeight::Paper, MemoryLimit::default());
    let build = || {
        Quadratic::build(points, &neighbors, basis.as_ref(), pairs, weight, limit, &Silent)
            .expect("live patches")
    };
    let quadratic = build();
    let settings = Alternation::default();
    let start = basis_start(M, M);
    let tie = smat(&svec((start.transpose() * &start).as_ref()), M);
    let convex =
        alternate(&quadratic, start.as_ref(), &settings, &Silent).expect("a start of the right shape");
    let cut = truncated(convex.factor.as_ref(), 2).expect("2 ≤ m");
    let angles = Angles::new(points, &neighbors, RowSample::All).expect("one list per point");
    let map = PointSet::from_mat(basis.as_ref()).expect("finite");

    let mut group = c.benchmark_group("conformal");
    group.bench_function("quadratic form", |b| b.iter(build));
    group.bench_function("one estimate, r = m", |b| {
        b.iter(|| estimate(&quadratic, start.as_ref(), 1.0, tie.as_ref()).expect("shapes fit"))
    });
    group.bench_function("convex solution", |b| {
        b.iter(|| alternate(&quadratic, start.as_ref(), &settings, &Silent).expect("shapes fit"))
    });
    group.bench_function("rank 2 from the cut", |b| {
        b.iter(|| alternate(&quadratic, cut.as_ref(), &settings, &Silent).expect("shapes fit"))
    });
    group.bench_function("angle error", |b| b.iter(|| angles.error(map.view()).expect("shapes fit")));
    group.bench_function("whole refinement", |b| {
        b.iter(|| refine(manifold, raw, 2, &Refinement::default()).expect("a connected roll"))
    });
    let lengths = LengthLoss::build(points, &neighbors, basis.as_ref(), pairs, limit, &Silent)
        .expect("points apart from each other");
    let Unfolding { stiffness, tolerance, .. } = Unfolding::default();
    group.bench_function("variance, maximized", |b| {
        b.iter(|| maximize_variance(&lengths, stiffness, tolerance, &Silent).expect("not cancelled"))
    });
    group.bench_function("whole unfolding", |b| {
        b.iter(|| unfold(manifold, raw, 2, &Unfolding::default()).expect("a connected roll"))
    });
    group.sample_size(10);
    group.bench_function("interior-point oracle", |b| {
        b.iter(|| solve_by_barrier(&quadratic, 1e-9, &Silent).expect("not cancelled"))
    });
    group.finish();
}

criterion_group!(benches, stages);
criterion_main!(benches);
