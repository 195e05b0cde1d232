//! A few columns of numbers on every patch.

use std::ops::Range;

use neighbor_graph::Neighbors;

use crate::patches::Patches;
use crate::per_point::cut;

/// Matrices with `width` columns and one row per member of a patch, for all patches, row
/// by row.
#[derive(Debug)]
pub(crate) struct Columns {
    width: usize,
    values: Vec<f64>,
}

impl Columns {
    /// The memory in addition to M while it is assembled from patches of the neighbors and the points
    /// themselves, in bytes: columns, `more` numbers per member, members and where they occur, and an offset
    /// in each of them per point.
    pub(crate) fn assembling_bytes(neighbors: &Neighbors, width: usize, more: usize) -> u64 {
        let members = neighbors.edge_count() + neighbors.len();
        let columns = width.saturating_add(more).saturating_mul(size_of::<f64>());
        let member = columns.saturating_add(size_of::<u32>() + size_of::<(u32, u32)>());
        members.saturating_mul(member).saturating_add(2 * neighbors.len() * size_of::<usize>()) as u64
    }

    pub(crate) fn zeros(patches: &Patches, width: usize) -> Self {
        Self { width, values: vec![0.0; patches.total() * width] }
    }

    /// The matrices of all patches, to be filled.
    pub(crate) fn split(&mut self, patches: &Patches) -> Vec<PatchColumns<'_>> {
        let width = self.width;
        let parts = cut(&mut self.values, patches.sizes().map(|k| k * width));
        parts.into_iter().map(|rows| PatchColumns { width, rows }).collect()
    }

    /// Row `p` of UUᵀ, where U is the first `count` columns of the patch whose members
    /// have the given range.
    pub(crate) fn products(
        &self,
        members: Range<usize>,
        p: usize,
        count: usize,
    ) -> impl Iterator<Item = f64> {
        let rows = &self.values[members.start * self.width..members.end * self.width];
        let own = &rows[p * self.width..][..count];
        rows.chunks_exact(self.width)
            .map(move |other| own.iter().zip(&other[..count]).map(|(a, b)| a * b).sum::<f64>())
    }

    /// Whether column `j` of the patch whose members have the given range is zero.
    pub(crate) fn vanishes(&self, members: Range<usize>, j: usize) -> bool {
        let rows = &self.values[members.start * self.width..members.end * self.width];
        rows.iter().skip(j).step_by(self.width).all(|v| *v == 0.0)
    }
}

/// The matrix of one patch.
#[derive(Debug)]
pub(crate) struct PatchColumns<'a> {
    width: usize,
    rows: &'a mut [f64],
}

impl PatchColumns<'_> {
    /// Sets column `j`; members beyond its end stay zero.
    pub(crate) fn set(&mut self, j: usize, column: &[f64]) {
        self.rows[j..].iter_mut().step_by(self.width).zip(column).for_each(|(to, from)| *to = *from);
    }

    /// The number of columns.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Makes all columns zero.
    pub(crate) fn clear(&mut self) {
        self.rows.fill(0.0);
    }

    /// Column `j`.
    pub(crate) fn column(&self, j: usize) -> impl Iterator<Item = f64> {
        self.rows[j..].iter().step_by(self.width).copied()
    }
}

#[cfg(test)]
mod tests {
    use neighbor_graph::{Neighborhood, Neighbors};

    use super::Columns;

    /// Forty members of 2 + 1 numbers, themselves and where they occur; two lists of ten offsets.
    #[test]
    fn the_estimate_counts_all_memory_next_to_the_matrix() {
        let list = |i: usize| (1..=3).map(|at| (((i + at) % 10) as u32, at as f64)).collect();
        let lists = Neighbors::from_lists((0..10).map(list).collect(), Neighborhood::Nearest { k: 3 });
        let bytes = Columns::assembling_bytes(&lists.expect("lists"), 2, 1);
        assert_eq!(bytes, 40 * (3 * 8 + 4 + 8) + 2 * 10 * size_of::<usize>() as u64);
    }
}
