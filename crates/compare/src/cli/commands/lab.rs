//! `compare lab`.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use clap::Args;
use datasets::{Dataset, Request};
use embedding::{Error, Metric};
use figure::number::count;

use crate::cli::context::Context;
use crate::cli::files::user_files::{self, FilesToRead};
use crate::cli::files::{input, outputs};
use crate::cli::options::method::{MapOptions, MethodOptions};
use crate::cli::options::reading::ReadingOptions;
use crate::cli::options::unrelated::Policy;
use crate::cli::options::user_files::UserFiles;
use crate::cli::options::values::whole;
use crate::cli::settings::methods;
use crate::lab::{Carried, InitialSettings, MOST_POINTS, generated, page};
use crate::output::write_text;
use crate::{Failure, dataset_names};

/// The page is one file that needs neither server nor network. It computes in the browser;
/// what it is given stays there.
#[derive(Args)]
#[group(skip)]
// Refused with the reason.
#[command(mut_arg("components", |arg| arg.hide(true)), mut_arg("asymmetric", |arg| arg.hide(true)))]
pub(in crate::cli) struct Lab {
    /// The data set shown first. Besides generated data the page has digits, mnist and this one;
    /// with --input, only your files [default: swiss-roll]
    #[arg(long, value_name = "NAME", conflicts_with = "input")]
    pub(in crate::cli) dataset: Option<String>,
    #[command(flatten)]
    pub(in crate::cli) files: UserFiles,
    /// Methods shown first, separated by commas, or `all` [default: ten]
    #[arg(long, value_delimiter = ',', value_name = "A,B")]
    pub(in crate::cli) methods: Vec<String>,
    /// Points shown first; of your own files, rows that the page contains [default: 1000; all rows of
    /// files, and 2000 are shown first]
    #[arg(long, value_name = "N", value_parser = whole::<usize>)]
    pub(in crate::cli) n: Option<usize>,
    #[command(flatten)]
    pub(in crate::cli) method_options: MethodOptions,
    /// Output file
    #[arg(long, value_name = "FILE.html", default_value = "lab.html")]
    pub(in crate::cli) out: PathBuf,
    /// Open the page in the browser
    #[arg(long)]
    pub(in crate::cli) open: bool,
    #[command(flatten)]
    pub(in crate::cli) reading: ReadingOptions,
}

/// The bundled data sets of every page without files, with their rows. The engine
/// generates the others itself.
const BUNDLED: [(&str, usize); 2] = [("digits", 1797), ("mnist", 1000)];

/// Rows of another bundled data set, and of a file that the page shows at first (`USUAL_ROWS` in
/// `web/page/src/engine/sources.ts`).
const MOST_ROWS: usize = 2000;

pub(super) fn lab(options: &Lab, context: &Context) -> Result<ExitCode, Failure> {
    let Lab { files, reading, n, out, .. } = options;
    let UserFiles { input, labels, images, .. } = files;
    if input.is_empty() && (reading.given() || files.describes_inputs()) {
        return Err(Failure::usage("options of reading files need --input FILE"));
    }
    outputs::check(input.iter().chain(labels).chain(images), [("--out", out)])?;
    if !out
        .extension()
        .is_some_and(|ending| ["html", "htm"].iter().any(|known| ending.eq_ignore_ascii_case(known)))
    {
        return Err(Failure::usage(format!("--out {}: the name must end in .html or .htm", out.display())));
    }
    if let Some(n) = n.filter(|&n| input.is_empty() && n > MOST_POINTS) {
        let (most, n) = (count(MOST_POINTS), count(n));
        return Err(Failure::usage(format!("--n {n}: a page takes at most {most} points")));
    }
    let start = start(options)?;
    let seed = options.method_options.map.seed.unwrap_or(0);
    let request = FilesToRead {
        files,
        reading,
        sample: n.map(|n| (n, seed)),
        metric: Metric::Euclidean,
        unrelated: Policy::Keep,
        // Of a sample the zeros of its rows suffice.
        zeros: n.is_none(),
    };
    let read = user_files::read(&request, context)?.into_iter();
    let own: Vec<Dataset> = read
        .map(|source| Ok(source.densified(true, context.memory, &context.progress)?.data))
        .collect::<Result<_, Error>>()?;
    if n.is_none() {
        for (path, data) in input.iter().zip(&own).filter(|(_, data)| data.points.len() <= MOST_POINTS) {
            input::note(sampled(data.points.len()).as_slice(), path, context);
        }
    }
    let names: Vec<String> = input.iter().map(|path| input::name(path)).collect();
    let bundled = if own.is_empty() { bundled(start.data.as_deref(), context)? } else { Vec::new() };
    let carried: Vec<Carried<'_>> = names
        .iter()
        .zip(&own)
        .map(|(file, data)| Carried { file: Some(file), data })
        .chain(bundled.iter().map(|data| Carried { file: None, data }))
        .collect();
    context.progress.begin("writing");
    write_text(out, &page(&start, &carried)?)?;
    context.progress.end();
    context.progress.line(format!("wrote {}", out.display()));
    if options.open {
        open(out, context);
    }
    Ok(ExitCode::SUCCESS)
}

/// That the page shows a part of the rows of a file at first, where there are many.
fn sampled(rows: usize) -> Option<String> {
    let (shown, rows) = (count(MOST_ROWS), (rows > MOST_ROWS).then(|| count(rows))?);
    Some(format!(
        "the page shows a sample of {shown} of its {rows} rows at first; --n, or n in the page, changes their number"
    ))
}

/// The bundled data sets of a page without files: the default ones, and the one that is
/// shown first.
fn bundled(first: Option<&str>, context: &Context) -> Result<Vec<Dataset>, Failure> {
    let also = first.filter(|first| BUNDLED.iter().all(|(name, _)| name != first));
    let also = also.map(dataset_names::find).transpose()?.filter(|info| !generated(info.name));
    let also = also.map(|info| (info.name, info.default_n.min(MOST_ROWS)));
    let load = |(name, n)| {
        context.progress.begin(name);
        let request = Request { n: Some(n), memory: context.memory, ..Request::default() };
        Ok(datasets::load(name, &request)?)
    };
    BUNDLED.iter().copied().chain(also).map(load).collect()
}

/// The initial settings of the page, with the same checks as for a run.
fn start(options: &Lab) -> Result<InitialSettings, Failure> {
    let MethodOptions { k, map: MapOptions { dim, seed, components } } = options.method_options;
    if components.is_some() {
        return Err(Failure::usage("the page has the component policy among the parameters of each method"));
    }
    let all = options.methods == ["all"];
    let chosen = if all { swissroll::methods().collect() } else { methods(&options.methods)? };
    let names: Vec<String> = chosen.iter().map(|method| method.about().name.to_owned()).collect();
    let data = options.dataset.as_deref().map(dataset_names::find).transpose()?;
    Ok(InitialSettings {
        data: data.map(|info| info.name.to_owned()),
        n: options.n,
        k,
        dim,
        seed,
        methods: Some(names).filter(|names| !names.is_empty()),
    })
}

/// Opens the page by the program that the system uses for pages. The page is written
/// whether or not this succeeds.
fn open(page: &Path, context: &Context) {
    let (program, before): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let started =
        Command::new(program).args(before).arg(page).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    if let Err(error) = started {
        context
            .progress
            .line(format!("note: {program} could not be started ({error}); open the page yourself"));
    }
}
