//! The command line: results on standard output, everything else on standard error; exit
//! status 0 success, 1 failure of a method or of data, 2 invalid usage, 130 interrupted.

mod advice;
mod arguments;
mod commands;
mod files;
mod plot;
mod settings;
mod standard_output;
mod table;
mod words;
mod wrong_usage;
use std::env::args_os;
use std::fmt::Display;
use std::io::{Result as Outcome, Write, stderr, stdout};
use std::process::ExitCode;

use embedding::{Error, MemoryLimit};
use figure::controls::escaped;

use crate::Failure;
use crate::memory;
use crate::progress::Progress;
use arguments::{Arguments, Command};
use commands::{dataset, embed, explain, invert, lab, list, measure, neighbors, run, study, transform};

/// Parses the command line and runs the command.
pub fn main() -> ExitCode {
    let done = match Arguments::of(args_os()) {
        Ok(arguments) => execute(arguments),
        // Other parse errors are invalid usage.
        Err(error) if error.use_stderr() => {
            let error = wrong_usage::with_arguments_escaped(wrong_usage::with_tip(error, &words::typed()));
            let _ = error.print();
            return ExitCode::from(error.exit_code() as u8);
        }
        // Help and version are results.
        Err(help) => written(help.print()).map(|()| ExitCode::SUCCESS),
    };
    match done {
        Ok(done) => done,
        Err(failure) => {
            print_error(&advice::with_options(&failure.to_string()));
            ExitCode::from(failure.status())
        }
    }
}

/// Settings shared by all commands.
struct Context {
    memory: MemoryLimit,
    progress: Progress,
}

fn execute(arguments: Arguments) -> Result<ExitCode, Failure> {
    if let Some(threads) = arguments.threads {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads.get())
            .build_global()
            .map_err(|error| Failure::usage(format!("{threads} threads cannot be started: {error}")))?;
    }
    let context = Context {
        memory: arguments.memory_limit.unwrap_or_else(memory::default_limit),
        progress: Progress::new(),
    };
    let command = arguments.command.unwrap_or_default();
    match command {
        Command::Run(_) | Command::Study(_) => context.progress.finish_on_interrupt(),
        _ => context.progress.stop_on_interrupt(),
    }
    match command {
        Command::Run(arguments) => run::run(&arguments, &context),
        Command::Study(arguments) => study::study(&arguments, &context),
        Command::Lab(arguments) => lab::lab(&arguments, &context),
        Command::Embed(arguments) => embed::embed(&arguments, &context),
        Command::Transform(arguments) => transform::transform(&arguments, &context),
        Command::Invert(arguments) => invert::invert(&arguments, &context),
        Command::Neighbors(arguments) => neighbors::neighbors(&arguments, &context),
        Command::Measure(arguments) => measure::measure(&arguments, &context),
        Command::Dataset(arguments) => dataset::dataset(&arguments, &context),
        Command::List(arguments) => list::list(&arguments),
        Command::Explain(arguments) => explain::explain(&arguments),
    }
}

/// Prints a result; fails where it cannot be written, as to a full disk or to a program
/// that has ended.
fn print(text: &str) -> Result<(), Failure> {
    written(stdout().write_all(escaped(text).as_bytes()))
}

/// Fails where standard output could not be written, or what is left of it.
fn written(outcome: Outcome<()>) -> Result<(), Failure> {
    let refused = |why: &dyn Display| Error::file("standard output", format!("cannot be written: {why}"));
    if standard_output::was_closed() {
        return Err(refused(&"it is closed").into());
    }
    Ok(outcome.and_then(|()| stdout().flush()).map_err(|error| refused(&error))?)
}

fn print_error(sentence: &str) {
    let _ = writeln!(stderr(), "error: {}", escaped(sentence));
}
