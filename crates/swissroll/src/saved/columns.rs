//! The names and ranges of columns, stored with a saved model.

use std::borrow::Cow;

use datasets::files::Scaling;
use embedding::implement::{Validate, require, require_finite};
use embedding::{Error, Points, persist};
use serde::{Deserialize, Serialize};

use crate::saved::recipe;

/// The kind under which a model with its columns is stored.
const KIND: &str = "columns";

/// Names and ranges of the columns of the data that a model was fitted to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Columns {
    /// Their names, in order.
    pub names: Vec<String>,
    /// The smallest and the largest value of each, in the units of the data; empty where they are not
    /// known.
    pub ranges: Vec<[f64; 2]>,
}

impl Columns {
    /// The columns with the given names, and their ranges in the given points. O(n D).
    pub fn new(names: &[String], points: Points<'_>) -> Self {
        let mut ranges = vec![[f64::INFINITY, f64::NEG_INFINITY]; points.dim()];
        for row in points.rows() {
            for ([low, high], value) in ranges.iter_mut().zip(row) {
                (*low, *high) = (low.min(*value), high.max(*value));
            }
        }
        Self { names: names.to_vec(), ranges }
    }

    /// The columns of standardized rows, in the units before.
    pub fn unscaled(mut self, scaling: &Scaling) -> Self {
        for (range, (mean, deviation)) in
            self.ranges.iter_mut().zip(scaling.mean.iter().zip(&scaling.deviation))
        {
            *range = range.map(|value| mean + deviation * value);
        }
        self
    }
}

/// A model and its columns.
#[derive(Serialize, Deserialize)]
struct Stored {
    columns: Columns,
    model: Vec<u8>,
}

impl Validate for Stored {
    /// The model itself is checked where it is read.
    fn validate(&self) -> Result<(), Error> {
        let Columns { names, ranges } = &self.columns;
        require(!names.is_empty(), "it names no column")?;
        let fits = ranges.is_empty() || ranges.len() == names.len();
        require(fits, "it does not have a range for every column")?;
        require_finite(ranges.iter().flatten(), "the range of a column")?;
        require(ranges.iter().all(|[low, high]| low <= high), "the range of a column is empty")
    }
}

/// The bytes of a saved model, with its columns where they are known.
///
/// [`load`](crate::load) reads both; the loading functions of a single method read models without
/// columns.
///
/// ```
/// use swissroll::{saved::columns::{self, Columns}, prelude::{Input, PointSet}};
/// let points = PointSet::from_rows(&[[0.0, 1.0], [1.0, 2.0], [2.0, 3.5]])?;
/// let model = swissroll::method("pca").expect("listed").fit_dyn(&Input::from(&points))?.save()?;
/// let known = Columns::new(&["width".to_owned(), "height".to_owned()], points.view());
/// assert_eq!(known.ranges, [[0.0, 2.0], [1.0, 3.5]]);
/// let saved = columns::save(model.clone(), Some(&known))?;
/// assert_eq!(swissroll::load(&saved)?.0.about().name, "pca");
/// assert_eq!(columns::load(saved)?, (model, Some(known)));
/// # Ok::<(), swissroll::prelude::Error>(())
/// ```
pub fn save(model: Vec<u8>, columns: Option<&Columns>) -> Result<Vec<u8>, Error> {
    match columns {
        Some(columns) => persist::encode(KIND, &Stored { columns: columns.clone(), model }),
        None => Ok(model),
    }
}

/// The bytes of the model itself, without the parameters of its fit, and its columns, which new points must have in the same order.
///
/// Fails with [`Error::Model`] on bytes that are no saved model.
pub fn load(bytes: Vec<u8>) -> Result<(Vec<u8>, Option<Columns>), Error> {
    let (bytes, _) = recipe::load(bytes)?;
    match stored(&bytes)? {
        Some(Stored { columns, model }) => Ok((model, Some(columns))),
        None => Ok((bytes, None)),
    }
}

/// A model with its columns; `None` of one without.
fn stored(bytes: &[u8]) -> Result<Option<Stored>, Error> {
    if persist::kind(bytes)? == KIND { persist::decode(KIND, bytes).map(Some) } else { Ok(None) }
}

/// The bytes of the model itself, without the parameters of its fit and its columns.
pub(crate) fn model_of(bytes: &[u8]) -> Result<Cow<'_, [u8]>, Error> {
    let model = recipe::model_of(bytes)?;
    Ok(match stored(&model)? {
        Some(stored) => stored.model.into(),
        None => model,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_kept_beside_the_model() {
        let names = ["a".to_owned(), "b".to_owned()];
        let known = Columns { names: names.to_vec(), ranges: vec![[0.0, 1.5], [-2.0, -2.0]] };
        let model = persist::encode("pca", &vec![1.0, 2.0]).expect("a model");
        let saved = save(model.clone(), Some(&known)).expect("a model");
        assert_ne!(saved, model);
        assert_eq!(load(saved).expect("a model"), (model.clone(), Some(known)));
        assert_eq!(save(model.clone(), None).expect("a model"), model);
        assert_eq!(load(model.clone()).expect("a model"), (model.clone(), None));
        let refused = |names: &[String], ranges: &[[f64; 2]]| {
            let columns = Columns { names: names.to_vec(), ranges: ranges.to_vec() };
            load(save(model.clone(), Some(&columns)).expect("bytes")).is_err()
        };
        assert!(refused(&[], &[]) && refused(&names, &[[0.0, 1.0]]));
        assert!(refused(&names, &[[0.0, 1.0], [2.0, 1.0]]) && refused(&names, &[[0.0, f64::NAN]; 2]));
        assert!(!refused(&names, &[]) && load(b"other".to_vec()).is_err());
    }
}
