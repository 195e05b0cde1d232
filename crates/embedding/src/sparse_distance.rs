//! Squared Euclidean distance of sparse rows.

use crate::SparsePoints;
use crate::implement::{LANES, pairwise_sum};

impl SparsePoints<'_> {
    /// The squared Euclidean distance between points `i` and `j`, equal to the bit to
    /// [`squared_distance`](crate::implement::squared_distance) between their rows with all zeros.
    /// O(entries of both rows).
    ///
    /// ```
    /// use embedding::SparsePoints;
    /// // (0, 2, 0) and (1, 0, 3).
    /// let points = SparsePoints::new(&[0, 1, 3], &[1, 0, 2], &[2.0, 1.0, 3.0], 3)?;
    /// assert_eq!(points.squared_distance(0, 1), 14.0);
    /// # Ok::<(), embedding::Error>(())
    /// ```
    #[inline(always)]
    pub fn squared_distance(&self, i: usize, j: usize) -> f64 {
        union(self.row(i), self.row(j), self.dim(), |x, y| (x - y) * (x - y)).0
    }
}

/// The sum of a term per column of either row, and the number of these columns. Terms are added
/// in the order of [`squared_distance`](crate::implement::squared_distance), where the terms of all other
/// columns are 0 and change nothing.
#[inline(always)]
pub(crate) fn union(
    a: (&[u32], &[f64]),
    b: (&[u32], &[f64]),
    dim: usize,
    term: impl Fn(f64, f64) -> f64,
) -> (f64, usize) {
    let (mut lanes, mut p, mut q, mut columns) = (Lanes::new(dim), 0, 0, 0);
    while p < a.0.len() || q < b.0.len() {
        let (ca, cb) = (a.0.get(p).copied().unwrap_or(u32::MAX), b.0.get(q).copied().unwrap_or(u32::MAX));
        let (own, other) =
            (p < a.0.len() && (q == b.0.len() || ca <= cb), q < b.0.len() && (p == a.0.len() || cb <= ca));
        let x = if own { a.1[p] } else { 0.0 };
        let y = if other { b.1[q] } else { 0.0 };
        lanes.add(if own { ca } else { cb }, term(x, y));
        (p, q, columns) = (p + usize::from(own), q + usize::from(other), columns + 1);
    }
    (lanes.sum(), columns)
}

/// A sum in the order of [`squared_distance`](crate::implement::squared_distance).
pub(crate) struct Lanes {
    lanes: [f64; LANES],
    rest: f64,
    /// The first column of the rest.
    whole: usize,
}

impl Lanes {
    pub(crate) fn new(dim: usize) -> Self {
        Self { lanes: [0.0; LANES], rest: 0.0, whole: dim / LANES * LANES }
    }

    #[inline(always)]
    pub(crate) fn add(&mut self, column: u32, term: f64) {
        let column = column as usize;
        if column < self.whole { self.lanes[column % LANES] += term } else { self.rest += term }
    }

    pub(crate) fn sum(self) -> f64 {
        self.rest + pairwise_sum(self.lanes)
    }
}
