//! How much slower code runs after some work than before it.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// The shortest of many repetitions, so that other processes do not matter.
fn exponentials() -> Duration {
    let once = || {
        let start = Instant::now();
        black_box((0..200).map(|i| black_box(-0.01 * f64::from(i)).exp()).sum::<f64>());
        start.elapsed()
    };
    (0..50).map(|_| once()).min().unwrap_or_default()
}

/// Fails where exponentials take eight times as long after the work as before it. A ratio in one
/// process and thread: about 30 where vector registers stay in use on a processor that minds.
pub(crate) fn leaves_registers(name: &str, work: impl FnOnce()) {
    let before = exponentials();
    work();
    let after = exponentials();
    assert!(after < 8 * before, "{name}: {after:?} after it, {before:?} before");
}
