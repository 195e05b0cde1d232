//! The edges of the graph, and their visits in the steps of an optimization.

use std::ops::Range;

use crate::negative_samples::GOLDEN;

/// Edges that are tested together: one per bit of a number.
const GROUP: usize = 32;

/// Visited edges that are found together: most groups have fewer.
const AT_A_TIME: usize = 8;

/// Points per parallel task, and per key of random points in a step.
pub(crate) const CHUNK: usize = 128;

/// Steps per epoch. With one, points with many edges move by many pulls at a time; see also
/// [`Pairs::damp`](crate::pairs::Pairs::damp).
pub(crate) const STEPS: usize = 4;

/// Edges by rows with the frequency of their visits: the fraction of the largest weight. Followed by
/// [`GROUP`] padding entries.
pub(crate) struct Edges {
    /// Offsets of the chunks.
    starts: Vec<usize>,
    /// The points at which the edges begin, counted within their chunk.
    rows: Vec<u8>,
    columns: Vec<u32>,
    /// Visits per step, in units of 2⁻³².
    rates: Vec<u32>,
}

impl Edges {
    /// The memory of an edge.
    pub(crate) const BYTES: usize = 9;

    /// The rows of a graph. `largest` is the weight of an edge that is visited in every
    /// epoch.
    pub(crate) fn new<'a>(
        n: usize,
        row: impl Fn(usize) -> (&'a [u32], &'a [f64]),
        largest: f64,
        steps: usize,
    ) -> Self {
        let entries: usize = (0..n).map(|i| row(i).0.len()).sum();
        let mut edges = Self {
            starts: Vec::with_capacity(n.div_ceil(CHUNK) + 1),
            rows: Vec::with_capacity(entries + GROUP),
            columns: Vec::with_capacity(entries + GROUP),
            rates: Vec::with_capacity(entries + GROUP),
        };
        let unit = f64::from(u32::MAX) / (steps as f64 * largest);
        for i in 0..n {
            if i.is_multiple_of(CHUNK) {
                edges.starts.push(edges.columns.len());
            }
            let (js, ws) = row(i);
            edges.rows.extend(js.iter().map(|_| (i % CHUNK) as u8));
            edges.columns.extend_from_slice(js);
            edges.rates.extend(ws.iter().map(|w| (w * unit) as u32));
        }
        edges.starts.push(edges.columns.len());
        edges.rows.resize(entries + GROUP, 0);
        edges.columns.resize(entries + GROUP, 0);
        edges.rates.resize(entries + GROUP, 0);
        edges
    }

    /// Replaces `visits` by the visits to the edges of a chunk of points in a step. An edge of rate r and
    /// phase φ is visited in step t if a whole number lies between φ + t r and φ + (t + 1) r.
    pub(crate) fn due(&self, chunk: usize, step: u32, visits: &mut Visits) {
        let edges = self.starts[chunk]..self.starts[chunk + 1];
        pulp::Arch::new().dispatch(Due { graph: self, edges, step, visits });
    }
}

/// The arguments of [`Edges::due`], so that it is compiled for the widest registers.
struct Due<'a> {
    graph: &'a Edges,
    edges: Range<usize>,
    step: u32,
    visits: &'a mut Visits,
}

impl pulp::NullaryFnOnce for Due<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { graph: Edges { rows, columns, rates, .. }, edges, step, visits } = self;
        let Visits { count, rows: due, neighbors: others } = visits;
        let most = due.len().max(edges.len() + GROUP);
        due.resize(most, 0);
        others.resize(most, 0);
        let mut visited = 0;
        for first in edges.clone().step_by(GROUP) {
            let (rows, columns) = (group(&rows[first..]), group(&columns[first..]));
            let phase = (first as u32).wrapping_mul(GOLDEN);
            let mut flags = [0; GROUP];
            let rates = group(&rates[first..]);
            for l in 0..GROUP {
                let before = phase
                    .wrapping_add(GOLDEN.wrapping_mul(l as u32))
                    .wrapping_add(rates[l].wrapping_mul(step));
                flags[l] = u8::from(before.wrapping_add(rates[l]) < before);
            }
            let mut left = bits(flags) & u32::MAX >> GROUP.saturating_sub(edges.end - first);
            let end = visited + left.count_ones() as usize;
            // Without branches that depend on the edges: the next visits overwrite the entries after the last
            // one.
            while visited < end {
                for (due, other) in
                    due[visited..][..AT_A_TIME].iter_mut().zip(&mut others[visited..][..AT_A_TIME])
                {
                    let l = left.trailing_zeros() as usize % GROUP;
                    (*due, *other) = (rows[l], columns[l]);
                    left &= left.wrapping_sub(1);
                }
                visited += AT_A_TIME;
            }
            visited = end;
        }
        *count = visited;
    }
}

/// The first [`GROUP`] numbers.
#[inline(always)]
fn group<T>(numbers: &[T]) -> &[T; GROUP] {
    numbers.first_chunk().expect("lists are filled up")
}

/// The numbers 0 or 1 as bits, from the lowest on.
#[inline(always)]
fn bits(flags: [u8; GROUP]) -> u32 {
    let eights = flags.as_chunks::<8>().0.iter().enumerate();
    // The product has the lowest bits of the eight bytes in its highest byte.
    eights.fold(0, |bits, (at, eight)| {
        let highest = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        bits | (highest as u32) << (8 * at)
    })
}

/// The edges that are visited in a step: pairs of a moving point and a neighbor.
#[derive(Default)]
pub(crate) struct Visits {
    count: usize,
    /// The moving points, ascending, and their neighbors; entries after the first `count` are left over from
    /// other steps.
    rows: Vec<u8>,
    neighbors: Vec<u32>,
}

impl Visits {
    /// The moving points, ascending, and their neighbors.
    pub(crate) fn ends(&self) -> (&[u8], &[u32]) {
        (&self.rows[..self.count], &self.neighbors[..self.count])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [&[u32]; 4] = [&[1, 2, 3, 7, 9], &[], &[0, 5], &[4]];
    const WEIGHTS: [&[f64]; 4] = [&[1.0, 0.5, 0.25, 0.1, 0.0], &[], &[0.3, 1.0], &[0.8]];

    #[test]
    fn an_edge_is_visited_as_often_as_its_weight_says() {
        // The same rows in every chunk; the last chunk is not full.
        let n = 2 * CHUNK + 3;
        let edges = Edges::new(n, |i| (COLUMNS[i % CHUNK % 4], WEIGHTS[i % CHUNK % 4]), 1.0, 2);
        let mut visits = Visits::default();
        for chunk in 0..3 {
            let count = CHUNK.min(n - chunk * CHUNK);
            let mut counts: Vec<Vec<f64>> = (0..count).map(|i| vec![0.0; COLUMNS[i % 4].len()]).collect();
            for step in 0..400 {
                edges.due(chunk, step, &mut visits);
                let (rows, neighbors) = visits.ends();
                assert!(rows.is_sorted());
                for (&row, j) in rows.iter().zip(neighbors) {
                    let row = usize::from(row);
                    let at = COLUMNS[row % 4].iter().position(|column| column == j).expect("a neighbor");
                    counts[row][at] += 1.0;
                }
            }
            // In 400 steps, two per epoch.
            for (row, counts) in counts.iter().enumerate() {
                for (count, weight) in counts.iter().zip(WEIGHTS[row % 4]) {
                    assert!((count - 200.0 * weight).abs() <= 1.0, "{count} visits, weight {weight}");
                }
            }
        }
    }
}
