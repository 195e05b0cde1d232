//! Neighbors by named metrics agree with the lists of scikit-learn and with the lists from all distances.
#![expect(clippy::unwrap_used, reason = "tests")]

use embedding::implement::Value;
use embedding::{Error, Input, Metric, PointSet};
use neighbor_graph::{NeighborIndex, NeighborSearch, Neighborhood, Neighbors};

use crate::common;

const K: Neighborhood = Neighborhood::Nearest { k: 4 };

/// Every sixth list.
type Lists = [[u32; 4]; 5];

/// 30 points of 11 columns between 0.01 and 1.01, without ties.
fn untied() -> PointSet {
    let value = |r: u64, c: u64| {
        let hash = (3701 * r + 1013 * c + 1709 * r * c + 113 * r * r * c * c) % 9973;
        hash as f64 / 9973.0 + 0.01
    };
    PointSet::new((0..30).flat_map(|r| (0..11).map(move |c| value(r, c))).collect(), 11).unwrap()
}

/// 30 points of 9 columns with values 0, 1 or 2; 7 of the columns differ.
fn tied() -> PointSet {
    let value =
        |r: u64, c: u64| ((5 * r * r + 7 * c * c + 3 * r * c + r * c * c + r * r * r * c) % 7 % 3) as f64;
    PointSet::new((0..30).flat_map(|r| (0..9).map(move |c| value(r, c))).collect(), 9).unwrap()
}

/// `sklearn.neighbors.NearestNeighbors` 1.9.1, brute force.
const UNTIED: [(&str, Lists); 8] = [
    ("euclidean", [[27, 25, 23, 7], [15, 14, 25, 24], [29, 15, 2, 24], [22, 4, 5, 23], [2, 29, 15, 6]]),
    ("cosine", [[27, 17, 19, 3], [21, 23, 14, 3], [16, 29, 23, 8], [8, 22, 4, 5], [2, 29, 16, 18]]),
    ("correlation", [[27, 19, 25, 10], [21, 14, 25, 15], [29, 16, 8, 21], [22, 13, 8, 28], [2, 29, 10, 15]]),
    ("manhattan", [[27, 25, 23, 11], [25, 24, 14, 15], [29, 15, 2, 14], [22, 10, 8, 4], [2, 6, 29, 12]]),
    ("chebyshev", [[27, 23, 7, 25], [23, 29, 14, 12], [29, 24, 25, 2], [23, 25, 22, 5], [2, 29, 23, 12]]),
    ("minkowski:3", [[27, 23, 25, 7], [15, 14, 23, 29], [29, 24, 2, 15], [23, 22, 4, 5], [2, 29, 15, 23]]),
    ("minkowski:1.5", [[27, 25, 23, 7], [25, 14, 15, 24], [29, 15, 2, 24], [22, 4, 8, 5], [2, 29, 6, 12]]),
    ("hellinger", [[27, 3, 7, 19], [21, 23, 14, 25], [16, 23, 9, 17], [4, 8, 22, 25], [2, 23, 16, 9]]),
];

/// The same with equal distances in the order of the indices; Jaccard's of rows compared
/// with 0.
const TIED: [(&str, Lists); 4] = [
    ("manhattan", [[7, 14, 21, 28], [13, 20, 27, 1], [5, 19, 26, 2], [4, 11, 25, 0], [3, 10, 17, 4]]),
    ("chebyshev", [[7, 14, 21, 28], [13, 20, 27, 1], [5, 19, 26, 0], [4, 11, 25, 0], [3, 10, 17, 4]]),
    ("hamming", [[7, 14, 21, 28], [13, 20, 27, 1], [5, 19, 26, 2], [4, 11, 25, 0], [3, 10, 17, 0]]),
    ("jaccard", [[7, 14, 21, 28], [1, 8, 13, 15], [5, 19, 26, 1], [3, 4, 10, 11], [3, 4, 10, 11]]),
];

fn metric(name: &str) -> Metric {
    Metric::read(name).unwrap()
}

