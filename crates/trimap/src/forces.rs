//! The loss of the triplets and its gradient.

use layout::{LANES, Vectors};
use pulp::{Simd, WithSimd};
use rayon::prelude::*;

use crate::triplets::{Block, Triplets};

/// Partial sums of the gradient. A triplet moves three points, so each part of the points has its own sum for
/// all points; the sums are added in the order of the parts. Their number does not depend on the number of
/// threads.
const PARTS: usize = 16;

/// Points of a part, at least.
const FEWEST: usize = 64;

/// Partial sums of the gradients of all points.
pub(crate) struct Sums {
    parts: Vec<Part>,
    /// Points of each part but the last.
    length: usize,
}

/// The contribution of the triplets of one part to the gradients of all points.
struct Part {
    gradients: Vec<f32>,
    /// Lanes of y_i − y_j, of y_i − y_k, and of the gradient of y_i, for each coordinate.
    lanes: [Vec<f32>; 3],
}

/// Number of partial sums for n points.
pub(crate) fn parts(n: usize) -> usize {
    n.div_ceil(n.div_ceil(PARTS).max(FEWEST))
}

impl Sums {
    /// Creates the sums for n points in `dim` dimensions.
    pub(crate) fn new(n: usize, dim: usize) -> Self {
        let lanes = || [(); 3].map(|()| vec![0.0; dim * LANES]);
        let part = |_| Part { gradients: vec![0.0; n * dim], lanes: lanes() };
        Self { parts: (0..parts(n)).map(part).collect(), length: n.div_ceil(PARTS).max(FEWEST) }
    }

    /// Computes half the gradient of the loss at the positions `y`.
    pub(crate) fn compute(&mut self, triplets: &Triplets, y: &[f32], dim: usize) {
        let length = self.length;
        self.parts.par_iter_mut().enumerate().for_each(|(at, part)| {
            let points = at * length..triplets.points().min((at + 1) * length);
            pulp::Arch::new().dispatch(Scatter { triplets, points, y, dim, part });
        });
    }

    /// Writes the sums of coordinates `first` to `first + gradient.len()`.
    pub(crate) fn add_into(&self, first: usize, gradient: &mut [f32]) {
        gradient.fill(0.0);
        for part in &self.parts {
            let values = &part.gradients[first..][..gradient.len()];
            gradient.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        }
    }
}

/// The sums over the triplets of a run of points.
struct Scatter<'a> {
    triplets: &'a Triplets,
    points: std::ops::Range<usize>,
    y: &'a [f32],
    dim: usize,
    part: &'a mut Part,
}

impl WithSimd for Scatter<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        // Common numbers of coordinates are compiled separately, as constants.
        match self.dim {
            2 => self.run_planar(simd),
            3 => self.run(3),
            dim => self.run(dim),
        }
    }
}

