//! Every method on points with a named metric: what it equals, and what it refuses.

use swissroll::embedding::{DataKind, Neighbors, SparsePointSet};
use swissroll::neighbor_graph::NeighborSearch;
use swissroll::prelude::{DistanceMatrix, DynMethod, DynModel, Error, Input, Metric, PointSet};

type Done = Result<(), Error>;

/// Legal rows for every metric: no row is constant, and no value negative.
fn points(n: usize, shift: usize) -> PointSet {
    let at = |i: usize, step: f64| ((i + shift) as f64 * step + 0.3).fract();
    let row = |i: usize| {
        let (u, v) = (at(i, 0.754_877_666), at(i, 0.569_840_291));
        [1.0 + u, 1.5 + v, 1.0 + 0.3 * u * u + 0.1 * v, 2.0 + (3.0 * u).cos(), 0.5 + u * v]
    };
    PointSet::new((0..n).flat_map(row).collect(), 5).expect("finite")
}

pub(crate) fn distances(metric: Metric, from: &PointSet, to: &PointSet) -> Result<PointSet, Error> {
    let (from, to) = (metric.prepare(from.view())?, metric.prepare(to.view())?);
    let values =
        from.rows().rows().flat_map(|a| to.rows().rows().map(|b| from.between(a, b)).collect::<Vec<_>>());
    PointSet::new(values.collect(), to.len())
}

const METRICS: [Metric; 8] = [
    Metric::Cosine,
    Metric::Correlation,
    Metric::Manhattan,
    Metric::Chebyshev,
    Metric::Minkowski { p: 3.0 },
    Metric::Minkowski { p: 1.5 },
    Metric::Hellinger,
    Metric::Euclidean,
];

/// The methods with parameters by which they are quick, and which need no coordinates.
pub(crate) fn methods() -> impl Iterator<Item = Box<dyn DynMethod>> {
    swissroll::methods().map(|method| {
        let mut method = method.boxed();
        for (name, value) in [
            ("k", "9"),
            ("perplexity", "8"),
            ("iterations", "40"),
            ("early-iterations", "10"),
            ("placing-iterations", "20"),
            ("epochs", "30"),
            ("placing-epochs", "10"),
            ("landmarks", "random:40:1"),
            // Principal components are computed from the coordinates.
            ("start", "random"),
            ("start", "spectral"),
            ("components", "bridge"),
        ] {
            // What a method has no such value of keeps its default.
            let _ = method.set_dyn(name, value);
        }
        method
    })
}

/// Whether the method reads coordinates of neighborhoods in addition to their lists, or distances.
pub(crate) fn reads_coordinates(method: &dyn DynMethod) -> bool {
    let (name, accepts) = (method.about().name, method.about().accepts);
    let of_distances = accepts.contains(&DataKind::Distances) && !accepts.contains(&DataKind::Neighbors);
    // PHATE reads distances beyond the lists, and no coordinates.
    method.neighborhood_dyn(100).is_some() && of_distances && name != "phate"
}

fn lists(method: &dyn DynMethod, input: &Input<'_>) -> Result<Option<Neighbors>, Error> {
    method.neighborhood_dyn(input.len()).map(|rule| NeighborSearch::from(rule).find(input)).transpose()
}

/// The largest difference of coordinates, relative to the largest of them.
pub(crate) fn difference(a: &dyn DynModel, b: &dyn DynModel) -> f64 {
    let (a, b) = (a.embedding().values(), b.embedding().values());
    let largest = a.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    a.iter().zip(b).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs())) / largest
}

