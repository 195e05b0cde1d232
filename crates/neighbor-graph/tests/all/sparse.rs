//! Neighbors of sparse points: the lists of the same points with their zeros.
#![expect(clippy::unwrap_used, reason = "tests")]

use embedding::implement::{Validate, Value};
use embedding::{Error, Input, MemoryLimit, Metric, Observer, SparsePointSet, SparsePoints};
use neighbor_graph::{NeighborIndex, NeighborSearch, Neighborhood, Neighbors};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The metrics whose lists agree with the lists of dense points to the bit.
const EXACT: [&str; 6] = ["euclidean", "cosine", "manhattan", "hamming", "jaccard", "hellinger"];

const RULES: [Neighborhood; 3] =
    [Neighborhood::Nearest { k: 1 }, Neighborhood::Nearest { k: 7 }, Neighborhood::Within { radius: 0.9 }];

/// Random rows without an empty one; every fifth is a copy of an earlier one. With `whole`, the
/// values are 1 to 3, so that many distances are equal.
fn random(n: usize, dim: usize, filled: f64, whole: bool, seed: u64) -> SparsePointSet {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut rows: Vec<Vec<(u32, f64)>> = Vec::new();
    for i in 0..n {
        if i % 5 == 4 {
            rows.push(rows[random.random_range(0..i)].clone());
            continue;
        }
        let mut row: Vec<(u32, f64)> = (0..dim as u32)
            .filter(|_| random.random::<f64>() < filled)
            .collect::<Vec<_>>()
            .into_iter()
            .map(|c| {
                (c, if whole { f64::from(random.random_range(1..4)) } else { random.random::<f64>() + 0.01 })
            })
            .collect();
        if row.is_empty() {
            row.push((random.random_range(0..dim as u32), 1.0));
        }
        rows.push(row);
    }
    from_rows(&rows, dim)
}

fn from_rows(rows: &[Vec<(u32, f64)>], dim: usize) -> SparsePointSet {
    let mut offsets = vec![0];
    offsets.extend(rows.iter().scan(0, |end, row| {
        *end += row.len();
        Some(*end)
    }));
    let (columns, values) = rows.iter().flatten().copied().unzip();
    SparsePointSet::new(offsets, columns, values, dim).unwrap()
}

fn metric(name: &str) -> Metric {
    Metric::read(name).unwrap()
}

fn found(points: &SparsePointSet, name: &str, rule: Neighborhood) -> Result<Neighbors, Error> {
    NeighborSearch::from(rule).with_metric(metric(name)).find(points.view())
}

fn found_dense(points: &SparsePointSet, name: &str, rule: Neighborhood) -> Result<Neighbors, Error> {
    let dense = points.view().dense(MemoryLimit::default()).unwrap();
    NeighborSearch::from(rule).find(Input::from(&dense).with_metric(metric(name)))
}

#[test]
fn lists_are_those_of_the_dense_points_to_the_bit() {
    let shapes = [(60, 3, 0.4), (90, 17, 0.2), (200, 64, 0.08), (150, 500, 0.01), (40, 9, 1.0)];
    for (seed, (n, dim, filled)) in shapes.into_iter().enumerate() {
        for whole in [false, true] {
            let points = random(n, dim, filled, whole, seed as u64);
            for (name, rule) in EXACT.into_iter().flat_map(|name| RULES.map(|rule| (name, rule))) {
                let sparse = found(&points, name, rule).unwrap();
                assert_eq!(
                    sparse,
                    found_dense(&points, name, rule).unwrap(),
                    "{name}, {n} × {dim}, {rule:?}"
                );
            }
        }
    }
}

