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
    /// Stability over draws of the data, which `compare choose --per-point` writes
    Stability,
}

/// Fails for scores that a saved model does not have.
pub(super) fn check(scores: &[Score], model: &SavedModel) -> Result<(), Failure> {
    let method = model.method;
    if scores.contains(&Score::Stability) {
        return Err(Failure::usage(format!(
            "stability needs fits to draws of the data, and a model does not hold the settings of its fit; `compare \
             choose --methods {method} --per-point FILE` fits the draws and writes the stability of every row"
        )));
    }
    if scores.contains(&Score::Singularity) && !WITH_CURVATURES.contains(&method) {
        return Err(Failure::usage(format!(
            "singularity is the inverse of a curvature of the loss of t-SNE or UMAP, but this is a model of {method}; \
             leave it out of --scores"
        )));
    }
    Ok(())
}

/// The methods whose models have curvatures. densMAP adds a density term to the loss of UMAP.
const WITH_CURVATURES: [&str; 2] = ["tsne", "umap"];

/// The score of the places of the given rows, and what the scores of all places say, in a sentence. A
/// curvature of 0 has no inverse.
pub(super) fn scores(
    model: &SavedModel,
    map: &Embedding,
    rows: &[u32],
) -> Result<(Vec<Option<f64>>, String), Failure> {
    let curvatures = model.fitted.curvatures()?.unwrap_or_default();
    let mut scores = Vec::with_capacity(rows.len());
    let mut wanted = rows.iter().peekable();
    for (row, curvature) in map.input_rows().zip(&curvatures) {
        if wanted.next_if_eq(&&row).is_some() {
            scores.push((*curvature != 0.0).then_some(1.0 / curvature));
        }
    }
    let mut sorted = curvatures.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    let median = sorted.get(sorted.len() / 2).map_or(f64::NAN, |curvature| 1.0 / curvature);
    let (fraction, which) = if model.method == "tsne" {
        (singular_fraction(&curvatures), format!("above {}, or negative", 2.5 * curvatures.len() as f64))
    } else {
        let flat = sorted.partition_point(|curvature| *curvature <= 0.0) as f64;
        (flat / sorted.len() as f64, "negative: the loss is no minimum there".to_owned())
    };
    let sentence = format!(
        "Singularity score of {}: median {median:.3}. The scores of {} of the points are {which}. Many of them all over \
         the map mean that a larger neighborhood is needed; few at the rims of clusters are usual.\n",
        counted(curvatures.len(), "point", "points"),
        percent(fraction)
    );
    Ok((scores, sentence))
}
