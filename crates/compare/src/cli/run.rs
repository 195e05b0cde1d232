//! `compare run`.

use std::path::Path;
use std::process::ExitCode;

use datasets::{Info, Request};
use embedding::{Data, DynMethod};

use super::arguments::{Flags, Run};
use super::settings::{Common, input_settings, of_method};
use super::{Context, print, table};
use crate::Failure;
use crate::methods::find;
use crate::output::{self, Folder};
use crate::results::{Outcome, Results};
use crate::run::{Plan, Planned, run as run_plan};
use crate::suggestion::unknown;

/// The default data sets, with sizes at which all methods together take less than a
/// minute on two cores.
const DEFAULT: &[(&str, usize)] =
    &[("swiss-roll", 1000), ("s-curve", 1000), ("digits", 1797), ("mnist", 2000)];

/// Default neighborhood size.
pub(super) const K: usize = 10;

pub(super) fn run(arguments: &Run, context: &Context) -> Result<ExitCode, Failure> {
    let plan = plan(arguments, context)?;
    let folder = Folder::prepare(arguments.out.as_deref().unwrap_or(Path::new("out")))?;
    let results = run_plan(&plan, &context.progress)?;
    finish(&results, folder, context)
}

/// Writes and prints the results; failed methods are reflected in the exit status.
pub(super) fn finish(results: &Results, folder: Folder, context: &Context) -> Result<ExitCode, Failure> {
    context.progress.begin("writing");
    output::write(results, folder.path())?;
    context.progress.end();
    folder.complete()?;
    print(&table::of(results));
    let failed = |outcome: &Outcome| matches!(outcome, Outcome::Failed { .. });
    let any = results.datasets.iter().any(|set| set.methods.iter().any(|row| failed(&row.outcome)));
    Ok(ExitCode::from(u8::from(any)))
}

fn plan(arguments: &Run, context: &Context) -> Result<Plan, Failure> {
    let Flags { k, dim, seed } = arguments.flags;
    let seed = seed.unwrap_or(0);
    let request = |n| Request { n: arguments.n.or(n), seed, memory: context.memory, ..Request::default() };
    let datasets = if arguments.datasets.is_empty() {
        let known = DEFAULT.iter().filter_map(|(name, n)| Some((info(name).ok()?, request(Some(*n)))));
        known.collect()
    } else if arguments.datasets == ["all"] {
        // With `all`, smaller data sets are used whole.
        let all = |info: &'static Info| {
            let wanted = request(None);
            let n = wanted.n.map(|n| info.largest_n.map_or(n, |most| n.min(most)));
            (info, Request { n, ..wanted })
        };
        datasets::list().iter().map(all).collect()
    } else {
        let named = arguments.datasets.iter().map(|name| Ok((info(name)?, request(None))));
        named.collect::<Result<Vec<_>, Failure>>()?
    };
    let all = arguments.methods.is_empty() || arguments.methods == ["all"];
    let chosen: Vec<Box<dyn DynMethod>> = if all {
        swissroll::methods().collect()
    } else {
        arguments.methods.iter().map(|name| find(name)).collect::<Result<_, _>>()?
    };
    let own = arguments.set.iter().map(|text| of_method(text)).collect::<Result<Vec<_>, _>>()?;
    if let Some((method, _)) =
        own.iter().find(|(method, _)| !chosen.iter().any(|c| c.about().name == *method))
    {
        return Err(Failure::usage(format!(
            "--set names {method}, which is not among the methods of this run"
        )));
    }
    let common = Common::new(Flags { k, dim, seed: Some(seed) });
    let planned = |method: Box<dyn DynMethod>| {
        let name = method.about().name;
        // Of methods that were asked for by name; the data has a seed, if the
        // method has none.
        let unused = common.unused(method.as_ref()).filter(|flag| !all && *flag != "seed");
        let notes = unused.map(|flag| unused_flag(name, flag)).collect();
        let settings = own.iter().filter(|(of, _)| *of == name).map(|(_, setting)| setting.clone());
        let (settings, input) = input_settings(settings.collect(), context.memory)?;
        if input.given != Data::Points {
            return Err(Failure::usage(format!(
                "{name}: data sets are points; give {} to `compare embed`",
                input.given
            )));
        }
        let method = common.configured(method, settings.into_iter())?;
        Ok::<_, Failure>(Planned { method, memory: input.memory, notes })
    };
    Ok(Plan {
        datasets,
        methods: chosen.into_iter().map(planned).collect::<Result<_, _>>()?,
        skip_inapplicable: all,
        k: k.unwrap_or(K),
        cut_shortcuts: arguments.cut_shortcuts,
        seed,
        command: command(),
    })
}

fn unused_flag(method: &str, name: &str) -> String {
    let rest = if name == "k" { "counts for the measures only" } else { "is not used" };
    format!("{method} has no parameter {name}; --{name} {rest}")
}

/// Returns the data set of the given name; an unknown name is a usage error.
pub(super) fn info(name: &str) -> Result<&'static Info, Failure> {
    let list = datasets::list();
    list.iter()
        .find(|info| info.name == name)
        .ok_or_else(|| unknown("data set", name, list.iter().map(|info| info.name)))
}

/// Returns the command line, quoted for a shell.
pub(super) fn command() -> String {
    let quoted = |word: String| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_=.,/:".contains(c);
        if !word.is_empty() && word.chars().all(plain) { word } else { format!("'{word}'") }
    };
    std::iter::once("compare".to_owned())
        .chain(std::env::args().skip(1).map(quoted))
        .collect::<Vec<_>>()
        .join(" ")
}
