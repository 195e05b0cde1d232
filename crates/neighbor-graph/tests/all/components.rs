//! Component policies for disconnected graphs.
#![expect(clippy::unwrap_used, reason = "tests")]

use crate::common;

use common::{circle, gaussian, grid};
use embedding::implement::{Sizes, Validate};
use embedding::{
    Data, DistanceMatrix, Embedding, Error, Input, Model, PointSet, Rows, SparsePointSet, TrainingRows,
    Transform,
};
use neighbor_graph::{
    Bridge, ComponentFits, Components, Graph, Manifold, NeighborSearch, Neighborhood, Neighbors, Symmetry,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use testkit::json;

/// The points themselves: the simplest model there is.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Copy(Embedding);

impl Validate for Copy {
    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }
}

impl Model for Copy {
    fn embedding(&self) -> &Embedding {
        &self.0
    }
}

impl Transform for Copy {
    fn place(&self, rows: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        rows.place_dense(known, |new, _| Ok(Embedding::from_rows(new.values().to_vec(), new.dim())))
    }
}

fn copy(manifold: Manifold<'_>) -> Result<Copy, Error> {
    let graph = Graph::new(manifold.neighbors, Symmetry::Union);
    let points = manifold.data.points().ok_or_else(Error::no_points)?;
    assert_eq!(graph.len(), points.len());
    graph.require_connected()?;
    Ok(Copy(Embedding::from_rows(points.values().to_vec(), points.dim())))
}

fn fit(set: &PointSet, k: usize, policy: Components) -> Result<ComponentFits<Copy>, Error> {
    let neighbors = NeighborSearch::nearest(k).find(set.view())?;
    ComponentFits::fit(&Input::from(set), &neighbors, policy, copy)
}

/// Circles of 30, 50 and 20 points, far apart.
fn three() -> PointSet {
    let mut values = circle(30, 1.0, 0.0);
    values.extend(circle(50, 1.0, 10.0));
    values.extend(circle(20, 1.0, 100.0));
    PointSet::new(values, 2).unwrap()
}

/// The distance from the first point: a model of distances.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct FromFirst(Embedding);

impl Model for FromFirst {
    fn embedding(&self) -> &Embedding {
        &self.0
    }
}

impl Transform for FromFirst {
    fn place(&self, rows: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        rows.place_dense(known, |new, _| {
            new.check_columns(self.0.len())?;
            Ok(Embedding::from_rows(new.rows().map(|row| row[0]).collect(), 1))
        })
    }
}

fn from_first(manifold: Manifold<'_>) -> Result<FromFirst, Error> {
    let distances = manifold.data.distances().expect("they were given");
    assert_eq!((distances.len(), manifold.data.points().map(|p| p.len())), (manifold.len(), None));
    Graph::new(manifold.neighbors, Symmetry::Union).require_connected()?;
    let values = (0..distances.len()).map(|i| distances.get(i, 0)).collect();
    Ok(FromFirst(Embedding::from_rows(values, 1)))
}

/// All pairs, row by row.
fn distances(set: &PointSet) -> PointSet {
    let points = set.view();
    let distance = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum::<f64>().sqrt();
    let rows = points.rows().flat_map(|a| points.rows().map(move |b| distance(a, b)));
    PointSet::new(rows.collect(), points.len()).unwrap()
}

fn fit_distances(set: &PointSet, k: usize, policy: Components) -> Result<ComponentFits<FromFirst>, Error> {
    let neighbors = NeighborSearch::nearest(k).find(set.view())?;
    let values = distances(set);
    let given = DistanceMatrix::new(values.view().values(), set.len())?;
    ComponentFits::fit(&given.into(), &neighbors, policy, from_first)
}

