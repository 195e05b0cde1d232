//! The whole method on a roll without random numbers, number by number.
//!
//! Reference: a NumPy prototype written from the formulas alone (dense
//! eigensolver, exact neighbors); its convex values agree with Clarabel.

mod common;

use common::{close, procrustes, uv};
use conformal_eigenmaps::{
    Alternation, BasisSize, ConformalEigenmaps, FittedConformalEigenmaps, PatchWeight, Refinement,
};
use embedding::{Error, Model, PointSet, Silent};

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
    recipe.fit(points.view(), &Silent)
}

#[test]
fn the_basis_is_the_reference() -> Result<(), Error> {
    let (points, _) = roll()?;
    let neighbors = common::nearest(points.view(), 10)?;
    let sum: u64 = (0..800).flat_map(|i| neighbors.of(i).0.iter().map(|&j| u64::from(j))).sum();
    assert_eq!(sum, 3_203_598, "the neighbors are not those of the reference");
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

struct Reference {
    count: usize,
    weight: PatchWeight,
    raw_scale: f64,
    basis_value: f64,
    convex: f64,
    rank: f64,
    spectrum: [f64; 3],
    variances: [f64; 2],
    angles: [f64; 3],
    procrustes: f64,
}

const REFERENCES: [Reference; 4] = [
    Reference {
        count: 8,
        weight: PatchWeight::Paper,
        raw_scale: 74.83336698,
        basis_value: 0.2993030179,
        convex: 1.00920697e-5,
        rank: 1.07629963e-5,
        spectrum: [0.94584760, 0.05241400, 0.00092328],
        variances: [0.94789030, 0.05210970],
        angles: [30.207, 0.7819, 0.6907],
        procrustes: 3.24e-5,
    },
    Reference {
        count: 8,
        weight: PatchWeight::Patch,
        raw_scale: 0.018889948434,
        basis_value: 0.3320832215,
        convex: 6.00513334e-6,
        rank: 6.45158618e-6,
        spectrum: [0.94550551, 0.05240692, 0.00157841],
        variances: [0.94805155, 0.05194845],
        angles: [30.207, 0.7767, 0.6847],
        procrustes: 2.93e-5,
    },
    Reference {
        count: 10,
        weight: PatchWeight::Paper,
        raw_scale: 99.46551270,
        basis_value: 0.2251820955,
        convex: 6.70821033e-6,
        rank: 7.43144876e-6,
        spectrum: [0.94670865, 0.05264573, 0.00064562],
        variances: [0.94779143, 0.05220857],
        angles: [30.207, 0.7313, 0.6809],
        procrustes: 1.36e-5,
    },
    Reference {
        count: 10,
        weight: PatchWeight::Patch,
        raw_scale: 0.030523278986,
        basis_value: 0.2055164169,
        convex: 3.21688115e-6,
        rank: 3.66712429e-6,
        spectrum: [0.94682620, 0.05249230, 0.00068151],
        variances: [0.94796422, 0.05203578],
        angles: [30.207, 0.7271, 0.6766],
        procrustes: 1.72e-5,
    },
];

#[test]
fn the_whole_method_is_the_reference() -> Result<(), Error> {
    let (points, truth) = roll()?;
    for reference in REFERENCES {
        let what = format!("m = {}, {:?}", reference.count, reference.weight);
        let fitted = fitted(&points, reference.count, reference.weight)?;
        let report = fitted.report();
        let convex = report.convex.as_ref().expect("the default pipeline solves the convex problem");
        assert!(close(report.raw_scale, reference.raw_scale, 1e-6), "{what}: {}", report.raw_scale);
        assert!(close(report.basis_value, reference.basis_value, 1e-6), "{what}: {}", report.basis_value);
        assert!(
            close(convex.certificate.value, reference.convex, 1e-6),
            "{what}: {:e}",
            convex.certificate.value
        );
        assert!(close(report.value, reference.rank, 1e-6), "{what}: {:e}", report.value);
        for (got, want) in report.spectrum.iter().zip(reference.spectrum) {
            assert!((got - want).abs() < 1e-5, "{what}: {got} is not {want}");
        }
        let z = &fitted.embedding().coordinates;
        let variances = [z.col(0).squared_norm_l2(), z.col(1).squared_norm_l2()];
        for (got, want) in variances.iter().zip(reference.variances) {
            let share = got / variances.iter().sum::<f64>();
            assert!((share - want).abs() < 1e-5, "{what}: {share} is not {want}");
        }
        let cut = report.truncated_angle_error.expect("there is a convex solution to cut");
        let angles = [report.angle_error_before, cut, report.angle_error_after];
        for (got, want) in angles.iter().zip(reference.angles) {
            assert!(close(*got, want, 2e-4), "{what}: angle error {got} is not {want}");
        }
        let apart = procrustes(z.as_ref(), truth.view())?;
        assert!(close(apart, reference.procrustes, 5e-3), "{what}: Procrustes {apart:e}");
        let before = procrustes(fitted.basis().embedding().coordinates.subcols(0, 2), truth.view())?;
        assert!(close(before, 0.42084, 1e-4), "{what}: Procrustes before {before}");
    }
    Ok(())
}
