//! Principal directions.

use embedding::{Error, PointSet, Silent, SparsePointSet};
use faer::Mat;
use spectral::principal::{Principal, column_means, scatter, scatter_bytes};
use spectral::{AffineMap, RowSpace, Tolerance, dense, sparse_components};

/// Points whose columns have different deviations; some columns equal each other, some are 0.
fn points(n: usize, width: usize) -> Result<PointSet, Error> {
    let value = |i: usize, c: usize| match c {
        5 | 6 => ((i * 31) as f64).sin(),
        7 => 0.0,
        _ => ((i * width + c) as f64 * 1.618).sin() * 40.0 / (1.0 + c as f64) + c as f64,
    };
    PointSet::new((0..n * width).map(|at| value(at / width, at % width)).collect(), width)
}

#[test]
fn the_scatter_is_the_sum_of_products_of_centered_rows() -> Result<(), Error> {
    // More rows than are summed at a time.
    let points = points(9000, 9)?;
    let mean = column_means(points.view());
    let found = scatter(points.view(), &mean);
    for (a, b) in [(0, 0), (3, 8), (8, 3), (5, 6), (7, 2)] {
        let sum: f64 = points.view().rows().map(|row| (row[a] - mean[a]) * (row[b] - mean[b])).sum();
        assert!((found[(a, b)] - sum).abs() < 1e-10 * found.norm_max(), "{a} {b}");
    }
    Ok(())
}

#[test]
fn few_of_many_directions_are_those_of_the_full_decomposition() -> Result<(), Error> {
    for (n, width) in [(700, 400), (400, 700)] {
        let points = points(n, width)?;
        let mean = column_means(points.view());
        let (values, vectors) = dense::symmetric_eigen(scatter(points.view(), &mean).as_ref())?;
        let few = Principal::new(points.view(), 3, Tolerance::default(), &Silent)?;
        for j in 0..3 {
            let at = width - 1 - j;
            assert!((few.sums[j] / values[at] - 1.0).abs() < 1e-12, "{n}: {j}");
            let cosine: f64 = (0..width).map(|c| few.directions[(c, j)] * vectors[(c, at)]).sum();
            assert!(1.0 - cosine.abs() < 1e-13, "{n}: {j}, {cosine}");
        }
    }
    Ok(())
}

/// More points and columns than a matrix of products is formed for.
#[test]
fn directions_of_many_points_in_many_columns_are_eigenvectors_of_their_scatter() -> Result<(), Error> {
    let (n, width) = (1510, 1520);
    let wave = |i: usize, c: usize| {
        let (t, x) = (i as f64 / n as f64, c as f64 / width as f64);
        9.0 * t.sin() * x.cos() + 3.0 * (5.0 * t).cos() * (7.0 * x).sin() + (11.0 * t).sin() * x
    };
    let points = PointSet::new((0..n * width).map(|at| wave(at / width, at % width)).collect(), width)?;
    let found = Principal::new(points.view(), 2, Tolerance::default(), &Silent)?;
    let mean = column_means(points.view());
    let x = Mat::from_fn(n, width, |i, c| points.view().row(i)[c] - mean[c]);
    let image = x.transpose() * (&x * &found.directions);
    for j in 0..2 {
        assert!((found.directions.col(j).norm_l2() - 1.0).abs() < 1e-12, "{j}");
        let rest = image.col(j) - found.directions.col(j) * faer::Scale(found.sums[j]);
        assert!(rest.norm_l2() < 1e-9 * found.sums[0], "{j}: {}", rest.norm_l2());
    }
    assert!((found.total / x.squared_norm_l2() - 1.0).abs() < 1e-12, "{}", found.total);
    assert!(found.sums[0] > found.sums[1] && found.total > found.sums[0] + found.sums[1]);
    // Three waves: what is left is along a third direction.
    assert!(found.total - found.sums[0] - found.sums[1] < found.sums[1]);
    Ok(())
}

/// By the scatter matrix, by the products of points, and by neither; eight chunks are summed at a time.
#[test]
fn the_estimate_is_what_the_way_to_the_directions_takes() {
    let number = 8;
    // Sums of five chunks, their total and the result, and a centered chunk of each thread.
    let sums = number * ((5 + 2) * 30 + 2 * 1024) * 30;
    assert_eq!(Principal::bytes(5000, 30), sums);
    assert_eq!(scatter_bytes(5000, 30), sums);
    assert_eq!(scatter_bytes(1_000_000, 30), number * ((8 + 2) * 30 + 2 * 1024) * 30);
    assert_eq!(scatter_bytes(100, 30), number * ((1 + 2) * 30 + 100) * 30);
    // The matrix, and its decomposition, which takes four.
    assert_eq!(Principal::bytes(1400, 1400), number * 5 * 1400 * 1400);
    assert_eq!(Principal::bytes(300, 2000), number * (300 * 2000 + 5 * 300 * 300));
    assert_eq!(Principal::bytes(1501, 2000), number * 1501 * 2000);
    assert_eq!(Principal::bytes(2000, 1501), number * 1501 * 2000);
}

