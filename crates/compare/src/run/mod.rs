//! Runs every method on every data set, at every point of a grid of settings.

mod dataset;
mod drivers;
mod expected;
mod fit;
#[cfg(test)]
mod interrupted;
mod new_points;
mod trust;

use std::iter::repeat_n;

use datasets::{Dataset, Geometry, Info, Request};
use embedding::{DynMethod, Error, MemoryLimit, Metric, Observer};
use figure::number::counted;

use self::dataset::{Finished, run_dataset};
use crate::Failure;
use crate::checkpoint::Checkpoint;
use crate::dataset_source::DatasetSource;
use crate::methods::has;
use crate::progress::Progress;
use crate::results::{DatasetResults, Machine, Maps, Results, Sweep, SweepRun};

pub(crate) use self::fit::{Eigenvalues, fit, fit_by_dimension};

/// The plan of a run.
pub(crate) struct Plan {
    /// The sources of the data sets.
    pub datasets: Vec<PlannedDataset>,
    /// The settings at which every method runs on every data set, at least one. Of the
    /// first one everything is kept, of the others the scores.
    pub grid: Vec<GridPoint>,
    /// Whether methods that do not apply to a data set are skipped instead of failing,
    /// because they were not requested by name.
    pub skip_inapplicable: bool,
    /// The neighborhood size of the measures.
    pub measure_k: usize,
    /// The distance between points, for methods and measures.
    pub metric: Metric,
    /// The fraction of right neighbors at which an approximate search stops, if that was
    /// requested; otherwise the search is exact.
    pub neighbor_recall: Option<f64>,
    /// The stretch threshold of shortcut edges, if they are removed.
    pub cut_shortcuts: Option<f64>,
    /// Whether the points of each map are scored by how far they jump when their data change a little.
    pub trust: bool,
    /// The command line that reproduces the run.
    pub command: String,
    /// The same, word by word, without the program.
    pub arguments: Vec<String>,
}

/// One setting of a run.
pub(crate) struct GridPoint {
    /// The neighborhood size of the reported graph.
    pub k: usize,
    /// Whether the methods use it, too; otherwise they have their own.
    pub k_chosen: bool,
    /// Points per data set, if not the number of the source.
    pub n: Option<usize>,
    /// Standard deviation of the noise added to every value.
    pub noise: f64,
    /// The seed of data sets and methods.
    pub seed: u64,
    /// Methods, in the order in which they run.
    pub methods: Vec<Planned>,
}

/// Where a data set comes from.
#[derive(Clone)]
pub(crate) enum PlannedDataset {
    /// A data set of the list, with its request.
    Listed(&'static Info, Request),
    /// The user's own, read already.
    Own {
        /// What was read.
        source: Box<DatasetSource>,
        /// Whether the zeros of sparse points are needed, however many these are.
        zeros: bool,
        /// The memory that these may take.
        memory: MemoryLimit,
    },
}

impl PlannedDataset {
    /// The data set, with the sentence on what it shows about methods.
    fn load(self, at: &GridPoint, observer: &dyn Observer) -> Result<(DatasetSource, String), Error> {
        let GridPoint { n, noise, seed, .. } = *at;
        match self {
            Self::Listed(info, request) => {
                let request = Request { n: n.or(request.n), noise, seed, ..request };
                Ok((info.load(&request)?.into(), info.shows.to_owned()))
            }
            Self::Own { source, zeros, memory } => {
                let source = match n {
                    Some(n) => source.sample(n, seed)?,
                    None => *source,
                };
                let source = source.densified(zeros, memory, observer)?;
                let shows = source.data.notes.clone();
                Ok((source.with_noise(noise, seed)?, shows))
            }
        }
    }

    /// The name of the data set.
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Listed(info, _) => info.name,
            Self::Own { source, .. } => &source.data.name,
        }
    }
}

/// One method of a plan.
pub(crate) struct Planned {
    /// The method with its parameters.
    pub method: Box<dyn DynMethod>,
    /// The memory that one stage of it may allocate.
    pub memory: MemoryLimit,
    /// Whether its target dimension was given; otherwise data whose true coordinates
    /// are one arc length are embedded in one dimension.
    pub dim_chosen: bool,
    /// What a reader must know about how it came to be so.
    pub notes: Vec<String>,
}

