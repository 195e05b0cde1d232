//! The graph, its geodesics and components, against petgraph and by hand.
#![expect(clippy::unwrap_used, reason = "tests")]

use crate::common;

use std::ops::ControlFlow;
use std::sync::Mutex;

use common::{gaussian, grid};
use embedding::{Error, Observer, PointSet, Silent};
use neighbor_graph::{Graph, NeighborSearch, Neighborhood, Neighbors, Symmetry};
use petgraph::algo::{connected_components, dijkstra};
use petgraph::graph::{NodeIndex, UnGraph};
use petgraph::visit::EdgeRef;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn nearest(set: &PointSet, k: usize) -> Neighbors {
    NeighborSearch::nearest(k).find(set.view()).unwrap()
}

fn by_petgraph(graph: &Graph, source: u32) -> Vec<f64> {
    let found = dijkstra(&UnGraph::from(graph), NodeIndex::new(source as usize), None, |edge| *edge.weight());
    (0..graph.len()).map(|i| found.get(&NodeIndex::new(i)).copied().unwrap_or(f64::INFINITY)).collect()
}

fn agrees_with_petgraph(graph: &Graph, sources: &[u32], what: &str) {
    let rows = graph.geodesics(sources, &Silent).unwrap();
    assert_eq!(rows.len(), sources.len());
    for (&source, row) in sources.iter().zip(&rows) {
        let expected = by_petgraph(graph, source);
        assert_eq!(row, &expected, "{what}, together, from {source}");
        assert_eq!(graph.geodesics_from(source as usize), expected, "{what}, alone, from {source}");
    }
}

#[test]
fn the_nearest_source_has_the_shortest_geodesic() {
    let set = gaussian(400, 3, 5);
    for k in [2, 6] {
        let graph = Graph::new(&nearest(&set, k), Symmetry::Union);
        let sources: Vec<u32> = (3..400).step_by(41).collect();
        let rows = graph.geodesics(&sources, &Silent).unwrap();
        let found = graph.nearest_sources(&sources).unwrap();
        for (i, at) in found.into_iter().enumerate() {
            let least = rows.iter().map(|row| row[i]).fold(f64::INFINITY, f64::min);
            match at {
                Some(at) => assert_eq!(rows[at as usize][i], least, "k = {k}, vertex {i}"),
                None => assert_eq!(least, f64::INFINITY, "k = {k}, vertex {i} reaches no source"),
            }
        }
        assert!(matches!(graph.nearest_sources(&[400]), Err(Error::Parameter { .. })));
    }
}

#[test]
fn geodesics_are_those_of_petgraph_to_the_bit() {
    for (dim, k) in [(1, 2), (2, 5), (3, 8), (10, 4)] {
        let graph = Graph::new(&nearest(&gaussian(300, dim, 4), k), Symmetry::Union);
        let all: Vec<u32> = (0..300).collect();
        agrees_with_petgraph(&graph, &all, "gaussian");
        agrees_with_petgraph(&graph, &[7], "one source");
        agrees_with_petgraph(&graph, &[299, 0, 3, 3, 150, 0], "some, with repeats");
    }
    let lattice = Graph::new(&nearest(&grid(15, 2), 4), Symmetry::Mutual);
    agrees_with_petgraph(&lattice, &(0..225).collect::<Vec<_>>(), "grid");
}

#[test]
fn sources_beside_a_long_edge_are_served_as_well() {
    // Two paths of unit steps, joined by one edge a thousand times as long:
    // sources on both sides are neighbors, yet far apart.
    let mut edges: Vec<(u32, u32, f64)> = (0..399).map(|i| (i, i + 1, 1.0)).collect();
    edges[199].2 = 1000.0;
    edges.extend((0..390).filter(|i| !(180..200).contains(i)).map(|i| (i, i + 10, 9.5)));
    let graph = Graph::from_edges(400, &edges).unwrap();
    let sources: Vec<u32> = (190..210).chain([0, 399]).collect();
    agrees_with_petgraph(&graph, &sources, "long edge");
}

#[test]
fn a_zero_weight_is_an_edge() {
    let graph = Graph::from_edges(4, &[(0, 1, 0.0), (1, 2, 1.0), (2, 1, 3.0)]).unwrap();
    assert_eq!(graph.geodesics_from(0), vec![0.0, 0.0, 1.0, f64::INFINITY]);
    assert_eq!(graph.geodesics(&[0, 1], &Silent).unwrap()[0], graph.geodesics_from(0));
}

