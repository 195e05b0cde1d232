//! The command line: results on standard output, everything else on standard error; exit
//! status 0 success, 1 failure of a method or of data, 2 invalid usage, 130 interrupted.
//!
//! `commands` has one module for each command, with its options and its execution. `options` declares
//! what several of them have. `files` reads and checks the files that they name.

mod advice;
mod arguments;
mod commands;
mod context;
mod files;
mod finish;
mod options;
mod plot;
mod recorded_command;
mod settings;
mod standard_output;
mod table;
mod words;
mod wrong_usage;

use std::env::args_os;
use std::io::{Write, stderr};
use std::process::ExitCode;

use figure::controls::escaped;

use self::arguments::Arguments;
use self::context::Context;
use self::standard_output::written;
use crate::Failure;

/// Parses the command line and runs the command.
pub fn main() -> ExitCode {
    let done = match Arguments::of(args_os()) {
        Ok(arguments) => execute(&arguments).map_err(|failure| (failure, arguments.syntax_of_command())),
        // Other parse errors are invalid usage.
        Err(error) if error.use_stderr() => {
            let error = wrong_usage::with_tip(error, &words::typed(), Arguments::syntax());
            let error = wrong_usage::with_arguments_escaped(error);
            let _ = error.print();
            return ExitCode::from(error.exit_code() as u8);
        }
        // Help and version are results.
        Err(help) => written(help.print())
            .map(|()| ExitCode::SUCCESS)
            .map_err(|failure| (failure, Arguments::syntax())),
    };
    match done {
        Ok(done) => done,
        Err((failure, command)) => {
            print_error(&advice::with_options(&failure, &command));
            ExitCode::from(failure.status())
        }
    }
}

fn execute(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let context = Context::new(&arguments.global)?;
    match &arguments.command {
        Some(command) => command.execute(&context),
        None => commands::Command::default().execute(&context),
    }
}

fn print_error(sentence: &str) {
    let _ = writeln!(stderr(), "error: {}", escaped(sentence));
}
