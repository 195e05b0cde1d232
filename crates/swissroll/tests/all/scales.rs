//! Data of any scale: the map equals the map of a copy of the data near 1, or this map multiplied
//! by the same power of two. No scale gives another map without an error.

use embedding::implement::scale::times_power_of_two;
use embedding::{DataKind, DistanceMatrix};
use swissroll::datasets::{self, Dataset, Request};
use swissroll::linear::{Kernel, KernelPca};
use swissroll::prelude::{DynMethod, Error, Input, Method, Model, PointSet};
use swissroll::quality::diagnosis::collapse;

/// The coordinates of a map, the coordinates of new points in it, and the points that a linear map
/// takes to its places.
struct Map {
    map: Vec<f64>,
    new: Vec<f64>,
    points: Option<Vec<f64>>,
}

/// The map of the data times a factor and a power of two. What places points was saved and loaded.
fn map(method: &dyn DynMethod, set: &Dataset, factor: f64, power: f64) -> Result<Map, Error> {
    let at = |offset: f64| {
        let values = set.points.view().values().iter().map(|v| (v + offset) * factor * power);
        PointSet::new(values.collect(), set.points.dim())
    };
    let points = at(0.0)?;
    let fitted = method.fit_dyn(&Input::from(&points).with_labels(&set.labels[0].values))?;
    let facts = fitted.report().facts;
    let no_number = facts.iter().find(|(_, fact)| fact.is_null());
    assert_eq!(no_number, None, "{} of data times {:e}", method.about().name, factor * power);
    let model = method.load(&fitted.save()?)?;
    let places = PointSet::new(fitted.embedding().values().to_vec(), fitted.embedding().dim())?;
    Ok(Map {
        new: model.transform(at(0.125)?.view())?.into_values(),
        points: model.invert(places.view())?.map(|back| back.into_values()),
        map: places.into_values(),
    })
}

/// The largest difference from `factor` times a map, relative to the largest coordinate, beyond
/// the distance of neighboring numbers near zero.
fn gap(of: &[f64], from: &[f64], factor: f64) -> f64 {
    let largest = from.iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    let rounding = f64::from_bits(1) / factor;
    // `f64::max` would take NaN for 0.
    let beyond = |difference: f64| if difference <= rounding { 0.0 } else { difference - rounding };
    embedding::implement::maximum(of.iter().zip(from).map(|(a, b)| beyond((a / factor - b).abs()))) / largest
}

#[test]
fn a_map_with_nan_agrees_with_none() {
    assert!(gap(&[f64::NAN, 1.0], &[0.0, 1.0], 1.0).is_nan() && gap(&[1.0], &[1.0], 1.0) == 0.0);
}

/// Whether `far` is a map times a power of two or the same, up to `tolerance`.
fn agree(far: &Map, near: &Map, power: f64, tolerance: f64) -> bool {
    let images =
        |f: f64| gap(&far.map, &near.map, f) <= tolerance && gap(&far.new, &near.new, f) <= tolerance;
    let points = match (&far.points, &near.points) {
        (Some(far), Some(near)) => gap(far, near, power) <= tolerance.max(1e-9),
        (far, near) => far.is_none() && near.is_none(),
    };
    (images(1.0) || images(power)) && points
}

#[test]
fn no_scale_gives_another_map_in_silence() -> Result<(), Error> {
    let set = datasets::load("digits", &Request { n: Some(100), ..Request::default() })?;
    let mut wrong = Vec::new();
    for mut method in swissroll::methods() {
        let name = method.about().name;
        for parameter in ["iterations", "epochs"] {
            if method.parameters().iter().any(|known| known.name == parameter) {
                method.set_dyn(parameter, "40")?;
            }
        }
        let mut check = |factor: f64, near: &Map, powers: &[i32]| {
            for &power in powers {
                let scale = times_power_of_two(1.0, power);
                let tolerance = match power {
                    // Distances, which are in units of the data, have few digits: here three.
                    ..-1060 => 0.02,
                    -799..=-450 | 450..800 => 1e-9,
                    // At the ends of the range of numbers products round.
                    _ => 1e-6,
                };
                match map(method.as_ref(), &set, factor, scale) {
                    Ok(far) if agree(&far, near, scale, tolerance) => {}
                    Ok(_) => wrong.push(format!("{name}, {factor} 2^{power}")),
                    Err(error) => wrong.push(format!("{name}, {factor} 2^{power}: {error}")),
                }
            }
        };
        let near = map(method.as_ref(), &set, 1.0, 1.0)?;
        check(1.0, &near, &[300, -300, 560, -560, 990, -990, -1040, -1068]);
        // 1e170, 1e-170, 1e250 and 1e-250.
        for (factor, power) in [(1e170, 564), (1e-170, -565), (1e250, 830), (1e-250, -831)] {
            let factor = factor * 2f64.powi(-power / 2) * 2f64.powi(-power + power / 2);
            check(factor, &map(method.as_ref(), &set, factor, 1.0)?, &[power]);
        }
    }
    assert!(wrong.is_empty(), "other maps, or none: {wrong:#?}");
    Ok(())
}

