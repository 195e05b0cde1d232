//! Text files as other programs write them: notes state how a file was read; what cannot be read is refused
//! with the place and what to try.

use crate::common;

use std::fs;

use common::{Outcome, plain, read, refusal};
use datasets::files::{Missing, Reading, read_labels};
use embedding::MemoryLimit;

/// Fails unless the sentence has all these parts.
#[track_caller]
fn says(said: &str, parts: &[&str]) {
    for part in parts {
        assert!(said.contains(part), "`{part}` is not in: {said}");
    }
}

#[test]
fn lines_are_counted_as_an_editor_does() {
    let text = "x,y\n1,2\n3,4\n5,6\n7,eight\n";
    for end in ["\n", "\r\n", "\r"] {
        let text = text.replace('\n', end);
        says(&refusal(&plain(), "x.csv", &text), &["row 3, column 1 `y`", "line 5)"]);
        says(&refusal(&plain(), "x.csv", format!("\u{feff}{text}")), &["row 3,", "line 5)"]);
        says(&refusal(&plain(), "x.csv", text.replace(',', ";")), &["row 3,", "line 5)"]);
        // A cell of two lines, and an empty line.
        says(&refusal(&plain(), "x.csv", text.replacen('y', &format!("\"y{end}z\""), 1)), &["line 6)"]);
        says(&refusal(&plain(), "x.csv", text.replacen("3,4", &format!("{end}3,4"), 1)), &["line 6)"]);
        says(&refusal(&plain(), "x.csv", format!("x;y{end}1;two{end}")), &["row 0,", "line 2)"]);
        says(&refusal(&plain(), "x.csv", format!("1,2{end}3,4,5{end}")), &["row 1 ", "line 2)"]);
    }
}

#[test]
fn points_that_may_group_thousands_are_told() -> Outcome {
    let warnings = |text: &str| read(&plain(), "x.csv", text).map(|table| table.warnings);
    let table = read(&plain(), "x.csv", "area;x\n449;0.5\n1.606;0.25\n12.345;7.5\n")?;
    assert_eq!(table.points.view().values(), [449.0, 0.5, 1.606, 0.25, 12.345, 7.5]);
    assert_eq!(table.warnings.len(), 1, "{:?}", table.warnings);
    says(&table.warnings[0], &["column 0 `area`", "1.606", "1606", "export the file without them"]);
    assert!(!table.warnings[0].contains("more column"), "{:?}", table.warnings);
    // Without whole numbers three such numbers suffice; several columns are one sentence.
    let two = warnings("-1.250;9\n33.100;1.000\n150.999;10\n")?;
    says(&two[0], &["column 0 (counted from 0) and in one more column", "-1.250", "-1250"]);
    for text in [
        // Commas between cells, fewer or more digits, zeros in front, whole numbers that are not grouped.
        "449,0.5\n1.606,0.25\n12.345,7.5\n",
        "449;0.5\n1.606;0.25\n12.34;7.5\n",
        "449;0.5\n0.606;0.25\n12.345;7.5\n",
        "1449;0.5\n1.606;0.25\n12.345;7.5\n",
        "2.449;0.5\n1.606;0.25\n",
        "449;5\n606;25\n345;75\n",
    ] {
        assert!(warnings(text)?.is_empty(), "{text}: {:?}", warnings(text));
    }
    Ok(())
}

