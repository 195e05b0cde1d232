//! Time of the own k-d tree next to kiddo's immutable one: tree and lists of the ten nearest neighbors of every row.
//!
//! `cargo bench -p kiddo-comparison` in the folder `benches`; `-- 1000000` adds larger sizes.
//!
//! Both programs run in turns, three times, and the least time of each is printed. kiddo's queries run on the same
//! threads. On the grid, whose rows have many equal distances, and among copies, the last columns say how many
//! lists of kiddo differ from the own ones, whose ties are ordered by row.

use std::num::NonZero;
use std::time::Instant;

use embedding::PointSet;
use kiddo::{ImmutableKdTree, SquaredEuclidean};
use neighbor_graph::{NeighborSearch, Neighborhood, Neighbors, Search};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

const K: usize = 10;
const RUNS: usize = 3;

#[derive(Clone, Copy)]
enum Data {
    Uniform,
    /// Whole numbers: many equal distances.
    Grid,
    /// Every row twice.
    Copies,
}

fn rows<const D: usize>(data: Data, n: usize) -> Vec<[f64; D]> {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let side = (n as f64).powf(1.0 / D as f64).ceil();
    let mut row = || -> [f64; D] {
        std::array::from_fn(|_| match data {
            Data::Uniform | Data::Copies => rng.random(),
            Data::Grid => (side * rng.random::<f64>()).floor(),
        })
    };
    match data {
        Data::Uniform | Data::Grid => (0..n).map(|_| row()).collect(),
        Data::Copies => (0..n / 2).map(|_| row()).flat_map(|row| [row, row]).collect(),
    }
}

/// Indices of the K nearest other rows, and the seconds of tree and queries.
fn with_kiddo<const D: usize>(rows: &[[f64; D]]) -> (Vec<Vec<u32>>, f64, f64) {
    let begun = Instant::now();
    let tree = ImmutableKdTree::<f64, D>::new_from_slice(rows).expect("fewer than 2³² rows");
    let built = begun.elapsed().as_secs_f64();
    let asked = NonZero::new(K + 1).expect("not zero");
    let of_row = |(i, row): (usize, &[f64; D])| {
        let found = tree.query(row).nearest_n::<SquaredEuclidean<f64>>(asked).execute();
        let mut near: Vec<u32> = found.iter().map(|e| e.item).filter(|j| *j != i as u32).collect();
        near.truncate(K);
        near
    };
    let lists = rows.par_iter().enumerate().map(of_row).collect();
    (lists, built, begun.elapsed().as_secs_f64())
}

fn own<const D: usize>(points: &PointSet) -> (Neighbors, f64) {
    let begun = Instant::now();
    let search = NeighborSearch::from(Neighborhood::Nearest { k: K }).with_algorithm(Search::KdTree);
    let lists = search.find(points.view()).expect("k < n");
    (lists, begun.elapsed().as_secs_f64())
}

fn compare<const D: usize>(name: &str, data: Data, n: usize, threads: usize) {
    let rows = rows::<D>(data, n);
    let points = PointSet::from_rows(&rows).expect("finite rows");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let (mut ours, mut theirs, mut tree) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
    let mut differ = 0;
    for _ in 0..RUNS {
        let (lists, seconds) = pool.install(|| own::<D>(&points));
        ours = ours.min(seconds);
        let (found, built, seconds) = pool.install(|| with_kiddo(&rows));
        (theirs, tree) = (theirs.min(seconds), tree.min(built));
        differ = found.iter().enumerate().filter(|(i, near)| lists.of(*i).0 != near.as_slice()).count();
    }
    println!(
        "| {name} | {D} | {n} | {threads} | {ours:.3} | {theirs:.3} | {tree:.3} | {:.2} | {differ} |",
        theirs / ours
    );
}

fn all<const D: usize>(sizes: &[usize]) {
    for &n in sizes {
        for threads in [1, 2] {
            compare::<D>("uniform", Data::Uniform, n, threads);
        }
    }
    compare::<D>("grid", Data::Grid, sizes[0], 1);
    compare::<D>("copies", Data::Copies, sizes[0], 1);
}

fn main() {
    // `cargo bench` adds `--bench`.
    let larger = std::env::args().filter_map(|word| word.parse().ok());
    let sizes: Vec<usize> = [10_000, 100_000].into_iter().chain(larger).collect();
    println!(
        "| rows | columns | n | threads | own, s | kiddo, s | tree of kiddo, s | kiddo / own | lists that differ |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    all::<2>(&sizes);
    all::<3>(&sizes);
    all::<5>(&sizes);
    all::<8>(&sizes);
}
