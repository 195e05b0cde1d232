//! Kernels: inner products in a feature space.

use embedding::Error;
use serde::{Deserialize, Serialize};

/// A positive semidefinite kernel k(x, y).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Kernel {
    /// x·y; kernel PCA with this kernel is PCA.
    Linear,
    /// exp(−γ |x − y|²).
    Rbf {
        /// γ > 0, in units of 1/distance².
        gamma: f64,
    },
    /// (γ x·y + offset)^degree.
    Polynomial {
        /// At least 1.
        degree: u8,
        /// γ > 0.
        gamma: f64,
        /// At least 0.
        offset: f64,
    },
    /// x·y / (|x| |y|); 0 if either vector is zero.
    Cosine,
}

impl Kernel {
    /// Fails if a parameter is out of range.
    pub fn check(&self) -> Result<(), Error> {
        let positive = |name, v: f64| {
            if v.is_finite() && v > 0.0 {
                return Ok(());
            }
            Err(Error::parameter(name, "finite and positive", v))
        };
        match *self {
            Self::Linear | Self::Cosine => Ok(()),
            Self::Rbf { gamma } => positive("gamma", gamma),
            Self::Polynomial { degree, gamma, offset } => {
                positive("gamma", gamma)?;
                if degree == 0 {
                    return Err(Error::parameter("the degree", "at least 1", degree));
                }
                if !(offset.is_finite() && offset >= 0.0) {
                    return Err(Error::parameter("the offset", "finite and not negative", offset));
                }
                Ok(())
            }
        }
    }

    /// Returns k(x, y).
    pub fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        let dot = |a: &[f64], b: &[f64]| lanes(a, b, |a, b| a * b);
        match *self {
            Self::Linear => dot(x, y),
            Self::Rbf { gamma } => {
                let squared = lanes(x, y, |a, b| (a - b) * (a - b));
                (-gamma * squared).exp()
            }
            Self::Polynomial { degree, gamma, offset } => (gamma * dot(x, y) + offset).powi(degree as i32),
            Self::Cosine => {
                let norms = (dot(x, x) * dot(y, y)).sqrt();
                if norms > 0.0 { dot(x, y) / norms } else { 0.0 }
            }
        }
    }
}

/// Returns Σ term(aᵢ, bᵢ), summed in eight lanes for vectorization.
fn lanes(a: &[f64], b: &[f64], term: impl Fn(f64, f64) -> f64) -> f64 {
    let (a8, a_rest) = a.as_chunks::<8>();
    let (b8, b_rest) = b.as_chunks::<8>();
    let mut sums = [0.0; 8];
    for (x, y) in a8.iter().zip(b8) {
        for l in 0..8 {
            sums[l] += term(x[l], y[l]);
        }
    }
    sums.iter().sum::<f64>() + a_rest.iter().zip(b_rest).map(|(a, b)| term(*a, *b)).sum::<f64>()
}
