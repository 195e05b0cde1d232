//! Measures of sparse points equal the measures of the same points with their zeros. Measures of
//! distances equal the measures of the points, where they need no coordinates.

use crate::common::{assert_close, noise};
use embedding::implement::squared_distance;
use embedding::{
    DistanceMatrix, Error, Input, MemoryLimit, Metric, PointSet, Points, SparsePointSet, SparsePoints,
};
use neighbor_graph::{NeighborSearch, Neighbors};
use quality::distances::Distances;
use quality::ranks::SharedRanks;
use quality::shape::Angles;
use quality::{Context, Measure, Original, Outcome, RowSample, measures, point_measures};

const N: usize = 150;
const K: usize = 8;

/// Metrics whose distances of sparse points equal the distances of dense points to the bit.
const EXACT: [Metric; 6] = [
    Metric::Euclidean,
    Metric::Cosine,
    Metric::Manhattan,
    Metric::Hamming,
    Metric::Jaccard,
    Metric::Hellinger,
];

/// Points with five values that are not 0 near each other on a circle of columns.
fn data(dim: usize) -> PointSet {
    let jitter = noise(N, 5);
    let mut values = vec![0.0; N * dim];
    for (i, row) in values.chunks_exact_mut(dim).enumerate() {
        for (step, v) in jitter.view().row(i).iter().enumerate() {
            row[(i * dim / N + step * step) % dim] += 0.1 + v;
        }
    }
    PointSet::new(values, dim).unwrap()
}

fn lists<'a>(input: impl Into<Input<'a>>, metric: Metric) -> Neighbors {
    NeighborSearch::nearest(K).find(input.into().with_metric(metric)).unwrap()
}

/// Every measure of a random map, and every one per point.
type All = (Vec<(&'static Measure, Outcome)>, Vec<Option<Vec<Option<f64>>>>);

fn all<'a>(data: impl Into<Original<'a>>, lists: &Neighbors, metric: Metric, rows: RowSample) -> All {
    let map = noise(N, 2);
    let classes: Vec<u32> = (0..N as u32).map(|i| i % 3).collect();
    let data = data.into();
    let context = Context::new(data, lists, K, rows).with_metric(metric);
    let context = context.with_truth(map.view()).with_labels(&classes);
    let per_point = point_measures().iter().map(|one| one.values(&context, map.view()).unwrap()).collect();
    (context.outcomes(map.view()).unwrap(), per_point)
}

fn assert_same((whole, per_point): &All, (other, other_per_point): &All, case: &str) {
    for ((measure, outcome), (_, expected)) in other.iter().zip(whole) {
        assert_eq!(outcome, expected, "{case}: {}", measure.name);
    }
    assert_eq!(other_per_point, per_point, "{case}");
}

/// 45 columns are no whole number of lanes, and 7 are fewer than the points of a neighborhood.
#[test]
fn every_measure_of_sparse_points_is_that_of_their_rows() {
    for (dim, metric) in [45, 7].into_iter().flat_map(|dim| EXACT.map(|metric| (dim, metric))) {
        let dense = data(dim);
        let sparse = SparsePointSet::of(dense.view()).unwrap();
        let near = lists(dense.view(), metric);
        let found = lists(sparse.view(), metric);
        assert!((0..N).all(|i| found.of(i) == near.of(i)), "{metric}, {dim} columns");
        for rows in [RowSample::All, RowSample::Sample { count: 40, seed: 3 }] {
            let expected = all(dense.view(), &near, metric, rows);
            let values = expected.0.iter().filter(|(_, outcome)| outcome.value().is_some()).count();
            assert!(values >= measures().len() - 1, "{metric}: {:?}", expected.0);
            assert_same(
                &expected,
                &all(sparse.view(), &near, metric, rows),
                &format!("{metric}, {dim} columns"),
            );
        }
    }
}

/// Rounding of the distances may exchange ranks.
#[test]
fn by_correlation_they_agree_to_rounding() {
    let dense = data(45);
    let sparse = SparsePointSet::of(dense.view()).unwrap();
    let near = lists(dense.view(), Metric::Correlation);
    let whole = all(dense.view(), &near, Metric::Correlation, RowSample::All).0;
    let without = all(sparse.view(), &near, Metric::Correlation, RowSample::All).0;
    for ((measure, expected), (_, got)) in whole.iter().zip(&without) {
        assert_close(got.value().unwrap(), expected.value().unwrap(), 1e-5);
        assert!(measure.name != "trustworthiness" || got.value() < Some(0.9), "a random map");
    }
    let euclidean = all(sparse.view(), &near, Metric::Euclidean, RowSample::All).0;
    assert!(
        (euclidean[0].1.value().unwrap() - whole[0].1.value().unwrap()).abs() > 1e-3,
        "the metric is read"
    );
}

/// Rows of zeros, among them whole neighborhoods, and copies.
#[test]
fn rows_of_zeros_are_points_like_others() {
    let mut dense = data(45).view().values().to_vec();
    dense[..20 * 45].fill(0.0);
    let (first, rest) = dense.split_at_mut(40 * 45);
    rest[..10 * 45].copy_from_slice(&first[30 * 45..]);
    let dense = PointSet::new(dense, 45).unwrap();
    let sparse = SparsePointSet::of(dense.view()).unwrap();
    for metric in [Metric::Euclidean, Metric::Manhattan, Metric::Jaccard] {
        let near = lists(dense.view(), metric);
        let expected = all(dense.view(), &near, metric, RowSample::All);
        assert!(expected.1[3].as_ref().unwrap()[..20].iter().all(Option::is_none), "they have no shape");
        assert_same(&expected, &all(sparse.view(), &near, metric, RowSample::All), &metric.to_string());
    }
}

/// Squares of distances would leave the range of numbers.
#[test]
fn units_of_sparse_points_change_no_measure() -> Result<(), Error> {
    let near = SparsePointSet::of(data(45).view())?;
    let neighbors = lists(near.view(), Metric::Euclidean);
    let expected = all(near.view(), &neighbors, Metric::Euclidean, RowSample::All).0;
    for power in [600, -600] {
        let far = near.view().times_power_of_two(power)?;
        let neighbors = lists(far.view(), Metric::Euclidean);
        let got = all(far.view(), &neighbors, Metric::Euclidean, RowSample::All).0;
        for ((measure, expected), (_, got)) in expected.iter().zip(&got) {
            assert_eq!(got, expected, "{}, data times 2^{power}", measure.name);
        }
    }
    Ok(())
}

/// Every function of the original data outside the list of measures.
#[test]
fn functions_of_sparse_points_are_those_of_their_rows() -> Result<(), Error> {
    let (dense, map) = (data(45), noise(N, 2));
    let sparse = SparsePointSet::of(dense.view())?;
    let (x, s, y) = (dense.view(), sparse.view(), map.view());
    let near = lists(x, Metric::Euclidean);
    assert_eq!(quality::ranks::trustworthiness(x, y, K)?, quality::ranks::trustworthiness(s, y, K)?);
    assert_eq!(quality::ranks::continuity(x, y, K)?, quality::ranks::continuity(s, y, K)?);
    assert_eq!(
        quality::ranks::coranking(x, y, RowSample::All)?,
        quality::ranks::coranking(s, y, RowSample::All)?
    );
    assert_eq!(
        Angles::new(x, &near, RowSample::All)?.error(y)?,
        Angles::new(s, &near, RowSample::All)?.error(y)?
    );
    let distances = |x: &dyn Distances, y| {
        Ok((quality::distances::stress(x, y)?, quality::distances::residual_variance(x, y)?))
    };
    let expected: Result<_, Error> = distances(&x, y);
    assert_eq!(expected, distances(&s, y));
    for metric in EXACT {
        let (dense, sparse) = (metric.prepare(x)?, metric.prepare_sparse(s)?);
        let by_metric = distances(&dense, y);
        assert_eq!(by_metric, distances(&sparse, y), "{metric}");
        assert_eq!(by_metric == expected, metric.is_euclidean(), "{metric}");
    }
    Ok(())
}

/// Of distances, all but the coordinates of neighborhoods, whose absence has a reason.
#[test]
fn distances_have_the_measures_that_need_no_coordinates() -> Result<(), Error> {
    let x = data(45);
    let between = |x: Points<'_>| -> Vec<f64> {
        let of = |i: usize| (0..N).map(move |j| squared_distance(x.row(i), x.row(j)).sqrt());
        (0..N).flat_map(of).collect()
    };
    let values = between(x.view());
    let (given, near) = (DistanceMatrix::new(&values, N)?, lists(x.view(), Metric::Euclidean));
    let of_points = all(x.view(), &near, Metric::Euclidean, RowSample::All).0;
    let of_distances = all(given, &near, Metric::Cosine, RowSample::All).0;
    for ((measure, expected), (_, got)) in of_points.iter().zip(&of_distances) {
        match (measure.name, got) {
            ("local_procrustes", Outcome::Undefined(reason)) => {
                assert!(reason.contains("distances have no coordinates"), "{reason}");
            }
            _ => assert_close(got.value().unwrap(), expected.value().unwrap(), 1e-6),
        }
    }
    Ok(())
}

