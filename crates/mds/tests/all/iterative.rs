//! Theorems about majorization, metric and non-metric.

use std::ops::ControlFlow;

use embedding::{
    Error, Input, Iteration, MemoryLimit, Method, Model, Observer, PointSet, Points, Silent, Status,
    TrainingRows, Transform,
};
use faer::{Mat, MatRef};
use mds::steps::isotonic_regression;
use mds::{Configuration, Dissimilarities, NonmetricMds, Sammon, Smacof, Start, Stress, Ties};

fn cloud(n: usize) -> PointSet {
    let value =
        |e: usize| (3 - e % 3) as f64 * ((e / 3 + 1) as f64 * [2.0_f64, 3.0, 5.0][e % 3].sqrt()).fract();
    PointSet::new((0..3 * n).map(value).collect(), 3).expect("finite")
}

fn given(points: &PointSet) -> Dissimilarities {
    Dissimilarities::euclidean(points.view(), MemoryLimit::default()).expect("small")
}

fn never_rises(configuration: &Configuration) {
    let history = configuration.history();
    let slack = 1e-12 * history[0];
    assert!(history.windows(2).all(|w| w[1] <= w[0] + slack), "stress rose: {history:?}");
    assert!(history.len() > 2 && history.last() < history.first(), "and fell on the whole");
}

#[test]
fn stress_never_rises() -> Result<(), Error> {
    let (points, random) = (cloud(80), Start::Random { seed: 5, runs: 1 });
    let known = |i: usize, j: usize| f64::from(u8::from(!(i + j).is_multiple_of(3) || i.abs_diff(j) == 1));
    let weights = Mat::from_fn(80, 80, |i, j| known(i, j) * (1.0 + ((i * j) % 5) as f64));
    let weighted = given(&points).with_weights(weights.as_ref())?;
    for start in [Start::Classical, random] {
        for d in [given(&points), weighted.clone()] {
            never_rises(&Smacof { start, ..Smacof::default() }.fit_dissimilarities(&d, &Silent)?);
            for ties in [Ties::Primary, Ties::Secondary] {
                never_rises(
                    &NonmetricMds { start, ties, ..NonmetricMds::default() }
                        .fit_dissimilarities(&d, &Silent)?,
                );
            }
            never_rises(&Sammon { start, ..Sammon::default() }.fit_dissimilarities(&d, &Silent)?);
        }
    }
    Ok(())
}

/// What an observer receives from two runs: every step of both counts, and the first iteration shown was
/// carried out.
#[test]
fn progress_counts_the_steps_of_every_run() -> Result<(), Error> {
    let recorder = testkit::observers::Recorder::default();
    let start = Start::Random { seed: 5, runs: 2 };
    let recipe = Smacof { start, tolerance: 0.0, max_iterations: 3, ..Smacof::default() };
    recipe.fit_dissimilarities(&given(&cloud(30)), &recorder)?;
    let events = recorder.events();
    let begun = events.iter().position(|event| event.stage() == Some("majorization")).expect("its stage");
    let steps: Vec<_> = events[begun..].iter().filter_map(testkit::observers::Event::step).collect();
    assert_eq!(steps, [0, 1, 2, 3, 3, 4, 5, 6, 6].map(|done| (done, 6)));
    let shown = |event: &testkit::observers::Event| matches!(event, testkit::observers::Event::Iteration(0));
    assert!(!events.iter().any(shown), "{events:?}");
    Ok(())
}

/// One small decrease may be followed by large ones: two in a row end the fit.
#[test]
fn two_small_decreases_are_convergence() -> Result<(), Error> {
    let tolerance = 1e-4;
    let start = Start::Random { seed: 5, runs: 1 };
    let d = given(&cloud(80));
    let fitted = Smacof { start, tolerance, ..Smacof::default() }.fit_dissimilarities(&d, &Silent)?;
    let total: f64 =
        (0..80).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| d.get(i, j).powi(2)).sum();
    let small: Vec<bool> =
        fitted.history().windows(2).map(|pair| pair[0] - pair[1] <= tolerance * total).collect();
    let first = small.windows(2).position(|two| two[0] && two[1]);
    assert_eq!(first, Some(small.len() - 2), "{small:?}");
    assert!(matches!(fitted.status(), Status::Converged { iterations } if iterations == small.len()));
    Ok(())
}

