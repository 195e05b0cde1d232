//! Selection of landmarks.

use embedding::implement::{Bound, Division, PairDistances, Range, Scale, Value, ValueSyntax, proceed};
use embedding::{DistanceMatrix, Error, Observer};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::farthest;

/// The selection of landmarks. Their number never exceeds the number of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Landmarks {
    /// Farthest-point sampling: first the point farthest from the mean, then repeatedly
    /// the point farthest from all landmarks so far; ties go to the lower index. Covers
    /// the data evenly, and includes outliers first. Stops early if every point coincides
    /// with a landmark. O(l n D); for distances O(n² + l n), since the mean squared distance of a point
    /// equals its squared distance from the mean up to a constant. Points with a metric other than Euclidean
    /// have no such mean: there the first landmark is the point farthest from point 0, which depends on the
    /// order of the rows.
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

/// d + 1.
const D_PLUS_1: Bound = Bound::new("d + 1", |s| s.dim.map(|d| d as f64 + 1.0));

impl Value for Landmarks {
    const SYNTAX: ValueSyntax =
        ValueSyntax::Text("COUNT (each the farthest from those before) or random:COUNT:SEED");
    const RANGE: Option<Range> = Some(Range::at_least(D_PLUS_1));

    fn show(&self) -> String {
        match self {
            Self::MaxMin { count } => count.to_string(),
            Self::Random { count, seed } => format!("random:{count}:{seed}"),
        }
    }

    fn read(text: &str) -> Option<Self> {
        match *text.split(':').collect::<Vec<_>>() {
            [count] => Some(Self::MaxMin { count: Value::read(count)? }),
            ["random", count, seed] => {
                Some(Self::Random { count: Value::read(count)?, seed: Value::read(seed)? })
            }
            _ => None,
        }
    }

    fn number(&self) -> Option<f64> {
        let (Self::MaxMin { count } | Self::Random { count, .. }) = self;
        Some(*count as f64)
    }
}

embedding::text!(Landmarks);

impl Landmarks {
    /// Returns the number of landmarks among n points.
    pub fn count(self, n: usize) -> usize {
        let (Self::MaxMin { count } | Self::Random { count, .. }) = self;
        count.min(n)
    }

    /// Chooses rows of points or of given distances, ascending. Reports steps of the
    /// stage that the caller has begun.
    pub fn choose<'a>(
        self,
        distances: impl Into<PairDistances<'a>>,
        observer: &dyn Observer,
    ) -> Result<Vec<u32>, Error> {
        let distances = distances.into();
        self.choose_from(
            distances.len(),
            |count| match distances {
                // At any scale of the points their squares are normal numbers.
                PairDistances::Points(points) => {
                    Scale::of_points(points, Division::SQUARES).divided(points, |points| {
                        farthest::choose(points, &spectral::principal::column_means(points), count, observer)
                    })
                }
                PairDistances::Distances(distances) => spread_by_distances(distances, count, observer),
            },
            observer,
        )
    }

    /// Chooses rows, in increasing order, among n points for which only `distances_from(i)` to all points are
    /// known; max-min begins at the point farthest from point 0. Reports steps of the stage that the caller
    /// has begun.
    pub fn choose_by(
        self,
        n: usize,
        distances_from: impl Fn(usize) -> Vec<f64>,
        observer: &dyn Observer,
    ) -> Result<Vec<u32>, Error> {
        let narrow = |gap: &mut [f64], landmark| narrow(gap, &distances_from(landmark));
        self.choose_from(n, |count| farthest_first(distances_from(0), count, narrow, observer), observer)
    }

    /// Chooses rows, ascending, where `spread` chooses by max-min.
    fn choose_from(
        self,
        n: usize,
        spread: impl FnOnce(usize) -> Result<Vec<u32>, Error>,
        observer: &dyn Observer,
    ) -> Result<Vec<u32>, Error> {
        let mut rows = match self {
            _ if self.count(n) == n => (0..n as u32).collect(),
            Self::MaxMin { count } => spread(count)?,
            Self::Random { count, seed } => draw(n, count, seed),
        };
        rows.sort_unstable();
        proceed(observer, self.count(n), self.count(n))?;
        Ok(rows)
    }
}

/// The smaller of `gap` and `distances`, entry by entry.
fn narrow(gap: &mut [f64], distances: &[f64]) {
    gap.iter_mut().zip(distances).for_each(|(gap, d)| *gap = gap.min(*d));
}

fn spread_by_distances(
    distances: DistanceMatrix<'_>,
    count: usize,
    observer: &dyn Observer,
) -> Result<Vec<u32>, Error> {
    let n = distances.len();
    // Relative to the largest, so that squares do not overflow.
    let inverse = if distances.largest() > 0.0 { distances.largest().recip() } else { 0.0 };
    let squares = |i: usize| (0..n).map(|j| (distances.get(i, j) * inverse).powi(2)).sum::<f64>();
    let from_mean = (0..n).into_par_iter().map(squares).collect();
    let narrow = |gap: &mut [f64], landmark: usize| {
        gap.iter_mut().enumerate().for_each(|(i, gap)| *gap = gap.min(distances.get(i, landmark)));
    };
    farthest_first(from_mean, count, narrow, observer)
}

/// The point of the largest `first` distance, then always the point of the largest
/// distance from all landmarks so far, which `narrow(gap, landmark)` lowers; at most
/// `count`, fewer where all points coincide with a landmark.
fn farthest_first(
    first: Vec<f64>,
    count: usize,
    narrow: impl Fn(&mut [f64], usize),
    observer: &dyn Observer,
) -> Result<Vec<u32>, Error> {
    let farthest = |gap: &[f64]| (0..gap.len()).rev().max_by(|&a, &b| gap[a].total_cmp(&gap[b])).unwrap_or(0);
    let mut chosen = Vec::with_capacity(count);
    let (mut next, mut gap) = (farthest(&first), vec![f64::INFINITY; first.len()]);
    while chosen.len() < count {
        proceed(observer, chosen.len(), count)?;
        chosen.push(next as u32);
        narrow(&mut gap, next);
        next = farthest(&gap);
        if gap[next] == 0.0 {
            break;
        }
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
