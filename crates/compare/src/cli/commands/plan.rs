//! `compare plan`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use datasets::Labels;
use datasets::files::WholeFiles;
use embedding::{DynMethod, Error, Rows};
use figure::number::{bytes, count, duration};
use serde_json::{Value, json};

use crate::applicability::inapplicable;
use crate::cli::context::Context;
use crate::cli::files::user_files::{self, FilesToRead};
use crate::cli::files::{input, outputs};
use crate::cli::options::labels::UnknownLabel;
use crate::cli::options::method::MethodOptions;
use crate::cli::options::metric::MetricOption;
use crate::cli::options::reading::ReadingOptions;
use crate::cli::options::unrelated::Policy;
use crate::cli::options::user_files::UserFiles;
use crate::cli::options::values::{file, number, whole};
use crate::cli::settings::{Common, OwnSettings, methods, names};
use crate::cli::standard_output::print;
use crate::cost::{Calibration, Forecast};
use crate::dataset_source::DatasetSource;
use crate::measures::EvaluationData;
use crate::{Failure, memory};

#[derive(Args)]
#[group(skip)]
pub(in crate::cli) struct Plan {
    /// The points, one per row
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) input: PathBuf,
    /// Class labels, one per point, for supervised methods
    #[arg(long, value_name = "FILE", value_parser = file())]
    pub(in crate::cli) labels: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) unknown: UnknownLabel,
    /// Methods, separated by commas, or `all`
    #[arg(long, value_delimiter = ',', value_name = "A,B", required = true)]
    pub(in crate::cli) methods: Vec<String>,
    /// Number of points of the fits, which may exceed the rows of the file [default: all rows]
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    pub(in crate::cli) n: Option<usize>,
    /// Time for the small fits of each method, in seconds; more time makes the estimates better
    #[arg(long, value_name = "SECONDS", value_parser = number, default_value_t = 10.0)]
    pub(in crate::cli) seconds: f64,
    #[command(flatten)]
    pub(in crate::cli) method_options: MethodOptions,
    /// Set a parameter of one method; may be repeated
    #[arg(long, value_name = "METHOD.PARAM=VALUE")]
    pub(in crate::cli) set: Vec<String>,
    #[command(flatten)]
    pub(in crate::cli) distance: MetricOption,
    /// Output file of a JSON report
    #[arg(long, value_name = "FILE.json")]
    pub(in crate::cli) report: Option<PathBuf>,
    #[command(flatten)]
    pub(in crate::cli) reading: ReadingOptions,
}

pub(super) fn plan(options: &Plan, context: &Context) -> Result<ExitCode, Failure> {
    let read = [&options.input].into_iter().chain(&options.labels);
    outputs::check(read, options.report.iter().map(|path| ("--report", path)))?;
    let all = options.methods == ["all"];
    let chosen = configured(options, all)?;
    let zeros = !all && chosen.iter().any(|(method, _)| !method.accepts_sparse());
    let source = source(options, zeros, context)?;
    let rows = source.points().len();
    let n = options.n.unwrap_or(rows);
    let calibration = Calibration {
        source: &source,
        metric: options.distance.metric,
        memory: context.memory,
        n,
        seconds: options.seconds,
        seed: options.method_options.map.seed.unwrap_or(0),
        progress: &context.progress,
    };
    for (method, dim_chosen) in &chosen {
        context.progress.begin(format!("{}: a first fit", method.about().name));
        calibration.warm_up(method.as_ref(), *dim_chosen);
    }
    let held = memory::resident().map(|bytes| bytes + bytes_of_further(&source, n.saturating_sub(rows)));
    let mut forecasts = Vec::with_capacity(chosen.len());
    for (method, dim_chosen) in &chosen {
        let name = method.about().name;
        context.progress.begin(name);
        let classes = source.data.labels.first().map(Labels::known);
        let known = EvaluationData::of(&source, options.distance.metric, classes.as_deref());
        let forecast = match inapplicable(method.as_ref(), *dim_chosen, known) {
            Some(reason) => Err(reason),
            None => match calibration.forecast(method.as_ref(), *dim_chosen) {
                Err(Error::Cancelled) => return Err(Failure::Interrupted),
                found => found.map_err(|error| error.to_string()),
            },
        };
        forecasts.push((name, forecast));
    }
    context.progress.end();
    let mut files = WholeFiles::default();
    if let Some(path) = &options.report {
        let report = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "rows": rows,
            "columns": source.columns(),
            "n": n,
            "threads": rayon::current_num_threads(),
            "methods": forecasts.iter().map(|found| report(found, held)).collect::<Result<Vec<_>, _>>()?,
        });
        files.write(path, |file| file.write_all(crate::output::json(&report).as_bytes()))?;
    }
    files.complete()?;
    print(&text(options, (&source, n), (&forecasts, held), context))?;
    Ok(ExitCode::SUCCESS)
}

/// A method with its settings, and whether these give the target dimension.
type Configured = (Box<dyn DynMethod>, bool);

