//! `compare choose`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use datasets::files::WholeFiles;
use embedding::{DynMethod, Input, Metric};
use quality::trust::{CRITERIA, Stability, Structure};
use serde::Serialize;

use crate::Failure;
use crate::choose::{Comparison, MethodChoice, PERPLEXITY};
use crate::cli::context::Context;
use crate::cli::files::{input, outputs, per_point, row_names, suspicious};
use crate::cli::options::method::{MapOptions, MethodOptions};
use crate::cli::options::reading::ReadingOptions;
use crate::cli::options::values::{number, parts, whole};
use crate::cli::settings::{Common, OwnSettings, has_radius, methods, names, unused_flag};
use crate::cli::standard_output::print;
use crate::cli::words::{command, typed};
use crate::methods::has;
use crate::{measures, output};

/// Compares settings of k or of the perplexity without a truth: by the area under R_NX, by the error of
/// rows reconstructed from the map, and by the stability over draws of the rows; for t-SNE also by
/// pBIC and by the fraction of points whose place is nearly undetermined. The setting with the smallest
/// mean loss is preferred. Its map is compared with maps of data with permuted columns, which have no
/// structure.
#[derive(Args)]
#[group(skip)]
pub(in crate::cli) struct Choose {
    /// The points, one per row
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) input: PathBuf,
    /// Methods with a parameter k or perplexity
    #[arg(long, value_delimiter = ',', value_name = "A,B", default_value = "isomap,tsne,umap")]
    pub(in crate::cli) methods: Vec<String>,
    /// Neighborhood sizes to compare [default: 5,10,15,20,30, those below half of the points]
    #[arg(long, value_delimiter = ',', value_name = "K,…", value_parser = whole::<usize>)]
    pub(in crate::cli) k: Vec<usize>,
    /// Perplexities to compare [default: 5,15,30,50,100, those below a third of the points]
    #[arg(long, value_delimiter = ',', value_name = "P,…", value_parser = number)]
    pub(in crate::cli) perplexity: Vec<f64>,
    /// Draws of four fifths of the rows to which each setting is fitted, at least 2
    #[arg(long, value_name = "B", default_value_t = 5, value_parser = parts)]
    pub(in crate::cli) draws: usize,
    /// Set a parameter of one method; may be repeated
    #[arg(long, value_name = "METHOD.PARAM=VALUE")]
    pub(in crate::cli) set: Vec<String>,
    #[command(flatten)]
    pub(in crate::cli) map: MapOptions,
    /// Output file of a JSON report
    #[arg(long, value_name = "FILE.json")]
    pub(in crate::cli) report: Option<PathBuf>,
    /// Output file of the stability of every row at the preferred settings, .csv or .tsv
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) per_point: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) reading: ReadingOptions,
}

/// What `--report` writes.
#[derive(Serialize)]
struct Report<'a> {
    version: &'static str,
    command: String,
    n: usize,
    #[serde(rename = "D")]
    columns: usize,
    draws: usize,
    fraction: f64,
    methods: &'a [MethodChoice],
}

/// A method with the parameter and the values that are compared.
struct Candidates {
    method: Box<dyn DynMethod>,
    parameter: &'static str,
    values: Vec<String>,
}

pub(super) fn choose(options: &Choose, context: &Context) -> Result<ExitCode, Failure> {
    let Choose { input: path, report, per_point: per_row, .. } = options;
    let listed = per_row.iter().map(|path| ("--per-point", path));
    outputs::check([path], listed.chain(report.iter().map(|path| ("--report", path))))?;
    if let Some(path) = per_row {
        per_point::check("--per-point", path)?;
    }
    let chosen = chosen(options)?;
    let reading = options.reading.for_metric(Metric::Euclidean, None)?;
    let table = input::read_points(path, &[], &reading, context)?;
    input::note(&suspicious::notes(&table, Metric::Euclidean, suspicious::Use::Methods), path, context);
    let points = table.points.view();
    let n = points.len();
    let seed = options.map.seed.unwrap_or(0);
    let defaults = Stability::default();
    let stability =
        Stability { k: defaults.k.min(n.saturating_sub(1)), draws: options.draws, seed, ..defaults };
    let rows = measures::rows(measures::sampled(n));
    let comparison = Comparison {
        input: Input::from(points).with_memory_limit(context.memory).with_observer(&context.progress),
        stability,
        structure: Structure { seed, rows, ..Structure::default() },
        progress: &context.progress,
    };
    let mut choices = Vec::new();
    for method in chosen {
        let Candidates { method, parameter, values } = candidates(method, options, n)?;
        choices.push(comparison.of(method.as_ref(), parameter, &values)?);
    }
    context.progress.end();
    let mut files = WholeFiles::default();
    if let Some(path) = report {
        let report = Report {
            version: env!("CARGO_PKG_VERSION"),
            command: command(&typed()),
            n,
            columns: points.dim(),
            draws: stability.draws,
            fraction: stability.fraction,
            methods: &choices,
        };
        files.write(path, |file| file.write_all(output::json(&report).as_bytes()))?;
    }
    if let Some(path) = per_row {
        let columns: Vec<(String, Vec<Option<f64>>)> = choices
            .iter()
            .map(|choice| (format!("{}_stability", choice.method), stabilities(choice, n, context)))
            .collect();
        let columns: Vec<(&str, &[Option<f64>])> =
            columns.iter().map(|(name, values)| (name.as_str(), &values[..])).collect();
        let rows: Vec<u32> = (0..n as u32).collect();
        let names = row_names::asked_for(&options.reading, Some(&table));
        per_point::write(&mut files, path, (&rows, table.kept.as_deref(), names), &columns)?;
    }
    files.complete()?;
    print(&choices.iter().map(text).collect::<String>())?;
    Ok(ExitCode::SUCCESS)
}

