//! Principal directions.

use embedding::{Error, PointSet, Silent};
use faer::Mat;
use spectral::principal::{Principal, column_means, scatter};
use spectral::{Tolerance, dense};

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