fn found(points: &PointSet, name: &str, rule: Neighborhood) -> Neighbors {
    NeighborSearch::from(rule).find(Input::from(points).with_metric(metric(name))).unwrap()
}

#[test]
fn lists_are_those_of_scikit_learn() {
    let (untied, tied) = (untied(), tied());
    let all = UNTIED.iter().map(|case| (&untied, case)).chain(TIED.iter().map(|case| (&tied, case)));
    for (points, (name, expected)) in all {
        let lists = found(points, name, K);
        for (row, expected) in expected.iter().enumerate() {
            assert_eq!(lists.indices_of(6 * row), expected, "{name}, row {}", 6 * row);
        }
    }
}

/// Every algorithm returns the lists from all distances: the same bits, ties by index, at
/// an odd number of points, with a number and with a radius.
#[test]
fn lists_are_those_of_all_distances() {
    let many = common::grid(5, 3).view().values().iter().map(|v| v + 1.0).collect();
    let sets = [untied(), tied(), PointSet::new(many, 3).unwrap()];
    for points in &sets {
        for (name, _) in UNTIED.iter().chain(&TIED) {
            // Constant rows have no correlation, rows of zeros no direction.
            let Ok(measured) = metric(name).prepare(points.view()) else { continue };
            let distance = |i: usize, j: usize| measured.distance(i, j);
            let radius = (3..30).map(|j| distance(2, j)).find(|d| *d > 0.0).unwrap_or(0.5);
            for rule in [K, Neighborhood::Nearest { k: 29 }, Neighborhood::Within { radius }] {
                let expected = NeighborSearch::from(rule).find_by(points.len(), distance).unwrap();
                assert_eq!(found(points, name, rule), expected, "{name}, {rule:?}");
            }
        }
    }
}

/// A training row finds itself at distance 0, and each new row its own list.
#[test]
fn new_points_have_the_same_metric() {
    let points = untied();
    let new: Vec<u32> = (0..30).step_by(7).collect();
    for (name, _) in &UNTIED {
        let index = NeighborIndex::of_input(&Input::from(&points).with_metric(metric(name)), K);
        assert_eq!(index.metric(), metric(name));
        let lists = index.nearest(points.view().select(&new).view(), 5).unwrap();
        let training = found(&points, name, K);
        for (&row, list) in new.iter().zip(&lists) {
            assert_eq!(list[0], (row, 0.0), "{name}");
            let (js, ds) = training.of(row as usize);
            let others: Vec<(u32, f64)> = js.iter().copied().zip(ds.iter().copied()).collect();
            assert_eq!(list[1..], others, "{name}");
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_lists() {
    let points = common::gaussian(900, 12, 3);
    for name in ["cosine", "manhattan", "minkowski:3", "jaccard"] {
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| found(&points, name, K))
        };
        assert_eq!(on(1), on(4), "{name}");
    }
}

#[test]
fn euclidean_under_any_name_is_the_same_search() {
    let points = common::gaussian(200, 5, 1);
    let plain = NeighborSearch::from(K).find(points.view()).unwrap();
    assert_eq!(found(&points, "euclidean", K), plain);
    assert_eq!(found(&points, "minkowski:2", K), plain);
    assert_ne!(found(&points, "manhattan", K), plain);
}

#[test]
fn rows_without_a_distance_are_refused() {
    let points = PointSet::from_rows(&[[1.0, 2.0], [0.0, 0.0], [2.0, 1.0]]).unwrap();
    let one = Neighborhood::Nearest { k: 1 };
    let refused = NeighborSearch::from(one).find(Input::from(&points).with_metric(Metric::Cosine));
    assert!(matches!(refused, Err(Error::Degenerate { .. })), "{refused:?}");
    let legal = points.view().select(&[0, 2]);
    let index = NeighborIndex::with_metric(legal.view(), Metric::Cosine, one);
    assert!(index.lists(points.view()).unwrap_err().to_string().contains("row 1"));
}
