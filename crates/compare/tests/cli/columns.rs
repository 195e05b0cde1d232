//! Columns that are no coordinates: names of rows, and numbers to color by.

use crate::temp_folder::TempFolder;

const READING: &str = "--name-column country --color-column income --label-column side";

/// Forty countries on a parabola; the income of one is missing.
fn countries() -> String {
    let line = |i: usize| {
        let (x, side) = (i as f64 / 20.0 - 1.0, ["north", "south"][i % 2]);
        let income = if i == 7 { String::new() } else { (100 * i).to_string() };
        format!("country {i},{x},{},{income},{side}\n", x * x)
    };
    "country,x,y,income,side\n".to_owned() + &(0..40).map(line).collect::<String>()
}

fn prepared() -> TempFolder {
    let folder = TempFolder::new();
    folder.file("c.csv", countries());
    folder
}

#[test]
fn names_are_written_with_the_map_and_told_apart_when_it_is_measured() {
    let folder = prepared();
    let embed = format!("embed --method pca --input c.csv {READING}");
    folder.compare(&format!("{embed} --output y.csv --save m --plot y.svg"));
    let map = String::from_utf8(folder.read("y.csv")).unwrap();
    let lines: Vec<&str> = map.lines().collect();
    assert_eq!((lines.len(), lines[0]), (41, "country,x1,x2"));
    assert!(lines[8].starts_with("country 7,"), "{map}");
    let picture = String::from_utf8(folder.read("y.svg")).unwrap();
    assert!(picture.contains("income (1 missing, gray)") && picture.contains("#b4b9c0"), "the legend");
    assert!(
        picture.contains(">country 0<") && picture.contains("points, where there is space<"),
        "names of points"
    );
    // Without names the file has coordinates alone.
    folder.compare("embed --method pca --input c.csv --ignore country,income,side --output plain.csv");
    let plain = String::from_utf8(folder.read("plain.csv")).unwrap();
    let named: Vec<&str> = lines[1..].iter().map(|line| line.split_once(',').unwrap().1).collect();
    assert_eq!(plain.lines().collect::<Vec<_>>(), named);
    let measure = format!("measure --input c.csv {READING} --embedding");
    assert_eq!(folder.compare(&format!("{measure} y.csv")), folder.compare(&format!("{measure} plain.csv")));
    // The same rows in another order.
    let mut other = lines.clone();
    other.swap(3, 4);
    folder.file("other.csv", other.join("\n") + "\n");
    let parts =
        ["row 2 (counted from 0) is `country 3` here and `country 2` in the data; sort both files alike"];
    folder.refuses(&format!("{measure} other.csv"), 1, &parts);
    let other = format!("measure --input c.csv {READING} --embedding plain.csv --truth y.csv");
    assert!(folder.compare(&other).contains("\"affine\""));
    // A map is decoded with or without names.
    let decode = format!("invert --input c.csv {READING} --grid 4x4 --output");
    folder.compare(&format!("{decode} a.npy --embedding y.csv"));
    folder.compare(&format!("{decode} b.npy --embedding plain.csv"));
    assert_eq!(folder.read("a.npy"), folder.read("b.npy"));
    folder.refuses(&format!("{decode} d.npy --embedding other.csv"), 1, &parts);
    folder.compare(&format!(
        "invert --input c.csv {READING} --embedding plain.csv --places y.csv --output e.npy"
    ));
    let unnamed = "measure --input c.csv --ignore country,income,side --embedding y.csv";
    folder.refuses(unnamed, 1, &["has the name of the column of --name-column"]);
    // New points keep theirs, too.
    folder.file("new.csv", "country,x,y,income,side\nAtlantis,0.5,0.25,1,\n");
    folder.compare(&format!("transform --model m --input new.csv {READING} --output z.csv"));
    let new = String::from_utf8(folder.read("z.csv")).unwrap();
    assert!(new.starts_with("country,x1,x2\nAtlantis,") && new.lines().count() == 2, "{new}");
    let array = folder.command(&format!("{embed} --output y.npy")).assert().success().get_output().clone();
    let said = String::from_utf8(array.stderr).unwrap();
    assert!(
        said.contains("y.npy is an array, which has no names of rows; a .csv or .tsv file has"),
        "{said}"
    );
}

