//! The choice among settings of a method, by declared criteria.

use serde::{Deserialize, Serialize};

use crate::Better;

/// A criterion of [`choose`].
#[derive(Clone, Copy, Debug)]
pub struct Criterion {
    /// The name, as in [`Criteria`].
    pub name: &'static str,
    /// What is measured, as a noun phrase.
    pub meaning: &'static str,
    /// Which values are better.
    pub better: Better,
    /// The smallest difference that counts in full.
    pub resolution: f64,
    value: fn(&Criteria) -> Option<f64>,
}

impl Criterion {
    /// The value of a setting; `None` where it is not known, or not finite.
    pub fn of(&self, criteria: &Criteria) -> Option<f64> {
        (self.value)(criteria).filter(|value| value.is_finite())
    }
}

/// The criteria of [`choose`], in the order in which they are reported. None of them needs a truth.
pub const CRITERIA: [Criterion; 5] = [
    Criterion {
        name: "area",
        meaning: "preservation of neighborhoods of all sizes (area under R_NX)",
        better: Better::Higher,
        resolution: 0.05,
        value: |criteria| criteria.area,
    },
    Criterion {
        name: "reconstruction",
        meaning: "error of rows that are reconstructed from the map by its inverse",
        better: Better::Lower,
        resolution: 0.05,
        value: |criteria| criteria.reconstruction,
    },
    Criterion {
        name: "stability",
        meaning: "stability over draws of the rows",
        better: Better::Higher,
        resolution: 0.05,
        value: |criteria| criteria.stability,
    },
    Criterion {
        name: "pbic",
        meaning: "Kullback–Leibler divergence with a penalty of the perplexity",
        better: Better::Lower,
        resolution: 0.05,
        value: |criteria| criteria.pbic,
    },
    Criterion {
        name: "singular",
        meaning: "fraction of points whose place is nearly undetermined",
        better: Better::Lower,
        resolution: 0.05,
        value: |criteria| criteria.singular,
    },
];

/// The values of the criteria of one setting; `None` where a criterion does not apply or failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Criteria {
    /// The area under R_NX, at most 1.
    pub area: Option<f64>,
    /// The error of reconstructed rows relative to the spread of the data, at least 0.
    pub reconstruction: Option<f64>,
    /// The stability over draws, 0 to 1.
    pub stability: Option<f64>,
    /// 2 KL + ln(n) · perplexity / n, for t-SNE: [`pbic`].
    pub pbic: Option<f64>,
    /// The fraction of singular points, 0 to 1, for t-SNE: [`singular_fraction`].
    pub singular: Option<f64>,
}

/// The setting that [`choose`] prefers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// The index of the preferred setting.
    pub preferred: usize,
    /// The mean loss of each setting, 0 to 1; 1 for a setting without criteria.
    pub losses: Vec<f64>,
    /// The criteria that prefer another setting, by name, each with the index of that setting.
    pub disagreements: Vec<(String, usize)>,
}

/// Loss at the preferred setting above which a criterion disagrees.
const DISAGREES: f64 = 0.5;

/// Chooses among settings of a method.
///
/// *Rule.* For each criterion that at least two settings have, the loss of a setting is its distance from
/// the best value, divided by the distance of the worst value, or by the [`Criterion::resolution`] where
/// this is larger. Losses lie between 0 and 1; a setting without a value, because a fit to a draw failed,
/// has loss 1. The setting with the smallest mean loss is preferred, the first one among equals. A
/// criterion disagrees where its loss at the preferred setting exceeds one half.
///
/// All criteria have the same weight. The division by the range keeps a criterion with small numbers from
/// vanishing, and the resolution keeps noise from counting in full.
///
/// Returns `None` where no criterion has a value at any setting.
///
/// ```
/// use quality::trust::{Criteria, choose};
/// let of = |area, stability| Criteria { area: Some(area), stability: Some(stability), ..Criteria::default() };
/// let choice = choose(&[of(0.50, 0.4), of(0.55, 0.9), of(0.30, 0.95)]).expect("there are criteria");
/// assert_eq!(choice.preferred, 1);
/// assert!(choice.disagreements.is_empty());
/// ```
pub fn choose(settings: &[Criteria]) -> Option<Choice> {
    let mut sums = vec![0.0; settings.len()];
    let mut counted = Vec::new();
    for criterion in &CRITERIA {
        let values: Vec<Option<f64>> = settings.iter().map(|setting| criterion.of(setting)).collect();
        let known = || values.iter().flatten().copied();
        let (Some(best), 2..) = (criterion.better.best(known()), known().count()) else { continue };
        let range = known().map(|value| (value - best).abs()).fold(criterion.resolution, f64::max);
        let loss = |value: &Option<f64>| match value {
            Some(value) => (value - best).abs() / range,
            None => 1.0,
        };
        let losses: Vec<f64> = values.iter().map(loss).collect();
        sums.iter_mut().zip(&losses).for_each(|(sum, loss)| *sum += loss);
        counted.push((criterion.name, losses));
    }
    if counted.is_empty() {
        let only = settings.iter().position(|setting| CRITERIA.iter().any(|c| c.of(setting).is_some()))?;
        let losses = (0..settings.len()).map(|at| if at == only { 0.0 } else { 1.0 }).collect();
        return Some(Choice { preferred: only, losses, disagreements: Vec::new() });
    }
    let losses: Vec<f64> = sums.iter().map(|sum| sum / counted.len() as f64).collect();
    let preferred = smallest(&losses);
    let other = |(name, own): &(&str, Vec<f64>)| {
        (own[preferred] > DISAGREES).then(|| ((*name).to_owned(), smallest(own)))
    };
    let disagreements = counted.iter().filter_map(other).collect();
    Some(Choice { preferred, losses, disagreements })
}

