//! The neighbor graph: edges, distances, paths, weights.

use embedding::implement::squared_distance;
use embedding::{Input, Silent};
use neighbor_graph::{
    Graph, NeighborSearch, Symmetry,
    shortcuts::{find_shortcuts, true_shortcuts},
};
use serde_json::json;

use crate::client::Client;

const N: usize = 300;

fn roll() -> (Client, datasets::Dataset) {
    let mut client = Client::default();
    client.generate("swiss-roll", N);
    (client, datasets::generate("swiss-roll", N, 0).unwrap())
}

#[test]
fn the_graph_is_that_of_the_library() {
    let (mut client, data) = roll();
    // From the largest to the smallest: the lists are truncated, and must be the same.
    let mut any = false;
    for k in [14, 10, 6] {
        let answer = client.ask(&json!({ "type": "graph", "data": "swiss-roll", "k": k }));
        let lists = NeighborSearch::nearest(k).find(data.points.view()).unwrap();
        let graph = Graph::new(&lists, Symmetry::Union);
        assert_eq!(answer.indices("/offsets").len(), N + 1);
        assert_eq!(answer.indices("/neighbors")[..k], *lists.indices_of(0));
        assert_eq!(answer.reals("/distances")[k..2 * k], *lists.distances_of(1));
        let edges = answer.indices("/edges");
        assert_eq!(edges.len(), 2 * graph.edge_count());
        let suspected = find_shortcuts(&Input::from(&data.points), &lists, 5.0).unwrap();
        let flags = answer.bytes("/shortcuts");
        let flagged: Vec<(u32, u32)> =
            (0..flags.len()).filter(|e| flags[*e] == 1).map(|e| (edges[2 * e], edges[2 * e + 1])).collect();
        assert_eq!(flagged, suspected.iter().map(|edge| (edge.from, edge.to)).collect::<Vec<_>>());
        any |= !flagged.is_empty();
        let truth = data.truth.as_ref().unwrap().view();
        let known = true_shortcuts(&lists, truth).unwrap().len();
        assert_eq!(answer.at("/true_shortcuts"), &json!(known));
        for (e, length) in answer.reals("/lengths").into_iter().enumerate() {
            let row = |end: u32| data.points.view().row(end as usize);
            let apart = squared_distance(row(edges[2 * e]), row(edges[2 * e + 1])).sqrt();
            assert!((length - apart).abs() < 1e-12 * apart);
        }
        let components = graph.components();
        assert_eq!(answer.indices("/components"), components.of);
        assert_eq!(answer.indices("/sizes"), components.sizes.iter().map(|s| *s as u32).collect::<Vec<_>>());
    }
    assert!(any, "a sparse roll has shortcuts");
    client.generate("clusters", 60);
    let clusters = client.ask(&json!({ "type": "graph", "data": "clusters", "k": 8 }));
    assert!(clusters.at("/true_shortcuts").is_null(), "clusters have no true coordinates");
    let within = client.ask(&json!({ "type": "graph", "data": "swiss-roll", "radius": 3.0 }));
    assert!(within.reals("/distances").iter().all(|distance| *distance <= 3.0));
    for both in [json!({}), json!({ "k": 3, "radius": 1.0 })] {
        let mut request = json!({ "type": "graph", "data": "swiss-roll" });
        request.as_object_mut().unwrap().extend(both.as_object().unwrap().clone());
        assert_eq!(client.refused(&request).0, "parameter");
    }
}

#[test]
fn distances_are_straight_true_or_along_the_graph() {
    let (mut client, data) = roll();
    let mut ask = |of: &str| {
        let request = json!({ "type": "distances", "data": "swiss-roll", "from": 5, "of": of, "k": 8 });
        client.ask(&request).reals("/values")
    };
    let (straight, truth, graph) = (ask("points"), ask("truth"), ask("graph"));
    let lists = NeighborSearch::nearest(8).find(data.points.view()).unwrap();
    assert_eq!(graph, Graph::new(&lists, Symmetry::Union).geodesics_from(5));
    let true_coordinates = data.truth.as_ref().unwrap().view();
    for j in 0..N {
        let apart = |points: embedding::Points<'_>| squared_distance(points.row(5), points.row(j)).sqrt();
        assert_eq!((straight[j], truth[j]), (apart(data.points.view()), apart(true_coordinates)));
    }
    let request = json!({ "type": "distances", "data": "swiss-roll", "from": N, "of": "points" });
    assert_eq!(client.refused(&request).0, "parameter");
    client.generate("clusters", 20);
    let none = json!({ "type": "distances", "data": "clusters", "from": 0, "of": "truth" });
    assert_eq!(client.refused(&none).0, "degenerate");
}

#[test]
fn the_path_is_longer_than_the_straight_line() {
    let (mut client, _) = roll();
    let path = json!({ "type": "path", "data": "swiss-roll", "from": 5, "to": 77, "k": 8 });
    let answer = client.ask(&path);
    let rows = answer.indices("/rows");
    assert_eq!((rows[0], rows[rows.len() - 1]), (5, 77));
    let (length, straight) =
        (answer.at("/length").as_f64().unwrap(), answer.at("/straight").as_f64().unwrap());
    assert!(length > straight && straight > 0.0);
    let distances = json!({ "type": "distances", "data": "swiss-roll", "from": 5, "of": "graph", "k": 8 });
    assert_eq!(client.ask(&distances).reals("/values")[77], length);
    let truth = json!({ "type": "distances", "data": "swiss-roll", "from": 5, "of": "truth" });
    assert_eq!(client.ask(&truth).reals("/values")[77], answer.at("/truth").as_f64().unwrap());
    client.generate("two-swiss-rolls", 40);
    let none = json!({ "type": "path", "data": "two-swiss-rolls", "from": 0, "to": 39, "k": 2 });
    let answer = client.ask(&none);
    assert!(answer.indices("/rows").is_empty() && answer.at("/length").is_null());
}

#[test]
fn weights_are_those_of_the_whole_data() {
    let (mut client, data) = roll();
    let lists = NeighborSearch::nearest(9).find(data.points.view()).unwrap();
    let whole = lle::steps::weights(data.points.view(), &lists, 1e-3, &Silent).unwrap();
    for row in [0, 17, 299] {
        let answer = client.ask(&json!({ "type": "weights", "data": "swiss-roll", "row": row, "k": 9 }));
        let (neighbors, weights) = (answer.indices("/neighbors"), answer.reals("/weights"));
        let (columns, expected) = whole.row(row);
        assert_eq!(neighbors.len(), 9);
        for (neighbor, weight) in neighbors.iter().zip(&weights) {
            let at = columns.binary_search(neighbor).expect("a neighbor");
            assert!((weight - expected[at]).abs() < 1e-9, "{weight} and {}", expected[at]);
        }
    }
}
