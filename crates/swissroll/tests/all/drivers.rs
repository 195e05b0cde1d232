//! What drives maps of data whose drivers are known.

use swissroll::datasets;
use swissroll::embedding::Silent;
use swissroll::prelude::{Error, Input, PointSet};
use swissroll::quality::drivers::{Drivers, MapGradients, Unit};
use swissroll::{method, spectral};

/// Numbers in 0 to 1 of a linear congruential generator.
fn uniform(state: &mut u64) -> f64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 11) as f64 / (1_u64 << 53) as f64
}

/// A box: three columns of signal, uniform in 0 to 6, and 17 of normal noise with standard deviation .2.
fn noisy_box() -> PointSet {
    let mut state = 1;
    let mut row = || {
        let signal: Vec<f64> = (0..3).map(|_| 6.0 * uniform(&mut state)).collect();
        let noise = (0..17).map(|_| {
            let (radius, angle) = (uniform(&mut state).max(1e-300).ln(), uniform(&mut state));
            0.2 * (-2.0 * radius).sqrt() * (std::f64::consts::TAU * angle).cos()
        });
        let noise: Vec<f64> = noise.collect();
        [signal, noise].concat()
    };
    PointSet::new((0..900).flat_map(|_| row()).collect(), 20).expect("finite")
}

/// The first column is signal at every point, and more than 99 % of the first three are per standard
/// deviation, 94 % per unit, as documented.
#[test]
fn columns_of_signal_drive_a_box_with_noise() -> Result<(), Error> {
    let points = noisy_box();
    for name in ["isomap", "ltsa", "tsne", "umap", "pacmap"] {
        let input = Input::from(&points);
        let model = method(name).expect("a method").fit_dyn(&input)?;
        let found = Drivers::default().of_model(&*model, model.embedding(), &input)?;
        for unit in [Unit::Deviation, Unit::Value] {
            let (mut first, mut three) = (0, 0);
            for point in 0..found.rows().len() {
                let importance = found.importance(point, unit);
                let mut order: Vec<usize> = (0..20).collect();
                order.sort_by(|a, b| importance[*b].total_cmp(&importance[*a]));
                first += usize::from(order[0] < 3);
                three += order[..3].iter().filter(|column| **column < 3).count();
            }
            let n = found.rows().len() as f64;
            let (first, three) = (first as f64 / n, three as f64 / (3.0 * n));
            let least = if unit == Unit::Deviation { 0.99 } else { 0.94 };
            assert!(first == 1.0 && three > least, "{name}, {unit:?}: {first}, {three}");
        }
        assert!(found.of_map(Unit::Deviation)[..3].iter().all(|driver| driver.column < 3), "{name}");
    }
    Ok(())
}

/// On a roll only the height keeps its direction; the other two turn with the angle, as the tangent.
#[test]
fn columns_of_a_roll_turn_with_its_angle() -> Result<(), Error> {
    let roll = datasets::generate("swiss-roll", 2000, 3)?;
    let points = &roll.points;
    for (name, least) in [("isomap", 0.99), ("ltsa", 0.99)] {
        let input = Input::from(points);
        let model = method(name).expect("a method").fit_dyn(&input)?;
        let map = model.embedding();
        let found = Drivers::default().of_model(&*model, map, &input)?;
        // The map is turned so that its axes are the length along the roll and the height.
        let height = height_direction(&found);
        let along = [height[1], -height[0]];
        let (mut missed, mut total, mut kept) = (0.0, 0.0, 0.0);
        let mut pairs = Vec::new();
        for (point, row) in found.rows().iter().enumerate() {
            let x = points.view().row(*row as usize);
            let g = found.gradient(point);
            let turning = [0, 2].map(|c| along[0] * g[c] + along[1] * g[3 + c]);
            let length = turning[0].hypot(turning[1]);
            let angle = x[0].hypot(x[2]);
            let tangent = [x[0] / angle - x[2], x[2] / angle + x[0]];
            let norm = tangent[0].hypot(tangent[1]);
            pairs.push((turning.map(|v| v / length), tangent.map(|v| v / norm)));
            let of_height = [g[1], g[4]];
            kept += (of_height[0] * height[0] + of_height[1] * height[1]).abs()
                / of_height[0].hypot(of_height[1]);
        }
        let n = pairs.len() as f64;
        let sign: f64 = pairs.iter().map(|(a, b)| a[0] * b[0] + a[1] * b[1]).sum::<f64>().signum();
        let mean = [0, 1].map(|c| pairs.iter().map(|(_, b)| b[c]).sum::<f64>() / n);
        for (a, b) in &pairs {
            for c in 0..2 {
                missed += (sign * a[c] - b[c]).powi(2);
                total += (b[c] - mean[c]).powi(2);
            }
        }
        let fraction = 1.0 - missed / total;
        assert!(fraction >= least && kept / n > 0.97, "{name}: {fraction} {}", kept / n);
    }
    Ok(())
}

/// The mean direction of the height in a map.
fn height_direction(found: &MapGradients) -> [f64; 2] {
    let of = |axis: usize| found.of_axis(axis, Unit::Value)[1];
    let length = of(0).hypot(of(1));
    [of(0) / length, of(1) / length]
}

/// The gradient of a linear map is its slope, by differences of places; for PCA the principal directions.
#[test]
fn linear_maps_have_their_components() -> Result<(), Error> {
    let points = noisy_box();
    let labels: Vec<u32> = points.view().rows().map(|row| (row[0] / 2.0) as u32).collect();
    for name in ["pca", "lda", "lpp", "npe", "lltsa", "factor-analysis", "fast-ica", "random-projection"] {
        let input = Input::from(&points).with_labels(&labels);
        let model = method(name).expect("a method").fit_dyn(&input)?;
        let found = Drivers::default().of_model(&*model, model.embedding(), &input)?;
        assert!(found.penalty().is_none() && found.certainty().iter().all(|r| *r == 1.0), "{name}");
        let origin = vec![0.0; 20];
        let place = |row: &[f64]| model.transform_ignoring_matches(PointSet::new(row.to_vec(), 20)?.view());
        let at_origin = place(&origin)?;
        let largest = found.gradient(0).iter().fold(0.0_f64, |m, v| m.max(v.abs()));
        for column in 0..20 {
            let mut row = origin.clone();
            row[column] = 1.0;
            let moved = place(&row)?;
            for axis in 0..found.dim() {
                let slope = moved.row(0)[axis] - at_origin.row(0)[axis];
                let gap = (found.gradient(450)[axis * 20 + column] - slope).abs();
                assert!(gap < 1e-8 * largest, "{name}, column {column}: {gap}");
            }
        }
        if name == "pca" {
            let directions =
                spectral::Principal::new(points.view(), 2, spectral::Tolerance::default(), &Silent)?
                    .directions;
            for (axis, column) in (0..2).flat_map(|axis| (0..20).map(move |column| (axis, column))) {
                let gap = found.gradient(7)[axis * 20 + column].abs() - directions[(column, axis)].abs();
                assert!(gap.abs() < 1e-8, "{gap}");
            }
        }
    }
    Ok(())
}
