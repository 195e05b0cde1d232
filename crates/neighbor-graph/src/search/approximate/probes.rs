//! Comparisons with the nearest blocks of points only, by bounds that hold for most neighbors.
//!
//! Every point is compared with the points of the blocks whose centers are nearest to it. Pairs
//! are discarded where |p − p'|² + r² + r'² − 2 c r r' exceeds the squared distance of the k-th
//! nearest point so far, with leading coordinates p and remaining lengths r: a bound for c = 1,
//! but the remainders of true neighbors point in directions of smaller cosines c. A sample
//! determines how many blocks, and which c, keep the wanted fraction of the true neighbors.

use std::cmp::Ordering;
use std::ops::Range;

use embedding::implement::proceed;
use embedding::{Error, Observer, Points, Search};
use rayon::prelude::*;

use super::{Goal, Recall, Sample};
use crate::search::block_pair::{BlockPair, Workspace};
use crate::search::blocks::Blocks;
use crate::search::i16_bounds::Panels;
use crate::search::lists::{self, Lists};
use crate::search::queries::Queries;
use crate::search::query_rule::QueryRule;
use crate::search::rows::Rows;
use crate::search::run;
use crate::search::sketch::Widths;

/// Directions of the two bounds. With the remaining length, the first ones are a whole number of
/// registers of 16-bit integers.
const WIDTHS: Widths = Widths { narrow: 47, wide: 127 };

/// Largest number of points of a block.
const BLOCK: usize = 512;

/// Blocks, the nearest ones to the block of a point, among which its nearest ones are chosen.
const NEAR: usize = 256;

/// Blocks between progress reports.
const GROUP: usize = 16;

/// The least cosine that is assumed.
const LEAST: f64 = 1.0 / 64.0;

/// Nanoseconds of one core, measured on MNIST, of the search of all pairs: for a multiplication, and
/// for an entry of the lists;
const ALL: (f64, f64) = (0.03, 1000.0);

/// of blocks, for a multiplication of [`Blocks::cost`];
const PROBE: f64 = 0.06;

/// and of neighbors of neighbors, for an entry of the lists.
const DESCENT: f64 = 6000.0;

/// The lists, how they were found and their recall, unless neighbors of neighbors are cheaper.
///
/// Where all pairs are cheaper than the blocks that are needed, or not much more expensive than
/// neighbors of neighbors, the search is exact.
pub(super) fn search(
    rows: Rows<'_>,
    k: usize,
    goal: Goal,
    observer: &dyn Observer,
) -> Result<Option<(Lists, Search, Recall)>, Error> {
    let (n, dim) = (rows.len(), rows.dim());
    // The nearest blocks have at least twice as many points.
    if k > NEAR * BLOCK / 4 {
        return Ok(None);
    }
    let wide = WIDTHS.wide.min(dim);
    let widths = Widths { narrow: WIDTHS.narrow.min(wide), wide };
    let (chosen, mut values, mut widened) = (super::chosen(n, goal.seed), Vec::new(), Vec::new());
    chosen.iter().for_each(|&i| values.extend_from_slice(rows.row(i as usize, &mut widened)));
    let queries = Points::new(&values, dim)?;
    // One more, since a point is its own nearest.
    let rule = QueryRule::Nearest { k: k + 1 };
    let mut blocks = Blocks::new(rows, Some(queries), rule, Some(widths), BLOCK);
    let exact = blocks.of_new(chosen.len(), observer)?;
    let rule = QueryRule::Nearest { k };
    (blocks.rule, blocks.data.new, blocks.data.sketched) = (rule, None, None);
    let probes = Probes::new(blocks, k, NEAR, (&chosen, &exact), goal.recall);
    let probed = probes.as_ref().map_or(f64::INFINITY, |probes| probes.cost(widths));
    let all = (n * dim) as f64 / 2.0 * ALL.0 + k as f64 * ALL.1;
    let descent = k as f64 * DESCENT;
    if all <= probed.min(2.0 * descent) {
        drop(probes);
        let (lists, used) = run(rows, None, rule, Search::Auto, observer)?;
        return Ok(Some((lists, used, Recall { measured: 1.0, points: n })));
    }
    let Some(probes) = probes.filter(|_| probed <= descent) else { return Ok(None) };
    let lists = probes.all(observer)?;
    let sample = Sample::new(chosen, &exact, k);
    let recall = Recall { measured: sample.recall_of(&lists), points: sample.exact.len() };
    Ok(Some((lists, Search::Approximate, recall)))
}

/// Blocks of points; every point is compared with its nearest blocks.
struct Probes<'a> {
    blocks: Blocks<'a>,
    /// The number of blocks with which a point is compared, and the number of blocks among which they are
    /// chosen.
    count: usize,
    near: usize,
    /// The points of the blocks.
    panels: Vec<Panels>,
}

