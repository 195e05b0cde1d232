//! `compare explain`.

use std::process::ExitCode;

use embedding::{DynMethod, Part};

use super::arguments::Explain;
use super::print;
use crate::Failure;
use crate::methods::find;

/// Characters in a line.
const WIDTH: usize = 88;

pub(super) fn explain(arguments: &Explain) -> Result<ExitCode, Failure> {
    print(&match &arguments.method {
        Some(name) => text(find(name)?.as_ref()),
        None => all(),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// One line per method.
fn all() -> String {
    let widest = swissroll::methods().map(|method| method.about().name.len()).max().unwrap_or(0);
    let line = |method: Box<dyn DynMethod>| {
        let about = method.about();
        format!("{:<widest$}  {}\n", about.name, about.summary)
    };
    swissroll::methods().map(line).collect::<String>() + "\ncompare explain METHOD explains one of them.\n"
}

fn text(method: &dyn DynMethod) -> String {
    let about = method.about();
    let mut text = format!("{} ({})\n{}\n", about.title, about.name, about.summary);
    for section in about.explanation.sections() {
        if section.title == "When it fails" {
            text += &properties(method);
            text += &parameters(method);
        }
        text += &format!("\n{}\n", section.title);
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
    }
    text
}

/// How places of a map are decoded, by the library for any method.
const BACK: &str = "compare invert: barycentric weights or kernel ridge regression between the map and its data; of a \
                    linear map its pseudo-inverse";

fn properties(method: &dyn DynMethod) -> String {
    let about = method.about();
    let given: Vec<String> = about.accepts.iter().map(ToString::to_string).collect();
    let labels = if about.needs_labels { "; needs labels" } else { "" };
    let rows = [
        ("preserves", about.preserves.to_owned()),
        ("cost", about.cost.to_owned()),
        ("new points", about.new_points.to_owned()),
        ("back to data", BACK.to_owned()),
        ("fitted to", given.join(", ") + labels),
    ];
    let row = |(name, value): (&str, String)| wrapped(&value, &format!("  {name:<13} "), &" ".repeat(16));
    format!("\nProperties\n{}", rows.into_iter().map(row).collect::<String>())
}

/// Name, default, meaning and legal values of each parameter.
fn parameters(method: &dyn DynMethod) -> String {
    let rows: Vec<(String, String)> = (method.parameters().into_iter())
        .map(|info| (format!("{}={}", info.name, info.default), format!("{} ({})", info.about, info.legal)))
        .collect();
    let widest = rows.iter().map(|row| row.0.chars().count()).max().unwrap_or(0);
    let row = |(name, meaning): &(String, String)| {
        wrapped(meaning, &format!("  {name:<widest$}  "), &" ".repeat(widest + 4))
    };
    format!("\nParameters, with defaults (--set NAME=VALUE)\n{}", rows.iter().map(row).collect::<String>())
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
            let text = text(method.as_ref());
            for title in ["Idea", "Definition", "Steps", "Parameters", "When it fails", "Reference"] {
                assert!(text.contains(&format!("\n{title}")), "{title}: {text}");
            }
            for info in method.parameters() {
                assert!(text.contains(&format!("  {}={}", info.name, info.default)), "{text}");
            }
        }
        assert_eq!(all().lines().count(), swissroll::methods().len() + 2);
    }
}
