//! Boxes in spaces of more dimensions.

use embedding::{Error, PointSet};

use super::{SURFACE, draw};
use crate::random::Random;
use crate::{Dataset, Info};

pub(crate) const CURLED_BOX: Info = Info {
    name: "curled-box",
    summary: "A box of five dimensions in ten, each side bent into an arc.",
    shows: "Whether a method, and an estimate of dimension, works beyond the plane.",
    ambient: 10,
    dimension: Some(5),
    make: |info, request| curled_box(info.points(request.n)?, request.seed),
    ..SURFACE
};

pub(crate) const HYPERCUBE: Info = Info {
    name: "hypercube",
    summary: "A flat unit cube of five dimensions, turned in a space of twenty.",
    shows: "A known dimension without any curvature: the control for estimates of dimension.",
    ambient: 20,
    dimension: Some(5),
    make: |info, request| hypercube(info.points(request.n)?, 5, 20, request.seed),
    ..SURFACE
};

/// The sides of the curled box; the longest goes two thirds around its circle.
const SIDES: [f64; 5] = [4.0, 3.5, 3.0, 2.5, 2.0];

/// The product of five arcs of the unit circle, 4, 3.5, 3, 2.5 and 2 long:
/// x = (cos a₁, sin a₁, …, cos a₅, sin a₅), aᵢ uniform.
///
/// The truth is (a₁ … a₅), isometric: each arc is.
pub fn curled_box(n: usize, seed: u64) -> Result<Dataset, Error> {
    let (points, truth) = draw(n, seed, |random| {
        let arcs = SIDES.map(|side| side * random.uniform());
        let point: [f64; 10] =
            std::array::from_fn(|i| if i % 2 == 0 { arcs[i / 2].cos() } else { arcs[i / 2].sin() });
        (point, arcs)
    })?;
    Ok(CURLED_BOX.dataset(points).with_truth(truth, &["arc 1", "arc 2", "arc 3", "arc 4", "arc 5"]))
}

/// The cube [0, 1)ᵈ, uniform, put into `ambient` dimensions by a random
/// isometry (orthonormalized Gaussian columns, by seed).
///
/// The truth is the place in the cube, isometric. Fails unless
/// 1 ≤ d ≤ `ambient`.
pub fn hypercube(n: usize, d: usize, ambient: usize, seed: u64) -> Result<Dataset, Error> {
    if !(1..=ambient).contains(&d) {
        return Err(Error::parameter("d", format!("from 1 to the {ambient} dimensions around it"), d));
    }
    let mut random = Random::new(seed);
    let axes = orthonormal(d, ambient, &mut random);
    let truth: Vec<f64> = (0..n * d).map(|_| random.uniform()).collect();
    let mut points = vec![0.0; n * ambient];
    for (point, place) in points.chunks_exact_mut(ambient).zip(truth.chunks_exact(d)) {
        for (axis, coordinate) in axes.iter().zip(place) {
            point.iter_mut().zip(axis).for_each(|(x, a)| *x += coordinate * a);
        }
    }
    let mut cube = HYPERCUBE.dataset(PointSet::new(points, ambient)?);
    cube.notes =
        format!("A flat unit cube of {d} dimensions, turned in a space of {ambient}; made by arithmetic.");
    cube.truth = Some(PointSet::new(truth, d)?);
    Ok(cube)
}

/// `d` orthonormal vectors by Gram and Schmidt, twice for the last digits.
fn orthonormal(d: usize, ambient: usize, random: &mut Random) -> Vec<Vec<f64>> {
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let mut axes: Vec<Vec<f64>> = Vec::with_capacity(d);
    while axes.len() < d {
        let mut axis: Vec<f64> = (0..ambient).map(|_| random.normal()).collect();
        for other in axes.iter().chain(&axes) {
            let along = dot(&axis, other);
            axis.iter_mut().zip(other).for_each(|(x, o)| *x -= along * o);
        }
        let norm = dot(&axis, &axis).sqrt();
        axis.iter_mut().for_each(|x| *x /= norm);
        axes.push(axis);
    }
    axes
}
