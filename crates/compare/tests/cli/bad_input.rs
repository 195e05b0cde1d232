//! Every error in arguments or files leads to a sentence and an exit status, and no output is
//! half written.

use crate::temp_folder::{TempFolder, npy};

const EMBED: &str = "embed --method pca --output y.npy --input";

#[test]
fn values_that_are_not_finite_are_named_by_row_and_column() {
    let folder = TempFolder::new();
    folder
        .file("nan.csv", "1,2\n3,nan\n5,6\n")
        .file("inf.npy", npy("3, 2", &[1.0, 2.0, 3.0, 4.0, f64::INFINITY, 6.0]));
    folder.refuses(&format!("{EMBED} nan.csv"), 1, &["nan.csv", "row 1", "column 1"]);
    folder.refuses(&format!("{EMBED} inf.npy"), 1, &["inf.npy", "row 2", "column 0"]);
}

#[test]
fn malformed_text_is_refused() {
    let folder = TempFolder::new();
    folder.file("empty.csv", "").file("ragged.csv", "1,2\n3,4,5\n").file("text.csv", "1,2\n3,four\n");
    folder.refuses(&format!("{EMBED} empty.csv"), 1, &["empty.csv"]);
    folder.refuses(&format!("{EMBED} ragged.csv"), 1, &["ragged.csv"]);
    folder.refuses(&format!("{EMBED} text.csv"), 1, &["text.csv", "four"]);
}

