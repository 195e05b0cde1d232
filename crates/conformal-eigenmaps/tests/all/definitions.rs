//! Estimates, first steps and the oracle by their definitions.

use crate::common;

use common::{best_multiple, close, form, gradient, gram, scalar};
use conformal_eigenmaps::Outcome;
use conformal_eigenmaps::settings::{Alternation, Coupling, Scheme};
use conformal_eigenmaps::steps::{
    Certificate, Quadratic, alternate, basis_start, estimate, random_start, smat, solve_by_barrier,
};
use embedding::{Error, Silent};
use faer::{Mat, mat};

/// With K = (G₊ + μ |G| I) / 4 at the best multiple of the start, for any weight of the trace.
#[test]
fn the_first_midpoint_step_is_that_of_its_definition() -> Result<(), Error> {
    let (q, start) = (form(80, 5, 2)?, random_start(3, 5, 3));
    for trace_penalty in [0.1, 5.0] {
        let settings = Alternation { trace_penalty, max_iterations: 1, ..Alternation::default() };
        let step = alternate(&q, start.as_ref(), &settings, &Silent)?.trace[0];
        let b = best_multiple(&q, &start, trace_penalty);
        let slope = gradient(&q, &gram(b.as_ref()), trace_penalty);
        let (values, vectors) = spectral::dense::symmetric_eigen(slope.as_ref())?;
        let size = values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        let weighted =
            Mat::from_fn(5, 5, |i, j| vectors[(i, j)] * (values[j].max(0.0) + step.damping * size) / 4.0);
        let coupling = weighted * vectors.transpose();
        let c = estimate(&q, b.as_ref(), trace_penalty, coupling.as_ref())?;
        let distance = (&b - &c).norm_l2() / b.norm_l2();
        assert!(close(step.distance, distance, 1e-9), "{} and {distance}", step.distance);
    }
    Ok(())
}

/// Also where the gradient has a negative eigenvalue of larger magnitude; 0 where it vanishes.
#[test]
fn the_adaptive_weight_follows_the_largest_eigenvalue_of_the_gradient() -> Result<(), Error> {
    let q = form(80, 5, 2)?;
    let scheme = Scheme::Plain { coupling: Coupling::Adaptive };
    let settings = Alternation { scheme, max_iterations: 1, ..Alternation::default() };
    let mut mostly_negative = 0;
    for j in 0..5 {
        let start = Mat::from_fn(1, 5, |_, a| if a == j { 1.0 } else { 0.0 });
        let p = gram(best_multiple(&q, &start, 1.0).as_ref());
        let values = spectral::dense::symmetric_eigenvalues(gradient(&q, &p, 1.0).as_ref())?;
        let weight = alternate(&q, start.as_ref(), &settings, &Silent)?.trace[0].damping;
        assert!(close(weight, 0.26 * values[4], 1e-9), "{weight} for {values:?}");
        mostly_negative += usize::from(-values[0] > 1.01 * values[4]);
    }
    assert!(mostly_negative > 0, "the test needs a negative eigenvalue");
    let even = Quadratic::from_matrix(Mat::<f64>::identity(3, 3).as_ref())?;
    let run = alternate(&even, basis_start(2, 2).as_ref(), &settings, &Silent)?;
    assert_eq!(run.outcome, Outcome::Certified);
    assert!(run.trace[0].damping < 1e-12, "{}", run.trace[0].damping);
    Ok(())
}

#[test]
fn starts_of_another_shape_or_without_a_size_are_refused_in_their_own_words() -> Result<(), Error> {
    let (q, settings) = (form(40, 3, 11)?, Alternation::default());
    for rows in [0, 4] {
        let refused = alternate(&q, Mat::full(rows, 3, 0.5).as_ref(), &settings, &Silent).map(drop);
        assert!(
            matches!(refused, Err(Error::Shape { what: "the start of the alternation", .. })),
            "{rows} rows: {refused:?}"
        );
    }
    for value in [0.0, f64::INFINITY, f64::NAN] {
        let refused = alternate(&q, Mat::full(2, 3, value).as_ref(), &settings, &Silent).map(drop);
        assert!(
            matches!(refused, Err(Error::Parameter { name: "the norm of the start", .. })),
            "{value}: {refused:?}"
        );
    }
    let empty = estimate(&q, Mat::zeros(0, 3).as_ref(), 1.0, scalar(1.0, 3).as_ref());
    assert!(matches!(empty, Err(Error::Shape { .. })), "{empty:?}");
    Ok(())
}

