//! The whole method on a roll without random numbers, number by number.
//!
//! Reference: a NumPy prototype written from the formulas alone (dense
//! eigensolver, exact neighbors); its convex values agree with Clarabel.

use crate::common;

use common::{close, procrustes, uv};
use conformal_eigenmaps::settings::{Alternation, BasisSize, PatchWeight};
use conformal_eigenmaps::steps::{truncated, whiten};
use conformal_eigenmaps::{ConformalEigenmaps, FittedConformalEigenmaps, Refinement};
use embedding::{Error, Fitted, Method, Model, PointSet};
use faer::MatRef;

fn roll() -> Result<(PointSet, PointSet), Error> {
    let angle = |u: f64| 1.5 * std::f64::consts::PI * (1.0 + 2.0 * u);
    let length = |t: f64| (t * (1.0 + t * t).sqrt() + t.asinh()) / 2.0;
    let sheet = || (1..=800).map(uv).map(|(u, v)| (angle(u), 21.0 * v));
    let points = sheet().flat_map(|(t, v)| [t * t.cos(), v, t * t.sin()]).collect();
    Ok((PointSet::new(points, 3)?, PointSet::new(sheet().flat_map(|(t, v)| [length(t), v]).collect(), 2)?))
}

fn fitted(points: &PointSet, count: usize, weight: PatchWeight) -> Result<FittedConformalEigenmaps, Error> {
    let alternation = Alternation { tolerance: 1e-9, ..Alternation::default() };
    let refinement = Refinement { weight, alternation, ..Refinement::default() };
    let recipe = ConformalEigenmaps {
        basis: BasisSize::Vectors { count },
        refinement,
        ..ConformalEigenmaps::default()
    };
    recipe.fit(points.view())?.into_single()
}

#[test]
fn the_basis_is_the_reference() -> Result<(), Error> {
    let (points, _) = roll()?;
    let neighbors = common::nearest(points.view(), 10)?;
    let sum: u64 = (0..800).flat_map(|i| neighbors.indices_of(i).iter().map(|&j| u64::from(j))).sum();
    assert_eq!(sum, 3_203_598, "the neighbors differ from the neighbors of the reference");
    let fitted = fitted(&points, 12, PatchWeight::Paper)?;
    let expected = [
        1.1968743e-9,
        2.7826061e-7,
        4.7824910e-7,
        2.1107113e-6,
        3.1298351e-6,
        8.8133970e-6,
        1.4650720e-5,
        2.9694104e-5,
        4.4728227e-5,
        8.7398535e-5,
        1.1509874e-4,
        1.9368310e-4,
    ];
    for (got, want) in fitted.basis().eigenvalues().iter().zip(expected) {
        assert!(close(*got, want, 1e-6), "{got:e} is not {want:e}");
    }
    Ok(())
}

/// The cases; below them are the values of the reference for each, in this order.
const CASES: [(usize, PatchWeight); 4] =
    [(8, PatchWeight::Paper), (8, PatchWeight::Patch), (10, PatchWeight::Paper), (10, PatchWeight::Patch)];
const RAW_SCALE: [f64; 4] = [74.83336698, 0.018889948434, 99.46551270, 0.030523278986];
const BASIS_VALUE: [f64; 4] = [0.2993030179, 0.3320832215, 0.2251820955, 0.2055164169];
const CONVEX_VALUE: [f64; 4] = [1.00920697e-5, 6.00513334e-6, 6.70821033e-6, 3.21688115e-6];
const RANK_VALUE: [f64; 4] = [1.07629963e-5, 6.45158618e-6, 7.43144876e-6, 3.66712429e-6];
const SPECTRUM: [[f64; 3]; 4] = [
    [0.94584760, 0.05241400, 0.00092328],
    [0.94550551, 0.05240692, 0.00157841],
    [0.94670865, 0.05264573, 0.00064562],
    [0.94682620, 0.05249230, 0.00068151],
];
const FIRST_VARIANCE: [f64; 4] = [0.94789030, 0.94805155, 0.94779143, 0.94796422];
const ANGLE_BEFORE: f64 = 30.207;
const ANGLE_CUT: [f64; 4] = [0.7819, 0.7767, 0.7313, 0.7271];
const ANGLE_AFTER: [f64; 4] = [0.6907, 0.6847, 0.6809, 0.6766];
const PROCRUSTES_BEFORE: f64 = 0.42084;
const PROCRUSTES_CUT: [f64; 4] = [2.43e-5, 2.68e-5, 1.41e-5, 2.58e-5];
const PROCRUSTES_AFTER: [f64; 4] = [3.24e-5, 2.93e-5, 1.36e-5, 1.72e-5];

