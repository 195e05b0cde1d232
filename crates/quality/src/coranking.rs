//! Preservation of neighborhoods of all sizes, from the co-ranking matrix.

use embedding::{Error, Points};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::ranked_row::RankedRow;
use crate::reference_distances::{at_any_scales, same_length};
use crate::{Original, RowSample};

/// Fractions of preserved neighbors for k = 1, 2, …
///
/// *Idea.* The co-ranking matrix counts how often rank r in the data becomes rank ρ in
/// the embedding; the number of neighbors preserved for given k is the sum over its upper
/// left k × k block. Only the histogram of max(r, ρ) is kept.
///
/// *Reference.* Lee and Verleysen, Quality assessment of dimensionality
/// reduction: rank-based criteria, Neurocomputing 72 (2009),
/// <https://doi.org/10.1016/j.neucom.2008.12.017>; the area: Lee, Peluffo-Ordóñez
/// and Verleysen, Neurocomputing 169 (2015),
/// <https://doi.org/10.1016/j.neucom.2014.12.095>.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coranking {
    n: usize,
    /// Q_NX(k) at index k − 1, for k = 1, …, n − 2.
    q_nx: Vec<f64>,
}

/// Compares the ranks of all pairs, or of the pairs in a sample of rows.
///
/// *Cost.* O(rows · (n (D + d) + n log n)) time, rows in parallel, O(n) memory
/// per row.
///
/// *Fails* if the sizes differ or there are fewer than three points.
///
/// ```
/// use embedding::Points;
/// let line: Vec<f64> = (0..20).map(f64::from).collect();
/// let line = Points::new(&line, 1)?;
/// let ranks = quality::ranks::coranking(line, line, quality::RowSample::All)?;
/// assert_eq!(ranks.q_nx()[4], 1.0);
/// assert!((ranks.area() - 1.0).abs() < 1e-12);
/// # Ok::<(), embedding::Error>(())
/// ```
pub fn coranking<'a>(
    data: impl Into<Original<'a>>,
    embedding: Points<'_>,
    rows: RowSample,
) -> Result<Coranking, Error> {
    rows.check()?;
    let data = data.into();
    let n = data.len();
    same_length("the number of embedded points", n, embedding.len())?;
    if n < 3 {
        return Err(Error::TooFewPoints { what: "comparing ranks", needed: 3, got: n });
    }
    at_any_scales(data, embedding, |data, embedding| Ok(of_rows(data, embedding, &rows.choose(n))))
}

fn of_rows(data: Original<'_>, embedding: Points<'_>, rows: &[u32]) -> Coranking {
    let n = data.len();
    // Integer counts: their sum does not depend on the order.
    let histogram = rows
        .par_iter()
        .fold(
            || vec![0_u64; n - 1],
            |mut histogram, &i| {
                let ranks = |points: Original<'_>| {
                    let mut rank = vec![0_u32; n];
                    let order = RankedRow::of(points, i as usize).nearest(n - 1);
                    order.iter().enumerate().for_each(|(r, &j)| rank[j] = r as u32);
                    rank
                };
                let (r, rho) = (ranks(data), ranks(embedding.into()));
                let others = (0..n).filter(|&j| j != i as usize);
                others.for_each(|j| histogram[r[j].max(rho[j]) as usize] += 1);
                histogram
            },
        )
        .reduce(
            || vec![0; n - 1],
            |mut a, b| {
                a.iter_mut().zip(&b).for_each(|(x, y)| *x += y);
                a
            },
        );
    let mut shared = 0;
    let share = |k: usize| {
        shared += histogram[k - 1];
        shared as f64 / (k * rows.len()) as f64
    };
    Coranking { n, q_nx: (1..=n - 2).map(share).collect() }
}

impl Coranking {
    /// Returns Q_NX(k), the mean fraction of the k nearest neighbors common to both
    /// spaces, at index k − 1 for k = 1, …, n − 2; in [0, 1].
    pub fn q_nx(&self) -> &[f64] {
        &self.q_nx
    }

    /// Returns the local continuity meta-criterion, Q_NX(k) − k/(n − 1): the fraction in
    /// excess of a random embedding.
    pub fn lcmc(&self) -> Vec<f64> {
        self.each(|k, q, n| q - k / (n - 1.0))
    }

    /// Returns R_NX(k) = ((n − 1) Q_NX(k) − k) / (n − 1 − k): 0 for a random embedding, 1
    /// for a perfect one.
    pub fn r_nx(&self) -> Vec<f64> {
        self.each(|k, q, n| ((n - 1.0) * q - k) / (n - 1.0 - k))
    }

    /// Returns the area under R_NX over ln k: Σ R_NX(k)/k / Σ 1/k. In [−1, 1], 1 is best;
    /// small neighborhoods have the largest weights.
    pub fn area(&self) -> f64 {
        let weight = |k: usize| 1.0 / (k + 1) as f64;
        let total: f64 = (0..self.q_nx.len()).map(weight).sum();
        self.r_nx().iter().enumerate().map(|(k, r)| r * weight(k)).sum::<f64>() / total
    }

    /// Returns the k that maximizes [`lcmc`](Self::lcmc), which separates local (smaller
    /// k) from global (larger k) structure.
    pub fn split(&self) -> usize {
        let lcmc = self.lcmc();
        (0..lcmc.len()).fold(0, |best, k| if lcmc[k] > lcmc[best] { k } else { best }) + 1
    }

    fn each(&self, value: impl Fn(f64, f64, f64) -> f64) -> Vec<f64> {
        self.q_nx.iter().enumerate().map(|(k, &q)| value((k + 1) as f64, q, self.n as f64)).collect()
    }
}
