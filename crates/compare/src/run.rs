//! Runs every method on every data set.

use datasets::{Dataset, Geometry, Info, Request};
use embedding::{DynMethod, DynModel, Error, Input, MemoryLimit, Value as _};
use neighbor_graph::{Components, Neighborhood};
use serde_json::Value;

use crate::Failure;
use crate::applicability::{disconnected, inapplicable, rejects};
use crate::figure::number::counted;
use crate::graph::SharedGraph;
use crate::measures::{Known, Reference};
use crate::memory::{self, Peak};
use crate::methods::{has, values};
use crate::progress::Progress;
use crate::results::{DatasetResults, Machine, MethodResults, Outcome, Results};
use crate::stopwatch::{Stopwatch, Times};
use crate::unfinished::Unfinished;

/// The plan of a run.
pub struct Plan {
    /// The sources of the data sets.
    pub datasets: Vec<Source>,
    /// Methods, in the order in which they run.
    pub methods: Vec<Planned>,
    /// Whether methods that do not apply to a data set are skipped instead of failing,
    /// because they were not requested by name.
    pub skip_inapplicable: bool,
    /// The neighborhood size of the reported graph.
    pub k: usize,
    /// The neighborhood size of the measures.
    pub measure_k: usize,
    /// The stretch threshold of shortcut edges, if they are removed.
    pub cut_shortcuts: Option<f64>,
    /// The seed of data sets and methods.
    pub seed: u64,
    /// The command line that reproduces the run.
    pub command: String,
    /// The same, word by word, without the program.
    pub arguments: Vec<String>,
}

/// Where a data set comes from.
pub enum Source {
    /// One of the list, and what of it is wanted.
    Listed(&'static Info, Request),
    /// The user's own, read already.
    Own(Dataset),
}

impl Source {
    /// The data set with what it shows about a method.
    fn load(self) -> Result<(Dataset, String), Error> {
        match self {
            Self::Listed(info, request) => Ok((info.load(&request)?, info.shows.to_owned())),
            Self::Own(data) => {
                let shows = data.notes.clone();
                Ok((data, shows))
            }
        }
    }

