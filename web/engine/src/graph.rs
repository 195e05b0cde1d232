//! The neighbor graph: edges, distances, paths and reconstruction weights.

use embedding::implement::squared_distance;
use embedding::{Error, Input, Neighborhood, Neighbors, Silent};
use neighbor_graph::{
    Symmetry,
    shortcuts::{find_shortcuts, true_shortcuts},
};
use serde_json::json;

use crate::failure::Failure;
use crate::message::Blocks;
use crate::request::{Distances, Graph, Path, Rule, Space, Weights};
use crate::state::{Answer, Engine};
use crate::stored::Stored;

impl Engine {
    /// A data set, and its neighbor lists.
    fn lists(&mut self, data: &str, rule: Rule) -> Result<(&Stored, Neighbors), Failure> {
        let stored = self.stored_mut(data)?;
        let lists = stored.neighbors(rule.neighborhood()?, &Silent)?;
        Ok((stored, lists))
    }
}

/// The neighbor lists, the undirected edges, the suspected shortcuts, the number of true shortcuts
/// where isometric true coordinates are known, and the components.
pub(crate) fn graph(engine: &mut Engine, request: &Graph, blocks: &mut Blocks) -> Answer {
    let (stored, lists) = engine.lists(&request.data, request.rule)?;
    let graph = neighbor_graph::Graph::new(&lists, Symmetry::Union);
    let suspected = find_shortcuts(&Input::from(&stored.data.points), &lists, request.stretch)?;
    let known = stored.isometric_truth().map(|truth| true_shortcuts(&lists, truth)).transpose()?;
    let components = graph.components();
    let (mut offsets, mut neighbors, mut distances) = (vec![0], Vec::new(), Vec::new());
    for i in 0..lists.len() {
        let (js, ds) = lists.of(i);
        neighbors.extend(js);
        distances.extend(ds);
        offsets.push(neighbors.len() as u32);
    }
    let (mut edges, mut lengths, mut shortcuts) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..graph.len() as u32 {
        let (js, ws) = graph.of(i as usize);
        for (&j, &w) in js.iter().zip(ws).filter(|(j, _)| **j > i) {
            edges.extend([i, j]);
            lengths.push(w);
            let found = suspected.binary_search_by_key(&(i, j), |edge| (edge.from, edge.to));
            shortcuts.push(u8::from(found.is_ok()));
        }
    }
    let sizes: Vec<u32> = components.sizes.iter().map(|size| *size as u32).collect();
    Ok(json!({
        "offsets": blocks.u32(&offsets),
        "neighbors": blocks.u32(&neighbors),
        "distances": blocks.f64(&distances),
        "edges": blocks.u32(&edges),
        "lengths": blocks.f64(&lengths),
        "shortcuts": blocks.u8(&shortcuts),
        "true_shortcuts": known.map(|edges| edges.len()),
        "components": blocks.u32(&components.of),
        "sizes": blocks.u32(&sizes),
    }))
}

/// Distances from one row to all rows.
pub(crate) fn distances(engine: &mut Engine, request: &Distances, blocks: &mut Blocks) -> Answer {
    let stored = engine.stored(&request.data)?;
    stored.check_row(request.from)?;
    let values = match request.of {
        Space::Graph => {
            let (_, lists) = engine.lists(&request.data, request.rule)?;
            neighbor_graph::Graph::new(&lists, Symmetry::Union).geodesics_from(request.from)
        }
        Space::Points | Space::Truth => {
            let points = match request.of {
                Space::Points => Some(stored.data.points.view()),
                _ => stored.data.global_truth(),
            };
            let none =
                || Error::degenerate("the data has no true coordinates", "ask for distances of points");
            let points = points.ok_or_else(none)?;
            let from = points.row(request.from);
            points.rows().map(|row| squared_distance(from, row).sqrt()).collect()
        }
    };
    Ok(json!({ "values": blocks.f64(&values) }))
}

/// The shortest path between two rows.
pub(crate) fn path(engine: &mut Engine, request: &Path, blocks: &mut Blocks) -> Answer {
    let (from, to) = (request.from, request.to);
    let (stored, lists) = engine.lists(&request.data, request.rule)?;
    stored.check_row(from)?;
    stored.check_row(to)?;
    let graph = neighbor_graph::Graph::new(&lists, Symmetry::Union);
    let rows = graph.shortest_path(from, to);
    let length = rows.as_ref().map(|_| graph.geodesics_from(from)[to]);
    let apart = |points: embedding::Points<'_>| squared_distance(points.row(from), points.row(to)).sqrt();
    Ok(json!({
        "rows": blocks.u32(&rows.unwrap_or_default()),
        "length": length,
        "straight": apart(stored.data.points.view()),
        "truth": stored.data.global_truth().map(apart),
    }))
}

/// The weights that reconstruct one row from its neighbors.
pub(crate) fn weights(engine: &mut Engine, request: &Weights, blocks: &mut Blocks) -> Answer {
    let (stored, lists) = engine.lists(&request.data, request.rule)?;
    stored.check_row(request.row)?;
    // The row and its neighbors alone: each neighbor has the row as its only neighbor.
    let (near, distances) = lists.of(request.row);
    let members: Vec<u32> = std::iter::once(request.row as u32).chain(near.iter().copied()).collect();
    let own = (1..members.len() as u32).zip(distances.iter().copied()).collect();
    let mut star: Vec<Vec<(u32, f64)>> = vec![own];
    star.extend(distances.iter().map(|distance| vec![(0, *distance)]));
    let star = Neighbors::from_lists(star, Neighborhood::Nearest { k: near.len().max(1) })?;
    let points = stored.data.points.view().select(&members);
    let found = lle::steps::weights(points.view(), &star, request.reg, &Silent)?;
    let (columns, weights) = found.row(0);
    let neighbors: Vec<u32> = columns.iter().map(|&column| members[column as usize]).collect();
    Ok(json!({ "neighbors": blocks.u32(&neighbors), "weights": blocks.f64(weights) }))
}
