//! Trustworthiness and continuity.

use embedding::{Error, Points};
use rayon::prelude::*;

use crate::ranked_row::{RankedRow, check_k};
use crate::reference_distances::{at_any_scales, same_length};
use crate::{Estimate, Original, RowSample};

/// Computes trustworthiness: whether neighbors in the embedding are neighbors in the data.
///
#[doc = include_str!("explanations/trustworthiness.md")]
///
/// *Cost.* O(n² (D + d + k)) time, rows in parallel, O(n) memory per row; for sparse points D is
/// the number of entries of a row.
///
/// *Fails* unless 1 ≤ k < n/2 (where the normalization is valid) and both sets have n
/// points.
///
/// ```
/// use embedding::Points;
/// let line: Vec<f64> = (0..20).map(f64::from).collect();
/// let shuffled: Vec<f64> = (0..20).map(|i| f64::from(i * 7 % 20)).collect();
/// let (line, shuffled) = (Points::new(&line, 1)?, Points::new(&shuffled, 1)?);
/// assert_eq!(quality::ranks::trustworthiness(line, line, 5)?, 1.0);
/// assert!(quality::ranks::trustworthiness(line, shuffled, 5)? < 0.8);
/// # Ok::<(), embedding::Error>(())
/// ```
pub fn trustworthiness<'a>(
    data: impl Into<Original<'a>>,
    embedding: Points<'_>,
    k: usize,
) -> Result<f64, Error> {
    Ok(trustworthiness_over(data, embedding, k, RowSample::All)?.value)
}

/// [`trustworthiness`] over a sample of rows: an unbiased estimate with its standard
/// error, in O(rows · n (D + d + k)) time.
pub fn trustworthiness_over<'a>(
    data: impl Into<Original<'a>>,
    embedding: Points<'_>,
    k: usize,
    rows: RowSample,
) -> Result<Estimate, Error> {
    at_any_scales(data.into(), embedding, |data, map| intrusions(data, map.into(), k, rows))
}

/// Computes continuity: whether neighbors in the data are neighbors in the embedding.
///
#[doc = include_str!("explanations/continuity.md")]
///
/// Cost and failures are the same as for [`trustworthiness`].
pub fn continuity<'a>(data: impl Into<Original<'a>>, embedding: Points<'_>, k: usize) -> Result<f64, Error> {
    Ok(continuity_over(data, embedding, k, RowSample::All)?.value)
}

/// [`continuity`] over a sample of rows, as [`trustworthiness_over`].
pub fn continuity_over<'a>(
    data: impl Into<Original<'a>>,
    embedding: Points<'_>,
    k: usize,
    rows: RowSample,
) -> Result<Estimate, Error> {
    at_any_scales(data.into(), embedding, |data, map| intrusions(map.into(), data, k, rows))
}

/// Returns 1 − the normalized penalty of the points near in `chosen` but far in `judge`.
fn intrusions(
    judge: Original<'_>,
    chosen: Original<'_>,
    k: usize,
    rows: RowSample,
) -> Result<Estimate, Error> {
    rows.check()?;
    let n = judge.len();
    same_length("the number of embedded points", n, chosen.len())?;
    check_k(k, n)?;
    let scores: Vec<f64> = rows
        .choose(n)
        .into_par_iter()
        .map(|i| {
            let judged = RankedRow::of(judge, i as usize);
            let near = RankedRow::of(chosen, i as usize).nearest(k);
            let penalty: usize = near.into_iter().map(|j| judged.rank(j).saturating_sub(k)).sum();
            1.0 - penalty as f64 * row_normalization(n, k)
        })
        .collect();
    Ok(Estimate::mean(&scores, n))
}

/// Returns the reciprocal of the largest penalty of a row: 2 / (k (2n − 3k − 1)).
pub(crate) fn row_normalization(n: usize, k: usize) -> f64 {
    2.0 / (k as f64 * (2.0 * n as f64 - 3.0 * k as f64 - 1.0))
}
