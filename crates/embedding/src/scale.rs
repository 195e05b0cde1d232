//! Powers of two by which data are divided, so that squares stay within the range of numbers.

use std::ops::Range;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::{Error, NewPoints, PointSet, Points, Scalar, SparsePoints};

/// Rows that one job looks at.
const CHUNK: usize = 1024;

/// The widest columns, as exponents of two, whose squares neither overflow nor lose digits
/// when they underflow.
pub const ORDINARY: Range<i32> = -400..400;

/// The power of two, 2ᵉ, in units of which points are of ordinary scale. Division by it is exact
/// unless the result is subnormal.
///
/// ```
/// use embedding::{PointSet, Scale};
/// let far = PointSet::new(vec![1e200, 3e200], 1)?;
/// let scale = Scale::of(far.view());
/// let near = scale.divide(far.view())?;
/// assert!(Scale::of(near.view()).is_one());
/// assert_eq!(scale.times(near.view().values()[1]), 3e200);
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "i32", into = "i32")]
pub struct Scale(i32);

impl Scale {
    /// 2⁰, of points of ordinary scale.
    pub const ONE: Self = Self(0);

    /// The scale of points; one where they coincide. O(n D).
    pub fn of(points: Points<'_>) -> Self {
        Self::for_powers(2, points)
    }

    /// The same, where not squares but other powers must be normal numbers. O(n D).
    ///
    /// ```
    /// use embedding::{PointSet, Scale};
    /// let points = PointSet::new(vec![0.0, 1e70], 1)?;
    /// assert!(Scale::of(points.view()).is_one() && !Scale::for_powers(4, points.view()).is_one());
    /// # Ok::<(), embedding::Error>(())
    /// ```
    pub fn for_powers(power: u32, points: Points<'_>) -> Self {
        let extents = extents(points);
        // Half of each, because the width itself can overflow.
        let half = extents.iter().map(|(low, high)| 0.5 * high - 0.5 * low).fold(0.0, f64::max);
        let largest = extents.iter().map(|(low, high)| low.abs().max(high.abs())).fold(0.0, f64::max);
        let Self(e) = Self::for_powers_of_length(power, half);
        // A column that is far from 0 must not overflow.
        if e == 0 { Self::ONE } else { Self(e.max(exponent_of(largest) - 1000)) }
    }

    /// The same, by which the divided points are as wide as ordinary points can be: for what
    /// multiplies no squares, so that the squares of small distances do not vanish beside those of
    /// an outlier. O(n D).
    ///
    /// ```
    /// use embedding::{PointSet, Scale};
    /// let far = PointSet::new(vec![0.0, 0.1, 1e200], 1)?;
    /// let near = Scale::widest(far.view()).divide(far.view())?;
    /// assert!(near.view().values()[1].powi(2) > 0.0);
    /// # Ok::<(), embedding::Error>(())
    /// ```
    pub fn widest(points: Points<'_>) -> Self {
        let Self(e) = Self::of(points);
        if e == 0 {
            return Self::ONE;
        }
        // A column that is far from 0 must not overflow.
        let largest = points.values().iter().fold(0.0_f64, |largest, v| largest.max(v.abs()));
        Self((e - ORDINARY.end + 1).max(exponent_of(largest) - 1000))
    }

    /// The same for sparse points, by the largest of their values: most columns have zeros, so that they
    /// are at least half as wide. O(entries).
    pub fn widest_of_sparse(points: SparsePoints<'_>) -> Self {
        Self::widest_of_length(points.values().iter().fold(0.0, |largest, v| largest.max(v.abs())))
    }

    /// The scale of a length or 0; one where its square is a normal number.
    pub fn of_length(length: f64) -> Self {
        Self::for_powers_of_length(2, length)
    }

    /// The same, by which the quotient is as long as ordinary lengths can be; see [`Scale::widest`].
    pub fn widest_of_length(length: f64) -> Self {
        let Self(e) = Self::of_length(length);
        if e == 0 { Self::ONE } else { Self(e - ORDINARY.end + 1) }
    }

    /// The same, where not the square but another power must be a normal number.
    pub fn for_powers_of_length(power: u32, length: f64) -> Self {
        let most = 2 * ORDINARY.end / power as i32;
        if length == 0.0 || (-most..most).contains(&exponent_of(length)) {
            return Self::ONE;
        }
        Self(exponent_of(length))
    }

    /// Whether nothing is divided.
    pub fn is_one(self) -> bool {
        self == Self::ONE
    }

    /// The exponent, e.
    pub fn exponent(self) -> i32 {
        self.0
    }

    /// 2⁻ᵉ.
    pub fn inverse(self) -> Self {
        Self(-self.0)
    }

