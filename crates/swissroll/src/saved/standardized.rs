//! Models of standardized columns, which place points in the units of the data.

use datasets::files::Scaling;
use embedding::implement::{Validate, require, require_finite};
use embedding::{
    DynModel, Embedding, Error, LinearMap, Model, PointSet, Points, Report, Rows, TrainingRows, Transform,
    persist,
};
use serde::{Deserialize, Serialize};

/// The kind under which such a model is stored.
const KIND: &str = "standardized";

/// A saved model and the units of its columns.
#[derive(Serialize, Deserialize)]
struct Stored {
    scaling: Scaling,
    model: Vec<u8>,
}

impl Validate for Stored {
    /// The model itself is checked where it is read.
    fn validate(&self) -> Result<(), Error> {
        let Scaling { mean, deviation } = &self.scaling;
        require(mean.len() == deviation.len(), "it does not have a deviation for every column")?;
        require_finite(mean.iter().chain(deviation), "the mean or deviation of a column")?;
        require(deviation.iter().all(|d| *d > 0.0), "the deviation of a column is not positive")
    }
}

/// The bytes of a saved model of standardized columns, with their scaling.
///
/// The model that [`load`](crate::load) reads from them takes points in the units of the data: it
/// standardizes new points, and decoded points have these units, too. The loading functions of a single
/// method read models without a scaling.
///
/// ```
/// use swissroll::datasets::files::Scaling;
/// use swissroll::{saved::standardized, prelude::{Input, PointSet}};
/// let points = PointSet::from_rows(&[[0.0, 100.0], [1.0, 200.0], [2.0, 350.0]])?;
/// let scaling = Scaling::of(points.view());
/// let fitted = swissroll::method("pca").expect("listed").fit_dyn(&Input::from(&scaling.apply(points.view())?))?;
/// let (_, model) = swissroll::load(&standardized::save(fitted.save()?, &scaling)?)?;
/// assert_eq!(model.transform(points.view())?.values(), fitted.embedding().values());
/// # Ok::<(), swissroll::prelude::Error>(())
/// ```
pub fn save(model: Vec<u8>, scaling: &Scaling) -> Result<Vec<u8>, Error> {
    persist::encode(KIND, &Stored { scaling: scaling.clone(), model })
}

/// The scaling of a saved model; `None` of a model without one.
pub fn scaling(bytes: &[u8]) -> Result<Option<Scaling>, Error> {
    Ok(parts(bytes)?.map(|(_, scaling)| scaling))
}

/// The bytes of the model itself and the scaling of its columns; `None` of a model without one.
pub(crate) fn parts(bytes: &[u8]) -> Result<Option<(Vec<u8>, Scaling)>, Error> {
    if persist::kind(bytes)? != KIND {
        return Ok(None);
    }
    let Stored { scaling, model } = persist::decode(KIND, bytes)?;
    Ok(Some((model, scaling)))
}

/// A model and the scaling of its columns.
pub(crate) struct Standardized {
    pub(crate) scaling: Scaling,
    pub(crate) model: Box<dyn DynModel>,
}

impl Model for Standardized {
    fn embedding(&self) -> &Embedding {
        self.model.embedding()
    }
}

impl Transform for Standardized {
    fn place(&self, rows: Rows<'_>, known: TrainingRows<'_>) -> Result<Embedding, Error> {
        rows.place_dense(known, |new, known| self.model.place(self.scaling.apply(new)?.view().into(), known))
    }

    fn invert(&self, places: Points<'_>) -> Result<Option<Embedding>, Error> {
        let Some(decoded) = self.model.invert(places)? else { return Ok(None) };
        let decoded = PointSet::from_mat(decoded.coordinates())?;
        let decoded = self.scaling.undo(decoded.view())?;
        Ok(Some(Embedding::from_rows(decoded.view().values().to_vec(), decoded.dim())))
    }

    fn curvatures(&self) -> Result<Option<Vec<f64>>, Error> {
        self.model.curvatures()
    }

    fn linear_map(&self) -> Option<LinearMap> {
        let Scaling { mean, deviation } = &self.scaling;
        let mut map = self.model.linear_map().filter(|map| map.origin.len() == mean.len())?;
        for (j, (mean, deviation)) in mean.iter().zip(deviation).enumerate() {
            map.origin[j] = mean + deviation * map.origin[j];
            for c in 0..map.directions.ncols() {
                map.directions[(j, c)] /= deviation;
                if let Some(loadings) = &mut map.loadings {
                    loadings[(j, c)] *= deviation;
                }
            }
        }
        Some(map)
    }
}

impl DynModel for Standardized {
    fn report(&self) -> Report {
        self.model.report()
    }

    fn training_points(&self) -> Result<Option<PointSet>, Error> {
        let own = self.model.training_points()?;
        own.map(|own| self.scaling.undo(own.view())).transpose()
    }

    fn state(&self) -> Result<Option<Vec<u8>>, Error> {
        self.model.state()
    }

    fn save(&self) -> Result<Vec<u8>, Error> {
        save(self.model.save()?, &self.scaling)
    }
}
