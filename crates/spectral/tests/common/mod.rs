//! Matrices whose eigenpairs are known in closed form.
#![allow(dead_code, reason = "each test file uses some of these")]

use std::f64::consts::PI;

use embedding::{Error, MemoryLimit, Silent};
use faer::Mat;
use spectral::dense::product;
use spectral::{Pairs, Smallest, Sparse, Tolerance};

/// Returns the Laplacian of a path of `n` nodes, with eigenvalues 4 sin²(π j / 2n).
pub(crate) fn path(n: usize) -> Sparse {
    incidence(n, (1..n).map(|i| (i - 1, i))).gram()
}

/// Returns the incidence matrix B of a path; its Laplacian is BᵀB.
pub(crate) fn path_differences(n: usize) -> Sparse {
    incidence(n, (1..n).map(|i| (i - 1, i)))
}

pub(crate) fn path_value(n: usize, j: usize) -> f64 {
    4.0 * (PI * j as f64 / (2 * n) as f64).sin().powi(2)
}

/// Returns the Laplacian of a cycle of `n` nodes; all eigenvalues but one or two are
/// double.
pub(crate) fn cycle(n: usize) -> Sparse {
    incidence(n, (0..n).map(|i| (i, (i + 1) % n))).gram()
}

pub(crate) fn cycle_value(n: usize, j: usize) -> f64 {
    4.0 * (PI * j as f64 / n as f64).sin().powi(2)
}

/// Returns the Laplacian of a grid, whose eigenvalues are sums of the eigenvalues of two paths.
pub(crate) fn grid(rows: usize, columns: usize) -> Sparse {
    let at = |i: usize, j: usize| i * columns + j;
    let down = (1..rows).flat_map(|i| (0..columns).map(move |j| (at(i - 1, j), at(i, j))));
    let across = (0..rows).flat_map(|i| (1..columns).map(move |j| (at(i, j - 1), at(i, j))));
    incidence(rows * columns, down.chain(across)).gram()
}

pub(crate) fn grid_values(rows: usize, columns: usize) -> Vec<f64> {
    let all = (0..rows).flat_map(|i| (0..columns).map(move |j| path_value(rows, i) + path_value(columns, j)));
    let mut all: Vec<f64> = all.collect();
    all.sort_by(f64::total_cmp);
    all
}

pub(crate) fn incidence(n: usize, edges: impl Iterator<Item = (usize, usize)>) -> Sparse {
    let rows = edges.map(|(a, b)| vec![(a as u32, -1.0), (b as u32, 1.0)]).collect();
    Sparse::from_rows(n, rows).expect("edges join nodes")
}

/// 1/√n.
pub(crate) fn constant(n: usize) -> Mat<f64> {
    Mat::from_fn(n, 1, |_, _| 1.0 / (n as f64).sqrt())
}

pub(crate) fn problem<'a>(matrix: &'a Sparse, null: &'a Mat<f64>, count: usize) -> Smallest<'a> {
    Smallest {
        matrix,
        factor: None,
        null,
        count,
        tolerance: Tolerance::default(),
        memory_limit: MemoryLimit::default(),
    }
}

pub(crate) fn smallest(matrix: &Sparse, null: &Mat<f64>, count: usize) -> Result<Pairs, Error> {
    spectral::smallest(problem(matrix, null, count), &Silent)
}

/// Returns the largest magnitude in VᵀV − I and ZᵀV.
pub(crate) fn defect(vectors: &Mat<f64>, null: &Mat<f64>) -> f64 {
    let gram = product(vectors.transpose(), vectors.as_ref());
    let ideal = |i, j| if i == j { 1.0 } else { 0.0 };
    let error = Mat::from_fn(gram.nrows(), gram.ncols(), |i, j| gram[(i, j)] - ideal(i, j));
    error.norm_max().max(product(null.transpose(), vectors.as_ref()).norm_max())
}

/// Returns the largest column norm of A V − V Λ, by a separate product.
pub(crate) fn residual(matrix: &Sparse, pairs: &Pairs) -> f64 {
    let image = product(matrix.to_dense().as_ref(), pairs.vectors.as_ref());
    let square = |j: usize| {
        let entries = image.col(j).iter().zip(pairs.vectors.col(j).iter());
        entries.map(|(a, v)| (a - pairs.values[j] * v).powi(2)).sum::<f64>()
    };
    (0..pairs.values.len()).map(|j| square(j).sqrt()).fold(0.0, f64::max)
}

/// Runs on one, two and four threads and asserts identical bytes.
pub(crate) fn on_all_thread_counts(run: impl Fn() -> Vec<f64> + Sync) {
    let bytes = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads start");
        pool.install(&run).iter().map(|v| v.to_bits()).collect::<Vec<u64>>()
    };
    let one = bytes(1);
    assert!(!one.is_empty());
    assert!(one == bytes(2), "one and two threads differ");
    assert!(one == bytes(4), "one and four threads differ");
}

/// Returns all numbers of a result in one vector.
pub(crate) fn all_of(pairs: &Pairs) -> Vec<f64> {
    let vectors = embedding::implement::matrix::to_rows(pairs.vectors.as_ref());
    [pairs.values.clone(), pairs.residuals.clone(), vectors].concat()
}

/// Returns deterministic pseudorandom entries in (−1, 1).
pub(crate) fn noise(nrows: usize, ncols: usize) -> Mat<f64> {
    let mut state = 1_u64;
    Mat::from_fn(nrows, ncols, |_, _| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    })
}

/// Rounding errors of a computation with an operator of norm 4.
pub(crate) const ROUNDING: f64 = 1e-12;

/// Returns a cycle with random chords.
pub(crate) fn scrambled(n: usize) -> Sparse {
    let ring = (0..n).map(|i| (i, (i + 1) % n));
    let chords = (0..n).flat_map(|i| [(i, (i * 7 + i * i + 5) % n), (i, (i * 31 + 11) % n)]);
    incidence(n, ring.chain(chords.filter(|(a, b)| a != b))).gram()
}
