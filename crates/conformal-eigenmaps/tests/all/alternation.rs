//! Theorems about the estimates and the alternation.

use crate::common;

use common::{best_multiple, close, form, gradient, gram, normal, scalar, sheet, trace};
use conformal_eigenmaps::Outcome;
use conformal_eigenmaps::settings::{Alternation, Coupling, Scheme};
use conformal_eigenmaps::steps::{
    Quadratic, alternate, basis_start, certificate, estimate, random_start, solve_by_barrier, svec, truncated,
};
use embedding::{Error, Method, Model, Silent};
use faer::{Mat, MatRef};

fn penalized(q: &Quadratic, p: &[f64], lambda1: f64) -> f64 {
    q.value(p) + lambda1 * (trace(p, q.order()) - 1.0).powi(2)
}

/// F(B, C).
fn coupled(q: &Quadratic, b: &Mat<f64>, c: &Mat<f64>, lambda1: f64, k: &Mat<f64>) -> f64 {
    let apart = c - b;
    let tie = &apart * k * apart.transpose();
    let tie: f64 = (0..b.nrows()).map(|i| tie[(i, i)]).sum();
    penalized(q, &svec((b.transpose() * c).as_ref()), lambda1) + tie
}

#[test]
fn an_estimate_is_the_minimum_over_one_factor() -> Result<(), Error> {
    let q = form(60, 5, 1)?;
    for (rank, seed) in [(5, 1), (2, 2), (1, 3)] {
        let b = random_start(rank, 5, seed);
        let root = normal(5, 5, 4);
        for k in [scalar(0.3, 5), faer::Scale(0.1) * (root.transpose() * &root)] {
            let c = estimate(&q, b.as_ref(), 0.7, k.as_ref())?;
            let least = coupled(&q, &b, &c, 0.7, &k);
            for step in 0..200 {
                let direction = normal(rank, 5, 100 + step);
                let (plus, minus) = (&c + faer::Scale(0.1) * &direction, &c - faer::Scale(0.1) * &direction);
                let (up, down) = (coupled(&q, &b, &plus, 0.7, &k), coupled(&q, &b, &minus, 0.7, &k));
                assert!(up > least && down > least, "rank {rank}: {up} and {down} around {least}");
                // A quadratic with its minimum at C takes equal steps up on both sides.
                assert!(
                    (up - down).abs() <= 1e-10 * (up - least),
                    "rank {rank}: {:e}",
                    (up - down) / (up - least)
                );
            }
        }
    }
    Ok(())
}

#[test]
fn the_plain_loop_never_increases_its_objective() -> Result<(), Error> {
    let q = form(80, 5, 2)?;
    for (rank, weight) in [(5, 0.01), (5, 0.5), (2, 0.05)] {
        let scheme = Scheme::Plain { coupling: Coupling::Fixed { weight } };
        let settings = Alternation { scheme, max_iterations: 200, ..Alternation::default() };
        let run = alternate(&q, random_start(rank, 5, 3).as_ref(), &settings, &Silent)?;
        assert!(run.trace.len() > 3 && run.estimates == 2 * run.iterations);
        assert!(run.trace.windows(2).all(|w| w[1].objective <= w[0].objective * (1.0 + 1e-12)));
        let midpoint = Alternation { max_iterations: 200, ..Alternation::default() };
        let run = alternate(&q, random_start(rank, 5, 3).as_ref(), &midpoint, &Silent)?;
        assert!(run.trace.windows(2).all(|w| w[1].objective <= w[0].objective));
    }
    Ok(())
}

