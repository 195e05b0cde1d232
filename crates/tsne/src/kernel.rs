//! Student's kernel between points of the map.

/// w(d²) = (1 + d²/α)^−α; α = 1 is the Cauchy kernel of the paper.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kernel {
    pub(crate) alpha: f64,
}

impl Kernel {
    /// 1/(1 + d²/α), the factor that the gradient puts before y_i − y_j.
    #[inline]
    pub(crate) fn slope(self, squared: f64) -> f64 {
        if self.alpha == 1.0 { 1.0 / (1.0 + squared) } else { 1.0 / (1.0 + squared / self.alpha) }
    }

    /// w and w/(1 + d²/α).
    #[inline]
    pub(crate) fn pair(self, squared: f64) -> (f64, f64) {
        let slope = self.slope(squared);
        let w = if self.alpha == 1.0 { slope } else { slope.powf(self.alpha) };
        (w, w * slope)
    }

    /// −ln w.
    #[inline]
    pub(crate) fn energy(self, squared: f64) -> f64 {
        self.alpha * (squared / self.alpha).ln_1p()
    }
}
