//! The storage format of distances.

use embedding::Error;
use embedding::implement::{Validate, require};
use serde::{Deserialize, Serialize};

use crate::scaling::too_large;

/// The largest squared distance, in stored units, that leaves single precision a margin
/// for sums.
const LARGEST: f64 = 1e37;

/// The precision in which squared distances are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Precision {
    /// Four bytes: squared distances have relative errors of at most 6e-8. All subsequent
    /// computation, including residuals, is in double precision.
    #[default]
    Single,
    /// Eight bytes.
    Double,
}

embedding::words!(Precision { Single = "single", Double = "double" });

impl Precision {
    /// Bytes per number.
    pub fn bytes(self) -> u64 {
        match self {
            Self::Single => 4,
            Self::Double => 8,
        }
    }

    /// Returns the spacing of numbers at 1.
    pub(crate) fn epsilon(self) -> f64 {
        match self {
            Self::Single => f64::from(f32::EPSILON),
            Self::Double => f64::EPSILON,
        }
    }
}

/// Unit and precision of stored distances.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Packing {
    pub(crate) unit: f64,
    pub(crate) precision: Precision,
}

impl Packing {
    /// Creates a format for distances of the order of magnitude of `scale`.
    pub fn new(scale: f64, precision: Precision) -> Self {
        Self { unit: unit_of(scale), precision }
    }

    /// Packs the distances from a point to earlier points.
    ///
    /// Fails if a distance is negative, not finite or above 1e18 times the scale.
    pub(crate) fn pack<T>(self, row: &[f64], out: &mut [T], round: impl Fn(f64) -> T) -> Result<(), Error> {
        let mut legal = true;
        for (out, d) in out.iter_mut().zip(row) {
            let square = (d / self.unit) * (d / self.unit);
            legal &= (*d >= 0.0) & (square <= LARGEST);
            *out = round(square);
        }
        if legal {
            return Ok(());
        }
        if let Some(j) = row.iter().position(|d| !(d.is_finite() && *d >= 0.0)) {
            let got = format!("{} between {} and {j}", row[j], row.len());
            return Err(Error::parameter("a distance", "finite and not negative", got));
        }
        Err(too_large())
    }

    /// Returns the square of a distance after rounding to the stored format, in stored
    /// units; in single precision an `f32` holds it exactly.
    pub fn square(self, distance: f64) -> f64 {
        let square = (distance / self.unit) * (distance / self.unit);
        match self.precision {
            Precision::Single => f64::from(square as f32),
            Precision::Double => square,
        }
    }

    /// Returns the distance with the given square, in stored units.
    pub fn distance(self, square: f64) -> f64 {
        self.unit * square.sqrt()
    }

    /// Returns the precision.
    pub fn precision(self) -> Precision {
        self.precision
    }
}

/// Returns the largest power of two not above `scale`, or the smallest normal number if
/// that is larger; 1 if there is none.
fn unit_of(scale: f64) -> f64 {
    if scale > 0.0 && scale.is_finite() { 2f64.powi((scale.log2().floor() as i32).max(-1022)) } else { 1.0 }
}

impl Validate for Packing {
    fn validate(&self) -> Result<(), Error> {
        require(self.unit.is_finite() && self.unit > 0.0, "its unit of distances is not positive")
    }
}
