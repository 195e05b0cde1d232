//! `compare digest`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use datasets::files::WholeFiles;
use datasets::{Dataset, Request};
use embedding::persist::checksum;
use embedding::{DynMethod, Error, Input, MemoryLimit};
use serde_json::{Map, Value, json};

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

/// The digests of the maps of one method, one per data set, or the error of the fit.
type Row = (&'static str, Vec<Result<u64, Error>>);

pub(super) fn digest(options: &Digest, context: &Context) -> Result<ExitCode, Failure> {
    outputs::check([], options.report.iter().map(|path| ("--report", path)))?;
    let all = options.methods.is_empty() || options.methods == ["all"];
    let chosen = if all { swissroll::methods().collect() } else { methods(&options.methods)? };
    let request = Request { n: Some(POINTS), ..Request::default() };
    let sets = DATASETS.map(|name| datasets::load(name, &request));
    let sets: Vec<Dataset> = sets.into_iter().collect::<Result<_, _>>()?;
    let mut rows: Vec<Row> =
        vec![("data", sets.iter().map(|set| Ok(of(set.points.view().values()))).collect())];
    for method in chosen {
        let name = method.about().name;
        context.progress.begin(name);
        let digests: Vec<_> =
            sets.iter().map(|set| of_map(method.as_ref(), set, &context.progress)).collect();
        if digests.contains(&Err(Error::Cancelled)) {
            return Err(Failure::Interrupted);
        }
        rows.push((name, digests));
    }
    context.progress.end();
    let whole = of_all(&rows);
    let mut files = WholeFiles::default();
    if let Some(path) = &options.report {
        let report = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "digest": hex(whole),
            "digests": by_name(&rows, |found| found.as_ref().ok().map(|digest| hex(*digest))),
            "errors": by_name(&rows, |found| found.as_ref().err().map(Error::to_string)),
        });
        files.write(path, |file| file.write_all(crate::output::json(&report).as_bytes()))?;
    }
    files.complete()?;
    print(&text(&rows, whole))?;
    Ok(ExitCode::SUCCESS)
}

/// A value of each method and data set; null where there is none.
fn by_name(rows: &[Row], value: fn(&Result<u64, Error>) -> Option<String>) -> Map<String, Value> {
    let of_row = |(name, digests): &Row| {
        let values =
            DATASETS.iter().zip(digests).map(|(set, found)| ((*set).to_owned(), json!(value(found))));
        ((*name).to_owned(), Value::Object(values.collect()))
    };
    rows.iter().map(of_row).collect()
}

/// The digest of the coordinates of a default map. The memory limit is the default of the library, which selects
/// algorithms on every machine alike.
fn of_map(method: &dyn DynMethod, set: &Dataset, progress: &Progress) -> Result<u64, Error> {
    let mut input =
        Input::from(&set.points).with_memory_limit(MemoryLimit::default()).with_observer(progress);
    if let Some(labels) = set.labels.first() {
        input = input.with_labels(&labels.values);
    }
    Ok(of(method.fit_dyn(&input)?.embedding().values()))
}

/// The digest of numbers: a checksum of all their bits.
fn of(values: &[f64]) -> u64 {
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    checksum(&[&bytes])
}

/// The digest of all digests with their names. An error differs from every digest, but its text does not count.
fn of_all(rows: &[Row]) -> u64 {
    let words = rows.iter().flat_map(|(name, digests)| {
        let found = digests.iter().flat_map(|found| match found {
            Ok(digest) => [&[1], &digest.to_le_bytes()[..]].concat(),
            Err(_) => vec![0],
        });
        name.bytes().chain(found).collect::<Vec<_>>()
    });
    checksum(&[&words.collect::<Vec<_>>()])
}

fn hex(digest: u64) -> String {
    format!("{digest:016x}")
}

/// A line per method, the errors of fits, and the digest of all.
fn text(rows: &[Row], whole: u64) -> String {
    let mut text = format!("{:<20} {:>16} {:>16}\n", "", DATASETS[0], DATASETS[1]);
    let mut errors = String::new();
    for (name, digests) in rows {
        let shown =
            digests.iter().map(|found| found.as_ref().map_or("error".to_owned(), |digest| hex(*digest)));
        let cells: Vec<String> = shown.map(|cell| format!("{cell:>16}")).collect();
        text += &format!("{name:<20} {}\n", cells.join(" "));
        for (set, found) in DATASETS.iter().zip(digests) {
            errors.extend(found.as_ref().err().map(|error| format!("\n{name} of {set}: {error}")));
        }
    }
    if !errors.is_empty() {
        errors += "\n";
    }
    text + &errors + &format!("\nswissroll {} {}\n", env!("CARGO_PKG_VERSION"), hex(whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_no_digest_of_zero() {
        let of = |found| of_all(&[("pca", vec![found])]);
        let refused = of(Err(Error::Cancelled));
        assert_ne!(refused, of(Ok(0)));
        assert_eq!(refused, of(Err(Error::degenerate("no spread", "use other data"))));
    }
}
