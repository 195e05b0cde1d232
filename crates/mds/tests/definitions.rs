//! Numbers and choices against their definitions, and what is refused.

use embedding::{
    DistanceMatrix, Error, Input, MemoryLimit, Method, Metric, Model, PointSet, Silent, Transform,
};
use faer::{Mat, MatRef};
use mds::{
    ClassicalMds, Dissimilarities, Distances, LandmarkMds, Landmarks, NonmetricMds, Precision, Sammon,
    Smacof, Start, Stress,
};
use spectral::Tolerance;
use testkit::distances;

type Done = Result<(), Error>;

/// n points in `dim` dimensions from an additive recurrence.
fn cloud(n: usize, dim: usize) -> PointSet {
    let step = |j: usize| [2.0_f64, 3.0, 5.0, 7.0][j].sqrt();
    let value = |e: usize| ((e / dim + 1) as f64 * step(e % dim)).fract() * (4 - e % dim) as f64;
    PointSet::new((0..n * dim).map(value).collect(), dim).expect("finite")
}

fn matrix(points: &PointSet) -> Mat<f64> {
    let (values, n) = (distances(points.view(), points.view()), points.len());
    Mat::from_fn(n, n, |i, j| values[i * n + j])
}

#[test]
fn stress_weighs_every_pair() -> Done {
    let (points, shown) = (cloud(12, 3), cloud(12, 2));
    let delta = matrix(&points);
    let weights = Mat::from_fn(12, 12, |i, j| if i == j { 0.0 } else { 0.5 + ((i + j) % 4) as f64 });
    let given = Dissimilarities::from_matrix(delta.as_ref())?;
    assert_eq!((given.len(), given.is_empty()), (12, false));
    let found = Stress::of(&given.with_weights(weights.as_ref())?, shown.view().as_mat())?;
    let d = matrix(&shown);
    let sum = |term: &dyn Fn(f64, f64) -> f64| -> f64 {
        let pairs = (0..12).flat_map(|i| (0..i).map(move |j| (i, j)));
        pairs.map(|(i, j)| weights[(i, j)] * term(delta[(i, j)], d[(i, j)])).sum()
    };
    let raw = sum(&|delta, d| (delta - d).powi(2));
    let close = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-12;
    assert!(close(found.raw, raw) && close(found.stress_1, (raw / sum(&|_, d| d * d)).sqrt()), "{found:?}");
    // The best multiple of the distances, and what it leaves.
    let best = sum(&|delta, d| delta * d) / sum(&|_, d| d * d);
    let left = sum(&|delta, d| (delta - best * d).powi(2)) / sum(&|delta, _| delta * delta);
    assert!((found.scale_normalized - left.sqrt()).abs() < 1e-12, "{found:?}, {left}");
    Ok(())
}

#[test]
fn weights_that_are_no_numbers_or_not_symmetric_are_refused() -> Done {
    let given = Dissimilarities::from_matrix(matrix(&cloud(5, 2)).as_ref())?;
    let with = |i: usize, j: usize, weight: f64| {
        let weights = Mat::from_fn(5, 5, |a, b| if (a, b) == (i, j) { weight } else { 1.0 });
        given.clone().with_weights(weights.as_ref()).map(drop)
    };
    for (i, j, weight) in [(3, 1, 2.0), (1, 3, 2.0), (3, 1, -1.0), (3, 1, f64::NAN), (3, 1, f64::INFINITY)] {
        assert!(matches!(with(i, j, weight), Err(Error::Parameter { name: "a weight", .. })), "{weight}");
    }
    for bad in [-1.0, f64::INFINITY] {
        let weights = Mat::from_fn(5, 5, |a, b| if a != b && a + b == 4 { bad } else { 1.0 });
        assert!(given.clone().with_weights(weights.as_ref()).is_err(), "{bad} of both pairs");
    }
    let zeros = Mat::from_fn(5, 5, |i, j| f64::from(u8::from(i.min(j) > 0)));
    assert!(matches!(given.with_weights(zeros.as_ref()), Err(Error::Degenerate { .. })), "an isolated point");
    Ok(())
}

/// Of points along a line of which only some pairs are known, also where the known way is longer than
/// another.
#[test]
fn the_classical_start_has_paths_in_place_of_unknown_pairs() -> Done {
    let n = 7;
    let place = [0.0, 1.0, 3.0, 3.5, 6.0, 7.0, 9.0];
    let known = |i: usize, j: usize| i.abs_diff(j) == 1;
    let delta = Mat::from_fn(n, n, |i, j| {
        if known(i, j) {
            f64::abs(place[i] - place[j])
        } else if i == j {
            0.0
        } else {
            50.0
        }
    });
    let weights = Mat::from_fn(n, n, |i, j| f64::from(u8::from(known(i, j))));
    let given = Dissimilarities::from_matrix(delta.as_ref())?.with_weights(weights.as_ref())?;
    let recipe = Smacof { dim: 1, start: Start::Classical, max_iterations: 1, ..Smacof::default() };
    let found = recipe.fit_dissimilarities(&given, &Silent)?;
    let y = found.embedding().coordinates();
    for i in 0..n {
        let from_first = (y[(i, 0)] - y[(0, 0)]).abs();
        assert!((from_first - place[i]).abs() < 1e-6, "{i}: {from_first}");
    }
    Ok(())
}

