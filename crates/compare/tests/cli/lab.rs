//! The page in which methods run live.

use std::io::Read;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use serde_json::Value;

use crate::temp_folder::TempFolder;

/// What a page carries under an identifier.
fn carried(folder: &TempFolder, page: &str, id: &str) -> String {
    content(&String::from_utf8(folder.read(page)).unwrap(), id)
}

/// The data that the lab in a report carries.
fn carried_by_report(folder: &TempFolder, report: &str) -> Value {
    let lab: String = serde_json::from_str(&carried(folder, report, "lab")).unwrap();
    serde_json::from_str(&content(&lab, "data")).unwrap()
}

fn content(html: &str, id: &str) -> String {
    let start = html.find(&format!("id=\"{id}\">")).unwrap() + id.len() + 6;
    html[start..start + html[start..].find("</script>").unwrap()].to_owned()
}

fn unpacked(base64: &str) -> Vec<u8> {
    let bytes = STANDARD.decode(base64).unwrap();
    let mut whole = Vec::new();
    GzDecoder::new(&bytes[..]).read_to_end(&mut whole).unwrap();
    whole
}

#[test]
fn a_page_without_data_carries_the_engine_and_says_where_it_is() {
    let folder = TempFolder::new();
    let output =
        folder.command("lab --out p.html --k 7 --methods PCA,lle").assert().success().get_output().clone();
    assert!(output.stdout.is_empty());
    assert_eq!(String::from_utf8(output.stderr).unwrap().lines().last(), Some("wrote p.html"));
    let engine = STANDARD.decode(carried(&folder, "p.html", "engine")).unwrap();
    assert_eq!(engine, include_bytes!("../../../../web/engine.wasm.xz"));
    let data: Value = serde_json::from_str(&carried(&folder, "p.html", "data")).unwrap();
    assert_eq!(data["start"], serde_json::json!({"k": 7, "methods": ["pca", "lle"]}));
    let names = |data: &Value| -> Vec<Value> {
        data["datasets"].as_array().unwrap().iter().map(|set| set["name"].clone()).collect()
    };
    assert_eq!(names(&data), ["digits", "mnist"]);
    assert_eq!(data["datasets"][0]["file"], Value::Null);
    // Pixels of one byte, not of eight.
    assert_eq!(unpacked(data["datasets"][0]["points"]["u8"].as_str().unwrap()).len(), 1797 * 64);
    folder.compare("lab --dataset fashion");
    let data: Value = serde_json::from_str(&carried(&folder, "lab.html", "data")).unwrap();
    assert_eq!((names(&data).len(), &data["start"]["data"]), (3, &"fashion".into()));
}

#[test]
fn a_page_with_files_carries_their_points_classes_and_pictures() {
    let folder = TempFolder::new();
    let line = |i: usize| format!("{i},{}.25,{}\n", i * i, ["plain", "</script>"][i % 2]);
    folder.file("<b>.csv", "a,b,kind\n".to_owned() + &(0..30).map(line).collect::<String>());
    folder.compare("dataset digits --n 40 --output digits.npy");
    std::fs::create_dir(folder.path("pictures")).unwrap();
    for i in 0..30_u8 {
        let color = image::Luma([7 * i]);
        image::GrayImage::from_pixel(3, 2, color).save(folder.path(&format!("pictures/{i:02}.png"))).unwrap();
    }
    folder.compare("lab --input <b>.csv --label-column kind --images pictures");
    let data: Value = serde_json::from_str(&carried(&folder, "lab.html", "data")).unwrap();
    let set = &data["datasets"][0];
    assert_eq!((&set["file"], &set["columns"], &set["truth"]), (&"<b>.csv".into(), &2.into(), &Value::Null));
    assert_eq!(set["column_names"], serde_json::json!(["a", "b"]));
    assert_eq!(set["labels"][0]["classes"], serde_json::json!(["plain", "</script>"]));
    let points: Vec<f64> = unpacked(set["points"]["f64"].as_str().unwrap())
        .chunks(8)
        .map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap()))
        .collect();
    assert_eq!((points.len(), &points[6..8]), (60, &[3.0, 9.25][..]));
    assert_eq!(unpacked(set["labels"][0]["values"]["u32"].as_str().unwrap())[..8], [0, 0, 0, 0, 1, 0, 0, 0]);
    let pixels = unpacked(set["pixels"]["u8"].as_str().unwrap());
    assert_eq!((pixels.len(), pixels[6 * 29]), (6 * 30, 7 * 29));
    // Several files, each a sample of its rows.
    folder.compare("lab --input digits.npy digits.npy --n 25 --out two.html");
    let data: Value = serde_json::from_str(&carried(&folder, "two.html", "data")).unwrap();
    assert_eq!(data["datasets"][1]["name"], "digits-2");
    assert_eq!(unpacked(data["datasets"][1]["points"]["u8"].as_str().unwrap()).len(), 25 * 64);
}

