//! What the measures of the tables say, collapsed.

use embedding::implement::{Part, Section};
use maud::{Markup, html};
use quality::Measure;

use crate::results::Results;
use crate::views::words;

/// Explains every measure that some map has a value of; `None` without any.
pub(super) fn explanations(results: &Results) -> Option<Markup> {
    let methods = || results.datasets.iter().flat_map(|dataset| &dataset.methods);
    let measured = |measure: &&Measure| methods().any(|method| method.score(measure.name).is_some());
    let measured: Vec<&Measure> = quality::measures().iter().filter(measured).collect();
    (!measured.is_empty()).then(|| {
        html! {
            section class="measures" aria-labelledby="measures" {
                h2 id="measures" { "What the measures say" }
                @for measure in measured { (entry(measure)) }
            }
        }
    })
}

fn entry(measure: &Measure) -> Markup {
    let Measure { meaning, range, better, .. } = measure;
    html! {
        details {
            summary { (words(measure.name)) ": " (meaning) "; " (range.to_string()) ", " (better.to_string()) }
            @for part in measure.explanation.sections() { (section(&part)) }
        }
    }
}

fn section(section: &Section) -> Markup {
    html! {
        h3 { (section.title) }
        @for part in &section.parts {
            @match part {
                Part::Text(text) => p { (linked(text)) },
                Part::Equations(lines) => pre { (lines.join("\n")) },
                Part::Steps(steps) => ol { @for step in steps { li { (step) } } },
            }
        }
    }
}

/// A text whose source, a DOI or an address, is a link.
pub(super) fn linked(text: &str) -> Markup {
    let Some(start) = text.find("doi:10.").or_else(|| text.find("https://")) else { return html! { (text) } };
    let (before, rest) = text.split_at(start);
    let end = rest.find([' ', ',', ';']).unwrap_or(rest.len());
    let (source, after) = rest.split_at(rest[..end].trim_end_matches('.').len());
    let address = source.replacen("doi:", "https://doi.org/", 1);
    html! { (before) a href=(address) { (source) } (after) }
}

#[cfg(test)]
mod tests {
    fn linked(text: &str) -> String {
        super::linked(text).into_string()
    }

    #[test]
    fn papers_are_linked() {
        assert_eq!(
            linked("A & B, doi:10.1/x-(87)0, in degrees."),
            "A &amp; B, <a href=\"https://doi.org/10.1/x-(87)0\">doi:10.1/x-(87)0</a>, in degrees."
        );
        assert_eq!(linked("Doi:1, doi:10.1/y."), "Doi:1, <a href=\"https://doi.org/10.1/y\">doi:10.1/y</a>.");
        assert_eq!(
            linked("https://a.org/b.html."),
            "<a href=\"https://a.org/b.html\">https://a.org/b.html</a>."
        );
        assert_eq!(linked("none <here>"), "none &lt;here&gt;");
    }
}
