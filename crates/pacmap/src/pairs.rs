//! Selection of pairs.

use embedding::implement::proceed;
use embedding::{Error, Observer};
use layout::{LANES, ScaledNeighbors, for_each_point};

/// Purposes of streams.
const MID_NEAR: u64 = 0;
const FURTHER: u64 = 1;

/// A list of other points for each point.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Lists {
    starts: Vec<usize>,
    indices: Vec<u32>,
}

/// Pairs of the three kinds, each in the list of the point that selected it.
#[derive(Clone, Debug)]
pub(crate) struct Pairs {
    pub(crate) near: Lists,
    pub(crate) mid_near: Lists,
    pub(crate) further: Lists,
}

/// How many pairs each point selects.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    pub(crate) mid_near: usize,
    pub(crate) further: usize,
    /// Number of random points drawn; the second nearest is the mid-near one.
    pub(crate) draws: usize,
}

impl Lists {
    /// The lists of all points.
    pub(crate) fn of_points(lists: &[Vec<u32>]) -> Self {
        let mut starts = vec![0];
        starts.extend(lists.iter().scan(0, |sum, list| {
            *sum += list.len();
            Some(*sum)
        }));
        Self { starts, indices: lists.concat() }
    }

    /// The list of point `i`.
    pub(crate) fn of(&self, i: usize) -> &[u32] {
        &self.indices[self.starts[i]..self.starts[i + 1]]
    }

    /// Number of points.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Number of pairs.
    pub(crate) fn pairs(&self) -> usize {
        self.indices.len()
    }

    /// The lists in which each pair is at both of its ends.
    pub(crate) fn both_ways(&self) -> Blocks {
        let n = self.len();
        let mut ends = vec![0; n];
        for i in 0..n {
            ends[i] += self.of(i).len();
            self.of(i).iter().for_each(|&j| ends[j as usize] += 1);
        }
        let mut starts = Vec::with_capacity(n + 1);
        let mut blocks = Vec::with_capacity(ends.iter().map(|end| end.div_ceil(LANES)).sum());
        for (i, end) in ends.iter_mut().enumerate() {
            starts.push(blocks.len());
            let first = blocks.len();
            blocks.resize(first + end.div_ceil(LANES), [i as u32; LANES]);
            *end = LANES * first;
        }
        starts.push(blocks.len());
        let mut put = |i: usize, j: u32| {
            blocks.as_flattened_mut()[ends[i]] = j;
            ends[i] += 1;
        };
        for i in 0..n {
            for &j in self.of(i) {
                put(i, j);
                put(j as usize, i as u32);
            }
        }
        Blocks { starts, blocks }
    }
}

/// A list of other points for each point, filled up to whole blocks by the point itself.
#[derive(Clone, Debug)]
pub(crate) struct Blocks {
    starts: Vec<usize>,
    blocks: Vec<[u32; LANES]>,
}

impl Blocks {
    /// The list of point `i`.
    pub(crate) fn of(&self, i: usize) -> &[[u32; LANES]] {
        &self.blocks[self.starts[i]..self.starts[i + 1]]
    }
}

impl Pairs {
    /// Selects the pairs of all points; `distances` writes those from a point to others.
    /// O(n (mid_near · draws · D + further)).
    pub(crate) fn select(
        distances: &(impl Fn(usize, &[u32], &mut [f64]) + Sync),
        neighbors: &ScaledNeighbors,
        counts: Counts,
        seed: u64,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let n = neighbors.len();
        let near: Vec<Vec<u32>> = (0..n).map(|i| neighbors.of(i).to_vec()).collect();
        proceed(observer, 1, 3)?;
        let mid_near = for_each_point(n, (seed, MID_NEAR, 0), |i, sampler, random| {
            let mut chosen = Vec::with_capacity(counts.mid_near);
            let (mut drawn, mut lengths) = (Vec::new(), Vec::new());
            while chosen.len() < counts.mid_near {
                sampler.draw(random, counts.draws, &mut drawn);
                lengths.resize(drawn.len(), 0.0);
                distances(i, &drawn, &mut lengths);
                let second = second_nearest(lengths.iter().copied().zip(drawn.iter().copied()));
                let Some(second) = second else { break };
                drawn.iter().filter(|&&j| j != second).for_each(|&j| sampler.release(j));
                chosen.push(second);
            }
            chosen
        });
        proceed(observer, 2, 3)?;
        let further = for_each_point(n, (seed, FURTHER, 0), |i, sampler, random| {
            near[i].iter().for_each(|&j| sampler.exclude(j));
            let mut drawn = Vec::new();
            sampler.draw(random, counts.further, &mut drawn);
            drawn
        });
        proceed(observer, 3, 3)?;
        let [near, mid_near, further] = [near, mid_near, further].map(|lists| Lists::of_points(&lists));
        Ok(Self { near, mid_near, further })
    }
}

/// The second nearest of some points with their distances, ties by index; `None` for fewer than two.
fn second_nearest(points: impl Iterator<Item = (f64, u32)>) -> Option<u32> {
    let mut two = [(f64::INFINITY, u32::MAX); 2];
    for one in points {
        if one < two[0] {
            two = [one, two[0]];
        } else if one < two[1] {
            two[1] = one;
        }
    }
    (two[1].1 != u32::MAX).then_some(two[1].1)
}

#[cfg(test)]
mod tests {
    use embedding::Silent;
    use embedding::implement::squared_distance;
    use neighbor_graph::{NeighborSearch, implement::distances_from};
    use testkit::cases::cloud;

