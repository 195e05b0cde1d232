//! `compare digest`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use datasets::files::WholeFiles;
use datasets::{Dataset, Request};
use embedding::persist::checksum;
use embedding::{DynMethod, Error, Input, MemoryLimit};
use serde_json::{Map, json};

use crate::Failure;
use crate::cli::context::Context;
use crate::cli::files::outputs;
use crate::cli::settings::methods;
use crate::cli::standard_output::print;
use crate::progress::Progress;

/// The data sets of the standard run. Neither is computed with functions whose last digit differs between
/// systems, such as sines: the digits are integers, and the cube is drawn uniformly.
const DATASETS: [&str; 2] = ["digits", "hypercube"];

/// The number of points of each.
const POINTS: usize = 300;

#[derive(Args)]
#[group(skip)]
pub(in crate::cli) struct Digest {
    /// Methods, separated by commas, or `all` [default: all]
    #[arg(long, value_delimiter = ',', value_name = "A,B")]
    pub(in crate::cli) methods: Vec<String>,
    /// Output file of a JSON report
    #[arg(long, value_name = "FILE.json")]
    pub(in crate::cli) report: Option<PathBuf>,
}

/// The digests of the maps of one method, one per data set; `None` where it refuses the data.
type Row = (&'static str, Vec<Option<u64>>);

pub(super) fn digest(options: &Digest, context: &Context) -> Result<ExitCode, Failure> {
    outputs::check([], options.report.iter().map(|path| ("--report", path)))?;
    let all = options.methods.is_empty() || options.methods == ["all"];
    let chosen = if all { swissroll::methods().collect() } else { methods(&options.methods)? };
    let request = Request { n: Some(POINTS), ..Request::default() };
    let sets = DATASETS.map(|name| datasets::load(name, &request));
    let sets: Vec<Dataset> = sets.into_iter().collect::<Result<_, _>>()?;
    let mut rows: Vec<Row> =
        vec![("data", sets.iter().map(|set| Some(of(set.points.view().values()))).collect())];
    for method in chosen {
        let name = method.about().name;
        context.progress.begin(name);
        let digests = sets.iter().map(|set| of_map(method.as_ref(), set, &context.progress));
        rows.push((name, digests.collect::<Result<_, _>>()?));
    }
    context.progress.end();
    let whole = of_all(&rows);
    let mut files = WholeFiles::default();
    if let Some(path) = &options.report {
        let digests = rows.iter().map(|(name, digests)| {
            let shown =
                DATASETS.iter().zip(digests).map(|(set, digest)| ((*set).to_owned(), json!(digest.map(hex))));
            ((*name).to_owned(), shown.collect::<Map<_, _>>().into())
        });
        let report = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "digest": hex(whole),
            "digests": digests.collect::<Map<_, _>>(),
        });
        files.write(path, |file| file.write_all(crate::output::json(&report).as_bytes()))?;
    }
    files.complete()?;
    print(&text(&rows, whole))?;
    Ok(ExitCode::SUCCESS)
}

/// The digest of the coordinates of a default map; `None` where the method refuses the data. The memory limit
/// is the default of the library, which selects algorithms on every machine alike.
fn of_map(method: &dyn DynMethod, set: &Dataset, progress: &Progress) -> Result<Option<u64>, Error> {
    let mut input =
        Input::from(&set.points).with_memory_limit(MemoryLimit::default()).with_observer(progress);
    if let Some(labels) = set.labels.first() {
        input = input.with_labels(&labels.values);
    }
    match method.fit_dyn(&input) {
        Ok(fitted) => Ok(Some(of(fitted.embedding().values()))),
        Err(Error::Cancelled) => Err(Error::Cancelled),
        Err(_) => Ok(None),
    }
}

/// The digest of numbers: a checksum of all their bits.
fn of(values: &[f64]) -> u64 {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    checksum(&[&bytes])
}

/// The digest of all digests with their names.
fn of_all(rows: &[Row]) -> u64 {
    let words = rows.iter().flat_map(|(name, digests)| {
        let numbers = digests.iter().flat_map(|digest| digest.unwrap_or(0).to_le_bytes());
        name.bytes().chain(numbers).collect::<Vec<_>>()
    });
    checksum(&[&words.collect::<Vec<_>>()])
}

fn hex(digest: u64) -> String {
    format!("{digest:016x}")
}

/// A line per method, and the digest of all.
fn text(rows: &[Row], whole: u64) -> String {
    let mut text = format!("{:<20} {:>16} {:>16}\n", "", DATASETS[0], DATASETS[1]);
    for (name, digests) in rows {
        let shown = digests.iter().map(|digest| digest.map_or("refused".to_owned(), hex));
        let cells: Vec<String> = shown.map(|cell| format!("{cell:>16}")).collect();
        text += &format!("{name:<20} {}\n", cells.join(" "));
    }
    text + &format!("\nswissroll {} {}\n", env!("CARGO_PKG_VERSION"), hex(whole))
}
