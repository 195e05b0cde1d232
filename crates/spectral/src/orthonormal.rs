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

#[cfg(test)]
mod tests {
    use faer::Mat;

    use super::complement;
    use crate::block;

    #[test]
    fn columns_of_zeros_are_dropped_and_the_others_kept() {
        let random = block::random(50, 4, 1);
        let f = Mat::from_fn(50, 4, |i, j| if j == 1 { 0.0 } else { random[(i, j)] });
        let q = complement(f, &[]);
        assert_eq!(q.ncols(), 3);
        assert!((q.transpose() * &q - Mat::<f64>::identity(3, 3)).norm_max() < 1e-14);
        assert_eq!(complement(Mat::zeros(50, 2), &[]).ncols(), 0);
    }

    #[test]
    fn forty_columns_in_three_dimensions_have_a_basis_of_three() {
        let f = block::product(block::random(200, 3, 2).as_ref(), block::random(3, 40, 3).as_ref());
        let q = complement(f.clone(), &[]);
        assert_eq!(q.ncols(), 3);
        let rest = &f - &q * (q.transpose() * &f);
        assert!(rest.norm_max() < 1e-13, "{:e}", rest.norm_max());
    }
}
