//! The similarity of two points of the map.

use embedding::Error;
use serde::{Deserialize, Serialize};

/// Points at which the curve is fitted.
const SAMPLES: usize = 300;

/// Steps of the least-squares iteration; ten suffice for usual parameters.
const STEPS: usize = 500;

/// The similarity w(x) = 1 / (1 + a x^(2b)) of two points at distance x in the map.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// The factor a.
    pub a: f64,
    /// Half the exponent, b.
    pub b: f64,
}

impl Curve {
    /// Fits a and b by least squares to 1 for x < `min_dist` and
    /// exp(−(x − `min_dist`)/`spread`) beyond, at 300 equally spaced x from 0 to
    /// 3 · `spread`, by the Levenberg–Marquardt iteration from a = b = 1.
    ///
    /// Fails with [`Error::Parameter`] unless 0 ≤ `min_dist` ≤ `spread` and 0 < `spread`,
    /// both finite.
    ///
    /// ```
    /// let curve = umap::Curve::fit(0.1, 1.0)?;
    /// assert!((curve.a - 1.5769).abs() < 1e-4 && (curve.b - 0.8951).abs() < 1e-4);
    /// # Ok::<(), umap::Error>(())
    /// ```
    pub fn fit(min_dist: f64, spread: f64) -> Result<Self, Error> {
        if !(spread.is_finite() && spread > 0.0) {
            return Err(Error::parameter("spread", "finite and above 0", spread));
        }
        if !(0.0..=spread).contains(&min_dist) {
            return Err(Error::parameter("min-dist", format!("0 to spread (here {spread})"), min_dist));
        }
        // In units of the spread, so that a step has the same length for every spread.
        let samples: Vec<(f64, f64)> = (0..SAMPLES)
            .map(|i| {
                let x = 3.0 * i as f64 / (SAMPLES - 1) as f64;
                let beyond = x - min_dist / spread;
                (x, if beyond < 0.0 { 1.0 } else { (-beyond).exp() })
            })
            .collect();
        let unit = least_squares(&samples);
        Ok(Self { a: unit.a / spread.powf(2.0 * unit.b), b: unit.b })
    }

    /// w at a squared distance.
    pub fn similarity(self, squared: f64) -> f64 {
        1.0 / (1.0 + self.a * squared.powf(self.b))
    }

    /// Sum of squared residuals, and the gradient and normal matrix of half this sum.
    fn normal_equations(self, samples: &[(f64, f64)]) -> (f64, [f64; 2], [f64; 3]) {
        let (mut sum, mut gradient, mut normal) = (0.0, [0.0; 2], [0.0; 3]);
        for &(x, target) in samples {
            let power = if x > 0.0 { x.powf(2.0 * self.b) } else { 0.0 };
            let w = 1.0 / (1.0 + self.a * power);
            let residual = w - target;
            let by_a = -w * w * power;
            let by_b = if x > 0.0 { -w * w * self.a * power * 2.0 * x.ln() } else { 0.0 };
            sum += residual * residual;
            gradient[0] += by_a * residual;
            gradient[1] += by_b * residual;
            normal[0] += by_a * by_a;
            normal[1] += by_a * by_b;
            normal[2] += by_b * by_b;
        }
        (sum, gradient, normal)
    }
}

/// Minimizes the squared residuals at (x, target).
fn least_squares(samples: &[(f64, f64)]) -> Curve {
    let mut curve = Curve { a: 1.0, b: 1.0 };
    let (mut sum, mut gradient, mut normal) = curve.normal_equations(samples);
    let mut damping = 1e-3;
    for _ in 0..STEPS {
        let (p, q, r) = (normal[0] * (1.0 + damping), normal[1], normal[2] * (1.0 + damping));
        let determinant = p * r - q * q;
        let step = [
            (q * gradient[1] - r * gradient[0]) / determinant,
            (q * gradient[0] - p * gradient[1]) / determinant,
        ];
        let next = Curve { a: curve.a + step[0], b: curve.b + step[1] };
        let legal = next.a > 0.0 && next.b > 0.0;
        let found = if legal { next.normal_equations(samples) } else { (f64::INFINITY, gradient, normal) };
        if found.0 <= sum {
            let small = step[0].abs() <= 1e-12 * next.a && step[1].abs() <= 1e-12 * next.b;
            (curve, sum, gradient, normal) = (next, found.0, found.1, found.2);
            damping = (damping * 0.1).max(1e-15);
            if small {
                break;
            }
        } else if damping > 1e12 {
            break;
        } else {
            damping *= 10.0;
        }
    }
    curve
}
