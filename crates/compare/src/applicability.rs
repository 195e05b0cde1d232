//! Whether a method applies to a data set.

use embedding::implement::Value as _;
use embedding::{DataKind, DynMethod, Error, Rows};
use figure::number::counted;
use neighbor_graph::{Components, Neighbors, components};
use serde_json::Value;

use crate::measures::EvaluationData;
use crate::methods::values;

/// The reason why a method with its parameters does not apply to the data, if there is one: it
/// needs classes, or more of them, or all values, or cannot use the metric. A target dimension that was not
/// chosen is lowered where there are few classes.
pub(crate) fn inapplicable(
    method: &dyn DynMethod,
    dim_chosen: bool,
    known: EvaluationData<'_>,
) -> Option<String> {
    let about = method.about();
    if known.metric.is_mixed() && method.reads_coordinates() {
        return Some(format!(
            "reads coordinates, which rows compared by {} do not have; --categories indicators makes some of words",
            known.metric
        ));
    }
    if !known.metric.is_euclidean() && !about.accepts.contains(&DataKind::Distances) {
        return Some(format!(
            "reads coordinates and no distances, so that the metric {} means nothing to it",
            known.metric
        ));
    }
    if about.needs_labels {
        let Some(labels) = known.labels else {
            return Some("needs labels, and this data has none".to_owned());
        };
        let unknown = labels.iter().filter(|label| label.is_none()).count();
        if unknown > 0 {
            return Some(format!("needs a class per point, and {unknown} of {} are unknown", labels.len()));
        }
        let mut classes = labels.to_vec();
        classes.sort_unstable();
        classes.dedup();
        if let [_] = classes[..] {
            return Some("needs at least 2 classes, and this data has 1".to_owned());
        }
        let dim = values(method).get("dim").and_then(Value::as_u64).unwrap_or(0) as usize;
        if dim_chosen && classes.len() <= dim {
            return Some(format!(
                "{} are separated in at most {}; the map has {dim}, see --set {}.dim",
                counted(classes.len(), "class", "classes"),
                counted(classes.len().saturating_sub(1), "dimension", "dimensions"),
                about.name
            ));
        }
    }
    (matches!(known.points, Rows::Sparse(_)) && !method.accepts_sparse()).then(|| {
        format!(
            "needs the zeros of these points, which are too many to be read unasked; --methods {} reads them",
            about.name
        )
    })
}

/// The reason why a fit failed because of the number of points, if it did: the method needs more
/// points, or the default of a parameter is out of range for them.
pub(crate) fn too_few(method: &dyn DynMethod, error: &Error) -> Option<String> {
    let own = method.about().name;
    match error {
        Error::TooFewPoints { .. } => Some(error.to_string()),
        Error::Parameter { name, .. } => {
            let usual = swissroll::method(own)?;
            (values(method).get(*name)? == values(usual.as_ref()).get(*name)?)
                .then(|| format!("{error}; see --set {own}.{name}"))
        }
        _ => None,
    }
}

/// Whether the method refuses disconnected graphs, and the graph of the lists is disconnected. A method
/// that adds edges of its own can have a connected graph nevertheless.
pub(crate) fn refuses(method: &dyn DynMethod, lists: &Neighbors) -> bool {
    let reject = Components::Reject.show();
    method.parameters().iter().any(|info| info.name == "components" && info.value == reject)
        && components(lists).sizes.len() > 1
}

/// A sentence on a disconnected graph that a method refused, and what can be done.
pub(crate) fn disconnected(components: usize, largest: usize) -> String {
    format!(
        "the graph has {components} components, the largest of {}; --components bridge, largest or \
         per-component says what to do with them",
        counted(largest, "point", "points")
    )
}
