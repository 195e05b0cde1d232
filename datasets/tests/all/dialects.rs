//! Text as spreadsheets of other languages write it: decimal commas, UTF-16, windows-1252.

use crate::common;

use common::{Outcome, plain, read, refusal};
use datasets::files::{Encoding, Missing, Reading, Table};
use embedding::MemoryLimit;

fn comma() -> Reading {
    Reading { decimal_comma: true, ..plain() }
}

fn values(table: &Table) -> &[f64] {
    table.points.view().values()
}

#[test]
fn numbers_may_have_decimal_commas() -> Outcome {
    for (name, text) in [
        ("x.csv", "x;y\n1,5;-2\n+0,25;3,5E+03\n"),
        ("x.csv", "x\ty\n1,5\t-2\n+0,25\t3,5E+03\n"),
        ("x.tsv", "1,5\t-2\n+0,25\t3,5e3\n"),
        ("x.csv", "\"1,5\";\"-2\"\n\"+0,25\";\"3500\"\n"),
    ] {
        assert_eq!(values(&read(&comma(), name, text)?), [1.5, -2.0, 0.25, 3500.0], "{text:?}");
    }
    // One column has nothing between its cells.
    let one = read(&comma(), "x.csv", "1,5\n2,25\n")?;
    assert_eq!(
        (values(&one), &one.notes[..]),
        (&[1.5, 2.25][..], &["read as one column of numbers with decimal commas".to_owned()][..])
    );
    for text in ["a,b\n1,2\n5,1\n", "1,2,3\n4,5,6\n"] {
        let said = refusal(&comma(), "x.csv", text);
        assert!(said.contains("has commas alone; leave out the option"), "{said}");
    }
    let said = refusal(&comma(), "x.csv", "x;y\n1 234,5;2\n1234;3\n");
    assert!(said.contains("write it without them: 1234,5"), "{said}");
    let reading = Reading {
        missing: Missing::Drop,
        missing_values: vec!["-9.5".to_owned()],
        color_columns: vec!["1".to_owned()],
        ..comma()
    };
    let table = read(&reading, "x.csv", "1,5;0,5\n-9,5;1\n2,5;x\n".replace('x', "-9,5").as_str())?;
    assert_eq!((values(&table), table.kept.as_deref()), (&[1.5, 2.5][..], Some(&[0, 2][..])));
    assert_eq!(table.quantities[0].values, [Some(0.5), None]);
    Ok(())
}

#[test]
fn points_are_no_decimal_signs_where_commas_are() {
    for cell in ["1.5", "1.23,5"] {
        let said = refusal(&comma(), "x.csv", format!("1,5;2\n{cell};3\n"));
        assert!(
            said.contains("row 1, column 0") && said.contains("a number has no point with --decimal-comma"),
            "{said}"
        );
    }
    // A date is not a number with points between thousands.
    let said = refusal(&comma(), "x.csv", "day;x\n02.01.2024;3\n03.01.2024;4\n");
    assert!(said.contains("left out by --ignore day") && !said.contains("has no point"), "{said}");
    let said = refusal(&comma(), "x.csv", "1,5;2\n1,5,5;3\n");
    assert!(said.contains("`1,5,5`"), "{said}");
    // No warning about points that may group thousands, since the file has no points.
    assert!(read(&comma(), "x.csv", "1,606;449\n2,300;1\n1,999;2\n").expect("numbers").warnings.is_empty());
}

#[test]
fn the_option_is_named_where_it_helps() {
    for text in ["1,5;2\n", "x\ty\n3\t1,5\n", "1;2\n1.234,5;3\n"] {
        let said = refusal(&plain(), "x.csv", text);
        assert!(
            said.contains("if the numbers of the file have decimal commas, say --decimal-comma"),
            "{said}"
        );
    }
    // Between commas it does not.
    let said = refusal(&plain(), "x.csv", "x,y\n1,\"2,5\"\n");
    assert!(said.contains("decimal point") && !said.contains("--decimal-comma"), "{said}");
}

fn utf_16(text: &str, bytes: impl Fn(u16) -> [u8; 2]) -> Vec<u8> {
    std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(bytes).collect()
}

#[test]
fn text_in_utf_16_is_read() -> Outcome {
    let text = "größe\tname 😀\r\n1,5\t2\r\n2,5\t3\r\n";
    for bytes in [utf_16(text, u16::to_le_bytes), utf_16(text, u16::to_be_bytes)] {
        let table = read(&comma(), "x.csv", &bytes)?;
        assert_eq!(values(&table), [1.5, 2.0, 2.5, 3.0]);
        assert_eq!(table.columns, Some(vec!["größe".to_owned(), "name 😀".to_owned()]));
        assert_eq!(comma().read_bytes(bytes.clone(), "standard input")?.points, table.points);
        let mut labeled = read(&plain(), "x.csv", "1\n2\n")?;
        plain().label_bytes(&mut labeled, utf_16("ä\nö\n", u16::to_le_bytes), "labels")?;
        assert_eq!(labeled.labels.expect("labels").classes, ["ä", "ö"]);
        // Half a character, and half of a pair.
        for cut in [bytes.len() - 1, 2 * (1 + "größe\tname ".len() - 2) + 2] {
            let said = refusal(&comma(), "x.csv", &bytes[..cut]);
            assert!(
                said.contains("begins as text in UTF-16, but is none; save it as CSV in UTF-8"),
                "{said}"
            );
        }
    }
    let bytes = utf_16(&"1;2\n".repeat(10_000), u16::to_le_bytes);
    let limited = Reading { memory: MemoryLimit::new(150_000), ..plain() };
    let said = limited.read_bytes(bytes, "x").expect_err("too large").to_string();
    assert!(said.contains("decoding text in UTF-16"), "{said}");
    Ok(())
}

