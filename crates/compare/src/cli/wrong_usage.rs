//! What is said of a command line that cannot be parsed.

use std::path::Path;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::figure::controls::escaped;

/// The same error with what was probably meant by an argument that is not similar to a known one.
pub(super) fn with_tip(mut error: clap::Error) -> clap::Error {
    if error.kind() != ErrorKind::UnknownArgument || error.get(ContextKind::SuggestedArg).is_some() {
        return error;
    }
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else { return error };
    let tip = if matches!(&argument[..], "--dataset" | "--datasets") {
        "`compare dataset NAME --output FILE` writes a data set to a file; `--input FILE` reads it".to_owned()
    } else if Path::new(argument).exists() {
        format!("files are named by options, such as `--input {argument}`")
    } else {
        return error;
    };
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(tip)]));
    error
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
