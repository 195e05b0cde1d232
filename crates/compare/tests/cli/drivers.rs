//! `compare drivers`: which columns drive a map.

use crate::temp_folder::TempFolder;

/// A roll with names of columns and classes.
fn named_roll(folder: &TempFolder) {
    folder.compare("dataset swiss-roll --n 200 --output x.csv");
    let text = String::from_utf8(folder.read("x.csv")).unwrap();
    let named = text.lines().enumerate().map(|(row, line)| format!("p{row},{line},c{}\n", row % 2));
    folder.file("named.csv", format!("id,east,height,north,kind\n{}", named.collect::<String>()));
}

const COLUMNS: &str = "--name-column id --label-column kind";

/// Importances for every point, of plain, standardized and linear models; the summary names columns.
#[test]
fn columns_that_drive_a_map_are_named() {
    let folder = TempFolder::new();
    named_roll(&folder);
    for (method, scaling) in [("isomap", ""), ("isomap", "--standardize"), ("pca", "--standardize")] {
        folder.compare(&format!(
            "embed --method {method} --input named.csv {COLUMNS} {scaling} --output y.csv --save m"
        ));
        let drivers = format!("drivers --model m --input named.csv {COLUMNS} --output d.csv");
        let said = folder.compare(&drivers);
        for part in
            ["What drives the map of 200 points", "`height` moves a point by", "Axis 1 ", "class `c1`"]
        {
            assert!(said.contains(part), "{method} {scaling}: {said}");
        }
        let table = String::from_utf8(folder.read("d.csv")).unwrap();
        assert_eq!(table.lines().next().unwrap(), "row,id,certainty,east,height,north");
        assert_eq!(table.lines().count(), 201);
        for line in table.lines().skip(1) {
            let cells: Vec<f64> = line.split(',').skip(2).map(|cell| cell.parse().unwrap()).collect();
            assert!(cells.iter().all(|cell| cell.is_finite() && *cell >= 0.0), "{line}");
        }
        folder.compare(&format!("--threads 1 {drivers}"));
        assert_eq!(String::from_utf8(folder.read("d.csv")).unwrap(), table, "{method}: one thread");
        folder.compare(&format!("{drivers} --per-unit"));
        assert_ne!(String::from_utf8(folder.read("d.csv")).unwrap(), table, "{method}: another unit");
    }
    folder.refuses("drivers --model m --input x.csv --output d.npy", 2, &["--output d.npy", ".csv or .tsv"]);
}

/// The report finds neighborhoods by the metric of the run, as `drivers` by the metric of the model.
#[test]
fn the_metric_of_a_run_is_the_metric_of_its_drivers() {
    let folder = TempFolder::new();
    named_roll(&folder);
    let found = ["euclidean", "cosine"].map(|metric| {
        let run = format!(
            "run --input named.csv {COLUMNS} --methods isomap --k 8 --metric {metric} --out {metric}"
        );
        folder.compare(&run);
        let report = String::from_utf8(folder.read(&format!("{metric}/report.html"))).unwrap();
        let (_, section) = report.split_once("What drives the maps").unwrap();
        let embed = format!("embed --method isomap --k 8 --metric {metric} --input named.csv {COLUMNS}");
        folder.compare(&format!("{embed} --output y.csv --save m"));
        let told = folder.compare(&format!("drivers --model m --input named.csv {COLUMNS} --output d.csv"));
        let axis = told.lines().find(|line| line.starts_with("Axis 1 ")).unwrap();
        let (_, certainty) = told.split_once("has the median ").unwrap();
        let cell = format!("<td>{}</td>", certainty[..4].to_owned());
        assert!(section.contains(axis) && section.contains(&cell), "{metric}: {told}");
        cell
    });
    assert_ne!(found[0], found[1]);
}

/// The report has the columns that drive each axis, where columns have names; of linear maps without
/// regressions.
#[test]
fn a_report_of_named_columns_says_what_drives_its_maps() {
    let folder = TempFolder::new();
    named_roll(&folder);
    folder.compare(&format!("run --input named.csv {COLUMNS} --methods pca,isomap --k 8 --out r"));
    let report = String::from_utf8(folder.read("r/report.html")).unwrap();
    let (_, section) = report.split_once("What drives the maps").unwrap();
    assert!(section.contains("Axis 1 "));
    assert_eq!(section.matches("<td>exact</td>").count(), 1);
}
