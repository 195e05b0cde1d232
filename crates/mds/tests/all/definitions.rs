//! Numbers and choices agree with their definitions; invalid input is refused.

use embedding::implement::{Sizes, Validate};
use embedding::{
    DistanceMatrix, DynMethod, Error, Input, MemoryLimit, Method, Metric, Model, PointSet, Silent, Transform,
};
use faer::{Mat, MatRef};
use mds::steps::{ClassicalScaling, Distances};
use mds::{
    ClassicalMds, Dissimilarities, LandmarkMds, Landmarks, NonmetricMds, Precision, Sammon, Smacof, Start,
    Stress,
};
use spectral::Tolerance;
use testkit::cases::distances;

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
    // The best multiple of the distances, and its residual.
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

/// Points along a line where only some pairs are known, also where the known path is longer than another.
#[test]
fn the_classical_start_completes_missing_pairs_by_shortest_paths() -> Done {
    let n = 7;
    let place = [0.0, 1.0, 3.0, 3.5, 6.0, 7.0, 9.0];
    let known = |i: usize, j: usize| i.abs_diff(j) == 1;
    // The value of unknown pairs is ignored, also where it is less than a path.
    for unknown in [50.0, 0.125] {
        let delta = Mat::from_fn(n, n, |i, j| {
            if known(i, j) {
                f64::abs(place[i] - place[j])
            } else if i == j {
                0.0
            } else {
                unknown
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
    }
    Ok(())
}

/// Farthest-first selection among more points than are searched at a time.
#[test]
fn spread_landmarks_are_each_the_farthest_from_those_before() -> Done {
    let points = cloud(2600, 2);
    let square = |i: usize, j: usize| -> f64 {
        points.view().row(i).iter().zip(points.view().row(j)).map(|(a, b)| (a - b).powi(2)).sum()
    };
    let found = Landmarks::MaxMin { count: 30 }.choose(points.view(), &Silent)?;
    // Starts from one of the landmarks found, since the first is not documented.
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
        let fitted = recipe.fit(Input::from(&points).with_metric(metric))?;
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

/// Each new point is given by its distances from all others, which no position in the map may have.
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

/// The solution of A x = b by elimination.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    for c in 0..b.len() {
        for i in (0..b.len()).filter(|i| *i != c) {
            let (factor, row) = (a[i][c] / a[c][c], a[c].clone());
            a[i].iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
            b[i] -= factor * b[c];
        }
    }
    b.iter().enumerate().map(|(i, b)| b / a[i][i]).collect()
}

/// A known pair keeps its value where a path is shorter: the first iteration begins at the classical
/// scaling of that matrix. It is Guttman's transform V⁺ B X.
#[test]
fn the_classical_start_keeps_known_pairs_that_are_longer_than_a_path() -> Done {
    let (n, unknown) = (4, |i: usize, j: usize| i.abs_diff(j) >= 2 && i.max(j) == 3);
    // The values of pairs 0 – 3 and 1 – 3 are lengths of paths.
    let rows = [[0.0, 1.0, 5.0, 3.0], [1.0, 0.0, 1.0, 2.0], [5.0, 1.0, 0.0, 1.0], [3.0, 2.0, 1.0, 0.0]];
    let given = Mat::from_fn(n, n, |i, j| if unknown(i, j) { 77.0 } else { rows[i][j] });
    let weight = |i: usize, j: usize| f64::from(u8::from(i != j && !unknown(i, j)));
    let weights = Mat::from_fn(n, n, weight);
    let given = Dissimilarities::from_matrix(given.as_ref())?.with_weights(weights.as_ref())?;
    let recipe = Smacof { max_iterations: 1, ..Smacof::default() };
    let found = recipe.fit_dissimilarities(&given, &Silent)?;
    let whole: Vec<f64> = rows.concat();
    let start = Distances::from_given(DistanceMatrix::new(&whole, n)?, Precision::Double)?;
    let start = ClassicalMds::default().fit_distances(&start, &Silent)?;
    let x = start.embedding().coordinates();
    let gap = |y: MatRef<'_, f64>, i: usize, j: usize| (y[(i, 0)] - y[(j, 0)]).hypot(y[(i, 1)] - y[(j, 1)]);
    let off = |i: usize, j: usize| weight(i, j) * rows[i][j] / gap(x, i, j);
    let sum = |i: usize, entry: &dyn Fn(usize, usize) -> f64| {
        (0..n).filter(|j| *j != i).map(|j| entry(i, j)).sum::<f64>()
    };
    // V + 1 1ᵀ, which is regular and has the same centered solution.
    let v: Vec<Vec<f64>> = (0..n)
        .map(|i| (0..n).map(|j| 1.0 + if i == j { sum(i, &weight) } else { -weight(i, j) }).collect())
        .collect();
    let mut next = Mat::zeros(n, 2);
    for c in 0..2 {
        let b = |i: usize| sum(i, &off) * x[(i, c)] - sum(i, &|i, j| off(i, j) * x[(j, c)]);
        let column = solve(v.clone(), (0..n).map(b).collect());
        column.iter().enumerate().for_each(|(i, y)| next[(i, c)] = *y);
    }
    let y = found.embedding().coordinates();
    for (i, j) in (0..n).flat_map(|i| (0..i).map(move |j| (i, j))) {
        let (a, b) = (gap(y, i, j), gap(next.as_ref(), i, j));
        assert!((a - b).abs() < 1e-6, "{i} and {j}: {a} and {b}");
    }
    Ok(())
}

/// If all points coincide in the map, stress-1 is 1, or 0 where the given distances are 0.
#[test]
fn coordinates_that_coincide_have_stress_one() -> Done {
    let same = Mat::<f64>::zeros(5, 2);
    let found = Stress::of(&Dissimilarities::from_matrix(matrix(&cloud(5, 2)).as_ref())?, same.as_ref())?;
    assert_eq!((found.stress_1, found.scale_normalized), (1.0, 1.0));
    let zeros = Dissimilarities::from_matrix(Mat::zeros(5, 5).as_ref())?;
    let found = Stress::of(&zeros, same.as_ref())?;
    assert_eq!(found, Stress { raw: 0.0, stress_1: 0.0, scale_normalized: 0.0 });
    Ok(())
}

/// Whatever number is requested, the curve has one entry per positive eigenvalue.
#[test]
fn the_curve_of_residual_variances_ends_with_the_positive_eigenvalues() -> Done {
    for (dim, asked) in [(3, 5), (3, 6), (3, 7), (3, 100)] {
        let points = cloud(6, dim);
        let given = Distances::euclidean(points.view(), Precision::Double, MemoryLimit::default(), &Silent)?;
        let (scaling, curve) = ClassicalMds::default().fit_distances_with_curve(&given, asked, &Silent)?;
        assert_eq!((scaling.embedding().dim(), curve.len()), (2, dim), "{asked} of 6 points");
        assert!(curve.is_sorted_by(|a, b| a >= b) && curve[dim - 1] < 1e-9, "{curve:?}");
    }
    Ok(())
}

#[test]
fn a_refusal_counts_the_positive_eigenvalues() -> Done {
    for (dim, said) in [(1, "only 1 positive eigenvalue beyond"), (2, "only 2 positive eigenvalues beyond")] {
        let points = cloud(30, dim);
        let given = Distances::euclidean(points.view(), Precision::Double, MemoryLimit::default(), &Silent)?;
        let recipe = ClassicalMds { dim: dim + 1, ..ClassicalMds::default() };
        let refused = recipe.fit_distances(&given, &Silent).map(drop).expect_err("too flat").to_string();
        assert!(refused.contains(said), "{refused}");
    }
    Ok(())
}

#[test]
fn landmarks_span_a_dimension_less_than_their_number() -> Done {
    let points = cloud(50, 3);
    for count in [3, 10, 80] {
        let landmarks = Landmarks::Random { count, seed: 1 };
        let recipe = LandmarkMds { landmarks, ..LandmarkMds::default() };
        let at = recipe.parameters().iter().position(|p| p.name == "dim").expect("a parameter");
        let most = recipe.limits(&Input::from(&points))[at].expect("a range").high;
        assert_eq!(most, Some((count.min(50) - 1) as f64));
        let sizes = Sizes { points: Some(50), ..Sizes::default() };
        for (dim, legal) in [(count.min(50) - 1, true), (count.min(50), false)] {
            let checked = LandmarkMds { dim, ..recipe }.check(sizes);
            assert_eq!(checked.is_ok(), legal, "{count} landmarks, {dim} dimensions: {checked:?}");
        }
    }
    Ok(())
}

#[test]
fn a_model_by_a_metric_has_a_training_point_for_every_row() -> Done {
    let points = cloud(9, 3);
    let fitted = ClassicalMds::default().fit(Input::from(&points).with_metric(Metric::Manhattan))?;
    fitted.validate()?;
    let saved = serde_json::to_value(&fitted).expect("an encoding");
    let fewer = ClassicalMds::default().fit(Input::from(&cloud(8, 3)).with_metric(Metric::Manhattan))?;
    let fewer = serde_json::to_value(&fewer).expect("an encoding");
    let path = "/scaled/Distances/training";
    assert_ne!(saved.pointer(path), None);
    testkit::refuses_damage(&fitted, &[(path, fewer.pointer(path).expect("training points").clone())]);
    Ok(())
}

/// The memory that a fit states as needed where its limit is zero.
fn needed(method: &dyn DynMethod, points: &PointSet) -> u64 {
    match method.fit_dyn(&Input::from(points).with_memory_limit(MemoryLimit::new(1))).map(drop) {
        Err(Error::Memory { needed, .. }) => needed,
        other => panic!("{other:?}"),
    }
}

/// Coordinates three times; the matrices of the iterative methods; rows with their positions, or the
/// workspace of the selection of landmarks.
#[test]
fn the_estimate_of_a_fit_counts_all_numbers_that_it_keeps() {
    let (n, few) = (2000, testkit::cases::cloud(2000, 2, 1).points);
    assert_eq!(needed(&ClassicalMds::default(), &few), 8 * 3 * n * 2);
    assert_eq!(needed(&Sammon::default(), &few), 56 * n * n);
    let many = testkit::cases::cloud(2000, 12, 1).points;
    let (count, double) = (30, Precision::Double);
    for (dim, each) in [(2, 72), (10, 160)] {
        let landmarks = Landmarks::Random { count, seed: 1 };
        let recipe = LandmarkMds { landmarks, dim, ..LandmarkMds::default() };
        assert_eq!(needed(&recipe, &many), ClassicalScaling::bytes(count, dim, double) + n * each);
    }
}

/// Besides the distances, the eigenproblem with a block of columns for each of 16 groups of rows; up to 500
/// points at least four matrices, for all eigenvalues.
#[test]
fn the_estimate_of_a_scaling_counts_distances_and_eigenproblem() {
    let beside =
        |n: usize| ClassicalScaling::bytes(n, 2, Precision::Single) - Distances::bytes(n, Precision::Single);
    let solved = |n: usize| {
        let (eigen, block) = spectral::memory::largest_bytes(n, 2);
        eigen + (8 * n * block * 16) as u64
    };
    assert_eq!(beside(500), 4 * 8 * 500 * 500);
    for n in [2100, 5000] {
        assert_eq!(beside(n), solved(n), "{n}");
    }
}

#[test]
fn a_matrix_of_dissimilarities_is_allowed_its_own_size_and_no_less() {
    let points = cloud(100, 2);
    let within = |bytes| Dissimilarities::euclidean(points.view(), MemoryLimit::new(bytes)).map(drop);
    assert_eq!(within(8 * 100 * 100), Ok(()));
    assert!(matches!(within(8 * 100 * 100 - 1), Err(Error::Memory { .. })));
}

#[test]
fn points_that_are_all_zero_have_no_dimension() -> Done {
    let zeros = PointSet::new(vec![0.0; 12], 2)?;
    let refused = ClassicalMds { dim: 1, ..ClassicalMds::default() }.fit(zeros.view()).map(drop);
    assert!(matches!(refused, Err(Error::Degenerate { .. })), "{refused:?}");
    Ok(())
}

/// Coordinates of this size have a spacing of 2e-6, so that the line is straight only to this accuracy; with
/// few columns and with many.
#[test]
fn a_line_far_from_the_origin_has_one_dimension() -> Done {
    for width in [2, 800] {
        let row = |i: usize| (0..width).map(move |c| 1e10 + i as f64 / (3 + 2 * c % 11) as f64);
        let line = PointSet::new((0..10).flat_map(row).collect(), width)?;
        let fit = |dim| ClassicalMds { dim, ..ClassicalMds::default() }.fit(line.view()).map(drop);
        assert_eq!(fit(1), Ok(()), "{width} columns");
        let refused = fit(2);
        assert!(
            matches!(&refused, Err(Error::Degenerate { problem, .. }) if problem.contains("only 1 positive")),
            "{width} columns: {refused:?}"
        );
    }
    Ok(())
}

/// Two equal objects have no distance to be relative to: their pair does not count.
#[test]
fn sammon_maps_equal_objects() -> Done {
    let points = PointSet::from_rows(&[[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 2.0], [3.0, 1.0]])?;
    let given = Dissimilarities::euclidean(points.view(), MemoryLimit::default())?;
    let found = Sammon::default().fit_dissimilarities(&given, &Silent)?;
    assert!(found.stress().scale_normalized < 1e-3, "{:?}", found.stress());
    Ok(())
}

#[test]
fn points_that_coincide_have_no_map() -> Done {
    let points = PointSet::new(vec![0.3; 20], 2)?;
    let (smacof, nonmetric, sammon) = (Smacof::default(), NonmetricMds::default(), Sammon::default());
    for method in [&smacof as &dyn DynMethod, &nonmetric, &sammon] {
        let refused = method.fit_dyn(&Input::from(&points)).err().map(|error| error.to_string());
        assert!(refused.as_ref().is_some_and(|e| e.contains("all dissimilarities are 0")), "{refused:?}");
    }
    Ok(())
}
