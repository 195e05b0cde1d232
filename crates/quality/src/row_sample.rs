//! Samples of rows, and estimates from them.

use embedding::Error;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};

/// The rows over which a measure is averaged. Each row is compared with all n points, so
/// sampling affects only the precision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RowSample {
    /// Every point: the exact value.
    #[default]
    All,
    /// A random sample without replacement: gives an unbiased estimate of a mean over
    /// rows, with its standard error.
    Sample {
        /// Sample size, at least 1 for a mean; n or more means every point.
        count: usize,
        /// Seed of the sample.
        seed: u64,
    },
    /// Evenly spaced rows: the same ones for every seed, for data whose order has no
    /// period. The standard error is computed as for a random sample.
    Spaced {
        /// Number of rows, at least 1 for a mean; n or more means all.
        count: usize,
    },
}

impl RowSample {
    /// Returns the number of sampled rows of n.
    pub(crate) fn count(self, n: usize) -> usize {
        match self {
            Self::All => n,
            Self::Sample { count, .. } | Self::Spaced { count } => count.min(n),
        }
    }

    /// Fails with [`Error::Parameter`] for a sample of no row, which has no mean.
    pub(crate) fn check(self) -> Result<(), Error> {
        match self {
            Self::Sample { count: 0, .. } | Self::Spaced { count: 0 } => Err(no_row()),
            _ => Ok(()),
        }
    }

    /// Returns the sampled rows of n, in ascending order.
    pub fn choose(self, n: usize) -> Vec<u32> {
        match self {
            Self::Sample { count, seed } if count < n => {
                let mut generator = ChaCha8Rng::seed_from_u64(seed);
                // Selection sampling: each point is taken with probability (number still
                // needed) / (number remaining).
                let mut needed = count;
                (0..n)
                    .filter(|i| {
                        let take = generator.random_range(0..n - i) < needed;
                        needed -= usize::from(take);
                        take
                    })
                    .map(|i| i as u32)
                    .collect()
            }
            Self::Spaced { count } if count < n => (0..count).map(|c| (c * n / count) as u32).collect(),
            _ => (0..n as u32).collect(),
        }
    }
}

/// The refusal of a mean over no row.
pub(crate) fn no_row() -> Error {
    Error::parameter("the number of rows", "at least 1", 0)
}

/// An estimate and its standard error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Its standard error; 0 if every row was used.
    pub standard_error: f64,
}

impl Estimate {
    /// Returns the mean of `values`, sampled without replacement from `population` rows,
    /// with the standard error s/√m · √(1 − m/n).
    pub(crate) fn mean(values: &[f64], population: usize) -> Self {
        let unseen = 1.0 - values.len() as f64 / population as f64;
        Self::with_unseen(values, unseen)
    }

    /// Returns the mean of independent `values`, with the standard error s/√m.
    pub(crate) fn independent(values: &[f64]) -> Self {
        Self::with_unseen(values, 1.0)
    }

    /// The mean, with the error of the fraction of the population that is not among the values.
    fn with_unseen(values: &[f64], unseen: f64) -> Self {
        let m = values.len() as f64;
        let value = values.iter().sum::<f64>() / m;
        let standard_error = if values.len() < 2 || unseen <= 0.0 {
            0.0
        } else {
            let variance = values.iter().map(|v| (v - value).powi(2)).sum::<f64>() / (m - 1.0);
            (variance / m * unseen).sqrt()
        };
        Self { value, standard_error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_a_standard_error_that_ends_with_the_last_row() {
        let values = [1.0, 2.0, 3.0, 6.0];
        let of = |values: &[f64], population| Estimate::mean(values, population);
        // The variance is 14/3; half of the rows are known.
        let expected = (14.0 / 3.0 / 4.0 * 0.5_f64).sqrt();
        assert_eq!((of(&values, 8).value, of(&values, 4).value), (3.0, 3.0));
        assert!((of(&values, 8).standard_error - expected).abs() < 1e-15);
        assert_eq!(of(&values, 4).standard_error, 0.0);
        assert_eq!(of(&[2.0], 8), Estimate { value: 2.0, standard_error: 0.0 });
        let two = of(&[1.0, 3.0], 8).standard_error;
        assert!((two - (2.0 / 2.0 * 0.75_f64).sqrt()).abs() < 1e-15);
    }
}
