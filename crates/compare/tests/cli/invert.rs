//! `compare invert`: places of a map back to data.

use serde_json::Value;

use crate::temp_folder::TempFolder;

fn rows(text: &[u8]) -> Vec<Vec<f64>> {
    let text = std::str::from_utf8(text).unwrap();
    text.lines().map(|line| line.split(',').map(|word| word.parse().unwrap()).collect()).collect()
}

/// A sheet of 20 × 20 points in space, x = (u, v, u − 2v), and its map (u, v).
fn sheet(folder: &TempFolder) {
    let uv = |i: u32| (f64::from(i % 20) / 19.0, f64::from(i / 20) / 19.0);
    let line = |words: &[f64]| words.iter().map(f64::to_string).collect::<Vec<_>>().join(",") + "\n";
    let x: String = (0..400).map(uv).map(|(u, v)| line(&[u, v, u - 2.0 * v])).collect();
    let y: String = (0..400).map(uv).map(|(u, v)| line(&[u, v])).collect();
    folder.file("x.csv", x).file("y.csv", y);
}

#[test]
fn an_affine_sheet_decodes_exactly_with_the_error_of_that() {
    let folder = TempFolder::new();
    sheet(&folder);
    folder.file("p.csv", "0.31,0.52\n0.77,0.11\n");
    let known = [[0.31, 0.52, -0.73], [0.77, 0.11, 0.55]];
    for (inverse, near, error) in
        [("barycentric --reg 1e-9", 1e-6, 1e-6), ("kernel-ridge --ridge 1e-6 --width 4", 1e-3, 0.02)]
    {
        folder.compare(&format!(
            "invert --input x.csv --embedding y.csv --places p.csv --inverse {inverse} --output d.csv --report r.json"
        ));
        for (found, known) in rows(&folder.read("d.csv")).iter().zip(&known) {
            assert!(found.iter().zip(known).all(|(a, b)| (a - b).abs() < near), "{inverse}: {found:?}");
        }
        let report = folder.json("r.json");
        let left_out = &report["left_out"];
        assert!(left_out["relative"].as_f64().unwrap() < error, "{left_out}");
        assert_eq!(left_out["folds"].as_array().unwrap().len(), 5);
        assert_eq!(
            (&report["n"], &report["D"], &report["dim"], &report["far"]),
            (&400.into(), &3.into(), &2.into(), &Value::Array(Vec::new()))
        );
    }
    // Points of the map have their own data.
    folder.compare("invert --input x.csv --embedding y.csv --places y.csv --output d.csv");
    assert_eq!(rows(&folder.read("d.csv")), rows(&folder.read("x.csv")));
}

/// Two sheets far apart: the cells between them are left out, and `--decoded-places` lists the
/// others.
#[test]
fn cells_far_from_the_map_are_left_out() {
    let folder = TempFolder::new();
    sheet(&folder);
    let twice = |name: &str, shift: f64| {
        let text = String::from_utf8(folder.read(name)).unwrap();
        let moved = |line: &str| {
            let (first, others) = line.split_once(',').unwrap();
            format!("{},{others}\n", first.parse::<f64>().unwrap() + shift)
        };
        let second: String = text.lines().map(moved).collect();
        text + &second
    };
    folder.file("x2.csv", twice("x.csv", 9.0)).file("y2.csv", twice("y.csv", 9.0));
    let line = "invert --input x2.csv --embedding y2.csv --grid 4x20 --decoded-places p.csv --output d.csv --report r.json";
    folder.compare(line);
    let (places, decoded) = (rows(&folder.read("p.csv")), rows(&folder.read("d.csv")));
    // Cells are half as wide as a sheet: two columns of each sheet, and between them only the right
    // edge of the first sheet, with which a column begins: their points are decoded.
    assert_eq!((places.len(), decoded.len()), (20, 20));
    assert_eq!(places.iter().filter(|p| p[0] == 1.0).count(), 4);
    for (p, x) in places.iter().zip(&decoded) {
        assert!(p[0] <= 1.0 || p[0] > 9.0, "{p:?}");
        assert!((x[0] - p[0]).abs() < 0.01 && (x[1] - p[1]).abs() < 0.01, "{p:?} {x:?}");
    }
    let report = folder.json("r.json");
    assert_eq!((&report["places"], &report["decoded"]), (&80.into(), &20.into()));
    assert_eq!(report["far"].as_array().unwrap().len(), 60);
    let first = folder.read("d.csv");
    folder.compare(&format!("--threads 1 {line}"));
    assert_eq!(first, folder.read("d.csv"));
}

