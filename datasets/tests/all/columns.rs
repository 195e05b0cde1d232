//! Columns that are no coordinates: numbers to color by, and names of rows.

use crate::common;

use common::{Outcome, plain, read, refusal};
use datasets::files::{MapFile, Missing, Reading, WholeFiles};
use embedding::{MemoryLimit, Points};

const CITIES: &str =
    "city,x,age,y,coast\nRome,1,2.5,2,true\n\"Nice, France\",3,NA,4,false\nBern,5,-7,6,true\n";

fn cities() -> Reading {
    Reading {
        color_columns: vec!["age".to_owned(), "coast".to_owned()],
        name_column: Some("city".to_owned()),
        ..plain()
    }
}

#[test]
fn numbers_to_color_by_and_names_are_no_coordinates() -> Outcome {
    let table = read(&cities(), "c.csv", CITIES)?;
    assert_eq!(table.columns.as_deref(), Some(&["x".to_owned(), "y".to_owned()][..]));
    assert_eq!(table.points.view().values(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let [age, coast] = &table.quantities[..] else { panic!("two") };
    // A missing number is missing: it neither refuses the file nor leaves a row out.
    assert_eq!((&age.name[..], &age.values[..]), ("age", &[Some(2.5), None, Some(-7.0)][..]));
    assert_eq!((&coast.name[..], &coast.values[..]), ("coast", &[Some(1.0), Some(0.0), Some(1.0)][..]));
    let names = table.row_names.as_ref().expect("names");
    assert_eq!(
        (&names.name[..], &names.values[..]),
        ("city", &["Rome", "Nice, France", "Bern"].map(str::to_owned)[..])
    );
    let data = table.into_dataset("cities", "").select(&[2, 0])?;
    assert_eq!(data.quantities[0].values, [Some(-7.0), Some(2.5)]);
    assert_eq!(data.column_names, ["x", "y"]);
    assert_eq!(data.row_names.expect("names").values, ["Bern", "Rome"]);
    Ok(())
}

#[test]
fn a_column_may_have_several_uses() -> Outcome {
    let reading = Reading {
        label_column: Some("1".to_owned()),
        color_columns: vec!["1".to_owned(), "1".to_owned()],
        name_column: Some("1".to_owned()),
        ..plain()
    };
    let table = read(&reading, "c.csv", "1,7\n2,8\n3,7\n")?;
    assert_eq!(table.points.view().values(), [1.0, 2.0, 3.0]);
    assert_eq!(table.labels.expect("classes").values, [0, 1, 0]);
    for quantity in &table.quantities {
        assert_eq!(
            (&quantity.name[..], &quantity.values[..]),
            ("column 1", &[Some(7.0), Some(8.0), Some(7.0)][..])
        );
    }
    let names = table.row_names.expect("names");
    assert_eq!((&names.name[..], &names.values[..]), ("name", &["7", "8", "7"].map(str::to_owned)[..]));
    Ok(())
}

#[test]
fn rows_that_are_left_out_take_their_names_and_numbers_along() -> Outcome {
    let reading = Reading { missing: Missing::Drop, ..cities() };
    let table = read(&reading, "c.csv", "city,x,age,coast\nRome,,1,\nBern,5,NA,1\n,6,3,0\n")?;
    assert_eq!(table.kept.as_deref(), Some(&[1, 2][..]));
    assert_eq!(table.quantities[0].values, [None, Some(3.0)]);
    assert_eq!(table.row_names.as_ref().expect("names").values, ["Bern", ""]);
    // Rows without a label are treated alike.
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("labels.csv");
    std::fs::write(&path, "a\n?\nb\n")?;
    let mut table = read(&reading, "c.csv", "city,x,age,coast\nRome,1,1,0\nBern,5,2,1\nParis,6,3,0\n")?;
    reading.label(&mut table, &path)?;
    assert_eq!(table.quantities[0].values, [Some(1.0), Some(3.0)]);
    assert_eq!(table.row_names.expect("names").values, ["Rome", "Paris"]);
    Ok(())
}

#[test]
fn arrays_have_them_by_number() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("a.npy");
    let values = [1.0, f64::NAN, 2.0, 3.0, -999.0, 4.5, 5.0, 6.0, 6.0];
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    let header = format!("{:<117}\n", "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 3), }");
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(header.as_bytes());
    file.extend(bytes);
    std::fs::write(&path, &file)?;
    let reading = Reading {
        color_columns: vec!["1".to_owned()],
        name_column: Some("2".to_owned()),
        missing_values: vec!["-999".to_owned()],
        ..plain()
    };
    let table = reading.read(&path)?;
    assert_eq!(table.points.view().values(), [1.0, 3.0, 5.0]);
    assert_eq!(table.quantities[0].values, [None, None, Some(6.0)]);
    assert_eq!(table.row_names.expect("names").values, ["2", "4.5", "6"]);
    let little = Reading { memory: MemoryLimit::new(200), ..reading.clone() };
    let said = little.read(&path).expect_err("words take more").to_string();
    assert!(said.contains("holding classes and names"), "{said}");
    let at = file.len() - 16;
    file[at..at + 8].copy_from_slice(&f64::INFINITY.to_le_bytes());
    std::fs::write(&path, &file)?;
    let said = reading.read(&path).expect_err("infinite").to_string();
    assert!(said.contains("row 2, column 1") && said.contains("inf"), "{said}");
    Ok(())
}

#[test]
fn cells_that_are_no_number_are_refused_with_their_place() {
    for (cell, expected) in [
        (
            "old",
            "classes are named by --label-column age; if this one stands for a missing value, say so (--missing-values)",
        ),
        ("12 kg", "it looks like a number with a unit"),
        ("1e999", "it must be finite"),
    ] {
        let said = refusal(&cities(), "c.csv", CITIES.replace("-7", cell));
        let place = format!(
            "every cell of a color column must be a number or missing, but row 2, column 2 `age` (counted from 0, \
             line 4) is `{cell}`; "
        );
        assert!(said.contains(&place) && said.contains(expected), "{said}");
    }
    let reading = Reading { color_columns: vec!["agee".to_owned()], ..plain() };
    let said = refusal(&reading, "c.csv", CITIES);
    assert!(said.contains("--color-column agee: there is no such column; it must be one of city, x, age, y, coast (did you mean `age`?)"), "{said}");
    // Spaces around a name are not part of it; commas within are reported.
    let reading = Reading { color_columns: vec![" age ".to_owned()], ..cities() };
    assert_eq!(read(&reading, "c.csv", CITIES).expect("a column").quantities[0].name, "age");
    let reading = Reading { color_columns: vec!["GDP".to_owned()], ..plain() };
    let said = refusal(&reading, "c.csv", "\"GDP, per capita\",x\n1,2\n");
    assert!(said.contains("a name with a comma is given by its number"), "{said}");
    let said = refusal(&reading, "c.csv", "1990,GDP\n1,2\n");
    assert!(said.contains("if the first row holds names, say --header yes"), "{said}");
    let reading = Reading { name_column: Some("9".to_owned()), ..plain() };
    assert!(refusal(&reading, "c.csv", CITIES).contains("--name-column 9: there is no such column"));
}

/// As R writes them.
#[test]
fn names_without_a_name_of_their_column_are_kept() -> Outcome {
    let text = "x,y\nMazda,1,2\nFiat,3,4\n";
    let table = read(&plain(), "r.csv", text)?;
    assert_eq!(table.row_names.as_ref().expect("names").values, ["Mazda", "Fiat"]);
    assert!(table.notes[0].contains("no coordinate"), "{:?}", table.notes);
    let asked_for = Reading { name_column: Some("0".to_owned()), ..plain() };
    let again = read(&asked_for, "r.csv", text)?;
    assert_eq!((again.row_names, again.notes.len()), (table.row_names, 0));
    Ok(())
}

#[test]
fn a_first_column_without_a_name_is_told_by_what_is_done_with_it() -> Outcome {
    let named = |column: &str| Reading { name_column: Some(column.to_owned()), ..plain() };
    // Columns named 0 and 1 next to an index of words: `0` is the first of the named columns.
    let text = ",0,1\nMazda,1,2\nFiat,3,4\n";
    let table = read(&plain(), "p.csv", text)?;
    assert_eq!(table.row_names.as_ref().expect("names").values, ["Mazda", "Fiat"]);
    assert!(table.notes[0].contains("--name-column '' writes them"), "{:?}", table.notes);
    let again = read(&named(""), "p.csv", text)?;
    assert_eq!((again.row_names, again.points, again.notes.len()), (table.row_names, table.points, 0));
    let other = read(&named("0"), "p.csv", text)?;
    assert_eq!(
        (other.points.dim(), other.row_names.expect("names").values),
        (1, vec!["1".to_owned(), "3".to_owned()])
    );
    assert!(other.notes[0].ends_with("it was left out"), "{:?}", other.notes);
    // A count by which maps are colored is not left out; one that is ignored needs no note.
    let colored = Reading { color_columns: vec!["".to_owned()], ..plain() };
    let table = read(&colored, "p.csv", ",x,y\n0,1,2\n1,3,4\n")?;
    assert_eq!((&table.quantities[0].values[..], table.notes.len()), (&[Some(0.0), Some(1.0)][..], 0));
    let ignored = Reading { ignore: vec!["".to_owned()], ..plain() };
    let table = read(&ignored, "p.csv", ",x,y\na,1,2\nb,3,4\n")?;
    assert_eq!((table.row_names, table.notes.len()), (None, 0));
    // Numbers with decimal commas are not words.
    let comma = Reading { decimal_comma: true, ..plain() };
    assert_eq!(read(&comma, "p.csv", ";x;y\n0,5;1;2\n0,7;3;4\n")?.points.dim(), 3);
    Ok(())
}

#[test]
fn the_memory_of_names_and_numbers_is_counted() {
    let text: String = (0..20_000).map(|row| format!("{row},{row},1\n")).collect();
    let limited = |reading: Reading| read(&reading, "m.csv", &text).map_err(|error| error.to_string());
    let memory = MemoryLimit::new(1_000_000);
    let without = Reading { memory, ignore: vec!["0".to_owned(), "1".to_owned()], ..plain() };
    assert!(limited(without).is_ok());
    let names =
        Reading { memory, name_column: Some("0".to_owned()), ignore: vec!["1".to_owned()], ..plain() };
    let colors =
        Reading { memory, color_columns: vec!["0".to_owned(), "1".to_owned(), "1".to_owned()], ..plain() };
    for reading in [names, colors] {
        assert!(limited(reading).expect_err("more than a megabyte").contains("allow more memory"));
    }
}

fn named<'a>(coordinates: Points<'a>, names: &'a datasets::RowNames) -> MapFile<'a> {
    MapFile { coordinates, rows: None, columns: std::slice::from_ref(names) }
}

#[test]
fn names_are_written_before_the_coordinates() -> Outcome {
    let table = read(&cities(), "c.csv", CITIES)?;
    let names = table.row_names.as_ref().expect("names");
    let folder = tempfile::tempdir()?;
    for (name, expected) in [
        ("y.csv", "city,x1,x2\nRome,1,2\n\"Nice, France\",3,4\nBern,5,6\n"),
        ("y.tsv", "city\tx1\tx2\nRome\t1\t2\nNice, France\t3\t4\nBern\t5\t6\n"),
    ] {
        let path = folder.path().join(name);
        let mut files = WholeFiles::default();
        files.write_map(&path, &named(table.points.view(), names))?;
        files.complete()?;
        assert_eq!(std::fs::read_to_string(&path)?, expected);
        let reading = Reading { name_column: Some("city".to_owned()), ..plain() };
        let again = reading.read(&path)?;
        assert_eq!((&again.points, &again.row_names), (&table.points, &table.row_names));
    }
    // Names of columns differ.
    let path = folder.path().join("y.csv.gz");
    let mut files = WholeFiles::default();
    let names = &datasets::RowNames { name: "x1".to_owned(), ..names.clone() };
    files.write_map(&path, &named(table.points.view(), names))?;
    files.write_points(&folder.path().join("plain.tsv.gz"), table.points.view())?;
    files.complete()?;
    // A title that would be read as several cells, or as a number.
    for title in ["country;code", "a, b", "2020", ""] {
        let names = datasets::RowNames { name: title.to_owned(), ..names.clone() };
        assert_eq!(names.column(), "name", "{title}");
    }
    // Packed, as the name says.
    assert!(std::fs::read(&path)?.starts_with(&[0x1f, 0x8b]));
    let again = Reading { name_column: Some("x1".to_owned()), ..plain() }.read(&path)?;
    assert_eq!(again.columns, Some(vec!["y1".to_owned(), "y2".to_owned()]));
    assert_eq!(plain().read(&folder.path().join("plain.tsv.gz"))?.points, table.points);
    let one = Points::new(&[1.0], 1)?;
    let error = WholeFiles::default().write_map(&folder.path().join("z.csv"), &named(one, names));
    assert!(error.expect_err("three names").to_string().contains("1, one per row"));
    Ok(())
}

#[test]
fn numbers_of_classes_at_an_end_are_named_where_no_other_column_has_such() -> Outcome {
    let row = |i: usize, first: usize| format!("{}.5,{},{}\n", i % 7, first, i % 3 + first % 2);
    let file = |first: &dyn Fn(usize) -> usize| (0..30).map(|i| row(i, first(i))).collect::<String>();
    let warnings = |text: &str| read(&plain(), "x.csv", text).map(|table| table.warnings);
    let said = warnings(&("a,b,kind\n".to_owned() + &file(&|i| 10 * (i * i % 13))))?;
    assert_eq!(said.len(), 1, "{said:?}");
    let expected = "column 2 `kind` (counted from 0) holds the whole numbers from 0 to 2 alone, and counts as a coordinate; \
                    if they are classes, read them by --label-column kind";
    assert_eq!(said[0], expected);
    // Not where another column counts, too, or where there are few rows.
    assert_eq!(warnings(&file(&|i| i % 4))?, Vec::<String>::new());
    let few: String = file(&|i| 10 * (i * i % 13)).lines().take(12).map(|line| format!("{line}\n")).collect();
    assert_eq!(warnings(&few)?, Vec::<String>::new());
    Ok(())
}
