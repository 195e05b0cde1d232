//! Which options were typed.

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

use crate::Failure;

/// The names of the options that were typed, without those that have their default. It declares no
/// option, and must be the first field of its command: fields take their values out of the matches.
#[derive(Clone, Debug, Default)]
pub(in crate::cli) struct Typed(Vec<String>);

impl Typed {
    /// Refuses other options next to `option`, which repeats an earlier command line, but the output
    /// folder and the global ones; `because` says what it does.
    pub(in crate::cli) fn alone(&self, option: &str, because: &str) -> Result<(), Failure> {
        let allowed = [option, "out", "threads", "memory_limit"];
        if self.0.iter().all(|name| allowed.contains(&name.as_str())) {
            return Ok(());
        }
        Err(Failure::usage(format!("{because}; only --out may be given with it")))
    }
}

impl FromArgMatches for Typed {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let typed = |name: &&str| matches.value_source(name) == Some(ValueSource::CommandLine);
        Ok(Self(matches.ids().map(clap::Id::as_str).filter(typed).map(str::to_owned).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Typed {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}
