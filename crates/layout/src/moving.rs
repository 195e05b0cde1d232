//! What optimizations report of their maps in single precision.

use std::ops::ControlFlow;

use embedding::{Error, Iteration, Observer};
use faer::MatRef;

/// Reports the places `y`, n × `dim` by rows, after an iteration, and whether to go on.
pub fn report(
    observer: &dyn Observer,
    number: usize,
    objective: Option<f64>,
    y: &[f32],
    dim: usize,
) -> ControlFlow<()> {
    let places: Vec<f64> = y.iter().map(|&v| f64::from(v)).collect();
    let coordinates = MatRef::from_row_major_slice(&places, y.len() / dim, dim);
    observer.iteration(&Iteration { number, objective, coordinates })
}

/// Fails unless all places, n × `dim` by rows, are finite.
pub fn require_finite(y: &[f32], dim: usize) -> Result<(), Error> {
    match y.iter().position(|v| !v.is_finite()) {
        None => Ok(()),
        Some(at) => Err(Error::degenerate(
            format!("the map of point {} left the range of numbers", at / dim),
            "use a smaller learning rate",
        )),
    }
}
