//! The inverse of an affine map.

use embedding::implement::Scale;
use embedding::{Embedding, Error, PointSet, Points};
use faer::Mat;
use spectral::{AffineMap, dense};

/// The inverse is the shortest of all points with the image: it lies in the span of A, and
/// its image is the one given, at any scale.
#[test]
fn the_inverse_is_the_nearest_point_with_the_image() -> Result<(), Error> {
    for scale in [1.0, 1e-300, 1e-150, 1e150, 1e300] {
        let a = Mat::from_fn(5, 2, |i, j| scale * ((i * 3 + j * j * 7 + i * j) % 5) as f64);
        let map = AffineMap::new(vec![1.0, -2.0, 0.5, 0.0, 3.0], a.clone());
        let images = PointSet::new([0.3, -1.0, 4.0, 2.0].iter().map(|v| v * scale).collect(), 2)?;
        let found = map.invert(images.view())?;
        let again = map.apply(PointSet::from_mat(found.coordinates())?.view())?;
        let gap = (again.coordinates() - images.view().as_mat()).norm_max();
        assert!(gap < 1e-12 * scale, "{gap}");
        // (x − origin) is A c: no longer when projected on the complement of the span.
        let centered = Mat::from_fn(5, 2, |i, p| found[(p, i)] - map.origin()[i]);
        let unit = Mat::from_fn(5, 2, |i, j| a[(i, j)] / scale);
        let q = dense::thin_q(unit.as_ref());
        let rest = &centered - &q * (q.transpose() * &centered);
        assert!(rest.norm_max() < 1e-12, "{}", rest.norm_max());
    }
    Ok(())
}

/// Dependent columns: the image is the nearest that the map has.
#[test]
fn dependent_columns_have_the_image_nearest_to_the_one_given() -> Result<(), Error> {
    let a = Mat::from_fn(3, 2, |i, _| [1.0, 2.0, 2.0][i]);
    let map = AffineMap::new(vec![0.0; 3], a);
    let found = map.invert(Points::new(&[9.0, 27.0], 2)?)?;
    // Images are (t, t): the nearest is t = 18, of the shortest point 2 · (1, 2, 2).
    for (x, expected) in found.row(0).iter().zip([2.0, 4.0, 4.0]) {
        assert!((x - expected).abs() < 1e-12, "{:?}", found.row(0));
    }
    assert!(map.invert(Points::new(&[1.0], 1)?).is_err());
    let zero = AffineMap::new(vec![7.0; 3], Mat::zeros(3, 2));
    assert_eq!(zero.invert(Points::new(&[1.0, 2.0], 2)?)?.row(0), [7.0; 3]);
    Ok(())
}

#[test]
fn an_image_is_the_sum_over_the_columns_in_order_whatever_the_batch() -> Result<(), Error> {
    let value = |at: usize| (at as f64 * 0.7).sin() * 10f64.powi(at as i32 % 5);
    for (n, width, d) in [(1, 3, 1), (7, 13, 2), (70, 5, 3), (131, 29, 7), (65, 11, 8), (9, 40, 23)] {
        let points: Vec<f64> = (0..n * width).map(value).collect();
        let origin: Vec<f64> = (0..width).map(|c| value(3 * c + 1)).collect();
        let matrix = Mat::from_fn(width, d, |c, j| value(c * d + j + 5));
        let map = AffineMap::new(origin.clone(), matrix.clone());
        let images = map.apply(Points::new(&points, width)?)?;
        for (i, row) in points.chunks_exact(width).enumerate() {
            for j in 0..d {
                let one = |c: usize| (row[c] - origin[c]) * matrix[(c, j)];
                let sum: f64 = (0..width).map(one).sum();
                assert_eq!(images.row(i)[j].to_bits(), sum.to_bits(), "{n} {width} {d}: {i} {j}");
            }
            assert_eq!(map.apply(Points::new(row, width)?)?.row(0), images.row(i));
        }
    }
    Ok(())
}

#[test]
fn images_beyond_the_range_of_numbers_are_refused() -> Result<(), Error> {
    let map = AffineMap::new(vec![-1e308, 0.0], Mat::from_fn(2, 1, |_, _| 1e-10));
    let rows = PointSet::new(vec![0.0, 1.0, 1e308, 1.0], 2)?;
    let refused = map.apply(rows.view()).expect_err("a difference of 2e308").to_string();
    assert!(refused.starts_with("what row 1 is mapped to exceeds"), "{refused}");
    let places = PointSet::new(vec![1.0, 1e308], 1)?;
    let refused = map.invert(places.view()).expect_err("a point of 5e317").to_string();
    assert!(refused.starts_with("what row 1 is mapped to exceeds"), "{refused}");
    Ok(())
}