/// A label that is missing is treated alike, whichever file it is in.
#[test]
fn missing_labels_of_a_file_are_those_of_a_label_column() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("l.csv");
    let points = "x,y\n1,2\n3,NA\n5,6\n7,9\n";
    let drop = Reading { missing: Missing::Drop, ..plain() };
    for word in ["NA", "n/a", "\"\"", "?", "NaN"] {
        fs::write(&path, format!("kind\na\nb\n{word}\na\n"))?;
        // Refused without an option, and where means are filled in.
        for missing in [Missing::Refuse, Missing::Mean] {
            let reading = Reading { missing, ..plain() };
            let mut table = read(&reading, "x.csv", "1\n2\n3\n4\n")?;
            let said = reading.label(&mut table, &path).expect_err("no label").to_string();
            says(&said, &["l.csv", "row 2", "--missing drop", "--unknown-label"]);
        }
        let mut table = read(&drop, "x.csv", points)?;
        drop.label(&mut table, &path)?;
        assert_eq!(table.points.view().values(), [1.0, 2.0, 7.0, 9.0]);
        assert_eq!((table.kept.as_deref(), table.left_out()), (Some(&[0, 3][..]), vec![1, 2]));
        assert_eq!(table.notes[1], "1 of 4 rows without a label was left out: row 2 (counted from 0)");
        assert_eq!(table.labels.ok_or("labels")?.values, [0, 0]);
    }
    // Standardized by the rows that are left.
    let standardized = Reading { standardize: true, ..drop.clone() };
    let mut table = read(&standardized, "x.csv", points)?;
    standardized.label(&mut table, &path)?;
    let expected = read(&standardized, "x.csv", "x,y\n1,2\n7,9\n")?;
    let close =
        |a: &[f64], b: &[f64]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
    assert!(close(table.points.view().values(), expected.points.view().values()));
    assert!(close(&table.scaling.ok_or("scaling")?.mean, &expected.scaling.ok_or("scaling")?.mean));
    // A class, where the word stands for an unknown one; numbers stay numbers.
    fs::write(&path, "kind\na\nb\n?\na\n")?;
    let unknown = Reading { unknown_label: Some("?".to_owned()), ..plain() };
    assert_eq!(unknown.labels(4, &path)?.classes, ["a", "b", "?"]);
    fs::write(&path, "9\n7\nNA\n7\n")?;
    let mut table = read(&drop, "x.csv", "1\n2\n3\n4\n")?;
    drop.label(&mut table, &path)?;
    assert_eq!(table.labels.ok_or("labels")?.classes, ["7", "9"]);
    read_labels(&path, MemoryLimit::default()).expect_err("a missing label");
    drop.labels(4, &path).expect_err("rows cannot be left out");
    Ok(())
}

/// NaN in an array of labels is a missing one.
#[test]
fn missing_labels_of_an_array_are_left_out() -> Outcome {
    let head = "{'descr': '<f8', 'fortran_order': False, 'shape': (3,)}";
    let mut array = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    array.extend(format!("{head:<117}\n").bytes());
    array.extend([1.0, f64::NAN, 2.0].iter().flat_map(|value: &f64| value.to_le_bytes()));
    let drop = Reading { missing: Missing::Drop, ..plain() };
    let mut table = read(&drop, "x.csv", "1\n2\n3\n")?;
    drop.label_bytes(&mut table, array.clone(), "l.npy")?;
    assert_eq!((table.kept, table.labels.ok_or("labels")?.values), (Some(vec![0, 2]), vec![0, 1]));
    let mut table = read(&plain(), "x.csv", "1\n2\n3\n")?;
    let said = plain().label_bytes(&mut table, array, "l.npy").expect_err("no label").to_string();
    says(&said, &["l.npy", "row 1", "--missing drop"]);
    Ok(())
}

/// Ten rows, one with this cell in the second column.
fn with_cell(cell: &str) -> String {
    let row = |row: usize| if row == 6 { format!("7;{cell}\n") } else { format!("{row};{row}.5\n") };
    std::iter::once("x;y\n".to_owned()).chain((0..10).map(row)).collect()
}

#[test]
fn a_rare_cell_that_is_no_number_is_told_what_it_looks_like() {
    for (cell, parts) in [
        ("-", &["9 cells of this column are numbers", "--missing-values -", "--missing drop"][..]),
        ("#DIV/0!", &["9 cells", "--missing-values '#DIV/0!'"]),
        ("n.d.", &["9 cells", "--missing-values n.d."]),
        ("not measured, since it was lost", &["9 cells", "make such cells empty"]),
        ("<0.5", &["bound", "--missing drop"]),
        ("< 0.5", &["bound"]),
        ("1.606.640", &["separators between thousands", "1606640"]),
        ("449.61 €", &["unit", "`€`", "the number alone"]),
        ("$449.61", &["unit", "`$`"]),
        ("3.5 kg", &["unit", "`kg`"]),
        ("−3.2", &["minus sign", "U+2212"]),
        ("True", &["truth value", "1 or 0"]),
        ("1,60", &["decimal point"]),
    ] {
        let said = refusal(&plain(), "x.csv", with_cell(cell));
        says(&said, &["row 6, column 1 `y`", "line 8", cell]);
        says(&said, parts);
        assert!(!said.contains("--label-column") && !said.contains("--ignore"), "{cell}: {said}");
    }
    // The default word for a missing value marks one, as before.
    says(&refusal(&plain(), "x.csv", with_cell("n/a")), &["--missing mean"]);
    // In a column of words, units may be classes.
    let said = refusal(&plain(), "x.csv", "x,kind\n1,1a\n2,2b\n3,1a\n");
    says(&said, &["unit", "a column of classes is named by --label-column kind"]);
    let said = refusal(&plain(), "x.csv", "x,kind\n1,5\n2,plum\n3,fig\n");
    says(&said, &["is `plum`; a column of classes is named by --label-column kind"]);
    assert!(!said.contains("other column"), "{said}");
    // The error at the first column of words lists all of them.
    let said = refusal(&plain(), "x.csv", "kind,x,day,\"a, b\"\na,1,mon,u\nb,2,tue,5\nc,?,wed,v\n");
    says(&said, &["left out by --ignore kind; the other columns of words: --ignore day,3"]);
    let wide: Vec<String> = (0..22).map(|column| format!("c{column}")).collect();
    let said = refusal(&plain(), "x.csv", format!("{}\n{}\n", wide.join(","), vec!["word"; 22].join(",")));
    says(&said, &["left out by --ignore c0; 21 other columns are words, too"]);
    // The first row may be names, with or without a header above it.
    let body = "1,2\n3,4\n5,6\n7,8\n";
    says(&refusal(&plain(), "x.csv", format!("x,1\n{body}")), &["--header yes"]);
    says(&refusal(&plain(), "x.csv", format!("Report,\nx,y\n{body}")), &["--skip-rows 1"]);
}

