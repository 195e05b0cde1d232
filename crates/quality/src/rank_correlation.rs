//! Rank correlation of pairwise distances.

use embedding::implement::squared_distance;
use embedding::{Error, Points};

use crate::RowSample;
use crate::reference_distances::{at_any_scale, same_length};

/// Computes Spearman's rank correlation between the pairwise distances of some points in the data and in
/// the map (CPD).
///
/// *Definition.* Pearson's correlation of the ranks of all distances between the chosen rows; equal
/// distances share the mean of their ranks. In −1 to 1; 1 is best, and 0 is the value of a random map.
/// Published with 1,000 random points.
///
/// *When it misleads.* Most pairs of points are far apart: it measures the arrangement of the whole map.
/// It compares with straight distances, so that an unrolled sheet has a low value.
///
/// *Cost.* O(m² (D + d + log m)) time and 16 m² bytes for m rows.
///
/// *Fails* when the sizes differ, for fewer than 3 rows, and where all distances of one side are equal.
///
/// *Reference.* Kobak and Berens, The art of using t-SNE for single-cell transcriptomics, Nature
/// Communications 10:5416 (2019), doi:10.1038/s41467-019-13056-x.
pub fn distance_rank_correlation(data: Points<'_>, map: Points<'_>, rows: RowSample) -> Result<f64, Error> {
    same_length("the number of embedded points", data.len(), map.len())?;
    let rows = rows.choose(data.len());
    if rows.len() < 3 {
        return Err(Error::TooFewPoints { what: "a correlation of distances", needed: 3, got: rows.len() });
    }
    let ranks = |points: Points<'_>| at_any_scale(points, |points| Ok(ranks(&squared(points, &rows))));
    let (of_data, of_map) = (ranks(data)?, ranks(map)?);
    // The mean of all ranks, with shared ones.
    let mean = (of_data.len() - 1) as f64 / 2.0;
    let sum = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>();
    let (xx, yy) = (sum(&of_data, &of_data), sum(&of_map, &of_map));
    for (variance, what) in [(xx, "the data"), (yy, "the map")] {
        if variance == 0.0 {
            return Err(Error::degenerate(
                format!("all distances of {what} are equal"),
                "a correlation needs at least two different distances",
            ));
        }
    }
    Ok((sum(&of_data, &of_map) / (xx.sqrt() * yy.sqrt())).clamp(-1.0, 1.0))
}

/// The squared distances of all pairs of some rows.
fn squared(points: Points<'_>, rows: &[u32]) -> Vec<f64> {
    let row = |at: usize| points.row(rows[at] as usize);
    (0..rows.len())
        .flat_map(|i| (i + 1..rows.len()).map(move |j| (i, j)))
        .map(|(i, j)| squared_distance(row(i), row(j)))
        .collect()
}

/// The rank of each value, from 0; equal values share the mean of their ranks.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_unstable_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut first = 0;
    for equal in order.chunk_by(|a, b| values[*a] == values[*b]) {
        let shared = first as f64 + (equal.len() - 1) as f64 / 2.0;
        equal.iter().for_each(|at| ranks[*at] = shared);
        first += equal.len();
    }
    ranks
}
