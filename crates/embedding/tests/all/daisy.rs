//! Gower's coefficient against `daisy` of the package cluster 2.1.4 of R 4.2.2.
//!
//! Each test has the command. The values are `formatC(as.numeric(d), digits = 17)` of its result d: the distances
//! of rows 0 and 1, 0 and 2 and so on, then of 1 and 2.
#![expect(clippy::unwrap_used, clippy::excessive_precision, reason = "tests; 17 digits as R prints them")]

use embedding::mixed::{ColumnKind, MixedColumns};
use embedding::{Error, Metric};

const GAP: f64 = f64::NAN;

/// The distances of all pairs of rows, and the values by R.
fn check(columns: &MixedColumns, values: &[f64], expected: &[f64]) {
    let rows = columns.encode(Metric::Gower, values).unwrap();
    let measured = Metric::Gower.prepare(rows.view()).unwrap();
    let pairs: Vec<_> = (0..rows.len()).flat_map(|i| (i + 1..rows.len()).map(move |j| (i, j))).collect();
    assert_eq!(pairs.len(), expected.len());
    for ((i, j), expected) in pairs.into_iter().zip(expected) {
        let found = measured.distance(i, j);
        assert!((found - expected).abs() < 1e-12, "{i}, {j}: {found}, not {expected}");
        assert_eq!(found, measured.distance(j, i));
    }
}

/// `daisy(data.frame(a = c(1, 4, 2.5, -3, 10), b = c(1e6, 2e6, 1.5e6, 3e6, 1e6), c = rep(0.1, 5)), metric = "gower")`
#[test]
fn numbers_agree_with_daisy() {
    let values = [1.0, 1e6, 0.1, 4.0, 2e6, 0.1, 2.5, 1.5e6, 0.1, -3.0, 3e6, 0.1, 10.0, 1e6, 0.1];
    let columns = MixedColumns::of(&values, &vec![Vec::new(); 3]).unwrap();
    check(
        &columns,
        &values,
        &[
            0.24358974358974358,
            0.12179487179487179,
            0.4358974358974359,
            0.23076923076923075,
            0.12179487179487179,
            0.34615384615384609,
            0.32051282051282054,
            0.39102564102564102,
            0.27564102564102561,
            0.66666666666666663,
        ],
    );
}

/// `m`: `data.frame(age = c(21, 21, 19, 30, NA, 44), kind = factor(c("a", "b", NA, "c", "a", "b")), grade =
/// factor(c(0, 2, 1, NA, 0, 1), ordered = TRUE), ok = c(1, 0, 1, 1, NA, 0), w = c(0.5, 1.25, 3, 9, 3, 2))`.
const M: [[f64; 5]; 6] = [
    [21.0, 0.0, 0.0, 1.0, 0.5],
    [21.0, 1.0, 2.0, 0.0, 1.25],
    [19.0, GAP, 1.0, 1.0, 3.0],
    [30.0, 2.0, GAP, 1.0, 9.0],
    [GAP, 0.0, 0.0, GAP, 3.0],
    [44.0, 1.0, 1.0, 0.0, 2.0],
];

fn of_m() -> (Vec<f64>, MixedColumns) {
    let words = ["a", "b", "c"].map(str::to_owned).to_vec();
    let values = M.concat();
    let columns = MixedColumns::of(&values, &[vec![], words, vec![], vec![], vec![]]).unwrap();
    (values, columns)
}

/// `daisy(m, metric = "gower", type = list(symm = "ok"))`
const SYMMETRIC: [f64; 15] = [
    0.61764705882352944,
    0.21852941176470586,
    0.58999999999999997,
    0.098039215686274508,
    0.71929411764705875,
    0.44647058823529412,
    0.81794117647058817,
    0.73529411764705888,
    0.30164705882352938,
    0.38196078431372543,
    0.25,
    0.52941176470588236,
    0.8529411764705882,
    0.84588235294117653,
    0.53921568627450978,
];

#[test]
fn mixed_columns_agree_with_daisy() {
    let (values, columns) = of_m();
    check(&columns, &values, &SYMMETRIC);
}

/// `daisy(m, metric = "gower", type = list(asymm = "ok"))`; logical columns are asymmetric for `daisy`, too.
#[test]
fn an_asymmetric_column_agrees_with_daisy() {
    let (values, columns) = of_m();
    let mut expected = SYMMETRIC;
    // Rows 1 and 5 alone have a common zero.
    expected[8] = 0.37705882352941172;
    check(&columns.with_asymmetric(&[3]).unwrap(), &values, &expected);
}

