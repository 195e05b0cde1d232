//! Maps that a run has computed, for data sets of more points than the page fits live: of
//! every data set its place in up to three dimensions, labels and true coordinates, and
//! the coordinates and scores of every map. Each value takes 16 bits before compression, so
//! that a point costs about 5 bytes per map of two dimensions.

use embedding::Embedding;
use faer::MatRef;
use neighbor_graph::Neighborhood;
use serde::Serialize;

use super::{Numbers, packed};
use crate::figure::principal_components;
use crate::results::{DatasetResults, MethodResults};
use crate::views::diagnosis;

/// Levels of a quantized value.
const LEVELS: f64 = 65_535.0;

/// A data set of a run with its maps.
#[derive(Clone, Debug)]
pub struct Computed<'a> {
    /// The data set's key in the settings of the page.
    pub key: String,
    /// Standard deviation of the noise that the settings name.
    pub noise: f64,
    /// The command line that repeats the run.
    pub command: &'a str,
    /// The results.
    pub set: &'a DatasetResults,
}

/// The same as text.
#[derive(Serialize)]
pub(super) struct PackedRun<'a> {
    key: &'a str,
    n: usize,
    columns: usize,
    seed: u64,
    noise: f64,
    /// `None` where neighbors lie within a radius.
    k: Option<usize>,
    dim: usize,
    command: &'a str,
    /// Up to three columns as they are, of more the first three principal components.
    space: Quantized,
    truth: Option<Quantized>,
    truth_names: &'a [String],
    geometry: datasets::Geometry,
    labels: Vec<PackedClasses<'a>>,
    notes: &'a str,
    maps: Vec<PackedMap<'a>>,
}

#[derive(Serialize)]
struct PackedClasses<'a> {
    name: &'a str,
    classes: &'a [String],
    values: Numbers,
}

/// A map, or why there is none.
#[derive(Serialize)]
struct PackedMap<'a> {
    method: &'a str,
    coordinates: Option<Quantized>,
    /// The row of each point, where some were left out.
    rows: Option<Numbers>,
    seconds: f64,
    scores: Vec<(&'a str, f64)>,
    spectrum: &'a [f64],
    sentences: Vec<String>,
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
        let low: Vec<f64> = columns.clone().map(|j| embedding::minimum(column(j))).collect();
        let span = |j: usize| embedding::maximum(column(j)) - low[j];
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
    pub(super) fn of(run: &'a Computed<'a>) -> Self {
        let Computed { key, noise, command, set } = run;
        let data = &set.data;
        let points = data.points.view();
        let space = match points.dim() {
            1..=3 => Quantized::of(points.as_mat()),
            _ => Quantized::of(principal_components(points, 3).as_ref()),
        };
        let labels = data.labels.iter().map(|labels| PackedClasses {
            name: &labels.name,
            classes: &labels.classes,
            values: Numbers::U32(packed(labels.values.iter().flat_map(|value| value.to_le_bytes()))),
        });
        Self {
            key,
            n: set.n,
            columns: set.columns,
            seed: set.seed,
            noise: *noise,
            k: match set.graph.neighborhood {
                Neighborhood::Nearest { k } => Some(k),
                _ => None,
            },
            dim: target_dim(set),
            command,
            space,
            truth: data.truth.as_ref().map(|truth| Quantized::of(truth.view().as_mat())),
            truth_names: &data.truth_names,
            geometry: data.geometry,
            labels: labels.collect(),
            notes: &data.notes,
            maps: set.methods.iter().map(|method| PackedMap::of(set, method)).collect(),
        }
    }
}

/// The target dimension of a run: that of its first map.
pub fn target_dim(set: &DatasetResults) -> usize {
    set.methods.iter().find_map(|method| method.embedding.as_ref()).map_or(2, Embedding::dim)
}

impl<'a> PackedMap<'a> {
    fn of(set: &DatasetResults, method: &'a MethodResults) -> Self {
        let map = method.embedding.as_ref();
        let coordinates = map.map(|map| Quantized::of(map.coordinates()));
        let rows = map.and_then(Embedding::placed_rows);
        let rows = rows.map(|rows| Numbers::U32(packed(rows.iter().flat_map(|row| row.to_le_bytes()))));
        let own = map.map_or(&[][..], Embedding::spectrum);
        Self {
            method: &method.method,
            coordinates,
            rows,
            seconds: method.seconds,
            scores: method.scores.iter().map(|score| (score.measure.as_str(), score.value)).collect(),
            spectrum: if method.spectrum.is_empty() { own } else { &method.spectrum },
            sentences: method.notes.iter().cloned().chain(diagnosis::of_map(set, method)).collect(),
            reason: method.outcome.reason(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use faer::Mat;
    use flate2::read::GzDecoder;

    use super::*;
    use crate::sample::results;

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
    fn a_run_has_every_map_or_its_reason_and_a_point_costs_six_bytes_a_map() {
        let set = results("swiss-roll", 4000, 5);
        let run = Computed { key: "swiss-roll".to_owned(), noise: 0.0, command: "compare run", set: &set };
        let packed = serde_json::to_value(PackedRun::of(&run)).expect("names and numbers");
        let maps = packed["maps"].as_array().expect("a list");
        assert_eq!(maps.len(), 5);
        for (map, method) in maps.iter().zip(&set.methods) {
            assert_eq!(map["method"], method.method);
            assert_eq!(map["coordinates"].is_null(), method.embedding.is_none());
            assert_eq!(map["reason"].is_string(), method.embedding.is_none());
        }
        // One of the maps has two dimensions.
        let text =
            maps.iter().find(|map| map["coordinates"]["low"].as_array().is_some_and(|low| low.len() == 2));
        let bytes = text.expect("a map of the plane")["coordinates"].to_string().len();
        assert!(bytes < 6 * 4000, "{bytes}");
        assert_eq!(target_dim(&set), set.methods[0].dim);
        assert_eq!(packed["space"]["low"].as_array().map(Vec::len), Some(3));
        assert_eq!((&packed["k"], &packed["n"]), (&12.into(), &4000.into()));
    }
}
