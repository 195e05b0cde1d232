//! `compare run`.

mod grid;
mod recorded;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use datasets::{Info, Request};
use embedding::{Data, DynMethod, Error};
use figure::number::counted;

use self::grid::At;
use self::recorded::Recorded;
use crate::Failure;
use crate::checkpoint::Unfinished;
use crate::cli::arguments::{Arguments, Command, Flags, MapFlags, OwnFiles, PictureFormat, Run};
use crate::cli::files::{outputs, user_files};
use crate::cli::settings::{Common, input_settings, k_beside_radius, methods, of_method, unused_flag};
use crate::cli::words::{command, typed};
use crate::cli::{Context, plot, print, table};
use crate::failure::INTERRUPTED;
use crate::folder::Folder;
use crate::graph::tangents_of;
use crate::methods::Setting;
use crate::output;
use crate::results::{Outcome, Results};
use crate::run::{GridPoint, Plan, Planned, Source, run as run_plan};
use crate::suggestion::resolve;

/// The default data sets, with sizes at which all methods together take less than a
/// minute on two cores.
const DEFAULT: &[(&str, usize)] =
    &[("swiss-roll", 1000), ("s-curve", 1000), ("digits", 1797), ("mnist", 2000)];

/// The default methods: one of each idea, for teaching.
const TAUGHT: &[&str] = &[
    "pca",
    "lda",
    "smacof",
    "isomap",
    "lle",
    "modified-lle",
    "hessian-lle",
    "ltsa",
    "laplacian-eigenmaps",
    "diffusion-maps",
    "conformal-eigenmaps",
    "mvu",
    "tsne",
    "umap",
    "pacmap",
    "phate",
];

/// The default output folder.
const OUT: &str = "out";

/// Default neighborhood size.
pub(in crate::cli) const K: usize = 10;

/// That of the measures, whatever the methods have.
pub(in crate::cli) const MEASURE_K: usize = 10;

pub(in crate::cli) fn run(arguments: &Run, context: &Context) -> Result<ExitCode, Failure> {
    if arguments.resume {
        alone(arguments, "--resume goes on with a run as it was")?;
        let out = arguments.out.as_deref().unwrap_or(Path::new(OUT));
        let (store, words) = Unfinished::resume(out)?;
        let fail = |problem| Error::file(out.display(), problem);
        let Command::Run(earlier) = parse(&words).map_err(fail)? else {
            let problem = "holds an unfinished study; go on with it by `compare study --resume`".to_owned();
            return Err(fail(problem).into());
        };
        let earlier = Run { out: arguments.out.clone(), ..earlier };
        return run_words(&earlier, words, Some(store), &[], context);
    }
    match &arguments.from {
        Some(path) => {
            let Recorded { words, run, data } = Recorded::read(path, arguments)?;
            run_words(&run, words, None, &data, context)
        }
        None => run_words(arguments, typed(), None, &[], context),
    }
}

/// Refuses options beside one that repeats an earlier run.
pub(in crate::cli) fn alone(now: &Run, because: &str) -> Result<(), Failure> {
    let Run { from, resume, out, .. } = now.clone();
    if format!("{:?}", Run { from, resume, out, ..Run::default() }) == format!("{now:?}") {
        return Ok(());
    }
    Err(Failure::usage(format!("{because}; only --out may be given beside it")))
}

/// The command that a recorded command line describes; an error is the problem.
pub(in crate::cli) fn parse(words: &[String]) -> Result<Command, String> {
    let parsed = Arguments::of(std::iter::once("compare").chain(words.iter().map(String::as_str)));
    let again = |_| format!("this version cannot run again what it records: {}", command(words));
    Ok(parsed.map_err(again)?.command.unwrap_or_default())
}

