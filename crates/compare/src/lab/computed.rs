//! Maps that a run has computed, for data sets of more points than the page fits live. A data set
//! has coordinates in up to three dimensions, labels and true coordinates; every map has its
//! coordinates and scores. Each value takes 16 bits before compression, so
//! that a point costs about 5 bytes per map of two dimensions.

use datasets::{Dataset, RowNames};
use embedding::Embedding;
use faer::{Mat, MatRef};
use serde::Serialize;

use super::packed::{Numbers, PackedLabels, PackedQuantity, packed, whole};

/// Levels of a quantized value.
const LEVELS: f64 = 65_535.0;

/// A data set of a run with its maps.
#[derive(Clone)]
pub struct Run<'a> {
    /// The data set's key in the settings of the page.
    pub key: String,
    /// Number of nearest neighbors; `None` where neighbors lie within a radius.
    pub k: Option<usize>,
    /// Target dimension.
    pub dim: usize,
    /// The seed of the data set.
    pub seed: u64,
    /// Standard deviation of the noise that the settings name.
    pub noise: f64,
    /// The command line that repeats the run.
    pub command: &'a str,
    /// The data; the page contains their labels and true coordinates.
    pub data: &'a Dataset,
    /// The coordinates of the points in the page: up to three columns as they are, or the first
    /// three principal components of more columns.
    pub space: Mat<f64>,
    /// One entry per method.
    pub maps: Vec<Map<'a>>,
}

/// What a method of a run found.
#[derive(Clone)]
pub struct Map<'a> {
    /// The method's name.
    pub method: &'a str,
    /// The map.
    pub embedding: Option<&'a Embedding>,
    /// The time of the fit in seconds.
    pub seconds: f64,
    /// Names and values of measures.
    pub scores: Vec<(&'a str, f64)>,
    /// The eigenvalues behind the coordinates.
    pub spectrum: &'a [f64],
    /// The sentences below the map.
    pub sentences: Vec<String>,
    /// Why there is no map.
    pub reason: Option<&'a str>,
}

/// The same as text.
#[derive(Serialize)]
pub(super) struct PackedRun<'a> {
    key: &'a str,
    n: usize,
    columns: usize,
    column_names: &'a [String],
    seed: u64,
    noise: f64,
    k: Option<usize>,
    dim: usize,
    command: &'a str,
    space: Quantized,
    truth: Option<Quantized>,
    truth_names: &'a [String],
    geometry: datasets::Geometry,
    labels: Vec<PackedLabels<'a>>,
    quantities: Vec<PackedQuantity<'a>>,
    row_names: Option<&'a RowNames>,
    notes: &'a str,
    maps: Vec<PackedMap<'a>>,
}

/// A map, or why there is none.
#[derive(Serialize)]
struct PackedMap<'a> {
    method: &'a str,
    coordinates: Option<Quantized>,
    /// The row of each point, where some were left out.
    rows: Option<Numbers>,
    seconds: f64,
    scores: &'a [(&'a str, f64)],
    spectrum: &'a [f64],
    sentences: &'a [String],
    reason: Option<&'a str>,
}

/// Columns of values, each between its own ends in 16 bits: value = low + step · level.
/// The levels follow column by column, all low bytes before all high bytes.
#[derive(Serialize)]
struct Quantized {
    low: Vec<f64>,
    step: Vec<f64>,
    levels: Numbers,
}

impl Quantized {
    fn of(values: MatRef<'_, f64>) -> Self {
        let column = |j: usize| (0..values.nrows()).map(move |i| values[(i, j)]);
        let columns = 0..values.ncols();
        let low: Vec<f64> = columns.clone().map(|j| embedding::implement::minimum(column(j))).collect();
        let span = |j: usize| embedding::implement::maximum(column(j)) - low[j];
        let step: Vec<f64> = columns.clone().map(|j| span(j) / LEVELS).collect();
        let level = |value: f64, j: usize| {
            // Of a constant column the step is 0 and every level 0.
            if step[j] > 0.0 { ((value - low[j]) / step[j]).round().clamp(0.0, LEVELS) as u16 } else { 0 }
        };
        let levels: Vec<u16> =
            columns.flat_map(|j| column(j).map(move |v| (v, j))).map(|(v, j)| level(v, j)).collect();
        let bytes = |place: usize| levels.iter().map(move |level| level.to_le_bytes()[place]);
        let levels = Numbers::U16(packed(bytes(0).chain(bytes(1))));
        Self { low, step, levels }
    }
}

