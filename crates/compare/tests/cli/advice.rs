//! What is advised can be done, and numbers are written for readers.

use crate::temp_folder::TempFolder;

/// Twenty points on a spiral, the third coordinate in the thousands.
fn prepared() -> TempFolder {
    let folder = TempFolder::new();
    let row = |i: usize| {
        let t = i as f64 / 3.0;
        format!("{},{},{}\n", t * t.cos(), t * t.sin(), 1000 * ((7 * i) % 20))
    };
    folder.file("x.csv", (0..20).map(row).collect::<String>());
    folder
}

fn said(folder: &TempFolder, line: &str) -> String {
    String::from_utf8(folder.command(line).assert().success().get_output().stderr.clone()).unwrap()
}

#[test]
fn options_of_reading_are_not_advised_for_an_embedding() {
    let folder = prepared();
    let rows = |last: &str| "a,b\n".to_owned() + &"0.5,1\n1.5,2\n".repeat(9) + "1.5,3\n" + last;
    folder.file("missing.csv", rows("2.5,\n")).file("named.csv", rows("2.5,x\n"));
    for name in ["missing.csv", "named.csv"] {
        let line = format!("measure --input x.csv --k 5 --embedding {name} --missing drop");
        let said = folder.refuses(&line, 1, &[name, "options of reading act on --input only"]);
        assert!(!said.contains("--missing") && !said.contains("--label-column"), "{said}");
    }
}

#[test]
fn a_column_of_whole_numbers_in_an_embedding_is_told() {
    let folder = prepared();
    folder.file("y.csv", (0..20).map(|i| format!("{i}.5,{}.25,{}\n", i * i, i % 3)).collect::<String>());
    let told = said(&folder, "measure --input x.csv --k 5 --embedding y.csv");
    for part in ["all 3 columns are measured", "column 2 (counted from 0) has whole numbers only", "--labels"]
    {
        assert!(told.contains(part), "{told}");
    }
    folder.compare("embed --method pca --input x.csv --output z.csv");
    let told = said(&folder, "measure --input x.csv --k 5 --embedding z.csv");
    assert!(!told.contains("measured as coordinates"), "{told}");
}

#[test]
fn transform_and_invert_offer_no_option_that_they_refuse() {
    let folder = prepared();
    for command in ["transform", "invert"] {
        assert!(!folder.compare(&format!("{command} --help")).contains("--standardize"), "{command}");
        assert!(folder.compare(&format!("{command} --help")).contains("--missing"), "{command}");
    }
    assert!(folder.compare("embed --help").contains("--standardize"));
    folder.compare("embed --method pca --input x.csv --output y.csv --save m");
    folder.file("new.csv", "1,2,3\n1,,3\n");
    let line = "transform --model m --input new.csv --output z.csv";
    let refused = folder.refuses(line, 1, &["row 1", "--missing drop"]);
    assert!(!refused.contains("--missing mean"), "{refused}");
    folder.compare(&format!("{line} --missing drop"));
}

#[test]
fn notes_have_numbers_in_percent() {
    let folder = prepared();
    let told = said(&folder, "embed --method pca --input x.csv --output y.csv --save m");
    assert!(told.contains("of the map's radius from their places in the median"), "{told}");
    assert!(told.contains(" %") && !told.contains("e-") && !told.contains("e0"), "{told}");
    let told = said(&folder, "embed --method pca --input x.csv --output y.csv --fit-on 15");
    assert!(told.contains("% of the map's radius") && told.contains("nothing in common"), "{told}");
    assert!(!told.contains("e-"), "{told}");
}

/// The third column would be all of the error.
#[test]
fn errors_of_decoding_are_in_the_units_of_a_standardized_model() {
    let folder = prepared();
    let relative = |line: &str| {
        let told = said(&folder, &format!("{line} --output d.csv --report r.json"));
        let report = folder.json("r.json")["left_out"].clone();
        (report["relative"].as_f64().unwrap(), report["units"].clone(), told)
    };
    folder.compare("embed --method pca --standardize --input x.csv --output y.csv --save m");
    let (scaled, units, told) = relative("invert --model m --input x.csv --places y.csv");
    assert_eq!(units, "standardized columns");
    assert!(told.contains("divided by its standard deviation"), "{told}");
    let (raw, units, told) = relative("invert --embedding y.csv --input x.csv --places y.csv");
    assert_eq!(units, "data");
    assert!(!told.contains("deviation") && (scaled - raw).abs() > 0.01, "{told} {scaled} {raw}");
    // The same data in other units of a column have the same error.
    let row = |line: &str| {
        let (before, last) = line.rsplit_once(',').unwrap();
        format!("{before},{last}00\n")
    };
    let text = String::from_utf8(folder.read("x.csv")).unwrap();
    folder.file("x.csv", text.lines().map(row).collect::<String>());
    folder.compare("embed --method pca --standardize --input x.csv --output y.csv --save m");
    let (again, ..) = relative("invert --model m --input x.csv --places y.csv");
    assert!((again - scaled).abs() < 1e-9, "{again} {scaled}");
}

#[test]
fn the_option_of_an_advice_is_named() {
    let folder = prepared();
    let embed = "embed --input x.csv --output y.csv --method";
    folder.refuses(&format!("{embed} lda"), 1, &["--labels or --label-column"]);
    folder.file("two.csv", (0..16).map(|i| format!("{},{i}\n", 100 * (i % 2))).collect::<String>());
    let apart = "embed --input two.csv --output y.csv --method isomap --k 3";
    folder.refuses(apart, 1, &["bridge, largest or per-component; set the policy by --components"]);
    folder.file("few.csv", "1,2\n3,4.5\n2,7\n");
    let few = "embed --input few.csv --output y.csv --method";
    for (words, option) in [
        ("isomap", "is 10; set it by --k"),
        ("tsne", "is 30; set it by --set perplexity=VALUE"),
        ("pca --dim 3", "is 3; set it by --dim"),
    ] {
        folder.refuses(&format!("{few} {words}"), 1, &["(here 1 to 2)", option]);
    }
    let small = "--memory-limit 1kB embed --input x.csv --output y.csv --method";
    folder.refuses(
        &format!("{small} isomap --k 3"),
        1,
        &["allow more memory; set the limit by --memory-limit"],
    );
    folder.file("labels.csv", "species\n".to_owned() + &"a\nb\n".repeat(11));
    folder.refuses(&format!("{embed} lda --labels labels.csv"), 1, &["there are 23", "--header yes"]);
}

#[test]
fn pictures_of_several_sizes_name_the_option_that_resizes_them() {
    let folder = prepared();
    std::fs::create_dir(folder.path("pictures")).unwrap();
    folder.compare("embed --method pca --input x.csv --output y.csv --plot pictures/a.png");
    folder.compare("embed --method pca --input x.csv --output y.csv --plot b.png --title A");
    std::fs::copy(folder.path("b.png"), folder.path("pictures/b.png")).unwrap();
    folder.file("l.csv", "a\nb\n".repeat(10));
    folder.compare("embed --method pca --input x.csv --labels l.csv --output y.csv --plot c.png");
    std::fs::copy(folder.path("c.png"), folder.path("pictures/c.png")).unwrap();
    folder.refuses("embed --method pca --input pictures --output y.csv", 1, &["--image-size HEIGHTxWIDTH"]);
}