impl Scatter<'_> {
    #[inline(always)]
    fn run_planar<S: Simd>(self, simd: S) {
        let Self { triplets, points, y, part, .. } = self;
        let y = y.as_chunks::<2>().0;
        let gradients = part.gradients.as_chunks_mut::<2>().0;
        gradients.fill([0.0; 2]);
        for i in points {
            let mut own = Vectors::zero(simd);
            for (js, ks, ws) in triplets.blocks_of(i) {
                let at = |points: &[u32; LANES]| points.map(|j| y[j as usize]);
                let near = Vectors::between(simd, y[i], at(js));
                let far = Vectors::between(simd, y[i], at(ks));
                let weights = Vectors::of(simd, ws.map(|w| [w; 2]));
                let one = simd.splat_f32s(1.0);
                let [near, far, step] = Vectors::combine(
                    simd,
                    [near, far, near.squares(simd), far.squares(simd), weights],
                    #[inline(always)]
                    |[near, far, d_near, d_far, w]| {
                        let (d_near, d_far) = (simd.add_f32s(one, d_near), simd.add_f32s(one, d_far));
                        let sum = simd.add_f32s(d_near, d_far);
                        // Two quotients: the square of a sum could leave the range of numbers.
                        let each = simd.div_f32s(w, sum);
                        let pull = simd.mul_f32s(each, simd.div_f32s(d_far, sum));
                        let push = simd.mul_f32s(each, simd.div_f32s(d_near, sum));
                        let (near, far) = (simd.mul_f32s(near, pull), simd.mul_f32s(far, push));
                        [near, far, simd.sub_f32s(near, far)]
                    },
                );
                own.add(simd, step);
                let moves = near.to_array().into_iter().zip(far.to_array());
                for ((&j, &k), (near, far)) in js.iter().zip(ks).zip(moves) {
                    let inlier = &mut gradients[j as usize];
                    *inlier = [inlier[0] - near[0], inlier[1] - near[1]];
                    let outlier = &mut gradients[k as usize];
                    *outlier = [outlier[0] + far[0], outlier[1] + far[1]];
                }
            }
            let [x, y] = own.total();
            gradients[i] = [gradients[i][0] + x, gradients[i][1] + y];
        }
    }

    #[inline(always)]
    fn run(self, dim: usize) {
        let Self { triplets, points, y, part: Part { gradients, lanes: [near, far, own] }, .. } = self;
        let size = dim * LANES;
        let (near, far, own) = (&mut near[..size], &mut far[..size], &mut own[..size]);
        gradients.fill(0.0);
        for i in points {
            own.fill(0.0);
            for block in triplets.blocks_of(i) {
                add(dim, i, block, y, [&mut *near, &mut *far, &mut *own], gradients);
            }
            for (g, lanes) in gradients[i * dim..][..dim].iter_mut().zip(own.as_chunks::<LANES>().0) {
                let [a, b, c, d, e, f, g7, h] = *lanes;
                *g += ((a + e) + (c + g7)) + ((b + f) + (d + h));
            }
        }
    }
}

/// Adds half the gradient of w d_ij / (d_ij + d_ik) for one block of triplets of point i.
#[inline(always)]
fn add(
    dim: usize,
    i: usize,
    (js, ks, ws): Block<'_>,
    y: &[f32],
    [near, far, own]: [&mut [f32]; 3],
    gradients: &mut [f32],
) {
    let here = &y[i * dim..][..dim];
    for l in 0..LANES {
        let (inlier, outlier) = (&y[js[l] as usize * dim..][..dim], &y[ks[l] as usize * dim..][..dim]);
        for c in 0..dim {
            near[c * LANES + l] = here[c] - inlier[c];
            far[c * LANES + l] = here[c] - outlier[c];
        }
    }
    let (mut d_near, mut d_far) = ([1.0; LANES], [1.0; LANES]);
    for (a, b) in near.as_chunks::<LANES>().0.iter().zip(far.as_chunks::<LANES>().0) {
        for l in 0..LANES {
            d_near[l] += a[l] * a[l];
            d_far[l] += b[l] * b[l];
        }
    }
    let (mut pull, mut push) = ([0.0; LANES], [0.0; LANES]);
    for l in 0..LANES {
        let sum = d_near[l] + d_far[l];
        // Two quotients: the square of a sum could leave the range of numbers.
        let each = ws[l] / sum;
        pull[l] = each * (d_far[l] / sum);
        push[l] = each * (d_near[l] / sum);
    }
    let lanes = near.as_chunks_mut::<LANES>().0.iter_mut().zip(far.as_chunks_mut::<LANES>().0);
    for ((a, b), own) in lanes.zip(own.as_chunks_mut::<LANES>().0) {
        for l in 0..LANES {
            a[l] *= pull[l];
            b[l] *= push[l];
            own[l] += a[l] - b[l];
        }
    }
    for l in 0..LANES {
        for c in 0..dim {
            gradients[js[l] as usize * dim + c] -= near[c * LANES + l];
        }
        for c in 0..dim {
            gradients[ks[l] as usize * dim + c] += far[c * LANES + l];
        }
    }
}

/// The loss of a map: the mean over all triplets of w d_ij / (d_ij + d_ik), and the fraction
/// of triplets with d_ij > d_ik.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Loss {
    pub(crate) value: f64,
    pub(crate) violated: f64,
}