#[test]
fn new_rows_have_a_distance_for_every_row_that_was_given() {
    let (set, all) = (three(), distances(&three()));
    let largest = fit_distances(&set, 4, Components::Largest).unwrap();
    let rows: Vec<u32> = (30..80).collect();
    assert_eq!(largest.embedding().placed_rows(), Some(&rows[..]));
    let placed = largest.transform(all.view().select(&rows).view()).unwrap();
    assert_eq!(placed.values(), largest.embedding().values());
    let apart = fit_distances(&set, 4, Components::PerComponent).unwrap();
    assert_eq!(apart.components().iter().map(|p| p.rows.len()).collect::<Vec<_>>(), [30, 50, 20]);
    assert_eq!(apart.transform(all.view()).unwrap(), *apart.embedding());
    // Not only those that the model uses.
    let narrow = PointSet::new(vec![1.0; 50], 50).unwrap();
    for pieces in [&largest, &apart] {
        let refused = pieces.transform(narrow.view()).unwrap_err();
        assert!(
            matches!(&refused, Error::Shape { expected, .. } if expected.starts_with("100")),
            "{refused}"
        );
    }
    let text = serde_json::to_string(&apart).unwrap();
    let back: ComponentFits<FromFirst> = serde_json::from_str(&text).unwrap();
    assert_eq!(back.transform(all.view()).unwrap(), *apart.embedding());
}

/// 25 pairs of points, and many ways of equal length between them.
fn pairs_in_a_grid() -> PointSet {
    let rows = grid(5, 2);
    let pair = |r: &[f64]| [10.0 * r[0], 10.0 * r[1], 10.0 * r[0] + 1.0, 10.0 * r[1]];
    PointSet::new(rows.view().rows().flat_map(pair).collect(), 2).unwrap()
}

#[test]
fn bridges_by_distances_are_those_of_the_points() {
    for (set, k) in [(three(), 4), (gaussian(120, 2, 3), 1), (pairs_in_a_grid(), 1)] {
        let bridged = fit_distances(&set, k, Components::Bridge).unwrap();
        assert!(!bridged.bridges().is_empty());
        assert_eq!(bridged.bridges(), fit(&set, k, Components::Bridge).unwrap().bridges());
        assert_eq!(bridged.embedding().len(), set.len());
    }
}

#[test]
fn lists_alone_are_split_and_not_bridged() {
    let neighbors = NeighborSearch::nearest(4).find(three().view()).unwrap();
    let sizes = |manifold: Manifold<'_>| {
        assert!(matches!(manifold.data, Data::Neighbors(_)));
        Ok(Copy(Embedding::from_rows(vec![0.0; manifold.len()], 1)))
    };
    let input = Input::from(&neighbors);
    let apart = ComponentFits::fit(&input, &neighbors, Components::PerComponent, sizes).unwrap();
    assert_eq!((apart.components().len(), apart.embedding().len()), (3, 100));
    let refused = apart.transform(three().view()).unwrap_err();
    assert!(refused.to_string().contains("neighbor lists alone"), "{refused}");
    let refused = ComponentFits::fit(&input, &neighbors, Components::Bridge, sizes).unwrap_err();
    assert!(refused.to_string().contains("cannot be bridged"), "{refused}");
}

#[test]
fn reject_names_the_sizes() {
    let error = fit(&three(), 4, Components::Reject).unwrap_err();
    assert_eq!(error, Error::Disconnected { components: 3, sizes: vec![50, 30, 20] });
}

#[test]
fn largest_keeps_its_rows() {
    let pieces = fit(&three(), 4, Components::Largest).unwrap();
    let rows: Vec<u32> = (30..80).collect();
    assert_eq!(pieces.embedding().placed_rows(), Some(&rows[..]));
    assert_eq!(pieces.embedding().coordinates(), three().view().select(&rows).view().as_mat());
    assert!(pieces.into_single().is_ok());
}

