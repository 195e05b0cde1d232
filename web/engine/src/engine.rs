//! The answer to each request.

use serde_json::{Value, json};

use crate::failure::Failure;
use crate::message::{Blocks, Message};
use crate::request::{Discard, Request};
use crate::state::{Answer, Engine, Sink};
use crate::{command, data, describe, diagnose, drivers, fit, graph, invert, scores};

impl Engine {
    /// Answers a request. `event` receives the events of a fit, and returns whether to
    /// cancel (after a frame: to end the iteration with the result so far). It may be called from
    /// several threads, one at a time.
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
            Request::Fit(request) => fit::fit(self, request, id, message, blocks, event),
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
            Request::Drivers(request) => drivers::drivers(self, &request, message, blocks),
            Request::Command(request) => command::command(self, &request),
        }
    }

    fn drop_all(&mut self, Discard { data, models }: &Discard) -> Value {
        data.iter().for_each(|name| drop(self.data.remove(name)));
        models.iter().for_each(|name| drop(self.models.remove(name)));
        json!({})
    }
}
