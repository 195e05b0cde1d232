//! Where outputs go: over existing files, through links, under strange names.

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::temp_folder::TempFolder;

const EMBED: &str = "embed --method pca --input x.csv";
const RUN: &str = "run --input x.csv --methods pca --measure-k 3 --k 3";

/// Eight points in three dimensions.
fn prepared() -> TempFolder {
    let folder = TempFolder::new();
    let row = |i: usize| format!("{},{},{}\n", i, (i * i) % 7, (3 * i) % 5);
    folder.file("x.csv", (0..8).map(row).collect::<String>());
    folder
}

fn mode(folder: &TempFolder, name: &str) -> u32 {
    fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o777
}

#[test]
fn outputs_keep_the_mode_of_the_file_that_they_replace() {
    let folder = prepared();
    folder.compare(&format!("{EMBED} --output y.csv --save m"));
    folder.compare(&format!("{RUN} --out o"));
    for (name, bits) in [("y.csv", 0o600), ("m", 0o640), ("o/results.json", 0o604), ("o/x.svg", 0o600)] {
        fs::set_permissions(folder.path(name), Permissions::from_mode(bits)).unwrap();
    }
    folder.compare(&format!("{EMBED} --output y.csv --save m"));
    folder.compare(&format!("{RUN} --out o"));
    let modes = ["y.csv", "m", "o/results.json", "o/x.svg"].map(|name| mode(&folder, name));
    assert_eq!(modes, [0o600, 0o640, 0o604, 0o600]);
}

#[test]
fn nothing_is_written_to_standard_output() {
    let folder = prepared();
    for output in ["--output y.csv --save -", "--output y.csv --report -"] {
        folder.refuses(
            &format!("{EMBED} {output}"),
            2,
            &["nothing is written to standard output; name a file"],
        );
    }
    folder.refuses("lab --out -", 2, &["nothing is written to standard output; name a file"]);
    assert!(!folder.path("-").exists() && !folder.path("y.csv").exists());
}

#[test]
fn a_name_that_cannot_be_written_is_refused_before_anything_is_done() {
    let folder = prepared();
    folder.compare(&format!("{EMBED} --output y.csv --save m"));
    let before = fs::read_dir(folder.path(".")).unwrap().count();
    let invert = "invert --input x.csv --embedding y.csv --places y.csv";
    for line in [
        "dataset digits --output a.npy --labels a.txt",
        "dataset swiss-roll --output a.npy --truth a.mtx",
        "neighbors --k 2 --input x.csv --output i.npy --distances d.txt",
        // The input does not exist, which is not noticed first.
        "embed --method pca --input absent.csv --output y.txt",
        "transform --model absent --input x.csv --output y.mtx",
        &format!("{invert} --output d.csv --decoded-places d.txt"),
    ] {
        let name = line.rsplit(' ').next().unwrap();
        // What is written is listed, not what is read.
        let said = folder.refuses(line, 2, &[name, "must end in .npy,", ".csv, .tsv, .csv.gz or .tsv.gz"]);
        assert!(!said.contains(".mtx or"), "{said}");
    }
    assert_eq!(fs::read_dir(folder.path(".")).unwrap().count(), before);
    fs::create_dir(folder.path("d.csv")).unwrap();
    folder.refuses("neighbors --k 2 --input x.csv --output i.npy --distances d.csv", 1, &["d.csv"]);
    assert!(!folder.path("i.npy").exists());
}

#[test]
fn a_folder_in_the_place_of_an_output_is_named_before_any_fit() {
    let folder = prepared();
    let sweep = format!("{RUN} --k 2,3 --panels svg --out o").replace("--k 3 ", "");
    for (taken, line) in [
        ("o/results.json", sweep.as_str()),
        ("o/x.svg", &sweep),
        ("o/embeddings/x/pca.npy", &sweep),
        ("o/panels/x/pca.svg", &sweep),
        ("o/sweep.csv", &sweep),
        ("o/placement.csv", "study --n 120 --out o"),
        ("y.csv", &format!("{EMBED} --output y.csv")),
        ("r.json", &format!("{EMBED} --output y.csv --report r.json")),
    ] {
        fs::create_dir_all(folder.path(taken)).unwrap();
        let said = folder.refuses(line, 1, &[taken, "is a folder where a file must be"]);
        // A run first reports the number of points, and `embed` warns of the data it has read.
        let begun = if line.starts_with("embed") { "warning: x.csv" } else { "points in" };
        assert!(!said.contains(begun), "{said}");
        fs::remove_dir(folder.path(taken)).unwrap();
    }
    fs::remove_dir_all(folder.path("o")).unwrap();
    fs::create_dir(folder.path("o")).unwrap();
    folder.file("o/embeddings", "");
    let said = folder.refuses(&sweep, 1, &["o/embeddings", "is a file where a folder must be"]);
    assert!(!said.contains("points in"), "{said}");
}