/// The countries have x from −1 to 0.95 and y from 0 to 1.
#[test]
fn new_rows_in_other_units_are_pointed_out() {
    let folder = prepared();
    folder.file("new.csv", "country,x,y,income,side\nA,0.5,0.25,1,\nB,0.4,250,1,\nC,0.3,150,1,\n");
    folder.file("same.csv", "country,x,y,income,side\nA,0.5,0.25,1,\n");
    for standardize in ["", "--standardize"] {
        folder.compare(&format!(
            "embed --method pca --input c.csv {READING} {standardize} --output y.csv --save m"
        ));
        let transform = |new: &str| {
            let command = format!("transform --model m --input {new} {READING} --output z.csv");
            let output = folder.command(&command).assert().success().get_output().clone();
            String::from_utf8(output.stderr).unwrap()
        };
        let said = transform("new.csv");
        let parts = ["2 of 3 rows are outside of the data of the model", "`y` goes from 0.25 to 250 here"];
        assert!(parts.iter().all(|part| said.contains(part)), "{said}");
        assert_eq!(String::from_utf8(folder.read("z.csv")).unwrap().lines().count(), 4);
        assert!(!transform("same.csv").contains("outside"));
    }
}

#[test]
fn decimal_commas_are_read_where_the_option_says_so() {
    let folder = prepared();
    folder.file("de.csv", countries().replace(',', ";").replace('.', ","));
    let reading = format!("--input de.csv {READING} --output de.npy");
    folder.refuses(&format!("embed --method pca {reading}"), 1, &["say --decimal-comma"]);
    folder.compare(&format!("embed --method pca --decimal-comma {reading}"));
    folder.compare(&format!("embed --method pca --input c.csv {READING} --output c.npy"));
    assert_eq!(folder.read("de.npy"), folder.read("c.npy"));
}

#[test]
fn text_of_windows_is_read_where_the_option_says_so() {
    let folder = prepared();
    let named = countries().replace("country", "länder");
    folder.file("de.csv", named.chars().map(|character| character as u8).collect::<Vec<u8>>());
    let embed = "embed --method pca --input de.csv --ignore income,side --name-column 0 --output de.csv.gz";
    folder.refuses(embed, 1, &["on line 1", "say --encoding windows-1252"]);
    for encoding in ["windows-1252", "cp1252"] {
        folder.compare(&format!("{embed} --encoding {encoding}"));
    }
    folder.refuses(&format!("{embed} --encoding latin"), 2, &["windows-1252"]);
    let measure = "measure --input de.csv --ignore income,side --name-column 0 --embedding de.csv.gz";
    // The map is in UTF-8.
    folder.compare(&format!("{measure} --encoding windows-1252"));
}

#[test]
fn points_that_are_left_out_take_their_names_along() {
    let folder = TempFolder::new();
    let far = countries()
        + "far 0,90,90,1,north\nfar 1,91,90,1,north\nfar 2,90,91,1,south\nfar 3,91,91,1,south\nfar 4,92,91,1,south\nfar 5,92,92,1,south\n";
    folder.file(
        "c.csv",
        format!("lost,,1,2,north\n{far}").replacen(
            "lost,,1,2,north\ncountry,x,y,income,side\n",
            "country,x,y,income,side\nlost,,1,2,north\n",
            1,
        ),
    );
    let embed = "embed --method isomap --k 4 --components largest --missing drop --dim 1 --input c.csv";
    folder.compare(&format!("{embed} {READING} --output y.csv"));
    let map = String::from_utf8(folder.read("y.csv")).unwrap();
    assert_eq!(map.lines().count(), 41);
    assert!(map.lines().nth(1).unwrap().starts_with("1,country 0,"), "{map}");
    assert!(!map.contains("far") && !map.contains("lost"), "{map}");
    // Files of a run name them, too; another file has the names of all rows.
    let run = "run --methods isomap,pca --k 4 --components largest --missing drop --input c.csv --out o";
    folder.compare(&format!("{run} {READING}"));
    let names = |file: &str| String::from_utf8(folder.read(&format!("o/embeddings/c/{file}"))).unwrap();
    assert_eq!(names("names.csv").lines().count(), 47);
    let largest = names("isomap-names.csv");
    assert!(largest.lines().count() == 41 && !largest.contains("far"), "{largest}");
    // The order of a map of all rows of the file is seen, where the data left some out.
    let lines = |last: &str| (0..40).map(|i| format!("country {i},{i}\n")).collect::<String>() + last;
    let rest: String = (0..6).map(|i| format!("far {i},{}\n", 100 + i)).collect();
    folder.file("whole.csv", format!("country,x1\nlost,-1\n{}", lines(&rest)));
    let measure = format!("measure --missing drop --k 4 --input c.csv {READING} --embedding");
    folder.compare(&format!("{measure} whole.csv"));
    folder.file("shifted.csv", format!("country,x1\n{}", lines(&(rest + "lost,-1\n"))));
    folder.refuses(&format!("{measure} shifted.csv"), 1, &["row 0 (counted from 0) is `country 1`"]);
}

