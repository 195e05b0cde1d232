//! Exact nearest neighbors by matrix products.
//!
//! Blocks of queries are compared with blocks of known points, nearest block first. One
//! matrix product in single precision gives lower bounds on the distances of all pairs;
//! pairs whose bound exceeds the query's current threshold are discarded. If the points
//! are projected, a second bound with more directions is computed for the remaining
//! pairs. Distances of the pairs that remain are computed exactly.

use std::ops::Range;

use embedding::{Error, Observer, Points, proceed};
use faer::linalg::matmul::matmul;
use faer::traits::pulp::{Arch, Simd, WithSimd};
use faer::{Accum, MatMut, Par};
use rayon::prelude::*;

use crate::metric::distances_in;
use crate::search::best::Best;
use crate::search::lists::{self, Lists};
use crate::search::partition::{self, Partition};
use crate::search::rows::Rows;
use crate::search::rule::Rule;
use crate::search::sketch::{DEPTH, Frame, Sketch, Widths};

/// Largest number of known points per block.
const KNOWN: usize = 1024;

/// Largest number of queries per block.
const QUERIES: usize = 256;

/// Query blocks between progress reports.
const GROUP: usize = 16;

/// Query blocks, and queries of each, sampled to test whether a projection prunes.
const TRIALS: (usize, usize) = (4, 32);

/// Bounds compared at a time.
const LANES: usize = 16;

/// Largest number of exact distances computed together, to overlap memory latency.
const AT_ONCE: usize = 4;

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
/// Time: n² (width + f₁ wide + f₂ D), with f₁ and f₂ the fractions of pairs not discarded
/// by the bounds. Memory: one single-precision copy of the (projected) points, and 1.3 MB
/// per thread.
pub(crate) fn search(
    points: Rows<'_>,
    new: Option<Points<'_>>,
    rule: Rule<'_>,
    projection: Projection,
    observer: &dyn Observer,
) -> Result<Option<Lists>, Error> {
    let widths = match projection {
        Projection::None => None,
        Projection::Always(widths) | Projection::IfWorthwhile(widths) => Some(widths),
    };
    let total = new.map_or(points.len(), |new| new.len());
    proceed(observer, 0, total)?;
    let blocks = Blocks::new(points, new, rule, widths);
    let queries = blocks.query_blocks();
    if let Projection::IfWorthwhile(widths) = projection
        && !blocks.is_worthwhile(&queries, widths)
    {
        return Ok(None);
    }
    let mut parts: Vec<Lists> = Vec::with_capacity(queries.len());
    let mut done = 0;
    for group in queries.chunks(GROUP) {
        let answers = group.par_iter();
        parts.par_extend(
            answers.map_init(Vec::new, |scratch, block| blocks.search_queries(block.clone(), scratch).0),
        );
        done += group.iter().map(Range::len).sum::<usize>();
        proceed(observer, done, total)?;
    }
    let in_order: Vec<u32> = (0..total as u32).collect();
    let order = if new.is_none() { &blocks.partition.order } else { &in_order };
    Ok(Some(lists::returned(&parts, order)))
}

struct Blocks<'a> {
    points: Rows<'a>,
    new: Option<Points<'a>>,
    rule: Rule<'a>,
    frame: Frame,
    /// The known points, in the order of the partition.
    known: Sketch,
    partition: Partition,
    /// The mean position of each block.
    centers: Vec<Vec<f32>>,
    /// The new points.
    sketched: Option<Sketch>,
}

/// Numbers of pairs not discarded by the bounds, and of all pairs.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    pairs: usize,
    first: usize,
    second: usize,
}

impl<'a> Blocks<'a> {
    fn new(points: Rows<'a>, new: Option<Points<'a>>, rule: Rule<'a>, widths: Option<Widths>) -> Self {
        let frame = Frame::new(points, new, widths);
        let mut known = frame.sketch(points);
        // With all coordinates kept, reordering would need a second copy of the data.
        let partition = if widths.is_some() {
            let partition = partition::by_halves(&known, KNOWN);
            known = known.reordered(&partition.order);
            partition
        } else {
            partition::as_given(points.len(), KNOWN)
        };
        let centers = partition.blocks.iter().map(|block| known.center(block.clone())).collect();
        let sketched = new.map(|new| frame.sketch(new.into()));
        Self { points, new, rule, frame, known, partition, centers, sketched }
    }

    /// Returns ranges of consecutive queries that are searched together.
    fn query_blocks(&self) -> Vec<Range<usize>> {
        let pieces = |block: Range<usize>| {
            let end = block.end;
            block.step_by(QUERIES).map(move |start| start..end.min(start + QUERIES))
        };
        match self.new {
            None => self.partition.blocks.iter().cloned().flat_map(pieces).collect(),
            Some(new) => pieces(0..new.len()).collect(),
        }
    }

