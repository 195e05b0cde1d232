//! Edges that jump between layers: against the true coordinates, and by hand.
#![expect(clippy::unwrap_used, reason = "tests")]

use crate::common;

use common::gaussian;
use datasets::{Dataset, Request, load};
use embedding::{DistanceMatrix, Error, Input, PointSet};
use neighbor_graph::{
    Graph, NeighborSearch, Neighborhood, Neighbors, Symmetry,
    shortcuts::{find_shortcuts, true_shortcuts, without_shortcuts},
};

const STRETCH: f64 = 5.0;

/// A band of three rows, bent into a U whose arms are four apart.
fn hairpin() -> PointSet {
    let arm = |y: f64| (0..60).flat_map(move |i| (0..3).map(move |r| [f64::from(i), y + 0.9 * f64::from(r)]));
    let bend = (0..7).flat_map(|i| (0..3).map(move |r| [60.0 + 0.9 * f64::from(r), f64::from(i) - 0.1]));
    PointSet::new(arm(0.0).chain(arm(5.8)).chain(bend).flatten().collect(), 2).unwrap()
}

fn lists(points: &PointSet, k: usize) -> Neighbors {
    NeighborSearch::nearest(k).find(points.view()).unwrap()
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

/// Paths of a graph are not shorter than paths in the sheet, unless they leave the sheet.
#[test]
fn without_shortcuts_paths_follow_the_sheet() {
    let data = sample("swiss-roll", 600, 0.0, 0);
    let truth = data.truth.as_ref().unwrap();
    let smallest_ratio = |lists: &Neighbors| {
        let graph = Graph::new(lists, Symmetry::Union);
        let ratio = |i: usize, j: usize, path: f64| {
            path / embedding::implement::squared_distance(truth.view().row(i), truth.view().row(j)).sqrt()
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
    let distance =
        |i: usize, j: usize| embedding::implement::squared_distance(view.row(i), view.row(j)).sqrt();
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

/// Lists of some other points each, with their distances: graphs of any shape, with vertices that
/// have one edge, and with copies.
fn random_lists(points: &PointSet, most: usize, seed: u64) -> Neighbors {
    let mut random = testkit::Random::new(seed);
    let n = points.len();
    let lists = (0..n).map(|i| {
        let count = 1 + random.below(most);
        let mut js: Vec<u32> =
            (0..count).map(|_| random.below(n) as u32).filter(|j| *j as usize != i).collect();
        js.sort_unstable();
        js.dedup();
        js.into_iter().map(|j| (j, length(points, i as u32, j))).collect()
    });
    Neighbors::from_lists(lists.collect(), Neighborhood::Nearest { k: most }).unwrap()
}

fn difference(points: &PointSet, from: u32, to: u32) -> Vec<f64> {
    let (a, b) = (points.view().row(from as usize), points.view().row(to as usize));
    b.iter().zip(a).map(|(b, a)| b - a).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn length(points: &PointSet, from: u32, to: u32) -> f64 {
    let y = difference(points, from, to);
    dot(&y, &y).sqrt()
}

/// The solution of A x = b by elimination, largest pivot first.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let m = b.len();
    for c in 0..m {
        let pivot = (c..m).max_by(|&i, &j| a[i][c].abs().total_cmp(&a[j][c].abs())).unwrap();
        a.swap(c, pivot);
        b.swap(c, pivot);
        for i in (0..m).filter(|i| *i != c) {
            let factor = a[i][c] / a[c][c];
            let row = a[c].clone();
            a[i].iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
            b[i] -= factor * b[c];
        }
    }
    (0..m).map(|i| b[i] / a[i][i]).collect()
}

/// The sine of the angle between the edge u – v and the span of the neighbors of u that are nearer
/// to u than to v, by the normal equations with a ridge of 2 % of their squared lengths; 0 without
/// such neighbors.
fn slope(points: &PointSet, graph: &Graph, u: u32, v: u32) -> f64 {
    let y = difference(points, u, v);
    let near: Vec<Vec<f64>> = graph
        .of(u as usize)
        .0
        .iter()
        .filter(|&&z| z != v && length(points, u, z) < length(points, z, v))
        .map(|&z| difference(points, u, z))
        .collect();
    let ridge = 0.02 * near.iter().map(|z| dot(z, z)).sum::<f64>();
    if ridge == 0.0 {
        return 0.0;
    }
    let ridged = |i: usize, j: usize| dot(&near[i], &near[j]) + if i == j { ridge } else { 0.0 };
    let gram = (0..near.len()).map(|i| (0..near.len()).map(|j| ridged(i, j)).collect()).collect();
    let c: Vec<f64> = near.iter().map(|z| dot(z, &y)).collect();
    let explained = dot(&c, &solve(gram, c.clone()));
    ((dot(&y, &y) - explained).max(0.0) / dot(&y, &y)).sqrt()
}

/// Shortcuts by the two conditions of the documentation, and how near an edge comes to one of the
/// limits, where rounding decides.
fn by_definition(points: &PointSet, lists: &Neighbors, stretch: f64) -> (Vec<(u32, u32)>, f64) {
    let middle = |i: u32| {
        lists.distances_of(i as usize).get(lists.distances_of(i as usize).len() / 2).copied().unwrap_or(0.0)
    };
    let mut graph = Graph::new(lists, Symmetry::Union);
    let (mut found, mut margin) = (Vec::new(), f64::INFINITY);
    loop {
        let mut edges: Vec<(u32, u32, f64, f64)> = Vec::new();
        for i in 0..graph.len() as u32 {
            let (js, ws) = graph.of(i as usize);
            for (&j, &w) in js.iter().zip(ws).filter(|e| *e.0 > i) {
                let both = slope(points, &graph, i, j) + slope(points, &graph, j, i);
                edges.push((i, j, w, 0.5 * both));
            }
        }
        let mut slopes: Vec<f64> = edges.iter().map(|edge| edge.3).collect();
        slopes.sort_by(f64::total_cmp);
        let steep = (1.5 * slopes[slopes.len() / 2]).max(0.55);
        let plain = |edge: &(u32, u32, f64, f64)| (edge.0, edge.1, edge.2);
        let flat: Vec<_> = edges.iter().filter(|edge| edge.3 <= steep).map(plain).collect();
        let rest = Graph::from_edges(graph.len(), &flat).unwrap();
        let mut more = Vec::new();
        for &(i, j, w, slope) in &edges {
            margin = margin.min((slope - steep).abs());
            if slope > steep {
                let detour = rest.geodesics_from(i as usize)[j as usize];
                let limit = stretch * w.max(middle(i)).max(middle(j));
                margin = margin.min((detour - limit).abs() / limit);
                if detour > limit && detour.is_finite() {
                    more.push((i, j));
                }
            }
        }
        if more.is_empty() {
            found.sort_unstable();
            return (found, margin);
        }
        let kept: Vec<_> = edges.iter().map(plain).filter(|edge| !more.contains(&(edge.0, edge.1))).collect();
        graph = Graph::from_edges(graph.len(), &kept).unwrap();
        found.extend(more);
    }
}

/// Graphs of neighbors, on a grid too, where a neighbor can be as near to one end as to the other,
/// and random graphs; with copies.
#[test]
fn shortcuts_are_those_of_the_definition() {
    let (mut compared, mut total) = (0, 0);
    for seed in 0..60 {
        let dim = 2 + seed as usize % 3;
        let points = match seed % 4 {
            0 | 1 => gaussian(40, dim, seed),
            2 => common::grid(6, 2),
            _ => common::copies(&gaussian(20, dim, seed), 2),
        };
        let stretch = [1.05, 1.3, 2.0][seed as usize % 3];
        for neighbors in [lists(&points, 3 + seed as usize % 4), random_lists(&points, 4, seed + 1)] {
            let (expected, margin) = by_definition(&points, &neighbors, stretch);
            if margin < 1e-9 {
                continue;
            }
            let found = find_shortcuts(&Input::from(&points), &neighbors, stretch).unwrap();
            let ends: Vec<(u32, u32)> = found.iter().map(|edge| (edge.from, edge.to)).collect();
            assert_eq!(ends, expected, "seed {seed}");
            (compared, total) = (compared + 1, total + ends.len());
        }
    }
    assert!(compared > 60 && total > 100, "{compared} graphs with {total} shortcuts");
}

/// Edges of length 1 and 2, next to others of the same lengths.
#[test]
fn true_shortcuts_are_longer_than_three_times_their_length() {
    let lists = vec![vec![(1, 1.0)], vec![(0, 1.0)], vec![(3, 2.0)], vec![(2, 2.0)]];
    let neighbors = Neighbors::from_lists(lists, Neighborhood::Nearest { k: 1 }).unwrap();
    for (one, two, expected) in [
        (3.0, 6.0, vec![]),
        (3.5, 5.5, vec![(0, 1)]),
        (2.9, 6.5, vec![(2, 3)]),
        (4.0, 7.0, vec![(0, 1), (2, 3)]),
    ] {
        let truth = PointSet::new(vec![0.0, one, 100.0, 100.0 + two], 1).unwrap();
        let found = true_shortcuts(&neighbors, truth.view()).unwrap();
        let ends: Vec<(u32, u32)> = found.iter().map(|edge| (edge.from, edge.to)).collect();
        assert_eq!(ends, expected, "{one} and {two}");
    }
}

/// Every count of steps begins after the first step and ends with the total.
#[test]
fn an_observer_hears_of_every_edge_that_is_examined() {
    let data = sample("swiss-roll", 400, 0.0, 0);
    let recorder = testkit::observers::Recorder::default();
    let input = Input::from(&data.points).with_observer(&recorder);
    find_shortcuts(&input, &lists(&data.points, 10), STRETCH).unwrap();
    let steps: Vec<(usize, usize)> =
        recorder.events().iter().filter_map(testkit::observers::Event::step).collect();
    assert_eq!(steps[0], (0, 400));
    assert!(steps[1..].iter().all(|(done, total)| *done > 0 && done <= total), "{steps:?}");
    assert!(steps.iter().any(|(done, total)| done == total && *total != 400), "{steps:?}");
}
