//! Runs every method on every data set.

use datasets::{Dataset, Info, Request};
use embedding::{DynMethod, DynModel, Error, Input, MemoryLimit};
use neighbor_graph::Neighborhood;
use serde_json::Value;

use crate::Failure;
use crate::graph::SharedGraph;
use crate::measures::{Known, Reference};
use crate::memory::{self, Peak};
use crate::methods::values;
use crate::progress::Progress;
use crate::results::{DatasetResults, Machine, MethodResults, Outcome, Results};
use crate::stopwatch::{Stopwatch, Times};

/// The plan of a run.
pub struct Plan {
    /// Data sets with their requests.
    pub datasets: Vec<(&'static Info, Request)>,
    /// Methods, in the order in which they run.
    pub methods: Vec<Planned>,
    /// Whether methods that do not apply to a data set are skipped instead of failing,
    /// because they were not requested by name.
    pub skip_inapplicable: bool,
    /// The neighborhood size of the reported graph and of the measures.
    pub k: usize,
    /// The stretch threshold of shortcut edges, if they are removed.
    pub cut_shortcuts: Option<f64>,
    /// The seed of data sets and methods.
    pub seed: u64,
    /// The command line that reproduces the run.
    pub command: String,
}

/// One method of a plan.
pub struct Planned {
    /// The method with its parameters.
    pub method: Box<dyn DynMethod>,
    /// The memory that one stage of it may allocate.
    pub memory: MemoryLimit,
    /// What a reader must know about how it came to be so.
    pub notes: Vec<String>,
}

/// Runs the plan. Failed methods are recorded with their reason.
///
/// Fails if a data set cannot be loaded or has too few points for k.
pub fn run(plan: &Plan, progress: &Progress) -> Result<Results, Failure> {
    let mut datasets = Vec::with_capacity(plan.datasets.len());
    for (info, request) in &plan.datasets {
        progress.begin(info.name);
        let data = info.load(request)?;
        progress.line(format!(
            "{}: {} points in {} dimensions",
            info.name,
            data.points.len(),
            data.points.dim()
        ));
        datasets.push(run_dataset(plan, info, data, progress)?);
    }
    progress.end();
    Ok(Results {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        machine: Machine::here(),
        command: plan.command.clone(),
        seed: plan.seed,
        datasets,
        study: None,
    })
}

fn run_dataset(
    plan: &Plan,
    info: &'static Info,
    data: Dataset,
    progress: &Progress,
) -> Result<DatasetResults, Error> {
    let points = data.points.view();
    let wishes = plan.methods.iter().filter_map(|planned| planned.method.neighborhood_dyn(points.len()));
    let graph = SharedGraph::find(points, plan.k, wishes, plan.cut_shortcuts, progress)?;
    let facts = graph.facts(plan.k, progress)?;
    progress.begin("preparing the measures");
    let lists = graph.lists(Neighborhood::Nearest { k: plan.k })?;
    let reference = Reference::new(Known::of(&data), &lists, plan.k);
    let mut methods = Vec::with_capacity(plan.methods.len());
    for (i, planned) in plan.methods.iter().enumerate() {
        let name = planned.method.about().name;
        progress.begin(format!("[{}/{}] {} {name}", i + 1, plan.methods.len(), data.name));
        let mut row = run_method(plan, planned, &reference, &graph, progress);
        row.notes.splice(0..0, planned.notes.iter().cloned());
        progress.line(match row.outcome.reason() {
            None => format!("  {name:<20} {:8.3} s", row.seconds),
            Some(reason) => format!("  {name:<20} {reason}"),
        });
        methods.push(row);
    }
    Ok(DatasetResults {
        name: data.name.clone(),
        notes: data.notes.clone(),
        shows: info.shows.to_owned(),
        n: points.len(),
        columns: points.dim(),
        geometry: data.geometry,
        seed: plan.seed,
        graph: facts,
        methods,
        data,
    })
}

fn run_method(
    plan: &Plan,
    planned: &Planned,
    reference: &Reference<'_>,
    graph: &SharedGraph,
    progress: &Progress,
) -> MethodResults {
    let (known, method) = (reference.known(), planned.method.as_ref());
    let mut input = Input::from(known.points).memory_limit(planned.memory);
    if let Some(labels) = known.labels {
        input = input.labels(labels);
    } else if plan.skip_inapplicable && method.about().needs_labels {
        let mut row = blank(method, &input);
        row.outcome = Outcome::Skipped { reason: "needs labels, and this data has none".to_owned() };
        return row;
    }
    let wish = method.neighborhood_dyn(known.points.len());
    let lists = match wish.map(|wish| graph.lists_for_method(wish)).transpose() {
        Ok(lists) => lists,
        Err(error) => return failed(method, &input, &error),
    };
    if let Some(lists) = &lists {
        input = input.neighbors(lists);
    }
    let mut row = fit(method, &input, progress).0;
    if let Some(embedding) = &row.embedding {
        progress.begin(format!("measuring {}", row.method));
        match reference.score(embedding) {
            Ok(scores) => row.scores = scores,
            Err(error) => row.notes.push(format!("not measured: {error}")),
        }
    }
    row
}

/// Fits one method and records everything about it but its scores.
pub(crate) fn fit(
    method: &dyn DynMethod,
    input: &Input<'_>,
    progress: &Progress,
) -> (MethodResults, Result<Box<dyn DynModel>, Error>) {
    let peak = Peak::start();
    let stopwatch = Stopwatch::start(progress);
    let fitted = method.fit_dyn(&input.observer(&stopwatch));
    let Times { seconds, stages, history } = stopwatch.stop();
    let peak_memory_bytes = peak.and_then(|peak| peak.bytes());
    let (mut row, fitted) = match fitted {
        Err(error) => (failed(method, input, &error), Err(error)),
        Ok(fitted) => {
            let mut row = blank(method, input);
            let report = fitted.report();
            row.dim = fitted.embedding().dim();
            (row.facts, row.notes, row.colors) = (report.facts, report.notes, report.per_point);
            row.embedding = Some(fitted.embedding().clone());
            row.charts = history.chart(&row.method).into_iter().collect();
            row.frames = history.frames(fitted.embedding());
            (row, Ok(fitted))
        }
    };
    (row.seconds, row.stages, row.peak_memory_bytes) = (seconds, stages, peak_memory_bytes);
    (row, fitted)
}

fn failed(method: &dyn DynMethod, input: &Input<'_>, error: &Error) -> MethodResults {
    let mut row = blank(method, input);
    row.outcome = Outcome::Failed { reason: error.to_string() };
    row
}

fn blank(method: &dyn DynMethod, input: &Input<'_>) -> MethodResults {
    let parameters = values(method);
    MethodResults {
        method: method.about().name.to_owned(),
        n: input.len(),
        columns: input.given_points().map_or(input.len(), |points| points.dim()),
        dim: parameters.get("dim").and_then(Value::as_u64).unwrap_or(0) as usize,
        recipe: Value::Object(parameters),
        outcome: Outcome::Done,
        seconds: 0.0,
        stages: Vec::new(),
        peak_memory_bytes: None,
        facts: serde_json::Map::new(),
        scores: Vec::new(),
        notes: Vec::new(),
        embedding: None,
        colors: Vec::new(),
        charts: Vec::new(),
        frames: Vec::new(),
    }
}

impl Machine {
    /// Returns the properties of this machine.
    pub fn here() -> Self {
        Self {
            system: std::env::consts::OS.to_owned(),
            architecture: std::env::consts::ARCH.to_owned(),
            cores: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            threads: rayon::current_num_threads(),
            memory_bytes: memory::total(),
        }
    }
}
