//! Edges that jump between layers: against the true coordinates, and by hand.
#![expect(clippy::unwrap_used, reason = "tests")]

mod common;

use common::gaussian;
use datasets::{Dataset, Request, load};
use embedding::{DistanceMatrix, Error, Input, PointSet, Silent};
use neighbor_graph::{
    Graph, Neighborhood, Neighbors, Symmetry, find_neighbors, find_shortcuts, true_shortcuts,
    without_shortcuts,
};

const STRETCH: f64 = 5.0;

/// A band of three rows, bent into a U whose arms are four apart.
fn hairpin() -> PointSet {
    let arm = |y: f64| (0..60).flat_map(move |i| (0..3).map(move |r| [f64::from(i), y + 0.9 * f64::from(r)]));
    let bend = (0..7).flat_map(|i| (0..3).map(move |r| [60.0 + 0.9 * f64::from(r), f64::from(i) - 0.1]));
    PointSet::new(arm(0.0).chain(arm(5.8)).chain(bend).flatten().collect(), 2).unwrap()
}

fn lists(points: &PointSet, k: usize) -> Neighbors {
    find_neighbors(points.view(), Neighborhood::Nearest { k }, &Silent).unwrap()
}

fn sample(name: &str, n: usize, noise: f64, seed: u64) -> Dataset {
    load(name, &Request { n: Some(n), seed, noise, ..Request::default() }).unwrap()
}

/// Numbers of true shortcuts, of those found, and of false ones.
fn counts(data: &Dataset, k: usize) -> [usize; 3] {
    let lists = lists(&data.points, k);
    let known = true_shortcuts(&lists, data.truth.as_ref().unwrap().view()).unwrap();
    let found = find_shortcuts(&Input::from(&data.points), &lists, STRETCH).unwrap();
    let hit = found.iter().filter(|edge| known.contains(edge)).count();
    [known.len(), hit, found.len() - hit]
}

