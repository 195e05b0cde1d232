//! Text files as programs write them: titles, comments, units, empty columns, spaces between cells, dates.

use crate::common;

use common::{Outcome, plain, read, refusal};
use datasets::files::{Categories, DateOrder, HeaderRow, Missing, Reading, Table};

fn values(table: &Table) -> &[f64] {
    table.points.view().values()
}

fn says(sentence: &str, parts: &[&str]) {
    for part in parts {
        assert!(sentence.contains(part), "`{part}` is not in: {sentence}");
    }
}

#[test]
fn titles_are_skipped_and_keep_their_line_numbers() -> Outcome {
    let text = "Station 7\n\"2021; all\"\n\nx;y\n1;2\n3;4\n";
    says(&refusal(&plain(), "x.csv", text), &["--skip-rows 3"]);
    let reading = Reading { skip_rows: 3, ..plain() };
    let table = read(&reading, "x.csv", text)?;
    assert_eq!(values(&table), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(table.columns, Some(vec!["x".to_owned(), "y".to_owned()]));
    says(&refusal(&reading, "x.csv", text.replace("3;4", "3;u")), &["row 1, column 1 `y`", "line 6", "`u`"]);
    says(&refusal(&Reading { skip_rows: 9, ..plain() }, "x.csv", "1\n2\n"), &["--skip-rows 9", "2 lines"]);
    Ok(())
}

#[test]
fn a_line_for_excel_states_the_separator() -> Outcome {
    for text in
        ["sep=;\r\nx;y\r\n1;2\r\n", "\"sep=,\"\nx,y\n1,2\n", "SEP=|\nx|y\n1|2\n", "sep=\t\nx\ty\n1\t2\n"]
    {
        let table = read(&plain(), "x.csv", text)?;
        assert_eq!(
            (values(&table), table.columns.as_ref().map(Vec::len)),
            (&[1.0, 2.0][..], Some(2)),
            "{text:?}"
        );
    }
    Ok(())
}

#[test]
fn comments_are_left_out_and_may_name_the_columns() -> Outcome {
    let comments = read(&plain(), "x.csv", "# made by a program\n% at noon\n1,2\n3,4\n")?;
    assert_eq!((values(&comments), &comments.columns), (&[1.0, 2.0, 3.0, 4.0][..], &None));
    assert_eq!(comments.notes, ["2 comment lines were left out"]);
    // numpy.savetxt("x.txt", X, header="x y")
    let named = read(&plain(), "x.txt", "# x y\n1.5e+00 2.0e+00\n3.0e+00 4.0e+00\n")?;
    assert_eq!(values(&named), [1.5, 2.0, 3.0, 4.0]);
    assert_eq!(named.columns, Some(vec!["x".to_owned(), "y".to_owned()]));
    assert_eq!(named.notes, ["line 1 names the columns behind its comment sign"]);
    Ok(())
}

#[test]
fn rows_below_the_names_are_left_out_where_the_option_says_so() -> Outcome {
    let text = "depth,\"temp, air\"\nm,°C\n1,2\n3,4\n5,6\n7,8\n";
    says(&refusal(&plain(), "x.csv", text), &["row 0, column 0 `depth`", "`m`", "--header-rows 2"]);
    let table = read(&Reading { header_rows: 2, ..plain() }, "x.csv", text)?;
    assert_eq!(values(&table), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    assert_eq!(table.columns, Some(vec!["depth".to_owned(), "temp, air".to_owned()]));
    let spaced = read(&Reading { header_rows: 2, ..plain() }, "x.txt", "x y\nm s\n1 2\n3 5\n")?;
    assert_eq!(values(&spaced), [1.0, 2.0, 3.0, 5.0]);
    Ok(())
}

#[test]
fn three_header_rows_of_orange_state_the_uses_of_columns() -> Outcome {
    let text =
        "age\theight\tsex\tname\nc\tcontinuous\td\tstring\n\t\tclass\tmeta\n63\t1.5\tm\tAnn\n67\t2\tf\tBo\n";
    for (name, text) in [("x.tab", text.to_owned()), ("x.csv", text.replace('\t', ","))] {
        let table = read(&plain(), name, &text)?;
        assert_eq!(values(&table), [63.0, 1.5, 67.0, 2.0]);
        let labels = table.labels.ok_or("labels")?;
        assert_eq!((labels.name.as_str(), labels.classes), ("sex", vec!["m".to_owned(), "f".to_owned()]));
        says(&table.notes[0], &["lines 2 and 3", "Orange", "`sex` is the class", "`name` is left out"]);
        let named = Reading { name_column: Some("name".to_owned()), ..plain() };
        let names = read(&named, name, &text)?.row_names.ok_or("names")?;
        assert_eq!(names.values, ["Ann", "Bo"]);
    }
    // The values of a category stand for its type.
    let text = "age\trest\tclass\nc\tnormal left\\ vent ST-T\\ abnormal\td\n\t\tclass\n63\t1\tx\n67\t2\ty\n";
    let table = read(&plain(), "x.tab", text)?;
    assert_eq!(values(&table), [63.0, 1.0, 67.0, 2.0]);
    // Words of data are no header.
    assert!(read(&plain(), "x.csv", "a,b\nc,d\nclass,meta\n1,2\n").is_err());
    Ok(())
}

/// As pandas writes several levels of names: an empty row may follow them.
#[test]
fn rows_of_a_header_without_a_word_in_each_column_are_counted() -> Outcome {
    let text = "network,1,1,2\nnode,1,2,1\nhemi,lh,rh,lh\n,,,\n0,56,92,4\n1,55,43,-8\n2,60,12,3\n";
    let said = refusal(&plain(), "x.csv", text);
    says(&said, &["row 0, column 0", "`network`", "--header-rows 4"]);
    assert!(!said.contains("--missing-values"), "{said}");
    let table = read(&Reading { header_rows: 4, ..plain() }, "x.csv", text)?;
    assert_eq!(values(&table), [0.0, 56.0, 92.0, 4.0, 1.0, 55.0, 43.0, -8.0, 2.0, 60.0, 12.0, 3.0]);
    // Where the first row is no header, the advice is no number of rows.
    let no = refusal(&Reading { header: HeaderRow::No, ..plain() }, "x.csv", text);
    assert!(!no.contains("--header-rows"), "{no}");
    Ok(())
}

/// A series matrix, and a sample.
#[test]
fn descriptions_of_geo_are_left_out() -> Outcome {
    let series = "!Series_title\t\"A series\"\n!Series_type\t\"x\"\n\n!Sample_title\t\"a\"\t\"b\"\n!series_matrix_table_begin\n\"ID_REF\"\t\"GSM1\"\t\"GSM2\"\n\"p1\"\t1.5\t2\n\"p2\"\t3\t4\n!series_matrix_table_end\n";
    says(&refusal(&plain(), "x.txt", series), &["row 0, column 0 `ID_REF`", "--name-column ID_REF"]);
    let reading = Reading { name_column: Some("ID_REF".to_owned()), ..plain() };
    let table = read(&reading, "x.txt", series)?;
    assert_eq!(values(&table), [1.5, 2.0, 3.0, 4.0]);
    says(&table.notes.join("\n"), &["as GEO writes them"]);
    let sample = "^SAMPLE = GSM1\n!Sample_title = a\n#VALUE = signal\n!sample_table_begin\nID_REF\tVALUE\np1\t1\np2\t2\n!sample_table_end\n";
    assert_eq!(values(&read(&reading, "x.txt", sample)?), [1.0, 2.0]);
    Ok(())
}

/// So that one option suffices.
#[test]
fn all_columns_of_dates_and_of_too_many_words_are_named() {
    let text = "start,end,kind,x\n2019-03-23 20:21:09,2019-03-23 20:30:00,a,1\n2019-03-24 20:21:09,2019-03-25 20:30:00,b,2\n";
    says(
        &refusal(&plain(), "x.csv", text),
        &["it looks like a date", "are left out by --ignore start,end,kind"],
    );
    let mut text = "id,name,x\n".to_owned();
    for row in 0..120 {
        text += &format!("i{row},n{row},{row}\n");
    }
    let reading = Reading { categories: Categories::Indicators, ..plain() };
    says(&refusal(&reading, "x.csv", text), &["columns 0 `id`, 1 `name`", "have more", "--ignore id,name"]);
}

#[test]
fn empty_columns_are_named_and_left_out() -> Outcome {
    let text = "a;b;;c;;\n1;2;;3;;\n4;5;;6;;\n";
    for missing in [Missing::Refuse, Missing::Drop, Missing::Mean] {
        let table = read(&Reading { missing, ..plain() }, "x.csv", text)?;
        assert_eq!(values(&table), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(table.columns, Some(["a", "b", "c"].map(str::to_owned).to_vec()));
        says(&table.notes.join("\n"), &["columns 2, 4 (counted from 0) were left out: all cells are empty"]);
    }
    let table = read(&plain(), "x.csv", "a,gap,b\n1,,2\n3,,4\n")?;
    assert_eq!(table.notes, ["column 1 `gap` (counted from 0) was left out: all cells are empty"]);
    Ok(())
}

#[test]
fn spaces_may_separate_cells() -> Outcome {
    for name in ["x.txt", "x.dat", "x.data", "x.csv"] {
        let table = read(&plain(), name, "  x    y\n 1.5  -2\n  3    4e1 \n")?;
        assert_eq!(values(&table), [1.5, -2.0, 3.0, 40.0], "{name}");
        assert_eq!(table.columns, Some(vec!["x".to_owned(), "y".to_owned()]));
    }
    // write.table(X): a name for each column except the column of row names.
    let table = read(&plain(), "x.txt", "\"x\" \"y z\"\n\"a b\" 1 2\n\"c\" 3 4\n")?;
    assert_eq!(values(&table), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(table.row_names.ok_or("names")?.values, ["a b", "c"]);
    let comma = Reading { decimal_comma: true, ..plain() };
    assert_eq!(values(&read(&comma, "x.dat", "1,5 2\n3 4,25\n")?), [1.5, 2.0, 3.0, 4.25]);
    Ok(())
}

#[test]
fn dates_are_days_where_the_option_says_so() -> Outcome {
    let text = "day;t\n2021-01-01;1\n2021-01-02T12:00;2\n";
    let said = refusal(&plain(), "x.csv", text);
    says(
        &said,
        &["column 0 `day`", "looks like a date", "--ignore day", "--color-column day", "--dates-as-days"],
    );
    let days = Reading { dates_as_days: true, ..plain() };
    let table = read(&days, "x.csv", text)?;
    assert_eq!(values(&table), [18_628.0, 1.0, 18_629.5, 2.0]);
    assert_eq!(table.notes, ["dates in column 0 `day` (counted from 0) were read as days since 1970-01-01"]);
    let colors = Reading { color_columns: vec!["day".to_owned()], ..plain() };
    assert_eq!(read(&colors, "x.csv", text)?.quantities[0].values, [Some(18_628.0), Some(18_629.5)]);
    let german = "day,t\n31.12.2020,1\n01.01.2021,2\n";
    says(&refusal(&days, "x.csv", german), &["--dates-as-days --date-order day-first"]);
    let reading = Reading { date_order: DateOrder::DayFirst, ..days.clone() };
    assert_eq!(values(&read(&reading, "x.csv", german)?), [18_627.0, 1.0, 18_628.0, 2.0]);
    says(&refusal(&days, "x.csv", "day,t\n2021-01-01,1\n7,2\n"), &["or dates in all rows", "row 1"]);
    Ok(())
}

#[test]
fn advice_on_decimal_commas_comes_first() {
    let text = "Datum;T\n01.01.2021;19,44\n02.01.2021;20,05\n";
    let said = refusal(&plain(), "x.csv", text);
    says(&said, &["say --decimal-comma; for this column: it looks like a date", "--ignore Datum"]);
    let comma = Reading { decimal_comma: true, ignore: vec!["Datum".to_owned()], ..plain() };
    assert_eq!(read(&comma, "x.csv", text).map(|table| table.points.len()), Ok(2));
}

#[test]
fn whole_numbers_are_never_rounded() -> Outcome {
    let text = "id,x\n1152921504606846977,1\n1152921504606846978,2\n";
    let said = refusal(&plain(), "x.csv", text);
    says(&said, &["above 2^53", "row 0, column 0 `id`", "`1152921504606846977`", "--label-column id"]);
    // 2^53, 2^60 and 10^20 are doubles.
    let exact = "9007199254740992,1\n-1152921504606846976,2\n100000000000000000000,3\n";
    assert_eq!(read(&plain(), "x.csv", exact)?.points.len(), 3);
    let long = "1".repeat(45);
    for cell in [long.as_str(), "-9007199254740993", "+09007199254740993"] {
        says(&refusal(&plain(), "x.csv", format!("{cell},1\n2,3\n")), &["above 2^53"]);
    }
    Ok(())
}

#[test]
fn gaps_are_filled_by_medians_or_zeros_and_the_costliest_column_is_named() -> Outcome {
    let text = "a,b\n1,\n2,10\n4,20\n9,60\n";
    let filled = |missing| read(&Reading { missing, ..plain() }, "x.csv", text);
    assert_eq!(values(&filled(Missing::Median)?)[..2], [1.0, 20.0]);
    assert_eq!(values(&filled(Missing::Zero)?)[..2], [1.0, 0.0]);
    assert_eq!(filled(Missing::Median)?.notes, ["1 missing value was replaced by the median of the column"]);
    assert_eq!(filled(Missing::Zero)?.notes, ["1 missing value was replaced by 0"]);
    let even = Reading { missing: Missing::Median, ..plain() };
    assert_eq!(values(&read(&even, "x.csv", "1,1\n,2\n3,3\n")?)[2], 2.0);
    let rows: String = (0..10).map(|row| format!("{row}.5,{}\n", if row < 8 { "" } else { "7.5" })).collect();
    let dropped = read(&Reading { missing: Missing::Drop, ..plain() }, "x.csv", format!("t,NMHC\n{rows}"))?;
    assert_eq!(dropped.points.len(), 2);
    says(&dropped.notes[1], &["8 of the rows left out lack a value in column 1 `NMHC`", "--ignore NMHC"]);
    Ok(())
}

#[test]
fn many_columns_that_increase_have_one_warning() -> Outcome {
    let row =
        |row: usize| (1..=20).map(|column| (row * 20 + column).to_string()).collect::<Vec<_>>().join(",");
    let text: String = (0..10).map(|at| row(at) + "\n").collect();
    let table = read(&plain(), "x.csv", text)?;
    assert_eq!(table.warnings.len(), 1, "{:?}", table.warnings);
    says(&table.warnings[0], &["20 columns, the first 0 and the last 19", "increase from row to row"]);
    Ok(())
}

#[test]
fn rows_may_be_coordinates() -> Outcome {
    let reading = Reading { transpose: true, ..plain() };
    let text = "gene,a,b,\"c, d\"\nTP53,1,2,3\nMYC,4,5,6\n";
    let table = read(&reading, "x.csv", text)?;
    assert_eq!(values(&table), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    assert_eq!(table.columns, Some(vec!["TP53".to_owned(), "MYC".to_owned()]));
    assert_eq!(table.row_names.ok_or("names")?.values, ["a", "b", "c, d"]);
    // write.table(X, sep = "\\t")
    let r = read(&reading, "x.tsv", "a\tb\nTP53\t1\t2\nMYC\t4\t5\n")?;
    assert_eq!(
        (values(&r), r.row_names.as_ref().ok_or("names")?.values.len()),
        (&[1.0, 4.0, 2.0, 5.0][..], 2)
    );
    assert_eq!(values(&read(&reading, "x.csv", "1,2,3\n4,5,6\n")?), [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    let labeled = Reading { label_column: Some("kind".to_owned()), ..reading.clone() };
    let classes = read(&labeled, "x.csv", format!("{text}kind,u,v,u\n"))?.labels.ok_or("labels")?;
    assert_eq!(classes.values, [0, 1, 0]);
    let said = refusal(&reading, "x.csv", text.replace(",6", ",six"));
    says(&said, &["row 2, column 2 `MYC` (counted from 0) is `six`"]);
    says(&refusal(&reading, "x.csv", "1,2\n3\n"), &["row 1 (counted from 0) has 1", "another one 2"]);
    let note = "the 2 rows have names and 3 columns: if the columns are the points";
    let upright = read(&plain(), "x.csv", text.replace("gene", ""))?;
    says(&upright.notes.join("\n"), &[note, "--transpose"]);
    Ok(())
}

#[test]
fn columns_of_words_are_categories_where_the_option_says_so() -> Outcome {
    let text = "age,sex,ok,city\n63,m,true,\"Ulm, D\"\n67,f,false,Bonn\n\n41,m,true,Bonn\n";
    let ignored = read(&Reading { categories: Categories::Ignore, ..plain() }, "x.csv", text)?;
    assert_eq!(values(&ignored), [63.0, 1.0, 67.0, 0.0, 41.0, 1.0]);
    says(&ignored.notes[0], &["columns 1 `sex`, 3 `city` of words (counted from 0) were left out"]);
    let reading = Reading { categories: Categories::Indicators, ..plain() };
    let table = read(&reading, "x.csv", text)?;
    let names = ["age", "ok", "sex=f", "sex=m", "city=Bonn", "city=Ulm, D"].map(str::to_owned);
    assert_eq!(table.columns, Some(names.to_vec()));
    let expected =
        [63.0, 1.0, 0.0, 1.0, 0.0, 1.0, 67.0, 0.0, 1.0, 0.0, 1.0, 0.0, 41.0, 1.0, 0.0, 1.0, 1.0, 0.0];
    assert_eq!(values(&table), expected);
    says(&table.notes[0], &["replaced by 4 columns, one per category"]);
    // Options count columns as the file does, and lines are the lines of the file.
    let labeled = Reading { label_column: Some("3".to_owned()), ..reading.clone() };
    let by_class = read(&labeled, "x.csv", text)?;
    assert_eq!((by_class.points.dim(), by_class.labels.map(|labels| labels.classes.len())), (4, Some(2)));
    says(&refusal(&reading, "x.csv", text.replace("41", "x")), &["row 2, column 0 `age`", "line 5", "`x`"]);
    // New rows have the categories of the model.
    let new = Reading { coordinates: names.to_vec(), ..reading.clone() };
    let rows = read(&new, "x.csv", "city,sex,ok,age,more\nBonn,m,true,30,1\n")?;
    assert_eq!(rows.points.dim(), 6);
    let said = refusal(&new, "x.csv", "city,sex,ok,age\nKiel,m,true,30\n");
    says(&said, &["row 0, column 0 `city`", "is `Kiel`", "the model has `Bonn`, `Ulm, D`"]);
    // A cell of several lines stays one.
    let lines = text.replace("Bonn\n\n", "\"Bonn\r\nam Rhein\"\n\n");
    let ignore = Reading { categories: Categories::Ignore, label_column: Some("city".to_owned()), ..plain() };
    let labels = read(&ignore, "x.csv", &lines)?.labels.ok_or("labels")?;
    assert_eq!(labels.classes, ["Ulm, D", "Bonn\r\nam Rhein", "Bonn"]);
    says(&refusal(&ignore, "x.csv", lines.replace("41", "x")), &["row 2, column 0 `age`", "line 6", "`x`"]);
    // A missing category is a missing value.
    let gap = text.replace("67,f", "67,");
    says(&refusal(&reading, "x.csv", &gap), &["row 1", "is empty", "--missing drop"]);
    let dropped = read(&Reading { missing: Missing::Drop, ..reading.clone() }, "x.csv", &gap)?;
    assert_eq!(dropped.points.len(), 2);
    let many: String = (0..200).map(|row| format!("{row},word{row}\n")).collect();
    says(&refusal(&reading, "x.csv", format!("a,b\n{many}")), &["at most 100", "--name-column b"]);
    Ok(())
}
