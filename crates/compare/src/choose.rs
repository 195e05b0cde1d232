//! The choice among values of one parameter of a method, by fits to the data and to draws of them.

use embedding::{DynMethod, DynModel, Error, Input, PointSet};
use quality::trust::{
    Choice, Criteria, Stability, Structure, StructureFound, area, choose, pbic, singular_fraction,
};
use regression::{LeaveOut, LocalBarycentric};
use serde::Serialize;

use crate::methods::{Setting, configured};
use crate::progress::Progress;
use crate::{Failure, measures};

/// What settings of one method are compared by.
pub(crate) struct Comparison<'a> {
    /// The points, with memory limit and observer.
    pub(crate) input: Input<'a>,
    pub(crate) stability: Stability,
    pub(crate) structure: Structure,
    pub(crate) progress: &'a Progress,
}

/// The settings of one method, with the preferred one.
#[derive(Serialize)]
pub(crate) struct MethodChoice {
    pub(crate) method: &'static str,
    /// The parameter that varies.
    pub(crate) parameter: &'static str,
    pub(crate) settings: Vec<Compared>,
    /// The index of the preferred setting among those that show structure; `None` where none does.
    pub(crate) preferred: Option<usize>,
    /// The criteria that prefer another setting.
    pub(crate) disagreements: Vec<String>,
    /// The stability of the preferred setting over seeds alone, where the method has a seed.
    pub(crate) stability_over_seeds: Option<f64>,
    /// The verdict and its reasons.
    pub(crate) sentences: Vec<String>,
}

/// One setting.
#[derive(Default, Serialize)]
pub(crate) struct Compared {
    /// The value of the parameter.
    pub(crate) value: String,
    /// The criteria; all unknown where the fit failed.
    pub(crate) criteria: Criteria,
    /// The mean loss, 0 to 1, of a setting that was fitted: among the settings that were left when it was last
    /// compared.
    pub(crate) loss: Option<f64>,
    /// The comparison with permuted columns, where it was made.
    pub(crate) structure: Option<StructureFound>,
    /// Why the fit, or a criterion, has no result.
    pub(crate) failures: Vec<String>,
    /// The stability of each row.
    #[serde(skip)]
    pub(crate) stabilities: Vec<Option<f64>>,
    #[serde(skip)]
    fitted: Option<Box<dyn DynModel>>,
}

