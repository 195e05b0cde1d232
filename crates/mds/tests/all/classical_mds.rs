//! Theorems about classical scaling.

use embedding::{Error, MemoryLimit, Method, Model, PointSet, Points, Silent, Transform};
use faer::{Mat, MatRef, mat};
use mds::steps::Distances;
use mds::{ClassicalMds, NegativeEigenvalues, Precision};

/// n points in D dimensions from an additive recurrence; no generator involved.
fn cloud(n: usize, dim: usize) -> PointSet {
    let value = |i: usize, j: usize| {
        let step = [2.0_f64, 3.0, 5.0, 7.0, 11.0, 13.0][j].sqrt();
        ((i + 1) as f64 * step).fract() * (dim - j) as f64
    };
    PointSet::new((0..n * dim).map(|e| value(e / dim, e % dim)).collect(), dim).expect("finite")
}

fn euclidean(points: Points<'_>, precision: Precision) -> Result<Distances, Error> {
    Distances::euclidean(points, precision, MemoryLimit::default(), &Silent)
}

fn gap(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> f64 {
    assert_eq!(a.shape(), b.shape());
    (a - b).norm_max()
}

fn recipe(dim: usize) -> ClassicalMds {
    ClassicalMds { dim, ..ClassicalMds::default() }
}

#[test]
fn of_euclidean_distances_it_is_principal_component_analysis() -> Result<(), Error> {
    // 700 points: beyond the size where the eigenproblem is dense.
    for (n, dim) in [(150, 3), (700, 3), (700, 5)] {
        let points = cloud(n, 5);
        let principal = linear::Pca { dim, ..linear::Pca::default() }.fit(points.view())?;
        let from_points = recipe(dim).fit(points.view())?;
        let from_distances =
            recipe(dim).fit_distances(&euclidean(points.view(), Precision::Double)?, &Silent)?;
        let mut expected = principal.embedding().coordinates().to_owned();
        spectral::canonical_signs(expected.as_mut());
        let scale = expected.norm_max();
        assert!(gap(expected.as_ref(), from_points.embedding().coordinates()) < 1e-12 * scale);
        assert!(gap(expected.as_ref(), from_distances.embedding().coordinates()) < 1e-8 * scale);
        for j in 0..dim {
            let variance = principal.explained_variance()[j] * (n - 1) as f64;
            assert!((from_distances.eigenvalues()[j] / variance - 1.0).abs() < 1e-9);
            assert!((from_points.eigenvalues()[j] / variance - 1.0).abs() < 1e-12);
        }
        let total = principal.total_variance() * (n - 1) as f64;
        assert!((from_points.trace() / total - 1.0).abs() < 1e-12);
        assert!((from_distances.trace() / total - 1.0).abs() < 1e-12);
    }
    Ok(())
}

#[test]
fn distances_of_the_coordinates_are_the_given_ones() -> Result<(), Error> {
    let points = cloud(300, 4);
    let distances = euclidean(points.view(), Precision::Double)?;
    let fitted = recipe(4).fit_distances(&distances, &Silent)?;
    let y = fitted.embedding().coordinates();
    for i in 0..300 {
        for j in 0..i {
            assert!(((y.row(i) - y.row(j)).norm_l2() - distances.get(i, j)).abs() < 1e-10);
        }
    }
    assert!(fitted.reconstruction_error() < 1e-6 * fitted.eigenvalues()[0]);
    assert!(mds::steps::residual_variances(&distances, y)[3] < 1e-12);
    assert_eq!(fitted.negative(), NegativeEigenvalues::Counted { count: 0, mass: 0.0 });
    for v in y.col_iter() {
        assert!(v.iter().sum::<f64>().abs() < 1e-10, "centered");
    }
    Ok(())
}

/// Four equidistant points with a fifth at distance ½ from each: the center of
/// a regular tetrahedron is at √6/4 ≈ 0.612, so no points have these distances.
fn impossible() -> Mat<f64> {
    Mat::from_fn(5, 5, |i, j| match (i, j) {
        _ if i == j => 0.0,
        (4, _) | (_, 4) => 0.5,
        _ => 1.0,
    })
}

#[test]
fn negative_eigenvalues_are_counted_and_never_become_nan() -> Result<(), Error> {
    // By symmetry B has the eigenvalue ½ on the three contrasts of the four
    // points. Their means are s̄ = (3 + ¼)/5 and ¼·4/5, the grand mean is
    // (4·3.25 + 1)/25 = 0.56, so B₅₅ = −½(0 − 2·0.2 + 0.56) = −0.08 and the
    // vector (−1, −1, −1, −1, 4) belongs to trace − 3·½ = 1.4 − 1.5 = −0.1.
    let distances = Distances::from_matrix(impossible().as_ref(), Precision::Double)?;
    let fitted = recipe(3).fit_distances(&distances, &Silent)?;
    for value in fitted.eigenvalues() {
        assert!((value - 0.5).abs() < 1e-12);
    }
    let NegativeEigenvalues::Counted { count, mass } = fitted.negative() else {
        panic!("five points are counted")
    };
    assert_eq!(count, 1);
    assert!((mass - 0.1).abs() < 1e-12, "{mass}");
    assert!((fitted.trace() - 1.4).abs() < 1e-12);
    let refused = recipe(4).fit_distances(&distances, &Silent);
    assert!(
        matches!(&refused, Err(Error::Degenerate { problem, .. }) if problem.contains("3 positive")),
        "{refused:?}"
    );
    Ok(())
}

#[test]
fn many_points_prove_negative_mass_by_the_trace() -> Result<(), Error> {
    // Distances on a circle along its arc are not Euclidean.
    let n = 1200;
    let arc = |i: usize, j: usize| {
        let steps = (i - j).min(n - (i - j));
        steps as f64
    };
    let distances = Distances::from_rows(n, 600.0, Precision::Double, &Silent, |i, row| {
        row.iter_mut().enumerate().for_each(|(j, d)| *d = arc(i, j));
    })?;
    let fitted = recipe(2).fit_distances(&distances, &Silent)?;
    let NegativeEigenvalues::AtLeast { mass } = fitted.negative() else {
        panic!("1,200 points are not counted")
    };
    // Fourier: on the circle of circumference n, −½ arc² has the eigenvalues
    // (−1)^{m+1} n³/(4π² m²) to leading order, each twice: the positive ones of
    // m = 1 alone exceed the trace n³/24 by n³ (1/(2π²) − 1/24).
    let expected = (n as f64).powi(3) * (0.5 * std::f64::consts::PI.powi(-2) - 1.0 / 24.0);
    assert!((mass / expected - 1.0).abs() < 1e-3, "{mass} {expected}");
    Ok(())
}

#[test]
fn new_points_are_placed_at_their_distances() -> Result<(), Error> {
    let (train, new) = (cloud(200, 3), cloud(260, 3));
    let new = new.view().select(&(200..260).collect::<Vec<_>>());
    for precision in [Precision::Double, Precision::Single] {
        let distances = euclidean(train.view(), precision)?;
        let fitted = recipe(3).fit_distances(&distances, &Silent)?;
        let between = |a: Points<'_>| {
            Mat::from_fn(a.len(), 200, |i, j| {
                a.row(i).iter().zip(train.view().row(j)).map(|(x, y)| (x - y) * (x - y)).sum::<f64>().sqrt()
            })
        };
        let again = fitted.place(between(train.view()).as_ref())?;
        assert!(
            gap(again.coordinates(), fitted.embedding().coordinates()) < 1e-10,
            "training rows, {precision:?}"
        );
        let to_new = between(new.view());
        let placed = fitted.place(to_new.as_ref())?;
        for i in [0, 59] {
            let row: Vec<f64> = to_new.row(i).iter().copied().collect();
            let alone: Vec<f64> = placed.coordinates().row(i).iter().copied().collect();
            assert_eq!(fitted.place_row(i, &row)?, alone, "{i}");
        }
        let from_points = recipe(3).fit(train.view())?.transform(new.view())?;
        let tolerance = if precision == Precision::Double { 1e-10 } else { 1e-5 };
        assert!(gap(placed.coordinates(), from_points.coordinates()) < tolerance, "{precision:?}");
    }
    Ok(())
}

