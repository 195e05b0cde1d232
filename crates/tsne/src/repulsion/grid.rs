//! Convolution with a kernel on a grid, by fast Fourier transform.

use faer::c32;
use pulp::{Simd, WithSimd};
use rayon::prelude::*;

use super::precision::{LANES, Real};
use super::transform::{Lanes, Transform, dispatch};
use crate::kernel::Kernel;

/// Nodes per axis used for a point.
pub(super) const NODES: usize = 4;

/// Rows that are copied to a field by one parallel task.
const ROWS: usize = 16;

/// A grid of equidistant nodes and the transform of two kernels on it.
///
/// Columns come first: half of them are empty before rows are transformed. The
/// coefficients lie in groups of eight columns, or of eight rows.
pub(crate) struct Grid {
    /// Nodes in x and y.
    pub(crate) nodes: [usize; 2],
    /// The kernel w at an offset of a and b nodes, `near[a][b]`.
    pub(crate) near: [[f64; NODES]; NODES],
    /// Transform of w as real part and of w/(1 + d²/α) as imaginary part; both
    /// are real, as the kernels are even. Eight rows after eight rows.
    kernels: Vec<Lanes<f32>>,
    columns: Transform<f32>,
    rows: Transform<f32>,
    padded: [usize; 2],
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
        let at = |a: usize, b: usize| {
            let (dx, dy) = (a as f64 * step, b as f64 * step);
            kernel.pair(dx * dx + dy * dy)
        };
        Self {
            nodes,
            near: std::array::from_fn(|a| std::array::from_fn(|b| at(a, b).0)),
            kernels: transformed(nodes, padded, at),
            columns: Transform::new(padded[0]),
            rows: Transform::new(padded[1]),
            padded,
        }
    }

    /// Replaces a field, a number for each node, row by row, by its convolution.
    pub(crate) fn convolve(&self, field: &mut [c32], by: By) {
        let ([_, wide], [tall, length]) = (self.nodes, self.padded);
        let groups = wide.div_ceil(LANES);
        let mut columns = vec![Lanes::zero(); groups * tall];
        let filled: &[c32] = field;
        columns.par_chunks_mut(tall).enumerate().for_each(|(group, column)| {
            dispatch(Forward { grid: self, field: filled, first: group * LANES, column });
        });
        let mut rows = vec![Lanes::zero(); tall.div_ceil(LANES) * groups * LANES];
        let transformed: &[Lanes<f32>] = &columns;
        rows.par_chunks_mut(groups * LANES).enumerate().for_each_init(
            || vec![Lanes::zero(); length.max(groups * LANES)],
            |scratch, (group, row)| {
                dispatch(Multiply { grid: self, columns: transformed, group, by, scratch, row });
            },
        );
        columns.par_chunks_mut(tall).enumerate().for_each(|(group, column)| {
            dispatch(Backward { grid: self, rows: &rows, group, column });
        });
        field.par_chunks_mut(ROWS * wide).enumerate().for_each(|(block, field)| {
            for (r, field) in field.chunks_exact_mut(wide).enumerate() {
                for (group, field) in field.chunks_mut(LANES).enumerate() {
                    let from = &columns[group * tall + block * ROWS + r];
                    for (l, value) in field.iter_mut().enumerate() {
                        *value = c32::new(from.re[l], from.im[l]);
                    }
                }
            }
        });
    }
}

/// The transforms of eight columns of a field, the columns from `first` on.
struct Forward<'a> {
    grid: &'a Grid,
    field: &'a [c32],
    first: usize,
    column: &'a mut [Lanes<f32>],
}

impl WithSimd for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let wide = self.grid.nodes[1];
        let count = LANES.min(wide - self.first);
        // Nodes beyond the last row are empty.
        for (lanes, row) in self.column.iter_mut().zip(self.field.chunks_exact(wide)) {
            for (l, value) in row[self.first..self.first + count].iter().enumerate() {
                (lanes.re[l], lanes.im[l]) = (value.re, value.im);
            }
        }
        self.grid.columns.forward(simd, self.column);
    }
}

/// Eight rows: transforms, multiplies by the kernel, transforms back.
struct Multiply<'a> {
    grid: &'a Grid,
    columns: &'a [Lanes<f32>],
    group: usize,
    by: By,
    scratch: &'a mut [Lanes<f32>],
    row: &'a mut [Lanes<f32>],
}

impl WithSimd for Multiply<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { grid, columns, group, by, scratch, row } = self;
        let [tall, length] = grid.padded;
        gather(columns, tall, group, scratch);
        scratch[row.len().min(length)..].fill(Lanes::zero());
        grid.rows.forward(simd, &mut scratch[..length]);
        let kernels = &grid.kernels[group * length..(group + 1) * length];
        for (value, kernel) in scratch.iter_mut().zip(kernels) {
            let (re, im) = (value.re, value.im);
            for l in 0..LANES {
                match by {
                    By::Both => {
                        value.re[l] = re[l] * kernel.re[l] - im[l] * kernel.im[l];
                        value.im[l] = re[l] * kernel.im[l] + im[l] * kernel.re[l];
                    }
                    By::Pull => (value.re[l], value.im[l]) = (re[l] * kernel.im[l], im[l] * kernel.im[l]),
                }
            }
        }
        grid.rows.backward(simd, &mut scratch[..length]);
        let kept = row.len().min(length);
        row[..kept].copy_from_slice(&scratch[..kept]);
    }
}

/// The inverse transforms of eight columns.
struct Backward<'a> {
    grid: &'a Grid,
    rows: &'a [Lanes<f32>],
    group: usize,
    column: &'a mut [Lanes<f32>],
}