#[test]
fn no_source_gives_no_row_and_a_wrong_one_is_refused() {
    let graph = Graph::from_edges(2, &[(0, 1, 1.0)]).unwrap();
    assert!(graph.geodesics(&[], &Silent).unwrap().is_empty());
    assert!(matches!(graph.geodesics(&[2], &Silent), Err(Error::Parameter { .. })));
}

#[test]
fn rows_are_mapped_to_their_own_source() {
    let graph = Graph::new(&nearest(&gaussian(90, 2, 1), 6), Symmetry::Union);
    let sources: Vec<u32> = (0..90).rev().collect();
    let own = graph.geodesics_map(&sources, &Silent, |s, row| (s, row[sources[s] as usize])).unwrap();
    assert!(own.iter().enumerate().all(|(s, entry)| *entry == (s, 0.0)));
}

/// Records all steps; cancels after a given number.
struct Recorder {
    recorded: Mutex<Vec<(usize, usize)>>,
    stop: usize,
}

impl Observer for Recorder {
    fn step(&self, done: usize, total: usize) -> ControlFlow<()> {
        let mut recorded = self.recorded.lock().unwrap();
        recorded.push((done, total));
        if recorded.len() > self.stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn observers_hear_the_end_and_can_stop() {
    let set = gaussian(300, 2, 1);
    let graph = Graph::new(&nearest(&set, 6), Symmetry::Union);
    let sources: Vec<u32> = (0..300).collect();
    let patient = Recorder { recorded: Mutex::default(), stop: usize::MAX };
    graph.geodesics(&sources, &patient).unwrap();
    assert_eq!(patient.recorded.lock().unwrap().last(), Some(&(300, 300)));
    let at_once = Recorder { recorded: Mutex::default(), stop: 0 };
    assert_eq!(graph.geodesics(&sources, &at_once), Err(Error::Cancelled));
    // The last by many pairs of blocks.
    for (n, dim) in [(300, 2), (300, 40), (3000, 40)] {
        let set = gaussian(n, dim, 1);
        let patient = Recorder { recorded: Mutex::default(), stop: usize::MAX };
        let rule = Neighborhood::Nearest { k: 5 };
        NeighborSearch::from(rule).with_observer(&patient).find(set.view()).unwrap();
        let recorded = patient.recorded.into_inner().unwrap();
        assert_eq!(recorded.last(), Some(&(n, n)));
        assert!(recorded.is_sorted(), "{recorded:?}");
        let at_once = Recorder { recorded: Mutex::default(), stop: 0 };
        assert_eq!(
            NeighborSearch::from(rule).with_observer(&at_once).find(set.view()),
            Err(Error::Cancelled)
        );
    }
}

#[test]
fn union_takes_either_list_and_mutual_both() {
    let line = PointSet::new(vec![0.0, 1.0, 3.0, 3.5], 1).unwrap();
    let neighbors = nearest(&line, 2);
    let edges = |symmetry| {
        let graph = Graph::new(&neighbors, symmetry);
        (0..4).map(|i| graph.indices_of(i).to_vec()).collect::<Vec<_>>()
    };
    // Lists: 0 → 1, 2; 1 → 0, 2; 2 → 3, 1; 3 → 2, 1.
    assert_eq!(edges(Symmetry::Union), [vec![1, 2], vec![0, 2, 3], vec![0, 1, 3], vec![1, 2]]);
    assert_eq!(edges(Symmetry::Mutual), [vec![1], vec![0, 2], vec![1, 3], vec![2]]);
}

#[test]
fn petgraph_sees_the_same_graph() {
    for k in 1..4 {
        let graph = Graph::new(&nearest(&gaussian(200, 2, 8), k), Symmetry::Union);
        let other = UnGraph::from(&graph);
        assert_eq!((other.node_count(), other.edge_count()), (200, graph.edge_count()));
        for edge in other.edge_references() {
            let (i, j) = (edge.source().index(), edge.target().index());
            let at = graph.indices_of(i).iter().position(|other| *other as usize == j);
            assert!(i < j && at.is_some_and(|at| graph.weights_of(i)[at] == *edge.weight()), "{i} – {j}");
        }
        let labels = graph.components();
        assert_eq!(labels.sizes.len(), connected_components(&other));
        assert_eq!(labels.sizes.iter().sum::<usize>(), 200);
        for (i, &label) in labels.of.iter().enumerate() {
            assert!(graph.indices_of(i).iter().all(|&j| labels.of[j as usize] == label));
        }
        // Numbered by their first vertex.
        let firsts: Vec<u32> = (0..labels.sizes.len()).map(|c| labels.members(c)[0]).collect();
        assert!(firsts.is_sorted());
    }
}

#[test]
fn slicing_equals_searching_with_the_smaller_k() {
    for set in [gaussian(150, 3, 2), grid(12, 2), gaussian(80, 30, 2)] {
        let most = nearest(&set, 12);
        for k in 1..=12 {
            assert_eq!(most.truncated(k).unwrap(), nearest(&set, k));
        }
        assert!(most.truncated(0).is_err());
        assert!(most.truncated(13).is_err());
    }
}

#[test]
fn a_predicate_removes_edges_or_chooses_among_the_accepted() {
    let set = gaussian(100, 2, 6);
    let same_parity = |i: usize, j: usize| (i + j).is_multiple_of(2);
    let fewer = nearest(&set, 8).filtered(same_parity);
    let (least, most) = fewer.degrees();
    assert!(least < 8 && most <= 8);
    assert!((0..100).all(|i| fewer.indices_of(i).iter().all(|&j| same_parity(i, j as usize))));
    let points = set.view();
    let distance = |i: usize, j: usize| {
        let (a, b) = (points.row(i), points.row(j));
        if same_parity(i, j) { ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt() } else { f64::INFINITY }
    };
    let rule = Neighborhood::Nearest { k: 8 };
    let chosen = NeighborSearch::from(rule).find_by(100, distance).unwrap();
    assert_eq!(chosen.degrees(), (8, 8));
    assert!((0..100).all(|i| chosen.indices_of(i).iter().all(|&j| same_parity(i, j as usize))));
}

#[test]
fn another_metric_and_given_distances() {
    let set = grid(6, 2);
    let city = |i: usize, j: usize| {
        let (a, b) = (set.view().row(i), set.view().row(j));
        a.iter().zip(b).map(|(x, y)| (x - y).abs()).sum()
    };
    let rule = Neighborhood::Within { radius: 2.0 };
    let found = NeighborSearch::from(rule).find_by(36, city).unwrap();
    // In the middle: four at distance one, eight at distance two, by index.
    assert_eq!(found.indices_of(14), [8, 13, 15, 20, 2, 7, 9, 12, 16, 19, 21, 26]);
    assert_eq!(found.found_by(), None);
    let euclid = |i: usize, j: usize| {
        let (a, b) = (set.view().row(i), set.view().row(j));
        ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt()
    };
    for rule in [Neighborhood::Nearest { k: 7 }, rule] {
        let given = NeighborSearch::from(rule).find_by(36, euclid).unwrap();
        assert_eq!(given, NeighborSearch::from(rule).find(set.view()).unwrap());
    }
    for wrong in [f64::NAN, -1.0] {
        let result = NeighborSearch::nearest(2).find_by(5, |_, _| wrong);
        assert!(matches!(result, Err(Error::Parameter { .. })));
    }
}

#[test]
fn given_lists_are_checked() {
    let rule = Neighborhood::Nearest { k: 2 };
    let good = vec![vec![(2, 2.0), (1, 1.0)], vec![(0, 1.0)], vec![]];
    let neighbors = Neighbors::from_lists(good, rule).unwrap();
    assert_eq!(neighbors.of(0), (&[1, 2][..], &[1.0, 2.0][..]));
    for bad in [(0, 1.0), (3, 1.0), (1, -1.0), (1, f64::NAN), (1, f64::INFINITY)] {
        let lists = vec![vec![bad], vec![], vec![]];
        assert!(matches!(Neighbors::from_lists(lists, rule), Err(Error::Parameter { .. })), "{bad:?}");
    }
    let twice = vec![vec![(1, 1.0), (1, 2.0)], vec![], vec![]];
    assert!(Neighbors::from_lists(twice, rule).is_err());
    let three = vec![vec![(1, 1.0), (2, 2.0), (3, 2.0)], vec![], vec![], vec![]];
    assert!(Neighbors::from_lists(three.clone(), rule).is_err());
    assert!(Neighbors::from_lists(three.clone(), Neighborhood::Within { radius: 1.5 }).is_err());
    assert!(Neighbors::from_lists(three, Neighborhood::Within { radius: 2.0 }).is_ok());
    assert!(Neighbors::from_lists(vec![], rule).is_err());
}

#[test]
fn given_edges_are_checked() {
    for bad in [(1, 1, 1.0), (0, 3, 1.0), (0, 1, -1.0), (0, 1, f64::NAN), (0, 1, f64::INFINITY)] {
        assert!(matches!(Graph::from_edges(3, &[bad]), Err(Error::Parameter { .. })), "{bad:?}");
    }
    assert!(Graph::from_edges(0, &[]).is_err());
    let graph = Graph::from_edges(3, &[(2, 0, 5.0), (0, 2, 4.0)]).unwrap();
    assert_eq!(graph.of(0), (&[2][..], &[4.0][..]));
    assert_eq!(graph.edge_count(), 1);
}

#[test]
fn what_was_saved_comes_back_and_damage_is_an_error() {
    let neighbors = nearest(&gaussian(12, 2, 3), 3);
    let text = serde_json::to_string(&neighbors).unwrap();
    assert_eq!(serde_json::from_str::<Neighbors>(&text).unwrap(), neighbors);
    let graph = Graph::new(&neighbors, Symmetry::Union);
    let graph_text = serde_json::to_string(&graph).unwrap();
    assert_eq!(serde_json::from_str::<Graph>(&graph_text).unwrap(), graph);

    let damage = |text: &str, field: &str, at: usize, value: serde_json::Value| {
        let mut parsed: serde_json::Value = serde_json::from_str(text).unwrap();
        assert_ne!(parsed[field][at], value);
        parsed[field][at] = value;
        parsed.to_string()
    };
    for (field, at, value) in [
        ("offsets", 0, 1.into()),
        ("offsets", 3, 1000.into()),
        ("offsets", 12, 35.into()),
        ("indices", 5, 12.into()),
        ("indices", 0, 0.into()),
        ("distances", 4, (-1.0).into()),
        ("distances", 0, 1e9.into()),
    ] {
        let result = serde_json::from_str::<Neighbors>(&damage(&text, field, at, value));
        assert!(result.is_err(), "{field} {at}");
    }
    for (field, at, value) in [
        ("offsets", 3, 1000.into()),
        ("indices", 0, 0.into()),
        ("indices", 1, 12.into()),
        ("weights", 0, 1e9.into()),
        ("weights", 0, (-1.0).into()),
    ] {
        let result = serde_json::from_str::<Graph>(&damage(&graph_text, field, at, value));
        assert!(result.is_err(), "{field} {at}");
    }
    // An edge twice, in both directions.
    let twice = r#"{"offsets":[0,2,4],"indices":[1,1,0,0],"weights":[1,1,1,1]}"#;
    assert!(serde_json::from_str::<Graph>(twice).is_err());
    let nothing: Graph = serde_json::from_str(r#"{"offsets":[0],"indices":[],"weights":[]}"#).unwrap();
    assert_eq!((nothing.len(), nothing.is_empty(), graph.is_empty()), (0, true, false));
    for empty in
        [r#"{"offsets":[],"indices":[],"weights":[]}"#, r#"{"offsets":[0],"indices":[1],"weights":[1]}"#]
    {
        assert!(serde_json::from_str::<Graph>(empty).is_err());
    }
}

#[test]
fn any_graph_has_the_geodesics_of_petgraph() {
    for seed in 0..64 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (n, count) = (rng.random_range(2_u32..60), rng.random_range(0..200));
        let mut edge = || {
            let weight = f64::from(rng.random_range(0_u8..6)) * 0.1;
            (rng.random_range(0..n), rng.random_range(0..n), weight)
        };
        let edges: Vec<(u32, u32, f64)> = (0..count).map(|_| edge()).filter(|e| e.0 != e.1).collect();
        let graph = Graph::from_edges(n as usize, &edges).unwrap();
        agrees_with_petgraph(&graph, &(0..n).collect::<Vec<_>>(), &format!("any graph, seed {seed}"));
    }
}

/// Points with none, one or several edges, several at one vertex, and in different components.
#[test]
fn many_points_outside_have_the_geodesics_of_each_alone() {
    for seed in 0..40 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (n, count) = (rng.random_range(2_u32..400), rng.random_range(0..1500));
        let mut edge = || (rng.random_range(0..n), rng.random_range(0..n), rng.random_range(0.0..1.0));
        let edges: Vec<(u32, u32, f64)> = (0..count).map(|_| edge()).filter(|e| e.0 != e.1).collect();
        let graph = Graph::from_edges(n as usize, &edges).unwrap();
        let mut point = |_| {
            let count = rng.random_range(0..5_usize);
            let ends = |_| (rng.random_range(0..n), f64::from(rng.random_range(0..20_u8)) * 0.1);
            (0..count).map(ends).collect::<Vec<(u32, f64)>>()
        };
        let points: Vec<Vec<(u32, f64)>> = (0..seed % 40).map(&mut point).collect();
        let rows = graph.geodesics_map_from_outside(&points, |s, row| (s, row.to_vec()));
        for (s, edges) in points.iter().enumerate() {
            assert_eq!(rows[s], (s, graph.geodesics_from_outside(edges)), "seed {seed}, point {s}");
        }
    }
}

#[test]
fn geodesics_from_outside_take_the_shortest_of_several_edges() {
    let path = Graph::from_edges(4, &[(0, 1, 1.0), (1, 2, 2.0), (2, 3, 4.0)]).unwrap();
    let edges = [(0, 5.0), (0, 1.0), (3, 0.5), (3, 0.25)];
    assert_eq!(path.geodesics_from_outside(&edges), [1.0, 2.0, 4.0, 0.25]);
}

/// In parallel blocks of vertices, of lists of unequal lengths.
#[test]
fn every_weight_is_mapped_at_its_own_edge() {
    let graph = Graph::new(&nearest(&gaussian(700, 3, 5), 4), Symmetry::Union);
    let weight = |i: usize, j: usize, w: f64| (i + j) as f64 + 3.0 * w;
    let mapped = graph.clone().map_weights(weight);
    for i in 0..graph.len() {
        let ((columns, before), (same, after)) = (graph.of(i), mapped.of(i));
        assert_eq!(columns, same);
        let expected: Vec<f64> =
            columns.iter().zip(before).map(|(&j, w)| weight(i, j as usize, *w)).collect();
        assert_eq!(after, expected);
    }
}

#[test]
fn a_weight_of_zero_has_no_sign() {
    let graph = Graph::from_edges(3, &[(0, 1, -0.0), (1, 2, 0.0)]).unwrap();
    for vertex in 0..3 {
        assert!(graph.weights_of(vertex).iter().all(|w| w.to_bits() == 0), "{:?}", graph.of(vertex));
    }
}

/// Of a source that is given twice, the first counts.
#[test]
fn of_equal_sources_the_first_is_the_nearest() {
    let path = Graph::from_edges(4, &[(0, 1, 1.0), (1, 2, 3.0), (2, 3, 1.0)]).unwrap();
    let found = path.nearest_sources(&[0, 3, 3, 0]).unwrap();
    assert_eq!(found, [Some(0), Some(0), Some(1), Some(1)]);
}

/// Ends of several edges with nothing between them: the search ends, and has their lengths.
#[test]
fn points_outside_beside_copies_have_the_lengths_of_their_edges() {
    let mut edges = vec![(0, 1, 0.0), (1, 2, 0.0), (2, 3, 1.0), (3, 4, 0.0), (4, 0, 2.0)];
    // Further vertices, so that those between the ends are a small part of the graph.
    edges.extend((5..60).map(|i| (i - 1, i, 1.0)));
    let graph = Graph::from_edges(60, &edges).unwrap();
    let points = [vec![(0, 0.5), (1, 0.5), (2, 0.5)], vec![(1, 0.0), (2, 0.0)], vec![(3, 0.25), (4, 0.25)]];
    let rows = graph.geodesics_map_from_outside(&points, |_, row| row[..5].to_vec());
    let expected = [[0.5, 0.5, 0.5, 1.5, 1.5], [0.0, 0.0, 0.0, 1.0, 1.0], [1.25, 1.25, 1.25, 0.25, 0.25]];
    assert_eq!(rows, expected);
}

/// Zero distances of either sign count as equal.
#[test]
fn given_distances_of_zero_have_no_sign() {
    let distance = |i: usize, j: usize| if (i + j).is_multiple_of(2) { -0.0 } else { 0.0 };
    let found = NeighborSearch::nearest(3).find_by(5, distance).unwrap();
    for i in 0..5 {
        let (js, ds) = found.of(i);
        assert!(js.is_sorted() && ds.iter().all(|d| d.to_bits() == 0), "{js:?}, {ds:?}");
    }
}

/// Lists have fewer points than requested where the other points are infinitely far.
#[test]
fn points_that_are_infinitely_far_are_no_neighbors() {
    let half = |i: usize, j: usize| if (i < 35) == (j < 35) { i.abs_diff(j) as f64 } else { f64::INFINITY };
    let found = NeighborSearch::nearest(50).find_by(70, half).unwrap();
    assert_eq!(found.degrees(), (34, 34));
    assert!(
        (0..70).all(|i| found.indices_of(i).iter().all(|&j| (i < 35) == (j < 35))
            && found.distances_of(i).is_sorted())
    );
}
