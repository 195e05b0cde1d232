//! Selection of landmarks.

use embedding::{Error, Observer, Points, proceed};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::euclidean::euclidean;

/// The selection of landmarks. Their number never exceeds the number of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Landmarks {
    /// Farthest-point sampling: first the point farthest from the mean, then repeatedly
    /// the point farthest from all landmarks so far; ties go to the lower index. Covers
    /// the data evenly, and includes outliers first. Stops early if every point coincides
    /// with a landmark. O(l n D).
    MaxMin {
        /// Number of landmarks; all points if there are fewer.
        count: usize,
    },
    /// Uniform sampling without replacement. O(n).
    Random {
        /// Number of landmarks; all points if there are fewer.
        count: usize,
        /// Seed of the generator.
        seed: u64,
    },
}

impl Default for Landmarks {
    fn default() -> Self {
        Self::MaxMin { count: 200 }
    }
}

impl Landmarks {
    /// Returns the number of landmarks among n points.
    pub fn count(self, n: usize) -> usize {
        let (Self::MaxMin { count } | Self::Random { count, .. }) = self;
        count.min(n)
    }

    /// Fails unless the landmarks among n points can span `dim` dimensions.
    pub fn check(self, dim: usize, n: usize) -> Result<(), Error> {
        crate::classical::check_dim(dim, n)?;
        if self.count(n) > dim {
            return Ok(());
        }
        let requirement = format!("at least {}, one more than the target dimension", dim + 1);
        Err(Error::parameter("the number of landmarks", requirement, self.count(n)))
    }

    /// Selects landmarks, in ascending order. Reports progress within the caller's
    /// current stage.
    pub fn choose(self, points: Points<'_>, observer: &dyn Observer) -> Result<Vec<u32>, Error> {
        let n = points.len();
        let mut rows = match self {
            _ if self.count(n) == n => (0..n as u32).collect(),
            Self::MaxMin { count } => spread(points, count, observer)?,
            Self::Random { count, seed } => draw(n, count, seed),
        };
        rows.sort_unstable();
        proceed(observer, self.count(n), self.count(n))?;
        Ok(rows)
    }
}

fn spread(points: Points<'_>, count: usize, observer: &dyn Observer) -> Result<Vec<u32>, Error> {
    let mean = spectral::principal::column_means(points);
    let rows: Vec<&[f64]> = points.rows().collect();
    let mut gap: Vec<f64> = rows.par_iter().map(|row| euclidean(row, &mean)).collect();
    let mut chosen = Vec::with_capacity(count);
    while chosen.len() < count {
        proceed(observer, chosen.len(), count)?;
        let next = (0..gap.len()).rev().max_by(|&a, &b| gap[a].total_cmp(&gap[b])).unwrap_or(0);
        if !chosen.is_empty() && gap[next] == 0.0 {
            break;
        }
        let landmark = rows[next];
        let first = chosen.is_empty();
        gap.par_iter_mut().zip(&rows).for_each(|(gap, row)| {
            let distance = euclidean(row, landmark);
            *gap = if first { distance } else { gap.min(distance) };
        });
        chosen.push(next as u32);
    }
    Ok(chosen)
}

/// Returns the first `count` elements of a Fisher–Yates shuffle.
fn draw(n: usize, count: usize, seed: u64) -> Vec<u32> {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let mut rows: Vec<u32> = (0..n as u32).collect();
    for i in 0..count {
        // Multiply-shift reduction: the bias is below n / 2⁶⁴.
        let offset = (u128::from(generator.next_u64()) * (n - i) as u128) >> 64;
        rows.swap(i, i + offset as usize);
    }
    rows.truncate(count);
    rows
}
