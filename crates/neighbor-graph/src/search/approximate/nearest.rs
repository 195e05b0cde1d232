//! The best neighbors so far of every point.

use rayon::prelude::*;

/// Lists of k entries (position, separation), nearest first, ties by position.
#[derive(Debug)]
pub(super) struct Nearest {
    k: usize,
    indices: Vec<u32>,
    separations: Vec<f32>,
    /// Whether an entry has not yet been compared with the other neighbors.
    fresh: Vec<bool>,
}

/// One list.
#[derive(Debug)]
pub(super) struct Row<'a> {
    pub(super) indices: &'a mut [u32],
    separations: &'a mut [f32],
    pub(super) fresh: &'a mut [bool],
}

impl Row<'_> {
    /// Enters a point if it is near enough and not in the list; returns whether it was.
    pub(super) fn offer(&mut self, j: u32, separation: f32) -> bool {
        let last = self.indices.len() - 1;
        if (self.separations[last], self.indices[last]) <= (separation, j) || self.indices.contains(&j) {
            return false;
        }
        let mut at = last;
        while at > 0 && (separation, j) < (self.separations[at - 1], self.indices[at - 1]) {
            self.separations[at] = self.separations[at - 1];
            self.indices[at] = self.indices[at - 1];
            self.fresh[at] = self.fresh[at - 1];
            at -= 1;
        }
        (self.indices[at], self.separations[at], self.fresh[at]) = (j, separation, true);
        true
    }
}

impl Nearest {
    /// Empty lists: entries without a point are infinitely far.
    pub(super) fn new(n: usize, k: usize) -> Self {
        Self {
            k,
            indices: vec![u32::MAX; n * k],
            separations: vec![f32::INFINITY; n * k],
            fresh: vec![false; n * k],
        }
    }

    /// Lists twice as long; all entries are fresh again.
    pub(super) fn widened(&self) -> Self {
        let mut wide = Self::new(self.len(), 2 * self.k);
        wide.rows().enumerate().for_each(|(at, row)| {
            let entries = at * self.k..(at + 1) * self.k;
            row.indices[..self.k].copy_from_slice(&self.indices[entries.clone()]);
            row.separations[..self.k].copy_from_slice(&self.separations[entries]);
            row.fresh[..self.k].fill(true);
        });
        wide
    }

    pub(super) fn k(&self) -> usize {
        self.k
    }

    pub(super) fn len(&self) -> usize {
        self.indices.len() / self.k
    }

    /// The positions in the list of a point, and whether each is fresh.
    pub(super) fn of(&self, at: usize) -> (&[u32], &[bool]) {
        let range = at * self.k..(at + 1) * self.k;
        (&self.indices[range.clone()], &self.fresh[range])
    }

    /// The separation that a point must be below to enter a list.
    #[inline(always)]
    pub(super) fn reach(&self, at: u32) -> f32 {
        self.separations[(at as usize + 1) * self.k - 1]
    }

    /// All lists, to be changed at the same time.
    pub(super) fn rows(&mut self) -> impl IndexedParallelIterator<Item = Row<'_>> {
        let k = self.k;
        let entries = self.indices.par_chunks_mut(k).zip(self.separations.par_chunks_mut(k));
        entries.zip(self.fresh.par_chunks_mut(k)).map(|((indices, separations), fresh)| Row {
            indices,
            separations,
            fresh,
        })
    }
}