/// n points, all 1 apart.
fn simplex(n: usize) -> Dissimilarities {
    let ones = Mat::from_fn(n, n, |i, j| f64::from(u8::from(i != j)));
    Dissimilarities::from_matrix(ones.as_ref()).expect("a metric")
}

#[test]
fn stress_reaches_known_optima() -> Result<(), Error> {
    let start = Start::Random { seed: 1, runs: 8 };
    let recipe = Smacof { start, tolerance: 1e-14, max_iterations: 2000, ..Smacof::default() };
    // Four equidistant points in the plane: a square of side a has the stress
    // 4 (1 − a)² + 2 (1 − √2 a)², least at a = (2 + √2)/4: 3 − 2 √2.
    let square = recipe.fit_dissimilarities(&simplex(4), &Silent)?;
    assert!((square.stress().raw - (3.0 - 8f64.sqrt())).abs() < 1e-10, "{:?}", square.stress());
    // Three on a line: a, a, 2 a, least at a = 2/3: 1/3. Σ d² = 8/3.
    let line = Smacof { dim: 1, ..recipe }.fit_dissimilarities(&simplex(3), &Silent)?;
    assert!((line.stress().raw - 1.0 / 3.0).abs() < 1e-10);
    assert!((line.stress().stress_1 - (1.0_f64 / 8.0).sqrt()).abs() < 1e-10);
    // An optimum is optimally scaled: then both relative measures are related.
    assert!((line.stress().scale_normalized.powi(2) - 1.0 / 9.0).abs() < 1e-10);
    // A triangle is a triangle.
    let triangle = recipe.fit_dissimilarities(&simplex(3), &Silent)?;
    assert!(triangle.stress().raw < 1e-12);
    Ok(())
}

#[test]
fn smacof_converges_to_the_stress_of_scikit_learn() -> Result<(), Error> {
    // reference/scikit_learn.py, scikit-learn 1.9.1, numpy 2.4.6, 2026-11-21:
    // smacof from the classical start, eps 1e-15, until it stops.
    let points = cloud(60);
    let metric = Smacof { tolerance: 1e-15, max_iterations: 20_000, ..Smacof::default() };
    let raw = metric.fit(points.view())?.configuration().stress().raw;
    assert!((raw / 2.093_075_278_602_073e1 - 1.0).abs() < 1e-8, "{raw}");
    let order = NonmetricMds { tolerance: 1e-15, max_iterations: 20_000, ..NonmetricMds::default() };
    let stress = order.fit(points.view())?.configuration().stress().stress_1;
    // Kruskal's stress of scikit-learn's map; twice as far every second step ends a little lower.
    assert!((0.999..=1.0 + 1e-9).contains(&(stress / 4.925_292_024_692_795e-2)), "{stress}");
    Ok(())
}

#[test]
fn equal_weights_are_no_weights() -> Result<(), Error> {
    let d = given(&cloud(50));
    let twos = Mat::from_fn(50, 50, |_, _| 2.0);
    let a = Smacof::default().fit_dissimilarities(&d, &Silent)?;
    let b = Smacof::default().fit_dissimilarities(&d.clone().with_weights(twos.as_ref())?, &Silent)?;
    assert!((a.embedding().coordinates() - b.embedding().coordinates()).norm_max() < 1e-8);
    assert!((b.stress().raw / a.stress().raw - 2.0).abs() < 1e-8);
    Ok(())
}

