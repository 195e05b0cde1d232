//! Presentation of measures: readable names and the direction that is better.

use crate::results::{MethodResults, Score};

/// Which values of a measure are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Larger values.
    Higher,
    /// Smaller values.
    Lower,
    /// Neither: the measure is descriptive.
    Neither,
}

/// Substrings of the names of measures for which higher is better.
const HIGHER: [&str; 8] =
    ["trustworthiness", "continuity", "accuracy", "silhouette", "correlation", "recall", "auc", "overlap"];

/// Substrings of the names of measures for which lower is better.
const LOWER: [&str; 8] =
    ["residual", "procrustes", "affine", "stress", "angle", "error", "divergence", "distortion"];

/// Returns which values of a measure are better, by its name.
pub fn better(measure: &str) -> Better {
    let has = |parts: &[&str]| parts.iter().any(|part| measure.contains(part));
    // For example, residual correlation: lower takes precedence.
    if has(&LOWER) {
        Better::Lower
    } else if has(&HIGHER) {
        Better::Higher
    } else {
        Better::Neither
    }
}

/// Replaces hyphens and underscores of a name by spaces.
pub fn words(name: &str) -> String {
    name.replace(['-', '_'], " ")
}

/// Returns up to three scores for the caption of a panel, most informative first.
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

/// Returns the best value of a measure among methods; `None` if the measure is
/// descriptive or fewer than two methods have it.
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
