//! Conversions from and to arrays, and to the matrix types of other libraries.

use embedding::{Error, Points};

#[test]
fn rows_in_arrays_are_viewed_in_place() -> Result<(), Error> {
    let rows = [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]];
    let points = Points::try_from(&rows[..])?;
    assert_eq!((points.len(), points.dim(), points.row(2)), (3, 2, &[4.0, 5.0][..]));
    assert_eq!(points.values().as_ptr(), rows.as_ptr().cast());
    assert!(matches!(Points::try_from(&rows[..0]), Err(Error::TooFewPoints { got: 0, .. })));
    assert!(matches!(Points::try_from(&[[0.0; 0]; 3][..]), Err(Error::Parameter { name: "dimensions", .. })));
    let broken = Points::try_from(&[[0.0, 1.0], [f64::INFINITY, 3.0]][..]).map(|_| ());
    assert!(matches!(broken, Err(Error::NotFinite { row: 1, column: 0, .. })), "{broken:?}");
    Ok(())
}

#[cfg(feature = "ndarray")]
mod arrays {
    use embedding::{Embedding, Error, PointSet, Points};
    use ndarray::{Array2, array, s};

    fn table() -> Array2<f64> {
        array![[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    }

    #[test]
    fn an_array_in_standard_layout_is_viewed_in_place() -> Result<(), Error> {
        let table = table();
        let points = Points::try_from(table.view())?;
        assert_eq!((points.len(), points.dim()), (2, 3));
        assert_eq!(points.values().as_ptr(), table.as_ptr());
        // Whole rows of a larger array are in standard layout too.
        let last = Points::try_from(table.slice(s![1.., ..]))?;
        assert_eq!(last.row(0), &[3.0, 4.0, 5.0]);
        Ok(())
    }

    #[test]
    fn other_layouts_are_copied_and_never_viewed() -> Result<(), Error> {
        let table = table();
        let refused = Points::try_from(table.t()).map(|_| ()).expect_err("by columns").to_string();
        assert!(refused.contains("3 × 2 with strides [1, 3]") && refused.contains("PointSet"), "{refused}");
        assert!(Points::try_from(table.slice(s![.., ..2])).is_err(), "rows with gaps");
        assert!(Points::try_from(table.slice(s![..;-1, ..])).is_err(), "rows in reverse");
        let transposed = PointSet::try_from(table.t())?;
        assert_eq!(transposed, PointSet::from_rows(&[[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]])?);
        let part = PointSet::try_from(table.slice(s![..;-1, ..2]))?;
        assert_eq!(part, PointSet::from_rows(&[[3.0, 4.0], [0.0, 1.0]])?);
        assert_eq!(PointSet::try_from(&table)?.view().values(), table.as_slice().expect("standard layout"));
        Ok(())
    }

    #[test]
    fn empty_arrays_and_values_that_are_not_finite_are_refused() {
        let refused = |array: Array2<f64>| {
            let copied = PointSet::try_from(&array).map(|_| ()).expect_err("refused");
            assert_eq!(Points::try_from(array.view()).map(|_| ()), Err(copied.clone()));
            copied
        };
        assert!(matches!(refused(Array2::zeros((0, 3))), Error::TooFewPoints { got: 0, .. }));
        assert!(matches!(refused(Array2::zeros((3, 0))), Error::Parameter { name: "dimensions", .. }));
        let mut broken = table();
        broken[(1, 2)] = f64::NEG_INFINITY;
        assert!(matches!(refused(broken), Error::NotFinite { row: 1, column: 2, .. }));
    }

    #[test]
    fn coordinates_become_an_array() {
        let embedding = Embedding::from_rows(vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0], 3);
        assert_eq!(Array2::from(&embedding), table());
    }
}

#[cfg(feature = "nalgebra")]
mod matrices {
    use embedding::{Embedding, Error, PointSet};
    use nalgebra::DMatrix;

    fn table() -> DMatrix<f64> {
        DMatrix::from_row_slice(2, 3, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
    }

    #[test]
    fn rows_of_a_matrix_are_points_and_coordinates_its_rows() -> Result<(), Error> {
        let points = PointSet::try_from(&table())?;
        assert_eq!(points, PointSet::from_rows(&[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])?);
        assert_eq!(DMatrix::from(&Embedding::from_rows(points.into_values(), 3)), table());
        Ok(())
    }

    #[test]
    fn empty_matrices_and_values_that_are_not_finite_are_refused() {
        let refused = |matrix: DMatrix<f64>| PointSet::try_from(&matrix).map(|_| ()).expect_err("refused");
        assert!(matches!(refused(DMatrix::zeros(0, 3)), Error::TooFewPoints { got: 0, .. }));
        assert!(matches!(refused(DMatrix::zeros(3, 0)), Error::Parameter { name: "dimensions", .. }));
        let mut broken = table();
        broken[(0, 2)] = f64::NAN;
        assert!(matches!(refused(broken), Error::NotFinite { row: 0, column: 2, .. }));
    }
}
