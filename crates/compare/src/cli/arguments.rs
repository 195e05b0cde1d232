//! The command line as a whole.

use std::ffi::OsString;

use clap::{CommandFactory, Error, FromArgMatches, Parser};

use super::commands::Command;
use super::options::global::GlobalOptions;
use super::options::values::with_negative_numbers;

/// Runs manifold-learning methods on data sets, evaluates them and draws figures.
///
/// Results are written to standard output, everything else to standard error.
/// Exit status: 0 success, 1 failure of a method or of data, 2 invalid usage, 130
/// interrupted. Files are .npy, .csv or .tsv, also .csv.gz or .tsv.gz; input may also be
/// .npz (one array: data.npz:X), .mtx, IDX (-ubyte, -ubyte.gz), a folder of PNG or
/// JPEG pictures, or - for standard input.
#[derive(Parser)]
#[command(name = "compare", version)]
pub(super) struct Arguments {
    #[command(flatten)]
    pub(super) global: GlobalOptions,
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    /// The name of the command, if one was given.
    #[arg(skip)]
    name: Option<String>,
}

impl Arguments {
    /// Parses the words of a command line; the first word is the program.
    pub(super) fn of<W: Into<OsString> + Clone>(words: impl IntoIterator<Item = W>) -> Result<Self, Error> {
        let mut command = Self::syntax();
        let matches = command.try_get_matches_from_mut(words)?;
        let name = matches.subcommand_name().map(str::to_owned);
        let arguments = Self::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
        Ok(Self { name, ..arguments })
    }

    /// The command line that is parsed.
    pub(super) fn syntax() -> clap::Command {
        with_negative_numbers(Self::command()).mut_subcommands(with_negative_numbers)
    }

    /// The options of the given command, with the global ones.
    pub(super) fn syntax_of_command(&self) -> clap::Command {
        let mut syntax = Self::syntax();
        syntax.build();
        let command = self.name.as_ref().and_then(|name| syntax.find_subcommand(name)).cloned();
        command.unwrap_or(syntax)
    }
}
