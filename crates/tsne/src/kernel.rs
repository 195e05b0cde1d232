//! Student's t kernel in the map.

use std::slice::from_mut;

use pulp::Simd;
use pulp::bytemuck::cast_slice_mut;

/// w(d²) = (1 + d²/α)^−α; α = 1 is the Cauchy kernel of the paper.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kernel {
    pub(crate) alpha: f64,
}

impl Kernel {
    /// Returns 1/(1 + d²/α), the factor of y_i − y_j in the gradient.
    #[inline]
    pub(crate) fn slope(self, squared: f64) -> f64 {
        if self.alpha == 1.0 { 1.0 / (1.0 + squared) } else { 1.0 / (1.0 + squared / self.alpha) }
    }

    /// Returns w and w/(1 + d²/α).
    #[inline]
    pub(crate) fn pair(self, squared: f64) -> (f64, f64) {
        let slope = self.slope(squared);
        let w = if self.alpha == 1.0 { slope } else { slope.powf(self.alpha) };
        (w, w * slope)
    }

    /// As [`pair`](Self::pair), for every number in a register.
    #[inline(always)]
    pub(crate) fn pairs<S: Simd>(self, squared: S::f64s) -> (S::f64s, S::f64s) {
        let (mut w, mut pull) = (squared, squared);
        let (ws, pulls) = (cast_slice_mut(from_mut(&mut w)), cast_slice_mut(from_mut(&mut pull)));
        for (w, pull) in ws.iter_mut().zip(pulls) {
            (*w, *pull) = self.pair(*w);
        }
        (w, pull)
    }

    /// Returns −ln w.
    #[inline]
    pub(crate) fn energy(self, squared: f64) -> f64 {
        self.alpha * (1.0 + squared / self.alpha).ln()
    }
}
