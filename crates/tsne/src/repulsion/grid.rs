//! Convolution with a kernel on a grid, by fast Fourier transform.

use std::sync::Arc;

use rayon::prelude::*;
use rustfft::num_complex::{Complex32, Complex64};
use rustfft::{Fft, FftPlanner};

use super::interpolation::NODES;
use crate::kernel::Kernel;

/// Rows or columns copied together, so that strided copies use whole cache lines.
const BLOCK: usize = 16;

/// A grid of equidistant nodes and the transform of two kernels on it.
pub(crate) struct Grid {
    /// Nodes in x and y.
    pub(crate) nodes: [usize; 2],
    /// The kernel w at an offset of a and b nodes, `near[a][b]`.
    pub(crate) near: [[f64; NODES]; NODES],
    padded: [usize; 2],
    /// Transform of w as real part and of w/(1 + d²/α) as imaginary part; both are real
    /// because the kernels are even. Stored by columns.
    transform: Vec<Complex32>,
    forward: [Arc<dyn Fft<f32>>; 2],
    inverse: [Arc<dyn Fft<f32>>; 2],
}

/// The kernel with which a field is convolved.
#[derive(Clone, Copy)]
pub(crate) enum By {
    /// A real field with both kernels: the results are the real and imaginary parts.
    Both,
    /// A complex field with w/(1 + d²/α).
    Pull,
}

impl Grid {
    pub(crate) fn new(kernel: Kernel, nodes: [usize; 2], step: f64) -> Self {
        let padded = nodes.map(|m| smooth(2 * m - 1));
        let mut planner = FftPlanner::new();
        let at = |a: usize, b: usize| {
            let (dx, dy) = (a as f64 * step, b as f64 * step);
            kernel.pair(dx * dx + dy * dy)
        };
        let forward = padded.map(|p| planner.plan_fft_forward(p));
        let inverse = padded.map(|p| planner.plan_fft_inverse(p));
        let near = std::array::from_fn(|a| std::array::from_fn(|b| at(a, b).0));
        Self { nodes, near, padded, transform: transformed(nodes, padded, at), forward, inverse }
    }

    /// Returns the length of a field's row: the nodes in y, padded for the transform.
    pub(crate) fn row_length(&self) -> usize {
        self.padded[1]
    }

    /// Overwrites a field with its convolution. The field has `nodes[0]` rows of length
    /// `row_length`, zero beyond `nodes[1]`.
    pub(crate) fn convolve(&self, field: &mut [Complex32], by: By) {
        let ([rows, _], [tall, wide]) = (self.nodes, self.padded);
        transform_rows(field, wide, &self.forward[1]);
        let mut columns = vec![Complex32::ZERO; wide * rows];
        let rows_read: &[Complex32] = field;
        columns.par_chunks_mut(BLOCK * rows).enumerate().for_each(|(block, out)| {
            let mut column = vec![Complex32::ZERO; tall];
            let mut scratch = vec![Complex32::ZERO; self.scratch(0)];
            let mut gathered = vec![Complex32::ZERO; out.len()];
            copy_transposed(rows_read, wide, rows, block * BLOCK, &mut gathered);
            for (c, (from, to)) in gathered.chunks_exact(rows).zip(out.chunks_exact_mut(rows)).enumerate() {
                column[..rows].copy_from_slice(from);
                column[rows..].fill(Complex32::ZERO);
                self.forward[0].process_with_scratch(&mut column, &mut scratch);
                let start = (block * BLOCK + c) * tall;
                for (value, k) in column.iter_mut().zip(&self.transform[start..start + tall]) {
                    *value *= match by {
                        By::Both => *k,
                        By::Pull => Complex32::new(k.im, 0.0),
                    };
                }
                self.inverse[0].process_with_scratch(&mut column, &mut scratch);
                to.copy_from_slice(&column[..rows]);
            }
        });
        field.par_chunks_mut(BLOCK * wide).enumerate().for_each(|(block, out)| {
            copy_transposed(&columns, rows, wide, block * BLOCK, out);
        });
        transform_rows(field, wide, &self.inverse[1]);
    }

    fn scratch(&self, axis: usize) -> usize {
        self.forward[axis].get_inplace_scratch_len().max(self.inverse[axis].get_inplace_scratch_len())
    }
}

fn transform_rows(field: &mut [Complex32], length: usize, fft: &Arc<dyn Fft<f32>>) {
    field.par_chunks_mut(BLOCK * length).for_each(|rows| {
        let mut scratch = vec![Complex32::ZERO; fft.get_inplace_scratch_len()];
        fft.process_with_scratch(rows, &mut scratch);
    });
}

