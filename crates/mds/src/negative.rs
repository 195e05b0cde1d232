//! What the distances have that no Euclidean configuration can show.

use embedding::Error;
use faer::Mat;
use serde::{Deserialize, Serialize};
use spectral::dense;

use crate::Distances;

/// Up to this many points all eigenvalues are computed to count the negative
/// ones; O(n³), a small part of a second.
const COUNTED: usize = 1000;

/// The negative eigenvalues of the doubly centered matrix: how far the given
/// distances are from those of any points in a Euclidean space.
///
/// Eigenvalues between −n ε λ₁ and 0 are rounding and do not count.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum NegativeEigenvalues {
    /// From all eigenvalues.
    Counted {
        /// How many there are.
        count: usize,
        /// Sum of their magnitudes, in squared input units.
        mass: f64,
    },
    /// Too many points to compute all eigenvalues: only what the trace and the
    /// leading eigenvalues prove.
    AtLeast {
        /// Their magnitudes sum to this or more: what the leading eigenvalues
        /// have beyond the trace. It may be 0 though there are some.
        mass: f64,
    },
}

impl NegativeEigenvalues {
    /// No distance of Euclidean points causes any.
    pub(crate) const NONE: Self = Self::Counted { count: 0, mass: 0.0 };

    /// `noise` is the magnitude that rounding can cause; all in stored units.
    pub(crate) fn of(distances: &Distances, trace: f64, leading: &[f64], noise: f64) -> Result<Self, Error> {
        let square = distances.unit() * distances.unit();
        let n = distances.len();
        if n > COUNTED {
            let mass = (leading.iter().sum::<f64>() - trace).max(0.0);
            return Ok(Self::AtLeast { mass: mass * square });
        }
        let mut squares = Mat::zeros(n, n);
        let mut row = vec![0.0; n];
        for i in 0..n {
            distances.copy_squares(i, 0..i, &mut row[..i]);
            for (j, &s) in row[..i].iter().enumerate() {
                squares[(i, j)] = s;
                squares[(j, i)] = s;
            }
        }
        let values = dense::symmetric_eigenvalues(spectral::double_center(squares.as_ref()).as_ref())?;
        let negative = values.iter().filter(|v| **v < -noise);
        Ok(Self::Counted {
            count: negative.clone().count(),
            mass: square * negative.map(|v| -v).sum::<f64>(),
        })
    }
}
