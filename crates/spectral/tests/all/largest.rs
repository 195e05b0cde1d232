//! Leading eigenpairs against closed forms.

use crate::common;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::*;
use embedding::{Error, Observer, Silent};
use faer::{Mat, MatMut, MatRef};
use spectral::centering::{CenteredSquares, double_center};
use spectral::dense::product;
use spectral::memory::largest_bytes;
use spectral::{DenseOperator, Operator, Solver, Sparse, Tolerance, largest};

type Done = Result<(), Error>;

struct Applied(Sparse);

impl Operator for Applied {
    fn order(&self) -> usize {
        self.0.nrows()
    }

    fn apply(&self, x: MatRef<'_, f64>, out: MatMut<'_, f64>) {
        self.0.apply(x, out);
    }
}

fn diagonal(values: &[f64]) -> Applied {
    let rows = values.iter().enumerate().map(|(i, v)| vec![(i as u32, *v)]).collect();
    Applied(Sparse::from_rows(values.len(), rows).expect("a diagonal"))
}

fn leading(operator: &dyn Operator, count: usize) -> Result<spectral::Pairs, Error> {
    largest(operator, count, Tolerance::default(), &Silent)
}

#[test]
fn a_grid_has_the_eigenvalues_of_its_closed_form() -> Done {
    for (rows, columns, count) in [(1, 1, 1), (1, 2, 2), (4, 5, 20), (20, 21, 30), (45, 46, 6)] {
        let n = rows * columns;
        let pairs = leading(&Applied(grid(rows, columns)), count)?;
        let expected = grid_values(rows, columns);
        for j in 0..count {
            assert!((pairs.values[j] - expected[n - 1 - j]).abs() < 1e-11, "{rows} × {columns}, {j}");
        }
        assert!(defect(&pairs.vectors, &Mat::zeros(n, 0)) < 1e-12);
    }
    Ok(())
}

#[test]
fn algebraically_largest_not_largest_in_magnitude() -> Done {
    let n = 2000;
    let values: Vec<f64> = (0..n).map(|i| if i < 50 { -1000.0 - i as f64 } else { 1.0 / i as f64 }).collect();
    let pairs = leading(&diagonal(&values), 3)?;
    for j in 0..3 {
        assert!((pairs.values[j] - 1.0 / (50 + j) as f64).abs() < 1e-7, "{:?}", pairs.values);
    }
    Ok(())
}

#[test]
fn clusters_and_multiplicities_are_resolved() -> Done {
    let n = 3000;
    let mut values: Vec<f64> = (0..n).map(|i| 0.9 * i as f64 / n as f64).collect();
    // A fourfold eigenvalue, and two eigenvalues 10⁻⁹ apart.
    let special = [(10, 2.0), (700, 2.0), (1400, 2.0), (2999, 2.0), (5, 1.5), (6, 1.5 + 1e-9)];
    special.iter().for_each(|(i, v)| values[*i] = *v);
    let pairs = leading(&diagonal(&values), 6)?;
    for j in 0..4 {
        assert!((pairs.values[j] - 2.0).abs() < 1e-12, "{:?}", pairs.values);
    }
    assert!((pairs.values[4] - 1.5 - 1e-9).abs() < 1e-12 && (pairs.values[5] - 1.5).abs() < 1e-12);
    Ok(())
}

#[test]
fn low_rank_completes_with_orthonormal_null_vectors() -> Done {
    let n = 1200;
    let x = noise(n, 2);
    let gram = product(x.as_ref(), x.transpose());
    let pairs = leading(&DenseOperator(gram.as_ref()), 5)?;
    assert_eq!(pairs.solver, Solver::BlockKrylov);
    assert!(pairs.values[1] > 100.0 && pairs.values[2].abs() < 1e-9, "{:?}", pairs.values);
    assert!(defect(&pairs.vectors, &Mat::zeros(n, 0)) < 1e-12);
    Ok(())
}

#[test]
fn zero_and_identity_have_orthonormal_answers() -> Done {
    for n in [1, 2, 3, 4, 5, 1000] {
        for value in [0.0, 1.0, -2.0] {
            let count = n.min(3);
            let pairs = leading(&diagonal(&vec![value; n]), count)?;
            assert!(pairs.values.iter().all(|v| (v - value).abs() < 1e-14));
            assert!(defect(&pairs.vectors, &Mat::zeros(n, 0)) < 1e-12);
        }
    }
    Ok(())
}

#[test]
fn all_pairs_can_be_computed() -> Done {
    let n = 600;
    let values: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
    let mut descending = values.clone();
    descending.sort_by(|a, b| b.total_cmp(a));
    for count in [n, n - 1, n / 2] {
        let pairs = leading(&diagonal(&values), count)?;
        for (value, expected) in pairs.values.iter().zip(&descending) {
            assert!((value - expected).abs() < 1e-12);
        }
    }
    Ok(())
}

