//! Ctrl-C: finished results are kept, and no unfinished file is left.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

use crate::temp_folder::{TempFolder, listing};

/// The running program, and its standard error so far.
struct Running {
    child: Child,
    errors: BufReader<std::process::ChildStderr>,
    said: String,
}

impl Running {
    fn start(folder: &TempFolder, line: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_compare"))
            .current_dir(folder.path("."))
            .args(line.split_whitespace())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let errors = BufReader::new(child.stderr.take().unwrap());
        Self { child, errors, said: String::new() }
    }

    /// Waits until its standard error contains the text.
    fn until(&mut self, part: &str) {
        while !self.said.contains(part) {
            let read = self.errors.read_line(&mut self.said).unwrap();
            assert!(read > 0, "it ended without `{part}`:\n{}", self.said);
        }
    }

    fn interrupt(&self) {
        let sent = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    /// Its exit status, standard output and standard error.
    fn end(mut self) -> (Option<i32>, String, String) {
        self.errors.read_to_string(&mut self.said).unwrap();
        let output = self.child.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), self.said)
    }
}

/// No temporary file or folder.
fn is_tidy(folder: &TempFolder) -> bool {
    let hidden = |path: &std::path::Path| path.file_name().unwrap().to_string_lossy().starts_with('.');
    listing(&folder.path(".")).iter().all(|(path, _)| !hidden(path))
}

/// Iterations for hours.
const ENDLESS: &str = "--set smacof.iterations=1000000000 --set smacof.tolerance=0";

#[test]
fn an_interrupted_run_keeps_what_has_finished() {
    let folder = TempFolder::new();
    let line =
        format!("run --datasets s-curve,digits,swiss-roll --methods pca,smacof --n 1000 --out o {ENDLESS}");
    let mut running = Running::start(&folder, &line);
    running.until("  pca ");
    running.interrupt();
    let (code, printed, said) = running.end();
    assert_eq!(code, Some(130), "{said}");
    assert!(said.contains("interrupted: writing what has finished"), "{said}");
    assert!(said.contains("0 of 3 data sets finished, and 1 of 2 methods on s-curve"), "{said}");
    assert_eq!(said.lines().last(), Some("wrote o/report.html"));
    assert!(printed.contains("s-curve (n = 1000") && printed.contains("pca"), "{printed}");
    let results = folder.json("o/results.json");
    assert_eq!(results["datasets"].as_array().unwrap().len(), 1);
    assert_eq!(results["datasets"][0]["methods"].as_array().unwrap().len(), 1);
    assert!(results["interrupted"].as_str().unwrap().contains("1 of 2 methods"));
    let page = String::from_utf8(folder.read("o/report.html")).unwrap();
    assert!(page.contains("The run was interrupted") && page.ends_with("</html>\n"));
    assert!(folder.path("o/embeddings/s-curve/pca.npy").exists() && folder.path("o/s-curve.svg").exists());
    assert!(is_tidy(&folder));
}

#[test]
fn a_run_interrupted_before_its_first_result_leaves_nothing() {
    let folder = TempFolder::new();
    let line = format!("run --datasets s-curve --methods smacof --n 1000 --out o {ENDLESS}");
    let mut running = Running::start(&folder, &line);
    running.until("s-curve: 1,000 points");
    running.interrupt();
    let (code, printed, said) = running.end();
    assert_eq!((code, printed.as_str()), (Some(130), ""), "{said}");
    assert!(said.contains("nothing was written"), "{said}");
    assert!(listing(&folder.path(".")).is_empty());
}

