//! What a sweep found: every method at every point of a grid.

use std::sync::Arc;

use datasets::Dataset;
use embedding::Embedding;
use serde::Serialize;

use super::{DatasetResults, GraphFacts, MethodResults};

/// One data set at every setting of a grid, in the order in which they ran.
#[derive(Clone, Serialize)]
pub(crate) struct Sweep {
    /// The data set's name.
    pub dataset: String,
    /// One entry per setting; draws that differ by the seed alone are in one.
    pub cells: Vec<Cell>,
    /// Every run.
    #[serde(skip)]
    pub runs: Vec<SweepRun>,
}

/// Every method at one setting and with one seed.
#[derive(Clone)]
pub(crate) struct SweepRun {
    /// The neighborhood size; none where every method has its own.
    pub k: Option<usize>,
    /// The number of points.
    pub n: usize,
    /// Standard deviation of the noise.
    pub noise: f64,
    /// The seed of data and methods.
    pub seed: u64,
    /// The neighbor graph.
    pub graph: GraphFacts,
    /// One entry per method that ran, without points.
    pub methods: Vec<MethodResults>,
    /// What is drawn of it; see [`Maps::of`].
    pub maps: Option<Maps>,
}

/// Most values of data and maps that are kept for the settings of a sweep, 160 MB.
const MOST_KEPT: usize = 20_000_000;

/// The maps of one setting, with their data.
#[derive(Clone)]
pub(crate) struct Maps {
    /// The data, shared by all settings of them.
    data: Arc<Dataset>,
    /// The maps of methods by name; none for a method whose results repeat an earlier setting.
    maps: Vec<(String, Embedding)>,
    /// The number of values that are kept for them.
    values: usize,
}

impl Maps {
    /// The maps of a run after the runs `before` it; `None` for a further draw of a setting, and where
    /// more than 20 million values of data and maps have been kept for all runs together.
    pub(crate) fn of(run: &SweepRun, results: &DatasetResults, before: &[SweepRun]) -> Option<Self> {
        if before.iter().any(|other| other.setting() == run.setting()) {
            return None;
        }
        let mut same = before.iter().filter(|other| other.data() == run.data());
        let shared = same.find_map(|other| Some(Arc::clone(&other.maps.as_ref()?.data)));
        let points = &results.data.points;
        let mut values = if shared.is_some() { 0 } else { points.len() * points.dim() };
        let maps = results.methods.iter().filter_map(|row| Some((&row.method, row.embedding.as_ref()?)));
        values += maps.clone().map(|(_, map)| map.len() * map.dim()).sum::<usize>();
        let kept: usize = before.iter().filter_map(|other| other.maps.as_ref()).map(|maps| maps.values).sum();
        (kept + values <= MOST_KEPT).then(|| Self {
            data: shared.unwrap_or_else(|| Arc::new(results.data.clone())),
            maps: maps.map(|(method, map)| (method.clone(), map.clone())).collect(),
            values,
        })
    }
}

impl SweepRun {
    /// The setting, which is equal in runs that differ only in the seed.
    fn setting(&self) -> (Option<usize>, usize, u64) {
        (self.k, self.n, self.noise.to_bits())
    }

    /// What runs on the same data have in common.
    fn data(&self) -> (usize, u64, u64) {
        (self.n, self.noise.to_bits(), self.seed)
    }
}

/// A method at one setting, with its map where there is one.
pub(crate) type Drawn<'a> = (&'a MethodResults, Option<&'a Embedding>);

/// One setting, over all its draws.
#[derive(Clone, PartialEq, Serialize)]
pub(crate) struct Cell {
    /// The neighborhood size; none where every method has its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub k: Option<usize>,
    /// The number of points.
    pub n: usize,
    /// Standard deviation of the noise.
    pub noise: f64,
    /// The seeds of the draws.
    pub seeds: Vec<u64>,
    /// Components of the graph.
    pub components: Statistics,
    /// Probable shortcut edges of the graph, where they were counted.
    pub shortcuts: Option<Statistics>,
    /// Shortcut edges by the true coordinates, where these are isometric.
    pub true_shortcuts: Option<Statistics>,
    /// One entry per method.
    pub methods: Vec<MethodCell>,
}

/// One method at one setting, over all draws.
#[derive(Clone, PartialEq, Serialize)]
pub(crate) struct MethodCell {
    /// The method's name.
    pub method: String,
    /// Draws on which it ran.
    pub runs: usize,
    /// Draws for which it made a map.
    pub done: usize,
    /// Why it made no map of the first other draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Time in seconds.
    pub seconds: Option<Statistics>,
    /// Every measure, over the draws that have it.
    pub scores: Vec<MeasureCell>,
}

/// One measure of one method at one setting.
#[derive(Clone, PartialEq, Serialize)]
pub(crate) struct MeasureCell {
    /// The measure's name.
    pub measure: String,
    /// Its values.
    #[serde(flatten)]
    pub values: Statistics,
}

/// Mean and spread of several values.
#[derive(Clone, PartialEq, Serialize)]
pub(crate) struct Statistics {
    /// How many.
    pub count: usize,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation, with count − 1 in the denominator; `None` for a single value.
    pub deviation: Option<f64>,
    /// The smallest.
    pub least: f64,
    /// The largest.
    pub most: f64,
}