/// Means make every column nonzero, so that sums have other terms than the sums of dense rows.
#[test]
fn correlation_is_that_of_the_dense_points_to_rounding() {
    for (seed, (n, dim, filled)) in [(80, 12, 0.4), (150, 90, 0.1), (40, 9, 1.0)].into_iter().enumerate() {
        let points = random(n, dim, filled, false, seed as u64);
        let rule = Neighborhood::Nearest { k: 9 };
        let (sparse, dense) = (
            found(&points, "correlation", rule).unwrap(),
            found_dense(&points, "correlation", rule).unwrap(),
        );
        for i in 0..n {
            for (ours, theirs) in sparse.distances_of(i).iter().zip(dense.distances_of(i)) {
                assert!((ours - theirs).abs() < 1e-14, "{ours} {theirs}");
            }
            // Distinct distances have the same points.
            let (js, ds) = dense.of(i);
            let apart = |at: usize| {
                at + 1 < ds.len() && ds[at + 1] - ds[at] > 1e-13 && (at == 0 || ds[at] - ds[at - 1] > 1e-13)
            };
            (0..js.len()).filter(|&at| apart(at)).for_each(|at| assert_eq!(sparse.indices_of(i)[at], js[at]));
        }
        // Copies are at distance 0, as they are among dense points.
        assert!((0..n).any(|i| sparse.distances_of(i)[0] == 0.0));
    }
}

/// A small variation about a large mean keeps its digits, without zeros in the row.
#[test]
fn correlation_about_a_large_mean() {
    let rows: Vec<Vec<(u32, f64)>> = (0..12_u32)
        .map(|i| (0..6).map(|c| (c, 1e9 + f64::from((i * i + 3 * i * c + c * c) % 11))).collect())
        .collect();
    let (points, rule) = (from_rows(&rows, 6), Neighborhood::Nearest { k: 3 });
    let (sparse, dense) =
        (found(&points, "correlation", rule).unwrap(), found_dense(&points, "correlation", rule).unwrap());
    for i in 0..12 {
        sparse
            .distances_of(i)
            .iter()
            .zip(dense.distances_of(i))
            .for_each(|(a, b)| assert!((a - b).abs() < 1e-12, "{a} {b}"));
    }
}

#[test]
fn empty_rows_are_points_where_the_metric_has_a_distance_to_them() {
    let rows = [vec![(0, 1.0)], vec![], vec![(2, 1.0), (7, 2.0)], vec![], vec![(2, -1.0)], vec![(9, 4.0)]];
    let points = from_rows(&rows, 10);
    for name in ["euclidean", "manhattan", "hamming", "jaccard"] {
        for rule in [Neighborhood::Nearest { k: 3 }, Neighborhood::Within { radius: 1.0 }] {
            assert_eq!(
                found(&points, name, rule).unwrap(),
                found_dense(&points, name, rule).unwrap(),
                "{name}"
            );
        }
    }
    let rule = Neighborhood::Nearest { k: 3 };
    for name in ["cosine", "correlation", "hellinger"] {
        let refused = found(&points, name, rule).unwrap_err();
        assert_eq!(refused, found_dense(&points, name, rule).unwrap_err());
        assert!(refused.to_string().contains("row 1 (counted from 0)"), "{refused}");
    }
    for name in ["chebyshev", "minkowski:3"] {
        let refused = found(&points, name, rule).unwrap_err();
        assert!(
            matches!(refused, Error::Parameter { .. }) && refused.to_string().contains("jaccard"),
            "{refused}"
        );
    }
    assert_eq!(found(&points, "minkowski:2", rule).unwrap(), found(&points, "euclidean", rule).unwrap());
}

