//! Random numbers from a seeded generator.

use embedding::implement::standard_normal;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

/// Uniform in (0, 1).
pub(crate) fn uniform(random: &mut ChaCha8Rng) -> f64 {
    ((random.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
}

/// Standard normal.
pub(crate) fn normal(random: &mut ChaCha8Rng) -> f64 {
    standard_normal(uniform(random), uniform(random))
}