fn windows() -> Reading {
    Reading { encoding: Encoding::Windows1252, ..plain() }
}

#[test]
fn text_in_windows_1252_is_read_where_the_option_says_so() -> Outcome {
    let bytes = b"gr\xf6\xdfe,\x80 \x8a\x9f \x96 \xff\r\n1,2\r\n3,4\r\n";
    let names = Some(vec!["größe".to_owned(), "€ ŠŸ – ÿ".to_owned()]);
    let table = read(&windows(), "x.csv", bytes)?;
    assert_eq!((values(&table), &table.columns), (&[1.0, 2.0, 3.0, 4.0][..], &names));
    assert_eq!(windows().read_bytes(bytes.to_vec(), "standard input")?, table);
    // Labels in a file of their own are in the same encoding.
    let mut labeled = table.clone();
    windows().label_bytes(&mut labeled, b"\xe4\n\xf6\n".to_vec(), "labels")?;
    assert_eq!(labeled.labels.expect("labels").classes, ["ä", "ö"]);
    // Text without such characters, and text behind a byte-order mark.
    assert_eq!(read(&windows(), "x.csv", "a,b\n1,2\n")?.columns, Some(vec!["a".to_owned(), "b".to_owned()]));
    assert_eq!(read(&windows(), "x.csv", "\u{feff}ä,b\n1,2\n")?.columns.expect("names")[0], "ä");
    assert_eq!(
        read(&windows(), "x.csv", utf_16("ä,b\n1,2\n", u16::to_le_bytes))?.columns.expect("names")[0],
        "ä"
    );
    let said = refusal(&windows(), "x.csv", "größe,b\n1,2\n");
    assert!(said.contains("text in UTF-8; leave out --encoding windows-1252"), "{said}");
    let said = refusal(&windows(), "x.csv", b"a,b\n1,2\n3,\x81\n");
    assert!(
        said.contains("byte 10 is 0x81, which is no character of windows-1252 (it is on line 3)"),
        "{said}"
    );
    assert!(refusal(&windows(), "x.csv", b"\x80\x00\x01").contains("binary data"));
    let limited = Reading { memory: MemoryLimit::new(150_000), ..windows() };
    let said = limited.read_bytes(b"\xf6,2\n".repeat(10_000), "x").expect_err("too large").to_string();
    assert!(said.contains("decoding text in windows-1252"), "{said}");
    Ok(())
}

#[test]
fn a_data_set_says_what_reading_it_did_and_what_looks_wrong() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("rows.csv");
    std::fs::write(&path, "id,x,on\n7,1.5,true\n8,1,false\n9,4,true\n")?;
    let data = plain().dataset(&path, None)?;
    for part in ["Points of ", "`id`", "--ignore", "true"] {
        assert!(data.notes.contains(part), "{}", data.notes);
    }
    Ok(())
}

#[test]
fn labels_may_be_a_list_in_a_text_file() -> Outcome {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("classes.TXT");
    std::fs::write(&path, "left\nright\nleft\n")?;
    let mut table = read(&plain(), "x.csv", "1\n2\n3\n")?;
    plain().label(&mut table, &path)?;
    let labels = table.labels.expect("labels");
    assert_eq!((labels.classes, labels.values), (vec!["left".to_owned(), "right".to_owned()], vec![0, 1, 0]));
    Ok(())
}

#[test]
fn a_packed_file_beyond_the_limit_is_refused_with_its_size() -> Outcome {
    let mut packing = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    std::io::Write::write_all(&mut packing, "1,2\n".repeat(100_000).as_bytes())?;
    let limited = Reading { memory: MemoryLimit::new(50_000), ..plain() };
    let said = limited.read_bytes(packing.finish()?, "x").expect_err("too large").to_string();
    assert!(said.contains("unpacking the file") && said.contains("400"), "{said}");
    Ok(())
}

#[test]
fn a_word_above_names_that_count_up_belongs_to_a_header() -> Outcome {
    let names = Reading { name_column: Some("word".to_owned()), ..plain() };
    let table = read(&names, "x.csv", "word,0,1,2,3\na,1,5,2,4\nb,3,2,2,1\n")?;
    assert_eq!((table.points.len(), table.columns.map(|names| names.len())), (2, Some(4)));
    assert!(table.warnings[0].contains("say --header no if it is data"), "{:?}", table.warnings);
    // Fewer numbers are data.
    let said = refusal(&plain(), "x.csv", "word,0,1,2\na,1,5,2\n");
    assert!(said.contains("row 0, column 0 (counted from 0, line 1) is `word`"), "{said}");
    Ok(())
}

#[test]
fn advice_names_what_the_rest_of_the_column_and_of_the_file_needs() {
    let said = refusal(&plain(), "x.csv", "day,x\n03/01/2020,1\n03/14/2020,2\n");
    assert!(
        said.contains("--dates-as-days --date-order month-first") && !said.contains("day-first"),
        "{said}"
    );
    let said = refusal(&plain(), "x.csv", "day,x\n03/01/2020,1\n03/04/2020,2\n");
    assert!(said.contains("--date-order day-first, or month-first"), "{said}");
    let said = refusal(&plain(), "x.csv", "kind,x,y\na,1,2\nb,,3\nc,4,\nd,5,6\n");
    assert!(
        said.contains("--label-column kind") && said.ends_with("; missing values: --missing drop or mean"),
        "{said}"
    );
    let said = refusal(&plain(), "x.csv", "kind,x\na,1\nb,3\n");
    assert!(!said.contains("--missing"), "{said}");
}
