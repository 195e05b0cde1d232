//! Images along the axes of maps.

use figure::cloud::ascending;
use figure::{Scene, axes_scene, paint::Paint};

use crate::results::{DatasetResults, MethodResults};

use super::diagnosis;
use super::scores::words;

/// The two maps of highest trustworthiness with at least two dimensions, where the data are
/// images; the best first.
pub(crate) fn most_trusted(results: &DatasetResults) -> Vec<&MethodResults> {
    if results.data.images.is_none_or(|shape| shape.is_empty()) {
        return Vec::new();
    }
    let planar = |method: &&MethodResults| method.embedding.as_ref().is_some_and(|map| map.dim() >= 2);
    let planar: Vec<&MethodResults> = results.methods.iter().filter(planar).collect();
    let falling: Vec<f64> =
        planar.iter().map(|method| -method.score("trustworthiness").unwrap_or(0.0)).collect();
    ascending(&falling).into_iter().take(2).map(|i| planar[i]).collect()
}

/// What the figure of a map shows.
pub(crate) fn title(results: &DatasetResults, method: &MethodResults) -> String {
    format!("{} on {}: images along the axes", method.method, words(&results.name))
}

/// The map of a method with images along its axes, and which true parameter follows which axis;
/// `None` without images or a map.
pub(crate) fn scene(results: &DatasetResults, method: &MethodResults, paint: &Paint) -> Option<Scene> {
    let (shape, map) = (results.data.images?, method.embedding.as_ref()?);
    let caption = format!(
        "The method's own axes, not rotated. A line joins each image to its marked point, the point \
         nearest to one of equal steps along an axis.{}",
        diagnosis::of_axes(results, method).map(|said| format!(" {said}")).unwrap_or_default()
    );
    Some(axes_scene(&results.data, shape, map, paint, &title(results, method), &caption))
}