/// The penalty on |B − C|² is exact: above λ_max(G) / 4 the loop ends at the
/// optimum with B = C, below it ends at a worse point with B ≠ C.
#[test]
fn a_constant_coupling_has_a_sharp_threshold() -> Result<(), Error> {
    let q = form(120, 6, 7)?;
    let tight = Alternation { tolerance: 1e-10, ..Alternation::default() };
    let best = alternate(&q, basis_start(6, 6).as_ref(), &tight, &Silent)?;
    let optimum = best.certificate.value;
    let p = gram(best.factor.as_ref());
    let tau = 1.0 / (1.0 + optimum);
    let scaled: Vec<f64> = p.iter().map(|v| v * tau).collect();
    let steepest = spectral::dense::symmetric_eigen(gradient(&q, &scaled, 1.0).as_ref())?.0[5];
    let threshold = steepest / 4.0;
    let run = |share: f64| {
        let scheme = Scheme::Plain { coupling: Coupling::Fixed { weight: share * threshold } };
        let settings =
            Alternation { scheme, tolerance: 0.0, max_iterations: 20_000, ..Alternation::default() };
        alternate(&q, basis_start(6, 6).as_ref(), &settings, &Silent)
    };
    let apart =
        |run: &conformal_eigenmaps::steps::Solution| run.trace.last().map_or(f64::NAN, |s| s.distance);
    let (below, above) = (run(0.9)?, run(2.0)?);
    assert!(apart(&below) > 1e-2, "below: |B − C| / |B| = {:e}", apart(&below));
    assert!(
        below.certificate.value > optimum * (1.0 + 1e-5),
        "below: D = {} D*",
        below.certificate.value / optimum
    );
    assert!(apart(&above) < 1e-6, "above: |B − C| / |B| = {:e}", apart(&above));
    assert!(
        close(above.certificate.value, optimum, 1e-6),
        "above: D = {} D*",
        above.certificate.value / optimum
    );
    // The adaptive weight is just above the threshold, whatever it is.
    let scheme = Scheme::Plain { coupling: Coupling::Adaptive };
    let settings = Alternation { scheme, max_iterations: 20_000, ..Alternation::default() };
    let adaptive = alternate(&q, basis_start(6, 6).as_ref(), &settings, &Silent)?;
    assert!(apart(&adaptive) < 1e-4 && close(adaptive.certificate.value, optimum, 1e-9));
    let weight = adaptive.trace.last().map_or(f64::NAN, |s| s.damping);
    assert!(weight > threshold && weight < 1.1 * threshold, "{}", weight / threshold);
    Ok(())
}

/// The Jacobian of svec(LᵀL) by central differences, exact for a quadratic.
fn jacobian(l: &Mat<f64>) -> Mat<f64> {
    let (r, m) = (l.nrows(), l.ncols());
    let mut columns = Mat::zeros(m * (m + 1) / 2, r * m);
    for at in 0..r * m {
        let shifted = |by: f64| {
            let moved = Mat::from_fn(r, m, |i, j| l[(i, j)] + if i + r * j == at { by } else { 0.0 });
            gram(moved.as_ref())
        };
        let (up, down) = (shifted(0.5), shifted(-0.5));
        (0..columns.nrows()).for_each(|i| columns[(i, at)] = up[i] - down[i]);
    }
    columns
}

#[test]
fn the_midpoint_step_is_that_of_levenberg_and_marquardt() -> Result<(), Error> {
    let q = form(60, 4, 4)?;
    let (lambda1, lambda2) = (0.8, 0.03);
    for rank in [4, 2] {
        let b = random_start(rank, 4, 5);
        let c = estimate(&q, b.as_ref(), lambda1, scalar(lambda2, 4).as_ref())?;
        let p = gram(b.as_ref());
        let j = jacobian(&b);
        let size = rank * 4;
        let t = Mat::from_fn(1, size, |_, at| 2.0 * b[(at % rank, at / rank)]);
        let mut normal = j.transpose() * q.matrix() * &j + faer::Scale(lambda1) * (t.transpose() * &t);
        (0..size).for_each(|i| normal[(i, i)] += 4.0 * lambda2);
        let slope = q.slope(&p);
        let excess = trace(&p, 4) - 1.0;
        let right = Mat::from_fn(size, 1, |at, _| {
            -(0..slope.len()).map(|i| j[(i, at)] * slope[i]).sum::<f64>() - lambda1 * t[(0, at)] * excess
        });
        let step = spectral::dense::solve_spd(normal.as_ref(), right.as_ref()).expect("damped, so definite");
        for at in 0..size {
            let half = (c[(at % rank, at / rank)] - b[(at % rank, at / rank)]) / 2.0;
            assert!((half - step[(at, 0)]).abs() < 1e-10, "rank {rank}: {half} is not {}", step[(at, 0)]);
        }
    }
    Ok(())
}

