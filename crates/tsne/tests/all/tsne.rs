//! Theorems about t-SNE, and its limits.

use embedding::{
    DistanceMatrix, Error, Input, MemoryLimit, Method, Model, PointSet, Points, Silent, Status, Transform,
};
use faer::Mat;
use neighbor_graph::NeighborSearch;
use testkit::cases::{cloud, copied, sheet};
use testkit::observers::StopEarly;
use tsne::{Affinities, Divergence, Gradient, Schedule, Start, Tsne};

fn short() -> Tsne {
    let schedule = Schedule { early_iterations: 80, iterations: 120, ..Schedule::default() };
    Tsne { perplexity: 12.0, schedule, ..Tsne::default() }
}

#[test]
fn every_row_has_the_perplexity_and_all_pairs_sum_to_one() -> Result<(), Error> {
    let points = cloud(300, 6, 1);
    let p = Affinities::of_points(points.view(), 20.0, &Silent)?;
    let mut total = 0.0;
    for i in 0..300 {
        let (columns, values) = p.of(i);
        assert!(columns.is_sorted_by(|a, b| a < b) && values.iter().all(|v| *v >= 0.0));
        assert!(columns.binary_search(&(i as u32)).is_err(), "no point is its own neighbor");
        for (&j, &v) in columns.iter().zip(values) {
            let (back, other) = p.of(j as usize);
            let at = back.binary_search(&(i as u32)).expect("the pair is there in both directions");
            assert_eq!(other[at], v);
        }
        total += values.iter().sum::<f64>();
    }
    assert!((total - 1.0).abs() < 1e-12, "{total}");
    Ok(())
}

#[test]
fn points_their_neighbors_and_their_distances_say_the_same() -> Result<(), Error> {
    let points = cloud(120, 4, 2);
    let view = points.view();
    let by_points = Affinities::of_points(view, 12.0, &Silent)?;
    let neighbors = NeighborSearch::nearest(36).find(view)?;
    assert_eq!(by_points, Affinities::of_neighbors(&neighbors, 12.0, &Silent)?);
    let distance = |i: usize, j: usize| {
        view.row(i).iter().zip(view.row(j)).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    };
    let distances = Mat::from_fn(120, 120, distance);
    let by_distances = Affinities::of_distances(distances.as_ref(), 12.0, &Silent)?;
    for i in 0..120 {
        let ((a, p), (b, q)) = (by_points.of(i), by_distances.of(i));
        assert_eq!(a, b);
        assert!(p.iter().zip(q).all(|(x, y)| (x - y).abs() < 1e-9));
    }
    let mut lopsided = distances;
    lopsided[(3, 5)] += 1.0;
    assert!(matches!(
        Affinities::of_distances(lopsided.as_ref(), 12.0, &Silent),
        Err(Error::Parameter { .. })
    ));
    Ok(())
}

#[test]
fn scale_changes_nothing_but_the_start() -> Result<(), Error> {
    let points = cloud(150, 5, 3);
    let larger = points.mapped(|r| r.iter().map(|v| 1024.0 * v).collect());
    let one = short().fit(points.view())?;
    let other = short().fit(larger.view())?;
    // A power of two is exact, and so is the scaled start.
    assert_eq!(one.embedding().coordinates(), other.embedding().coordinates());
    Ok(())
}

/// Four groups of 60 points in five dimensions, point i in group i mod 4.
fn groups() -> Result<PointSet, Error> {
    let points = cloud(240, 5, 4);
    let rows = (0..240).flat_map(|i| {
        let mut row = points.view().row(i).to_vec();
        row[i % 4] += 30.0;
        row
    });
    PointSet::new(rows.collect(), 5)
}

const APPROXIMATE: [Gradient; 2] = [Gradient::BarnesHut { theta: 0.3 }, Gradient::Interpolation];

#[test]
fn groups_stay_groups_by_every_gradient() -> Result<(), Error> {
    let groups = groups()?;
    for gradient in [[Gradient::Exact].as_slice(), &APPROXIMATE].concat() {
        let fitted = Tsne { gradient, ..short() }.fit(groups.view())?;
        let y = PointSet::from_mat(fitted.embedding().coordinates())?;
        let nearest = NeighborSearch::nearest(1).find(y.view())?;
        assert!((0..240).all(|i| nearest.indices_of(i)[0] as usize % 4 == i % 4), "{gradient:?}");
        assert!(matches!(fitted.divergence(), Divergence::Exact(_)));
    }
    Ok(())
}

