//! How much the angles of small triangles change, by [`quality::shape::angle_error`].

use embedding::implement::PairDistances;
use embedding::{Error, PointSet};
use faer::MatRef;
use neighbor_graph::Neighbors;
use quality::RowSample;
use quality::shape::Angles;

/// Largest number of neighborhoods that are measured, evenly spaced among all.
const PATCHES: RowSample = RowSample::Spaced { count: 1000 };

/// The angles of the data, to compare several maps.
pub(crate) fn angles<'a>(
    distances: PairDistances<'_>,
    neighbors: &'a Neighbors,
) -> Result<Angles<'a>, Error> {
    Angles::new(distances, neighbors, PATCHES)
}

/// The mean angle error of a map, in degrees.
pub(crate) fn angle_error(angles: &Angles<'_>, coordinates: MatRef<'_, f64>) -> Result<f64, Error> {
    Ok(angles.error(PointSet::from_mat(coordinates)?.view())?.value)
}

/// Refuses NaN and infinity, row by row.
pub(crate) fn require_finite(coordinates: MatRef<'_, f64>) -> Result<(), Error> {
    for row in 0..coordinates.nrows() {
        for column in 0..coordinates.ncols() {
            let value = coordinates[(row, column)];
            if !value.is_finite() {
                return Err(Error::NotFinite { row, column, value });
            }
        }
    }
    Ok(())
}

pub(crate) fn overflow() -> Error {
    Error::degenerate("the squares of distances overflow", "divide the coordinates by the largest of them")
}
