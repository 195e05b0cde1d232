//! Exact nearest neighbors by matrix products.
//!
//! Blocks of queries are compared with blocks of known points, nearest block first. One
//! matrix product, in single precision or of 16-bit integers, gives lower bounds on the distances
//! of all pairs; pairs whose bound exceeds the query's current threshold are discarded. If the
//! points are projected, a second bound with more directions is computed for the remaining
//! pairs. Distances of the pairs that remain are computed exactly.
//!
//! Among the points themselves every two blocks are compared once, and both have their lists
//! completed.

use std::ops::Range;

use embedding::implement::proceed;
use embedding::{Error, Observer, Points};
use rayon::prelude::*;

use crate::search::block_pair::{BlockPair, Counts, Data, KNOWN, QUERIES, Workspace};
use crate::search::lists::{self, Lists};
use crate::search::partition;
use crate::search::queries::Queries;
use crate::search::query_rule::QueryRule;
use crate::search::rows::Rows;
use crate::search::sketch::{Frame, Widths};
use crate::search::{PREPARED, PROJECTED};

/// Points searched among themselves are in this number of blocks, so that threads have work, unless
/// these would have fewer points than the second number, or more than [`KNOWN`].
const OWN: (usize, usize) = (32, 256);

/// Query blocks between progress reports.
const GROUP: usize = 16;

/// New points are in at least this number of blocks, so that threads have work, unless these would
/// have fewer points than the second number.
const NEW: (usize, usize) = (4, 32);

/// Query blocks, and queries of each, sampled to test whether a projection prunes.
const TRIALS: (usize, usize) = (4, 32);

/// The cost of a distance that enters a list, as a multiple of the cost of a distance that does not.
const ENTRY: f64 = 1.5;

/// Whether the first bound uses projected points.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Projection {
    None,
    Always(Widths),
    IfWorthwhile(Widths),
}

/// Finds the neighbors of the points among themselves, or of `new` points among them.
/// Returns `None` if a projection was requested only if worthwhile and is not.
///
/// Time: p (width + f₁ wide + f₂ D), with p the number of pairs, f₁ and f₂ the fractions of
/// them not discarded by the bounds. Memory: one single-precision copy of the (projected)
/// points, and 1.3 MB per thread.
pub(crate) fn search(
    points: Rows<'_>,
    new: Option<Points<'_>>,
    rule: QueryRule<'_>,
    projection: Projection,
    observer: &dyn Observer,
) -> Result<Option<Lists>, Error> {
    let widths = match projection {
        Projection::None => None,
        Projection::Always(widths) | Projection::IfWorthwhile(widths) => Some(widths),
    };
    let total = new.map_or(points.len(), |new| new.len());
    proceed(observer, 0, total)?;
    let most = if new.is_some() { KNOWN } else { of_own(points.len()) };
    let blocks = Blocks::new(points, new, rule, widths, most);
    if let Projection::IfWorthwhile(widths) = projection
        && !blocks.is_worthwhile(widths)
    {
        return Ok(None);
    }
    match new {
        Some(new) => blocks.of_new(new.len(), observer).map(Some),
        None => blocks.among(observer).map(Some),
    }
}

/// The largest number of points of a block where n points are searched among themselves.
pub(crate) fn of_own(n: usize) -> usize {
    (n / OWN.0).clamp(OWN.1, KNOWN)
}

pub(crate) struct Blocks<'a> {
    pub(crate) data: Data<'a>,
    pub(crate) rule: QueryRule<'a>,
    /// Consecutive rows of the sketch; their number is a power of two.
    pub(crate) blocks: Vec<Range<usize>>,
    /// The mean position of each block.
    pub(crate) centers: Vec<Vec<f32>>,
}

impl<'a> Blocks<'a> {
    /// Arranges the points in blocks of at most `most`.
    pub(crate) fn new(
        points: Rows<'a>,
        new: Option<Points<'a>>,
        rule: QueryRule<'a>,
        widths: Option<Widths>,
        most: usize,
    ) -> Self {
        let n = points.len();
        let mut frame = Frame::new(points, new, widths);
        let mut known = frame.sketch(points);
        // Even with few columns, lists that begin with near points are worth a second copy.
        let ordered = points.dim() < PROJECTED.0 && new.is_none_or(|new| new.len() >= PREPARED);
        let order = if widths.is_some() || ordered {
            let order = partition::by_halves(&known, most);
            known = known.reordered(&order);
            order
        } else {
            (0..n as u32).collect()
        };
        let blocks = partition::blocks(n, most);
        let centers = blocks.iter().map(|block| known.center(block.clone())).collect();
        let mut sketched = new.map(|new| frame.sketch(new.into()));
        if widths.is_some() {
            frame.round([Some(&mut known), sketched.as_mut()]);
        }
        Self { data: Data { points, new, frame, known, order, sketched }, rule, blocks, centers }
    }

