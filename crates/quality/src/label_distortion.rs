//! Label-trustworthiness and label-continuity.

use embedding::implement::squared_distance;
use embedding::{Error, Points};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::reference_distances::{at_any_scale, same_length};

/// How faithfully a map shows whether classes are apart. See [`label_distortion`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabelDistortion {
    /// Label-trustworthiness: 1 unless pairs of classes are closer together in the map than in the data.
    pub trustworthiness: f64,
    /// Label-continuity: 1 unless pairs of classes are farther apart in the map than in the data.
    pub continuity: f64,
}

/// Computes label-trustworthiness and label-continuity of a map with classes.
///
/// *Idea.* A map should show classes as far apart as they are in the data: classes that overlap in the
/// data must overlap in the map. The silhouette rewards separation alone.
///
/// *Definition.* The distance consistency c(a, b) of two classes is the fraction of their points that are
/// nearer to the mean of their own class than to the mean of the other one; equal distances count for the
/// class with the smaller label. Over all pairs of classes,
///
/// ```text
/// LT = 1 − mean max(0, c_data − c_map)        LC = 1 − mean max(0, c_map − c_data)
/// ```
///
/// Both are in 0 to 1, 1 is best.
///
/// *When it misleads.* The consistency assumes one center per class: a ring around another class counts as
/// overlapping. Classes of few points have coarse fractions. A map of noise has LC below 1 and LT of 1
/// where it pulls classes apart.
///
/// *Cost.* O(n c (D + d)) time for c classes.
///
/// *Fails* when the sizes differ, and with fewer than two classes.
///
/// *Reference.* Jeon, Kuo, Aupetit, Ma and Seo, Classes are not clusters: improving label-based evaluation
/// of dimensionality reduction, IEEE TVCG 30:781–791 (2024), doi:10.1109/TVCG.2023.3327187.
pub fn label_distortion(data: Points<'_>, map: Points<'_>, labels: &[u32]) -> Result<LabelDistortion, Error> {
    same_length("the number of embedded points", data.len(), map.len())?;
    same_length("the number of labels", data.len(), labels.len())?;
    let classes = Classes::of(labels);
    if classes.count() < 2 {
        return Err(Error::parameter("labels", "of at least two classes", classes.count()));
    }
    let [of_data, of_map] =
        [data, map].map(|points| at_any_scale(points, |points| Ok(consistencies(points, &classes))));
    let (of_data, of_map) = (of_data?, of_map?);
    let missed = |from: &[f64], to: &[f64]| {
        let losses = from.iter().zip(to).map(|(from, to)| (from - to).max(0.0));
        1.0 - losses.sum::<f64>() / from.len() as f64
    };
    Ok(LabelDistortion { trustworthiness: missed(&of_data, &of_map), continuity: missed(&of_map, &of_data) })
}

/// The classes of points, numbered in the order of their labels.
pub(crate) struct Classes {
    /// The class of each point.
    pub(crate) of: Vec<usize>,
    /// The number of points of each class.
    pub(crate) sizes: Vec<usize>,
}

impl Classes {
    pub(crate) fn of(labels: &[u32]) -> Self {
        let mut known = labels.to_vec();
        known.sort_unstable();
        known.dedup();
        // Every label occurs in the sorted list.
        let of: Vec<usize> = labels.iter().map(|label| known.partition_point(|k| k < label)).collect();
        let mut sizes = vec![0; known.len()];
        of.iter().for_each(|class| sizes[*class] += 1);
        Self { of, sizes }
    }

    pub(crate) fn count(&self) -> usize {
        self.sizes.len()
    }

    /// The mean of each class.
    pub(crate) fn means(&self, points: Points<'_>) -> Vec<Vec<f64>> {
        let mut means = vec![vec![0.0; points.dim()]; self.count()];
        for (row, class) in points.rows().zip(&self.of) {
            means[*class].iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
        }
        for (mean, size) in means.iter_mut().zip(&self.sizes) {
            mean.iter_mut().for_each(|sum| *sum /= *size as f64);
        }
        means
    }
}

/// The distance consistency of each pair of classes, in order.
fn consistencies(points: Points<'_>, classes: &Classes) -> Vec<f64> {
    let means = classes.means(points);
    let to_means: Vec<Vec<f64>> = (0..points.len())
        .into_par_iter()
        .map(|i| means.iter().map(|mean| squared_distance(points.row(i), mean)).collect())
        .collect();
    let count = classes.count();
    // Points of class a that are nearer to the mean of b, for all a and b.
    let mut lost = vec![0_usize; count * count];
    for (own, distances) in classes.of.iter().zip(&to_means) {
        for other in (0..count).filter(|other| other != own) {
            let (to_own, to_other) = (distances[*own], distances[other]);
            let kept = if *own < other { to_own <= to_other } else { to_own < to_other };
            lost[own * count + other] += usize::from(!kept);
        }
    }
    let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b)));
    pairs
        .map(|(a, b)| {
            let lost = lost[a * count + b] + lost[b * count + a];
            1.0 - lost as f64 / (classes.sizes[a] + classes.sizes[b]) as f64
        })
        .collect()
}
