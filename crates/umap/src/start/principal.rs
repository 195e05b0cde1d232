//! Principal components of points.

use embedding::{DistanceMatrix, Error, Rows};
use faer::Mat;
use spectral::centering::{distance_components, distance_components_bytes};
use spectral::{Principal, Tolerance, sparse_components};

use super::origin::Origin;

/// Centered coordinates along the leading principal directions, at most d.
pub(super) fn principal_components(points: Rows<'_>, origin: &Origin<'_>) -> Result<Mat<f64>, Error> {
    let Origin { dim, observer, .. } = *origin;
    let points = match points {
        Rows::Dense(points) => points,
        Rows::Sparse(points) => {
            let needed = Principal::sparse_bytes(points, dim);
            origin.memory_limit.allow("the principal components", needed, "start at random (`start`)")?;
            return sparse_components(points, dim, observer);
        }
    };
    let count = dim.min(points.dim()).min(points.len());
    let principal = Principal::new(points, count, Tolerance::default(), observer)?;
    let coordinate = |i: usize, c: usize| -> f64 {
        let centered = points.row(i).iter().zip(&principal.mean).map(|(x, m)| x - m);
        centered.enumerate().map(|(j, x)| x * principal.directions[(j, c)]).sum()
    };
    Ok(Mat::from_fn(points.len(), count, coordinate))
}

/// Coordinates of points with these distances along their leading principal directions, at most d.
pub(super) fn principal_of_distances(
    distances: DistanceMatrix<'_>,
    origin: &Origin<'_>,
) -> Result<Mat<f64>, Error> {
    let needed = distance_components_bytes(distances.len(), origin.dim);
    origin.memory_limit.allow("the principal components", needed, "start at random (`start`)")?;
    distance_components(distances, origin.dim, origin.observer)
}
