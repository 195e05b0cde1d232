//! Sentences about a fitted model.

use datasets::Geometry;
use embedding::{Input, Silent};
use neighbor_graph::{Neighborhood, components, shortcuts::true_shortcuts};
use quality::diagnosis::{self, Found, Shape};
use serde_json::{Value, json};

use crate::request::Diagnose;
use crate::state::{Answer, Engine};

/// Sentences on points that were left out, on problems of the graph and of the map, and the model's
/// own notes.
pub(crate) fn sentences(engine: &mut Engine, request: &Diagnose) -> Answer {
    let kept = engine.kept(&request.model)?;
    let (rule, map, notes) = (kept.neighborhood, kept.model.embedding().clone(), kept.model.report().notes);
    let remedy = rule.map_or("", |rule| smaller(rule, &kept.parameters));
    let data = kept.data.clone();
    let stored = engine.stored_mut(&data)?;
    let lists = rule.map(|rule| stored.neighbors(rule, &Silent)).transpose()?;
    let data = &stored.data;
    let mut sentences: Vec<Value> = Vec::new();
    let mut say = |cause: &str, sentence: Option<String>| {
        sentences.extend(sentence.map(|sentence| json!({ "cause": cause, "sentence": sentence })));
    };
    if let (Some(rule), Some(lists)) = (rule, &lists) {
        say("components", diagnosis::components(rule, &components(lists).sizes));
        let found = diagnosis::count_shortcuts(&Input::from(&data.points), lists)?;
        // Lists too long for one count are too long for the other: t-SNE's reach beyond a layer.
        let truth = stored.isometric_truth().filter(|_| found.is_some());
        let known = truth.map(|truth| true_shortcuts(lists, truth)).transpose()?;
        let known = known.map(|edges| edges.len());
        say("shortcuts", diagnosis::shortcuts(found, known, Found::Kept { remedy }));
    }
    say("collapse", diagnosis::collapse(&map));
    if let Some(truth) = data.global_truth() {
        let placed = map.placed_rows().map_or_else(|| truth.to_owned(), |rows| truth.select(rows));
        let shape = if data.truth_has_shape() { Shape::Known } else { Shape::Free };
        for sentence in diagnosis::by_truth(&map, placed.view(), shape) {
            say("truth", Some(sentence));
        }
        let parameters = Some(&data.truth_names[..]).filter(|_| data.geometry == Geometry::Parameters);
        say("axes", parameters.and_then(|names| diagnosis::axes(&map, placed.view(), names)));
    }
    if let Some(labels) = data.labels.first() {
        say("classes", diagnosis::classes(&map, &labels.known(), &labels.classes)?);
    }
    notes.into_iter().for_each(|note| say("note", Some(note)));
    Ok(json!({ "sentences": sentences }))
}

/// What makes neighborhoods smaller, by the parameter that the method has for it.
fn smaller(rule: Neighborhood, parameters: &[&str]) -> &'static str {
    match rule {
        Neighborhood::Nearest { .. } if parameters.contains(&"k") => "try a smaller k",
        Neighborhood::Within { .. } if parameters.contains(&"radius") => "try a smaller radius",
        _ => "try fewer neighbors",
    }
}
