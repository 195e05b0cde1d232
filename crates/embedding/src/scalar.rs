//! The precision of stored coordinates.

use std::fmt::Debug;

use crate::Points;

/// The precision in which the coordinates of [`Points`] are stored: `f64`
/// or `f32`. Computations are in `f64` either way.
pub trait Scalar: Copy + Debug + Send + Sync + private::Sealed {
    /// The same number in double precision.
    fn widened(self) -> f64;

    /// The points with their precision as data.
    fn stored(points: Points<'_, Self>) -> Stored<'_>;
}

/// Points, and the precision in which they are stored.
#[derive(Clone, Copy, Debug)]
pub enum Stored<'a> {
    /// In double precision.
    Double(Points<'a>),
    /// In single precision.
    Single(Points<'a, f32>),
}

impl Scalar for f64 {
    #[inline(always)]
    fn widened(self) -> f64 {
        self
    }

    fn stored(points: Points<'_>) -> Stored<'_> {
        Stored::Double(points)
    }
}

impl Scalar for f32 {
    #[inline(always)]
    fn widened(self) -> f64 {
        self.into()
    }

    fn stored(points: Points<'_, f32>) -> Stored<'_> {
        Stored::Single(points)
    }
}

mod private {
    pub trait Sealed {}
    impl Sealed for f64 {}
    impl Sealed for f32 {}
}
