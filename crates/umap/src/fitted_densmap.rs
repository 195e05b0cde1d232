//! A fitted map of densMAP.

use std::ops::Deref;

use embedding::implement::{Fact, Scale, Validate};
use embedding::{
    Embedding, Error, Fitted, Model, NewNeighbors, PerPoint, PointSet, Rows, TrainingRows, Transform,
};
use serde::{Deserialize, Serialize};

use crate::FittedUmap;

/// A fitted map of densMAP: used, and saved, as the model of UMAP that it contains. It has no
/// [`Transform::curvatures`], because the model does not have the density term of its loss.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FittedDensmap(pub(crate) FittedUmap);

impl Deref for FittedDensmap {
    type Target = FittedUmap;

    fn deref(&self) -> &FittedUmap {
        &self.0
    }
}

impl Model for FittedDensmap {
    fn embedding(&self) -> &Embedding {
        self.0.embedding()
    }
}

impl Transform for FittedDensmap {
    fn place(&self, new: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        self.0.place(new, known)
    }

    fn place_listed(&self, new: &NewNeighbors, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        self.0.place_listed(new, known)
    }

    fn lists_among(&self) -> Option<usize> {
        self.0.lists_among()
    }
}

impl Fitted for FittedDensmap {
    fn training_points(&self) -> Result<Option<PointSet>, Error> {
        self.0.training_points()
    }

    fn multiplied(self, scale: Scale) -> Result<Self, Error> {
        self.0.multiplied(scale).map(Self)
    }

    fn facts() -> Vec<Fact<Self>> {
        FittedUmap::facts().into_iter().map(|fact| fact.within(|fitted: &Self| Some(&fitted.0))).collect()
    }

    fn notes(&self) -> Vec<String> {
        self.0.notes()
    }

    fn per_point(&self) -> Vec<PerPoint> {
        self.0.per_point()
    }
}

impl Validate for FittedDensmap {
    fn validate(&self) -> Result<(), Error> {
        self.0.validate()
    }
}