impl Comparison<'_> {
    /// Compares values of a parameter. A setting that cannot be fitted is no candidate; its reason is
    /// stated. The structure is tested at the preferred setting, and at the next ones until one shows
    /// some.
    pub(crate) fn of(
        &self,
        method: &dyn DynMethod,
        parameter: &'static str,
        values: &[String],
    ) -> Result<MethodChoice, Failure> {
        let about = method.about();
        let mut recipes = Vec::with_capacity(values.len());
        let mut settings = Vec::with_capacity(values.len());
        for value in values {
            let setting = Setting { name: parameter.to_owned(), value: value.clone() };
            let recipe = configured(method.boxed(), &[setting])?;
            self.progress.begin(format!("{}, {parameter} = {value}", about.name));
            settings.push(Compared { value: value.clone(), ..self.setting(recipe.as_ref())? });
            recipes.push(recipe);
        }
        let name = |at: usize| format!("{parameter} = {}", settings[at].value);
        let names: Vec<String> = (0..settings.len()).map(name).collect();
        let mut rest: Vec<usize> = (0..settings.len()).filter(|at| settings[*at].fitted.is_some()).collect();
        let mut sentences = Vec::new();
        let (mut preferred, mut disagreements) = (None, Vec::new());
        while !rest.is_empty() {
            let criteria: Vec<Criteria> = rest.iter().map(|at| settings[*at].criteria).collect();
            let Some(choice) = choose(&criteria) else { break };
            for (at, loss) in rest.iter().zip(&choice.losses) {
                settings[*at].loss = Some(*loss);
            }
            let at = rest[choice.preferred];
            self.progress.begin(format!("{}, {}: structure", about.name, names[at]));
            if !self.shows_structure(recipes[at].as_ref(), &mut settings[at])? {
                rest.retain(|other| *other != at);
                continue;
            }
            let names: Vec<String> = rest.iter().map(|at| names[*at].clone()).collect();
            sentences.push(verdict(about.title, &choice, &names));
            sentences.extend(choice.reasons(&criteria, &names));
            disagreements = choice.disagreements.into_iter().map(|(criterion, _)| criterion).collect();
            preferred = Some(at);
            break;
        }
        let mut over_seeds = None;
        match preferred {
            Some(at) => {
                self.progress.begin(format!("{}, {}: seeds", about.name, names[at]));
                over_seeds = optional(
                    self.stability.over_seeds(recipes[at].as_ref(), &self.input),
                    "stability over seeds",
                    &mut settings[at].failures,
                )?
                .flatten()
                .map(|scores| scores.stability());
                let draws = settings[at].criteria.stability;
                if let (Some(seeds), Some(draws)) = (over_seeds, draws) {
                    sentences.push(format!(
                        "Over seeds alone the stability is {seeds:.3}, over draws of the rows {draws:.3}."
                    ));
                }
            }
            None if settings.iter().all(|setting| setting.fitted.is_none()) => {
                sentences.push(format!("{}: no setting could be fitted.", about.title));
            }
            None => sentences.push(format!(
                "{}: no setting shows structure. Maps of the data with permuted columns are as good.",
                about.title
            )),
        }
        for (setting, name) in settings.iter().zip(&names) {
            sentences.extend(setting.structure.iter().map(|found| format!("{name}: {}", found.sentence())));
            sentences.extend(setting.failures.iter().map(|failure| format!("{name}: {failure}.")));
        }
        Ok(MethodChoice {
            method: about.name,
            parameter,
            settings,
            preferred,
            disagreements,
            stability_over_seeds: over_seeds,
            sentences,
        })
    }

    /// Fits one setting and measures the criteria.
    fn setting(&self, recipe: &dyn DynMethod) -> Result<Compared, Error> {
        let mut found = Compared::default();
        let failures = &mut found.failures;
        let Some(fitted) = optional(recipe.fit_dyn(&self.input), "not fitted", failures)? else {
            return Ok(found);
        };
        let map = fitted.embedding();
        let points = self.input.require_points()?;
        let rows: Vec<u32> = map.input_rows().collect();
        let (data, places) = (points.select(&rows), PointSet::from_mat(map.coordinates())?);
        let criteria = &mut found.criteria;
        let sample = measures::rows(measures::sampled(rows.len()));
        criteria.area = optional(area(map, &self.input, sample), "no area under R_NX", failures)?;
        let inverse = LeaveOut::default().errors(
            &LocalBarycentric::default(),
            places.view(),
            data.view().as_mat(),
            self.progress,
        );
        criteria.reconstruction =
            optional(inverse, "no reconstruction", failures)?.map(|errors| errors.total.relative());
        let stability = self.stability.over_draws(recipe, &self.input);
        if let Some(scores) = optional(stability, "no stability, since a fit to a draw failed", failures)? {
            criteria.stability = Some(scores.stability());
            found.stabilities = scores.stabilities();
        }
        let perplexity = recipe.parameters().into_iter().find(|parameter| parameter.name == PERPLEXITY);
        let perplexity: Option<f64> = perplexity.and_then(|parameter| parameter.value.parse().ok());
        let divergence = fitted.report().facts.get("kl_divergence").and_then(serde_json::Value::as_f64);
        if let (Some(perplexity), Some(divergence)) = (perplexity, divergence) {
            criteria.pbic = Some(pbic(divergence, perplexity, rows.len()));
            let curvatures = optional(fitted.curvatures(), "no singularity scores", failures)?.flatten();
            criteria.singular = curvatures.as_deref().map(singular_fraction);
        }
        found.fitted = Some(fitted);
        Ok(found)
    }

    /// Tests a fitted setting for structure. A test that fails counts as structure, since it found no
    /// reason against it.
    fn shows_structure(&self, recipe: &dyn DynMethod, setting: &mut Compared) -> Result<bool, Error> {
        let Some(fitted) = &setting.fitted else { return Ok(false) };
        let found = self.structure.test(recipe, fitted.embedding(), &self.input);
        setting.structure = optional(found, "no test of structure", &mut setting.failures)?;
        Ok(setting.structure.as_ref().is_none_or(StructureFound::found))
    }
}

/// The parameter of methods on probabilities of neighbors.
pub(crate) const PERPLEXITY: &str = "perplexity";

fn verdict(title: &str, choice: &Choice, names: &[String]) -> String {
    let preferred = &names[choice.preferred];
    let others: Vec<&str> = names.iter().filter(|name| *name != preferred).map(String::as_str).collect();
    match (others.is_empty(), choice.disagreements.is_empty()) {
        (true, _) => format!("{title}: {preferred} is the only setting that can be compared."),
        (_, true) => format!("{title}: {preferred} is preferred to {}.", others.join(", ")),
        (_, false) => {
            format!("{title}: {preferred} is preferred to {}, but the criteria disagree.", others.join(", "))
        }
    }
}

/// The value, or `None` with the reason of the failure. Fails where the user cancels.
fn optional<T>(result: Result<T, Error>, what: &str, failures: &mut Vec<String>) -> Result<Option<T>, Error> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Error::Cancelled) => Err(Error::Cancelled),
        Err(error) => {
            failures.push(format!("{what}: {error}"));
            Ok(None)
        }
    }
}
