//! Messages for a command line that cannot be parsed.

use std::path::Path;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use embedding::DynMethod;
use figure::controls::escaped;

/// The same error with the probable meaning of an unknown argument, where the command line shows more
/// about it than a similar name.
pub(super) fn with_tip(mut error: clap::Error, words: &[String], mut syntax: clap::Command) -> clap::Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else { return error };
    syntax.build();
    let given = words.iter().find(|word| syntax.find_subcommand(word).is_some());
    let command = given.map_or("run", String::as_str);
    let has = |option: &str| {
        let mut known = syntax.find_subcommand(command).into_iter().flat_map(clap::Command::get_arguments);
        known.any(|known| known.get_long() == option.strip_prefix("--"))
    };
    let tip = if given.is_none() && has(argument) {
        Some(format!("without a command there are no options of `run`: say `compare run {argument}`"))
    } else {
        tip(command, argument, words, &has)
    };
    let Some(tip) = tip else { return error };
    error.remove(ContextKind::SuggestedArg);
    if let Some(command) = syntax.find_subcommand_mut(command) {
        // Without the similar argument.
        error.insert(ContextKind::Usage, ContextValue::StyledStr(command.render_usage()));
    }
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
    error
}

/// What was probably meant by an argument of a command, which `has` some options.
fn tip(command: &str, argument: &str, words: &[String], has: &dyn Fn(&str) -> bool) -> Option<String> {
    let option = argument.strip_prefix("--").map(|name| name.replace('_', "-").to_lowercase());
    let Some(name) = option else {
        return Path::new(argument)
            .exists()
            .then(|| format!("files are named by options, such as `--input {argument}`"));
    };
    let value = value_of(argument, words);
    match (command, &name[..]) {
        ("study", "input" | "labels" | "datasets" | "dataset" | "methods" | "method") => {
            let tip = "the study has data sets and methods of its own; `compare run --input FILE --methods A,B` \
                       runs others";
            return Some(tip.to_owned());
        }
        ("dataset", "name" | "dataset" | "datasets") => {
            let value = value.unwrap_or("NAME");
            return Some(format!(
                "the name of the data set needs no option: `compare dataset {value} --output FILE`"
            ));
        }
        ("run", "dataset") => {
            return Some(format!("the option is `--datasets {}`", value.unwrap_or("A,B")));
        }
        // A parameter of this name has a value.
        (_, "scale") if value.is_none() && has("--standardize") => {
            return Some("this is called `--standardize` here".to_owned());
        }
        (_, "dataset" | "datasets") => {
            let tip =
                "`compare dataset NAME --output FILE` writes a data set to a file; `--input FILE` reads it";
            return Some(tip.to_owned());
        }
        _ => {}
    }
    if !matches!(command, "run" | "embed" | "study" | "lab") {
        return None;
    }
    let same = ALSO_CALLED.iter().find(|(other, option)| *other == name && has(option));
    if let Some((_, option)) = same {
        return Some(format!(
            "this is called `{option}` here{}",
            value.map(|value| format!(": `{option} {value}`")).unwrap_or_default()
        ));
    }
    parameter(command, &name, value.unwrap_or("VALUE"), words)
}

/// Names of other programs for options of this one.
const ALSO_CALLED: [(&str, &str); 8] = [
    ("n-neighbors", "--k"),
    ("neighbors", "--k"),
    ("n-components", "--dim"),
    ("n-dims", "--dim"),
    ("random-state", "--seed"),
    ("random-seed", "--seed"),
    ("normalize", "--standardize"),
    ("standardise", "--standardize"),
];

/// How a parameter of methods is set that was given as an option.
fn parameter(command: &str, name: &str, value: &str, words: &[String]) -> Option<String> {
    let has = |method: &dyn DynMethod| method.parameters().iter().any(|info| info.name == name);
    let with = swissroll::methods().filter(|method| has(method.as_ref())).map(|method| method.about().name);
    let typed = |method: &&str| words.iter().any(|word| word.split([',', '=']).any(|part| part == *method));
    // Methods that the command line names come first.
    let (mut with, others): (Vec<&str>, Vec<&str>) = with.partition(typed);
    with.extend(others);
    let first = with.first()?;
    Some(match command {
        "embed" if typed(first) => format!("this is a parameter of {first}: `--set {name}={value}`"),
        "embed" => format!("this is a parameter of {}, set by `--set {name}={value}`", listed(&with)),
        "lab" => "the page has the parameters of every method".to_owned(),
        // Of several values the first is no value of the parameter.
        _ if value.contains(',') => format!(
            "parameters belong to a method, and have one value in a run: `--set {first}.{name}={}`; the page \
             of `compare lab` shows a method by several values side by side",
            value.split(',').next().unwrap_or_default()
        ),
        _ => format!("parameters belong to a method: `--set {first}.{name}={value}`"),
    })
}

fn listed(methods: &[&str]) -> String {
    match methods {
        [first, second, rest @ ..] if rest.len() > 1 => {
            format!("{first}, {second} and {} other methods", rest.len())
        }
        few => few.join(", "),
    }
}

/// The value that was typed with an unknown option, if any.
fn value_of<'a>(option: &str, words: &'a [String]) -> Option<&'a str> {
    let at = words.iter().position(|word| word.split('=').next() == Some(option))?;
    match words[at].split_once('=') {
        Some((_, value)) => Some(value),
        None => words.get(at + 1).map(String::as_str).filter(|next| !next.starts_with("--")),
    }
}

/// The same error with control characters escaped in the arguments that it repeats.
pub(super) fn with_arguments_escaped(mut error: clap::Error) -> clap::Error {
    let plain = |text: &StyledStr| StyledStr::from(escaped(&text.to_string()).into_owned());
    let changed: Vec<(ContextKind, ContextValue)> = error
        .context()
        .filter_map(|(kind, value)| {
            let value = match value {
                ContextValue::String(text) => ContextValue::String(escaped(text).into_owned()),
                ContextValue::Strings(texts) => {
                    ContextValue::Strings(texts.iter().map(|text| escaped(text).into_owned()).collect())
                }
                // Advice, such as how to pass the argument as a value.
                ContextValue::StyledStrs(texts) => {
                    ContextValue::StyledStrs(texts.iter().map(plain).collect())
                }
                _ => return None,
            };
            Some((kind, value))
        })
        .collect();
    for (kind, value) in changed {
        error.insert(kind, value);
    }
    error
}