#[test]
fn a_sample_of_a_long_file_is_told() {
    let folder = TempFolder::new();
    let rows = |n: i32| (0..n).map(|i| format!("{i}.5,{}\n", i * 7 % 11)).collect::<String>();
    folder.file("long.csv", rows(2500)).file("short.csv", rows(2000));
    let told = |line: &str| {
        let output = folder.command(line).assert().success().get_output().clone();
        String::from_utf8(output.stderr).unwrap()
    };
    let said = told("lab --input long.csv short.csv");
    let note = "note: long.csv: the page shows a sample of 2,000 of its 2,500 rows at first; --n, or n in the page, \
                changes their number";
    assert!(said.lines().any(|line| line == note) && !said.contains("short.csv: the page"), "{said}");
    // The page contains the given number of rows, and shows them all.
    assert!(!told("lab --input long.csv --n 2400").contains("sample"));
    let sources = include_str!("../../../../web/page/src/engine/sources.ts");
    assert!(sources.contains("const USUAL_ROWS = 2000;"), "the page takes other samples");
}

#[test]
fn a_report_carries_the_lab_with_its_data_and_links_to_it() {
    let folder = TempFolder::new();
    let line = |i: usize| format!("{},{},{}\n", (i as f64).sin(), (i as f64).cos(), i);
    folder.file(
        "my points.csv",
        "cos,sin,\"length, in m\"\n".to_owned() + &(0..40).map(line).collect::<String>(),
    );
    let mut command = folder.command("run --methods pca,lle --k 6 --out o --input");
    command.arg("my points.csv").assert().success();
    let report = String::from_utf8(folder.read("o/report.html")).unwrap();
    assert!(
        report.contains("href=\"#data=own%3Amy-points&amp;n=40&amp;seed=0&amp;k=6&amp;methods=pca,lle\"")
    );
    let data = carried_by_report(&folder, "o/report.html");
    assert_eq!(data["report"], true);
    assert_eq!(data["datasets"][0]["file"], "my points.csv");
    assert_eq!(data["datasets"][0]["column_names"], serde_json::json!(["cos", "sin", "length, in m"]));
    assert_eq!(data["start"], serde_json::json!({"seed": 0, "methods": ["pca", "lle"]}));
    folder.compare("run --datasets swiss-roll,digits --n 60 --methods pca --out p");
    let data = carried_by_report(&folder, "p/report.html");
    assert_eq!((&data["datasets"][0]["name"], &data["datasets"][1]), (&"digits".into(), &Value::Null));
    assert_eq!(data["start"]["data"], "swiss-roll");
}

#[test]
fn what_a_page_cannot_be_made_of_is_refused() {
    let folder = TempFolder::new();
    folder.file("x.csv", "1,2\n3,4\n");
    folder.refuses("lab --standardize", 2, &["need --input"]);
    folder.refuses("lab --dataset swiss-rol", 2, &["swiss-roll"]);
    folder.refuses("lab --dataset digits --input x.csv", 2, &["--dataset", "--input"]);
    folder.refuses("lab --methods pca,lll", 2, &["lll"]);
    folder.refuses("lab --input x.csv --out x.csv", 2, &["--out", "x.csv", "destroyed"]);
    folder.refuses("lab --input absent.csv", 1, &["absent.csv"]);
    folder.refuses("lab --out nowhere/lab.html", 1, &["nowhere"]);
    folder.refuses("lab --out lab.txt", 2, &["--out lab.txt", "must end in .html or .htm"]);
    folder.refuses("lab --n 50001", 2, &["--n 50,001: a page takes at most 50,000 points"]);
    folder.refuses("lab --components bridge", 2, &["among the parameters of each method"]);
    assert!(!folder.compare("lab --help").contains("--components"));
    folder.refuses(
        "lab --input x.csv x.csv --labels x.csv",
        2,
        &["--labels must name one for each of 2 inputs"],
    );
}