    /// The lists of `count` new points.
    pub(crate) fn of_new(&self, count: usize, observer: &dyn Observer) -> Result<Lists, Error> {
        let each = (count / NEW.0).clamp(NEW.1, QUERIES);
        let queries: Vec<Range<usize>> =
            (0..count).step_by(each).map(|start| start..count.min(start + each)).collect();
        let mut all = Lists::with_capacity(count, 0);
        for group in queries.chunks(GROUP) {
            let answers = group.par_iter();
            let found: Vec<Lists> = answers
                .map_init(Workspace::default, |work, block| self.search_queries(block.clone(), work))
                .collect();
            found.iter().for_each(|lists| all.append(lists));
            proceed(observer, all.len(), count)?;
        }
        Ok(all)
    }

    /// The lists of the points.
    ///
    /// In round r block i is compared with the one whose number differs from i in the bits of r: all
    /// pairs of a round in parallel, and near blocks in the first rounds.
    pub(crate) fn among(&self, observer: &dyn Observer) -> Result<Lists, Error> {
        let Self { data, rule, blocks, .. } = self;
        let mut all: Vec<Queries<'_>> =
            blocks.iter().map(|block| Queries::new(block.clone(), *rule, &data.frame)).collect();
        let (n, count) = (data.points.len(), all.len());
        all.par_iter_mut().for_each_init(Workspace::default, |work, queries| {
            BlockPair { data, known: queries.rows(), queries, others: None, work }.compare();
        });
        for round in 1..count {
            proceed(observer, n * round / count, n)?;
            let mut free: Vec<Option<&mut Queries<'_>>> = all.iter_mut().map(Some).collect();
            let mut take = |i: usize| free[i].take().expect("each block is in one pair");
            let ones = (0..count).filter(|i| i ^ round > *i);
            let pairs: Vec<_> = ones.map(|i| (take(i), take(i ^ round))).collect();
            pairs.into_par_iter().for_each_init(Workspace::default, |work, (queries, others)| {
                BlockPair { data, queries, known: others.rows(), others: Some(others), work }.compare();
            });
        }
        proceed(observer, n, n)?;
        let parts: Vec<Lists> = all.into_par_iter().map(Queries::into_lists).collect();
        Ok(lists::returned(&parts, &data.order))
    }

    /// The cost of comparisons, in multiplications of the first bounds.
    pub(crate) fn cost(&self, widths: Widths, counts: &Counts) -> f64 {
        let (pairs, first, second) = (counts.pairs as f64, counts.first as f64, counts.second as f64);
        let dim = self.data.points.dim() as f64;
        pairs * widths.narrow as f64
            + first * (4.0 * widths.wide as f64 + 500.0)
            + second * cost_of_distance(dim)
    }

    /// Counts the operations of `search` for some of the queries; also returns how many queries
    /// were tried.
    pub(crate) fn trial(&self, search: impl Fn(Range<usize>, &mut Workspace) + Sync) -> (Counts, usize) {
        let (blocks, each) = TRIALS;
        let n = self.data.queries().len();
        let trials = (0..blocks.min(n.div_ceil(each))).into_par_iter().map(|t| t * n / blocks);
        let counts = trials.map(|start| {
            let mut work = Workspace::default();
            search(start..n.min(start + each), &mut work);
            work.counts
        });
        (counts.reduce(Counts::default, Counts::plus), n.min(blocks * each))
    }

    /// Returns whether the bounds discard enough pairs to be cheaper than products of full width.
    fn is_worthwhile(&self, widths: Widths) -> bool {
        let (counts, queries) = self.trial(|queries, work| {
            self.search_queries(queries, work);
        });
        let n = self.data.points.len() as f64;
        // Number of points that enter a list of the k nearest if they come in random order, as
        // points of full width do.
        let entries = match self.rule {
            QueryRule::Nearest { k } => k as f64 * (1.0 + (n / k as f64).ln()),
            QueryRule::Within { .. } => 0.0,
        };
        let dim = self.data.points.dim() as f64;
        let distances = ENTRY * entries * queries as f64 * cost_of_distance(dim);
        self.cost(widths, &counts) < counts.pairs as f64 * dim + distances
    }

    /// Returns the lists of some of the queries, in order.
    fn search_queries(&self, rows: Range<usize>, work: &mut Workspace) -> Lists {
        let center = self.data.queries().center(rows.clone());
        let mut queries = Queries::new(rows, self.rule, &self.data.frame);
        for b in self.nearest_blocks(&center) {
            let known = self.blocks[b].clone();
            BlockPair { data: &self.data, queries: &mut queries, known, others: None, work }.compare();
        }
        queries.into_lists()
    }

