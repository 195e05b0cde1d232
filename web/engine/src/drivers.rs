//! The columns of the data that drive a map, or some points of it.

use quality::drivers::{Drivers as Recipe, Unit};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::message::{Blocks, Message};
use crate::request::Drivers;
use crate::state::{Answer, Engine};

/// The most important columns per standard deviation, over the points of the given rows or over all. The gradients
/// are kept with the model.
pub(crate) fn drivers(
    engine: &mut Engine,
    request: &Drivers,
    message: Message<'_>,
    blocks: &mut Blocks,
) -> Answer {
    let missing = || Failure::request("the rows are missing");
    let wanted = request.rows.map(|rows| message.indices(rows).ok_or_else(missing)).transpose()?;
    let kept = engine.kept(&request.model)?;
    if kept.gradients.is_none() {
        let data = engine.stored(&kept.data)?.data.points.view();
        let (model, input) = (kept.model.as_ref(), kept.input(data));
        let found = Recipe::default().of_model(model, model.embedding(), &input)?;
        engine.kept_mut(&request.model)?.gradients = Some(found);
    }
    let kept = engine.kept(&request.model)?;
    let gradients = kept.gradients.as_ref().expect("computed above");
    let points: Vec<usize> = match &wanted {
        None => (0..gradients.rows().len()).collect(),
        Some(rows) => rows.iter().filter_map(|row| gradients.rows().binary_search(row).ok()).collect(),
    };
    let mut certainty: Vec<f64> = points.iter().map(|point| gradients.certainty()[*point]).collect();
    certainty.sort_unstable_by(f64::total_cmp);
    let found = gradients.of_points(points.iter().copied(), Unit::Deviation);
    let first = &found[..found.len().min(request.count)];
    let columns: Vec<u32> = first.iter().map(|driver| driver.column as u32).collect();
    let importance: Vec<f64> = first.iter().map(|driver| driver.importance).collect();
    let spread: Vec<f64> = first.iter().map(|driver| driver.spread).collect();
    Ok(json!({
        "points": points.len(),
        "columns": blocks.u32(&columns),
        "importance": blocks.f64(&importance),
        "spread": blocks.f64(&spread),
        "certainty": certainty.get(certainty.len() / 2).map_or(Value::Null, |median| json!(median)),
        "exact": gradients.penalty().is_none(),
    }))
}
