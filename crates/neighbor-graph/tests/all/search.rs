//! Every backend gives the lists of the obvious search, to the bit.
#![expect(clippy::unwrap_used, reason = "tests")]

use crate::common;

use common::{copies, gaussian, grid, obvious, obvious_queries};
use embedding::{Error, Input, Metric, PointSet, Points};
use neighbor_graph::{NeighborIndex, NeighborSearch, Neighborhood, Search, implement::chosen_search};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use testkit::observers::{Event, Recorder};

const BACKENDS: [Search; 4] = [Search::Auto, Search::KdTree, Search::BruteForce, Search::Projected];

fn agree(set: &PointSet, neighborhood: Neighborhood, what: &str) {
    let points = set.view();
    let expected = obvious(points, neighborhood);
    for search in BACKENDS {
        if search == Search::KdTree && points.dim() > 8 {
            continue;
        }
        let found = NeighborSearch::from(neighborhood).with_algorithm(search).find(points).unwrap();
        assert_eq!(found.len(), points.len());
        for (i, list) in expected.iter().enumerate() {
            let (js, ds) = found.of(i);
            let got: Vec<(u32, f64)> = js.iter().copied().zip(ds.iter().copied()).collect();
            assert_eq!(&got, list, "{what}, {search:?}, {neighborhood:?}, point {i}");
        }
    }
}

#[test]
fn random_points_in_every_dimension() {
    for dim in (1..=12).chain([20, 50]) {
        let set = gaussian(120, dim, dim as u64);
        for k in [1, 5, 17, 118, 119] {
            agree(&set, Neighborhood::Nearest { k }, "gaussian");
        }
        agree(&set, Neighborhood::Within { radius: (dim as f64).sqrt() }, "gaussian");
    }
}

#[test]
fn points_in_single_precision_have_the_lists_of_their_widened_copy() {
    for (n, dim) in [(300, 3), (300, 20), (1500, 170), (7100, 161)] {
        let wide = gaussian(n, dim, 3);
        let single: Vec<f32> = wide.view().values().iter().map(|&x| x as f32).collect();
        let points = Points::new(&single, dim).unwrap();
        let widened = points.widened();
        let radius = 0.4 * (dim as f64).sqrt();
        for neighborhood in [Neighborhood::Nearest { k: 7 }, Neighborhood::Within { radius }] {
            // Brute force is compared with the others elsewhere.
            let backends = if n < 5000 { &BACKENDS[..] } else { &[Search::Auto] };
            for &search in backends.iter().filter(|&&s| s != Search::KdTree || dim <= 8) {
                let found = NeighborSearch::from(neighborhood).with_algorithm(search).find(points).unwrap();
                let expected =
                    NeighborSearch::from(neighborhood).with_algorithm(search).find(widened.view()).unwrap();
                assert_eq!(found, expected, "{n} × {dim}, {search:?}, {neighborhood:?}");
            }
        }
    }
    let broken = Points::new(&[0.0_f32, 1.0, f32::NAN, 2.0], 2).map(|_| ());
    assert!(matches!(broken, Err(Error::NotFinite { row: 1, column: 0, .. })), "{broken:?}");
    // Squares that overflow in single precision do not in double.
    let huge = [f32::MIN, f32::MAX, 0.0];
    let lists = NeighborSearch::nearest(1).find(Points::new(&huge, 1).unwrap());
    assert_eq!(lists.unwrap().of(1), (&[2][..], &[f64::from(f32::MAX)][..]));
}

/// Points of a grid in a subspace that the first bound contains, so that many distances are equal and
/// bounds are the distances up to their rounding: with the slightest excess of a bound a tied neighbor
/// is missing.
#[test]
fn bounds_as_large_as_tied_distances_discard_nothing() {
    let (n, dim, rank) = (900, 128, 6);
    let directions = gaussian(rank, dim, 2);
    let mut generator = ChaCha8Rng::seed_from_u64(1);
    let rows = (0..n).map(|_| {
        let place: Vec<f64> = (0..rank).map(|_| f64::from(generator.random_range(0..3_u8))).collect();
        let at = |c: usize| place.iter().zip(directions.view().rows()).map(|(x, q)| x * q[c]).sum();
        (0..dim).map(at).collect::<Vec<f64>>()
    });
    let set = PointSet::from_rows(&rows.collect::<Vec<_>>()).unwrap();
    for k in [1, 6, 25] {
        agree(&set, Neighborhood::Nearest { k }, "a grid in a subspace");
    }
}

/// Points far from the others by which all would be rounded to few places.
#[test]
fn outliers_do_not_hide_neighbors() {
    for (count, factor) in [(1, 1e3), (10, 1e5), (500, 1e6)] {
        let mut values = gaussian(1000, 50, 9).view().values().to_vec();
        values[..count * 50].iter_mut().for_each(|v| *v *= factor);
        let set = PointSet::new(values, 50).unwrap();
        agree(&set, Neighborhood::Nearest { k: 8 }, "outliers");
    }
}

