//! The singularity scores of `compare trust`.

use clap::ValueEnum;
use embedding::Embedding;
use figure::number::{counted, percent};
use quality::trust::singular_fraction;

use crate::Failure;
use crate::cli::files::saved_model::SavedModel;

/// A score of the points of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Score {
    /// How far a point jumps when its data change a little
    Perturbation,
    /// Inverse of the smallest curvature of the loss at a point, of t-SNE and UMAP
    Singularity,
}

/// The curvatures of the loss at all points. Fails for a model that has none.
pub(super) fn curvatures(model: &SavedModel) -> Result<Vec<f64>, Failure> {
    model.fitted.curvatures()?.ok_or_else(|| {
        Failure::usage(format!(
            "singularity is the inverse of a curvature of the loss of t-SNE or UMAP, and this model of {} has no such \
             curvatures; leave it out of --scores",
            model.method
        ))
    })
}

/// The score of the places of the given rows, and what the scores say, in a sentence. A curvature of 0 has no
/// inverse.
pub(super) fn scores(
    model: &SavedModel,
    curvatures: &[f64],
    map: &Embedding,
    rows: &[u32],
) -> (Vec<Option<f64>>, String) {
    let mut scores = Vec::with_capacity(rows.len());
    let mut wanted = rows.iter().peekable();
    for (row, curvature) in map.input_rows().zip(curvatures) {
        if wanted.next_if_eq(&&row).is_some() {
            scores.push((*curvature != 0.0).then_some(1.0 / curvature));
        }
    }
    let median = median(&scores).map_or("undefined".to_owned(), |median| format!("{median:.3}"));
    // The published threshold is one of t-SNE, whose loss is a divergence.
    let is_divergence = model.fitted.report().facts.contains_key("kl_divergence");
    let (fraction, which) = if is_divergence {
        (singular_fraction(curvatures), format!("above {}, or negative", 2.5 * curvatures.len() as f64))
    } else {
        let negative = curvatures.iter().filter(|curvature| **curvature < 0.0).count() as f64;
        (negative / curvatures.len() as f64, "negative: the loss is no minimum there".to_owned())
    };
    let sentence = format!(
        "Singularity score of {}: median {median}. The scores of {} of all {} are {which}. Many of them all over \
         the map mean that a larger neighborhood is needed; few at the rims of clusters are usual.\n",
        counted(scores.len(), "point", "points"),
        percent(fraction),
        counted(curvatures.len(), "point", "points"),
    );
    (scores, sentence)
}

/// The median of the scores that are defined: the mean of the two middle ones of an even number.
pub(super) fn median(scores: &[Option<f64>]) -> Option<f64> {
    let mut sorted: Vec<f64> = scores.iter().flatten().copied().collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let upper = *sorted.get(sorted.len() / 2)?;
    Some(if sorted.len().is_multiple_of(2) { (sorted[sorted.len() / 2 - 1] + upper) / 2.0 } else { upper })
}
