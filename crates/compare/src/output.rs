//! The output folder of a run.
//!
//! All files are first written to a temporary folder, and moved to the output folder only
//! when complete.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use datasets::files;
use embedding::{Error, PointSet};

use crate::results::{MethodResults, Outcome, Results};
use crate::{figure, report, study, views};

/// An output folder under construction; the temporary folder is deleted unless completed.
pub struct Folder {
    target: PathBuf,
    staging: PathBuf,
}

impl Folder {
    /// Checks that the folder can be written, before any computation.
    pub fn prepare(target: &Path) -> Result<Self, Error> {
        let fail = |problem: String| Error::file(target.display(), problem);
        if target.exists() && !target.is_dir() {
            return Err(fail("is a file, not a folder; choose another output folder".to_owned()));
        }
        // The nearest existing folder: the target itself or one of its ancestors.
        let absolute = std::path::absolute(target).map_err(|error| fail(error.to_string()))?;
        let parent = absolute.ancestors().find(|path| path.exists()).unwrap_or(Path::new("."));
        let staging = parent.join(format!(".compare-{}.tmp", std::process::id()));
        fs::create_dir(&staging).map_err(|error| {
            fail(format!(
                "cannot be written: {error}; choose another output folder or change its permissions"
            ))
        })?;
        *unfinished() = Some(staging.clone());
        Ok(Self { target: absolute, staging })
    }

    /// Returns the temporary folder to which files are written until
    /// [`Folder::complete`].
    pub fn path(&self) -> &Path {
        &self.staging
    }

    /// The output folder.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Moves every file to the output folder, replacing those of an earlier run.
    pub fn complete(self) -> Result<(), Error> {
        let fail =
            |error: std::io::Error| Error::file(self.target.display(), format!("cannot be written: {error}"));
        if !self.target.exists() {
            if let Some(parent) = self.target.parent() {
                fs::create_dir_all(parent).map_err(fail)?;
            }
            return fs::rename(&self.staging, &self.target).map_err(fail);
        }
        move_into(&self.staging, &self.target).map_err(fail)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        *unfinished() = None;
        // Already gone after a successful rename.
        let _ = fs::remove_dir_all(&self.staging);
    }
}

/// The temporary folder of this process, while there is one.
fn unfinished() -> MutexGuard<'static, Option<PathBuf>> {
    static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes what an unfinished run has written, before the program ends at once.
pub fn abandon() {
    if let Some(staging) = unfinished().take() {
        // The program ends, whether or not this succeeds.
        let _ = fs::remove_dir_all(staging);
    }
}

/// The files that [`write()`] makes of data sets of these names, within its folder,
/// that a file of the user could be.
pub fn written<'a>(datasets: impl Iterator<Item = &'a str>, methods: &[&str]) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = ["results.json", "results.csv", "report.html", report::live::FILE].map(PathBuf::from).into();
    for name in datasets {
        files.extend(["svg", "png"].map(|extension| PathBuf::from(format!("{name}.{extension}"))));
        let embeddings = Path::new("embeddings").join(name);
        files.extend(methods.iter().map(|method| embeddings.join(format!("{method}.npy"))));
    }
    files
}

/// Files that an earlier run left in a folder and that the data sets and methods
/// of `results` do not replace: relative paths, as far as they exist. What an
/// earlier run wrote is told by its `results.json`.
pub fn left_over(folder: &Path, results: &Results) -> Vec<PathBuf> {
    let Ok(text) = fs::read_to_string(folder.join("results.json")) else { return Vec::new() };
    let Ok(earlier) = serde_json::from_str::<serde_json::Value>(&text) else { return Vec::new() };
    let list = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
    let name = |value: &serde_json::Value| value.as_str().map(str::to_owned);
    let mut old = Vec::new();
    for set in list(&earlier["datasets"]) {
        let Some(dataset) = name(&set["name"]) else { continue };
        let methods: Vec<String> =
            list(&set["methods"]).iter().filter_map(|row| name(&row["method"])).collect();
        let methods: Vec<&str> = methods.iter().map(String::as_str).collect();
        old.extend(written([dataset.as_str()].into_iter(), &methods));
    }
    let mut new = Vec::new();
    for set in &results.datasets {
        let done = set.methods.iter().filter(|row| row.embedding.is_some());
        let methods: Vec<&str> = done.map(|row| row.method.as_str()).collect();
        new.extend(written([set.name.as_str()].into_iter(), &methods));
    }
    old.retain(|path| !new.contains(path) && folder.join(path).exists());
    old.sort();
    old.dedup();
    old
}

