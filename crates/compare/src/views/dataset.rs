//! The figure of a data set.

use datasets::{Info, find};
use figure::dataset::{Line, Page, Panel};
use figure::number::{count, duration, score};
use figure::paint::Paint;

use crate::graph::in_words;
use crate::results::{DatasetResults, MethodResults, Outcome, Score};

use super::diagnosis;
use super::panel::{content, effort};
use super::scores::{Standing, chief, words};
use super::spectra::eigenvalues;

/// The data of a data set, and a panel per method with time, chief scores and
/// eigenvalues.
pub(crate) fn page(results: &DatasetResults) -> Page<'_> {
    Page {
        title: words(&results.name),
        facts: format!(
            "{} points in {} dimensions{}{}",
            count(results.n),
            count(results.columns),
            noise(results),
            sample(results)
        ),
        text: &results.shows,
        data: &results.data,
        columns: results.columns,
        note: note(results),
        panels: results.methods.iter().map(|method| panel(results, method)).collect(),
    }
}

/// The figure of a disconnected data set: every method under each policy for components.
pub(crate) fn policies_page(results: &DatasetResults) -> Page<'_> {
    // The names are long and take the place of the time.
    let named = |row| Panel { name: by_policy(row), effort: String::new(), ..panel(results, row) };
    Page {
        title: format!("{}: policies for components", words(&results.name)),
        text: "Bridge joins the components by short edges, largest omits all but one, per-component maps each \
               alone and places them next to each other.",
        panels: results.policies.iter().map(named).collect(),
        ..page(results)
    }
}

/// The name of a method under a policy.
pub(crate) fn by_policy(row: &MethodResults) -> String {
    format!("{} {}", row.method, row.recipe["components"].as_str().unwrap_or_default())
}

/// The entry of a data set of the catalog; `None` for the user's own, of whatever name.
pub(crate) fn listed(results: &DatasetResults) -> Option<&'static Info> {
    find(&results.name).ok().filter(|info| info.shows == results.shows)
}

/// What is expected to go wrong on these data, where they are there to show a failure.
pub(crate) fn expected(results: &DatasetResults) -> Option<&'static str> {
    listed(results)?.failure
}

/// The noise of the data, where there is any.
pub(crate) fn noise(results: &DatasetResults) -> String {
    if results.noise > 0.0 {
        format!(", noise of standard deviation {}", results.noise)
    } else {
        String::new()
    }
}

/// Over how many rows measures are averaged, where these are a sample.
pub(crate) fn sample(results: &DatasetResults) -> String {
    let rows = results
        .measured_rows
        .map(|rows| format!("; measures of neighborhoods are averages over {} rows", count(rows)));
    rows.unwrap_or_default()
}

fn panel<'a>(results: &DatasetResults, method: &'a MethodResults) -> Panel<'a> {
    let standing = |chosen: &Score| Standing::of(&results.methods, method, &chosen.measure);
    let line = |chosen: &Score| Line {
        text: format!("{}{} {}", score(chosen.value), standing(chosen).mark(), words(&chosen.measure)),
        bold: standing(chosen).leads(),
    };
    Panel {
        name: method.method.clone(),
        effort: effort(results, method),
        content: content(method),
        lines: chief(method).into_iter().map(line).collect(),
        eigenvalues: eigenvalues(method).filter(|_| method.outcome == Outcome::Done),
    }
}

/// What holds for all panels: the shared graph, and how maps are turned for drawing.
pub(crate) fn note(results: &DatasetResults) -> String {
    let truth = results.data.truth.as_ref().map(|truth| truth.dim());
    let aligned = |method: &MethodResults| {
        method.embedding.as_ref().is_some_and(|embedding| Some(embedding.dim()) == truth)
    };
    let mut note = graph_sentence(results);
    if results.methods.iter().any(|method| method.embedding.as_ref().is_some_and(|map| map.dim() == 1)) {
        note.push_str(&format!(" Maps of one dimension are {}.", Paint::of(&results.data).against()));
    }
    if results.methods.iter().any(|method| method.spectrum.len() > method.dim) {
        note.push_str(" Dark bars are the eigenvalues behind a map, pale ones those after them.");
    }
    if results.methods.iter().any(aligned) {
        note.push_str(
            " Maps with as many dimensions as the true coordinates are rotated, and mirrored where needed, \
             to match these; no map is scaled to fit them.",
        );
    }
    note
}