#[test]
fn per_component_sets_them_side_by_side() {
    let set = three();
    let pieces = fit(&set, 4, Components::PerComponent).unwrap();
    assert_eq!(pieces.components().iter().map(|p| p.rows.len()).collect::<Vec<_>>(), [30, 50, 20]);
    assert_eq!(pieces.embedding().len(), 100);
    assert!(pieces.embedding().placed_rows().is_none());
    let extent = |rows: &[u32]| {
        let xs: Vec<f64> = rows.iter().map(|&i| pieces.embedding()[(i as usize, 0)]).collect();
        (
            xs.iter().copied().fold(f64::INFINITY, f64::min),
            xs.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        )
    };
    for pair in pieces.components().windows(2) {
        assert!(extent(&pair[0].rows).1 < extent(&pair[1].rows).0);
    }
    // A training row goes where it is.
    let placed = pieces.transform(set.view()).unwrap();
    assert_eq!(&placed, pieces.embedding());
    assert!(matches!(pieces.into_single(), Err(Error::Disconnected { components: 3, .. })));
}

/// By a tenth of the widest, the first where it was; pieces without a width by one.
#[test]
fn pieces_are_apart_by_a_tenth_of_the_widest() {
    let mut values = circle(30, 1.0, -20.0);
    values.extend(circle(50, 3.0, 10.0));
    values.extend(circle(40, 2.0, -80.0));
    let upright = (0..20).flat_map(|i| [f64::from(i / 10) * 50.0 - 7.0, f64::from(i)]).collect();
    for (values, gap) in [(values, 0.6), (upright, 1.0)] {
        let set = PointSet::new(values, 2).unwrap();
        let pieces = fit(&set, 4, Components::PerComponent).unwrap();
        let mut edge = None;
        for piece in pieces.components() {
            let xs = || piece.rows.iter().map(|&i| pieces.embedding()[(i as usize, 0)]);
            let low = xs().fold(f64::INFINITY, f64::min);
            let expected = edge.map_or(set.view().row(0)[0].min(low), |edge: f64| edge + gap);
            assert!((low - expected).abs() < 1e-9, "{low}, {expected}");
            edge = Some(xs().fold(f64::NEG_INFINITY, f64::max));
            let own = |i: u32| (pieces.embedding()[(i as usize, 1)], set.view().row(i as usize)[1]);
            assert!(piece.rows.iter().all(|&i| own(i).0 == own(i).1), "only along the first axis");
        }
    }
}

#[test]
fn damaged_bridges_are_refused() {
    let set = PointSet::new(vec![0.0, 1.0, 5.0, 6.0], 1).unwrap();
    let pieces = fit(&set, 1, Components::Bridge).unwrap();
    let damages = [("from", json!(2)), ("to", json!(4)), ("to", json!(1)), ("distance", json!(-1.0))];
    for (field, value) in damages {
        testkit::refuses_damage(&pieces, &[(format!("/bridges/0/{field}").as_str(), value)]);
    }
}

#[test]
fn a_part_of_one_point_is_embedded() {
    let set = PointSet::new(vec![0.0, 1.0, 9.0, 2.0], 1).unwrap();
    let neighbors = NeighborSearch::within(1.5).find(set.view()).unwrap();
    let pieces = ComponentFits::fit(&Input::from(&set), &neighbors, Components::PerComponent, copy).unwrap();
    assert_eq!(
        pieces.components().iter().map(|p| p.rows.clone()).collect::<Vec<_>>(),
        [vec![0, 1, 3], vec![2]]
    );
}

#[test]
fn of_parts_that_are_equally_near_the_first_places_a_point() {
    let set = PointSet::new(vec![0.0, 1.0, 9.0, 10.0], 1).unwrap();
    let pieces = fit(&set, 1, Components::PerComponent).unwrap();
    let shift = pieces.components()[1].shift[0];
    assert!(shift != 0.0);
    let new = PointSet::new(vec![5.0, 4.9, 5.1], 1).unwrap();
    assert_eq!(pieces.transform(new.view()).unwrap().values(), [5.0, 4.9, 5.1 + shift]);
}

#[test]
fn a_manifold_has_the_sizes_of_its_points_and_lists() {
    let set = gaussian(20, 3, 1);
    let neighbors = NeighborSearch::nearest(4).find(set.view()).unwrap();
    let manifold = Manifold::new(set.view(), &neighbors);
    let expected = Sizes { points: Some(20), columns: Some(3), neighbors: Some(4), ..Sizes::default() };
    assert_eq!((manifold.len(), manifold.is_empty()), (20, false));
    assert_eq!(format!("{:?}", manifold.sizes()), format!("{expected:?}"));
}

