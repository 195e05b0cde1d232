//! The two precisions of a sparse factor.

use std::ops::{AddAssign, Div, Mul, Sub};

use faer::traits::ComplexField;

/// The two precisions of a factor.
pub(crate) trait Real:
    ComplexField + Copy + AddAssign + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// A probe beyond this betrays a factor that is none: rounding alone stays
    /// a thousand times below.
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
