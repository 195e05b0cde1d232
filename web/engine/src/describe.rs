//! What the engine has: methods, data sets, measures.

use datasets::{Info, Request};
use embedding::{DynMethod, PointSet};
use quality::{Better, measures, point_measures};
use serde_json::{Value, json};

use crate::state::Answer;
use crate::stored::{MEMORY, MOST_POINTS};
use crate::trust;

/// Points from which the names of true coordinates are read off.
const FEW: usize = 2;

/// The version, and all lists.
pub(crate) fn all() -> Answer {
    let methods: Vec<Value> = swissroll::methods().map(|made| method(made.as_ref())).collect();
    let datasets: Vec<Value> = datasets::list().iter().map(dataset).collect();
    let measures: Vec<Value> = (measures().iter())
        .map(|measure| {
            json!({
                "name": measure.name,
                "meaning": measure.meaning,
                "low": measure.range.low,
                "high": measure.range.high,
                "better": better(measure.better),
                "explanation": measure.explanation,
            })
        })
        .collect();
    let per_point: Vec<Value> = (point_measures().iter())
        .map(|measure| {
            json!({
                "name": measure.name,
                "title": measure.title,
                "meaning": measure.meaning,
                "measure": measure.mean,
                "low": measure.low,
                "high": measure.high,
                "better": measure.better.map(better),
                "needs_model": false,
            })
        })
        .chain(trust::described())
        .collect();
    Ok(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "most_points": MOST_POINTS,
        "methods": methods,
        "datasets": datasets,
        "measures": measures,
        "per_point": per_point,
    }))
}

/// The full description of a method, its parameters and its facts, whether it starts at given coordinates, and whether it keeps rows there.
fn method(method: &dyn DynMethod) -> Value {
    let mut all = json!(method.about());
    all["parameters"] = json!(method.parameters());
    all["facts"] = json!(method.facts());
    all["given_start"] = json!(method.start_scale().is_some());
    all["fixes"] = json!(method.fixes_rows());
    all
}

fn dataset(info: &Info) -> Value {
    let integer = |name: &str, about: &str, low: f64, high: Value, default: f64| json!({ "name": name, "about": about, "kind": "integer", "low": low, "high": high, "default": default });
    let real = |name: &str, about: &str, low: f64, high: Value, default: f64| json!({ "name": name, "about": about, "kind": "real", "low": low, "high": high, "default": default });
    let most = info.largest_n.map_or(MOST_POINTS, |most| most.min(MOST_POINTS));
    let mut parameters = vec![
        integer("n", "number of points", 1.0, json!(most), info.default_n as f64),
        real("noise", "standard deviation of Gaussian noise added to every value", 0.0, Value::Null, 0.0),
        integer("seed", "seed of all random choices", 0.0, Value::Null, 0.0),
    ];
    if let Some(scale) = info.default_scale {
        parameters.push(real(
            "scale",
            "scale of the pictures relative to full size",
            0.05,
            json!(4.0),
            scale,
        ));
    }
    let request = Request { n: Some(FEW), memory: MEMORY, ..Request::default() };
    let sample = info.load(&request).ok();
    let known = |sample: &datasets::Dataset| sample.truth.as_ref().map(PointSet::dim);
    let mut all = json!(info);
    all["truth_names"] = json!(sample.as_ref().map(|sample| &sample.truth_names[..]).unwrap_or_default());
    all["truth_columns"] = json!(sample.as_ref().and_then(known).unwrap_or(0));
    all["parameters"] = json!(parameters);
    all
}

pub(crate) fn better(better: Better) -> &'static str {
    match better {
        Better::Higher => "higher",
        Better::Lower => "lower",
    }
}
