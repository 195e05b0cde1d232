//! Distances over the columns that both rows have, against formulas, other programs and themselves.
#![expect(clippy::unwrap_used, reason = "tests")]

use embedding::mixed::{ColumnKind, MixedColumns};
use embedding::{Error, Metric, PointSet, Remedy};

const GAP: f64 = f64::NAN;

/// Eight people: age, gender, civil status, salary, children (0 or 1), credit.
const PEOPLE: [[f64; 6]; 8] = [
    [21.0, 0.0, 0.0, 3000.0, 1.0, 2200.0],
    [21.0, 0.0, 1.0, 1200.0, 0.0, 100.0],
    [19.0, 1.0, 1.0, 32000.0, 1.0, 22000.0],
    [30.0, 0.0, 1.0, 1800.0, 1.0, 1100.0],
    [21.0, 2.0, 0.0, 2900.0, 1.0, 2000.0],
    [21.0, 2.0, 1.0, 1100.0, 0.0, 100.0],
    [19.0, 2.0, 2.0, 10000.0, 0.0, 6000.0],
    [30.0, 2.0, 3.0, 1500.0, 1.0, 2200.0],
];

/// Distances of the first and the third person as the documentation of the Python package gower 0.1.2 prints
/// them (`gower.gower_matrix`, single precision, <https://pypi.org/project/gower/>).
const OF_FIRST: [f64; 7] = [0.3590238, 0.6707398, 0.31787416, 0.16872811, 0.52622986, 0.59697855, 0.47778758];
const OF_THIRD: [f64; 4] = [0.6552807, 0.6728013, 0.6969697, 0.740428];

fn words(count: usize) -> Vec<String> {
    (0..count).map(|at| format!("word {at}")).collect()
}

fn people() -> (Vec<f64>, Vec<Vec<String>>) {
    let names = [0, 3, 4, 0, 0, 0].map(words).to_vec();
    (PEOPLE.concat(), names)
}

/// Gower's coefficient of two rows by its definition, with numbers where there are no words.
fn by_definition(values: &[f64], names: &[Vec<String>], weights: &[f64], (i, j): (usize, usize)) -> f64 {
    let dim = names.len();
    let (mut sum, mut total) = (0.0, 0.0);
    for c in 0..dim {
        let column: Vec<f64> = values.iter().skip(c).step_by(dim).copied().collect();
        let (x, y) = (column[i], column[j]);
        if x.is_nan() || y.is_nan() {
            continue;
        }
        let present = column.iter().filter(|v| !v.is_nan());
        let low = present.clone().fold(f64::INFINITY, |low, v| low.min(*v));
        let high = present.fold(f64::NEG_INFINITY, |high, v| high.max(*v));
        let apart = match names[c].is_empty() {
            true if high > low => (x - y).abs() / (high - low),
            true => 0.0,
            false => f64::from(u8::from(x != y)),
        };
        sum += weights[c] * apart;
        total += weights[c];
    }
    sum / total
}

/// Rows of numbers, ranks, categories and truth values, a fifth of the values missing, one column constant.
fn mixed(n: usize, dim: usize) -> (Vec<f64>, Vec<Vec<String>>) {
    let kinds: Vec<usize> = (0..dim).map(|c| if c % 3 == 1 { 2 + c % 4 } else { 0 }).collect();
    let value = |i: usize, c: usize| {
        let at = (i * 7919 + c * 104_729 + i * c * 31) % 1009;
        match kinds[c] {
            _ if at.is_multiple_of(5) && c != 0 => GAP,
            0 if c % 5 == 3 => 4.5,
            0 if c % 5 == 2 => (at % 6) as f64,
            0 => at as f64 * 1e3 - 2e5,
            count => (at % count) as f64,
        }
    };
    let values = (0..n).flat_map(|i| (0..dim).map(move |c| (i, c))).map(|(i, c)| value(i, c)).collect();
    (values, kinds.into_iter().map(words).collect())
}

fn rows(metric: Metric, values: &[f64], names: &[Vec<String>]) -> Result<PointSet, Error> {
    MixedColumns::of(values, names)?.encode(metric, values)
}

#[test]
fn gower_distances_are_those_of_the_python_package() {
    let (values, names) = people();
    let rows = rows(Metric::Gower, &values, &names).unwrap();
    let measured = Metric::Gower.prepare(rows.view()).unwrap();
    let of_third = (3..7).zip(OF_THIRD).map(|(j, d)| (2, j, d));
    for (i, j, expected) in (1..8).zip(OF_FIRST).map(|(j, d)| (0, j, d)).chain(of_third) {
        let found = measured.distance(i, j);
        assert!((found - expected).abs() < 1e-7, "{i}, {j}: {found}, not {expected}");
    }
}

