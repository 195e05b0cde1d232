use embedding::{Neighborhood, Points, Silent};

use super::*;

/// Points on a wave in twelve dimensions.
fn wave(n: usize) -> Vec<f64> {
    let at = |i: usize, c: usize| ((i as f64 / n as f64 * 3.0 + (i * i % 97) as f64) * (c + 1) as f64).sin();
    (0..n * 12).map(|v| at(v / 12, v % 12)).collect()
}

/// The lists have k distinct points each, with their distances, and the recall that was measured.
fn are_right(points: Points<'_>, k: usize, exact: &Lists, (lists, recall): (&Lists, Recall)) {
    let mut found = 0;
    for i in 0..points.len() {
        let ((js, ds), (_, true_ones)) = (lists.of(i), exact.of(i));
        let distinct: std::collections::BTreeSet<_> = js.iter().collect();
        assert_eq!(distinct.len(), k, "point {i}: {js:?}");
        let direct = |j: &u32| crate::metric::distance(points.row(i), points.row(*j as usize));
        assert!(js.iter().map(direct).eq(ds.iter().copied()), "point {i}");
        assert!(js.len() == k && ds.is_sorted() && !js.contains(&(i as u32)), "point {i}");
        found += ds.iter().filter(|d| **d <= true_ones[k - 1]).count();
    }
    let truth = found as f64 / (points.len() * k) as f64;
    assert!((truth - recall.measured).abs() < 0.06, "{recall:?}, in truth {truth}");
}

/// Both ways reach the goal, and have the distances of all pairs.
#[test]
fn blocks_and_neighbors_of_neighbors_reach_the_goal() {
    let values = wave(3000);
    let points = Points::new(&values, 12).expect("finite");
    let (rows, k, goal) = (Rows::from(points), 8, Goal::default());
    let descent = trees_and_descent(Distances::Euclidean(rows), k, goal, &Silent).expect("lists");
    let (lists, used, recall) =
        probes::search(rows, k, goal, &Silent).expect("lists").expect("blocks are cheaper");
    assert_eq!(used, Search::Approximate);
    let rule = Neighborhood::Nearest { k };
    let (exact, _) = search::run(rows, None, rule.into(), Search::BruteForce, &Silent).expect("lists");
    for (lists, recall) in [descent, (lists, recall)] {
        assert!(recall.measured >= goal.recall, "{recall:?}");
        are_right(points, k, &exact, (&lists, recall));
    }
}

/// Published numbers of SplitMix64 with the seed 0, and the number of a seed and a key that cancel.
#[test]
fn numbers_of_keys_are_those_of_split_mix() {
    let published =
        [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F, 0xF88B_B8A8_724C_81EC];
    assert_eq!([1, 2, 3, 4].map(|key| hash(0, key)), published);
    // By Newton's iteration, the key whose product equals the product of the seed.
    let factor = 0x9E37_79B9_7F4A_7C15_u64;
    let inverse = (0..6).fold(factor, |x, _| x.wrapping_mul(2_u64.wrapping_sub(factor.wrapping_mul(x))));
    assert_eq!(hash(1, 0xD1B5_4A32_D192_ED03_u64.wrapping_mul(inverse)), 0);
}

/// The k nearest of all that were offered in any order, ties by position; each fresh until it was
/// compared.
#[test]
fn lists_of_the_nearest_keep_their_order_and_what_is_fresh() {
    let separations = [5.0, 2.0, 7.0, 2.0, 3.0, 5.0, 1.0, 2.0, 9.0, 3.0, 5.0, 0.5];
    let k = 6;
    for step in [1, 5, 7, 11] {
        let mut found = Nearest::new(1, k);
        let offered: Vec<usize> = (0..12).map(|at| at * step % 12).collect();
        for (count, &j) in offered.iter().enumerate() {
            let reach = found.reach(0);
            found.rows().for_each(|mut row| {
                let entered = row.offer(j as u32, separations[j]);
                assert!(entered || separations[j] >= reach, "{j} is nearer than {reach}");
                // Positions of odd number have been compared.
                if count == 5 {
                    row.fresh.iter_mut().zip(&*row.indices).for_each(|(f, j)| *f = j.is_multiple_of(2));
                }
            });
            let mut expected: Vec<usize> = offered[..=count].to_vec();
            expected.sort_by(|&a, &b| separations[a].total_cmp(&separations[b]).then(a.cmp(&b)));
            expected.truncate(k);
            let (js, fresh) = found.of(0);
            let last = if expected.len() == k { separations[expected[k - 1]] } else { f32::INFINITY };
            assert_eq!(found.reach(0), last);
            for (at, &j) in expected.iter().enumerate() {
                let early = offered[..6].contains(&j) && count >= 5;
                assert_eq!(
                    (js[at] as usize, fresh[at]),
                    (j, !early || j.is_multiple_of(2)),
                    "step {step}, {count}"
                );
            }
        }
    }
}