/// A method that needs distances, or lists of neighbors, alone gives for points with a
/// metric what it gives for the distances themselves, new points and saved models
/// included.
#[test]
fn points_with_a_metric_are_fitted_as_their_distances() -> Done {
    let (known, new) = (points(130, 0), points(17, 500));
    let mut fitted = 0;
    for method in methods().filter(|method| method.about().accepts.contains(&DataKind::Distances)) {
        let name = method.about().name;
        if reads_coordinates(&*method) {
            continue;
        }
        for metric in METRICS {
            let matrix = distances(metric, &known, &known)?;
            let input = Input::from(DistanceMatrix::new(matrix.view().values(), known.len())?);
            let by_distances = method.fit_dyn(&input)?;
            let by_points = method.fit_dyn(&Input::from(&known).with_metric(metric))?;
            // The decompositions of points and of distances differ by rounding alone.
            let apart = difference(&*by_distances, &*by_points);
            assert!(apart < 1e-5, "{name}, {metric}: {apart:e}");
            let placed = by_points.transform(new.view())?;
            let expected = by_distances.transform(distances(metric, &new, &known)?.view())?;
            let largest = expected.values().iter().fold(0.0_f64, |m, v| m.max(v.abs()));
            for (a, b) in placed.values().iter().zip(expected.values()) {
                assert!((a - b).abs() < 1e-5 * largest, "{name}, {metric}: new points at {a} and {b}");
            }
            let read = method.load(&by_points.save()?)?;
            assert_eq!(read.transform(new.view())?, placed, "{name}, {metric}: the saved model");
            let said = read.report().facts.get("metric").cloned();
            assert_eq!(said, (metric != Metric::Euclidean).then(|| metric.to_string().into()), "{name}");
            fitted += 1;
        }
    }
    assert_eq!(fitted, 18 * METRICS.len());
    Ok(())
}

/// A method that reads coordinates of neighborhoods takes its neighbors by the metric, as
/// from given lists, and the rest from the coordinates.
#[test]
fn methods_of_coordinates_take_their_neighbors_by_the_metric() -> Done {
    let (known, new) = (points(130, 0), points(17, 500));
    let mut fitted = 0;
    for method in methods().filter(|method| reads_coordinates(method.as_ref())) {
        let name = method.about().name;
        for metric in [Metric::Cosine, Metric::Chebyshev] {
            let input = Input::from(&known).with_metric(metric);
            let own = method.fit_dyn(&input)?;
            let lists = lists(&*method, &input)?.expect("a graph method");
            let given = method.fit_dyn(&input.with_neighbors(&lists))?;
            assert_eq!(own.embedding(), given.embedding(), "{name}, {metric}");
            let euclidean = method.fit_dyn(&Input::from(&known).with_neighbors(&lists))?;
            assert_eq!(own.embedding(), euclidean.embedding(), "{name}, {metric}");
            // New points alone tell the two apart: theirs are the neighbors of the metric.
            let placed = own.transform(new.view())?;
            assert_ne!(placed, euclidean.transform(new.view())?, "{name}, {metric}");
            assert_eq!(method.load(&own.save()?)?.transform(new.view())?, placed, "{name}");
            assert_eq!(own.report().facts["metric"], metric.to_string(), "{name}");
            fitted += 1;
        }
    }
    assert_eq!(fitted, 6 * 2);
    Ok(())
}

/// Every policy for components and copies of rows: the metric holds for bridges, pieces
/// and the nearest training points of new ones.
#[test]
fn the_metric_holds_for_components_and_copies() -> Done {
    let known = points(120, 0);
    let far = |i: usize, v: f64| if i.is_multiple_of(3) { 40.0 * v * v } else { v };
    let rows: Vec<Vec<f64>> = known
        .view()
        .rows()
        .enumerate()
        .map(|(i, row)| {
            row.iter()
                .enumerate()
                .map(|(j, v)| far(i, *v) + if i % 3 == 0 && j == 1 { 200.0 } else { 0.0 })
                .collect()
        })
        .collect();
    let mut copied = rows.clone();
    copied.extend_from_slice(&rows[10..20]);
    let set = PointSet::from_rows(&copied)?;
    let new = set.view().select(&[3, 4, 125]);
    for components in ["bridge", "largest", "per-component"] {
        for name in ["isomap", "laplacian-eigenmaps"] {
            let mut method = swissroll::method(name).expect("in the registry").boxed();
            method.set_dyn("components", components)?;
            method.set_dyn("k", "8")?;
            for metric in [Metric::Cosine, Metric::Manhattan] {
                let matrix = distances(metric, &set, &set)?;
                let of_distances =
                    method.fit_dyn(&DistanceMatrix::new(matrix.view().values(), set.len())?.into())?;
                let of_points = method.fit_dyn(&Input::from(&set).with_metric(metric))?;
                assert_eq!(of_points.embedding(), of_distances.embedding(), "{name}, {metric}, {components}");
                let placed = of_points.transform(new.view())?;
                let expected = of_distances.transform(distances(metric, &new, &set)?.view())?;
                assert_eq!(placed, expected, "{name}, {metric}, {components}");
            }
        }
    }
    Ok(())
}

