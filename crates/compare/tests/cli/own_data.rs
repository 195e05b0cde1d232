//! The user's own files: read as they are meant, never overwritten.

use image::{GrayImage, Luma, Rgb, RgbImage};

use crate::temp_folder::{TempFolder, listing};

/// Sixty flowers of three kinds with a header, in three columns and a species.
fn flowers() -> String {
    let line = |i: usize| {
        let (x, kind) = (i as f64 / 10.0, ["plain", "twin", "double"][i % 3]);
        format!("{:.3},{:.3},{:.3},{kind}\n", x.sin() + (i % 3) as f64 * 0.4, x.cos(), x)
    };
    "length,width,height,species\n".to_owned() + &(0..60).map(line).collect::<String>()
}

fn said(folder: &TempFolder, line: &str) -> String {
    String::from_utf8(folder.command(line).assert().success().get_output().stderr.clone()).unwrap()
}

#[test]
fn a_run_on_a_file_writes_the_whole_report_with_its_classes_and_pictures() {
    let folder = TempFolder::new();
    folder.file("flowers.csv", flowers());
    std::fs::create_dir(folder.path("pictures")).unwrap();
    for i in 0..60_u8 {
        let color = Rgb([4 * i, 200, 10]);
        RgbImage::from_pixel(6, 4, color).save(folder.path(&format!("pictures/{i:02}.png"))).unwrap();
    }
    let run = "run --input flowers.csv --label-column species --images pictures --color --methods pca,lda,lle --k 8 --out o";
    let output = folder.command(run).assert().success().get_output().clone();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("flowers (n = 60, D = 3)") && text.contains("knn_accuracy"), "{text}");
    let last = String::from_utf8(output.stderr).unwrap();
    assert_eq!(last.lines().last(), Some("wrote o/report.html"));
    let results = folder.json("o/results.json");
    let set = &results["datasets"][0];
    assert_eq!((&set["name"], &set["n"], &set["D"]), (&"flowers".into(), &60.into(), &3.into()));
    assert!(set["methods"].as_array().unwrap().iter().all(|row| row["outcome"]["status"] == "done"));
    for file in ["flowers.svg", "flowers.png", "results.csv", "embeddings/flowers/lle.npy"] {
        assert!(folder.path(&format!("o/{file}")).exists(), "{file}");
    }
    let page = String::from_utf8(folder.read("o/report.html")).unwrap();
    for part in ["species", "plain", "twin", "Read from flowers.csv", "4 × 6 color pixels"] {
        assert!(page.contains(part), "{part}");
    }
    // The points are read from the file; they are not the pixels.
    let plain = run.replace("--images pictures --color ", "").replace("--out o", "--out plain");
    folder.compare(&plain);
    assert_eq!(folder.read("o/embeddings/flowers/lle.npy"), folder.read("plain/embeddings/flowers/lle.npy"));
}

