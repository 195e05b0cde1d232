//! Assembly of a sparse matrix as a sum of small matrices over patches.

use embedding::implement::proceed;
use embedding::{Error, Observer};
use neighbor_graph::Neighbors;
use rayon::prelude::*;
use spectral::Sparse;

/// Rows assembled between checks for cancellation.
const STEP: usize = 1 << 15;
/// Rows per parallel task.
const CHUNK: usize = 1 << 10;

/// Whether each point is a neighbor of another one.
pub(crate) fn listed(neighbors: &Neighbors) -> Vec<bool> {
    let mut listed = vec![false; neighbors.len()];
    (0..neighbors.len())
        .for_each(|i| neighbors.indices_of(i).iter().for_each(|&j| listed[j as usize] = true));
    listed
}

/// One set of points per point (its patch), in one array.
#[derive(Debug)]
pub(crate) struct Patches {
    offsets: Vec<usize>,
    members: Vec<u32>,
}

impl Patches {
    /// Creates patches of the neighbors of every point, including the point itself if it
    /// is in no neighbor list, so that the patches cover all points.
    pub(crate) fn covering(neighbors: &Neighbors) -> Self {
        let listed = listed(neighbors);
        Self::collect(neighbors.len(), |i, members| {
            members.extend_from_slice(neighbors.indices_of(i));
            if !listed[i] {
                members.push(i as u32);
            }
        })
    }

    /// Creates patches of the neighbors of every point and, last, the point itself.
    pub(crate) fn with_self(neighbors: &Neighbors) -> Self {
        Self::collect(neighbors.len(), |i, members| {
            members.extend_from_slice(neighbors.indices_of(i));
            members.push(i as u32);
        })
    }

    /// Creates patches of the stored columns of each row of a sparse matrix.
    pub(crate) fn of_rows(matrix: &Sparse) -> Self {
        Self::collect(matrix.nrows(), |i, members| members.extend_from_slice(matrix.row(i).0))
    }

    fn collect(n: usize, add: impl Fn(usize, &mut Vec<u32>)) -> Self {
        let (mut offsets, mut members) = (vec![0], Vec::new());
        for i in 0..n {
            add(i, &mut members);
            offsets.push(members.len());
        }
        Self { offsets, members }
    }

    pub(crate) fn of(&self, i: usize) -> &[u32] {
        &self.members[self.range(i)]
    }

    /// Returns the range of patch i in an array of all patches.
    pub(crate) fn range(&self, i: usize) -> std::ops::Range<usize> {
        self.offsets[i]..self.offsets[i + 1]
    }

    /// Returns the sum of the sizes of all patches.
    pub(crate) fn total(&self) -> usize {
        self.members.len()
    }

