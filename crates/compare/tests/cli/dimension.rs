//! `compare dimension`.

use crate::temp_folder::TempFolder;

/// A curved sheet of 400 points at random places with names, and a row that has a missing value.
fn sheet() -> TempFolder {
    let mut text = "name,x,y,z\n".to_owned();
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / (1_u64 << 24) as f64
    };
    for i in 0..400 {
        let (u, v) = (random(), random());
        text += &format!("row {i},{u},{v},{}\n", 0.2 * u * u);
    }
    text += "gap,1,,2\n";
    let folder = TempFolder::new();
    folder.file("sheet.csv", text);
    folder
}

const READING: &str = "--name-column name --missing drop";

#[test]
fn five_estimators_say_what_they_find_and_what_they_assume() {
    let folder = sheet();
    let line = format!("dimension --input sheet.csv {READING} --k 12 --report r.json");
    let printed = folder.compare(&line);
    assert!(printed.starts_with("Intrinsic dimension of sheet.csv: 400 points, 3 columns, 12 neighbors\n"));
    let report = folder.json("r.json");
    for name in ["maximum-likelihood", "two-nn", "local-pca", "correlation", "principal-components"] {
        let value = report["estimates"][name].as_f64().unwrap();
        assert!((1.5..=2.6).contains(&value), "{name}: {value}");
        assert!(
            printed.contains(&format!("\n{name} ")) && printed.contains(&format!("{value:.2}\n")),
            "{printed}"
        );
    }
    assert_eq!(printed.matches("  assumes ").count(), 5);
}

#[test]
fn estimates_of_points_have_their_rows_and_names() {
    let folder = sheet();
    folder.compare(&format!("dimension --input sheet.csv {READING} --k 12 --per-point p.csv"));
    let text = String::from_utf8(folder.read("p.csv")).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("row,name,maximum-likelihood,local-pca"));
    for (i, line) in lines.enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!((cells[0], cells[1]), (i.to_string().as_str(), format!("row {i}").as_str()));
        assert!(cells[2].parse::<f64>().unwrap() > 0.0 && ["1", "2", "3"].contains(&cells[3]), "{line}");
    }
    assert_eq!(text.lines().count(), 401);
}

#[test]
fn wrong_requests_are_refused() {
    let folder = sheet();
    folder.file("same.csv", "1,2\n1,2\n1,2\n1,2\n1,2\n");
    folder.refuses("dimension --input same.csv --k 2", 1, &["different positive distances"]);
    let line = format!("dimension --input sheet.csv {READING}");
    folder.refuses(&format!("{line} --k 400"), 1, &["400"]);
    folder.refuses(&format!("{line} --per-point p.npy"), 2, &["--per-point p.npy", ".csv or .tsv"]);
    folder.refuses(&format!("{line} --per-point sheet.csv"), 2, &["is the input sheet.csv"]);
}
