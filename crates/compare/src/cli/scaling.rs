//! Models of standardized columns: new points are put into the same units.

use datasets::files::Scaling;
use embedding::{Error, PointSet, Validate, persist, require, require_finite};
use serde::{Deserialize, Serialize};

/// The kind under which such a model is stored.
const KIND: &str = "standardized";

/// A model and the units of its columns.
#[derive(Serialize, Deserialize)]
struct Standardized {
    scaling: Scaling,
    model: Vec<u8>,
}

impl Validate for Standardized {
    /// The model itself is checked where it is read.
    fn validate(&self) -> Result<(), Error> {
        let Scaling { mean, deviation } = &self.scaling;
        require(mean.len() == deviation.len(), "it does not have a deviation for every column")?;
        require_finite(mean.iter().chain(deviation), "the mean or deviation of a column")?;
        require(deviation.iter().all(|d| *d > 0.0), "the deviation of a column is not positive")
    }
}

/// The bytes of a model, with the scaling of its columns where they were scaled.
pub(super) fn save(model: Vec<u8>, scaling: Option<&Scaling>) -> Result<Vec<u8>, Error> {
    match scaling {
        Some(scaling) => persist::encode(KIND, &Standardized { scaling: scaling.clone(), model }),
        None => Ok(model),
    }
}

/// The bytes of the model itself, and the scaling of its columns.
pub(super) fn load(bytes: Vec<u8>) -> Result<(Vec<u8>, Option<Scaling>), Error> {
    if persist::kind(&bytes)? != KIND {
        return Ok((bytes, None));
    }
    let Standardized { scaling, model } = persist::decode(KIND, &bytes)?;
    Ok((model, Some(scaling)))
}

/// New points in the units of the model.
pub(super) fn apply(points: PointSet, scaling: Option<&Scaling>) -> Result<PointSet, Error> {
    scaling.map_or(Ok(points.clone()), |scaling| scaling.apply(points.view()))
}
