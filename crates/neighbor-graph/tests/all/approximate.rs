//! The approximate search against the exact one.
#![expect(clippy::unwrap_used, reason = "tests")]

use crate::common;

use common::gaussian;
use embedding::implement::Value;
use embedding::{DistanceMatrix, Error, Input, Metric, Neighbors, PointSet, Points};
use neighbor_graph::{NeighborSearch, Neighborhood, Recall, Search};

/// A curved surface of two parameters in `dim` dimensions.
fn surface(n: usize, dim: usize) -> PointSet {
    let flat = gaussian(n, 2, 5);
    let wave = |row: &[f64], c: usize| {
        let (a, b) = ((c as f64 * 0.7).sin(), (c as f64 * 1.3).cos());
        (a * row[0] + b * row[1]).tanh()
    };
    let values = flat.view().rows().flat_map(|row| (0..dim).map(|c| wave(row, c)).collect::<Vec<_>>());
    PointSet::new(values.collect(), dim).unwrap()
}

/// The search with the default goal.
fn approximate(k: usize) -> NeighborSearch<'static> {
    NeighborSearch::nearest(k).with_algorithm(Search::Approximate)
}

/// The fraction of entries not farther than the k-th true neighbor, over all points.
fn true_recall(points: Points<'_>, k: usize, found: &Neighbors) -> f64 {
    let exact = NeighborSearch::nearest(k).find(points).unwrap();
    let hits = |i: usize| {
        let farthest = exact.distances_of(i)[k - 1];
        found.distances_of(i).iter().filter(|d| **d <= farthest).count()
    };
    (0..points.len()).map(hits).sum::<usize>() as f64 / (points.len() * k) as f64
}

#[test]
fn the_recall_reaches_the_goal_and_is_measured_truly() {
    for (set, k) in [(surface(6000, 40), 10), (gaussian(5000, 12, 1), 15), (surface(5000, 17), 1)] {
        for goal in [0.9, 0.99] {
            let search = NeighborSearch::nearest(k).with_recall(goal).with_seed(3);
            let (found, recall) = search.find_with_recall(&set).unwrap();
            assert_eq!(found.found_by(), Some(Search::Approximate));
            assert!(recall.measured >= goal, "{recall:?} of {goal}");
            let truth = true_recall(set.view(), k, &found);
            // The standard error of 256 lists is below .02.
            assert!((truth - recall.measured).abs() < 0.06, "{recall:?}, in truth {truth}");
            for i in 0..found.len() {
                let (js, ds) = found.of(i);
                assert_eq!(js.len(), k, "point {i}");
                assert!(ds.is_sorted(), "point {i}");
            }
        }
    }
}

#[test]
fn the_whole_goal_is_reached_on_a_surface() {
    let set = surface(4500, 20);
    let search = NeighborSearch::nearest(8).with_recall(1.0);
    let (found, recall) = search.find_with_recall(&set).unwrap();
    assert_eq!(recall.measured, 1.0);
    assert!(true_recall(set.view(), 8, &found) > 0.998);
}

#[test]
fn distances_are_those_of_the_exact_search() {
    let set = surface(5000, 30);
    let found = approximate(12).find(&set).unwrap();
    let exact = NeighborSearch::nearest(12).find(set.view()).unwrap();
    let mut same = 0;
    for i in 0..found.len() {
        let (js, ds) = exact.of(i);
        for (j, d) in js.iter().zip(ds) {
            if let Some(at) = found.indices_of(i).iter().position(|other| other == j) {
                assert_eq!(found.distances_of(i)[at].to_bits(), d.to_bits(), "{i} to {j}");
                same += 1;
            }
        }
    }
    assert!(same > 50_000, "{same} of 60,000 entries are in both");
}

#[test]
fn the_same_lists_at_any_number_of_threads_and_another_sample_by_another_seed() {
    let set = gaussian(5000, 20, 2);
    let find = |threads: usize, seed: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let search = NeighborSearch::nearest(10).with_recall(0.8).with_seed(seed);
        pool.install(|| search.find_with_recall(&set).unwrap())
    };
    let one = find(1, 7);
    assert_eq!(one, find(3, 7));
    assert_ne!(one.1, find(1, 8).1);
}

#[test]
fn any_scale_has_the_lists_of_its_copy_near_one() {
    let near = surface(4500, 20);
    let find = |set: &PointSet| approximate(6).find_with_recall(set).unwrap();
    let expected = find(&near);
    for exponent in [-700, 700] {
        let scale = 2f64.powi(exponent);
        let far = PointSet::new(near.view().values().iter().map(|v| v * scale).collect(), 20).unwrap();
        let (found, recall) = find(&far);
        assert_eq!(recall, expected.1, "2^{exponent}");
        for i in 0..found.len() {
            let (js, ds) = expected.0.of(i);
            let ds: Vec<f64> = ds.iter().map(|d| d * scale).collect();
            assert_eq!(found.of(i), (js, &ds[..]), "2^{exponent}, point {i}");
        }
    }
}

