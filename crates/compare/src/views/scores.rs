//! Scores as a reader sees them.

use figure::number::score;
use serde_json::Value;

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
pub(crate) fn words(name: &str) -> String {
    name.replace(['-', '_'], " ")
}

/// The first three scores of a method in a fixed order of measures, for the
/// caption of its panel.
pub(crate) fn chief(method: &MethodResults) -> Vec<&Score> {
    let score = |name: &&str| method.scores.iter().find(|score| score.measure == **name);
    CHIEF.iter().filter_map(score).take(3).collect()
}

/// The number of points that a method placed; a component policy may leave some out.
pub(crate) fn placed(method: &MethodResults) -> usize {
    let some = method.facts.get("rows").and_then(Value::as_array);
    some.map_or(method.n, Vec::len)
}

/// Whether some maps have fewer points than others, with which they are not compared.
pub(crate) fn partial(methods: &[MethodResults]) -> bool {
    let mut counts = methods.iter().filter(|method| !method.scores.is_empty()).map(placed);
    let first = counts.next();
    counts.any(|count| Some(count) != first)
}

/// The values of a measure that are compared: the values of the maps with the most points.
fn compared(methods: &[MethodResults], measure: &str) -> Vec<f64> {
    let values = methods.iter().filter_map(|method| Some((placed(method), method.score(measure)?)));
    let most = values.clone().map(|(points, _)| points).max();
    values.filter(|(points, _)| Some(*points) == most).map(|(_, value)| value).collect()
}

/// The best value of a measure among methods; `None` where fewer than two methods
/// have it.
fn best(methods: &[MethodResults], measure: &str) -> Option<f64> {
    let values = compared(methods, measure);
    if values.len() < 2 {
        return None;
    }
    quality::measure(measure)?.better.best(values)
}

/// How a score compares with the scores of the other methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// The best.
    Best,
    /// Among several that are the best as shown, to the digits of [`score`].
    Tied,
    /// Another.
    Other,
}

impl Standing {
    /// The standing of a method's value among the methods that have the measure. No value stands out
    /// among fewer than two, where all values are equal, if the map has fewer points than another, or if
    /// even the best value is not in the best fifth of the measure's range.
    pub(crate) fn of(methods: &[MethodResults], method: &MethodResults, measure: &str) -> Self {
        let Some(value) = method.score(measure) else { return Self::Other };
        let good = |value: &f64| quality::measure(measure).is_some_and(|known| known.is_good(*value));
        let Some(best) = best(methods, measure).filter(good).map(score) else { return Self::Other };
        let larger = |other: &MethodResults| placed(other) > placed(method) && other.score(measure).is_some();
        if score(value) != best || methods.iter().any(larger) {
            return Self::Other;
        }
        let values = compared(methods, measure);
        match values.iter().filter(|value| score(**value) == best).count() {
            1 => Self::Best,
            tied if tied == values.len() => Self::Other,
            _ => Self::Tied,
        }
    }

    /// Whether no other method is better.
    pub(crate) fn leads(self) -> bool {
        self != Self::Other
    }

    /// What follows the number: a sign for ties.
    pub(crate) fn mark(self) -> &'static str {
        if self == Self::Tied { " =" } else { "" }
    }
}

/// Meaning, range and direction of a measure in one line; empty for a name that
/// is not among [`quality::measures`].
pub(crate) fn hint(measure: &str) -> String {
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
            [0, 1, 2, 3].map(|i| Standing::of(&methods, &methods[i], "trustworthiness"))
        };
        use Standing::{Best, Other, Tied};
        assert_eq!(standings([0.9, 0.8, 0.95, 0.1]), [Other, Other, Best, Other]);
        assert_eq!(standings([0.99951, 0.8, 0.99952, 0.1]), [Tied, Other, Tied, Other]);
        assert_eq!(standings([0.5; 4]), [Other; 4]);
        // The best of maps that all fail.
        assert_eq!(standings([0.5, 0.6, 0.79, 0.1]), [Other; 4]);
        assert_eq!((Tied.mark(), Best.mark()), (" =", ""));
    }

    #[test]
    fn maps_of_fewer_points_are_not_the_best() {
        let mut methods = sample::results("swiss-roll", 40, 3).methods;
        for (method, value) in methods.iter_mut().zip([0.9, 0.99, 0.8]) {
            method.scores = vec![Score { measure: "trustworthiness".to_owned(), value }];
        }
        assert!(!partial(&methods));
        methods[1].facts.insert("rows".to_owned(), (0..30).collect());
        let standings = methods.iter().map(|method| Standing::of(&methods, method, "trustworthiness"));
        assert_eq!(standings.collect::<Vec<_>>(), [Standing::Best, Standing::Other, Standing::Other]);
        assert!(partial(&methods));
        // Of one map of all points there is no best, whatever the others are.
        methods[2].facts.insert("rows".to_owned(), (0..30).collect());
        let standings = methods.iter().map(|method| Standing::of(&methods, method, "trustworthiness"));
        assert_eq!(standings.collect::<Vec<_>>(), [Standing::Other; 3]);
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
