//! What optimizations report of their maps in single precision.

use std::ops::ControlFlow;

use embedding::{Error, Iteration, Observer};
use faer::MatRef;

/// Reports positions after iterations to an observer.
pub struct Reporter<'a> {
    observer: &'a dyn Observer,
    dim: usize,
    /// The positions in double precision, of the latest iteration.
    positions: Vec<f64>,
}

impl<'a> Reporter<'a> {
    /// For positions of `dim` coordinates.
    pub fn new(observer: &'a dyn Observer, dim: usize) -> Self {
        Self { observer, dim, positions: Vec::new() }
    }

    /// Reports the positions `y`, n × `dim` by rows, after an iteration, and whether to go on.
    pub fn iteration(&mut self, number: usize, objective: Option<f64>, y: &[f32]) -> ControlFlow<()> {
        self.positions.clear();
        self.positions.extend(y.iter().map(|&v| f64::from(v)));
        let coordinates = MatRef::from_row_major_slice(&self.positions, y.len() / self.dim, self.dim);
        self.observer.iteration(&Iteration { number, objective, coordinates })
    }
}

/// Fails unless all positions, n × `dim` by rows, are finite.
pub fn require_finite(y: &[f32], dim: usize) -> Result<(), Error> {
    match y.iter().position(|v| !v.is_finite()) {
        None => Ok(()),
        Some(at) => Err(Error::degenerate(
            format!("the map of point {} left the range of numbers", at / dim),
            "use a smaller learning rate",
        )),
    }
}
