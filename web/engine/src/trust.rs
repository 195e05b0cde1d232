//! Measures per point of a model's map: where points jump, and how the map distorts.

use embedding::Points;
use quality::ellipses::Ellipses;
use quality::trust::Perturbation;
use quality::{Better, RowSample};
use serde_json::{Value, json};

use crate::describe::better;
use crate::failure::Failure;
use crate::message::Blocks;
use crate::request::{MapSource, PerPoint};
use crate::state::{Engine, Kept};

/// A measure that needs the model of a map.
struct Measure {
    name: &'static str,
    title: &'static str,
    meaning: &'static str,
    high: Option<f64>,
    better: Better,
    measure: fn(&Placed<'_>, &mut Blocks) -> Result<Value, Failure>,
}

const MEASURES: [Measure; 2] = [
    Measure {
        name: "perturbation",
        title: "perturbation score",
        meaning: "how far a point jumps when its data change a little, in distances to neighbors in the map; above 8 \
                  the map is torn there, or between clusters",
        high: None,
        better: Better::Lower,
        measure: perturbation,
    },
    Measure {
        name: "roundness",
        title: "roundness of small circles",
        meaning: "shortest by longest axis of the ellipse that a small circle of the data becomes in the map; 1 where \
                  angles are kept",
        high: Some(1.0),
        better: Better::Higher,
        measure: roundness,
    },
];

/// What the page needs to know of them.
pub(crate) fn described() -> impl Iterator<Item = Value> {
    MEASURES.iter().map(|measure| {
        json!({
            "name": measure.name,
            "title": measure.title,
            "meaning": measure.meaning,
            "measure": null,
            "low": 0.0,
            "high": measure.high,
            "better": better(measure.better),
            "needs_model": true,
        })
    })
}

/// Their names.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    MEASURES.iter().map(|measure| measure.name)
}

/// A model with the data that it was fitted to.
struct Placed<'a> {
    kept: &'a Kept,
    data: Points<'a>,
    request: &'a PerPoint,
}

/// The values of those measures that are named. Fails unless the map is named by its model.
pub(crate) fn values(
    engine: &Engine,
    request: &PerPoint,
    blocks: &mut Blocks,
) -> Result<Vec<Value>, Failure> {
    let named = |measure: &&Measure| request.names.iter().flatten().any(|name| name == measure.name);
    let mut found = Vec::new();
    for measure in MEASURES.iter().filter(named) {
        let MapSource::Model { model } = &request.map else {
            return Err(Failure::request(format!("`{}` needs the model of the map", measure.name)));
        };
        let kept = engine.kept(model)?;
        let data = engine.stored(&kept.data)?.data.points.view();
        let mut value = (measure.measure)(&Placed { kept, data, request }, blocks)?;
        value["name"] = json!(measure.name);
        found.push(value);
    }
    Ok(found)
}

/// How far points jump, and where to.
fn perturbation(placed: &Placed<'_>, blocks: &mut Blocks) -> Result<Value, Failure> {
    let Placed { kept, data, request } = placed;
    let rows = request.rows.map_or(RowSample::All, |count| RowSample::Spaced { count });
    let recipe = Perturbation { k: request.k, rows, ..Perturbation::default() };
    let map = kept.model.embedding();
    let scores = recipe.scores(kept.model.as_ref(), map, &kept.input(*data))?;
    let point_of = |row: u32| {
        let known = |rows: &[u32]| rows.binary_search(&row).ok();
        map.placed_rows().map_or(Some(row as usize), known).expect("scores are of rows of the map")
    };
    let mut values = vec![f64::NAN; map.len()];
    let mut places = vec![f64::NAN; map.len() * map.dim()];
    for (score, &row) in scores.rows().iter().enumerate() {
        let point = point_of(row);
        values[point] = scores.values()[score];
        places[point * map.dim()..][..map.dim()].copy_from_slice(scores.place(score));
    }
    Ok(json!({
        "values": blocks.f64(&values),
        "places": blocks.f64(&places),
        "columns": map.dim(),
        "per_point": 1,
        "drawn": blocks.u32(&scores.jumps().into_iter().map(|row| point_of(row) as u32).collect::<Vec<_>>()),
        "sentence": scores.caution(),
    }))
}

/// The ratio of the axes of ellipses, and the ends of their two longest axes for a circle of radius 1 in the data.
fn roundness(placed: &Placed<'_>, blocks: &mut Blocks) -> Result<Value, Failure> {
    let map = placed.kept.model.embedding();
    let ellipses = Ellipses { k: placed.request.k }.of_map(map, &placed.kept.input(placed.data))?;
    let (dim, count) = (map.dim(), map.dim().min(2));
    let (mut values, mut places) = (Vec::with_capacity(map.len()), Vec::new());
    for (point, place) in map.rows().enumerate() {
        let (axes, directions) = (ellipses.axes(point), ellipses.directions(point));
        values.push(if axes[0] > 0.0 { axes[dim - 1] / axes[0] } else { f64::NAN });
        for (axis, direction) in axes.iter().zip(directions.chunks(dim)).take(count) {
            places.extend(place.iter().zip(direction).map(|(at, along)| at + axis * along));
        }
    }
    Ok(json!({
        "values": blocks.f64(&values),
        "places": blocks.f64(&places),
        "columns": dim,
        "per_point": count,
        "sentence": null,
    }))
}
