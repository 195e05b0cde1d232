//! Who is how near: ranks of one row, ties by index.

use embedding::{Error, Points};

use crate::distances::squared_distances;

/// The distances of one point to all others, ready to be ranked.
///
/// j comes before j' when (distance, index) does; the point itself has no rank.
pub(crate) struct Row {
    pub(crate) i: usize,
    pub(crate) squared: Vec<f64>,
}

impl Row {
    pub(crate) fn of(points: Points<'_>, i: usize) -> Self {
        let mut squared = vec![0.0; points.len()];
        squared_distances(points, i, &mut squared);
        Self { i, squared }
    }

    fn key(&self, j: usize) -> (f64, usize) {
        (self.squared[j], j)
    }

    fn others(&self) -> impl Iterator<Item = usize> {
        let i = self.i;
        (0..self.squared.len()).filter(move |&j| j != i)
    }

    /// The `k` nearest others, nearest first. O(n + k log k).
    pub(crate) fn nearest(&self, k: usize) -> Vec<usize> {
        let order = |a: &usize, b: &usize| before(self.key(*a), self.key(*b));
        let mut all: Vec<usize> = self.others().collect();
        if k < all.len() {
            all.select_nth_unstable_by(k, order);
            all.truncate(k);
        }
        all.sort_unstable_by(order);
        all
    }

    /// The rank of `j` among the others, counted from 1. O(n).
    pub(crate) fn rank(&self, j: usize) -> usize {
        let (d, i) = (self.squared[j], self.i);
        let below = self.squared.iter().filter(|s| **s < d).count();
        let tied = self.squared[..j].iter().filter(|s| **s == d).count();
        // The point itself was counted if it comes before j.
        let itself = usize::from(before(self.key(i), self.key(j)).is_lt());
        below + tied - itself + 1
    }
}

fn before(a: (f64, usize), b: (f64, usize)) -> std::cmp::Ordering {
    a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
}

/// Fails unless 1 ≤ k < n/2, where rank measures are normalized.
pub(crate) fn check_k(k: usize, n: usize) -> Result<(), Error> {
    if k == 0 || 2 * k >= n {
        let most = n.saturating_sub(1) / 2;
        let requirement = if most == 0 {
            format!("below n/2, which no number is for {n} points")
        } else {
            format!("between 1 and {most}, below half of the {n} points")
        };
        return Err(Error::parameter("k", requirement, k));
    }
    Ok(())
}