#[test]
fn training_rows_of_points_reproduce_to_the_bit() -> Result<(), Error> {
    let points = cloud(120, 6);
    let fitted = recipe(4).fit(&points)?;
    assert_eq!(fitted.transform(points.view())?.coordinates(), fitted.embedding().coordinates());
    let some = points.view().select(&[7, 3, 100]);
    let part = fitted.transform(some.view())?;
    assert_eq!(part.row(1), fitted.embedding().row(3));
    assert!(matches!(fitted.transform(cloud(3, 5).view()), Err(Error::Shape { .. })));
    Ok(())
}

#[test]
fn single_precision_moves_coordinates_by_its_rounding_only() -> Result<(), Error> {
    let points = cloud(700, 3);
    let fit = |precision| recipe(2).fit_distances(&euclidean(points.view(), precision)?, &Silent);
    let (single, double) = (fit(Precision::Single)?, fit(Precision::Double)?);
    let (a, b) = (single.embedding().coordinates(), double.embedding().coordinates());
    let difference = gap(a, b);
    assert!(difference < 1e-6 && difference > 0.0, "{difference}");
    Ok(())
}

#[test]
fn stored_distances_are_the_given_ones() -> Result<(), Error> {
    for n in [1, 2, 127, 128, 129, 300] {
        let points = cloud(n, 3);
        for (precision, tolerance) in [(Precision::Single, 1e-7), (Precision::Double, 1e-15)] {
            let distances = euclidean(points.view(), precision)?;
            for (i, j) in [(0, 0), (n - 1, 0), (0, n - 1), (n / 2, n / 3), (n - 1, n - 1), (n / 3, n / 2)] {
                let (a, b) = (points.view().row(i), points.view().row(j));
                let exact = a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum::<f64>().sqrt();
                assert!((distances.get(i, j) - exact).abs() <= tolerance * exact, "{n}: {i}, {j}");
            }
        }
    }
    Ok(())
}