/// Of points 2^e times as far, whose images are the same, or as far too. Where the numbers of the map
/// have a multiple, these are it; near the ends of the range points are divided instead, with
/// the same images to the bit.
#[test]
fn a_map_of_multiplied_points_has_the_same_images() -> Result<(), Error> {
    let map = AffineMap::new(vec![0.75, -3.0], Mat::from_fn(2, 2, |i, j| [[0.3, -7.0], [0.0, 1e-3]][i][j]));
    let rows = [1.0, 2.0, -5.0, 0.5, 0.25, -3.0];
    let near = map.apply(Points::new(&rows, 2)?)?;
    let places = map.invert(Points::new(near.values(), 2)?)?;
    let exponents = [(30, [false; 2]), (-900, [false; 2]), (1015, [true, false]), (-1060, [true; 2])];
    for (exponent, divides) in exponents {
        let scale = Scale::try_from(exponent)?;
        let times = |values: &[f64]| -> Vec<f64> { values.iter().map(|v| scale.times(*v)).collect() };
        for (images, divides) in [Scale::ONE, scale].into_iter().zip(divides) {
            let far = map.clone().multiplied(scale, images);
            assert_eq!((!far.unit().is_one(), far.note().is_some()), (divides, divides), "2^{exponent}");
            if divides {
                assert_eq!((far.origin(), far.matrix(), far.unit()), (map.origin(), map.matrix(), scale));
            }
            let found = far.apply(PointSet::new(times(&rows), 2)?.view())?;
            let expected = near.clone().multiplied(images)?;
            assert_eq!(found, expected, "2^{exponent}");
            if images.is_one() {
                let back = far.invert(Points::new(near.values(), 2)?)?;
                let widest = scale.times(8.0);
                for (x, expected) in back.values().iter().zip(times(places.values())) {
                    assert!(
                        (x - expected).abs() <= 1e-14 * widest + f64::from_bits(1),
                        "2^{exponent}: {x:e}"
                    );
                }
            }
        }
    }
    Ok(())
}

/// A map of data near the smallest numbers equals the map of the data divided by a power of two.
#[test]
fn the_map_in_units_of_the_data_is_that_of_divided_data() {
    let a = Mat::from_fn(3, 2, |i, j| (1 + i + 2 * j) as f64);
    for exponent in [-1030, -3, 0, 500] {
        let scale = Scale::try_from(exponent).expect("a scale");
        let power = 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
        let divided = AffineMap::new(vec![1.0, -2.0, 0.5], a.clone());
        let map = divided.clone().multiplied(scale, scale).in_units_of_data();
        assert_eq!(map.origin, [1.0, -2.0, 0.5].map(|v| v * power));
        assert_eq!(map.directions, a);
        assert_eq!(map.loadings, None);
        // Images in the unit of divided data.
        let map = divided.multiplied(scale, Scale::ONE).in_units_of_data();
        assert_eq!(map.directions, Mat::from_fn(3, 2, |i, j| a[(i, j)] / power));
    }
}

#[test]
fn a_map_fits_an_embedding_of_as_many_columns() {
    let map = AffineMap::new(vec![0.0; 3], Mat::from_fn(3, 2, |i, j| (i + j) as f64));
    for columns in [1, 2, 3] {
        let embedding = Embedding::from_rows(vec![1.0; 6 * columns], columns);
        assert_eq!(map.require_fits(&embedding).is_ok(), columns == 2, "{columns} columns");
    }
}

/// The pseudo-inverse of u vᵀ is v uᵀ / |u|² |v|²: no singular value of rounding is inverted.
#[test]
fn the_pseudo_inverse_of_rank_one_is_its_closed_form() -> Result<(), Error> {
    let of = |count: usize, by: f64| (0..count).map(|i| (by * i as f64).sin() + 0.1).collect::<Vec<f64>>();
    let square = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>();
    for (rows, columns) in [(60, 40), (40, 60), (200, 7)] {
        let (u, v) = (of(rows, 1.7), of(columns, 2.3));
        let map = AffineMap::new(vec![0.0; rows], Mat::from_fn(rows, columns, |i, j| u[i] * v[j]));
        let lengths = square(&u) * square(&v);
        let expected = Mat::from_fn(columns, rows, |j, i| v[j] * u[i] / lengths);
        let gap = (map.pseudo_inverse()? - &expected).norm_max() / expected.norm_max();
        assert!(gap < 1e-12, "{rows} × {columns}: {gap:e}");
    }
    Ok(())
}
