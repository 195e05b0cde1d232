//! Numbers as values of options.

use std::num::{IntErrorKind, ParseIntError};
use std::str::FromStr;

use embedding::Value;

/// A count. A type with 0 leaves it to the command, which refuses it with the range.
pub(super) fn whole<N: FromStr<Err = ParseIntError>>(text: &str) -> Result<N, String> {
    at_least(1, text)
}

pub(super) fn seed(text: &str) -> Result<u64, String> {
    at_least(0, text)
}

pub(super) fn number(text: &str) -> Result<f64, String> {
    f64::read(text).ok_or_else(|| "must be a number".to_owned())
}

fn at_least<N: FromStr<Err = ParseIntError>>(least: u64, text: &str) -> Result<N, String> {
    text.parse().map_err(|error: ParseIntError| match error.kind() {
        IntErrorKind::PosOverflow => format!("must be a whole number of at most {}", u64::MAX),
        _ => format!("must be a whole number of at least {least}"),
    })
}
