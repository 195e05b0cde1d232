//! Smallest values of a quadratic form among the combinations of columns.

use crate::common;

use common::*;
use embedding::{Error, Silent};
use faer::Mat;
use spectral::memory::{largest_bytes, rayleigh_ritz_bytes};
use spectral::{Pairs, QuadraticForm, RayleighRitz, Sparse, rayleigh_ritz};

type Done = Result<(), Error>;

/// Pairs of the form of a matrix with all weights 1.
fn pairs(matrix: &Sparse, columns: &Mat<f64>, count: usize) -> Result<Pairs, Error> {
    let form = QuadraticForm::Matrix(matrix);
    rayleigh_ritz(RayleighRitz { form, columns: columns.as_ref(), weights: None, count }, &Silent)
}

#[test]
fn as_many_pairs_as_columns_are_found_and_no_more() -> Done {
    let (matrix, columns) = (path(20), noise(20, 3));
    for count in 1..=3 {
        let found = pairs(&matrix, &columns, count)?;
        assert_eq!((found.values.len(), found.residuals.len()), (count, count));
        assert_eq!(found.vectors.shape(), (3, count));
        assert!(found.residuals.iter().any(|r| *r > 0.0), "rounding: {:?}", found.residuals);
        assert!(found.values.is_sorted() && found.residuals.iter().all(|r| (0.0..1e-10).contains(r)));
    }
    for count in [0, 4] {
        let refused = pairs(&matrix, &columns, count).map(drop);
        assert!(
            matches!(refused, Err(Error::Parameter { name: "the number of eigenpairs", .. })),
            "{count}: {refused:?}"
        );
    }
    Ok(())
}

/// Values have the unit of the matrix and none of the columns; residuals have neither.
#[test]
fn units_of_the_matrix_and_of_the_columns_make_no_residual_larger() -> Done {
    let edges = |weight: f64| (1..30).map(|i| vec![(i - 1, -weight), (i, weight)]).collect();
    let columns = noise(30, 4);
    let plain = pairs(&path(30), &columns, 4)?;
    for (weight, unit) in [(2_f64.powi(20), 1.0), (1.0, 2_f64.powi(-30)), (2_f64.powi(20), 2_f64.powi(-30))] {
        let matrix = Sparse::from_rows(30, edges(weight))?.gram();
        let scaled = pairs(&matrix, &Mat::from_fn(30, 4, |i, j| unit * columns[(i, j)]), 4)?;
        for (a, b) in scaled.values.iter().zip(&plain.values) {
            assert!((a / (weight * weight * b) - 1.0).abs() < 1e-9, "{weight}, {unit}: {a} and {b}");
        }
    }
    Ok(())
}

#[test]
fn a_matrix_of_zeros_has_values_and_residuals_of_zero() -> Done {
    let zeros = Sparse::from_rows(20, vec![Vec::new(); 20])?;
    let found = pairs(&zeros, &noise(20, 3), 2)?;
    assert_eq!((found.values, found.residuals), (vec![0.0; 2], vec![0.0; 2]));
    Ok(())
}

/// The images of the columns, of a matrix of 64 at a time; then a square for every 1024 rows, and one for
/// their sum. Where columns are as many as rows, ten squares.
#[test]
fn the_estimate_is_what_images_and_squares_take() {
    let number = 8;
    let matrix = path(5000);
    for (p, at_once) in [(10, 10), (100, 64)] {
        let (images, squares) = (2 * number * 5000 * at_once, number * (5 + 1) * p * p);
        assert_eq!(
            rayleigh_ritz_bytes(QuadraticForm::Matrix(&matrix), 5000, p as usize),
            images + squares,
            "{p}"
        );
    }
    let squares = number * (5 + 1) * 10 * 10;
    let images = number * 10 * (5000 + 4999);
    assert_eq!(
        rayleigh_ritz_bytes(QuadraticForm::Factor(&path_differences(5000)), 5000, 10),
        images + squares
    );
    // The weighted columns are more than the images by a matrix of one row.
    let row = Sparse::from_rows(5000, vec![vec![(0, 1.0)]]).expect("a row");
    let columns = number * (5000 * 10 + 10 * 10);
    assert_eq!(rayleigh_ritz_bytes(QuadraticForm::Factor(&row), 5000, 10), columns + squares);
    let few = path(20);
    assert_eq!(rayleigh_ritz_bytes(QuadraticForm::Matrix(&few), 20, 15), number * 10 * 15 * 15);
    assert_eq!(QuadraticForm::Matrix(&few).bytes(), few.bytes());
    assert_eq!(QuadraticForm::Factor(&row).bytes(), row.bytes());
}

/// Of few rows the matrix, what it is applied to, and two of the decomposition; of many, for a pair, a
/// basis of 16 with its image, four vectors with their residuals, and two blocks of three.
#[test]
fn the_estimate_of_the_largest_follows_the_way_to_them() {
    assert_eq!(largest_bytes(40, 1), (4 * 8 * 40 * 40, 40));
    assert_eq!(largest_bytes(100_000, 1), (8 * 100_000 * (2 * 16 + 2 * 4 + 2 * 3), 3));
}