impl Loss {
    /// Computes the loss at the positions `y`.
    pub(crate) fn of(triplets: &Triplets, y: &[f32], dim: usize) -> Self {
        let position = |i: usize| &y[i * dim..][..dim];
        let d = |i: usize, j: u32| {
            let squares = position(i).iter().zip(position(j as usize)).map(|(a, b)| f64::from(a - b).powi(2));
            1.0 + squares.sum::<f64>()
        };
        let row = |i: usize| -> (f64, usize) {
            let (inliers, outliers, weights) = triplets.of(i);
            let (mut sum, mut violated) = (0.0, 0);
            for ((&j, &k), &w) in inliers.iter().zip(outliers).zip(weights) {
                let (near, far) = (d(i, j), d(i, k));
                sum += f64::from(w) * near / (near + far);
                violated += usize::from(near > far);
            }
            (sum, violated)
        };
        let rows: Vec<(f64, usize)> =
            (0..triplets.points()).into_par_iter().with_min_len(64).map(row).collect();
        let count = triplets.len().max(1) as f64;
        Self {
            value: rows.iter().map(|row| row.0).sum::<f64>() / count,
            violated: rows.iter().map(|row| row.1).sum::<usize>() as f64 / count,
        }
    }
}

#[cfg(test)]
mod tests {
    use testkit::Random;

    use super::*;

    fn random_triplets(n: usize, random: &mut Random) -> Triplets {
        let list = |i: usize| {
            let count = random.below(21);
            let mut other = || random.below(n) as u32;
            let triplets: Vec<(u32, u32, f32)> =
                (0..count).map(|_| (other(), other(), 0.25 + other() as f32 / n as f32)).collect();
            triplets.into_iter().filter(|(j, k, _)| j != k && *j as usize != i && *k as usize != i).collect()
        };
        Triplets::of_lists((0..n).map(list).collect())
    }

    fn gradient(triplets: &Triplets, y: &[f32], dim: usize) -> Vec<f32> {
        let mut sums = Sums::new(y.len() / dim, dim);
        let mut gradient = vec![1.0; y.len()];
        // Sums of an earlier step leave nothing behind.
        for _ in 0..2 {
            sums.compute(triplets, y, dim);
        }
        sums.add_into(0, &mut gradient);
        gradient
    }

    /// Twice the gradient is the derivative of the loss, in any dimension and in several parts.
    #[test]
    fn gradients_are_half_the_derivatives_of_the_loss() {
        let mut random = Random::new(3);
        for (n, dim) in [(40, 1), (40, 2), (40, 3), (150, 2), (40, 5)] {
            let triplets = random_triplets(n, &mut random);
            let y: Vec<f32> = (0..n * dim).map(|_| random.below(4000) as f32 / 500.0 - 4.0).collect();
            let found = gradient(&triplets, &y, dim);
            let largest = found.iter().fold(0.0_f32, |m, g| m.max(g.abs()));
            for (at, &half) in found.iter().enumerate() {
                let (mut above, mut below) = (y.clone(), y.clone());
                above[at] += 0.015_625;
                below[at] -= 0.015_625;
                let difference =
                    Loss::of(&triplets, &above, dim).value - Loss::of(&triplets, &below, dim).value;
                let expected = difference * triplets.len() as f64 / 0.031_25;
                let gap = (2.0 * f64::from(half) - expected).abs();
                assert!(gap < 5e-4 * f64::from(largest), "{n} × {dim}: {half}, {expected}");
            }
        }
    }

    /// Three points on a line: D_ij = 2, D_ik = 5 in the first triplet, and the reverse in the other one.
    #[test]
    fn the_loss_is_that_of_the_definition() {
        let triplets = Triplets::of_lists(vec![vec![(1, 2, 3.0), (2, 1, 1.0)], vec![], vec![]]);
        let loss = Loss::of(&triplets, &[0.0, 1.0, 2.0], 1);
        let expected = 0.5 * (3.0 / (1.0 + 5.0 / 2.0) + 1.0 / (1.0 + 2.0 / 5.0));
        assert!((loss.value - expected).abs() < 1e-12, "{}", loss.value);
        assert_eq!(loss.violated, 0.5);
    }

    #[test]
    fn the_parts_hold_all_points_and_depend_on_their_number_alone() {
        for n in [3, 63, 64, 65, 1000, 1024, 1025, 70_000] {
            let sums = Sums::new(n, 1);
            let count = sums.parts.len();
            assert!(count <= PARTS && count * sums.length >= n && (count - 1) * sums.length < n, "{n}");
        }
    }
}