#[test]
fn files_that_are_missing_foreign_or_cut_short_are_refused() {
    let folder = TempFolder::new();
    let whole = npy("3, 2", &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    folder.file("short.npy", &whole[..whole.len() - 9]).file("foreign.npy", "not an array");
    folder.file("huge.npy", npy("4000000000, 4000000000", &[1.0]));
    // An IDX header for 9 images of 2 by 2 pixels, and the pixels of one.
    folder.file("cut-idx3-ubyte", [0, 0, 8, 3, 0, 0, 0, 9, 0, 0, 0, 2, 0, 0, 0, 2, 1, 2, 3, 4]);
    folder.file("cut-idx3-ubyte.gz", [0x1f, 0x8b, 8, 0, 0, 0]);
    for name in
        ["absent.csv", "short.npy", "foreign.npy", "huge.npy", "cut-idx3-ubyte", "cut-idx3-ubyte.gz", "x.txt"]
    {
        folder.refuses(&format!("{EMBED} {name}"), 1, &[name]);
    }
}

/// What `numpy.savetxt` writes by default.
#[test]
fn spaces_between_numbers_are_read_and_words_are_no_numbers() {
    let folder = TempFolder::new();
    let row = "1.000000000000000000e+00 2.500000000000000000e-01 3.000000000000000000e+00\n";
    folder
        .file("x.csv", row.repeat(4))
        .file("x.tsv", row.repeat(4))
        .file("named.csv", "a b\n1 2\n3 4\n5 7\n");
    for name in ["x.csv", "x.tsv", "named.csv"] {
        folder.compare(&format!("{EMBED} {name}"));
    }
    let long = "word ".repeat(40);
    folder.file("long.csv", format!("{long},y\n1,2\n{long},3\n"));
    let said =
        folder.refuses(&format!("{EMBED} long.csv"), 1, &["row 1, column 0", "word…`", "--label-column 0"]);
    assert!(said.len() < 350, "{said}");
}

/// What `numpy.save` writes of words.
#[test]
fn words_in_an_array_are_refused_with_a_file_that_is_read() {
    let folder = TempFolder::new();
    folder.file("x.csv", "1,2\n3,4\n5,7\n");
    for (code, name) in [("<U1", "u.npy"), ("|S1", "s.npy"), ("|O", "o.npy")] {
        let header = npy("3,", &[1.0, 2.0, 3.0]);
        let text = String::from_utf8_lossy(&header[10..128]).replace("<f8", code);
        let bytes = [&header[..8], &(text.len() as u16).to_le_bytes(), text.as_bytes(), &[0; 12]].concat();
        folder.file(name, bytes);
        let parts = [name, code, "words", ".csv file with one per line"];
        let said = folder.refuses(&format!("{EMBED} x.csv --labels {name}"), 1, &parts);
        assert!(!said.contains("float64"), "{said}");
    }
}

#[test]
fn options_that_are_no_number_are_refused_with_what_is() {
    let folder = TempFolder::new();
    let count = "must be a whole number of at least 1";
    for (line, said) in [
        ("run --threads 0", count),
        ("run --seeds 0", count),
        ("run --seeds=-2", count),
        ("run --k abc", count),
        ("run --k 5,2.5", count),
        ("run --n=-1", count),
        ("lab --k 1e3", count),
        ("study --new 0", count),
        ("embed --method lle --input x --output y --k 0", count),
        ("embed --method lle --input x --output y --dim 0", count),
        ("embed --method lle --input x --output y --fit-on 0", count),
        ("neighbors --input x --output y --k 0", count),
        ("measure --input x --embedding y --k 0", count),
        ("invert --input x --embedding y --output z --k 0", count),
        ("run --measure-k 0", count),
        ("run --k 3,0", count),
        ("run --n 0", count),
        ("dataset swiss-roll --output x --n 0", count),
        ("invert --input x --embedding y --output z --folds 0", "must be a whole number of at least 2"),
        ("invert --input x --embedding y --output z --folds 1", "must be a whole number of at least 2"),
        ("embed --method lle --input x --output y --neighbor-recall 1.5", "above 0 and at most 1"),
        ("neighbors --input x --output y --k 3 --neighbor-recall 0", "above 0 and at most 1"),
        ("run --neighbor-recall=-1", "above 0 and at most 1"),
        ("dataset lips --output x --scale 0.01", "must be a number from 0.05 to 4"),
        ("run --seed=-1", "must be a whole number of at least 0"),
        ("run --seed 18446744073709551616", "must be a whole number of at most 18446744073709551615"),
        ("run --neighbor-recall abc", "must be a number"),
    ] {
        folder.refuses(line, 2, &["invalid value", said]);
    }
}

#[test]
fn too_few_points_are_refused() {
    let folder = TempFolder::new();
    folder.file("one.csv", "1,2\n").file("two.csv", "1,2\n3,4\n");
    for method in ["lle", "laplacian-eigenmaps", "diffusion-maps", "ltsa"] {
        folder.refuses(&format!("embed --method {method} --input one.csv --output y.npy"), 1, &["error:"]);
        folder.refuses(&format!("embed --method {method} --input two.csv --output y.npy"), 1, &["error:"]);
    }
}

#[test]
fn numbers_out_of_range_are_refused_with_the_range() {
    let folder = TempFolder::new();
    folder.compare("dataset swiss-roll --n 60 --output x.npy");
    let lle = |flags: &str| format!("embed --method lle --input x.npy --output y.npy {flags}");
    folder.refuses(&lle("--k 60"), 1, &["k must be", "59", "60"]);
    folder.refuses(&lle("--dim 60"), 1, &["60"]);
    folder.refuses("embed --method pca --input x.npy --output y.npy --dim 4", 1, &["4"]);
    folder.refuses("neighbors --input x.npy --k 60 --output i.npy", 1, &["59"]);
    folder.refuses("measure --input x.npy --embedding x.npy --k 30", 1, &["29"]);
    folder.refuses("run --datasets swiss-roll --methods pca --n 8 --out o", 1, &["k must be", "7"]);
    folder.refuses("run --datasets digits --methods pca --n 1000000 --out o", 1, &["n must be"]);
}

#[test]
fn unknown_names_are_refused_with_a_guess() {
    let folder = TempFolder::new();
    folder.file("x.csv", "1,2\n3,4\n5,7\n");
    folder.refuses(
        "embed --method laplace-eigenmaps --input x.csv --output y.npy",
        2,
        &["did you mean `laplacian-eigenmaps`"],
    );
    folder.refuses("run --methods pca,ltas", 2, &["did you mean `ltsa`"]);
    folder.refuses("run --datasets swiss-rol --methods pca", 2, &["did you mean `swiss-roll`"]);
    folder.refuses("dataset s-curv --output y.npy", 2, &["did you mean `s-curve`"]);
    folder.refuses("run --methods lle --set lle.regg=1", 2, &["did you mean `reg`"]);
    folder.refuses("run --methods lle --set le.reg=1", 2, &["did you mean `lle`"]);
    folder.refuses(
        "embed --method lle --input x.csv --output y.npy --set tolerence=1",
        2,
        &["did you mean `tolerance`"],
    );
    folder.refuses("run --methods xyzzy-plugh", 2, &["known are pca"]);
}

#[test]
fn a_file_in_place_of_a_data_set_is_refused_with_its_option() {
    let folder = TempFolder::new();
    folder.file("x.csv", "1,2\n3,4\n5,7\n");
    let said = folder.refuses(
        "run --datasets x.csv --methods pca",
        2,
        &["`x.csv` is a file or folder", "--input x.csv"],
    );
    assert!(!said.contains("known are"), "{said}");
    folder.refuses("run --datasets absent.csv --methods pca", 2, &["unknown data set", "known are"]);
}

#[test]
fn arguments_of_other_programs_are_refused_with_those_of_this_one() {
    let folder = TempFolder::new();
    folder.file("x.csv", "1,2\n3,4\n5,7\n");
    let said = &["unexpected argument 'x.csv'", "tip: files are named by options, such as `--input x.csv`"];
    for command in ["embed", "run", "measure", "neighbors", "transform", "lab"] {
        folder.refuses(&format!("{command} x.csv"), 2, said);
    }
    let said = folder.refuses("embed absent.csv", 2, &["unexpected argument 'absent.csv'"]);
    assert!(!said.contains("tip"), "{said}");
    let written = &["tip: `compare dataset NAME --output FILE` writes a data set to a file"];
    folder.refuses("embed --method pca --dataset digits --output y.npy", 2, written);
    folder.refuses("run --dataset digits", 2, &["the option is `--datasets digits`"]);
    folder.refuses("--out folder", 2, &["say `compare run --out`"]);
    folder.refuses("run --input x.csv --scale", 2, &["this is called `--standardize` here"]);
    let said = folder.refuses("study --scale", 2, &["unexpected argument '--scale'"]);
    assert!(!said.contains("--standardize"), "{said}");
    for typed in ["umap:epochs=10", "UMAP(epochs=10)", "umap=10"] {
        folder.refuses(
            &format!("embed --input x.csv --method {typed} --output y.npy"),
            2,
            &["here `umap`", "`--set umap.PARAM=VALUE`"],
        );
    }
}

#[test]
fn settings_that_cannot_be_read_are_refused_with_what_is_legal() {
    let folder = TempFolder::new();
    folder.file("x.csv", "1,2\n3,4\n5,7\n");
    let set = |set: &str| format!("embed --method lle --input x.csv --output y.npy --set {set}");
    folder.refuses(&set("reg=much"), 2, &["lle: reg must be a number, above 0", "much"]);
    folder.refuses(&set("lle.reg=much"), 2, &["lle: reg must be a number, above 0", "much"]);
    folder.refuses(&set("ltsa.k=3"), 2, &["unknown parameter of lle `ltsa.k`"]);
    folder.refuses(&set("reg=nan"), 2, &["lle: reg must be a number, above 0"]);
    folder.refuses(&set("k=2.5"), 2, &["lle: k must be"]);
    folder.refuses(&set("components=some"), 2, &["reject, bridge, largest or per-component"]);
    folder.refuses(&set("reg"), 2, &["PARAM=VALUE"]);
    folder.refuses("run --methods lle --set reg=1", 2, &["METHOD.PARAM=VALUE"]);
    folder.refuses("run --methods pca --set lle.reg=1", 2, &["not among the methods"]);
}

#[test]
fn a_whole_number_that_is_too_large_is_refused_with_the_largest() {
    let folder = TempFolder::new();
    folder.file("x.csv", "1,2\n3,4\n5,7\n");
    let set = |set: &str| format!("embed --method tsne --input x.csv --output y.npy --set {set}");
    let largest = "early-iterations must be a whole number of at most 18446744073709551615";
    folder.refuses(&set("early-iterations=18446744073709551616"), 2, &[largest]);
    folder.refuses(
        &set("early-iterations=-1"),
        2,
        &["early-iterations must be a whole number, at least 0, but is `-1`"],
    );
}

/// Terminals interpret these characters.
#[cfg(unix)]
#[test]
fn controls_in_names_of_files_are_not_printed() {
    let folder = TempFolder::new();
    let name = "a\u{1b}[31m\u{7f}\u{9b}1m.csv";
    let rows = |i: i32| format!("{},{},{}\n", i, i * i % 7, i * i % 11);
    folder.file(name, (0..30).map(rows).collect::<String>());
    let command = format!("run --input {name} --methods pca --k 5 --out o");
    let output = folder.command(&command).assert().success().get_output().clone();
    let hidden = |text: &str| text.chars().any(|c| c.is_control() && c != '\n');
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("a\\u001b[31m\\u007f\\u009b1m.csv") && !hidden(&said), "{said:?}");
    assert!(!hidden(&String::from_utf8(output.stdout).unwrap()));
    let report = String::from_utf8(folder.read("o/report.html")).unwrap();
    let at = report.find(|c: char| c.is_control() && !['\n', '\t'].contains(&c));
    assert_eq!(
        at,
        None,
        "{:?}",
        at.map(|at| report[at.saturating_sub(80)..].chars().take(160).collect::<String>())
    );
    folder.file("b\u{1b}c.csv", "1,2\n3,x\n");
    let said =
        folder.refuses("embed --method pca --output y.npy --input b\u{1b}c.csv", 1, &["b\\u001bc.csv"]);
    assert!(!hidden(&said), "{said:?}");
}