/// The graph of methods that use the neighborhood of the run, in a sentence.
fn graph_sentence(results: &DatasetResults) -> String {
    let graph = &results.graph;
    let neighborhood = in_words(graph.neighborhood);
    let metric = match graph.metric.as_str() {
        "euclidean" => String::new(),
        other => format!(" by the metric {other}"),
    };
    let pieces = match graph.components.len() {
        0 | 1 => "connected".to_owned(),
        pieces => format!("{pieces} components"),
    };
    let recall = graph.recall.map(|recall| format!("; {recall}"));
    format!(
        "Neighbor graph of methods without a neighborhood of their own: {neighborhood}{metric}, {} edges, {pieces}, \
         found in {}{}.{}",
        count(graph.edges),
        duration(graph.seconds),
        recall.unwrap_or_default(),
        diagnosis::of_graph(graph).map(|sentence| format!(" {sentence}")).unwrap_or_default()
    )
}

#[cfg(test)]
mod tests {
    use figure::scene::{Anchor, Item};
    use figure::text::width;
    use figure::{Scene, dataset::dataset_scene, svg};

    use super::*;
    use crate::sample::results;

    fn scene_of(results: &DatasetResults) -> Scene {
        dataset_scene(&page(results), &Paint::of(&results.data))
    }

    /// The left and right end of every text.
    fn texts(scene: &Scene) -> Vec<(String, f64, f64)> {
        let ends = |item: &Item| match item {
            Item::Text { at, text, style, anchor } => {
                let wide = width(text, *style);
                let left = match anchor {
                    Anchor::Start => at[0],
                    Anchor::Middle => at[0] - 0.5 * wide,
                    Anchor::End => at[0] - wide,
                };
                Some((text.clone(), left, left + wide))
            }
            _ => None,
        };
        scene.items.iter().filter_map(ends).collect()
    }

    #[test]
    fn one_to_thirty_panels_and_every_word_fit_the_page() {
        for (name, count) in [
            ("swiss-roll", 1),
            ("digits", 2),
            ("hypercube", 3),
            ("helix", 7),
            ("swiss-roll", 21),
            ("swiss-roll", 30),
        ] {
            let results = results(name, 60, count);
            let scene = scene_of(&results);
            assert!(scene.width < 2400.0 && scene.height < 1600.0, "{name} {} {}", scene.width, scene.height);
            for (text, left, right) in texts(&scene) {
                assert!(left >= 0.0 && right <= scene.width, "{text:?} of {name}: {left} to {right}");
            }
            let panels = scene.items.iter().filter(|item| matches!(item, Item::Discs { .. })).count();
            assert!(panels >= count - count / 5, "{name}");
            assert_eq!(svg(&scene), svg(&scene_of(&results)));
        }
    }

    #[test]
    fn the_note_says_that_maps_are_rotated_where_they_are() {
        let roll = results("swiss-roll", 60, 3);
        assert!(note(&roll).contains("are rotated, and mirrored where needed"));
        assert!(!note(&results("digits", 60, 3)).contains("rotated"));
    }

    #[test]
    fn a_failure_says_why() {
        let scene = scene_of(&results("swiss-roll", 60, 5));
        let words: Vec<String> = texts(&scene).into_iter().map(|(text, ..)| text).collect();
        assert!(words.iter().any(|text| text == "failed"));
        assert!(words.join(" ").contains("use more neighbors"), "{words:?}");
    }
}
