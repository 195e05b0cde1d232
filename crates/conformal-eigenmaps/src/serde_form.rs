//! Serialization of a quadratic form as one triangle.

use embedding::Error;
use faer::Mat;
use serde::{Deserialize, Serialize};

use crate::Quadratic;
use crate::svec::{packed_len, unpacked_len};

/// The lower triangle of the normalized form, by rows, and its scale.
#[derive(Serialize, Deserialize)]
pub(crate) struct SerdeForm {
    scale: f64,
    triangle: Vec<f64>,
}

impl From<Quadratic> for SerdeForm {
    fn from(quadratic: Quadratic) -> Self {
        let form = quadratic.matrix();
        let triangle = (0..form.nrows()).flat_map(|i| (0..=i).map(move |j| form[(i, j)])).collect();
        Self { scale: quadratic.raw_scale(), triangle }
    }
}

impl TryFrom<SerdeForm> for Quadratic {
    type Error = Error;

    fn try_from(stored: SerdeForm) -> Result<Self, Error> {
        let SerdeForm { scale, triangle } = stored;
        let finite = scale > 0.0 && scale.is_finite() && triangle.iter().all(|v| v.is_finite());
        match unpacked_len(triangle.len()).and_then(unpacked_len) {
            Some(m) if m > 0 && finite => {
                let q = packed_len(m);
                let at = |i: usize, j: usize| triangle[packed_len(i.max(j)) + i.min(j)];
                Ok(Self::from_normalized(m, Mat::from_fn(q, q, at), scale))
            }
            _ => Err(Error::Model { problem: "the quadratic form is inconsistent".into() }),
        }
    }
}
