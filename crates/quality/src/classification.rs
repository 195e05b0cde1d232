//! Nearest-neighbor classification accuracy.

use embedding::implement::{Division, Scale, squared_distance};
use embedding::{Error, Points};
use neighbor_graph::NeighborSearch;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::reference_distances::{at_any_scale, same_length};

/// The points from which the class of a point is predicted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Validation {
    /// All other points (leave-one-out).
    #[default]
    LeaveOneOut,
    /// The points outside its own fold. Folds are stratified and deterministic, as in
    /// scikit-learn's `StratifiedKFold` without shuffling.
    Folds {
        /// Number of folds, between 2 and the size of the largest class.
        count: usize,
    },
}

/// Computes the accuracy of the k-nearest-neighbor classifier.
///
#[doc = include_str!("explanations/knn_accuracy.md")]
///
/// Points at equal distances are ordered by index. With folds the result is the mean accuracy of
/// the folds.
///
/// *Cost.* A neighbor search, O(n log n) time in few dimensions; with folds O(n² (d + 1)), rows in
/// parallel, O(n) memory per row.
///
/// *Fails* if the sizes differ, if k is 0 or exceeds the smallest number of admissible
/// points, or if the number of folds is out of range.
pub fn knn_accuracy(
    points: Points<'_>,
    labels: &[u32],
    k: usize,
    validation: Validation,
) -> Result<f64, Error> {
    let n = points.len();
    same_length("the number of labels", n, labels.len())?;
    // Fold of each point; leaving one out is n folds of one point.
    let (folds, count): (Vec<u32>, usize) = match validation {
        Validation::LeaveOneOut => ((0..n as u32).collect(), n),
        Validation::Folds { count } => (stratified_folds(labels, count)?, count),
    };
    let mut sizes = vec![0_usize; count];
    folds.iter().for_each(|&f| sizes[f as usize] += 1);
    let admissible = n - sizes.iter().copied().max().unwrap_or(n);
    if k == 0 || k > admissible {
        return Err(Error::parameter("k", format!("between 1 and {admissible}"), k));
    }
    if validation == Validation::LeaveOneOut {
        let lists = NeighborSearch::nearest(k).find(points)?;
        let right = |i: &usize| {
            majority(lists.indices_of(*i).iter().map(|&j| labels[j as usize])) == Some(labels[*i])
        };
        return Ok((0..n).into_par_iter().filter(right).count() as f64 / n as f64);
    }
    let right: Vec<bool> = at_any_scale(points, |points| {
        let of = |i| {
            let near = (0..n)
                .filter(|&j| folds[j] != folds[i])
                .map(|j| (squared_distance(points.row(i), points.row(j)), j))
                .collect();
            vote(near, labels, k) == Some(labels[i])
        };
        Ok((0..n).into_par_iter().map(of).collect())
    })?;
    let mut hits = vec![0_usize; count];
    folds.iter().zip(&right).filter(|(_, r)| **r).for_each(|(&f, _)| hits[f as usize] += 1);
    let total: f64 = hits.iter().zip(&sizes).map(|(&h, &s)| h as f64 / s as f64).sum();
    Ok(total / count as f64)
}

/// Computes the accuracy of the k-nearest-neighbor classifier on new points.
///
/// *Definition.* The predicted label of a new point is the most frequent one among its k
/// nearest known points (ordered by distance, then index; of equally frequent labels the
/// smallest). The score is the fraction of new points predicted correctly, in [0, 1]; 1
/// is best.
///
/// *Cost.* O(m n (d + 1)) time for m new points, rows in parallel, O(n) memory
/// per row.
///
/// *Fails* if the sizes differ, or if k is 0 or exceeds the number of known points.
///
/// *Reference.* Cover and Hart, Nearest neighbor pattern classification, IEEE
/// Transactions on Information Theory 13 (1967),
/// <https://doi.org/10.1109/TIT.1967.1053964>.
pub fn knn_accuracy_of_new(
    known: Points<'_>,
    known_labels: &[u32],
    new: Points<'_>,
    new_labels: &[u32],
    k: usize,
) -> Result<f64, Error> {
    let n = known.len();
    same_length("the number of labels", n, known_labels.len())?;
    same_length("the number of labels of new points", new.len(), new_labels.len())?;
    same_length("the number of columns of new points", known.dim(), new.dim())?;
    if k == 0 || k > n {
        return Err(Error::parameter("k", format!("between 1 and {n}"), k));
    }
    // In units of one scale, the scale of the known points.
    let scale = Scale::of_points(known, Division::Least);
    let hits = scale.divided(known, |known| {
        scale.divided(new, |new| {
            let right = |i: &usize| {
                let near = (0..n).map(|j| (squared_distance(new.row(*i), known.row(j)), j)).collect();
                vote(near, known_labels, k) == Some(new_labels[*i])
            };
            Ok((0..new.len()).into_par_iter().filter(right).count())
        })
    })?;
    Ok(hits as f64 / new.len() as f64)
}

/// Returns the majority label of the k nearest points.
fn vote(mut near: Vec<(f64, usize)>, labels: &[u32], k: usize) -> Option<u32> {
    let order = |a: &(f64, usize), b: &(f64, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    near.select_nth_unstable_by(k - 1, order);
    majority(near[..k].iter().map(|e| labels[e.1]))
}

/// Returns the most frequent label; of equally frequent ones the smallest.
pub(crate) fn majority(labels: impl Iterator<Item = u32>) -> Option<u32> {
    let mut sorted: Vec<u32> = labels.collect();
    sorted.sort_unstable();
    let mut best: Option<&[u32]> = None;
    for run in sorted.chunk_by(|a, b| a == b) {
        if best.is_none_or(|b| run.len() > b.len()) {
            best = Some(run);
        }
    }
    best.map(|run| run[0])
}

/// Returns the fold of each point: every class is distributed over the folds as evenly as
/// the sorted labels, in order of first appearance.
fn stratified_folds(labels: &[u32], count: usize) -> Result<Vec<u32>, Error> {
    // Classes are numbered by first appearance.
    let mut classes: Vec<u32> = Vec::new();
    let encoded: Vec<usize> = labels
        .iter()
        .map(|label| {
            classes.iter().position(|c| c == label).unwrap_or_else(|| {
                classes.push(*label);
                classes.len() - 1
            })
        })
        .collect();
    let mut sizes = vec![0_usize; classes.len()];
    encoded.iter().for_each(|&c| sizes[c] += 1);
    let most = sizes.iter().copied().max().unwrap_or(0);
    if count < 2 || count > most {
        return Err(Error::parameter(
            "folds",
            format!("between 2 and {most}, the size of the largest class"),
            count,
        ));
    }
    // Sorted by class, point number p is assigned to fold p mod count, which fixes the
    // number of points of each class in a fold. Within a class, folds are filled in
    // order.
    let mut quota = vec![vec![0_usize; count]; classes.len()];
    let starts = sizes.iter().scan(0, |start, size| {
        let at = *start;
        *start += size;
        Some(at..at + size)
    });
    for (class, positions) in starts.enumerate() {
        positions.for_each(|p| quota[class][p % count] += 1);
    }
    let mut at = vec![0_usize; classes.len()];
    Ok(encoded
        .iter()
        .map(|&class| {
            while quota[class][at[class]] == 0 {
                at[class] += 1;
            }
            quota[class][at[class]] -= 1;
            at[class] as u32
        })
        .collect())
}
