//! Triplets of points and of class means whose order of distances a map keeps.

use embedding::implement::squared_distance;
use embedding::{Error, PointSet, Points};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;

use crate::Estimate;
use crate::label_distortion::Classes;
use crate::reference_distances::{at_any_scale, same_length};

/// Random pairs of other points that each point is compared with by default, as published.
pub const TRIPLETS_PER_POINT: usize = 5;

/// Computes the random triplet accuracy: whether a map keeps which of two points is nearer to a third.
///
/// *Definition.* For each point i and `per_point` random pairs j, k of other points, the fraction of
/// triplets for which d_ij < d_ik in the data and in the map alike, averaged over the points. In 0 to 1;
/// 1 is best, ½ is the value of a random map. The standard error is the error of the mean over points.
///
/// *When it misleads.* Random points are usually far apart: it measures the arrangement of the whole map
/// and says nothing about neighbors. In high dimensions distances differ little, so that noise decides
/// their order.
///
/// *Cost.* O(n · per_point · (D + d)) time; the same triplets for the same seed and n.
///
/// *Fails* when the sizes differ, for fewer than 3 points, and for no triplet.
///
/// *Reference.* Wang, Huang, Rudin and Shaposhnik, Understanding how dimension reduction tools work,
/// JMLR 22:201 (2021), <https://jmlr.org/papers/v22/20-1061.html>.
pub fn random_triplet_accuracy(
    data: Points<'_>,
    map: Points<'_>,
    per_point: usize,
    seed: u64,
) -> Result<Estimate, Error> {
    let n = data.len();
    same_length("the number of embedded points", n, map.len())?;
    if n < 3 {
        return Err(Error::TooFewPoints { what: "triplets", needed: 3, got: n });
    }
    if per_point == 0 {
        return Err(Error::parameter("the number of triplets", "at least 1", 0));
    }
    let kept = |data: Points<'_>, map: Points<'_>| {
        let of_point = |i: usize| {
            let mut generator = ChaCha8Rng::seed_from_u64(seed);
            generator.set_stream(i as u64);
            let kept = (0..per_point).filter(|_| {
                let j = other(&mut generator, n, &[i]);
                let k = other(&mut generator, n, &[i.min(j), i.max(j)]);
                nearer(data, i, j, k) == nearer(map, i, j, k)
            });
            kept.count() as f64 / per_point as f64
        };
        Ok((0..n).into_par_iter().map(of_point).collect::<Vec<f64>>())
    };
    let kept = at_any_scale(data, |data| at_any_scale(map, |map| kept(data, map)))?;
    // The triplets of a point are a sample of all its triplets.
    Ok(Estimate::independent(&kept))
}

/// Computes the centroid triplet accuracy: whether a map keeps which of two classes is nearer to a third.
///
/// *Definition.* The fraction of all triplets of class means a, b < c (b and c other than a) for which
/// d_ab < d_ac in the data and in the map alike. In 0 to 1; 1 is best.
///
/// *When it misleads.* A mean stands for its class only where the class is one compact region. Few classes
/// give a coarse fraction: three classes have three triplets.
///
/// *Cost.* O(n (D + d) + c³ + c² (D + d)) time for c classes.
///
/// *Fails* when the sizes differ, and with fewer than three classes.
///
/// *Reference.* As [`random_triplet_accuracy`].
pub fn centroid_triplet_accuracy(data: Points<'_>, map: Points<'_>, labels: &[u32]) -> Result<f64, Error> {
    let kept = |data: Points<'_>, map: Points<'_>| {
        let n = data.len();
        let (mut kept, mut all) = (0_usize, 0_usize);
        for a in 0..n {
            for b in (0..n).filter(|b| *b != a) {
                for c in (b + 1..n).filter(|c| *c != a) {
                    all += 1;
                    kept += usize::from(nearer(data, a, b, c) == nearer(map, a, b, c));
                }
            }
        }
        kept as f64 / all as f64
    };
    over_class_means(data, map, labels, 3, kept)
}

/// Computes the fraction of neighboring classes that stay neighbors (KNC).
///
/// *Definition.* The mean over all classes of the fraction of the k nearest other classes in the data that
/// are among the k nearest in the map, by the distances of class means; equally near classes count in the
/// order of their labels. In 0 to 1; 1 is best. Published with k = 4 and 10.
///
/// *When it misleads.* A mean stands for its class only where the class is one compact region. With k near
/// the number of classes every map keeps most of them.
///
/// *Cost.* O(n (D + d) + c² (D + d + log c)) time for c classes.
///
/// *Fails* when the sizes differ, and unless k is between 1 and the number of classes less two.
///
/// *Reference.* Kobak and Berens, The art of using t-SNE for single-cell transcriptomics, Nature
/// Communications 10:5416 (2019), doi:10.1038/s41467-019-13056-x.
pub fn kept_neighbor_classes(
    data: Points<'_>,
    map: Points<'_>,
    labels: &[u32],
    k: usize,
) -> Result<f64, Error> {
    let count = Classes::of(labels).count();
    if k == 0 || k + 2 > count {
        let requirement = format!("1 to {}, below the number of other classes", count.saturating_sub(2));
        return Err(Error::parameter("k", requirement, k));
    }
    let kept = |data: Points<'_>, map: Points<'_>| {
        let of_class = |a: usize| {
            let near = nearest(map, a, k);
            nearest(data, a, k).iter().filter(|class| near.contains(class)).count()
        };
        (0..data.len()).map(of_class).sum::<usize>() as f64 / (k * data.len()) as f64
    };
    over_class_means(data, map, labels, 3, kept)
}

/// The value of a measure of the means of at least `least` classes, in data and map.
fn over_class_means(
    data: Points<'_>,
    map: Points<'_>,
    labels: &[u32],
    least: usize,
    measure: impl Fn(Points<'_>, Points<'_>) -> f64,
) -> Result<f64, Error> {
    same_length("the number of embedded points", data.len(), map.len())?;
    same_length("the number of labels", data.len(), labels.len())?;
    let classes = Classes::of(labels);
    if classes.count() < least {
        let requirement = format!("of at least {least} classes");
        return Err(Error::parameter("labels", requirement, classes.count()));
    }
    at_any_scale(data, |data| {
        at_any_scale(map, |map| {
            let means = |points: Points<'_>| PointSet::new(classes.means(points).concat(), points.dim());
            let (data, map) = (means(data)?, means(map)?);
            Ok(measure(data.view(), map.view()))
        })
    })
}

/// Whether point j is nearer to point i than point k.
fn nearer(points: Points<'_>, i: usize, j: usize, k: usize) -> bool {
    squared_distance(points.row(i), points.row(j)) < squared_distance(points.row(i), points.row(k))
}

/// The k points that are nearest to another one.
fn nearest(points: Points<'_>, from: usize, k: usize) -> Vec<usize> {
    let mut others: Vec<(f64, usize)> = (0..points.len())
        .filter(|other| *other != from)
        .map(|other| (squared_distance(points.row(from), points.row(other)), other))
        .collect();
    others.sort_by(|a, b| a.0.total_cmp(&b.0));
    others.iter().take(k).map(|(_, other)| *other).collect()
}

/// A random number below n that is none of some others, which ascend.
fn other(generator: &mut ChaCha8Rng, n: usize, others: &[usize]) -> usize {
    let drawn = generator.random_range(0..n - others.len());
    others.iter().fold(drawn, |drawn, other| drawn + usize::from(drawn >= *other))
}
