//! Separators between thousands, percent signs, and separators at the ends of rows.

use datasets::files::{Reading, Thousands};

use crate::common::{Outcome, plain, read, refusal};

/// The numbers of the second column, and the notes.
fn column(reading: &Reading, text: &str) -> (Vec<f64>, String) {
    let table = read(reading, "x.csv", text).unwrap_or_else(|error| panic!("{text}: {error}"));
    (table.points.view().rows().map(|row| row[1]).collect(), table.notes.join("; "))
}

#[test]
fn separators_that_are_no_decimal_signs_are_left_out() {
    let note =
        "the separators between thousands of the numbers of column 1 `y` (counted from 0) were left out";
    for (cells, numbers) in [
        (["1,234.5", "-2,000", "999"], [1234.5, -2000.0, 999.0]),
        (["1,234", "0.5", "+7,000"], [1234.0, 0.5, 7000.0]),
        (["1,234,567", "1,234", "8"], [1234567.0, 1234.0, 8.0]),
        (["1.234.567", "1.234", "8"], [1234567.0, 1234.0, 8.0]),
        (["1 234", "12 345.5", "8"], [1234.0, 12345.5, 8.0]),
        (["1\u{a0}234", "12\u{202f}345", "8"], [1234.0, 12345.0, 8.0]),
        (["1'234", "12\u{2019}345", "8"], [1234.0, 12345.0, 8.0]),
    ] {
        let text = format!("x;y\n1;{}\n2;{}\n3;{}\n", cells[0], cells[1], cells[2]);
        let (found, notes) = column(&plain(), &text);
        assert_eq!((found.as_slice(), notes.as_str()), (&numbers[..], note), "{text}");
    }
    let comma = Reading { decimal_comma: true, ..plain() };
    let (found, _) = column(&comma, "x;y\n1;1.234,5\n2;999\n3;1.000\n");
    assert_eq!(found, [1234.5, 999.0, 1000.0]);
    // Quoted between commas, next to a missing value.
    let drop = Reading { missing: datasets::files::Missing::Drop, ..plain() };
    assert_eq!(column(&drop, "x,y\n1,\"1,234.5\"\n2,NA\n3,\"2,000\"\n").0, [1234.5, 2000.0]);
    // Also in columns that color maps.
    let colors = Reading { color_columns: vec!["y".to_owned()], ..plain() };
    let table = read(&colors, "x.csv", "x;z;y\n1;2;1,234.5\n2;3;7\n").expect("numbers");
    assert_eq!(table.quantities[0].values, [Some(1234.5), Some(7.0)]);
}

#[test]
fn commas_with_two_meanings_are_refused_with_both_options() {
    let text = "x;y\n1;1,234\n2;2,500\n3;7\n";
    let said = refusal(&plain(), "x.csv", text);
    assert!(said.contains("say --decimal-comma") && said.contains("say --thousands comma"), "{said}");
    let comma = Reading { thousands: Some(Thousands::Comma), ..plain() };
    assert_eq!(column(&comma, text).0, [1234.0, 2500.0, 7.0]);
    assert_eq!(column(&Reading { decimal_comma: true, ..plain() }, text).0, [1.234, 2.5, 7.0]);
    let point = Reading { thousands: Some(Thousands::Point), ..plain() };
    assert_eq!(column(&point, "x;y\n1;1.234\n2;2.500\n").0, [1234.0, 2500.0]);
    assert!(refusal(&point, "x.csv", "x;y\n1;1.5\n2;2.500\n").contains("`1.5`"));
    let both = Reading { decimal_comma: true, ..comma };
    assert!(refusal(&both, "x.csv", text).contains("--thousands comma"));
    // Columns without one format are refused as before.
    for cells in ["1,234.5\n2;1200", "1,234.5\n2;12,34", "1,234.5\n2;1 000"] {
        let said = refusal(&plain(), "x.csv", format!("x;y\n1;{cells}\n"));
        assert!(said.contains("row 0, column 1") || said.contains("row 1, column 1"), "{said}");
    }
}

#[test]
fn percent_signs_are_left_out_where_all_numbers_have_one() {
    let (found, notes) = column(&plain(), "x;y\n1;12.5%\n2;7 %\n3;100%\n");
    assert_eq!(found, [12.5, 7.0, 100.0]);
    assert_eq!(notes, "the percent signs of the numbers of column 1 `y` (counted from 0) were left out");
    assert_eq!(column(&plain(), "x;y\n1;1,234.5%\n2;7%\n").0, [1234.5, 7.0]);
    // Three decimals are no thousands where another number has others.
    assert_eq!(column(&plain(), "x;y\n1;17.623%\n2;7.5%\n").0, [17.623, 7.5]);
    assert_eq!(column(&plain(), "x;y\n1;17.623 %\n2;99.125 %\n").0, [17.623, 99.125]);
    assert!(refusal(&plain(), "x.csv", "x;y\n1;12%\n2;7\n").contains("unit, `%`"));
    let table = read(&plain(), "x.csv", "1%;2%\n3%;4%\n5%;6%\n").expect("percentages");
    assert!(table.warnings[0].contains("say --header no"), "{:?}", table.warnings);
}

#[test]
fn separators_and_rows_without_cells_are_left_out_at_the_ends() -> Outcome {
    for (text, note) in [
        ("a;b\n1;2;;\n3;4;;\n", "separators at the ends of rows were left out"),
        ("a;b;;\n1;2\n3;4\n", "separators at the ends of rows were left out"),
        (
            "a;b\r\n1;2;;;\r\n3;4;;;\r\n;;;;\r\n",
            "an empty row at the end was left out; separators at the ends",
        ),
        ("a,b\n1,2\n3,4\n,\n , \n", "2 empty rows at the end were left out"),
        ("a\tb\n1\t2\n3\t4\n\t\n\n", "an empty row at the end was left out"),
    ] {
        let table = read(&plain(), "x.csv", text)?;
        assert_eq!(table.points.view().values(), [1.0, 2.0, 3.0, 4.0], "{text}");
        assert!(table.notes.join("; ").contains(note), "{text}: {:?}", table.notes);
    }
    // An empty row between others is a row of missing values.
    assert!(refusal(&plain(), "x.csv", "a;b\n1;2\n;\n3;4\n").contains("row 1, column 0"));
    Ok(())
}
