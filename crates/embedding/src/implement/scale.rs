//! Powers of two by which data are divided, so that squares stay within the range of numbers.

use std::ops::Range;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::implement::Scalar;
use crate::{Error, PointSet, Points, Rows, SparsePoints};

/// Rows that one job looks at.
const CHUNK: usize = 1024;

/// The widest columns, as exponents of two, whose squares neither overflow nor lose digits
/// when they underflow.
pub const ORDINARY: Range<i32> = -400..400;

/// How far data of extreme scale are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division {
    /// By the width of the data, where powers of distances would not be normal numbers: the
    /// quotients are near 1.
    ToUnit {
        /// The highest power of a distance that is computed.
        power: u32,
    },
    /// By the least power of two for which squares of distances are normal numbers: for methods
    /// that compare small distances with each other, so that their squares do not vanish where
    /// there is an outlier.
    Least,
}

impl Division {
    /// To the unit, for methods that compute squares of distances.
    pub const SQUARES: Self = Self::ToUnit { power: 2 };
}

/// A power of two, 2ᵉ: points divided by it are of ordinary scale. The division is exact unless
/// the result is subnormal.
///
/// ```
/// use embedding::implement::{Division, Scale};
/// use embedding::PointSet;
/// let far = PointSet::new(vec![0.0, 0.1, 1e200], 1)?;
/// let scale = Scale::of_points(far.view(), Division::SQUARES);
/// let near = scale.divide(far.view())?;
/// assert!(Scale::of_points(near.view(), Division::SQUARES).is_one());
/// assert_eq!(scale.times(near.view().values()[2]), 1e200);
/// // Division by less keeps squares of small distances.
/// let near = Scale::of_points(far.view(), Division::Least).divide(far.view())?;
/// assert!(near.view().values()[1].powi(2) > 0.0);
/// // Fourth powers have a smaller range.
/// let points = PointSet::new(vec![0.0, 1e70], 1)?;
/// assert!(Scale::of_points(points.view(), Division::SQUARES).is_one());
/// assert!(!Scale::of_points(points.view(), Division::ToUnit { power: 4 }).is_one());
/// # Ok::<(), embedding::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "i32", into = "i32")]
pub struct Scale(i32);

impl Scale {
    /// 2⁰, the scale of ordinary points.
    pub const ONE: Self = Self(0);

    /// The scale of points by the width of their widest column; one where they coincide. O(n D).
    pub fn of_points(points: Points<'_>, division: Division) -> Self {
        let extents = extents(points);
        // Half of each, because the width itself can overflow.
        let half = extents.iter().map(|(low, high)| 0.5 * high - 0.5 * low).fold(0.0, f64::max);
        let Self(e) = Self::of_length(half, division);
        if e == 0 {
            return Self::ONE;
        }
        // A column that is far from 0 must not overflow.
        let largest = extents.iter().map(|(low, high)| low.abs().max(high.abs())).fold(0.0, f64::max);
        Self(e.max(exponent_of(largest) - 1000))
    }

    /// The scale of sparse points by the largest of their values: most columns have zeros, so that
    /// they are at least half as wide. O(entries).
    pub fn of_sparse(points: SparsePoints<'_>, division: Division) -> Self {
        Self::of_length(points.values().iter().fold(0.0, |largest, v| largest.max(v.abs())), division)
    }

    /// The scale of a length; one for 0.
    pub fn of_length(length: f64, division: Division) -> Self {
        let power = match division {
            Division::ToUnit { power } => power,
            Division::Least => 2,
        };
        let most = 2 * ORDINARY.end / power as i32;
        if length == 0.0 || (-most..most).contains(&exponent_of(length)) {
            return Self::ONE;
        }
        match division {
            Division::ToUnit { .. } => Self(exponent_of(length)),
            Division::Least => Self(exponent_of(length) - ORDINARY.end + 1),
        }
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
                format!(
                    "points divided by 2^{}, as the points of the fit are, leave the range of numbers",
                    self.0
                ),
                "bring them to the units of the training data",
            )
        })
    }

    /// What `then` returns for the points divided by 2ᵉ; nothing is copied where 2ᵉ is 1.
    pub fn divided<T>(
        self,
        points: Points<'_>,
        then: impl FnOnce(Points<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        if self.is_one() { then(points) } else { then(self.divide(points)?.view()) }
    }

    /// As the function for dense points, for dense or sparse ones.
    pub fn divided_rows<T>(
        self,
        rows: Rows<'_>,
        then: impl FnOnce(Rows<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        match rows {
            Rows::Dense(points) => self.divided(points, |points| then(points.into())),
            Rows::Sparse(_) if self.is_one() => then(rows),
            Rows::Sparse(points) => then(points.times_power_of_two(-self.0)?.view().into()),
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

    /// A sentence that says that `results` refer to the data divided by 2ᵉ; `None` where 2ᵉ is 1.
    pub fn note(self, results: &str) -> Option<String> {
        let Self(e) = self;
        let note = format!(
            "{results} are results of the data divided by 2^{e}, whose squares are in the range of numbers"
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
        Err(Error::damaged("the scale of its data is outside the range of numbers"))
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
            let scale = Scale::of_points(points.view(), Division::SQUARES);
            let near = scale.divide(points.view())?;
            assert!(Scale::of_points(near.view(), Division::SQUARES).is_one(), "{low:e} to {high:e}");
            let back: Vec<f64> = near.view().values().iter().map(|v| scale.times(*v)).collect();
            assert_eq!(back, [low, high]);
            for stored in [
                scale,
                Scale::of_points(points.view(), Division::Least),
                Scale::of_length(high, Division::Least),
            ] {
                assert_eq!(Scale::try_from(i32::from(stored))?, stored);
            }
        }
        assert!(Scale::try_from(1025).is_err());
        Ok(())
    }

    #[test]
    fn points_of_another_scale_are_refused_with_a_sentence() -> Result<(), Error> {
        let scale = Scale::of_points(PointSet::new(vec![0.0, 1e-200], 1)?.view(), Division::SQUARES);
        let refused = scale.divide(PointSet::new(vec![1e200], 1)?.view());
        assert!(matches!(refused, Err(Error::Degenerate { .. })), "{refused:?}");
        Ok(())
    }
}
