//! Attractive forces between neighbors.

use embedding::implement::squared_distance;
use pulp::{Simd, WithSimd};
use rayon::prelude::*;

use crate::affinities::Affinities;
use crate::kernel::Kernel;
use crate::lanes::{LANES, Registers, numbers, quotient, registers};

/// Points per parallel task and partial sum.
const CHUNK: usize = 256;

/// Writes Σ_j p_ij (y_i − y_j)/(1 + d²/α) for every i; if requested, also returns partial
/// sums of −Σ_ij p_ij ln w_ij.
pub(crate) fn attract(
    affinities: &Affinities,
    kernel: Kernel,
    dim: usize,
    y: &[f64],
    energies: bool,
    force: &mut [f64],
) -> Vec<f64> {
    let arch = pulp::Arch::new();
    let attract_row = match dim {
        1 => attract_row::<1>,
        2 => attract_row::<2>,
        3 => attract_row::<3>,
        _ => attract_row_any,
    };
    force
        .par_chunks_mut(CHUNK * dim)
        .enumerate()
        .map(|(chunk, force)| {
            let (first, count) = (chunk * CHUNK, force.len() / dim);
            let here = |offset: usize| &y[(first + offset) * dim..][..dim];
            if dim == 2 && kernel.alpha == 1.0 {
                arch.dispatch(Planar { affinities, y, first, force });
            } else {
                for (offset, force) in force.chunks_exact_mut(dim).enumerate() {
                    attract_row(affinities.of(first + offset), y, here(offset), kernel, force);
                }
            }
            let energy = |offset: usize| row_energy(affinities.of(first + offset), y, here(offset), kernel);
            if energies { (0..count).map(energy).sum() } else { 0.0 }
        })
        .collect()
}

/// The attraction of consecutive points, `first` onward, for two dimensions and α = 1.
struct Planar<'a> {
    affinities: &'a Affinities,
    y: &'a [f64],
    first: usize,
    force: &'a mut [f64],
}

impl WithSimd for Planar<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let points: &[[f64; 2]] = self.y.as_chunks().0;
        for (offset, force) in self.force.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            let (columns, p) = self.affinities.of(self.first + offset);
            let here = points[self.first + offset];
            let zero = simd.splat_f64s(0.0);
            let mut sums = [[zero; LANES]; 2];
            let (column_blocks, column_rest) = columns.as_chunks::<LANES>();
            let (p_blocks, p_rest) = p.as_chunks::<LANES>();
            for (columns, p) in column_blocks.iter().zip(p_blocks) {
                add_neighbors(simd, here, columns.map(|j| points[j as usize]), p, &mut sums);
            }
            // Lanes beyond the last neighbor have probability 0.
            let (mut others, mut p) = ([here; LANES], [0.0; LANES]);
            others.iter_mut().zip(column_rest).for_each(|(other, &j)| *other = points[j as usize]);
            p[..p_rest.len()].copy_from_slice(p_rest);
            add_neighbors(simd, here, others, &p, &mut sums);
            *force = sums.map(|registers| numbers::<S>(&registers).iter().sum());
        }
    }
}

/// Adds the attraction of `LANES` neighbors, lane by lane, in as many registers as
/// needed.
#[inline(always)]
fn add_neighbors<S: Simd>(
    simd: S,
    here: [f64; 2],
    others: [[f64; 2]; LANES],
    p: &[f64; LANES],
    [sum_x, sum_y]: &mut [Registers<S>; 2],
) {
    let (x, y) = (others.map(|other| other[0]), others.map(|other| other[1]));
    let (x, y, p) = (S::as_simd_f64s(&x).0, S::as_simd_f64s(&y).0, S::as_simd_f64s(p).0);
    for r in 0..registers::<S>() {
        let dx = simd.sub_f64s(simd.splat_f64s(here[0]), x[r]);
        let dy = simd.sub_f64s(simd.splat_f64s(here[1]), y[r]);
        let one = simd.splat_f64s(1.0);
        let spread = simd.add_f64s(simd.add_f64s(one, simd.mul_f64s(dx, dx)), simd.mul_f64s(dy, dy));
        let pull = quotient::<S>(p[r], spread);
        sum_x[r] = simd.add_f64s(sum_x[r], simd.mul_f64s(pull, dx));
        sum_y[r] = simd.add_f64s(sum_y[r], simd.mul_f64s(pull, dy));
    }
}

