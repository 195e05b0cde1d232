//! Stability of maps whose variation is known.

use crate::common::{assert_close, mapped, noise, plane};
use embedding::{Error, PointSet};
use neighbor_graph::{NeighborSearch, Neighbors};
use quality::RowSample;
use quality::trust::{Draw, Stability, StabilityScores};

/// Number of neighbors in these tests.
const K: usize = 10;

fn neighbors(points: &PointSet) -> Neighbors {
    NeighborSearch::nearest(K).find(points).unwrap()
}

/// Maps of draws of four fifths of the rows, each drawn row placed by `place` of the draw, the row and its
/// data.
fn of_draws(
    points: &PointSet,
    count: usize,
    place: impl Fn(usize, usize, &[f64]) -> Vec<f64>,
) -> Result<StabilityScores, Error> {
    let n = points.len();
    let maps: Vec<(Vec<u32>, PointSet)> = (0..count)
        .map(|b| {
            let rows = RowSample::Sample { count: n * 4 / 5, seed: b as u64 }.choose(n);
            let at = |row: &u32| place(b, *row as usize, points.view().row(*row as usize));
            let map: Vec<Vec<f64>> = rows.iter().map(at).collect();
            (rows, PointSet::from_rows(&map).unwrap())
        })
        .collect();
    let draws: Vec<Draw<'_>> = maps.iter().map(|(rows, map)| Draw { rows, map: map.view() }).collect();
    Stability::of_maps(&draws, &neighbors(points))
}

/// Rotations, reflections and scales of maps do not count.
#[test]
fn moved_maps_are_stable() {
    let points = plane(200);
    let found = of_draws(&points, 6, |b, _, x| {
        let (sine, cosine) = (b as f64).sin_cos();
        let size = 10f64.powi(b as i32 - 3);
        let flip = if b % 2 == 0 { 1.0 } else { -1.0 };
        vec![size * (cosine * x[0] - sine * x[1]), flip * size * (sine * x[0] + cosine * x[1]) + 7.0]
    })
    .unwrap();
    // Medians over different pairs differ a little.
    assert!(found.stability() > 0.99, "{}", found.stability());
    assert_eq!(found.stabilities().len(), 200);
    let all: Vec<u32> = (0..200).collect();
    let turned = mapped(&points, |x| vec![-4.0 * x[1], 4.0 * x[0]]);
    let draws = [Draw { rows: &all, map: points.view() }, Draw { rows: &all, map: turned.view() }];
    let found = Stability::of_maps(&draws, &neighbors(&points)).unwrap();
    found.variances().iter().for_each(|variance| assert_close(variance.unwrap(), 0.0, 1e-24));
    assert_close(found.stability(), 1.0, 1e-15);
}

/// The definition, computed pair by pair.
#[test]
fn variances_are_the_definition() {
    let points = plane(30);
    let lists = neighbors(&points);
    let all: Vec<u32> = (0..30).collect();
    let maps: Vec<PointSet> = (0..3)
        .map(|b| mapped(&points, |x| vec![x[0] + 0.3 * f64::from(b) * x[1], x[1].powi(b + 1)]))
        .collect();
    let draws: Vec<Draw<'_>> = maps.iter().map(|map| Draw { rows: &all, map: map.view() }).collect();
    let found = Stability::of_maps(&draws, &lists).unwrap();
    let length = |map: &PointSet, i: usize, j: u32| {
        let (a, b) = (map.view().row(i), map.view().row(j as usize));
        ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt()
    };
    let unit = |map: &PointSet| {
        let mut all: Vec<f64> = (0..30)
            .flat_map(|i| lists.indices_of(i).iter().map(move |j| (i, *j)))
            .map(|(i, j)| length(map, i, j))
            .collect();
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    };
    for i in 0..30 {
        let (mut variance, mut mean) = (0.0, 0.0);
        for &j in lists.indices_of(i) {
            let d: Vec<f64> = maps.iter().map(|map| length(map, i, j) / unit(map)).collect();
            let m = d.iter().sum::<f64>() / 3.0;
            mean += m / K as f64;
            variance += d.iter().map(|d| (d - m).powi(2)).sum::<f64>() / 2.0 / K as f64;
        }
        assert_close(found.variances()[i].unwrap(), variance / mean.powi(2), 1e-12);
        assert_close(found.stabilities()[i].unwrap(), 1.0 / (1.0 + variance / mean.powi(2)), 1e-12);
    }
}

/// A gap that half of the maps have marks the rows at the gap, and a gap that all maps have marks none. The
/// rim of an intact sheet, whose distances are ten times as long and vary as much in proportion, is not
/// marked.
#[test]
fn rows_at_a_gap_of_some_maps_are_unstable_and_a_rim_is_not() {
    let points = plane(600);
    let jitter = noise(600 * 8, 1);
    let sheet = |b: usize, row: usize, x: &[f64]| {
        // The first tenth is stretched, by a factor that differs between maps by 10 %.
        let stretched = (0.1 - x[0]).max(0.0) * 9.0 * (1.0 + 0.1 * (b as f64).sin());
        let shake = 1e-3 * jitter.view().row(600 * (b % 8) + row)[0];
        vec![x[0] - stretched + shake, x[1]]
    };
    let torn_at =
        |b: usize, x: &[f64], tear: bool| if tear && x[0] > 0.6 { 5.0 + (b % 2) as f64 } else { 0.0 };
    let every = of_draws(&points, 8, |b, row, x| {
        let mut y = sheet(b, row, x);
        y[0] += torn_at(0, x, true);
        y
    })
    .unwrap();
    let some = of_draws(&points, 8, |b, row, x| {
        let mut y = sheet(b, row, x);
        y[0] += torn_at(b, x, b % 2 == 0);
        y
    })
    .unwrap();
    assert!(every.stability() > 0.95, "{}", every.stability());
    let marked: Vec<usize> = (0..600).filter(|i| some.stabilities()[*i].unwrap() < 0.5).collect();
    assert!(marked.len() > 30, "{} marked", marked.len());
    assert!(marked.iter().all(|i| (points.view().row(*i)[0] - 0.6).abs() < 0.15), "{marked:?}");
    let rim = (0..600).filter(|i| points.view().row(*i)[0] < 0.1);
    let least = rim.map(|i| some.stabilities()[i].unwrap()).fold(1.0, f64::min);
    assert!(least > 0.9, "{least}");
}

#[test]
fn impossible_draws_are_refused() {
    let points = plane(20);
    let lists = neighbors(&points);
    let all: Vec<u32> = (0..20).collect();
    let draw = Draw { rows: &all, map: points.view() };
    let refused = |draws: &[Draw<'_>]| Stability::of_maps(draws, &lists).unwrap_err();
    assert!(matches!(refused(&[draw]), Error::Parameter { .. }));
    let few = plane(10);
    assert!(matches!(refused(&[draw, Draw { rows: &all, map: few.view() }]), Error::Shape { .. }));
    let mut twice = all.clone();
    twice[3] = 7;
    assert!(matches!(refused(&[draw, Draw { rows: &twice, ..draw }]), Error::Shape { .. }));
    twice[3] = 20;
    assert!(matches!(refused(&[draw, Draw { rows: &twice, ..draw }]), Error::Shape { .. }));
    let same = PointSet::new(vec![1.0; 40], 2).unwrap();
    assert!(matches!(refused(&[draw, Draw { rows: &all, map: same.view() }]), Error::Degenerate { .. }));
    let one = PointSet::new(vec![1.0, 2.0], 2).unwrap();
    assert!(matches!(refused(&[draw, Draw { rows: &[4], map: one.view() }]), Error::Degenerate { .. }));
}
