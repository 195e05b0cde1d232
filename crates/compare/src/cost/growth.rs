//! How time and memory grow with the number of points.

/// Number of the largest samples that determine a growth. Smaller samples have other costs: data that fit the
/// caches, and algorithms for few points.
const SAMPLES: usize = 3;

/// The largest power of n in the documented cost of a method.
const LARGEST: f64 = 3.0;

/// The same where two samples determine a growth.
const LARGEST_OF_TWO: f64 = 2.0;

/// Below this time, in seconds, clock and scheduling determine a stage.
const NOISE: f64 = 1e-3;

/// `value` at n = `from`, growing by a power of n.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Power {
    from: f64,
    value: f64,
    pub(super) exponent: f64,
}

impl Power {
    /// The power through the last pair of a number of points and a time. The exponent is the slope of log
    /// time against log n by least squares over the last three pairs, between 0 and 3, or 0 and 2 for two pairs; 1
    /// where fewer than two pairs exceed the noise of the clock.
    pub(super) fn through(times: &[(f64, f64)]) -> Self {
        let &(from, value) = times.last().unwrap_or(&(1.0, 0.0));
        let last = &times[times.len().saturating_sub(SAMPLES)..];
        let logs: Vec<_> = last.iter().filter(|at| at.1 > NOISE).map(|(n, t)| (n.ln(), t.ln())).collect();
        let most = if logs.len() < SAMPLES { LARGEST_OF_TWO } else { LARGEST };
        Self { from, value, exponent: slope(&logs).map_or(1.0, |slope| slope.clamp(0.0, most)) }
    }

    pub(super) fn at(self, n: f64) -> f64 {
        self.value * (n / self.from).powf(self.exponent)
    }
}

/// The slope of the line of least squares; `None` for fewer than two abscissas.
fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|at| at.0), mean(|at| at.1));
    let (xy, xx) = points.iter().fold((0.0, 0.0), |(xy, xx), at| {
        let dx = at.0 - x;
        (xy + dx * (at.1 - y), xx + dx * dx)
    });
    (xx > 0.0).then(|| xy / xx)
}

/// The largest power of n by which the memory of a fit grows, with the error of rounded numbers of points.
const LARGEST_OF_MEMORY: f64 = 2.05;

/// The memory of a fit of `n` points from pairs of a number of points and a memory. Each number is twice the
/// one before, so that three pairs determine a + b n^p: both differences of successive memories are the same
/// multiple of a power. If that power is larger than any memory grows by, the last sample had another algorithm,
/// and the mean power of the three counts. Two pairs determine b n^p, one pair b n.
pub(super) fn memory_at(pairs: &[(f64, f64)], n: f64) -> f64 {
    let last = &pairs[pairs.len().saturating_sub(SAMPLES)..];
    let (&[.., (from, bytes)], difference) = (last, |i: usize| last[i + 1].1 - last[i].1) else { return 0.0 };
    let ratio = n / from;
    match last.len() {
        3 if difference(0) > 0.0 && difference(1) > 0.0 => {
            let exponent = (difference(1) / difference(0)).log2().max(0.5);
            if exponent > LARGEST_OF_MEMORY {
                let mean = 0.5 * (bytes / last[0].1).log2();
                return bytes * ratio.powf(mean.min(LARGEST_OF_MEMORY));
            }
            let part = difference(1) / (1.0 - 0.5_f64.powf(exponent));
            bytes + part * (ratio.powf(exponent) - 1.0)
        }
        2 if difference(0) > 0.0 => {
            bytes * ratio.powf((bytes / last[0].1).log2().clamp(0.5, LARGEST_OF_MEMORY))
        }
        _ => bytes * ratio,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples of a cost at 500, 1000, 2000 and 4000 points.
    fn samples(cost: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
        [500.0, 1000.0, 2000.0, 4000.0].map(|n| (n, cost(n))).to_vec()
    }

    fn relative(found: f64, expected: f64) -> f64 {
        (found / expected - 1.0).abs()
    }

    #[test]
    fn powers_of_n_are_extrapolated_exactly() {
        for exponent in [0.0, 1.0, 1.3, 2.0, 3.0] {
            let cost = |n: f64| 0.01 * n.powf(exponent);
            let power = Power::through(&samples(cost).split_off(1));
            assert!((power.exponent - exponent).abs() < 1e-9, "{exponent}: {power:?}");
            assert!(relative(power.at(64_000.0), cost(64_000.0)) < 1e-9, "{exponent}");
        }
    }

    #[test]
    fn errors_of_a_tenth_stay_within_a_factor_of_two_at_sixteen_times_the_points() {
        for signs in 0..8 {
            let wrong = |at: i32| if signs >> at & 1 == 1 { 1.1 } else { 0.9 };
            let times: Vec<_> =
                (0..3).map(|at| (1000.0 * 2_f64.powi(at), wrong(at) * 2_f64.powi(at))).collect();
            let ratio = Power::through(&times).at(64_000.0) / 64.0;
            assert!((0.5..2.0).contains(&ratio), "{signs:03b}: {ratio}");
        }
    }

    #[test]
    fn times_below_the_noise_grow_linearly_and_smaller_samples_do_not_count() {
        let noise = [(500.0, 1e-6), (1000.0, 9e-5), (2000.0, 3e-6)];
        assert_eq!(Power::through(&noise).exponent, 1.0);
        assert_eq!(Power::through(&[(1000.0, 1.0)]).at(3000.0), 3.0);
        let mut times = samples(|n| n * n);
        times[0].1 = 1e9;
        assert!(relative(Power::through(&times).at(8000.0), 64e6) < 1e-9);
        // A time that falls is constant, and one that explodes grows by the third power.
        assert_eq!(Power::through(&samples(|n| 1e4 / n)).exponent, 0.0);
        assert_eq!(Power::through(&samples(|n| n.powi(5))).exponent, 3.0);
        assert_eq!(Power::through(&[]).at(10.0), 0.0);
    }

    #[test]
    fn memory_is_a_constant_and_a_power() {
        for (constant, exponent) in [(0.0, 1.0), (5e7, 1.0), (1e6, 2.0), (3e6, 1.5)] {
            let bytes = |n: f64| constant + 40.0 * n.powf(exponent);
            let found = memory_at(&samples(bytes), 100_000.0);
            assert!(relative(found, bytes(100_000.0)) < 1e-9, "{constant}, {exponent}: {found}");
        }
        let square = |n: f64| 12.0 * n * n;
        let two = [(500.0, square(500.0)), (1000.0, square(1000.0))];
        assert!(relative(memory_at(&two, 9000.0), square(9000.0)) < 1e-9);
        assert_eq!(memory_at(&[(500.0, 4000.0)], 1000.0), 8000.0);
        // A step between the last two samples is no third power.
        let step = [(1000.0, 12e6), (2000.0, 16e6), (4000.0, 48e6)];
        assert!(relative(memory_at(&step, 64_000.0), 48e6 * 16.0) < 1e-9);
        assert_eq!(memory_at(&[], 1000.0), 0.0);
    }
}