#[test]
fn values_of_missing_pairs_do_not_change_the_result() -> Result<(), Error> {
    // Points of the plane, a third of the pairs unknown: the rest determines them.
    let points = cloud(60);
    let plane = PointSet::new(points.view().rows().flat_map(|r| [r[0], r[1]]).collect(), 2)?;
    let truth = given(&plane);
    let missing = |i: usize, j: usize| (i + j).is_multiple_of(3) && i.abs_diff(j) != 1;
    let spoiled = Mat::from_fn(60, 60, |i, j| if missing(i, j) && i != j { 77.0 } else { truth.get(i, j) });
    let weights = Mat::from_fn(60, 60, |i, j| f64::from(u8::from(!missing(i, j))));
    let d = Dissimilarities::from_matrix(spoiled.as_ref())?.with_weights(weights.as_ref())?;
    let recipe = Smacof { tolerance: 1e-14, max_iterations: 5000, ..Smacof::default() };
    let fitted = recipe.fit_dissimilarities(&d, &Silent)?;
    assert!(Stress::of(&truth, fitted.embedding().coordinates())?.scale_normalized < 1e-4);
    // Two halves that nothing joins.
    let halves = Mat::from_fn(60, 60, |i, j| f64::from(u8::from((i < 30) == (j < 30))));
    let refused = truth.with_weights(halves.as_ref());
    assert!(matches!(&refused, Err(Error::Degenerate { problem, .. }) if problem.contains("30 of 60")));
    Ok(())
}

#[test]
fn nonmetric_scaling_depends_on_the_order_alone() -> Result<(), Error> {
    let d = given(&cloud(40));
    let cubes = Mat::from_fn(40, 40, |i, j| d.get(i, j).powi(3));
    let cubes = Dissimilarities::from_matrix(cubes.as_ref())?;
    let start = Start::Random { seed: 2, runs: 3 };
    let recipe = NonmetricMds { start, tolerance: 1e-12, max_iterations: 3000, ..NonmetricMds::default() };
    let (a, b) = (recipe.fit_dissimilarities(&d, &Silent)?, recipe.fit_dissimilarities(&cubes, &Silent)?);
    assert!(
        (a.stress().stress_1 / b.stress().stress_1 - 1.0).abs() < 0.05,
        "{} {}",
        a.stress().stress_1,
        b.stress().stress_1
    );
    let metric = Smacof { start, ..Smacof::default() };
    let (c, e) = (metric.fit_dissimilarities(&d, &Silent)?, metric.fit_dissimilarities(&cubes, &Silent)?);
    assert!(e.stress().stress_1 > 1.5 * c.stress().stress_1, "the negative control: metric scaling minds");
    assert!(a.stress().stress_1 <= c.stress().stress_1, "a free function fits no worse than the identity");
    Ok(())
}

#[test]
fn sammon_mapping_fits_small_distances_better_than_smacof() -> Result<(), Error> {
    let points = cloud(80);
    let d = given(&points);
    let relative = |y: MatRef<'_, f64>| {
        let error =
            |i: usize, j: usize| ((y.row(i) - y.row(j)).norm_l2() - d.get(i, j)).powi(2) / d.get(i, j);
        (0..80).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| error(i, j)).sum::<f64>()
    };
    let (sammon, metric) = (Sammon::default().fit(points.view())?, Smacof::default().fit(points.view())?);
    let (s, m) = (relative(sammon.embedding().coordinates()), relative(metric.embedding().coordinates()));
    assert!(s < m, "{s} {m}");
    assert!((sammon.configuration().stress().raw / s - 1.0).abs() < 1e-9, "E is what it says");
    let (found, plain) = (sammon.configuration().stress(), Stress::of(&d, sammon.embedding().coordinates())?);
    assert_eq!((found.stress_1, found.scale_normalized), (plain.stress_1, plain.scale_normalized));
    assert!(
        Stress::of(&d, metric.embedding().coordinates())?.raw
            < Stress::of(&d, sammon.embedding().coordinates())?.raw
    );
    Ok(())
}