/// For data times a power of two whose squares stay in the range of numbers, so that they are not
/// divided on entry, coordinates are the same to the bit, or the same times the power.
#[test]
fn powers_of_two_change_no_bit() -> Result<(), Error> {
    let set = datasets::load("digits", &Request { n: Some(100), ..Request::default() })?;
    let mut others = Vec::new();
    for method in swissroll::methods() {
        let near = map(method.as_ref(), &set, 1.0, 1.0)?;
        for power in [300, -300] {
            let far = map(method.as_ref(), &set, 1.0, 2f64.powi(power))?;
            if !agree(&far, &near, 2f64.powi(power), 0.0) {
                others.push(format!("{}, 2^{power}", method.about().name));
            }
        }
    }
    assert!(others.is_empty(), "other bits: {others:#?}");
    Ok(())
}

/// 150 points of a Swiss roll and one far away.
fn beside_an_outlier(power: i32) -> Result<PointSet, Error> {
    let roll = datasets::load("swiss-roll", &Request { n: Some(150), ..Request::default() })?;
    let mut values = roll.points.view().values().to_vec();
    values.extend([1.0, 0.75, -0.5].map(|v| times_power_of_two(v, power)));
    PointSet::new(values, 3)
}

/// Where squares overflow, points are divided, but not by so much that the squares of small distances
/// vanish.
#[test]
fn layouts_have_the_neighbors_of_points_beside_an_outlier() -> Result<(), Error> {
    let far = beside_an_outlier(660)?;
    let values = far.view().values().iter().map(|v| times_power_of_two(*v, -270)).collect();
    let near = PointSet::new(values, 3)?;
    for name in ["tsne", "umap", "pacmap", "localmap", "trimap"] {
        let method = swissroll::method(name).expect("a method of this name");
        let [far, near] = [&far, &near].map(|points| method.fit_dyn(&points.into()));
        assert_eq!(far?.embedding(), near?.embedding(), "{name}");
    }
    Ok(())
}

/// A map in which more than half of the points are one place is diagnosed.
#[test]
fn points_that_are_one_beside_an_outlier_are_diagnosed() -> Result<(), Error> {
    let labels: Vec<u32> = (0..151).map(|i| i % 3).collect();
    let mut diagnosed = Vec::new();
    for power in [70, 660] {
        let points = beside_an_outlier(power)?;
        for method in swissroll::methods() {
            let name = method.about().name;
            let Ok(fitted) = method.fit_dyn(&Input::from(&points).with_labels(&labels)) else { continue };
            let y = fitted.embedding();
            let extent = y.values().iter().fold(0.0_f64, |most, v| most.max(v.abs()));
            let at_first =
                |row: &[f64]| row.iter().zip(y.row(0)).all(|(a, b)| (a - b).abs() <= 1e-12 * extent);
            if 2 * y.rows().filter(|row| at_first(row)).count() > y.len() {
                let sentence = collapse(y).unwrap_or_default();
                assert!(
                    sentence.contains("150 of 151 points are within 1 %"),
                    "{name}, 2^{power}: {sentence}"
                );
                diagnosed.push(name);
            }
        }
    }
    assert!(diagnosed.len() > 10, "{diagnosed:?}");
    Ok(())
}

/// Whether coordinates equal the map of ordinary distances, or this map times a power of two.
fn is_same(far: &[f64], near: &[f64], power: i32) -> bool {
    let factors = [1.0, 2f64.powi(power)];
    far.len() == near.len() && factors.into_iter().any(|factor| gap(far, near, factor) <= 1e-6)
}