#[test]
fn integer_grids_are_all_ties() {
    for (side, dim) in [(40, 1), (9, 2), (6, 3), (4, 4), (3, 5), (2, 8)] {
        let set = grid(side, dim);
        for k in [1, 2, 3, 7, 13, 30] {
            agree(&set, Neighborhood::Nearest { k }, "grid");
        }
        for radius in [1.0, 2.0_f64.sqrt(), 2.0] {
            agree(&set, Neighborhood::Within { radius }, "grid");
        }
    }
}

#[test]
fn copies_keep_each_other_also_more_than_k() {
    for dim in [1, 2, 3, 30] {
        for times in [2, 8, 70] {
            let set = copies(&gaussian(5, dim, 7), times);
            for k in [1, 3, 8] {
                agree(&set, Neighborhood::Nearest { k }, "copies");
            }
            agree(&set, Neighborhood::Within { radius: 1e-9 }, "copies");
        }
        let same = PointSet::new(vec![0.25; dim * 300], dim).unwrap();
        agree(&same, Neighborhood::Nearest { k: 4 }, "all equal");
    }
}

#[test]
fn as_many_points_as_neighbors_allow() {
    let k = 4;
    for n in 1..=k + 2 {
        let set = gaussian(n, 2, 3);
        let found = NeighborSearch::nearest(k).find(set.view());
        assert_eq!(found.is_ok(), n > k, "{n} points");
        agree(&set, Neighborhood::Within { radius: 1.0 }, "few");
    }
}

#[test]
fn one_line_a_constant_column_and_a_far_origin() {
    let line: Vec<f64> = (0..200).flat_map(|i| [f64::from(i), 3.0, 2.0 * f64::from(i)]).collect();
    agree(&PointSet::new(line, 3).unwrap(), Neighborhood::Nearest { k: 4 }, "line");
    for dim in [2, 3, 40] {
        let far = gaussian(150, dim, 5).into_values().iter().map(|x| x + 1e6).collect();
        agree(&PointSet::new(far, dim).unwrap(), Neighborhood::Nearest { k: 6 }, "far origin");
        for scale in [1e-6, 1e6, 1e-150, 1e140] {
            let scaled = gaussian(150, dim, 5).into_values().iter().map(|x| x * scale).collect();
            agree(&PointSet::new(scaled, dim).unwrap(), Neighborhood::Nearest { k: 6 }, "scaled");
        }
    }
}

#[test]
fn one_outlier_does_not_blur_the_others() {
    for dim in [2, 40] {
        let mut values = gaussian(150, dim, 5).into_values();
        values[0] = 1e12;
        agree(&PointSet::new(values, dim).unwrap(), Neighborhood::Nearest { k: 6 }, "outlier");
    }
}

/// Squares of such differences underflow to 0 or overflow: the lists agree with the lists
/// of the same points near 1, and the distances with their distances times the scale. A
/// point at 1e200 does not make the squares of small distances vanish.
#[test]
fn an_outlier_beyond_squares_leaves_the_lists_of_the_others() {
    for (n, dim) in [(120, 2), (120, 20), (7100, 60)] {
        let near = gaussian(n, dim, 8);
        let mut values = near.view().values().to_vec();
        values.extend(vec![1e200; dim]);
        let far = PointSet::new(values, dim).unwrap();
        let rule = Neighborhood::Nearest { k: 5 };
        let lists = |points: &PointSet| NeighborSearch::from(rule).find(points.view()).unwrap();
        let (without, with) = (lists(&near), lists(&far));
        for i in 0..n {
            assert_eq!(without.of(i), with.of(i), "{n} points, {dim} dimensions, point {i}");
        }
    }
}