#[test]
fn the_memory_limit_refuses_ranks_and_geodesic_distances() -> Result<(), Error> {
    let sparse = SparsePointSet::of(data(45).view())?;
    let near = lists(sparse.view(), Metric::Cosine);
    let map = noise(N, 2);
    let refused = |bytes: usize, name: &str| {
        let context = Context::new(sparse.view(), &near, K, RowSample::All).with_metric(Metric::Cosine);
        let context = context.with_memory_limit(MemoryLimit::new(bytes as u64));
        match quality::measure(name).unwrap().outcome(&context, map.view()) {
            Err(Error::Memory { needed, allowed, .. }) => needed > allowed,
            other => other.map(|_| false).unwrap(),
        }
    };
    // Of ranks all distances and the points by the metric, of geodesic distances two copies.
    let ranks = 8 * N * N + 12 * sparse.view().entries() + 32 * N;
    for (name, bytes) in
        [("trustworthiness", ranks), ("continuity", ranks), ("residual_variance", 16 * N * N)]
    {
        assert!(!refused(bytes, name) && refused(bytes - 1, name), "{name}");
    }
    assert!(!refused(1, "angle_error"));
    Ok(())
}

/// Rows without a distance by the metric, and a metric that needs the zeros.
#[test]
fn errors_name_the_rows_that_a_metric_refuses() -> Result<(), Error> {
    let zero = SparsePointSet::new(vec![0, 1, 1, 2, 3, 4], vec![0, 1, 0, 2], vec![1.0; 4], 3)?;
    let dense = zero.view().dense(MemoryLimit::default())?;
    let near = NeighborSearch::nearest(2).find(Input::from(&dense))?;
    let map = noise(5, 2);
    for data in [Original::from(dense.view()), zero.view().into()] {
        let context = Context::new(data, &near, 2, RowSample::All).with_metric(Metric::Cosine);
        let outcome = quality::measure("continuity").unwrap().outcome(&context, map.view())?;
        assert!(matches!(&outcome, Outcome::Undefined(reason) if reason.contains("row 1")), "{outcome:?}");
    }
    let by = |points: SparsePoints<'_>| SharedRanks::by_metric(points, Metric::Chebyshev, RowSample::All);
    assert!(matches!(by(zero.view()), Err(Error::Parameter { .. })));
    Ok(())
}