impl WithSimd for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let stride = self.grid.nodes[1].next_multiple_of(LANES);
        gather(self.rows, stride, self.group, self.column);
        self.grid.columns.backward(simd, self.column);
    }
}

/// Gathers eight sequences that lie across groups of eight: of each group, the
/// numbers of index 8 `at`, …, 8 `at` + 7; zero beyond its end.
#[inline(always)]
fn gather<T: Real>(groups: &[Lanes<T>], stride: usize, at: usize, to: &mut [Lanes<T>]) {
    let reached = LANES.min(stride - at * LANES);
    for (to, group) in to.chunks_mut(LANES).zip(groups.chunks_exact(stride)) {
        let from = &group[at * LANES..at * LANES + reached];
        if let (Ok(from), Ok(to)) = (<&[_; LANES]>::try_from(from), <&mut [_; LANES]>::try_from(&mut *to)) {
            transpose(from, to);
            continue;
        }
        for (l, to) in to.iter_mut().enumerate() {
            *to = Lanes::zero();
            for (r, from) in from.iter().enumerate() {
                (to.re[r], to.im[r]) = (from.re[l], from.im[l]);
            }
        }
    }
}

#[inline(always)]
fn transpose<T: Real>(from: &[Lanes<T>; LANES], to: &mut [Lanes<T>; LANES]) {
    for (l, to) in to.iter_mut().enumerate() {
        for (r, from) in from.iter().enumerate() {
            (to.re[r], to.im[r]) = (from.re[l], from.im[l]);
        }
    }
}

/// The transform of the kernels, with the factor of the inverse in it, eight rows
/// after eight rows.
fn transformed(
    nodes: [usize; 2],
    [tall, length]: [usize; 2],
    at: impl Fn(usize, usize) -> (f64, f64) + Sync,
) -> Vec<Lanes<f32>> {
    let (down, across) = (Transform::<f64>::new(tall), Transform::<f64>::new(length));
    let scale = 1.0 / (tall * length) as f64;
    let groups = nodes[1].div_ceil(LANES);
    let mut columns = vec![Lanes::zero(); groups * tall];
    columns.par_chunks_mut(tall).enumerate().for_each(|(group, column)| {
        for a in 0..nodes[0] {
            let mut lanes = Lanes::zero();
            for (l, b) in (group * LANES..nodes[1].min((group + 1) * LANES)).enumerate() {
                let (w, pull) = at(a, b);
                (lanes.re[l], lanes.im[l]) = (w * scale, pull * scale);
            }
            // Offsets run 0, 1, …, and −1, −2, … from the end.
            column[a] = lanes;
            if a > 0 {
                column[tall - a] = lanes;
            }
        }
        dispatch(Exactly { transform: &down, data: column });
    });
    let mut kernels = vec![Lanes::zero(); tall.div_ceil(LANES) * length];
    let scratch = || vec![Lanes::zero(); length.max(groups * LANES)];
    kernels.par_chunks_mut(length).enumerate().for_each_init(scratch, |row, (group, kernels)| {
        gather(&columns, tall, group, row);
        row[nodes[1]..].fill(Lanes::zero());
        (1..nodes[1]).for_each(|b| row[length - b] = row[b]);
        dispatch(Exactly { transform: &across, data: &mut row[..length] });
        for (kernel, exact) in kernels.iter_mut().zip(row.iter()) {
            *kernel = Lanes { re: exact.re.map(|x| x as f32), im: exact.im.map(|x| x as f32) };
        }
    });
    kernels
}

/// A transform in double precision.
struct Exactly<'a> {
    transform: &'a Transform<f64>,
    data: &'a mut [Lanes<f64>],
}

impl WithSimd for Exactly<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        self.transform.forward(simd, self.data);
    }
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
    use faer::c64;

    use super::*;

    #[test]
    fn convolution_is_the_sum_over_all_nodes() {
        let (nodes, step) = ([21, 6], 0.3);
        let kernel = Kernel { alpha: 0.7 };
        let grid = Grid::new(kernel, nodes, step);
        let charge = |a: usize, b: usize| {
            c32::new(((a * 7 + b * 3) % 11) as f32 - 5.0, ((a * 5 + b) % 7) as f32 - 3.0)
        };
        for by in [By::Both, By::Pull] {
            let charge = |a, b| match by {
                By::Both => c32::new(charge(a, b).re, 0.0),
                By::Pull => charge(a, b),
            };
            let mut field = vec![c32::new(0.0, 0.0); nodes[0] * nodes[1]];
            for a in 0..nodes[0] {
                (0..nodes[1]).for_each(|b| field[a * nodes[1] + b] = charge(a, b));
            }
            grid.convolve(&mut field, by);
            for (a, b) in [(0_usize, 0_usize), (20, 5), (7, 2), (13, 4)] {
                let mut expected = c64::new(0.0, 0.0);
                for c in 0..nodes[0] {
                    for d in 0..nodes[1] {
                        let apart =
                            ((a.abs_diff(c) as f64).powi(2) + (b.abs_diff(d) as f64).powi(2)) * step * step;
                        let (w, pull) = kernel.pair(apart);
                        let q = c64::new(f64::from(charge(c, d).re), f64::from(charge(c, d).im));
                        expected += match by {
                            By::Both => q * c64::new(w, pull),
                            By::Pull => q * pull,
                        };
                    }
                }
                let got = field[a * nodes[1] + b];
                let gap = (f64::from(got.re) - expected.re).hypot(f64::from(got.im) - expected.im);
                assert!(gap < 1e-4, "({a}, {b}): {got} {expected}");
            }
        }
    }
}
