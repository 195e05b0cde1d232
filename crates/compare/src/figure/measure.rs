//! What a score means to a reader: its words, and which end is good.

use crate::results::{MethodResults, Score};

/// Which values of a measure are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Large ones.
    Higher,
    /// Small ones.
    Lower,
    /// It describes, and does not judge.
    Neither,
}

/// Parts of names of measures that grow with quality.
const HIGHER: [&str; 8] =
    ["trustworthiness", "continuity", "accuracy", "silhouette", "correlation", "recall", "auc", "overlap"];

/// Parts of names of measures that shrink with quality.
const LOWER: [&str; 8] =
    ["residual", "procrustes", "affine", "stress", "angle", "error", "divergence", "distortion"];

/// Which end of a measure is good, by its name.
pub fn better(measure: &str) -> Better {
    let has = |parts: &[&str]| parts.iter().any(|part| measure.contains(part));
    // An accuracy of a residual does not exist, a residual correlation does.
    if has(&LOWER) {
        Better::Lower
    } else if has(&HIGHER) {
        Better::Higher
    } else {
        Better::Neither
    }
}

/// The name with spaces for hyphens and underscores.
pub fn words(name: &str) -> String {
    name.replace(['-', '_'], " ")
}

/// Up to three scores that say most, for the caption of a panel.
pub fn chief(method: &MethodResults) -> Vec<&Score> {
    const ORDER: [&str; 7] = [
        "trustworthiness",
        "procrustes",
        "affine",
        "knn_accuracy",
        "silhouette",
        "continuity",
        "residual_variance",
    ];
    let score =
        |name: &&str| method.scores.iter().find(|score| score.measure == **name && score.value.is_finite());
    let mut chosen: Vec<&Score> = ORDER.iter().filter_map(score).collect();
    chosen.truncate(3);
    chosen
}

/// The best value of a measure among methods; none where it does not judge or
/// where fewer than two methods have it.
pub fn best(methods: &[MethodResults], measure: &str) -> Option<f64> {
    let values = methods.iter().filter_map(|method| method.score(measure)).filter(|value| value.is_finite());
    let values: Vec<f64> = values.collect();
    if values.len() < 2 {
        return None;
    }
    match better(measure) {
        Better::Higher => values.into_iter().reduce(f64::max),
        Better::Lower => values.into_iter().reduce(f64::min),
        Better::Neither => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_which_end_is_good() {
        assert_eq!(better("trustworthiness"), Better::Higher);
        assert_eq!(better("procrustes"), Better::Lower);
        assert_eq!(better("residual-variance"), Better::Lower);
        assert_eq!(better("knn_accuracy"), Better::Higher);
        assert_eq!(better("intrinsic-dimension"), Better::Neither);
    }
}