#[test]
fn many_equal_points_fill_their_lists_with_each_other() {
    let set = gaussian(500, 10, 4);
    let values: Vec<f64> = (0..10).flat_map(|_| set.view().values().to_vec()).collect();
    let points = Points::new(&values, 10).unwrap();
    let (found, recall) = approximate(9).find_with_recall(points).unwrap();
    assert!(recall.measured >= 0.95);
    let zeros = (0..found.len()).map(|i| found.distances_of(i).iter().filter(|d| **d == 0.0).count());
    assert!(zeros.sum::<usize>() > 42_000, "nine equal points for most of 5,000");
    let same = vec![1.0; 5000 * 9];
    let (found, recall) = approximate(60).find_with_recall(Points::new(&same, 9).unwrap()).unwrap();
    assert_eq!((recall.measured, found.indices_of(17).len()), (1.0, 60));
}

/// Of 150 directions more carry variance than the bounds have.
#[test]
fn bounds_that_hold_for_most_neighbors_keep_the_goal() {
    let (n, dim) = (4500, 150);
    let (latent, noise) = (gaussian(n, 9, 5), gaussian(n, dim, 6));
    let value = |i: usize, c: usize| {
        let waves = latent.view().row(i).iter().enumerate();
        let wave: f64 = waves.map(|(l, x)| x * ((l + 2) as f64 * c as f64 * 0.31).sin()).sum();
        wave + 0.35 * noise.view().row(i)[c]
    };
    let set = PointSet::new((0..n * dim).map(|at| value(at / dim, at % dim)).collect(), dim).unwrap();
    for goal in [0.9, 0.99] {
        let search = NeighborSearch::nearest(10).with_recall(goal).with_seed(1);
        let (found, recall) = search.find_with_recall(&set).unwrap();
        assert_eq!(found.found_by(), Some(Search::Approximate));
        assert!(recall.measured >= goal, "{recall:?} of {goal}");
        assert!((true_recall(set.view(), 10, &found) - recall.measured).abs() < 0.06, "{recall:?}");
    }
}

/// In this many directions without structure, centers of blocks carry little information.
#[test]
fn noise_is_searched_exactly() {
    let set = gaussian(5000, 150, 1);
    let (found, recall) = approximate(5).find_with_recall(&set).unwrap();
    assert_eq!((recall.measured, recall.points), (1.0, 5000));
    assert_eq!(found, NeighborSearch::nearest(5).find(set.view()).unwrap());
}

#[test]
fn few_points_and_few_dimensions_are_searched_exactly() {
    for set in [gaussian(4000, 30, 1), gaussian(6000, 3, 1)] {
        let (found, recall) = approximate(5).find_with_recall(&set).unwrap();
        assert_eq!((recall.measured, recall.points), (1.0, set.view().len()));
        let rule = Neighborhood::Nearest { k: 5 };
        assert_eq!(found, NeighborSearch::from(rule).find(set.view()).unwrap());
        assert_ne!(found.found_by(), Some(Search::Approximate));
    }
}

#[test]
fn wrong_goals_and_a_radius_are_refused() {
    let set = gaussian(5000, 10, 1);
    for recall in [0.0, -1.0, 1.01, f64::NAN] {
        let refused = NeighborSearch::nearest(5).with_recall(recall).find(&set);
        assert!(matches!(refused, Err(Error::Parameter { .. })), "{recall}: {refused:?}");
    }
    for k in [0, 5000] {
        assert!(approximate(k).find(&set).is_err());
    }
    let radius = Neighborhood::Within { radius: 1.0 };
    let refused = NeighborSearch::from(radius).with_algorithm(Search::Approximate).find(set.view());
    assert!(refused.unwrap_err().to_string().contains("approximate"));
}

/// Metrics, each with points that have many different distances by it.
fn by_metric(n: usize) -> Vec<(Metric, PointSet)> {
    let dim = 24;
    let values = |map: fn(f64) -> f64| {
        let set = surface(n, dim);
        PointSet::new(set.view().values().iter().map(|v| map(*v)).collect(), dim).unwrap()
    };
    let metric = |name| <Metric as Value>::read(name).unwrap();
    let near =
        ["cosine", "correlation", "manhattan", "chebyshev", "minkowski:3"].map(|name| (name, values(|v| v)));
    let positive = [("hellinger", values(|v| v + 1.1))];
    let whole = ["hamming", "jaccard"].map(|name| (name, values(|v| (4.0 * v).round())));
    near.into_iter().chain(positive).chain(whole).map(|(name, set)| (metric(name), set)).collect()
}