/// A saved linear map is inverted without its data, in their units: its image of a decoded point
/// is the place again.
#[test]
fn a_saved_linear_map_is_inverted_alone() {
    let folder = TempFolder::new();
    folder.compare("dataset swiss-roll --n 150 --output x.csv");
    folder.file("p.csv", "0.5,-0.25\n-1,1\n");
    for standardize in ["", "--standardize"] {
        folder.compare(&format!("embed --method pca --input x.csv --output y.csv --save m {standardize}"));
        folder.compare("invert --model m --input p.csv --output d.csv");
        folder.compare("transform --model m --input d.csv --output again.csv");
        for (a, b) in rows(&folder.read("again.csv")).iter().zip(rows(&folder.read("p.csv"))) {
            assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9), "{standardize}: {a:?}");
        }
    }
    // With data it has the other inverses, too, and every other model has these alone.
    folder.compare("invert --model m --input x.csv --grid 5x5 --output d.csv");
    folder.compare("embed --method isomap --k 8 --input x.csv --output y.csv --save isomap.model");
    folder.compare("invert --model isomap.model --input x.csv --places y.csv --output d.csv");
    assert_eq!(rows(&folder.read("d.csv")), rows(&folder.read("x.csv")));
    folder.refuses(
        "invert --model isomap.model --input p.csv --output d.csv",
        2,
        &["isomap", "no linear map", "--input"],
    );
}

#[test]
fn decoded_digits_are_drawn_and_better_than_the_mean_of_their_class() {
    let folder = TempFolder::new();
    folder.compare("dataset digits --output x.npy --n 900");
    folder.compare("embed --method umap --input x.npy --output y.npy --seed 1");
    let line = "invert --dataset digits --n 900 --embedding y.npy --grid 12x12 --output d.npy --plot map.svg --report r.json";
    folder.compare(line);
    let svg = String::from_utf8(folder.read("map.svg")).unwrap();
    let decoded = folder.json("r.json")["decoded"].as_u64().unwrap() as usize;
    assert!(decoded > 5 && svg.matches("<image").count() == decoded, "{decoded}");
    // The root mean square distance to the mean of the class is 0.766 of the spread.
    let relative = folder.json("r.json")["left_out"]["relative"].as_f64().unwrap();
    assert!((0.2..0.7).contains(&relative), "{relative}");
    let png = line.replace("svg", "png");
    folder.compare(&png);
    assert!(folder.read("map.png").starts_with(&[0x89, b'P', b'N', b'G']));
}

/// The number of neighbors that decides which places are far from the map is at most the map's size.
#[test]
fn a_map_of_few_points_decodes() {
    let folder = TempFolder::new();
    folder.file("x.csv", "0,0,0\n1,0,2\n0,1,3\n1,1,5\n0.5,0.5,2.5\n0.2,0.9,3.1\n");
    folder.file("y.csv", "0,0\n1,0\n0,1\n1,1\n0.5,0.5\n0.2,0.9\n").file("p.csv", "0.4,0.4\n40,40\n");
    folder.compare("embed --method pca --input x.csv --output z.csv --save m");
    for inverse in [
        "--model m --inverse linear",
        "--embedding y.csv --inverse kernel-ridge",
        "--embedding y.csv --inverse barycentric",
    ] {
        let line = format!("invert --input x.csv --places p.csv {inverse} --output d.csv --report r.json");
        let output = folder.command(&line).assert().success().get_output().clone();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("5 of them, not 10, determine whether a place is far"), "{inverse}: {said}");
        assert_eq!(folder.json("r.json")["far"], serde_json::json!([1]), "{inverse}");
    }
}

