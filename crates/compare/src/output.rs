//! The files of a run.

use std::fs;
use std::path::{Path, PathBuf};

use datasets::files;
use embedding::{Error, PointSet};

use crate::figure::Scene;
use crate::folder::Folder;
use crate::results::{MethodResults, Outcome, Results};
use crate::{figure, report, study, views};

/// The files that [`write()`] makes of data sets of these names, within its folder,
/// that a file of the user could be.
pub fn written<'a>(datasets: impl Iterator<Item = &'a str>, methods: &[&str]) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        ["results.json", "results.csv", "report.html", report::live::FILE].map(PathBuf::from).into();
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

/// Pixels per unit of length of a figure.
const PNG_SCALE: f64 = 1.0;

/// Writes results, embeddings, figures and the report page; what cannot be written is
/// left out and told by [`Folder::complete`].
pub fn write(results: &Results, folder: &mut Folder) {
    folder.write("results.json", |path| write_text(path, &json(results)));
    folder.write("results.csv", |path| write_text(path, &csv(results)?));
    folder.write("report.html", |path| write_text(path, &report::page(results)?));
    if report::live::has_lab(results) {
        folder.write(report::live::FILE, |path| write_text(path, &report::live::lab(results)?));
    }
    for dataset in &results.datasets {
        let scene = figure::dataset_scene(&views::dataset::page(dataset), &figure::Paint::of(&dataset.data));
        write_scene(&scene, folder, &dataset.name);
        for method in &dataset.methods {
            if let Some(embedding) = &method.embedding {
                folder.write(format!("embeddings/{}/{}.npy", dataset.name, method.method), |path| {
                    files::write_points(path, PointSet::from_mat(embedding.coordinates())?.view())
                });
            }
        }
    }
    if let Some(study) = &results.study {
        study::write(results, study, folder);
    }
}

/// Writes a figure as SVG and as PNG.
pub fn write_scene(scene: &Scene, folder: &mut Folder, name: &str) {
    folder.write(format!("{name}.svg"), |path| write_text(path, &figure::svg(scene)));
    folder.write(format!("{name}.png"), |path| {
        let png = figure::png(scene, PNG_SCALE)?;
        files::write_whole(path, |file| file.write_all(&png))
    });
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

#[cfg(test)]
mod tests {
    use super::json;

    #[test]
    fn numbers_keep_their_last_digit_through_json() {
        let mut bits = 0x3fb9_9999_9999_999a_u64;
        for _ in 0..20_000 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let number = f64::from_bits(bits);
            if number.is_finite() {
                let back: f64 = serde_json::from_str(&json(&number)).expect("a number");
                assert_eq!(back.to_bits(), number.to_bits(), "{number:e}");
            }
        }
    }
}
