//! Searches with a radius for each query.

use embedding::{DistanceMatrix, Error, Input, Metric, PointSet, SparsePointSet};
use neighbor_graph::{NeighborIndex, Neighborhood};
use testkit::Random;
use testkit::cases::cloud;

const RULE: Neighborhood = Neighborhood::Nearest { k: 3 };

/// Radii of all kinds, by the distances of each row to all points: none, the nearest, its own
/// distance to one of them, all.
fn radii(all: &[Vec<(u32, f64)>]) -> Vec<f64> {
    let radius = |(row, list): (usize, &Vec<(u32, f64)>)| match row % 5 {
        0 => -1.0,
        1 => list[0].1,
        2 => f64::INFINITY,
        _ => list[(7 * row) % list.len()].1,
    };
    all.iter().enumerate().map(radius).collect()
}

/// The lists agree with the lists of the nearest points, up to the radius.
fn agrees(index: &NeighborIndex, new: &PointSet, name: &str) -> Result<(), Error> {
    let all = index.nearest(new.view(), index.len())?;
    let radii = radii(&all);
    let found = index.within(new.view(), &radii)?;
    for (row, (list, all)) in found.iter().zip(&all).enumerate() {
        let expected = &all[..all.partition_point(|entry| entry.1 <= radii[row])];
        assert_eq!(list, expected, "{name}, row {row}, radius {}", radii[row]);
    }
    let counts: Vec<usize> = found.iter().map(Vec::len).collect();
    assert!(counts.contains(&0) && counts.contains(&index.len()), "{name}: {counts:?}");
    Ok(())
}

#[test]
fn every_search_takes_a_radius_for_each_query() -> Result<(), Error> {
    for (n, dim, metric) in [
        (300, 2, Metric::Euclidean),
        (300, 12, Metric::Euclidean),
        (300, 5, Metric::Cosine),
        (300, 5, Metric::Manhattan),
    ] {
        let points = cloud(n, dim, 1).view().to_owned();
        for count in [7, 300] {
            let new = cloud(count, dim, 2).view().to_owned();
            let name = format!("{metric}, {n} × {dim}, {count} new");
            agrees(&NeighborIndex::with_metric(points.view(), metric, RULE), &new, &name)?;
            let input = Input::from(&points).with_metric(metric);
            if metric.takes_sparse() {
                let sparse = SparsePointSet::of(points.view())?;
                let input = Input::from(sparse.view()).with_metric(metric);
                agrees(&NeighborIndex::of_input(&input, RULE), &new, &format!("sparse, {name}"))?;
            }
            agrees(&NeighborIndex::of_input(&input, RULE), &new, &name)?;
        }
        // Squares of these distances underflow.
        let tiny = |points: &PointSet| {
            PointSet::new(points.view().values().iter().map(|v| v * 2.0_f64.powi(-600)).collect(), dim)
        };
        let new = tiny(&cloud(90, dim, 2).view().to_owned())?;
        agrees(&NeighborIndex::with_metric(tiny(&points)?.view(), metric, RULE), &new, "tiny")?;
    }
    Ok(())
}

/// Points near a plane, for which the search projects.
#[test]
fn projected_points_are_found_within_their_radii() -> Result<(), Error> {
    let (n, dim) = (7_000, 160);
    let mut random = Random::new(5);
    let axes: Vec<f64> = (0..2 * dim).map(|_| random.below(2_001) as f64 / 1_000.0 - 1.0).collect();
    let mut plane = |count: usize| {
        let row = |_| {
            let (a, b) = (random.below(10_000) as f64, random.below(10_000) as f64);
            (0..dim).map(|c| (a * axes[2 * c] + b * axes[2 * c + 1]) * 1e-3).collect::<Vec<f64>>()
        };
        PointSet::new((0..count).flat_map(row).collect(), dim)
    };
    let (points, new) = (plane(n)?, plane(300)?);
    agrees(&NeighborIndex::new(points.view(), RULE), &new, "projected")
}

#[test]
fn given_distances_are_compared_with_the_radii() -> Result<(), Error> {
    let points = cloud(40, 3, 1);
    let distance = |i: usize, j: usize| {
        let squares = points.view().row(i).iter().zip(points.view().row(j)).map(|(a, b)| (a - b).powi(2));
        squares.sum::<f64>().sqrt()
    };
    let values: Vec<f64> = (0..1_600).map(|at| distance(at / 40, at % 40)).collect();
    let given = DistanceMatrix::new(&values, 40)?;
    let new = PointSet::new(values.clone(), 40)?;
    agrees(&NeighborIndex::of_input(&Input::from(given), RULE), &new, "distances")
}

#[test]
fn radii_are_numbers_and_one_for_each_row() -> Result<(), Error> {
    let points = cloud(40, 3, 1);
    let index = NeighborIndex::new(points.view(), RULE);
    let sentence = |radii: &[f64]| index.within(points.view(), radii).expect_err("refused").to_string();
    assert!(sentence(&[1.0]).contains("40 as of rows"), "{}", sentence(&[1.0]));
    let mut radii = vec![1.0; 40];
    radii[7] = f64::NAN;
    assert!(sentence(&radii).contains("NaN of row 7"), "{}", sentence(&radii));
    Ok(())
}
