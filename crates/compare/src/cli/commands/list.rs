//! `compare list`.

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use embedding::DynMethod;

use crate::Failure;
use crate::cli::standard_output::print;
use crate::methods::fitted_to;

#[derive(Args)]
#[group(skip)]
pub(in crate::cli) struct List {
    /// What to list
    pub(in crate::cli) what: Kind,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(in crate::cli) enum Kind {
    Methods,
    Datasets,
    Measures,
}

pub(super) fn list(options: &List) -> Result<ExitCode, Failure> {
    print(&match options.what {
        Kind::Methods => methods(),
        Kind::Datasets => datasets(),
        Kind::Measures => measures(),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn methods() -> String {
    let each: Vec<String> = swissroll::methods().map(|method| describe(method.as_ref())).collect();
    format!(
        "{}\ncompare explain METHOD explains one of them, with its equations and what it reports.\n",
        each.join("\n")
    )
}

fn describe(method: &dyn DynMethod) -> String {
    let about = method.about();
    let mut text = format!("{}\n  {}\n", about.name, about.summary);
    text += &format!("  preserves   {}\n", about.preserves);
    text += &format!("  cost        {}\n", about.cost);
    text += &format!("  fitted to   {}\n", fitted_to(method));
    text += &format!("  new points  {}\n", about.new_points);
    for p in method.parameters() {
        let value = format!("{}={}", p.name, p.default);
        text += &format!("    {value:<24} {} ({})\n", p.about, p.legal);
    }
    text
}

fn datasets() -> String {
    let line = |info: &datasets::Info| {
        let largest = info.largest_n.map_or_else(|| "any".to_owned(), |n| format!("up to {n}"));
        let dimension = info.dimension.map_or_else(|| "unknown".to_owned(), |d| d.to_string());
        let failure = |info: &datasets::Info| {
            info.failure.map_or_else(String::new, |story| format!("  failure     {story}\n"))
        };
        format!(
            "{}\n  {}\n  shows       {}\n{}  points      {} by default, {largest}; D = {}, d = {dimension}\n  source      {} ({})\n",
            info.name,
            info.summary,
            info.shows,
            failure(info),
            info.default_n,
            info.ambient,
            info.source,
            info.license
        )
    };
    datasets::list().iter().map(line).collect::<Vec<_>>().join("\n")
}

fn measures() -> String {
    let line = |m: &quality::Measure| {
        format!("{}\n  {}\n  range       {}, {}\n", m.name, m.meaning, m.range, m.better)
    };
    quality::measures().iter().map(line).collect::<Vec<_>>().join("\n")
}