impl Choice {
    /// The reasons in sentences, one for each criterion that compares settings. `names` are the names of
    /// the settings, such as "k = 10".
    pub fn reasons(&self, settings: &[Criteria], names: &[String]) -> Vec<String> {
        let sentence = |criterion: &Criterion| {
            let value = |at: usize| settings.get(at).and_then(|setting| criterion.of(setting));
            let name = |at: usize| names.get(at).map_or("another setting", String::as_str);
            let known: Vec<usize> = (0..settings.len()).filter(|at| value(*at).is_some()).collect();
            let worse = |a: f64, b: f64| match criterion.better {
                Better::Higher => a < b,
                Better::Lower => a > b,
            };
            let extreme = |is_more: &dyn Fn(f64, f64) -> bool| {
                known.iter().copied().reduce(|at, next| match (value(at), value(next)) {
                    (Some(a), Some(b)) if is_more(b, a) => next,
                    _ => at,
                })
            };
            let (best, worst) = (extreme(&|a, b| worse(b, a))?, extreme(&worse)?);
            let shown =
                |at: usize| value(at).map_or_else(|| "unknown".to_owned(), |value| format!("{value:.3}"));
            let (meaning, preferred) = (criterion.meaning, self.preferred);
            if known.len() < 2 {
                return None;
            }
            Some(if value(best) == value(worst) {
                format!("The {meaning} is the same at all settings ({}).", shown(best))
            } else if value(best) == value(preferred) {
                format!(
                    "The {meaning} is best at {} ({}) and worst at {} ({}).",
                    name(preferred),
                    shown(preferred),
                    name(worst),
                    shown(worst)
                )
            } else if self.disagreements.iter().any(|(other, _)| other == criterion.name) {
                format!(
                    "The {meaning} disagrees: it is best at {} ({}), and {} at {}.",
                    name(best),
                    shown(best),
                    shown(preferred),
                    name(preferred)
                )
            } else {
                format!(
                    "The {meaning} is {} at {}, near the best ({} at {}).",
                    shown(preferred),
                    name(preferred),
                    shown(best),
                    name(best)
                )
            })
        };
        CRITERIA.iter().filter_map(sentence).collect()
    }
}

/// The index of the first smallest value.
fn smallest(values: &[f64]) -> usize {
    (0..values.len()).fold(0, |best, at| if values[at] < values[best] { at } else { best })
}

/// The score of a t-SNE map by which perplexities are compared, 2 KL + ln(n) · perplexity / n; smaller is
/// better.
///
/// *Idea.* A larger perplexity always lowers the divergence. The penalty is the Bayesian information
/// criterion's, with the perplexity as the number of parameters.
///
/// *Reference.* Cao and Wang, Automatic selection of t-SNE perplexity, arXiv:1708.03229 (2017).
pub fn pbic(divergence: f64, perplexity: f64, n: usize) -> f64 {
    let n = n as f64;
    2.0 * divergence + n.ln() * perplexity / n
}

/// Singularity scores above this multiple of n mark singular points: 2,000 for n = 800, as published.
const SINGULAR: f64 = 2.5;

