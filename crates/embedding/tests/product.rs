//! Products of matrices, and the speed of what follows them.

use std::hint::black_box;
use std::time::{Duration, Instant};

use embedding::{multiply, multiply_lower};
use faer::{Accum, Mat};

#[test]
fn products_add_to_what_is_there_or_replace_it() {
    let a = Mat::from_fn(3, 2, |i, j| (i + 3 * j) as f64);
    for (accumulate, before) in [(Accum::Replace, 0.0), (Accum::Add, 5.0)] {
        let expected = |i: usize, j: usize| before + 2.0 * (0..2).map(|c| a[(i, c)] * a[(j, c)]).sum::<f64>();
        let (mut all, mut lower) = (Mat::full(3, 3, 5.0), Mat::full(3, 3, 5.0));
        multiply(all.as_mut(), accumulate, a.as_ref(), a.transpose(), 2.0);
        multiply_lower(lower.as_mut(), accumulate, a.as_ref(), a.transpose(), 2.0);
        for i in 0..3 {
            for j in 0..3 {
                assert_eq!(all[(i, j)], expected(i, j));
                assert_eq!(lower[(i, j)], if j <= i { expected(i, j) } else { 5.0 });
            }
        }
    }
}

/// The shortest of many repetitions, so that other processes do not matter.
fn exponentials() -> Duration {
    let once = || {
        let start = Instant::now();
        black_box((0..200).map(|i| black_box(-0.01 * f64::from(i)).exp()).sum::<f64>());
        start.elapsed()
    };
    (0..50).map(|_| once()).min().unwrap_or_default()
}

/// A ratio of two times in one process: about 30 without the release, where it matters.
#[test]
fn products_do_not_slow_down_what_follows() {
    let before = exponentials();
    let a = Mat::from_fn(64, 64, |i, j| (i * j) as f64);
    let mut out = Mat::zeros(64, 64);
    multiply(out.as_mut(), Accum::Replace, a.as_ref(), a.as_ref(), 1.0);
    let after = exponentials();
    assert!(after < 8 * before, "{after:?} after a product, {before:?} before it");
    multiply_lower(out.as_mut(), Accum::Replace, a.as_ref(), a.as_ref(), 1.0);
    let after = exponentials();
    assert!(after < 8 * before, "{after:?} after a triangular product, {before:?} before it");
}
