//! Requests in, answers out.

use serde_json::{Value, json};
use swissroll_engine::Engine;
use swissroll_engine::message::{Array, Blocks, Message};

/// A message that was received.
pub(crate) struct Received {
    bytes: Vec<u8>,
    pub(crate) header: Value,
}

impl Received {
    fn new(bytes: &[u8]) -> Self {
        let header = Message::read(bytes).expect("a message").header();
        Self { bytes: bytes.to_vec(), header: serde_json::from_slice(header).unwrap() }
    }

    fn array(value: &Value) -> Array {
        serde_json::from_value(value.clone()).unwrap_or_else(|_| panic!("{value} is an array"))
    }

    /// The numbers at a place of the answer's value, such as `/points`.
    pub(crate) fn reals(&self, place: &str) -> Vec<f64> {
        Message::read(&self.bytes).unwrap().reals(Self::array(self.at(place))).expect("numbers")
    }

    pub(crate) fn indices(&self, place: &str) -> Vec<u32> {
        Message::read(&self.bytes).unwrap().indices(Self::array(self.at(place))).expect("indices")
    }

    pub(crate) fn bytes(&self, place: &str) -> Vec<u8> {
        Message::read(&self.bytes).unwrap().bytes(Self::array(self.at(place))).expect("bytes").to_vec()
    }

    /// A place of the answer's value, or of an event.
    pub(crate) fn at(&self, place: &str) -> &Value {
        let value = if self.header["type"] == "result" { &self.header["value"] } else { &self.header };
        value.pointer(place).unwrap_or_else(|| panic!("{place} in {value}"))
    }
}

/// An engine that receives requests.
#[derive(Default)]
pub(crate) struct Client {
    engine: Engine,
    pub(crate) events: Vec<Received>,
    /// Cancels at this event, counted from 0.
    pub(crate) cancel_at: Option<usize>,
}

impl Client {
    /// The answer, whatever it is.
    pub(crate) fn call(&mut self, blocks: Blocks, request: &Value) -> Received {
        let mut request = request.clone();
        request["id"] = json!(17);
        let (events, cancel_at) = (&mut self.events, self.cancel_at);
        events.clear();
        let answer = self.engine.call(&blocks.with_header(&request), &mut |event| {
            events.push(Received::new(event));
            cancel_at.is_some_and(|at| events.len() == at + 1)
        });
        let answer = Received::new(&answer);
        assert_eq!(answer.header["id"], 17, "{}", answer.header);
        assert!(self.events.iter().all(|event| event.header["id"] == 17));
        answer
    }

    /// The answer to a request without arrays, which succeeds.
    pub(crate) fn ask(&mut self, request: &Value) -> Received {
        self.ask_with(Blocks::default(), request)
    }

    pub(crate) fn ask_with(&mut self, blocks: Blocks, request: &Value) -> Received {
        let answer = self.call(blocks, request);
        assert_eq!(answer.header["type"], "result", "{request}: {}", answer.header);
        answer
    }

    /// The kind and the sentence of a refusal.
    pub(crate) fn refused(&mut self, request: &Value) -> (String, String) {
        let answer = self.call(Blocks::default(), request).header;
        assert_eq!(answer["type"], "failed", "{request}: {answer}");
        (answer["kind"].as_str().unwrap().to_owned(), answer["message"].as_str().unwrap().to_owned())
    }

    /// Makes a data set of the catalog under its own name.
    pub(crate) fn generate(&mut self, dataset: &str, n: usize) -> Received {
        self.ask(&json!({ "type": "generate", "data": dataset, "dataset": dataset, "n": n }))
    }
}

/// Names in a list of records.
pub(crate) fn names(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(|entry| entry["name"].as_str().unwrap()).collect()
}
