//! Quantities that a fitted model reports about itself.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Metric;
use crate::implement::Value as _;

type Get<M> = Box<dyn Fn(&M) -> Option<Value> + Send + Sync>;

/// A named quantity that a fitted model of type `M` reports, with its meaning.
pub struct Fact<M> {
    /// The name in reports, in `snake_case`.
    pub name: &'static str,
    /// Its meaning.
    pub meaning: &'static str,
    get: Get<M>,
}

impl<M: 'static> Fact<M> {
    /// A quantity that every model has.
    pub fn new<T: Serialize>(
        name: &'static str,
        meaning: &'static str,
        get: impl Fn(&M) -> T + Send + Sync + 'static,
    ) -> Self {
        Self { name, meaning, get: Box::new(move |model| Some(value(get(model)))) }
    }

    /// A quantity that a model may lack.
    pub fn optional<T: Serialize>(
        name: &'static str,
        meaning: &'static str,
        get: impl Fn(&M) -> Option<T> + Send + Sync + 'static,
    ) -> Self {
        Self { name, meaning, get: Box::new(move |model| get(model).map(value)) }
    }

    /// The value for a model; `None` where it lacks the quantity.
    pub fn of(&self, model: &M) -> Option<Value> {
        (self.get)(model)
    }

    /// The same quantity of a model of type `N` that contains one of type `M`.
    pub fn within<N: 'static>(self, part: fn(&N) -> Option<&M>) -> Fact<N> {
        let get = self.get;
        Fact {
            name: self.name,
            meaning: self.meaning,
            get: Box::new(move |whole| part(whole).and_then(&get)),
        }
    }

    /// The eigenvalues behind the coordinates.
    pub fn eigenvalues(get: impl Fn(&M) -> &[f64] + Send + Sync + 'static) -> Self {
        Self::from_slice("eigenvalues", "the eigenvalues behind the coordinates, in the method's order", get)
    }

    /// The metric of the points, where it is not Euclidean.
    pub fn metric(get: impl Fn(&M) -> Metric + Send + Sync + 'static) -> Self {
        let meaning = "the distance between points, where it is not euclidean";
        Self::optional("metric", meaning, move |model| {
            Some(get(model)).filter(|m| !m.is_euclidean()).map(|m| m.show())
        })
    }

    /// The residuals of the eigenpairs, relative to the norm of the matrix.
    pub fn residuals(get: impl Fn(&M) -> &[f64] + Send + Sync + 'static) -> Self {
        Self::from_slice(
            "residuals",
            "the relative residual |A v - lambda v| / |A| of each eigenvector v of norm one",
            get,
        )
    }

    fn from_slice(
        name: &'static str,
        meaning: &'static str,
        get: impl Fn(&M) -> &[f64] + Send + Sync + 'static,
    ) -> Self {
        Self { name, meaning, get: Box::new(move |model| Some(value(get(model)))) }
    }
}

fn value(value: impl Serialize) -> Value {
    serde_json::to_value(value).expect("facts are numbers, words, and lists and records of them")
}

/// A fact without the type of its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FactInfo {
    /// Its name.
    pub name: &'static str,
    /// Its meaning.
    pub meaning: &'static str,
}

/// A value per placed point, to color a map by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PerPoint {
    /// The meaning of the values.
    pub title: String,
    /// One per placed point.
    pub values: Vec<f64>,
}

/// Facts, notes and values per point of one fitted model.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// Facts by name.
    pub facts: Map<String, Value>,
    /// Sentences for the reader.
    pub notes: Vec<String>,
    /// Values per placed point.
    pub per_point: Vec<PerPoint>,
}
