//! The course of the alternation, compared with the course of the plain loops it replaces.

use embedding::Silent;
use serde_json::{Map, Value, json};

use crate::{Alternation, Coupling, Quadratic, Scheme, Solution, alternate, basis_start};

/// Plain loops that are run for comparison.
const PLAIN: [(&str, Coupling); 3] = [
    ("plain, adaptive weight", Coupling::Adaptive),
    ("plain, weight 0.01", Coupling::Fixed { weight: 0.01 }),
    ("plain, weight 0.1", Coupling::Fixed { weight: 0.1 }),
];

/// Sweeps of two estimates after which a plain loop is stopped.
const SWEEPS: usize = 150;

/// Basis vectors above which an estimate costs too much to be repeated for comparison.
const MOST_VECTORS: usize = 20;

/// The states of the alternation, and of plain loops on the same loss from the
/// same start, by name.
pub(crate) fn convergence(quadratic: &Quadratic, convex: &Solution) -> Value {
    let mut traces = Map::new();
    traces.insert("midpoint".to_owned(), json!(convex.trace));
    let m = quadratic.order();
    for (name, coupling) in PLAIN {
        let scheme = Scheme::Plain { coupling };
        let settings = Alternation { scheme, max_iterations: SWEEPS, ..Alternation::default() };
        if m <= MOST_VECTORS
            && let Ok(run) = alternate(quadratic, basis_start(m, m).as_ref(), &settings, &Silent)
        {
            traces.insert(name.to_owned(), json!(run.trace));
        }
    }
    Value::Object(traces)
}