/// With 4 K = G the midpoint step is Newton's on f(LᵀL).
#[test]
fn the_midpoint_step_with_the_gradient_is_newtons() -> Result<(), Error> {
    let q = form(60, 3, 5)?;
    let settings = Alternation { max_iterations: 3, ..Alternation::default() };
    let start = alternate(&q, random_start(1, 3, 1).as_ref(), &settings, &Silent)?.factor;
    let l = start + faer::Scale(0.02) * normal(1, 3, 8);
    let f = |x: &[f64]| penalized(&q, &gram(MatRef::from_row_major_slice(x, 1, 3)), 1.0);
    let at: Vec<f64> = (0..3).map(|j| l[(0, j)]).collect();
    let h = 1e-3;
    let shift = |moves: &[(usize, f64)]| {
        let mut x = at.clone();
        moves.iter().for_each(|&(i, s)| x[i] += s * h);
        f(&x)
    };
    let slope = Mat::from_fn(3, 1, |i, _| -(shift(&[(i, 1.0)]) - shift(&[(i, -1.0)])) / (2.0 * h));
    let hessian = Mat::from_fn(3, 3, |i, j| {
        let [a, b, c, d] =
            [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)].map(|(s, t)| shift(&[(i, s), (j, t)]));
        (a - b - c + d) / (4.0 * h * h)
    });
    let newton = spectral::dense::solve_spd(hessian.as_ref(), slope.as_ref()).expect("convex near a minimum");
    let k = faer::Scale(0.25) * gradient(&q, &gram(l.as_ref()), 1.0);
    let c = estimate(&q, l.as_ref(), 1.0, k.as_ref())?;
    for j in 0..3 {
        let half = (c[(0, j)] - l[(0, j)]) / 2.0;
        assert!((half - newton[(j, 0)]).abs() < 1e-4 * newton.norm_l2(), "{half} is not {}", newton[(j, 0)]);
    }
    Ok(())
}

#[test]
fn the_penalty_only_scales_the_solution() -> Result<(), Error> {
    let q = form(60, 4, 6)?;
    for (seed, lambda1) in [(1, 0.1), (2, 1.0), (3, 30.0)] {
        let p = gram(random_start(4, 4, seed).as_ref());
        let unit: Vec<f64> = p.iter().map(|v| v / trace(&p, 4)).collect();
        let d = q.value(&unit);
        let tau = lambda1 / (lambda1 + d);
        let at = |tau: f64| penalized(&q, &unit.iter().map(|v| v * tau).collect::<Vec<_>>(), lambda1);
        assert!(close(at(tau), lambda1 * d / (lambda1 + d), 1e-13));
        assert!(at(tau) < at(1.01 * tau) && at(tau) < at(0.99 * tau));
    }
    let value = |trace_penalty: f64| {
        let settings = Alternation { trace_penalty, tolerance: 1e-10, ..Alternation::default() };
        alternate(&q, basis_start(4, 4).as_ref(), &settings, &Silent).map(|s| s.certificate.value)
    };
    assert!(close(value(0.01)?, value(1.0)?, 1e-8) && close(value(10.0)?, value(1.0)?, 1e-8));
    Ok(())
}

#[test]
fn a_certificate_bounds_the_optimum_at_any_point() -> Result<(), Error> {
    for seed in 0..5 {
        let q = form(60, 4, 10 + seed)?;
        let optimum = solve_by_barrier(&q, 1e-9, &Silent)?.certificate.value;
        let mut useful = 0;
        for start in 0..20 {
            // From far away to close by.
            let settings =
                Alternation { max_iterations: 1 + start as usize, tolerance: 0.0, ..Alternation::default() };
            let p =
                gram(alternate(&q, random_start(4, 4, start).as_ref(), &settings, &Silent)?.factor.as_ref());
            let proof = certificate(&q, &p)?;
            assert!(proof.lower_bound <= optimum * (1.0 + 1e-9), "{} > {optimum}", proof.lower_bound);
            assert!(proof.value >= optimum * (1.0 - 1e-9), "{} < {optimum}", proof.value);
            useful += usize::from(proof.lower_bound > 0.5 * optimum);
        }
        assert!(useful > 3, "the bound is rarely informative");
    }
    Ok(())
}

/// The use of the plain loop: it measures how much a better step saves.
#[test]
fn the_midpoint_takes_a_fraction_of_the_estimates_of_any_plain_loop() -> Result<(), Error> {
    let set = datasets::generate("swiss-roll", 600, 1)?;
    let neighbors = common::nearest(set.points.view(), 10)?;
    let lle = lle::Lle { dim: 10, ..lle::Lle::default() }.fit(set.points.view())?.into_single()?;
    let q = common::loss(set.points.view(), &neighbors, lle.embedding().coordinates())?;
    let run = |scheme: Scheme| {
        let settings = Alternation { scheme, max_iterations: 300, ..Alternation::default() };
        alternate(&q, basis_start(10, 10).as_ref(), &settings, &Silent)
    };
    let midpoint = run(Scheme::Midpoint)?;
    assert_eq!(midpoint.outcome, Outcome::Certified);
    assert!(midpoint.estimates <= 50, "{}", midpoint.estimates);
    let optimum = midpoint.certificate.value;
    // When each has come within a thousandth of the optimum for good.
    let work = |run: &conformal_eigenmaps::steps::Solution| {
        let far = |s: &&conformal_eigenmaps::steps::Step| s.value > optimum * 1.001 || s.distance > 0.1;
        run.trace.iter().rfind(far).map_or(0, |s| s.estimates)
    };
    for coupling in [0.003, 0.01, 0.1, 1.0].map(|weight| Coupling::Fixed { weight }) {
        let plain = run(Scheme::Plain { coupling })?;
        assert!(work(&plain) >= 4 * work(&midpoint), "{coupling:?}: {}", work(&plain));
    }
    let adaptive = run(Scheme::Plain { coupling: Coupling::Adaptive })?;
    assert!(work(&adaptive) >= 2 * work(&midpoint), "{}", work(&adaptive));
    Ok(())
}

