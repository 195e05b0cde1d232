//! Tables with words and gaps, encoded for the metrics that compare them, and weights of columns.

use crate::common;

use common::{Outcome, plain, read};
use datasets::files::{Categories, ColumnWeights, Missing, MixedRows, Reading};
use embedding::mixed::{ColumnKind, MixedColumns};
use embedding::{MemoryLimit, Metric};

const TABLE: &str = "a,b,c\n0,red,1\n2,,3\n,blue,5\n";

fn mixed(metric: Metric, known: Option<MixedColumns>) -> Reading {
    Reading {
        categories: Categories::Gower,
        missing: Missing::Keep,
        mixed: Some(MixedRows { metric, known }),
        ..plain()
    }
}

#[test]
fn words_are_categories_and_gaps_stay() -> Outcome {
    let table = read(&mixed(Metric::Gower, None), "x.csv", TABLE)?;
    let columns = table.mixed.expect("encoded rows");
    let names = ["blue".to_owned(), "red".to_owned()].to_vec();
    assert_eq!(columns.columns()[1].kind, ColumnKind::Category { names: names.clone() });
    assert_eq!(columns.columns()[0].kind, ColumnKind::Number { low: 0.0, high: 2.0 });
    let expected =
        [0.0, 1.0, 0.0, 1.0, -1.0, 1.0, 1.0, 0.0, 0.5, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, -1.0, 1.0];
    assert_eq!(table.points.view().values(), expected);
    assert_eq!(table.columns.as_deref(), Some(&["a", "b", "c"].map(str::to_owned)[..]));
    // A number that stands for missing values is no category.
    let reading = Reading { missing_values: vec!["1".to_owned()], ..mixed(Metric::Gower, None) };
    let table = read(&reading, "x.csv", "a,b\n0,red\n1,blue\n3,red\n")?;
    let expected = [0.0, 1.0, 1.0, -1.0, 0.0, 0.0, 0.0, -1.0, 1.0, 1.0, 1.0, -1.0];
    assert_eq!(table.points.view().values(), expected);
    // Nor is one above all positions of categories.
    let reading = Reading { missing_values: vec!["1e20".to_owned()], ..mixed(Metric::Gower, None) };
    let table = read(&reading, "x.csv", "a,b\n0,red\n1e20,blue\n2,red\n")?;
    let expected = [0.0, 1.0, 1.0, -1.0, 0.0, 0.0, 0.0, -1.0, 1.0, 1.0, 1.0, -1.0];
    assert_eq!(table.points.view().values().len(), expected.len());
    assert_eq!(table.points.view().values()[4..6], [0.0, 0.0], "the value of row 1 is missing");
    Ok(())
}

/// New rows keep ranges and categories, whatever the order of their columns and categories is.
#[test]
fn new_rows_are_read_by_known_columns() -> Outcome {
    let known = read(&mixed(Metric::Gower, None), "x.csv", TABLE)?;
    let reading = Reading {
        coordinates: known.columns.clone().expect("a header"),
        ..mixed(Metric::Gower, known.mixed.clone())
    };
    let table = read(&reading, "y.csv", "b,x,c,a\n7,0,1,4\nred,0,,0\nblue,0,5,\n")?;
    let expected =
        [2.0, 2.0, 0.0, 1.0, -1.0, 1.0, 0.0, 1.0, 0.0, 1.0, -1.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 1.0];
    assert_eq!(table.points.view().values(), expected);
    assert_eq!(table.columns, known.columns);
    assert!(table.notes.iter().any(|note| note.starts_with("`7` in column `b`")), "{:?}", table.notes);
    let fewer = read(&Reading { ignore: vec!["a".to_owned()], ..reading }, "y.csv", "b,c,a\nred,1,2\n");
    assert!(fewer.expect_err("fewer columns").to_string().contains("must be the 3 of the model"));
    Ok(())
}

#[test]
fn asymmetric_columns_are_named() -> Outcome {
    let reading =
        Reading { asymmetric: vec!["smokes".to_owned(), "2".to_owned()], ..mixed(Metric::Gower, None) };
    let text = "age,smokes,car\n1,true,0\n2,false,1\n4,false,0\n";
    let table = read(&reading, "x.csv", text)?;
    let columns = table.mixed.clone().expect("encoded rows");
    let kinds: Vec<bool> =
        columns.columns().iter().map(|column| column.kind == ColumnKind::Asymmetric).collect();
    assert_eq!(kinds, [false, true, true]);
    let measured = Metric::Gower.prepare(table.points.view())?;
    // Rows 0 and 2 have no car, and are compared by two columns.
    assert_eq!(measured.distance(0, 2), 1.0);
    let known = Reading { asymmetric: Vec::new(), ..mixed(Metric::Gower, Some(columns)) };
    assert_eq!(read(&known, "y.csv", text)?.points, table.points);
    for (column, text, part) in [
        ("house", text, "`house`"),
        ("age", text, "a column of 0 and 1"),
        ("car", "age,car\n1,0\n2,0.5\n3,1\n", "0.5 in row 1, column 1"),
    ] {
        let reading = Reading { asymmetric: vec![column.to_owned()], ..mixed(Metric::Gower, None) };
        let refused = read(&reading, "x.csv", text).map(drop).expect_err("refused").to_string();
        assert!(refused.contains(part), "{refused}");
    }
    Ok(())
}

