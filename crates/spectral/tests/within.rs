//! Smallest values of a quadratic form among the combinations of columns.

mod common;

use common::*;
use embedding::{Error, Silent};
use faer::Mat;
use spectral::{Pairs, Quadratic, Sparse, Within, smallest_within};

type Done = Result<(), Error>;

/// Pairs of the form of a matrix with all weights 1.
fn pairs(matrix: &Sparse, columns: &Mat<f64>, count: usize) -> Result<Pairs, Error> {
    let form = Quadratic::Matrix(matrix);
    smallest_within(Within { form, columns: columns.as_ref(), weights: None, count }, &Silent)
}

#[test]
fn as_many_pairs_as_columns_are_found_and_no_more() -> Done {
    let (matrix, columns) = (path(20), noise(20, 3));
    for count in 1..=3 {
        let found = pairs(&matrix, &columns, count)?;
        assert_eq!((found.values.len(), found.residuals.len()), (count, count));
        assert_eq!(found.vectors.shape(), (3, count));
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
