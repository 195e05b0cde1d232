//! Numbers as values of options.

use std::num::{IntErrorKind, ParseIntError};
use std::str::FromStr;

use embedding::Value;

/// A count of at least 1.
pub(super) fn whole<N: FromStr<Err = ParseIntError>>(text: &str) -> Result<N, String> {
    at_least(1, text)
}

/// A number of parts.
pub(super) fn parts(text: &str) -> Result<usize, String> {
    at_least(2, text)
}

pub(super) fn seed(text: &str) -> Result<u64, String> {
    at_least(0, text)
}

pub(super) fn number(text: &str) -> Result<f64, String> {
    f64::read(text).ok_or_else(|| "must be a number".to_owned())
}

/// A fraction of neighbors.
pub(super) fn recall(text: &str) -> Result<f64, String> {
    let read = number(text)?;
    let is_fraction = read > 0.0 && read <= 1.0;
    is_fraction.then_some(read).ok_or_else(|| "must be a number above 0 and at most 1".to_owned())
}

/// The scale of rendered images.
pub(super) fn scale(text: &str) -> Result<f64, String> {
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
