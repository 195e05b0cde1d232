//! Factors of the differences between points in the gradient.

use std::f32::consts::SQRT_2;

use crate::Curve;

/// Added to squared distances in the repulsion, which is infinite at 0 otherwise.
pub(crate) const SOFTENING: f32 = 1e-3;

/// Adding and subtracting it rounds to a whole number.
const ROUNDING: f32 = 12_582_912.0;

/// The gradient of the loss in single precision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Forces {
    log_a: f32,
    b: f32,
    repulsion: f32,
}

impl Forces {
    /// Smaller squared distances attract as this one does.
    pub(crate) const CLOSEST: f32 = 1e-30;

    /// `repulsion` is the weight γ of one negative sample.
    pub(crate) fn new(curve: Curve, repulsion: f64) -> Self {
        Self { log_a: curve.a.log2() as f32, b: curve.b as f32, repulsion: repulsion as f32 }
    }

    /// Replaces squared distances s by 2 a b s^(b−1) / (1 + a s^b): the step towards
    /// the other point, in units of the difference.
    pub(crate) fn attract(self, squares: &mut [f32]) {
        self.replace(Factor::Attraction, squares);
    }

    /// Replaces squared distances s by 2 γ b / ((0.001 + s) (1 + a s^b)): the step away
    /// from the other point, in units of the difference.
    pub(crate) fn repel(self, squares: &mut [f32]) {
        self.replace(Factor::Repulsion, squares);
    }

    /// Replaces squared distances by −ln(1 − w), with 1 − w at least `smallest`.
    pub(crate) fn separate(self, squares: &mut [f32], smallest: f32) {
        self.replace(Factor::Separation { smallest }, squares);
    }

    /// Replaces squared distances s by a s^b = 1 / w − 1.
    pub(crate) fn odds(self, squares: &mut [f32]) {
        self.replace(Factor::Odds, squares);
    }

    fn replace(self, factor: Factor, squares: &mut [f32]) {
        pulp::Arch::new().dispatch(Replace { forces: self, factor, squares });
    }

    /// a s^b.
    #[inline(always)]
    fn power(self, s: f32) -> f32 {
        exp2(self.log_a + self.b * log2(s.max(Self::CLOSEST)))
    }
}

/// A function of squared distances.
enum Factor {
    Attraction,
    Repulsion,
    Separation { smallest: f32 },
    Odds,
}

struct Replace<'a> {
    forces: Forces,
    factor: Factor,
    squares: &'a mut [f32],
}

impl pulp::NullaryFnOnce for Replace<'_> {
    type Output = ();

    // Plain loops over numbers, which compilers turn into ones over registers.
    #[inline(always)]
    fn call(self) {
        let Self { forces, factor, squares } = self;
        match factor {
            Factor::Attraction => {
                for s in squares {
                    let p = forces.power(*s);
                    *s = 2.0 * forces.b * p / (s.max(Forces::CLOSEST) * (1.0 + p));
                }
            }
            Factor::Repulsion => {
                let factor = 2.0 * forces.repulsion * forces.b;
                for s in squares {
                    *s = factor / ((SOFTENING + *s) * (1.0 + forces.power(*s)));
                }
            }
            Factor::Separation { smallest } => {
                for s in squares {
                    let p = forces.power(*s);
                    *s = -std::f32::consts::LN_2 * log2((p / (1.0 + p)).max(smallest));
                }
            }
            Factor::Odds => {
                for s in squares {
                    *s = forces.power(*s);
                }
            }
        }
    }
}

/// log₂ of positive normal numbers, with an absolute error below 1e-6 near 1 and a
/// relative one below 1e-6 elsewhere. The numbers m 2^e with m between √½ and √2 have the logarithm e + 2/ln
/// 2 · artanh t with t = (m − 1)/(m + 1). The artanh term is approximated by t times the polynomial of degree
/// 2 in t² with the least maximal error, 1.2e-7.
#[inline(always)]
fn log2(x: f32) -> f32 {
    let bits = x.to_bits();
    let shifted = bits.wrapping_sub((0.5 * SQRT_2).to_bits());
    let exponent = (shifted as i32) >> 23;
    let m = f32::from_bits(bits.wrapping_sub((exponent as u32) << 23));
    let t = (m - 1.0) / (m + 1.0);
    let u = t * t;
    exponent as f32 + t * (2.885_390_5 + u * (0.961_588_3 + u * 0.595_780_7))
}

