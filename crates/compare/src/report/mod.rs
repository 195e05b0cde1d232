//! The report: one self-contained HTML page.
//!
//! Styles, script and figures are embedded. Without JavaScript everything is displayed,
//! but cannot be sorted or enlarged. The same results give the same bytes.

mod citations;
mod drivers;
mod extra_figures;
mod legend;
mod live_page;
mod measures;
mod overview;
mod picture;
mod recipes;
mod section;
mod stages;
mod study;
mod sweep;
mod table;
mod trust;
mod verdict;

use embedding::Error;
use figure::controls::without_controls;
use figure::number::{bytes, counted};
use maud::{Markup, PreEscaped, html};

use crate::document::document;
use crate::lab;
use crate::results::{Machine, Results};
use crate::views::words;

use live_page::has_lab;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");
/// SHA-256 of the two, as the page has them between their tags.
const STYLE_HASH: &str = "6cRuXb9jrw7ka2p9VGBhKMzlHfl5k08I6IoC3y/+x28=";
const SCRIPT_HASH: &str = "0qOcR39aCAHNhCHp0JtoHMxvW8PLDuA4C8Elghixb9A=";

const TITLE: &str = "Manifold learning, side by side";

/// Writes the page: an overview, then for each data set its figures, scores, time by
/// stage and parameters.
///
/// Fails if a figure cannot be drawn.
pub(crate) fn page(results: &Results) -> Result<String, Error> {
    let lab = has_lab(results).then(|| live_page::element(results)).transpose()?;
    let content = without_controls(body(results).into_string());
    let body = html! {
        (PreEscaped(content))
        @if let Some(lab) = lab { (lab) }
        script { "\n" (PreEscaped(SCRIPT)) }
    };
    Ok(document(TITLE, &policy(results), STYLE, &body))
}

fn body(results: &Results) -> Markup {
    let measures = measures::explanations(results);
    let stages = stages::names(&results.datasets);
    html! {
        a class="skip" href="#content" { "To the results" }
        (header(results))
        (navigation(results, measures.is_some()))
        main id="content" {
            @match &results.study {
                Some(study) => {
                    (neighborhoods(results, measures.is_some()))
                    (study::separation(study))
                },
                None => {
                    (verdict::verdicts(results))
                    (neighborhoods(results, measures.is_some()))
                    (overview::overview(results))
                },
            }
            (sweep::sweeps(results))
            @for dataset in &results.datasets { (section::section(dataset, &stages, has_lab(results))) }
            @if let Some(study) = &results.study { (study::placement(study)) }
            @if let Some(citations) = citations::citations(results) { (citations) }
            @if let Some(measures) = measures { (measures) }
        }
        (footer(results))
        (enlarged())
    }
}

/// The dialog in which the script shows a figure.
fn enlarged() -> Markup {
    html! {
        dialog aria-label="Enlarged figure" {
            div {}
            aside {}
            p {
                span {}
                b {
                    button type="button" data-step="-1" aria-label="previous figure" { "←" }
                    " "
                    button type="button" data-step="1" aria-label="next figure" { "→" }
                }
            }
        }
    }
}

/// What the page may use: its own script and styles, the script and styles of the lab that it
/// contains, the styles of single elements, and pictures that it contains. It may connect to nothing.
fn policy(results: &Results) -> String {
    let lab = |directive| if has_lab(results) { lab::policy(directive) } else { "" };
    let worker = if has_lab(results) { format!("worker-src {}; ", lab("worker-src")) } else { String::new() };
    format!(
        "default-src 'none'; script-src 'sha256-{SCRIPT_HASH}' {}; style-src 'sha256-{STYLE_HASH}' {}; {worker}\
         style-src-attr 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'",
        lab("script-src"),
        lab("style-src"),
    )
}

fn header(results: &Results) -> Markup {
    let methods = results.datasets.iter().map(|dataset| dataset.methods.len()).max().unwrap_or(0);
    let methods = counted(methods, "method", "methods");
    let datasets = counted(results.datasets.len(), "data set", "data sets");
    html! {
        header {
            h1 { (TITLE) }
            p {
                (methods) " on " (datasets) ". On each data set every method got the same points and, for the same \
                 neighborhood, the same neighbor graph. A point has the same color in every panel, and both axes of \
                 a panel have the same scale."
            }
            @if let Some(reason) = &results.interrupted { p class="why" { (reason) } }
        }
    }
}

/// What the measures look at, and how to use the page.
fn neighborhoods(results: &Results, explained: bool) -> Markup {
    let k = results.measure_k;
    let near = if k == 1 { "nearest neighbor".to_owned() } else { format!("{k} nearest neighbors") };
    html! {
        p class="facts" {
            "Measures of neighborhoods look at the " (near) " of a point; residual variance compares with paths \
             in the graph of these neighbors, for every method"
            @if explained {
                "; what a measure says, and when it misleads, is " a href="#measures" { "at the end" }
            }
            ". Click a figure to enlarge it; click a column heading to sort."
        }
    }
}