/// Farthest-first, of more points than are searched at a time.
#[test]
fn spread_landmarks_are_each_the_farthest_from_those_before() -> Done {
    let points = cloud(2600, 2);
    let square = |i: usize, j: usize| -> f64 {
        points.view().row(i).iter().zip(points.view().row(j)).map(|(a, b)| (a - b).powi(2)).sum()
    };
    let found = Landmarks::MaxMin { count: 30 }.choose(points.view(), &Silent)?;
    // From one of those that were found, since the first is not documented.
    let chosen = |first: usize| {
        let mut gaps: Vec<f64> = (0..2600).map(|i| square(i, first)).collect();
        let mut rows = vec![first as u32];
        while rows.len() < 30 {
            let far = (0..2600).max_by(|&a, &b| gaps[a].total_cmp(&gaps[b]).then(b.cmp(&a))).expect("points");
            rows.push(far as u32);
            gaps.iter_mut().enumerate().for_each(|(i, gap)| *gap = gap.min(square(i, far)));
        }
        rows.sort_unstable();
        rows
    };
    assert!(found.iter().any(|first| chosen(*first as usize) == found), "{found:?}");
    Ok(())
}

#[test]
fn landmarks_are_scaled_by_the_metric_and_to_the_tolerance() -> Done {
    let points = cloud(80, 3);
    let landmarks = Landmarks::Random { count: 20, seed: 1 };
    let recipe = LandmarkMds { landmarks, ..LandmarkMds::default() };
    for metric in [Metric::Euclidean, Metric::Manhattan] {
        let fitted = recipe.fit(Input::from(&points).metric(metric))?;
        let chosen = points.view().select(fitted.landmarks());
        let between = |i: usize, j: usize| {
            let differences =
                chosen.view().row(i).iter().zip(chosen.view().row(j)).map(|(a, b)| (a - b).abs());
            if metric == Metric::Manhattan {
                differences.sum::<f64>()
            } else {
                differences.map(|v| v * v).sum::<f64>().sqrt()
            }
        };
        let values: Vec<f64> = (0..400).map(|e| between(e / 20, e % 20)).collect();
        let given = Distances::from_given(DistanceMatrix::new(&values, 20)?, Precision::Double)?;
        assert_eq!((given.len(), given.is_empty()), (20, false));
        let scaling = ClassicalMds::default().fit_distances(&given, &Silent)?;
        for (a, b) in fitted.scaling().eigenvalues().iter().zip(scaling.eigenvalues()) {
            assert!((a / b - 1.0).abs() < 1e-9, "{metric:?}: {a} and {b}");
        }
    }
    let strict = LandmarkMds { tolerance: Tolerance::new(1e-300)?, ..recipe };
    let refused = strict.fit(&points).map(drop);
    assert!(matches!(refused, Err(Error::NoConvergence { .. })), "{refused:?}");
    Ok(())
}

#[test]
fn as_many_dimensions_as_points_are_refused() -> Done {
    let points = cloud(6, 4);
    let d = Dissimilarities::from_matrix(matrix(&points).as_ref())?;
    let given = Distances::euclidean(points.view(), Precision::Double, MemoryLimit::default(), &Silent)?;
    let by = |dim: usize| {
        [
            ClassicalMds { dim, ..ClassicalMds::default() }.fit_distances(&given, &Silent).map(drop),
            NonmetricMds { dim, ..NonmetricMds::default() }.fit_dissimilarities(&d, &Silent).map(drop),
            Sammon { dim, ..Sammon::default() }.fit_dissimilarities(&d, &Silent).map(drop),
            Smacof { dim, ..Smacof::default() }.fit_dissimilarities(&d, &Silent).map(drop),
        ]
    };
    for (which, refused) in by(6).into_iter().enumerate() {
        assert!(matches!(refused, Err(Error::Parameter { name: "dim", .. })), "{which}: {refused:?}");
    }
    for (which, fitted) in by(5).into_iter().enumerate() {
        assert!(!matches!(fitted, Err(Error::Parameter { .. })), "{which}: {fitted:?}");
    }
    Ok(())
}

/// Points of a plane: in single precision, too, a third dimension is rounding.
#[test]
fn rounding_of_stored_distances_is_no_dimension() -> Done {
    let plane = cloud(60, 2);
    for precision in [Precision::Single, Precision::Double] {
        let given = Distances::euclidean(plane.view(), precision, MemoryLimit::default(), &Silent)?;
        assert_eq!(given.packing().precision(), precision);
        let recipe = |dim: usize| ClassicalMds { dim, ..ClassicalMds::default() };
        recipe(2).fit_distances(&given, &Silent)?;
        let refused = recipe(3).fit_distances(&given, &Silent).map(drop);
        assert!(matches!(refused, Err(Error::Degenerate { .. })), "{precision:?}: {refused:?}");
    }
    Ok(())
}

/// Each new point at its distances from all others, which no place of the map may have.
#[test]
fn rows_of_the_data_are_placed_where_they_are() -> Done {
    let points = cloud(25, 4);
    let same = |a: MatRef<'_, f64>, b: MatRef<'_, f64>| (a - b).norm_max() == 0.0;
    let smacof = Smacof { max_iterations: 30, ..Smacof::default() }.fit(&points)?;
    let nonmetric = NonmetricMds { max_iterations: 30, ..NonmetricMds::default() }.fit(&points)?;
    let sammon = Sammon { max_iterations: 30, ..Sammon::default() }.fit(&points)?;
    for fitted in [&smacof, &nonmetric, &sammon] {
        let placed = fitted.transform(points.view())?;
        assert!(same(placed.coordinates(), fitted.embedding().coordinates()));
    }
    Ok(())
}