    /// The name of the data set.
    pub fn name(&self) -> &str {
        match self {
            Self::Listed(info, _) => info.name,
            Self::Own(data) => &data.name,
        }
    }
}

/// One method of a plan.
pub struct Planned {
    /// The method with its parameters.
    pub method: Box<dyn DynMethod>,
    /// The memory that one stage of it may allocate.
    pub memory: MemoryLimit,
    /// Whether its target dimension was asked for; otherwise data whose true coordinates
    /// are one arc length are embedded in one dimension.
    pub dim_chosen: bool,
    /// What a reader must know about how it came to be so.
    pub notes: Vec<String>,
}

impl Planned {
    /// The same with the target dimension of the data, where none was asked for.
    fn suited_to(&self, data: &Dataset) -> Result<Self, Error> {
        let mut method = self.method.boxed();
        let curve =
            data.geometry == Geometry::Isometric && data.truth.as_ref().is_some_and(|truth| truth.dim() == 1);
        if curve && !self.dim_chosen && has(method.as_ref(), "dim") {
            method.set_dyn("dim", "1")?;
        }
        Ok(Self { method, notes: self.notes.clone(), ..*self })
    }
}

/// Runs the plan. Failed methods are recorded with their reason; after an
/// interruption, the results so far are kept.
///
/// With a store, methods that finished in it are not repeated, and those that finish now
/// are added to it; what cannot be added is noted on the display.
///
/// Fails when a data set cannot be loaded, or has too few points for k, and when
/// it is interrupted before any method has finished.
pub fn run(mut plan: Plan, store: Option<&Unfinished>, progress: &Progress) -> Result<Results, Failure> {
    let sources = std::mem::take(&mut plan.datasets);
    let wanted = sources.len();
    let mut datasets = Vec::with_capacity(wanted);
    for source in sources {
        progress.begin(source.name());
        let (data, shows) = source.load()?;
        let dim = data.points.dim();
        progress.line(format!(
            "{}: {} in {}",
            data.name,
            counted(data.points.len(), "point", "points"),
            counted(dim, "dimension", "dimensions")
        ));
        match run_dataset(&plan, shows, data, store, progress) {
            Err(Error::Cancelled) if progress.interrupted() => {}
            found => datasets.push(found?),
        }
        if progress.interrupted() {
            break;
        }
    }
    progress.end();
    let interrupted = interrupted(&plan, wanted, &datasets);
    if datasets.is_empty() && interrupted.is_some() {
        return Err(Failure::Interrupted);
    }
    Ok(Results {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        machine: Machine::here(),
        command: plan.command.clone(),
        arguments: plan.arguments.clone(),
        seed: plan.seed,
        measure_k: plan.measure_k,
        interrupted,
        datasets,
        study: None,
    })
}

/// What is missing of the plan, in a sentence.
fn interrupted(plan: &Plan, wanted: usize, datasets: &[DatasetResults]) -> Option<String> {
    let methods = plan.methods.len();
    let whole = datasets.iter().filter(|dataset| dataset.methods.len() == methods).count();
    let part = datasets.iter().find(|dataset| dataset.methods.len() < methods);
    let begun = part
        .map(|dataset| format!(", and {} of {methods} methods on {}", dataset.methods.len(), dataset.name));
    (whole < wanted).then(|| {
        let sets = counted(wanted, "data set", "data sets");
        format!("The run was interrupted: {whole} of {sets} finished{}.", begun.unwrap_or_default())
    })
}

fn run_dataset(
    plan: &Plan,
    shows: String,
    data: Dataset,
    store: Option<&Unfinished>,
    progress: &Progress,
) -> Result<DatasetResults, Error> {
    let points = data.points.view();
    let (n, measured) = (points.len(), Neighborhood::Nearest { k: plan.measure_k });
    if plan.measure_k == 0 || plan.measure_k >= n {
        let requirement = format!("between 1 and {}, below the {n} points of {}", n - 1, data.name);
        return Err(Error::parameter("measure-k", requirement, plan.measure_k));
    }
    let requested = || {
        let rules = plan.methods.iter().filter_map(|planned| planned.method.neighborhood_dyn(n));
        rules.chain([measured])
    };
    let graph = SharedGraph::find(points, plan.k, requested(), plan.cut_shortcuts, progress)?;
    let facts = graph.facts(plan.k, &data, progress)?;
    progress.begin("preparing the measures");
    let lists = graph.lists(measured)?;
    let graphs = graph.all_for_methods(requested())?;
    let reference = Reference::new(Known::of(&data), &lists, plan.measure_k).along(&graphs);
    let mut methods = Vec::with_capacity(plan.methods.len());
    for (i, planned) in plan.methods.iter().enumerate() {
        let planned = &planned.suited_to(&data)?;
        let method = planned.method.as_ref();
        let name = method.about().name;
        if let Some(row) = store.and_then(|store| store.find(&data, method)) {
            progress.line(format!("  {name:<20} {:8.3} s, in the earlier run", row.seconds));
            methods.push(row);
            continue;
        }
        progress.begin(format!("[{}/{}] {} {name}", i + 1, plan.methods.len(), data.name));
        let mut row = run_method(plan, planned, &reference, &graph, progress);
        if progress.interrupted() && row.outcome != Outcome::Done {
            break;
        }
        row.notes.splice(0..0, planned.notes.iter().cloned());
        if let Some(Err(error)) = store.map(|store| store.keep(&data, method, &row)) {
            progress.line(format!("note: {name} would have to be repeated after an interruption: {error}"));
        }
        progress.line(match row.outcome.reason() {
            None => format!("  {name:<20} {:8.3} s", row.seconds),
            Some(reason) => format!("  {name:<20} {reason}"),
        });
        methods.push(row);
        if progress.interrupted() {
            break;
        }
    }
    let policies = policies(plan, &reference, &graph, progress);
    if methods.is_empty() && progress.interrupted() {
        return Err(Error::Cancelled);
    }
    Ok(DatasetResults {
        name: data.name.clone(),
        notes: data.notes.clone(),
        shows,
        n: points.len(),
        columns: points.dim(),
        geometry: data.geometry,
        seed: plan.seed,
        graph: facts,
        methods,
        policies,
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
    }
    let rule = method.neighborhood_dyn(known.points.len());
    let measured = Neighborhood::Nearest { k: plan.measure_k };
    let lists = match rule.map(|rule| graph.lists_for_method(rule)).transpose() {
        Ok(lists) => lists,
        Err(error) => return failed(method, &input, &error),
    };
    let reason = inapplicable(method, known, lists.as_ref()).filter(|_| plan.skip_inapplicable);
    if let Some(reason) = reason {
        let mut row = blank(method, &input);
        row.outcome = Outcome::Skipped { reason };
        return row;
    }
    if let Some(lists) = &lists {
        input = input.neighbors(lists);
    }
    let mut row = fit(method, &input, progress).0;
    if let Some(embedding) = &row.embedding {
        progress.begin(format!("measuring {}", row.method));
        match reference.score(embedding, Some(rule.unwrap_or(measured))) {
            Ok(scores) => row.scores = scores,
            Err(error) => row.notes.push(format!("not measured: {error}")),
        }
    }
    row
}

/// The first method that refuses the disconnected graph, under each other policy.
fn policies(
    plan: &Plan,
    reference: &Reference<'_>,
    graph: &SharedGraph,
    progress: &Progress,
) -> Vec<MethodResults> {
    let n = reference.known().points.len();
    let refuses = |planned: &&Planned| {
        let lists = planned.method.neighborhood_dyn(n).and_then(|rule| graph.lists_for_method(rule).ok());
        rejects(planned.method.as_ref()) && lists.as_ref().and_then(disconnected).is_some()
    };
    let Some(first) = plan.methods.iter().find(refuses) else { return Vec::new() };
    let mut rows = Vec::new();
    for policy in [Components::Bridge, Components::Largest, Components::PerComponent] {
        if progress.interrupted() {
            break;
        }
        let mut method = first.method.boxed();
        let set = method.set_dyn("components", &policy.show());
        set.expect("the method has this parameter, and the text is that of a value");
        let planned = Planned { method, notes: Vec::new(), ..*first };
        let row = run_method(plan, &planned, reference, graph, progress);
        if !progress.interrupted() || row.outcome == Outcome::Done {
            rows.push(row);
        }
    }
    rows
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
