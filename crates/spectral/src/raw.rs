//! The serialized form of a sparse matrix, before validation.

use embedding::Error;
use embedding::implement::Validate;
use serde::Deserialize;

use crate::Sparse;

#[derive(Deserialize)]
pub(crate) struct RawSparse {
    ncols: usize,
    offsets: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl RawSparse {
    fn fit(&self) -> bool {
        let Self { ncols, offsets, columns, values } = self;
        offsets.first() == Some(&0)
            && offsets.is_sorted()
            && offsets.last() == Some(&columns.len())
            && columns.len() == values.len()
            && offsets.windows(2).all(|w| columns[w[0]..w[1]].is_sorted_by(|a, b| a < b))
            && columns.iter().all(|c| (*c as usize) < *ncols)
            && values.iter().all(|v| v.is_finite())
    }
}

impl TryFrom<RawSparse> for Sparse {
    type Error = Error;

    fn try_from(raw: RawSparse) -> Result<Self, Error> {
        if !raw.fit() {
            return Err(Error::Model { problem: "the arrays of a sparse matrix are inconsistent".into() });
        }
        Ok(Self::from_parts(raw.ncols, raw.offsets, raw.columns, raw.values))
    }
}

impl Validate for Sparse {
    /// Checked where it is read.
    fn validate(&self) -> Result<(), Error> {
        Ok(())
    }
}
