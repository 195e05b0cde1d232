//! Matrices at the boundary: row-major slices, and serde for [`Mat`].
//!
//! `#[serde(with = "embedding::implement::matrix")]` on a `Mat<f64>` field stores the
//! number of columns and the values row by row, bit for bit.

use std::ops::Range;

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

/// Copies the entries `rows` × `columns` into `tile`, row by row, whatever the layout.
pub fn copy_tile(matrix: MatRef<'_, f64>, rows: Range<usize>, columns: Range<usize>, tile: &mut [f64]) {
    let width = columns.len();
    let part = matrix.get(rows, columns);
    if part.col_stride() == 1 {
        for (line, row) in tile.chunks_exact_mut(width.max(1)).zip(part.row_iter()) {
            match row.transpose().try_as_col_major() {
                Some(row) => line.copy_from_slice(row.as_slice()),
                None => line.iter_mut().zip(row.iter()).for_each(|(t, v)| *t = *v),
            }
        }
        return;
    }
    for (j, column) in part.col_iter().enumerate() {
        match column.try_as_col_major() {
            Some(column) => column.as_slice().iter().enumerate().for_each(|(i, v)| tile[i * width + j] = *v),
            None => column.iter().enumerate().for_each(|(i, v)| tile[i * width + j] = *v),
        }
    }
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

/// Reads a matrix; refuses a shape that does not fit the values, a matrix without rows or
/// columns, and values that are not finite.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Mat<f64>, D::Error> {
    let rows = Rows::deserialize(deserializer)?;
    if rows.values.is_empty() || rows.nrows.checked_mul(rows.ncols) != Some(rows.values.len()) {
        return Err(serde::de::Error::custom("a matrix whose shape does not fit its values"));
    }
    if !rows.values.iter().all(|v| v.is_finite()) {
        return Err(serde::de::Error::custom("a matrix with a value that is not finite"));
    }
    Ok(MatRef::from_row_major_slice(&rows.values, rows.nrows, rows.ncols).to_owned())
}
