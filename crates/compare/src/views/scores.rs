//! Scores as a reader sees them.

use crate::figure::number::score;
use crate::results::{MethodResults, Score};

/// Measures in the order in which they are chosen for the caption of a panel.
pub(super) const CHIEF: [&str; 7] = [
    "trustworthiness",
    "procrustes",
    "affine",
    "knn_accuracy",
    "silhouette",
    "continuity",
    "residual_variance",
];

/// The name with spaces for hyphens and underscores.
pub fn words(name: &str) -> String {
    name.replace(['-', '_'], " ")
}

/// The first three scores of a method in a fixed order of measures, for the
/// caption of its panel.
pub fn chief(method: &MethodResults) -> Vec<&Score> {
    let score = |name: &&str| method.scores.iter().find(|score| score.measure == **name);
    CHIEF.iter().filter_map(score).take(3).collect()
}

/// The best value of a measure among methods; none where fewer than two methods
/// have it.
fn best(methods: &[MethodResults], measure: &str) -> Option<f64> {
    let values: Vec<f64> = methods.iter().filter_map(|method| method.score(measure)).collect();
    if values.len() < 2 {
        return None;
    }
    quality::measure(measure)?.better.best(values)
}

/// How a score compares with those of the other methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The best.
    Best,
    /// Among several that are the best as shown, to the digits of [`score`].
    Tied,
    /// Another.
    Other,
}

impl Standing {
    /// The standing of a value among the methods that have the measure; none stands out
    /// among fewer than two, or where all have the same.
    pub fn of(methods: &[MethodResults], measure: &str, value: f64) -> Self {
        let Some(best) = best(methods, measure).map(score) else { return Self::Other };
        if score(value) != best {
            return Self::Other;
        }
        let values: Vec<f64> = methods.iter().filter_map(|method| method.score(measure)).collect();
        match values.iter().filter(|value| score(**value) == best).count() {
            1 => Self::Best,
            tied if tied == values.len() => Self::Other,
            _ => Self::Tied,
        }
    }

    /// Whether no other method is better.
    pub fn leads(self) -> bool {
        self != Self::Other
    }

    /// What follows the number: a sign for ties.
    pub fn mark(self) -> &'static str {
        if self == Self::Tied { " =" } else { "" }
    }
}

/// Meaning, range and direction of a measure in one line; empty for a name that
/// is not among [`quality::measures`].
pub fn hint(measure: &str) -> String {
    quality::measure(measure)
        .map_or_else(String::new, |m| format!("{}; {}, {}", m.meaning, m.range, m.better))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn chief_scores_are_measures() {
        for name in CHIEF {
            assert!(quality::measure(name).is_some(), "{name}");
        }
    }

    #[test]
    fn ties_are_ties_to_the_digits_shown() {
        let mut methods = sample::results("swiss-roll", 40, 4).methods;
        let mut standings = |values: [f64; 4]| {
            for (method, value) in methods.iter_mut().zip(values) {
                method.scores = vec![Score { measure: "trustworthiness".to_owned(), value }];
            }
            values.map(|value| Standing::of(&methods, "trustworthiness", value))
        };
        use Standing::{Best, Other, Tied};
        assert_eq!(standings([0.9, 0.8, 0.95, 0.1]), [Other, Other, Best, Other]);
        assert_eq!(standings([0.99951, 0.8, 0.99952, 0.1]), [Tied, Other, Tied, Other]);
        assert_eq!(standings([0.5; 4]), [Other; 4]);
        assert_eq!((Tied.mark(), Best.mark()), (" =", ""));
    }

    #[test]
    fn the_direction_is_that_of_the_measure() {
        let mut methods = sample::results("swiss-roll", 40, 3).methods;
        for (measure, expected) in [("trustworthiness", 0.8), ("angle_error", 0.2)] {
            for (method, value) in methods.iter_mut().zip([0.2, 0.8, 0.5]) {
                method.scores = vec![Score { measure: measure.to_owned(), value }];
            }
            assert_eq!(best(&methods, measure), Some(expected));
            assert_eq!(best(&methods[..1], measure), None);
        }
        // A name that only sounds like a measure has no direction.
        for method in &mut methods {
            method.scores[0].measure = "intrinsic-accuracy".to_owned();
        }
        assert_eq!(best(&methods, "intrinsic-accuracy"), None);
    }
}
