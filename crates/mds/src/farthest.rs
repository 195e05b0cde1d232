//! Farthest-first selection of points.

use embedding::implement::proceed;
use embedding::{Error, Observer, Points};
use rayon::prelude::*;

use crate::euclidean::euclidean;

/// Points whose distances are searched for the largest together.
const CHUNK: usize = 1024;

/// Smallest count of numbers for which a parallel task pays.
const TASK: usize = 1 << 14;

/// Every point's distance to the nearest landmark, updated only where it could be the largest, since further
/// landmarks can only lower it.
struct Gaps<'a> {
    rows: Vec<&'a [f64]>,
    landmarks: Vec<u32>,
    gaps: Vec<Gap>,
}

/// The distance to the nearest of the first `seen` landmarks.
#[derive(Clone, Copy, Debug)]
struct Gap {
    distance: f64,
    seen: u32,
}

/// Chooses the point farthest from `center`, then always the point of the largest distance
/// to the nearest landmark so far; ties go to the lower index. At most `count`, fewer where
/// all points coincide with a landmark.
///
/// At most O(l n D) time; distances of points that cannot be the farthest are not computed.
pub(crate) fn choose(
    points: Points<'_>,
    center: &[f64],
    count: usize,
    observer: &dyn Observer,
) -> Result<Vec<u32>, Error> {
    let rows: Vec<&[f64]> = points.rows().collect();
    let from_center: Vec<f64> = rows.par_iter().map(|row| euclidean(row, center)).collect();
    let unseen = Gap { distance: f64::INFINITY, seen: 0 };
    let mut gaps = Gaps { gaps: vec![unseen; rows.len()], rows, landmarks: Vec::with_capacity(count) };
    let mut next = (0..from_center.len()).rev().max_by(|&a, &b| from_center[a].total_cmp(&from_center[b]));
    while let Some(landmark) = next.filter(|_| gaps.landmarks.len() < count) {
        proceed(observer, gaps.landmarks.len(), count)?;
        gaps.landmarks.push(landmark as u32);
        let (farthest, distance) = gaps.largest();
        next = (distance > 0.0).then_some(farthest);
    }
    Ok(gaps.landmarks)
}

impl Gaps<'_> {
    /// Point `i` with its distance to the nearest of all landmarks, or of the landmarks up to the first that
    /// is nearer than `least`.
    fn current(&self, i: usize, least: f64) -> Gap {
        let mut gap = self.gaps[i];
        while gap.distance >= least && (gap.seen as usize) < self.landmarks.len() {
            let landmark = self.landmarks[gap.seen as usize];
            gap.distance = gap.distance.min(euclidean(self.rows[i], self.rows[landmark as usize]));
            gap.seen += 1;
        }
        gap
    }

    /// Points whose distances are computed by one task: fewer for long rows.
    fn per_task(&self) -> usize {
        (TASK / self.rows[0].len()).clamp(1, CHUNK)
    }

    /// The first point of the largest distance to the nearest landmark, and that distance.
    fn largest(&mut self) -> (usize, f64) {
        // The point of each chunk that was farthest at the last update, updated now: the largest distance is
        // at least theirs.
        let tops: Vec<(usize, Gap)> = self
            .gaps
            .par_chunks(CHUNK)
            .enumerate()
            .map(|(c, gaps)| {
                let top = (0..gaps.len()).max_by(|&a, &b| gaps[a].distance.total_cmp(&gaps[b].distance));
                let i = c * CHUNK + top.unwrap_or(0);
                (i, self.current(i, 0.0))
            })
            .collect();
        let mut least = 0.0_f64;
        for (i, gap) in tops {
            self.gaps[i] = gap;
            least = least.max(gap.distance);
        }
        // All others that could exceed it.
        let gaps = &self.gaps;
        let updated: Vec<(usize, Gap)> = (0..gaps.len())
            .into_par_iter()
            .with_min_len(self.per_task())
            .filter(|&i| gaps[i].distance >= least && (gaps[i].seen as usize) < self.landmarks.len())
            .map(|i| (i, self.current(i, least)))
            .collect();
        for (i, gap) in updated {
            self.gaps[i] = gap;
        }
        let farthest = (0..self.gaps.len())
            .into_par_iter()
            .with_min_len(CHUNK)
            .map(|i| (self.gaps[i].distance, i))
            .reduce(
                || (f64::NEG_INFINITY, usize::MAX),
                |a, b| {
                    let before = b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).is_le();
                    if before { a } else { b }
                },
            );
        (farthest.1, farthest.0)
    }
}
