//! Distances by name against scipy, their identities, and rows that they do not apply to.
#![expect(clippy::unwrap_used, reason = "tests")]

use embedding::implement::Value;
use embedding::{Error, Metric, Points};

/// Five rows of 19 columns, some of them 0.
fn rows() -> Vec<f64> {
    let value = |r: u32, c: u32| f64::from((5 * r * r + 7 * c * c + 3 * r * c + r) % 13) * 0.25;
    (0..5).flat_map(|r| (0..19).map(move |c| value(r, c))).collect()
}

const PAIRS: [(usize, usize); 4] = [(0, 1), (0, 2), (1, 3), (2, 4)];

/// `scipy.spatial.distance` 1.17.1 of the pairs (`cityblock` for manhattan, of the rows
/// compared with 0 for jaccard); Hellinger's by its definition in numpy 2.4.6.
const SCIPY: [(&str, [f64; 4]); 10] = [
    ("euclidean", [6.128825336065631, 6.264982043070834, 5.629165124598851, 6.304760106459246]),
    ("cosine", [0.43039312091903703, 0.2497100266695539, 0.24136930556243918, 0.25068777906985784]),
    ("correlation", [1.1467848437748076, 1.2652738395188305, 0.6176732360555413, 1.3726956324763206]),
    ("manhattan", [22.25, 22.0, 20.25, 22.5]),
    ("chebyshev", [2.75, 2.5, 2.25, 2.75]),
    ("minkowski:3", [4.229136501789533, 4.285742393995543, 3.8600708954557312, 4.371357512438592]),
    ("minkowski:1.5", [9.245357690940459, 9.380185023477868, 8.471221171105887, 9.445399436063022]),
    ("hamming", [0.9473684210526315, 0.8947368421052632, 0.9473684210526315, 0.9473684210526315]),
    ("jaccard", [0.3157894736842105, 0.10526315789473684, 0.21052631578947367, 0.0]),
    ("hellinger", [0.559164285011402, 0.3691733897511113, 0.3612624692657936, 0.3203857025246235]),
];

fn distance(metric: &str, values: &[f64], dim: usize, (i, j): (usize, usize)) -> Result<f64, Error> {
    Ok(Metric::read(metric).unwrap().prepare(Points::new(values, dim)?)?.distance(i, j))
}

#[test]
fn distances_are_those_of_scipy() {
    for (metric, expected) in SCIPY {
        for (pair, expected) in PAIRS.into_iter().zip(expected) {
            let found = distance(metric, &rows(), 19, pair).unwrap();
            // Some twenty additions on either side, each of half a unit in the last place.
            let tolerance = 40.0 * f64::EPSILON * expected;
            assert!((found - expected).abs() <= tolerance, "{metric} of {pair:?}: {found}, not {expected}");
            assert_eq!(found, distance(metric, &rows(), 19, (pair.1, pair.0)).unwrap(), "{metric}");
        }
        assert_eq!(distance(metric, &rows(), 19, (3, 3)).unwrap(), 0.0, "{metric}");
    }
}

/// The changes that each metric ignores: scale of a row, an added constant, the unit of all values.
#[test]
fn distances_have_their_invariances() {
    let values = rows();
    let row_changed = |f: fn(f64) -> f64| {
        let mut changed = values.clone();
        changed[19..38].iter_mut().for_each(|v| *v = f(*v));
        changed
    };
    for (metric, changed) in [
        ("cosine", row_changed(|v| 1e200 * v)),
        ("cosine", row_changed(|v| 1e-200 * v)),
        ("hellinger", row_changed(|v| 1e300 * v)),
        ("correlation", row_changed(|v| 8.0 * v + 1024.0)),
        ("correlation", row_changed(|v| 1e306 * v - 1.5e306)),
    ] {
        let (before, after) =
            (distance(metric, &values, 19, (0, 1)).unwrap(), distance(metric, &changed, 19, (0, 1)).unwrap());
        assert!((before - after).abs() < 1e-13, "{metric}: {before} and {after}");
    }
    for metric in ["manhattan", "chebyshev", "minkowski:3", "minkowski:1.5", "euclidean"] {
        let before = distance(metric, &values, 19, (0, 1)).unwrap();
        for factor in [1e150, 1e-150, 1e290, 1e-290].into_iter().filter(|_| metric != "euclidean") {
            let scaled: Vec<f64> = values.iter().map(|v| factor * v).collect();
            let after = distance(metric, &scaled, 19, (0, 1)).unwrap() / factor;
            assert!((before - after).abs() < 1e-13 * before, "{metric} at {factor}: {before} and {after}");
        }
    }
}