/// Steps of trees and rounds are never at the end, and never go back.
#[test]
fn an_observer_hears_how_far_trees_and_rounds_are() {
    let (n, k) = (2500_usize, 10);
    let values: Vec<f64> = (0..12 * n as u64).map(|e| hash(7, e) as f64 / 2.0_f64.powi(64)).collect();
    let points = Points::new(&values, 12).expect("finite");
    let space = Space::new(Distances::Euclidean(Rows::from(points)), trees::leaf(k));
    let recorder = testkit::observers::Recorder::default();
    // A goal that is never met.
    let goal = Goal { recall: 1.0, seed: 3 };
    improve(&space, k, goal, &|_| 0.5, &recorder).expect("nothing cancels");
    let steps: Vec<(usize, usize)> =
        recorder.events().iter().filter_map(testkit::observers::Event::step).collect();
    assert!(steps.iter().all(|(done, total)| (1..n).contains(done) && *total == n), "{steps:?}");
    assert!(steps.is_sorted() && steps[steps.len() - 1].0 > n / 2, "{steps:?}");
    let different = steps.chunk_by(|a, b| a == b).count();
    assert_eq!(different, TREES.0 + TREES.1, "{steps:?}");
}

/// Points that fill twelve dimensions: trees alone miss most of their neighbors.
#[test]
fn neighbors_of_neighbors_are_found_where_trees_are_not_enough() {
    let (n, k) = (2500_u64, 10);
    let values: Vec<f64> = (0..12 * n).map(|e| hash(7, e) as f64 / 2.0_f64.powi(64)).collect();
    let points = Points::new(&values, 12).expect("finite");
    let distances = Distances::Euclidean(Rows::from(points));
    let rule = Neighborhood::Nearest { k };
    let (exact, _) =
        search::run(Rows::from(points), None, rule.into(), Search::BruteForce, &Silent).expect("lists");
    let chosen: Vec<u32> = (0..n as u32).collect();
    let all = distances.exact(&chosen, k + 1, &Silent).expect("lists");
    let sample = Sample::new(chosen, &all, k);
    let space = Space::new(distances, trees::leaf(k));
    let ranks = ranks(&space.order);
    let recall = |found: &Nearest| {
        sample.recall(k, |i| {
            let (order, mut wide) = (&space.order, Default::default());
            let list = found.of(ranks[i as usize] as usize).0.iter();
            list.map(move |&at| distances.between(i, order[at as usize], &mut wide))
        })
    };
    let mut found = Nearest::new(n as usize, k);
    for tree in 0..TREES.0 {
        trees::join_leaves(&space, &mut found, tree as u64, 3);
    }
    let mut course = vec![recall(&found)];
    let mut descent = Descent::new(&space, 3);
    while descent.round(&mut found) {
        course.push(recall(&found));
    }
    assert!(course[0] < 0.6 && course.len() < 16, "{course:?}");
    assert!(course.is_sorted(), "a list never becomes worse: {course:?}");
    assert!(recall(&found) > 0.95, "{course:?}");
    let goal = Goal { recall: 0.97, seed: 3 };
    let (lists, recall) = trees_and_descent(distances, k, goal, &Silent).expect("lists");
    assert!(recall.measured >= goal.recall, "{recall:?}");
    are_right(points, k, &exact, (&lists, recall));
}
