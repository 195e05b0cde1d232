//! `compare explain`.

use std::process::ExitCode;

use clap::Args;
use embedding::DynMethod;
use embedding::implement::{Part, Section};
use quality::Measure;

use crate::Failure;
use crate::cli::standard_output::print;
use crate::methods::fitted_to;
use crate::suggestion::resolve;

/// Explains one method or measure.
#[derive(Args)]
#[group(skip)]
pub(in crate::cli) struct Explain {
    /// The method or measure [default: a list of all]
    pub(in crate::cli) name: Option<String>,
}

/// Characters in a line.
const WIDTH: usize = 88;

pub(super) fn explain(options: &Explain) -> Result<ExitCode, Failure> {
    print(&match &options.name {
        Some(name) => one(name)?,
        None => all(),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// One line per method and measure.
fn all() -> String {
    let methods: Vec<_> = swissroll::methods().map(|method| *method.about()).collect();
    let methods: Vec<_> = methods.iter().map(|about| (about.name, about.summary)).collect();
    let measures: Vec<_> =
        quality::measures().iter().map(|measure| (measure.name, measure.meaning)).collect();
    format!(
        "Methods\n{}\nMeasures\n{}\ncompare explain NAME explains one of them.\n",
        pairs(&methods),
        pairs(&measures)
    )
}

fn one(name: &str) -> Result<String, Failure> {
    let methods = swissroll::methods().map(|method| method.about().name);
    let known = methods.chain(quality::measures().iter().map(|measure| measure.name));
    let meant = resolve("method or measure", name, known)?;
    Ok(match quality::measure(meant) {
        Some(measure) => of_measure(measure),
        None => of_method(swissroll::method(meant).expect("the name is one of the list").as_ref()),
    })
}

fn of_method(method: &dyn DynMethod) -> String {
    let about = method.about();
    let mut text = format!("{} ({})\n{}\n", about.title, about.name, about.summary);
    for each in about.explanation.sections() {
        if each.title == "When it fails" {
            text += &properties(method);
            text += &parameters(method);
        }
        text += &section(each);
    }
    text + &facts(method)
}

fn of_measure(measure: &Measure) -> String {
    let sections = measure.explanation.sections();
    format!(
        "{}\n{}\n{}, {}\n{}",
        measure.name,
        measure.meaning,
        measure.range,
        measure.better,
        sections.into_iter().map(section).collect::<String>()
    )
}

fn section(section: Section) -> String {
    let mut text = format!("\n{}\n", section.title);
    for part in section.parts {
        match part {
            Part::Text(paragraph) => text += &wrapped(&paragraph, "  ", "  "),
            Part::Equations(lines) => {
                text += &lines.iter().map(|line| format!("      {line}\n")).collect::<String>();
            }
            Part::Steps(steps) => {
                for (i, step) in steps.iter().enumerate() {
                    text += &wrapped(step, &format!("  {}. ", i + 1), "     ");
                }
            }
        }
    }
    text
}

/// How places of a map are decoded, by the library for any method.
const BACK: &str = "compare invert: barycentric weights or kernel ridge regression between the map and its data; of a \
                    linear map its pseudo-inverse";

fn properties(method: &dyn DynMethod) -> String {
    let about = method.about();
    let rows = [
        ("preserves", about.preserves.to_owned()),
        ("cost", about.cost.to_owned()),
        ("new points", about.new_points.to_owned()),
        ("back to data", BACK.to_owned()),
        ("fitted to", fitted_to(method)),
    ];
    let row = |(name, value): (&str, String)| wrapped(&value, &format!("  {name:<13} "), &" ".repeat(16));
    format!("\nProperties\n{}", rows.into_iter().map(row).collect::<String>())
}

/// Name, default, meaning and legal values of each parameter.
fn parameters(method: &dyn DynMethod) -> String {
    let rows: Vec<(String, String)> = (method.parameters().into_iter())
        .map(|info| (format!("{}={}", info.name, info.default), format!("{} ({})", info.about, info.legal)))
        .collect();
    format!("\nParameters, with defaults (--set NAME=VALUE)\n{}", pairs(&rows))
}

/// What the method reports of a fit.
fn facts(method: &dyn DynMethod) -> String {
    let facts: Vec<_> = method.facts().into_iter().map(|fact| (fact.name, fact.meaning)).collect();
    if facts.is_empty() {
        return String::new();
    }
    format!("\nFacts of a fit, in the JSON of --report and in results.json\n{}", pairs(&facts))
}

/// Names and their meanings in two columns.
fn pairs<A: AsRef<str>, B: AsRef<str>>(rows: &[(A, B)]) -> String {
    let widest = rows.iter().map(|(name, _)| name.as_ref().chars().count()).max().unwrap_or(0);
    let row = |(name, meaning): &(A, B)| {
        let name = name.as_ref();
        wrapped(meaning.as_ref(), &format!("  {name:<widest$}  "), &" ".repeat(widest + 4))
    };
    rows.iter().map(row).collect()
}

/// A paragraph in lines of at most `WIDTH` characters, except where one word is longer.
fn wrapped(paragraph: &str, first: &str, others: &str) -> String {
    let mut lines = String::new();
    let mut line = first.to_owned();
    let mut empty = true;
    for word in paragraph.split_whitespace() {
        if !empty && line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines += &format!("{}\n", line.trim_end());
            line = others.to_owned();
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line += word;
        empty = false;
    }
    lines + line.trim_end() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        let words = ["four"; 40].join(" ");
        let text = wrapped(&words, "  1. ", "     ");
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() == 3 && lines.iter().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(lines[0].starts_with("  1. four four") && lines[1].starts_with("     four"));
        assert_eq!(text.split_whitespace().filter(|word| *word == "four").count(), 40);
        let long = "x".repeat(200);
        assert_eq!(wrapped(&long, "  ", "  "), format!("  {long}\n"));
    }

    #[test]
    fn every_method_is_explained_with_all_of_its_parameters() {
        for method in swissroll::methods() {
            let text = of_method(method.as_ref());
            for title in ["Idea", "Definition", "Steps", "Parameters", "When it fails", "Reference"] {
                assert!(text.contains(&format!("\n{title}")), "{title}: {text}");
            }
            for info in method.parameters() {
                assert!(text.contains(&format!("  {}={}", info.name, info.default)), "{text}");
            }
            for fact in method.facts() {
                assert!(text.contains(&format!("\n  {} ", fact.name)), "{text}");
            }
        }
        let all = all();
        assert!(
            swissroll::methods().all(|method| all.contains(&format!("  {} ", method.about().name))),
            "{all}"
        );
    }

    #[test]
    fn every_measure_is_explained() {
        for measure in quality::measures() {
            let text = one(measure.name).expect("a known name");
            for title in ["Idea", "Definition", "When it misleads", "Reference"] {
                assert!(text.contains(&format!("\n{title}\n")), "{title}: {text}");
            }
            assert!(
                text.contains(measure.meaning) && all().contains(&format!("  {} ", measure.name)),
                "{text}"
            );
        }
        // Methods do not have this section, and measures do not have one for parameters.
        assert!(!one("isomap").expect("a known name").contains("When it misleads"));
        assert!(!one("Silhouette").expect("a known name").contains("Parameters"));
    }
}
