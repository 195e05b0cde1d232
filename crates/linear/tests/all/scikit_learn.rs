//! Agreement with scikit-learn on the same data; values by `reference/scikit_learn.py`.

use embedding::{Error, Method, PointSet, Status};
use linear::{FactorAnalysis, FastIca};

/// The additive recurrence of a prime, from 1 / n.
fn fraction(i: u32, prime: f64) -> f64 {
    (f64::from(i) * prime.sqrt()).fract()
}

const PRIMES: [f64; 15] =
    [2.0, 3.0, 5.0, 7.0, 11.0, 13.0, 17.0, 19.0, 23.0, 29.0, 31.0, 37.0, 41.0, 43.0, 47.0];

fn rows(reference: &str) -> impl Iterator<Item = Vec<&str>> {
    reference.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(',').collect())
}

/// A uniform, a two-valued and a heavy-tailed source, mixed in four columns.
fn mixtures() -> PointSet {
    const MIXING: [[f64; 3]; 4] = [[1.0, 0.5, 2.0], [-0.5, 1.0, 1.0], [0.25, -0.75, 3.0], [2.0, 0.25, -1.0]];
    let row = |i: u32| {
        let [a, b, c] = [2.0, 3.0, 5.0].map(|prime| fraction(i, prime));
        let sources = [a - 0.5, if b < 0.3 { 1.0 } else { -1.0 }, (c - 0.5).powi(5)];
        MIXING.map(|mixing| mixing.iter().zip(sources).map(|(m, s)| m * s).sum::<f64>())
    };
    PointSet::from_rows(&(1..=2000).map(row).collect::<Vec<_>>()).expect("finite")
}

#[test]
fn independent_components_are_those_of_scikit_learn() -> Result<(), Error> {
    let points = mixtures();
    for line in rows(include_str!("../reference/fast_ica.csv")) {
        let mut recipe = FastIca { dim: 3, tolerance: 1e-14, max_iterations: 5000, ..FastIca::default() };
        recipe.set("contrast", line[0])?;
        recipe.set("algorithm", line[1])?;
        let fitted = recipe.fit(&points)?;
        assert!(matches!(fitted.status(), Status::Converged { .. }), "{line:?}: {:?}", fitted.status());
        let theirs: Vec<f64> = line[2..].iter().map(|v| v.parse().expect("a number")).collect();
        // Up to order and sign.
        let mut taken = [false; 3];
        for component in theirs.chunks_exact(4) {
            let size = component.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
            let gap = |j: usize| {
                let ours = fitted.directions().col(j);
                let sign = component.iter().zip(ours.iter()).map(|(a, b)| a * b).sum::<f64>().signum();
                component
                    .iter()
                    .zip(ours.iter())
                    .map(|(a, b)| (a - sign * b).abs() / size)
                    .fold(0.0, f64::max)
            };
            let best = (0..3).min_by(|&a, &b| gap(a).total_cmp(&gap(b))).expect("three");
            assert!(gap(best) < 1e-5, "{line:?}: {:e}", gap(best));
            assert!(!std::mem::replace(&mut taken[best], true), "{line:?}: two are alike");
        }
    }
    Ok(())
}

fn noisy() -> PointSet {
    let row = |i: u32| -> Vec<f64> {
        let value = |j: usize| {
            let angle = |c: usize| (1.0 + j as f64 * (1.0 + c as f64)).sin();
            let common: f64 = (0..3).map(|c| angle(c) * (fraction(i, PRIMES[c]) - 0.5)).sum();
            common + (0.2 + 0.05 * j as f64) * (fraction(i, PRIMES[3 + j]) - 0.5)
        };
        (0..12).map(value).collect()
    };
    PointSet::from_rows(&(1..=500).map(row).collect::<Vec<_>>()).expect("finite")
}

#[test]
fn log_likelihoods_are_those_of_scikit_learn() -> Result<(), Error> {
    let digits = datasets::load("digits", &datasets::Request::default())?.points;
    for line in rows(include_str!("../reference/factor_analysis.csv")) {
        // The reference leaves out constant columns, as the method does.
        let points = if line[0] == "digits" { digits.clone() } else { noisy() };
        let dim = line[1].parse().expect("a number");
        let theirs: f64 = line[2].parse().expect("a number");
        let recipe =
            FactorAnalysis { dim, tolerance: 1e-9, max_iterations: 20_000, ..FactorAnalysis::default() };
        let fitted = recipe.fit(&points)?;
        assert!(matches!(fitted.status(), Status::Converged { .. }), "{line:?}");
        let ours = fitted.log_likelihood();
        assert!((ours - theirs).abs() < 1e-6 * theirs.abs(), "{line:?}: {ours}");
    }
    Ok(())
}
