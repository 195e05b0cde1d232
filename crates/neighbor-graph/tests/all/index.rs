//! The properties of an index of training points of every kind, and the distances and edges that it
//! finds.

use embedding::{
    DistanceMatrix, Error, Input, Metric, NewNeighbors, PointSet, Points, SparsePointSet, TrainingRows,
};
use neighbor_graph::{NeighborIndex, Neighborhood};
use testkit::cases::{cloud, distances};

const RULE: Neighborhood = Neighborhood::Nearest { k: 4 };

type Done = Result<(), Error>;

/// n points in some dimensions.
fn points(n: usize, dim: usize, seed: u64) -> PointSet {
    cloud(n, dim, seed).points
}

/// An index of n points by their values, the same without zeros, by their distances, and by neighbor
/// lists alone.
fn indices(points: &PointSet, metric: Metric) -> Result<[NeighborIndex; 4], Error> {
    let (n, sparse) = (points.len(), SparsePointSet::of(points.view())?);
    let values = distances(points.view(), points.view());
    Ok([
        NeighborIndex::of_input(&Input::from(points).with_metric(metric), RULE),
        NeighborIndex::of_input(&Input::from(sparse.view()).with_metric(metric), RULE),
        NeighborIndex::of_input(&Input::from(DistanceMatrix::new(&values, n)?), RULE),
        NeighborIndex::unknown(n, RULE),
    ])
}

#[test]
fn an_index_knows_its_points_its_columns_and_its_rule() -> Done {
    let known = points(30, 3, 1);
    let [dense, sparse, given, lists] = indices(&known, Metric::Manhattan)?;
    for index in [&dense, &sparse, &given, &lists] {
        assert_eq!((index.len(), index.is_empty(), index.neighborhood()), (30, false, RULE));
    }
    assert_eq!([&dense, &sparse, &given, &lists].map(NeighborIndex::columns), [Some(3), Some(3), None, None]);
    assert_eq!(dense.points().map(|points| points.values().to_vec()), Some(known.view().values().to_vec()));
    assert!([&sparse, &given, &lists].iter().all(|index| index.points().is_none()));
    let metrics = [Metric::Manhattan, Metric::Manhattan, Metric::Euclidean, Metric::Euclidean];
    assert_eq!([&dense, &sparse, &given, &lists].map(NeighborIndex::metric), metrics);
    Ok(())
}

#[test]
fn distances_to_some_training_points_are_those_of_the_metric() -> Done {
    let (known, new) = (points(30, 3, 1), points(5, 3, 2));
    let of = [7, 0, 29, 7];
    let [dense, sparse, given, lists] = indices(&known, Metric::Manhattan)?;
    let between = |row: usize, j: u32| -> f64 {
        new.view().row(row).iter().zip(known.view().row(j as usize)).map(|(a, b)| (a - b).abs()).sum()
    };
    for index in [&dense, &sparse] {
        let found = index.distances(new.view(), &of)?;
        assert_eq!(found.len(), 5);
        for (row, list) in found.iter().enumerate() {
            assert_eq!(list.len(), of.len());
            assert!(list.iter().zip(of).all(|(d, j)| (d - between(row, j)).abs() < 1e-12), "{row}: {list:?}");
        }
    }
    let rows = PointSet::new((0..60).map(f64::from).collect(), 30)?;
    assert_eq!(given.distances(rows.view(), &of)?, [[7.0, 0.0, 29.0, 7.0], [37.0, 30.0, 59.0, 37.0]]);
    assert!(matches!(given.distances(new.view(), &of), Err(Error::Shape { .. })));
    assert!(matches!(dense.distances(rows.view(), &of), Err(Error::Shape { .. })));
    assert!(matches!(lists.distances(new.view(), &of), Err(Error::Degenerate { .. })));
    Ok(())
}

