//! One fit, and what is recorded of it.

use embedding::implement::{Lowered, eigenvalues_beyond, fit_lowered};
use embedding::{DynMethod, DynModel, Error, Input};
use serde_json::Value;

use crate::memory::{self, Peak};
use crate::methods::values;
use crate::progress::Progress;
use crate::results::{Machine, MethodResults, Outcome};
use crate::stopwatch::{Stopwatch, Times};

/// Number of eigenvalues shown after the eigenvalues of the map, so that the gap between them is seen.
const FURTHER: usize = 8;

/// Most points for which they are computed: they cost about as much as the eigenvalues of the map.
const MOST_POINTS: usize = 5000;

/// The eigenvalues that a command shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Eigenvalues {
    /// None, or the eigenvalues of the map.
    OfMap,
    /// The eigenvalues of the map and the ones that follow, up to [`MOST_POINTS`] points.
    WithNext,
}

impl Eigenvalues {
    /// Number of eigenvalues after the eigenvalues of a map of `n` points.
    fn further(self, n: usize) -> usize {
        if self == Self::WithNext && n <= MOST_POINTS { FURTHER } else { 0 }
    }
}

/// A fit whose target dimension is lowered where it was not chosen and the data cannot have it.
pub(crate) fn fit_by_dimension(method: &dyn DynMethod, dim_chosen: bool, input: &Input<'_>) -> Lowered {
    if dim_chosen {
        return Lowered { method: method.boxed(), reason: None, fitted: method.fit_dyn(input) };
    }
    fit_lowered(method, input)
}

/// Fits one method and records everything about it but its scores. A target dimension that was not chosen is
/// lowered where the data cannot have it, which a note states.
pub(crate) fn fit(
    method: &dyn DynMethod,
    dim_chosen: bool,
    input: &Input<'_>,
    eigenvalues: Eigenvalues,
    progress: &Progress,
) -> (MethodResults, Result<Box<dyn DynModel>, Error>) {
    let peak = Peak::start();
    let stopwatch = Stopwatch::start(progress).with_further_eigenvalues(eigenvalues.further(input.len()));
    let observed = input.with_observer(&stopwatch);
    let lowered = fit_by_dimension(method, dim_chosen, &observed);
    let note = lowered.note();
    let Lowered { method, fitted, .. } = lowered;
    let method = method.as_ref();
    let Times { seconds, stages, history, spectra } = stopwatch.stop();
    let peak_memory_bytes = peak.and_then(|peak| peak.bytes());
    let (mut row, fitted) = match fitted {
        Err(error) => (failed(method, input, &error), Err(error)),
        Ok(fitted) => {
            let mut row = blank(method, input);
            let report = fitted.report();
            row.dim = fitted.embedding().dim();
            (row.facts, row.notes, row.colors) = (report.facts, report.notes, report.per_point);
            row.notes.splice(0..0, note);
            row.notes.extend(own_search(&row));
            row.spectrum = extended(fitted.embedding().spectrum(), &spectra);
            row.embedding = Some(fitted.embedding().clone());
            row.charts = history.chart(&row.method).into_iter().collect();
            row.frames = history.frames(fitted.embedding());
            (row, Ok(fitted))
        }
    };
    (row.seconds, row.stages, row.peak_memory_bytes) = (seconds, stages, peak_memory_bytes);
    (row, fitted)
}

/// What a method that searches neighbors of its own reports of a search that missed some.
fn own_search(row: &MethodResults) -> Option<String> {
    let goal = row.recipe.get("recall")?.as_f64()?;
    let found = row.facts.get("neighbor_recall")?.as_f64().filter(|found| *found < 1.0)?;
    let missed = if found < goal { ", less than requested" } else { "" };
    Some(format!(
        "{:.1} % of the neighbors that the method searched itself are right{missed}; measured on a sample",
        100.0 * found
    ))
}

/// The eigenvalues behind the coordinates with the further ones; empty if there are no further
/// ones.
fn extended(own: &[f64], solved: &[Vec<f64>]) -> Vec<f64> {
    let beyond = eigenvalues_beyond(own, solved);
    if beyond.is_empty() {
        beyond
    } else {
        own.iter().copied().chain(beyond.into_iter().take(FURTHER)).collect()
    }
}

pub(super) fn failed(method: &dyn DynMethod, input: &Input<'_>, error: &Error) -> MethodResults {
    let mut row = blank(method, input);
    row.outcome = Outcome::Failed { reason: error.to_string() };
    row
}

pub(super) fn blank(method: &dyn DynMethod, input: &Input<'_>) -> MethodResults {
    let parameters = values(method);
    MethodResults {
        method: method.about().name.to_owned(),
        n: input.len(),
        columns: columns(input),
        dim: parameters.get("dim").and_then(Value::as_u64).unwrap_or(0) as usize,
        recipe: Value::Object(parameters),
        outcome: Outcome::Done,
        seconds: 0.0,
        stages: Vec::new(),
        peak_memory_bytes: None,
        facts: serde_json::Map::new(),
        left_out_rows: Vec::new(),
        scores: Vec::new(),
        notes: Vec::new(),
        embedding: None,
        spectrum: Vec::new(),
        colors: Vec::new(),
        charts: Vec::new(),
        frames: Vec::new(),
        drivers: None,
        trust: None,
        new_points: None,
    }
}

/// The number of columns of points, sparse or dense; for distances and neighbor lists the number of
/// points.
fn columns(input: &Input<'_>) -> usize {
    let points = input.points().map(|points| points.dim());
    points.or(input.sparse_points().map(|points| points.dim())).unwrap_or(input.len())
}

impl Machine {
    /// Returns the properties of this machine.
    pub(crate) fn here() -> Self {
        Self {
            system: std::env::consts::OS.to_owned(),
            architecture: std::env::consts::ARCH.to_owned(),
            cores: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            threads: rayon::current_num_threads(),
            memory_bytes: memory::total(),
        }
    }
}

#[cfg(test)]
mod tests {
    use embedding::PointSet;
    use swissroll::isomap::Isomap;

    use super::{Eigenvalues, FURTHER, fit};
    use crate::progress::Progress;

    #[test]
    fn eigenvalues_beyond_the_map_are_computed_only_where_they_are_shown() {
        let bent = |i: usize| {
            let angle = 0.1 * (i / 3) as f64;
            [angle.cos(), angle.sin(), 0.05 * (i % 3) as f64]
        };
        let points = PointSet::from_rows(&(0..60).map(bent).collect::<Vec<_>>()).expect("rows of three");
        let spectrum = |shown| {
            let (row, fitted) = fit(&Isomap::default(), true, &(&points).into(), shown, &Progress::new());
            fitted.expect("a connected sheet");
            row.spectrum.len()
        };
        assert_eq!(spectrum(Eigenvalues::OfMap), 0);
        assert_eq!(spectrum(Eigenvalues::WithNext), 2 + FURTHER);
    }
}
