//! Diagnoses: sentences that name what spoils a map, one function per cause, from what
//! was measured.

use crate::figure::number::{count, counted};
use crate::figure::{concentrated, plane};
use crate::results::{GraphFacts, MethodResults};

/// Edges between layers of the manifold, which were found or removed, or are known from
/// true coordinates.
pub fn shortcuts(graph: &GraphFacts) -> Option<String> {
    let found = graph.shortcuts.and_then(|found| probable_shortcuts(found, graph.cut.is_some()));
    let known = graph.true_shortcuts.filter(|known| *known > 0).map(|known| {
        let edges = counted(known, "edge", "edges");
        let verb = if known == 1 { "is a shortcut" } else { "are shortcuts" };
        let advice = match (&found, graph.cut) {
            (None, None) => ", which distances alone do not reveal; use fewer neighbors",
            (_, Some(_)) => " and still in the graph; use fewer neighbors",
            (Some(_), None) => "",
        };
        format!("By the true coordinates, {edges} {verb}{advice}.")
    });
    let sentences: Vec<String> = found.into_iter().chain(known).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// Probable shortcut edges, which are in the graph or were removed; nothing if there are
/// none.
pub fn probable_shortcuts(found: usize, removed: bool) -> Option<String> {
    match (found, removed) {
        (0, _) => None,
        (1, false) => Some("One probable shortcut edge (see --cut-shortcuts).".to_owned()),
        (many, false) => Some(format!("{many} probable shortcut edges (see --cut-shortcuts).")),
        (1, true) => Some("One more edge, a probable shortcut, was removed.".to_owned()),
        (many, true) => Some(format!("{many} more edges, probable shortcuts, were removed.")),
    }
}

/// A map whose extent is that of a few points: more than half are within 1 % of it.
pub fn collapse(method: &MethodResults) -> Option<String> {
    let points = plane(method.embedding.as_ref()?.coordinates());
    let close = concentrated(&points);
    (2 * close > points.len()).then(|| {
        format!(
            "{} of {} are within 1 % of the extent of the map, which the other {} determine.",
            count(close),
            counted(points.len(), "point", "points"),
            count(points.len() - close)
        )
    })
}

#[cfg(test)]
mod tests {
    use embedding::Embedding;
    use faer::Mat;

    use super::*;
    use crate::sample::results;

    #[test]
    fn a_collapsed_map_is_named_with_its_counts() {
        let mut method = results("swiss-roll", 60, 1).methods.remove(0);
        assert_eq!(collapse(&method), None);
        let far = |i: usize, j: usize| if i < 2 { 1e4 * (i + 1) as f64 } else { (i * (j + 1) % 7) as f64 };
        method.embedding = Some(Embedding::new(Mat::from_fn(60, 2, far)));
        let said = collapse(&method).expect("a sentence");
        assert!(said.contains("58 of 60 points") && said.contains("the other 2"), "{said}");
        method.embedding = None;
        assert_eq!(collapse(&method), None);
    }

    #[test]
    fn shortcuts_are_counted_by_distances_and_by_truth() {
        let said = |found, known, cut| {
            let mut graph = results("swiss-roll", 60, 1).graph;
            (graph.shortcuts, graph.true_shortcuts, graph.cut) = (found, known, cut);
            shortcuts(&graph)
        };
        assert_eq!(said(Some(0), Some(0), None), None);
        assert_eq!(said(None, None, None), None);
        let one = said(Some(1), None, None).expect("a sentence");
        assert_eq!(one, "One probable shortcut edge (see --cut-shortcuts).");
        let both = said(Some(11), Some(12), None).expect("a sentence");
        assert!(both.contains("11 probable") && both.contains("12 edges are shortcuts."), "{both}");
        let missed = said(Some(0), Some(1), None).expect("a sentence");
        assert!(missed.contains("1 edge is a shortcut, which distances alone do not reveal"), "{missed}");
        let cut = said(Some(12), Some(0), Some(5.0)).expect("a sentence");
        assert_eq!(cut, "12 more edges, probable shortcuts, were removed.");
        let rest = said(Some(12), Some(2), Some(5.0)).expect("a sentence");
        assert!(rest.contains("2 edges are shortcuts and still in the graph"), "{rest}");
    }
}