#[test]
fn bridge_adds_the_shortest_edges_and_reports_them() {
    let set = PointSet::new(vec![0.0, 1.0, 5.0, 6.0, 20.0, 21.0], 1).unwrap();
    let pieces = fit(&set, 1, Components::Bridge).unwrap();
    let bridge = |from, to, distance| Bridge { from, to, distance };
    assert_eq!(pieces.bridges(), [bridge(1, 2, 4.0), bridge(3, 4, 14.0)]);
    assert_eq!(pieces.embedding().coordinates(), set.view().as_mat());
    assert!(pieces.into_single().is_ok());
}

#[test]
fn bridges_have_no_scale() {
    // Three groups apart, of few columns and of many.
    for dim in [2, 70] {
        let rows = gaussian(60, dim, 4);
        let apart = |(at, v): (usize, &f64)| v + 40.0 * (at / (20 * dim)) as f64;
        let values: Vec<f64> = rows.view().values().iter().enumerate().map(apart).collect();
        let found = |e: i32| -> (Vec<Bridge>, Vec<Bridge>) {
            let times = |v: &f64| v * 2f64.powi(e / 2) * 2f64.powi(e - e / 2);
            let set = PointSet::new(values.iter().map(times).collect(), dim).unwrap();
            let sparse = SparsePointSet::of(set.view()).unwrap();
            let bridged = |input: Input<'_>| {
                let lists = NeighborSearch::nearest(5).find(input).unwrap();
                let sizes =
                    |manifold: Manifold<'_>| Ok(Copy(Embedding::from_rows(vec![0.0; manifold.len()], 1)));
                ComponentFits::fit(&input, &lists, Components::Bridge, sizes).unwrap().bridges().to_vec()
            };
            (bridged(Input::from(set.view())), bridged(Input::from(sparse.view())))
        };
        let near = found(0);
        assert_eq!((near.0.len(), &near.0), (2, &near.1));
        for e in [-1000, -560, 560, 1000] {
            let back = |bridges: Vec<Bridge>| -> Vec<Bridge> {
                let one = |b: Bridge| Bridge {
                    distance: b.distance * 2f64.powi(-e / 2) * 2f64.powi(e / 2 - e),
                    ..b
                };
                bridges.into_iter().map(one).collect()
            };
            let far = found(e);
            assert_eq!((back(far.0), back(far.1)), near, "{dim} columns, 2^{e}");
        }
    }
}

#[test]
fn a_connected_graph_needs_no_policy() {
    for policy in [Components::Reject, Components::Bridge, Components::Largest, Components::PerComponent] {
        let pieces = fit(&gaussian(80, 2, 1), 20, policy).unwrap();
        assert!(pieces.bridges().is_empty());
        assert_eq!(pieces.components().len(), 1);
    }
}

#[test]
fn saved_pieces_come_back_and_damage_is_an_error() {
    let pieces = fit(&three(), 4, Components::PerComponent).unwrap();
    let text = serde_json::to_string(&pieces).unwrap();
    let back: ComponentFits<Copy> = serde_json::from_str(&text).unwrap();
    assert_eq!(back.embedding().coordinates(), pieces.embedding().coordinates());
    let parsed: serde_json::Value = serde_json::from_str(&text).unwrap();
    back.validate().unwrap();
    // Of parts of 30 and 50 points.
    let training = &parsed["training"];
    testkit::refuses_damage(&pieces, &[("/training", json!([training[1], training[0], training[2]]))]);
    for change in ["pieces", "training", "shift"] {
        let mut damaged = parsed.clone();
        match change {
            "shift" => damaged["pieces"][0]["shift"] = serde_json::json!([0.0]),
            field => damaged[field] = serde_json::json!([]),
        }
        let read: ComponentFits<Copy> = serde_json::from_str(&damaged.to_string()).unwrap();
        assert!(matches!(read.validate(), Err(Error::Model { .. })), "{change}");
    }
}

