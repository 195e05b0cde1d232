//! `align`.

use crate::temp_folder::TempFolder;

/// 50 points with names: rows 0 to 34 in `a.csv`; rows 15 to 49 in `b.csv`, in reversed order and with other columns;
/// rows 25 to 49 in `c.csv`.
fn folder() -> TempFolder {
    let folder = TempFolder::new();
    let number = |i: usize, step: usize| ((i * step) % 53) as f64 / 10.0 + ((i * i) % 7) as f64 / 9.0;
    let file = |name: &str, head: &str, steps: [usize; 4], rows: &mut dyn Iterator<Item = usize>| {
        let point = |i: usize| {
            let cells: Vec<String> = steps.iter().map(|step| number(i, *step).to_string()).collect();
            format!("r{i},{}\n", cells.join(","))
        };
        folder.file(name, format!("id,{head}\n") + &rows.map(point).collect::<String>());
    };
    file("a.csv", "u,v,w,x", [7, 12, 3, 18], &mut (0..35));
    file("b.csv", "x,y,v,u", [18, 5, 12, 7], &mut (15..50).rev());
    file("c.csv", "u,v,w,x", [7, 12, 3, 18], &mut (25..50));
    folder
}

const ALIGN: &str = "align --input a.csv b.csv --name-column id --output maps";

/// The lines of a file.
fn lines(folder: &TempFolder, name: &str) -> Vec<String> {
    String::from_utf8(folder.read(name)).unwrap().lines().map(str::to_owned).collect()
}

/// The name and the place of each row of a map.
fn map(folder: &TempFolder, name: &str) -> Vec<(String, [f64; 2])> {
    let place = |line: &String| {
        let cells: Vec<&str> = line.split(',').collect();
        (cells[0].to_owned(), [cells[1], cells[2]].map(|cell| cell.parse().unwrap()))
    };
    lines(folder, name)[1..].iter().map(place).collect()
}

/// The root of the mean squared distance between rows of one name in two maps, and the number of these rows.
fn apart(folder: &TempFolder, a: &str, b: &str) -> (f64, usize) {
    let b = map(folder, b);
    let gaps: Vec<f64> = map(folder, a)
        .iter()
        .filter_map(|(name, p)| Some((p, b.iter().find(|row| row.0 == *name)?.1)))
        .map(|(p, q)| (p[0] - q[0]).powi(2) + (p[1] - q[1]).powi(2))
        .collect();
    ((gaps.iter().sum::<f64>() / gaps.len() as f64).sqrt(), gaps.len())
}

/// What the program says on standard error.
fn said(folder: &TempFolder, line: &str) -> String {
    let command = folder.command(line).assert().success();
    String::from_utf8(command.get_output().stderr.clone()).unwrap()
}

/// Rows of one name are nearer in aligned maps than in maps of separate fits, at any order of rows and columns.
#[test]
fn rows_of_one_name_are_near() {
    let folder = folder();
    for (method, set, closer) in [
        ("umap", "--set epochs=50", 0.5),
        ("tsne", "--set perplexity=5", 0.5),
        ("pacmap", "", 0.5),
        ("smacof", "", 0.5),
        ("isomap", "", 0.99),
        ("lle", "", 0.99),
        ("pca", "", 0.99),
    ] {
        let notes = said(&folder, &format!("{ALIGN} --method {method} {set}"));
        assert!(notes.contains("a and b: 20 rows are related, "), "{method}: {notes}");
        for name in ["a", "b"] {
            folder.compare(&format!(
                "embed --method {method} {set} --input {name}.csv --name-column id --output {name}-alone.csv"
            ));
        }
        let names = |file: &str| {
            lines(&folder, file).iter().map(|l| l.split(',').next().unwrap().to_owned()).collect()
        };
        let (of_data, of_map): (Vec<String>, Vec<String>) = (names("b.csv"), names("maps/b.csv"));
        assert_eq!(of_map, of_data, "{method}");
        let (aligned, count) = apart(&folder, "maps/a.csv", "maps/b.csv");
        let (alone, _) = apart(&folder, "a-alone.csv", "b-alone.csv");
        assert_eq!(count, 20);
        assert!(aligned < closer * alone, "{method}: {aligned} and {alone}");
    }
}

