//! `compare study`.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use datasets::Request;
use embedding::{DynMethod, Error, MemoryLimit, Metric};
use figure::number::{count, duration, percent};
use regression::{Perceptron, Standardization};

use crate::checkpoint::Checkpoint;
use crate::cli::context::Context;
use crate::cli::files::outputs;
use crate::cli::finish::{end_checkpoint, finish, note_report};
use crate::cli::options::measure_k::MeasureK;
use crate::cli::options::method::{DEFAULT_K, MapOptions, MethodOptions};
use crate::cli::options::typed::Typed;
use crate::cli::options::values::whole;
use crate::cli::recorded_command::parse;
use crate::cli::settings::{Common, OwnSettings, input_settings};
use crate::cli::standard_output::print;
use crate::cli::words::{command, typed};
use crate::folder::Folder;
use crate::methods::{Setting, find};
use crate::results::{Experiment, Separation, StudyResults};
use crate::run::{GridPoint, Plan, Planned, PlannedDataset, run as run_plan};
use crate::study::{self, LargestThatFits, PlacementPlan, note_sizes, place, separation};
use crate::{Failure, dataset_names, output};

/// The sample sizes are part of every figure. A method whose memory would exceed the
/// limit uses a subset of the points, which is noted in its panel.
#[derive(Args, Clone, Debug, Default)]
#[group(skip)]
pub(in crate::cli) struct Study {
    #[command(flatten)]
    pub(in crate::cli) typed: Typed,
    /// Largest number of points per data set, and digits in the map for placement
    /// [default: 2000 digits, all fruits and reviews]
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    pub(in crate::cli) n: Option<usize>,
    /// New digits to be placed in a map of others [default: 500, or a quarter of --n]
    #[arg(long, value_name = "M", value_parser = whole::<NonZeroUsize>)]
    pub(in crate::cli) new: Option<NonZeroUsize>,
    /// Full size: 70,000 digits, images at full resolution, 1,000 new digits in a map of
    /// 10,000
    #[arg(long, conflicts_with = "n")]
    pub(in crate::cli) full: bool,
    #[command(flatten)]
    pub(in crate::cli) method_options: MethodOptions,
    #[command(flatten)]
    pub(in crate::cli) measures: MeasureK,
    /// Output folder [default: out/study]
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) out: Option<PathBuf>,
    /// Set a parameter of one method; may be repeated
    #[arg(long, value_name = "METHOD.PARAM=VALUE")]
    pub(in crate::cli) set: Vec<String>,
    /// Go on with the study that was interrupted in the output folder, without repeating
    /// what has finished; only --out may be given with it
    #[arg(long)]
    pub(in crate::cli) resume: bool,
}

/// The default output folder.
const OUT: &str = "out/study";

/// The methods with their settings in the study.
const METHODS: [(&str, &[(&str, &str)]); 4] = [
    ("isomap", &[("components", "bridge")]),
    ("lle", &[("components", "bridge")]),
    ("tsne", &[]),
    ("umap", &[]),
];

/// Sample sizes of the study.
struct Sizes {
    digits: usize,
    /// Largest number of points of the other data sets.
    most: usize,
    /// Scale of the fruit images, relative to the full size.
    scale: f64,
    /// Number of digits in the map for placement.
    known: usize,
    new: usize,
}

impl Sizes {
    fn of(options: &Study) -> Self {
        let all = Self { digits: 70_000, most: usize::MAX, scale: 1.0, known: 10_000, new: 1_000 };
        let mut sizes = match options.n {
            _ if options.full => all,
            None => Self { digits: 2_000, scale: 0.25, known: 2_000, new: 500, ..all },
            Some(n) => Self { digits: n, most: n, scale: 0.25, known: n, new: (n / 4).max(1) },
        };
        sizes.new = options.new.map_or(sizes.new, NonZeroUsize::get);
        sizes
    }
}

