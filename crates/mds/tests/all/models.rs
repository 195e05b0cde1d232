//! The facts of fitted models, and refusals of damaged ones.

use embedding::{
    DistanceMatrix, DynMethod, Error, Fitted, Input, MemoryLimit, Method, Metric, Model, PointSet, Silent,
    Transform,
};
use faer::{Mat, MatRef};
use mds::steps::{Distances, residual_variances};
use mds::{ClassicalMds, Dissimilarities, LandmarkMds, Landmarks, NonmetricMds, Precision, Smacof, Start};
use testkit::cases::distances;
use testkit::json;

/// n points in four dimensions from an additive recurrence, with a smaller extent along each further axis.
fn cloud(n: usize) -> PointSet {
    let step = |j: usize| [2.0_f64, 3.0, 5.0, 7.0][j].sqrt();
    let value = |e: usize| ((e / 4 + 1) as f64 * step(e % 4)).fract() * (4 - e % 4) as f64;
    PointSet::new((0..4 * n).map(value).collect(), 4).expect("finite")
}

fn matrix(points: &PointSet) -> Mat<f64> {
    let (values, n) = (distances(points.view(), points.view()), points.len());
    Mat::from_fn(n, n, |i, j| values[i * n + j])
}

/// −½ J S J of the squared distances S.
fn centered(d: MatRef<'_, f64>) -> Mat<f64> {
    let n = d.nrows();
    let mean = |i: usize| (0..n).map(|j| d[(i, j)].powi(2)).sum::<f64>() / n as f64;
    let means: Vec<f64> = (0..n).map(mean).collect();
    let grand = means.iter().sum::<f64>() / n as f64;
    Mat::from_fn(n, n, |i, j| -0.5 * (d[(i, j)].powi(2) - means[i] - means[j] + grand))
}

/// 1 − r² of two lists.
fn unexplained(pairs: &[(f64, f64)]) -> f64 {
    let mean = |value: fn(&(f64, f64)) -> f64| pairs.iter().map(value).sum::<f64>() / pairs.len() as f64;
    let (a, b) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let sum = |f: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(f).sum::<f64>();
    let covariance = sum(&|(x, y)| (x - a) * (y - b));
    1.0 - covariance * covariance / (sum(&|(x, _)| (x - a).powi(2)) * sum(&|(_, y)| (y - b).powi(2)))
}

#[test]
fn classical_scaling_reports_what_its_coordinates_leave() -> Result<(), Error> {
    let points = cloud(60);
    let d = matrix(&points);
    let given = Distances::euclidean(points.view(), Precision::Double, MemoryLimit::default(), &Silent)?;
    let scaling = ClassicalMds { dim: 2, ..ClassicalMds::default() }.fit_distances(&given, &Silent)?;
    let (b, y) = (centered(d.as_ref()), scaling.embedding().coordinates());
    let left = (&b - y * y.transpose()).norm_l2() / 60.0;
    assert!(left > 0.1 && (scaling.reconstruction_error() / left - 1.0).abs() < 1e-9, "{left}");
    let trace: f64 = (0..60).map(|i| b[(i, i)]).sum();
    assert!((scaling.trace() / trace - 1.0).abs() < 1e-12);
    let vectors = Mat::from_fn(60, 2, |i, j| y[(i, j)] / scaling.eigenvalues()[j].sqrt());
    let missed = &b * &vectors - Mat::from_fn(60, 2, |i, j| scaling.eigenvalues()[j] * vectors[(i, j)]);
    assert!(missed.norm_max() < 1e-10);
    // A residual is relative to the largest eigenvalue.
    assert_eq!(scaling.residuals().len(), 2);
    assert!(scaling.residuals().iter().all(|residual| (0.0..1e-10).contains(residual)));
    // The residual variance of one and of two coordinates.
    let variances = residual_variances(&given, y);
    for (columns, found) in (1..=2).zip(&variances) {
        let shown =
            |i: usize, j: usize| (0..columns).map(|c| (y[(i, c)] - y[(j, c)]).powi(2)).sum::<f64>().sqrt();
        let pairs = (0..60).flat_map(|i| (0..i).map(move |j| (i, j)));
        let expected = unexplained(&pairs.map(|(i, j)| (d[(i, j)], shown(i, j))).collect::<Vec<_>>());
        assert!(expected > 0.01 && (found / expected - 1.0).abs() < 1e-9, "{columns}: {found}, {expected}");
    }
    Ok(())
}

