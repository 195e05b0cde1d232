//! Time by stage.

use std::collections::BTreeMap;

use figure::color::class;
use figure::escape;
use figure::number::duration;

use crate::results::{DatasetResults, MethodResults, Outcome};
use crate::views::words;

/// The names of all stages of a page, in order; a stage has the same color in every
/// section.
pub(super) fn names(datasets: &[DatasetResults]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for stage in datasets.iter().flat_map(|set| &set.methods).flat_map(|method| &method.stages) {
        if !names.contains(&stage.name.as_str()) {
            names.push(&stage.name);
        }
    }
    names
}

/// Draws one bar per method, proportional to its time and divided by stage; `all` are the
/// [`names`] of the page.
pub(super) fn stages(results: &DatasetResults, all: &[&str]) -> String {
    let timed: Vec<&MethodResults> =
        results.methods.iter().filter(|method| !matches!(method.outcome, Outcome::Skipped { .. })).collect();
    let longest = embedding::implement::maximum(timed.iter().map(|method| method.seconds));
    // Nothing was timed, or the times are no numbers.
    if longest.is_nan() || longest <= 0.0 {
        return String::new();
    }
    let colors: BTreeMap<&str, String> =
        all.iter().enumerate().map(|(i, name)| (*name, class(i).hex())).collect();
    let names = names(std::slice::from_ref(results));
    let bars: String = timed.iter().map(|method| bar(method, longest, &colors)).collect();
    let key: String = names
        .iter()
        .map(|name| format!("<li><i style=\"background:{}\"></i>{}</li>", colors[name], escape(&words(name))))
        .collect();
    format!(
        "<h3>Time by stage</h3><p class=\"facts\">All bars have the same scale. The shared neighbor search \
         is not included; it took {}.</p>\n<div class=\"stages\">{bars}</div><ul class=\"stage-key\">{key}</ul>\n",
        duration(results.graph.seconds)
    )
}

fn bar(method: &MethodResults, longest: f64, colors: &BTreeMap<&str, String>) -> String {
    let text: Vec<String> = method
        .stages
        .iter()
        .map(|stage| format!("{} {}", words(&stage.name), duration(stage.seconds)))
        .collect();
    let parts: String = method
        .stages
        .iter()
        .map(|stage| {
            let width = 100.0 * stage.seconds / longest;
            format!("<span style=\"width:{width:.2}%;background:{}\"></span>", colors[stage.name.as_str()])
        })
        .collect();
    let text = if text.is_empty() { "no stages".to_owned() } else { text.join(", ") };
    format!(
        "<span>{}</span><div class=\"track\" role=\"img\" aria-label=\"{text}\" title=\"{text}\">{parts}</div>\
         <span class=\"soft\">{}</span>",
        escape(&method.method),
        duration(method.seconds),
        text = escape(&text)
    )
}
