//! `--target-column`: a continuous target that supervises a map.

use crate::temp_folder::TempFolder;

const FIT: &str = "embed --method umap --k 8 --set epochs=60";
const TARGET: &str = "--target-column yield --set target-weight=0.5";

/// Rows of three coordinates and a target between them, with a gap in every tenth row.
fn table() -> String {
    let wave = |i: usize, f: f64| (f * i as f64).sin();
    let row = |i: usize| {
        let target =
            if i % 10 == 9 { String::new() } else { (wave(i, 0.7) + 0.1 * wave(i, 1.3)).to_string() };
        format!("{},{},{target},{}\n", wave(i, 0.7), wave(i, 1.3), wave(i, 2.1))
    };
    format!("a,b,yield,c\n{}", (0..120).map(row).collect::<String>())
}

fn prepared() -> TempFolder {
    let folder = TempFolder::new();
    let table = table();
    let without = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        format!("{},{},{}\n", cells[0], cells[1], cells[3])
    };
    folder.file("without.csv", table.lines().map(without).collect::<String>());
    folder.file("rows.csv", table);
    folder
}

/// The column supervises the map and is no coordinate: with weight 0 it changes nothing.
#[test]
fn a_column_supervises_the_map() {
    let folder = prepared();
    let said = |arguments: &str| {
        let output = folder.command(&format!("{FIT} {arguments}")).assert().success().get_output().clone();
        String::from_utf8(output.stderr).unwrap()
    };
    said("--input without.csv --output free.npy");
    said("--input rows.csv --target-column yield --set target-weight=0 --output zero.npy");
    assert_eq!(folder.read("free.npy"), folder.read("zero.npy"));
    said(&format!("--input rows.csv {TARGET} --output half.npy --save half.model"));
    assert!(folder.read("half.npy") != folder.read("free.npy"));
    said(&format!("--input rows.csv {TARGET} --set target-neighbors=3 --output few.npy"));
    assert!(folder.read("few.npy") != folder.read("half.npy"));
    said("--input rows.csv --target-column 2 --set target-weight=0.5 --output number.npy --plot map.svg");
    assert_eq!(folder.read("number.npy"), folder.read("half.npy"));
    let drawing = String::from_utf8(folder.read("map.svg")).unwrap();
    assert!(drawing.contains("color: yield"), "the picture is colored by the target");
    // New rows need no target.
    folder.compare("transform --model half.model --input without.csv --output placed.npy");
    said(&format!("--input rows.csv {TARGET} --fit-on 80 --output sample.npy"));
    folder.file("labels.csv", (0..120).map(|i| format!("{}\n", i % 2)).collect::<String>());
    let labeled = said(&format!("--input rows.csv --labels labels.csv {TARGET} --output labeled.npy"));
    assert!(!labeled.contains("labels do not change the map"));
    assert_eq!(
        folder.read("labeled.npy"),
        folder.read("half.npy"),
        "labels do not supervise next to a target"
    );
}

#[test]
fn a_target_without_effect_is_refused() {
    let folder = prepared();
    let refuses = |arguments: &str, status, parts: &[&str]| {
        folder.refuses(&format!("{arguments} --output y.npy"), status, parts);
    };
    let of = |method: &str| format!("embed --method {method} --input rows.csv --target-column yield");
    refuses(&of("pca"), 2, &["--target-column needs a method", "pca", "umap", "densmap"]);
    refuses(&of("umap"), 2, &["without a weight", "--set target-weight=0.2"]);
    refuses(
        &format!("{FIT} --input without.csv --set target-weight=0.5"),
        1,
        &["a target weight needs labels"],
    );
    let column =
        |name: &str| format!("{FIT} --input rows.csv --target-column {name} --set target-weight=0.5");
    refuses(&column("yeild"), 1, &["--target-column yeild", "`yield`"]);
    folder.file("flat.csv", "a,b,t\n".to_owned() + &"1,2,5\n2,1,5\n3,5,5\n4,3,5\n".repeat(3));
    let flat = "embed --method umap --k 2 --input flat.csv --target-column t --set target-weight=0.5";
    refuses(flat, 1, &["12 known values of the target are all equal"]);
    refuses(
        &format!("{} --set target-neighbors=500", column("yield")),
        1,
        &["target-neighbors must be 1 to 107"],
    );
}
