//! The affine map of a linear model.

use faer::Mat;

/// The map x ↦ (x − origin) A by which a linear model places points, in units of the data.
///
/// Numbers of data beyond the range of ordinary scales can lose digits or be infinite here, where
/// the model itself divides such data by a power of two.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearMap {
    /// The point that is mapped to 0, D numbers.
    pub origin: Vec<f64>,
    /// A, D × d: a direction per coordinate.
    pub directions: Mat<f64>,
    /// For a factor model, the contributions of the factors to the columns, D × d.
    pub loadings: Option<Mat<f64>>,
}
