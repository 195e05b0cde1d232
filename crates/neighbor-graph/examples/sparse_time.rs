#![allow(missing_docs, clippy::all, unused_crate_dependencies)]
use embedding::implement::Value;
use embedding::{Metric, SparsePointSet};
use neighbor_graph::NeighborSearch;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
fn zipf(r: &mut ChaCha8Rng, n: usize) -> usize {
    let u: f64 = r.random();
    let x = ((n as f64 + 1.0).ln() * u).exp();
    (x as usize - 1).min(n - 1)
}
fn text(n: usize, dim: usize, topics: usize, share: f64, seed: u64) -> SparsePointSet {
    let mut r = ChaCha8Rng::seed_from_u64(seed);
    let words: Vec<Vec<u32>> =
        (0..topics).map(|_| (0..500).map(|_| r.random_range(0..dim as u32)).collect()).collect();
    let mut rows: Vec<Vec<(u32, f64)>> = Vec::new();
    let mut df = vec![0usize; dim];
    for _ in 0..n {
        let t = r.random_range(0..topics);
        let t2 = r.random_range(0..topics);
        let mix: f64 = r.random();
        let len = 30 + r.random_range(0..120usize);
        let mut row: Vec<u32> = (0..len)
            .map(|_| {
                if r.random::<f64>() < share {
                    let of = if r.random::<f64>() < 0.3 * mix { t2 } else { t };
                    words[of][zipf(&mut r, 500)]
                } else {
                    zipf(&mut r, dim) as u32
                }
            })
            .collect();
        row.sort();
        let row: Vec<(u32, f64)> = row.chunk_by(|a, b| a == b).map(|c| (c[0], c.len() as f64)).collect();
        row.iter().for_each(|e| df[e.0 as usize] += 1);
        rows.push(row);
    }
    let mut offsets = vec![0];
    let mut columns = vec![];
    let mut values = vec![];
    for row in rows {
        for (c, v) in row {
            columns.push(c);
            values.push((1.0 + v.ln()) * ((n as f64 + 1.0) / (df[c as usize] as f64 + 1.0)).ln() + v * 1e-3);
        }
        offsets.push(columns.len());
    }
    SparsePointSet::new(offsets, columns, values, dim).unwrap()
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let (n, dim, topics, share, k, recall): (usize, usize, usize, f64, usize, f64) = (
        a[1].parse().unwrap(),
        a[2].parse().unwrap(),
        a[3].parse().unwrap(),
        a[4].parse().unwrap(),
        a[5].parse().unwrap(),
        a[6].parse().unwrap(),
    );
    let set = text(n, dim, topics, share, 1);
    let metric = Metric::read(a.get(8).map_or("cosine", |s| s)).unwrap();
    eprintln!("{n} rows, {} entries per row", set.view().entries() / n);
    let t = std::time::Instant::now();
    let (found, r) = NeighborSearch::nearest(k)
        .with_metric(metric)
        .with_recall(recall)
        .find_with_recall(set.view())
        .unwrap();
    eprintln!("approximate {:?} {r:?} {:?}", t.elapsed(), found.found_by());
    if a.get(7).map_or(true, |s| s == "1") {
        let t = std::time::Instant::now();
        let exact = NeighborSearch::nearest(k).with_metric(metric).find(set.view()).unwrap();
        eprintln!("exact {:?}", t.elapsed());
        let mut hits = 0;
        for i in 0..n {
            let far = exact.of(i).1[k - 1];
            hits += found.of(i).1.iter().filter(|d| **d <= far).count();
        }
        eprintln!("true recall {}", hits as f64 / (n * k) as f64);
    }
}