/// The requested methods.
fn configured(options: &Plan, all: bool) -> Result<Vec<Configured>, Failure> {
    let chosen: Vec<Box<dyn DynMethod>> =
        if all { swissroll::methods().collect() } else { methods(&options.methods)? };
    let set = OwnSettings::read(&options.set, &names(&chosen))?;
    let common = Common::new(options.method_options);
    let with_settings = |method: Box<dyn DynMethod>| {
        let name = method.about().name;
        let dim_chosen =
            options.method_options.map.dim.is_some() || set.of(name).any(|setting| setting.name == "dim");
        Ok((common.configured(method, set.of(name))?, dim_chosen))
    };
    chosen.into_iter().map(with_settings).collect()
}

/// The data of the file.
fn source(options: &Plan, zeros: bool, context: &Context) -> Result<DatasetSource, Failure> {
    let Plan { input, labels, unknown, reading, distance, .. } = options;
    let files = UserFiles {
        input: vec![input.clone()],
        labels: labels.iter().cloned().collect(),
        images: Vec::new(),
        unknown: unknown.clone(),
    };
    let request = FilesToRead {
        files: &files,
        reading,
        sample: None,
        metric: distance.metric,
        unrelated: Policy::Keep,
        zeros,
    };
    let read = user_files::read(&request, context)?.pop();
    let source = read.ok_or_else(|| Failure::usage("--input names no file"))?;
    Ok(source.densified(zeros, context.memory, &context.progress)?)
}

/// The memory of points that the file does not have.
fn bytes_of_further(source: &DatasetSource, points: usize) -> u64 {
    let rows = source.points();
    let row = match rows {
        Rows::Dense(points) => 8 * points.dim() as u64,
        Rows::Sparse(points) => (12 * points.entries() as u64).div_ceil(points.len().max(1) as u64),
    };
    points as u64 * row
}

/// A method, and the expected cost of a fit or the reason why there is none.
type Found = (&'static str, Result<Forecast, String>);

/// The entry of a method in the report. `held` is the memory of program and points.
fn report((name, found): &Found, held: Option<u64>) -> Result<Value, Error> {
    let forecast = match found {
        Err(reason) => return Ok(json!({ "method": name, "reason": reason })),
        Ok(forecast) => forecast,
    };
    let mut entry = serde_json::to_value(forecast).map_err(|error| Error::file("the report", error))?;
    if let (Some(fields), Some(held)) = (entry.as_object_mut(), held) {
        fields.insert("peak_memory_bytes".to_owned(), json!(held + forecast.fit_memory_bytes));
    }
    Ok(entry)
}

/// A heading, and a line per method.
fn text(
    options: &Plan,
    (source, n): (&DatasetSource, usize),
    (forecasts, held): (&[Found], Option<u64>),
    context: &Context,
) -> String {
    let mut text = format!(
        "Expected cost of fits to {}: {} points, {} columns, threads: {}\n\n{:<20} {:>12} {:>10}  {}\n",
        input::name(&options.input),
        count(n),
        source.columns(),
        rayon::current_num_threads(),
        "method",
        "time",
        "memory",
        "from"
    );
    for (name, found) in forecasts {
        text += &match found {
            Err(reason) => format!("{name:<20} {reason}\n"),
            Ok(forecast) => line(forecast, held, context),
        };
    }
    text + "\nTime is the time of the fit alone. " + meaning_of_memory(held)
}

/// What the column `memory` shows.
fn meaning_of_memory(held: Option<u64>) -> &'static str {
    match held {
        Some(_) => "Memory is the peak of the process of `embed`, with program and points.\n",
        None => {
            "Memory is what the fit allocates at its peak, without program and points: this system does not report the \
             memory of a process.\n"
        }
    }
}

fn line(forecast: &Forecast, held: Option<u64>, context: &Context) -> String {
    let Forecast { method, n, seconds, fit_memory_bytes, measured, bridged, calibration, .. } = forecast;
    let sizes: Vec<String> = calibration.iter().map(|sample| count(sample.n)).collect();
    let from = if *measured {
        "measured: a fit of all points".to_owned()
    } else {
        let largest = calibration.last().map_or(1, |sample| sample.n);
        format!("fits of {} points, ×{:.0}", sizes.join(", "), *n as f64 / largest as f64)
    };
    let bridges = if *bridged { "; samples joined by bridges" } else { "" };
    let over = if *fit_memory_bytes > context.memory.bytes {
        format!("; exceeds the memory limit of {}", bytes(context.memory.bytes))
    } else {
        String::new()
    };
    format!(
        "{method:<20} {:>12} {:>10}  {from}{bridges}{over}\n",
        duration(*seconds),
        bytes(held.unwrap_or(0) + fit_memory_bytes)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_without_the_process_is_explained() {
        assert!(meaning_of_memory(Some(1)).contains("with program and points"));
        assert!(meaning_of_memory(None).contains("without program and points"));
    }
}