#[test]
fn wrong_usage_exits_with_2() {
    let folder = TempFolder::new();
    for line in [
        "frobnicate",
        "run --no-such-flag",
        "run --n many",
        "embed --method pca",
        "list everything",
        "--threads 0 list methods",
        "--memory-limit lots list methods",
        "--memory-limit 0 list methods",
    ] {
        folder.refuses(line, 2, &["error:"]);
    }
}

#[test]
fn a_place_that_cannot_be_written_is_refused_before_any_work() {
    let folder = TempFolder::new();
    folder.file("taken", "").file("x.csv", "1,2\n3,4\n5,7\n");
    folder.refuses("run --datasets swiss-roll --methods pca --out taken", 1, &["taken", "not a folder"]);
    folder.refuses("run --datasets swiss-roll --methods pca --out taken/below", 1, &["taken/below"]);
    folder.refuses(
        &format!("{EMBED} x.csv --output absent/y.npy").replace("--output y.npy ", ""),
        1,
        &["absent/y.npy"],
    );
    folder.refuses(&format!("{EMBED} x.csv").replace("y.npy", "y.doc"), 2, &["y.doc", ".npy"]);
}

/// A folder in which no user can create files: root may write to a read-only
/// folder, but not to Linux's process file system.
#[cfg(unix)]
#[test]
fn a_folder_without_permission_is_refused_before_any_work() {
    use std::fs::{Permissions, create_dir, set_permissions, write};
    use std::os::unix::fs::PermissionsExt;
    let folder = TempFolder::new();
    let locked = folder.path("locked");
    create_dir(&locked).unwrap();
    set_permissions(&locked, Permissions::from_mode(0o555)).unwrap();
    let mut folders = Vec::new();
    if write(locked.join("probe"), "").is_err() {
        folders.push("locked");
        folders.push("locked/below");
    }
    if cfg!(target_os = "linux") {
        folders.push("/proc/self");
        folders.push("/proc/below");
    }
    assert!(!folders.is_empty(), "run as a user who is not root: nothing here refuses root");
    for refused in folders {
        let line = format!("run --datasets swiss-roll --methods pca --out {refused}");
        folder.refuses(&line, 1, &[refused, "cannot be written"]);
    }
}

