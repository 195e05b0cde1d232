//! Eigenvalues in addition to the requested pairs: closed forms, and unchanged pairs.

use crate::common;

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use common::*;
use embedding::{Error, Observer, PointSet, Silent};
use faer::Mat;
use spectral::principal::Principal;
use spectral::{DenseOperator, Pairs, Tolerance};

/// Requests further eigenvalues, and records the reported ones.
struct Asking {
    further: usize,
    reported: Mutex<Vec<Vec<f64>>>,
}

impl Asking {
    fn new(further: usize) -> Self {
        Self { further, reported: Mutex::default() }
    }

    /// The only report.
    fn reported(self) -> Vec<f64> {
        let mut reported = self.reported.into_inner().expect("no test panics while it holds the lock");
        assert_eq!(reported.len(), 1);
        reported.remove(0)
    }
}

impl Observer for Asking {
    fn step(&self, done: usize, total: usize) -> ControlFlow<()> {
        assert!(done <= total, "{done} of {total}");
        ControlFlow::Continue(())
    }

    fn further_eigenvalues(&self) -> usize {
        self.further
    }

    fn spectrum(&self, values: &[f64]) {
        self.reported.lock().expect("no test panics while it holds the lock").push(values.to_vec());
    }
}

fn same(a: &Pairs, b: &Pairs) -> bool {
    a.values == b.values && a.vectors == b.vectors && a.residuals == b.residuals
}

#[test]
fn the_smallest_are_continued_and_their_pairs_unchanged() -> Result<(), Error> {
    for (n, count) in [(5, 2), (40, 3), (400, 2), (3000, 2)] {
        let (matrix, factor, null) = (path(n), path_differences(n), constant(n));
        for factor in [None, Some(&factor)] {
            let problem = spectral::Smallest { factor, ..problem(&matrix, &null, count) };
            let asking = Asking::new(6);
            let with = spectral::smallest(problem, &asking)?;
            assert!(same(&with, &spectral::smallest(problem, &Silent)?), "n = {n}");
            let reported = asking.reported();
            assert_eq!(reported.len(), (count + 6).min(n - 1), "n = {n}");
            assert_eq!(&reported[..count], &with.values);
            for (j, value) in reported.iter().enumerate() {
                let expected = path_value(n, j + 1);
                assert!((value - expected).abs() < 1e-9, "n = {n}, {j}: {value} is not {expected}");
            }
        }
    }
    Ok(())
}

/// Twice 1, 2, …, n / 2, by a full decomposition and by an iteration.
#[test]
fn the_largest_are_continued_and_their_pairs_unchanged() -> Result<(), Error> {
    for n in [6, 1200] {
        let value = |i: usize| (i / 2 + 1) as f64;
        let a = Mat::from_fn(n, n, |i, j| if i == j { value(i) } else { 0.0 });
        let asking = Asking::new(5);
        let with = spectral::largest(&DenseOperator(a.as_ref()), 3, Tolerance::default(), &asking)?;
        let without = spectral::largest(&DenseOperator(a.as_ref()), 3, Tolerance::default(), &Silent)?;
        assert!(same(&with, &without), "n = {n}");
        let reported = asking.reported();
        assert_eq!(reported.len(), 8.min(n));
        for (j, got) in reported.iter().enumerate() {
            assert!((got - value(n - 1 - j)).abs() < 1e-6, "n = {n}, {j}: {got}");
        }
    }
    Ok(())
}

#[test]
fn principal_variances_are_continued() -> Result<(), Error> {
    for (n, width) in [(9, 4), (4, 9)] {
        let values = (0..n * width).map(|at| ((at * at * 7 + at) % 23) as f64).collect();
        let points = PointSet::new(values, width)?;
        let (asking, all) = (Asking::new(2), n.min(width));
        let with = Principal::new(points.view(), 1, Tolerance::default(), &asking)?;
        let full = Principal::new(points.view(), all, Tolerance::default(), &Silent)?;
        let reported = asking.reported();
        assert_eq!((with.sums.len(), reported.len()), (1, 3));
        assert!(reported.iter().zip(&full.sums).all(|(a, b)| (a - b).abs() < 1e-9 * full.total));
    }
    Ok(())
}

#[test]
fn without_a_request_nothing_is_reported() -> Result<(), Error> {
    let asking = Asking::new(0);
    spectral::smallest(problem(&path(40), &constant(40), 2), &asking)?;
    spectral::largest(&DenseOperator(Mat::identity(6, 6).as_ref()), 2, Tolerance::default(), &asking)?;
    assert!(asking.reported.into_inner().expect("no test panics while it holds the lock").is_empty());
    Ok(())
}

/// Cancels once its number of further eigenvalues was read.
#[derive(Default)]
struct Impatient(AtomicBool);

impl Observer for Impatient {
    fn further_eigenvalues(&self) -> usize {
        self.0.store(true, Ordering::Relaxed);
        6
    }

    fn step(&self, _done: usize, _total: usize) -> ControlFlow<()> {
        if self.0.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn spectrum(&self, _values: &[f64]) {
        panic!("canceled before");
    }
}

#[test]
fn the_additional_work_can_be_canceled() -> Result<(), Error> {
    let n = 3000;
    let smallest = spectral::smallest(problem(&path(n), &constant(n), 2), &Impatient::default());
    assert_eq!(smallest.map(drop), Err(Error::Cancelled));
    let a = Mat::from_fn(1200, 1200, |i, j| if i == j { i as f64 } else { 0.0 });
    let operator = DenseOperator(a.as_ref());
    let largest = spectral::largest(&operator, 3, Tolerance::default(), &Impatient::default());
    assert_eq!(largest.map(drop), Err(Error::Cancelled));
    Ok(())
}
