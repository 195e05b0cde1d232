//! The parameters of a fit, stored with its model, from which the fit goes on.

use std::borrow::Cow;

use datasets::RowNames;
use embedding::implement::{Validate, require};
use embedding::{DynMethod, DynModel, Error, persist};
use serde::{Deserialize, Serialize};

/// The kind under which a model with its parameters is stored.
const KIND: &str = "recipe";

/// The parameters of a fit that differ from their defaults, the state at its end, and the names of rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitSettings {
    /// Names and values of parameters.
    pub settings: Vec<(String, String)>,
    /// The state from which the fit goes on to the bit, of methods that have one.
    pub state: Option<Vec<u8>>,
    /// The names of the rows, where they have some.
    pub names: Option<RowNames>,
}

impl FitSettings {
    /// The parameters of the `method` that made `model`, with the target dimension of the model, without names of
    /// rows.
    ///
    /// Fails where the state has no encoding.
    pub fn of(method: &dyn DynMethod, model: &dyn DynModel) -> Result<Self, Error> {
        let dim = model.embedding().dim().to_string();
        let settings = method.parameters().into_iter().filter_map(|info| {
            let value = if info.name == "dim" { dim.clone() } else { info.value };
            // A radius replaces k, and given coordinates are no setting.
            let is_setting = (info.name, value.as_str()) != ("k", "none") && value != "given";
            (value != info.default && is_setting).then(|| (info.name.to_owned(), value))
        });
        Ok(Self { settings: settings.collect(), state: model.state()?, names: None })
    }

    /// The method of a name with these parameters. Fails where this version does not have them.
    pub fn method(&self, name: &str) -> Result<Box<dyn DynMethod>, Error> {
        let unknown = |problem: String| Error::Model { problem };
        let mut method = crate::method(name).ok_or_else(|| {
            unknown(format!("it was made by `{name}`, a method that this version does not know"))
        })?;
        for (parameter, value) in &self.settings {
            method
                .set_dyn(parameter, value)
                .map_err(|error| unknown(format!("this version refuses its parameters: {error}")))?;
        }
        Ok(method)
    }
}

/// A model and the parameters of its fit.
#[derive(Serialize, Deserialize)]
struct Stored {
    fit: FitSettings,
    model: Vec<u8>,
}

impl Validate for Stored {
    /// The model and the state are checked where they are read.
    fn validate(&self) -> Result<(), Error> {
        require(self.fit.settings.iter().all(|(name, _)| !name.is_empty()), "a parameter has no name")
    }
}

/// The bytes of a saved model, with the parameters of its fit where they are known. The model may have its
/// columns and their scaling.
///
/// ```
/// use swissroll::{prelude::{Input, PointSet}, saved::recipe::{self, FitSettings}};
/// let points = PointSet::from_rows(&[[0.0, 1.0], [1.0, 2.0], [2.0, 3.5], [1.0, 0.0]])?;
/// let mut method = swissroll::method("smacof").expect("listed");
/// method.set_dyn("iterations", "5")?;
/// let fitted = method.fit_dyn(&Input::from(&points))?;
/// let fit = FitSettings::of(method.as_ref(), fitted.as_ref())?;
/// let saved = recipe::save(fitted.save()?, Some(&fit))?;
/// assert_eq!(swissroll::load(&saved)?.0.about().name, "smacof");
/// let (model, known) = recipe::load(saved)?;
/// assert_eq!((model, known.as_ref()), (fitted.save()?, Some(&fit)));
/// assert_eq!(fit.method("smacof")?.parameters(), method.parameters());
/// # Ok::<(), swissroll::prelude::Error>(())
/// ```
pub fn save(model: Vec<u8>, fit: Option<&FitSettings>) -> Result<Vec<u8>, Error> {
    match fit {
        Some(fit) => persist::encode(KIND, &Stored { fit: fit.clone(), model }),
        None => Ok(model),
    }
}

/// The bytes of the model itself, and the parameters of its fit.
///
/// Fails with [`Error::Model`] on bytes that are no saved model.
pub fn load(bytes: Vec<u8>) -> Result<(Vec<u8>, Option<FitSettings>), Error> {
    if persist::kind(&bytes)? != KIND {
        return Ok((bytes, None));
    }
    let Stored { fit, model } = persist::decode(KIND, &bytes)?;
    Ok((model, Some(fit)))
}

/// The bytes of the model itself.
pub(crate) fn model_of(bytes: &[u8]) -> Result<Cow<'_, [u8]>, Error> {
    if persist::kind(bytes)? != KIND {
        return Ok(bytes.into());
    }
    persist::decode(KIND, bytes).map(|Stored { model, .. }| model.into())
}

#[cfg(test)]
mod tests {
    use embedding::{Input, PointSet};

    use super::*;

    /// Parameters that differ from their defaults are stored, and read by the method.
    #[test]
    fn settings_are_those_that_differ() -> Result<(), Error> {
        let points = PointSet::from_rows(&[[0.0, 1.0], [0.3, 1.0], [0.0, 1.5], [0.2, 0.8]])?;
        let mut method = crate::method("umap").expect("listed");
        method.set_dyn("radius", "2")?;
        method.set_dyn("epochs", "7")?;
        let fitted = method.fit_dyn(&Input::from(&points))?;
        let fit = FitSettings::of(method.as_ref(), fitted.as_ref())?;
        let names: Vec<&str> = fit.settings.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["radius", "epochs"]);
        assert_eq!(fit.method("umap")?.parameters(), method.parameters());
        let other =
            FitSettings { settings: vec![("epochs".to_owned(), "7".to_owned())], state: None, names: None };
        assert_eq!(
            other.method("umap")?.parameters().iter().filter(|info| info.value != info.default).count(),
            1
        );
        let unknown = |name: &str, parameter: &str, value: &str| {
            let settings = vec![(parameter.to_owned(), value.to_owned())];
            FitSettings { settings, ..other.clone() }
                .method(name)
                .map(|_| ())
                .expect_err("refused")
                .to_string()
        };
        assert!(unknown("umap", "steps", "3").contains("this version refuses its parameters"));
        assert!(unknown("umap", "epochs", "many").contains("this version refuses its parameters"));
        assert!(unknown("tsme", "seed", "3").contains("a method that this version does not know"));
        Ok(())
    }

    /// A model is read with its parameters, its columns and without either.
    #[test]
    fn parameters_are_kept_around_the_model() -> Result<(), Error> {
        let model = persist::encode("pca", &vec![1.0, 2.0])?;
        let names = Some(RowNames { name: "id".to_owned(), values: vec!["a".to_owned()] });
        let fit = FitSettings { settings: Vec::new(), state: Some(vec![1, 2]), names };
        let saved = save(model.clone(), Some(&fit))?;
        assert_eq!(load(saved.clone())?, (model.clone(), Some(fit)));
        assert_eq!(*model_of(&saved)?, model[..]);
        assert_eq!(load(model.clone())?, (model, None));
        assert!(load(b"other".to_vec()).is_err());
        Ok(())
    }
}