fn run_words(
    arguments: &Run,
    words: Vec<String>,
    earlier: Option<Unfinished>,
    data: &[(String, String)],
    context: &Context,
) -> Result<ExitCode, Failure> {
    let out = arguments.out.as_deref().unwrap_or(Path::new(OUT));
    let plan = Plan { command: command(&words), arguments: words, ..plan(arguments, context)? };
    for said in grid::same_in_every_draw(&plan.grid) {
        context.progress.line(format!("note: {said}"));
    }
    let folder = Folder::prepare(out)?;
    keep_inputs(arguments, &plan, out)?;
    let store = match earlier {
        Some(store) => store,
        None => Unfinished::begin(out, &plan.arguments)?,
    };
    let results = run_plan(plan, Some(&store), &context.progress)?;
    recorded::compare_with(data, &results, context);
    let finished = finish(&results, folder, arguments.panels, context);
    close(&store, &results, finished.is_ok(), ("run", arguments.out.as_deref()), context)?;
    let code = finished?;
    told(out, context);
    Ok(code)
}

/// Removes the store of a complete run, or says how to go on with it, by the name of the
/// command and its output folder, if that was given.
pub(in crate::cli) fn close(
    store: &Unfinished,
    results: &Results,
    written: bool,
    (name, out): (&str, Option<&Path>),
    context: &Context,
) -> Result<(), Failure> {
    if results.interrupted.is_none() && written {
        store.remove()?;
    } else if store.holds_any() {
        let option = out.map(|out| format!(" --out {}", out.display())).unwrap_or_default();
        context
            .progress
            .line(format!("to go on without repeating what has finished: compare {name} --resume{option}"));
    }
    Ok(())
}

/// Says where the report is.
pub(in crate::cli) fn told(out: &Path, context: &Context) {
    context.progress.line(format!("wrote {}", out.join("report.html").display()));
}