#[test]
fn an_output_whose_folder_does_not_exist_is_refused_before_anything_is_read() {
    let folder = prepared();
    folder.compare(&format!("{EMBED} --output y.csv --save m"));
    symlink("nodir/y.csv", folder.path("link.csv")).unwrap();
    let embed = "embed --method pca --input absent.csv";
    let invert = "invert --input absent.csv --embedding y.csv --places y.csv --output d.csv";
    for (option, line) in [
        ("--output", format!("{embed} --output nodir/z.csv")),
        ("--output", format!("{embed} --output link.csv")),
        ("--save", format!("{embed} --output z.csv --save nodir/m")),
        ("--report", format!("{embed} --output z.csv --report nodir/r.json")),
        ("--plot", format!("{embed} --output z.csv --plot nodir/p.png")),
        ("--output", "transform --model absent --input absent.csv --output nodir/z.csv".into()),
        ("--distances", "neighbors --k 2 --input absent.csv --output i.csv --distances nodir/d.csv".into()),
        ("--report", "neighbors --k 2 --input absent.csv --output i.csv --report nodir/r.json".into()),
        ("--decoded-places", format!("{invert} --decoded-places nodir/p.csv")),
        ("--report", format!("{invert} --report nodir/r.json")),
        ("--plot", format!("{invert} --plot nodir/p.png")),
        ("--labels", "dataset digits --output x.npy --labels nodir/l.csv".into()),
        ("--out", "lab --input absent.csv --out nodir/lab.html".into()),
    ] {
        let said = folder.refuses(&line, 1, &[option, "nodir", "does not exist; make it"]);
        assert!(!said.contains("absent"), "{line}: {said}");
    }
}

#[test]
fn symbolic_links_are_followed() {
    let folder = prepared();
    fs::create_dir(folder.path("far")).unwrap();
    folder.file("far/y.csv", "old").file("far/results.json", "{}");
    folder.compare(&format!("{RUN} --out o"));
    fs::remove_file(folder.path("o/results.json")).unwrap();
    for (target, link) in [
        ("far/y.csv", "y.csv"),
        ("far/not-yet.model", "m"),
        ("y.csv", "twice.csv"),
        ("../far/results.json", "o/results.json"),
    ] {
        symlink(target, folder.path(link)).unwrap();
    }
    folder.compare(&format!("{EMBED} --output y.csv --save m"));
    folder.compare(&format!("{RUN} --out o"));
    assert_ne!(folder.read("far/y.csv"), b"old");
    assert!(folder.read("far/not-yet.model").starts_with(b"MANIFOLD"));
    assert_eq!(folder.json("far/results.json")["datasets"][0]["name"], "x");
    let before = folder.read("far/y.csv");
    folder.compare(&format!("{EMBED} --dim 1 --output twice.csv"));
    assert_ne!(folder.read("far/y.csv"), before, "a link to a link");
    for link in ["y.csv", "m", "twice.csv", "o/results.json"] {
        assert!(fs::symlink_metadata(folder.path(link)).unwrap().is_symlink(), "{link}");
    }
    symlink("loop", folder.path("loop")).unwrap();
    folder.refuses(&format!("{EMBED} --output y.csv --save loop"), 1, &["loop"]);
}

#[test]
fn embed_writes_neither_map_nor_model_when_one_of_them_fails() {
    let folder = prepared();
    folder.file("y.csv", "the old map").file("m", "the old model");
    for options in [
        "--output y.csv --save absent/m",
        "--output absent/y.csv --save m",
        "--output y.csv --save m --report absent/r.json",
        "--output y.csv --save m --plot absent/p.svg",
    ] {
        folder.refuses(&format!("{EMBED} {options}"), 1, &["absent"]);
        assert_eq!(
            (folder.read("y.csv"), folder.read("m")),
            (b"the old map".into(), b"the old model".into())
        );
    }
}

#[test]
fn names_that_are_no_text_are_names() {
    let folder = prepared();
    let run = |name: &[u8]| folder.command(RUN).arg("--out").arg(OsStr::from_bytes(name)).assert().success();
    run(b"o\xff");
    assert!(folder.path("").join(OsStr::from_bytes(b"o\xff")).join("results.json").exists());
}

#[test]
fn the_command_to_repeat_a_run_is_quoted_for_the_shell() {
    let folder = prepared();
    folder.compare(&format!("{RUN} --out it's"));
    let command = folder.json("it's/results.json")["command"].clone();
    assert_eq!(command, format!(r"compare {RUN} --out 'it'\''s'"));
}

#[test]
fn a_negative_tolerance_is_refused() {
    let refused = ["tolerance must be", "-1"];
    prepared().refuses(&format!("{EMBED} --output y.csv --set tolerance=-1"), 2, &refused);
}