/// Every model places the rows of its map there, and is updated by rows of its own columns.
#[test]
fn models_place_rows_and_are_updated() {
    let folder = folder();
    for (method, set) in [("umap", "--set epochs=50"), ("isomap", "")] {
        folder.compare(&format!("{ALIGN} --method {method} {set} --standardize --save models"));
        for name in ["a", "b"] {
            let model = format!("--model models/{name}.model --name-column id");
            folder.compare(&format!("transform {model} --input {name}.csv --output placed.csv"));
            let near = |p: [f64; 2], q: [f64; 2]| p.iter().zip(q).all(|(a, b)| (a - b).abs() < 1e-8);
            for (row, placed) in
                map(&folder, &format!("maps/{name}.csv")).iter().zip(map(&folder, "placed.csv"))
            {
                assert!(row.0 == placed.0 && near(row.1, placed.1), "{method}, {name}: {row:?}, {placed:?}");
            }
        }
        let more = String::from_utf8(folder.read("a.csv")).unwrap().replace('r', "s").replace("0.1", "0.3");
        folder.file("more.csv", more);
        folder
            .compare("update --model models/a.model --input more.csv --name-column id --output more-map.csv");
        assert_eq!(lines(&folder, "more-map.csv").len(), 71, "{method}");
    }
}

/// A larger pull draws rows of one name nearer; all pairs of sets are related where that is chosen.
#[test]
fn pull_and_relations_have_an_effect() {
    let folder = folder();
    let align = "align --method umap --set epochs=50 --input a.csv b.csv c.csv --name-column id";
    let gaps = |rest: &str| {
        folder.compare(&format!("{align} --output maps {rest}"));
        [("a", "b"), ("b", "c"), ("a", "c")]
            .map(|(a, b)| apart(&folder, &format!("maps/{a}.csv"), &format!("maps/{b}.csv")).0)
    };
    let (weak, middle, strong) = (gaps("--pull 0.01"), gaps("--pull 2"), gaps("--pull 1000"));
    assert_eq!(gaps(""), middle);
    for pair in 0..2 {
        assert!(weak[pair] > middle[pair] && middle[pair] > strong[pair], "{weak:?} {middle:?} {strong:?}");
    }
    assert_ne!(gaps("--relations all"), middle);
    let notes = said(&folder, &format!("{align} --output maps --relations all"));
    assert!(notes.contains("drawn to each other by a pull of 2"), "{notes}");
    assert!(notes.contains("a and b: 20 rows") && notes.contains("b and c: 25 rows"), "{notes}");
}

