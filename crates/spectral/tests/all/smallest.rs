//! Smallest eigenpairs against closed forms.

use crate::common;

use common::*;
use std::ops::ControlFlow;
use std::sync::Mutex;

use embedding::{Error, MemoryLimit, Observer, Silent};
use faer::Mat;
use spectral::{Smallest, Solver, Sparse, Tolerance};

type Done = Result<(), Error>;

#[test]
fn a_path_has_the_eigenvalues_of_its_closed_form() -> Done {
    for (n, count) in [(2, 1), (3, 2), (5, 4), (40, 10), (400, 12), (3000, 5), (5000, 30)] {
        let null = constant(n);
        let matrix = path(n);
        let pairs = smallest(&matrix, &null, count)?;
        for (j, value) in pairs.values.iter().enumerate() {
            let expected = path_value(n, j + 1);
            assert!((value - expected).abs() < ROUNDING, "n = {n}, {j}: {value} is not {expected}");
        }
        assert!(defect(&pairs.vectors, &null) < ROUNDING, "n = {n}");
        assert!(pairs.residuals.iter().all(|r| *r < 4e-10), "n = {n}: {:?}", pairs.residuals);
    }
    Ok(())
}

#[test]
fn eigenvectors_of_a_path_are_cosines_with_a_positive_largest_entry() -> Done {
    let n = 2500;
    let pairs = smallest(&path(n), &constant(n), 3)?;
    for j in 0..3 {
        let cosine = |i: usize| {
            let angle = std::f64::consts::PI * (j + 1) as f64 * (i as f64 + 0.5) / n as f64;
            (2.0 / n as f64).sqrt() * angle.cos()
        };
        let sign = pairs.vectors[(0, j)].signum();
        let worst = (0..n).map(|i| (pairs.vectors[(i, j)] - sign * cosine(i)).abs()).fold(0.0, f64::max);
        assert!(worst < 1e-9, "vector {j} is off by {worst}");
    }
    // Both end entries have equal magnitude; the first one decides the sign.
    assert!(pairs.vectors[(0, 0)] > 0.0);
    Ok(())
}

#[test]
fn the_factor_keeps_a_tiny_eigenvalue_accurate() -> Done {
    let n = 20_000;
    let (matrix, factor, null) = (path(n), path_differences(n), constant(n));
    let pairs =
        spectral::smallest(Smallest { factor: Some(&factor), ..problem(&matrix, &null, 3) }, &Silent)?;
    assert_eq!(pairs.solver, Solver::ShiftInvert);
    for (j, value) in pairs.values.iter().enumerate() {
        let expected = path_value(n, j + 1);
        assert!((value / expected - 1.0).abs() < 1e-9, "{value} is not {expected}");
    }
    Ok(())
}

#[test]
fn double_eigenvalues_come_out_twice() -> Done {
    for n in [30, 3001] {
        let null = constant(n);
        let pairs = smallest(&cycle(n), &null, 5)?;
        for (j, value) in pairs.values.iter().enumerate() {
            let expected = cycle_value(n, j / 2 + 1);
            assert!((value - expected).abs() < ROUNDING, "n = {n}, {j}: {value} is not {expected}");
        }
        assert!(defect(&pairs.vectors, &null) < ROUNDING);
    }
    Ok(())
}

#[test]
fn a_square_grid_shows_its_pairs_of_equal_eigenvalues() -> Done {
    let (side, count) = (50, 12);
    let pairs = smallest(&grid(side, side), &constant(side * side), count)?;
    let expected = grid_values(side, side);
    for j in 0..count {
        assert!((pairs.values[j] - expected[j + 1]).abs() < ROUNDING);
    }
    Ok(())
}

