//! Ctrl-C: what has finished is kept, nothing unfinished is left.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

use crate::place::{Place, listing};

/// The program at work, and what it has said so far.
struct Running {
    child: Child,
    errors: BufReader<std::process::ChildStderr>,
    said: String,
}

impl Running {
    fn start(place: &Place, line: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_compare"))
            .current_dir(place.path("."))
            .args(line.split_whitespace())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let errors = BufReader::new(child.stderr.take().unwrap());
        Self { child, errors, said: String::new() }
    }

    /// Waits until it has said this.
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

    /// Its exit status, what it printed and what it said.
    fn end(mut self) -> (Option<i32>, String, String) {
        self.errors.read_to_string(&mut self.said).unwrap();
        let output = self.child.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), self.said)
    }
}

/// No temporary file or folder.
fn is_tidy(place: &Place) -> bool {
    let hidden = |path: &std::path::Path| path.file_name().unwrap().to_string_lossy().starts_with('.');
    listing(&place.path(".")).iter().all(|(path, _)| !hidden(path))
}

/// Iterations for hours.
const ENDLESS: &str = "--set smacof.iterations=1000000000 --set smacof.tolerance=0";

#[test]
fn an_interrupted_run_keeps_what_has_finished() {
    let place = Place::new();
    let line =
        format!("run --datasets s-curve,digits,swiss-roll --methods pca,smacof --n 1000 --out o {ENDLESS}");
    let mut running = Running::start(&place, &line);
    running.until("  pca ");
    running.interrupt();
    let (code, printed, said) = running.end();
    assert_eq!(code, Some(130), "{said}");
    assert!(said.contains("interrupted: writing what has finished"), "{said}");
    assert!(said.contains("0 of 3 data sets finished, and 1 of 2 methods on s-curve"), "{said}");
    assert_eq!(said.lines().last(), Some("wrote o/report.html"));
    assert!(printed.contains("s-curve (n = 1000") && printed.contains("pca"), "{printed}");
    let results = place.json("o/results.json");
    assert_eq!(results["datasets"].as_array().unwrap().len(), 1);
    assert_eq!(results["datasets"][0]["methods"].as_array().unwrap().len(), 1);
    assert!(results["interrupted"].as_str().unwrap().contains("1 of 2 methods"));
    let page = String::from_utf8(place.read("o/report.html")).unwrap();
    assert!(page.contains("The run was interrupted") && page.ends_with("</html>\n"));
    assert!(place.path("o/embeddings/s-curve/pca.npy").exists() && place.path("o/s-curve.svg").exists());
    assert!(is_tidy(&place));
}

#[test]
fn a_run_interrupted_before_its_first_result_leaves_nothing() {
    let place = Place::new();
    let line = format!("run --datasets s-curve --methods smacof --n 1000 --out o {ENDLESS}");
    let mut running = Running::start(&place, &line);
    running.until("s-curve: 1,000 points");
    running.interrupt();
    let (code, printed, said) = running.end();
    assert_eq!((code, printed.as_str()), (Some(130), ""), "{said}");
    assert!(said.contains("nothing was written"), "{said}");
    assert!(listing(&place.path(".")).is_empty());
}

#[test]
fn other_commands_end_with_a_sentence() {
    let place = Place::new();
    place.compare("dataset s-curve --n 100 --output x.npy");
    // The first column is doubted: the sentence tells that the work has begun.
    let rows: String = (0..1500).map(|i| format!("{i},{},{}\n", (i * i) % 97, (i * 31) % 89)).collect();
    place.file("x.csv", rows);
    let set = ENDLESS.replace("smacof.", "");
    let mut running =
        Running::start(&place, &format!("embed --method smacof --input x.csv --output y.npy {set}"));
    running.until("warning: x.csv");
    running.interrupt();
    let (code, _, said) = running.end();
    assert_eq!(code, Some(130), "{said}");
    assert!(said.contains("interrupted"), "{said}");
    assert!(is_tidy(&place) && !place.path("y.npy").exists());
}

#[test]
fn an_interrupted_study_keeps_what_has_finished() {
    let place = Place::new();
    let line = "study --n 120 --measure-k 8 --set tsne.perplexity=15 --out o";
    let mut running = Running::start(&place, line);
    running.until("fruits: 120 points");
    running.interrupt();
    let (code, printed, said) = running.end();
    assert_eq!(code, Some(130), "{said}");
    assert!(printed.contains("new points were not placed: the run was interrupted"), "{printed}");
    let results = place.json("o/results.json");
    assert_eq!(results["datasets"][0]["methods"].as_array().unwrap().len(), 3);
    assert!(results["interrupted"].is_string() && place.path("o/separation.csv").exists());
    assert!(is_tidy(&place));
}

#[test]
fn a_second_interruption_ends_at_once_and_leaves_nothing() {
    let place = Place::new();
    let line = format!("run --datasets s-curve --methods pca,smacof --n 3000 --out o {ENDLESS}");
    let mut running = Running::start(&place, &line);
    running.until("  pca ");
    running.interrupt();
    running.until("press Ctrl-C again");
    running.interrupt();
    let (code, _, said) = running.end();
    assert_eq!(code, Some(130), "{said}");
    assert!(is_tidy(&place));
}