#[test]
fn scale_is_kept_from_the_smallest_to_the_largest_units() -> Result<(), Error> {
    let points = cloud(60, 3);
    let reference = recipe(2).fit_distances(&euclidean(points.view(), Precision::Double)?, &Silent)?;
    let scale = reference.embedding().coordinates().norm_max();
    for factor in [1e-100, 1e-6, 1e6, 1e100] {
        let scaled = points.view().values().iter().map(|v| v * factor).collect();
        let scaled = PointSet::new(scaled, 3)?;
        for precision in [Precision::Single, Precision::Double] {
            let fitted = recipe(2).fit_distances(&euclidean(scaled.view(), precision)?, &Silent)?;
            let back = Mat::from_fn(60, 2, |i, j| fitted.embedding().coordinates()[(i, j)] / factor);
            assert!(
                gap(back.as_ref(), reference.embedding().coordinates()) < 1e-6 * scale,
                "{factor:e} {precision:?}"
            );
        }
    }
    Ok(())
}

#[test]
fn errors_name_why_distances_cannot_be_scaled() {
    let message = |matrix: Mat<f64>| {
        Distances::from_matrix(matrix.as_ref(), Precision::Double).expect_err("refused").to_string()
    };
    assert!(message(mat![[0.0, 1.0], [2.0, 0.0]]).contains("symmetric"));
    assert!(message(mat![[0.0, -1.0], [-1.0, 0.0]]).contains("not negative"));
    assert!(message(mat![[0.0, f64::NAN], [1.0, 0.0]]).contains("row 0, column 1"));
    assert!(message(mat![[0.5, 1.0], [1.0, 0.0]]).contains("itself"));
    assert!(message(Mat::zeros(2, 3)).contains("square"));

    let flat = PointSet::new((0..20).map(|i| f64::from(i / 2)).collect(), 2).expect("finite");
    for result in [
        recipe(2).fit(flat.view()).err(),
        euclidean(flat.view(), Precision::Single).and_then(|d| recipe(2).fit_distances(&d, &Silent)).err(),
    ] {
        assert!(
            matches!(&result, Some(Error::Degenerate { problem, .. }) if problem.contains("1 positive")),
            "points on a line: {result:?}"
        );
    }
    let same = PointSet::new(vec![0.3; 20], 2).expect("finite");
    assert!(matches!(recipe(1).fit(same.view()), Err(Error::Degenerate { .. })));
    for dim in [0, 10] {
        assert!(matches!(recipe(dim).fit(flat.view()), Err(Error::Parameter { .. })));
    }
    let allowed = MemoryLimit::new(Distances::bytes(10, Precision::Double));
    let refused = Distances::euclidean(flat.view(), Precision::Double, allowed, &Silent).err();
    assert_eq!(refused, None, "ten points fit into what ten points need");
    let refused = Distances::euclidean(cloud(12, 2).view(), Precision::Double, allowed, &Silent).err();
    assert!(matches!(refused, Some(Error::Memory { needed, .. }) if needed > allowed.bytes), "{refused:?}");
    assert!(Distances::bytes(10_000, Precision::Single) < 201_000_000, "one triangle in four bytes");
}