#[test]
fn undeclared_null_vectors_are_found_as_zeros() -> Done {
    // Three disconnected paths; only the constant over all of them is deflated.
    for third in [5, 800] {
        let n = 3 * third;
        let edges = (1..n).filter(|i| i % third != 0).map(|i| (i - 1, i));
        let matrix = incidence(n, edges).gram();
        let null = constant(n);
        let pairs = smallest(&matrix, &null, 4)?;
        assert!(pairs.values[0] < ROUNDING && pairs.values[1] < ROUNDING, "{:?}", pairs.values);
        assert!((pairs.values[2] - path_value(third, 1)).abs() < ROUNDING);
        assert!((pairs.values[3] - path_value(third, 1)).abs() < ROUNDING);
        assert!(defect(&pairs.vectors, &null) < ROUNDING);
    }
    Ok(())
}

#[test]
fn all_declared_null_vectors_are_deflated() -> Done {
    for third in [5, 800] {
        let n = 3 * third;
        let edges = (1..n).filter(|i| i % third != 0).map(|i| (i - 1, i));
        let matrix = incidence(n, edges).gram();
        let null = Mat::from_fn(n, 3, |i, c| if i / third == c { 1.0 / (third as f64).sqrt() } else { 0.0 });
        let pairs = smallest(&matrix, &null, 6)?;
        for (j, value) in pairs.values.iter().enumerate() {
            let expected = path_value(third, j / 3 + 1);
            assert!((value - expected).abs() < ROUNDING, "{value} is not {expected}");
        }
        assert!(defect(&pairs.vectors, &null) < ROUNDING);
    }
    Ok(())
}

#[test]
fn without_null_vectors_the_constant_is_an_ordinary_eigenvector() -> Done {
    for n in [1, 2, 5, 2000] {
        let none = Mat::zeros(n, 0);
        let pairs = smallest(&path(n), &none, 1)?;
        assert!(pairs.values[0] < ROUNDING);
        let expected = 1.0 / (n as f64).sqrt();
        assert!(pairs.vectors.col(0).iter().all(|v| (v - expected).abs() < 1e-9), "n = {n}");
    }
    Ok(())
}

#[test]
fn the_zero_matrix_has_orthonormal_answers() -> Done {
    for n in [1, 2, 5, 1500] {
        let matrix = Sparse::from_rows(n, vec![Vec::new(); n])?;
        let null = constant(n);
        let count = (n - 1).min(3);
        if count == 0 {
            assert!(smallest(&matrix, &null, 1).is_err());
            continue;
        }
        let pairs = smallest(&matrix, &null, count)?;
        assert!(pairs.values.iter().all(|v| *v == 0.0));
        assert!(defect(&pairs.vectors, &null) < ROUNDING);
    }
    Ok(())
}

#[test]
fn nearly_all_pairs_can_be_computed() -> Done {
    let n = 1200;
    let null = constant(n);
    let pairs = smallest(&path(n), &null, n - 1)?;
    for (j, value) in pairs.values.iter().enumerate() {
        assert!((value - path_value(n, j + 1)).abs() < 1e-11);
    }
    assert!(defect(&pairs.vectors, &null) < 1e-11);
    Ok(())
}

#[test]
fn eigenvalues_scale_with_the_matrix() -> Done {
    let n = 2000;
    let null = constant(n);
    let plain = smallest(&path(n), &null, 4)?;
    for scale in [1e-12, 1e12] {
        let rows = (0..n).map(|i| {
            let matrix = path(n);
            let (columns, values) = matrix.row(i);
            columns.iter().zip(values).map(|(c, v)| (*c, scale * v)).collect()
        });
        let scaled = smallest(&Sparse::from_rows(n, rows.collect())?, &null, 4)?;
        for j in 0..4 {
            assert!((scaled.values[j] / scale - plain.values[j]).abs() < ROUNDING);
        }
    }
    Ok(())
}

#[test]
fn the_residuals_are_those_of_the_pairs() -> Done {
    let matrix = grid(40, 41);
    let pairs = smallest(&matrix, &constant(1640), 5)?;
    let relative = residual(&matrix, &pairs) / matrix.norm_bound();
    assert!((pairs.residuals.iter().fold(0.0_f64, |m, r| m.max(*r)) - relative).abs() < 1e-13);
    Ok(())
}

