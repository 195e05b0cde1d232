//! The α-decaying kernel.

use embedding::Error;
use embedding::implement::{Bound, Range, Sizes, Validate, ZERO, require};
use neighbor_graph::Neighbors;
use serde::{Deserialize, Serialize};
use spectral::Sparse;

/// Legal thresholds: below the affinity 1/e of the last neighbor.
pub(crate) const THRESHOLD: Range = Range::inside(ZERO, Bound::new("0.3", |_| Some(0.3)));

/// exp(−(d/ε)^decay) as a function of the distance d and the bandwidth ε, 0 where it is
/// below the threshold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Kernel {
    pub(crate) decay: f64,
    pub(crate) threshold: f64,
}

impl Kernel {
    /// The affinity at distance `d`; 1 at distance 0, whatever the bandwidth.
    pub(crate) fn of(self, d: f64, bandwidth: f64) -> f64 {
        if d <= 0.0 {
            return 1.0;
        }
        let affinity = (-(d / bandwidth).powf(self.decay)).exp();
        if affinity < self.threshold { 0.0 } else { affinity }
    }

    /// The distance from which on the affinity is 0.
    pub(crate) fn reach(self, bandwidth: f64) -> f64 {
        if bandwidth > 0.0 { bandwidth * (-self.threshold.ln()).powf(self.decay.recip()) } else { 0.0 }
    }

    /// The symmetric matrix K = (A + Aᵀ)/2 of the affinities a_ij = exp(−(d_ij/ε_i)^decay)
    /// to the neighbors of each point, and a_ii = 1. An edge has at least the affinity
    /// `threshold`, so that the kernel connects what the graph connects.
    pub(crate) fn matrix(self, neighbors: &Neighbors) -> Result<Sparse, Error> {
        let n = neighbors.len();
        let k = neighbors.neighborhood().k();
        let mut rows: Vec<Vec<(u32, f64)>> = (0..n as u32).map(|i| vec![(i, 1.0)]).collect();
        for i in 0..n {
            let (js, ds) = neighbors.of(i);
            let bandwidth = bandwidth(ds, k);
            for (&j, &d) in js.iter().zip(ds) {
                let half = 0.5 * self.of(d, bandwidth).max(self.threshold);
                rows[i].push((j, half));
                rows[j as usize].push((i as u32, half));
            }
        }
        Sparse::from_rows(n, rows)
    }
}

/// The distance to the k-th neighbor, or to the last one of a shorter list or a radius.
pub(crate) fn bandwidth(distances: &[f64], k: Option<usize>) -> f64 {
    let last = k.unwrap_or(usize::MAX).min(distances.len());
    last.checked_sub(1).map_or(0.0, |at| distances[at])
}

impl Validate for Kernel {
    fn validate(&self) -> Result<(), Error> {
        let legal = |range: Range, value| range.at(&Sizes::default()).contain(value);
        require(self.decay.is_finite() && legal(Range::positive(), self.decay), "its kernel does not decay")?;
        require(legal(THRESHOLD, self.threshold), "the threshold of its kernel is not legal")
    }
}

#[cfg(test)]
mod tests {
    use super::Kernel;

    #[test]
    fn the_affinity_ends_at_the_reach() {
        for (decay, threshold) in [(40.0, 1e-4), (2.0, 1e-8), (1.0, 0.2)] {
            let kernel = Kernel { decay, threshold };
            let reach = kernel.reach(3.0);
            assert!(kernel.of(reach * (1.0 - 1e-9), 3.0) >= threshold);
            assert_eq!(kernel.of(reach * (1.0 + 1e-9), 3.0), 0.0);
            assert!((kernel.of(3.0, 3.0) - (-1.0_f64).exp()).abs() < 1e-15);
        }
    }

    #[test]
    fn a_bandwidth_of_zero_reaches_copies_alone() {
        let kernel = Kernel { decay: 40.0, threshold: 1e-4 };
        assert_eq!((kernel.of(0.0, 0.0), kernel.of(1e-300, 0.0), kernel.reach(0.0)), (1.0, 0.0, 0.0));
    }
}
