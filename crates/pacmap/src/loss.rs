//! The terms of the loss and their derivatives.

use embedding::Recipe;
use embedding::implement::{Bound, Range};
use serde::{Deserialize, Serialize};

/// For each kind of pair the value of d = 1 + |y_i − y_j|² at which its term is a half.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct Saturation {
    /// 1 + squared distance at which the term of a near pair is a half.
    #[param(name = "near-saturation", default = 10.0, range = SCALE)]
    pub near: f64,
    /// 1 + squared distance at which the term of a mid-near pair is a half.
    #[param(name = "mid-near-saturation", default = 10_000.0, range = SCALE)]
    pub mid_near: f64,
    /// 1 + squared distance at which the term of a further pair is a half.
    #[param(name = "further-saturation", default = 1.0, range = SCALE)]
    pub further: f64,
}

/// Legal saturations and distances of the map.
pub(crate) const SCALE: Range =
    Range::between(Bound::new("1e-6", |_| Some(1e-6)), Bound::new("1e12", |_| Some(1e12)));

/// The term of one pair, a function of d = 1 + |y_i − y_j|² ≥ 1, with saturation c.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Term {
    /// d / (c + d).
    Pull { c: f64 },
    /// The term whose derivative is the derivative of a pull times h / √d: h (√d / (c + d) + atan(√(d / c)) /
    /// √c).
    LocalPull { c: f64, h: f64 },
    /// c / (c + d).
    Push { c: f64 },
}

impl Term {
    /// Its value.
    pub(crate) fn value(self, d: f64) -> f64 {
        match self {
            Self::Pull { c } => d / (c + d),
            Self::LocalPull { c, h } => h * (d.sqrt() / (c + d) + (d / c).sqrt().atan() / c.sqrt()),
            Self::Push { c } => c / (c + d),
        }
    }

    /// Its derivative.
    pub(crate) fn slope(self, d: f64) -> f64 {
        match self {
            Self::Pull { c } => c / (c + d).powi(2),
            Self::LocalPull { c, h } => h * c / ((c + d).powi(2) * d.sqrt()),
            Self::Push { c } => -c / (c + d).powi(2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_derivatives_of_the_values() {
        for c in [0.5, 1.0, 10.0, 1e4] {
            for term in [Term::Pull { c }, Term::LocalPull { c, h: 5.0 }, Term::Push { c }] {
                for d in [1.0, 1.5, 4.0, 30.0, 1e3, 1e5] {
                    let h = 1e-5 * d;
                    let expected = (term.value(d + h) - term.value(d - h)) / (2.0 * h);
                    let slope = term.slope(d);
                    let rounding = 4.0 * f64::EPSILON * term.value(d) / h;
                    let gap = (slope - expected).abs();
                    assert!(gap < 1e-5 * expected.abs() + rounding, "{term:?}, {d}: {slope}, {expected}");
                }
            }
        }
    }

    #[test]
    fn a_term_is_a_half_at_its_saturation() {
        for c in [1.0, 10.0, 1e4] {
            assert_eq!((Term::Pull { c }.value(c), Term::Push { c }.value(c)), (0.5, 0.5));
        }
        // The local pull is the stronger one where √d is below h.
        let (plain, local) = (Term::Pull { c: 10.0 }, Term::LocalPull { c: 10.0, h: 5.0 });
        assert!(local.slope(24.9) > plain.slope(24.9) && local.slope(25.1) < plain.slope(25.1));
    }
}
