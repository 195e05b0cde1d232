//! Tests of the gradients: against finite differences, recorded values and each other.

use embedding::{PointSet, Silent};

use crate::kernel::Kernel;
use crate::optimize::Descent;
use crate::{Affinities, Gradient};

/// Returns numbers in [0, 1) from an additive recurrence.
fn weyl(i: usize, step: f64) -> f64 {
    ((i + 1) as f64 * step).fract()
}

/// Returns three clusters in five dimensions.
fn blobs(n: usize) -> PointSet {
    let value = |i: usize, c: usize| weyl(i, (2.0 + c as f64).sqrt()) + if i % 3 == c { 4.0 } else { 0.0 };
    PointSet::new((0..5 * n).map(|e| value(e / 5, e % 5)).collect(), 5).expect("finite")
}

/// Returns a map of nonuniform density and given width.
fn map(n: usize, dim: usize, extent: f64) -> Vec<f64> {
    let value = |i: usize, c: usize| {
        let u = weyl(i, [0.754_877_666, 0.569_840_291, 0.671_043_607][c]) - 0.5;
        extent * (u + 0.3 * u.powi(3) * (i % 5) as f64)
    };
    (0..n * dim).map(|e| value(e / dim, e % dim)).collect()
}

fn descent<'a>(p: &'a Affinities, y: &[f64], dim: usize, alpha: f64, gradient: Gradient) -> Descent<'a> {
    let kernel = Kernel { alpha };
    let repulsion = gradient.prepare(p.len(), dim, kernel).expect("legal");
    Descent::new(p, kernel, dim, y.to_vec(), repulsion)
}

#[test]
fn the_gradient_is_the_derivative_of_the_divergence() {
    let points = blobs(40);
    let p = Affinities::of_points(points.view(), 8.0, &Silent).expect("legal");
    for (dim, alpha) in [(1, 1.0), (2, 1.0), (2, 0.6), (2, 3.0), (3, 1.0)] {
        let y = map(40, dim, 3.0);
        let (gradient, _) = descent(&p, &y, dim, alpha, Gradient::Exact).gradient();
        for e in 0..y.len() {
            let at = |step: f64| {
                let mut moved = y.clone();
                moved[e] += step;
                descent(&p, &moved, dim, alpha, Gradient::Exact).gradient().1
            };
            let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
            let got = 4.0 * gradient[e];
            assert!((got - slope).abs() < 1e-9, "{dim} dimensions, α = {alpha}, entry {e}: {got} {slope}");
        }
    }
}

/// Rows 0–9 of iris at perplexity 5, and the map (0.1 i, 0.05 (7i mod 10) − 0.2).
/// scikit-learn 1.9.1, 2026-11-21: `_joint_probabilities` (upper triangle, row by
/// row) and `_kl_divergence` of `sklearn.manifold._t_sne`.
#[test]
fn ten_flowers_agree_with_scikit_learn() {
    let points = PointSet::new(
        vec![
            5.1, 3.5, 1.4, 0.2, 4.9, 3.0, 1.4, 0.2, 4.7, 3.2, 1.3, 0.2, 4.6, 3.1, 1.5, 0.2, 5.0, 3.6, 1.4,
            0.2, 5.4, 3.9, 1.7, 0.4, 4.6, 3.4, 1.4, 0.3, 5.0, 3.4, 1.5, 0.2, 4.4, 2.9, 1.4, 0.2, 4.9, 3.1,
            1.5, 0.1,
        ],
        4,
    )
    .expect("finite");
    let expected = [
        0.00387442, 0.00349372, 0.0010086, 0.03724538, 0.01673206, 0.004538, 0.0352066, 0.00031396,
        0.0060557, 0.01997476, 0.01594642, 0.00214516, 0.00130732, 0.00370648, 0.00716932, 0.00918206,
        0.0409128, 0.03270694, 0.00378298, 0.00134765, 0.03455613, 0.00527274, 0.01219059, 0.01600311,
        0.00112158, 0.00077868, 0.01982699, 0.0018779, 0.02890922, 0.0169108, 0.01687559, 0.00841581,
        0.0298064, 0.00032163, 0.00383465, 0.00240471, 0.01109857, 7.474e-05, 0.00219455, 0.00807407,
        0.0069654, 0.00435892, 0.00099489, 0.01434514, 0.00613686,
    ];
    let p = Affinities::of_points(points.view(), 5.0, &Silent).expect("legal");
    let pairs = (0..10).flat_map(|i| (i + 1..10).map(move |j| (i, j)));
    for ((i, j), expected) in pairs.zip(expected) {
        let (columns, values) = p.of(i);
        let at = columns.binary_search(&(j as u32)).expect("all nine are neighbors");
        assert!((values[at] - expected).abs() < 2e-7, "({i}, {j}): {} {expected}", values[at]);
    }
    let y: Vec<f64> =
        (0..10).flat_map(|i| [0.1 * f64::from(i), 0.05 * f64::from(i * 7 % 10) - 0.2]).collect();
    let (gradient, divergence) = descent(&p, &y, 2, 1.0, Gradient::Exact).gradient();
    assert!((divergence - 0.5405195631669416).abs() < 1e-5, "{divergence}");
    let expected = [
        -0.041207993,
        -0.041498774,
        -0.032476172,
        0.0086604489,
        -0.034944478,
        0.021049562,
        -0.028874033,
        -0.0039675522,
        0.018073608,
        -0.0016305602,
        0.0081487004,
        -0.010516217,
        0.028510721,
        0.01662072,
        0.043160988,
        0.0080567591,
        -0.01487056,
        0.010389813,
        0.054479216,
        -0.0071642006,
    ];
    for (got, expected) in gradient.iter().zip(expected) {
        assert!((4.0 * got - expected).abs() < 2e-6, "{} {expected}", 4.0 * got);
    }
}