/// Writes and prints the results; an interruption and a method that failed are
/// told by the status.
pub(in crate::cli) fn finish(
    results: &Results,
    mut folder: Folder,
    panels: Option<PictureFormat>,
    context: &Context,
) -> Result<ExitCode, Failure> {
    context.progress.begin("writing");
    output::write(results, &mut folder);
    if let Some(format) = panels {
        plot::panels(results, format, &mut folder);
    }
    context.progress.end();
    let old = output::left_over(folder.target(), results);
    let target = folder.target().to_owned();
    let printed = print(&table::of(results));
    folder.complete()?;
    printed?;
    if let [first, ..] = &old[..] {
        let files = counted(old.len(), "file", "files");
        context.progress.line(format!(
            "note: {} still holds {files} of an earlier run, such as {}",
            target.display(),
            first.display()
        ));
    }
    if let Some(sentence) = &results.interrupted {
        context.progress.line(sentence);
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let failed = |outcome: &Outcome| matches!(outcome, Outcome::Failed { .. });
    let rows = results.datasets.iter().flat_map(|set| &set.methods);
    let swept = results.sweeps.iter().flat_map(|sweep| &sweep.runs).flat_map(|run| &run.methods);
    let any = rows.chain(swept).any(|row| failed(&row.outcome));
    Ok(ExitCode::from(u8::from(any)))
}

/// Refuses an output folder in which a file of the run would replace an input, or cannot be
/// written because a folder is in its place.
fn keep_inputs(arguments: &Run, plan: &Plan, out: &Path) -> Result<(), Failure> {
    let methods: Vec<&str> = plan.grid[0].methods.iter().map(|planned| planned.method.about().name).collect();
    let names = || plan.datasets.iter().map(Source::name);
    let mut files = output::written(names(), &methods);
    if plan.grid.len() > 1 {
        files.extend(output::of_sweeps());
    }
    files
        .extend(arguments.panels.into_iter().flat_map(|format| plot::panel_names(names(), &methods, format)));
    let written: Vec<PathBuf> = files.into_iter().map(|file| out.join(file)).collect();
    let OwnFiles { input, labels, images, .. } = &arguments.own;
    let inputs = input.iter().chain(labels).chain(images);
    outputs::keep_apart(inputs, written.iter().map(|path| ("output", path)))
}

fn plan(arguments: &Run, context: &Context) -> Result<Plan, Failure> {
    let settings = grid::settings(arguments)?;
    let metric = arguments.metric.unwrap_or_default();
    if arguments.cut_shortcuts.is_some() {
        tangents_of(metric)?;
    }
    let unnamed = unnamed(arguments);
    let point = |at: At| {
        Ok::<_, Failure>(GridPoint {
            k: at.k.unwrap_or(K),
            k_chosen: at.k.is_some(),
            n: at.n.filter(|_| !whole(arguments)),
            noise: at.noise,
            seed: at.seed,
            methods: planned(arguments, at, unnamed, context)?,
        })
    };
    Ok(Plan {
        datasets: sources(arguments, &settings, context)?,
        grid: settings.iter().map(|at| point(*at)).collect::<Result<_, _>>()?,
        skip_inapplicable: unnamed,
        measure_k: arguments.measure_k.unwrap_or(MEASURE_K),
        metric,
        neighbor_recall: arguments.neighbor_recall,
        cut_shortcuts: arguments.cut_shortcuts,
        command: String::new(),
        arguments: Vec::new(),
    })
}

/// Whether all data sets are wanted, of which smaller ones are used whole.
fn whole(arguments: &Run) -> bool {
    arguments.datasets == ["all"]
}

/// The data sets of a run.
fn sources(arguments: &Run, settings: &[At], context: &Context) -> Result<Vec<Source>, Failure> {
    let request = |n| Request { n, memory: context.memory, ..Request::default() };
    let Run { own, reading, grid, metric, .. } = arguments;
    if !own.input.is_empty() {
        let zeros = needs_zeros(arguments, settings)?;
        let metric = metric.unwrap_or_default();
        // Of a sample the zeros of its rows suffice.
        let whole = zeros && settings.iter().any(|at| at.n.is_none());
        let sets =
            user_files::read(&own::Files { own, reading, sample: None, metric, zeros: whole }, context)?;
        for (set, at) in sets.iter().flat_map(|set| settings.iter().map(move |at| (set, at))) {
            // Too large an n is refused before anything runs.
            at.n.map(|n| set.data.sample_rows(n, at.seed)).transpose()?;
        }
        let source = |set| Source::Own { loaded: Box::new(set), zeros, memory: context.memory };
        return Ok(sets.into_iter().map(source).collect());
    }
    if reading.given() || own.describes_inputs() {
        return Err(Failure::usage("options of reading files need --input FILE"));
    }
    if whole(arguments) && grid.n.len() > 1 {
        return Err(Failure::usage(
            "several --n need data sets by name; with `--datasets all`, smaller ones are used whole",
        ));
    }
    if whole(arguments) {
        let n = grid.n.first().copied();
        let clipped = |info: &Info| n.map(|n| info.largest_n.map_or(n, |most| n.min(most)));
        let all = datasets::list().iter().map(|info| Source::Listed(info, request(clipped(info))));
        return Ok(all.collect());
    }
    if arguments.datasets.is_empty() {
        let known =
            DEFAULT.iter().filter_map(|(name, n)| Some(Source::Listed(info(name).ok()?, request(Some(*n)))));
        return Ok(known.collect());
    }
    let mut named: Vec<&'static Info> = Vec::new();
    for info in arguments.datasets.iter().map(|name| meant(name)).collect::<Result<Vec<_>, _>>()?.concat() {
        if named.iter().all(|other| other.name != info.name) {
            named.push(info);
        }
    }
    // Of several sizes, one that there is not would end the run in its midst.
    for (info, n) in named.iter().flat_map(|info| settings.iter().map(move |at| (info, at.n))) {
        if let (true, Some(n), Some(most)) = (settings.len() > 1, n, info.largest_n)
            && n > most
        {
            return Err(Failure::Failed(Error::parameter(
                "n",
                format!("from 1 to {most} for {}", info.name),
                n,
            )));
        }
    }
    Ok(named.into_iter().map(|info| Source::Listed(info, request(None))).collect())
}

/// Whether the zeros of sparse points are read, however many these are: for an option that acts on all
/// values, and for a method that was asked for by name and reads them.
fn needs_zeros(arguments: &Run, settings: &[At]) -> Result<bool, Failure> {
    let acts = arguments.cut_shortcuts.is_some()
        || arguments.neighbor_recall.is_some()
        || settings.iter().any(|at| at.noise > 0.0);
    let reads =
        || Ok::<_, Failure>(methods(&arguments.methods)?.iter().any(|method| !method.accepts_sparse()));
    Ok(acts || !unnamed(arguments) && reads()?)
}

/// Whether no method is asked for by its name.
fn unnamed(arguments: &Run) -> bool {
    arguments.methods.is_empty() || arguments.methods == ["all"]
}

/// The methods of a run at one setting; `unnamed` where none was asked for by its name.
fn planned(arguments: &Run, at: At, unnamed: bool, context: &Context) -> Result<Vec<Planned>, Failure> {
    let chosen: Vec<Box<dyn DynMethod>> = match (unnamed, arguments.methods.is_empty()) {
        (true, true) => swissroll::methods().filter(|method| TAUGHT.contains(&method.about().name)).collect(),
        (true, false) => swissroll::methods().collect(),
        (false, _) => methods(&arguments.methods)?,
    };
    let set = arguments.set.iter().map(|text| of_method(text)).collect::<Result<Vec<_>, _>>()?;
    if let Some((method, _)) =
        set.iter().find(|(method, _)| !chosen.iter().any(|c| c.about().name == *method))
    {
        return Err(Failure::usage(format!(
            "--set names {method}, which is not among the methods of this run"
        )));
    }
    let map = MapFlags { seed: Some(at.seed), ..arguments.map };
    let common = Common::new(Flags { k: at.k, map }).with_recall(arguments.neighbor_recall);
    let planned = |method: Box<dyn DynMethod>| {
        let name = method.about().name;
        // Of methods that were asked for by name; the data has a seed, if the
        // method has none.
        let unused = common.unused(method.as_ref()).filter(|flag| !unnamed && *flag != "seed");
        let mut notes: Vec<String> = unused.map(|flag| unused_flag(name, flag)).collect();
        let settings = set.iter().filter(|(of, _)| *of == name).map(|(_, setting)| setting.clone());
        let (settings, given) = input_settings(settings.collect(), context.memory)?;
        if given.given != Data::Points {
            return Err(Failure::usage(format!(
                "{name}: data sets are points; give {} to `compare embed`",
                given.given
            )));
        }
        if let [first, _, ..] = &arguments.grid.k[..]
            && let Some(Setting { value, .. }) = settings.iter().find(|setting| setting.name == "k")
        {
            return Err(Failure::usage(format!(
                "--k {first},… and --set {name}.k={value} both set k of {name}, which would be {value} at every --k; leave \
                 one of them out"
            )));
        }
        let dim_chosen = map.dim.is_some() || settings.iter().any(|setting| setting.name == "dim");
        let method = common.configured(method, settings.into_iter())?;
        notes.extend(common.has_radius_for_k(method.as_ref()).then(|| k_beside_radius(name)));
        Ok::<_, Failure>(Planned { method, memory: given.memory, dim_chosen, notes })
    };
    chosen.into_iter().map(planned).collect()
}

/// The group that is selected by its name.
const FAILURES: &str = "failures";

/// The data sets that a word of `--datasets` means: a name, or the group of failures.
fn meant(word: &str) -> Result<Vec<&'static Info>, Failure> {
    if word == FAILURES {
        return Ok(datasets::failures().collect());
    }
    match info(word) {
        Err(_) if Path::new(word).exists() => Err(Failure::usage(format!(
            "--datasets must name data sets, but `{word}` is a file or folder; give it by --input {word}"
        ))),
        found => found.map(|info| vec![info]),
    }
}

/// Returns the data set of the given name; an unknown name is a usage error.
pub(in crate::cli) fn info(name: &str) -> Result<&'static Info, Failure> {
    let list = datasets::list();
    let meant = resolve("data set", name, list.iter().map(|info| info.name))?;
    Ok(list.iter().find(|info| info.name == meant).expect("the name is one of the list"))
}