#[test]
fn a_report_and_its_page_are_colored_by_the_column_and_know_the_names() {
    let folder = prepared();
    folder.compare(&format!("run --input c.csv {READING} --methods pca,lle --k 6 --out o"));
    let figure = String::from_utf8(folder.read("o/c.svg")).unwrap();
    assert!(figure.contains("income (1 missing, gray)"), "the legend of the figure");
    let page = String::from_utf8(folder.read("o/report.html")).unwrap();
    assert!(page.contains("income (1 missing, gray)") && page.contains("color: side"), "both colorings");
    let names = String::from_utf8(folder.read("o/embeddings/c/names.csv")).unwrap();
    assert!(names.starts_with("country\ncountry 0\n") && names.lines().count() == 41, "{names}");
    folder.compare(&format!("lab --input c.csv {READING} --out lab.html"));
    let lab = String::from_utf8(folder.read("lab.html")).unwrap();
    for part in ["\"row_names\":{\"name\":\"country\"", "country 39", "\"quantities\":[{\"name\":\"income\""]
    {
        assert!(lab.contains(part), "{part}");
    }
}

#[test]
fn options_of_the_layout_of_tables_are_used() {
    let folder = TempFolder::new();
    let plain = "x,y\n1,2\n3,5\n4,4\n";
    let embed = |options: &str| {
        folder.compare(&format!("embed --method pca {options} --output map.npy"));
        folder.read("map.npy")
    };
    folder.file("plain.csv", plain);
    let expected = embed("--input plain.csv");
    folder.file("titled.csv", format!("My table\nof 2021\n{}", plain.replacen('\n', "\nm,°C\n", 1)));
    assert_eq!(embed("--input titled.csv --skip-rows 2 --header-rows 2"), expected);
    folder.file("turned.csv", ",a,b,c\nx,1,3,4\ny,2,5,4\n");
    assert_eq!(embed("--input turned.csv --transpose"), expected);
    folder.file("rows.jsonl", "{\"x\": [1, 2]}\n{\"x\": [3, 5]}\n{\"x\": [4, 4]}\n");
    assert_eq!(embed("--input rows.jsonl"), expected);
    folder.file("dated.csv", "x,y\n02.01.1970,2\n04.01.1970,5\n05.01.1970,4\n");
    assert_eq!(embed("--input dated.csv --dates-as-days --date-order day-first"), expected);
    let first = "--decimal-comma; for this column: it looks like a date; it is left out by --ignore Datum";
    folder.file("datum.csv", "Datum;T\n01.01.2021;19,44\n02.01.2021;20,05\n03.01.2021;18,75\n");
    folder.refuses("embed --method pca --input datum.csv --output map.npy", 1, &[first]);
    folder.compare(
        "embed --method pca --dim 1 --input datum.csv --decimal-comma --ignore Datum --output map.npy",
    );
    folder.file("words.csv", "x,kind\n1,a\n3,b\n4,a\n").file("indicators.csv", "1,1,0\n3,0,1\n4,1,0\n");
    folder.refuses("embed --method pca --input words.csv --output map.npy", 1, &["--categories indicators"]);
    let by_category = embed("--input words.csv --categories indicators");
    assert_eq!(by_category, embed("--input indicators.csv"));
    // A number with a sign between thousands is a number, whatever is done with words.
    folder
        .file("sums.csv", "x;sum;kind\n1,5;1.148,90;a\n3,5;1.679,13;b\n4,5;2.168,26;a\n")
        .file("plain.csv", "1.5,1148.9\n3.5,1679.13\n4.5,2168.26\n");
    let ignoring = embed("--input sums.csv --decimal-comma --categories ignore");
    assert_eq!(ignoring, embed("--input plain.csv"));
    // Notes count a missing word once, and name its column of the file.
    let rows: String = (0..12).map(|i| format!("{i},{}\n", ["a", "", "b", ""][i % 4])).collect();
    folder.file("holes.csv", format!("x,kind\n{rows}"));
    let noted = |options: &str| {
        let line = format!("embed --method pca --input holes.csv --categories indicators {options}");
        let output = folder.command(&format!("{line} --output map.npy")).output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    let said = noted("--missing mean");
    assert!(said.contains("6 missing values were replaced"), "{said}");
    let said = noted("--missing drop");
    assert!(said.contains("column 1 `kind`, which --ignore kind leaves out"), "{said}");
    folder.refuses(
        "embed --method pca --input holes.csv --categories indicators --output map.npy",
        1,
        &["row 1, column 1 `kind` (counted from 0, line 3) is empty", "--missing drop"],
    );
    folder.file("gaps.csv", "x,y\n1,2\n3,5\n,4\n9,1\n");
    folder.compare("embed --method pca --input gaps.csv --missing median --save model.bin --output map.npy");
    folder.refuses(
        "transform --model model.bin --missing median --input gaps.csv --output new.npy",
        2,
        &["--missing median would take the medians of the points that are read"],
    );
    folder.compare("transform --model model.bin --missing zero --input gaps.csv --output new.npy");
}
