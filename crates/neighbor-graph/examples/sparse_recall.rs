//! Times the exact and the approximate search among rows like texts, whose words follow Zipf's law, by the
//! cosine distance: `cargo run --release -p neighbor-graph --example sparse_recall -- ROWS RECALL THEME`.
//! THEME is the fraction of words that are drawn from one of 50 themes.
#![expect(clippy::print_stdout, reason = "an example")]

use std::time::Instant;

use embedding::{Error, Metric, SparsePointSet};
use neighbor_graph::NeighborSearch;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Columns, themes and columns of a theme, and neighbors.
const WORDS: usize = 10_000;
const THEMES: usize = 50;
const OF_THEME: usize = 500;
const K: usize = 15;

fn main() -> Result<(), Error> {
    let arguments: Vec<f64> = std::env::args().skip(1).map(|a| a.parse().expect("a number")).collect();
    let [rows, recall, theme] = arguments[..] else { panic!("ROWS RECALL THEME") };
    let texts = texts(rows as usize, theme)?;
    let search = NeighborSearch::nearest(K).with_metric(Metric::Cosine);
    let begun = Instant::now();
    let (found, recall) = search.with_recall(recall).find_with_recall(texts.view())?;
    let (approximate, begun) = (begun.elapsed(), Instant::now());
    let exact = search.find(texts.view())?;
    let right = |i: usize| {
        let farthest = exact.distances_of(i)[K - 1];
        found.distances_of(i).iter().filter(|d| **d <= farthest).count()
    };
    let right = (0..exact.len()).map(right).sum::<usize>() as f64 / (K * exact.len()) as f64;
    println!(
        "{} values per row; {:?}: {approximate:.2?}, recall {right:.3}, measured {:.3}; exact: {:.2?}",
        texts.view().entries() / exact.len(),
        found.found_by(),
        recall.measured,
        begun.elapsed()
    );
    Ok(())
}

/// Rows of 30 to 149 words, weighted by the logarithms of their counts and of the inverse frequency of
/// their columns.
fn texts(n: usize, theme: f64) -> Result<SparsePointSet, Error> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let themes: Vec<Vec<u32>> =
        (0..THEMES).map(|_| (0..OF_THEME).map(|_| random.random_range(0..WORDS as u32)).collect()).collect();
    let (mut rows, mut frequencies) = (Vec::with_capacity(n), vec![0_u32; WORDS]);
    for _ in 0..n {
        let of = [0; 2].map(|_| random.random_range(0..THEMES));
        let other = 0.3 * random.random::<f64>();
        let word = |random: &mut ChaCha8Rng| {
            if random.random::<f64>() >= theme {
                return zipf(random, WORDS) as u32;
            }
            let which = usize::from(random.random::<f64>() < other);
            themes[of[which]][zipf(random, OF_THEME)]
        };
        let mut words: Vec<u32> = (0..random.random_range(30..150)).map(|_| word(&mut random)).collect();
        words.sort_unstable();
        let row: Vec<(u32, usize)> =
            words.chunk_by(|a, b| a == b).map(|same| (same[0], same.len())).collect();
        row.iter().for_each(|entry| frequencies[entry.0 as usize] += 1);
        rows.push(row);
    }
    let (mut offsets, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
    for (column, count) in rows.iter().flat_map(|row| row.iter().copied().chain([(u32::MAX, 0)])) {
        if count == 0 {
            offsets.push(columns.len());
            continue;
        }
        let inverse = (n as f64 + 1.0) / (f64::from(frequencies[column as usize]) + 1.0);
        columns.push(column);
        values.push((1.0 + (count as f64).ln()) * (1.0 + inverse.ln()));
    }
    SparsePointSet::new(offsets, columns, values, WORDS)
}

/// A number below n; number i with a probability of about 1 / (i + 1) / ln(n + 1).
fn zipf(random: &mut ChaCha8Rng, n: usize) -> usize {
    let drawn = (((n + 1) as f64).ln() * random.random::<f64>()).exp() as usize;
    drawn.clamp(1, n) - 1
}