/// Computes the attraction of one row in D dimensions.
#[inline]
fn attract_row<const D: usize>(
    (columns, p): (&[u32], &[f64]),
    y: &[f64],
    here: &[f64],
    kernel: Kernel,
    force: &mut [f64],
) {
    let points: &[[f64; D]] = y.as_chunks::<D>().0;
    let here: [f64; D] = std::array::from_fn(|c| here[c]);
    let mut sum = [0.0; D];
    for (&j, &p) in columns.iter().zip(p) {
        let there = &points[j as usize];
        let difference: [f64; D] = std::array::from_fn(|c| here[c] - there[c]);
        let pull = p * kernel.slope(difference.iter().map(|d| d * d).sum());
        (0..D).for_each(|c| sum[c] += pull * difference[c]);
    }
    force.copy_from_slice(&sum);
}

fn attract_row_any(
    (columns, p): (&[u32], &[f64]),
    y: &[f64],
    here: &[f64],
    kernel: Kernel,
    force: &mut [f64],
) {
    let dim = here.len();
    force.fill(0.0);
    for (&j, &p) in columns.iter().zip(p) {
        let there = &y[j as usize * dim..][..dim];
        let pull = p * kernel.slope(squared_distance(here, there));
        force.iter_mut().zip(here.iter().zip(there)).for_each(|(f, (a, b))| *f += pull * (a - b));
    }
}

/// Returns −Σ_j p_ij ln w_ij.
pub(crate) fn row_energy((columns, p): (&[u32], &[f64]), y: &[f64], here: &[f64], kernel: Kernel) -> f64 {
    let dim = here.len();
    let squared = |j: u32| squared_distance(here, &y[j as usize * dim..][..dim]);
    columns.iter().zip(p).map(|(&j, &p)| p * kernel.energy(squared(j))).sum()
}

#[cfg(test)]
mod tests {
    use embedding::Silent;
    use testkit::cases::cloud;

    use super::*;

    /// More points than a task has.
    #[test]
    fn forces_and_energies_are_the_sums_over_all_pairs() {
        let n = 2 * CHUNK + 60;
        let points = cloud(n, 3, 1);
        let affinities = Affinities::of_points(points.view(), 5.0, &Silent).expect("enough points");
        for (dim, alpha) in [(1, 1.0), (2, 1.0), (2, 0.5), (3, 1.0), (4, 2.0)] {
            let kernel = Kernel { alpha };
            let map = cloud(n, dim, 2);
            let y = map.view();
            let mut force = vec![f64::NAN; n * dim];
            let energies = attract(&affinities, kernel, dim, y.values(), true, &mut force);
            let mut energy = 0.0;
            for i in 0..n {
                let mut sum = vec![0.0; dim];
                for (&j, &p) in affinities.of(i).0.iter().zip(affinities.of(i).1) {
                    let squared = squared_distance(y.row(i), y.row(j as usize));
                    energy += alpha * p * (squared / alpha).ln_1p();
                    let apart = y.row(i).iter().zip(y.row(j as usize)).map(|(a, b)| a - b);
                    sum.iter_mut().zip(apart).for_each(|(s, d)| *s += p * d / (1.0 + squared / alpha));
                }
                for (found, expected) in force[i * dim..][..dim].iter().zip(&sum) {
                    assert!((found - expected).abs() < 1e-15, "{dim} {alpha}: {i}, {found} {expected}");
                }
            }
            assert!((energies.iter().sum::<f64>() / energy - 1.0).abs() < 1e-12, "{dim} {alpha}");
        }
    }
}