pub(super) fn study(options: &Study, context: &Context) -> Result<ExitCode, Failure> {
    if !options.resume {
        return study_words(options, typed(), None, context);
    }
    options.typed.alone("resume", "--resume goes on with a study as it was")?;
    let out = options.out.as_deref().unwrap_or(Path::new(OUT));
    let (store, words) = Checkpoint::resume(out)?;
    let fail = |problem| Error::file(out.display(), problem);
    let Some(earlier) = parse::<Study>("study", &words).map_err(fail)? else {
        return Err(
            fail("holds an unfinished run; go on with it by `compare run --resume`".to_owned()).into()
        );
    };
    let earlier = Study { out: options.out.clone(), ..earlier };
    study_words(&earlier, words, Some(store), context)
}

fn study_words(
    options: &Study,
    words: Vec<String>,
    earlier: Option<Checkpoint>,
    context: &Context,
) -> Result<ExitCode, Failure> {
    let sizes = Sizes::of(options);
    let seed = options.method_options.map.seed.unwrap_or(0);
    let recipes = recipes(options)?;
    let k = options.measures.size();
    let plan = Plan {
        measure_k: k,
        command: command(&words),
        arguments: words,
        ..plan(&recipes, &sizes, (options.method_options.k, seed), context)?
    };
    let placement = PlacementPlan {
        dataset: "mnist",
        known: sizes.known,
        new: sizes.new,
        map: recipes.one("tsne", context.memory)?,
        perceptron: Perceptron { seed, ..perceptron() },
        k,
        request: Request { seed, memory: context.memory, ..Request::default() },
    };
    let out = options.out.as_deref().unwrap_or(Path::new(OUT));
    let folder = Folder::prepare(out)?;
    let run = output::written(plan.datasets.iter().map(PlannedDataset::name), &METHODS.map(|(name, _)| name));
    let written: Vec<PathBuf> = run.into_iter().chain(study::written()).map(|file| out.join(file)).collect();
    outputs::keep_apart([], written.iter().map(|path| ("output", path)))?;
    let store = match earlier {
        Some(store) => store,
        None => Checkpoint::begin(out, &plan.arguments)?,
    };
    let mut results = run_plan(plan, Some(&store), &context.progress)?;
    let mut rows: Vec<Separation> = Vec::new();
    for dataset in &mut results.datasets {
        note_sizes(dataset);
        context.progress.begin(format!("separation of {}", dataset.name));
        rows.extend(separation(dataset, k)?);
    }
    let placed = match &results.interrupted {
        Some(_) => Experiment::Failed { reason: "the run was interrupted".to_owned() },
        None => Experiment::from(place(&placement, &context.progress)),
    };
    let failed = matches!(placed, Experiment::Failed { .. });
    if failed && results.interrupted.is_none() && context.progress.interrupted() {
        results.interrupted = Some("The study was interrupted while new points were placed.".to_owned());
    }
    let study = StudyResults { separation: rows, placement: placed };
    let tables = tables(&study);
    results.study = Some(study);
    let finished = finish(&results, folder, None, context);
    end_checkpoint(&store, &results, finished.is_ok(), ("study", options.out.as_deref()), context)?;
    let code = finished?;
    print(&tables)?;
    note_report(out, context);
    Ok(if failed && results.interrupted.is_none() { ExitCode::from(1) } else { code })
}

/// Returns the perceptron of the study: one layer of 100 rectified linear units, at most
/// 500 epochs. Pixels share one scale. There are about as many pixels as digits, so the
/// weights are regularized more strongly than by default, which halves the unexplained
/// variance of held-out digits.
fn perceptron() -> Perceptron {
    Perceptron { standardization: Standardization::Common, l2: 10.0, ..Perceptron::default() }
}

/// Recipes of the study, created on demand.
struct Recipes {
    common: Common,
    own: OwnSettings,
}

impl Recipes {
    fn one(&self, name: &str, memory: MemoryLimit) -> Result<Planned, Failure> {
        let method = find(name)?;
        let preset = METHODS.iter().filter(|(of, _)| *of == name).flat_map(|(_, settings)| settings.iter());
        let preset =
            preset.map(|(name, value)| Setting { name: (*name).to_owned(), value: (*value).to_owned() });
        let (settings, input) = input_settings(preset.chain(self.own.of(name)).collect(), memory)?;
        let method = self.common.configured(method, settings.into_iter())?;
        Ok(Planned { method, memory: input.memory, dim_chosen: true, notes: Vec::new() })
    }
}