#[test]
fn invalid_use_says_what_to_give() {
    let folder = TempFolder::new();
    sheet(&folder);
    folder.file("short.csv", "1,2\n3,4\n").file("three.csv", "1,2,3\n").file("p.csv", "0.5,0.5\n");
    folder.compare("embed --method pca --input x.csv --output z.csv --save m");
    let start = "invert --input x.csv --output d.csv";
    folder.refuses(&format!("{start} --embedding y.csv"), 2, &["--places", "--grid"]);
    folder.refuses(start, 2, &["--embedding"]);
    folder.refuses("invert --embedding y.csv --grid 2x2 --output d.csv", 2, &["--input", "--dataset"]);
    folder.refuses("invert --model m --grid 2x2 --inverse barycentric --output d.csv", 2, &["--input"]);
    folder.refuses(&format!("{start} --embedding y.csv --places p.csv --inverse linear"), 2, &["--model"]);
    // Of a model alone --input are the places, and there are no data.
    for alone in
        ["--input p.csv --inverse barycentric", "--input p.csv --inverse kernel-ridge", "--dataset digits"]
    {
        let said =
            folder.refuses(&format!("invert --model m {alone} --output d.csv"), 2, &["--places or --grid"]);
        assert!(said.contains("so that --input (or --dataset) are the data"), "{alone}: {said}");
    }
    folder.refuses(&format!("{start} --embedding y.csv --grid 0x3"), 2, &["20x20"]);
    folder.refuses(&format!("{start} --embedding y.csv --grid 3x3 --reach=-1"), 2, &["above 0"]);
    folder.refuses(&format!("{start} --embedding short.csv --grid 3x3"), 1, &["400", "2"]);
    folder.refuses(&format!("{start} --embedding x.csv --grid 3x3"), 1, &["columns", "2", "3"]);
    folder.refuses(&format!("{start} --embedding y.csv --places three.csv"), 1, &["columns", "2", "3"]);
    folder.refuses(
        &format!("{start} --embedding y.csv --places p.csv --folds 401"),
        1,
        &["folds", "2 to 400"],
    );
    folder.refuses(&format!("{start} --embedding y.csv --grid 3x3 --plot p.png"), 2, &["--plot", "pictures"]);
    folder.refuses(&format!("{start} --embedding y.csv --grid 3x3 --standardize"), 2, &["--standardize"]);
    folder.refuses("invert --input x.csv --embedding y.csv --grid 3x3 --output y.csv", 2, &["destroyed"]);
}

#[test]
fn a_grid_that_exceeds_memory_is_refused_before_it_is_made() {
    let folder = TempFolder::new();
    sheet(&folder);
    let grid = |size: &str| format!("invert --input x.csv --embedding y.csv --grid {size} --output d.csv");
    for size in ["100000x100000", "9999999999x9999999999", "4294967296x4294967296"] {
        folder.refuses(&grid(size), 2, &["must have at most 4294967295 cells"]);
    }
    let limited = format!("--memory-limit 100MB {}", grid("2000x2000"));
    folder.refuses(&limited, 1, &["a grid of 2000 × 2000", "100.0 MB", "--grid"]);
    folder.refuses(&format!("--memory-limit 20MB {}", grid("200x200 --k 300")), 1, &["40000 places", "--k"]);
    // The rows of 300,000 places have 64 columns each.
    folder.compare("dataset digits --n 300 --output wide.npy");
    folder.compare("embed --method pca --input wide.npy --output map.npy --save model");
    let wide = "invert --input wide.npy --grid 600x500 --reach 1e9 --output d.npy";
    for by in ["--embedding map.npy", "--model model --inverse linear"] {
        folder.refuses(
            &format!("--memory-limit 280MB {wide} {by}"),
            1,
            &["the decoded rows", "307.2 MB", "fewer places"],
        );
    }
}

/// Columns of the data are matched with the columns of the model by name, as for `transform`.
#[test]
fn data_of_a_model_have_its_columns() {
    let folder = TempFolder::new();
    let rows: Vec<[f64; 3]> =
        (0..60).map(|i| [f64::from(i % 8), f64::from(i / 8) * 3.0, f64::from(i * i % 11)]).collect();
    let table = |header: &str, line: &dyn Fn(usize, &[f64; 3]) -> String| {
        let lines = rows.iter().enumerate().map(|(i, row)| line(i, row) + "\n");
        format!("{header}\n{}", lines.collect::<String>())
    };
    folder.file("x.csv", table("a,b,c", &|_, [a, b, c]| format!("{a},{b},{c}")));
    folder.file("swapped.csv", table("c,a,b", &|_, [a, b, c]| format!("{c},{a},{b}")));
    folder.file("more.csv", table("id,a,b,c,kind", &|i, [a, b, c]| format!("{i},{a},{b},{c},k{}", i % 2)));
    folder.file("other.csv", table("a,b,d", &|_, [a, b, c]| format!("{a},{b},{c}")));
    folder.compare("embed --method pca --input x.csv --output y.csv --save m");
    let invert = |input: &str| format!("invert --model m --input {input} --grid 4x4 --output d.csv");
    folder.compare(&invert("x.csv"));
    let known = folder.read("d.csv");
    for input in ["swapped.csv", "more.csv --label-column kind"] {
        folder.compare(&invert(input));
        assert_eq!(folder.read("d.csv"), known, "{input}");
    }
    folder.refuses(&invert("other.csv"), 1, &["other.csv", "`d`, not `c`", "columns of the model"]);
}