#[test]
fn a_loss_of_zero_has_no_gap() {
    assert_eq!(Certificate { value: 0.0, lower_bound: 0.0 }.gap(), 0.0);
}

/// D = 4 P₁₁², λ₁ = 2 and B = (1, 0): the second number of C is in no term, and the first is λ₁ / (4 + λ₁).
#[test]
fn what_makes_a_system_definite_is_at_rounding_level() -> Result<(), Error> {
    let q = Quadratic::from_matrix(mat![[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]].as_ref())?;
    // A coupling may be semidefinite up to rounding only.
    for last in [0.0, -1e-14] {
        let coupling = mat![[0.0, 0.0], [0.0, last]];
        let c = estimate(&q, mat![[1.0, 0.0]].as_ref(), 2.0, coupling.as_ref())?;
        assert!((c[(0, 0)] - 1.0 / 3.0).abs() < 1e-12 && c[(0, 1)].abs() < 1e-12, "{last}: {c:?}");
    }
    // D = (P₁₁ + P₂₂)² and B = (1, 1): only the sum of C is in any term, (1 + λ₁) (c₁ + c₂) = λ₁.
    let q = Quadratic::from_matrix(mat![[1.0, 0.0, 1.0], [0.0, 0.0, 0.0], [1.0, 0.0, 1.0]].as_ref())?;
    let c = estimate(&q, mat![[1.0, 1.0]].as_ref(), 1e12 - 1.0, Mat::zeros(2, 2).as_ref())?;
    assert!((c[(0, 0)] + c[(0, 1)] - 1.0).abs() < 1e-9, "{c:?}");
    Ok(())
}

#[test]
fn an_estimate_of_a_factor_beyond_the_range_of_numbers_is_refused() -> Result<(), Error> {
    let q = form(40, 3, 11)?;
    let of = |value: f64| estimate(&q, Mat::full(2, 3, value).as_ref(), 1.0, Mat::zeros(3, 3).as_ref());
    assert!(of(1.0)?.norm_max().is_finite());
    for value in [1e200, f64::INFINITY, f64::NAN] {
        let refused = of(value);
        assert!(refused.is_err(), "{value}: {refused:?}");
    }
    Ok(())
}

/// D = 4 P₁₁²: τ D − log det P is smallest where 8 τ x = 1 / x − 1 / (1 − x), x = P₁₁.
#[test]
fn the_trace_of_the_oracle_is_that_of_its_barrier_problems() -> Result<(), Error> {
    let q = Quadratic::from_matrix(mat![[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]].as_ref())?;
    let solution = solve_by_barrier(&q, 1e-8, &Silent)?;
    let steps = &solution.trace;
    assert_eq!(steps[0].damping, 0.5, "the first τ is the order");
    assert!(steps.iter().all(|step| close(step.objective * step.damping, step.value, 1e-12)));
    let mut problems = 0;
    for pair in steps.windows(2).filter(|pair| pair[1].damping != pair[0].damping) {
        let tau = 1.0 / pair[0].damping;
        assert!(close(pair[1].damping, 0.1 / tau, 1e-12));
        let (mut low, mut high) = (0.0_f64, 0.5_f64);
        for _ in 0..200 {
            let x = 0.5 * (low + high);
            if 8.0 * tau * x < 1.0 / x - 1.0 / (1.0 - x) { low = x } else { high = x }
        }
        assert!(close(pair[0].value, 4.0 * low * low, 0.1), "τ = {tau}: {} and {low}", pair[0].value);
        problems += 1;
    }
    assert!(problems > 4, "{problems}");
    Ok(())
}

/// Of order one there is no other matrix of trace one; D = 2 |P|² is smallest at P = I/2.
#[test]
fn the_oracle_ends_where_it_begins_if_that_is_the_optimum() -> Result<(), Error> {
    for (size, m) in [(1, 1), (3, 2)] {
        let q = Quadratic::from_matrix(Mat::<f64>::identity(size, size).as_ref())?;
        let found = solve_by_barrier(&q, 1e-8, &Silent)?;
        assert_eq!(found.outcome, Outcome::Certified, "order {m}");
        let p = smat(&gram(found.factor.as_ref()), m);
        let even = scalar(1.0 / m as f64, m);
        assert!((p - even).norm_max() < 1e-6, "order {m}: {:?}", found.factor);
    }
    Ok(())
}
