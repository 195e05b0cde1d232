//! The registry and the catalogs as JSON.

use pyo3::prelude::*;
use serde_json::{Value, json};

/// All methods: their descriptions, their parameters and the facts of their models.
#[pyfunction]
pub(crate) fn methods() -> String {
    let all: Vec<Value> = swissroll::methods()
        .map(|method| {
            let facts: Vec<Value> = (method.facts().iter())
                .map(|fact| json!({ "name": fact.name, "meaning": fact.meaning }))
                .collect();
            json!({
                "about": method.about(),
                "parameters": method.parameters(),
                "facts": facts,
                "neighbors": method.neighborhood_dyn(100).is_some(),
                "sparse": method.accepts_sparse(),
            })
        })
        .collect();
    Value::Array(all).to_string()
}

/// All measures of a map, and all measures per point.
#[pyfunction]
pub(crate) fn measures() -> String {
    let whole: Vec<Value> = (quality::measures().iter())
        .map(|measure| {
            json!({
                "name": measure.name,
                "meaning": measure.meaning,
                "low": measure.range.low,
                "high": measure.range.high,
                "better": measure.better.to_string(),
                "explanation": measure.explanation,
            })
        })
        .collect();
    let points: Vec<Value> = (quality::point_measures().iter())
        .map(|measure| {
            json!({
                "name": measure.name,
                "title": measure.title,
                "meaning": measure.meaning,
                "low": measure.low,
                "high": measure.high,
                "better": measure.better.map(|better| better.to_string()),
            })
        })
        .collect();
    json!({ "whole": whole, "points": points }).to_string()
}

/// All data sets.
#[pyfunction]
pub(crate) fn data_sets() -> String {
    let all: Vec<Value> = (datasets::list().iter())
        .map(|info| {
            json!({
                "name": info.name,
                "summary": info.summary,
                "shows": info.shows,
                "n": info.default_n,
                "largest": info.largest_n,
                "columns": info.ambient,
                "dimension": info.dimension,
                "source": info.source,
                "license": info.license,
            })
        })
        .collect();
    Value::Array(all).to_string()
}