/// 2^x for |x| ≤ 126, beyond which the value at that end is returned; relative error
/// below 1e-6 |x| + 1e-6. The remainder after the nearest whole number, up to 1/2, goes through the
/// polynomial of degree 5 with the least maximal error, 1.5e-7, that is 1 at 0.
#[inline(always)]
fn exp2(x: f32) -> f32 {
    let x = x.clamp(-126.0, 126.0);
    let rounded = x + ROUNDING;
    let t = x - (rounded - ROUNDING);
    let u = t * t;
    // In three parts that a processor computes at the same time.
    let (low, middle, high) =
        (1.0 + t * 0.693_146_9, 0.240_221_2 + t * 0.055_507_135, 0.009_675_541 + t * 0.001_327_646_7);
    let power = low + u * (middle + u * high);
    // The last bits of the rounded number are its integer part.
    let exponent = rounded.to_bits().wrapping_sub(ROUNDING.to_bits());
    power * f32::from_bits(exponent.wrapping_add(127) << 23)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CURVES: [Curve; 3] =
        [Curve { a: 1.5769, b: 0.8951 }, Curve { a: 0.1193, b: 1.9164 }, Curve { a: 1.0, b: 1.0 }];

    fn one(number: f32, change: impl Fn(&mut [f32])) -> f64 {
        let mut numbers = [number];
        change(&mut numbers);
        f64::from(numbers[0])
    }

    #[test]
    fn logarithms_and_powers_are_accurate() {
        for e in -240..=240 {
            let x = 1.3 * (0.25 * e as f32).exp2();
            let got = f64::from(log2(x));
            assert!((got - f64::from(x).log2()).abs() < 1e-6 * (1.0 + got.abs()), "log2({x}) = {got}");
            let y = 0.25 * e as f32;
            let power = f64::from(exp2(y));
            assert!((power / f64::from(y).exp2() - 1.0).abs() < 1e-6, "2^{y} = {power}");
        }
    }

    /// The gradient of −ln w by y_i is the attraction times y_i − y_j; the gradient of −ln(1 − w) is minus
    /// the repulsion without softening, times y_i − y_j.
    #[test]
    fn factors_are_derivatives_of_the_loss() {
        for curve in CURVES {
            let forces = Forces::new(curve, 1.0);
            for d in [0.05_f64, 0.3, 1.0, 2.5, 9.0] {
                let slope = |energy: &dyn Fn(f64) -> f64| {
                    let h = 1e-5 * d;
                    (energy(d + h) - energy(d - h)) / (2.0 * h)
                };
                let squared = (d * d) as f32;
                let pull = one(squared, |s| forces.attract(s)) * d;
                let attraction = slope(&|x| -curve.similarity(x * x).ln());
                assert!((pull / attraction - 1.0).abs() < 1e-4, "{curve:?}, {d}: {pull}, {attraction}");
                let hard = f64::from(squared + SOFTENING) / f64::from(squared);
                let push = one(squared, |s| forces.repel(s)) * d * hard;
                let repulsion = slope(&|x| -(1.0 - curve.similarity(x * x)).ln());
                assert!((push / -repulsion - 1.0).abs() < 1e-4, "{curve:?}, {d}: {push}, {repulsion}");
                let loss = one(squared, |s| forces.separate(s, 0.0));
                let expected = -(1.0 - curve.similarity(d * d)).ln();
                assert!((loss / expected - 1.0).abs() < 1e-4, "{curve:?}, {d}: {loss}, {expected}");
            }
        }
    }

    #[test]
    fn factors_are_finite_for_all_distances() {
        for curve in CURVES {
            let forces = Forces::new(curve, 1.0);
            for squared in [0.0, 1e-38, 1e-20, 1e20, 1e37] {
                for factor in [one(squared, |s| forces.attract(s)), one(squared, |s| forces.repel(s))] {
                    assert!(factor.is_finite() && factor >= 0.0, "{curve:?}, {squared}: {factor}");
                }
            }
        }
    }

    #[test]
    fn repulsion_is_proportional_to_its_weight() {
        let of = |weight| one(2.0, |s| Forces::new(CURVES[0], weight).repel(s));
        assert!((of(3.0) / of(1.0) - 3.0).abs() < 1e-6);
    }
}