fn total(name: &str, n: usize, noise: f64, seeds: std::ops::Range<u64>) -> [usize; 3] {
    let mut sum = [0; 3];
    for seed in seeds {
        let counts = counts(&sample(name, n, noise, seed), 10);
        sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    sum
}

/// Of a sheet, a closed surface, open and closed curves and a flat cube, at the sizes and
/// noises of the table.
#[test]
fn graphs_without_shortcuts_give_no_alarm() {
    for (name, n, noise) in [
        ("s-curve", 400, 0.0),
        ("s-curve", 600, 0.02),
        ("torus", 400, 0.0),
        ("torus", 600, 0.05),
        ("trefoil", 600, 0.0),
        ("helix", 1000, 0.0),
        ("curled-box", 400, 0.0),
        ("hypercube", 400, 0.05),
    ] {
        assert_eq!(total(name, n, noise, 0..6), [0, 0, 0], "{name} {n} {noise}");
    }
}

/// The two runs in which edges between layers remained unnoticed.
#[test]
fn every_jump_of_the_first_rolls_is_found() {
    assert_eq!(counts(&sample("swiss-roll", 400, 0.0, 0), 10), [12, 12, 0]);
    assert_eq!(counts(&sample("swiss-roll", 600, 0.0, 0), 10), [6, 6, 0]);
}

/// Parallel shortcuts, which make each other's ends neighbors, are found too: nine in ten
/// at 400 points, and all but two in a hundred at 600.
#[test]
fn parallel_shortcuts_are_found() {
    let [known, hit, wrong] = total("swiss-roll", 400, 0.0, 0..10);
    assert!(known > 200 && 10 * hit >= 9 * known, "{hit} of {known}");
    assert_eq!(wrong, 0);
    let [known, hit, wrong] = total("swiss-roll", 600, 0.0, 0..10);
    assert!(known > 40 && 100 * hit >= 98 * known, "{hit} of {known}");
    assert_eq!(wrong, 0);
}

/// Paths of a graph are not shorter than those of the sheet, unless they leave it.
#[test]
fn without_shortcuts_paths_follow_the_sheet() {
    let data = sample("swiss-roll", 600, 0.0, 0);
    let truth = data.truth.as_ref().unwrap();
    let smallest_ratio = |lists: &Neighbors| {
        let graph = Graph::new(lists, Symmetry::Union);
        let ratio = |i: usize, j: usize, path: f64| {
            path / embedding::squared_distance(truth.view().row(i), truth.view().row(j)).sqrt()
        };
        let from = |i: usize| {
            let paths = graph.geodesics_from(i);
            (0..600)
                .filter(move |&j| j != i)
                .map(move |j| ratio(i, j, paths[j]))
                .fold(f64::INFINITY, f64::min)
        };
        (0..600).step_by(20).map(from).fold(f64::INFINITY, f64::min)
    };
    let neighbors = lists(&data.points, 10);
    let (cut, _) = without_shortcuts(&Input::from(&data.points), &neighbors, STRETCH).unwrap();
    let (before, after) = (smallest_ratio(&neighbors), smallest_ratio(&cut));
    assert!(before < 0.5 && after > 0.9, "{before} with shortcuts, {after} without");
}

#[test]
fn a_band_without_jumps_keeps_every_edge() {
    for k in [6, 8, 10] {
        let points = hairpin();
        let neighbors = lists(&points, k);
        let (cut, shortcuts) = without_shortcuts(&Input::from(&points), &neighbors, STRETCH).unwrap();
        assert!(shortcuts.is_empty(), "{k}: {shortcuts:?}");
        assert!(cut == neighbors);
    }
}

/// The statistic has no unit, and needs distances alone.
#[test]
fn scale_and_the_kind_of_input_change_nothing() {
    let data = sample("swiss-roll", 400, 0.0, 1);
    let ends = |points: &PointSet| {
        let found = find_shortcuts(&Input::from(points), &lists(points, 10), STRETCH).unwrap();
        found.into_iter().map(|edge| (edge.from, edge.to)).collect::<Vec<_>>()
    };
    let expected = ends(&data.points);
    assert!(expected.len() > 10);
    for factor in [1e-6, 1e6] {
        let values = data.points.view().values().iter().map(|x| factor * x).collect();
        assert_eq!(ends(&PointSet::new(values, 3).unwrap()), expected, "{factor}");
    }
    let view = data.points.view();
    let distance = |i: usize, j: usize| embedding::squared_distance(view.row(i), view.row(j)).sqrt();
    let all: Vec<f64> =
        (0..400).flat_map(|i| (0..400).map(move |j| (i, j))).map(|(i, j)| distance(i, j)).collect();
    let matrix = DistanceMatrix::new(&all, 400).unwrap();
    let found = find_shortcuts(&matrix.into(), &lists(&data.points, 10), STRETCH).unwrap();
    assert_eq!(found.into_iter().map(|edge| (edge.from, edge.to)).collect::<Vec<_>>(), expected);
}

/// Whatever is cut, what was connected remains so.
#[test]
fn connected_parts_stay_connected() {
    let mut found = 0;
    for (seed, dim, k) in [(1, 2, 3), (2, 3, 3), (3, 2, 4), (4, 3, 4)] {
        let points = gaussian(200, dim, seed);
        let neighbors = lists(&points, k);
        let (cut, shortcuts) = without_shortcuts(&Input::from(&points), &neighbors, 1.2).unwrap();
        let parts = |lists: &Neighbors| Graph::new(lists, Symmetry::Union).components();
        assert_eq!(parts(&cut), parts(&neighbors));
        found += shortcuts.len();
    }
    assert!(found > 20, "{found}: these graphs were to have many");
}

#[test]
fn what_cannot_be_examined_is_refused() {
    let points = hairpin();
    let neighbors = lists(&points, 6);
    for stretch in [1.0, 0.0, -2.0, f64::NAN, f64::INFINITY] {
        let refused = find_shortcuts(&Input::from(&points), &neighbors, stretch);
        assert!(matches!(refused, Err(Error::Parameter { .. })));
    }
    let error = find_shortcuts(&Input::from(&neighbors), &neighbors, STRETCH).unwrap_err();
    assert!(error.to_string().contains("points or distances"), "{error}");
    let fewer = gaussian(20, 2, 0);
    let refused = find_shortcuts(&Input::from(&fewer), &neighbors, STRETCH);
    assert!(matches!(refused, Err(Error::Shape { .. })));
}