/// For tables below, at and above the lanes, with unequal weights.
#[test]
fn gower_distances_are_those_of_the_definition() {
    for dim in [1, 3, 7, 8, 9, 17, 33] {
        let (values, names) = mixed(40, dim);
        let weights: Vec<f64> = (0..dim).map(|c| [1.0, 0.25, 3.0][c % 3]).collect();
        for weights in [vec![1.0; dim], weights] {
            let columns = MixedColumns::of(&values, &names).unwrap().with_weights(&weights).unwrap();
            let rows = columns.encode(Metric::Gower, &values).unwrap();
            let measured = Metric::Gower.prepare(rows.view()).unwrap();
            for (i, j) in (0..40).flat_map(|i| (0..40).map(move |j| (i, j))) {
                let (found, expected) =
                    (measured.distance(i, j), by_definition(&values, &names, &weights, (i, j)));
                assert!((found - expected).abs() < 1e-12, "D = {dim}, {i}, {j}: {found}, not {expected}");
                assert_eq!(found, measured.distance(j, i));
            }
            let four = measured.between_each(rows.view().row(0), [1, 2, 3, 4].map(|j| rows.view().row(j)));
            assert_eq!(four, [1, 2, 3, 4].map(|j| measured.distance(0, j)), "D = {dim}");
        }
    }
}

/// `sklearn.metrics.pairwise.nan_euclidean_distances` of scikit-learn 1.9.1 of the rows, NaN in their gaps.
#[test]
fn nan_euclidean_distances_are_those_of_scikit_learn() {
    const ROWS: [[f64; 4]; 4] =
        [[3.0, GAP, 1.5, 6.0], [1.0, 0.1, 4.0, 5.0], [GAP, 2.0, 0.3, GAP], [7.0, 2.5, GAP, 8.0]];
    const EXPECTED: [(usize, usize, f64); 6] = [
        (0, 1, 3.872983346207418),
        (0, 2, 2.399999999999998),
        (1, 2, 5.882176467941098),
        (0, 3, 6.324555320336759),
        (1, 3, 8.226785520481254),
        (2, 3, 1.0000000000000069),
    ];
    let values = ROWS.concat();
    let rows = rows(Metric::NanEuclidean, &values, &vec![Vec::new(); 4]).unwrap();
    let measured = Metric::NanEuclidean.prepare(rows.view()).unwrap();
    for (i, j, expected) in EXPECTED {
        let found = measured.distance(i, j);
        assert!((found - expected).abs() < 1e-12, "{i}, {j}: {found}, not {expected}");
    }
}

/// Weighted: √(Σ w / Σ' w · Σ' w (x − y)²). Without gaps and weights it is the Euclidean distance, at any scale.
#[test]
fn nan_euclidean_distances_are_those_of_the_definition() {
    for dim in [2, 8, 19] {
        let (values, _) = mixed(30, dim);
        let names = vec![Vec::new(); dim];
        let weights: Vec<f64> = (0..dim).map(|c| 0.5 + c as f64).collect();
        for unit in [1.0, 1e-170, 1e200] {
            let scaled: Vec<f64> = values.iter().map(|v| v * unit).collect();
            let columns = MixedColumns::of(&scaled, &names).unwrap().with_weights(&weights).unwrap();
            let rows = columns.encode(Metric::NanEuclidean, &scaled).unwrap();
            let measured = Metric::NanEuclidean.prepare(rows.view()).unwrap();
            for (i, j) in (0..30).flat_map(|i| (0..i).map(move |j| (i, j))) {
                let both: Vec<usize> =
                    (0..dim).filter(|c| !(values[i * dim + c] + values[j * dim + c]).is_nan()).collect();
                let squares: f64 = both
                    .iter()
                    .map(|&c| weights[c] * (values[i * dim + c] - values[j * dim + c]).powi(2))
                    .sum();
                let common: f64 = both.iter().map(|&c| weights[c]).sum();
                let expected = (weights.iter().sum::<f64>() / common * squares).sqrt();
                let found = measured.distance(i, j) / unit;
                assert!(
                    (found - expected).abs() <= 1e-13 * expected,
                    "D = {dim}, {i}, {j}: {found}, {expected}"
                );
            }
        }
    }
}

/// New rows are compared by the ranges and categories of the training rows.
#[test]
fn new_rows_keep_the_ranges_and_categories_of_the_training_rows() {
    let names = vec![Vec::new(), words(2), Vec::new()];
    let known = [0.0, 0.0, 5.0, 10.0, 1.0, 5.0];
    let columns = MixedColumns::of(&known, &names).unwrap();
    assert_eq!(columns.columns()[0].kind, ColumnKind::Number { low: 0.0, high: 10.0 });
    let new = [30.0, 7.0, 5.0, 5.0, 1.0, 9.0];
    let (known, new) =
        (columns.encode(Metric::Gower, &known).unwrap(), columns.encode(Metric::Gower, &new).unwrap());
    let measured = Metric::Gower.prepare(known.view()).unwrap();
    measured.check_new(&Metric::Gower.prepare(new.view()).unwrap()).unwrap();
    let between = |i: usize, j: usize| measured.between(known.view().row(i), new.view().row(j));
    // Three ranges away, an unknown category, an equal constant.
    assert_eq!(between(0, 0), 4.0 / 3.0);
    assert_eq!(between(1, 0), 1.0);
    // Half a range away, the same category, another value than the constant.
    assert_eq!(between(1, 1), 0.5);
}