#[test]
fn other_commands_end_with_a_sentence() {
    let folder = TempFolder::new();
    folder.compare("dataset s-curve --n 100 --output x.npy");
    // A warning about the first column shows that the work has begun.
    let rows: String = (0..1500).map(|i| format!("{i},{},{}\n", (i * i) % 97, (i * 31) % 89)).collect();
    folder.file("x.csv", rows);
    let set = ENDLESS.replace("smacof.", "");
    let mut running =
        Running::start(&folder, &format!("embed --method smacof --input x.csv --output y.npy {set}"));
    running.until("warning: x.csv");
    running.interrupt();
    let (code, _, said) = running.end();
    assert_eq!(code, Some(130), "{said}");
    assert!(said.contains("interrupted"), "{said}");
    assert!(is_tidy(&folder) && !folder.path("y.npy").exists());
}

#[test]
fn an_interrupted_study_keeps_what_has_finished() {
    let folder = TempFolder::new();
    let line = "study --n 120 --measure-k 8 --set tsne.perplexity=15 --out o";
    let mut running = Running::start(&folder, line);
    running.until("fruits: 120 points");
    running.interrupt();
    let (code, printed, said) = running.end();
    assert_eq!(code, Some(130), "{said}");
    assert!(printed.contains("new points were not placed: the run was interrupted"), "{printed}");
    let results = folder.json("o/results.json");
    assert_eq!(results["datasets"][0]["methods"].as_array().unwrap().len(), 4);
    assert!(results["interrupted"].is_string() && folder.path("o/separation.csv").exists());
    assert!(is_tidy(&folder));
}

#[test]
fn a_second_interruption_ends_at_once_and_leaves_nothing() {
    let folder = TempFolder::new();
    let line = format!("run --datasets s-curve --methods pca,smacof --n 3000 --out o {ENDLESS}");
    let mut running = Running::start(&folder, &line);
    running.until("  pca ");
    running.interrupt();
    running.until("press Ctrl-C again");
    running.interrupt();
    let (code, _, said) = running.end();
    assert_eq!(code, Some(130), "{said}");
    assert!(is_tidy(&folder));
}