fn move_into(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let place = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            move_into(&entry.path(), &place)?;
        } else {
            fs::rename(entry.path(), place)?;
        }
    }
    Ok(())
}

/// Pixels per unit of length of a figure.
const PNG_SCALE: f64 = 1.0;

/// Writes results, embeddings, figures and the report page.
pub fn write(results: &Results, folder: &Path) -> Result<(), Error> {
    write_text(&folder.join("results.json"), &json(results))?;
    write_text(&folder.join("results.csv"), &csv(results)?)?;
    write_text(&folder.join("report.html"), &report::page(results)?)?;
    if report::live::has_lab(results) {
        write_text(&folder.join(report::live::FILE), &report::live::lab(results)?)?;
    }
    for dataset in &results.datasets {
        let scene = figure::dataset_scene(&views::dataset::page(dataset), &figure::Paint::of(&dataset.data));
        write_text(&folder.join(format!("{}.svg", dataset.name)), &figure::svg(&scene))?;
        let png = figure::png(&scene, PNG_SCALE)?;
        files::write_whole(&folder.join(format!("{}.png", dataset.name)), |file| file.write_all(&png))?;
        let own = folder.join("embeddings").join(&dataset.name);
        fs::create_dir_all(&own).map_err(|error| Error::file(own.display(), error))?;
        for method in &dataset.methods {
            if let Some(embedding) = &method.embedding {
                let points = PointSet::from_mat(embedding.coordinates())?;
                files::write_points(&own.join(format!("{}.npy", method.method)), points.view())?;
            }
        }
    }
    match &results.study {
        Some(study) => study::write(results, study, folder),
        None => Ok(()),
    }
}

/// Formats results as indented JSON with a final line break.
pub fn json(value: &impl serde::Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("results are numbers, words and lists of them");
    text.push('\n');
    text
}

/// Writes a text file atomically.
pub fn write_text(path: &Path, text: &str) -> Result<(), Error> {
    files::write_whole(path, |file| file.write_all(text.as_bytes()))
}

/// Formats one line per data set and method.
fn csv(results: &Results) -> Result<String, Error> {
    let mut header = ["dataset", "method", "n", "D", "dim", "status", "seconds", "peak_memory_bytes"]
        .map(str::to_owned)
        .to_vec();
    header.extend(quality::measures().iter().map(|measure| measure.name.to_owned()));
    header.push("reason".to_owned());
    let mut writer = csv::Writer::from_writer(Vec::new());
    let fail = |error: csv::Error| Error::file("results.csv", error);
    writer.write_record(&header).map_err(fail)?;
    for dataset in &results.datasets {
        for method in &dataset.methods {
            writer.write_record(csv_row(&dataset.name, method)).map_err(fail)?;
        }
    }
    let bytes = writer.into_inner().map_err(|error| Error::file("results.csv", error))?;
    Ok(String::from_utf8(bytes).expect("names and numbers are text"))
}

fn csv_row(dataset: &str, method: &MethodResults) -> Vec<String> {
    let or_nothing = |value: Option<String>| value.unwrap_or_default();
    let mut row = vec![
        dataset.to_owned(),
        method.method.clone(),
        method.n.to_string(),
        method.columns.to_string(),
        method.dim.to_string(),
        status(&method.outcome).to_owned(),
        method.seconds.to_string(),
        or_nothing(method.peak_memory_bytes.map(|bytes| bytes.to_string())),
    ];
    let score = |measure: &quality::Measure| method.score(measure.name).map(|value| value.to_string());
    row.extend(quality::measures().iter().map(|measure| or_nothing(score(measure))));
    row.push(method.outcome.reason().unwrap_or_default().to_owned());
    row
}

/// Returns the outcome as one word.
pub fn status(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Done => "done",
        Outcome::Failed { .. } => "failed",
        Outcome::Skipped { .. } => "skipped",
    }
}