/// The fraction of points of a t-SNE map that are singular: those whose smallest curvature of the loss is
/// below 1 / (2.5 n). Curvatures are proportional to 1/n, since the probabilities of all pairs sum to one.
/// 0 for no curvatures.
///
/// *Reference.* Liu, Ma and Zhong, Nature Communications 16:5037 (2025), doi:10.1038/s41467-025-60434-9,
/// who count scores above 2,000 for n = 800.
pub fn singular_fraction(curvatures: &[f64]) -> f64 {
    let n = curvatures.len().max(1) as f64;
    curvatures.iter().filter(|curvature| **curvature * SINGULAR * n < 1.0).count() as f64 / n
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(area: f64, reconstruction: f64, stability: Option<f64>) -> Criteria {
        Criteria { area: Some(area), reconstruction: Some(reconstruction), stability, ..Criteria::default() }
    }

    /// A setting whose draws cannot be fitted loses this criterion.
    #[test]
    fn a_missing_value_is_the_worst() {
        let choice = choose(&[of(0.5, 0.1, None), of(0.5, 0.1, Some(0.2)), of(0.5, 0.1, Some(0.1))]);
        let choice = choice.expect("there are criteria");
        assert_eq!(choice.preferred, 1);
        assert_eq!(choice.losses[0], 1.0 / 3.0);
    }

    /// Differences below the resolution do not outweigh others.
    #[test]
    fn small_differences_count_little() {
        let choice = choose(&[of(0.5, 0.3, None), of(0.501, 0.9, None)]).expect("there are criteria");
        assert_eq!(choice.preferred, 0);
        assert!(choice.disagreements.is_empty(), "{choice:?}");
    }

    #[test]
    fn a_criterion_that_prefers_another_setting_disagrees() {
        let settings = [of(0.2, 0.1, Some(0.9)), of(0.6, 0.5, Some(0.3))];
        let choice = choose(&settings).expect("there are criteria");
        assert_eq!(choice.preferred, 0);
        assert_eq!(choice.disagreements, [("area".to_owned(), 1)]);
        let permuted = choose(&[settings[1], settings[0]]).expect("there are criteria");
        assert_eq!((permuted.preferred, &permuted.disagreements[0].1), (1, &0));
    }

    /// A Swiss roll of 1,000 points (seed 0), four draws of 800, recorded on 2026-11-29: k = 10 is preferred to
    /// 5 and 30 for Isomap, LLE and LTSA. With 30 neighbors Isomap and LTSA are the most stable, and flatten
    /// the roll: stability alone would choose them.
    #[test]
    fn ten_neighbors_are_preferred_for_a_roll() {
        let isomap =
            [of(0.647, 0.0495, Some(0.877)), of(0.710, 0.0291, Some(0.973)), of(0.395, 0.486, Some(0.991))];
        let lle =
            [of(0.314, 0.480, Some(0.490)), of(0.557, 0.0225, Some(0.840)), of(0.350, 0.559, Some(0.919))];
        let ltsa =
            [of(0.300, 0.195, Some(0.851)), of(0.491, 0.0297, Some(0.9996)), of(0.426, 0.691, Some(0.995))];
        for settings in [isomap, lle, ltsa] {
            let choice = choose(&settings).expect("there are criteria");
            assert_eq!(choice.preferred, 1, "{choice:?}");
            assert!(choice.disagreements.is_empty(), "{choice:?}");
        }
        let names = [5, 10, 30].map(|k| format!("k = {k}"));
        let reasons = choose(&isomap).expect("there are criteria").reasons(&isomap, &names);
        assert_eq!(
            reasons,
            [
                "The preservation of neighborhoods of all sizes (area under R_NX) is best at k = 10 (0.710) and \
                 worst at k = 30 (0.395).",
                "The error of rows that are reconstructed from the map by its inverse is best at k = 10 (0.029) and \
                 worst at k = 30 (0.486).",
                "The stability over draws of the rows is 0.973 at k = 10, near the best (0.991 at k = 30).",
            ]
        );
    }

    #[test]
    fn nothing_is_chosen_without_criteria() {
        assert_eq!(choose(&[]), None);
        assert_eq!(choose(&[Criteria::default(); 3]), None);
        let one = choose(&[Criteria::default(), of(0.5, 0.3, None)]).expect("one has criteria");
        assert_eq!((one.preferred, one.losses), (1, vec![1.0, 0.0]));
        let nan = choose(&[of(f64::NAN, 0.3, None), of(0.4, 0.1, None)]).expect("there are criteria");
        assert_eq!(nan.preferred, 1);
    }

    /// The published counts of eight Gaussians: 564 of 800 scores above 2,000.
    #[test]
    fn points_are_singular_above_the_published_threshold() {
        let curvatures: Vec<f64> =
            (0..800).map(|i| if i < 564 { 1.0 / 2001.0 } else { 1.0 / 1999.0 }).collect();
        assert_eq!(singular_fraction(&curvatures), 564.0 / 800.0);
        assert_eq!(singular_fraction(&[-1.0, 1.0]), 0.5);
        assert_eq!(singular_fraction(&[]), 0.0);
    }
}
