//! Separation of classes.

use embedding::{Error, Points};
use rayon::prelude::*;

use crate::reference_distances::{at_any_scale, same_length, squared_distances};
use crate::{Estimate, RowSample};

/// Computes the mean silhouette of labeled points.
///
#[doc = include_str!("explanations/silhouette.md")]
///
/// *Cost.* O(n² d) time, rows in parallel, O(n) memory per row.
///
/// *Fails* when the sizes differ, and with fewer than two classes.
pub fn silhouette(points: Points<'_>, labels: &[u32]) -> Result<f64, Error> {
    Ok(silhouette_over(points, labels, RowSample::All)?.value)
}

/// [`silhouette`] over a sample of rows: an unbiased estimate with its standard error, in
/// O(rows · n d) time.
pub fn silhouette_over(points: Points<'_>, labels: &[u32], rows: RowSample) -> Result<Estimate, Error> {
    rows.check()?;
    let n = points.len();
    same_length("the number of labels", n, labels.len())?;
    let mut classes = labels.to_vec();
    classes.sort_unstable();
    classes.dedup();
    if classes.len() < 2 {
        return Err(Error::parameter("labels", "of at least two classes", classes.len()));
    }
    // Every label occurs in the sorted list of classes.
    let class: Vec<usize> = labels.iter().map(|l| classes.partition_point(|c| c < l)).collect();
    let mut sizes = vec![0_usize; classes.len()];
    class.iter().for_each(|&c| sizes[c] += 1);
    let values = at_any_scale(points, |points| Ok(of_rows(points, &class, &sizes, &rows.choose(n))))?;
    Ok(Estimate::mean(&values, n))
}

/// The silhouette over rows of points, given the class of each point, from 0, and the sizes of all
/// classes.
fn of_rows(points: Points<'_>, class: &[usize], sizes: &[usize], rows: &[u32]) -> Vec<f64> {
    let n = points.len();
    rows.par_iter()
        .map_init(
            || (vec![0.0; n], vec![0.0; sizes.len()]),
            |(row, sums), &i| {
                let i = i as usize;
                let own = class[i];
                if sizes[own] == 1 {
                    return 0.0;
                }
                squared_distances(points, i, row);
                sums.fill(0.0);
                row.iter().zip(class).for_each(|(d, &c)| sums[c] += d.sqrt());
                let within = sums[own] / (sizes[own] - 1) as f64;
                let others = (0..sizes.len()).filter(|&c| c != own);
                let between = others.map(|c| sums[c] / sizes[c] as f64);
                let between = embedding::implement::minimum(between);
                let larger = within.max(between);
                if larger > 0.0 { (between - within) / larger } else { 0.0 }
            },
        )
        .collect()
}
