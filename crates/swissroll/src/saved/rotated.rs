//! Models whose maps are rotated onto the map of an earlier model.

use embedding::implement::{Validate, require, require_finite};
use embedding::{
    DynModel, Embedding, Error, Model, NewNeighbors, PointSet, Points, Report, Rows, TrainingRows, Transform,
    persist,
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

    fn place_listed(&self, new: &NewNeighbors, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        Ok(self.rotation.apply(&self.model.place_listed(new, known)?))
    }

    fn lists_among(&self) -> Option<usize> {
        self.model.lists_among()
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

#[cfg(test)]
mod tests {
    use embedding::Input;

    use super::*;

    fn fitted() -> Result<(PointSet, Box<dyn DynModel>), Error> {
        let points = PointSet::from_rows(&[[0.0, 1.0], [1.0, 2.0], [2.0, 3.5], [1.0, -1.0]])?;
        let pca = crate::method("pca").expect("listed");
        let model = pca.fit_dyn(&Input::from(&points))?;
        Ok((points, model))
    }

    fn quarter() -> Rotation {
        Rotation { matrix: vec![0.0, 1.0, -1.0, 0.0], from: vec![1.0, 2.0], to: vec![5.0, 0.5] }
    }

    /// A quarter turn, with places of new rows and decoded ones; the same after it is saved and loaded.
    #[test]
    fn places_are_rotated_and_decoded() -> Result<(), Error> {
        let (points, model) = fitted()?;
        let own = model.embedding().clone();
        let rotated = Rotated::new(model, quarter())?;
        for (row, own) in rotated.embedding().rows().zip(own.rows()) {
            assert_eq!(row, [5.0 - (own[1] - 2.0), 0.5 + (own[0] - 1.0)]);
        }
        let (_, loaded) = crate::load(&rotated.save()?)?;
        assert_eq!(loaded.embedding(), rotated.embedding());
        assert_eq!(loaded.transform(points.view())?, rotated.transform(points.view())?);
        let places = PointSet::new(rotated.embedding().values().to_vec(), 2)?;
        let decoded = loaded.invert(places.view())?.expect("a linear map");
        for (row, point) in decoded.rows().zip(points.view().rows()) {
            assert!(row.iter().zip(point).all(|(a, b)| (a - b).abs() < 1e-12), "{row:?} and {point:?}");
        }
        Ok(())
    }

    /// Rotations of another shape, and rotated models of rotated models, are refused.
    #[test]
    fn other_rotations_are_refused() -> Result<(), Error> {
        let (_, model) = fitted()?;
        let bytes = model.save()?;
        let refused = |rotation: Rotation, model: &[u8]| {
            let stored = Stored { rotation, model: model.to_vec() };
            persist::encode(KIND, &stored).and_then(|bytes| crate::load(&bytes).map(|_| ())).is_err()
        };
        assert!(!refused(quarter(), &bytes));
        assert!(refused(Rotation { from: vec![0.0], ..quarter() }, &bytes));
        assert!(refused(Rotation { matrix: vec![1.0; 3], ..quarter() }, &bytes));
        assert!(refused(Rotation { to: vec![f64::NAN, 0.0], ..quarter() }, &bytes));
        let one = Rotation { matrix: vec![1.0], from: vec![0.0], to: vec![0.0] };
        assert!(refused(one, &bytes));
        let nested = Rotated::new(model, quarter())?.save()?;
        assert!(refused(quarter(), &nested));
        Ok(())
    }
}
