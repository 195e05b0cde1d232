//! Sampling of triplets.

use embedding::implement::proceed;
use embedding::{Error, Observer};
use layout::{LANES, Sampler, ScaledNeighbors, for_each_point};

use crate::weights::Weighting;

/// Purpose of the streams.
const SAMPLING: u64 = 3;

/// How many triplets each point has, and what they weigh.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    /// Outliers of each inlier.
    pub(crate) outliers: usize,
    /// Triplets of random points.
    pub(crate) random: usize,
    /// Factor of the margins of random triplets.
    pub(crate) random_weight: f64,
}

/// Triplets (i, j, k), the point i closer to j than to k, listed by their point i. Lists are filled
/// up to whole blocks by the point itself with weight 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Triplets {
    starts: Vec<usize>,
    /// Number of triplets of each point.
    counts: Vec<usize>,
    inliers: Vec<u32>,
    outliers: Vec<u32>,
    weights: Vec<f32>,
    /// Number of triplets of neighbors and of random points.
    pub(crate) numbers: [usize; 2],
}

/// Inliers, outliers and weights.
pub(crate) type Block<'a> = (&'a [u32; LANES], &'a [u32; LANES], &'a [f32; LANES]);

/// The triplets of one point: an inlier, an outlier, and by how much the outlier's scaled distance
/// is the larger one.
type List = Vec<(u32, u32, f64)>;

impl Triplets {
    /// Samples the triplets of all points; `distance` gives the distance of two points. The smallest margin
    /// is part of the result's weighting. O(n (k outliers + random) D).
    pub(crate) fn sample(
        distance: &(impl Fn(usize, usize) -> f64 + Sync),
        neighbors: &ScaledNeighbors,
        counts: Counts,
        weighting: Weighting,
        seed: u64,
        observer: &dyn Observer,
    ) -> Result<(Self, Weighting), Error> {
        let n = neighbors.len();
        let scales = neighbors.scales().values();
        let scaled =
            |i: usize, j: u32| weighting.scaled(distance(i, j as usize), scales[i], scales[j as usize]);
        let lists = for_each_point(n, (seed, SAMPLING, 0), |i, sampler, random| {
            list(i, neighbors.of(i), counts, scaled, sampler, random)
        });
        proceed(observer, 1, 2)?;
        let margins = lists.iter().flatten().map(|triplet| triplet.2);
        let least = margins.fold(f64::INFINITY, f64::min);
        if !least.is_finite() {
            return Err(Error::degenerate(
                "scaled distances leave the range of numbers",
                "leave out points that are very far from all others, or raise least-scale",
            ));
        }
        let weighting = Weighting { least, ..weighting };
        let mut triplets = Self { starts: vec![0], ..Self::default() };
        for list in &lists {
            triplets.push(list.iter().map(|&(j, k, margin)| (j, k, weighting.weight(margin) as f32)));
        }
        let random = n * counts.random;
        triplets.numbers = [triplets.len() - random, random];
        proceed(observer, 2, 2)?;
        Ok((triplets, weighting))
    }

    /// Adds the triplets (inlier, outlier, weight) of the next point.
    fn push(&mut self, list: impl Iterator<Item = (u32, u32, f32)>) {
        let (first, point) = (self.inliers.len(), self.points() as u32);
        for (inlier, outlier, weight) in list {
            self.inliers.push(inlier);
            self.outliers.push(outlier);
            self.weights.push(weight);
        }
        let count = self.inliers.len() - first;
        let end = first + count.next_multiple_of(LANES);
        self.inliers.resize(end, point);
        self.outliers.resize(end, point);
        self.weights.resize(end, 0.0);
        self.counts.push(count);
        self.starts.push(end);
    }

    /// Number of points.
    pub(crate) fn points(&self) -> usize {
        self.starts.len() - 1
    }

    /// Number of triplets.
    pub(crate) fn len(&self) -> usize {
        self.counts.iter().sum()
    }

    /// Inliers, outliers and weights of the triplets of point `i`.
    pub(crate) fn of(&self, i: usize) -> (&[u32], &[u32], &[f32]) {
        let range = self.starts[i]..self.starts[i] + self.counts[i];
        (&self.inliers[range.clone()], &self.outliers[range.clone()], &self.weights[range])
    }

