//! All pairwise distances, one triangle of them.

use std::ops::Range;

use embedding::matrix::copy_tile;
use embedding::{DistanceMatrix, Error, MemoryLimit, Observer, Points, proceed};
use faer::MatRef;
use rayon::prelude::*;

use crate::euclidean::{diameter_bound, euclidean_row};
use crate::triangle::{self, Triangle};
use crate::{Packing, Precision, Slot};

/// Rows worked on at a time. A square tile of this side is converted to double precision
/// at a time and stays in the second-level cache.
pub(crate) const STRIP: usize = 128;

/// Rows filled between two questions whether to go on.
const ROWS_PER_STEP: usize = 512;

/// Rows of a given matrix read together: a cache line of those that lie by columns.
const LINES: usize = 16;

/// Distances between all pairs of n points: symmetric, zero on the diagonal,
/// finite, not negative.
///
/// Squares of the distances are kept, in a power of two of the input unit so
/// that neither precision over- or underflows; one triangle, row i with the
/// squares to 0 .. i: n (n − 1)/2 numbers.
#[derive(Clone, Debug)]
pub struct Distances {
    packing: Packing,
    squares: Triangle,
}

impl Distances {
    /// Bytes that the distances of n points occupy while they are put together;
    /// afterwards a little less.
    pub fn bytes(n: usize, precision: Precision) -> u64 {
        let n = n as u64;
        n * (n - n.min(1)) / 2 * precision.bytes() + n * triangle::HEAD as u64
    }

    /// Takes a full matrix, which must be square, symmetric to 1e-12 of its
    /// largest entry, zero on the diagonal, finite and not negative; the lower
    /// triangle decides. O(n²).
    pub fn from_matrix(matrix: MatRef<'_, f64>, precision: Precision) -> Result<Self, Error> {
        Self::from_given(DistanceMatrix::from_mat(matrix)?, precision)
    }

    /// Takes a validated matrix. O(n²).
    pub fn from_given(given: DistanceMatrix<'_>, precision: Precision) -> Result<Self, Error> {
        let (n, matrix) = (given.len(), given.as_mat());
        let packing = Packing::new(given.largest(), precision);
        Self::from_slots(n, packing, |slots| {
            slots.par_chunks(LINES).try_for_each_init(Vec::new, |rows: &mut Vec<f64>, slots| {
                let (first, width) = (slots[0].row(), slots[slots.len() - 1].row());
                rows.resize(slots.len() * width, 0.0);
                copy_tile(matrix, first..first + slots.len(), 0..width, rows);
                slots.iter().enumerate().try_for_each(|(at, slot)| {
                    let start = at * width;
                    slot.fill(&rows[start..start + slot.row()])
                })
            })
        })
    }

    /// Euclidean distances of points, from coordinate differences; O(n² D).
    /// Reports steps of the stage that the caller has begun.
    pub fn euclidean(
        points: Points<'_>,
        precision: Precision,
        limit: MemoryLimit,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let n = points.len();
        let advice = "use landmark-mds, fewer points, or allow more memory";
        limit.allow("the matrix of distances", Self::bytes(n, precision), advice)?;
        Self::from_rows(n, diameter_bound(points), precision, observer, |i, row| {
            euclidean_row(points.row(i), points.rows(), row);
        })
    }

    /// Asks `fill(i, row)` for the distances from point i to the points 0 .. i,
    /// rows in parallel. `scale` is the order of magnitude of the distances.
    ///
    /// Fails when a distance is negative, not finite or beyond 1e18 scales, and
    /// when the observer cancels. Reports steps of the stage that the caller has begun.
    pub fn from_rows(
        n: usize,
        scale: f64,
        precision: Precision,
        observer: &dyn Observer,
        fill: impl Fn(usize, &mut [f64]) + Sync,
    ) -> Result<Self, Error> {
        Self::from_slots(n, Packing::new(scale, precision), |slots| {
            proceed(observer, 0, n)?;
            for (step, slots) in slots.chunks(ROWS_PER_STEP).enumerate() {
                slots.par_iter().try_for_each_init(
                    || vec![0.0; n],
                    |row, slot| {
                        let row = &mut row[..slot.row()];
                        fill(slot.row(), row);
                        slot.fill(row)
                    },
                )?;
                proceed(observer, step * ROWS_PER_STEP + slots.len(), n)?;
            }
            Ok(())
        })
    }

    /// Lets `work` fill the rows of n points in any order, each once, from any thread.
    ///
    /// Fails when `work` does, and when it leaves a row out.
    ///
    /// ```
    /// use mds::{Distances, Packing, Precision};
    /// let packing = Packing::new(2.0, Precision::Double);
    /// let line = Distances::from_slots(3, packing, |slots| {
    ///     slots[2].fill(&[2.0, 1.0])?;
    ///     slots[0].fill(&[])?;
    ///     slots[1].fill(&[1.0])
    /// })?;
    /// assert_eq!(line.get(0, 2), 2.0);
    /// assert!(Distances::from_slots(3, packing, |slots| slots[1].fill(&[1.0])).is_err());
    /// # Ok::<(), embedding::Error>(())
    /// ```
    pub fn from_slots(
        n: usize,
        packing: Packing,
        work: impl FnOnce(&[Slot<'_>]) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        if n == 0 {
            return Err(Error::TooFewPoints { what: "a matrix of distances", needed: 1, got: 0 });
        }
        let mut squares = Triangle::zeros(n, packing.precision);
        let slots = squares.slots(&packing);
        work(&slots)?;
        slots.iter().try_for_each(Slot::check_filled)?;
        drop(slots);
        Ok(Self { packing, squares })
    }

    /// The number of points, n.
    pub fn len(&self) -> usize {
        self.squares.len()
    }

    /// Always false: there is no empty set of distances.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Unit and precision of the store.
    pub fn packing(&self) -> Packing {
        self.packing
    }

    /// The distance between points `i` and `j`, in input units.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        let (i, j) = (i.max(j), i.min(j));
        if i == j {
            return 0.0;
        }
        let mut square = [0.0];
        self.copy_squares(i, j..j + 1, &mut square);
        self.packing.unit * square[0].sqrt()
    }

    /// The input unit of the stored squares' roots, a power of two.
    pub(crate) fn unit(&self) -> f64 {
        self.packing.unit
    }

    /// Squares of the distances from point `i` to the given points before it, in
    /// stored units.
    pub(crate) fn copy_squares(&self, i: usize, columns: Range<usize>, out: &mut [f64]) {
        self.squares.copy(i, columns, out);
    }

    /// Squares below the diagonal, given to `visit` row by row: (i, squares to
    /// 0 .. i). One accumulator per strip; strips in parallel, in order in the
    /// result.
    pub(crate) fn by_strip<A: Send>(
        &self,
        start: impl Fn() -> A + Sync,
        visit: impl Fn(&mut A, usize, &[f64]) + Sync,
    ) -> Vec<A> {
        let n = self.len();
        (0..n.div_ceil(STRIP))
            .into_par_iter()
            .map(|strip| {
                let mut sum = start();
                let mut row = vec![0.0; ((strip + 1) * STRIP).min(n)];
                for i in strip * STRIP..row.len() {
                    self.copy_squares(i, 0..i, &mut row[..i]);
                    visit(&mut sum, i, &row[..i]);
                }
                sum
            })
            .collect()
    }
}