#[test]
fn models_report_their_numbers() -> Result<(), Error> {
    let points = cloud(60);
    let manhattan = || Input::from(&points).with_metric(Metric::Manhattan);
    let classical = ClassicalMds::default();
    let few = LandmarkMds { landmarks: Landmarks::MaxMin { count: 12 }, ..LandmarkMds::default() };
    let (plain, other) = (classical.fit(&points)?, classical.fit(manhattan())?);
    assert!(plain.scaling().is_none());
    let scaling = other.scaling().expect("a scaling of distances");
    for (facts, eigenvalues, trace, metric) in [
        (plain.report().facts, plain.eigenvalues(), plain.trace(), None),
        (other.report().facts, scaling.eigenvalues(), scaling.trace(), Some("manhattan")),
    ] {
        assert_eq!(facts["eigenvalues"], json!(eigenvalues));
        assert_eq!((&facts["trace"], facts.get("metric")), (&json!(trace), metric.map(Into::into).as_ref()));
    }
    assert_eq!(other.report().facts["reconstruction_error"], json!(scaling.reconstruction_error()));
    let (some, others) = (few.fit(&points)?, few.fit(manhattan())?);
    for (fitted, metric) in [(&some, None), (&others, Some("manhattan"))] {
        let facts = fitted.report().facts;
        assert_eq!(facts["landmarks"], json!(fitted.landmarks()));
        assert_eq!(facts["eigenvalues"], json!(fitted.scaling().eigenvalues()));
        assert_eq!(facts.get("metric"), metric.map(Into::into).as_ref());
    }
    let smacof = Smacof { max_iterations: 20, ..Smacof::default() }.fit(manhattan())?;
    let (facts, configuration) = (smacof.report().facts, smacof.configuration());
    assert_eq!(facts["stress"], json!(configuration.stress().raw));
    assert_eq!(facts["stress_1"], json!(configuration.stress().stress_1));
    assert_eq!(facts["stress_history"], json!(configuration.history()));
    assert_eq!(facts["metric"], json!("manhattan"));
    Ok(())
}

/// Numbers that would leave the range are in other units, which a note states.
#[test]
fn notes_name_the_numbers_that_are_in_other_units() -> Result<(), Error> {
    let usual = cloud(30);
    let large = usual.view().values().iter().map(|value| value * 2.0_f64.powi(700)).collect();
    let large = PointSet::new(large, 4)?;
    let methods: [Box<dyn DynMethod>; 4] = [
        Box::new(ClassicalMds::default()),
        Box::new(LandmarkMds { landmarks: Landmarks::MaxMin { count: 10 }, ..LandmarkMds::default() }),
        Box::new(Smacof { max_iterations: 5, ..Smacof::default() }),
        Box::new(NonmetricMds { max_iterations: 5, ..NonmetricMds::default() }),
    ];
    for method in methods {
        let notes = |points: &PointSet, metric: Metric| -> Result<Vec<String>, Error> {
            Ok(method.fit_dyn(&Input::from(points).with_metric(metric))?.report().notes)
        };
        let name = method.about().name;
        for metric in [Metric::Euclidean, Metric::Manhattan] {
            assert_eq!(notes(&usual, metric)?, Vec::<String>::new(), "{name}");
            let said = notes(&large, metric)?;
            assert!(said.len() == 1 && said[0].contains("of the data divided by 2^"), "{name}: {said:?}");
        }
    }
    Ok(())
}

#[test]
fn euclidean_points_are_scaled_by_a_projection_that_leads_back() -> Result<(), Error> {
    let points = cloud(40);
    let fitted = ClassicalMds { dim: 4, ..ClassicalMds::default() }.fit(&points)?;
    let places = PointSet::from_mat(fitted.embedding().coordinates())?;
    let back = fitted.invert(places.view())?.expect("a projection has an inverse");
    assert!((back.coordinates() - points.view().as_mat()).norm_max() < 1e-9);
    assert!(fitted.linear_map().is_some());
    let values = distances(points.view(), points.view());
    let given = ClassicalMds::default().fit(DistanceMatrix::new(&values, 40)?)?;
    assert!(given.invert(places.view())?.is_none() && given.linear_map().is_none());
    Ok(())
}

#[test]
fn pairs_count_by_their_weights_where_only_the_order_does() -> Result<(), Error> {
    let points = cloud(40);
    let truth = matrix(&points);
    // Every fifth pair is wrong, and has a weight that makes this negligible.
    let wrong = |i: usize, j: usize| i != j && (i + j).is_multiple_of(5);
    let spoiled = Mat::from_fn(40, 40, |i, j| if wrong(i, j) { 6.0 - truth[(i, j)] } else { truth[(i, j)] });
    let weights = Mat::from_fn(40, 40, |i, j| if wrong(i, j) { 1e-9 } else { 1.0 });
    for dim in [2, 3, 4] {
        let recipe = NonmetricMds { dim, ..NonmetricMds::default() };
        let stress = |given: Dissimilarities| -> Result<f64, Error> {
            Ok(recipe.fit_dissimilarities(&given, &Silent)?.stress().stress_1)
        };
        let spoiled = Dissimilarities::from_matrix(spoiled.as_ref())?;
        let plain = stress(spoiled.clone())?;
        let weighted = stress(spoiled.with_weights(weights.as_ref())?)?;
        let right = stress(Dissimilarities::from_matrix(truth.as_ref())?)?;
        assert!(weighted < right + 0.01 && plain > 1.5 * weighted, "{dim}: {plain} {weighted} {right}");
    }
    Ok(())
}

