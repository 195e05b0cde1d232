//! The neighbors that layouts select from.

use embedding::{DistanceMatrix, Error, Input, Metric, SparsePointSet};
use layout::Preparation;
use neighbor_graph::NeighborSearch;
use testkit::cases::{cloud, sheet};

const PREPARATION: Preparation =
    Preparation { columns: 100, selected: 10, candidates: 60, recall: 0.9, seed: 0 };

/// Given distances and lists, and up to 4,096 points, are exact, which satisfies any goal.
#[test]
fn an_exact_search_satisfies_any_recall() -> Result<(), Error> {
    let points = sheet(80, 1);
    let distances = points.distances();
    let lists = NeighborSearch::nearest(60).find(points.view())?;
    for input in [
        Input::from(DistanceMatrix::new(&distances, 80)?),
        Input::from(points.view()).with_neighbors(&lists),
        Input::from(points.view()).with_metric(Metric::Manhattan),
    ] {
        assert_eq!(PREPARATION.apply(&input)?.recall(), 1.0);
    }
    Ok(())
}

/// The reported recall refers to the metric's own neighbors.
#[test]
fn the_recall_holds_for_neighbors_by_every_metric() -> Result<(), Error> {
    let points = cloud(4200, 12, 1);
    for metric in [Metric::Euclidean, Metric::Cosine, Metric::Manhattan] {
        let input = Input::from(points.view()).with_metric(metric);
        let goal = Preparation { recall: 0.3, candidates: 10, ..PREPARATION };
        let reduced_points = goal.apply(&input)?;
        assert!((0.3..1.0).contains(&reduced_points.recall()), "{metric}: {}", reduced_points.recall());
        let exact = NeighborSearch::nearest(10).find(input)?;
        let right = |i: usize| {
            let found = reduced_points.neighbors().indices_of(i);
            exact.indices_of(i).iter().filter(|j| found.contains(j)).count()
        };
        let right = (0..points.len()).map(right).sum::<usize>() as f64 / (10.0 * points.len() as f64);
        assert!(
            (right - reduced_points.recall()).abs() < 0.1,
            "{metric}: {right}, said {}",
            reduced_points.recall()
        );
    }
    Ok(())
}

/// Sparse points by a metric other than Euclidean keep their columns, and are searched approximately.
#[test]
fn the_recall_holds_for_sparse_points() -> Result<(), Error> {
    let entry =
        |i: usize, e: usize| ((37 * (i / 20) + 11 * ((i + 3 * e) % 8)) % 900, 1.0 + (i * e % 7) as f64);
    let (columns, values) = (0..4200 * 5).map(|at| entry(at / 5, at % 5)).map(|(c, v)| (c as u32, v)).unzip();
    let points = SparsePointSet::new((0..=4200).map(|i| 5 * i).collect(), columns, values, 900)?;
    let input = Input::from(points.view()).with_metric(Metric::Cosine);
    let of_recall = |recall| Preparation { recall, candidates: 10, ..PREPARATION }.apply(&input);
    let (approximate, exact) = (of_recall(0.5)?, of_recall(1.0)?);
    assert!((0.5..1.0).contains(&approximate.recall()), "{}", approximate.recall());
    assert_eq!(exact.recall(), 1.0);
    assert_ne!(approximate.neighbors(), exact.neighbors());
    Ok(())
}

/// Sparse points are searched among principal components, which hold their distances: all of them up to the
/// number of columns, and nearly all of points near a subspace.
#[test]
fn sparse_points_have_the_neighbors_and_the_start_of_dense_ones() -> Result<(), Error> {
    let points = cloud(150, 12, 1);
    let sparse = SparsePointSet::of(points.view())?;
    let dense = Input::from(points.view());
    let (dense, of_sparse) = (PREPARATION.apply(&dense)?, Input::from(sparse.view()));
    let reduced = PREPARATION.apply(&of_sparse)?;
    assert_eq!(reduced.points().map(|points| points.dim()), Some(12));
    let (expected, found) = (dense.distances(), reduced.distances());
    for i in 0..150 {
        assert_eq!(reduced.neighbors().indices_of(i), dense.neighbors().indices_of(i), "row {i}");
        for j in 0..150 {
            assert!((expected(i, j) - found(i, j)).abs() < 1e-9 * (1.0 + expected(i, j)), "{i} {j}");
        }
    }
    let (Some((start, 2)), Some((of_reduced, 2))) = (dense.leading(2)?, reduced.leading(2)?) else {
        panic!("two directions")
    };
    for (a, b) in start.iter().zip(&of_reduced) {
        assert!((a - b).abs() < 1e-7, "{a} and {b}");
    }
    let few = Preparation { columns: 3, ..PREPARATION };
    let (dense, sparse) =
        (few.apply(&Input::from(points.view()))?.leading(3)?, few.apply(&of_sparse)?.leading(3)?);
    let (Some((dense, 3)), Some((sparse, 3))) = (dense, sparse) else { panic!("three directions") };
    for (a, b) in dense.iter().zip(&sparse) {
        assert!((a - b).abs() < 1e-7, "{a} and {b}");
    }
    Ok(())
}

#[test]
fn lists_shorter_than_what_is_selected_are_refused() -> Result<(), Error> {
    let points = sheet(80, 1);
    for (k, enough) in [(9, false), (10, true)] {
        let lists = NeighborSearch::nearest(k).find(points.view())?;
        let input = Input::from(points.view()).with_neighbors(&lists);
        let refused = matches!(PREPARATION.apply(&input), Err(Error::Parameter { .. }));
        assert_eq!(refused, !enough, "{k} neighbors");
    }
    Ok(())
}
