//! Principal components from the distances between points.

use embedding::implement::{Division, Scale, matrix};
use embedding::{DistanceMatrix, Error, Observer};
use faer::{Mat, MatMut, MatRef};
use rayon::prelude::*;

use crate::centering::CenteredSquares;
use crate::largest::largest_bytes;
use crate::{Operator, Tolerance, largest};

/// Coordinates of points along their `count` leading principal directions, or along all if there are
/// fewer, one per column, computed from their distances by classical scaling.
///
/// Of Euclidean distances these are the principal components of the points, up to the signs of the
/// columns. Other distances can have fewer positive eigenvalues than points: columns without one are 0.
/// [`largest`] applies the squared distances, which are not copied, once per step: O(n²) for each vector
/// of a block. Distances that are not of ordinary scale are divided by a power of two, and so are the
/// coordinates.
pub fn distance_components(
    distances: DistanceMatrix<'_>,
    count: usize,
    observer: &dyn Observer,
) -> Result<Mat<f64>, Error> {
    let n = distances.len();
    let count = count.min(n);
    let scale = Scale::of_length(distances.largest(), Division::ToUnit { power: 4 });
    let squares = CenteredSquares(Squares { distances, scale });
    let pairs = largest(&squares, count, Tolerance::default(), observer)?;
    // Rounding of the squares and of their sums.
    let noise = 4.0 * n as f64 * f64::EPSILON * pairs.values[0].abs();
    let length = |c: usize| if pairs.values[c] > noise { pairs.values[c].sqrt() } else { 0.0 };
    Ok(Mat::from_fn(n, count, |i, c| length(c) * pairs.vectors[(i, c)]))
}

/// Estimates the memory of [`distance_components`] of `n` points, in bytes.
pub fn distance_components_bytes(n: usize, count: usize) -> u64 {
    let (solver, block) = largest_bytes(n, count.min(n));
    solver + 3 * 8 * (n * block) as u64
}

/// The matrix of squared distances as an operator.
#[derive(Clone, Copy)]
struct Squares<'a> {
    distances: DistanceMatrix<'a>,
    /// The distances are divided by it.
    scale: Scale,
}

impl Operator for Squares<'_> {
    fn order(&self) -> usize {
        self.distances.len()
    }

    fn apply(&self, x: MatRef<'_, f64>, mut out: MatMut<'_, f64>) {
        let (n, b) = x.shape();
        let stored = self.distances.as_mat();
        // Symmetric: along the direction in which it is stored.
        let stored = if stored.col_stride() == 1 { stored } else { stored.transpose() };
        let by_rows = matrix::to_rows(x);
        let mut images = vec![0.0; n * b];
        images.par_chunks_mut(b).enumerate().for_each(|(i, image)| {
            for (distance, x) in stored.row(i).iter().zip(by_rows.chunks_exact(b)) {
                let distance = if self.scale.is_one() { *distance } else { self.scale.quotient(*distance) };
                let square = distance * distance;
                image.iter_mut().zip(x).for_each(|(sum, x)| *sum += square * x);
            }
        });
        out.copy_from(MatRef::from_row_major_slice(&images, n, b));
    }
}

#[cfg(test)]
mod tests {
    use embedding::implement::scale::times_power_of_two;
    use embedding::{PointSet, Silent};

    use super::*;
    use crate::{AffineMap, Principal};

    /// The distances of points, by rows.
    fn between(points: &PointSet) -> Vec<f64> {
        let view = points.view();
        let distance = |a: &[f64], b: &[f64]| embedding::implement::squared_distance(a, b).sqrt();
        view.rows().flat_map(|a| view.rows().map(move |b| distance(a, b))).collect()
    }

    /// Gower (1966), doi:10.1093/biomet/53.3-4.325: classical scaling of Euclidean distances gives principal
    /// components. By the dense solver, and by the iterative one; stored by rows, and by columns.
    #[test]
    fn of_euclidean_distances_they_are_the_principal_components() -> Result<(), Error> {
        for n in [40, 700] {
            let wave = |i: usize, c: usize| ((i * (3 * c + 5) % 97) as f64).sin() * 4.0 / (c + 1) as f64;
            let points = PointSet::new((0..n * 5).map(|at| wave(at / 5, at % 5)).collect(), 5)?;
            let principal = Principal::new(points.view(), 3, Tolerance::default(), &Silent)?;
            let expected = AffineMap::new(principal.mean, principal.directions).apply(points.view())?;
            let expected = expected.coordinates();
            let values = between(&points);
            let by_rows = DistanceMatrix::new(&values, n)?;
            let columns = Mat::from_fn(n, n, |i, j| values[i * n + j]);
            for distances in [by_rows, DistanceMatrix::from_mat(columns.as_ref())?] {
                let found = distance_components(distances, 3, &Silent)?;
                for c in 0..3 {
                    let dot: f64 = (0..n).map(|i| found[(i, c)] * expected[(i, c)]).sum();
                    let gap = (0..n).map(|i| (dot.signum() * found[(i, c)] - expected[(i, c)]).abs());
                    let gap = gap.fold(0.0, f64::max) / expected.norm_max();
                    assert!(gap < 1e-8, "{n} points, column {c}: {gap:e}");
                }
            }
        }
        Ok(())
    }

    /// Powers of two do not change the coordinates but for their scale.
    #[test]
    fn distances_have_any_scale() -> Result<(), Error> {
        let points = PointSet::new((0..120).map(|at| f64::from(at * at % 37)).collect(), 3)?;
        let values = between(&points);
        let near = distance_components(DistanceMatrix::new(&values, 40)?, 2, &Silent)?;
        for power in [150, -150, 600, -600, 990, -990] {
            let far: Vec<f64> = values.iter().map(|d| times_power_of_two(*d, power)).collect();
            let far = distance_components(DistanceMatrix::new(&far, 40)?, 2, &Silent)?;
            let factor = far.norm_max() / near.norm_max();
            assert_eq!(factor.log2().fract(), 0.0, "{power}");
            assert_eq!(Mat::from_fn(40, 2, |i, c| far[(i, c)] / factor), near, "{power}");
        }
        Ok(())
    }

    /// Three points of a line and a distance that breaks the triangle inequality have no second dimension.
    #[test]
    fn columns_without_a_positive_eigenvalue_are_zero() -> Result<(), Error> {
        let values = [0.0, 1.0, 3.0, 1.0, 0.0, 1.0, 3.0, 1.0, 0.0];
        let found = distance_components(DistanceMatrix::new(&values, 3)?, 2, &Silent)?;
        assert!(found.col(0).norm_max() > 1.0 && found.col(1).norm_max() == 0.0, "{found:?}");
        Ok(())
    }
}
