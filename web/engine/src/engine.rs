//! The state of an engine, and the answer to each request.

use std::collections::BTreeMap;

use embedding::{DynModel, Neighborhood};
use serde_json::{Value, json};

use crate::data::Stored;
use crate::failure::Failure;
use crate::invert::Learned;
use crate::message::{Blocks, Message};
use crate::request::{Discard, Request};
use crate::{command, data, describe, diagnose, fit, graph, invert, scores};

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
}

impl Engine {
    /// Answers a request. `event` receives the events of a fit, and returns whether to
    /// cancel (after a frame: to end the iteration with the result so far); it may be called from several threads, one at a time.
    ///
    /// A request that cannot be understood or computed is answered with `failed`.
    pub fn call(&mut self, request: &[u8], event: &mut Sink<'_>) -> Vec<u8> {
        let mut blocks = Blocks::default();
        let mut id = Value::Null;
        let header = match self.answer(request, &mut id, &mut blocks, event) {
            Ok(value) => json!({ "id": id, "type": "result", "value": value }),
            Err(failure) => {
                blocks = Blocks::default();
                failure.answer(&id)
            }
        };
        blocks.with_header(&header)
    }

    fn answer(
        &mut self,
        request: &[u8],
        id: &mut Value,
        blocks: &mut Blocks,
        event: &mut Sink<'_>,
    ) -> Answer {
        let message = Message::parse(request)?;
        let unread = |error: serde_json::Error| Failure::request(format!("the request: {error}"));
        let header: Value = serde_json::from_slice(message.header()).map_err(unread)?;
        *id = header["id"].clone();
        match serde_json::from_value(header).map_err(unread)? {
            Request::Describe {} => describe::all(),
            Request::Generate(request) => data::generate(self, request, blocks),
            Request::Points(request) => data::points(self, *request, message, blocks),
            Request::Read(request) => data::read(self, request, message, blocks),
            Request::Sample(request) => data::sample(self, &request, blocks),
            Request::Drop(request) => Ok(self.drop_all(&request)),
            Request::Ranges(request) => fit::ranges(self, &request),
            Request::Fit(request) => fit::fit(self, request, id, blocks, event),
            Request::Transform(request) => fit::transform(self, &request, message, blocks),
            Request::Invert(request) => invert::invert(self, &request, message, blocks),
            Request::Align(request) => scores::align(self, &request, message, blocks),
            Request::Measures(request) => scores::measures(self, &request, message),
            Request::PerPoint(request) => scores::per_point(self, &request, message, blocks),
            Request::Graph(request) => graph::graph(self, &request, blocks),
            Request::Distances(request) => graph::distances(self, &request, blocks),
            Request::Path(request) => graph::path(self, &request, blocks),
            Request::Weights(request) => graph::weights(self, &request, blocks),
            Request::Diagnose(request) => diagnose::sentences(self, &request),
            Request::Command(request) => command::command(self, &request),
        }
    }

    fn drop_all(&mut self, Discard { data, models }: &Discard) -> Value {
        data.iter().for_each(|name| drop(self.data.remove(name)));
        models.iter().for_each(|name| drop(self.models.remove(name)));
        json!({})
    }

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