#[test]
fn several_files_are_several_data_sets() {
    let folder = TempFolder::new();
    folder.compare("dataset swiss-roll --n 70 --output roll.npy");
    folder.compare("dataset digits --n 60 --output digits.csv --labels l.csv");
    folder.file("none.csv", "1\n".repeat(70));
    std::fs::create_dir(folder.path("b")).unwrap();
    folder.compare("dataset s-curve --n 50 --output b/roll.npy");
    let run = "run --methods pca --out o --input roll.npy digits.csv";
    folder.compare(&format!("{run} --labels none.csv l.csv"));
    let results = folder.json("o/results.json");
    let names = |results: &serde_json::Value| -> Vec<String> {
        let sets = results["datasets"].as_array().unwrap();
        sets.iter().map(|set| set["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&results), ["roll", "digits"]);
    let measures = results["datasets"][1]["methods"][0]["scores"].to_string();
    assert!(measures.contains("knn_accuracy"), "{measures}");
    // The same name twice, and fewer points.
    folder.compare("run --methods pca --out o --input roll.npy --input b/roll.npy --n 40");
    let results = folder.json("o/results.json");
    assert_eq!(names(&results), ["roll", "roll-2"]);
    assert_eq!((&results["datasets"][0]["n"], &results["datasets"][1]["n"]), (&40.into(), &40.into()));
    folder.refuses(&format!("{run} --labels l.csv"), 2, &["--labels", "2 inputs"]);
    folder.refuses(&format!("{run} --n 65"), 1, &["from 1 to 60", "digits"]);
    folder.refuses(&format!("{run} --datasets swiss-roll"), 2, &["--datasets"]);
    folder.refuses("run --datasets swiss-roll --ignore 0", 2, &["--input"]);
    folder.refuses("run --labels l.csv", 2, &["--input"]);
    folder.refuses("run --input roll.npy --labels l.csv --label-column 2", 2, &["one of them"]);
    folder.refuses("run --methods pca --input absent.csv", 1, &["absent.csv"]);
}

#[test]
fn every_command_reads_with_the_same_options() {
    let folder = TempFolder::new();
    folder.file("flowers.csv", flowers());
    let plain: String =
        flowers().lines().skip(1).map(|line| line.rsplit_once(',').unwrap().0.to_owned() + "\n").collect();
    folder.file("plain.csv", &plain);
    folder.compare(
        "embed --method lda --label-column species --input flowers.csv --output y.csv --save m --dim 1",
    );
    folder.compare("transform --model m --label-column species --input flowers.csv --output z.csv");
    assert_eq!(folder.read("y.csv"), folder.read("z.csv"));
    folder.compare("neighbors --k 3 --input flowers.csv --ignore species --output i.csv");
    folder.compare("neighbors --k 3 --input plain.csv --output j.csv");
    assert_eq!(folder.read("i.csv"), folder.read("j.csv"));
    let measured = folder.compare("measure --input flowers.csv --label-column species --embedding plain.csv");
    let measured: serde_json::Value = serde_json::from_str(&measured).unwrap();
    assert_eq!(measured["trustworthiness"].as_f64(), Some(1.0));
    assert!(measured["knn_accuracy"].is_number());
    // Without the options the refusal names them.
    folder.refuses("neighbors --k 3 --input flowers.csv --output n.csv", 1, &["--label-column species"]);
}

#[test]
fn standard_input_is_read() {
    let folder = TempFolder::new();
    folder.file("plain.csv", "1,2\n3,5\n4,4\n9,1\n");
    folder.compare("embed --method pca --input plain.csv --output a.csv");
    let embed = "embed --method pca --input - --output b.csv";
    folder.command(embed).write_stdin("1,2\n3,5\n4,4\n9,1\n").assert().success();
    assert_eq!(folder.read("a.csv"), folder.read("b.csv"));
    let npy = crate::temp_folder::npy("4, 2", &[1.0, 2.0, 3.0, 5.0, 4.0, 4.0, 9.0, 1.0]);
    folder.command("embed --method pca --input - --output c.csv").write_stdin(npy).assert().success();
    assert_eq!(folder.read("a.csv"), folder.read("c.csv"));
    let run = "run --input - --methods pca --k 3 --measure-k 2 --out o";
    let roll: String = (0..20).map(|i| format!("{},{}\n", i * i, (7 * i) % 11)).collect();
    folder.command(run).write_stdin(roll).assert().success();
    assert_eq!(folder.json("o/results.json")["datasets"][0]["name"], "standard-input");
    folder.refuses("measure --input - --embedding -", 2, &["named twice"]);
    let empty = folder.command(embed).write_stdin("").assert().code(1).get_output().clone();
    assert!(String::from_utf8(empty.stderr).unwrap().contains("standard input: the file is empty"));
}

#[test]
fn a_folder_of_pictures_is_an_input() {
    let folder = TempFolder::new();
    for (class, level) in [("dark", 10), ("light", 200)] {
        std::fs::create_dir_all(folder.path(&format!("imgs/{class}"))).unwrap();
        for i in 0..6_u8 {
            let picture = GrayImage::from_fn(5, 4, |x, y| Luma([level + i * 3 + (x * y) as u8]));
            picture.save(folder.path(&format!("imgs/{class}/{i}.png"))).unwrap();
        }
    }
    folder.compare("embed --method pca --input imgs --output y.csv --plot y.png");
    assert_eq!(String::from_utf8(folder.read("y.csv")).unwrap().lines().count(), 12);
    folder.compare(
        "run --input imgs --image-size 2x2 --methods pca,lda --set lda.dim=1 --k 3 --measure-k 3 --out o",
    );
    let set = &folder.json("o/results.json")["datasets"][0];
    assert_eq!((&set["name"], &set["D"]), (&"imgs".into(), &4.into()));
    assert_eq!(set["methods"][1]["outcome"]["status"], "done", "sub-folders are classes");
    folder.compare("neighbors --input imgs --k 2 --output i.csv");
    folder.refuses(
        "embed --method pca --input imgs --output q.csv --plot imgs/q.png",
        2,
        &["folder of pictures"],
    );
    folder.refuses("embed --method pca --input imgs --output q.csv --image-size 0x3", 2, &["32x32"]);
}

#[test]
fn missing_values_are_left_out_with_their_labels() {
    let folder = TempFolder::new();
    let mut lines: Vec<String> = flowers().lines().map(str::to_owned).collect();
    lines[1] = "NA,1,0,plain".to_owned();
    lines[6] = "0.5,,0.5,twin".to_owned();
    folder.file("broken.csv", lines.join("\n"));
    let embed = "embed --method lda --dim 1 --label-column species --input broken.csv";
    folder.refuses(&format!("{embed} --output y.csv"), 1, &["--missing drop", "row 0"]);
    let told = said(&folder, &format!("{embed} --missing drop --output y.csv"));
    assert!(told.contains("note: broken.csv: ") && told.contains("2 of 60 rows"), "{told}");
    assert_eq!(String::from_utf8(folder.read("y.csv")).unwrap().lines().count(), 59);
    let told = said(&folder, &format!("{embed} --missing mean --output z.csv"));
    assert!(told.contains("replaced by the mean"), "{told}");
    // A map of all rows and a map of the kept rows are both measured.
    for map in ["y.csv", "z.csv"] {
        let measure =
            format!("measure --input broken.csv --label-column species --missing drop --embedding {map}");
        let scores: serde_json::Value = serde_json::from_str(&folder.compare(&measure)).unwrap();
        assert_eq!(scores["n"].as_u64(), Some(58));
    }
}

/// Of commands that do not read classes.
#[test]
fn rows_without_a_label_are_placed_and_have_neighbors() {
    let folder = TempFolder::new();
    folder.file("flowers.csv", flowers());
    let unlabeled: Vec<String> =
        flowers().lines().map(|line| line.replace(",twin", ",").replace(",plain", ",?")).collect();
    folder.file("unlabeled.csv", unlabeled.join("\n"));
    folder.compare("embed --method pca --label-column species --input flowers.csv --output y.csv --save m");
    folder.compare("transform --model m --label-column species --input unlabeled.csv --output z.csv");
    assert_eq!(folder.read("y.csv"), folder.read("z.csv"));
    for input in ["flowers", "unlabeled"] {
        let search = "neighbors --k 3 --label-column species";
        folder.compare(&format!("{search} --input {input}.csv --output n-{input}.csv"));
    }
    assert_eq!(folder.read("n-flowers.csv"), folder.read("n-unlabeled.csv"));
    folder.refuses(
        "transform --model m --label-column kind --input flowers.csv --output z.csv",
        1,
        &["--label-column kind"],
    );
}

#[test]
fn a_standardized_model_places_new_points_in_its_own_units() {
    let folder = TempFolder::new();
    folder.file("plain.csv", "1,200\n3,500\n4,100\n9,300\n2,350\n");
    folder.compare("embed --method pca --standardize --input plain.csv --output y.csv --save m");
    folder.compare("transform --model m --input plain.csv --output z.csv");
    assert_eq!(folder.read("y.csv"), folder.read("z.csv"));
    folder.compare("embed --method pca --input plain.csv --output raw.csv");
    assert_ne!(folder.read("y.csv"), folder.read("raw.csv"));
    folder.refuses(
        "transform --model m --standardize --input plain.csv --output q.csv",
        2,
        &["compare embed"],
    );
    folder.refuses(
        "transform --model m --missing mean --input plain.csv --output q.csv",
        2,
        &["--missing drop"],
    );
    folder.file("wide.csv", "1,2,3\n");
    folder.refuses("transform --model m --input wide.csv --output q.csv", 1, &["columns", "2", "3"]);
}

/// Their names are kept with the model, standardized or not.
#[test]
fn columns_of_new_points_are_found_by_their_names() {
    let folder = TempFolder::new();
    let rows = "1,200,3\n3,500,1\n4,100,5\n9,300,2\n2,350,8\n";
    folder.file("train.csv", format!("a,b,c\n{rows}")).file("unnamed.csv", rows);
    folder.file("order.csv", format!("c,b,a\n{rows}")).file("other.csv", format!("a,b,width\n{rows}"));
    folder.file("twice.csv", "b,a,a\n1,2,3\n");
    folder.file("fewer.csv", "b,a\n1,2\n").file("more.csv", "a,b,d,e\n1,2,3,4\n");
    for options in ["", "--standardize"] {
        folder.compare(&format!("embed --method pca {options} --input train.csv --output y.csv --save m"));
        for same in ["train.csv", "unnamed.csv"] {
            folder.compare(&format!("transform --model m --input {same} --output z.csv"));
            assert_eq!(folder.read("y.csv"), folder.read("z.csv"));
        }
        let refused = |input: &str, words: &[&str]| {
            folder.refuses(&format!("transform --model m --input {input} --output q.csv"), 1, words)
        };
        folder.file("swapped.csv", "c,b,a\n3,200,1\n1,500,3\n5,100,4\n2,300,9\n8,350,2\n");
        let told = said(&folder, "transform --model m --input swapped.csv --output z.csv");
        assert!(told.contains("note: the columns are put into the order of the model"), "{told}");
        assert_eq!(folder.read("y.csv"), folder.read("z.csv"));
        refused("fewer.csv", &["fewer.csv", "the 3 of the model, but there are 2", "`c` is missing"]);
        refused("more.csv", &["more.csv", "`c` is missing", "`d`, `e` are none of them", "--ignore"]);
        refused("twice.csv", &["twice.csv", "coordinate 0 (counted from 0) is `b`, not `a`"]);
        refused("other.csv", &["other.csv", "coordinate 2 (counted from 0) is `width`, not `c`", "rename"]);
        // A model of columns without names takes any.
        folder.compare(&format!("embed --method pca {options} --input unnamed.csv --output y.csv --save m"));
        folder.compare("transform --model m --input order.csv --output z.csv");
        assert_eq!(folder.read("y.csv"), folder.read("z.csv"));
    }
    // Further columns are left out, whatever they hold.
    folder.file("more.csv", "id,c,a,kind,b\n9,3,1,x,200\n8,1,3,y,500\n");
    folder.file("same.csv", "a,b,c\n1,200,3\n3,500,1\n");
    folder.compare("embed --method pca --input train.csv --output y.csv --save m");
    let told = said(&folder, "transform --model m --input more.csv --output z.csv");
    assert!(
        told.contains("columns `id`, `kind` are left out, not being among the requested coordinates"),
        "{told}"
    );
    folder.compare("transform --model m --ignore id,kind --input more.csv --output z2.csv");
    folder.compare("transform --model m --input same.csv --output z3.csv");
    assert!(folder.read("z.csv") == folder.read("z3.csv") && folder.read("z2.csv") == folder.read("z3.csv"));
    folder.refuses("transform --model m --ignore a --input more.csv --output q.csv", 1, &["`a` is missing"]);
    let places = "invert --model m --input y.csv --output decoded.csv";
    folder.compare(places);
}

#[test]
fn doubts_are_told_on_standard_error() {
    let folder = TempFolder::new();
    folder.file("id.csv", "id,x,y\n7,1,2\n3,4,4\n5,9,1\n4,2,2\n");
    let told = said(&folder, "embed --method pca --input id.csv --output y.csv");
    assert!(told.contains("warning: id.csv: column 0 `id`") && told.contains("--ignore id"), "{told}");
    assert!(
        !said(&folder, "embed --method pca --input id.csv --ignore id --output y.csv").contains("warning")
    );
    folder.file("numbers.csv", "1,2,3\n0.5,0.25,0.1\n0.1,0.7,0.3\n0.9,0.2,0.4\n");
    let told = said(&folder, "neighbors --k 1 --input numbers.csv --output i.csv");
    assert!(told.contains("--header yes"), "{told}");
    assert_eq!(said(&folder, "neighbors --k 1 --input numbers.csv --header yes --output i.csv"), "");
    assert_eq!(String::from_utf8(folder.read("i.csv")).unwrap().lines().count(), 3);
}

#[test]
fn a_map_is_drawn_for_a_slide() {
    let folder = TempFolder::new();
    folder.file("flowers.csv", flowers());
    let embed = "embed --method pca --input flowers.csv --label-column species --output y.csv";
    folder
        .command(&format!("{embed} --plot y.svg --title"))
        .arg("Three kinds <of> flower")
        .assert()
        .success();
    let drawing = String::from_utf8(folder.read("y.svg")).unwrap();
    for part in ["Three kinds &lt;of&gt; flower", "color: species", "twin"] {
        assert!(drawing.contains(part), "{part}");
    }
    folder.compare(&format!("{embed} --plot y.png"));
    let png = image::open(folder.path("y.png")).unwrap();
    assert!(png.width() > 1500 && png.height() > 1200, "{} × {}", png.width(), png.height());
    folder.compare(&format!("{embed} --plot y.svg"));
    assert!(String::from_utf8(folder.read("y.svg")).unwrap().contains("pca of flowers"));
    folder.compare(&format!("{embed} --dim 1 --color-column height --plot y.svg"));
    let against = "a map of one dimension, drawn to the right, against height upward";
    assert!(
        String::from_utf8(folder.read("y.svg")).unwrap().contains(against) && !drawing.contains("upward")
    );
    folder.refuses(&format!("{embed} --plot y.pdf"), 2, &["y.pdf", ".png or .svg"]);
    folder.refuses(&format!("{embed} --title x"), 2, &["--plot"]);
}

/// A reader sees neither further columns nor points that were not placed.
#[test]
fn a_picture_says_what_of_a_map_it_shows() {
    let folder = TempFolder::new();
    let row = |i: u32| format!("{},{},{},{}\n", i % 5, i / 5 % 3, i * i % 7, 100 * (i / 30));
    folder.file("x.csv", (0..50).map(row).collect::<String>());
    let drawing = |flags: &str| {
        folder.compare(&format!("embed --input x.csv --output y.csv --plot y.svg {flags}"));
        String::from_utf8(folder.read("y.svg")).unwrap()
    };
    for (flags, told) in [
        ("--method pca --dim 3", "a map of three dimensions in perspective; what is farther is paler"),
        ("--method pca --dim 4", "the first two of 4 dimensions"),
        ("--method isomap --k 4 --components largest", "30 of 50 points were placed"),
    ] {
        let svg = drawing(flags);
        assert!(svg.contains(told), "{flags}: {told}");
    }
    let plain = drawing("--method pca --dim 2");
    assert!(!plain.contains("dimensions") && !plain.contains("placed"), "{plain}");
}

#[test]
fn an_output_that_is_an_input_or_another_output_is_refused() {
    let folder = TempFolder::new();
    folder.file("pp.csv", "1,2\n3,4\n5,7\n").file("l.csv", "a\nb\na\n");
    std::fs::create_dir(folder.path("d")).unwrap();
    let embed = "embed --method pca --input pp.csv";
    let before = listing(&folder.path("."));
    folder.refuses(&format!("{embed} --output pp.csv"), 2, &["--output", "input", "destroyed"]);
    folder.refuses(&format!("{embed} --output d/../pp.csv"), 2, &["destroyed"]);
    folder.refuses(&format!("{embed} --labels l.csv --output l.csv"), 2, &["destroyed"]);
    folder.refuses(&format!("{embed} --output y.csv --save y.csv"), 2, &["--save and --output", "y.csv"]);
    folder.refuses(&format!("{embed} --output y.csv --report ./y.csv"), 2, &["--report and --output"]);
    folder.refuses(&format!("{embed} --output y.csv --save pp.csv"), 2, &["--save", "destroyed"]);
    folder.refuses("neighbors --k 1 --input pp.csv --output i.csv --distances pp.csv", 2, &["destroyed"]);
    folder.refuses("dataset swiss-roll --n 9 --output x.csv --truth x.csv", 2, &["--truth and --output"]);
    assert_eq!(folder.read("pp.csv"), b"1,2\n3,4\n5,7\n");
    assert_eq!(listing(&folder.path(".")), before);
    folder.compare(&format!("{embed} --output y.csv --save m.csv"));
    folder.refuses("transform --model m.csv --input pp.csv --output m.csv", 2, &["destroyed"]);
    folder.refuses("transform --model m.csv --input pp.csv --output pp.csv", 2, &["destroyed"]);
    // A run whose results would take the place of its input.
    folder.compare("run --datasets swiss-roll --n 60 --methods pca,lle --out o");
    let run = "run --methods pca --k 2 --measure-k 1 --out o --ignore 0,1,5 --input";
    folder.refuses(&format!("{run} o/results.csv"), 2, &["destroyed"]);
    folder.file("o/results.csv", "1,2\n3,4\n5,7\n1,1\n");
    folder.refuses("run --methods pca --k 2 --measure-k 1 --out o --input o/results.csv", 2, &["destroyed"]);
}

#[cfg(unix)]
#[test]
fn links_are_resolved_before_outputs_are_compared() {
    let folder = TempFolder::new();
    folder.file("pp.csv", "1,2\n3,4\n5,7\n");
    std::os::unix::fs::symlink(folder.path("pp.csv"), folder.path("link.csv")).unwrap();
    std::os::unix::fs::symlink("new.csv", folder.path("dangling.csv")).unwrap();
    let embed = "embed --method pca";
    folder.refuses(&format!("{embed} --input pp.csv --output link.csv"), 2, &["destroyed"]);
    folder.refuses(&format!("{embed} --input link.csv --output pp.csv"), 2, &["destroyed"]);
    folder.refuses(
        &format!("{embed} --input pp.csv --output new.csv --save dangling.csv"),
        2,
        &["--save and --output"],
    );
}

/// The class of some rows is unknown: supervised methods read it so, measures of classes leave
/// these rows out, pictures show them gray, and the page of the lab receives them as unknown.
#[test]
fn a_label_may_stand_for_an_unknown_class_in_a_run() {
    let folder = TempFolder::new();
    folder.compare("dataset digits --n 150 --output x.npy");
    let label = |i: usize| if i.is_multiple_of(3) { "-1".to_owned() } else { (i % 2).to_string() };
    folder.file("l.csv", (0..150).map(|i| label(i) + "\n").collect::<String>());
    let umap = "--set umap.target-weight=0.5 --set umap.epochs=50";
    let run = format!("run --input x.npy --labels l.csv --methods pca,umap {umap}");
    folder.compare(&format!("{run} --out own"));
    folder.compare(&format!("{run} --unknown-label -1 --out o"));
    let embed = umap.replace("umap.", "");
    folder.compare(&format!(
        "embed --method umap --input x.npy --labels l.csv --unknown-label -1 {embed} --output y.npy"
    ));
    let map = |out: &str, method: &str| folder.read(&format!("{out}/embeddings/x/{method}.npy"));
    assert!(map("o", "umap") == folder.read("y.npy") && map("o", "umap") != map("own", "umap"));
    assert_eq!(map("o", "pca"), map("own", "pca"));

    let scores = |out: &str| {
        folder.json(&format!("{out}/results.json"))["datasets"][0]["methods"][0]["scores"].clone()
    };
    let value = |scores: &serde_json::Value, name: &str| -> f64 {
        let score = scores.as_array().unwrap().iter().find(|score| score["measure"] == name);
        score.unwrap()["value"].as_f64().unwrap()
    };
    let (own, known) = (scores("own"), scores("o"));
    let measured = folder.compare(
        "measure --input x.npy --embedding o/embeddings/x/pca.npy --labels l.csv --unknown-label -1",
    );
    let measured: serde_json::Value = serde_json::from_str(&measured).unwrap();
    for name in ["knn_accuracy", "silhouette"] {
        assert_ne!(value(&own, name), value(&known, name), "{name}");
        assert_eq!(measured[name].as_f64().unwrap(), value(&known, name), "{name}");
    }
    assert_eq!(value(&own, "trustworthiness"), value(&known, "trustworthiness"));

    let text = |name: &str| String::from_utf8(folder.read(name)).unwrap();
    let gray = "#b4b9c0";
    assert!(text("o/x.svg").contains(gray) && text("o/x.svg").contains("-1 (unknown)"));
    assert!(!text("own/x.svg").contains(gray) && !text("own/x.svg").contains("(unknown)"));
    let page = text("o/report.html");
    // Of data within a script, quotes are escaped.
    let tells = |page: &str| page.replace('\\', "").contains(r#""unknown":0"#);
    assert!(page.contains("The class of rows labeled `-1` is unknown") && tells(&page));

    let lda = "run --input x.npy --labels l.csv --methods lda --unknown-label";
    folder.command(&format!("{lda} -1 --out lda")).assert().code(1);
    let reason = folder.json("lda/results.json")["datasets"][0]["methods"][0]["outcome"].to_string();
    assert!(reason.contains("50 of 150 are unknown"), "{reason}");
    folder.refuses(&format!("{lda} 7 --out q"), 2, &["`7`", "3 labels", "-1"]);
    folder.refuses("run --input x.npy --unknown-label 7 --out q", 2, &["--labels"]);
    folder.refuses("run --datasets digits --unknown-label 7 --out q", 2, &["--input"]);
    folder.compare("lab --input x.npy --labels l.csv --unknown-label -1 --out lab.html");
    assert!(tells(&text("lab.html")));
}

/// The names of pictures are the names of their files, in the order of the rows.
#[test]
fn pictures_have_names() {
    let folder = TempFolder::new();
    for class in ["a", "b"] {
        std::fs::create_dir_all(folder.path("p").join(class)).unwrap();
    }
    let picture = |i: u8| GrayImage::from_fn(4, 4, |x, y| Luma([i * (x + 3 * y) as u8]));
    let names = ["a/1.png", "a/10.png", "a/2.png", "b/0.png", "b/x y.png"];
    (0..).zip(names).for_each(|(i, name)| picture(i).save(folder.path("p").join(name)).unwrap());
    let embed = "embed --method pca --input p --name-column file --output y.csv";
    folder.compare(embed);
    let map = String::from_utf8(folder.read("y.csv")).unwrap();
    let first = |line: &str| line.split(',').next().unwrap().to_owned();
    let found: Vec<String> = map.lines().map(first).collect();
    assert_eq!(found[..], ["file", "a/1.png", "a/10.png", "a/2.png", "b/0.png", "b/x y.png"]);
    folder.compare("measure --input p --name-column file --embedding y.csv --k 1");
    folder.refuses(&embed.replace("file", "title"), 1, &["must be `file`, but is `title`"]);
}