/// `daisy(m, metric = "gower", type = list(asymm = "ok"), weights = c(1, 2, 0.5, 3, 0.25))`
#[test]
fn weights_agree_with_daisy() {
    let (values, columns) = of_m();
    let columns = columns.with_asymmetric(&[3]).unwrap().with_weights(&[1.0, 2.0, 0.5, 3.0, 0.25]).unwrap();
    check(
        &columns,
        &values,
        &[
            0.81808278867102402,
            0.084953560371517037,
            0.41759999999999997,
            0.026737967914438502,
            0.92061002178649232,
            0.71188854489164088,
            0.89407058823529395,
            0.92780748663101598,
            0.31788235294117645,
            0.14505190311418684,
            0.33333333333333331,
            0.84829721362229105,
            0.96732026143790839,
            0.92254117647058831,
            0.82887700534759357,
        ],
    );
}

/// `daisy(data.frame(x = c(1, 2, 4, 8, 16), p = c(1, 0, 0, 1, NA), q = c(0, 0, 1, 1, 0)), metric = "gower", type =
/// list(asymm = c("p", "q")))`
#[test]
fn asymmetric_columns_agree_with_daisy() {
    let values = [1.0, 1.0, 0.0, 2.0, 0.0, 0.0, 4.0, 0.0, 1.0, 8.0, 1.0, 1.0, 16.0, GAP, 0.0];
    let columns = MixedColumns::of(&values, &vec![Vec::new(); 3]).unwrap();
    check(
        &columns.with_asymmetric(&[1, 2]).unwrap(),
        &values,
        &[
            0.53333333333333333,
            0.73333333333333339,
            0.48888888888888893,
            1.0,
            0.56666666666666665,
            0.79999999999999993,
            0.93333333333333335,
            0.42222222222222222,
            0.90000000000000002,
            0.76666666666666661,
        ],
    );
}

/// Where `daisy` gives NA, and where columns hold other numbers.
#[test]
fn rows_with_only_common_zeros_are_refused() {
    let names = vec![Vec::new(); 2];
    let of = |values: &[f64]| MixedColumns::of(values, &names)?.with_asymmetric(&[0, 1]);
    let said = |values: &[f64]| {
        let rows = of(values).unwrap().encode(Metric::Gower, values).unwrap();
        Metric::Gower.prepare(rows.view()).map(drop).unwrap_err().to_string()
    };
    assert!(said(&[1.0, 0.0, 0.0, 0.0, 1.0, 1.0]).contains("row 1 (counted from 0) holds only zeros"));
    assert!(said(&[1.0, GAP, 0.0, 1.0, 1.0, 1.0, GAP, 1.0]).contains("rows 0 and 3 (counted from 0)"));
    // Both have a value in column 1 alone of the columns that they share, and it is 0.
    let zeros = [1.0, 0.0, GAP, GAP, 0.0, 1.0, 1.0, 1.0, 1.0];
    let columns =
        MixedColumns::of(&zeros, &vec![Vec::new(); 3]).unwrap().with_asymmetric(&[0, 1, 2]).unwrap();
    let rows = columns.encode(Metric::Gower, &zeros).unwrap();
    let refused = Metric::Gower.prepare(rows.view()).map(drop).unwrap_err().to_string();
    assert!(refused.contains("rows 0 and 1 (counted from 0) have no column"), "{refused}");
    let other = |values: &[f64]| of(values).and_then(|columns| columns.encode(Metric::Gower, values));
    let said = |refused: Result<_, Error>| refused.map(drop).unwrap_err().to_string();
    assert!(said(other(&[1.0, 0.0, 0.0, 0.5])).contains("0.5 in row 1, column 1"));
    assert!(said(other(&[1.0, 0.0, 0.0, 2.0])).contains("column 1 (counted from 0)"));
    let asymmetric = of(&[1.0, 0.0, 0.0, 1.0]).unwrap();
    assert_eq!(asymmetric.columns()[1].kind, ColumnKind::Asymmetric);
    assert!(asymmetric.encode(Metric::NanEuclidean, &[1.0, 0.0]).is_err());
    assert!(asymmetric.clone().with_asymmetric(&[0]).is_ok() && asymmetric.with_asymmetric(&[2]).is_err());
}