/// Small and large enough for the full decomposition and for a factorization.
#[test]
fn residuals_do_not_depend_on_the_units_of_the_matrix() -> Done {
    for rows in [9, 40] {
        let matrix = grid(rows, 41);
        let n = matrix.nrows();
        let scaled = |i: usize| {
            let (js, values) = matrix.row(i);
            js.iter().zip(values).map(|(&j, v)| (j, v * 2f64.powi(40))).collect()
        };
        let large = Sparse::from_rows(n, (0..n).map(scaled).collect())?;
        let (pairs, larger) = (smallest(&matrix, &constant(n), 5)?, smallest(&large, &constant(n), 5)?);
        for (r, s) in pairs.residuals.iter().zip(&larger.residuals) {
            assert!(*s <= 1e-10 && (r - s).abs() < 1e-13, "{r:e} and {s:e}");
        }
    }
    Ok(())
}

/// A shift that exceeds it makes the matrix definite.
#[test]
fn a_negative_eigenvalue_of_rounding_is_zero() -> Done {
    let n = 1500;
    let rows = (0..n).map(|i| vec![(i as u32, if i == 700 { -5e-13 } else { 1.0 })]).collect();
    let pairs = smallest(&Sparse::from_rows(n, rows)?, &Mat::zeros(n, 0), 1)?;
    assert_eq!((pairs.values[0], pairs.solver), (0.0, Solver::ShiftInvert));
    assert!((pairs.vectors[(700, 0)] - 1.0).abs() < 1e-9);
    Ok(())
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let matrix = grid(60, 61);
    let null = constant(60 * 61);
    on_all_thread_counts(|| all_of(&smallest(&matrix, &null, 4).expect("a grid has eigenvalues")));
    let matrix = grid(10, 11);
    let null = constant(110);
    on_all_thread_counts(|| all_of(&smallest(&matrix, &null, 4).expect("a grid has eigenvalues")));
}

