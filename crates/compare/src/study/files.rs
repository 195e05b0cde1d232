//! Additional files of the study.

use std::path::PathBuf;

use datasets::files;
use embedding::{Error, PointSet};
use figure::{dataset::dataset_scene, paint::Paint, placement::placement_scene};

use crate::folder::Folder;
use crate::output::{write_scene, write_text};
use crate::results::{Experiment, Placement, Results, StudyResults};
use crate::views;

/// Writes a figure for every further label set, the figure of the new points with their
/// coordinates, and both tables.
pub(crate) fn write(results: &Results, study: &StudyResults, folder: &mut Folder) {
    for dataset in &results.datasets {
        for labels in dataset.data.labels.iter().skip(1) {
            let scene = dataset_scene(&views::dataset::page(dataset), &Paint::labels(labels));
            write_scene(&scene, folder, &format!("{}-{}", dataset.name, labels.name));
        }
    }
    folder.write(SEPARATION_TABLE, |path| write_text(path, &separation_csv(study)?));
    let Experiment::Done(placement) = &study.placement else { return };
    write_scene(&placement_scene(&views::placement::page(placement)), folder, PLACEMENT);
    folder.write(PLACEMENT_TABLE, |path| write_text(path, &placement_csv(placement)?));
    let placed = placement.placed.iter().map(|placed| (placed.by.as_str(), &placed.coordinates));
    for (name, coordinates) in placed.chain([("map", &placement.coordinates)]) {
        folder.write(format!("embeddings/placement/{name}.npy"), |path| {
            files::write_points(path, PointSet::from_mat(coordinates.as_ref())?.view())
        });
    }
}

/// The files of every study in addition to the files of its run, within their folder.
pub(crate) fn written() -> Vec<PathBuf> {
    let figures = ["svg", "png"].map(|kind| PathBuf::from(format!("{PLACEMENT}.{kind}")));
    [SEPARATION_TABLE, PLACEMENT_TABLE].map(PathBuf::from).into_iter().chain(figures).collect()
}

const SEPARATION_TABLE: &str = "separation.csv";
const PLACEMENT_TABLE: &str = "placement.csv";
const PLACEMENT: &str = "placement";

/// Formats one line per data set, label set and method.
pub(crate) fn separation_csv(study: &StudyResults) -> Result<String, Error> {
    let header = ["dataset", "labels", "method", "n", "k", "knn_accuracy", "silhouette", "trustworthiness"];
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let rows = study.separation.iter().map(|row| {
        vec![
            row.dataset.clone(),
            row.labels.clone(),
            row.method.clone().unwrap_or_else(|| "data".to_owned()),
            row.n.to_string(),
            row.k.to_string(),
            number(row.knn_accuracy),
            number(row.silhouette),
            number(row.trustworthiness),
        ]
    });
    csv(SEPARATION_TABLE, &header, rows)
}

/// Formats one line for the data, for the map, and for each placement method.
pub(crate) fn placement_csv(placement: &Placement) -> Result<String, Error> {
    let header = ["by", "points", "k", "knn_accuracy", "training_seconds", "seconds", "validation_error"];
    let line = |by: &str, points: usize, accuracy: f64, [training, seconds, error]: [Option<f64>; 3]| {
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        let (points, k) = (points.to_string(), placement.k.to_string());
        vec![by.to_owned(), points, k, accuracy.to_string(), number(training), number(seconds), number(error)]
    };
    let mut rows = vec![
        line("data", placement.new, placement.data_accuracy, [None; 3]),
        line("map", placement.known, placement.map_accuracy, [None, Some(placement.map.seconds), None]),
    ];
    rows.extend(placement.placed.iter().map(|placed| {
        let error = placed.training_seconds.map(|_| placement.validation.root_mean_square);
        line(
            &placed.by,
            placement.new,
            placed.accuracy,
            [placed.training_seconds, Some(placed.seconds), error],
        )
    }));
    csv(PLACEMENT_TABLE, &header, rows.into_iter())
}

fn csv(name: &str, header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Result<String, Error> {
    let fail = |error: csv::Error| Error::file(name, error);
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header).map_err(fail)?;
    for row in rows {
        writer.write_record(row).map_err(fail)?;
    }
    let bytes = writer.into_inner().map_err(|error| Error::file(name, error))?;
    Ok(String::from_utf8(bytes).expect("names and numbers are text"))
}
