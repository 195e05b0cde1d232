//! Ranks of the points of one row by distance, ties broken by index.

use embedding::Error;

use crate::Original;

/// The distances of one point to all others.
///
/// Points are ordered by (distance, index); the point itself has no rank.
pub(crate) struct RankedRow {
    pub(crate) i: usize,
    pub(crate) squared: Vec<f64>,
}

impl RankedRow {
    pub(crate) fn of<'a>(data: impl Into<Original<'a>>, i: usize) -> Self {
        let data = data.into();
        let mut squared = vec![0.0; data.len()];
        data.squared_distances(i, &mut squared);
        Self { i, squared }
    }

    fn key(&self, j: usize) -> (f64, usize) {
        (self.squared[j], j)
    }

    fn others(&self) -> impl Iterator<Item = usize> {
        let i = self.i;
        (0..self.squared.len()).filter(move |&j| j != i)
    }

    /// Returns the `k` nearest other points, nearest first. O(n + k log k).
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

    /// Returns the rank of `j` among the others, from 1. O(n).
    pub(crate) fn rank(&self, j: usize) -> usize {
        let (d, i) = (self.squared[j], self.i);
        let below = self.squared.iter().filter(|s| **s < d).count();
        let tied = self.squared[..j].iter().filter(|s| **s == d).count();
        // The point itself was counted if it precedes j.
        let itself = usize::from(before(self.key(i), self.key(j)).is_lt());
        below + tied - itself + 1
    }
}

fn before(a: (f64, usize), b: (f64, usize)) -> std::cmp::Ordering {
    a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
}

/// Fails unless 1 ≤ k < n/2, where the normalization of rank measures is valid.
pub(crate) fn check_k(k: usize, n: usize) -> Result<(), Error> {
    if k == 0 || 2 * k >= n {
        let most = n.saturating_sub(1) / 2;
        let requirement = if most == 0 {
            format!("at least 1 and below n/2, which needs more than {n} points")
        } else {
            format!("between 1 and {most}, below half of the {n} points")
        };
        return Err(Error::parameter("k", requirement, k));
    }
    Ok(())
}
