//! Gradients of maps whose slopes are known.

use crate::common::{assert_close, mapped, noise, plane};
use embedding::{Embedding, Error, Input, MemoryLimit, PointSet, Points};
use quality::drivers::{Drivers, MapGradients, Unit, explained_columns};

/// Columns of random numbers from −1/2 to 1/2.
fn columns(n: usize, dim: usize) -> PointSet {
    mapped(&noise(n, dim), |row| row.iter().map(|value| value - 0.5).collect())
}

fn map(points: &PointSet, place: impl Fn(&[f64]) -> [f64; 2]) -> Embedding {
    Embedding::from_rows(points.view().rows().flat_map(place).collect(), 2)
}

fn gradients(map: &Embedding, points: &PointSet) -> MapGradients {
    Drivers::default().of_map(map, &Input::from(points)).unwrap()
}

/// Regressions of an affine map are exact up to the smallest penalty, and sure.
#[test]
fn an_affine_map_has_its_own_slope_everywhere() {
    let points = columns(200, 5);
    let place = |x: &[f64]| [2.0 * x[0] - x[3] + 7.0, 0.5 * x[1] + x[2] - 0.25 * x[4]];
    let found = gradients(&map(&points, place), &points);
    let slope = [2.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.5, 1.0, 0.0, -0.25];
    for point in 0..200 {
        for (found, expected) in found.gradient(point).iter().zip(slope) {
            assert!((found - expected).abs() < 1e-4, "{point}: {found}, not {expected}");
        }
        assert!(found.certainty()[point] > 1.0 - 1e-8);
    }
    let first = &found.of_map(Unit::Value)[0];
    assert_eq!((first.column, first.among_first), (0, 1.0));
    assert!((first.importance - 2.0).abs() < 1e-4 && first.spread < 1e-4);
    let axis = found.of_axis(1, Unit::Value);
    assert!((axis[4] + 0.25).abs() < 1e-4 && axis[0].abs() < 1e-4);
}

/// More columns than rows in a neighborhood: the k × k matrix gives the solution of the D × D matrix.
#[test]
fn wide_rows_have_the_gradients_of_narrow_ones() {
    let narrow = columns(120, 50);
    let place = |x: &[f64]| [x[0] + 0.5 * x[1], x[2] * x[2]];
    let embedding = map(&narrow, place);
    let wide: Vec<f64> = narrow.view().rows().flat_map(|row| row.iter().copied().chain([0.0; 50])).collect();
    let wide = PointSet::new(wide, 100).unwrap();
    // 50 other rows: the scatter of 50 columns, and the Gram matrix for 100.
    let drivers = Drivers { k: 50, graph_k: 12 };
    let of = |points: &PointSet| drivers.of_map(&embedding, &Input::from(points)).unwrap();
    let (a, b) = (of(&narrow), of(&wide));
    for point in 0..120 {
        for axis in 0..2 {
            let (a, b) = (&a.gradient(point)[50 * axis..][..50], &b.gradient(point)[100 * axis..][..100]);
            for column in 0..50 {
                assert!((a[column] - b[column]).abs() < 1e-9, "{point}, {axis}, {column}");
                assert_eq!(b[50 + column], 0.0);
            }
        }
    }
}

/// Units: a column in thousandths has a gradient of thousandths, and the same importance per deviation
/// where the regressions are not penalized.
#[test]
fn importance_per_deviation_has_the_units_of_the_map() {
    let points = columns(150, 3);
    let embedding = map(&points, |x| [x[0] + x[1], x[2]]);
    let shorter = points.view().rows().flat_map(|x| [x[0], x[1] / 2.0, x[2]]).collect();
    let found =
        [gradients(&embedding, &points), { gradients(&embedding, &PointSet::new(shorter, 3).unwrap()) }];
    for point in [0, 70, 149] {
        let [one, other] = [0, 1].map(|at| found[at].importance(point, Unit::Deviation));
        (0..3).for_each(|column| assert_close(one[column], other[column], 1e-3));
        let [one, other] = [0, 1].map(|at| found[at].importance(point, Unit::Value));
        assert_close(2.0 * one[1], other[1], 1e-3);
    }
}

/// Powers of two of data and map change gradients by the same powers, at scales whose squares are not
/// numbers.
#[test]
fn the_scale_of_data_and_map_scales_gradients() {
    let points = columns(100, 3);
    let embedding = map(&points, |x| [x[0] * x[0], x[2]]);
    let expected = gradients(&embedding, &points);
    for (of_data, of_map) in [(2f64.powi(450), 2f64.powi(460)), (2f64.powi(-480), 2f64.powi(-470))] {
        let scaled: Vec<f64> = points.view().values().iter().map(|value| of_data * value).collect();
        let scaled = PointSet::new(scaled, 3).unwrap();
        let places: Vec<f64> = embedding.values().iter().map(|value| of_map * value).collect();
        let found = gradients(&Embedding::from_rows(places, 2), &scaled);
        for (a, b) in expected.gradient(41).iter().zip(found.gradient(41)) {
            assert_close(a * 1024.0, *b, 1e-12);
        }
        assert_eq!(expected.certainty(), found.certainty());
    }
}

