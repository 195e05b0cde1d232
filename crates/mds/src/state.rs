//! The state of a majorization at its end, from which it goes on to the bit.

use embedding::implement::{Validate, require, require_finite};
use embedding::{Error, persist};
use serde::{Deserialize, Serialize};

use crate::curvature::Curvature;
use crate::sweep::Columns;

/// The kind under which a state is stored.
const KIND: &str = "majorization";

/// Coordinates before they are centered and rotated, the stress of all steps, and the curvature of the last ones.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) x: Columns,
    pub(crate) history: Vec<f64>,
    pub(crate) curvature: Curvature,
}

impl State {
    pub(crate) fn write(&self) -> Result<Vec<u8>, Error> {
        persist::encode(KIND, self)
    }

    /// The state that [`State::write`] wrote, of `n` rows in `dim` dimensions.
    pub(crate) fn read(bytes: &[u8], n: usize, dim: usize) -> Result<Self, Error> {
        let state: Self = persist::decode(KIND, bytes)?;
        let got = (state.x[0].len(), state.x.len());
        if got != (n, dim) {
            return Err(Error::Shape {
                what: "the map that a fit goes on from",
                expected: format!(
                    "{n} × {dim}, a row per point and a column per dimension of the map (`dim`)"
                ),
                got: format!("{} × {}", got.0, got.1),
            });
        }
        Ok(state)
    }
}

impl Validate for State {
    fn validate(&self) -> Result<(), Error> {
        require(!self.x.is_empty() && !self.history.is_empty(), "the state of its iteration is empty")?;
        let n = self.x[0].len();
        require(self.x.iter().all(|column| column.len() == n), "the state of its iteration is no matrix")?;
        require_finite(self.x.iter().flatten().chain(&self.history), "the state of its iteration")?;
        self.curvature.validate(n, self.x.len())
    }
}