    /// The same in whole blocks.
    pub(crate) fn blocks_of(&self, i: usize) -> impl Iterator<Item = Block<'_>> {
        let range = self.starts[i]..self.starts[i + 1];
        let [inliers, outliers] =
            [&self.inliers, &self.outliers].map(|points| points[range.clone()].as_chunks().0);
        let weights = self.weights[range].as_chunks().0;
        inliers.iter().zip(outliers).zip(weights).map(|((js, ks), ws)| (js, ks, ws))
    }
}

/// The triplets of point `i`: for each inlier, nearest first, random points that are neither
/// it nor a nearer inlier; then pairs of random points, the closer one first.
fn list(
    i: usize,
    inliers: &[u32],
    counts: Counts,
    scaled: impl Fn(usize, u32) -> f64,
    sampler: &mut Sampler,
    random: &mut rand_chacha::ChaCha8Rng,
) -> List {
    let (mut list, mut drawn) = (List::new(), Vec::new());
    for &inlier in inliers {
        sampler.exclude(inlier);
        let near = scaled(i, inlier);
        sampler.draw(random, counts.outliers, &mut drawn);
        for &outlier in &drawn {
            list.push((inlier, outlier, scaled(i, outlier) - near));
            sampler.release(outlier);
        }
    }
    sampler.clear();
    sampler.exclude(i as u32);
    for _ in 0..counts.random {
        sampler.draw(random, 2, &mut drawn);
        let (a, b) = (drawn[0], drawn[1]);
        let margin = scaled(i, b) - scaled(i, a);
        let (inlier, outlier) = if margin < 0.0 { (b, a) } else { (a, b) };
        list.push((inlier, outlier, counts.random_weight * margin.abs()));
        drawn.iter().for_each(|&j| sampler.release(j));
    }
    list
}

#[cfg(test)]
mod tests {
    use embedding::Silent;
    use embedding::implement::squared_distance;
    use neighbor_graph::{NeighborSearch, Neighborhood};
    use testkit::cases::cloud;

    use super::*;

    const COUNTS: Counts = Counts { outliers: 4, random: 3, random_weight: 0.1 };

    impl Triplets {
        /// Given triplets (inlier, outlier, weight) of all points.
        pub(crate) fn of_lists(lists: Vec<Vec<(u32, u32, f32)>>) -> Self {
            let mut triplets = Self { starts: vec![0], ..Self::default() };
            lists.into_iter().for_each(|list| triplets.push(list.into_iter()));
            triplets
        }
    }

    fn sampled(
        n: usize,
        k: usize,
        counts: Counts,
        temperature: f64,
    ) -> (testkit::cases::Case, Triplets, Weighting) {
        let case = cloud(n, 4, 3);
        let candidates = Neighborhood::Nearest { k: (k + 50).min(n - 1) };
        let lists = NeighborSearch::from(candidates).find(case.view()).expect("legal");
        let distance = |i, j| squared_distance(case.view().row(i), case.view().row(j)).sqrt();
        let neighbors = ScaledNeighbors::select(&lists, k);
        let weighting = Weighting { floor: 1e-9, least: 0.0, temperature };
        let (triplets, weighting) =
            Triplets::sample(&distance, &neighbors, counts, weighting, 7, &Silent).expect("not canceled");
        (case, triplets, weighting)
    }

    /// All scaled distances p_ij = d_ij² / (σ_i σ_j), from sorted distances.
    fn scaled(case: &testkit::cases::Case) -> Vec<Vec<f64>> {
        let n = case.len();
        let d = |i: usize, j: usize| squared_distance(case.view().row(i), case.view().row(j)).sqrt();
        let sigma: Vec<f64> = (0..n)
            .map(|i| {
                let mut all: Vec<f64> = (0..n).filter(|&j| j != i).map(|j| d(i, j)).collect();
                all.sort_by(f64::total_cmp);
                (all[3] + all[4] + all[5]) / 3.0
            })
            .collect();
        (0..n).map(|i| (0..n).map(|j| d(i, j).powi(2) / (sigma[i] * sigma[j])).collect()).collect()
    }

