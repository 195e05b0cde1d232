//! Random points without repetition.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

/// Points per parallel task and generator.
const CHUNK: usize = 128;

/// The generator of one part of the work: its numbers depend on the seed, the purpose, the
/// round and the part alone, so that parts can run in any order. Panics unless `purpose` is below 256,
/// `round` and `part` below 2²⁸.
pub fn stream(seed: u64, purpose: u64, round: u64, part: u64) -> ChaCha8Rng {
    assert!(purpose < 1 << 8 && round < 1 << 28 && part < 1 << 28);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(purpose << 56 | round << 28 | part);
    random
}

/// Calls `draw` for each of n points, in parallel, and returns the results. `draw` receives the point, a
/// sampler that excludes only this point, and the random generator of the point's chunk. Seed, purpose and
/// round of the generators are given (see [`stream`]).
///
/// ```
/// let pairs = layout::for_each_point(300, (0, 1, 0), |i, sampler, random| {
///     let mut drawn = Vec::new();
///     sampler.draw(random, 2, &mut drawn);
///     (i as u32, drawn[0], drawn[1])
/// });
/// assert!(pairs.iter().all(|&(i, a, b)| a != b && a != i && b != i));
/// ```
pub fn for_each_point<T: Send>(
    n: usize,
    (seed, purpose, round): (u64, u64, u64),
    draw: impl Fn(usize, &mut Sampler, &mut ChaCha8Rng) -> T + Sync,
) -> Vec<T> {
    let chunks: Vec<Vec<T>> = (0..n.div_ceil(CHUNK))
        .into_par_iter()
        .map_init(
            || Sampler::new(n),
            |sampler, chunk| {
                let mut random = stream(seed, purpose, round, chunk as u64);
                let points = chunk * CHUNK..n.min((chunk + 1) * CHUNK);
                points
                    .map(|i| {
                        sampler.clear();
                        sampler.exclude(i as u32);
                        draw(i, sampler, &mut random)
                    })
                    .collect()
            },
        )
        .collect();
    chunks.into_iter().flatten().collect()
}

/// Draws distinct points of 0..n that are not excluded.
///
/// ```
/// let mut sampler = layout::Sampler::new(5);
/// sampler.clear();
/// sampler.exclude(3);
/// let mut drawn = Vec::new();
/// sampler.draw(&mut layout::stream(0, 0, 0, 0), 9, &mut drawn);
/// drawn.sort();
/// assert_eq!(drawn, [0, 1, 2, 4]);
/// ```
#[derive(Clone, Debug)]
pub struct Sampler {
    /// Points with the number of the present set are excluded.
    marks: Vec<u32>,
    set: u32,
    excluded: usize,
    pool: Vec<u32>,
}

impl Sampler {
    /// A sampler of n points. Memory 4 n.
    pub fn new(n: usize) -> Self {
        Self { marks: vec![0; n], set: 0, excluded: 0, pool: Vec::new() }
    }

    /// Excludes no point any more. O(1).
    pub fn clear(&mut self) {
        self.excluded = 0;
        self.set = self.set.wrapping_add(1);
        if self.set == 0 {
            self.marks.fill(0);
            self.set = 1;
        }
    }

    /// Whether a point is excluded.
    #[inline]
    pub fn excludes(&self, j: u32) -> bool {
        self.marks[j as usize] == self.set
    }

    /// Excludes a point.
    #[inline]
    pub fn exclude(&mut self, j: u32) {
        self.excluded += usize::from(!self.excludes(j));
        self.marks[j as usize] = self.set;
    }

    /// Excludes a point no longer.
    #[inline]
    pub fn release(&mut self, j: u32) {
        if self.excludes(j) {
            self.excluded -= 1;
            self.marks[j as usize] = self.set.wrapping_sub(1);
        }
    }

    /// Any point, excluded or not.
    #[inline]
    pub fn any(&self, random: &mut ChaCha8Rng) -> u32 {
        below(random, self.marks.len())
    }

    /// Draws `count` points that are not excluded, or all of them where there are fewer, and
    /// excludes them. Expected O(count), O(n) where most points are excluded or drawn.
    pub fn draw(&mut self, random: &mut ChaCha8Rng, count: usize, drawn: &mut Vec<u32>) {
        drawn.clear();
        let n = self.marks.len();
        let free = n - self.excluded;
        let count = count.min(free);
        if 2 * (self.excluded + count) <= n {
            while drawn.len() < count {
                let j = self.any(random);
                if !self.excludes(j) {
                    self.exclude(j);
                    drawn.push(j);
                }
            }
            return;
        }
        let mut pool = std::mem::take(&mut self.pool);
        pool.clear();
        pool.extend((0..n as u32).filter(|&j| !self.excludes(j)));
        for at in 0..count {
            let other = at + below(random, pool.len() - at) as usize;
            pool.swap(at, other);
            self.exclude(pool[at]);
            drawn.push(pool[at]);
        }
        self.pool = pool;
    }
}

/// Uniform in 0..n.
#[inline]
fn below(random: &mut ChaCha8Rng, n: usize) -> u32 {
    ((u64::from(random.next_u32()) * n as u64) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each of the points that are not excluded is drawn equally often, by rejection and
    /// from the list of all of them.
    #[test]
    fn draws_are_uniform_among_the_points_left() {
        for (n, excluded, count) in [(40, 5, 3), (12, 5, 3), (6, 5, 3)] {
            let mut sampler = Sampler::new(n);
            let mut random = stream(1, 2, 3, 4);
            let (mut counts, mut drawn) = (vec![0_usize; n], Vec::new());
            const ROUNDS: usize = 20_000;
            for _ in 0..ROUNDS {
                sampler.clear();
                (0..excluded).for_each(|j| sampler.exclude(j));
                sampler.draw(&mut random, count, &mut drawn);
                assert_eq!(drawn.len(), count.min(n - excluded as usize));
                drawn.iter().for_each(|&j| counts[j as usize] += 1);
                assert!(drawn.iter().all(|&j| sampler.excludes(j)));
            }
            let free = n - excluded as usize;
            let expected = (ROUNDS * count.min(free)) as f64 / free as f64;
            assert!(counts[..excluded as usize].iter().all(|&c| c == 0));
            for &c in &counts[excluded as usize..] {
                // Six standard deviations.
                assert!((c as f64 - expected).abs() < 6.0 * expected.sqrt(), "{counts:?}, {expected}");
            }
        }
    }

    #[test]
    fn released_points_are_drawn_again() {
        let mut sampler = Sampler::new(3);
        sampler.clear();
        (0..3).for_each(|j| sampler.exclude(j));
        sampler.release(1);
        sampler.release(1);
        let mut drawn = Vec::new();
        sampler.draw(&mut stream(0, 0, 0, 0), 3, &mut drawn);
        assert_eq!(drawn, [1]);
    }
}
