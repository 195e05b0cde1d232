//! Places of a map decoded to data.

use embedding::{Neighborhood, PointSet};
use neighbor_graph::NeighborIndex;
use serde_json::json;

use crate::data::matrix;
use crate::learned::Learned;
use crate::message::{Blocks, Message};
use crate::request::{Inverse, Invert};
use crate::state::{Answer, Engine};

/// Decodes places, and names the row of the data that is nearest to each in the map.
pub(crate) fn invert(
    engine: &mut Engine,
    request: &Invert,
    message: Message<'_>,
    blocks: &mut Blocks,
) -> Answer {
    let places = matrix(message, request.places, request.columns)?;
    let kept = engine.kept(&request.model)?;
    let embedding = kept.model.embedding();
    places.view().check_columns(embedding.dim())?;
    let map = PointSet::from_mat(embedding.coordinates())?;
    let linear = match request.by {
        Inverse::Auto => kept.model.invert(places.view())?,
        _ => None,
    };
    let index = NeighborIndex::new(map.view(), Neighborhood::Nearest { k: 1 });
    let placed = |point: u32| embedding.placed_rows().map_or(point, |rows| rows[point as usize]);
    let nearest: Vec<(u32, f64)> = index.nearest(places.view(), 1)?.into_iter().map(|list| list[0]).collect();
    let rows: Vec<u32> = nearest.iter().map(|(point, _)| placed(*point)).collect();
    let distances: Vec<f64> = nearest.iter().map(|(_, distance)| *distance).collect();
    let (decoded, by) = match linear {
        Some(decoded) => (decoded, "linear"),
        None => {
            if !kept.inverse.as_ref().is_some_and(|learned| learned.answers(request)) {
                let data = &engine.stored(&kept.data)?.data.points;
                let placed = embedding.placed_rows().map(|rows| data.view().select(rows));
                let learned = Learned::new(request, map.view(), placed.as_ref().unwrap_or(data).view())?;
                engine.kept_mut(&request.model)?.inverse = Some(learned);
            }
            let learned = engine.kept(&request.model)?.inverse.as_ref().expect("fitted above");
            learned.decode(places.view())?
        }
    };
    Ok(json!({
        "columns": decoded.dim(),
        "points": blocks.f64(decoded.values()),
        "nearest": blocks.u32(&rows),
        "distances": blocks.f64(&distances),
        "by": by,
    }))
}