#[test]
fn every_start_reaches_the_same_convex_optimum() -> Result<(), Error> {
    let q = form(120, 6, 7)?;
    let tight = Alternation { tolerance: 1e-9, ..Alternation::default() };
    let spectrum = |l: &Mat<f64>| spectral::dense::thin_svd(l.as_ref()).map(|s| s.1);
    let reference = alternate(&q, basis_start(6, 6).as_ref(), &tight, &Silent)?;
    assert_eq!(reference.outcome, Outcome::Certified);
    for seed in 0..10 {
        let other = alternate(&q, random_start(6, 6, seed).as_ref(), &tight, &Silent)?;
        assert!(close(other.certificate.value, reference.certificate.value, 1e-8), "seed {seed}");
        for (a, b) in spectrum(&other.factor)?.iter().zip(&spectrum(&reference.factor)?) {
            assert!((a * a - b * b).abs() < 1e-5, "seed {seed}: {} {}", a * a, b * b);
        }
    }
    Ok(())
}

#[test]
fn more_rank_and_more_vectors_never_cost() -> Result<(), Error> {
    let tight = Alternation { tolerance: 1e-9, ..Alternation::default() };
    let q = form(120, 6, 8)?;
    let mut before = f64::INFINITY;
    for rank in 1..=6 {
        let starts = (0..4).map(|seed| random_start(rank, 6, seed)).chain([basis_start(rank, 6)]);
        let values = starts.map(|s| alternate(&q, s.as_ref(), &tight, &Silent).map(|s| s.certificate.value));
        let best = values.collect::<Result<Vec<_>, _>>()?.into_iter().fold(f64::INFINITY, f64::min);
        assert!(best <= before * (1.0 + 1e-8), "rank {rank}: {best} after {before}");
        before = best;
    }
    let convex = alternate(&q, basis_start(6, 6).as_ref(), &tight, &Silent)?;
    assert!(close(before, convex.certificate.value, 1e-7));
    let mut before = f64::INFINITY;
    for m in [3, 4, 6, 8] {
        // The same points and functions: the first m of them.
        let q = nested(m)?;
        let raw =
            alternate(&q, basis_start(m, m).as_ref(), &tight, &Silent)?.certificate.value * q.raw_scale();
        assert!(raw <= before * (1.0 + 1e-8), "m = {m}: {raw} after {before}");
        before = raw;
    }
    Ok(())
}

fn nested(m: usize) -> Result<Quadratic, Error> {
    let sheet = sheet(120, 8, 9)?;
    common::loss(sheet.points.view(), &sheet.neighbors, sheet.basis.subcols(0, m))
}

#[test]
fn solutions_have_unit_trace_and_their_cut_keeps_the_leading_directions() -> Result<(), Error> {
    let q = form(80, 5, 10)?;
    for rank in [5, 2] {
        let run = alternate(&q, random_start(rank, 5, 1).as_ref(), &Alternation::default(), &Silent)?;
        assert!(close(run.factor.squared_norm_l2(), 1.0, 1e-14), "rank {rank}");
        assert!(close(q.value(&gram(run.factor.as_ref())).max(0.0), run.certificate.value, 1e-9));
    }
    let run = alternate(&q, random_start(5, 5, 1).as_ref(), &Alternation::default(), &Silent)?;
    let values = spectral::dense::thin_svd(run.factor.as_ref())?.1;
    let cut = truncated(run.factor.as_ref(), 2)?;
    assert!(close(cut.squared_norm_l2(), values[0].powi(2) + values[1].powi(2), 1e-12));
    assert!((cut.row(0) * cut.row(1).transpose()).abs() < 1e-12);
    Ok(())
}

