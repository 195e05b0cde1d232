//! A problem of eight points, number by number.
//!
//! Reference: a NumPy prototype written from the formulas alone, which agrees
//! with Clarabel's semidefinite optimum and, where the closed form applies, with
//! D* = 1 / (tᵀ Q⁻¹ t); no random numbers, no neighbor search, no spectral basis.

use crate::common;

use common::{Octagon, close, octagon};
use conformal_eigenmaps::Outcome;
use conformal_eigenmaps::settings::{Alternation, Coupling, PatchPairs, PatchWeight, Scheme};
use conformal_eigenmaps::steps::{
    Quadratic, alternate, basis_start, estimate, local_scale, random_start, smat, solve_by_barrier, svec,
};
use embedding::{Error, MemoryLimit, Silent};
use faer::{Mat, mat};

type Outcomes = Result<(), Error>;

fn form(octagon: &Octagon, pairs: PatchPairs, weight: PatchWeight) -> Result<Quadratic, Error> {
    let limit = MemoryLimit::default();
    Quadratic::build(
        octagon.points.view(),
        &octagon.neighbors,
        octagon.basis.as_ref(),
        pairs,
        weight,
        limit,
        &Silent,
    )
}

fn tight() -> Alternation {
    Alternation { tolerance: 1e-12, ..Alternation::default() }
}

#[test]
fn the_quadratic_form_is_the_reference() -> Outcomes {
    let q = form(&octagon()?, PatchPairs::Clique, PatchWeight::Paper)?;
    let expected = [
        [
            4840.6576161982,
            -8888.1711927924,
            7988.4732606875,
            -8595.6203677487,
            -9917.7619829854,
            6310.7482929156,
        ],
        [0.0, 48165.6680506056, -12806.2742590134, -23141.0615273351, 54493.3660922991, -9593.383491308],
        [0.0, 0.0, 14900.0762205894, -9313.8838738927, -14573.5133256669, 12933.8597179036],
        [0.0, 0.0, 0.0, 116356.5684740374, -27203.41510734, -3933.4890618113],
        [0.0, 0.0, 0.0, 0.0, 69057.2277900821, -11146.7043908328],
        [0.0, 0.0, 0.0, 0.0, 0.0, 12123.2997277741],
    ];
    for (i, row) in expected.iter().enumerate() {
        for (j, &want) in row.iter().enumerate().skip(i) {
            let (raw, mirror) = (q.matrix()[(i, j)] * q.raw_scale(), q.matrix()[(j, i)] * q.raw_scale());
            assert!(close(raw, want, 1e-12) && raw == mirror, "({i}, {j}): {raw}");
        }
    }
    Ok(())
}

#[test]
fn every_reading_has_its_trace_scale_and_optimum() -> Outcomes {
    let octagon = octagon()?;
    let reference = [
        (PatchPairs::Clique, PatchWeight::Paper, 265443.4978792869, 13431.533727191225, 15.04731006887423),
        (PatchPairs::Clique, PatchWeight::Patch, 1731.5780242618, 115.3763367645, 0.1088745301700),
        (PatchPairs::Neighbors, PatchWeight::Paper, 169535.4248266144, 9078.9311722876, 6.823057041853),
        (PatchPairs::Neighbors, PatchWeight::Patch, 1507.9087075822, 103.7510088252, 0.0685360628776),
        (PatchPairs::Path, PatchWeight::Paper, 341131.9848929816, 15365.8178089581, 20.386934234066),
        (PatchPairs::Path, PatchWeight::Patch, 1991.9907775151, 95.8618822423, 0.1277597038998),
    ];
    for (pairs, weight, trace, scale, optimum) in reference {
        let q = form(&octagon, pairs, weight)?;
        let raw = q.raw_scale();
        let own: f64 = (0..6).map(|i| q.matrix()[(i, i)]).sum();
        assert!(close(own * raw, trace, 1e-12), "{pairs:?} {weight:?}: trace {}", own * raw);
        assert!(close(raw, scale, 1e-12), "{pairs:?} {weight:?}: D(I/m) {raw}");
        let solution = alternate(&q, random_start(3, 3, 1).as_ref(), &tight(), &Silent)?;
        let value = solution.certificate.value * raw;
        assert!(close(value, optimum, 1e-10), "{pairs:?} {weight:?}: D* {value}, {:?}", solution.outcome);
        assert!(close(solution.certificate.lower_bound * raw, optimum, 1e-6));
        let oracle = solve_by_barrier(&q, 1e-9, &Silent)?;
        assert_eq!(oracle.outcome, Outcome::Certified);
        assert!(close(oracle.certificate.value * raw, optimum, 1e-8), "{pairs:?} {weight:?}: barrier");
    }
    Ok(())
}