/// For more columns than points: the centered rows, the same rows in units of deviations, the products of
/// these rows, and the images of as many vectors.
#[test]
fn the_estimate_of_a_basis_of_wide_data_has_the_rows_three_times() {
    let number = 8;
    assert_eq!(RowSpace::bytes(20, 1000, None), number * (3 * 20 * 1000 + 2 * 20 * 20));
}

#[test]
fn equal_variances_and_none_have_orthonormal_directions() -> Result<(), Error> {
    // Unit vectors and their negatives: every direction has the same variance.
    let width = 400;
    let row =
        |i: usize| (0..width).map(move |c| if c == i % width { 1.0 - 2.0 * (i / width) as f64 } else { 0.0 });
    let equal = PointSet::new((0..2 * width).flat_map(row).collect(), width)?;
    let none = PointSet::new(vec![2.5; 500 * width], width)?;
    for (points, sum) in [(equal, 2.0), (none, 0.0)] {
        let found = Principal::new(points.view(), 3, Tolerance::default(), &Silent)?;
        assert!(found.sums.iter().all(|s| (s - sum).abs() < 1e-12), "{:?}", found.sums);
        let gram = found.directions.transpose() * &found.directions;
        assert!((gram - Mat::<f64>::identity(3, 3)).norm_max() < 1e-12);
    }
    Ok(())
}

/// Every seventh value, in growing columns; column 3 is constant, column 4 and some rows are 0.
fn few_values(n: usize, width: usize) -> Result<PointSet, Error> {
    let value = |i: usize, c: usize| match c {
        3 => 2.5,
        4 => 0.0,
        _ if (i * i + 3 * c).is_multiple_of(7) && !i.is_multiple_of(11) => {
            ((i * 31 + c * 17) as f64 * 0.618).sin() * 9.0 / (1.0 + c as f64).sqrt() + 1.0
        }
        _ => 0.0,
    };
    PointSet::new((0..n * width).map(|at| value(at / width, at % width)).collect(), width)
}

#[test]
fn directions_of_sparse_points_are_those_of_the_same_rows_with_zeros() -> Result<(), Error> {
    for (n, width) in [(200, 40), (900, 700), (60, 1200)] {
        let points = few_values(n, width)?;
        let sparse = SparsePointSet::of(points.view())?;
        let dense = Principal::new(points.view(), 3, Tolerance::default(), &Silent)?;
        let (found, coordinates, _) = Principal::of_sparse(sparse.view(), 3, Tolerance::default(), &Silent)?;
        let images = AffineMap::new(dense.mean.clone(), dense.directions.clone()).apply(points.view())?;
        assert!((found.total / dense.total - 1.0).abs() < 1e-12, "{n}: {} {}", found.total, dense.total);
        for c in 0..width {
            assert!((found.mean[c] - dense.mean[c]).abs() < 1e-12, "{n}: mean of column {c}");
        }
        for j in 0..3 {
            assert!((found.sums[j] / dense.sums[j] - 1.0).abs() < 1e-9, "{n}: sum {j}");
            let largest = images.coordinates().col(j).norm_max();
            for i in 0..n {
                let gap = (coordinates[(i, j)] - images.row(i)[j]).abs();
                assert!(gap < 1e-6 * largest, "{n}: row {i}, {gap} of {largest}");
            }
        }
    }
    let points = few_values(200, 40)?;
    let refused =
        Principal::of_sparse(SparsePointSet::of(points.view())?.view(), 41, Tolerance::default(), &Silent);
    assert!(matches!(refused, Err(Error::Parameter { .. })));
    Ok(())
}

/// Their variance is 0, and no number is NaN.
#[test]
fn equal_sparse_points_have_no_variance() -> Result<(), Error> {
    for width in [20, 800] {
        let row = |c: usize| if c.is_multiple_of(5) { c as f64 } else { 0.0 };
        let points = PointSet::new((0..50 * width).map(|at| row(at % width)).collect(), width)?;
        let sparse = SparsePointSet::of(points.view())?;
        let (found, coordinates, _) = Principal::of_sparse(sparse.view(), 2, Tolerance::default(), &Silent)?;
        let scale = (width * width) as f64;
        assert!(found.sums.iter().all(|s| s.abs() < 1e-20 * scale), "{:?}", found.sums);
        assert!(found.total < 1e-20 * scale && coordinates.norm_max() < 1e-10 * scale);
    }
    Ok(())
}

/// Squares of the values are beyond the range of numbers.
#[test]
fn components_of_sparse_points_of_any_scale_are_finite() -> Result<(), Error> {
    let points = few_values(200, 40)?;
    let near = sparse_components(SparsePointSet::of(points.view())?.view(), 2, &Silent)?;
    for factor in [1e-200, 1e200] {
        let values = points.view().values().iter().map(|v| v * factor).collect();
        let scaled = SparsePointSet::of(PointSet::new(values, 40)?.view())?;
        let far = sparse_components(scaled.view(), 2, &Silent)?;
        let ratio = far[(1, 0)] / near[(1, 0)];
        for i in 0..200 {
            assert!((far[(i, 0)] - ratio * near[(i, 0)]).abs() < 1e-9 * ratio.abs() * near.norm_max());
        }
        assert!(ratio.is_finite() && ratio != 0.0, "{factor}: {ratio}");
    }
    Ok(())
}