    /// Returns whether the bounds discard enough pairs to be cheaper than products of
    /// full width. Costs are in multiplications, of which a product does fifty per
    /// nanosecond.
    fn is_worthwhile(&self, queries: &[Range<usize>], widths: Widths) -> bool {
        let (blocks, each) = TRIALS;
        let trials: Vec<Range<usize>> = (0..blocks.min(queries.len()))
            .map(|t| queries[t * queries.len() / blocks.min(queries.len())].clone())
            .map(|block| block.start..block.end.min(block.start + each))
            .collect();
        let counts: Vec<Counts> =
            trials.into_par_iter().map(|block| self.search_queries(block, &mut Vec::new()).1).collect();
        let sum = |of: fn(&Counts) -> usize| counts.iter().map(of).sum::<usize>() as f64;
        let pairs = sum(|c| c.pairs);
        let dim = self.points.dim() as f64;
        let second = sum(|c| c.first) / pairs * (4.0 * widths.wide as f64 + 500.0);
        let exact = sum(|c| c.second) / pairs * (6.0 * dim + 1000.0);
        widths.narrow as f64 + second + exact < dim
    }

    /// Returns the lists of a range of queries, in order.
    fn search_queries(&self, queries: Range<usize>, scratch: &mut Vec<f32>) -> (Lists, Counts) {
        let queries_sketch = self.sketched.as_ref().unwrap_or(&self.known);
        let left = queries_sketch.left(queries.clone());
        let center = queries_sketch.center(queries.clone());
        let mut state = State {
            blocks: self,
            queries_sketch,
            start: queries.start,
            best: Best::new(self.rule, queries.clone()),
            thresholds: vec![f32::INFINITY; queries.len()],
            candidates: Vec::new(),
            counts: Counts::default(),
            wide: Default::default(),
        };
        for b in self.nearest_blocks(&center) {
            let block = self.partition.blocks[b].clone();
            let (rows, columns) = (block.len(), queries.len());
            scratch.resize(rows * columns, 0.0);
            let right = self.known.right(block.clone());
            for start in (0..self.known.width).step_by(DEPTH) {
                let depth = DEPTH.min(self.known.width - start);
                matmul(
                    MatMut::from_column_major_slice_mut(scratch.as_mut_slice(), rows, columns),
                    if start == 0 { Accum::Replace } else { Accum::Add },
                    right.subcols(start, depth),
                    left.as_ref().subrows(start, depth),
                    1.0,
                    Par::Seq,
                );
            }
            Arch::new().dispatch(BlockPair { state: &mut state, first: block.start, rows, bounds: scratch });
        }
        (state.best.into_lists(), state.counts)
    }

    /// Returns all blocks, in ascending order of the distance of their centers.
    fn nearest_blocks(&self, center: &[f32]) -> Vec<usize> {
        let gap = |c: &Vec<f32>| -> f32 { c.iter().zip(center).map(|(x, y)| (x - y) * (x - y)).sum() };
        let gaps: Vec<f32> = self.centers.iter().map(gap).collect();
        let mut order: Vec<usize> = (0..gaps.len()).collect();
        order.sort_by(|&a, &b| gaps[a].total_cmp(&gaps[b]).then(a.cmp(&b)));
        order
    }
}

/// The search state of one block of queries.
struct State<'a, 'b> {
    blocks: &'b Blocks<'a>,
    queries_sketch: &'b Sketch,
    /// Row of the first query in the sketch.
    start: usize,
    best: Best<'a>,
    /// Squared distances in the frame beyond which points are discarded.
    thresholds: Vec<f32>,
    /// Known rows not discarded for a query, each with its latest bound.
    candidates: Vec<(f32, usize)>,
    counts: Counts,
    /// Rows widened from single precision: a query and the points compared with it.
    wide: (Vec<f64>, [Vec<f64>; AT_ONCE]),
}

/// A block of queries against a block of known rows, dispatched to the widest SIMD
/// instructions available: all functions below are inlined here. Lanes are added in a
/// fixed order, independent of their width.
struct BlockPair<'s, 'a, 'b> {
    state: &'s mut State<'a, 'b>,
    first: usize,
    rows: usize,
    /// One column of `rows` bounds per query.
    bounds: &'s [f32],
}

impl WithSimd for BlockPair<'_, '_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        for (q, column) in self.bounds.chunks_exact(self.rows).enumerate() {
            self.state.scan(simd, q, self.first, column);
        }
    }
}