fn recipes(options: &Study) -> Result<Recipes, Failure> {
    let own = OwnSettings::read(&options.set, &METHODS.map(|(name, _)| name))?;
    let MethodOptions { k, map } = options.method_options;
    let flags = MethodOptions { k, map: MapOptions { seed: Some(map.seed.unwrap_or(0)), ..map } };
    Ok(Recipes { common: Common::new(flags), own })
}

/// The plan of the maps, with the number of neighbors of the methods, if it was given.
fn plan(
    recipes: &Recipes,
    sizes: &Sizes,
    (k, seed): (Option<usize>, u64),
    context: &Context,
) -> Result<Plan, Failure> {
    let request = |n, scale| Request { n: Some(n), scale, memory: context.memory, ..Request::default() };
    let (fruits, reviews) = (dataset_names::find("fruits")?, dataset_names::find("reviews")?);
    let datasets = vec![
        PlannedDataset::Listed(dataset_names::find("mnist")?, request(sizes.digits, None)),
        PlannedDataset::Listed(fruits, request(fruits.default_n.min(sizes.most), Some(sizes.scale))),
        PlannedDataset::Listed(reviews, request(reviews.default_n.min(sizes.most), None)),
    ];
    let planned = |name: &str| {
        let planned = recipes.one(name, context.memory)?;
        let method: Box<dyn DynMethod> = Box::new(LargestThatFits { method: planned.method });
        Ok::<_, Failure>(Planned { method, ..planned })
    };
    let methods = METHODS.iter().map(|(name, _)| planned(name)).collect::<Result<_, _>>()?;
    let at =
        GridPoint { k: k.unwrap_or(DEFAULT_K), k_chosen: k.is_some(), n: None, noise: 0.0, seed, methods };
    Ok(Plan {
        datasets,
        grid: vec![at],
        skip_inapplicable: false,
        measure_k: MeasureK::default().size(),
        metric: Metric::Euclidean,
        neighbor_recall: None,
        cut_shortcuts: None,
        trust: false,
        command: String::new(),
        arguments: Vec::new(),
    })
}

/// Formats both tables for the terminal.
fn tables(study: &StudyResults) -> String {
    let mut text = format!(
        "\n  {:<8} {:<9} {:<8} {:>7} {:>12} {:>10} {:>15}\n",
        "data set", "classes", "map", "n", "knn_accuracy", "silhouette", "trustworthiness"
    );
    let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.4}"));
    for row in &study.separation {
        text += &format!(
            "  {:<8} {:<9} {:<8} {:>7} {:>12} {:>10} {:>15}\n",
            row.dataset,
            row.labels,
            row.method.as_deref().unwrap_or("(data)"),
            row.n,
            number(row.knn_accuracy),
            number(row.silhouette),
            number(row.trustworthiness)
        );
    }
    match &study.placement {
        Experiment::Failed { reason } => text += &format!("\nnew points were not placed: {reason}\n"),
        Experiment::Done(placed) => {
            text += &format!(
                "\n{} new {} in a map of {}, {}-NN accuracy\n",
                count(placed.new),
                placed.dataset,
                count(placed.known),
                placed.k
            );
            let mut line = |name: &str, accuracy: f64, rest: &str| {
                text += format!("  {name:<28} {:>7}  {rest}", percent(accuracy)).trim_end();
                text.push('\n');
            };
            line("original data", placed.data_accuracy, "");
            line("the map, known points", placed.map_accuracy, &duration(placed.map.seconds));
            for by in &placed.placed {
                let training = by.training_seconds.map(|seconds| {
                    let error = placed.validation.root_mean_square;
                    format!(", training {}, validation error {error:.3}", duration(seconds))
                });
                let rest = duration(by.seconds) + &training.unwrap_or_default();
                line(&format!("new points by {}", by.by), by.accuracy, &rest);
            }
        }
    }
    text
}
