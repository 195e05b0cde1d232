//! Scalar types of a sparse factor: double and single precision.

use std::ops::{AddAssign, Div, Mul, Sub};

use faer::traits::RealField;

/// A scalar type of a sparse factor.
pub(crate) trait Real:
    RealField + Copy + AddAssign + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// A probe residual above this indicates an unusable factorization; rounding errors
    /// alone are a thousand times smaller.
    const SOUND: f64;

    fn narrow(value: f64) -> Self;

    fn widen(self) -> f64;
}

impl Real for f64 {
    const SOUND: f64 = 1e-12;

    fn narrow(value: f64) -> Self {
        value
    }

    fn widen(self) -> f64 {
        self
    }
}

impl Real for f32 {
    const SOUND: f64 = 1e-3;

    fn narrow(value: f64) -> Self {
        value as f32
    }

    fn widen(self) -> f64 {
        f64::from(self)
    }
}
