//! Which rows a measure looks at, and how sure it is of the rest.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};

/// The rows that a measure is averaged over. Each of them is compared with all
/// n points, so that a sample changes the precision and not the meaning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rows {
    /// Every point: the exact value.
    #[default]
    All,
    /// A random sample without replacement: an unbiased estimate of each mean
    /// over rows, with its standard error.
    Sample {
        /// How many; as many as there are points, or more, means all.
        count: usize,
        /// Which ones.
        seed: u64,
    },
    /// Evenly spaced rows: the same ones for every seed, for data whose order
    /// has no period. The standard error is that of a random sample.
    Spaced {
        /// How many; as many as there are points, or more, means all.
        count: usize,
    },
}

impl Rows {
    /// The chosen rows of n, ascending.
    pub fn choose(self, n: usize) -> Vec<u32> {
        match self {
            Self::Sample { count, seed } if count < n => {
                let mut generator = ChaCha8Rng::seed_from_u64(seed);
                // Selection sampling: each point is taken with the probability
                // still needed over still left.
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

/// A value and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The value.
    pub value: f64,
    /// Its standard error; 0 where every row was looked at.
    pub standard_error: f64,
}

impl Estimate {
    /// The mean over a sample of `values` drawn without replacement from
    /// `population` rows: s/√m · √(1 − m/n).
    pub(crate) fn mean(values: &[f64], population: usize) -> Self {
        let m = values.len() as f64;
        let value = values.iter().sum::<f64>() / m;
        let standard_error = if values.len() < 2 || values.len() >= population {
            0.0
        } else {
            let variance = values.iter().map(|v| (v - value).powi(2)).sum::<f64>() / (m - 1.0);
            (variance / m * (1.0 - m / population as f64)).sqrt()
        };
        Self { value, standard_error }
    }
}
