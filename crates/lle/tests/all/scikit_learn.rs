//! Agreement with scikit-learn's dense solver, on values recorded by
//! `reference/scikit_learn.py`, which also states the versions.
#![expect(clippy::unwrap_used, reason = "tests")]

use embedding::{Method, Model, PointSet, Silent};
use faer::{Mat, MatRef};
use lle::steps::weights;
use lle::{ColumnNorm, FittedAlignment, HessianLle, Lle, Ltsa, ModifiedLle};

use crate::common;
use common::{nearest, s_curve, subspace_gap, swiss_roll};

struct Reference {
    points: PointSet,
    errors: Vec<f64>,
    members: Vec<u32>,
    weights: Vec<f64>,
    coordinates: Vec<Vec<f64>>,
}

impl Reference {
    fn all() -> [Self; 2] {
        [
            Self::read(swiss_roll(200), include_str!("../reference/swiss_roll.csv")),
            Self::read(s_curve(200), include_str!("../reference/s_curve.csv")),
        ]
    }

    fn read(points: PointSet, text: &str) -> Self {
        let mut lines = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.split(',').map(|v| v.parse().unwrap()).collect::<Vec<f64>>());
        let errors = lines.next().unwrap();
        let members = lines.next().unwrap().into_iter().map(|v| v as u32).collect();
        let weights = lines.next().unwrap();
        Self { points, errors, members, weights, coordinates: lines.collect() }
    }

    /// The two columns of a method, of norm one.
    fn of(&self, method: usize) -> Mat<f64> {
        Mat::from_fn(200, 2, |i, j| self.coordinates[i][2 * method + j])
    }

    fn agrees(&self, method: usize, y: MatRef<'_, f64>, error: f64) {
        let gap = subspace_gap(self.of(method).as_ref(), y);
        assert!(gap < 1e-6, "method {method}: sine {gap:e}");
        let expected = self.errors[method];
        assert!((error - expected).abs() < 1e-8 * expected, "{error:e}, not {expected:e}");
    }

    fn agrees_fitted<E>(&self, method: usize, fitted: &FittedAlignment<E>) {
        self.agrees(method, fitted.embedding().coordinates(), fitted.reconstruction_error());
    }
}

#[test]
fn weights_agree_with_scikit_learn() {
    for reference in Reference::all() {
        let points = reference.points.view();
        let w = weights(points, &nearest(points, 10), 1e-3, &Silent).unwrap();
        assert_eq!(w.row(7).0, reference.members);
        for (own, theirs) in w.row(7).1.iter().zip(&reference.weights) {
            assert!((own - theirs).abs() < 1e-10, "{own}, not {theirs}");
        }
    }
}

#[test]
fn standard_lle_agrees_with_scikit_learn() {
    for reference in Reference::all() {
        let recipe = Lle { scale: ColumnNorm::UnitNorm, ..Lle::default() };
        let fitted = recipe.fit(&reference.points).unwrap().into_single().unwrap();
        reference.agrees(0, fitted.embedding().coordinates(), fitted.reconstruction_error());
        // Eigenvalues are simple, so that single columns agree up to sign.
        for j in 0..2 {
            let (own, theirs) = (fitted.embedding().coordinates().col(j), reference.of(0));
            let cosine = own.transpose() * theirs.col(j);
            assert!((cosine.abs() - 1.0).abs() < 1e-9);
        }
    }
}

#[test]
fn modified_lle_agrees_with_scikit_learn() {
    for reference in Reference::all() {
        let recipe = ModifiedLle { scale: ColumnNorm::UnitNorm, ..ModifiedLle::default() };
        reference.agrees_fitted(1, &recipe.fit(&reference.points).unwrap().into_single().unwrap());
    }
}

#[test]
fn ltsa_agrees_with_scikit_learns_ltsa_and_with_its_hessian() {
    for reference in Reference::all() {
        let recipe = Ltsa { scale: ColumnNorm::UnitNorm, ..Ltsa::default() };
        let fitted = recipe.fit(&reference.points).unwrap().into_single().unwrap();
        reference.agrees_fitted(2, &fitted);
        reference.agrees_fitted(3, &fitted);
    }
}

/// The negative control: the true Hessian method is another one.
#[test]
fn hessian_lle_differs_from_scikit_learns_hessian() {
    for reference in Reference::all() {
        let recipe = HessianLle { scale: ColumnNorm::UnitNorm, ..HessianLle::default() };
        let fitted = recipe.fit(&reference.points).unwrap().into_single().unwrap();
        assert!(subspace_gap(reference.of(3).as_ref(), fitted.embedding().coordinates()) > 1e-3);
    }
}
