//! Reports and records of optimizations of maps in single precision.

use std::ops::ControlFlow;

use embedding::implement::{FixedRows, Validate, proceed, require};
use embedding::{Embedding, Error, Iteration, Observer, Status};
use faer::MatRef;
use serde::{Deserialize, Serialize};

/// Iterations between computations of the loss.
const CHECK_EVERY: usize = 50;

/// Reports the map to an observer before and after every iteration of a schedule, and records
/// the losses.
pub struct Reporter<'a> {
    observer: &'a dyn Observer,
    dim: usize,
    iterations: usize,
    /// The positions in double precision, of the latest iteration.
    positions: Vec<f64>,
    history: History,
}

/// Losses and end of an optimization.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct History {
    /// Iteration and loss, every 50 iterations.
    pub losses: Vec<(usize, f64)>,
    /// How the optimization ended.
    pub status: Status,
}

impl<'a> Reporter<'a> {
    /// Begins a schedule of `iterations`; positions have `dim` coordinates.
    pub fn new(observer: &'a dyn Observer, iterations: usize, dim: usize) -> Self {
        let status = Status::ScheduleCompleted { iterations };
        let history = History { losses: Vec::new(), status };
        Self { observer, dim, iterations, positions: Vec::new(), history }
    }

    /// Reports that an iteration, counted from 0, begins. Fails where the observer cancels.
    pub fn begin(&self, iteration: usize) -> Result<(), Error> {
        proceed(self.observer, iteration, self.iterations)
    }

    /// Reports the positions `y`, n × `dim` by rows, after an iteration, counted from 0, and returns whether
    /// to go on. The loss is computed every 50 iterations.
    pub fn end(&mut self, iteration: usize, y: &[f32], loss: impl FnOnce() -> f64) -> ControlFlow<()> {
        let number = iteration + 1;
        let objective = number.is_multiple_of(CHECK_EVERY).then(loss);
        self.history.losses.extend(objective.map(|value| (number, value)));
        self.positions.clear();
        self.positions.extend(y.iter().map(|&v| f64::from(v)));
        let coordinates = MatRef::from_row_major_slice(&self.positions, y.len() / self.dim, self.dim);
        let flow = self.observer.iteration(&Iteration { number, objective, coordinates });
        if flow.is_break() {
            self.history.status = Status::Stopped { iterations: number };
        }
        flow
    }

    /// Ends the schedule. Fails where the observer cancels, and unless all positions `y`, n ×
    /// `dim` by rows, are finite.
    pub fn finish(self, y: &[f32]) -> Result<History, Error> {
        self.begin(self.iterations)?;
        match y.iter().position(|v| !v.is_finite()) {
            None => Ok(self.history),
            Some(at) => Err(Error::degenerate(
                format!("the map of point {} left the range of numbers", at / self.dim),
                "use a smaller learning rate",
            )),
        }
    }
}

/// The map of the final positions `y`, by rows, with the fixed rows at their given places.
pub fn embedding_of(y: Vec<f32>, dim: usize, fixed: Option<FixedRows<'_>>) -> Embedding {
    let mut values: Vec<f64> = y.into_iter().map(f64::from).collect();
    if let Some(fixed) = fixed {
        fixed.restore(&mut values);
    }
    Embedding::from_rows(values, dim)
}

impl Validate for History {
    fn validate(&self) -> Result<(), Error> {
        require(self.losses.iter().all(|(_, value)| value.is_finite()), "a loss is not finite")
    }
}
