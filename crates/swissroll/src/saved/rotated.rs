//! Models whose maps are rotated onto the map of an earlier model.

use embedding::implement::{Validate, require, require_finite};
use embedding::{
    DynModel, Embedding, Error, Model, PointSet, Points, Report, Rows, TrainingRows, Transform, persist,
};
use serde::{Deserialize, Serialize};

/// The kind under which such a model is stored.
const KIND: &str = "rotated";

/// A rotation or reflection of maps, and a shift: y ↦ (y − from) R + to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rotation {
    /// R, d × d, by rows; orthogonal.
    pub matrix: Vec<f64>,
    /// The center of the rotation.
    pub from: Vec<f64>,
    /// Where the center is moved to.
    pub to: Vec<f64>,
}

impl Rotation {
    fn dim(&self) -> usize {
        self.to.len()
    }

    /// The rotated places. Each row by itself.
    pub fn apply(&self, places: &Embedding) -> Embedding {
        let dim = self.dim();
        let rotated = |row: &[f64], j: usize| {
            let terms = row.iter().zip(&self.from).enumerate();
            terms.map(|(k, (y, from))| (y - from) * self.matrix[k * dim + j]).sum::<f64>() + self.to[j]
        };
        let values = places.rows().flat_map(|row| (0..dim).map(move |j| rotated(row, j))).collect();
        let map = Embedding::from_rows(values, dim).with_spectrum(places.spectrum().to_vec());
        match places.placed_rows() {
            Some(rows) => map.of_rows(rows.to_vec()),
            None => map,
        }
    }

    /// The places before the rotation.
    fn undo(&self, places: Points<'_>) -> Result<PointSet, Error> {
        let dim = self.dim();
        let back = |row: &[f64], k: usize| {
            let terms = row.iter().zip(&self.to).enumerate();
            terms.map(|(j, (y, to))| (y - to) * self.matrix[k * dim + j]).sum::<f64>() + self.from[k]
        };
        PointSet::new(places.rows().flat_map(|row| (0..dim).map(move |k| back(row, k))).collect(), dim)
    }
}

/// A saved model and its rotation.
#[derive(Serialize, Deserialize)]
struct Stored {
    rotation: Rotation,
    model: Vec<u8>,
}

impl Validate for Stored {
    /// The model itself is checked where it is read.
    fn validate(&self) -> Result<(), Error> {
        let Rotation { matrix, from, to } = &self.rotation;
        let fits = from.len() == to.len() && matrix.len() == to.len() * to.len();
        require(fits, "its rotation has another shape")?;
        require_finite(matrix.iter().chain(from).chain(to), "its rotation")
    }
}

/// A model whose map is rotated.
pub struct Rotated {
    rotation: Rotation,
    model: Box<dyn DynModel>,
    embedding: Embedding,
}

impl Rotated {
    /// Rotates the map of a model. Fails with [`Error::Model`] where the rotation has another dimension.
    pub fn new(model: Box<dyn DynModel>, rotation: Rotation) -> Result<Self, Error> {
        require(rotation.dim() == model.embedding().dim(), "its rotation has another dimension")?;
        let embedding = rotation.apply(model.embedding());
        Ok(Self { rotation, model, embedding })
    }
}

/// The bytes of the model itself and its rotation; `None` of a model without one.
pub(crate) fn parts(bytes: &[u8]) -> Result<Option<(Vec<u8>, Rotation)>, Error> {
    if persist::kind(bytes)? != KIND {
        return Ok(None);
    }
    let Stored { rotation, model } = persist::decode(KIND, bytes)?;
    Ok(Some((model, rotation)))
}

impl Model for Rotated {
    fn embedding(&self) -> &Embedding {
        &self.embedding
    }
}

impl Transform for Rotated {
    fn place(&self, rows: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        Ok(self.rotation.apply(&self.model.place(rows, known)?))
    }

    fn invert(&self, places: Points<'_>) -> Result<Option<Embedding>, Error> {
        self.model.invert(self.rotation.undo(places)?.view())
    }

    fn curvatures(&self) -> Result<Option<Vec<f64>>, Error> {
        self.model.curvatures()
    }
}

impl DynModel for Rotated {
    fn report(&self) -> Report {
        self.model.report()
    }

    fn save(&self) -> Result<Vec<u8>, Error> {
        persist::encode(KIND, &Stored { rotation: self.rotation.clone(), model: self.model.save()? })
    }

    fn training_points(&self) -> Result<Option<PointSet>, Error> {
        self.model.training_points()
    }
}
