//! The files of a run.

mod sweep;

use std::fs;
use std::path::{Path, PathBuf};

use datasets::{RowNames, files};
use embedding::{Embedding, Error, PointSet};
use figure::Scene;

use crate::dataset_source::file_of;
use crate::folder::Folder;
use crate::results::{MethodResults, Outcome, Results};
use crate::views::axes::most_trusted;
use crate::{report, study, views};

/// The files that [`write()`] makes for data sets with the given names, within its folder; only
/// names that a file of the user could have.
pub(crate) fn written<'a>(datasets: impl Iterator<Item = &'a str>, methods: &[&str]) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = ["results.json", "results.csv", "report.html"].map(PathBuf::from).into();
    for name in datasets {
        let figures = ["", "-sweep", "-maps", "-policies", "-axes"]
            .iter()
            .flat_map(|of| ["svg", "png"].map(|kind| (of, kind)));
        files.extend(figures.map(|(of, kind)| PathBuf::from(format!("{name}{of}.{kind}"))));
        let embeddings = Path::new("embeddings").join(name);
        files.extend(methods.iter().map(|method| embeddings.join(format!("{method}.npy"))));
        files.extend(methods.iter().map(|method| embeddings.join(format!("{method}-{NAMES}"))));
        files.push(embeddings.join(NAMES));
        files.push(file_of(name).into());
    }
    files
}

/// Files that an earlier run left in a folder and that the data sets and methods
/// of `results` do not replace: relative paths, as far as they exist. What an
/// earlier run wrote is recorded in its `results.json`.
pub(crate) fn left_over(folder: &Path, results: &Results) -> Vec<PathBuf> {
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
    if earlier["sweeps"].is_array() {
        old.extend(of_sweeps());
    }
    let new = new_files(results);
    old.retain(|path| !new.contains(path) && folder.join(path).exists());
    old.sort();
    old.dedup();
    old
}

/// The files that depend on the data sets, methods and settings of a run.
fn new_files(results: &Results) -> Vec<PathBuf> {
    let mut new: Vec<PathBuf> = Vec::new();
    for set in &results.datasets {
        let done = set.methods.iter().filter(|row| row.embedding.is_some());
        let methods: Vec<&str> = done.map(|row| row.method.as_str()).collect();
        let of_this = results.sweeps.iter().find(|sweep| sweep.dataset == set.name);
        let swept = of_this.is_some();
        let drawn = of_this.is_some_and(|sweep| views::sweep::map_grid(sweep).is_some());
        let mut files = written([set.name.as_str()].into_iter(), &methods);
        for (made, of) in [
            (swept, "sweep"),
            (drawn, "maps"),
            (!set.policies.is_empty(), "policies"),
            (!most_trusted(set).is_empty(), "axes"),
        ] {
            let figures = ["svg", "png"].map(|kind| PathBuf::from(format!("{}-{of}.{kind}", set.name)));
            files.retain(|file| made || !figures.contains(file));
        }
        let shown = PathBuf::from(file_of(&set.name));
        files.retain(|file| set.entries.is_some() || *file != shown);
        new.extend(files);
    }
    if !results.sweeps.is_empty() {
        new.extend(of_sweeps());
    }
    new
}

/// The tables of a sweep, within the folder of its run.
pub(crate) fn of_sweeps() -> [PathBuf; 2] {
    [SWEEP, SWEEP_RUNS].map(PathBuf::from)
}

/// The file of the means of a sweep, and the file of its runs.
const SWEEP: &str = "sweep.csv";
const SWEEP_RUNS: &str = "sweep-runs.csv";
/// The names of the rows of a data set; a map of some of them has its own.
const NAMES: &str = "names.csv";

/// Pixels per unit of length of a figure.
const PNG_SCALE: f64 = 1.0;

