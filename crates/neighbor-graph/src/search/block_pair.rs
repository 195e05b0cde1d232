//! A block of queries compared with a block of known points.

use std::ops::Range;

use embedding::Points;
use embedding::implement::multiply;
use faer::traits::pulp::{Arch, Simd, WithSimd};
use faer::{Accum, MatMut};

use crate::metric::distances_in;
use crate::search::i16_bounds::{self, I16Rows, Packed, Panels};
use crate::search::queries::Queries;
use crate::search::query_rule::QueryRule;
use crate::search::rows::Rows;
use crate::search::sketch::{DEPTH, Frame, Sketch};

/// Largest number of known points per block.
pub(crate) const KNOWN: usize = 1024;

/// Largest number of queries of one product.
pub(crate) const QUERIES: usize = 256;

/// Bounds compared at a time.
const LANES: usize = 16;

/// Largest number of exact distances computed together, to overlap memory latency.
const AT_ONCE: usize = 4;

/// Delayed distances of a query that are computed together.
const PENDING: usize = 64;

/// The thresholds of known points without lists of their own.
const NO_LISTS: [f32; KNOWN] = [f32::NEG_INFINITY; KNOWN];

/// The numbers of the queries of a block.
static NUMBERS: [usize; KNOWN] = {
    let (mut numbers, mut q) = ([0; KNOWN], 0);
    while q < KNOWN {
        numbers[q] = q;
        q += 1;
    }
    numbers
};

/// Memory of a thread, and counts of its uses.
#[derive(Default)]
pub(crate) struct Workspace {
    /// A column of bounds for each query.
    bounds: Vec<f32>,
    /// Factors of a product of rounded rows.
    panels: Panels,
    packed: Packed,
    /// Known rows not discarded for a query, each with its latest bound.
    candidates: Vec<(f32, usize)>,
    /// Rows widened from single precision: a query and the points compared with it.
    wide: (Vec<f64>, [Vec<f64>; AT_ONCE]),
    pub(crate) counts: Counts,
}

/// Numbers of pairs not discarded by the bounds, and of all pairs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) pairs: usize,
    pub(crate) first: usize,
    pub(crate) second: usize,
}

impl Counts {
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            pairs: self.pairs + other.pairs,
            first: self.first + other.first,
            second: self.second + other.second,
        }
    }
}

/// The points of a search.
pub(crate) struct Data<'a> {
    pub(crate) points: Rows<'a>,
    /// New points, which are the queries; `None` if the points are.
    pub(crate) new: Option<Points<'a>>,
    pub(crate) frame: Frame,
    /// The known points, in the order of a partition.
    pub(crate) known: Sketch,
    pub(crate) order: Vec<u32>,
    /// The new points.
    pub(crate) sketched: Option<Sketch>,
}

impl Data<'_> {
    /// The sketch of the queries.
    pub(crate) fn queries(&self) -> &Sketch {
        self.sketched.as_ref().unwrap_or(&self.known)
    }
}

/// A block of queries, compared with a block of known rows.
///
/// All functions below are inlined into one that is compiled for the widest registers of the
/// processor. Lanes are added in a fixed order, independent of their width.
pub(crate) struct BlockPair<'s, 'a> {
    pub(crate) data: &'s Data<'a>,
    pub(crate) queries: &'s mut Queries<'a>,
    pub(crate) known: Range<usize>,
    /// The known rows as queries, whose lists are completed, too, unless they have none.
    pub(crate) others: Option<&'s mut Queries<'a>>,
    pub(crate) work: &'s mut Workspace,
}

