//! Places of a map decoded to data.

use embedding::{Embedding, MemoryLimit, Neighborhood, PointSet, Points, Silent, Transform};
use neighbor_graph::NeighborIndex;
use serde_json::json;
use swissroll::regression::{
    FittedKernelRidge, FittedLocalBarycentric, KernelRidge, LocalBarycentric, Regressor, Width,
};

use crate::data::{MEMORY, matrix};
use crate::engine::{Answer, Engine};
use crate::failure::Failure;
use crate::message::{Blocks, Message};
use crate::request::{Inverse, Invert};

/// A function from the places of a map to data, and what it was asked for by.
pub(crate) struct Learned {
    by: Inverse,
    k: usize,
    fitted: Fitted,
}

enum Fitted {
    Barycentric(FittedLocalBarycentric),
    KernelRidge(FittedKernelRidge),
}

impl Learned {
    fn new(request: &Invert, map: Points<'_>, data: Points<'_>) -> Result<Self, Failure> {
        let Invert { by, k, .. } = *request;
        let (targets, memory_limit): (_, MemoryLimit) = (data.as_mat(), MEMORY);
        let fitted = match by {
            Inverse::Auto | Inverse::Barycentric => {
                let recipe = LocalBarycentric { k, ..LocalBarycentric::default() };
                Fitted::Barycentric(recipe.fit(map, targets, &Silent)?)
            }
            Inverse::KernelRidge => {
                let recipe =
                    KernelRidge { width: Width::Spacing(1.0), memory_limit, ..KernelRidge::default() };
                Fitted::KernelRidge(recipe.fit(map, targets, &Silent)?)
            }
        };
        Ok(Self { by: of(by), k, fitted })
    }

    fn decode(&self, places: Points<'_>) -> Result<(Embedding, &'static str), Failure> {
        Ok(match &self.fitted {
            Fitted::Barycentric(fitted) => (fitted.transform(places)?, "barycentric"),
            Fitted::KernelRidge(fitted) => (fitted.transform(places)?, "kernel_ridge"),
        })
    }
}

/// What is learned for a request.
fn of(by: Inverse) -> Inverse {
    if by == Inverse::Auto { Inverse::Barycentric } else { by }
}

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
            let known = |learned: &Learned| (learned.by, learned.k) == (of(request.by), request.k);
            if !kept.inverse.as_ref().is_some_and(known) {
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