/// Lists of new points are cut by the rule, by k and by radii, and only an index of lists takes them.
#[test]
fn given_lists_of_new_points_are_cut_as_found_ones() -> Done {
    let (known, new) = (points(30, 3, 1), points(5, 3, 2));
    let [dense, sparse, given, lists] = indices(&known, Metric::Euclidean)?;
    let near = NewNeighbors::new(dense.nearest(new.view(), 12)?, 30)?;
    assert_eq!(lists.lists(&near)?, dense.lists(new.view())?);
    assert_eq!(lists.nearest(&near, 7)?, dense.nearest(new.view(), 7)?);
    let radii = [0.6, 0.5, 0.4, 0.3, 0.2];
    let all = NewNeighbors::new(dense.nearest(new.view(), 30)?, 30)?;
    assert_eq!(lists.within(&all, &radii)?, dense.within(new.view(), &radii)?);
    assert_eq!(
        [&dense, &sparse, &given, &lists].map(NeighborIndex::lists_among),
        [None, None, None, Some(30)]
    );
    for index in [&dense, &sparse, &given] {
        assert!(matches!(index.lists(&near), Err(Error::Degenerate { .. })));
    }
    let other = NewNeighbors::new(near.lists().to_vec(), 31)?;
    assert!(matches!(lists.lists(&other), Err(Error::Shape { .. })));
    let (short, within) =
        (NewNeighbors::new(vec![vec![(4, 1.0)]], 30)?, Neighborhood::Within { radius: 0.5 });
    assert_eq!(lists.lists(&short)?, [[(4, 1.0)]]);
    let refused = NeighborIndex::unknown(30, within).lists(&short).expect_err("too far").to_string();
    assert!(refused.contains("within the radius 0.5 of new point 0; the nearest is 1 away"), "{refused}");
    Ok(())
}

#[test]
fn an_index_shares_the_points_of_a_set() -> Done {
    let known = points(12, 2, 1);
    let place = known.view().values().as_ptr();
    for index in [NeighborIndex::new(known.view(), RULE), NeighborIndex::of_input(&(&known).into(), RULE)] {
        assert_eq!(index.points().map(|points| points.values().as_ptr()), Some(place));
    }
    Ok(())
}

/// If k is at least the number of training points less one, a list has all training points.
#[test]
fn lists_are_as_long_as_the_rule_and_the_points_allow() -> Done {
    let (known, new) = (points(12, 2, 1), points(3, 2, 2));
    for (k, length) in [(1, 1), (10, 10), (11, 12), (40, 12)] {
        let index = NeighborIndex::new(known.view(), Neighborhood::Nearest { k });
        assert!(index.lists(new.view())?.iter().all(|list| list.len() == length), "k = {k}");
    }
    let index = NeighborIndex::new(known.view(), RULE);
    for k in [1, 12] {
        assert!(index.nearest(new.view(), k)?.iter().all(|list| list.len() == k));
    }
    for k in [0, 13] {
        let refused = index.nearest(new.view(), k);
        assert!(matches!(refused, Err(Error::Parameter { name: "k", .. })), "{refused:?}");
    }
    Ok(())
}

/// One edge of length 0, unless new points are placed as any other.
#[test]
fn a_training_row_whose_place_is_stored_has_one_edge() -> Done {
    let known = points(20, 2, 1);
    let index = NeighborIndex::new(known.view(), RULE);
    let rows: Vec<f64> = [known.view().row(6), &[0.3, 0.4]].concat();
    let new = Points::new(&rows, 2)?;
    let lists = index.lists(new)?;
    assert_eq!((lists[0][0], lists[0].len(), lists[1].len()), ((6, 0.0), 4, 4));
    assert_eq!(index.edges(new, TrainingRows::Extended)?, lists);
    assert_eq!(index.edges(new, TrainingRows::Stored)?, [lists[0][..1].to_vec(), lists[1].clone()]);
    Ok(())
}

#[test]
fn an_index_without_points_is_refused() -> Done {
    let [_, _, given, lists] = indices(&points(5, 2, 1), Metric::Euclidean)?;
    testkit::refuses_damage(&given, &[("/training/Distances/count", 0.into())]);
    testkit::refuses_damage(&lists, &[("/training/Neighbors/count", 0.into())]);
    assert!(NeighborIndex::unknown(0, RULE).is_empty());
    Ok(())
}

/// Zero distances of either sign count as equal.
#[test]
fn distances_of_zero_to_training_points_have_no_sign() -> Done {
    let [_, _, given, _] = indices(&points(5, 2, 1), Metric::Euclidean)?;
    let rows = PointSet::new(vec![0.0, -0.0, 0.0, 3.0, -0.0], 5)?;
    let list = &given.nearest(rows.view(), 4)?[0];
    assert!(list.iter().all(|(_, d)| d.to_bits() == 0), "{list:?}");
    assert_eq!(list.iter().map(|e| e.0).collect::<Vec<_>>(), [0, 1, 2, 4]);
    Ok(())
}