/// Writes results, embeddings, figures and the report page; what cannot be written is
/// left out, and [`Folder::complete`] reports it.
pub(crate) fn write(results: &Results, folder: &mut Folder) {
    folder.write("results.json", |path| write_text(path, &json(results)));
    folder.write("results.csv", |path| write_text(path, &csv(results)?));
    folder.write("report.html", |path| write_text(path, &report::page(results)?));
    for dataset in &results.datasets {
        let paint = figure::paint::Paint::of(&dataset.data);
        let scene = figure::dataset::dataset_scene(&views::dataset::page(dataset), &paint);
        write_scene(&scene, folder, &dataset.name);
        if !dataset.policies.is_empty() {
            let page = views::dataset::policies_page(dataset);
            let scene = figure::dataset::dataset_scene(&page, &paint);
            write_scene(&scene, folder, &format!("{}-policies", dataset.name));
        }
        let along = most_trusted(dataset).into_iter().next();
        if let Some(scene) = along.and_then(|best| views::axes::scene(dataset, best, &paint)) {
            write_scene(&scene, folder, &format!("{}-axes", dataset.name));
        }
        let mut write_names = |file: String, names: &RowNames| {
            let rows = std::iter::once(&names.name).chain(&names.values).map(|name| vec![name.clone()]);
            folder.write(format!("embeddings/{}/{file}", dataset.name), |path| {
                write_text(path, &sweep::table(NAMES, rows)?)
            });
        };
        if let Some(names) = &dataset.data.row_names {
            write_names(NAMES.to_owned(), names);
            for method in &dataset.methods {
                if let Some(rows) = method.embedding.as_ref().and_then(Embedding::placed_rows) {
                    write_names(format!("{}-{NAMES}", method.method), &names.select(rows));
                }
            }
        }
        if dataset.entries.is_some() {
            folder
                .write(file_of(&dataset.name), |path| files::write_points(path, dataset.data.points.view()));
        }
        for method in &dataset.methods {
            if let Some(embedding) = &method.embedding {
                folder.write(format!("embeddings/{}/{}.npy", dataset.name, method.method), |path| {
                    files::write_points(path, PointSet::from_mat(embedding.coordinates())?.view())
                });
            }
        }
    }
    if !results.sweeps.is_empty() {
        folder.write(SWEEP, |path| write_text(path, &sweep::summary(&results.sweeps)?));
        folder.write(SWEEP_RUNS, |path| write_text(path, &sweep::runs(&results.sweeps)?));
    }
    for of in &results.sweeps {
        let shown = views::sweep::measures(of).into_iter().take(views::sweep::SHOWN);
        let maps: Vec<_> = shown.map(|measure| views::sweep::heat_map(of, measure)).collect();
        let (title, text) = (views::words(&of.dataset), views::sweep::sentence(of));
        write_scene(
            &figure::heat::heat_scene(&title, &text, &maps),
            folder,
            &format!("{}-sweep", of.dataset),
        );
        if let Some(grid) = views::sweep::map_grid(of) {
            write_scene(&figure::grid::grid_scene(&grid), folder, &format!("{}-maps", of.dataset));
        }
    }
    if let Some(study) = &results.study {
        study::write(results, study, folder);
    }
}

/// Writes a figure as SVG and as PNG.
pub(crate) fn write_scene(scene: &Scene, folder: &mut Folder, name: &str) {
    folder.write(format!("{name}.svg"), |path| write_text(path, &figure::svg(scene)));
    folder.write(format!("{name}.png"), |path| {
        let png = figure::png(scene, PNG_SCALE)?;
        files::write_whole(path, |file| file.write_all(&png))
    });
}

/// Formats results as indented JSON with a final line break.
pub(crate) fn json(value: &impl serde::Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("results are numbers, words and lists of them");
    text.push('\n');
    text
}

/// Writes a text file atomically.
pub(crate) fn write_text(path: &Path, text: &str) -> Result<(), Error> {
    files::write_whole(path, |file| file.write_all(text.as_bytes()))
}

/// Formats one line per data set and method.
/// The columns of a row of [`csv_row`].
fn columns() -> Vec<String> {
    let first = ["dataset", "method", "n", "D", "dim", "status", "seconds", "peak_memory_bytes"];
    let measures = quality::measures().iter().map(|measure| measure.name);
    first.into_iter().chain(measures).chain(["reason"]).map(str::to_owned).collect()
}

fn csv(results: &Results) -> Result<String, Error> {
    let rows = results
        .datasets
        .iter()
        .flat_map(|dataset| dataset.methods.iter().map(|method| csv_row(&dataset.name, method)));
    sweep::table("results.csv", std::iter::once(columns()).chain(rows))
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
pub(crate) fn status(outcome: &Outcome) -> &'static str {
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