/// Returns |force − exact force| / |exact force| over the whole map, and the relative
/// error of Z.
fn errors(gradient: Gradient, dim: usize, extent: f64, alpha: f64) -> (f64, f64) {
    let n = 3000;
    let y = map(n, dim, extent);
    let kernel = Kernel { alpha };
    let mut forces = [vec![0.0; y.len()], vec![0.0; y.len()]];
    let [exact, approximate] = &mut forces;
    let z = Gradient::Exact.prepare(n, dim, kernel).expect("legal").compute(&y, exact);
    let other = gradient.prepare(n, dim, kernel).expect("legal").compute(&y, approximate);
    let squared = |v: &mut dyn Iterator<Item = f64>| v.map(|x| x * x).sum::<f64>();
    let gap = squared(&mut exact.iter().zip(approximate.iter()).map(|(a, b)| a - b));
    ((gap / squared(&mut exact.iter().copied())).sqrt(), (other / z - 1.0).abs())
}

#[test]
fn barnes_hut_approaches_the_exact_forces_as_theta_falls() {
    for dim in 1..=3 {
        for extent in [1e-3, 5.0, 80.0] {
            let mut last = f64::INFINITY;
            for (theta, bound) in [(0.5, 1e-1), (0.3, 3e-2), (0.1, 3e-3), (0.0, 1e-12)] {
                let (force, z) = errors(Gradient::BarnesHut { theta }, dim, extent, 1.0);
                assert!(
                    force < bound && z < bound,
                    "{dim} dimensions, {extent} wide, θ = {theta}: {force:e} {z:e}"
                );
                assert!(force <= last, "smaller θ, smaller error: {force:e} after {last:e}");
                last = force;
            }
        }
    }
}

/// On a map of uniform density most forces cancel, so relative errors are larger.
#[test]
fn interpolation_is_near_the_exact_forces() {
    for (dim, extent, bound) in [
        (1, 1e-3, 1e-6),
        (1, 5.0, 1e-4),
        (1, 45.0, 1e-3),
        (1, 300.0, 1e-3),
        (2, 1e-3, 1e-6),
        (2, 5.0, 1e-4),
        (2, 45.0, 0.03),
        (2, 300.0, 0.03),
    ] {
        for alpha in [1.0, 0.6] {
            let (force, z) = errors(Gradient::Interpolation, dim, extent, alpha);
            assert!(
                force < bound && z < 1e-3,
                "{dim} dimensions, {extent} wide, α = {alpha}: {force:e} {z:e}"
            );
        }
    }
}

#[test]
fn coinciding_points_exert_no_force() {
    for gradient in [Gradient::Exact, Gradient::BarnesHut { theta: 0.5 }, Gradient::Interpolation] {
        let y = vec![0.25; 2 * 100];
        let mut force = vec![1.0; 2 * 100];
        let z = gradient.prepare(100, 2, Kernel { alpha: 1.0 }).expect("legal").compute(&y, &mut force);
        assert!((z - 9900.0).abs() < 0.5, "{gradient:?}: {z}");
        assert!(force.iter().all(|f| f.abs() < 1e-4), "{gradient:?}");
    }
}

/// The exact sum equals the tree's sum, which computes all pairs where θ = 0, for kernels of several widths.
#[test]
fn the_sum_is_that_of_the_kernel_over_pairs_of_different_points() {
    let n = 300;
    for dim in 1..=3 {
        let y = map(n, dim, 5.0);
        for alpha in [0.6, 1.0, 3.0] {
            let rows = || y.chunks_exact(dim).enumerate();
            let kernel = Kernel { alpha };
            let others = |(i, here): (usize, &[f64])| {
                let others = rows().filter(|(j, _)| *j != i);
                others
                    .map(|(_, there)| kernel.pair(embedding::implement::squared_distance(here, there)).0)
                    .sum::<f64>()
            };
            let expected: f64 = rows().map(others).sum();
            for gradient in [Gradient::Exact, Gradient::BarnesHut { theta: 0.0 }] {
                let mut force = vec![0.0; y.len()];
                let z = gradient.prepare(n, dim, kernel).expect("legal").compute(&y, &mut force);
                assert!((z / expected - 1.0).abs() < 1e-12, "{gradient:?} {dim} {alpha}: {z} {expected}");
            }
        }
    }
}