/// Squares of the values would overflow or underflow.
#[test]
fn the_search_has_no_scale() {
    let points = random(50, 30, 0.2, false, 5);
    for (name, factor) in
        [("euclidean", 2f64.powi(900)), ("manhattan", 2f64.powi(900)), ("euclidean", 2f64.powi(-900))]
    {
        let view = points.view();
        let rows: Vec<Vec<(u32, f64)>> = (0..view.len())
            .map(|i| view.row(i).0.iter().copied().zip(view.row(i).1.iter().map(|v| v * factor)).collect())
            .collect();
        let far = from_rows(&rows, 30);
        for (near_rule, rule) in [
            (Neighborhood::Nearest { k: 4 }, Neighborhood::Nearest { k: 4 }),
            (Neighborhood::Within { radius: 0.75 }, Neighborhood::Within { radius: 0.75 * factor }),
        ] {
            let (near, far) = (found(&points, name, near_rule).unwrap(), found(&far, name, rule).unwrap());
            for i in 0..view.len() {
                assert_eq!(near.indices_of(i), far.indices_of(i));
                near.distances_of(i)
                    .iter()
                    .zip(far.distances_of(i))
                    .for_each(|(a, b)| assert_eq!(a * factor, *b));
            }
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_lists() {
    let points = random(700, 80, 0.1, false, 9);
    let rule = Neighborhood::Nearest { k: 6 };
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| found(&points, "cosine", rule).unwrap())
    };
    assert_eq!(on(1), on(4));
}

#[test]
fn a_search_can_be_cancelled() {
    struct Stop;
    impl Observer for Stop {
        fn step(&self, _done: usize, _total: usize) -> std::ops::ControlFlow<()> {
            std::ops::ControlFlow::Break(())
        }
    }
    let points = random(60, 8, 0.3, false, 1);
    let rule = Neighborhood::Nearest { k: 2 };
    let stopped =
        NeighborSearch::from(rule).with_metric(Metric::Euclidean).with_observer(&Stop).find(points.view());
    assert_eq!(stopped.unwrap_err(), Error::Cancelled);
}

#[test]
fn rows_that_are_not_in_the_form_are_refused() {
    let refused = |offsets: &[usize], columns: &[u32], values: &[f64], dim, word: &str| {
        let error = SparsePoints::new(offsets, columns, values, dim).unwrap_err();
        assert!(error.to_string().contains(word), "{error}");
    };
    refused(&[0, 1], &[0], &[1.0], 0, "dimensions");
    refused(&[0], &[], &[], 3, "at least 1");
    refused(&[0, 2], &[0], &[1.0], 3, "offsets");
    refused(&[0, 2, 1], &[0], &[1.0], 3, "offsets");
    refused(&[1, 1], &[0], &[1.0], 3, "offsets");
    refused(&[0, 1], &[0, 1], &[1.0], 3, "one per value");
    refused(&[0, 1], &[3], &[1.0], 3, "below 3");
    refused(&[0, 2], &[1, 0], &[1.0, 1.0], 3, "strictly increasing");
    refused(&[0, 2], &[1, 1], &[1.0, 1.0], 3, "strictly increasing");
    refused(&[0, 0, 1], &[1], &[0.0], 3, "0 in row 1, column 1");
    refused(&[0, 0, 1], &[1], &[f64::NAN], 3, "row 1, column 1");
    // The owned form sorts, adds and leaves out.
    let set =
        SparsePointSet::new(vec![0, 3, 5], vec![2, 0, 2, 1, 1], vec![1.0, 5.0, 2.0, 4.0, -4.0], 3).unwrap();
    assert_eq!(set.view().row(0), (&[0, 2][..], &[5.0, 3.0][..]));
    assert_eq!(set.view().row(1), (&[][..], &[][..]));
    assert!(SparsePointSet::new(vec![0, 2], vec![1, 1], vec![f64::MAX, f64::MAX], 3).is_err());
    let dense = set.view().dense(MemoryLimit::default()).unwrap();
    assert_eq!(dense.view().values(), &[5.0, 0.0, 3.0, 0.0, 0.0, 0.0]);
    assert!(matches!(set.view().dense(MemoryLimit::new(40)), Err(Error::Memory { .. })));
}

/// The index of sparse points, and the index of the same points with their zeros.
fn indices(points: &SparsePointSet, name: &str, rule: Neighborhood) -> [NeighborIndex; 2] {
    let metric = <Metric as Value>::read(name).unwrap();
    let dense = points.view().dense(MemoryLimit::default()).unwrap();
    [Input::from(points.view()), Input::from(&dense)]
        .map(|input| NeighborIndex::of_input(&input.with_metric(metric), rule))
}

#[test]
fn new_rows_have_the_lists_of_dense_ones() {
    let (known, new) = (random(90, 40, 0.15, true, 2), random(25, 40, 0.2, true, 3));
    let with_zeros = new.view().dense(MemoryLimit::default()).unwrap();
    for name in EXACT {
        for rule in [Neighborhood::Nearest { k: 1 }, Neighborhood::Nearest { k: 89 }] {
            let [sparse, dense] = indices(&known, name, rule);
            let expected = dense.lists(with_zeros.view()).unwrap();
            for (what, index) in [("sparse", &sparse), ("dense", &dense)] {
                assert_eq!(index.lists(new.view()).unwrap(), expected, "{name}, {what} rows in {rule:?}");
            }
            assert_eq!(sparse.lists(with_zeros.view()).unwrap(), expected, "{name}");
            let of = [3, 88, 3];
            let (a, b) = (sparse.distances(with_zeros.view(), &of), dense.distances(with_zeros.view(), &of));
            assert_eq!(a.unwrap(), b.unwrap(), "{name}");
            // Each by itself, and as a model that was saved.
            let bytes = serde_json::to_vec(&sparse).unwrap();
            let read: NeighborIndex = serde_json::from_slice(&bytes).unwrap();
            read.validate().unwrap();
            assert_eq!(read.lists(new.view().select(&[7]).view()).unwrap()[0], expected[7], "{name}");
        }
    }
}

#[test]
fn new_rows_have_no_scale_and_wrong_ones_are_refused() {
    let points = random(50, 30, 0.2, false, 5);
    let times = |factor: f64| {
        let view = points.view();
        let row = |i: usize| -> Vec<(u32, f64)> {
            view.row(i).0.iter().copied().zip(view.row(i).1.iter().map(|v| v * factor)).collect()
        };
        from_rows(&(0..view.len()).map(row).collect::<Vec<_>>(), 30)
    };
    let rule = Neighborhood::Nearest { k: 3 };
    for name in ["euclidean", "manhattan"] {
        let near = indices(&points, name, rule)[0].lists(times(1.5).view()).unwrap();
        for factor in [2f64.powi(800), 2f64.powi(-800)] {
            let far = indices(&times(factor), name, rule)[0].lists(times(1.5 * factor).view()).unwrap();
            for (near, far) in near.iter().zip(&far) {
                assert!(near.iter().zip(far).all(|(a, b)| a.0 == b.0 && a.1 * factor == b.1), "{name}");
            }
        }
        let index = &indices(&points, name, rule)[0];
        let largest = if name == "euclidean" { 1e155 } else { 1e307 };
        assert!(index.lists(times(largest).view()).unwrap_err().to_string().contains("overflow"));
        // As far as distances are numbers, the lists agree with the lists of rows with their zeros.
        let far = times(1e-4 * largest);
        let zeros = far.view().dense(MemoryLimit::default()).unwrap();
        let all = points.view().dense(MemoryLimit::default()).unwrap();
        let metric = Metric::read(name).unwrap();
        let dense = NeighborIndex::with_metric(all.view(), metric, rule);
        assert_eq!(index.lists(far.view()).unwrap(), dense.lists(zeros.view()).unwrap(), "{name}");
        assert!(matches!(index.lists(random(2, 29, 0.5, true, 1).view()), Err(Error::Shape { .. })));
    }
    let apart = random(3, 30, 0.1, false, 8);
    let within = &indices(&points, "manhattan", Neighborhood::Within { radius: 1e-3 })[0];
    assert!(within.lists(apart.view()).unwrap_err().to_string().contains("new point 0"));
    let lists = found(&points, "euclidean", rule).unwrap();
    let alone = NeighborIndex::of_input(&Input::from(&lists), rule);
    assert!(alone.lists(points.view()).unwrap_err().to_string().contains("neighbor lists alone"));
}

/// Compressed rows of a file that was changed.
#[test]
fn damaged_training_rows_are_refused() {
    let index = &indices(&random(6, 8, 0.5, true, 1), "cosine", Neighborhood::Nearest { k: 2 })[0];
    let whole = serde_json::to_value(index).unwrap();
    let rows = whole["training"]["Sparse"]["points"].clone();
    let count = rows["columns"].as_array().unwrap().len();
    let damage = [
        ("offsets", 0, 1.into()),
        ("offsets", 2, 0.into()),
        ("columns", 0, 8.into()),
        ("columns", count - 1, 0.into()),
        ("values", 1, 0.0.into()),
    ];
    for (field, at, value) in damage {
        let mut changed = whole.clone();
        changed["training"]["Sparse"]["points"][field][at] = value;
        let read: NeighborIndex = serde_json::from_value(changed).unwrap();
        assert!(read.validate().is_err(), "{field} {at}");
    }
    let mut changed = whole.clone();
    changed["training"]["Sparse"]["points"]["offsets"] = serde_json::json!([]);
    assert!(serde_json::from_value::<NeighborIndex>(changed).unwrap().validate().is_err());
    let mut changed = whole;
    changed["training"]["Sparse"]["metric"] = "Chebyshev".into();
    assert!(serde_json::from_value::<NeighborIndex>(changed).unwrap().validate().is_err());
}

fn multiplied(points: &SparsePointSet, factor: f64) -> SparsePointSet {
    let view = points.view();
    let row = |i: usize| -> Vec<(u32, f64)> {
        view.row(i).0.iter().copied().zip(view.row(i).1.iter().map(|v| v * factor)).collect()
    };
    from_rows(&(0..view.len()).map(row).collect::<Vec<_>>(), view.dim())
}

/// These distances have no unit; rows are divided by their lengths, which rounds.
#[test]
fn lists_by_metrics_without_a_unit_are_those_of_the_points_near_one() {
    let points = random(40, 20, 0.3, false, 4);
    let rule = Neighborhood::Nearest { k: 3 };
    for name in ["cosine", "hamming", "jaccard", "correlation", "hellinger"] {
        let near = found(&points, name, rule).unwrap();
        for exponent in [-600, 600] {
            let far = found(&multiplied(&points, 2f64.powi(exponent)), name, rule).unwrap();
            for i in 0..40 {
                let ((js, ds), (expected, distances)) = (far.of(i), near.of(i));
                assert_eq!(js, expected, "{name}, 2^{exponent}, point {i}");
                assert!(ds.iter().zip(distances).all(|(a, b)| (a - b).abs() < 1e-12), "{name}, 2^{exponent}");
            }
        }
    }
}

/// New points within a radius, at any scale.
#[test]
fn radii_have_the_scale_of_the_points() {
    let (points, new) = (random(60, 20, 0.3, false, 6), random(10, 20, 0.3, false, 7));
    for (name, radius) in [("euclidean", 1.5), ("manhattan", 4.0)] {
        let lists = |factor: f64| {
            let rule = Neighborhood::Within { radius: radius * factor };
            let index = &indices(&multiplied(&points, factor), name, rule)[0];
            index.within(multiplied(&new, factor).view(), &[radius * factor; 10]).unwrap()
        };
        let near = lists(1.0);
        assert!(near.iter().any(|list| !list.is_empty() && list.len() < 60), "{near:?}");
        for exponent in [-600, 600] {
            let factor = 2f64.powi(exponent);
            let back =
                |list: &Vec<(u32, f64)>| list.iter().map(|&(j, d)| (j, d / factor)).collect::<Vec<_>>();
            assert_eq!(lists(factor).iter().map(back).collect::<Vec<_>>(), near, "{name}, 2^{exponent}");
        }
    }
}