#[test]
fn isotonic_regression_is_the_projection() {
    let noise = |i: usize| ((i + 1) as f64 * 2f64.sqrt()).fract();
    let curves: [fn(f64) -> f64; 4] = [|t| t, |t| -t, |t| 3.0 * (2.0 * t).sin(), |t| 40.0 * t];
    for (n, curve) in [3, 40, 150].into_iter().flat_map(|n| curves.map(|curve| (n, curve))) {
        let values: Vec<f64> = (0..n).map(|i| noise(i) + curve(i as f64 / n as f64)).collect();
        let weights: Vec<f64> = (0..n).map(|i| 1.0 + (i % 4) as f64).collect();
        let fit = isotonic_regression(&values, &weights);
        assert!(fit.is_sorted());
        // The min-max formula: fit_i = max over a ≤ i of min over b ≥ i of the mean of a ..= b.
        let partial = |of: &dyn Fn(usize) -> f64| {
            let mut sums = vec![0.0];
            (0..n).for_each(|e| sums.push(sums[e] + of(e)));
            sums
        };
        let (masses, sums) = (partial(&|e| weights[e]), partial(&|e| weights[e] * values[e]));
        let mean = |a: usize, b: usize| (sums[b + 1] - sums[a]) / (masses[b + 1] - masses[a]);
        for (i, fitted) in fit.iter().enumerate() {
            let best = (0..=i)
                .map(|a| (i..n).map(|b| mean(a, b)).fold(f64::INFINITY, f64::min))
                .fold(f64::NEG_INFINITY, f64::max);
            assert!((fitted - best).abs() < 1e-11, "{n} {i}: {fitted} {best}");
        }
    }
    let (ascending, equal) = ([0.1, 0.2, 0.3, 0.7], [0.1; 7]);
    assert_eq!(isotonic_regression(&ascending, &[1.0; 4]), ascending, "nothing to pool, no rounding");
    assert!(isotonic_regression(&equal, &[3.0; 7]).iter().all(|v| (v - 0.1).abs() < 1e-16));
}

#[test]
fn a_training_row_stays_where_it_was_stationary() -> Result<(), Error> {
    let points = cloud(60);
    let recipe = Smacof { tolerance: 1e-15, max_iterations: 5000, ..Smacof::default() };
    let fitted = recipe.fit(points.view())?;
    let y = fitted.embedding().coordinates();
    let again = fitted.transform(points.view())?;
    let scale = y.norm_max();
    let gap = again.coordinates() - y;
    let moved: Vec<f64> = (0..60).map(|i| gap.row(i).norm_l2() / scale).collect();
    assert!(moved.iter().filter(|m| **m < 0.05).count() >= 55, "{moved:?}");
    // Row by row: alone or in company.
    let some = fitted.transform(points.view().select(&[9, 4]).view())?;
    assert_eq!(some.row(1), again.row(4));
    let none = fitted.transform(Points::new(&[1.0, 2.0], 2)?);
    assert!(matches!(none, Err(Error::Shape { .. })));
    Ok(())
}

/// The sum of the proposals overflows, and the next step would be NaN.
#[test]
fn a_place_that_overflows_is_refused() -> Result<(), Error> {
    let fitted = Smacof::default().fit(cloud(20).view())?;
    let far = Mat::from_fn(1, 20, |_, _| 1.7e308);
    let placed = fitted.configuration().place(far.as_ref(), TrainingRows::Stored);
    assert!(matches!(placed, Err(Error::Degenerate { .. })), "{placed:?}");
    // For points the distances overflow first.
    let refused = fitted.transform(PointSet::new(vec![1.7e308; 3], 3)?.view()).expect_err("infinite");
    assert!(refused.to_string().starts_with("the distances of new point 0"), "{refused}");
    Ok(())
}