#[test]
fn a_graph_that_falls_apart_is_refused_with_its_pieces_and_the_way_out() {
    let folder = TempFolder::new();
    folder.compare("dataset two-swiss-rolls --n 400 --output x.npy");
    let embed = "embed --method lle --input x.npy --output y.npy";
    folder.refuses(embed, 1, &["2 components", "200", "bridge"]);
    for policy in ["bridge", "largest", "per-component"] {
        let output = folder
            .command(&format!("{embed} --set components={policy}"))
            .assert()
            .success()
            .get_output()
            .clone();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("note:"), "{policy}: {said}");
    }
}

#[test]
fn points_that_all_coincide_and_duplicates_are_never_nan() {
    let folder = TempFolder::new();
    folder.file("equal.csv", "1,2,3\n".repeat(40));
    let line = |i: usize| format!("{},{},{}\n", i % 7, (i * i) % 11, (3 * i) % 5);
    folder.file("copies.csv", (0..15).map(line).collect::<String>().repeat(8));
    for method in swissroll::methods().map(|method| method.about().name).filter(|name| *name != "lda") {
        for input in ["equal.csv", "copies.csv"] {
            let embed = format!("embed --method {method} --input {input} --output {method}.csv");
            let output = folder.command(&embed).ok();
            match output {
                Ok(_) => {
                    let text = String::from_utf8(folder.read(&format!("{method}.csv"))).unwrap();
                    assert!(!text.to_lowercase().contains("nan") && !text.contains("inf"), "{embed}");
                }
                Err(error) => {
                    let output = error.as_output().unwrap();
                    let said = String::from_utf8_lossy(&output.stderr);
                    assert_eq!(output.status.code(), Some(1), "{embed}: {said}");
                    assert!(said.contains("error:") && !said.contains("panicked"), "{embed}: {said}");
                }
            }
        }
    }
}