#[test]
fn the_whole_method_is_the_reference() -> Result<(), Error> {
    let (points, truth) = roll()?;
    for (case, (count, weight)) in CASES.into_iter().enumerate() {
        let fitted = fitted(&points, count, weight)?;
        let report = fitted.report();
        let convex = report.convex.as_ref().expect("the default pipeline solves the convex problem");
        let same = |what: &str, got: f64, want: f64, tolerance: f64| {
            assert!(close(got, want, tolerance), "m = {count}, {weight:?}: {what} is {got:e}, not {want:e}");
        };
        same("the scale", report.raw_scale, RAW_SCALE[case], 1e-6);
        same("the loss of the basis", report.basis_value, BASIS_VALUE[case], 1e-6);
        same("the convex optimum", convex.certificate.value, CONVEX_VALUE[case], 1e-6);
        same("the loss at rank 2", report.value, RANK_VALUE[case], 1e-6);
        for (got, want) in report.spectrum.iter().zip(SPECTRUM[case]) {
            assert!((got - want).abs() < 1e-5, "m = {count}, {weight:?}: {got} is not {want}");
        }
        let z = fitted.embedding().coordinates();
        let variances = [z.col(0).squared_norm_l2(), z.col(1).squared_norm_l2()];
        same("the first variance", variances[0] / (variances[0] + variances[1]), FIRST_VARIANCE[case], 1e-5);
        let cut_angle = report.truncated_angle_error.expect("there is a convex solution to cut");
        same("the angle error of the basis", report.angle_error_before, ANGLE_BEFORE, 2e-4);
        same("the angle error of the cut", cut_angle, ANGLE_CUT[case], 2e-4);
        same("the angle error", report.angle_error_after, ANGLE_AFTER[case], 2e-4);
        let y = whiten(fitted.basis().embedding().coordinates())?.basis;
        let cut = &y * truncated(convex.factor.as_ref(), 2)?.transpose();
        let apart = |z: MatRef<'_, f64>| procrustes(z, truth.view());
        same("Procrustes of the basis", apart(y.subcols(0, 2))?, PROCRUSTES_BEFORE, 1e-4);
        same("Procrustes of the cut", apart(cut.as_ref())?, PROCRUSTES_CUT[case], 5e-3);
        same("Procrustes", apart(z)?, PROCRUSTES_AFTER[case], 5e-3);
    }
    Ok(())
}

/// With as many basis vectors as dimensions there is little to refine, and the loss, which
/// weights patches by their own extent, can prefer a map with larger angle errors.
#[test]
fn the_better_of_lle_and_its_refinement_is_returned() -> Result<(), Error> {
    let mut kept = 0;
    for seed in 0..12 {
        let noise = common::normal(150, 20, seed);
        let curve = (0..150).flat_map(|i| {
            let t = 0.06 * f64::from(i);
            let along = move |c: usize| [t.cos() * t, t.sin() * t].get(c).copied().unwrap_or(0.0);
            let noise = &noise;
            (0..20).map(move |c| along(c) + 0.3 * noise[(i as usize, c)]).collect::<Vec<_>>()
        });
        let points = PointSet::new(curve.collect(), 20)?;
        let recipe =
            ConformalEigenmaps { basis: BasisSize::Vectors { count: 2 }, ..ConformalEigenmaps::default() };
        let Ok(fitted) = recipe.fit(&points)?.into_single() else { continue };
        let report = fitted.report();
        assert!(
            report.angle_error_after <= report.angle_error_before * (1.0 + 1e-9),
            "seed {seed}: {} after {}",
            report.angle_error_after,
            report.angle_error_before
        );
        if let Some(refined) = report.refined_angle_error {
            kept += 1;
            assert!(refined > report.angle_error_after);
            assert!(Fitted::notes(&fitted).iter().any(|note| note.contains("plain LLE: its refinement")));
        }
    }
    assert!(kept > 0, "no draw in which the refinement is worse");
    Ok(())
}
