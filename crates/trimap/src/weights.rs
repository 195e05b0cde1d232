//! Weights of triplets.

use embedding::Error;
use embedding::implement::{Bound, ONE, Range, Sizes, ZERO, require};
use layout::Scales;
use serde::{Deserialize, Serialize};

/// Legal temperatures.
pub(crate) const TEMPERATURE: Range = Range::between(ZERO, Bound::new("10", |_| Some(10.0)));

/// Legal fractions of the mean scale.
pub(crate) const LEAST_SCALE: Range = Range::between(Bound::new("1e-9", |_| Some(1e-9)), ONE);

/// The function of scaled distances that gives the weight of a triplet.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Weighting {
    /// The smallest scale by which a distance is divided.
    pub(crate) floor: f64,
    /// The smallest margin of all triplets of the fit.
    pub(crate) least: f64,
    pub(crate) temperature: f64,
}

impl Weighting {
    /// The squared distance relative to the scales of both points, d² / (σ_a σ_b).
    pub(crate) fn scaled(&self, distance: f64, a: f64, b: f64) -> f64 {
        // Factor by factor, since a square could leave the range of numbers.
        (distance / a.max(self.floor)) * (distance / b.max(self.floor))
    }

    /// The weight of a triplet whose scaled distances differ by `margin`: log_t(1 + margin −
    /// least). A new point can have a smaller margin than all triplets of the fit, and weight 0.
    pub(crate) fn weight(&self, margin: f64) -> f64 {
        tempered_log(1.0 + (margin - self.least).max(0.0), self.temperature)
    }

    /// Fails unless weights are finite and not negative.
    pub(crate) fn require(&self) -> Result<(), Error> {
        let positive = self.floor.is_finite() && self.floor > 0.0;
        require(positive, "the smallest scale of its points is no positive number")?;
        require(self.least.is_finite(), "the smallest margin of its triplets is not finite")?;
        let legal = TEMPERATURE.at(&Sizes::default()).contain(self.temperature);
        require(legal, "the temperature of its weights is not legal")
    }
}

/// (x^(1 − t) − 1) / (1 − t), which is the logarithm of x at t = 1.
fn tempered_log(x: f64, t: f64) -> f64 {
    if t == 1.0 { x.ln() } else { (x.ln() * (1.0 - t)).exp_m1() / (1.0 - t) }
}

/// The smallest scale that counts: `fraction` of the mean of the positive scales. Where no
/// point has one, every point has as many copies as candidates; `extent` is a distance of the
/// data, which takes the place of the mean unless it is 0 as well, when all margins are 0.
pub(crate) fn floor(scales: &Scales, fraction: f64, extent: impl FnOnce() -> f64) -> f64 {
    let positive = scales.values().iter().copied().filter(|&s| s > 0.0);
    let count = positive.clone().count() as f64;
    if count > 0.0 {
        // Each is divided by itself, since a sum could leave the range of numbers.
        return (fraction * positive.map(|s| s / count).sum::<f64>()).max(f64::MIN_POSITIVE);
    }
    match extent() {
        extent if extent > 0.0 => extent,
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tempered_logarithm_has_its_special_cases() {
        for x in [1.0, 1.5, 4.0, 81.0, 1e6] {
            let near = |found: f64, expected: f64| {
                assert!((found - expected).abs() < 1e-9 * (1.0 + expected), "{x}: {found}, {expected}");
            };
            near(tempered_log(x, 0.0), x - 1.0);
            near(tempered_log(x, 0.5), 2.0 * (x.sqrt() - 1.0));
            near(tempered_log(x, 1.0), x.ln());
            near(tempered_log(x, 1.0 + 1e-12), x.ln());
            near(tempered_log(x, 2.0), 1.0 - 1.0 / x);
        }
    }
}