/// Minkowski's distance of exponent 2 is Euclidean: the same model to the byte.
#[test]
fn a_euclidean_metric_of_another_name_gives_the_same_model() -> Done {
    let known = points(60, 0);
    let isomap = swissroll::method("isomap").expect("in the registry");
    let named = isomap.fit_dyn(&Input::from(&known).with_metric(Metric::Minkowski { p: 2.0 }))?;
    assert_eq!(named.save()?, isomap.fit_dyn(&Input::from(&known))?.save()?);
    Ok(())
}

#[test]
fn methods_and_data_without_a_use_for_a_metric_say_so() -> Done {
    let known = points(60, 0);
    let labels: Vec<u32> = (0..60).map(|i| i % 3).collect();
    let mut refused = Vec::new();
    for method in methods() {
        let input = Input::from(&known).with_labels(&labels).with_metric(Metric::Cosine);
        match method.fit_dyn(&input) {
            Ok(_) => {}
            Err(Error::Parameter { name: "the metric", requirement, got }) => {
                assert!(requirement.contains("reads coordinates") && got == "cosine", "{requirement}");
                refused.push(method.about().name);
            }
            Err(other) => return Err(other),
        }
    }
    let linear = ["pca", "factor-analysis", "fast-ica", "lda", "random-projection", "lpp", "npe", "lltsa"];
    assert_eq!(refused, linear);
    let matrix = distances(Metric::Cosine, &known, &known)?;
    let given = Input::from(DistanceMatrix::new(matrix.view().values(), 60)?);
    let lists = NeighborSearch::nearest(9).find(given)?;
    let isomap = swissroll::method("isomap").expect("in the registry");
    for given in [given, Input::from(&lists)] {
        let error = isomap.fit_dyn(&given.with_metric(Metric::Cosine)).map(drop).expect_err("two metrics");
        assert!(error.to_string().contains("have their own metric"), "{error}");
    }
    let zero = PointSet::from_rows(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])?;
    for method in methods().filter(|method| method.about().accepts.contains(&DataKind::Distances)) {
        let error =
            method.fit_dyn(&Input::from(&zero).with_metric(Metric::Cosine)).map(drop).expect_err("zero");
        assert!(
            matches!(error, Error::Degenerate { .. } | Error::Parameter { .. } | Error::TooFewPoints { .. }),
            "{error}"
        );
    }
    Ok(())
}

/// Lists that were found by another metric, or by another program, do not show that every row has
/// distances; a model prepares the rows to place new points, and when it is read.
#[test]
fn a_row_without_a_distance_is_refused_beside_given_lists() -> Done {
    let mut rows: Vec<Vec<f64>> = points(60, 0).view().rows().map(<[f64]>::to_vec).collect();
    rows[7].fill(0.0);
    // By the scale of the last row, the one before it is zero.
    let far: Vec<Vec<f64>> = [&rows[..7], &rows[8..58], &[vec![1e-300; 5], vec![1e300; 5]]].concat();
    for (rows, zero) in [(rows, 7), (far, 57)] {
        let mut refused = 0;
        let known = PointSet::from_rows(&rows)?;
        let found = NeighborSearch::nearest(30).find(Input::from(&points(known.len(), 0)))?;
        let sparse = SparsePointSet::of(known.view())?;
        for method in methods() {
            let (name, accepts) = (method.about().name, method.about().accepts);
            let dense = accepts.contains(&DataKind::Distances).then(|| Input::from(&known));
            let sparse = accepts.contains(&DataKind::Neighbors).then(|| Input::from(sparse.view()));
            for input in dense.into_iter().chain(sparse.filter(|_| zero == 7)) {
                let input = input.with_neighbors(&found).with_metric(Metric::Cosine);
                match method.fit_dyn(&input) {
                    // It reads the rows as they are.
                    Ok(model) if zero == 57 => drop(method.load(&model.save()?)?),
                    Ok(_) => panic!("{name}: a zero row"),
                    Err(error) => {
                        let expected = format!("row {zero} (counted from 0) is zero");
                        let named = error.to_string().starts_with(&expected);
                        assert!(named || zero == 57, "{name}: {error}");
                        refused += usize::from(named);
                    }
                }
            }
        }
        assert!(refused >= 8, "row {zero}: {refused} refused");
    }
    Ok(())
}
