//! How iterations end.

use serde::{Deserialize, Serialize};

/// How an iterative method ended.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Status {
    /// The stopping criterion of the recipe was met, and checked.
    Converged {
        /// Iterations done.
        iterations: usize,
    },
    /// The recipe's largest number of iterations was reached before its stopping criterion was met.
    IterationLimit {
        /// Iterations done.
        iterations: usize,
    },
    /// The observer stopped it; the result so far is valid.
    Stopped {
        /// Iterations done.
        iterations: usize,
    },
    /// A schedule of a fixed number of iterations, which has no stopping criterion, ran to
    /// its end.
    ScheduleCompleted {
        /// Iterations done.
        iterations: usize,
    },
}

impl Status {
    /// Iterations done.
    pub fn iterations(&self) -> usize {
        match *self {
            Self::Converged { iterations }
            | Self::IterationLimit { iterations }
            | Self::Stopped { iterations }
            | Self::ScheduleCompleted { iterations } => iterations,
        }
    }
}