#[test]
fn landmarks_are_read_as_they_are_shown() -> Result<(), Error> {
    let mut method = LandmarkMds::default();
    for (text, landmarks) in
        [("37", Landmarks::MaxMin { count: 37 }), ("random:20:5", Landmarks::Random { count: 20, seed: 5 })]
    {
        method.set_dyn("landmarks", text)?;
        assert_eq!(method.landmarks, landmarks);
        let parameters = DynMethod::parameters(&method);
        let shown = parameters.iter().find(|parameter| parameter.name == "landmarks");
        assert_eq!(shown.expect("a parameter of this name").value, text);
    }
    for text in ["random:20", "farthest:20:5", "20:5", "x"] {
        assert!(method.set_dyn("landmarks", text).is_err(), "{text}");
    }
    Ok(())
}

#[test]
fn damaged_models_are_refused() -> Result<(), Error> {
    let points = cloud(30);
    let values = distances(points.view(), points.view());
    let given = DistanceMatrix::new(&values, 30)?;
    let scaling = [
        ("gower/packing/unit", json!(0.0)),
        ("gower/packing/unit", json!(-1.0)),
        ("gower/packing/unit", json!(null)),
        ("gower/means", json!([1.0])),
        ("gower/means/3", json!(null)),
        ("residuals", json!([0.0])),
        ("residuals/1", json!(null)),
        ("trace", json!(null)),
        ("reconstruction_error", json!(null)),
        ("embedding/spectrum", json!([1.0])),
    ];
    let within = |prefix: &str| -> Vec<(String, serde_json::Value)> {
        scaling.iter().map(|(path, value)| (format!("{prefix}/{path}"), value.clone())).collect()
    };
    let damages = within("/scaled/Distances/scaling");
    let damages: Vec<_> = damages.iter().map(|(path, value)| (path.as_str(), value.clone())).collect();
    testkit::refuses_damage(&ClassicalMds::default().fit(given)?, &damages);
    let few = LandmarkMds { landmarks: Landmarks::MaxMin { count: 9 }, ..LandmarkMds::default() };
    let fitted = few.fit(&points)?;
    let damages = within("/scaling");
    let damages: Vec<_> = damages.iter().map(|(path, value)| (path.as_str(), value.clone())).collect();
    testkit::refuses_damage(&fitted, &damages);
    testkit::refuses_damage(
        &fitted,
        &[
            // Not ascending, twice the same, and no row.
            ("/rows/0", json!(29)),
            ("/rows/1", json!(fitted.landmarks()[0])),
            ("/rows/8", json!(30)),
            ("/rows", json!([1, 2])),
            ("/embedding/dim", json!(1)),
        ],
    );
    let by_distances = few.fit(given)?;
    testkit::refuses_damage(&by_distances, &[("/training/Distances/count", json!(29))]);
    let short = NonmetricMds { max_iterations: 3, ..NonmetricMds::default() };
    testkit::refuses_damage(
        &short.fit(&points)?,
        &[
            ("/configuration/stress/raw", json!(null)),
            ("/configuration/stress/stress_1", json!(null)),
            ("/configuration/history/0", json!(null)),
            ("/configuration/placement/Monotone", json!([[1.0, 0.5], [1.0, 0.7]])),
            ("/configuration/placement/Monotone", json!([[2.0, 0.5], [1.0, 0.7]])),
            ("/configuration/placement/Monotone/0/1", json!(-0.5)),
            ("/configuration/placement/Monotone/0/1", json!(null)),
        ],
    );
    Ok(())
}

/// The first of several runs equal the runs of a smaller number, so that more runs are never worse.
#[test]
fn the_best_of_several_runs_is_returned() -> Result<(), Error> {
    let d = Dissimilarities::from_matrix(matrix(&cloud(30)).as_ref())?;
    let stress = |runs: usize| -> Result<f64, Error> {
        let recipe = Smacof { dim: 1, start: Start::Random { seed: 4, runs }, ..Smacof::default() };
        Ok(recipe.fit_dissimilarities(&d, &Silent)?.stress().raw)
    };
    let course = (1..=6).map(stress).collect::<Result<Vec<f64>, Error>>()?;
    assert!(course.is_sorted_by(|a, b| a >= b) && course[5] < course[0], "{course:?}");
    Ok(())
}