/// Two hundred and forty problems: the alternation ends at the oracle's optimum.
#[test]
fn the_alternation_agrees_with_the_interior_point_oracle() -> Result<(), Error> {
    let mut uncertified = 0;
    for seed in 0..240_u64 {
        let m = 3 + (seed % 4) as usize;
        let q = form(40 + (seed % 7) as usize * 5, m, 1000 + seed)?;
        let run = alternate(&q, random_start(m, m, seed).as_ref(), &Alternation::default(), &Silent)?;
        let oracle = solve_by_barrier(&q, 1e-8, &Silent)?;
        let (value, optimum) = (run.certificate.value, oracle.certificate.value);
        assert!(
            close(value, optimum, 1e-6),
            "problem {seed}: {value:e} against {optimum:e}, {:?}",
            run.outcome
        );
        uncertified += usize::from(run.outcome != Outcome::Certified);
    }
    assert!(uncertified <= 5, "{uncertified} of 240 runs stopped before the certificate closed");
    Ok(())
}

/// With few rows a loop ends at a stationary point. With all m rows only the optimum is stationary,
/// so a loop that ends before reports that it stalled.
#[test]
fn the_end_of_a_loop_is_named_by_what_is_known_of_it() -> Result<(), Error> {
    let q = form(80, 5, 2)?;
    let plain = Scheme::Plain { coupling: Coupling::Fixed { weight: 0.5 } };
    for scheme in [plain, Scheme::Midpoint] {
        // No gap is small enough.
        let settings =
            Alternation { scheme, max_iterations: 100_000, tolerance: 0.0, ..Alternation::default() };
        for (rank, outcome) in [(1, Outcome::Stationary), (5, Outcome::Stalled)] {
            let run = alternate(&q, random_start(rank, 5, 3).as_ref(), &settings, &Silent)?;
            assert_eq!(run.outcome, outcome, "{scheme:?}, rank {rank}: {} iterations", run.iterations);
        }
    }
    Ok(())
}

/// Two estimates in an iteration of the plain loop, one in any other, and as many iterations as allowed.
#[test]
fn the_steps_of_a_loop_say_what_it_did() -> Result<(), Error> {
    let q = form(80, 5, 2)?;
    let (weight, start) = (0.3, random_start(3, 5, 3));
    let plain = Scheme::Plain { coupling: Coupling::Fixed { weight } };
    for (scheme, each) in [(plain, 2), (Scheme::Midpoint, 1)] {
        let settings = Alternation { scheme, max_iterations: 3, tolerance: 0.0, ..Alternation::default() };
        let run = alternate(&q, start.as_ref(), &settings, &Silent)?;
        assert_eq!((run.iterations, run.outcome), (3, Outcome::IterationLimit));
        let counts: Vec<usize> = run.trace.iter().map(|step| step.estimates).collect();
        assert_eq!(counts, [each, 2 * each, 3 * each]);
        assert!((trace(&gram(run.factor.as_ref()), 5) - 1.0).abs() < 1e-12, "{scheme:?}");
    }
    // By hand: C from B, and B from C.
    let settings = Alternation { scheme: plain, max_iterations: 1, ..Alternation::default() };
    let step = alternate(&q, start.as_ref(), &settings, &Silent)?.trace[0];
    let (tie, penalty) = (scalar(weight, 5), settings.trace_penalty);
    let begun = best_multiple(&q, &start, penalty);
    let c = estimate(&q, begun.as_ref(), penalty, tie.as_ref())?;
    let b = estimate(&q, c.as_ref(), penalty, tie.as_ref())?;
    let gap = (&b - &c).norm_l2() / b.norm_l2();
    assert!(close(step.distance, gap, 1e-9), "{} and {gap}", step.distance);
    assert_eq!(step.damping, weight);
    let oracle = solve_by_barrier(&q, 1e-8, &Silent)?;
    assert!(oracle.trace.iter().enumerate().all(|(at, step)| step.estimates == at + 1));
    Ok(())
}

#[test]
fn the_plain_loop_can_be_ended() -> Result<(), Error> {
    let q = form(80, 5, 2)?;
    let scheme = Scheme::Plain { coupling: Coupling::Fixed { weight: 0.3 } };
    let settings = Alternation { scheme, max_iterations: 50, tolerance: 0.0, ..Alternation::default() };
    let run =
        alternate(&q, random_start(5, 5, 3).as_ref(), &settings, &testkit::observers::StopEarly::default())?;
    assert_eq!((run.outcome, run.iterations), (Outcome::Stopped, 1));
    Ok(())
}