/// The exponents 1 and 2 are other names; large ones approach the largest difference.
#[test]
fn minkowski_distances_have_their_limits() {
    for pair in PAIRS {
        let by = |metric| distance(metric, &rows(), 19, pair).unwrap();
        assert_eq!(by("minkowski:1"), by("manhattan"));
        assert_eq!(by("minkowski:2"), by("euclidean"));
        let (large, limit) = (by("minkowski:400"), by("chebyshev"));
        assert!(
            limit <= large && large <= limit * 19_f64.powf(1.0 / 400.0) * (1.0 + 1e-12),
            "{large}, {limit}"
        );
    }
}

#[test]
fn rows_without_a_distance_are_named() {
    let problem = |metric, values: &[f64], dim| match distance(metric, values, dim, (0, 1)) {
        Err(Error::Degenerate { problem, .. }) => problem,
        other => panic!("{metric}: {other:?}"),
    };
    assert!(problem("cosine", &[1.0, 2.0, 0.0, 0.0], 2).contains("row 1 (counted from 0) is zero"));
    assert!(problem("correlation", &[0.3, 0.3, 0.3, 1.0, 2.0, 4.0], 3).contains("row 0"));
    assert!(problem("correlation", &[1.0, 2.0], 1).contains("constant"));
    assert!(problem("hellinger", &[1.0, 2.0, 1.0, -1e-3], 2).contains("row 1"));
    assert!(problem("hellinger", &[1.0, 2.0, 0.0, 0.0], 2).contains("row 1"));
    assert!(problem("manhattan", &[f64::MAX, 2.0, -f64::MAX, 0.0], 2).contains("overflow"));
    for text in ["minkowski:0.9", "minkowski:nan"] {
        assert_eq!(Metric::read(text), None);
    }
    let illegal = Metric::Minkowski { p: 0.5 }.prepare(Points::new(&[0.0, 1.0], 1).unwrap());
    assert!(matches!(illegal, Err(Error::Parameter { .. })));
}

/// Two empty sets coincide; an empty one and another have nothing in common.
#[test]
fn empty_sets_have_a_jaccard_distance() {
    let values = [0.0, 0.0, 0.0, 0.0, 3.0, -1.0];
    assert_eq!(distance("jaccard", &values, 2, (0, 1)).unwrap(), 0.0);
    assert_eq!(distance("jaccard", &values, 2, (0, 2)).unwrap(), 1.0);
}

/// Several rows at a time, of all lengths modulo the lanes, have the same bits.
/// Minkowski's distances of whole and half exponents agree with the distances computed by
/// powers.
#[test]
fn several_distances_are_those_of_each_pair() {
    for dim in 1..40 {
        let value = |i: usize| (i as f64 * 1.7).sin() * f64::from(u8::from(!i.is_multiple_of(3)));
        let values: Vec<f64> = (0..5 * dim).map(value).collect();
        let points = Points::new(&values, dim).unwrap();
        let rows: Vec<&[f64]> = points.rows().collect();
        for name in
            ["euclidean", "manhattan", "chebyshev", "minkowski:3", "minkowski:4", "hamming", "jaccard"]
        {
            let measured = Metric::read(name).unwrap().prepare(points).unwrap();
            let several = measured.between_each(rows[0], [rows[1], rows[2], rows[3], rows[4]]);
            let each = [1, 2, 3, 4].map(|j| measured.between(rows[0], rows[j]));
            assert_eq!(several, each, "{name}, D = {dim}");
        }
        for p in [1.5, 2.5, 3.0, 4.0, 7.0, 15.5, 16.5, 17.0, 2.7] {
            let power: f64 = rows[0].iter().zip(rows[1]).map(|(x, y)| (x - y).abs().powf(p)).sum();
            let found = Metric::Minkowski { p }.prepare(points).unwrap().distance(0, 1);
            let expected = power.powf(p.recip());
            assert!(
                (found - expected).abs() <= 1e-14 * expected,
                "p = {p}, D = {dim}: {found} for {expected}"
            );
        }
    }
}