/// The parameter of a method that is compared.
fn compared(method: &dyn DynMethod) -> Option<&'static str> {
    [PERPLEXITY, "k"].into_iter().find(|parameter| has(method, parameter))
}

/// Fails where values are given of a parameter that is compared for none of the methods.
fn check_values(options: &Choose, methods: &[Box<dyn DynMethod>]) -> Result<(), Failure> {
    let given = [("k", options.k.is_empty()), (PERPLEXITY, options.perplexity.is_empty())];
    for (parameter, _) in given.into_iter().filter(|(_, is_empty)| !is_empty) {
        let other = |method: &dyn DynMethod| {
            let compared = compared(method).filter(|compared| *compared != parameter)?;
            Some(format!("{compared} of {}", method.about().name))
        };
        let others: Vec<String> = methods.iter().filter_map(|method| other(method.as_ref())).collect();
        if others.len() == methods.len() {
            return Err(Failure::usage(format!(
                "--{parameter} is not used: compared are {}; leave --{parameter} out, or add a method with \
                 {parameter} to --methods",
                others.join(" and ")
            )));
        }
    }
    Ok(())
}

/// The methods with their settings. Fails for a method without a parameter to choose.
fn chosen(options: &Choose) -> Result<Vec<Box<dyn DynMethod>>, Failure> {
    let chosen = methods(&options.methods)?;
    let set = OwnSettings::read(&options.set, &names(&chosen))?;
    let common = Common::new(MethodOptions { k: None, map: options.map });
    let configured = |method: Box<dyn DynMethod>| {
        let name = method.about().name;
        if compared(method.as_ref()).is_none() {
            return Err(Failure::usage(format!(
                "{name} has neither k nor perplexity, so there is no setting to choose; `compare explain {name}` \
                 lists its parameters"
            )));
        }
        if let Some(setting) = set.of(name).find(|own| [PERPLEXITY, "k"].contains(&own.name.as_str())) {
            return Err(Failure::usage(format!(
                "--set {name}.{0}={1} sets the parameter that is compared; give its values by --{0}",
                setting.name, setting.value
            )));
        }
        if let Some(flag) = common.unused(method.as_ref()).find(|flag| *flag != "seed") {
            return Err(Failure::usage(unused_flag(name, flag)));
        }
        let configured = common.configured(method, set.of(name))?;
        if has_radius(configured.as_ref()) {
            return Err(Failure::usage(format!(
                "--set gives {name} a radius, but its k is compared; leave the radius out"
            )));
        }
        Ok(configured)
    };
    let configured = chosen.into_iter().map(configured).collect::<Result<Vec<_>, _>>()?;
    check_values(options, &configured)?;
    Ok(configured)
}

/// The values that are compared.
fn candidates(method: Box<dyn DynMethod>, options: &Choose, n: usize) -> Result<Candidates, Failure> {
    let (parameter, values): (&'static str, Vec<String>) = if compared(method.as_ref()) == Some(PERPLEXITY) {
        let usual = [5.0, 15.0, 30.0, 50.0, 100.0];
        let default = usual.into_iter().filter(|p| 3.0 * p < n as f64);
        let given = &options.perplexity;
        let values: Vec<f64> = if given.is_empty() { default.collect() } else { given.clone() };
        (PERPLEXITY, values.iter().map(f64::to_string).collect())
    } else {
        let default = [5, 10, 15, 20, 30].into_iter().filter(|k| 2 * k < n);
        let values: Vec<usize> = if options.k.is_empty() { default.collect() } else { options.k.clone() };
        ("k", values.iter().map(usize::to_string).collect())
    };
    if let Some(twice) = (1..values.len()).find(|at| values[..*at].contains(&values[*at])) {
        return Err(Failure::usage(format!("--{parameter} has {} twice", values[twice])));
    }
    if values.is_empty() {
        return Err(embedding::Error::TooFewPoints {
            what: "comparing settings",
            needed: if parameter == PERPLEXITY { 16 } else { 11 },
            got: n,
        }
        .into());
    }
    Ok(Candidates { method, parameter, values })
}

/// The stability of each of n rows at the preferred setting; unknown where there is none, which a note states.
fn stabilities(choice: &MethodChoice, n: usize, context: &Context) -> Vec<Option<f64>> {
    let preferred = choice.preferred.map(|at| &choice.settings[at].stabilities);
    match preferred.filter(|values| !values.is_empty()) {
        Some(values) => values.clone(),
        None => {
            let why =
                if preferred.is_some() { "a draw could not be fitted" } else { "no setting is preferred" };
            let name = choice.method;
            context
                .progress
                .line(format!("note: the column {name}_stability of --per-point is empty: {why}"));
            vec![None; n]
        }
    }
}

/// A table of the settings of one method, and the sentences.
fn text(choice: &MethodChoice) -> String {
    let shown = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"));
    let columns: Vec<_> = CRITERIA
        .iter()
        .filter(|c| choice.settings.iter().any(|setting| c.of(&setting.criteria).is_some()))
        .collect();
    let mut text = format!("{:<12}", choice.parameter);
    columns.iter().for_each(|column| text += &format!(" {:>14}", column.name));
    text += &format!(" {:>8}\n", "loss");
    for (at, setting) in choice.settings.iter().enumerate() {
        let mark = if choice.preferred == Some(at) { "*" } else { "" };
        text += &format!("{:<12}", format!("{}{mark}", setting.value));
        columns.iter().for_each(|c| text += &format!(" {:>14}", shown(c.of(&setting.criteria))));
        text += &format!(" {:>8}\n", shown(setting.loss));
    }
    choice.sentences.iter().for_each(|sentence| text += &format!("{sentence}\n"));
    format!("{}\n{text}\n", choice.method)
}