struct StopAt(usize);
impl Observer for StopAt {
    fn iteration(&self, iteration: &Iteration<'_>) -> ControlFlow<()> {
        if iteration.number >= self.0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn the_status_says_why_it_ended() -> Result<(), Error> {
    let d = given(&cloud(60));
    let status = |recipe: Smacof, observer: &dyn Observer| {
        Ok::<_, Error>(recipe.fit_dissimilarities(&d, observer)?.status())
    };
    assert!(matches!(status(Smacof::default(), &Silent)?, Status::Converged { iterations: 2..300 }));
    let short = Smacof { max_iterations: 3, ..Smacof::default() };
    assert_eq!(status(short, &Silent)?, Status::IterationLimit { iterations: 3 });
    assert_eq!(status(Smacof::default(), &StopAt(4))?, Status::Stopped { iterations: 4 });
    for bad in [
        Smacof { max_iterations: 0, ..short },
        Smacof { tolerance: f64::NAN, ..short },
        Smacof { dim: 60, ..short },
    ] {
        assert!(matches!(status(bad, &Silent), Err(Error::Parameter { .. })));
    }
    let points = cloud(60);
    let starved = Input::from(&points).with_memory_limit(MemoryLimit::new(1000));
    assert!(matches!(short.fit(starved), Err(Error::Memory { .. })));
    Ok(())
}

#[test]
fn disparities_are_the_regression_on_the_order() -> Result<(), Error> {
    // Enough pairs that the regression is put together from parts.
    let points = cloud(200);
    let exact = given(&points);
    // Few distinct values, hence many ties.
    let coarse = Mat::from_fn(200, 200, |i, j| (3.0 * exact.get(i, j)).round() / 3.0);
    let coarse = Dissimilarities::from_matrix(coarse.as_ref())?;
    for (d, ties) in [(&exact, Ties::Primary), (&coarse, Ties::Primary), (&coarse, Ties::Secondary)] {
        let recipe = NonmetricMds { ties, max_iterations: 20, ..NonmetricMds::default() };
        let fitted = recipe.fit_dissimilarities(d, &Silent)?;
        let y = fitted.embedding().coordinates();
        let pairs = (0..200).flat_map(|i| (0..i).map(move |j| (i, j)));
        let mut pairs: Vec<(f64, f64)> =
            pairs.map(|(i, j)| (d.get(i, j), (y.row(i) - y.row(j)).norm_l2())).collect();
        pairs.sort_by(|a, b| a.partial_cmp(b).expect("finite"));
        let values: Vec<f64> = match ties {
            Ties::Primary => pairs.iter().map(|pair| pair.1).collect(),
            Ties::Secondary => pairs
                .chunk_by(|a, b| a.0 == b.0)
                .flat_map(|run| {
                    let mean = run.iter().map(|pair| pair.1).sum::<f64>() / run.len() as f64;
                    std::iter::repeat_n(mean, run.len())
                })
                .collect(),
        };
        let disparities = isotonic_regression(&values, &vec![1.0; values.len()]);
        let squares = |values: &mut dyn Iterator<Item = f64>| values.map(|v| v * v).sum::<f64>();
        let factor =
            (squares(&mut pairs.iter().map(|p| p.0)) / squares(&mut disparities.iter().copied())).sqrt();
        let raw = squares(&mut disparities.iter().zip(&pairs).map(|(t, pair)| factor * t - pair.1));
        assert!((fitted.stress().raw / raw - 1.0).abs() < 1e-9, "{ties:?} {raw} {:?}", fitted.stress());
        assert!((fitted.history().last().expect("20") / raw - 1.0).abs() < 1e-9);
        // New points have targets by the same function.
        let model = serde_json::to_value(&fitted).expect("a model");
        let knots: Vec<(f64, f64)> =
            serde_json::from_value(model["placement"]["Monotone"].clone()).expect("pairs of numbers");
        let all: Vec<(f64, f64)> = pairs.iter().zip(&disparities).map(|(p, t)| (p.0, factor * t)).collect();
        for equal in all.chunk_by(|a, b| a.0 == b.0) {
            let mean = equal.iter().map(|pair| pair.1).sum::<f64>() / equal.len() as f64;
            let above = knots.partition_point(|knot| knot.0 < equal[0].0);
            let (low, high) = (knots[above.saturating_sub(1)], knots[above]);
            let part = if high.0 > low.0 { (equal[0].0 - low.0) / (high.0 - low.0) } else { 1.0 };
            let target = low.1 + (high.1 - low.1) * part;
            assert!((target - mean).abs() < 1e-9 * mean, "{ties:?}, {}: {target}, {mean}", equal[0].0);
        }
    }
    Ok(())
}

#[test]
fn more_random_starts_than_can_be_kept_are_refused() {
    let start = Start::Random { seed: 1, runs: usize::MAX };
    let refused = Smacof { start, ..Smacof::default() }.fit(&cloud(20)).map(|_| ());
    let Err(Error::Parameter { requirement, .. }) = refused else { panic!("{refused:?}") };
    assert_eq!(requirement, "1 to 1000");
}

#[test]
fn sammon_places_a_point_where_its_own_stress_is_least() -> Result<(), Error> {
    let points = cloud(40);
    let fitted = Sammon { dim: 2, ..Sammon::default() }.fit_dissimilarities(&given(&points), &Silent)?;
    // No position has these distances, so that the weights 1/δ decide.
    let target = |j: usize| 0.4 + 0.1 * (j % 7) as f64;
    let place = fitted.place(Mat::from_fn(1, 40, |_, j| target(j)).as_ref(), TrainingRows::Stored)?;
    let slope = |weighted: bool| {
        (0..2)
            .map(|c| {
                let term = |j: usize| {
                    let y = fitted.embedding().row(j);
                    let distance = ((y[0] - place[(0, 0)]).powi(2) + (y[1] - place[(0, 1)]).powi(2)).sqrt();
                    let weight = if weighted { 1.0 / target(j) } else { 1.0 };
                    weight * (1.0 - target(j) / distance) * (place[(0, c)] - y[c])
                };
                (0..40).map(term).sum::<f64>().abs()
            })
            .fold(0.0, f64::max)
    };
    assert!(slope(true) < 1e-6, "{}", slope(true));
    assert!(slope(false) > 1e-3, "the unweighted stress is least elsewhere: {}", slope(false));
    Ok(())
}

#[test]
fn weighted_stress_of_a_scaled_copy_is_zero_at_the_best_scale() -> Result<(), Error> {
    let points = cloud(12);
    let weights = Mat::from_fn(12, 12, |i, j| 0.5 + ((i + j) % 3) as f64);
    let weighted = given(&points).with_weights(weights.as_ref())?;
    let twice = Mat::from_fn(12, 3, |i, j| 2.0 * points.view().row(i)[j]);
    let stress = Stress::of(&weighted, twice.as_ref())?;
    assert!(stress.scale_normalized < 1e-7, "{stress:?}");
    assert!((stress.stress_1 - 0.5).abs() < 1e-12, "{stress:?}");
    Ok(())
}

/// In the dimensions with separate loops for the forces, and in others.
#[test]
fn stress_of_ordered_dissimilarities_never_rises_in_any_dimension() -> Result<(), Error> {
    let (points, start) = (cloud(60), Start::Random { seed: 2, runs: 1 });
    let weights = Mat::from_fn(60, 60, |i, j| if i == j { 0.0 } else { 1.0 + ((i * j) % 3) as f64 });
    let weighted = given(&points).with_weights(weights.as_ref())?;
    for dim in 1..=5 {
        for d in [&given(&points), &weighted] {
            let recipe = NonmetricMds { dim, start, ..NonmetricMds::default() };
            never_rises(&recipe.fit_dissimilarities(d, &Silent)?);
        }
    }
    Ok(())
}

/// An increasing sequence is its own regression, whatever its signs.
#[test]
fn increasing_values_of_any_sign_are_their_own_regression() {
    for values in [vec![-3.0, -2.0, -1.0], (0..64).map(|i| f64::from(u8::from(i >= 32))).collect()] {
        assert_eq!(isotonic_regression(&values, &vec![1.0; values.len()]), values);
    }
}

/// Scaled by a power of two, so that all rounding is the same.
#[test]
fn a_place_is_in_the_unit_of_the_dissimilarities() -> Result<(), Error> {
    let n = 30;
    let (whole, unit) = (given(&cloud(n + 1)), 2.0_f64.powi(-40));
    let placed = |unit: f64| {
        let training = Mat::from_fn(n, n, |i, j| unit * whole.get(i, j));
        let training = Dissimilarities::from_matrix(training.as_ref())?;
        let fitted = Smacof::default().fit_dissimilarities(&training, &Silent)?;
        let new = Mat::from_fn(1, n, |_, j| unit * whole.get(n, j));
        fitted.place(new.as_ref(), TrainingRows::Stored)
    };
    let (large, small) = (placed(1.0)?, placed(unit)?);
    for (large, small) in large.values().iter().zip(small.values()) {
        assert!((large - small / unit).abs() < 1e-8, "{large} {}", small / unit);
    }
    Ok(())
}