    /// Returns all blocks, in ascending order of the distance of their centers.
    pub(crate) fn nearest_blocks(&self, center: &[f32]) -> Vec<usize> {
        let gap = |c: &Vec<f32>| -> f32 { c.iter().zip(center).map(|(x, y)| (x - y) * (x - y)).sum() };
        let gaps: Vec<f32> = self.centers.iter().map(gap).collect();
        let mut order: Vec<usize> = (0..gaps.len()).collect();
        order.sort_by(|&a, &b| gaps[a].total_cmp(&gaps[b]).then(a.cmp(&b)));
        order
    }
}

/// The cost of a distance of rows of this many numbers, in multiplications of the first bounds.
fn cost_of_distance(dim: f64) -> f64 {
    6.0 * dim + 1000.0
}

#[cfg(test)]
mod tests {
    use embedding::{Points, Silent};

    use super::*;
    use crate::search::i16_bounds::I16Rows;

    /// Waves; the first one is `factor` times as high as the others.
    fn waves(factor: f64) -> Vec<f64> {
        let wave = |at: usize| ((at * at) as f64 * 0.37).sin() * if at < 60 { factor } else { 1.0 };
        (0..600 * 60).map(wave).collect()
    }

    /// With more new points than are searched between two reports.
    #[test]
    fn an_observer_hears_how_many_new_points_are_done() {
        let (values, new) = (waves(1.0), waves(2.0));
        let (points, new) =
            (Points::new(&values, 60).expect("finite"), Points::new(&new, 60).expect("finite"));
        let blocks = Blocks::new(points.into(), Some(new), QueryRule::Nearest { k: 5 }, None, 256);
        for count in [20, 600] {
            let recorder = testkit::observers::Recorder::default();
            let lists = blocks.of_new(count, &recorder).expect("nothing cancels");
            assert_eq!(lists.len(), count);
            let steps: Vec<(usize, usize)> =
                recorder.events().iter().filter_map(testkit::observers::Event::step).collect();
            assert_eq!(steps.last(), Some(&(count, count)), "{steps:?}");
        }
    }

    /// Among themselves and for many new points; copying all columns of many points takes too much
    /// memory.
    #[test]
    fn points_of_few_columns_are_ordered_by_nearness() {
        for (dim, new, ordered) in
            [(39, None, true), (40, None, false), (39, Some(1499), false), (39, Some(1500), true)]
        {
            let values: Vec<f64> = (0..1500 * dim).map(|at| ((at * at) as f64 * 0.37).sin()).collect();
            let points = Points::new(&values, dim).expect("finite");
            let new = new.map(|count| Points::new(&values[..count * dim], dim).expect("finite"));
            let blocks = Blocks::new(points.into(), new, QueryRule::Nearest { k: 5 }, None, 256);
            assert_eq!(blocks.data.order.is_sorted(), !ordered, "{dim} columns, {:?}", new.map(|p| p.len()));
        }
    }

    /// For columns of decreasing variance and 60 neighbors, the bounds leave many pairs, but fewer
    /// than would enter the lists in random order. Equal columns have no such bounds.
    #[test]
    fn many_neighbors_make_an_order_of_nearness_worthwhile() {
        let mut random = testkit::Random::new(5);
        for (power, worthwhile) in [(0.5, true), (0.0, false)] {
            let value = |at: usize| (random.below(2001) as f64 - 1000.0) / ((at % 60 + 1) as f64).powf(power);
            let values: Vec<f64> = (0..2000 * 60).map(value).collect();
            let points = Points::new(&values, 60).expect("finite");
            let widths = Widths::of(60);
            let blocks = Blocks::new(points.into(), None, QueryRule::Nearest { k: 60 }, Some(widths), 256);
            assert_eq!(blocks.is_worthwhile(widths), worthwhile, "{power}");
        }
    }

    #[test]
    fn sketches_are_rounded_unless_an_outlier_makes_that_too_coarse() {
        let is_faster = I16Rows::new([1.0_f32].chunks(1), 1).is_some();
        for (factor, fine) in [(1.0, true), (10.0, true), (100.0, false)] {
            let values = waves(factor);
            let points = Points::new(&values, 60).expect("finite");
            let search = |widths| Blocks::new(points.into(), None, QueryRule::Nearest { k: 5 }, widths, 256);
            let projected = search(Some(Widths::of(60)));
            assert_eq!(projected.data.known.rounded().is_some(), fine && is_faster, "{factor}");
            let whole = search(None);
            assert!(whole.data.known.rounded().is_none());
            let lists = [projected, whole].map(|blocks| blocks.among(&Silent).expect("lists").into_vecs());
            assert_eq!(lists[0], lists[1], "{factor}");
        }
    }
}
