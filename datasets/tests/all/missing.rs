//! Missing values and labels: refused, left out, filled in, or an unknown class.

use crate::common;

use std::fs;

use common::{Outcome, plain, read, refusal};
use datasets::files::{Missing, Reading, write_points};
use embedding::Points;

#[test]
fn missing_values_are_refused_left_out_or_filled() -> Outcome {
    let text = "x,y\n1,2\n,4\n5,NA\n7,9\n";
    let said = refusal(&plain(), "x.csv", text);
    assert!(said.contains("--missing drop") && said.contains("row 1, column 0 `x`"), "{said}");
    let drop = Reading { missing: Missing::Drop, ..plain() };
    let table = read(&drop, "x.csv", text)?;
    assert_eq!(table.points.view().values(), [1.0, 2.0, 7.0, 9.0]);
    assert_eq!((table.kept.as_deref(), table.rows), (Some(&[0, 3][..]), 4));
    assert_eq!(table.left_out(), [1, 2]);
    assert_eq!(table.notes, ["2 of 4 rows with missing values were left out: rows 1, 2 (counted from 0)"]);
    let many: String = (0..30).map(|row| if row % 2 == 0 { "1,\n" } else { "1,2\n" }).collect();
    let table = read(&drop, "x.csv", &many)?;
    assert_eq!(table.left_out(), (0..30).step_by(2).collect::<Vec<u32>>());
    assert!(table.notes[0].ends_with("rows 0, 2, 4, 6, 8, 10, 12, 14, 16, 18 and 5 more (counted from 0)"));
    assert!(read(&plain(), "x.csv", "1,2\n")?.left_out().is_empty());
    let mean = Reading { missing: Missing::Mean, ..plain() };
    let table = read(&mean, "x.csv", text)?;
    assert_eq!(table.points.view().values(), [1.0, 2.0, 13.0 / 3.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
    assert_eq!(
        (table.kept, &table.notes[0][..]),
        (None, "2 missing values were replaced by the mean of the column")
    );
    assert!(refusal(&mean, "x.csv", "x,y\n1,\n2,?\n").contains("column 1 `y`"));
    assert!(refusal(&drop, "x.csv", "x,y\n1,\n2,?\n").contains("every one of the 2 rows"));
    // Infinite is not missing.
    for reading in [&drop, &mean] {
        assert!(refusal(reading, "x.csv", "1,inf\n2,3\n").contains("is inf"));
    }
    Ok(())
}

#[test]
fn further_words_and_numbers_stand_for_missing_values() -> Outcome {
    let text = "x,y,kind\n1,2,a\n-999,4,b\n5,Lost,a\n7,9,lost\n";
    let values = || vec!["-999.0".to_owned(), "lost".to_owned()];
    let column = || Some("kind".to_owned());
    let refuse = Reading { missing_values: values(), label_column: column(), ..plain() };
    let said = refusal(&refuse, "x.csv", text);
    assert!(said.contains("row 1, column 0 `x`") && said.contains("is -999; leave out"), "{said}");
    let drop = Reading { missing: Missing::Drop, ..refuse.clone() };
    let table = read(&drop, "x.csv", text)?;
    assert_eq!((table.points.view().values(), table.left_out()), (&[1.0, 2.0][..], vec![1, 2, 3]));
    let mean = Reading { missing: Missing::Mean, unknown_label: Some("lost".to_owned()), ..refuse };
    let table = read(&mean, "x.csv", text)?;
    assert_eq!(table.points.view().values(), [1.0, 2.0, 13.0 / 3.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
    // Without the option -999 is a number, and `Lost` is not.
    assert!(refusal(&plain(), "x.csv", "x,y\n1,2\n-999,4\n5,Lost\n7,9\n").contains("`Lost`"));
    assert_eq!(read(&plain(), "x.csv", "1\n-999\n")?.points.view().values(), [1.0, -999.0]);
    // Numbers are classes, and `false` is no number that is missing.
    let zeros = Reading { missing_values: vec![" 0 ".to_owned()], missing: Missing::Drop, ..plain() };
    let text = "x,there,kind\n1,true,0\n2,false,0\n0,true,1\n4,false,1\n";
    let table = read(&Reading { label_column: column(), ..zeros.clone() }, "x.csv", text)?;
    assert_eq!(table.points.view().values(), [1.0, 1.0, 2.0, 0.0, 4.0, 0.0]);
    assert_eq!(table.labels.expect("read").values, [0, 0, 1]);
    let word = Reading { missing_values: vec!["false".to_owned()], ..plain() };
    assert!(refusal(&word, "x.csv", "x,y\n1,true\n2,false\n").contains("is `false`; leave out"));
    // In arrays, the number in either precision is missing.
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("x.npy");
    write_points(&path, Points::new(&[1.0, 2.0, -999.0, 4.0], 2)?)?;
    let array = fs::read(&path)?;
    let table = Reading { label_column: None, ..drop.clone() }.read_bytes(array.clone(), "array")?;
    assert_eq!(table.points.view().values(), [1.0, 2.0]);
    let said = Reading { missing: Missing::Refuse, label_column: None, ..drop }.read_bytes(array, "array");
    let said = said.expect_err("one value is missing").to_string();
    let single = f64::from(1e20_f32);
    write_points(&path, Points::new(&[1.0, 2.0, single, 4.0], 2)?)?;
    let filled = Reading { missing_values: vec!["1e20".to_owned()], ..zeros };
    assert_eq!(filled.read(&path)?.points.view().values(), [1.0, 2.0]);
    assert!(said.contains("row 1, column 0 (counted from 0) is -999; leave out such rows"), "{said}");
    Ok(())
}

#[test]
fn a_missing_label_is_refused_or_left_out() {
    let labeled = |missing| Reading { missing, label_column: Some("c".to_owned()), ..plain() };
    let text = "x,c\n1,a\n2,\n";
    for missing in [Missing::Refuse, Missing::Mean] {
        let said = refusal(&labeled(missing), "x.csv", text);
        assert!(
            said.contains("label") && said.contains("--missing drop") && said.contains("row 1"),
            "{said}"
        );
    }
    // NaN in the label column of an array is no label either.
    let head = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2)}";
    let mut array = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    array.extend(format!("{head:<117}\n").bytes());
    array.extend([1.0, 0.0, 2.0, f64::NAN].iter().flat_map(|value: &f64| value.to_le_bytes()));
    let reading = Reading { label_column: Some("1".to_owned()), ..plain() };
    let said = refusal(&reading, "x.npy", array);
    assert!(said.contains("label") && said.contains("row 1"), "{said}");
}

/// A file of labels has a line for each row, also for rows at the end that are empty and left out.
#[test]
fn empty_rows_at_the_end_are_left_out_with_their_labels() -> Outcome {
    let folder = tempfile::tempdir()?;
    let labels = folder.path().join("labels.csv");
    fs::write(&labels, "a\nb\na\nb\nb\n")?;
    let reading = Reading { missing: Missing::Drop, ..plain() };
    let mut table = read(&reading, "x.csv", "x,y\n1,2\n,4\n5,7\n,\n,\n")?;
    reading.label(&mut table, &labels)?;
    let found = table.labels.ok_or("labels")?;
    assert_eq!((table.rows, found.values), (5, vec![0, 0]));
    Ok(())
}

#[test]
fn a_word_for_missing_values_can_be_the_unknown_class() -> Outcome {
    let text = "x,c\n1,a\n2,?\n,b\n4,na\n";
    let reading = |missing, word: &str| Reading {
        missing,
        label_column: Some("c".to_owned()),
        unknown_label: Some(word.to_owned()),
        ..plain()
    };
    let table = read(&reading(Missing::Drop, "?"), "x.csv", text)?;
    assert_eq!(table.kept, Some(vec![0, 1]), "the row of `na` has no label");
    let labels = table.labels.ok_or("labels")?;
    assert_eq!((labels.known(), labels.classes), (vec![Some(0), None], vec!["a".to_owned(), "?".to_owned()]));
    for missing in [Missing::Refuse, Missing::Mean] {
        let said = refusal(&reading(missing, "na"), "x.csv", text);
        assert!(said.contains("row 1") && said.contains("--unknown-label"), "{said}");
    }
    Ok(())
}