#[test]
fn what_no_metric_reads_is_refused() {
    let said = |reading: &Reading| read(reading, "x.csv", TABLE).map(drop).expect_err("refused").to_string();
    let none = Reading { mixed: None, ..mixed(Metric::Gower, None) };
    assert!(said(&none).contains("only for the metrics gower and nan-euclidean"));
    assert!(said(&mixed(Metric::NanEuclidean, None)).contains("a column holds categories"));
    let small = Reading { memory: MemoryLimit::new(300), ..mixed(Metric::Gower, None) };
    assert!(said(&small).contains("memory"));
}

#[test]
fn weights_of_rows_are_a_column() -> Outcome {
    let reading = Reading { weight_column: Some("w".to_owned()), missing: Missing::Drop, ..plain() };
    let table = read(&reading, "x.csv", "a,w,b\n1,2,5\n3,1,\n5,0.5,8\n")?;
    assert_eq!(table.row_weights, Some(vec![2.0, 0.5]));
    assert_eq!(table.points.view().values(), [1.0, 5.0, 5.0, 8.0]);
    assert!(table.quantities.is_empty());
    assert!(table.notes.iter().any(|note| note.contains("whose sum is 2.5")), "{:?}", table.notes);
    let of_array = Reading { weight_column: Some("1".to_owned()), ..plain() };
    let numbers: Vec<u8> = [1.0_f64, 3.0, 2.0, 4.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    let array = crate::damaged::npy("<f8", "2, 2", &numbers);
    assert_eq!(of_array.read_bytes(array, "x.npy")?.row_weights, Some(vec![2.0, 4.0]));
    for (text, part) in [
        ("a,w\n1,0\n2,1\n", "0 in row 0"),
        ("a,w\n1,2\n2,-1\n", "-1 in row 1"),
        ("a,w\n1,2\n2,\n", "none in row 1"),
        ("a,b\n1,2\n2,3\n", "--weight-column w"),
    ] {
        let refused = read(&reading, "x.csv", text).map(drop).expect_err("refused").to_string();
        assert!(refused.contains(part), "{refused}");
    }
    Ok(())
}

#[test]
fn weights_are_part_of_the_scaling() -> Outcome {
    let weights = |columns: &[(&str, f64)], metric| {
        let columns = columns.iter().map(|(name, weight)| ((*name).to_owned(), *weight)).collect();
        Some(ColumnWeights { columns, metric })
    };
    let text = "a,b\n1,5\n3,5\n5,8\n";
    let reading = Reading { weights: weights(&[("a", 4.0)], Metric::Euclidean), ..plain() };
    assert_eq!(read(&reading, "x.csv", text)?.points.view().values(), [2.0, 5.0, 6.0, 5.0, 10.0, 8.0]);
    let both = Reading { standardize: true, ..reading.clone() };
    let plain_scaling = read(&Reading { standardize: true, ..plain() }, "x.csv", text)?;
    let (found, expected) = (read(&both, "x.csv", text)?, plain_scaling);
    for (at, (found, expected)) in
        found.points.view().values().iter().zip(expected.points.view().values()).enumerate()
    {
        let factor = if at % 2 == 0 { 2.0 } else { 1.0 };
        assert!((found - factor * expected).abs() < 1e-14, "{at}: {found}, {expected}");
    }
    assert_eq!(found.scaling.expect("scaled").mean, expected.scaling.expect("scaled").mean);
    let of_gower = Reading { weights: weights(&[("1", 3.0)], Metric::Gower), ..mixed(Metric::Gower, None) };
    let columns = read(&of_gower, "x.csv", TABLE)?.mixed.expect("encoded rows");
    assert_eq!(columns.columns().iter().map(|column| column.weight).collect::<Vec<_>>(), [1.0, 3.0, 1.0]);
    for (columns, part) in
        [(&[("z", 1.0)][..], "`z`"), (&[("a", 1.0), ("0", 2.0)], "two of `0`"), (&[("a", 0.0)], "above 0")]
    {
        let reading = Reading { weights: weights(columns, Metric::Euclidean), ..plain() };
        let refused = read(&reading, "x.csv", text).map(drop).expect_err("refused").to_string();
        assert!(refused.contains(part), "{refused}");
    }
    Ok(())
}
