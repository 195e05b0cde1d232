//! Rotations of factors to a simple structure.

use embedding::Error;
use faer::{Mat, MatRef};
use serde::{Deserialize, Serialize};
use spectral::dense;

/// A rotation of factors, which changes neither the fit nor the distances between scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Rotation {
    /// The principal axes of the loadings.
    #[default]
    None,
    /// Largest sum of the variances of the squared loadings of each factor (Kaiser 1958).
    Varimax,
    /// Largest sum of the fourth powers of the loadings.
    Quartimax,
}

embedding::words!(Rotation { None = "none", Varimax = "varimax", Quartimax = "quartimax" });

/// Relative increase of the criterion below which the rotation has converged.
const TOLERANCE: f64 = 1e-12;

/// Steps at most.
const STEPS: usize = 1000;

impl Rotation {
    /// The d × d rotation of loadings (D × d), and whether it converged.
    ///
    /// Each step replaces R by the orthogonal factor of Lᵀ G, G the gradient of the criterion at
    /// L R. *Reference.* Kaiser (1958), <https://doi.org/10.1007/BF02289233>.
    pub(crate) fn of(self, loadings: MatRef<'_, f64>) -> Result<(Mat<f64>, bool), Error> {
        let (rows, d) = loadings.shape();
        let mut rotation = Mat::identity(d, d);
        let largest = loadings.norm_max();
        if self == Self::None || largest == 0.0 {
            return Ok((rotation, true));
        }
        // Fourth powers of loadings of any scale.
        let loadings = loadings * faer::Scale(1.0 / largest);
        let mut criterion = 0.0;
        for _ in 0..STEPS {
            let rotated = dense::product(loadings.as_ref(), rotation.as_ref());
            let gradient = Mat::from_fn(rows, d, |i, j| {
                let v = rotated[(i, j)];
                v.powi(3)
                    - if self == Self::Varimax {
                        v * rotated.col(j).squared_norm_l2() / rows as f64
                    } else {
                        0.0
                    }
            });
            let (u, s, v) =
                dense::thin_svd(dense::product(loadings.transpose(), gradient.as_ref()).as_ref())?;
            rotation = dense::product(u.as_ref(), v.transpose());
            let next: f64 = s.iter().sum();
            if next <= criterion * (1.0 + TOLERANCE) {
                return Ok((rotation, true));
            }
            criterion = next;
        }
        Ok((rotation, false))
    }
}
