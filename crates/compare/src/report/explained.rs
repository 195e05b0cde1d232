//! What the measures of the tables say, collapsed.

use embedding::implement::{Part, Section};
use figure::escape;
use quality::Measure;

use crate::results::Results;
use crate::views::words;

/// Explains every measure that some map has a value of.
pub(super) fn measures(results: &Results) -> String {
    let methods = || results.datasets.iter().flat_map(|dataset| &dataset.methods);
    let measured = |measure: &&Measure| methods().any(|method| method.score(measure.name).is_some());
    let entries: String = quality::measures().iter().filter(measured).map(entry).collect();
    if entries.is_empty() {
        return String::new();
    }
    format!(
        "<section class=\"measures\" aria-labelledby=\"measures\"><h2 id=\"measures\">What the measures say</h2>\n{entries}</section>\n"
    )
}

fn entry(measure: &Measure) -> String {
    let sections: String = measure.explanation.sections().iter().map(section).collect();
    format!(
        "<details><summary>{}: {}; {}, {}</summary>{sections}</details>\n",
        escape(&words(measure.name)),
        escape(measure.meaning),
        measure.range,
        measure.better
    )
}

fn section(section: &Section) -> String {
    let mut parts = String::new();
    for part in &section.parts {
        parts += &match part {
            Part::Text(text) => format!("<p>{}</p>", linked(text)),
            Part::Equations(lines) => format!("<pre>{}</pre>", escape(&lines.join("\n"))),
            Part::Steps(steps) => {
                let steps: String = steps.iter().map(|step| format!("<li>{}</li>", escape(step))).collect();
                format!("<ol>{steps}</ol>")
            }
        };
    }
    format!("<h3>{}</h3>{parts}", section.title)
}

/// A text whose source, a DOI or an address, is a link.
fn linked(text: &str) -> String {
    let Some(start) = text.find("doi:10.").or_else(|| text.find("https://")) else { return escape(text) };
    let (before, rest) = text.split_at(start);
    let end = rest.find([' ', ',', ';']).unwrap_or(rest.len());
    let (source, after) = rest.split_at(rest[..end].trim_end_matches('.').len());
    let address = source.replacen("doi:", "https://doi.org/", 1);
    format!("{}<a href=\"{}\">{}</a>{}", escape(before), escape(&address), escape(source), escape(after))
}

#[cfg(test)]
mod tests {
    use super::*;

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