#[test]
fn columns_of_true_and_false_are_ones_and_zeros() -> Outcome {
    let table = read(&plain(), "x.csv", "x,flag,z\n1,True,2\n2,false,5\n4,TRUE,1\n")?;
    assert_eq!(table.points.view().values(), [1.0, 1.0, 2.0, 2.0, 0.0, 5.0, 4.0, 1.0, 1.0]);
    assert_eq!(table.notes, ["true and false in column 1 `flag` (counted from 0) were read as 1 and 0"]);
    let drop = Reading { missing: Missing::Drop, ..plain() };
    let table = read(&drop, "x.csv", "true,false\n,true\nfalse,false\n")?;
    assert_eq!((table.points.view().values(), table.left_out()), (&[1.0, 0.0, 0.0, 0.0][..], vec![1]));
    says(&table.notes[0], &["column 0 (counted from 0) and in one more column"]);
    // Not next to numbers; a header may have such a name.
    says(&refusal(&plain(), "x.csv", "x,y\n1,true\n2,3\n"), &["row 1, column 1 `y`", "is `3`", "1 and 0"]);
    says(&refusal(&plain(), "x.csv", "x,y\n2,3\n1,true\n"), &["row 1, column 1 `y`", "truth value"]);
    assert_eq!(read(&plain(), "x.csv", "true,found\n1,2\n")?.points.len(), 1);
    // Labels stay words.
    let labeled = Reading { label_column: Some("flag".to_owned()), ..plain() };
    let table = read(&labeled, "x.csv", "x,flag\n1,True\n2,False\n")?;
    assert_eq!(table.labels.ok_or("labels")?.classes, ["True", "False"]);
    Ok(())
}