impl State<'_, '_> {
    /// Processes query `q` against the known rows from `first` on, whose bounds are in
    /// `column`: rows not discarded are handled in ascending order of their bounds.
    #[inline(always)]
    fn scan<S: Simd>(&mut self, simd: S, q: usize, first: usize, column: &[f32]) {
        let met = match self.thresholds[q] {
            f32::INFINITY => self.start_with(simd, q, first, column),
            _ => Vec::new(),
        };
        self.counts.pairs += column.len();
        let own_part = self.queries_sketch.own_part(self.start + q);
        let limit = self.thresholds[q] - own_part;
        let (chunks, rest) = column.as_chunks::<LANES>();
        self.candidates.clear();
        for (c, chunk) in chunks.iter().enumerate() {
            // Without early exit, so that the comparison vectorizes.
            if chunk.iter().fold(false, |any, bound| any | (*bound <= limit)) {
                for (l, bound) in chunk.iter().enumerate() {
                    if *bound <= limit {
                        self.refine(simd, q, first + c * LANES + l, *bound);
                    }
                }
            }
        }
        for (l, bound) in rest.iter().enumerate() {
            if *bound <= limit {
                self.refine(simd, q, first + chunks.len() * LANES + l, *bound);
            }
        }
        self.candidates.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        // The second bound is complete; the first one omits the query's part.
        let left_out = if self.blocks.known.is_refined() { 0.0 } else { own_part };
        let mut at = 0;
        loop {
            let limit = self.thresholds[q] - left_out;
            let (mut rows, mut count) = ([0; AT_ONCE], 0);
            while count < AT_ONCE
                && let Some(&(bound, row)) = self.candidates.get(at)
                && bound <= limit
            {
                at += 1;
                if !met.contains(&row) {
                    rows[count] = row;
                    count += 1;
                }
            }
            if count == 0 {
                break;
            }
            self.compute_distances(simd, q, &rows[..count]);
        }
    }

    /// Handles a pair not discarded by the first bound.
    #[inline(always)]
    fn refine<S: Simd>(&mut self, simd: S, q: usize, row: usize, bound: f32) {
        self.counts.first += 1;
        let known = &self.blocks.known;
        if !known.is_refined() {
            self.candidates.push((bound, row));
            return;
        }
        let limit = self.thresholds[q];
        if let Some(bound) =
            self.queries_sketch.refined_bound(simd, self.start + q, (known, row), bound, limit)
        {
            self.candidates.push((bound, row));
        }
    }

    /// Computes the exact distances of at most [`AT_ONCE`] pairs.
    #[inline(always)]
    fn compute_distances<S: Simd>(&mut self, simd: S, q: usize, rows: &[usize]) {
        match *rows {
            [a] => self.enter(simd, q, [a]),
            [a, b] => self.enter(simd, q, [a, b]),
            [a, b, c] => self.enter(simd, q, [a, b, c]),
            [a, b, c, d] => self.enter(simd, q, [a, b, c, d]),
            _ => unreachable!("from one to four pairs at a time"),
        }
    }

    /// Adds known rows to the list of a query, excluding the query itself.
    #[inline(always)]
    fn enter<S: Simd, const N: usize>(&mut self, simd: S, q: usize, rows: [usize; N]) {
        self.counts.second += N;
        let blocks = self.blocks;
        let own = self.start + q;
        let (query, itself) = match blocks.new {
            Some(new) => (new.row(own), None),
            None => {
                let query = blocks.partition.order[own] as usize;
                (blocks.points.row(query, &mut self.wide.0), Some(own))
            }
        };
        let indices = rows.map(|row| blocks.partition.order[row]);
        let mut wide = self.wide.1.iter_mut();
        let known =
            indices.map(|j| blocks.points.row(j as usize, wide.next().expect("at most AT_ONCE rows")));
        let distances = distances_in(simd, query, known);
        let before = self.best.reach(q);
        for i in (0..N).filter(|&i| Some(rows[i]) != itself) {
            self.best.offer(q, indices[i], distances[i]);
        }
        let reach = self.best.reach(q);
        if reach < before {
            self.thresholds[q] = self.thresholds[q].min(blocks.frame.threshold(reach));
        }
    }

    /// Computes the exact distances of the k rows nearest by the first bound, to obtain
    /// an initial threshold; returns these rows. With a radius the threshold is known.
    #[inline(always)]
    fn start_with<S: Simd>(&mut self, simd: S, q: usize, first: usize, column: &[f32]) -> Vec<usize> {
        match self.blocks.rule {
            Rule::Within { radii } => {
                self.thresholds[q] = self.blocks.frame.threshold(radii.of(self.start + q));
                Vec::new()
            }
            Rule::Nearest { k } => {
                // One more, since the query itself may be among them.
                let mut rows: Vec<usize> = (0..column.len()).collect();
                if k + 1 < rows.len() {
                    rows.select_nth_unstable_by(k, |&a, &b| column[a].total_cmp(&column[b]).then(a.cmp(&b)));
                    rows.truncate(k + 1);
                }
                rows.iter_mut().for_each(|row| *row += first);
                // A closure would be compiled for the baseline instruction set only.
                for rows in rows.chunks(AT_ONCE) {
                    self.compute_distances(simd, q, rows);
                }
                rows
            }
        }
    }
}
