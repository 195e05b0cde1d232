//! Agreement with dense generalized eigenproblems of scipy on lists and matrices that Python
//! computed by itself; values by `reference/dense.py`.

use embedding::{Error, Method, PointSet};
use linear_projections::{FittedProjection, Lltsa, Lpp, Neighborhood, Npe};

/// 300 points near a part of a cylinder in five dimensions.
fn points() -> PointSet {
    let row = |i: u32| {
        let fraction = |prime: f64| (f64::from(i) * prime.sqrt()).fract();
        let [u, v, w, q] = [2.0, 3.0, 5.0, 7.0].map(fraction);
        [(3.0 * u).cos(), (3.0 * u).sin(), v, 0.2 * w, 0.3 * u + 0.1 * q]
    };
    PointSet::from_rows(&(1..=300).map(row).collect::<Vec<_>>()).expect("finite")
}

fn agrees(name: &str, model: &FittedProjection) {
    let line = include_str!("../reference/dense.csv").lines().find(|line| line.starts_with(name));
    let numbers = line.expect("recorded").split(',').skip(1).map(|v| v.parse().expect("a number"));
    let numbers: Vec<f64> = numbers.collect();
    let (values, directions) = numbers.split_at(2);
    for j in 0..2 {
        let (ours, theirs) = (model.eigenvalues()[j], values[j]);
        assert!((ours - theirs).abs() < 1e-11 * values[1], "{name}: eigenvalue {ours} for {theirs}");
        let theirs = &directions[5 * j..5 * (j + 1)];
        let ours = model.directions().col(j);
        let sign = theirs.iter().zip(ours.iter()).map(|(a, b)| a * b).sum::<f64>().signum();
        let size = theirs.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        for (a, b) in theirs.iter().zip(ours.iter()) {
            assert!((a - sign * b).abs() < 1e-9 * size, "{name}: {b} for {a}");
        }
    }
}

const NEAREST: Neighborhood = Neighborhood::Nearest { k: 9 };

#[test]
fn lpp_solves_its_dense_generalized_eigenproblem() -> Result<(), Error> {
    agrees("lpp", Lpp { neighborhood: NEAREST, ..Lpp::default() }.fit(&points())?.single()?);
    Ok(())
}

#[test]
fn npe_solves_its_dense_generalized_eigenproblem() -> Result<(), Error> {
    agrees("npe", Npe { neighborhood: NEAREST, ..Npe::default() }.fit(&points())?.single()?);
    Ok(())
}

#[test]
fn lltsa_solves_its_dense_generalized_eigenproblem() -> Result<(), Error> {
    agrees("lltsa", Lltsa { neighborhood: NEAREST, ..Lltsa::default() }.fit(&points())?.single()?);
    Ok(())
}
