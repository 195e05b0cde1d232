//! Data sets by name.

use std::path::Path;

use datasets::Info;

use crate::Failure;
use crate::suggestion::resolve;

/// The name of the group of data sets on which methods fail.
const FAILURES: &str = "failures";

/// The data sets that a word of `--datasets` names: one, or the group of failures.
pub(crate) fn find_all(word: &str) -> Result<Vec<&'static Info>, Failure> {
    if word == FAILURES {
        return Ok(datasets::failures().collect());
    }
    match find(word) {
        Err(_) if Path::new(word).exists() => Err(Failure::usage(format!(
            "--datasets must name data sets, but `{word}` is a file or folder; give it by --input {word}"
        ))),
        found => found.map(|info| vec![info]),
    }
}

/// Returns the data set of the given name; an unknown name is a usage error.
pub(crate) fn find(name: &str) -> Result<&'static Info, Failure> {
    let list = datasets::list();
    let meant = resolve("data set", name, list.iter().map(|info| info.name))?;
    Ok(list.iter().find(|info| info.name == meant).expect("the name is one of the list"))
}
