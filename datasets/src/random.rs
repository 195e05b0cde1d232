//! Seeded random numbers.

use embedding::implement::standard_normal;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A seeded generator; the numbers for row i depend only on the preceding rows, so that a
/// smaller sample is a prefix of a larger one.
pub(crate) struct Random(ChaCha8Rng);

impl Random {
    /// Creates the generator of positions.
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// Creates the generator of noise, independent of the positions with the same seed.
    pub(crate) fn noise(seed: u64) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(1);
        Self(generator)
    }

    /// Creates a separate generator for one row.
    pub(crate) fn of_row(seed: u64, row: u32) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(2 + u64::from(row));
        Self(generator)
    }

    /// Returns a number uniform in [0, 1).
    pub(crate) fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a number uniform in [low, high).
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    /// Standard normal.
    pub(crate) fn normal(&mut self) -> f64 {
        standard_normal(1.0 - self.uniform(), self.uniform())
    }

    /// Shuffles in place, all permutations equally likely.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let j = (self.uniform() * (i + 1) as f64) as usize;
            items.swap(i, j);
        }
    }
}

/// Assigns classes 0 .. count evenly: every `count` consecutive rows contain each class
/// once, in random order.
pub(crate) struct Rounds {
    hand: Vec<usize>,
    count: usize,
}

impl Rounds {
    pub(crate) fn new(count: usize) -> Self {
        Self { hand: Vec::new(), count }
    }

    pub(crate) fn next(&mut self, random: &mut Random) -> usize {
        if self.hand.is_empty() {
            self.hand.extend(0..self.count);
            random.shuffle(&mut self.hand);
        }
        self.hand.pop().expect("the round is not empty")
    }
}
