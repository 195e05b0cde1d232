//! Storage for one triangle of a symmetric matrix, in a few large blocks.
//!
//! Allocators retain freed memory of small allocations, so freed rows could keep
//! gigabytes in the process; large blocks are mapped directly and returned to the system.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use embedding::Error;

use crate::Precision;
use crate::storage::Packing;

/// Smallest block in bytes, if there are several; twice the usual largest size that
/// common allocators retain.
const BLOCK: usize = 64 << 20;

/// The rows of a strictly lower triangle: row i has i numbers.
#[derive(Clone, Debug)]
pub(crate) enum Triangle {
    Single(Blocks<f32>),
    Double(Blocks<f64>),
}

#[derive(Clone, Debug)]
pub(crate) struct Blocks<T> {
    blocks: Vec<Vec<T>>,
    /// The first row of each block.
    first: Vec<usize>,
    /// The number of rows.
    n: usize,
}

/// One row to be filled, from any thread; see
/// [`Distances::from_slots`](crate::steps::Distances::from_slots).
#[derive(Debug)]
pub struct Slot<'a> {
    row: usize,
    packing: &'a Packing,
    /// The row's storage; taken when the row is filled.
    space: Mutex<Option<Space<'a>>>,
}

#[derive(Debug)]
enum Space<'a> {
    Single(&'a mut [f32]),
    Double(&'a mut [f64]),
}

/// Bytes per row in addition to its numbers, during construction.
pub(crate) const HEAD: usize = size_of::<Slot<'_>>();

impl Triangle {
    /// Creates a triangle of zeros; the system allocates pages when a row is first
    /// written.
    pub(crate) fn zeros(n: usize, precision: Precision) -> Self {
        match precision {
            Precision::Single => Self::Single(Blocks::zeros(n, BLOCK)),
            Precision::Double => Self::Double(Blocks::zeros(n, BLOCK)),
        }
    }

    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Single(blocks) => blocks.n,
            Self::Double(blocks) => blocks.n,
        }
    }

    /// Returns a slot for every row.
    pub(crate) fn slots<'a>(&'a mut self, packing: &'a Packing) -> Vec<Slot<'a>> {
        let slot = |(row, space)| Slot { row, packing, space: Mutex::new(Some(space)) };
        match self {
            Self::Single(blocks) => blocks.split().map(Space::Single).enumerate().map(slot).collect(),
            Self::Double(blocks) => blocks.split().map(Space::Double).enumerate().map(slot).collect(),
        }
    }

    /// Copies some numbers of row `i`.
    pub(crate) fn copy(&self, i: usize, columns: Range<usize>, out: &mut [f64]) {
        match self {
            Self::Single(blocks) => {
                out.iter_mut().zip(&blocks.row(i)[columns]).for_each(|(o, &v)| *o = f64::from(v));
            }
            Self::Double(blocks) => out.copy_from_slice(&blocks.row(i)[columns]),
        }
    }
}

impl<T: Copy + Default> Blocks<T> {
    fn zeros(n: usize, bytes: usize) -> Self {
        let total = before(n);
        let count = (total * size_of::<T>() / bytes).max(1);
        let mut first = vec![0];
        for i in 0..n {
            // A block starts at the end of its equal part, or at most one row later.
            if before(i) * count >= total * first.len() && before(i) < total {
                first.push(i);
            }
        }
        let ends = first[1..].iter().chain([&n]);
        let blocks =
            first.iter().zip(ends).map(|(&i, &end)| vec![T::default(); before(end) - before(i)]).collect();
        Self { blocks, first, n }
    }

    fn row(&self, i: usize) -> &[T] {
        let block = self.first.partition_point(|&first| first <= i) - 1;
        let start = before(i) - before(self.first[block]);
        &self.blocks[block][start..start + i]
    }

    /// Splits the storage into rows.
    fn split(&mut self) -> impl Iterator<Item = &mut [T]> {
        let ends = self.first[1..].iter().copied().chain([self.n]);
        self.first.iter().zip(ends).zip(&mut self.blocks).flat_map(|((&first, end), block)| {
            let mut rest = &mut block[..];
            (first..end).map(move |i| rest.split_off_mut(..i).expect("a block contains its rows"))
        })
    }
}

/// Returns the number of entries in the rows before row `i`.
fn before(i: usize) -> usize {
    i * i.saturating_sub(1) / 2
}

impl Slot<'_> {
    /// Returns the index of the point whose distances the row holds.
    pub fn row(&self) -> usize {
        self.row
    }

    /// Stores the distances from the point to all earlier points.
    ///
    /// Fails if their number is not `row()`, if one is negative, not finite or above 1e18
    /// times the scale, or if the row is already filled.
    pub fn fill(&self, distances: &[f64]) -> Result<(), Error> {
        if distances.len() != self.row {
            return Err(Error::Shape {
                what: "a row of distances",
                expected: format!("{} numbers", self.row),
                got: distances.len().to_string(),
            });
        }
        match self.space.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(Space::Single(out)) => self.packing.pack(distances, out, |square| square as f32),
            Some(Space::Double(out)) => self.packing.pack(distances, out, |square| square),
            None => Err(Error::parameter("a row of distances", "filled once", format!("{} again", self.row))),
        }
    }

    /// Fails unless the row is filled.
    pub(crate) fn check_filled(&self) -> Result<(), Error> {
        match *self.space.lock().unwrap_or_else(PoisonError::into_inner) {
            None => Ok(()),
            Some(_) => Err(Error::parameter("every row of distances", "filled", format!("{} not", self.row))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_do_not_overlap_and_fill_the_blocks() {
        for n in [0, 1, 2, 3, 10, 57] {
            for bytes in [1, 8, 100, 1000, 1 << 20] {
                let mut triangle = Blocks::<f32>::zeros(n, bytes);
                let total: usize = triangle.blocks.iter().map(Vec::len).sum();
                assert_eq!(total, n * n.saturating_sub(1) / 2, "{n} rows, blocks of {bytes}");
                triangle.split().enumerate().for_each(|(i, row)| row.fill(i as f32));
                for i in 0..n {
                    assert_eq!(triangle.row(i), vec![i as f32; i], "{n} rows, blocks of {bytes}");
                }
            }
        }
    }

    #[test]
    fn blocks_have_about_the_requested_size() {
        let (n, bytes) = (3000, 1 << 20);
        let triangle = Blocks::<f64>::zeros(n, bytes);
        assert_eq!(triangle.blocks.len(), 34, "36 MB");
        for block in &triangle.blocks {
            assert!((block.len() * 8).abs_diff(bytes) < bytes / 10, "{}", block.len());
        }
    }
}