    /// Inliers are the nearest of all candidates by scaled distance, outliers none of the
    /// nearer ones, and distinct.
    #[test]
    fn triplets_of_neighbors_are_those_of_the_definition() {
        let (case, triplets, _) = sampled(200, 12, COUNTS, 0.5);
        let p = scaled(&case);
        assert_eq!(triplets.numbers, [200 * 48, 600]);
        for (i, p) in p.iter().enumerate() {
            let (inliers, outliers, _) = triplets.of(i);
            let mut nearest: Vec<usize> = (0..200).filter(|&j| j != i).collect();
            // Only the 62 nearest are candidates.
            let d = |j: usize| squared_distance(case.view().row(i), case.view().row(j));
            nearest.sort_by(|&a, &b| d(a).total_cmp(&d(b)));
            nearest.truncate(62);
            nearest.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
            for rank in 0..12 {
                let range = 4 * rank..4 * rank + 4;
                assert!(inliers[range.clone()].iter().all(|&j| j as usize == nearest[rank]), "{i}, {rank}");
                let mut drawn: Vec<usize> = outliers[range].iter().map(|&k| k as usize).collect();
                assert!(drawn.iter().all(|k| *k != i && !nearest[..=rank].contains(k)), "{i}, {rank}");
                drawn.sort_unstable();
                drawn.dedup();
                assert_eq!(drawn.len(), 4);
            }
        }
    }

    /// Outliers are uniform among the points that may be drawn: of the first inlier all but
    /// it and the point itself.
    #[test]
    fn outliers_are_drawn_uniformly() {
        let (_, triplets, _) = sampled(1000, 1, Counts { outliers: 8, random: 0, ..COUNTS }, 0.5);
        let mut counts = vec![0.0_f64; 1000];
        (0..1000).for_each(|i| triplets.of(i).1.iter().for_each(|&k| counts[k as usize] += 1.0));
        // χ² with 999 degrees of freedom, of standard deviation √1998.
        let square = counts.iter().map(|c| (c - 8.0).powi(2) / 8.0).sum::<f64>();
        assert!((square - 999.0).abs() < 5.0 * 1998_f64.sqrt(), "{square}");
    }

    #[test]
    fn random_triplets_are_in_the_order_of_scaled_distances() {
        let (case, triplets, _) = sampled(90, 6, COUNTS, 0.5);
        let p = scaled(&case);
        for (i, p) in p.iter().enumerate() {
            let (inliers, outliers, _) = triplets.of(i);
            assert_eq!(inliers.len(), 6 * 4 + 3);
            for (&j, &k) in inliers[24..].iter().zip(&outliers[24..]) {
                assert!(j != k && j as usize != i && k as usize != i);
                assert!(p[j as usize] <= p[k as usize], "{i}, {j}, {k}");
            }
        }
    }

    /// Margins above the smallest, by the tempered logarithm at 0.5: 2 (√(1 + m) − 1).
    #[test]
    fn weights_are_those_of_the_definition() {
        let (case, triplets, weighting) = sampled(150, 10, COUNTS, 0.5);
        let p = scaled(&case);
        let margins: Vec<Vec<f64>> = (0..150)
            .map(|i| {
                let (inliers, outliers, _) = triplets.of(i);
                let margin = |at: usize| p[i][outliers[at] as usize] - p[i][inliers[at] as usize];
                (0..inliers.len()).map(|at| margin(at) * if at < 40 { 1.0 } else { 0.1 }).collect()
            })
            .collect();
        let least = margins.iter().flatten().copied().fold(f64::INFINITY, f64::min);
        assert!((weighting.least - least).abs() < 1e-9, "{}, {least}", weighting.least);
        for (i, margins) in margins.iter().enumerate() {
            for (&weight, margin) in triplets.of(i).2.iter().zip(margins) {
                let expected = 2.0 * ((1.0 + margin - least).sqrt() - 1.0);
                assert!(
                    (f64::from(weight) - expected).abs() < 1e-6 * (1.0 + expected),
                    "{weight}, {expected}"
                );
            }
        }
    }

    #[test]
    fn few_points_have_the_triplets_that_exist() {
        let (_, three, _) = sampled(3, 1, COUNTS, 0.5);
        assert_eq!(three.numbers, [3, 9]);
        let (_, six, _) = sampled(6, 4, COUNTS, 0.5);
        assert_eq!(six.numbers, [6 * (4 + 3 + 2 + 1), 18]);
    }
}
