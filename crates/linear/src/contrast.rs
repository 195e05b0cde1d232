//! Contrast functions: how far a projection is from a normal distribution.

use std::f64::consts::{FRAC_1_SQRT_2, LN_2};

use serde::{Deserialize, Serialize};

/// A contrast function G: E G(s) differs between a component s and a standard normal number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Contrast {
    /// log cosh s: for components of any kind.
    #[default]
    LogCosh,
    /// −exp(−s²/2): for components with heavy tails, or where outliers should not count.
    Exp,
    /// s⁴/4, the kurtosis: for components with light tails without outliers.
    Cube,
}

embedding::words!(Contrast { LogCosh = "logcosh", Exp = "exp", Cube = "cube" });

impl Contrast {
    /// G(s).
    pub(crate) fn value(self, s: f64) -> f64 {
        match self {
            // log((eˢ + e⁻ˢ)/2) without overflow.
            Self::LogCosh => s.abs() + (-2.0 * s.abs()).exp().ln_1p() - LN_2,
            Self::Exp => -(-0.5 * s * s).exp(),
            Self::Cube => 0.25 * s.powi(4),
        }
    }

    /// G′(s) and G″(s).
    pub(crate) fn slopes(self, s: f64) -> (f64, f64) {
        match self {
            Self::LogCosh => {
                let t = s.tanh();
                (t, 1.0 - t * t)
            }
            Self::Exp => {
                let e = (-0.5 * s * s).exp();
                (s * e, (1.0 - s * s) * e)
            }
            Self::Cube => (s * s * s, 3.0 * s * s),
        }
    }

    /// E G(ν) of a standard normal number ν.
    pub(crate) fn of_normal(self) -> f64 {
        match self {
            Self::LogCosh => 0.374_567_207_491_438,
            Self::Exp => -FRAC_1_SQRT_2,
            Self::Cube => 0.75,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::Contrast;

    const ALL: [Contrast; 3] = [Contrast::LogCosh, Contrast::Exp, Contrast::Cube];

    #[test]
    fn slopes_are_those_of_finite_differences() {
        let h = 1e-5;
        for contrast in ALL {
            for s in [-3.0, -0.7, 0.0, 0.2, 1.5, 4.0] {
                let (first, second) = contrast.slopes(s);
                let difference = (contrast.value(s + h) - contrast.value(s - h)) / (2.0 * h);
                assert!((first - difference).abs() < 1e-8 * (1.0 + first.abs()), "{contrast} at {s}");
                let difference = (contrast.slopes(s + h).0 - contrast.slopes(s - h).0) / (2.0 * h);
                assert!((second - difference).abs() < 1e-8 * (1.0 + second.abs()), "{contrast} at {s}");
            }
        }
        assert_eq!(Contrast::LogCosh.value(1e4), 1e4 - std::f64::consts::LN_2);
    }

    /// Integrates by the trapezoidal rule, which is exact to rounding for such integrands.
    #[test]
    fn expectations_are_those_of_a_normal_distribution() {
        for contrast in ALL {
            let step = 1.0 / 64.0;
            let mean: f64 = (-1280..=1280)
                .map(|i| f64::from(i) * step)
                .map(|s| contrast.value(s) * (-0.5 * s * s).exp() * step / TAU.sqrt())
                .sum();
            assert!((mean - contrast.of_normal()).abs() < 1e-12, "{contrast}: {mean}");
        }
    }
}
