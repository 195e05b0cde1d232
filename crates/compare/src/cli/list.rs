//! `compare list`.

use std::process::ExitCode;

use super::arguments::{Kind, List};
use super::print;
use crate::Failure;
use crate::methods::{FACTS, LIST, Method};

pub(super) fn list(arguments: &List) -> Result<ExitCode, Failure> {
    print(&match arguments.what {
        Kind::Methods => methods(),
        Kind::Datasets => datasets(),
        Kind::Measures => measures(),
    });
    Ok(ExitCode::SUCCESS)
}

fn methods() -> String {
    let each: Vec<String> = LIST.iter().map(|method| describe(*method)).collect();
    format!("{}\nFacts in the JSON of a method:\n{}", each.join("\n"), pairs(FACTS))
}

fn describe(method: &dyn Method) -> String {
    let places = method.places_new_points().unwrap_or("no");
    let mut text = format!("{}\n  {}\n", method.name(), method.summary());
    text += &format!("  preserves   {}\n", method.preserves());
    text += &format!("  cost        {}\n", method.cost());
    text += &format!("  new points  {places}\n");
    if method.supervised() {
        text += "  supervised  needs labels\n";
    }
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
        format!(
            "{}\n  {}\n  shows       {}\n  points      {} by default, {largest}; D = {}, d = {dimension}\n  source      {} ({})\n",
            info.name, info.summary, info.shows, info.default_n, info.ambient, info.source, info.license
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

fn pairs(pairs: &[(&str, &str)]) -> String {
    let width = pairs.iter().map(|pair| pair.0.len()).max().unwrap_or(0);
    pairs.iter().map(|(name, meaning)| format!("  {name:<width$}  {meaning}\n")).collect()
}