#[test]
fn double_centering_recovers_coordinates() -> Done {
    // Classical scaling of points on a plane: two eigenvalues, the rest zero.
    let n = 900;
    let x = noise(n, 2);
    let squares = Mat::from_fn(n, n, |i, j| (0..2).map(|c| (x[(i, c)] - x[(j, c)]).powi(2)).sum());
    let means: Vec<f64> = (0..2).map(|c| x.col(c).sum() / n as f64).collect();
    let centered = Mat::from_fn(n, 2, |i, c| x[(i, c)] - means[c]);
    let (expected, _) =
        spectral::dense::symmetric_eigen(product(centered.transpose(), centered.as_ref()).as_ref())?;
    let explicit = leading(&DenseOperator(double_center(squares.as_ref()).as_ref()), 3)?;
    let implicit = leading(&CenteredSquares(DenseOperator(squares.as_ref())), 3)?;
    for pairs in [explicit, implicit] {
        assert!((pairs.values[0] - expected[1]).abs() < 1e-9 * expected[1]);
        assert!((pairs.values[1] - expected[0]).abs() < 1e-9 * expected[1]);
        assert!(pairs.values[2].abs() < 1e-9 * expected[1]);
    }
    Ok(())
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let x = noise(1500, 20);
    let gram = product(x.as_ref(), x.transpose());
    on_all_thread_counts(|| {
        all_of(&leading(&DenseOperator(gram.as_ref()), 4).expect("a Gram matrix has eigenvalues"))
    });
    let small = noise(150, 20);
    let gram = product(small.as_ref(), small.transpose());
    on_all_thread_counts(|| {
        all_of(&leading(&DenseOperator(gram.as_ref()), 4).expect("a Gram matrix has eigenvalues"))
    });
}

/// Keeps the largest number of vectors to which it was applied at one time.
struct Widest(Applied, AtomicUsize);

impl Operator for Widest {
    fn order(&self) -> usize {
        self.0.order()
    }

    fn apply(&self, x: MatRef<'_, f64>, out: MatMut<'_, f64>) {
        self.1.fetch_max(x.ncols(), Ordering::Relaxed);
        self.0.apply(x, out);
    }
}

#[test]
fn the_estimate_has_the_largest_block_and_the_memory_of_both_solvers() -> Done {
    let cases = [(300, 3, Solver::Dense), (1000, 3, Solver::BlockKrylov), (340, 16, Solver::Dense)];
    for (n, count, solver) in cases {
        let values: Vec<f64> = (0..n).map(|i| i as f64).collect();
        let operator = Widest(diagonal(&values), AtomicUsize::new(0));
        assert_eq!(leading(&operator, count)?.solver, solver);
        let (bytes, widest) = largest_bytes(n, count);
        assert_eq!(operator.1.into_inner(), widest, "{solver:?}");
        // A matrix with its vectors, or a basis with its image.
        let columns = if solver == Solver::Dense { 2 * n } else { 2 * (count + 5 * widest) };
        let least = (8 * n * columns) as u64;
        assert!((least..=2 * least).contains(&bytes), "{solver:?}: {bytes} of {least}");
    }
    Ok(())
}

#[test]
fn an_unreachable_tolerance_is_an_error_with_the_residual() {
    let operator = Applied(path(4000));
    let tolerance = Tolerance::new(1e-12).expect("a legal tolerance").with_applications(10);
    match largest(&operator, 2, tolerance, &Silent) {
        Err(Error::NoConvergence { residual, tolerance, iterations, .. }) => {
            assert!(residual > 1e-12 && residual < 1.0, "{residual}");
            assert_eq!((tolerance, iterations), (1e-12, 10));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_operator_that_is_not_finite_is_an_error() {
    for n in [3, 1000] {
        let operator = diagonal(&vec![f64::INFINITY; n]);
        assert!(matches!(leading(&operator, 2), Err(Error::Degenerate { .. })));
    }
}

#[test]
fn counts_beyond_the_order_are_refused() {
    for count in [0, 4] {
        assert!(matches!(leading(&diagonal(&[1.0; 3]), count), Err(Error::Parameter { .. })));
    }
}

struct Until(usize, AtomicUsize);

impl Observer for Until {
    fn step(&self, done: usize, total: usize) -> ControlFlow<()> {
        assert!(done <= total);
        let before = self.1.fetch_add(1, Ordering::Relaxed);
        if before >= self.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn an_observer_may_cancel() {
    let operator = Applied(path(4000));
    for calls in [0, 1, 5] {
        let observer = Until(calls, AtomicUsize::new(0));
        let outcome = largest(&operator, 2, Tolerance::default(), &observer);
        assert!(matches!(outcome, Err(Error::Cancelled)));
        assert_eq!(observer.1.load(Ordering::Relaxed), calls + 1);
    }
}