/// A map that ignores the data explains no column, and no regression is sure of it.
#[test]
fn a_map_without_relation_to_the_data_is_not_sure() {
    let points = columns(300, 4);
    // The generator goes on, so that later rows are independent of the first ones.
    let other = columns(900, 4);
    let places = other.view().rows().skip(400).take(300).flat_map(|x| [x[0], x[3]]).collect();
    let unrelated = Embedding::from_rows(places, 2);
    let found = gradients(&unrelated, &points);
    let mean = found.certainty().iter().sum::<f64>() / 300.0;
    assert!(mean < 0.1, "{mean}");
    let explained = explained_columns(&unrelated, &Input::from(&points)).unwrap();
    assert!(explained.linear().iter().chain(explained.local()).all(|fraction| *fraction < 0.1));
}

/// Columns of the map itself are explained in full; a parabola only locally; a constant not at all.
#[test]
fn explained_fractions_of_known_columns() {
    let places = plane(400);
    let columns = |y: &[f64]| [3.0 * y[0] - y[1], (y[0] - 0.5).powi(2), 4.0];
    let data: Vec<f64> = places.view().rows().flat_map(columns).collect();
    let data = PointSet::new(data, 3).unwrap();
    let embedding = map(&places, |y| [y[0], y[1]]);
    let found = explained_columns(&embedding, &Input::from(&data)).unwrap();
    assert!((found.linear()[0] - 1.0).abs() < 1e-9 && found.local()[0] > 0.99);
    assert!(found.linear()[1] < 0.1 && found.local()[1] > 0.9, "{found:?}");
    assert_eq!((found.linear()[2], found.local()[2], found.arrow(2)), (0.0, 0.0, &[0.0, 0.0][..]));
    let arrow = found.arrow(0);
    assert!((arrow[0] / arrow[1] + 3.0).abs() < 1e-6 && (arrow[0].hypot(arrow[1]) - 1.0).abs() < 1e-6);
}

/// Points of a single place and rows without variation have no gradient, and nothing is undefined.
#[test]
fn nothing_drives_a_single_place() {
    let points = columns(60, 3);
    let single = map(&points, |_| [1.0, 2.0]);
    let found = gradients(&single, &points);
    assert!((0..60).all(|point| found.gradient(point).iter().all(|value| *value == 0.0)));
    assert!(found.certainty().iter().all(|value| *value == 0.0));
    assert!(found.of_map(Unit::Value).iter().all(|driver| driver.among_first == 0.0));
    // The sum of 60 values 0.1 or 0.3 is rounded: it is not 60 times the value.
    let copies = PointSet::new([0.1, 2.0, 0.3].repeat(60), 3).unwrap();
    let embedding = map(&points, |x| [x[0], x[1]]);
    let found = gradients(&embedding, &copies);
    assert!((0..60).all(|point| found.importance(point, Unit::Deviation) == [0.0; 3]));
    assert_eq!(found.deviations(), [0.0; 3]);
    let explained = explained_columns(&embedding, &Input::from(&copies)).unwrap();
    assert_eq!((explained.linear(), explained.local()), (&[0.0; 3][..], &[0.0; 3][..]));
}

#[test]
fn what_has_no_gradient_is_refused() {
    let points = columns(60, 3);
    let embedding = map(&points, |x| [x[0], x[1]]);
    let of = |drivers: Drivers, points: Points<'_>, limit| {
        let input = Input::from(points).with_memory_limit(limit);
        drivers.of_map(&embedding, &input).unwrap_err()
    };
    let all = MemoryLimit::UNLIMITED;
    let error = of(Drivers { k: 1, ..Drivers::default() }, points.view(), all);
    assert!(matches!(error, Error::Parameter { .. }), "{error}");
    let error = of(Drivers { graph_k: 0, ..Drivers::default() }, points.view(), all);
    assert!(matches!(error, Error::Parameter { .. }), "{error}");
    let few = points.view().select(&[0, 1, 2]);
    assert!(matches!(of(Drivers::default(), few.view(), all), Error::Shape { .. }));
    let error = of(Drivers::default(), points.view(), MemoryLimit::new(1000));
    assert!(matches!(error, Error::Memory { .. }), "{error}");
    let two = columns(2, 3);
    let error = Drivers::default().of_map(&map(&two, |x| [x[0], x[1]]), &Input::from(&two)).unwrap_err();
    assert!(matches!(error, Error::TooFewPoints { .. }), "{error}");
}