#[test]
fn alignments_that_do_not_fit_are_refused() {
    let folder = folder();
    let text = String::from_utf8(folder.read("b.csv")).unwrap();
    folder.file("twice.csv", text.replace("r40", "r41"));
    folder.file("others.csv", text.replace('r', "s"));
    let mut few = text.replace('r', "s");
    few = few.replace("s20", "r20").replace("s21", "r21");
    folder.file("few.csv", few);
    folder.file("gap.csv", text.replace("\nr20,", "\nr20,,"));
    let align = |method: &str, rest: &str| format!("{ALIGN} --method {method} {rest}");
    let with = |file: &str, method: &str| align(method, "").replace("b.csv", file);
    folder.refuses(&align("umap", "").replace("b.csv", ""), 2, &["--input must name at least 2 files"]);
    folder.refuses(&align("umap", "").replace("--name-column id", ""), 2, &["--name-column"]);
    for method in ["sammon", "isomap"] {
        folder.refuses(
            &with("twice.csv", method),
            1,
            &["data set 2", "both named `r41`", "differ within a set"],
        );
        folder.refuses(&with("others.csv", method), 1, &["data set 2 must share at least 1", "shares 0"]);
        folder.refuses(&with("few.csv", method), 1, &["data set 2 must share at least 3", "shares 2"]);
    }
    folder.refuses(&with("gap.csv", "umap"), 1, &["gap.csv"]);
    for wrong in ["-1", "0", "inf", "nan", "much"] {
        folder.refuses(&align("umap", &format!("--pull={wrong}")), 2, &["--pull", "a number above 0"]);
    }
    folder.refuses(&align("isomap", "--pull 1"), 2, &["maps of isomap are rotated", "leave --pull out"]);
    folder.refuses(&align("umap", "--relations some"), 2, &["neighboring", "all"]);
    folder.refuses(&align("umap", "--set given=distances"), 2, &["`align` needs points"]);
    folder.refuses(&align("umap", "").replace("maps", "."), 2, &["is the input a.csv"]);
    folder.refuses(
        &align("umap", "").replace("maps", "a.csv"),
        1,
        &["a.csv", "is a file where a folder must be"],
    );
    folder.refuses(&align("umap", "--save a.csv/models"), 1, &["a.csv", "is a file where a folder must be"]);
    folder.refuses(&align("umap", "--k 90"), 1, &["k must be"]);
    assert!(!folder.path("maps").exists());
}

/// Files of one name in different folders have maps of different names; the same input gives the same bytes.
#[test]
fn maps_have_names_of_their_own() {
    let folder = folder();
    std::fs::create_dir(folder.path("week")).unwrap();
    folder.file("week/a.csv", folder.read("c.csv"));
    let align = "align --method smacof --input a.csv week/a.csv --name-column id --output maps/of/a";
    folder.compare(align);
    let maps = ["maps/of/a/a.csv", "maps/of/a/a-2.csv"].map(|map| folder.read(map));
    assert_eq!(lines(&folder, "maps/of/a/a-2.csv").len(), 26);
    folder.compare(&format!("{align} --threads 1"));
    assert_eq!(["maps/of/a/a.csv", "maps/of/a/a-2.csv"].map(|map| folder.read(map)), maps);
}

/// The film has every row once, with its class, and a page of another kind is refused before the fit.
#[test]
fn a_film_shows_all_maps() {
    let folder = folder();
    let teams = |name: &str| {
        let rows = lines(&folder, name);
        let cells = rows[1..].iter().enumerate().map(|(i, row)| format!("{row},t{}\n", i % 3));
        format!("{},team\n", rows[0]) + &cells.collect::<String>()
    };
    for name in ["a.csv", "b.csv"] {
        let text = teams(name);
        folder.file(name, text);
    }
    folder.compare(&format!("{ALIGN} --method pca --film film.html --label-column team"));
    let page = String::from_utf8(folder.read("film.html")).unwrap();
    let (_, rest) = page.split_once("id=\"maps\">").unwrap();
    let maps: serde_json::Value = serde_json::from_str(rest.split_once('<').unwrap().0).unwrap();
    assert_eq!(maps["sets"], serde_json::json!(["a", "b"]));
    assert_eq!(maps["names"], serde_json::json!(["t0", "t1", "t2"]));
    assert_eq!(maps["rows"].as_array().unwrap().len(), 50);
    let placed = |set: usize| maps["places"][set].as_array().unwrap().iter().filter(|p| !p.is_null()).count();
    assert_eq!([placed(0), placed(1)], [35, 35]);
    assert!(maps["classes"].as_array().unwrap().iter().all(serde_json::Value::is_u64), "{}", maps["classes"]);
    folder.refuses(&format!("{ALIGN} --method pca --film film.png"), 2, &["must end in .html"]);
    folder.refuses(&format!("{ALIGN} --method pca --film none/film.html"), 1, &["--film", "none"]);
}
