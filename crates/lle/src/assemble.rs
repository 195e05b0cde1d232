//! Small matrices of patches, added up to one sparse matrix.

use embedding::{Error, Observer, proceed};
use neighbor_graph::Neighbors;
use rayon::prelude::*;
use spectral::Sparse;

/// Rows of the sum between two questions to the observer.
const WAVE: usize = 1 << 15;
/// Rows that one job finishes.
const CHUNK: usize = 1 << 10;

/// One set of points per point, in one array.
#[derive(Debug)]
pub(crate) struct Patches {
    offsets: Vec<usize>,
    members: Vec<u32>,
}

impl Patches {
    /// The neighbors of every point; and the point itself where it is nobody's
    /// neighbor, or no patch would know of it.
    pub(crate) fn covering(neighbors: &Neighbors) -> Self {
        let mut known = vec![false; neighbors.len()];
        (0..neighbors.len()).for_each(|i| neighbors.of(i).0.iter().for_each(|&j| known[j as usize] = true));
        Self::collect(neighbors.len(), |i, members| {
            members.extend_from_slice(neighbors.of(i).0);
            if !known[i] {
                members.push(i as u32);
            }
        })
    }

    /// The neighbors of every point and, last, the point itself.
    pub(crate) fn with_self(neighbors: &Neighbors) -> Self {
        Self::collect(neighbors.len(), |i, members| {
            members.extend_from_slice(neighbors.of(i).0);
            members.push(i as u32);
        })
    }

    /// The columns that each row of a sparse matrix stores.
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

    /// Where the members of patch i lie in an array of all patches.
    pub(crate) fn range(&self, i: usize) -> std::ops::Range<usize> {
        self.offsets[i]..self.offsets[i + 1]
    }

    /// The sizes of all patches together.
    pub(crate) fn total(&self) -> usize {
        self.members.len()
    }

    /// Sizes in order.
    pub(crate) fn sizes(&self) -> impl Iterator<Item = usize> + '_ {
        self.offsets.windows(2).map(|w| w[1] - w[0])
    }

    /// M = Σᵢ Eᵢ Lᵢ Eᵢᵀ, where Eᵢ places patch i: `line(i, p, out)` writes row p of the
    /// symmetric Lᵢ to `out`, one number per member of patch i.
    ///
    /// Row by row: each thread gathers what all patches say about its rows, in
    /// the order of the patches, so that no two threads write to one place and
    /// the sum is the same at any number of threads. O(Σ kᵢ²) time beside the
    /// lines; memory for the result twice.
    pub(crate) fn assemble(
        &self,
        line: impl Fn(usize, usize, &mut [f64]) + Sync,
        observer: &dyn Observer,
    ) -> Result<Sparse, Error> {
        let n = self.offsets.len() - 1;
        let homes = self.homes(n);
        let mut parts: Vec<Rows> = Vec::with_capacity(n.div_ceil(CHUNK));
        for wave in (0..n).step_by(WAVE) {
            let end = (wave + WAVE).min(n);
            let starts: Vec<usize> = (wave..end).step_by(CHUNK).collect();
            parts.par_extend(
                starts.into_par_iter().map(|start| self.rows(start..(start + CHUNK).min(end), &homes, &line)),
            );
            proceed(observer, end, n)?;
        }
        Ok(join(n, parts))
    }

    /// Where each point occurs: (patch, position in the patch), patches ascending.
    fn homes(&self, n: usize) -> Homes {
        let mut offsets = vec![0; n + 1];
        self.members.iter().for_each(|&j| offsets[j as usize + 1] += 1);
        (0..n).for_each(|i| offsets[i + 1] += offsets[i]);
        let mut next = offsets.clone();
        let mut places = vec![(0, 0); self.members.len()];
        for i in 0..n {
            for (p, &j) in self.of(i).iter().enumerate() {
                places[next[j as usize]] = (i as u32, p as u32);
                next[j as usize] += 1;
            }
        }
        Homes { offsets, places }
    }

    fn rows(
        &self,
        range: std::ops::Range<usize>,
        homes: &Homes,
        line: &(impl Fn(usize, usize, &mut [f64]) + Sync),
    ) -> Rows {
        let mut rows = Rows::default();
        let mut row = RowSum::default();
        let mut numbers = Vec::new();
        for r in range {
            let places = &homes.places[homes.offsets[r]..homes.offsets[r + 1]];
            row.clear(places.iter().map(|&(i, _)| self.of(i as usize).len()).sum());
            for &(i, p) in places {
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

struct Homes {
    offsets: Vec<usize>,
    places: Vec<(u32, u32)>,
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

/// One sparse row under construction: a hash table small enough to stay in the
/// nearest cache.
#[derive(Default)]
struct RowSum {
    /// 1 + the position in `columns`, or 0; a power of two of them.
    slots: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
    order: Vec<u64>,
}

impl RowSum {
    /// Makes room for at most `entries` additions.
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
