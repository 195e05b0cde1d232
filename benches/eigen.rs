//! Eigenproblems by stage: the alignment matrix, its trailing pairs, the
//! leading pairs of a doubly centered distance matrix.
//!
//! `cargo bench --bench eigen` in this folder

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use embedding::{Error, MemoryLimit, Silent};
use faer::Mat;
use neighbor_graph::NeighborSearch;
use spectral::centering::CenteredSquares;
use spectral::{DenseOperator, Smallest, Sparse, Tolerance};

/// I − W of locally linear embedding with 12 neighbors on a Swiss roll.
fn unexplained(n: usize) -> Result<Sparse, Error> {
    let data = datasets::generate("swiss-roll", n, 0)?;
    let points = data.points.view();
    let neighbors = NeighborSearch::nearest(12).find(points)?;
    Ok(lle::steps::residual_map(&lle::steps::weights(points, &neighbors, 1e-3, &Silent)?))
}

fn trailing(c: &mut Criterion) {
    let mut group = c.benchmark_group("eigen");
    group.sample_size(10);
    for n in [500, 2000, 8000] {
        let factor = unexplained(n).expect("a Swiss roll has weights");
        let matrix = factor.gram();
        let null = Mat::from_fn(n, 1, |_, _| 1.0 / (n as f64).sqrt());
        group.bench_function(BenchmarkId::new("gram", n), |b| b.iter(|| factor.gram()));
        for count in [2, 10] {
            let problem = Smallest {
                matrix: &matrix,
                factor: Some(&factor),
                null: &null,
                count,
                tolerance: Tolerance::default(),
                memory_limit: MemoryLimit::default(),
            };
            group.bench_function(BenchmarkId::new(format!("smallest-{count}"), n), |b| {
                b.iter(|| spectral::smallest(problem, &Silent).expect("the factor fits"));
            });
        }
    }
}

fn leading(c: &mut Criterion) {
    let mut group = c.benchmark_group("eigen");
    group.sample_size(10);
    for n in [500, 2000, 4000] {
        let data = datasets::generate("swiss-roll", n, 0).expect("a Swiss roll");
        let points = data.points.view();
        let square = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
        let squares = Mat::from_fn(n, n, |i, j| square(points.row(i), points.row(j)));
        let operator = CenteredSquares(DenseOperator(squares.as_ref()));
        group.bench_function(BenchmarkId::new("largest-3", n), |b| {
            b.iter(|| {
                spectral::largest(&operator, 3, Tolerance::default(), &Silent).expect("three dimensions")
            });
        });
    }
}

criterion_group!(benches, trailing, leading);
criterion_main!(benches);
