//! Kernels: inner products in a feature space.

use embedding::Error;
use embedding::implement::{Scale, Value, ValueSyntax, inner_product, squared_distance};
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

    /// The kernel that has the same values on points divided by a power of two as this kernel has on the
    /// points; values of the linear kernel are divided. γ is kept within the range of numbers: beyond it
    /// every value of the RBF kernel is 0 or 1 in any case, except for points much closer than the others.
    pub(crate) fn divided(self, scale: Scale) -> Self {
        let of = |gamma: f64| scale.times(scale.times(gamma)).clamp(f64::MIN_POSITIVE, f64::MAX);
        match self {
            Self::Linear | Self::Cosine => self,
            Self::Rbf { gamma } => Self::Rbf { gamma: of(gamma) },
            Self::Polynomial { degree, gamma, offset } => {
                Self::Polynomial { degree, gamma: of(gamma), offset }
            }
        }
    }

    /// Returns k(x, y).
    pub fn value(&self, x: &[f64], y: &[f64]) -> f64 {
        match *self {
            Self::Rbf { gamma } => (-gamma * squared_distance(x, y)).exp(),
            Self::Cosine => self.of_products(inner_product(x, y), inner_product(x, x), inner_product(y, y)),
            Self::Linear | Self::Polynomial { .. } => self.of_products(inner_product(x, y), 0.0, 0.0),
        }
    }

    /// Returns k(x, y) of x·y, |x|² and |y|².
    pub(crate) fn of_products(&self, product: f64, xx: f64, yy: f64) -> f64 {
        match *self {
            Self::Linear => product,
            Self::Rbf { gamma } => (-gamma * (xx + yy - 2.0 * product).max(0.0)).exp(),
            Self::Polynomial { degree, gamma, offset } => (gamma * product + offset).powi(degree as i32),
            Self::Cosine => {
                let norms = (xx * yy).sqrt();
                if norms > 0.0 { product / norms } else { 0.0 }
            }
        }
    }
}

/// The kernel's name with its parameters, separated by colons.
impl Value for Kernel {
    const SYNTAX: ValueSyntax = ValueSyntax::Text(
        "linear, cosine, rbf:GAMMA or polynomial:DEGREE:GAMMA:OFFSET, with GAMMA above 0, DEGREE at least 1 and OFFSET at least 0",
    );

    fn show(&self) -> String {
        match self {
            Self::Linear => "linear".to_owned(),
            Self::Cosine => "cosine".to_owned(),
            Self::Rbf { gamma } => format!("rbf:{}", gamma.show()),
            Self::Polynomial { degree, gamma, offset } => {
                format!("polynomial:{degree}:{}:{}", gamma.show(), offset.show())
            }
        }
    }

    fn read(text: &str) -> Option<Self> {
        let kernel = match *text.split(':').collect::<Vec<_>>() {
            ["linear"] => Self::Linear,
            ["cosine"] => Self::Cosine,
            ["rbf", gamma] => Self::Rbf { gamma: Value::read(gamma)? },
            ["polynomial", degree, gamma, offset] => Self::Polynomial {
                degree: Value::read(degree)?,
                gamma: Value::read(gamma)?,
                offset: Value::read(offset)?,
            },
            _ => return None,
        };
        kernel.check().is_ok().then_some(kernel)
    }
}

embedding::text!(Kernel);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_read_back() {
        for kernel in [
            Kernel::Linear,
            Kernel::Cosine,
            Kernel::Rbf { gamma: 0.25 },
            Kernel::Polynomial { degree: 3, gamma: 1e-4, offset: 1.0 },
        ] {
            assert_eq!(Kernel::read(&kernel.show()), Some(kernel));
        }
        for text in ["rbf", "rbf:x", "rbf:0", "rbf:-1", "polynomial:0:1:1"] {
            assert_eq!(Kernel::read(text), None, "{text}");
        }
    }
}
