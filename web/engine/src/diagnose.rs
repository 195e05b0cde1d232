//! Sentences about a fitted model.

use embedding::{Neighborhood, Silent};
use neighbor_graph::components;
use serde_json::{Value, json};

use crate::engine::{Answer, Engine};
use crate::request::Diagnose;

/// The model's own notes, what was left out, and a disconnected graph.
pub(crate) fn sentences(engine: &mut Engine, request: &Diagnose) -> Answer {
    let kept = engine.kept(&request.model)?;
    let (rule, placed, notes) = (kept.neighborhood, kept.model.embedding().len(), kept.model.report().notes);
    let data = kept.data.clone();
    let mut sentences: Vec<Value> = Vec::new();
    let mut say = |cause: &str, sentence: String| {
        sentences.push(json!({ "cause": cause, "sentence": sentence }));
    };
    let stored = engine.stored_mut(&data)?;
    let n = stored.data.points.len();
    if placed < n {
        say("left_out", format!("{} of {n} points are not in the map.", n - placed));
    }
    if let Some(rule) = rule {
        let sizes = components(&stored.neighbors(rule, &Silent)?).sizes;
        if sizes.len() > 1 {
            let largest = sizes.iter().max().copied().unwrap_or(0);
            let rule = match rule {
                Neighborhood::Nearest { k } => format!("{k} nearest neighbors"),
                Neighborhood::Within { radius } => format!("neighbors within {radius}"),
            };
            let count = sizes.len();
            say(
                "components",
                format!(
                    "The graph of {rule} has {count} components; the largest has {largest} of {n} points."
                ),
            );
        }
    }
    notes.into_iter().for_each(|note| say("note", note));
    Ok(json!({ "sentences": sentences }))
}