/// Kruskal's algorithm over all pairs.
fn by_hand(set: &PointSet, neighbors: &Neighbors) -> Vec<Bridge> {
    let points = set.view();
    let mut group = Graph::new(neighbors, Symmetry::Union).components().of;
    let mut pairs = Vec::new();
    for from in 0..points.len() as u32 {
        for to in from + 1..points.len() as u32 {
            let (a, b) = (points.row(from as usize), points.row(to as usize));
            let squared: f64 = a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum();
            pairs.push(Bridge { from, to, distance: squared.sqrt() });
        }
    }
    pairs.sort_by(|a, b| a.distance.total_cmp(&b.distance).then((a.from, a.to).cmp(&(b.from, b.to))));
    pairs.retain(|pair| {
        let (a, b) = (group[pair.from as usize], group[pair.to as usize]);
        group.iter_mut().filter(|g| **g == b).for_each(|g| *g = a);
        a != b
    });
    pairs
}

#[test]
fn bridges_are_the_minimum_spanning_tree_of_all_pairs() {
    for (dim, k) in [(1, 1), (2, 1), (2, 2), (3, 1), (7, 1)] {
        let set = gaussian(250, dim, 3);
        let neighbors = NeighborSearch::nearest(k).find(set.view()).unwrap();
        let expected = by_hand(&set, &neighbors);
        assert!(expected.len() > 3, "D = {dim}: a test of several rounds");
        assert_eq!(fit(&set, k, Components::Bridge).unwrap().bridges(), expected, "D = {dim}, k = {k}");
    }
}

#[test]
fn bridges_of_integer_points_full_of_ties() {
    for seed in 0..64 {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (dim, n) = (rng.random_range(1..4), rng.random_range(30..80));
        let values = (0..n * dim).map(|_| f64::from(rng.random_range(0_u8..12))).collect();
        let set = PointSet::new(values, dim).unwrap();
        let rule = Neighborhood::Nearest { k: 1 };
        let neighbors = NeighborSearch::from(rule).find(set.view()).unwrap();
        let pieces = fit(&set, 1, Components::Bridge).unwrap();
        assert_eq!(pieces.bridges(), by_hand(&set, &neighbors), "seed {seed}");
    }
}

#[test]
fn of_two_largest_components_the_first_is_kept() {
    let rows: Vec<f64> = [0.0, 100.0].iter().flat_map(|at| (0..6).map(move |i| at + f64::from(i))).collect();
    let points = PointSet::new(rows, 1).unwrap();
    let neighbors = NeighborSearch::nearest(2).find(points.view()).unwrap();
    let labels = neighbor_graph::components(&neighbors);
    assert_eq!((labels.sizes.clone(), labels.largest()), (vec![6, 6], 0));
}

#[test]
fn a_component_that_cannot_be_embedded_is_named() {
    let refuse_small = |manifold: Manifold<'_>| match manifold.len() {
        20 => Err(Error::degenerate("a circle is no line", "use two dimensions")),
        _ => copy(manifold),
    };
    let (set, k) = (three(), 4);
    let neighbors = NeighborSearch::nearest(k).find(set.view()).unwrap();
    let input = Input::from(&set);
    let refused = ComponentFits::fit(&input, &neighbors, Components::PerComponent, refuse_small);
    let problem = Box::new(Error::degenerate("a circle is no line", "use two dimensions"));
    let expected = Error::Component { component: 3, components: 3, size: 20, row: 80, problem };
    let text = expected.to_string();
    assert!(text.contains("component 3 of 3 (size 20, first row 80") && text.contains("a circle"), "{text}");
    assert_eq!(refused.err(), Some(expected));
    let canceled = ComponentFits::fit(&input, &neighbors, Components::PerComponent, |_| -> Result<Copy, _> {
        Err(Error::Cancelled)
    });
    assert_eq!(canceled.err(), Some(Error::Cancelled));
}