impl<'a> Probes<'a> {
    /// Chooses the number of blocks, out of the `near` nearest ones, and the bounds such that a
    /// fraction of the true neighbors of a sample (points with their lists) is kept; `None` where
    /// the `near` blocks do not contain that fraction.
    fn new(
        blocks: Blocks<'a>,
        k: usize,
        near: usize,
        sample: (&[u32], &Lists),
        fraction: f64,
    ) -> Option<Self> {
        let mut probes = Self { blocks, count: 1, near, panels: Vec::new() };
        let (count, cosines) = probes.choose(sample, fraction)?;
        let Blocks { data, blocks, .. } = &mut probes.blocks;
        data.known.assume(cosines);
        data.frame.round([Some(&mut data.known), None]);
        let smallest = blocks.iter().map(Range::len).min().unwrap_or(1);
        probes.count = count.max(k / smallest + 1).min(blocks.len());
        if let Some(rounded) = data.known.rounded() {
            let packed = blocks.par_iter().map(|block| {
                let mut panels = Panels::default();
                rounded.pack(block.clone(), |row| data.known.own_part(row), &mut panels);
                panels
            });
            probes.panels = packed.collect();
        }
        Some(probes)
    }

    /// The number of blocks and the cosines of the two bounds.
    fn choose(&self, (of, exact): (&[u32], &Lists), fraction: f64) -> Option<(usize, [f32; 2])> {
        let Blocks { data, blocks, .. } = &self.blocks;
        let mut places = vec![0; data.order.len()];
        data.order.iter().enumerate().for_each(|(place, &i)| places[i as usize] = place);
        let needed = of.par_iter().enumerate().flat_map_iter(|(s, &i)| {
            let (near, distances) = exact.of(s);
            let limit = data.frame.threshold(distances.last().copied().unwrap_or(0.0));
            let own = places[i as usize];
            let block_of = |place: usize| blocks.partition_point(|block| block.end <= place);
            let near_blocks = NearBlocks::new(self, &self.blocks.centers[block_of(own)]);
            let mut order = near_blocks.gaps(data.known.place(own));
            order.sort_unstable_by(nearer);
            let mut ranks = vec![usize::MAX; blocks.len()];
            let ranked = order.into_iter().map(|(_, at)| near_blocks.order[at]);
            ranked.enumerate().for_each(|(rank, b)| ranks[b] = rank);
            let others = near.iter().filter(|j| **j != i).map(|j| places[*j as usize]);
            let needs = |place| (ranks[block_of(place)], data.known.least_cosines(own, place, limit));
            others.map(needs).collect::<Vec<_>>()
        });
        let mut needed: Vec<(usize, [f64; 2])> = needed.collect();
        let total = needed.len() as f64;
        // The blocks may miss half of the admissible fraction, and each bound a quarter.
        let at = |part: f64| ((total * (1.0 - part * (1.0 - fraction))).ceil() as usize).max(1) - 1;
        let last = needed.select_nth_unstable_by_key(at(0.5), |need| need.0).1.0;
        if last == usize::MAX {
            return None;
        }
        needed.retain(|need| need.0 <= last);
        let cosines = [(0, at(0.75)), (1, at(1.0))].map(|(bound, last)| {
            let (_, need, _) = needed.select_nth_unstable_by(last, |a, b| a.1[bound].total_cmp(&b.1[bound]));
            let cosine = need.1[bound].max(LEAST);
            needed.retain(|need| need.1[bound] <= cosine);
            cosine as f32
        });
        Some((last + 1, cosines))
    }

    /// The cost of a point by a trial, in nanoseconds.
    fn cost(&self, widths: Widths) -> f64 {
        let (counts, queries) = self.blocks.trial(|rows, work| {
            self.search(rows, work);
        });
        self.blocks.cost(widths, &counts) / queries as f64 * PROBE
    }

    /// The lists of the points.
    fn all(&self, observer: &dyn Observer) -> Result<Lists, Error> {
        let Blocks { data, blocks, .. } = &self.blocks;
        let (mut parts, n) = (Vec::with_capacity(blocks.len()), data.points.len());
        proceed(observer, 0, n)?;
        for group in blocks.chunks(GROUP) {
            let rows = group.par_iter();
            let found = rows.map_init(Workspace::default, |work, rows| self.search(rows.clone(), work));
            parts.par_extend(found);
            proceed(observer, group[group.len() - 1].end, n)?;
        }
        Ok(lists::returned(&parts, &data.order))
    }