/// Copies columns from `first` on, of a matrix with row stride `stride`, to rows of
/// length `length`.
fn copy_transposed(from: &[Complex32], stride: usize, length: usize, first: usize, to: &mut [Complex32]) {
    let count = to.len() / length;
    for r in 0..length {
        let source = &from[r * stride + first..r * stride + first + count];
        for (c, value) in source.iter().enumerate() {
            to[c * length + r] = *value;
        }
    }
}

/// Returns the transform of the kernels by columns, including the factor of the inverse
/// transform.
fn transformed(
    nodes: [usize; 2],
    [tall, wide]: [usize; 2],
    at: impl Fn(usize, usize) -> (f64, f64) + Sync,
) -> Vec<Complex32> {
    let mut planner = FftPlanner::<f64>::new();
    let (down, across) = (planner.plan_fft_forward(tall), planner.plan_fft_forward(wide));
    let scale = 1.0 / (tall * wide) as f64;
    // Offsets are 0, 1, … from the start and −1, −2, … from the end.
    let offset = |i: usize, length: usize, nodes: usize| [i, length - i].into_iter().find(|&o| o < nodes);
    let mut columns = vec![Complex64::ZERO; wide * tall];
    columns.par_chunks_mut(tall).enumerate().for_each(|(b, column)| {
        for (a, value) in column.iter_mut().enumerate() {
            if let (Some(a), Some(b)) = (offset(a, tall, nodes[0]), offset(b, wide, nodes[1])) {
                let (w, pull) = at(a, b);
                *value = Complex64::new(w * scale, pull * scale);
            }
        }
        down.process(column);
    });
    let mut rows = vec![Complex64::ZERO; wide * tall];
    rows.par_chunks_mut(wide).enumerate().for_each(|(a, row)| {
        row.iter_mut().enumerate().for_each(|(b, value)| *value = columns[b * tall + a]);
        across.process(row);
    });
    let mut transform = vec![Complex32::ZERO; wide * tall];
    transform.par_chunks_mut(tall).enumerate().for_each(|(b, column)| {
        for (a, value) in column.iter_mut().enumerate() {
            let exact = rows[a * wide + b];
            *value = Complex32::new(exact.re as f32, exact.im as f32);
        }
    });
    transform
}

/// Returns the smallest integer from `least` on without prime factors above 5.
fn smooth(least: usize) -> usize {
    let divided = |mut n: usize| {
        for p in [2, 3, 5] {
            while n.is_multiple_of(p) {
                n /= p;
            }
        }
        n
    };
    (least.max(1)..).find(|&n| divided(n) == 1).unwrap_or(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn convolution_is_the_sum_over_all_nodes() {
        let (nodes, step) = ([21, 6], 0.3);
        let kernel = Kernel { alpha: 0.7 };
        let grid = Grid::new(kernel, nodes, step);
        let charge = |a: usize, b: usize| {
            Complex32::new(((a * 7 + b * 3) % 11) as f32 - 5.0, ((a * 5 + b) % 7) as f32 - 3.0)
        };
        for by in [By::Both, By::Pull] {
            let charge = |a, b| match by {
                By::Both => Complex32::new(charge(a, b).re, 0.0),
                By::Pull => charge(a, b),
            };
            let mut field = vec![Complex32::ZERO; nodes[0] * grid.row_length()];
            for a in 0..nodes[0] {
                (0..nodes[1]).for_each(|b| field[a * grid.row_length() + b] = charge(a, b));
            }
            grid.convolve(&mut field, by);
            for (a, b) in [(0_usize, 0_usize), (20, 5), (7, 2), (13, 4)] {
                let mut expected = Complex64::ZERO;
                for c in 0..nodes[0] {
                    for d in 0..nodes[1] {
                        let apart =
                            ((a.abs_diff(c) as f64).powi(2) + (b.abs_diff(d) as f64).powi(2)) * step * step;
                        let (w, pull) = kernel.pair(apart);
                        let q = Complex64::new(f64::from(charge(c, d).re), f64::from(charge(c, d).im));
                        expected += match by {
                            By::Both => q * Complex64::new(w, pull),
                            By::Pull => q * pull,
                        };
                    }
                }
                let got = field[a * grid.row_length() + b];
                let gap = (f64::from(got.re) - expected.re).hypot(f64::from(got.im) - expected.im);
                assert!(gap < 1e-4, "({a}, {b}): {got} {expected}");
            }
        }
    }
}