/// Checks every method that accepts distances instead of points.
#[test]
fn given_distances_have_any_scale() -> Result<(), Error> {
    let set = datasets::load("digits", &Request { n: Some(100), ..Request::default() })?;
    let near = testkit::cases::distances(set.points.view(), set.points.view());
    let mut wrong = Vec::new();
    let mut tried = 0;
    for mut method in swissroll::methods() {
        let name = method.about().name;
        if !method.about().accepts.contains(&DataKind::Distances) {
            continue;
        }
        if method.parameters().iter().any(|known| known.name == "iterations") {
            method.set_dyn("iterations", "40")?;
        }
        let map = |power: i32| -> Result<Vec<f64>, Error> {
            let values: Vec<f64> = near.iter().map(|d| times_power_of_two(*d, power)).collect();
            let given = DistanceMatrix::new(&values, 100)?;
            let input = Input::from(given).with_labels(&set.labels[0].values);
            let fitted = method.load(&method.fit_dyn(&input)?.save()?)?;
            // Halfway between training points, as far as distances tell.
            let new: Vec<f64> = values.chunks_exact(100).take(5).flatten().map(|d| 0.5 * d).collect();
            let placed = fitted.transform(PointSet::new(new, 100)?.view());
            let placed = placed.map_or_else(|_| Vec::new(), |placed| placed.values().to_vec());
            Ok([fitted.embedding().values(), &placed].concat())
        };
        tried += 1;
        let own = map(0)?;
        for power in [300, -300, 560, -560, 990, -990] {
            match map(power) {
                Ok(far) if is_same(&far, &own, power) => {}
                Ok(_) => wrong.push(format!("{name}, 2^{power}")),
                Err(error) => wrong.push(format!("{name}, 2^{power}: {error}")),
            }
        }
    }
    assert!(tried > 12 && wrong.is_empty(), "other maps, or none, of {tried} methods: {wrong:#?}");
    Ok(())
}

/// Where the landmarks are not all points, so that they are chosen.
#[test]
fn chosen_landmarks_are_those_of_any_scale() -> Result<(), Error> {
    let set = datasets::load("digits", &Request { n: Some(100), ..Request::default() })?;
    let mut wrong = Vec::new();
    let mut tried = 0;
    for mut method in swissroll::methods() {
        if !method.parameters().iter().any(|known| known.name == "landmarks") {
            continue;
        }
        method.set_dyn("landmarks", "20")?;
        tried += 1;
        let near = map(method.as_ref(), &set, 1.0, 1.0)?;
        for power in [300, -300, 560, -560, 600, -600, 990, -990] {
            let far = map(method.as_ref(), &set, 1.0, 2f64.powi(power));
            if !far.is_ok_and(|far| agree(&far, &near, 2f64.powi(power), 1e-6)) {
                wrong.push(format!("{}, 2^{power}", method.about().name));
            }
        }
    }
    assert!(tried >= 2 && wrong.is_empty(), "other maps, or none, of {tried} methods: {wrong:#?}");
    Ok(())
}

/// Of a kernel whose width has the unit of the data.
#[test]
fn a_given_kernel_has_the_scale_of_the_data() -> Result<(), Error> {
    let set = datasets::load("digits", &Request { n: Some(100), ..Request::default() })?;
    let map = |power: i32, kernel: &dyn Fn(f64) -> Kernel| -> Result<Vec<f64>, Error> {
        let values = set.points.view().values().iter().map(|v| times_power_of_two(*v, power)).collect();
        let points = PointSet::new(values, set.points.dim())?;
        let gamma = times_power_of_two(1e-3, -2 * power);
        let fitted = KernelPca { kernel: Some(kernel(gamma)), ..KernelPca::default() }.fit(&points)?;
        Ok(fitted.embedding().values().to_vec())
    };
    let kernels: [&dyn Fn(f64) -> Kernel; 2] =
        [&|gamma| Kernel::Rbf { gamma }, &|gamma| Kernel::Polynomial { degree: 3, gamma, offset: 1.0 }];
    for kernel in kernels {
        let own = map(0, kernel)?;
        for power in [20, -20, 300, -300, 500, -500] {
            assert!(gap(&map(power, kernel)?, &own, 1.0) <= 1e-9, "{:?}, 2^{power}", kernel(1.0));
        }
    }
    Ok(())
}