#[test]
fn too_much_memory_is_refused_with_both_numbers() {
    let folder = TempFolder::new();
    folder.compare("dataset swiss-roll --n 1000 --output x.npy");
    let embed = "--memory-limit 1MB embed --method kernel-pca --input x.npy --output y.npy";
    folder.refuses(embed, 1, &["5.3 MB", "1.0 MB"]);
    folder.refuses("--memory-limit 1kB embed --method pca --input x.npy --output y.npy", 1, &["memory"]);
    folder.refuses(
        "--memory-limit 2 embed --method pca --input x.npy --output y.npy",
        1,
        &["at most 2 bytes"],
    );
}

/// `/dev/full` refuses every byte, and a closed stream has no place for one.
#[cfg(target_os = "linux")]
#[test]
fn a_result_that_cannot_be_printed_is_a_failure() {
    let folder = TempFolder::new();
    let lines = ["list methods", "--help", "--version", "help embed", "embed --help"];
    for (line, place_of_output) in lines.iter().flat_map(|line| [(line, ">/dev/full"), (line, ">&-")]) {
        let shell = format!("{} {line} {place_of_output}", env!("CARGO_BIN_EXE_compare"));
        let mut command = std::process::Command::new("sh");
        let output = command.args(["-c", &shell]).current_dir(folder.path(".")).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{shell}: {said}");
        assert!(said.contains("standard output: cannot be written"), "{shell}: {said}");
    }
}

/// A program that has read enough, as `head`, is no failure.
#[cfg(target_os = "linux")]
#[test]
fn a_reader_that_has_read_enough_is_no_failure() {
    let folder = TempFolder::new();
    let shell = format!("{} explain tsne | true", env!("CARGO_BIN_EXE_compare"));
    for _ in 0..5 {
        let mut command = std::process::Command::new("bash");
        let output =
            command.args(["-o", "pipefail", "-c", &shell]).current_dir(folder.path(".")).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    }
}

/// What is typed is repeated by the sentences of the argument parser, too.
#[test]
fn control_characters_of_arguments_are_shown_escaped() {
    let folder = TempFolder::new();
    let (title, red) = ("\u{1b}]0;owned\u{7}", "\u{1b}[31m");
    for arguments in [
        vec![format!("--unknown{title}{red}")],
        vec!["explain".to_owned(), format!("--x{title}{red}")],
        vec![format!("command{title}{red}")],
        vec!["list".to_owned(), format!("what{title}{red}")],
        vec!["run".to_owned(), "--measure-k".to_owned(), format!("3{title}{red}")],
    ] {
        let output = folder.command("").args(&arguments).assert().code(2).get_output().clone();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(r"\u001b]0;owned\u0007\u001b[31m"), "{said}");
        assert!(!said.chars().any(|c| c.is_control() && c != '\n'), "{said:?}");
    }
}

#[test]
fn matrices_of_distances_and_new_points_that_do_not_fit_are_named() {
    let folder = TempFolder::new();
    folder.file("asymmetric.csv", "0,1,2\n1,0,3\n2,4,0\n").file("gap.csv", "0,1,2\n1,0,\n2,NaN,0\n");
    folder.file("y.csv", "1\n2\n3\n");
    for command in [
        "embed --method smacof --set given=distances --output z.csv --dim 1 --input",
        "measure --given distances --embedding y.csv --k 1 --input",
    ] {
        folder.refuses(&format!("{command} asymmetric.csv"), 1, &["asymmetric.csv: ", "symmetric"]);
        let said = folder.refuses(&format!("{command} gap.csv"), 1, &["gap.csv: ", "leave the point out"]);
        assert!(!said.contains("--missing"), "{said}");
    }
    folder.compare("dataset swiss-roll --n 40 --output x.npy");
    for standardize in ["", "--standardize"] {
        folder.compare(&format!("embed --method pca --input x.npy --output z.csv --save m {standardize}"));
        folder.refuses(
            "transform --model m --input y.csv --output z.csv",
            1,
            &["y.csv: the number of columns"],
        );
    }
    let help = folder.compare("transform --help").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("or the mean or the median of the column, which `transform` refuses"), "{help}");
}
