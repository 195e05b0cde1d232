//! Agreement with scikit-learn's dense solver, on values recorded by
//! `reference/scikit_learn.py`, which also states the versions.
#![expect(clippy::unwrap_used, reason = "tests")]

use std::f64::consts::PI;

use embedding::{Method, Model, PointSet, Transform};
use faer::Mat;
use isomap::{Isomap, Precision};

/// The sheet coordinates that the script draws.
fn sheet(i: usize) -> (f64, f64) {
    let i = i as f64;
    ((i * 0.754_877_666_246_692_7).fract(), (i * i * 0.569_840_290_998_053_2).fract())
}

fn points(rows: std::ops::RangeInclusive<usize>, place: impl Fn(f64, f64) -> [f64; 3]) -> PointSet {
    PointSet::new(rows.map(sheet).flat_map(|(u, v)| place(u, v)).collect(), 3).unwrap()
}

fn agrees(place: impl Fn(f64, f64) -> [f64; 3], text: &str) {
    let mut lines = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split(',').map(|v| v.parse().unwrap()).collect::<Vec<f64>>());
    let error = lines.next().unwrap()[0];
    let rows: Vec<Vec<f64>> = lines.collect();
    let expected = Mat::from_fn(220, 2, |i, j| rows[i][j]);
    let (train, new) = (points(1..=200, &place), points(201..=220, &place));
    for (precision, tolerance) in [(Precision::Double, 1e-9), (Precision::Single, 1e-6)] {
        let fitted = Isomap { precision, ..Isomap::default() }.fit(&train).unwrap().into_single().unwrap();
        let (old, new) = (fitted.embedding().coordinates(), fitted.transform(new.view()).unwrap());
        let scale = old.norm_max();
        for j in 0..2 {
            // Signs are canonical on both sides, but by different columns.
            let sign = (old[(0, j)] * expected[(0, j)]).signum();
            for i in 0..220 {
                let ours = if i < 200 { old[(i, j)] } else { new[(i - 200, j)] };
                let gap = (sign * ours - expected[(i, j)]).abs();
                assert!(gap < tolerance * scale, "{precision:?}: ({i}, {j}) differs by {gap:e}");
            }
        }
        assert!((fitted.scaling().reconstruction_error() / error - 1.0).abs() < tolerance);
    }
}

#[test]
fn coordinates_of_a_swiss_roll_agree_with_scikit_learn() {
    let place = |u: f64, v: f64| {
        let t = 1.5 * PI * (1.0 + 2.0 * u);
        [t * t.cos(), 21.0 * v, t * t.sin()]
    };
    agrees(place, include_str!("../reference/swiss_roll.csv"));
}

#[test]
fn coordinates_of_an_s_curve_agree_with_scikit_learn() {
    let place = |u: f64, v: f64| {
        let t = 3.0 * PI * (u - 0.5);
        [t.sin(), 2.0 * v, t.signum() * (t.cos() - 1.0)]
    };
    agrees(place, include_str!("../reference/s_curve.csv"));
}
