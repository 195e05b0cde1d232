//! Stratified sampling.

use embedding::Error;

use crate::Labels;
use crate::random::Random;

/// Returns `n` of `all` rows, stratified by the labels where there are any; `whose` names
/// them in the error. Fails when n is 0 or exceeds the number of rows.
pub(crate) fn drawn(
    all: usize,
    labels: Option<&Labels>,
    n: usize,
    seed: u64,
    whose: &str,
) -> Result<Vec<u32>, Error> {
    if !(1..=all).contains(&n) {
        return Err(Error::parameter("n", format!("from 1 to {all} for {whose}"), n));
    }
    let one = Labels::new("all", ["all"], vec![0; all]);
    Ok(stratified(labels.unwrap_or(&one), n, seed))
}

/// Returns `n` rows of a labeled set, sampled so that each class keeps its proportion to within a row or two.
///
/// Requesting all rows returns them in their original order. Smaller samples are prefixes
/// of an order in which every class is evenly distributed: row j of a shuffled class with
/// c rows has the key (j + ½) / c. So a smaller sample is a prefix of a larger one, and
/// any range of a sample is stratified as well.
pub(crate) fn stratified(labels: &Labels, n: usize, seed: u64) -> Vec<u32> {
    let all = labels.values.len();
    if n >= all {
        return (0..all as u32).collect();
    }
    let mut random = Random::new(seed);
    let mut order = Vec::with_capacity(all);
    for class in 0..labels.classes.len() as u32 {
        let mut rows: Vec<u32> =
            (0..all as u32).filter(|&row| labels.values[row as usize] == class).collect();
        random.shuffle(&mut rows);
        let count = rows.len() as f64;
        order.extend(rows.into_iter().enumerate().map(|(j, row)| ((j as f64 + 0.5) / count, row)));
    }
    // Ties are broken by row index, which the shuffle made independent of the class.
    order.sort_by(|(a, row), (b, other)| a.total_cmp(b).then(row.cmp(other)));
    order.truncate(n);
    order.into_iter().map(|(_, row)| row).collect()
}
