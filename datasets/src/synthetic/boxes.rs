//! Boxes in high-dimensional spaces.

use embedding::{Error, PointSet};

use super::{SURFACE, draw};
use crate::random::Random;
use crate::{Dataset, Info};

pub(crate) const CURLED_BOX: Info = Info {
    name: "curled-box",
    summary: "A five-dimensional box in ten dimensions, each side bent into an arc.",
    shows: "Methods and estimators of dimension for intrinsic dimension five.",
    ambient: 10,
    dimension: Some(5),
    make: |info, request| curled_box(info.points(request.n)?, request.seed),
    ..SURFACE
};

pub(crate) const HYPERCUBE: Info = Info {
    name: "hypercube",
    summary: "A flat five-dimensional unit cube, randomly rotated in twenty dimensions.",
    shows: "Known dimension without curvature: a control for estimators of dimension.",
    ambient: 20,
    dimension: Some(5),
    make: |info, request| hypercube(info.points(request.n)?, 5, 20, request.seed),
    ..SURFACE
};

/// Side lengths of the curled box; the longest covers two thirds of its circle.
const SIDES: [f64; 5] = [4.0, 3.5, 3.0, 2.5, 2.0];

/// Generates the product of five arcs of the unit circle, of lengths 4, 3.5, 3, 2.5 and
/// 2: x = (cos a₁, sin a₁, …, cos a₅, sin a₅), with aᵢ uniform.
///
/// The true coordinates are (a₁ … a₅), isometric.
pub fn curled_box(n: usize, seed: u64) -> Result<Dataset, Error> {
    let (points, truth) = draw(n, seed, |random| {
        let arcs = SIDES.map(|side| side * random.uniform());
        let point: [f64; 10] =
            std::array::from_fn(|i| if i % 2 == 0 { arcs[i / 2].cos() } else { arcs[i / 2].sin() });
        (point, arcs)
    })?;
    Ok(CURLED_BOX.dataset(points).with_truth(truth, &["arc 1", "arc 2", "arc 3", "arc 4", "arc 5"]))
}

/// Generates the cube [0, 1)ᵈ, sampled uniformly and embedded in `ambient` dimensions by
/// a random isometry (orthonormalized Gaussian columns).
///
/// The true coordinates are the positions in the cube, isometric. Fails unless 1 ≤ d ≤ `ambient`.
pub fn hypercube(n: usize, d: usize, ambient: usize, seed: u64) -> Result<Dataset, Error> {
    if !(1..=ambient).contains(&d) {
        return Err(Error::parameter("d", format!("from 1 to {ambient}, the ambient dimension"), d));
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
        format!("A flat {d}-dimensional unit cube, randomly rotated in {ambient} dimensions; synthetic.");
    cube.truth = Some(PointSet::new(truth, d)?);
    Ok(cube)
}

/// Returns `d` orthonormal vectors, by Gram–Schmidt applied twice for full accuracy.
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
