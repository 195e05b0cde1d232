//! Parameters and facts as text.

use figure::number::{bytes, score};
use maud::{Markup, html};
use serde_json::{Map, Value};

use crate::methods::title;
use crate::results::{DatasetResults, MethodResults};
use crate::views::words;

/// Largest number of list entries shown.
const LISTED: usize = 10;

/// Lists the parameters and facts of each method, collapsed.
pub(super) fn recipes(results: &DatasetResults) -> Markup {
    html! {
        details {
            summary { "Parameters and facts" }
            p class="facts" { (results.notes) }
            div class="recipes" { @for method in &results.methods { (card(method)) } }
        }
    }
}

fn card(method: &MethodResults) -> Markup {
    html! {
        div {
            h4 { (title(&method.method)) }
            dl { @if let Value::Object(recipe) = &method.recipe { (entries(recipe)) } }
            @if !method.facts.is_empty() || method.peak_memory_bytes.is_some() {
                h5 { "found" }
                dl {
                    (entries(&method.facts))
                    @if let Some(peak) = method.peak_memory_bytes {
                        (entry("peak memory of the process", &bytes(peak)))
                    }
                }
            }
        }
    }
}

fn entries(map: &Map<String, Value>) -> Markup {
    html! { @for (name, value) in map { (entry(&words(name), &readable(value))) } }
}

fn entry(name: &str, value: &str) -> Markup {
    html! { dt { (name) } dd { (value) } }
}

/// Formats a JSON value for readers.
fn readable(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        Value::Number(number) if number.is_f64() => number.as_f64().map_or_else(String::new, float),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Array(list) => {
            let shown: Vec<String> = list.iter().take(LISTED).map(readable).collect();
            let more =
                if list.len() > LISTED { format!(", … ({} in all)", list.len()) } else { String::new() };
            format!("{}{more}", shown.join(", "))
        }
        Value::Object(map) => {
            let part = |(name, value): (&String, &Value)| match value {
                Value::Object(_) => format!("{} ({})", lower(name), readable(value)),
                _ => format!("{} = {}", lower(name), readable(value)),
            };
            map.iter().map(part).collect::<Vec<_>>().join(", ")
        }
    }
}

/// Formats a number; parameters such as 0.001 are kept exactly, results are rounded.
fn float(value: f64) -> String {
    let exact = value.to_string();
    if exact.len() <= 6 { exact } else { score(value) }
}

/// Lowercases the names of enum variants.
fn lower(name: &str) -> String {
    words(name).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_read_as_sentences() {
        let shown = |value: Value| readable(&value);
        assert_eq!(shown(json!({"Nearest": {"k": 12}})), "nearest (k = 12)");
        assert_eq!(shown(json!(null)), "none");
        assert_eq!(shown(json!(0.001)), "0.001");
        assert_eq!(shown(json!(0.123_456_789)), "0.123");
        assert_eq!(shown(json!(1e-9)), "1.0e−9");
        assert_eq!(shown(json!(vec![1; 12])), "1, 1, 1, 1, 1, 1, 1, 1, 1, 1, … (12 in all)");
    }
}