    use super::*;

    const COUNTS: Counts = Counts { mid_near: 5, further: 20, draws: 6 };

    fn pairs(n: usize, k: usize, candidates: usize, counts: Counts) -> (testkit::cases::Case, Pairs) {
        let case = cloud(n, 4, 3);
        let lists = NeighborSearch::nearest(candidates).find(case.view()).expect("legal");
        let distances = |i: usize, of: &[u32], to: &mut [f64]| distances_from(case.view(), i, of, to);
        let neighbors = ScaledNeighbors::select(&lists, k);
        let pairs = Pairs::select(&distances, &neighbors, counts, 7, &Silent).expect("not canceled");
        (case, pairs)
    }

    /// All distances from point i, sorted, with their points.
    fn by_distance(case: &testkit::cases::Case, i: usize) -> Vec<(f64, usize)> {
        let others = (0..case.len()).filter(|&j| j != i);
        let mut all: Vec<(f64, usize)> =
            others.map(|j| (squared_distance(case.view().row(i), case.view().row(j)).sqrt(), j)).collect();
        all.sort_by(|a, b| a.partial_cmp(b).expect("finite"));
        all
    }

    #[test]
    fn near_pairs_have_the_smallest_scaled_distances_among_the_candidates() {
        const CANDIDATES: usize = 40;
        let (case, pairs) = pairs(200, 10, CANDIDATES, COUNTS);
        let sigma: Vec<f64> =
            (0..200).map(|i| by_distance(&case, i)[3..6].iter().map(|(d, _)| d).sum::<f64>() / 3.0).collect();
        for i in 0..200 {
            let mut scaled: Vec<(f64, usize)> = by_distance(&case, i)[..CANDIDATES]
                .iter()
                .map(|&(d, j)| (d * d / (sigma[i] * sigma[j]), j))
                .collect();
            scaled.sort_by(|a, b| a.partial_cmp(b).expect("finite"));
            let expected: Vec<u32> = scaled[..10].iter().map(|&(_, j)| j as u32).collect();
            assert_eq!(pairs.near.of(i), expected, "point {i}");
        }
    }

    /// The second smallest of 6 random numbers out of 1 ..= N is 2 (N + 1) / 7 on average, with the variance
    /// 2 · 5 (N + 1) (N − 6) / (7² · 8).
    #[test]
    fn mid_near_points_are_second_nearest_of_six() {
        let (case, pairs) = pairs(400, 10, 60, Counts { mid_near: 1, ..COUNTS });
        let rank = |i: usize| {
            let chosen = pairs.mid_near.of(i)[0] as usize;
            1.0 + by_distance(&case, i).iter().position(|&(_, j)| j == chosen).expect("another point") as f64
        };
        let ranks: Vec<f64> = (0..400).map(rank).collect();
        let (others, count) = (399.0, 400.0);
        let mean = ranks.iter().sum::<f64>() / count;
        let expected = 2.0 * (others + 1.0) / 7.0;
        let variance = 10.0 * (others + 1.0) * (others - 6.0) / (49.0 * 8.0);
        let error = (variance / count).sqrt();
        assert!((mean - expected).abs() < 4.0 * error, "{mean}, expected {expected} ± {error}");
        let found = ranks.iter().map(|r| (r - expected).powi(2)).sum::<f64>() / count;
        assert!((found / variance - 1.0).abs() < 0.3, "{found}, expected {variance}");
    }

    #[test]
    fn random_points_are_distinct_others_and_further_ones_no_neighbors() {
        let (_, pairs) = pairs(90, 10, 60, COUNTS);
        for i in 0..90 {
            for (list, count) in [(pairs.mid_near.of(i), 5), (pairs.further.of(i), 20)] {
                let mut sorted = list.to_vec();
                sorted.sort_unstable();
                sorted.dedup();
                assert_eq!((list.len(), sorted.len()), (count, count));
                assert!(!list.contains(&(i as u32)));
            }
            assert!(pairs.further.of(i).iter().all(|j| !pairs.near.of(i).contains(j)));
        }
    }

    #[test]
    fn few_points_have_the_pairs_that_exist() {
        let (_, all) = pairs(9, 3, 8, Counts { mid_near: 30, ..COUNTS });
        for i in 0..9 {
            assert_eq!(all.further.of(i).len(), 5, "all that are no neighbors");
            assert_eq!(all.mid_near.of(i).len(), 7, "the last of eight is the second of no two");
        }
        let (_, two) = pairs(2, 1, 1, COUNTS);
        assert_eq!((two.near.pairs(), two.mid_near.pairs(), two.further.pairs()), (2, 0, 0));
    }

    #[test]
    fn every_pair_is_at_both_of_its_ends() {
        let (_, pairs) = pairs(50, 6, 20, COUNTS);
        let both = pairs.near.both_ways();
        let count = |list: &[u32], j: usize| list.iter().filter(|&&other| other as usize == j).count();
        for i in 0..50 {
            let list = both.of(i).as_flattened();
            let pairs_of = |j: usize| count(pairs.near.of(i), j) + count(pairs.near.of(j), i);
            let all: usize = (0..50).map(pairs_of).sum();
            assert!(list.len() - all < LANES && list[all..].iter().all(|&j| j as usize == i), "{i}");
            for j in 0..50 {
                assert_eq!(count(&list[..all], j), pairs_of(j), "{i}, {j}");
            }
        }
    }
}
