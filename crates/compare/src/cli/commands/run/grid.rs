//! The settings of a sweep.

use std::fmt::Display;
use std::num::NonZeroUsize;

use clap::Args;
use embedding::implement::Value;

use crate::Failure;
use crate::cli::options::method::DEFAULT_K;
use crate::cli::options::values::whole;
use crate::run::{GridPoint, Planned};

/// What a run may vary: several values of any of them are a sweep, in which every method
/// runs on every combination.
#[derive(Args, Clone, Debug, Default)]
#[group(skip)]
pub(in crate::cli) struct Grid {
    /// Neighborhood size of the methods that have one; several, as 6,8,12, are a sweep
    #[arg(long, value_delimiter = ',', value_name = "K,…", value_parser = whole::<usize>)]
    pub(super) k: Vec<usize>,
    /// Points per data set; with `all`, smaller data sets are used whole; several are a
    /// sweep
    #[arg(long, value_delimiter = ',', value_name = "N,…", value_parser = whole::<usize>)]
    pub(super) n: Vec<usize>,
    /// Standard deviation of Gaussian noise added to every value; several are a sweep
    /// [default: 0]
    #[arg(long, value_delimiter = ',', value_name = "SIGMA,…", value_parser = noise)]
    pub(super) noise: Vec<f64>,
    /// Number of draws, with the seeds --seed, --seed + 1, …; their mean and spread is
    /// reported [default: 1]
    #[arg(long, value_name = "COUNT", value_parser = whole::<NonZeroUsize>)]
    pub(super) seeds: Option<NonZeroUsize>,
}

/// Most settings of one sweep.
const MOST: usize = 1000;

/// One setting; the methods are configured from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct At {
    /// The neighborhood size, if it was given.
    pub(super) k: Option<usize>,
    /// Points per data set, if the number was given.
    pub(super) n: Option<usize>,
    /// Standard deviation of the noise.
    pub(super) noise: f64,
    /// The seed of data and methods.
    pub(super) seed: u64,
}

/// Every combination of the given values; k changes fastest, so that settings of the same data
/// follow each other. Fails where a value is given twice, where there are too many
/// settings, and where some n does not exceed some k. `first` is the first seed.
pub(super) fn settings(grid: &Grid, first: u64, measure_k: usize) -> Result<Vec<At>, Failure> {
    let Grid { k, n, noise, seeds } = grid;
    once("--k", k)?;
    once("--n", n)?;
    once("--noise", noise)?;
    let draws = seeds.map_or(1, |seeds| seeds.get() as u64);
    let lengths = [k.len(), n.len(), noise.len(), usize::try_from(draws).unwrap_or(usize::MAX)];
    let count = lengths.iter().fold(1_usize, |count, &length| count.saturating_mul(length.max(1)));
    if count > MOST {
        return Err(Failure::usage(format!(
            "a sweep has at most {MOST} settings, but --k, --n, --noise and --seeds ask for {count}"
        )));
    }
    let Some(last) = first.checked_add(draws - 1) else {
        return Err(Failure::usage(format!("--seed {first} and {draws} draws exceed the largest seed")));
    };
    if count > 1
        && let Some(&least) = n.iter().min()
    {
        let most = k.iter().copied().max().unwrap_or(DEFAULT_K);
        for (option, k) in [("--k", most), ("--measure-k", measure_k)] {
            if k >= least {
                return Err(Failure::usage(format!(
                    "every --n must exceed every neighborhood size, but {option} is {k} and --n has {least}"
                )));
            }
        }
    }
    let mut all = Vec::with_capacity(count);
    for n in optional(n) {
        for noise in optional(noise) {
            for seed in first..=last {
                all.extend(optional(k).map(|k| At { k, n, noise: noise.unwrap_or(0.0), seed }));
            }
        }
    }
    Ok(all)
}

/// Of several draws the methods whose seeds are in values of other parameters, as sentences.
pub(super) fn same_in_every_draw(points: &[GridPoint]) -> Vec<String> {
    let [first, .., last] = points else { return Vec::new() };
    if first.seed == last.seed {
        return Vec::new();
    }
    let note = |planned: &Planned| {
        let parameters = planned.method.parameters();
        let drawn = parameters.iter().find(|info| info.value.starts_with("random:"))?;
        let about = planned.method.about();
        let seeded = parameters.iter().any(|info| info.name == "seed");
        let (name, value) = (drawn.name, &drawn.value);
        (!seeded).then(|| {
            format!("{} has no parameter seed: {name}={value} is the same in every draw", about.name)
        })
    };
    first.methods.iter().filter_map(note).collect()
}

/// The values, or none once.
fn optional<T: Copy>(values: &[T]) -> impl Iterator<Item = Option<T>> {
    let none = values.is_empty().then_some(None);
    values.iter().copied().map(Some).chain(none)
}

/// Refuses a value that stands twice.
fn once<T: PartialEq + Display>(option: &str, values: &[T]) -> Result<(), Failure> {
    match values.iter().enumerate().find(|(i, value)| values[..*i].contains(value)) {
        None => Ok(()),
        Some((_, value)) => Err(Failure::usage(format!("{option} has {value} twice"))),
    }
}

fn noise(text: &str) -> Result<f64, String> {
    let read = f64::read(text).filter(|noise| noise.is_finite() && *noise >= 0.0);
    read.ok_or_else(|| "must be a finite number of at least 0".to_owned())
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use super::*;

    fn of(k: &[usize], n: &[usize], noise: &[f64], seeds: usize) -> Result<Vec<At>, Failure> {
        let grid =
            Grid { k: k.to_vec(), n: n.to_vec(), noise: noise.to_vec(), seeds: NonZeroUsize::new(seeds) };
        settings(&grid, 0, 10)
    }

    #[test]
    fn every_combination_is_a_setting_and_nothing_asked_is_one() {
        let one = At { k: None, n: None, noise: 0.0, seed: 0 };
        assert_eq!(of(&[], &[], &[], 0), Ok(vec![one]));
        let all = of(&[6, 8], &[100, 200, 300], &[0.0, 0.1], 5).expect("a grid");
        assert_eq!(all.len(), 60);
        assert_eq!(all[1], At { k: Some(8), n: Some(100), ..one });
        assert_eq!(all[59], At { k: Some(8), n: Some(300), noise: 0.1, seed: 4 });
        assert!(all.iter().enumerate().all(|(i, at)| !all[..i].contains(at)));
    }

    #[test]
    fn values_twice_too_many_settings_and_small_n_are_refused() {
        let says = |found: Result<Vec<At>, Failure>| found.expect_err("refused").to_string();
        assert_eq!(says(of(&[6, 8, 6], &[], &[], 1)), "--k has 6 twice");
        let many: Vec<usize> = (1..=40).collect();
        let large: Vec<usize> = (100..140).collect();
        assert!(says(of(&many, &large, &[], 1)).contains("at most 1000 settings"));
        assert!(says(of(&[6, 60], &[50, 500], &[], 1)).contains("--k is 60 and --n has 50"));
        assert!(says(of(&[3, 4], &[9, 500], &[], 1)).contains("--measure-k is 10 and --n has 9"));
    }
}
