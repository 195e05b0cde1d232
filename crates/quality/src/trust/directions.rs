//! How a row of data is moved.

use embedding::implement::squared_distance;
use embedding::{Error, Points, Silent};
use serde::{Deserialize, Serialize};
use spectral::{Principal, Tolerance};

/// The directions in which a row is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Directions {
    /// To its neighbors in the data from rank ⌈k/2⌉ to k.
    Neighbors,
    /// Forth and back along the first principal directions of its k neighbors and itself.
    Local {
        /// Number of principal directions; at most D and k are used.
        count: usize,
    },
    /// Forth and back along the first principal directions of all data, as published.
    Global {
        /// Number of principal directions; at most D and n are used.
        count: usize,
    },
}

/// How far a row is moved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Length {
    /// This number of distances of the row to its own k-th neighbor.
    NeighborDistances(f64),
    /// A length in units of the data, the same for all rows, as published.
    Absolute(f64),
}

impl Length {
    /// Fails unless the length is positive and finite.
    pub(super) fn check(self) -> Result<(), Error> {
        let (Self::NeighborDistances(length) | Self::Absolute(length)) = self;
        if length.is_finite() && length > 0.0 {
            return Ok(());
        }
        Err(Error::parameter("length", "positive and finite", length))
    }

    /// The length for a row with this distance to its k-th neighbor.
    pub(super) fn of(self, neighbor_distance: f64) -> f64 {
        match self {
            Self::NeighborDistances(count) => count * neighbor_distance,
            Self::Absolute(length) => length,
        }
    }
}

/// Unit vectors in the directions of principal components, forth and back, one after the other.
pub(super) fn principal(points: Points<'_>, count: usize) -> Result<Vec<f64>, Error> {
    let count = count.min(points.dim()).min(points.len());
    if count == 0 {
        return Ok(Vec::new());
    }
    let Principal { directions, .. } = Principal::new(points, count, Tolerance::default(), &Silent)?;
    let axis = |c: usize, sign: f64| (0..points.dim()).map(move |j| (j, c, sign));
    let axes = (0..count).flat_map(|c| axis(c, 1.0).chain(axis(c, -1.0)));
    Ok(axes.map(|(j, c, sign)| sign * directions[(j, c)]).collect())
}

/// The length of the difference of two rows, whose squares may leave the range of numbers.
pub(super) fn distance(a: &[f64], b: &[f64]) -> f64 {
    let largest = a.iter().zip(b).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
    if largest == 0.0 {
        return 0.0;
    }
    let scaled: Vec<f64> = a.iter().zip(b).map(|(a, b)| (a - b) / largest).collect();
    largest * squared_distance(&scaled, &vec![0.0; scaled.len()]).sqrt()
}
