//! Published values on road distances between 21 European cities in kilometers
//! (R's `eurodist`, from The Cambridge Encyclopaedia): `cmdscale` of R's stats,
//! and `isoMDS` and `sammon` of the package MASS.

use std::cmp::Ordering;

use embedding::{Error, Model, Silent};
use faer::{Mat, MatRef};
use mds::steps::{Distances, isotonic_regression};
use mds::{ClassicalMds, Dissimilarities, NonmetricMds, Precision, Sammon};

type Done = Result<(), Error>;

const CITIES: usize = 21;

/// Coordinates that `cmdscale(eurodist)` prints.
const CLASSICAL: [(f64, f64); CITIES] = [
    (2290.274680, 1798.80293),
    (-825.382790, 546.81148),
    (59.183341, -367.08135),
    (-82.845973, -429.91466),
    (-352.499435, -290.90843),
    (293.689633, -405.31194),
    (681.931545, -1108.64478),
    (-9.423364, 240.40600),
    (-2048.449113, 642.45854),
    (561.108970, -773.36929),
    (164.921799, -549.36704),
    (-1935.040811, 49.12514),
    (-226.423236, 187.08779),
    (-1423.353697, 305.87513),
    (-299.498710, 388.80726),
    (260.878046, 416.67381),
    (587.675679, 81.18224),
    (-156.836257, -211.13911),
    (709.413282, 1109.36665),
    (839.445911, -1836.79055),
    (911.230500, 205.93020),
];

fn road_distances() -> Mat<f64> {
    let rows: Vec<Vec<f64>> = include_str!("../reference/road_distances.txt")
        .lines()
        .map(|line| line.split(' ').map(|v| v.parse().expect("a distance")).collect())
        .collect();
    Mat::from_fn(CITIES, CITIES, |i, j| if i == j { 0.0 } else { rows[i.max(j) - 1][i.min(j)] })
}

fn classical() -> Result<mds::steps::ClassicalScaling, Error> {
    let distances = Distances::from_matrix(road_distances().as_ref(), Precision::Double)?;
    ClassicalMds::default().fit_distances(&distances, &Silent)
}

#[test]
fn classical_scaling_is_that_of_cmdscale() -> Done {
    let scaling = classical()?;
    assert!((scaling.eigenvalues()[0] - 19_538_377.089_5).abs() < 1e-3);
    assert!((scaling.eigenvalues()[1] - 11_856_555.334_0).abs() < 1e-3);
    let ours = scaling.embedding().coordinates();
    let signs = [(ours[(0, 0)] * CLASSICAL[0].0).signum(), (ours[(0, 1)] * CLASSICAL[0].1).signum()];
    for (i, (x, y)) in CLASSICAL.into_iter().enumerate() {
        assert!((signs[0] * ours[(i, 0)] - x).abs() < 1e-5, "city {i}");
        assert!((signs[1] * ours[(i, 1)] - y).abs() < 1e-4, "city {i}");
    }
    Ok(())
}

/// Kruskal's stress-1 of a map in percent, with pairs in the order of their distances on roads.
fn stress_of(map: MatRef<'_, f64>, order: impl Fn(&(f64, f64), &(f64, f64)) -> Ordering) -> f64 {
    let roads = road_distances();
    let columns = (0..CITIES).flat_map(|j| (j + 1..CITIES).map(move |i| (i, j)));
    let mut pairs: Vec<(f64, f64)> =
        columns.map(|(i, j)| (roads[(i, j)], (map.row(i) - map.row(j)).norm_l2())).collect();
    pairs.sort_by(order);
    let shown: Vec<f64> = pairs.iter().map(|pair| pair.1).collect();
    let fitted = isotonic_regression(&shown, &vec![1.0; shown.len()]);
    let misfit: f64 = shown.iter().zip(&fitted).map(|(d, f)| (d - f).powi(2)).sum();
    100.0 * (misfit / shown.iter().map(|d| d * d).sum::<f64>()).sqrt()
}

#[test]
fn kruskals_stress_starts_where_isomds_starts_and_ends_no_higher() -> Done {
    // isoMDS leaves equal dissimilarities in the order of the columns.
    let start = stress_of(classical()?.embedding().coordinates(), |a, b| a.0.total_cmp(&b.0));
    assert!((start - 7.505_733).abs() < 1e-6, "{start} at the start");

    let dissimilarities = Dissimilarities::from_matrix(road_distances().as_ref())?;
    let fitted = NonmetricMds::default().fit_dissimilarities(&dissimilarities, &Silent)?;
    let end = 100.0 * fitted.stress().stress_1;
    assert!(end <= 7.505_688 && end > 5.0, "{end} at the end");
    // Equal dissimilarities may get different distances.
    let direct =
        stress_of(fitted.embedding().coordinates(), |a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    assert!((end / direct - 1.0).abs() < 1e-9, "{end}, of the map {direct}");
    Ok(())
}

#[test]
fn sammons_stress_ends_where_sammon_ends() -> Done {
    let dissimilarities = Dissimilarities::from_matrix(road_distances().as_ref())?;
    let history = Sammon::default().fit_dissimilarities(&dissimilarities, &Silent)?.history().to_vec();
    // The values here are not divided by the sum of the dissimilarities.
    let roads = road_distances();
    let total: f64 = (0..CITIES).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| roads[(i, j)]).sum();
    let (start, end) = (history[0] / total, history[history.len() - 1] / total);
    assert!((start - 0.017_05).abs() < 5e-6, "{start} at the start");
    assert!(end < 0.009_415 && end > 0.009, "{end} at the end");
    Ok(())
}
