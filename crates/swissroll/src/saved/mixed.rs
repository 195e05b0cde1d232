//! Models of rows with categories and gaps, with the columns that encode new rows.

use embedding::implement::Validate;
use embedding::mixed::MixedColumns;
use embedding::{Error, persist};
use serde::{Deserialize, Serialize};

/// The kind under which such a model is stored.
const KIND: &str = "mixed";

/// A saved model and the columns of its rows.
#[derive(Serialize, Deserialize)]
struct Stored {
    columns: MixedColumns,
    model: Vec<u8>,
}

impl Validate for Stored {
    /// The model itself is checked where it is read.
    fn validate(&self) -> Result<(), Error> {
        self.columns.validate()
    }
}

/// The bytes of a saved model of rows that `columns` encoded, with these columns.
///
/// The model that [`load`](crate::load) reads from them takes rows encoded by the same columns, which
/// [`columns`] returns. The loading functions of a single method read models without columns.
///
/// ```
/// use swissroll::saved::mixed;
/// use swissroll::prelude::{Input, Metric, MixedColumns};
/// let names = vec![Vec::new(), vec!["red".to_owned(), "blue".to_owned()]];
/// let values = [1.0, 0.0, 2.0, 1.0, 4.0, f64::NAN, 3.0, 1.0];
/// let columns = MixedColumns::of(&values, &names)?;
/// let rows = columns.encode(Metric::Gower, &values)?;
/// let method = swissroll::method("classical-mds").expect("listed");
/// let fitted = method.fit_dyn(&Input::from(&rows).with_metric(Metric::Gower))?;
/// let saved = mixed::save(fitted.save()?, &columns)?;
/// let (known, model) = (mixed::columns(&saved)?.expect("stored"), swissroll::load(&saved)?.1);
/// let placed = model.transform(known.encode(Metric::Gower, &[2.5, 0.0])?.view())?;
/// assert_eq!(placed.len(), 1);
/// # Ok::<(), swissroll::prelude::Error>(())
/// ```
pub fn save(model: Vec<u8>, columns: &MixedColumns) -> Result<Vec<u8>, Error> {
    persist::encode(KIND, &Stored { columns: columns.clone(), model })
}

/// The columns that encode the rows of a saved model; `None` of a model without them.
pub fn columns(bytes: &[u8]) -> Result<Option<MixedColumns>, Error> {
    Ok(parts(bytes)?.map(|(_, columns)| columns))
}

/// The bytes of the model itself and its columns; `None` of a model without them.
pub(crate) fn parts(bytes: &[u8]) -> Result<Option<(Vec<u8>, MixedColumns)>, Error> {
    if persist::kind(bytes)? != KIND {
        return Ok(None);
    }
    let Stored { columns, model } = persist::decode(KIND, bytes)?;
    Ok(Some((model, columns)))
}
