//! Orthonormal blocks.

use faer::{Accum, Mat, MatRef};

use crate::{block, dense};

/// A vector is dropped if projection leaves less than this fraction of its norm: the
/// remainder is rounding error.
const VANISHED: f64 = 1e-13;

/// Returns an orthonormal basis of the columns of `f`, projected onto the orthogonal
/// complement of the orthonormal columns of each matrix in `against`.
///
/// Columns that vanish under the projection are dropped, so the result may have fewer
/// columns than `f`, or none. Three passes, each of classical Gram–Schmidt against the
/// other blocks and [`normalized`], give orthogonality at rounding level. O(n b (m + b)).
pub(crate) fn complement(mut f: Mat<f64>, against: &[MatRef<'_, f64>]) -> Mat<f64> {
    let mut floors: Vec<f64> = block::norms(f.as_ref()).iter().map(|norm| VANISHED * norm).collect();
    for _ in 0..3 {
        for v in against.iter().filter(|v| v.ncols() > 0) {
            let h = block::cross(*v, f.as_ref());
            block::combine(f.as_mut(), Accum::Add, *v, h.as_ref(), -1.0);
        }
        f = normalized(&f, &floors);
        floors = vec![0.0; f.ncols()];
    }
    f
}

/// Returns an orthonormal basis of the columns of `f` that are longer than their
/// `floors`, from the eigenvectors of their Gram matrix (Stathopoulos and Wu,
/// doi:10.1137/S1064827500370883); numerically dependent directions are dropped.
fn normalized(f: &Mat<f64>, floors: &[f64]) -> Mat<f64> {
    let norms = block::norms(f.as_ref());
    let kept: Vec<usize> = (0..f.ncols()).filter(|&j| norms[j] > floors[j]).collect();
    let gram = block::cross(f.as_ref(), f.as_ref());
    let cosines = Mat::from_fn(kept.len(), kept.len(), |i, j| {
        gram[(kept[i], kept[j])] / (norms[kept[i]] * norms[kept[j]])
    });
    let Ok((values, vectors)) = dense::symmetric_eigen(cosines.as_ref()) else {
        return Mat::zeros(f.nrows(), 0);
    };
    let largest = values.last().copied().unwrap_or(0.0);
    let independent: Vec<usize> = (0..values.len()).filter(|&j| values[j] > 1e-14 * largest).collect();
    let mut y = Mat::zeros(f.ncols(), independent.len());
    for (j, &from) in independent.iter().enumerate() {
        for (i, &row) in kept.iter().enumerate() {
            y[(row, j)] = vectors[(i, from)] / (norms[row] * values[from].sqrt());
        }
    }
    block::product(f.as_ref(), y.as_ref())
}