#[test]
fn an_unreachable_tolerance_is_an_error_with_the_residual() {
    let (matrix, null) = (grid(40, 41), constant(1640));
    let tolerance = Tolerance::new(1e-30).expect("a legal tolerance").with_applications(5);
    match spectral::smallest(Smallest { tolerance, ..problem(&matrix, &null, 4) }, &Silent) {
        Err(Error::NoConvergence { residual, tolerance, iterations, .. }) => {
            assert!(residual > 0.0 && residual < 1.0, "{residual}");
            assert_eq!(tolerance, 1e-30);
            assert!(iterations > 0);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_indefinite_matrix_is_refused() {
    let n = 1500;
    let rows = (0..n).map(|i| vec![(i as u32, if i == 700 { -1.0 } else { 1.0 })]).collect();
    let matrix = Sparse::from_rows(n, rows).expect("a diagonal");
    let none = Mat::zeros(n, 0);
    assert!(matches!(smallest(&matrix, &none, 2), Err(Error::Degenerate { .. })));
}

#[test]
fn counts_beyond_the_order_are_refused() {
    let (matrix, null) = (path(5), constant(5));
    for count in [0, 5, 6] {
        assert!(matches!(smallest(&matrix, &null, count), Err(Error::Parameter { .. })));
    }
}

#[test]
fn a_matrix_that_is_not_finite_is_refused() -> Done {
    for n in [3, 1000] {
        for bad in [f64::NAN, f64::INFINITY] {
            let rows = (0..n).map(|i| vec![(i as u32, if i == 1 { bad } else { 1.0 })]).collect();
            let none = Mat::zeros(n, 0);
            assert!(matches!(
                smallest(&Sparse::from_rows(n, rows)?, &none, 1),
                Err(Error::Degenerate { .. })
            ));
        }
    }
    Ok(())
}

/// Records every step; cancels at a given one.
struct Recorder(Mutex<Vec<(usize, usize)>>, usize);

impl Observer for Recorder {
    fn step(&self, done: usize, total: usize) -> ControlFlow<()> {
        let mut steps = self.0.lock().expect("no step panics");
        steps.push((done, total));
        if steps.len() > self.1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn the_observer_receives_progress_to_the_end_and_may_cancel() -> Done {
    let (matrix, null) = (scrambled(1600), constant(1600));
    let all = spectral::memory::solving_bytes(&problem(&matrix, &null, 3))?;
    let single = all - spectral::memory::factor_bytes(&matrix)? / 2;
    for bytes in [all, all - 1, single - 1] {
        let problem = Smallest { memory_limit: MemoryLimit::new(bytes), ..problem(&matrix, &null, 3) };
        let recorder = Recorder(Mutex::default(), usize::MAX);
        spectral::smallest(problem, &recorder)?;
        let steps = recorder.0.into_inner().expect("no step panics");
        assert!(steps.len() > 4 && steps.is_sorted());
        let total = steps[0].1;
        assert!(steps[0].0 == 0 && steps[steps.len() - 1] == (total, total));
        let hasty = Recorder(Mutex::default(), 3);
        assert_eq!(spectral::smallest(problem, &hasty).err(), Some(Error::Cancelled));
        assert_eq!(hasty.0.into_inner().expect("no step panics").len(), 4);
    }
    Ok(())
}

/// B = I − W of clusters in a chain: row i of W averages six random members of its cluster; the first and the last
/// member of a cluster give `weight` to the neighboring cluster.
fn chain_of_clusters(clusters: usize, size: usize, weight: f64) -> Sparse {
    let mut state = 1_u64;
    let mut random = move |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let n = clusters * size;
    let row = |i: usize| {
        let (first, at) = (i / size * size, i % size);
        let other = match at {
            0 if i > 0 => Some(i - 1),
            at if at == size - 1 && i + 1 < n => Some(i + 1),
            _ => None,
        };
        let mut entries = std::collections::BTreeMap::from([(i as u32, 1.0)]);
        let own = 1.0 - other.map_or(0.0, |_| weight);
        for _ in 0..6 {
            let j = first + (at + 1 + random(size - 1)) % size;
            *entries.entry(j as u32).or_insert(0.0) -= own / 6.0;
        }
        if let Some(j) = other {
            *entries.entry(j as u32).or_insert(0.0) -= weight;
        }
        entries.into_iter().collect()
    };
    Sparse::from_rows(n, (0..n).map(row).collect()).expect("columns below n")
}

/// Eigenvalues of 1e-12, 1e-16 and 1e-20 next to ordinary ones: the inverse has rounding errors above the
/// tolerance for the others, and the pairs are polished on M.
#[test]
fn eigenvalues_near_rounding_level_leave_the_others_accurate() -> Done {
    let (clusters, count) = (3, 10);
    let null = constant(clusters * 100);
    for weight in [1e-4, 1e-6, 1e-8] {
        let b = chain_of_clusters(clusters, 100, weight);
        let matrix = b.gram();
        let problem = Smallest { factor: Some(&b), ..problem(&matrix, &null, count) };
        let pairs = spectral::smallest(problem, &Silent)?;
        assert_eq!(pairs.solver, Solver::ShiftInvert);
        let tolerance = 1e-10 * matrix.norm_bound();
        assert!(residual(&matrix, &pairs) <= tolerance, "{weight:e}");
        assert!(defect(&pairs.vectors, &null) < ROUNDING, "{weight:e}");
        let (expected, _) = spectral::dense::symmetric_eigen(matrix.to_dense().as_ref())?;
        for (value, expected) in pairs.values.iter().zip(&expected[1..]) {
            assert!((value - expected).abs() <= tolerance, "{weight:e}: {value:e} is not {expected:e}");
        }
        let tiny = pairs.values.iter().filter(|value| **value < 1e3 * weight * weight).count();
        assert_eq!(tiny, clusters - 1, "{weight:e}: {:?}", pairs.values);
    }
    Ok(())
}
