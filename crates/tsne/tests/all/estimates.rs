//! The memory that a refusal states, for each kind of input, gradient and start.

use embedding::{DistanceMatrix, Error, Input, MemoryLimit, Method, Neighbors, PointSet, Points};
use neighbor_graph::{Duplicates, Neighborhood};
use testkit::cases::{cloud, distances};
use tsne::{Gradient, Start, Tsne};

/// Bytes of a neighbor, which is a position with a number; and of a pair, which has two. Mutual neighbors
/// share one pair.
const NEIGHBOR: f64 = 12.0;
const JOINT: f64 = 1.4 * NEIGHBOR;

/// An entry of a row that is sorted, and a number.
const ENTRY: f64 = 16.0;
const NUMBER: f64 = 8.0;

fn needed(recipe: &Tsne, input: Input<'_>) -> f64 {
    match recipe.fit(input.with_memory_limit(MemoryLimit::new(1))).map(drop) {
        Err(Error::Memory { needed, .. }) => needed as f64,
        other => panic!("{other:?}"),
    }
}

/// The sizes alone give the same estimate before neighbors are searched, unless copies are merged first.
#[test]
fn the_sizes_alone_refuse_what_the_fit_refuses() {
    let points = cloud(400, 3, 1);
    let input = Input::from(&points.points);
    let recipe = Tsne { perplexity: 20.0, ..Tsne::default() };
    let least = needed(&recipe, input) as u64;
    for (limit, is_refused) in [(least - 1, true), (least, false)] {
        let input = input.with_memory_limit(MemoryLimit::new(limit));
        assert_eq!(recipe.check_memory_of(&input, input.len()).is_err(), is_refused, "{limit}");
        let merged = Tsne { duplicates: Duplicates::Merge, ..recipe.clone() };
        assert_eq!(merged.check_memory_of(&input, input.len()), Ok(()), "{limit}");
    }
}

#[track_caller]
fn is(found: f64, expected: f64) {
    assert!((found - expected).abs() <= 1.0, "{found}, expected {expected}");
}

/// Lists of the next k points.
fn lists(n: usize, k: usize) -> Neighbors {
    let list = |i: usize| (1..=k).map(|at| (((i + at) % n) as u32, at as f64)).collect();
    Neighbors::from_lists((0..n).map(list).collect(), Neighborhood::Nearest { k }).expect("lists")
}

/// With many neighbors: the lists, conditional probabilities and their transpose, and the joint ones; joint
/// rows of up to 4096 points are kept twice.
#[test]
fn probabilities_of_many_neighbors_decide() {
    let batch = |n: f64| {
        let size = n.min(4096.0);
        (n / size).floor() * size * JOINT + size * 2.0 * ENTRY
    };
    let (points, n, k) = (cloud(600, 3, 1), 600.0, 450.0);
    let recipe = Tsne { perplexity: 150.0, ..Tsne::default() };
    let probabilities = NUMBER + ENTRY + batch(n) / n;
    is(needed(&recipe, Input::from(&points.points)), n * k * (NEIGHBOR + probabilities));
    is(needed(&recipe, Input::from(&lists(600, 450))), n * k * probabilities);
    let (n, k) = (10_000.0, 30.0);
    let recipe = Tsne { perplexity: 10.0, ..Tsne::default() };
    is(needed(&recipe, Input::from(&lists(10_000, 30))), n * k * (NUMBER + ENTRY + batch(n) / n));
}

/// Rows of all distances are sorted for up to 1024 points at a time, next to the lists of all points.
#[test]
fn a_search_among_distances_decides_where_neighbors_are_few() -> Result<(), Error> {
    for n in [300, 1100] {
        let points = cloud(n, 2, 1);
        let values = distances(points.view(), points.view());
        let recipe = Tsne { perplexity: 2.0, start: Start::Random, ..Tsne::default() };
        let (rows, n) = (n.min(1024) as f64, n as f64);
        let found = needed(&recipe, Input::from(DistanceMatrix::new(&values, points.view().len())?));
        is(found, NEIGHBOR * n * 6.0 + ENTRY * n * rows);
    }
    Ok(())
}

/// The principal components of 300 points come from a dense matrix with its decomposition, and three copies of
/// the vectors to which it is applied: more than the search.
#[test]
fn the_components_of_few_distances_decide() -> Result<(), Error> {
    let (points, n) = (cloud(300, 2, 1), 300.0);
    let values = distances(points.view(), points.view());
    let recipe = Tsne { perplexity: 2.0, ..Tsne::default() };
    let found = needed(&recipe, Input::from(DistanceMatrix::new(&values, 300)?));
    is(found, JOINT * n * 6.0 + 7.0 * NUMBER * n * n);
    Ok(())
}

/// With many columns: the points, and the map with its forces or the principal components.
#[test]
fn points_and_their_map_decide_where_columns_are_many() -> Result<(), Error> {
    let (n, columns, k) = (600_usize, 500_usize, 3.0);
    let values: Vec<f64> = (0..n * columns).map(|e| (e as f64 * 0.7).sin()).collect();
    let points = Points::new(&values, columns)?;
    let count = n as f64;
    let data = NUMBER * count * columns as f64 + JOINT * count * k;
    // Six numbers for every coordinate, and the memory of the forces.
    let map = |dim: f64| 48.0 * dim * count;
    for (gradient, dim, forces) in [
        (Gradient::Exact, 2, 280.0 * count),
        (Gradient::Exact, 3, NUMBER * count),
        (Gradient::BarnesHut { theta: 0.5 }, 2, (28.0 * 2.0 + 40.0) * count),
        (Gradient::BarnesHut { theta: 0.5 }, 3, (28.0 * 3.0 + 40.0) * count),
        // A grid with three nodes per unit of length, for a map 150 wide.
        (Gradient::Interpolation, 1, 52.0 * count + 112.0 * 450.0),
        (Gradient::Interpolation, 2, 52.0 * count + 112.0 * 450.0 * 450.0),
    ] {
        let recipe = Tsne { perplexity: 1.0, dim, gradient, start: Start::Random, ..Tsne::default() };
        is(needed(&recipe, Input::from(points)), data + map(dim as f64) + forces);
    }
    // A matrix of products of columns, and its decomposition, which takes four.
    let recipe = Tsne { perplexity: 1.0, gradient: Gradient::Exact, ..Tsne::default() };
    let products = NUMBER * 5.0 * (columns * columns) as f64;
    is(needed(&recipe, Input::from(points)), data + products);
    // A set is not copied.
    let set = PointSet::new(values.clone(), columns)?;
    is(needed(&recipe, Input::from(&set)), JOINT * count * k + products);
    Ok(())
}
