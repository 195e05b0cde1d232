//! Kernels of distances.

use embedding::Error;
use serde::{Deserialize, Serialize};

use crate::Kernel;

/// A kernel that distances determine, up to terms that centering removes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Radial {
    /// −½ |x − y|² = x·y − ½ |x|² − ½ |y|²: centered, the linear kernel.
    Linear,
    /// exp(−γ |x − y|²).
    Rbf { gamma: f64 },
}

impl Radial {
    /// Fails with [`Error::Degenerate`] where the kernel depends on the origin.
    pub(crate) fn of(kernel: Kernel) -> Result<Self, Error> {
        match kernel {
            Kernel::Linear => Ok(Self::Linear),
            Kernel::Rbf { gamma } => Ok(Self::Rbf { gamma }),
            Kernel::Polynomial { .. } | Kernel::Cosine => Err(Error::degenerate(
                format!("the kernel {kernel} depends on the origin, which distances do not determine"),
                "use the kernel rbf or linear, or points with Euclidean distances",
            )),
        }
    }

    pub(crate) fn value(self, squared_distance: f64) -> f64 {
        match self {
            Self::Linear => -0.5 * squared_distance,
            Self::Rbf { gamma } => (-gamma * squared_distance).exp(),
        }
    }
}
