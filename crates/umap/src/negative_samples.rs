//! Random points, drawn several at a time.

/// Fraction of 2³² in the golden ratio: its multiples are spread evenly.
pub(crate) const GOLDEN: u32 = 0x9E37_79B9;

/// Draws points out of `n`: the numbers of the sequence of a random `key` from `first` on.
///
/// A number of the sequence is its position mixed with the key by the final steps of MurmurHash3,
/// which processors compute for several positions at a time.
#[inline(always)]
pub(crate) fn draw(key: u64, first: u32, n: usize, drawn: &mut [u32]) {
    let (low, high) = (key as u32, (key >> 32) as u32);
    let count = u64::from(n as u32);
    let mut position = first.wrapping_mul(GOLDEN);
    for drawn in drawn {
        let mut x = position ^ low;
        x = (x ^ x >> 16).wrapping_mul(0x85EB_CA6B) ^ high;
        x = (x ^ x >> 13).wrapping_mul(0xC2B2_AE35);
        x ^= x >> 16;
        *drawn = ((u64::from(x) * count) >> 32) as u32;
        position = position.wrapping_add(GOLDEN);
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use super::draw;

    /// Numbers of points that are powers of two and others.
    #[test]
    fn points_are_drawn_uniformly_and_independently() {
        const DRAWS: usize = 1 << 20;
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for n in [64, 100, 1000, 70_000] {
            let key = random.next_u64();
            let mut drawn = vec![0; DRAWS];
            draw(key, 0, n, &mut drawn);
            let mut rest = vec![0; DRAWS - 1000];
            draw(key, 1000, n, &mut rest);
            assert_eq!(rest, drawn[1000..], "a sequence by its positions");
            let mut other = vec![0; DRAWS];
            draw(random.next_u64(), 0, n, &mut other);
            // χ² of the counts, and of pairs by their difference: of a draw and the next, and of
            // the same position under another key.
            let difference = |a: &u32, b: &u32| (a + n as u32 - b) as usize % n;
            let uniform = |values: &mut dyn Iterator<Item = usize>| {
                let mut counts = vec![0.0; n];
                values.for_each(|value| counts[value] += 1.0);
                let expected = counts.iter().sum::<f64>() / n as f64;
                let chi = counts.iter().map(|c| (c - expected).powi(2) / expected).sum::<f64>();
                (chi - (n - 1) as f64) / (2.0 * (n - 1) as f64).sqrt()
            };
            let scores = [
                uniform(&mut drawn.iter().map(|&j| j as usize)),
                uniform(&mut drawn.iter().zip(&drawn[1..]).map(|(a, b)| difference(a, b))),
                uniform(&mut drawn.iter().zip(&other).map(|(a, b)| difference(a, b))),
            ];
            assert!(scores.iter().all(|score| score.abs() < 4.0), "{n} points: {scores:?}");
        }
    }
}
