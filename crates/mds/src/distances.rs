//! Pairwise distances, stored as one triangle.

use std::ops::Range;

use embedding::implement::matrix::copy_tile;
use embedding::implement::{MetricPoints, proceed};
use embedding::{DistanceMatrix, Error, MemoryLimit, Observer, Points};
use faer::MatRef;
use rayon::prelude::*;

use crate::Precision;
use crate::euclidean::{diameter_bound, euclidean_row};
use crate::storage::Packing;
use crate::triangle::Slot;
use crate::triangle::{self, Triangle};

/// Rows processed together. Square tiles of this side are converted to double precision
/// and fit in the second-level cache.
pub(crate) const STRIP: usize = 128;

/// Rows filled between checks for cancellation.
const ROWS_PER_STEP: usize = 512;

/// Rows of a given matrix read together: one cache line of a column-major matrix.
const LINES: usize = 16;

/// Distances between all pairs of n points: symmetric, zero on the diagonal, finite,
/// nonnegative.
///
/// Squared distances are stored, in a unit that is a power of two so that neither
/// precision over- or underflows. Only one triangle is stored: row i holds the squared
/// distances to points 0 .. i, n (n − 1)/2 numbers in all.
#[derive(Clone, Debug)]
pub struct Distances {
    packing: Packing,
    squares: Triangle,
}

impl Distances {
    /// Returns the memory of the distances of n points during construction, in bytes;
    /// slightly less is used afterwards.
    pub fn bytes(n: usize, precision: Precision) -> u64 {
        let n = n as u64;
        n * (n - n.min(1)) / 2 * precision.bytes() + n * triangle::HEAD as u64
    }

    /// Creates distances from a full matrix, which must be square, finite, and, to 1e-12 of its largest entry,
    /// symmetric, zero on the diagonal and nonnegative; the lower triangle is used. O(n²).
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
                // Negative ones are rounding errors.
                rows.iter_mut().filter(|distance| **distance < 0.0).for_each(|distance| *distance = 0.0);
                slots.iter().enumerate().try_for_each(|(at, slot)| {
                    let start = at * width;
                    slot.fill(&rows[start..start + slot.row()])
                })
            })
        })
    }

    /// Computes the Euclidean distances of points, from coordinate differences; O(n² D).
    /// Reports progress within the caller's current stage.
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

    /// Computes the distances of points by their metric; O(n² D). Reports progress within
    /// the caller's current stage.
    pub fn measured(
        points: &MetricPoints<'_>,
        precision: Precision,
        limit: MemoryLimit,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let n = points.len();
        let advice = "use landmark-mds, fewer points, or allow more memory";
        limit.allow("the matrix of distances", Self::bytes(n, precision), advice)?;
        let scale = (0..n).map(|i| points.distance(0, i)).fold(0.0, f64::max);
        Self::from_rows(n, scale, precision, observer, |i, row| {
            row.iter_mut().enumerate().for_each(|(j, d)| *d = points.distance(i, j));
        })
    }

    /// Creates distances by calling `fill(i, row)` for the distances from point i to
    /// points 0 .. i, rows in parallel. `scale` is the order of magnitude of the
    /// distances.
    ///
    /// Fails if a distance is negative, not finite or above 1e18 times `scale`, and if
    /// the observer cancels. Reports progress within the caller's current stage.
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

    /// Creates the distances of n points from rows that `work` fills in any order, each
    /// once, from any thread.
    ///
    /// Fails if `work` fails, or if it omits a row.
    ///
    /// ```
    /// use mds::Precision;
    /// use mds::steps::{Distances, Packing};
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

    /// Returns the number of points, n.
    pub fn len(&self) -> usize {
        self.squares.len()
    }

    /// Returns false: there is at least one point.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the unit and precision of the stored squares.
    pub fn packing(&self) -> Packing {
        self.packing
    }

    /// Returns the distance between points `i` and `j`, in input units.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        let (i, j) = (i.max(j), i.min(j));
        if i == j {
            return 0.0;
        }
        let mut square = [0.0];
        self.copy_squares(i, j..j + 1, &mut square);
        self.packing.distance(square[0])
    }

    /// Returns the unit of the stored values, a power of two in input units.
    pub(crate) fn unit(&self) -> f64 {
        self.packing.unit
    }

    /// Copies the squared distances from point `i` to the given earlier points, in stored
    /// units.
    pub(crate) fn copy_squares(&self, i: usize, columns: Range<usize>, out: &mut [f64]) {
        self.squares.copy(i, columns, out);
    }

    /// Visits the rows of squares below the diagonal as (i, squares to 0 .. i). Each
    /// strip has one accumulator; strips are processed in parallel and returned in order.
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
