//! What a method tells about its result beside the coordinates.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::results::Coloring;

/// The stable names of facts, each with its meaning.
pub static FACTS: &[(&str, &str)] = &[
    ("eigenvalues", "the eigenvalues behind the coordinates, in the method's order"),
    ("residuals", "the residual of each eigenpair, relative to the operator's norm"),
    ("reconstruction_error", "what the weights leave of the coordinates: the sum of the kept eigenvalues"),
    ("explained_variance", "variance along each direction"),
    ("explained_variance_ratio", "the same as shares of the total"),
    ("total_variance", "variance of the data in all directions together"),
    ("kernel", "the kernel with its parameters as they were settled"),
    ("pieces", "points per separately embedded component, where there are several"),
    ("bridges", "edges that were added to connect the graph"),
    ("rows", "input rows that were placed, where not all were"),
];

/// Facts, warnings and colorings of one fitted model.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// By the names in [`FACTS`].
    pub facts: Map<String, Value>,
    /// What a reader must know.
    pub notes: Vec<String>,
    /// Values per placed point.
    pub colors: Vec<Coloring>,
}

impl Report {
    /// Notes a fact, under a name that [`FACTS`] explains.
    pub fn fact(&mut self, name: &'static str, value: impl Serialize) {
        debug_assert!(FACTS.iter().any(|fact| fact.0 == name), "{name} is not documented");
        let value = serde_json::to_value(value).expect("facts are numbers, words and lists of them");
        self.facts.insert(name.to_owned(), value);
    }

    /// Notes a sentence for the reader.
    pub fn note(&mut self, sentence: impl Into<String>) {
        self.notes.push(sentence.into());
    }

    /// Offers a coloring.
    pub fn color(&mut self, title: impl Into<String>, values: Vec<f64>) {
        self.colors.push(Coloring { title: title.into(), values });
    }
}