/// From random starts a run ends in one of many minima, and rounding decides in which: single runs cannot be
/// compared, but their means can.
#[test]
fn an_approximate_gradient_ends_no_higher_than_the_exact_one() -> Result<(), Error> {
    let groups = groups()?;
    let affinities = Affinities::of_points(groups.view(), 12.0, &Silent)?;
    let mean = |gradient| -> Result<f64, Error> {
        let ends = (0..6).map(|seed| {
            let recipe = Tsne { gradient, start: Start::Random, seed, ..Tsne::default() };
            Ok(recipe.fit_affinities(None, &affinities, &Silent)?.divergence().value())
        });
        Ok(ends.collect::<Result<Vec<f64>, Error>>()?.iter().sum::<f64>() / 6.0)
    };
    let (exact, approximate) = (mean(Gradient::Exact)?, mean(APPROXIMATE[0])?);
    assert!((approximate / exact - 1.0).abs() < 0.05, "{approximate}, exactly {exact}");
    Ok(())
}

/// Started at a minimum, every gradient stays there.
#[test]
fn every_gradient_stays_in_a_minimum_that_the_exact_one_found() -> Result<(), Error> {
    let groups = groups()?;
    let affinities = Affinities::of_points(groups.view(), 12.0, &Silent)?;
    let long = Schedule { iterations: 1500, patience: 1500, ..Schedule::default() };
    let settled = Tsne { gradient: Gradient::Exact, schedule: long, ..Tsne::default() }.fit_affinities(
        None,
        &affinities,
        &Silent,
    )?;
    let start = Start::Given(PointSet::from_mat(settled.embedding().coordinates())?);
    let on = Schedule { early_iterations: 0, iterations: 100, ..Schedule::default() };
    for gradient in APPROXIMATE {
        let recipe = Tsne { gradient, start: start.clone(), schedule: on, ..Tsne::default() };
        let there = recipe.fit_affinities(None, &affinities, &Silent)?.divergence().value();
        let gap = there / settled.divergence().value() - 1.0;
        assert!(gap.abs() < 0.01, "{gradient:?} moves the divergence by {gap:e}");
    }
    Ok(())
}

#[test]
fn the_divergence_falls_after_the_exaggeration() -> Result<(), Error> {
    let points = sheet(200, 5);
    let fitted = Tsne { perplexity: 15.0, ..Tsne::default() }.fit(points.view())?;
    let after: Vec<f64> = fitted.divergences().iter().filter(|e| e.0 > 250).map(|e| e.1).collect();
    assert!(after.len() > 3);
    assert!(after[after.len() - 1] < after[0], "{after:?}");
    assert!(after.windows(2).all(|w| w[1] < w[0] + 1e-2), "{after:?}");
    Ok(())
}

/// A divergence that still falls is no reason to stop.
#[test]
fn patience_begins_anew_with_every_lower_divergence() -> Result<(), Error> {
    let points = sheet(200, 5);
    let schedule = Schedule { patience: 100, ..Schedule::default() };
    let fitted = Tsne { perplexity: 15.0, schedule, ..Tsne::default() }.fit(points.view())?;
    let after: Vec<(usize, f64)> = fitted.divergences().iter().copied().filter(|e| e.0 > 250).collect();
    let lowest = after.iter().fold(after[0], |least, e| if e.1 < least.1 { *e } else { least }).0;
    let last = after[after.len() - 1].0;
    assert!(lowest > 500, "{lowest}");
    match fitted.status() {
        Status::Converged { iterations } => {
            assert!(iterations >= lowest.max(250) + 100, "{iterations}, {lowest}")
        }
        status => assert_eq!((status, last), (Status::IterationLimit { iterations: 1250 }, 1250)),
    }
    Ok(())
}

