//! The state of an engine: data sets and fitted models by name.

use std::collections::BTreeMap;

use embedding::{DynModel, Input, Neighborhood, Points};
use quality::drivers::MapGradients;
use serde_json::Value;

use crate::failure::Failure;
use crate::learned::Learned;
use crate::stored::Stored;

/// What a request may be answered with: the value, whose arrays are in the blocks.
pub(crate) type Answer = Result<Value, Failure>;

/// Receives the events of a request, as messages; returns whether to cancel.
pub(crate) type Sink<'a> = dyn FnMut(&[u8]) -> bool + Send + 'a;

/// Data sets and fitted models by name, and the answers to requests about them.
///
/// ```
/// use swissroll_engine::{Engine, message::{Blocks, Message}};
/// let request = Blocks::default().with_header(&serde_json::json!({ "id": 1, "type": "describe" }));
/// let answer = Engine::default().call(&request, &mut |_| false);
/// let header: serde_json::Value =
///     serde_json::from_slice(Message::read(&answer).expect("a message").header())?;
/// assert_eq!((&header["id"], &header["type"]), (&1.into(), &"result".into()));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Default)]
pub struct Engine {
    pub(crate) data: BTreeMap<String, Stored>,
    pub(crate) models: BTreeMap<String, Kept>,
}

/// A fitted model and where it came from.
pub(crate) struct Kept {
    pub(crate) data: String,
    pub(crate) neighborhood: Option<Neighborhood>,
    /// The names of the method's parameters.
    pub(crate) parameters: Vec<&'static str>,
    pub(crate) model: Box<dyn DynModel>,
    /// The inverse of its map that was fitted last.
    pub(crate) inverse: Option<Learned>,
    /// How its map depends on the columns of the data, once that was requested.
    pub(crate) gradients: Option<MapGradients>,
}

impl Kept {
    /// The data of the model as it compared them.
    pub(crate) fn input<'a>(&self, data: Points<'a>) -> Input<'a> {
        let facts = self.model.report().facts;
        let metric = facts.get("metric").and_then(|fact| fact.as_str()?.parse().ok()).unwrap_or_default();
        Input::from(data).with_metric(metric)
    }
}

impl Engine {
    /// The data set of that name.
    pub(crate) fn stored(&self, name: &str) -> Result<&Stored, Failure> {
        self.data.get(name).ok_or_else(|| no_data(name))
    }

    /// The data set of that name, to search neighbors in.
    pub(crate) fn stored_mut(&mut self, name: &str) -> Result<&mut Stored, Failure> {
        self.data.get_mut(name).ok_or_else(|| no_data(name))
    }

    /// The model of that name, to keep an inverse of it.
    pub(crate) fn kept_mut(&mut self, name: &str) -> Result<&mut Kept, Failure> {
        self.models.get_mut(name).ok_or_else(|| no_model(name))
    }

    /// The model of that name.
    pub(crate) fn kept(&self, name: &str) -> Result<&Kept, Failure> {
        self.models.get(name).ok_or_else(|| no_model(name))
    }
}

fn no_model(name: &str) -> Failure {
    Failure::request(format!("there is no model `{name}`"))
}

fn no_data(name: &str) -> Failure {
    Failure::request(format!("there is no data set `{name}`"))
}
