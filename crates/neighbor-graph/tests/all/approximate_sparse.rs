//! The approximate search of sparse points against the exact one.
#![expect(clippy::unwrap_used, reason = "tests")]

use embedding::implement::Value;
use embedding::{Error, Input, Metric, Neighbors, SparsePointSet};
use neighbor_graph::{NeighborSearch, Recall, Search};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Rows of up to 8 of 400 columns: most from the 12 columns of a theme, which 50 rows share.
fn texts(n: usize, seed: u64) -> Vec<Vec<(u32, f64)>> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let themes: Vec<Vec<u32>> =
        (0..n.div_ceil(50)).map(|_| (0..12).map(|_| random.random_range(0..400)).collect()).collect();
    let mut row = |i: usize| -> Vec<(u32, f64)> {
        let column = |random: &mut ChaCha8Rng| {
            let own = random.random::<f64>() < 0.9;
            if own { themes[i / 50][random.random_range(0..12)] } else { random.random_range(0..400) }
        };
        (0..8).map(|_| (column(&mut random), random.random::<f64>() + 0.5)).collect()
    };
    (0..n).map(&mut row).collect()
}

fn from_rows(rows: &[Vec<(u32, f64)>]) -> SparsePointSet {
    let mut offsets = vec![0];
    offsets.extend(rows.iter().scan(0, |end, row| {
        *end += row.len();
        Some(*end)
    }));
    let (columns, values) = rows.iter().flatten().copied().unzip();
    SparsePointSet::new(offsets, columns, values, 400).unwrap()
}

fn found(set: &SparsePointSet, metric: Metric, search: NeighborSearch<'_>) -> (Neighbors, Recall) {
    search.with_metric(metric).find_with_recall(set.view()).unwrap()
}

/// The fraction of entries not farther than the last of the exact list, over all points.
fn truth(exact: &Neighbors, found: &Neighbors) -> f64 {
    let hits = |i: usize| {
        let farthest = *exact.distances_of(i).last().unwrap();
        found.distances_of(i).iter().filter(|d| **d <= farthest).count() as f64 / found.of(i).0.len() as f64
    };
    (0..found.len()).map(hits).sum::<f64>() / found.len() as f64
}

#[test]
fn the_recall_reaches_the_goal_by_every_metric_of_sparse_points() {
    let set = from_rows(&texts(5000, 1));
    for name in ["euclidean", "cosine", "correlation", "manhattan", "hamming", "jaccard", "hellinger"] {
        let (metric, k) = (Metric::read(name).unwrap(), 7);
        let exact = NeighborSearch::nearest(k).with_metric(metric).find(set.view()).unwrap();
        let prepared = metric.prepare_sparse(set.view()).unwrap();
        for goal in [0.7, 0.97] {
            let (lists, recall) =
                found(&set, metric, NeighborSearch::nearest(k).with_recall(goal).with_seed(3));
            assert_eq!(lists.found_by(), Some(Search::Approximate), "{name}");
            assert_eq!(recall.points, 256);
            assert!(recall.measured >= goal, "{name}: {recall:?} of {goal}");
            let truth = truth(&exact, &lists);
            assert!((truth - recall.measured).abs() < 0.06, "{name}: {recall:?}, in truth {truth}");
            for i in 0..5000 {
                let (js, ds) = lists.of(i);
                let mut distinct = js.to_vec();
                distinct.sort_unstable();
                distinct.dedup();
                assert!(distinct.len() == k && !js.contains(&(i as u32)), "{name}, point {i}: {js:?}");
                let by_distance_and_index =
                    ds.windows(2).zip(js.windows(2)).all(|(d, j)| d[0] < d[1] || d[0] == d[1] && j[0] < j[1]);
                assert!(by_distance_and_index, "{name}, point {i}");
                let direct = js.iter().map(|&j| prepared.distance(i, j as usize));
                assert!(direct.eq(ds.iter().copied()), "{name}, point {i}");
            }
        }
    }
}

#[test]
fn lists_depend_on_the_seed_and_not_on_the_number_of_threads() {
    let set = from_rows(&texts(5000, 2));
    let find = |threads: usize, seed: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let search = NeighborSearch::nearest(9).with_recall(0.8).with_seed(seed);
        pool.install(|| found(&set, Metric::Cosine, search))
    };
    let one = find(1, 0);
    assert_eq!(one, find(3, 0));
    assert_ne!(one.0, find(3, 1).0);
    assert_eq!(one.0.found_by(), Some(Search::Approximate));
}