/// All training points can be neighbors of a new one: by symmetry the middle of a square is placed
/// in the middle of its map.
#[test]
fn a_new_point_has_all_training_points_as_neighbors_where_they_are_few() -> Result<(), Error> {
    let corners = PointSet::from_rows(&[[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])?;
    let fitted = Tsne { perplexity: 2.0, gradient: Gradient::Exact, ..Tsne::default() }.fit(&corners)?;
    let map = fitted.embedding().coordinates();
    let placed = fitted.transform(Points::new(&[0.0, 0.0], 2)?)?;
    for c in 0..2 {
        let middle = (0..4).map(|i| map[(i, c)]).sum::<f64>() / 4.0;
        assert!((placed[(0, c)] - middle).abs() < 1e-3 * map.norm_max(), "{} {middle}", placed[(0, c)]);
    }
    Ok(())
}

/// Velocity and gains are reset when the exaggeration ends.
#[test]
fn after_the_exaggeration_a_descent_of_its_own_begins() -> Result<(), Error> {
    let points = cloud(150, 5, 12);
    let fit = |start, early_iterations, iterations| {
        let schedule = Schedule { early_iterations, iterations, ..Schedule::default() };
        Tsne { start, schedule, gradient: Gradient::Exact, ..short() }.fit(points.view())
    };
    let whole = fit(Start::Pca, 80, 120)?;
    let first = fit(Start::Pca, 80, 0)?;
    let between = PointSet::from_mat(first.embedding().coordinates())?;
    let second = fit(Start::Given(between), 0, 120)?;
    assert_eq!(whole.embedding().coordinates(), second.embedding().coordinates());
    assert_ne!(whole.embedding().coordinates(), first.embedding().coordinates());
    Ok(())
}

#[test]
fn stopping_leaves_the_map_so_far_and_says_so() -> Result<(), Error> {
    let (points, stop) = (sheet(100, 6), StopEarly::default());
    let fitted = short().fit(Input::from(points.view()).with_observer(&stop))?;
    assert_eq!(fitted.status(), Status::Stopped { iterations: 1 });
    let enough = Schedule { smallest_gradient: 10.0, ..short().schedule };
    let fitted = Tsne { schedule: enough, ..short() }.fit(sheet(100, 6).view())?;
    assert_eq!(fitted.status(), Status::Converged { iterations: 100 });
    let fitted = short().fit(sheet(100, 6).view())?;
    assert_eq!(fitted.status(), Status::IterationLimit { iterations: 200 });
    Ok(())
}

#[test]
fn equal_points_stay_together_and_constant_columns_say_nothing() -> Result<(), Error> {
    let pairs = copied(60, 2, 7);
    let fitted = Tsne { start: Start::Pca, ..short() }.fit(pairs.view())?;
    assert!(fitted.embedding().coordinates().norm_max().is_finite());
    let points = cloud(100, 3, 8);
    let padded = points.mapped(|r| vec![r[0], r[1], r[2], 0.0, 0.0]);
    let one = short().fit(points.view())?;
    let other = short().fit(padded.view())?;
    let gap = (one.divergence().value() - other.divergence().value()).abs();
    assert!(gap < 1e-2, "{gap}");
    Ok(())
}

#[test]
fn starts_are_what_they_say() -> Result<(), Error> {
    let points = sheet(150, 9);
    let still = Schedule { early_iterations: 0, iterations: 0, ..Schedule::default() };
    for start in [Start::Pca, Start::Spectral, Start::Random] {
        let fitted = Tsne { start: start.clone(), schedule: still, ..short() }.fit(points.view())?;
        let y = fitted.embedding().coordinates();
        let spread = y.col(0).norm_l2() / 150f64.sqrt();
        assert!((spread / 1e-4 - 1.0).abs() < 0.2, "{start:?}: {spread:e}");
    }
    let given = PointSet::new((0..300).map(f64::from).collect(), 2)?;
    let fitted = Tsne { start: Start::Given(given), schedule: still, ..short() }.fit(points.view())?;
    assert_eq!(fitted.embedding().coordinates()[(7, 1)], 15.0);
    let short_start = Start::Given(PointSet::new(vec![0.0; 4], 2)?);
    let refused = Tsne { start: short_start, ..short() }.fit(points.view());
    assert!(matches!(refused, Err(Error::Shape { .. })));
    Ok(())
}

#[test]
fn few_points_and_wide_perplexities_are_refused_with_the_maximum() -> Result<(), Error> {
    let two = PointSet::new(vec![0.0, 1.0], 1)?;
    let refused = Tsne::default().fit(two.view()).map(|_| ()).expect_err("perplexity 30 of two points");
    assert!(refused.to_string().contains("1 to n - 1 (here 1 to 1)"), "{refused}");
    let fitted = Tsne { perplexity: 1.0, ..short() }.fit(two.view())?;
    assert!(fitted.embedding().coordinates().norm_max().is_finite());
    let three = PointSet::new(vec![0.0, 1.0, 5.0], 1)?;
    for perplexity in [1.0, 1.5, 2.0] {
        let fitted = Tsne { perplexity, ..short() }.fit(three.view())?;
        assert!(fitted.embedding().coordinates().norm_max().is_finite(), "{perplexity}");
    }
    let one = PointSet::new(vec![0.0], 1)?;
    assert!(matches!(Tsne::default().fit(one.view()), Err(Error::TooFewPoints { .. })));
    for perplexity in [0.5, 0.0, -3.0, f64::NAN, f64::INFINITY] {
        let refused = Tsne { perplexity, ..short() }.fit(three.view());
        assert!(matches!(refused, Err(Error::Parameter { name: "perplexity", .. })), "{perplexity}");
    }
    Ok(())
}

/// With given distances, whole rows are sorted, for a thousand points at a time.
#[test]
fn a_search_among_distances_is_counted() -> Result<(), Error> {
    let n = 2_000;
    let distances: Vec<f64> = (0..n * n).map(|at| if at / n == at % n { 0.0 } else { 1.0 }).collect();
    let input = Input::from(DistanceMatrix::new(&distances, n)?).with_memory_limit(MemoryLimit::new(1));
    match short().fit(input) {
        Err(Error::Memory { needed, .. }) => {
            assert!((16 * 1024 * n as u64..64 * 1024 * n as u64).contains(&needed), "{needed}");
        }
        other => panic!("{other:?}"),
    }
    Ok(())
}

/// Many neighbors of few points: their probabilities take more than the search.
#[test]
fn points_and_their_distances_have_one_estimate_where_the_probabilities_decide() -> Result<(), Error> {
    let points = cloud(600, 3, 1);
    let distances = testkit::cases::distances(points.view(), points.view());
    let refused = |input: Input<'_>| {
        let recipe = Tsne { perplexity: 150.0, ..short() };
        match recipe.fit(input.with_memory_limit(MemoryLimit::new(1))).map(|_| ()) {
            Err(Error::Memory { needed, .. }) => needed,
            other => panic!("{other:?}"),
        }
    };
    let by_points = refused(Input::from(points.view()));
    assert_eq!(by_points, refused(Input::from(DistanceMatrix::new(&distances, 600)?)));
    Ok(())
}