impl<'s> BlockPair<'s, '_> {
    /// Completes the lists for each other's points.
    pub(crate) fn compare(self) {
        let all = &NUMBERS[..self.queries.rows.len()];
        let mut panels = std::mem::take(&mut self.work.panels);
        let data = self.data;
        if let Some(known) = data.known.rounded() {
            known.pack(self.known.clone(), |row| data.known.own_part(row), &mut panels);
        }
        let work = self.compare_some(all, &panels);
        work.panels = panels;
    }

    /// Computes the distances that were delayed.
    pub(crate) fn finish(mut self) -> &'s mut Workspace {
        let all = &NUMBERS[..self.queries.rows.len()];
        Arch::new().dispatch(Part { pair: &mut self, queries: all, first: First::Pending });
        self.work
    }

    /// The same for some of the queries, with the known rows packed if they are rounded.
    pub(crate) fn compare_some(mut self, some: &[usize], panels: &Panels) -> &'s mut Workspace {
        match self.data.queries().rounded() {
            Some(queries) => self.compare_rounded(some, queries, panels),
            None => self.compare_products(some),
        }
        self.work
    }

    fn compare_rounded(&mut self, some: &[usize], queries: &I16Rows, panels: &Panels) {
        let (data, start) = (self.data, self.queries.rows.start);
        let mut packed = std::mem::take(&mut self.work.packed);
        for group in some.chunks(i16_bounds::QUERIES) {
            let rows = group.iter().map(|q| start + q);
            let limits =
                group.iter().map(|&q| (data.queries().own_part(start + q), self.queries.thresholds[q]));
            let of_others = self.others.as_ref().map(|others| &others.thresholds[..]);
            queries.compare(rows, limits, panels, of_others, &mut packed);
            Arch::new().dispatch(Part { pair: self, queries: group, first: First::Near(&mut packed.near) });
        }
        self.work.packed = packed;
    }

    fn compare_products(&mut self, some: &[usize]) {
        for tile in some.chunks(QUERIES) {
            let mut bounds = std::mem::take(&mut self.work.bounds);
            self.multiply(tile, &mut bounds);
            Arch::new().dispatch(Part { pair: self, queries: tile, first: First::Bounds(&bounds) });
            self.work.bounds = bounds;
        }
    }

    /// Computes the first bounds of some of the queries.
    fn multiply(&self, tile: &[usize], bounds: &mut Vec<f32>) {
        let Data { known, .. } = self.data;
        let (rows, columns) = (self.known.len(), tile.len());
        let start = self.queries.rows.start;
        let left = self.data.queries().left(tile.iter().map(|q| start + q));
        let right = known.right(self.known.clone());
        bounds.resize(rows * columns, 0.0);
        for start in (0..known.width).step_by(DEPTH) {
            let depth = DEPTH.min(known.width - start);
            multiply(
                MatMut::from_column_major_slice_mut(bounds, rows, columns),
                if start == 0 { Accum::Replace } else { Accum::Add },
                right.subcols(start, depth),
                left.as_ref().subrows(start, depth),
                1.0,
            );
        }
    }

    /// Collects the known rows that query `q` may be near to, from a column of bounds.
    #[inline(always)]
    fn scan(&mut self, q: usize, column: &[f32]) {
        let own_part = self.data.queries().own_part(self.queries.rows.start + q);
        let threshold = self.queries.thresholds[q];
        let of_others = self.others.as_ref().map_or(&NO_LISTS[..column.len()], |others| &others.thresholds);
        let may_enter = |(bound, of_other): (&f32, &f32)| {
            *bound <= if *of_other > threshold { *of_other } else { threshold } - own_part
        };
        let candidates = &mut self.work.candidates;
        candidates.clear();
        let mut collect = |first: usize, bounds: &[f32], thresholds: &[f32]| {
            let rows = bounds.iter().zip(thresholds).enumerate().filter(|(_, pair)| may_enter(*pair));
            candidates.extend(rows.map(|(l, (bound, _))| (*bound, first + l)));
        };
        let ((chunks, rest), (thresholds, others)) =
            (column.as_chunks::<LANES>(), of_others.as_chunks::<LANES>());
        for (c, (chunk, thresholds)) in chunks.iter().zip(thresholds).enumerate() {
            // Without early exit, so that the comparison vectorizes.
            if chunk.iter().zip(thresholds).fold(false, |any, pair| any | may_enter(pair)) {
                collect(c * LANES, chunk, thresholds);
            }
        }
        collect(column.len() - rest.len(), rest, others);
    }

    /// Computes distances of query `q` to the candidates that no bound discards, in ascending order
    /// of their bounds.
    #[inline(always)]
    fn complete<S: Simd>(&mut self, simd: S, q: usize) {
        let own_part = self.data.queries().own_part(self.queries.rows.start + q);
        let mut met = Vec::new();
        if self.queries.thresholds[q] == f32::INFINITY && self.others.is_none() {
            met = self.start_with(simd, q);
            let limit = self.queries.thresholds[q] - own_part;
            self.work.candidates.retain(|candidate| candidate.0 <= limit);
        }
        self.work.counts.pairs += self.known.len();
        self.work.counts.first += self.work.candidates.len();
        self.refine(simd, q);
        if self.queries.pending.is_empty() {
            self.compute_nearest(simd, q, &met);
            return;
        }
        let (start, pending) = (self.known.start, &mut self.queries.pending[q]);
        let others = self.work.candidates.iter().filter(|candidate| !met.contains(&candidate.1));
        pending.extend(others.map(|(bound, row)| (*bound, start + row)));
        if pending.len() >= PENDING {
            self.compute_pending(simd, q);
        }
    }

    /// Computes the delayed distances of query `q`.
    #[inline(always)]
    fn compute_pending<S: Simd>(&mut self, simd: S, q: usize) {
        let known = std::mem::replace(&mut self.known, 0..self.data.known.len());
        std::mem::swap(&mut self.work.candidates, &mut self.queries.pending[q]);
        self.compute_nearest(simd, q, &[]);
        self.work.candidates.clear();
        std::mem::swap(&mut self.work.candidates, &mut self.queries.pending[q]);
        self.known = known;
    }

    /// Computes the distances of query `q` to candidates, in ascending order of their bounds, as
    /// long as these do not exceed the threshold.
    #[inline(always)]
    fn compute_nearest<S: Simd>(&mut self, simd: S, q: usize, met: &[usize]) {
        let own_part = self.data.queries().own_part(self.queries.rows.start + q);
        self.work.candidates.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        // The second bound is complete; the first one omits the query's part.
        let left_out = if self.data.known.is_refined() { 0.0 } else { own_part };
        let mut at = 0;
        loop {
            let (mut rows, mut count) = ([0; AT_ONCE], 0);
            while count < AT_ONCE
                && let Some(&(bound, row)) = self.work.candidates.get(at)
            {
                at += 1;
                if bound <= self.limit(q, row) - left_out && !met.contains(&row) {
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

    /// The squared distance in the frame beyond which a pair enters neither list.
    #[inline(always)]
    fn limit(&self, q: usize, row: usize) -> f32 {
        let own = self.queries.thresholds[q];
        self.others.as_ref().map_or(own, |others| own.max(others.thresholds[row]))
    }

    /// Keeps the candidates of query `q` that the second bound does not discard.
    #[inline(always)]
    fn refine<S: Simd>(&mut self, simd: S, q: usize) {
        let Data { known, .. } = self.data;
        if !known.is_refined() {
            return;
        }
        let (sketch, own) = (self.data.queries(), self.queries.rows.start + q);
        let mut kept = 0;
        for at in 0..self.work.candidates.len() {
            let (bound, row) = self.work.candidates[at];
            let (limit, other) = (self.limit(q, row), (known, self.known.start + row));
            if let Some(bound) = sketch.refined_bound(simd, own, other, bound, limit) {
                self.work.candidates[kept] = (bound, row);
                kept += 1;
            }
        }
        self.work.candidates.truncate(kept);
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

    /// Adds known rows to the list of a query, excluding the query itself, and the query to
    /// the lists of the known rows.
    #[inline(always)]
    fn enter<S: Simd, const N: usize>(&mut self, simd: S, q: usize, rows: [usize; N]) {
        self.work.counts.second += N;
        let Data { points, new, order, frame, .. } = self.data;
        let own = self.queries.rows.start + q;
        let (query, itself) = match new {
            Some(new) => (new.row(own), None),
            None => (points.row(order[own] as usize, &mut self.work.wide.0), Some(own)),
        };
        let places = rows.map(|row| self.known.start + row);
        let indices = places.map(|place| order[place]);
        let mut wide = self.work.wide.1.iter_mut();
        let known = indices.map(|j| points.row(j as usize, wide.next().expect("at most AT_ONCE rows")));
        let distances = distances_in(simd, query, known);
        let others = (0..N).filter(|&i| Some(places[i]) != itself);
        self.queries.offer(q, others.map(|i| (indices[i], distances[i])), frame);
        if let Some(others) = &mut self.others {
            for (row, distance) in rows.into_iter().zip(distances) {
                others.offer(row, [(order[own], distance)].into_iter(), frame);
            }
        }
    }

    /// Computes the exact distances of the k rows nearest by the first bound, to obtain
    /// an initial threshold; returns these rows.
    #[inline(always)]
    fn start_with<S: Simd>(&mut self, simd: S, q: usize) -> Vec<usize> {
        let QueryRule::Nearest { k } = self.queries.rule else { return Vec::new() };
        let candidates = &mut self.work.candidates;
        // One more, since the query itself may be among them.
        let most = candidates.len().min(k + 1);
        if k + 1 < candidates.len() {
            candidates.select_nth_unstable_by(k, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        }
        let rows: Vec<usize> = candidates[..most].iter().map(|candidate| candidate.1).collect();
        // A closure would be compiled for the baseline instruction set only.
        for rows in rows.chunks(AT_ONCE) {
            self.compute_distances(simd, q, rows);
        }
        rows
    }
}

/// Some queries of a pair of blocks, with the results of the first bounds.
struct Part<'t, 's, 'a> {
    pair: &'t mut BlockPair<'s, 'a>,
    queries: &'t [usize],
    first: First<'t>,
}

/// The results of the first bounds for each of some queries.
enum First<'t> {
    /// A column of bounds.
    Bounds(&'t [f32]),
    /// The known rows not discarded, each with its bound.
    Near(&'t mut [Vec<(f32, usize)>]),
    /// Nothing: the distances that were delayed are computed.
    Pending,
}

impl WithSimd for Part<'_, '_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { pair, queries, mut first } = self;
        let rows = pair.known.len();
        for (i, &q) in queries.iter().enumerate() {
            match &mut first {
                First::Bounds(bounds) => pair.scan(q, &bounds[i * rows..][..rows]),
                First::Near(near) => std::mem::swap(&mut pair.work.candidates, &mut near[i]),
                First::Pending => {
                    pair.compute_pending(simd, q);
                    continue;
                }
            }
            pair.complete(simd, q);
        }
    }
}
