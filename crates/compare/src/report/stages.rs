//! Time by stage.

use std::collections::BTreeMap;

use figure::color::class;
use figure::number::duration;
use maud::{Markup, html};

use crate::methods::title;
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
pub(super) fn stages(results: &DatasetResults, all: &[&str]) -> Markup {
    let timed: Vec<&MethodResults> =
        results.methods.iter().filter(|method| !matches!(method.outcome, Outcome::Skipped { .. })).collect();
    let longest = embedding::implement::maximum(timed.iter().map(|method| method.seconds));
    // Nothing was timed, or the times are no numbers.
    if longest.is_nan() || longest <= 0.0 {
        return Markup::default();
    }
    let colors: BTreeMap<&str, String> =
        all.iter().enumerate().map(|(i, name)| (*name, class(i).hex())).collect();
    html! {
        h3 { "Time by stage" }
        p class="facts" {
            "All bars have the same scale. The shared neighbor search is not included; it took "
            (duration(results.graph.seconds)) "."
        }
        div class="stages" { @for method in timed { (bar(method, longest, &colors)) } }
        ul class="stage-key" {
            @for name in names(std::slice::from_ref(results)) {
                li { i style={ "background:" (colors[name]) } {} (words(name)) }
            }
        }
    }
}

fn bar(method: &MethodResults, longest: f64, colors: &BTreeMap<&str, String>) -> Markup {
    let text: Vec<String> = method
        .stages
        .iter()
        .map(|stage| format!("{} {}", words(&stage.name), duration(stage.seconds)))
        .collect();
    let text = if text.is_empty() { "no stages".to_owned() } else { text.join(", ") };
    let style = |name: &str, seconds: f64| {
        format!("width:{:.2}%;background:{}", 100.0 * seconds / longest, colors[name])
    };
    html! {
        span { (title(&method.method)) }
        div class="track" role="img" aria-label=(text) title=(text) {
            @for stage in &method.stages { span style=(style(&stage.name, stage.seconds)) {} }
        }
        span class="soft" { (duration(method.seconds)) }
    }
}