impl Planned {
    /// The same with the target dimension of the data, where none was given.
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
/// With a store, methods that finished in it are not repeated, and methods that finish now
/// are added to it; the display notes results that cannot be added.
///
/// Fails when a data set cannot be loaded, or has too few points for k, and when
/// it is interrupted before any method has finished.
pub(crate) fn run(
    mut plan: Plan,
    store: Option<&Checkpoint>,
    progress: &Progress,
) -> Result<Results, Failure> {
    let sources = std::mem::take(&mut plan.datasets);
    let wanted = sources.len();
    let mut done = Done { datasets: Vec::with_capacity(wanted), sweeps: Vec::new(), missing: None };
    for source in sources {
        run_source(&plan, source, store, progress, &mut done)?;
        if progress.interrupted() {
            break;
        }
    }
    progress.end();
    let whole = done.datasets.len() - usize::from(done.missing.is_some());
    let interrupted = (whole < wanted).then(|| {
        let sets = counted(wanted, "data set", "data sets");
        let part = done.missing.map(|part| format!(", and {part}")).unwrap_or_default();
        format!("The run was interrupted: {whole} of {sets} finished{part}.")
    });
    if done.datasets.is_empty() && interrupted.is_some() {
        return Err(Failure::Interrupted);
    }
    Ok(Results {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        machine: Machine::here(),
        command: plan.command.clone(),
        arguments: plan.arguments.clone(),
        seed: plan.grid.first().map_or(0, |at| at.seed),
        measure_k: plan.measure_k,
        interrupted,
        datasets: done.datasets,
        sweeps: done.sweeps,
        study: None,
    })
}

/// What has finished so far.
struct Done {
    datasets: Vec<DatasetResults>,
    sweeps: Vec<Sweep>,
    /// How far the last data set came, if it is not complete.
    missing: Option<String>,
}

/// Runs one data set at every point of the grid.
fn run_source(
    plan: &Plan,
    source: PlannedDataset,
    store: Option<&Checkpoint>,
    progress: &Progress,
    done: &mut Done,
) -> Result<(), Failure> {
    let (name, points) = (source.name().to_owned(), plan.grid.len());
    let mut runs: Vec<SweepRun> = Vec::new();
    for (i, (source, at)) in repeat_n(source, points).zip(&plan.grid).enumerate() {
        progress.begin(&name);
        let (source, shows) = source.load(at, progress)?;
        let place = if points == 1 { String::new() } else { format!("[{}/{points}] ", i + 1) };
        progress.line(format!(
            "{place}{}: {} in {}{}",
            source.data.name,
            counted(source.data.points.len(), "point", "points"),
            counted(source.columns(), "dimension", "dimensions"),
            if points == 1 { String::new() } else { format!("; {}", at.show()) }
        ));
        let part = if points == 1 { String::new() } else { at.show() };
        let store = store.map(|store| store.part(&part));
        // The same data at another k: methods without neighbors have the same results.
        let same = plan.grid[..i]
            .iter()
            .zip(&runs)
            .rfind(|(other, _)| (other.n, other.noise, other.seed) == (at.n, at.noise, at.seed));
        let same = same.map(|(other, run)| (other.k, &run.methods[..]));
        let finished = match run_dataset(plan, at, i == 0, (shows, source), same, store.as_ref(), progress) {
            Err(Error::Cancelled) if progress.interrupted() => None,
            found => Some(found?),
        };
        let missing = finished.as_ref().and_then(|finished| finished.missing.clone());
        if let Some(Finished { results, .. }) = finished {
            if points > 1 {
                let mut run = SweepRun {
                    k: at.k_chosen.then_some(at.k),
                    n: results.n,
                    noise: at.noise,
                    seed: at.seed,
                    graph: results.graph.clone(),
                    methods: results.methods.iter().map(|row| row.without_points()).collect(),
                    maps: None,
                };
                run.maps = Maps::of(&run, &results, &runs);
                runs.push(run);
            }
            if i == 0 {
                done.datasets.push(results);
            }
        }
        if points == 1 {
            done.missing = missing;
        } else if progress.interrupted() && (missing.is_some() || runs.len() < points) {
            let whole = runs.len() - usize::from(missing.is_some());
            let part = missing.map(|missing| format!(", and {missing} of the next")).unwrap_or_default();
            done.missing =
                (!runs.is_empty()).then(|| format!("{whole} of {points} settings on {name}{part}"));
        }
        if progress.interrupted() {
            break;
        }
    }
    if runs.len() > 1 {
        done.sweeps.push(Sweep::of(name, runs));
    }
    Ok(())
}

impl GridPoint {
    /// The setting in words.
    fn show(&self) -> String {
        let mut parts = Vec::new();
        parts.extend(self.k_chosen.then(|| format!("k = {}", self.k)));
        parts.extend(self.n.map(|n| format!("n = {n}")));
        parts.extend((self.noise > 0.0).then(|| format!("noise = {}", self.noise)));
        parts.push(format!("seed = {}", self.seed));
        parts.join(", ")
    }
}