#[test]
fn rows_whose_places_exceed_the_range_of_numbers_are_refused() -> Result<(), Error> {
    let model = recipe(1).fit(&PointSet::from_rows(&[[0.0, 0.0], [1.0, 1.0], [3.0, 3.0], [4.0, 4.0]])?)?;
    let rows = PointSet::from_rows(&[[2.0, 2.0], [1.7e308, 1.7e308]])?;
    let refused = model.transform(rows.view()).expect_err("a place at 2.4e308").to_string();
    assert!(refused.contains("exceeds the range of numbers"), "{refused}");
    Ok(())
}

/// Arc distances on a circle, for the largest number of points with all eigenvalues computed, and for one
/// more.
#[test]
fn negative_eigenvalues_of_up_to_five_hundred_points_are_counted() -> Result<(), Error> {
    for (n, counted) in [(500, true), (501, false)] {
        let distances = Distances::from_rows(n, 250.0, Precision::Double, &Silent, |i, row| {
            row.iter_mut().enumerate().for_each(|(j, d)| *d = (i - j).min(n - (i - j)) as f64);
        })?;
        let negative = recipe(2).fit_distances(&distances, &Silent)?.negative();
        assert_eq!(matches!(negative, NegativeEigenvalues::Counted { .. }), counted, "{n}: {negative:?}");
    }
    Ok(())
}

/// Its foot is placed with it, to rounding of squares of 1e8.
#[test]
fn a_point_far_beside_a_line_is_placed_at_its_foot() -> Result<(), Error> {
    let place: Vec<f64> = (1..=400).map(|i| 10.0 * (f64::from(i) * 2f64.sqrt()).fract()).collect();
    let line = PointSet::new(place.clone(), 1)?;
    let scaling = recipe(1).fit_distances(&euclidean(line.view(), Precision::Double)?, &Silent)?;
    for foot in [1.0, 8.5] {
        let [near, far] = [0.0, 1e4].map(|height: f64| {
            let row: Vec<f64> = place.iter().map(|t| (t - foot).hypot(height)).collect();
            scaling.place_row(0, &row).expect("finite")[0]
        });
        assert!((near - far).abs() < 1e-6, "{foot}: {near} {far}");
    }
    Ok(())
}