impl Statistics {
    /// The statistics of the values; `None` without values.
    pub(crate) fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let values: Vec<f64> = values.into_iter().collect();
        let count = values.len();
        if count == 0 {
            return None;
        }
        // The rounded mean of equal values may be another number, and their spread not 0.
        let equal = values.iter().all(|value| *value == values[0]);
        let mean = if equal { values[0] } else { values.iter().sum::<f64>() / count as f64 };
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        Some(Self {
            count,
            mean,
            deviation: (count > 1).then(|| (squares / (count - 1) as f64).sqrt()),
            least: embedding::implement::minimum(values.iter().copied()),
            most: embedding::implement::maximum(values.iter().copied()),
        })
    }
}

impl Sweep {
    /// Gathers the draws of each setting.
    pub(crate) fn of(dataset: String, runs: Vec<SweepRun>) -> Self {
        let mut settings: Vec<(Option<usize>, usize, u64)> = Vec::new();
        for run in &runs {
            if !settings.contains(&run.setting()) {
                settings.push(run.setting());
            }
        }
        let draws = |of| runs.iter().filter(|run| run.setting() == of).collect::<Vec<_>>();
        let cells = settings.into_iter().filter_map(|of| Cell::of(&draws(of))).collect();
        Self { dataset, cells, runs }
    }

    /// The cell of a method at a setting.
    pub(crate) fn method(&self, cell: usize, method: &str) -> Option<&MethodCell> {
        self.cells.get(cell)?.methods.iter().find(|found| found.method == method)
    }

    /// The maps of the first draw of a setting, with the row of each method that ran; a method whose
    /// results repeat another k has the map of that k.
    pub(crate) fn drawn(&self, cell: &Cell) -> Option<(&Dataset, Vec<Drawn<'_>>)> {
        let run = self.runs.iter().find(|run| run.setting() == (cell.k, cell.n, cell.noise.to_bits()))?;
        let map = |row: &MethodResults| {
            let same = self.runs.iter().filter(|other| other.data() == run.data());
            let own = std::iter::once(run).chain(same).filter_map(|run| run.maps.as_ref());
            own.flat_map(|maps| &maps.maps).find(|(name, _)| *name == row.method).map(|(_, map)| map)
        };
        let rows = run.methods.iter().map(|row| (row, map(row).filter(|_| row.outcome.reason().is_none())));
        Some((&run.maps.as_ref()?.data, rows.collect()))
    }

    /// The methods, in the order in which they ran.
    pub(crate) fn methods(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for cell in self.cells.iter().flat_map(|cell| &cell.methods) {
            if !names.contains(&cell.method.as_str()) {
                names.push(&cell.method);
            }
        }
        names
    }

    /// The largest number of draws of a setting.
    pub(crate) fn draws(&self) -> usize {
        self.cells.iter().map(|cell| cell.seeds.len()).max().unwrap_or(0)
    }
}

impl Cell {
    /// The cell of the draws of one setting; `None` without draws.
    fn of(draws: &[&SweepRun]) -> Option<Self> {
        let first = draws.first()?;
        let counts = |count: fn(&GraphFacts) -> Option<usize>| {
            Statistics::of(draws.iter().filter_map(|run| count(&run.graph)).map(|count| count as f64))
        };
        // An interrupted draw has fewer methods than the others.
        let longest = draws.iter().max_by_key(|run| run.methods.len())?;
        Some(Self {
            k: first.k,
            n: first.n,
            noise: first.noise,
            seeds: draws.iter().map(|run| run.seed).collect(),
            components: counts(|graph| Some(graph.components.len()))?,
            shortcuts: counts(|graph| graph.shortcuts),
            true_shortcuts: counts(|graph| graph.true_shortcuts),
            methods: longest.methods.iter().map(|row| MethodCell::of(&row.method, draws)).collect(),
        })
    }
}

impl MethodCell {
    fn of(method: &str, draws: &[&SweepRun]) -> Self {
        let rows: Vec<&MethodResults> =
            draws.iter().filter_map(|run| run.methods.iter().find(|row| row.method == method)).collect();
        let done = || rows.iter().filter(|row| row.outcome.reason().is_none());
        let mut measures: Vec<&str> = Vec::new();
        for score in rows.iter().flat_map(|row| &row.scores) {
            if !measures.contains(&score.measure.as_str()) {
                measures.push(&score.measure);
            }
        }
        let scores = measures.into_iter().filter_map(|measure| {
            let values = Statistics::of(rows.iter().filter_map(|row| row.score(measure)))?;
            Some(MeasureCell { measure: measure.to_owned(), values })
        });
        Self {
            method: method.to_owned(),
            runs: rows.len(),
            done: done().count(),
            reason: rows.iter().find_map(|row| row.outcome.reason()).map(str::to_owned),
            seconds: Statistics::of(done().map(|row| row.seconds)),
            scores: scores.collect(),
        }
    }

    /// The values of a measure.
    pub(crate) fn score(&self, measure: &str) -> Option<&Statistics> {
        self.scores.iter().find(|score| score.measure == measure).map(|score| &score.values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_have_no_spread() {
        for value in [0.1, 0.97, 1.0 / 3.0] {
            for count in 2..9 {
                let found = Statistics::of(vec![value; count]).expect("values");
                assert_eq!((found.mean, found.deviation), (value, Some(0.0)), "{count} times {value}");
            }
        }
        let two = Statistics::of([0.97, 0.98]).expect("values");
        assert!((two.deviation.expect("of two") - 0.01 / 2.0_f64.sqrt()).abs() < 1e-15);
        assert_eq!(Statistics::of([0.97]).expect("one").deviation, None);
    }
}
