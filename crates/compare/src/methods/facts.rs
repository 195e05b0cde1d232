//! What a method tells about its result beside the coordinates.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::results::Coloring;

/// The stable names of facts, each with its meaning.
pub static FACTS: &[(&str, &str)] = &[
    ("eigenvalues", "the eigenvalues behind the coordinates, in the method's order"),
    ("residuals", "the residual of each eigenpair, relative to the operator's norm"),
    (
        "reconstruction_error",
        "what the embedding leaves unexplained: for the LLE family the sum of the eigenvalues, for the Isomap \
         family the distance of the centered matrices divided by n",
    ),
    ("trace", "the sum of all eigenvalues"),
    ("negative_eigenvalues", "how many eigenvalues are below zero: distances that no Euclidean points have"),
    ("negative_mass", "the sum of their magnitudes"),
    ("negative_mass_at_least", "the same where not all eigenvalues are known: a lower bound"),
    (
        "residual_variances",
        "residual variance with the first 1, 2, ... coordinates; its elbow shows the dimension",
    ),
    ("angle_error_before", "mean change of triangle angles in LLE's own coordinates, in degrees"),
    ("angle_error_after", "the same in the result"),
    ("angle_error_truncated", "the same in the leading directions of the convex solution"),
    ("certificate", "the convex optimum: its loss, the proven lower bound, and how the iteration ended"),
    (
        "length_error_before",
        "error of squared lengths between neighbors relative to their size, in root mean square, of LLE's first d \
         vectors at their best scale",
    ),
    ("length_error_unfolded", "the same of the convex solution in all m dimensions"),
    ("length_error_after", "the same in the result"),
    (
        "convergence",
        "the states of the alternation on the convex problem and of plain loops on the same, by name",
    ),
    (
        "conformal_spectrum",
        "variance along the axes of the convex solution, sum 1; a drop shows the dimension",
    ),
    ("rank_profile", "the smallest loss at rank 1, 2, ..."),
    ("scale_variation", "deviation of the local scale divided by its mean; below 0.2 nearly isometric"),
    ("loss", "the loss of angles of the result; LLE as it comes scores 1 in the mean over directions"),
    ("loss_of_basis", "the same of LLE's first d vectors"),
    ("kl_divergence", "the divergence of the map's neighbor probabilities from the data's, in nats"),
    ("kl_divergence_exact", "whether it is summed over all pairs"),
    ("kl_divergences", "iteration and divergence at every look, as approximated for the forces"),
    ("gradient", "how the forces were computed"),
    ("status", "how the iteration ended"),
    ("stress", "raw stress: squared differences between distances of data and embedding"),
    ("stress_1", "Kruskal's stress-1: its root relative to the embedding's distances"),
    (
        "stress_scale_normalized",
        "the same after the best rescaling, relative to the data's; compare methods by it",
    ),
    ("stress_history", "raw stress after each iteration"),
    ("landmarks", "the rows of the landmarks"),
    ("explained_variance", "variance along each direction"),
    ("explained_variance_ratio", "the same as shares of the total"),
    ("total_variance", "variance of the data in all directions together"),
    ("kernel", "the kernel with its parameters as they were settled"),
    ("pieces", "points per separately embedded component, where there are several"),
    ("bridges", "edges that were added to connect the graph"),
    ("points", "how many points the method took, where the memory did not suffice for all"),
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
