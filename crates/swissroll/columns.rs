//! The names of the columns beside a saved model.

use std::borrow::Cow;

use embedding::{Error, Validate, persist, require};
use serde::{Deserialize, Serialize};

/// The kind under which such a model is stored.
const KIND: &str = "named columns";

/// A model and the names of its columns.
#[derive(Serialize, Deserialize)]
struct Named {
    columns: Vec<String>,
    model: Vec<u8>,
}

impl Validate for Named {
    /// The model itself is checked where it is read.
    fn validate(&self) -> Result<(), Error> {
        require(!self.columns.is_empty(), "it names no column")
    }
}

/// The bytes of a saved model, with the names of its columns where these are known.
///
/// [`load`](crate::load) reads both; the loading functions of a single method read models without names.
///
/// ```
/// use swissroll::{Input, PointSet, columns};
/// let points = PointSet::from_rows(&[[0.0, 1.0], [1.0, 2.0], [2.0, 3.5]])?;
/// let model = swissroll::method("pca").expect("listed").fit_dyn(&Input::from(&points))?.save()?;
/// let names = ["width".to_owned(), "height".to_owned()];
/// let saved = columns::save(model.clone(), Some(&names))?;
/// assert_eq!(swissroll::load(&saved)?.0.about().name, "pca");
/// assert_eq!(columns::load(saved)?, (model, Some(names.to_vec())));
/// # Ok::<(), swissroll::Error>(())
/// ```
pub fn save(model: Vec<u8>, columns: Option<&[String]>) -> Result<Vec<u8>, Error> {
    match columns {
        Some(columns) => persist::encode(KIND, &Named { columns: columns.to_vec(), model }),
        None => Ok(model),
    }
}

/// The bytes of the model itself, and the names of its columns, which new points must have in
/// the same order.
///
/// Fails with [`Error::Model`] on bytes that are no saved model.
pub fn load(bytes: Vec<u8>) -> Result<(Vec<u8>, Option<Vec<String>>), Error> {
    if persist::kind(&bytes)? != KIND {
        return Ok((bytes, None));
    }
    let Named { columns, model } = persist::decode(KIND, &bytes)?;
    Ok((model, Some(columns)))
}

/// The bytes of the model itself.
pub(crate) fn model_of(bytes: &[u8]) -> Result<Cow<'_, [u8]>, Error> {
    if persist::kind(bytes)? != KIND {
        return Ok(bytes.into());
    }
    Ok(persist::decode::<Named>(KIND, bytes)?.model.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_beside_the_model() {
        let names = ["a".to_owned(), "b".to_owned()];
        let model = persist::encode("pca", &vec![1.0, 2.0]).expect("a model");
        let named = save(model.clone(), Some(&names)).expect("a model");
        assert_ne!(named, model);
        assert_eq!(load(named).expect("a model"), (model.clone(), Some(names.to_vec())));
        assert_eq!(save(model.clone(), None).expect("a model"), model);
        assert_eq!(load(model.clone()).expect("a model"), (model.clone(), None));
        assert!(load(save(model, Some(&[])).expect("a model")).is_err());
        assert!(load(b"other".to_vec()).is_err());
    }
}
