//! Matrices at the boundary: row-major slices, and serde for [`Mat`].
//!
//! `#[serde(with = "embedding::matrix")]` on a `Mat<f64>` field stores the
//! number of columns and the values row by row, bit for bit.

use faer::{Mat, MatRef};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Copies a matrix into one vector, row by row.
pub fn to_rows(mat: MatRef<'_, f64>) -> Vec<f64> {
    (0..mat.nrows()).flat_map(|i| (0..mat.ncols()).map(move |j| mat[(i, j)])).collect()
}

/// The rows with the given indices, in that order.
pub fn select_rows(mat: MatRef<'_, f64>, rows: &[u32]) -> Mat<f64> {
    Mat::from_fn(rows.len(), mat.ncols(), |i, j| mat[(rows[i] as usize, j)])
}

#[derive(Serialize, Deserialize)]
struct Rows {
    nrows: usize,
    ncols: usize,
    values: Vec<f64>,
}

/// Writes a matrix.
pub fn serialize<S: Serializer>(mat: &Mat<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    Rows { nrows: mat.nrows(), ncols: mat.ncols(), values: to_rows(mat.as_ref()) }.serialize(serializer)
}

/// Reads a matrix; refuses a shape that does not fit the values.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Mat<f64>, D::Error> {
    let rows = Rows::deserialize(deserializer)?;
    if rows.nrows.checked_mul(rows.ncols) != Some(rows.values.len()) {
        return Err(serde::de::Error::custom("a matrix whose shape does not fit its values"));
    }
    Ok(MatRef::from_row_major_slice(&rows.values, rows.nrows, rows.ncols).to_owned())
}
