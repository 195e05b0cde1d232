//! A run that is repeated by its `results.json`.

use std::fs;
use std::path::Path;

use embedding::Error;
use serde_json::Value;

use super::arguments::Run;
use crate::Failure;
use crate::cli::context::Context;
use crate::cli::recorded_command::parse;
use crate::results::Results;

/// A run that a file records.
pub(super) struct Recorded {
    pub(super) words: Vec<String>,
    pub(super) run: Run,
    /// The name of each data set, and its checksum.
    pub(super) data: Vec<(String, String)>,
}

impl Recorded {
    /// The run that a file records, but with `out` as its output folder if that is given.
    pub(super) fn read(path: &Path, out: Option<&Path>) -> Result<Self, Failure> {
        let fail = |problem: String| Failure::Failed(Error::file(path.display(), problem));
        let text = fs::read_to_string(path).map_err(|error| fail(error.to_string()))?;
        let results: Value =
            serde_json::from_str(&text).map_err(|error| fail(format!("this is no results.json: {error}")))?;
        let words: Option<Vec<String>> = results["arguments"]
            .as_array()
            .and_then(|words| words.iter().map(|word| word.as_str().map(str::to_owned)).collect());
        let mut words =
            words.ok_or_else(|| fail("this records no run; results.json of a run does".to_owned()))?;
        let Some(mut run) = parse::<Run>("run", &words).map_err(fail)? else {
            return Err(fail("it records another command than run".to_owned()));
        };
        if let Some(out) = out {
            run.out = Some(out.to_owned());
            without_out(&mut words);
            if words.is_empty() {
                words.push("run".to_owned());
            }
            words.extend(["--out".to_owned(), out.display().to_string()]);
        }
        let text = |set: &Value, field: &str| set[field].as_str().map(str::to_owned);
        let sets = results["datasets"].as_array().into_iter().flatten();
        let data = sets.filter_map(|set| Some((text(set, "name")?, text(set, "checksum")?))).collect();
        Ok(Self { words, run, data })
    }
}

/// Names the data sets that differ from the data of the recorded run.
pub(super) fn compare_with(recorded: &[(String, String)], results: &Results, context: &Context) {
    for (name, sum) in recorded {
        if let Some(set) = results.datasets.iter().find(|set| set.name == *name && set.checksum != *sum) {
            context.progress.line(format!(
                "note: the data of {name} differ from the data of the recorded run (checksum {}, recorded {sum}): \
                 a file was changed, or this version makes other data",
                set.checksum
            ));
        }
    }
}

/// Takes the option of the output folder out of a command line.
fn without_out(words: &mut Vec<String>) {
    words.retain(|word| !word.starts_with("--out="));
    if let Some(at) = words.iter().position(|word| word == "--out") {
        words.drain(at..(at + 2).min(words.len()));
    }
}
