//! Negative eigenvalues in classical scaling: deviation of the distances from Euclidean
//! ones.

use embedding::Error;
use faer::Mat;
use serde::{Deserialize, Serialize};
use spectral::dense;

use crate::distances::Distances;

/// Largest n for which all eigenvalues are computed to count the negative ones, in O(n³).
pub(crate) const COUNTED: usize = 500;

/// The negative eigenvalues of the doubly centered matrix, which measure how far the
/// given distances are from Euclidean ones.
///
/// Eigenvalues between −n ε λ₁ and 0 are attributed to rounding and not counted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum NegativeEigenvalues {
    /// All eigenvalues were computed.
    Counted {
        /// Number of negative eigenvalues.
        count: usize,
        /// Sum of their magnitudes, in squared input units.
        mass: f64,
    },
    /// There were too many points to compute all eigenvalues: a lower bound from the
    /// trace and the leading eigenvalues.
    AtLeast {
        /// Lower bound on the sum of magnitudes: by how much the leading eigenvalues
        /// exceed the trace. It may be 0 although there are negative eigenvalues.
        mass: f64,
    },
}

impl NegativeEigenvalues {
    /// No negative eigenvalues, as for Euclidean distances.
    pub(crate) const NONE: Self = Self::Counted { count: 0, mass: 0.0 };

    /// Counts or bounds the negative eigenvalues; `noise` is the magnitude that rounding
    /// can cause; all in stored units.
    pub(crate) fn of(
        distances: &Distances,
        trace: f64,
        leading: &[f64],
        noise: f64,
        square: f64,
    ) -> Result<Self, Error> {
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
        let values =
            dense::symmetric_eigenvalues(spectral::centering::double_center(squares.as_ref()).as_ref())?;
        let negative = values.iter().filter(|v| **v < -noise);
        Ok(Self::Counted {
            count: negative.clone().count(),
            mass: square * negative.map(|v| -v).sum::<f64>(),
        })
    }
}