impl<'a> PackedRun<'a> {
    pub(super) fn of(run: &'a Run<'a>) -> Self {
        let data = run.data;
        Self {
            key: &run.key,
            n: data.points.len(),
            columns: data.points.dim(),
            column_names: &data.column_names,
            seed: run.seed,
            noise: run.noise,
            k: run.k,
            dim: run.dim,
            command: run.command,
            space: Quantized::of(run.space.as_ref()),
            truth: data.truth.as_ref().map(|truth| Quantized::of(truth.view().as_mat())),
            truth_names: &data.truth_names,
            geometry: data.geometry,
            labels: data.labels.iter().map(PackedLabels::of).collect(),
            quantities: data.quantities.iter().map(PackedQuantity::of).collect(),
            row_names: data.row_names.as_ref(),
            notes: &data.notes,
            maps: run.maps.iter().map(PackedMap::of).collect(),
        }
    }
}

impl<'a> PackedMap<'a> {
    fn of(map: &'a Map<'a>) -> Self {
        Self {
            method: map.method,
            coordinates: map.embedding.map(|embedding| Quantized::of(embedding.coordinates())),
            rows: map.embedding.and_then(Embedding::placed_rows).map(whole),
            seconds: map.seconds,
            scores: &map.scores,
            spectrum: map.spectrum,
            sentences: &map.sentences,
            reason: map.reason,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use flate2::read::GzDecoder;

    use super::*;

    /// The values, as the page reads them.
    fn decoded(quantized: &Quantized, n: usize) -> Mat<f64> {
        let Numbers::U16(text) = &quantized.levels else { panic!("16 bits") };
        let mut bytes = Vec::new();
        GzDecoder::new(&STANDARD.decode(text).expect("base64")[..]).read_to_end(&mut bytes).expect("gzip");
        let columns = quantized.low.len();
        assert_eq!(bytes.len(), 2 * n * columns);
        let level = |i: usize, j: usize| {
            let [low, high] = [j * n + i, n * columns + j * n + i].map(|at| bytes[at]);
            f64::from(u16::from_le_bytes([low, high]))
        };
        Mat::from_fn(n, columns, |i, j| quantized.low[j] + quantized.step[j] * level(i, j))
    }

    #[test]
    fn values_are_kept_to_half_a_step_of_the_extent() {
        let n = 500;
        let values = Mat::from_fn(n, 3, |i, j| match j {
            0 => (i as f64).sin(),
            1 => 1e9 + 1e6 * (i * i % 97) as f64,
            _ => -3.5,
        });
        let quantized = Quantized::of(values.as_ref());
        let found = decoded(&quantized, n);
        for i in 0..n {
            for (j, extent) in [2.0, 97e6, 0.0].into_iter().enumerate() {
                let error = (found[(i, j)] - values[(i, j)]).abs();
                assert!(error <= 0.51 * extent / LEVELS, "{i} {j} {error}");
            }
        }
        // Both ends are exact up to rounding, so that maps fill the same frame.
        assert_eq!(quantized.low[2], -3.5);
    }

    #[test]
    fn a_point_costs_six_bytes_a_map() {
        let data = datasets::generate("swiss-roll", 4000, 1).expect("a roll");
        let truth = data.truth.as_ref().expect("a sheet").view();
        let embedding = Embedding::new(truth.as_mat().to_owned());
        let map = |embedding| Map {
            method: "pca",
            embedding,
            seconds: 0.5,
            scores: vec![("trustworthiness", 0.5)],
            spectrum: &[],
            sentences: Vec::new(),
            reason: None,
        };
        let run = Run {
            key: "swiss-roll".to_owned(),
            k: None,
            dim: 2,
            seed: 1,
            noise: 0.0,
            command: "compare run",
            space: data.points.view().as_mat().to_owned(),
            maps: vec![map(Some(&embedding)), Map { reason: Some("<none>"), ..map(None) }],
            data: &data,
        };
        let packed = serde_json::to_value(PackedRun::of(&run)).expect("names and numbers");
        let maps = packed["maps"].as_array().expect("a list");
        assert!(maps[1]["coordinates"].is_null() && maps[1]["reason"] == "<none>");
        let bytes = maps[0]["coordinates"].to_string().len();
        assert!(bytes < 6 * 4000, "{bytes}");
        assert_eq!((&packed["n"], &packed["columns"]), (&4000.into(), &3.into()));
    }
}