/// Where no neighbor is nearer than chance makes it, descent misses the goal, and few points are searched
/// exactly at once.
#[test]
fn an_exact_search_replaces_lists_below_the_goal() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let mut anywhere = || -> Vec<(u32, f64)> {
        (0..12).map(|_| (random.random_range(0..400), random.random::<f64>() + 0.1)).collect()
    };
    let noise: Vec<Vec<(u32, f64)>> = (0..5000).map(|_| anywhere()).collect();
    for rows in [&noise[..], &texts(4000, 1)[..]] {
        let set = from_rows(rows);
        let (lists, recall) = found(&set, Metric::Cosine, NeighborSearch::nearest(6).with_recall(1.0));
        assert_eq!(recall, Recall { measured: 1.0, points: rows.len() });
        assert_eq!(lists, NeighborSearch::nearest(6).with_metric(Metric::Cosine).find(set.view()).unwrap());
    }
}

#[test]
fn copies_and_rows_of_zeros_are_neighbors() {
    let distinct = texts(500, 3);
    let rows: Vec<Vec<(u32, f64)>> = (0..5000).map(|i| distinct[i % 500].clone()).collect();
    let search = NeighborSearch::nearest(5).with_algorithm(Search::Approximate);
    let (lists, recall) = found(&from_rows(&rows), Metric::Cosine, search);
    assert_eq!((lists.found_by(), recall.measured >= 0.95), (Some(Search::Approximate), true));
    assert!((0..5000).filter(|i| lists.distances_of(*i)[4] < 1e-12).count() > 4500);

    let mut rows = texts(5000, 3);
    rows.iter_mut().step_by(3).for_each(Vec::clear);
    let set = from_rows(&rows);
    let (lists, recall) = found(&set, Metric::Euclidean, search);
    assert_eq!((lists.found_by(), recall.measured >= 0.95), (Some(Search::Approximate), true));
    for metric in [Metric::Cosine, Metric::Hellinger, Metric::Correlation] {
        let refused = search.with_metric(metric).find(set.view()).unwrap_err().to_string();
        assert!(refused.contains("row 0 (counted from 0) is"), "{metric}: {refused}");
    }
    let all_zeros = from_rows(&vec![Vec::new(); 5000]);
    assert_eq!(found(&all_zeros, Metric::Euclidean, search).0.distances_of(17), [0.0; 5]);
}

#[test]
fn lists_do_not_depend_on_the_scale() {
    let rows = texts(4500, 5);
    let search = NeighborSearch::nearest(6).with_recall(0.8);
    for metric in [Metric::Euclidean, Metric::Manhattan] {
        let at = |exponent: i32| {
            let scaled = from_rows(&rows).view().times_power_of_two(exponent).unwrap();
            found(&scaled, metric, search)
        };
        let (lists, recall) = at(0);
        assert_eq!(lists.found_by(), Some(Search::Approximate), "{metric}");
        for exponent in [-700, -90, 90, 700] {
            let (far, of_far) = at(exponent);
            assert_eq!(of_far, recall, "{metric}, 2^{exponent}");
            for i in 0..4500 {
                assert_eq!(far.indices_of(i), lists.indices_of(i), "{metric}, 2^{exponent}, point {i}");
                let back = far.distances_of(i).iter().map(|d| d * 2.0_f64.powi(-exponent / 2));
                let back: Vec<f64> = back.map(|d| d * 2.0_f64.powi(-exponent + exponent / 2)).collect();
                assert_eq!(back, lists.distances_of(i), "{metric}, 2^{exponent}, point {i}");
            }
        }
    }
}

#[test]
fn other_goals_numbers_and_metrics_are_refused() {
    let set = from_rows(&texts(200, 1));
    for recall in [0.0, 1.5, f64::NAN] {
        let refused = NeighborSearch::nearest(5).with_recall(recall).find(set.view());
        assert!(matches!(refused, Err(Error::Parameter { .. })), "{recall}: {refused:?}");
    }
    let search = |k: usize| NeighborSearch::nearest(k).with_recall(0.9);
    assert!(search(200).find(set.view()).is_err() && search(0).find(set.view()).is_err());
    let input = Input::from(set.view()).with_metric(Metric::Chebyshev);
    let refused = search(5).find(input).unwrap_err().to_string();
    assert!(refused.contains("the metric of sparse points"), "{refused}");
    let within = NeighborSearch::within(0.5).with_algorithm(Search::Approximate);
    let refused = within.find(set.view()).unwrap_err().to_string();
    assert!(refused.contains("an approximate search finds no radius"), "{refused}");
}