#[test]
fn any_scale_has_the_lists_of_its_copy_near_one() {
    for dim in [1, 3, 40] {
        let near = gaussian(150, dim, 5);
        for exponent in [-1000, -532, -420, 0, 450, 512, 1000] {
            let scale = 2f64.powi(exponent);
            let scaled = near.clone().into_values().iter().map(|x| x * scale).collect();
            let set = PointSet::new(scaled, dim).unwrap();
            for rule in [Neighborhood::Nearest { k: 6 }, Neighborhood::Within { radius: 0.5 }] {
                let own = match rule {
                    Neighborhood::Within { radius } => Neighborhood::Within { radius: radius * scale },
                    nearest => nearest,
                };
                let expected = NeighborSearch::from(rule).find(near.view()).unwrap();
                let found = NeighborSearch::from(own).find(set.view()).unwrap();
                for i in 0..150 {
                    let (js, ds) = expected.of(i);
                    let (found_js, found_ds) = found.of(i);
                    assert_eq!(found_js, js, "D = {dim}, 2^{exponent}, {rule:?}, point {i}");
                    assert!(found_ds.iter().zip(ds).all(|(f, d)| *f == d * scale), "2^{exponent}");
                }
            }
            let queries: Vec<f64> = gaussian(40, dim, 6).into_values().iter().map(|x| x * scale).collect();
            let lists = |known: &PointSet, new: &PointSet| {
                NeighborIndex::new(known.view(), Neighborhood::Nearest { k: 6 }).lists(new.view()).unwrap()
            };
            let found = lists(&set, &PointSet::new(queries, dim).unwrap());
            for (list, expected) in found.iter().zip(lists(&near, &gaussian(40, dim, 6))) {
                let expected: Vec<(u32, f64)> = expected.iter().map(|&(j, d)| (j, d * scale)).collect();
                assert_eq!(*list, expected, "D = {dim}, 2^{exponent}");
            }
        }
    }
}

#[test]
fn negative_zero_is_zero() {
    let set = PointSet::new(vec![0.0, -0.0, 0.0, -0.0, 1.0], 1).unwrap();
    agree(&set, Neighborhood::Nearest { k: 3 }, "zeros");
}

#[test]
fn only_distances_that_are_no_numbers_are_refused() {
    let values = [f64::MAX, -f64::MAX, 0.0];
    let points = Points::new(&values, 1).unwrap();
    assert!(NeighborSearch::nearest(1).find(points).is_ok());
    assert!(NeighborSearch::nearest(2).find(points).is_err());
}

#[test]
fn new_points_find_the_same_as_by_hand() {
    for (dim, n) in [(1, 90), (3, 500), (8, 300), (40, 200)] {
        let known = gaussian(n, dim, 1);
        let rule = Neighborhood::Nearest { k: 7 };
        let radius = (dim as f64).sqrt();
        let index = NeighborIndex::new(known.view(), rule);
        let around = NeighborIndex::new(known.view(), Neighborhood::Within { radius });
        for queries in [1, 100] {
            let new = gaussian(queries, dim, 2);
            let expected = obvious_queries(known.view(), new.view(), rule);
            assert_eq!(index.lists(new.view()).unwrap(), expected, "D = {dim}");
            assert_eq!(around.nearest(new.view(), 7).unwrap(), expected, "D = {dim}, whatever the rule");
            let within = around.lists(new.view()).unwrap();
            assert_eq!(within, obvious_queries(known.view(), new.view(), Neighborhood::Within { radius }));
        }
        // A known point finds itself first: nothing is excluded here.
        let own = index.nearest(known.view(), 1).unwrap();
        assert!(own.iter().enumerate().all(|(i, list)| list[0] == (i as u32, 0.0)));
    }
}

/// A curved surface in many dimensions, with a little noise everywhere.
fn surface(n: usize, dim: usize) -> PointSet {
    let parameters = gaussian(n, 2, 11);
    let noise = gaussian(n, dim, 12);
    let at = |i: usize, c: usize| {
        let p = parameters.view().row(i);
        let wave = (p[0] * (1.0 + (c % 7) as f64) + p[1] * (1.0 + (c % 5) as f64) + c as f64).sin();
        wave / (1.0 + (c / 8) as f64) + 0.01 * noise.view().row(i)[c]
    };
    PointSet::new((0..n).flat_map(|i| (0..dim).map(move |c| (i, c))).map(|(i, c)| at(i, c)).collect(), dim)
        .unwrap()
}

#[test]
fn blocks_of_many_points() {
    // More than one block of known points and of queries, and a ragged last one.
    for set in [surface(2500, 60), gaussian(1300, 33, 4)] {
        agree(&set, Neighborhood::Nearest { k: 9 }, "blocks");
        agree(&set, Neighborhood::Within { radius: 0.3 }, "blocks");
    }
    // More neighbors than one block holds.
    agree(&gaussian(1100, 10, 4), Neighborhood::Nearest { k: 1050 }, "blocks");
}

#[test]
fn auto_says_what_it_chose_and_gives_a_projection_up_where_it_does_not_pay() {
    let rule = Neighborhood::Nearest { k: 5 };
    let chosen = |set: &PointSet| NeighborSearch::from(rule).find(set.view()).unwrap().found_by();
    assert_eq!(chosen(&gaussian(100, 3, 1)), Some(Search::KdTree));
    assert_eq!(chosen(&gaussian(100, 30, 1)), Some(Search::BruteForce));
    assert_eq!(chosen(&surface(5000, 200)), Some(Search::Projected));
    assert_eq!(chosen(&gaussian(5000, 200, 1)), Some(Search::BruteForce));
    assert_eq!(chosen_search(Search::Auto, 5000, 200), Search::Projected);
}