    /// Iterates over the sizes in order.
    pub(crate) fn sizes(&self) -> impl Iterator<Item = usize> + '_ {
        self.offsets.windows(2).map(|w| w[1] - w[0])
    }

    /// Computes M = Σᵢ Eᵢ Lᵢ Eᵢᵀ, where Eᵢ embeds patch i: `line(i, p, out)` writes row p
    /// of the symmetric Lᵢ to `out`, one number per member of patch i.
    ///
    /// Assembled by rows: each task sums the contributions of all patches to its rows, in
    /// the order of the patches, so there are no concurrent writes and the result does
    /// not depend on the number of threads. O(Σ kᵢ²) time in addition to the lines;
    /// memory for the result twice.
    pub(crate) fn assemble(
        &self,
        line: impl Fn(usize, usize, &mut [f64]) + Sync,
        observer: &dyn Observer,
    ) -> Result<Sparse, Error> {
        let n = self.offsets.len() - 1;
        let occurrences = self.occurrences(n);
        let mut parts: Vec<Rows> = Vec::with_capacity(n.div_ceil(CHUNK));
        for wave in (0..n).step_by(STEP) {
            let end = (wave + STEP).min(n);
            let starts: Vec<usize> = (wave..end).step_by(CHUNK).collect();
            parts.par_extend(
                starts
                    .into_par_iter()
                    .map(|start| self.rows(start..(start + CHUNK).min(end), &occurrences, &line)),
            );
            proceed(observer, end, n)?;
        }
        Ok(join(n, parts))
    }

    /// Returns the occurrences of each point as (patch, position in the patch), in
    /// ascending order of patches.
    fn occurrences(&self, n: usize) -> Occurrences {
        let mut offsets = vec![0; n + 1];
        self.members.iter().for_each(|&j| offsets[j as usize + 1] += 1);
        (0..n).for_each(|i| offsets[i + 1] += offsets[i]);
        let mut next = offsets.clone();
        let mut entries = vec![(0, 0); self.members.len()];
        for i in 0..n {
            for (p, &j) in self.of(i).iter().enumerate() {
                entries[next[j as usize]] = (i as u32, p as u32);
                next[j as usize] += 1;
            }
        }
        Occurrences { offsets, entries }
    }

    fn rows(
        &self,
        range: std::ops::Range<usize>,
        occurrences: &Occurrences,
        line: &(impl Fn(usize, usize, &mut [f64]) + Sync),
    ) -> Rows {
        let mut rows = Rows::default();
        let mut row = RowSum::default();
        let mut numbers = Vec::new();
        for r in range {
            let entries = &occurrences.entries[occurrences.offsets[r]..occurrences.offsets[r + 1]];
            row.clear(entries.iter().map(|&(i, _)| self.of(i as usize).len()).sum());
            for &(i, p) in entries {
                let members = self.of(i as usize);
                numbers.resize(members.len(), 0.0);
                line(i as usize, p as usize, &mut numbers);
                members.iter().zip(&numbers).for_each(|(&j, &v)| row.add(j, v));
            }
            row.drain_sorted(&mut rows.columns, &mut rows.values);
            rows.ends.push(rows.columns.len());
        }
        rows
    }
}

struct Occurrences {
    offsets: Vec<usize>,
    entries: Vec<(u32, u32)>,
}

#[derive(Default)]
struct Rows {
    ends: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

fn join(n: usize, parts: Vec<Rows>) -> Sparse {
    let stored = parts.iter().map(|p| p.columns.len()).sum();
    let mut offsets = Vec::with_capacity(n + 1);
    offsets.push(0);
    let (mut columns, mut values) = (Vec::with_capacity(stored), Vec::with_capacity(stored));
    for part in parts {
        offsets.extend(part.ends.iter().map(|end| columns.len() + end));
        columns.extend_from_slice(&part.columns);
        values.extend_from_slice(&part.values);
    }
    Sparse::from_parts(n, offsets, columns, values)
}

/// One sparse row under construction: a hash table small enough for the first-level
/// cache.
#[derive(Default)]
struct RowSum {
    /// 1 + the index in `columns`, or 0; the length is a power of two.
    slots: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
    order: Vec<u64>,
}

impl RowSum {
    /// Clears the row and reserves space for at most `entries` additions.
    fn clear(&mut self, entries: usize) {
        self.slots.clear();
        self.slots.resize((2 * entries).next_power_of_two().max(2), 0);
        self.columns.clear();
        self.values.clear();
    }

    fn add(&mut self, column: u32, value: f64) {
        let mask = self.slots.len() - 1;
        // Fibonacci hashing: the upper half of the product with 2⁶⁴/φ.
        let mut at = (u64::from(column).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & mask;
        loop {
            match self.slots[at] {
                0 => {
                    self.columns.push(column);
                    self.values.push(value);
                    self.slots[at] = self.columns.len() as u32;
                    return;
                }
                taken if self.columns[taken as usize - 1] == column => {
                    self.values[taken as usize - 1] += value;
                    return;
                }
                _ => at = (at + 1) & mask,
            }
        }
    }

    fn drain_sorted(&mut self, columns: &mut Vec<u32>, values: &mut Vec<f64>) {
        self.order.clear();
        self.order.extend(self.columns.iter().enumerate().map(|(at, &c)| u64::from(c) << 32 | at as u64));
        self.order.sort_unstable();
        columns.extend(self.order.iter().map(|key| (key >> 32) as u32));
        values.extend(self.order.iter().map(|key| self.values[(key & 0xFFFF_FFFF) as usize]));
    }
}
