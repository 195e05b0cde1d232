//! Values of options.

use std::num::{IntErrorKind, ParseIntError};
use std::path::PathBuf;
use std::str::FromStr;

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Arg, Command};
use embedding::implement::Value;

/// The name of a file that stands for standard input.
pub(in crate::cli) const STDIN: &str = "-";

/// The same command, except that a negative number is read as a value of the option before it. The
/// option then reports which numbers it takes.
pub(in crate::cli) fn with_negative_numbers(command: Command) -> Command {
    command.mut_args(|arg: Arg| if arg.get_long().is_some() { arg.allow_negative_numbers(true) } else { arg })
}

/// A count of at least 1.
pub(in crate::cli) fn whole<N: FromStr<Err = ParseIntError>>(text: &str) -> Result<N, String> {
    at_least(1, text)
}

/// A count of at least 2.
pub(in crate::cli) fn parts(text: &str) -> Result<usize, String> {
    at_least(2, text)
}

pub(in crate::cli) fn seed(text: &str) -> Result<u64, String> {
    at_least(0, text)
}

pub(in crate::cli) fn number(text: &str) -> Result<f64, String> {
    f64::read(text).ok_or_else(|| "must be a number".to_owned())
}

/// The scale of rendered images.
pub(in crate::cli) fn scale(text: &str) -> Result<f64, String> {
    let read = number(text)?;
    (0.05..=4.0).contains(&read).then_some(read).ok_or_else(|| "must be a number from 0.05 to 4".to_owned())
}

fn at_least<N: FromStr<Err = ParseIntError>>(least: u64, text: &str) -> Result<N, String> {
    let too_small = || format!("must be a whole number of at least {least}");
    if text.parse::<u64>().is_ok_and(|number| number < least) {
        return Err(too_small());
    }
    text.parse().map_err(|error: ParseIntError| match error.kind() {
        IntErrorKind::PosOverflow => format!("must be a whole number of at most {}", u64::MAX),
        _ => too_small(),
    })
}

/// A file that is not read from standard input.
pub(in crate::cli) fn file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        if path.as_os_str() == STDIN {
            return Err("must be a file, since standard input (-) is read for points alone");
        }
        Ok(path)
    })
}

/// Two whole numbers of at least 1.
pub(in crate::cli) fn pair(text: &str) -> Option<[usize; 2]> {
    let side = |word: &str| word.trim().parse().ok().filter(|&pixels: &usize| pixels > 0);
    let (first, second) = text.split_once(['x', 'X', '×'])?;
    Some([side(first)?, side(second)?])
}
