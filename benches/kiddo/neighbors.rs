//! The own k-d tree finds the neighbors that kiddo's finds, at the same distances.
//!
//! `cargo test -p kiddo-comparison` in the folder `benches`

use std::num::NonZero;

use embedding::PointSet;
use kiddo::{ImmutableKdTree, SquaredEuclidean};
use neighbor_graph::{NeighborSearch, Neighborhood, Search};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const K: usize = 10;

fn agrees<const D: usize>(n: usize, seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let rows: Vec<[f64; D]> = (0..n).map(|_| std::array::from_fn(|_| rng.random())).collect();
    let points = PointSet::from_rows(&rows).expect("finite rows");
    let rule = Neighborhood::Nearest { k: K };
    let own = NeighborSearch::from(rule).with_algorithm(Search::KdTree).find(points.view()).expect("k < n");
    let tree = ImmutableKdTree::<f64, D>::new_from_slice(&rows).expect("fewer than 2³² rows");
    for (i, row) in rows.iter().enumerate() {
        // The point itself is the nearest of all.
        let asked = NonZero::new(K + 1).expect("not zero");
        let found = tree.query(row).nearest_n::<SquaredEuclidean<f64>>(asked).execute();
        let expected: Vec<u32> = found.iter().skip(1).map(|e| e.item).collect();
        let (indices, distances) = own.of(i);
        assert_eq!(indices, expected, "row {i} of {n} in {D} dimensions, seed {seed}");
        for (d, e) in distances.iter().zip(&found[1..]) {
            assert!((d - e.distance.sqrt()).abs() <= 1e-14 * d, "row {i}: {d} and {}", e.distance.sqrt());
        }
    }
}

#[test]
fn uniform_points_have_the_same_neighbors() {
    for seed in 0..4 {
        agrees::<1>(500, seed);
        agrees::<2>(3000, seed);
        agrees::<3>(3000, seed);
        agrees::<5>(2000, seed);
        agrees::<8>(1000, seed);
    }
}