#[test]
fn any_number_of_iterations_is_legal() -> Result<(), Error> {
    let points = sheet(100, 6);
    for (early_iterations, iterations) in [(usize::MAX, usize::MAX), (usize::MAX, 0), (0, usize::MAX)] {
        let schedule = Schedule { early_iterations, iterations, ..Schedule::default() };
        let stop = StopEarly::default();
        let fitted = Tsne { schedule, ..short() }.fit(Input::from(points.view()).with_observer(&stop))?;
        assert_eq!(fitted.status(), Status::Stopped { iterations: 1 });
    }
    Ok(())
}

#[test]
fn impossible_gradients_are_refused() {
    let points = cloud(60, 6, 1);
    for (gradient, dim) in [
        (Gradient::BarnesHut { theta: 0.5 }, 4),
        (Gradient::BarnesHut { theta: 0.3 }, 4),
        (Gradient::BarnesHut { theta: 1.0 }, 1),
        (Gradient::Interpolation, 3),
        (Gradient::BarnesHut { theta: 0.8 }, 2),
        (Gradient::BarnesHut { theta: -0.1 }, 2),
        (Gradient::BarnesHut { theta: f64::NAN }, 2),
    ] {
        let refused = Tsne { gradient, dim, ..short() }.fit(points.view());
        assert!(matches!(refused, Err(Error::Parameter { .. })), "{gradient:?} in {dim} dimensions");
    }
    assert!(Tsne { dim: 4, ..short() }.fit(points.view()).is_ok());
}

/// The bounds of `Auto`, on both sides of each.
#[test]
fn the_gradient_follows_points_and_dimensions() {
    let (half, third) = (Gradient::BarnesHut { theta: 0.5 }, Gradient::BarnesHut { theta: 0.3 });
    for (n, dim, expected) in [
        (500, 2, Gradient::Exact),
        (501, 2, half),
        (1_000_000, 4, Gradient::Exact),
        (8000, 2, half),
        (8001, 2, third),
        (8001, 1, Gradient::Interpolation),
        (8001, 3, half),
        (30_000, 2, third),
        (30_001, 2, Gradient::Interpolation),
        (30_001, 3, half),
    ] {
        assert_eq!(Gradient::Auto.settled(n, dim), expected, "{n} points, {dim} dimensions");
        assert_eq!(third.settled(n, dim), third);
    }
}

/// Σ p ln (p / q) over all pairs, q = w / Σ w, w = 1 / (1 + |yᵢ − yⱼ|²).
#[test]
fn the_divergence_is_the_one_of_its_definition() -> Result<(), Error> {
    let points = cloud(150, 5, 4);
    let fitted = short().fit(points.view())?;
    let (p, y) = (Affinities::of_points(points.view(), 12.0, &Silent)?, fitted.embedding().coordinates());
    let weight = |i: usize, j: usize| 1.0 / (1.0 + (y.row(i) - y.row(j)).squared_norm_l2());
    let total: f64 = (0..150)
        .flat_map(|i| (0..150).map(move |j| (i, j)))
        .filter(|(i, j)| i != j)
        .map(|(i, j)| weight(i, j))
        .sum();
    let mut expected = 0.0;
    for i in 0..150 {
        let (columns, values) = p.of(i);
        for (j, p) in columns.iter().zip(values).filter(|(_, p)| **p > 0.0) {
            expected += p * (p * total / weight(i, *j as usize)).ln();
        }
    }
    let found = fitted.divergence();
    assert!(
        matches!(found, Divergence::Exact(value) if (value - expected).abs() < 1e-9),
        "{found:?}, {expected}"
    );
    Ok(())
}