#[test]
fn a_resumed_run_repeats_nothing_and_ends_as_if_it_had_not_been_interrupted() {
    let folder = TempFolder::new();
    // Long enough that the interruption comes before the second method has finished.
    let line = "run --datasets s-curve,digits --methods pca,smacof,lle --n 700 --k 9 \
                --set smacof.iterations=4000 --set smacof.tolerance=0";
    folder.compare(&format!("{line} --out whole"));
    let mut running = Running::start(&folder, &format!("{line} --out o"));
    running.until("  pca ");
    running.interrupt();
    let (code, _, said) = running.end();
    assert_eq!(code, Some(130), "{said}");
    assert!(said.contains("compare run --resume --out o"), "{said}");
    assert!(folder.path("o/unfinished/s-curve/pca.json").exists());

    let (code, printed, said) = Running::start(&folder, "run --resume --out o").end();
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(said.matches("in the earlier run").count(), 1, "{said}");
    assert!(printed.contains("digits (n = 700"), "{printed}");
    assert!(!folder.path("o/unfinished").exists() && is_tidy(&folder));
    for map in ["s-curve/pca", "s-curve/smacof", "digits/lle"] {
        let of = |run: &str| folder.read(&format!("{run}/embeddings/{map}.npy"));
        assert_eq!(of("o"), of("whole"), "{map}");
    }
    let scores = |run: &str| {
        let results = folder.json(&format!("{run}/results.json"));
        assert!(results.get("interrupted").is_none());
        let rows = results["datasets"][0]["methods"].as_array().unwrap().clone();
        rows.into_iter().map(|row| (row["scores"].clone(), row["facts"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(scores("o"), scores("whole"));
    let (code, _, said) = Running::start(&folder, "run --resume --out o").end();
    assert_eq!(code, Some(1));
    assert!(said.contains("holds no unfinished run"), "{said}");
    let (code, _, said) = Running::start(&folder, "run --resume --k 4").end();
    assert_eq!(code, Some(2));
    assert!(said.contains("only --out may be given with it"), "{said}");
}

/// The columns that drive the map of a method that had finished are part of the report of the resumed run.
#[test]
fn a_resumed_run_reports_what_drives_earlier_maps() {
    let folder = TempFolder::new();
    folder.compare("dataset swiss-roll --n 500 --output x.csv");
    let text = String::from_utf8(folder.read("x.csv")).unwrap();
    folder.file("named.csv", format!("east,height,north\n{text}"));
    let line = "run --input named.csv --methods pca,smacof --k 9 --set smacof.iterations=4000 \
                --set smacof.tolerance=0 --out o";
    let mut running = Running::start(&folder, line);
    running.until("  pca ");
    running.interrupt();
    let (code, _, said) = running.end();
    assert_eq!(code, Some(130), "{said}");
    let (code, _, said) = Running::start(&folder, "run --resume --out o").end();
    assert_eq!((code, said.matches("in the earlier run").count()), (Some(0), 1), "{said}");
    let report = String::from_utf8(folder.read("o/report.html")).unwrap();
    let (_, section) = report.split_once("What drives the maps").unwrap();
    assert_eq!(section.matches("<td>exact</td>").count(), 1);
}

#[test]
fn an_interruption_during_the_policies_says_what_is_missing_and_resume_repeats_none() {
    let folder = TempFolder::new();
    let line = "run --datasets clusters --n 900 --methods laplacian-eigenmaps,isomap --out o";
    let mut running = Running::start(&folder, line);
    running.until("  laplacian-eigenmaps bridge ");
    running.interrupt();
    let (code, _, said) = running.end();
    assert_eq!(code, Some(130), "{said}");
    assert!(said.contains("of 6 maps of clusters by policies for components"), "{said}");
    assert!(folder.path("o/unfinished/clusters/components bridge/laplacian-eigenmaps.json").exists());

    let (code, _, said) = Running::start(&folder, "run --resume --out o").end();
    // Without a policy, methods given by name fail.
    assert_eq!(code, Some(1), "{said}");
    let repeated = said.lines().filter(|line| line.contains("laplacian-eigenmaps bridge"));
    assert!(repeated.clone().count() == 1 && said.contains("in the earlier run"), "{said}");
    assert!(repeated.into_iter().all(|line| line.contains("in the earlier run")), "{said}");
    let results = folder.json("o/results.json");
    assert_eq!(results["datasets"][0]["policies"].as_array().unwrap().len(), 6);
    assert!(!folder.path("o/unfinished").exists() && is_tidy(&folder));
}

#[test]
fn a_resumed_study_repeats_no_map() {
    let folder = TempFolder::new();
    let mut running = Running::start(&folder, "study --n 120 --measure-k 8 --set tsne.perplexity=15 --out o");
    running.until("fruits: 120 points");
    running.interrupt();
    let (code, _, said) = running.end();
    assert_eq!(code, Some(130), "{said}");
    assert!(said.contains("compare study --resume --out o"), "{said}");
    let (code, _, said) = Running::start(&folder, "run --resume --out o").end();
    assert_eq!(code, Some(1));
    assert!(said.contains("compare study --resume"), "{said}");
    let (code, _, said) = Running::start(&folder, "study --resume --n 4").end();
    assert_eq!(code, Some(2));
    assert!(said.contains("only --out may be given with it"), "{said}");
    let (code, printed, said) = Running::start(&folder, "study --resume --out o").end();
    assert_eq!(code, Some(0), "{said}");
    assert!(said.matches("in the earlier run").count() >= 3, "{said}");
    assert!(printed.contains("new mnist in a map of 120"), "{printed}");
    assert!(!folder.path("o/unfinished").exists() && is_tidy(&folder));
}

#[test]
fn after_a_kill_methods_that_finished_on_other_data_are_repeated() {
    let folder = TempFolder::new();
    let rows = |shift: usize| -> String {
        (0..700).map(|i| format!("{}.5,{}\n", (i * i + shift) % 97, (i * 31) % 89)).collect()
    };
    folder.file("x.csv", rows(0));
    let mut running = Running::start(
        &folder,
        "run --input x.csv --methods pca,smacof --out o --set smacof.iterations=1000000000 --set smacof.tolerance=0",
    );
    running.until("  pca ");
    running.child.kill().unwrap();
    assert_eq!(running.end().0, None);
    folder.file("x.csv", rows(5));
    let mut running = Running::start(&folder, "run --resume --out o");
    running.until("  pca ");
    running.interrupt();
    let (_, _, said) = running.end();
    assert!(!said.contains("in the earlier run"), "{said}");
    // With what the killed run left.
    assert!(is_tidy(&folder));
}

/// A limit on the size of a file is what a full disk is to a program: writing fails.
#[cfg(unix)]
#[test]
fn a_disk_that_is_full_costs_only_what_cannot_be_written() {
    let folder = TempFolder::new();
    let program = env!("CARGO_BIN_EXE_compare");
    let line = "run --datasets s-curve --methods pca,lle --n 300 --out o";
    let limited = format!("trap '' XFSZ; ulimit -f 32; exec {program} {line}");
    let output = Command::new("sh").args(["-c", &limited]).current_dir(folder.path(".")).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains(" missing, the others are written: report.html: cannot be written: "), "{said}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("s-curve (n = 300"));
    assert!(folder.path("o/results.json").exists() && folder.path("o/embeddings/s-curve/lle.npy").exists());
    assert!(!folder.path("o/report.html").exists() && is_tidy(&folder));
    assert!(said.contains("compare run --resume --out o"), "{said}");
    // Once space is free again, no result is computed a second time.
    let (code, _, said) = Running::start(&folder, "run --resume --out o").end();
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(said.matches("in the earlier run").count(), 2, "{said}");
    assert!(folder.path("o/report.html").exists() && !folder.path("o/unfinished").exists());
}

#[test]
fn what_a_killed_run_left_is_removed_but_not_what_another_one_uses() {
    let folder = TempFolder::new();
    for name in [".compare-1-0.tmp", ".compare-2-0.tmp"] {
        std::fs::create_dir_all(folder.path(name).join("files")).unwrap();
        std::fs::write(folder.path(name).join("lock"), "").unwrap();
    }
    let used = std::fs::File::open(folder.path(".compare-2-0.tmp/lock")).unwrap();
    used.lock().unwrap();
    folder.compare("run --datasets s-curve --methods pca --n 100 --out o");
    assert!(!folder.path(".compare-1-0.tmp").exists() && folder.path(".compare-2-0.tmp").exists());
}

#[test]
fn a_folder_in_the_place_of_a_file_is_named_before_anything_is_moved() {
    let folder = TempFolder::new();
    std::fs::create_dir_all(folder.path("o/results.json")).unwrap();
    let (code, _, said) =
        Running::start(&folder, "run --datasets s-curve --methods pca --n 100 --out o").end();
    assert_eq!(code, Some(1));
    assert!(said.contains("results.json") && said.contains("is a folder where a file must be"), "{said}");
    assert!(!folder.path("o/report.html").exists() && is_tidy(&folder));
}

/// A second run would remove what the first one has stored for `--resume`.
#[cfg(unix)]
#[test]
fn a_second_run_into_the_same_folder_is_refused_while_the_first_goes_on() {
    let folder = TempFolder::new();
    let mut running = Running::start(
        &folder,
        &format!("run --datasets s-curve --methods pca,smacof --n 1000 --out o {ENDLESS}"),
    );
    running.until("  pca ");
    for second in ["run --datasets helix --n 100 --methods pca --out o", "run --resume --out o"] {
        folder.refuses(second, 1, &["another run is writing into this folder", "--out"]);
    }
    running.child.kill().unwrap();
    running.end();
    assert!(folder.path("o/unfinished/s-curve/pca.json").exists());
    folder.compare("run --datasets helix --n 100 --methods pca --out o");
    assert!(!folder.path("o/unfinished").exists());
}
