//! Random order.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

/// Fisher–Yates shuffle.
pub(crate) fn shuffle<T>(rows: &mut [T], random: &mut ChaCha8Rng) {
    for i in (1..rows.len()).rev() {
        rows.swap(i, (random.next_u64() % (i as u64 + 1)) as usize);
    }
}
