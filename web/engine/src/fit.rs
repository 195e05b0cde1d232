//! Methods: settings, ranges, fits and new points.

use embedding::implement::{eigenvalues_beyond, nearest_name};
use embedding::{DynMethod, Embedding, Error, Input, MemoryLimit, Neighborhood};
use serde_json::{Value, json};

use crate::data::matrix;
use crate::failure::Failure;
use crate::message::{Blocks, Message};
use crate::observer::Events;
use crate::request::{Common, Fit, Ranges, Settings, Transform};
use crate::state::{Answer, Engine, Kept, Sink};

/// The method of that name with its default parameters.
pub(crate) fn method(name: &str) -> Result<Box<dyn DynMethod>, Failure> {
    swissroll::method(name).ok_or_else(|| {
        let known = swissroll::methods().map(|method| method.about().name);
        let hint = nearest_name(name, known).map(|known| format!("; did you mean `{known}`?"));
        Failure::request(format!("there is no method `{name}`{}", hint.unwrap_or_default()))
    })
}

/// The common settings that the method has a parameter for, then its own, as text.
pub(crate) fn settings(
    method: &dyn DynMethod,
    common: Common,
    own: &Settings,
) -> Result<Vec<(String, String)>, Failure> {
    let known: Vec<&str> = method.parameters().iter().map(|info| info.name).collect();
    let number = |value: Option<usize>| value.map(|value| value.to_string());
    let common = [
        ("k", number(common.k)),
        ("dim", number(common.dim)),
        ("seed", common.seed.map(|seed| seed.to_string())),
    ];
    let common = common.into_iter().filter(|(name, _)| known.contains(name));
    let mut all: Vec<(String, String)> =
        common.filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
    for (name, value) in own {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Number(_) | Value::Bool(_) => value.to_string(),
            _ => {
                return Err(Failure::request(format!("the value of `{name}` is no text, number or boolean")));
            }
        };
        all.push((name.clone(), text));
    }
    Ok(all)
}

fn configured(name: &str, common: Common, own: &Settings) -> Result<Box<dyn DynMethod>, Failure> {
    let mut method = method(name)?;
    for (name, value) in settings(method.as_ref(), common, own)? {
        method.set_dyn(&name, &value)?;
    }
    Ok(method)
}

/// The legal ranges of a method's parameters for a data set.
pub(crate) fn ranges(engine: &Engine, request: &Ranges) -> Answer {
    let stored = engine.stored(&request.data)?;
    let method = configured(&request.method, request.common, &request.settings)?;
    let mut input = Input::from(&stored.data.points);
    let labels = stored.labels(0)?;
    if let Some(labels) = &labels {
        input = input.with_partial_labels(labels);
    }
    let limits = method.limits(&input);
    let parameters: Vec<Value> = (method.parameters().iter().zip(limits))
        .map(|(info, limits)| {
            let limits = limits.unwrap_or_default();
            json!({
                "name": info.name,
                "value": info.value,
                "low": limits.low,
                "high": limits.high,
                "low_open": limits.low_open,
                "high_open": limits.high_open,
            })
        })
        .collect();
    Ok(json!({ "parameters": parameters }))
}