    /// The lists of some of the points.
    fn search(&self, rows: Range<usize>, work: &mut Workspace) -> Lists {
        let Blocks { data, blocks, rule, .. } = &self.blocks;
        let near = NearBlocks::new(self, &data.known.center(rows.clone()));
        let count = self.count.min(near.order.len());
        let mut of_block = vec![Vec::new(); near.order.len()];
        for (q, row) in rows.clone().enumerate() {
            let mut gaps = near.gaps(data.known.place(row));
            if count < gaps.len() {
                gaps.select_nth_unstable_by(count, nearer);
            }
            gaps[..count].iter().for_each(|(_, at)| of_block[*at].push(q));
        }
        let mut queries = Queries::new(rows, *rule, &data.frame).delayed();
        let none = Panels::default();
        for (b, some) in near.order.into_iter().zip(of_block) {
            let (known, panels) = (blocks[b].clone(), self.panels.get(b).unwrap_or(&none));
            BlockPair { data, queries: &mut queries, known, others: None, work }.compare_some(&some, panels);
        }
        BlockPair { data, queries: &mut queries, known: 0..0, others: None, work }.finish();
        queries.into_lists()
    }
}

/// The nearest blocks to a place.
struct NearBlocks {
    order: Vec<usize>,
    /// The coordinates of their centers; the coordinates in one direction are consecutive.
    centers: Vec<f32>,
}

impl NearBlocks {
    fn new(probes: &Probes<'_>, place: &[f32]) -> Self {
        let Probes { blocks, near, .. } = probes;
        let mut order = blocks.nearest_blocks(place);
        order.truncate(*near);
        let along = |c: usize| order.iter().map(move |b| blocks.centers[*b][c]);
        let centers = (0..place.len()).flat_map(along).collect();
        Self { order, centers }
    }

    /// The squared distances of their centers from a place, each with its number in the order.
    fn gaps(&self, place: &[f32]) -> Vec<(f32, usize)> {
        let mut gaps = vec![0.0; self.order.len()];
        for (x, centers) in place.iter().zip(self.centers.chunks_exact(gaps.len())) {
            gaps.iter_mut().zip(centers).for_each(|(gap, center)| *gap += (x - center) * (x - center));
        }
        gaps.into_iter().zip(0..).collect()
    }
}

/// Orders blocks by distance.
fn nearer(a: &(f32, usize), b: &(f32, usize)) -> Ordering {
    a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
}

#[cfg(test)]
mod tests {
    use embedding::Silent;

    use super::*;

    /// Points in a box of twelve dimensions, and one as far as `far` times its width.
    fn in_a_box(n: usize, far: f64) -> Vec<f64> {
        let at = |v: usize| super::super::hash(7, v as u64) as f64 / u64::MAX as f64;
        (0..n * 12).map(|v| if v == 0 { far } else { at(v) }).collect()
    }

    /// The number of blocks, and the fraction of the neighbors of 200 points that their search keeps.
    fn kept(values: &[f64], near: usize, fraction: f64) -> Option<(usize, f64)> {
        let (points, k) = (Points::new(values, 12).expect("finite"), 6);
        let of: Vec<u32> = (1..201).collect();
        let queries = Points::new(&values[12..201 * 12], 12).expect("finite");
        let (rule, widths) = (QueryRule::Nearest { k: k + 1 }, Widths { narrow: 4, wide: 8 });
        let mut blocks = Blocks::new(points.into(), Some(queries), rule, Some(widths), 64);
        let exact = blocks.of_new(of.len(), &Silent).expect("lists");
        (blocks.rule, blocks.data.new, blocks.data.sketched) = (QueryRule::Nearest { k }, None, None);
        let probes = Probes::new(blocks, k, near, (&of, &exact), fraction)?;
        let found = probes.all(&Silent).expect("lists");
        Some((probes.count, Sample::new(of, &exact, k).recall_of(&found)))
    }

    #[test]
    fn too_few_near_blocks_are_no_choice() {
        let values = in_a_box(2000, 0.5);
        let (few, more) = (kept(&values, 32, 0.5), kept(&values, 32, 0.95));
        assert!(few.expect("all blocks").0 < more.expect("all blocks").0);
        for fraction in [0.5, 0.95, 1.0] {
            assert_eq!(kept(&values, 1, fraction), None, "{fraction}");
        }
    }

    /// With rounded rows and, if there is a far point, without.
    #[test]
    fn the_fraction_is_kept_with_rounded_rows_and_without() {
        for far in [0.5, 100.0] {
            let values = in_a_box(2000, far);
            for fraction in [0.5, 0.9, 1.0] {
                let (count, kept) = kept(&values, 32, fraction).expect("all blocks");
                assert!(kept >= fraction, "{kept} of {fraction} by {count} blocks, far {far}");
            }
        }
    }
}