#[test]
fn files_of_other_programs_are_named_with_how_to_convert() {
    let zip = |name: &str| [b"PK\x03\x04\x14\x00", name.as_bytes(), &[0; 40]].concat();
    let cases: [(&str, Vec<u8>, &[&str]); 7] = [
        ("spreadsheet", zip("[Content_Types].xml"), &["spreadsheet", "pandas.read_excel"]),
        ("old spreadsheet", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00".to_vec(), &["spreadsheet", "CSV"]),
        ("of LibreOffice", zip("mimetypeapplication/vnd.oasis.opendocument.spreadsheet"), &["spreadsheet"]),
        ("JSON", b" {\"x\": [1, 2]}".to_vec(), &["JSON", "pandas.read_json"]),
        ("rows of JSON", b"[[1, 2], [3, 4]]".to_vec(), &["JSON"]),
        ("HDF5", b"\x89HDF\r\n\x1a\n\x00".to_vec(), &["HDF5", "h5py", "anndata"]),
        ("Parquet", b"PAR1\x15\x00PAR1".to_vec(), &["Parquet", "pandas.read_parquet"]),
    ];
    for (what, bytes, parts) in cases {
        for name in ["x.csv", "x.npy", "x.npz", "x.idx"] {
            says(&refusal(&plain(), name, &bytes), parts);
        }
        let said = plain().read_bytes(bytes.clone(), "standard input").expect_err(what).to_string();
        says(&said, parts);
        says(&said, &["standard input: "]);
        let mut table = read(&plain(), "x.csv", "1\n2\n").expect("numbers");
        let said = plain().label_bytes(&mut table, bytes, "labels").expect_err(what).to_string();
        says(&said, parts);
    }
    for (name, part) in
        [("x.xlsx", "spreadsheet"), ("x.XLS", "spreadsheet"), ("x.h5ad", "HDF5"), ("x.json", "JSON")]
    {
        says(&refusal(&plain(), name, "content"), &[part]);
    }
    says(&refusal(&plain(), "x.csv", zip("a.txt")), &["ZIP archive", ".npz"]);
    // Text of Windows, with the line; bytes that are no text at all.
    let said = refusal(&plain(), "x.csv", b"x,gr\xf6\xdfe\r\n1,2\r\n");
    says(&said, &["byte 4 is not UTF-8", "line 1", "if so, say --encoding windows-1252"]);
    says(&refusal(&plain(), "x.csv", b"x,y\r\n1,2\r\n3,\xf6\r\n"), &["line 3"]);
    says(&refusal(&plain(), "x.csv", b"\x80\x00\x01"), &["binary data"]);
    // Names that begin alike.
    assert_eq!(read(&plain(), "x.csv", "PAR1,[x\n1,2\n").expect("numbers").points.len(), 1);
    let said = datasets::files::check_output("map.xlsx".as_ref()).expect_err("not written").to_string();
    says(&said, &["not written", ".csv"]);
}

/// `write.table(X, sep = ",")`: a name for each column except the column of row names.
#[test]
fn names_of_rows_that_r_writes_are_no_coordinate() -> Outcome {
    let text = "\"x\",\"y\",\"kind\"\n\"a\",1,2,\"u\"\n\"b\",3,5,\"v\"\n\"c\",4,4,\"u\"\n";
    let labeled = |column: &str| Reading { label_column: Some(column.to_owned()), ..plain() };
    for column in ["kind", "3"] {
        let table = read(&labeled(column), "x.csv", text)?;
        assert_eq!(table.points.view().values(), [1.0, 2.0, 3.0, 5.0, 4.0, 4.0]);
        assert_eq!(table.columns, Some(vec!["x".to_owned(), "y".to_owned()]));
        assert_eq!(table.labels.ok_or("labels")?.classes, ["u", "v"]);
        says(
            &table.notes[0],
            &["no name in the header", "names of rows", "no coordinate", "--name-column 0"],
        );
    }
    // Its columns count from the names of rows, which may be the labels.
    says(&refusal(&plain(), "x.csv", text), &["row 0, column 3 `kind`"]);
    let table = read(&Reading { ignore: vec!["kind".to_owned()], ..labeled("0") }, "x.csv", text)?;
    assert_eq!((table.points.dim(), table.labels.ok_or("labels")?.classes.len()), (2, 3));
    assert!(table.notes.is_empty(), "{:?}", table.notes);
    // Row names of R count from 1 where they are no words; other numbers may be values.
    let numbered = "x,y\n1,0.5,2\n2,0.25,5\n3,0.1,4\n";
    assert_eq!(read(&plain(), "x.csv", numbered)?.points.view().values(), [0.5, 2.0, 0.25, 5.0, 0.1, 4.0]);
    // Words below an empty name, as R's write.csv has it.
    let empty = read(&plain(), "x.csv", "\"\",x,y\nMazda,1,2\nFiat,3,4\n")?;
    assert_eq!(
        (empty.points.view().values(), empty.row_names.map(|names| names.values.len())),
        (&[1.0, 2.0, 3.0, 4.0][..], Some(2))
    );
    assert_eq!(empty.columns, Some(vec!["x".to_owned(), "y".to_owned()]));
    // Numbers of some rows, where they are requested.
    let asked_for = Reading { name_column: Some("0".to_owned()), ..plain() };
    let some = read(&asked_for, "x.csv", numbered.replace("\n3,", "\n7,"))?;
    assert_eq!(
        (some.points.dim(), some.row_names.map(|names| names.values)),
        (2, Some(["1", "2", "7"].map(str::to_owned).to_vec()))
    );
    let said = refusal(&plain(), "x.csv", numbered.replace("\n3,", "\n7,"));
    says(&said, &["must have 2 cells", "row 0", "has 3", "name of the row", "in the header"]);
    // One row that is longer than the others is a mistake.
    says(
        &refusal(&plain(), "x.csv", "x,y\n1,2,3\n4,5\n"),
        &["must have 2 cells", "row 0", "line 2", "has 3"],
    );
    Ok(())
}

#[test]
fn a_separator_at_the_end_of_every_row_is_left_out() -> Outcome {
    for text in ["x,y,\n1,2,\n3,4,\n", "x,y\n1,2,\n3,4,\n", "1,2,\n3,4,\n", "x;y;\r\n1;2;\r\n3;4;\r\n"] {
        for missing in [Missing::Refuse, Missing::Drop, Missing::Mean] {
            let table = read(&Reading { missing, ..plain() }, "x.csv", text)?;
            assert_eq!(table.points.view().values(), [1.0, 2.0, 3.0, 4.0], "{text:?}");
            assert!(table.columns.is_none_or(|names| names == ["x", "y"]), "{text:?}");
            says(&table.notes[0], &["end with a separator", "column 2 (counted from 0)", "left out"]);
        }
    }
    // A column with a value is kept, and one of a single row.
    says(&refusal(&plain(), "x.csv", "x,y,z\n1,2,\n"), &["column 2 `z`", "is empty", "--missing"]);
    says(&refusal(&plain(), "x.csv", "1,2,\n3,4,5\n"), &["row 0, column 2", "is empty"]);
    Ok(())
}

#[test]
fn titles_and_other_separators_are_told() {
    says(&refusal(&plain(), "x.csv", "My table\nx,y\n1,2\n"), &["a title, say --skip-rows 1"]);
    let said = refusal(&plain(), "x.csv", "My table\nof 2021\n\nx;y;z\n1;2;3\n4;5;6\n");
    says(&said, &["--skip-rows 3"]);
    for text in ["a,b\n1,2\n3,4\n", "1,2,3\n4,5,6\n"] {
        says(&refusal(&plain(), "x.tsv", text), &["one cell", "commas between them", "tabs were", ".csv"]);
    }
    says(&refusal(&plain(), "x.csv", "x\n1;2\n"), &["semicolons between them, but commas were looked for"]);
}

#[test]
fn rows_of_twice_the_cells_hint_at_decimal_commas() {
    let hint = "decimal commas";
    for text in ["x,y\n0,35,0,82\n", "x,y\n0,35,1\n1,5,2,5\n", "x\n0,35\n0,82\n"] {
        says(&refusal(&plain(), "x.csv", text), &["cells as the first has", hint, "decimal points"]);
    }
    for text in ["x,y\n1\n", "x,y,z\n1,2,3,4\n5,6,7\n", "x;y\n1;2;3;4\n"] {
        let said = refusal(&plain(), "x.csv", text);
        assert!(!said.contains(hint), "{said}");
    }
}

/// A text that ends within quotes would be one cell from the open quote on.
#[test]
fn a_quote_that_is_never_closed_is_named() -> Outcome {
    let rows = "x,kind\n1,a\n2,\"b\n3,c\n4,d\n";
    for end in ["\n", "\r\n", "\r"] {
        let text = rows.replace('\n', end);
        for ignore in ["kind", "1"] {
            let reading = Reading { ignore: vec![ignore.to_owned()], ..plain() };
            says(&refusal(&reading, "x.csv", &text), &["line 3 (`\"b`) is open", "close it"]);
        }
        let labeled = Reading { label_column: Some("kind".to_owned()), ..plain() };
        says(&refusal(&labeled, "x.csv", format!("{end}{text}")), &["line 4 (`\"b`) is open"]);
        says(&refusal(&plain(), "x.csv", format!("1,2{end}3,\"4{end}5,6{end}")), &["line 2 (`\"4`)"]);
        says(&refusal(&plain(), "x.csv", format!("1,2{end}\"3,4{end}5,6{end}")), &["line 2 (`\"3,4`)"]);
        says(&refusal(&labeled, "x.csv", format!("x,kind{end}1,a{end}2,\"b\"\"")), &["line 3 (`\"b\"\"`)"]);
    }
    says(&refusal(&plain(), "x.csv", "1,2\n3,\""), &["line 2 (`\"`)"]);
    // Closed quotes around lines and quotes, and quotes within a cell.
    let labeled = Reading { label_column: Some("kind".to_owned()), ..plain() };
    for (cells, words) in [
        (["\"a\nb\"", "\"c, \"\"d\"\"\""], ["a\nb", "c, \"d\""]),
        (["5\"", "a\"b"], ["5\"", "a\"b"]),
        (["b", "\"a\"b"], ["b", "ab"]),
        (["a", "\"a\"b\""], ["a", "ab\""]),
    ] {
        for end in ["\n", ""] {
            let table = read(&labeled, "x.csv", format!("x,kind\n1,{}\n2,{}{end}", cells[0], cells[1]))?;
            assert_eq!(table.labels.expect("labels").classes, words);
        }
    }
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("l.csv");
    fs::write(&path, "a\n\"b\nc\n")?;
    says(&read_labels(&path, MemoryLimit::default()).expect_err("open").to_string(), &["line 2 (`\"b`)"]);
    Ok(())
}