#[test]
fn rows_without_a_common_column_are_both_named() {
    let dim = 3;
    let values = [1.0, GAP, GAP, 2.0, 5.0, GAP, GAP, 4.0, 1.0, 3.0, 2.0, 1.0];
    for metric in [Metric::Gower, Metric::NanEuclidean] {
        let encoded = rows(metric, &values, &vec![Vec::new(); dim]).unwrap();
        let refused = metric.prepare(encoded.view()).unwrap_err();
        assert!(refused.to_string().contains("rows 0 and 2 (counted from 0) have no column"), "{refused}");
        assert_eq!(refused.remedy(), Some(Remedy::MissingValues));
        let known = encoded.view().select(&[0, 1]);
        let new = encoded.view().select(&[3, 2]);
        let (known, new) = (metric.prepare(known.view()).unwrap(), metric.prepare(new.view()).unwrap());
        let refused = known.check_new(&new).unwrap_err().to_string();
        assert!(refused.contains("new row 1 and training row 0"), "{refused}");
        let alone = metric.prepare(encoded.view()).unwrap_err().to_string();
        assert!(alone.contains("fill the gaps"), "{alone}");
    }
}

#[test]
fn what_is_no_mixed_table_is_refused() {
    let names = vec![Vec::new(), words(2)];
    let said = |values: &[f64]| MixedColumns::of(values, &names).unwrap_err().to_string();
    assert!(said(&[GAP, 1.0, GAP, 0.0]).contains("column 0 (counted from 0) holds no value"));
    assert!(said(&[1.0, 1.0, f64::INFINITY, 0.0]).contains("row 1, column 0"));
    assert!(said(&[1.0, 1.0, 2.0]).contains("a multiple of 2 columns"));
    let columns = MixedColumns::of(&[1.0, 0.0, 3.0, 1.0], &names).unwrap();
    for weights in [&[1.0][..], &[1.0, 0.0], &[1.0, -1.0], &[1.0, f64::NAN]] {
        assert!(columns.clone().with_weights(weights).is_err(), "{weights:?}");
    }
    let refused = columns.encode(Metric::NanEuclidean, &[1.0, 0.0]).unwrap_err().to_string();
    assert!(refused.contains("a column holds categories") && refused.contains("gower"), "{refused}");
    assert!(columns.encode(Metric::Cosine, &[1.0, 0.0]).is_err());
    let empty = columns.encode(Metric::Gower, &[1.0, 0.0, GAP, GAP]).unwrap();
    let refused = Metric::Gower.prepare(empty.view()).unwrap_err().to_string();
    assert!(refused.contains("row 1 (counted from 0) holds no value"), "{refused}");
    // Rows that no MixedColumns encoded.
    for (values, dim) in [(&[1.0, 2.0, 3.0][..], 3), (&[0.5, 1.0, 0.5, 2.0], 2)] {
        let plain = PointSet::new(values.to_vec(), dim).unwrap();
        let refused = Metric::Gower.prepare(plain.view()).unwrap_err().to_string();
        assert!(refused.contains("encoded by the same MixedColumns"), "{refused}");
    }
}

/// A number per column, half of the weight per category, means in gaps.
#[test]
fn coordinates_have_a_column_per_category_and_no_gaps() {
    let names = vec![Vec::new(), words(3)];
    let values = [0.0, 0.0, 2.0, 2.0, GAP, 2.0, 4.0, GAP];
    let rows = rows(Metric::Gower, &values, &names).unwrap();
    let limit = embedding::MemoryLimit::default();
    let found = Metric::Gower.coordinates(rows.view(), limit).unwrap().unwrap();
    let third = 1.0 / 3.0;
    let expected = [0.0, 0.5, 0.0, 0.5, 0.0, 0.5, 0.5, 0.0, 0.5, 1.0, 0.5 * third, third];
    assert_eq!(found.dim(), 3);
    for (found, expected) in found.view().values().iter().zip(expected) {
        assert!((found - expected).abs() < 1e-15, "{found}, {expected}");
    }
    assert_eq!(Metric::Manhattan.coordinates(rows.view(), limit).unwrap(), None);
    assert!(Metric::Gower.coordinates(rows.view(), embedding::MemoryLimit::new(8)).is_err());
}