/// Fits a method and keeps the model.
pub(crate) fn fit(
    engine: &mut Engine,
    request: Fit,
    id: &Value,
    message: Message<'_>,
    blocks: &mut Blocks,
    event: &mut Sink<'_>,
) -> Answer {
    let name = request.model.unwrap_or_else(|| request.method.clone());
    engine.models.remove(&name);
    let mut method = configured(&request.method, request.common, &request.settings)?;
    let goes_on = request.start.is_some_and(|start| start.goes_on);
    if goes_on {
        method = method.resumed_dyn();
    }
    let start = request.start.map(|start| matrix(message, start.coordinates, start.columns)).transpose()?;
    let fixed = request
        .fixed
        .map(|array| message.indices(array).ok_or_else(|| Failure::request("fixed rows are missing")))
        .transpose()?;
    if request.frames.is_some_and(|frames| frames.every == 0) {
        return Err(Error::parameter("every", "at least 1", 0).into());
    }
    let stored = engine.stored_mut(&request.data)?;
    let mut forward = |bytes: &[u8]| event(bytes);
    let events = Events::new(id, request.frames, request.steps, &mut forward)
        .with_further_eigenvalues(request.further);
    let n = stored.data.points.len();
    let rule = method.neighborhood_dyn(n);
    let lists = rule.map(|rule| stored.neighbors(rule, &events)).transpose()?;
    let limit = limit(request.memory, isize::MAX as u64);
    let mut input = Input::from(&stored.data.points).with_memory_limit(limit).with_observer(&events);
    if let Some(lists) = &lists {
        input = input.with_neighbors(lists);
    }
    let labels = stored.labels(request.labels)?;
    if let Some(labels) = &labels {
        input = input.with_partial_labels(labels);
    }
    if let Some(start) = &start {
        let start = start.view();
        input = if goes_on { input.with_continued(start, None) } else { input.with_start(start) };
    }
    let fixed = fixed.map(|rows| mask(&rows, n)).transpose()?;
    if let Some(fixed) = &fixed {
        input = input.with_fixed(fixed);
    }
    let model = method.fit_dyn(&input)?;
    let seen = events.seen();
    let (embedding, mut report) = (model.embedding(), model.report());
    report.notes.extend(method.start_note(&input));
    let mut further = eigenvalues_beyond(embedding.spectrum(), &seen.spectra);
    further.truncate(request.further);
    let per_point: Vec<Value> = (report.per_point.iter())
        .map(|per_point| json!({ "title": per_point.title, "values": blocks.f64(&per_point.values) }))
        .collect();
    let settings: serde_json::Map<String, Value> =
        method.parameters().into_iter().map(|info| (info.name.to_owned(), info.value.into())).collect();
    let answer = json!({
        "model": name,
        "method": request.method,
        "n": embedding.len(),
        "columns": embedding.dim(),
        "coordinates": blocks.f64(embedding.values()),
        "rows": embedding.placed_rows().map(|rows| blocks.u32(rows)),
        "spectrum": blocks.f64(embedding.spectrum()),
        "further": blocks.f64(&further),
        "facts": report.facts,
        "notes": report.notes,
        "per_point": per_point,
        "stages": seen.stages,
        "iterations": seen.iterations,
        "settings": settings,
        "neighborhood": rule.map(|rule| match rule {
            Neighborhood::Nearest { k } => json!({ "k": k }),
            Neighborhood::Within { radius } => json!({ "radius": radius }),
        }),
    });
    let parameters = method.parameters().iter().map(|info| info.name).collect();
    engine.models.insert(
        name,
        Kept { data: request.data, neighborhood: rule, parameters, model, inverse: None, gradients: None },
    );
    Ok(answer)
}

/// Which of n rows are listed.
fn mask(rows: &[u32], n: usize) -> Result<Vec<bool>, Failure> {
    let mut mask = vec![false; n];
    for &row in rows {
        let requirement = format!("below {n}, the number of points");
        *mask.get_mut(row as usize).ok_or_else(|| Error::parameter("a fixed row", requirement, row))? = true;
    }
    Ok(mask)
}

/// The memory that one stage may take: at most the largest allocation, which is 2 GiB in the
/// page. A fit that needs more is refused instead of ended by a trap.
fn limit(requested: f64, largest: u64) -> MemoryLimit {
    MemoryLimit::new((requested as u64).min(largest))
}

/// Places new points by a fitted model.
pub(crate) fn transform(
    engine: &Engine,
    request: &Transform,
    message: Message<'_>,
    blocks: &mut Blocks,
) -> Answer {
    let points = matrix(message, request.points, request.columns)?;
    let placed: Embedding = engine.kept(&request.model)?.model.transform(points.view())?;
    Ok(json!({ "columns": placed.dim(), "coordinates": blocks.f64(placed.values()) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_stage_may_take_more_than_one_allocation() {
        let of = |requested: f64| limit(requested, 1 << 31).bytes;
        assert_eq!(of(1e9), 1_000_000_000);
        assert_eq!(of(1e13), 1 << 31);
    }
}