#[test]
fn the_solution_is_the_reference() -> Outcomes {
    let octagon = octagon()?;
    let q = form(&octagon, PatchPairs::Clique, PatchWeight::Paper)?;
    let solution = alternate(&q, basis_start(3, 3).as_ref(), &tight(), &Silent)?;
    let p = solution.factor.transpose() * &solution.factor;
    let expected = mat![
        [0.6720364336, 0.0335602182, -0.4060022159],
        [0.0335602182, 0.0226624422, -0.0027581176],
        [-0.4060022159, -0.0027581176, 0.3053011242],
    ];
    assert!((&p - expected).norm_max() < 1e-7, "{p:?}");
    let z = &octagon.basis * solution.factor.transpose();
    let scales = local_scale(octagon.points.view(), &octagon.neighbors, PatchPairs::Clique, z.as_ref())?;
    let expected = [
        1.0828257045,
        1.0197444434,
        0.901910432,
        1.0124499733,
        0.9579956782,
        0.9178235338,
        0.9674832171,
        1.1006548996,
    ];
    for (got, want) in scales.into_iter().zip(expected) {
        assert!(got.is_some_and(|s| close(s, want, 1e-6)), "{got:?} is not {want}");
    }
    for (rank, value) in [(1, 46.27834920), (2, 28.87105318)] {
        let best = (0..6)
            .map(|seed| alternate(&q, random_start(rank, 3, seed).as_ref(), &tight(), &Silent))
            .collect::<Result<Vec<_>, _>>()?
            .into_iter()
            .map(|s| s.certificate.value * q.raw_scale())
            .fold(f64::INFINITY, f64::min);
        assert!(close(best, value, 1e-8), "rank {rank}: {best}");
    }
    Ok(())
}

#[test]
fn one_estimate_is_the_reference() -> Outcomes {
    let q = form(&octagon()?, PatchPairs::Clique, PatchWeight::Paper)?;
    let b = basis_start(3, 3);
    let tie = faer::Scale(0.5) * Mat::<f64>::identity(3, 3);
    let c = estimate(&q, b.as_ref(), 1.0, tie.as_ref())?;
    let expected = mat![
        [0.71094016, 0.07890373, -0.15595655],
        [0.07890373, 0.19835987, 0.07143516],
        [-0.15595655, 0.07143516, 0.52570325],
    ];
    assert!((&c - expected).norm_max() < 1e-8, "{c:?}");
    let p = svec((b.transpose() * &c).as_ref());
    let trace = smat(&p, 3)[(0, 0)] + smat(&p, 3)[(1, 1)] + smat(&p, 3)[(2, 2)];
    let objective = q.value(&p) + (trace - 1.0).powi(2) + 0.5 * (&b - &c).squared_norm_l2();
    assert!(close(objective, 0.2572507092, 1e-9), "{objective}");
    Ok(())
}

#[test]
fn the_plain_loop_reaches_the_same_optimum() -> Outcomes {
    let q = form(&octagon()?, PatchPairs::Clique, PatchWeight::Paper)?;
    let scheme = Scheme::Plain { coupling: Coupling::Adaptive };
    let settings = Alternation { scheme, tolerance: 1e-9, max_iterations: 20_000, ..Alternation::default() };
    let solution = alternate(&q, random_start(3, 3, 2).as_ref(), &settings, &Silent)?;
    let value = solution.certificate.value * q.raw_scale();
    assert!(close(value, 15.04731006887, 1e-8), "{value} {:?}", solution.outcome);
    Ok(())
}
