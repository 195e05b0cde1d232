//! Command lines of earlier runs, which are parsed again.

use clap::{Args, Command};

use super::options::global::GlobalOptions;
use super::options::values::with_negative_numbers;
use super::words::command;

/// The command of a command line that names none.
const DEFAULT: &str = "run";

/// The options of the recorded words of a command line, without the program; `None` where the words
/// are of another command than `name`. An error is the problem.
pub(super) fn parse<A: Args + Default>(name: &'static str, words: &[String]) -> Result<Option<A>, String> {
    let syntax = with_negative_numbers(A::augment_args(Command::new(name)));
    let program = GlobalOptions::augment_args(Command::new("compare")).subcommand(syntax);
    let program = program.allow_external_subcommands(true);
    let again = |_| format!("this version cannot run again what it records: {}", command(words));
    let words = std::iter::once("compare").chain(words.iter().map(String::as_str));
    let matches = program.try_get_matches_from(words).map_err(again)?;
    match matches.subcommand() {
        Some((found, options)) if found == name => A::from_arg_matches(options).map(Some).map_err(again),
        None if name == DEFAULT => Ok(Some(A::default())),
        _ => Ok(None),
    }
}
