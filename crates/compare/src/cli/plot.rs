//! `--plot` and `--panels`: a map as a picture.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use datasets::files::WholeFiles;
use datasets::{Dataset, Labels, RowNames};
use embedding::{Embedding, Error, PointSet};
use figure::{Scene, png, slide_scene, svg};

use crate::Failure;
use crate::folder::Folder;
use crate::results::Results;
use crate::views::words;

/// A format of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum PictureFormat {
    Png,
    Svg,
}

/// Pixels per unit of a figure: sharp on a projector.
const SCALE: f64 = 2.0;

/// Refuses a name of another format, before any work is done.
pub(in crate::cli) fn check(path: &Path) -> Result<(), Failure> {
    match extension(path).as_str() {
        "png" | "svg" => Ok(()),
        _ => Err(Failure::usage(format!("--plot {}: the name must end in .png or .svg", path.display()))),
    }
}

/// Draws and writes the map of a method, as one of several files.
pub(in crate::cli) fn write(
    files: &mut WholeFiles,
    path: &Path,
    title: &str,
    data: &Dataset,
    embedding: &Embedding,
) -> Result<(), Error> {
    write_scene(files, path, &slide_scene(title, data, embedding))
}

/// The data of a picture of `n` points whose coordinates were not read: their classes and names. Without
/// classes all points have one color.
pub(in crate::cli) fn without_coordinates(
    name: String,
    n: usize,
    labels: Option<Labels>,
    row_names: Option<RowNames>,
) -> Result<Dataset, Error> {
    let same = PointSet::new(vec![0.0; n], 1)?;
    Ok(Dataset { labels: labels.into_iter().collect(), row_names, ..Dataset::new(name, same) })
}

/// Writes a drawing, as one of several files.
pub(in crate::cli) fn write_scene(files: &mut WholeFiles, path: &Path, scene: &Scene) -> Result<(), Error> {
    let bytes = if extension(path) == "svg" { svg(scene).into_bytes() } else { png(scene, SCALE)? };
    files.write(path, |file| file.write_all(&bytes))
}

/// Writes every map of a run into the folder `panels`, by data set and method.
pub(in crate::cli) fn panels(results: &Results, format: PictureFormat, folder: &mut Folder) {
    for dataset in &results.datasets {
        for method in &dataset.methods {
            let Some(embedding) = &method.embedding else { continue };
            let title = format!("{} of {}", method.method, words(&dataset.name));
            folder.write(panel(&dataset.name, &method.method, format), |path| {
                let mut files = WholeFiles::default();
                write(&mut files, path, &title, &dataset.data, embedding)?;
                files.complete()
            });
        }
    }
}

/// The names of the pictures, within the folder of their run.
pub(in crate::cli) fn panel_names<'a>(
    datasets: impl Iterator<Item = &'a str>,
    methods: &[&str],
    format: PictureFormat,
) -> Vec<PathBuf> {
    datasets.flat_map(|dataset| methods.iter().map(move |method| panel(dataset, method, format))).collect()
}

fn panel(dataset: &str, method: &str, format: PictureFormat) -> PathBuf {
    let extension = match format {
        PictureFormat::Png => "png",
        PictureFormat::Svg => "svg",
    };
    PathBuf::from(format!("panels/{dataset}/{method}.{extension}"))
}

fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}
