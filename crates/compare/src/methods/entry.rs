//! One method, described once, and what follows from the description.

use embedding::{Embedding, Error, Model, Observer, Points, Transform, persist};
use faer::Mat;
use neighbor_graph::{Neighborhood, Neighbors, Pieces};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{Parameter, ParameterInfo, Report};
use crate::Failure;
use crate::suggestion::unknown;

/// What a method is given.
#[derive(Clone, Copy)]
pub struct Input<'a> {
    /// The data.
    pub points: Points<'a>,
    /// A class per point, where there are classes.
    pub labels: Option<&'a [u32]>,
    /// The neighbor lists that the recipe asked for.
    pub neighbors: Option<&'a Neighbors>,
}

impl<'a> Input<'a> {
    /// The neighbor lists.
    pub(crate) fn neighbors(self) -> &'a Neighbors {
        self.neighbors.expect("a recipe with a neighborhood is given its lists")
    }
}

/// A parameter and the value typed for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The parameter's name.
    pub name: String,
    /// Its value.
    pub value: String,
}

/// The description of a method with the recipe `R` and the fitted model `F`.
pub struct Entry<R: 'static, F: 'static> {
    /// The name on the command line.
    pub name: &'static str,
    /// The idea, in one sentence.
    pub summary: &'static str,
    /// What the embedding keeps of the data.
    pub preserves: &'static str,
    /// Time and memory in n, D, k, d.
    pub cost: &'static str,
    /// Whether it needs labels.
    pub supervised: bool,
    /// What can be set.
    pub parameters: &'static [Parameter<R>],
    /// The neighbor lists it wants for n points, if any.
    pub neighborhood: Option<fn(&R, usize) -> Neighborhood>,
    /// Runs the recipe.
    pub fit: fn(&R, Input<'_>, &dyn Observer) -> Result<F, Error>,
    /// Tells what it found.
    pub report: fn(&F, Input<'_>, &mut Report),
    /// How it places new points, if it does.
    pub placement: Option<Placement<F>>,
}

/// How a fitted model places new points.
pub struct Placement<F> {
    /// In a few words.
    pub how: &'static str,
    /// Does it.
    pub place: fn(&F, Points<'_>) -> Result<Mat<f64>, Error>,
}

impl<F: Transform> Placement<F> {
    /// By the model's own [`Transform`].
    pub(crate) const fn by(how: &'static str) -> Option<Self> {
        Some(Self { how, place: |fitted, new| fitted.transform(new) })
    }
}

/// A method without its types: what lists and loops see.
pub trait Method: Sync {
    /// The name on the command line.
    fn name(&self) -> &'static str;
    /// The idea, in one sentence.
    fn summary(&self) -> &'static str;
    /// What the embedding keeps of the data.
    fn preserves(&self) -> &'static str;
    /// Time and memory.
    fn cost(&self) -> &'static str;
    /// Whether it needs labels.
    fn supervised(&self) -> bool;
    /// How it places new points, if it does.
    fn places_new_points(&self) -> Option<&'static str>;
    /// What can be set, with the defaults.
    fn parameters(&self) -> Vec<ParameterInfo>;
    /// The default recipe with these settings, later ones last.
    ///
    /// Fails on an unknown parameter and on a value that cannot be one.
    fn recipe(&'static self, settings: &[Setting]) -> Result<Box<dyn Recipe>, Failure>;

    /// The model that [`Fitted::save`] wrote; fails on anything else.
    fn load(&'static self, bytes: &[u8]) -> Result<Box<dyn Fitted>, Error>;

    /// Whether there is a parameter of that name.
    fn has(&self, parameter: &str) -> bool {
        self.parameters().iter().any(|info| info.name == parameter)
    }
}

/// A method with all its parameters set.
pub trait Recipe: Send + Sync {
    /// The method.
    fn method(&self) -> &'static dyn Method;
    /// Every parameter with its value, by the names of the command line.
    fn parameters(&self) -> Map<String, Value>;
    /// The neighbor lists it wants of n points, if any.
    fn neighborhood(&self, n: usize) -> Option<Neighborhood>;
    /// Runs it.
    fn fit(&self, input: Input<'_>, observer: &dyn Observer) -> Result<Box<dyn Fitted>, Error>;
}

/// A method's result.
pub trait Fitted {
    /// The coordinates.
    fn embedding(&self) -> &Embedding;
    /// What the method tells about them.
    fn report(&self, input: Input<'_>) -> Report;
    /// Places new points; none where the method cannot.
    fn transform(&self, new: Points<'_>) -> Option<Result<Mat<f64>, Error>>;
    /// The model as bytes that [`Method::load`] reads.
    fn save(&self) -> Result<Vec<u8>, Error>;
}

impl<R, F> Method for Entry<R, F>
where
    R: Default + Send + Sync,
    F: Describe,
{
    fn name(&self) -> &'static str {
        self.name
    }

    fn summary(&self) -> &'static str {
        self.summary
    }

    fn preserves(&self) -> &'static str {
        self.preserves
    }

    fn cost(&self) -> &'static str {
        self.cost
    }

    fn supervised(&self) -> bool {
        self.supervised
    }

    fn places_new_points(&self) -> Option<&'static str> {
        self.placement.as_ref().map(|placement| placement.how)
    }

    fn parameters(&self) -> Vec<ParameterInfo> {
        let recipe = R::default();
        let info = |p: &Parameter<R>| ParameterInfo {
            name: p.name,
            default: (p.show)(&recipe),
            legal: p.legal,
            about: p.about,
        };
        self.parameters.iter().map(info).collect()
    }

    fn recipe(&'static self, settings: &[Setting]) -> Result<Box<dyn Recipe>, Failure> {
        let mut recipe = R::default();
        for Setting { name, value } in settings {
            let known = || self.parameters.iter().map(|p| p.name);
            let parameter = self
                .parameters
                .iter()
                .find(|p| p.name == name)
                .ok_or_else(|| unknown(&format!("parameter of {}", self.name), name, known()))?;
            (parameter.set)(&mut recipe, value).ok_or_else(|| {
                Failure::usage(format!(
                    "{} of {} must be {}, but is `{value}`",
                    parameter.name, self.name, parameter.legal
                ))
            })?;
        }
        Ok(Box::new(Configured { entry: self, recipe }))
    }

    fn load(&'static self, bytes: &[u8]) -> Result<Box<dyn Fitted>, Error> {
        Ok(Box::new(Held { entry: self, fitted: persist::decode(self.name, bytes)? }))
    }
}

struct Configured<R: 'static, F: 'static> {
    entry: &'static Entry<R, F>,
    recipe: R,
}

impl<R, F> Recipe for Configured<R, F>
where
    R: Default + Send + Sync,
    F: Describe,
{
    fn method(&self) -> &'static dyn Method {
        self.entry
    }

    fn parameters(&self) -> Map<String, Value> {
        let typed = |text: String| serde_json::from_str(&text).unwrap_or(Value::String(text));
        let parameters = self.entry.parameters.iter();
        parameters.map(|p| (p.name.to_owned(), typed((p.show)(&self.recipe)))).collect()
    }

    fn neighborhood(&self, n: usize) -> Option<Neighborhood> {
        self.entry.neighborhood.map(|of| of(&self.recipe, n))
    }

    fn fit(&self, input: Input<'_>, observer: &dyn Observer) -> Result<Box<dyn Fitted>, Error> {
        let fitted = (self.entry.fit)(&self.recipe, input, observer)?;
        Ok(Box::new(Held { entry: self.entry, fitted }))
    }
}

struct Held<R: 'static, F: 'static> {
    entry: &'static Entry<R, F>,
    fitted: F,
}

impl<R, F: Describe> Fitted for Held<R, F> {
    fn embedding(&self) -> &Embedding {
        self.fitted.embedding()
    }

    fn report(&self, input: Input<'_>) -> Report {
        let mut report = Report::default();
        if let Some(rows) = &self.embedding().rows {
            report.fact("rows", rows);
            report.note(format!("{} of {} points were placed", rows.len(), input.points.len()));
        }
        self.fitted.describe(&mut report);
        (self.entry.report)(&self.fitted, input, &mut report);
        report
    }

    fn transform(&self, new: Points<'_>) -> Option<Result<Mat<f64>, Error>> {
        self.entry.placement.as_ref().map(|placement| (placement.place)(&self.fitted, new))
    }

    fn save(&self) -> Result<Vec<u8>, Error> {
        persist::encode(self.entry.name, &self.fitted)
    }
}

/// A fitted model that may have something to tell about its pieces.
pub trait Describe: Model + Serialize + DeserializeOwned + 'static {
    /// Tells it; a model of all points has nothing to tell.
    fn describe(&self, _report: &mut Report) {}
}

impl<M: Model + Serialize + DeserializeOwned + 'static> Describe for Pieces<M> {
    fn describe(&self, report: &mut Report) {
        if self.pieces.len() > 1 {
            let sizes: Vec<usize> = self.pieces.iter().map(|piece| piece.rows.len()).collect();
            report.note(format!("{} components, each embedded alone and set side by side", sizes.len()));
            report.fact("pieces", sizes);
        }
        if !self.bridges.is_empty() {
            report.note(format!("{} edges were added to connect the graph", self.bridges.len()));
            report.fact("bridges", &self.bridges);
        }
    }
}

/// The model of all placed points, where there is only one.
pub(super) fn single<M>(pieces: &Pieces<M>) -> Option<&M> {
    match &pieces.pieces[..] {
        [piece] => Some(&piece.model),
        _ => None,
    }
}