    /// The points divided by 2ᵉ. Fails where a value leaves the range of numbers.
    pub fn divide(self, points: Points<'_>) -> Result<PointSet, Error> {
        let values = points.values().par_iter().map(|v| times_power_of_two(*v, -self.0)).collect();
        PointSet::new(values, points.dim()).map_err(|_| {
            Error::degenerate(
                format!("points divided by 2^{}, as those of the fit, leave the range of numbers", self.0),
                "bring them to the units of the training data",
            )
        })
    }

    /// What `then` returns for the points divided by 2ᵉ; without a copy where that is 1.
    pub fn divided<T>(
        self,
        points: Points<'_>,
        then: impl FnOnce(Points<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if self.is_one() { then(points) } else { then(self.divide(points)?.view()) }
    }

    /// The same for new points, with all values or sparse.
    pub fn divided_new<T>(
        self,
        new: NewPoints<'_>,
        then: impl FnOnce(NewPoints<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        match new {
            NewPoints::Dense(points) => self.divided(points, |points| then(points.into())),
            NewPoints::Sparse(_) if self.is_one() => then(new),
            NewPoints::Sparse(points) => then(points.times_power_of_two(-self.0)?.view().into()),
        }
    }

    /// x 2ᵉ.
    pub fn times(self, x: f64) -> f64 {
        times_power_of_two(x, self.0)
    }

    /// x / 2ᵉ.
    pub fn quotient(self, x: f64) -> f64 {
        times_power_of_two(x, -self.0)
    }

    /// A sentence that says that `results` are those of the data divided by 2ᵉ; `None` where that is 1.
    pub fn note(self, results: &str) -> Option<String> {
        let Self(e) = self;
        let note = format!(
            "{results} are those of the data divided by 2^{e}, whose squares are in the range of numbers"
        );
        (!self.is_one()).then_some(note)
    }
}

impl From<Scale> for i32 {
    fn from(scale: Scale) -> i32 {
        scale.0
    }
}

impl TryFrom<i32> for Scale {
    type Error = Error;

    fn try_from(exponent: i32) -> Result<Self, Error> {
        // The logarithm of the largest numbers rounds to 1024; the smallest may be made widest.
        if (-1074 - ORDINARY.end..=1024).contains(&exponent) {
            return Ok(Self(exponent));
        }
        Err(Error::damaged("the scale of its data is that of no numbers"))
    }
}

/// The exponent of a positive number: 2ᵉ ≤ x < 2ᵉ⁺¹.
pub fn exponent_of(x: f64) -> i32 {
    x.log2().floor() as i32
}

/// x 2ᵉ, exact unless the result is subnormal; |e| ≤ 2,000.
pub fn times_power_of_two(x: f64, e: i32) -> f64 {
    x * 2f64.powi(e / 2) * 2f64.powi(e - e / 2)
}

/// The smallest and the largest value of each column. O(n D).
pub fn extents<T: Scalar>(points: Points<'_, T>) -> Vec<(f64, f64)> {
    let nothing = || vec![(f64::INFINITY, f64::NEG_INFINITY); points.dim()];
    let of_chunk = |values: &[T]| {
        let mut sides = nothing();
        for row in values.chunks_exact(points.dim()) {
            for (side, x) in sides.iter_mut().zip(row) {
                let x = x.widened();
                *side = (side.0.min(x), side.1.max(x));
            }
        }
        sides
    };
    points.values().par_chunks(CHUNK * points.dim()).map(of_chunk).reduce(nothing, joined)
}

/// The extents of two sets of points together.
pub fn joined(mut sides: Vec<(f64, f64)>, others: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    sides.iter_mut().zip(others).for_each(|(a, b)| *a = (a.0.min(b.0), a.1.max(b.1)));
    sides
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_at_the_ends_of_the_range_divide_exactly() -> Result<(), Error> {
        for (low, high) in [(-f64::MAX, f64::MAX), (0.0, 5e-324), (1e300, 1.5e300), (-1e-170, 3e-170)] {
            let points = PointSet::new(vec![low, high], 1)?;
            let scale = Scale::of(points.view());
            let near = scale.divide(points.view())?;
            assert!(Scale::of(near.view()).is_one(), "{low:e} to {high:e}");
            let back: Vec<f64> = near.view().values().iter().map(|v| scale.times(*v)).collect();
            assert_eq!(back, [low, high]);
            for stored in [scale, Scale::widest(points.view()), Scale::widest_of_length(high)] {
                assert_eq!(Scale::try_from(i32::from(stored))?, stored);
            }
        }
        assert!(Scale::try_from(1025).is_err());
        Ok(())
    }

    #[test]
    fn points_of_another_scale_are_refused_with_a_sentence() -> Result<(), Error> {
        let scale = Scale::of(PointSet::new(vec![0.0, 1e-200], 1)?.view());
        let refused = scale.divide(PointSet::new(vec![1e200], 1)?.view());
        assert!(matches!(refused, Err(Error::Degenerate { .. })), "{refused:?}");
        Ok(())
    }
}
