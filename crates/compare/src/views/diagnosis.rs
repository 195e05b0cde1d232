//! What spoils a map: the sentences of [`quality::diagnosis`] for results of a run.

use datasets::Geometry;
use embedding::{Embedding, PointSet};
use quality::diagnosis::{Found, Shape, axes, by_truth, classes, collapse, shortcuts};

use crate::results::{DatasetResults, GraphFacts, MethodResults};

/// Edges between layers of the manifold, which were found or removed, or are known from
/// true coordinates.
pub(crate) fn of_graph(graph: &GraphFacts) -> Option<String> {
    shortcuts(graph.shortcuts, graph.true_shortcuts, became(graph.cut))
}

/// What became of shortcut edges, by the stretch from which on they were removed.
pub(crate) fn became(cut: Option<f64>) -> Found<'static> {
    cut.map_or(Found::Kept { remedy: "see --cut-shortcuts" }, |_| Found::Removed)
}

/// What spoils the map of a method, from its coordinates, the true ones and the classes; and which
/// axis follows which true parameter, where the data have parameters.
pub(crate) fn of_map(results: &DatasetResults, method: &MethodResults) -> Vec<String> {
    let Some(map) = &method.embedding else { return Vec::new() };
    let shape = if results.data.truth_has_shape() { Shape::Known } else { Shape::Free };
    let placed = truth(results, method, map);
    let wrong = placed.map(|truth| by_truth(map, truth.view(), shape)).unwrap_or_default();
    let overlap = || {
        let labels = results.data.labels.first()?;
        classes(map, &labels.known(), &labels.classes).ok().flatten()
    };
    let sentences = collapse(map).into_iter().chain(wrong).chain(overlap());
    sentences.chain(of_axes(results, method)).collect()
}

/// Which axis of the map follows which true parameter, where the data have parameters.
pub(crate) fn of_axes(results: &DatasetResults, method: &MethodResults) -> Option<String> {
    let map = method.embedding.as_ref()?;
    let parameters = truth(results, method, map).filter(|_| results.data.geometry == Geometry::Parameters)?;
    axes(map, parameters.view(), &results.data.truth_names)
}

/// The true coordinates of the rows of a map.
fn truth(results: &DatasetResults, method: &MethodResults, map: &Embedding) -> Option<PointSet> {
    let truth = results.data.global_truth().filter(|truth| method.n == truth.len())?;
    Some(map.placed_rows().map_or_else(|| truth.to_owned(), |rows| truth.select(rows)))
}

#[cfg(test)]
mod tests {
    use faer::Mat;

    use super::*;
    use crate::sample::results;

    #[test]
    fn a_map_that_is_the_truth_with_one_axis_stretched_is_named() {
        let set = results("swiss-roll", 60, 1);
        let truth = set.data.global_truth().expect("a roll");
        let mut method = set.methods[0].clone();
        let stretch = |factor: f64| {
            let value = |i: usize, j: usize| truth.row(i)[j] * if j == 0 { 1.0 } else { factor };
            Some(Embedding::new(Mat::from_fn(truth.len(), 2, value)))
        };
        method.embedding = stretch(1.0);
        assert_eq!(of_map(&set, &method), Vec::<String>::new());
        method.embedding = stretch(9.0);
        let said = of_map(&set, &method);
        assert!(said.len() == 1 && said[0].contains("similarity error"), "{said:?}");
        method.embedding = None;
        assert_eq!(of_map(&set, &method), Vec::<String>::new());
    }
}
