//! Edges that jump between layers, against the obvious search and by hand.
#![expect(clippy::unwrap_used, reason = "tests")]

mod common;

use common::gaussian;
use embedding::{Error, PointSet, Silent};
use neighbor_graph::{Graph, Neighborhood, Neighbors, Symmetry, find_neighbors, without_shortcuts};

const STRETCH: f64 = 4.0;

/// A band of three rows, bent into a U whose arms are four apart, and a point
/// between them.
fn hairpin(between: Option<[f64; 2]>) -> PointSet {
    let arm = |y: f64| (0..60).flat_map(move |i| (0..3).map(move |r| [f64::from(i), y + 0.9 * f64::from(r)]));
    let bend = (0..7).flat_map(|i| (0..3).map(move |r| [60.0 + 0.9 * f64::from(r), f64::from(i) - 0.1]));
    PointSet::new(arm(0.0).chain(arm(5.8)).chain(bend).chain(between).flatten().collect(), 2).unwrap()
}

fn lists(points: &PointSet, k: usize) -> Neighbors {
    find_neighbors(points.view(), Neighborhood::Nearest { k }, &Silent).unwrap()
}

/// The definition, by whole searches in the graph without u.
fn obvious(graph: &Graph, stretch: f64) -> Vec<(u32, u32)> {
    let mut cut = Vec::new();
    for u in 0..graph.len() {
        let (js, ws) = graph.of(u);
        let rest: Vec<(u32, u32, f64)> = (0..graph.len())
            .filter(|&i| i != u)
            .flat_map(|i| graph.of(i).0.iter().zip(graph.of(i).1).map(move |(&j, &w)| (i as u32, j, w)))
            .filter(|e| e.1 as usize != u)
            .collect();
        let rest = Graph::from_edges(graph.len(), &rest).unwrap();
        let mut group: Vec<usize> = (0..js.len()).collect();
        for a in 0..js.len() {
            let far = rest.geodesics_from(js[a] as usize);
            for b in 0..js.len() {
                if far[js[b] as usize] <= stretch * (ws[a] + ws[b]) {
                    let (from, to) = (group[b], group[a]);
                    group.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
                }
            }
        }
        let size = |g: usize| group.iter().filter(|o| **o == g).count();
        let largest = group.iter().map(|g| size(*g)).max().unwrap_or(0);
        let near = (0..js.len()).filter(|&a| size(group[a]) == largest);
        let kept = near.min_by(|&a, &b| ws[a].total_cmp(&ws[b])).map(|a| group[a]);
        let away = (0..js.len()).filter(|&a| Some(group[a]) != kept);
        cut.extend(away.map(|a| (js[a].min(u as u32), js[a].max(u as u32))));
    }
    cut.sort_unstable();
    cut.dedup();
    cut
}

#[test]
fn one_point_between_two_layers_is_cut_from_one_of_them() {
    let points = hairpin(Some([20.0, 3.3]));
    let neighbors = lists(&points, 8);
    let (cut, shortcuts) = without_shortcuts(&neighbors, STRETCH, &Silent).unwrap();
    let between = points.len() as u32 - 1;
    assert!(!shortcuts.is_empty());
    assert!(shortcuts.iter().all(|s| s.to == between), "{shortcuts:?}");
    // The shortest path between the arms leads around the bend again.
    let across = |lists: &Neighbors| Graph::new(lists, Symmetry::Union).geodesics_from(0)[180];
    assert!(across(&neighbors) < 50.0 && across(&cut) > 100.0);
    assert!(without_shortcuts(&cut, STRETCH, &Silent).unwrap().1.is_empty());
}

#[test]
fn a_band_without_jumps_keeps_every_edge() {
    for k in [6, 8, 10] {
        let neighbors = lists(&hairpin(None), k);
        let (cut, shortcuts) = without_shortcuts(&neighbors, STRETCH, &Silent).unwrap();
        assert!(shortcuts.is_empty(), "{k}: {shortcuts:?}");
        assert!(cut == neighbors);
    }
}

#[test]
fn what_the_bounded_search_finds_is_the_definition() {
    let mut found = 0;
    for (seed, dim, k, stretch) in [(1, 2, 3, 1.2), (2, 3, 4, 1.5), (3, 2, 5, 1.1), (4, 5, 3, 2.0)] {
        let graph = Graph::new(&lists(&gaussian(120, dim, seed), k), Symmetry::Union);
        let expected = obvious(&graph, stretch);
        let shortcuts = graph.shortcuts(stretch, &Silent).unwrap();
        let named: Vec<_> = shortcuts.iter().map(|s| (s.from, s.to)).collect();
        assert!(named.iter().all(|e| expected.binary_search(e).is_ok()));
        // Whatever else the definition names is a bridge: with all of it cut,
        // these and no others join parts.
        let without: Vec<(u32, u32, f64)> = (0..graph.len())
            .flat_map(|i| graph.of(i).0.iter().zip(graph.of(i).1).map(move |(&j, &w)| (i as u32, j, w)))
            .filter(|e| e.0 < e.1 && expected.binary_search(&(e.0, e.1)).is_err())
            .collect();
        let parts = Graph::from_edges(graph.len(), &without).unwrap().components().sizes.len();
        let before = graph.components().sizes.len();
        assert_eq!(expected.len() - named.len(), parts - before);
        found += named.len();
    }
    assert!(found > 20, "{found}: these graphs were to have many");
}

#[test]
fn the_only_way_between_two_parts_is_a_bridge() {
    let blob = |x: f64| (0..25).map(move |i| [x + f64::from(i % 5), f64::from(i / 5)]);
    let points = PointSet::new(blob(0.0).chain(blob(50.0)).flatten().collect(), 2).unwrap();
    let apart = lists(&points, 8);
    let graph = Graph::new(&apart, Symmetry::Union);
    let edges: Vec<(u32, u32, f64)> = (0..50)
        .flat_map(|i| graph.of(i).0.iter().zip(graph.of(i).1).map(move |(&j, &w)| (i as u32, j, w)))
        .chain([(14, 35, 46.0)])
        .collect();
    let joined = Graph::from_edges(50, &edges).unwrap();
    assert_eq!(joined.components().sizes, vec![50]);
    assert!(joined.shortcuts(STRETCH, &Silent).unwrap().is_empty());
}

#[test]
fn a_stretch_of_one_or_none_is_refused() {
    let graph = Graph::new(&lists(&hairpin(None), 6), Symmetry::Union);
    for stretch in [1.0, 0.0, -2.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(graph.shortcuts(stretch, &Silent), Err(Error::Parameter { .. })));
    }
}