fn navigation(results: &Results, explained: bool) -> Markup {
    html! {
        nav aria-label="Data sets" {
            ul {
                @for sweep in &results.sweeps {
                    li { a href={ "#sweep--" (sweep.dataset) } { "sweep of " (words(&sweep.dataset)) } }
                }
                @for dataset in &results.datasets {
                    li { a href={ "#" (dataset.name) } { (words(&dataset.name)) } }
                }
                @if results.study.is_some() { li { a href="#placement" { "new points" } } }
                @if explained { li { a href="#measures" { "measures" } } }
            }
        }
    }
}

fn footer(results: &Results) -> Markup {
    let Machine { system, architecture, cores, threads, memory_bytes } = &results.machine;
    html! {
        footer class="facts" {
            p {
                "Made by swissroll " (results.version) " on " (system) ", " (architecture) ", "
                (counted(*cores, "core", "cores"))
                @if let Some(memory) = memory_bytes { ", " (bytes(*memory)) " of memory" }
                ", with " (counted(*threads, "thread", "threads")) " and seed " (results.seed) "."
            }
            p { "To repeat it: " code { (results.command) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::{Experiment, Separation, StudyResults};
    use crate::sample;

    fn results() -> Results {
        let machine = Machine {
            system: "linux".to_owned(),
            architecture: "x86_64".to_owned(),
            cores: 2,
            threads: 2,
            memory_bytes: Some(8_000_000_000),
        };
        Results {
            version: "0.0.0".to_owned(),
            machine,
            command: "compare run --set a=\"<b>\"".to_owned(),
            arguments: Vec::new(),
            seed: 3,
            measure_k: 10,
            interrupted: None,
            datasets: vec![sample::results("swiss-roll", 80, 6), sample::results("digits", 60, 5)],
            sweeps: vec![crate::views::sweep::tests::sweep()],
            study: None,
        }
    }

    /// A page without its lab, which is a page by itself.
    fn own(html: &str) -> String {
        let (before, lab) = html.split_once("id=\"lab\">").expect("a lab");
        format!("{before}id=\"lab\">{}", lab.trim_start_matches(|c| c != '<'))
    }

    /// Checks that every element is closed, in order.
    fn balanced(html: &str) -> Result<(), String> {
        const VOID: [&str; 4] = ["meta", "img", "br", "!DOCTYPE"];
        let body = html.replace(STYLE, "").replace(SCRIPT, "");
        let mut open: Vec<String> = Vec::new();
        for tag in body.split('<').skip(1) {
            let (tag, _) = tag.split_once('>').ok_or("an open tag")?;
            let name = tag.split_whitespace().next().unwrap_or_default();
            match name.strip_prefix('/') {
                Some(name) => {
                    let last = open.pop();
                    if last.as_deref() != Some(name) {
                        return Err(format!("</{name}> closes {last:?}"));
                    }
                }
                None if tag.ends_with('/') || VOID.contains(&name) => {}
                None => open.push(name.to_owned()),
            }
        }
        if open.is_empty() { Ok(()) } else { Err(format!("{open:?} stay open")) }
    }

    #[test]
    fn the_page_is_balanced_stable_and_alone() {
        let results = results();
        let html = page(&results).expect("a page");
        balanced(&html).expect("balanced");
        assert!(balanced(&html.replacen("</figure>", "", 1)).is_err());
        assert_eq!(html, page(&results).expect("a page"));
        // Every measure of the tables is explained.
        for measure in results.datasets.iter().flat_map(|d| &d.methods).flat_map(|m| &m.scores) {
            let known = quality::measure(&measure.measure).expect("a measure");
            assert!(html.contains(&format!(
                "<summary>{}: {}",
                words(known.name),
                html! { (known.meaning) }.into_string()
            )));
        }
        // Links to papers are followed by readers alone.
        let own = own(&html).replace("http://www.w3.org/2000/svg", "");
        let links = own.split("<a href=\"https://").enumerate();
        let outside: String = links
            .map(|(i, text)| if i == 0 { text } else { text.split_once("</a>").expect("closed").1 })
            .collect();
        assert!(
            !outside.contains("http://") && !outside.contains("https://") && !outside.contains("src=\"/")
        );
    }

    #[test]
    fn a_study_adds_its_table_and_its_figure_or_says_why_there_is_none() {
        let separation = Separation {
            dataset: "digits".to_owned(),
            labels: "<digit>".to_owned(),
            method: Some("tsne".to_owned()),
            n: 60,
            k: 7,
            knn_accuracy: Some(0.8125),
            silhouette: None,
            trustworthiness: Some(0.9),
        };
        let of_data = Separation { method: None, knn_accuracy: Some(0.99), ..separation.clone() };
        let placement = Experiment::Done(Box::new(sample::placement(40, 8)));
        let study = StudyResults { separation: vec![of_data, separation], placement };
        let failed = StudyResults {
            placement: Experiment::Failed { reason: "too few <points>".to_owned() },
            ..study.clone()
        };
        let [done, failed] =
            [study, failed].map(|study| page(&Results { study: Some(study), ..results() }).expect("a page"));
        for html in [&done, &failed] {
            balanced(html).expect("balanced");
            // The data itself has a higher score, but is not a map.
            assert!(html.contains("class=\"best\">0.812<") && !html.contains("class=\"best\">0.990<"));
            assert!(html.contains("&lt;digit&gt;") && html.contains("leave-one-out 7-NN"));
        }
        assert!(done.contains("8 new points by perceptron") && !done.contains("Not done"));
        assert!(failed.contains("Not done: too few &lt;points&gt;"));
    }

    #[test]
    fn every_method_is_told_and_every_text_escaped() {
        let html = page(&results()).expect("a page");
        for i in 0..6 {
            assert!(html.contains(&format!("id=\"swiss-roll--method-{i}\"")), "{i}");
        }
        assert!(html.contains("but &lt;3&gt; components &amp; more were found; use more neighbors"));
        assert!(html.contains("--set a=&quot;&lt;b&gt;&quot;"));
        let named = Results { command: "compare run --out 'a\u{1b}[2Jb'".to_owned(), ..results() };
        assert!(page(&named).expect("a page").contains("--out 'a[2Jb'"));
        assert!(!own(&html).contains("NaN") && !own(&html).contains("inf\""));
    }

    #[test]
    fn the_verdict_and_the_warnings_come_before_the_maps() {
        let mut results = results();
        results.datasets[0].warnings.push("Column `<x>` has most of the variance.".to_owned());
        let html = page(&results).expect("a page");
        let at = |text: &str| html.find(text).unwrap_or_else(|| panic!("no {text}"));
        let places = ["Which map to show", "<code>&lt;x&gt;</code>", "At a glance", "class=\"panels"].map(at);
        assert!(places.is_sorted(), "{places:?}");
    }

    #[test]
    fn every_picture_has_words() {
        let html = page(&results()).expect("a page");
        let pictures = html.matches("<svg").count();
        assert_eq!(html.matches("<svg role=\"img\" aria-label=\"").count(), pictures);
        assert!(pictures > 10 && !html.contains("aria-label=\"\""));
    }

    #[test]
    fn the_policy_admits_the_own_script_and_styles_alone() {
        use base64::Engine;
        use base64::engine::general_purpose::STANDARD;
        use sha2::{Digest, Sha256};
        let html = page(&results()).expect("a page");
        let policy = html.split("Content-Security-Policy\" content=\"").nth(1).expect("a policy");
        let policy = policy.split('"').next().expect("its end");
        assert!(policy.starts_with("default-src 'none'; "), "{policy}");
        for tag in ["script", "style"] {
            let (_, rest) = html.split_once(&format!("<{tag}>")).expect("one element");
            let (text, after) = rest.split_once(&format!("</{tag}>")).expect("closed");
            assert!(!after.contains(&format!("<{tag}>")), "a second {tag}");
            let hash = STANDARD.encode(Sha256::digest(text.as_bytes()));
            assert!(policy.contains(&format!("{tag}-src 'sha256-{hash}' ")), "of {tag} it is {hash}");
        }
        assert!(!html.contains(" onclick=") && !html.contains(" onload="));
    }

    /// The lab is in the page as text that ends no element, and its own policy limits what it may do.
    #[test]
    fn a_run_carries_its_lab() {
        let html = page(&results()).expect("a page");
        let (_, rest) = html.split_once("id=\"lab\">").expect("a lab");
        let (text, _) = rest.split_once('<').expect("its end");
        let lab: String = serde_json::from_str(text).expect("a string");
        assert!(lab.starts_with("<!DOCTYPE html>") && lab.ends_with("</html>\n"));
        assert!(lab.contains("\"report\":true"));
        let policies: Vec<&str> = [&html, &lab]
            .iter()
            .map(|page| page.split("Content-Security-Policy\" content=\"").nth(1).expect("a policy"))
            .map(|policy| policy.split('"').next().expect("its end"))
            .collect();
        for directive in policies[1].split("; ") {
            let (name, values) = directive.split_once(' ').expect("values");
            let of_report = policies[0].split("; ").find(|part| part.starts_with(&format!("{name} ")));
            let admitted: Vec<&str> = of_report.expect(name).split(' ').collect();
            assert!(values.split(' ').all(|value| admitted.contains(&value)), "{directive}");
        }
        let study = StudyResults {
            separation: Vec::new(),
            placement: Experiment::Failed { reason: "none".to_owned() },
        };
        assert!(!page(&Results { study: Some(study), ..results() }).expect("a page").contains("id=\"lab\""));
    }

    #[test]
    fn identifiers_are_unique() {
        let html = page(&results()).expect("a page");
        let mut ids: Vec<&str> =
            html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let all = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), all);
    }
}