fn found_by(set: &PointSet, metric: Metric, search: NeighborSearch<'_>) -> (Neighbors, Recall) {
    search.with_metric(metric).find_with_recall(set).unwrap()
}

#[test]
fn the_goal_is_reached_by_every_metric() {
    let (k, goal) = (10, 0.9);
    for (metric, set) in by_metric(4500) {
        let (found, recall) =
            found_by(&set, metric, NeighborSearch::nearest(k).with_recall(goal).with_seed(3));
        assert_eq!(found.found_by(), Some(Search::Approximate), "{metric}");
        assert!(recall.measured >= goal, "{metric}: {recall:?}");
        let rule = Neighborhood::Nearest { k };
        let exact = NeighborSearch::from(rule).find(Input::from(&set).with_metric(metric)).unwrap();
        let measured = metric.prepare(set.view()).unwrap();
        let mut hits = 0;
        for i in 0..found.len() {
            let ((js, ds), farthest) = (found.of(i), exact.distances_of(i)[k - 1]);
            assert!(js.len() == k && ds.is_sorted() && !js.contains(&(i as u32)), "{metric}, point {i}");
            let direct = |&j: &u32| measured.distance(i, j as usize);
            assert!(js.iter().map(direct).eq(ds.iter().copied()), "{metric}, point {i}");
            hits += ds.iter().filter(|d| **d <= farthest).count();
        }
        let truth = hits as f64 / (found.len() * k) as f64;
        assert!((truth - recall.measured).abs() < 0.06, "{metric}: {recall:?}, in truth {truth}");
    }
}

#[test]
fn metrics_have_the_same_lists_at_any_number_of_threads() {
    for (metric, set) in by_metric(4200).into_iter().skip(1).step_by(2) {
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let search = NeighborSearch::nearest(6).with_recall(0.8).with_seed(7);
            pool.install(|| found_by(&set, metric, search))
        };
        assert_eq!(on(1), on(3), "{metric}");
    }
}

/// Distances at the smallest scales underflow in single precision. At the largest scale their
/// squares leave the range of numbers, and the search is exact.
#[test]
fn metrics_have_no_scale() {
    let near = surface(4200, 12);
    let search = NeighborSearch::nearest(5).with_recall(0.8);
    let expected = found_by(&near, Metric::Manhattan, search);
    let far = |exponent: i32| {
        let values = near.view().values().iter().map(|v| v * 2f64.powi(exponent)).collect();
        found_by(&PointSet::new(values, 12).unwrap(), Metric::Manhattan, search)
    };
    for exponent in [-300, 300] {
        let (found, recall) = far(exponent);
        assert_eq!(recall, expected.1);
        assert!((0..found.len()).all(|i| found.indices_of(i) == expected.0.indices_of(i)), "2^{exponent}");
    }
    assert_eq!((far(700).1.measured, far(700).0.found_by()), (1.0, Some(Search::BruteForce)));
}

#[test]
fn few_points_by_a_metric_are_searched_exactly_and_other_input_is_refused() {
    let set = surface(300, 12);
    for metric in [Metric::Cosine, Metric::Chebyshev] {
        let (found, recall) = found_by(&set, metric, approximate(5));
        assert_eq!((recall.measured, recall.points), (1.0, 300));
        let rule = Neighborhood::Nearest { k: 5 };
        assert_eq!(found, NeighborSearch::from(rule).find(Input::from(&set).with_metric(metric)).unwrap());
    }
    for recall in [0.0, 1.5, f64::NAN] {
        let input = Input::from(&set).with_metric(Metric::Hamming);
        let refused = NeighborSearch::nearest(5).with_recall(recall).find(input);
        assert!(matches!(refused, Err(Error::Parameter { .. })), "{recall}: {refused:?}");
    }
    let given = DistanceMatrix::new(&[0.0, 1.0, 1.0, 0.0], 2).unwrap();
    let refused = approximate(1).find(given);
    assert!(matches!(refused, Err(Error::Degenerate { .. })), "{refused:?}");
}

/// The search by name is the one with the default goal.
#[test]
fn an_approximate_search_can_be_chosen_by_name() {
    let set = surface(4200, 12);
    let rule = Neighborhood::Nearest { k: 5 };
    let by_name = NeighborSearch::from(rule).with_algorithm(Search::Approximate).find(set.view()).unwrap();
    let direct = NeighborSearch::nearest(5).with_recall(0.95).with_seed(0).find(&set).unwrap();
    assert_eq!(by_name.found_by(), direct.found_by());
    assert_eq!(by_name, direct);
}
