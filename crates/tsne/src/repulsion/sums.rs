//! What every algorithm of repulsion computes.

/// Sums over all other points.
pub(crate) trait Repulsion: Send {
    /// Writes Σ_j w/(1 + d²/α) (y_i − y_j) to `force` for every i and returns Z = Σ_{i≠j}
    /// w. `y` and `force` are n × d, stored by rows.
    fn compute(&mut self, y: &[f64], force: &mut [f64]) -> f64;
}