#[test]
fn many_new_points_in_many_dimensions() {
    let known = surface(5000, 170);
    let new = PointSet::new(surface(6500, 170).into_values()[5000 * 170..].to_vec(), 170).unwrap();
    let rule = Neighborhood::Nearest { k: 6 };
    let index = NeighborIndex::new(known.view(), rule);
    assert_eq!(index.lists(new.view()).unwrap(), obvious_queries(known.view(), new.view(), rule));
    let rule = Neighborhood::Within { radius: 0.4 };
    let index = NeighborIndex::new(known.view(), rule);
    let expected = obvious_queries(known.view(), new.view(), rule);
    // Points that have no training point around them are refused, and named.
    let alone = expected.iter().position(Vec::is_empty).unwrap();
    let refused = index.lists(new.view()).unwrap_err();
    assert!(
        matches!(&refused, Error::Degenerate { problem, .. } if problem.contains(&format!("new point {alone};"))),
        "{refused}"
    );
    let near: Vec<u32> = (0..new.len() as u32).filter(|&i| !expected[i as usize].is_empty()).collect();
    assert!(near.len() > 100, "{}", near.len());
    let lists: Vec<_> = near.iter().map(|&i| expected[i as usize].clone()).collect();
    assert_eq!(index.lists(new.view().select(&near).view()).unwrap(), lists);
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    for dim in [3, 40] {
        let set = gaussian(700, dim, 9);
        let find = || NeighborSearch::nearest(9).find(set.view()).unwrap();
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let one = pool(1).install(find);
        for threads in [2, 4] {
            assert_eq!(one, pool(threads).install(find));
        }
    }
}

#[test]
fn small_integers_in_any_shape() {
    for seed in 0..64 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (dim, k) = (rng.random_range(1..15), rng.random_range(1..9));
        let n = rng.random_range(30..400_usize).div_ceil(dim);
        let values = (0..n * dim).map(|_| f64::from(rng.random_range(-2_i8..3))).collect();
        let set = PointSet::new(values, dim).unwrap();
        let name = format!("integers, seed {seed}");
        if k < n {
            agree(&set, Neighborhood::Nearest { k }, &name);
        }
        agree(&set, Neighborhood::Within { radius: 2.0 }, &name);
    }
}

/// More columns than are multiplied at a time.
#[test]
fn points_of_many_columns() {
    for dim in [510, 511, 530] {
        agree(&gaussian(60, dim, 3), Neighborhood::Nearest { k: 5 }, "many columns");
    }
}

/// Lists that are not full after the points of the own block.
#[test]
fn more_neighbors_than_points_of_a_block() {
    for (n, dim, k) in [(520, 10, 150), (600, 42, 299)] {
        agree(&gaussian(n, dim, 4), Neighborhood::Nearest { k }, "long lists");
    }
}

/// Points far from the mean in all directions, after others near it, and points opposite to it.
#[test]
fn the_last_rows_may_be_the_farthest() {
    let (n, dim) = (1500, 41);
    let mut values = gaussian(n, dim, 6).into_values();
    values[1100 * dim..].iter_mut().for_each(|v| *v *= 25.0);
    agree(&PointSet::new(values, dim).unwrap(), Neighborhood::Nearest { k: 6 }, "far rows at the end");
    let near = gaussian(400, dim, 7).into_values();
    let sign = |row: usize| if row % 50 == 7 { -1.0 } else { 1.0 };
    let values = near.iter().enumerate().map(|(at, v)| sign(at / dim) + 0.01 * v).collect();
    agree(&PointSet::new(values, dim).unwrap(), Neighborhood::Nearest { k: 6 }, "opposite to the mean");
}

/// Progress of a search among all pairs increases from nothing to all points.
#[test]
fn an_observer_hears_how_far_a_search_is() {
    let points = gaussian(1100, 10, 2);
    for metric in [Metric::Euclidean, Metric::Manhattan] {
        let recorder = Recorder::default();
        let input = Input::from(&points).with_metric(metric).with_observer(&recorder);
        NeighborSearch::nearest(4).find(input).unwrap();
        let steps: Vec<(usize, usize)> = recorder.events().iter().filter_map(Event::step).collect();
        assert!(steps.len() > 3 && steps[0].0 == 0, "{metric:?}: {steps:?}");
        assert!(steps.iter().all(|step| step.1 == 1100), "{metric:?}: {steps:?}");
        assert!(steps.is_sorted_by(|a, b| a.0 < b.0), "{metric:?}: {steps:?}");
        assert_eq!(steps[steps.len() - 1].0, 1100);
    }
}
