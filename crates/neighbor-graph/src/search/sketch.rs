//! Single-precision sketches of points, for lower bounds on distances.
//!
//! With z = s (x − μ) for any μ and s, and orthonormal directions Q,
//!
//! |z − z'|² ≥ |p − p'|² + (r − r')²,  p = Qᵀz,  r² = |z|² − |p|²:
//!
//! since the components outside the span differ by at least the difference of their
//! norms. The right-hand side is |z|² + |z'|² − 2 (p·p' + r r'), one matrix product for
//! many pairs. Rounding can increase it by at most ε (|z|² + |z'|²), with ε derived
//! below; this amount is subtracted from the norms, so the computed value is a lower
//! bound on the squared distance.
//!
//! A second bound adds more directions, and stops as soon as the pair is discarded.

use std::ops::Range;

use embedding::Points;
use faer::linalg::matmul::matmul;
use faer::reborrow::*;
use faer::traits::pulp::Simd;
use faer::{Accum, Mat, MatRef, Par};
use rayon::prelude::*;

use crate::search::directions;
use crate::search::rows::Rows;
use crate::search::short::Short;

/// Unit roundoff of single and double precision.
const UNIT: f64 = 1.0 / (1 << 24) as f64;
const UNIT_F64: f64 = f64::EPSILON / 2.0;

/// Products are summed in ranges of this length, which bounds their rounding errors.
pub(crate) const DEPTH: usize = 512;

/// Rows per partial sum.
const CHUNK: usize = 1024;

/// Double-precision numbers per thread while computing sketches.
const CHUNK_NUMBERS: usize = 1 << 17;

/// Largest numbers of points, and of values, used to compute the directions; at most a
/// quarter of the points if there are many.
const SAMPLE: (usize, usize) = (4096, 1 << 26);

/// Rounded sketches are too coarse where the median distance from the mean is below this fraction
/// of the largest one.
const COARSE: f32 = 1.0 / 16.0;

/// Independent partial sums of the second bound.
const LANES: usize = 16;

/// Number of terms of the second bound after which it is first compared.
const STAGE: usize = 4 * LANES;

/// The transformation from points to sketches, shared by known and new points.
#[derive(Debug)]
pub(crate) struct Frame {
    mean: Vec<f64>,
    /// A power of two that scales the largest distance from the mean to about 1.
    pub(crate) scale: f64,
    /// Orthonormal columns, leading first; `None` for the coordinates themselves.
    directions: Option<Mat<f64>>,
    /// Number of directions in the first bound.
    narrow: usize,
    /// By how much bounds on distances in the frame can be too large.
    error: f64,
}

/// Numbers of directions in the two bounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Widths {
    pub(crate) narrow: usize,
    pub(crate) wide: usize,
}

impl Widths {
    /// Returns the widths for points in D dimensions. Sixty directions contain most of
    /// the variance of real images, and a product of that width costs a twelfth of one of
    /// width 784.
    pub(crate) fn of(dim: usize) -> Self {
        let narrow = (dim / 2).clamp(1, 62);
        Self { narrow, wide: dim.clamp(narrow, 255) }
    }

    /// The numbers per point in a sketch.
    pub(crate) fn values(self) -> usize {
        let [first, second] = self.rows();
        first + second + 1
    }

    /// The lengths of the rows of the two bounds.
    fn rows(self) -> [usize; 2] {
        let more = self.wide - self.narrow;
        [self.narrow + 2, if more > 0 { (more + 2).next_multiple_of(LANES) } else { 0 }]
    }
}

impl Frame {
    /// Computes the transformation: with `widths`, a projection to that many leading
    /// directions; with `None`, all coordinates are kept.
    pub(crate) fn new(known: Rows<'_>, new: Option<Points<'_>>, widths: Option<Widths>) -> Self {
        let dim = known.dim();
        let mean = mean(known);
        let both = [Some(known), new.map(Rows::from)];
        let farthest = both.into_iter().flatten().map(|p| farthest(p, &mean)).fold(0.0, f64::max);
        let scale = if farthest > 0.0 { (-farthest.sqrt().log2().ceil()).exp2() } else { 1.0 };
        let directions = widths.map(|widths| {
            let n = known.len();
            let rows = n.min(SAMPLE.0).min((SAMPLE.1 / dim).max(1)).min(n.div_ceil(4).max(1024));
            let mut sample = vec![0.0; rows * dim];
            sample.par_chunks_mut(dim).enumerate().for_each_init(Vec::new, |wide, (i, out)| {
                let place = known.row(i * n / rows, wide).iter().zip(&mean);
                out.iter_mut().zip(place).for_each(|(o, (x, m))| *o = ((x - m) * scale) as f32);
            });
            let sample = MatRef::from_row_major_slice(&sample, rows, dim);
            directions::leading(sample, widths.wide)
        });
        Self { mean, scale, directions, narrow: widths.map_or(dim, |w| w.narrow), error: 0.0 }
    }

    /// Computes first bounds from rounded sketches from now on, where the processor is faster by
    /// that and the rounding is fine for most points.
    pub(crate) fn round(&mut self, sketches: [Option<&mut Sketch>; 2]) {
        let mut sketches = sketches.into_iter().flatten().collect::<Vec<_>>();
        if sketches.iter().any(|sketch| sketch.median_norm() < COARSE) {
            return;
        }
        for sketch in &mut sketches {
            let Some(error) = sketch.round(1.0 - self.slack(self.mean.len()).0) else { return };
            self.error = error;
        }
    }

    /// Converts a distance to a squared distance in the frame that no bound of a shorter one
    /// exceeds.
    pub(crate) fn threshold(&self, distance: f64) -> f32 {
        let scaled = distance * self.scale + self.error;
        (scaled * scaled * (1.0 + 1e-6) + 1e-36).min(f64::from(f32::MAX)) as f32
    }

    /// Returns the sketches of the points, in order.
    pub(crate) fn sketch(&self, points: Rows<'_>) -> Sketch {
        let (n, dim) = (points.len(), points.dim());
        let wide = self.directions.as_ref().map_or(0, Mat::ncols);
        let more = wide.saturating_sub(self.narrow);
        let [width, refined_width] = Widths { narrow: self.narrow, wide: self.narrow + more }.rows();
        let (slack, refined_slack) = self.slack(dim);
        let mut values = vec![0.0; n * width];
        let mut refined = vec![0.0; n * refined_width];
        let mut norms = vec![0.0; n];
        let chunk = (CHUNK_NUMBERS / dim).clamp(16, 1024);
        let most = chunk.min(n);
        let workspace = || (Mat::zeros(dim, most), Mat::zeros(wide, most), Vec::new());
        values
            .par_chunks_mut(chunk * width)
            .zip(norms.par_chunks_mut(chunk))
            .enumerate()
            // An empty second sketch has no chunks; its rows are empty slices.
            .zip_eq(rows_of(&mut refined, chunk * refined_width, n.div_ceil(chunk)))
            .for_each_init(workspace, |(z, p, row), ((at, (values, norms)), refined)| {
                let mut z = z.as_mut().subcols_mut(0, norms.len());
                for (i, z) in z.rb_mut().col_iter_mut().enumerate() {
                    let place = points.row(at * chunk + i, row).iter().zip(&self.mean);
                    let z = z.try_as_col_major_mut().expect("columns of a Mat").as_slice_mut();
                    z.iter_mut().zip(place).for_each(|(z, (x, m))| *z = (x - m) * self.scale);
                }
                let z = z.into_const();
                let p = self.directions.as_ref().map_or(z, |q| {
                    let mut p = p.as_mut().subcols_mut(0, norms.len());
                    matmul(p.rb_mut(), Accum::Replace, q.transpose(), z, 1.0, Par::Seq);
                    p.into_const()
                });
                for (i, norm) in norms.iter_mut().enumerate() {
                    let square = z.col(i).squared_norm_l2();
                    let coordinates = p.col(i).try_as_col_major().expect("columns of a Mat").as_slice();
                    *norm = square as f32;
                    let own = &mut values[i * width..][..width];
                    let (leading, others) = coordinates.split_at(self.narrow);
                    let remaining = write(leading, &mut own[..self.narrow], square);
                    own[self.narrow] = length(remaining);
                    own[self.narrow + 1] = (square * (1.0 - slack)) as f32;
                    if more > 0 {
                        let further = &mut refined[i * refined_width..][..refined_width];
                        further[0] = own[self.narrow];
                        further[more + 1] = length(write(others, &mut further[1..=more], remaining));
                    }
                }
            });
        Sketch { width, values, rounded: None, refined_width, refined, norms, refined_slack }
    }

    /// Returns all scaled coordinates in another order, each row filled with zeros to a
    /// multiple of [`LANES`], and that length.
    pub(crate) fn rows(&self, points: Rows<'_>, order: &[u32]) -> (Vec<f32>, usize) {
        let width = points.dim().next_multiple_of(LANES);
        let mut rows = vec![0.0; order.len() * width];
        rows.par_chunks_mut(width).zip(order).for_each_init(Vec::new, |wide, (out, &i)| {
            let place = points.row(i as usize, wide).iter().zip(&self.mean);
            out.iter_mut().zip(place).for_each(|(o, (x, m))| *o = ((x - m) * self.scale) as f32);
        });
        (rows, width)
    }

    /// Returns ε of the product and of the refined bound.
    ///
    /// With N = |z|² + |z'|² ≥ 2 |z||z'|: a sum of `depth` products whose magnitudes sum
    /// to 2N has an error of depth · u · 2N; rounding of factors and norms adds 4uN. The
    /// remaining length r is the root of a difference with error δ |z|² in double
    /// precision, so the error of r is at most √δ |z|, and that of its products or
    /// squares 4 √δ N. The refined bound starts from the first one, and adds squared
    /// differences of rounded numbers, 8uN, and their sum, u · width · 2N. The total is
    /// doubled to cover all second-order terms.
    fn slack(&self, dim: usize) -> (f64, f32) {
        let root = |width: usize| (4.0 * ((width as f64).sqrt() + 1.0) * dim as f64 * UNIT_F64).sqrt() * 4.0;
        let width = self.narrow + 2;
        let depth = (width.min(DEPTH) + width.div_ceil(DEPTH)) as f64;
        let wide = self.directions.as_ref().map_or(0, Mat::ncols);
        let remaining = if wide > 0 { (root(self.narrow), root(wide)) } else { (0.0, 0.0) };
        let first = 2.0 * ((2.0 * depth + 6.0) * UNIT + remaining.0);
        let second = 2.0 * ((2.0 * wide as f64 + 16.0) * UNIT + remaining.0 + remaining.1);
        (first, second as f32)
    }
}

/// Writes coordinates, and returns the remaining squared norm.
fn write(coordinates: &[f64], out: &mut [f32], square: f64) -> f64 {
    let mut remaining = square;
    for (out, &x) in out.iter_mut().zip(coordinates) {
        *out = x as f32;
        remaining -= x * x;
    }
    remaining
}

fn length(square: f64) -> f32 {
    square.max(0.0).sqrt() as f32
}

/// Returns Σ (x − y)²; the length must be a multiple of [`LANES`].
#[inline(always)]
pub(crate) fn squared_distance<S: Simd>(simd: S, a: &[f32], b: &[f32]) -> f32 {
    let registers = LANES / S::F32_LANES;
    let mut sums = [simd.splat_f32s(0.0); LANES];
    let (x, y) = (S::as_simd_f32s(a).0, S::as_simd_f32s(b).0);
    for (x, y) in x.chunks_exact(registers).zip(y.chunks_exact(registers)) {
        for r in 0..registers {
            let t = simd.sub_f32s(x[r], y[r]);
            sums[r] = simd.mul_add_e_f32s(t, t, sums[r]);
        }
    }
    let sum = sums[..registers].iter().fold(simd.splat_f32s(0.0), |sum, &s| simd.add_f32s(sum, s));
    simd.reduce_sum_f32s(sum)
}

/// Splits values into `count` consecutive ranges, also if all are empty.
fn rows_of(values: &mut [f32], size: usize, count: usize) -> Vec<&mut [f32]> {
    if size == 0 {
        return (0..count).map(|_| Default::default()).collect();
    }
    values.chunks_mut(size).collect()
}

/// Sketches of many points, by rows.
#[derive(Debug)]
pub(crate) struct Sketch {
    /// Length of a row: coordinates, remaining length, reduced norm.
    pub(crate) width: usize,
    /// (p, r, (1 − ε) |z|²)
    values: Vec<f32>,
    /// (p, r) as multiples of a quantum, if first bounds are computed from them; |z|² is that of
    /// them then.
    rounded: Option<Short>,
    refined_width: usize,
    /// r, then (p, r) in the additional directions, then zeros.
    refined: Vec<f32>,
    /// |z|²
    norms: Vec<f32>,
    refined_slack: f32,
}

impl Sketch {
    pub(crate) fn len(&self) -> usize {
        self.norms.len()
    }

    /// The median of |z|.
    fn median_norm(&self) -> f32 {
        let mut norms = self.norms.clone();
        let half = norms.len() / 2;
        norms.select_nth_unstable_by(half, f32::total_cmp).1.sqrt()
    }

    /// Rounds (p, r), and returns the error of distances between such rows, if the processor is
    /// faster by that.
    fn round(&mut self, reduction: f64) -> Option<f64> {
        let width = self.width - 1;
        let rounded = Short::new(self.values.chunks_exact(self.width).map(|row| &row[..width]), width)?;
        for (i, row) in self.values.chunks_exact_mut(self.width).enumerate() {
            row[width] = (f64::from(rounded.square(i)) * reduction) as f32;
        }
        let error = rounded.error();
        self.rounded = Some(rounded);
        Some(error)
    }

    /// The rounded rows, if first bounds are computed from them.
    pub(crate) fn rounded(&self) -> Option<&Short> {
        self.rounded.as_ref()
    }

    /// Returns (−2 p, −2 r, 1) as the queries' factor of a product, one per column.
    pub(crate) fn left(&self, rows: Range<usize>) -> Mat<f32> {
        let mut left = Mat::zeros(self.width, rows.len());
        for (row, column) in rows.zip(left.col_iter_mut()) {
            let column = column.try_as_col_major_mut().expect("columns of a Mat").as_slice_mut();
            let own = &self.values[row * self.width..][..self.width];
            column.iter_mut().zip(own).for_each(|(out, value)| *out = -2.0 * value);
            column[self.width - 1] = 1.0;
        }
        left
    }

    /// Returns the known points' factor of a product, one per row.
    pub(crate) fn right(&self, rows: Range<usize>) -> MatRef<'_, f32> {
        let values = &self.values[rows.start * self.width..rows.end * self.width];
        MatRef::from_row_major_slice(values, rows.len(), self.width)
    }

    /// Returns the coordinates in the first bound, an approximate position of the point.
    pub(crate) fn place(&self, row: usize) -> &[f32] {
        &self.values[row * self.width..][..self.width - 2]
    }

    /// Returns the mean of these coordinates over some rows.
    pub(crate) fn center(&self, rows: Range<usize>) -> Vec<f32> {
        let mut center = vec![0.0; self.width - 2];
        for row in rows.clone() {
            center.iter_mut().zip(self.place(row)).for_each(|(c, x)| *c += x / rows.len() as f32);
        }
        center
    }

    /// Returns the term (1 − ε) |z|² of the first bound that the product omits.
    #[inline(always)]
    pub(crate) fn own_part(&self, row: usize) -> f32 {
        self.values[(row + 1) * self.width - 1]
    }

    /// Returns whether there is a second bound.
    #[inline(always)]
    pub(crate) fn is_refined(&self) -> bool {
        self.refined_width > 0
    }

    /// Returns the second lower bound on a squared distance in the frame, or `None` if it
    /// exceeds the limit; `first` is the product of the two sketches.
    ///
    /// With more directions (r − r')² is replaced by |q − q'|² + (t − t')²: q are the
    /// coordinates in these directions, and t is the norm of the remainder.
    #[inline(always)]
    pub(crate) fn refined_bound<S: Simd>(
        &self,
        simd: S,
        row: usize,
        (other, at): (&Self, usize),
        first: f32,
        limit: f32,
    ) -> Option<f32> {
        let a = &self.refined[row * self.refined_width..][..self.refined_width];
        let b = &other.refined[at * self.refined_width..][..self.refined_width];
        let remaining = a[0] - b[0];
        // This term is part of the sum below.
        let replaced = first + self.own_part(row) - 2.0 * remaining * remaining;
        let bound = replaced - self.refined_slack * (self.norms[row] + other.norms[at]);
        let stage = STAGE.min(self.refined_width);
        let bound = bound + squared_distance(simd, &a[..stage], &b[..stage]);
        if bound > limit {
            return None;
        }
        let bound = bound + squared_distance(simd, &a[stage..], &b[stage..]);
        (bound <= limit).then_some(bound)
    }

    /// Returns the sketches in another order.
    pub(crate) fn reordered(&self, order: &[u32]) -> Self {
        let gather = |values: &[f32], width: usize| {
            let mut out = vec![0.0; order.len() * width];
            if width > 0 {
                out.par_chunks_mut(width)
                    .zip(order)
                    .for_each(|(row, &i)| row.copy_from_slice(&values[i as usize * width..][..width]));
            }
            out
        };
        Self {
            values: gather(&self.values, self.width),
            refined: gather(&self.refined, self.refined_width),
            norms: gather(&self.norms, 1),
            rounded: None,
            ..*self
        }
    }
}

/// Returns the largest squared distance of a point from the mean.
fn farthest(points: Rows<'_>, mean: &[f64]) -> f64 {
    let norm = |row: &[f64]| row.iter().zip(mean).map(|(x, m)| (x - m) * (x - m)).sum::<f64>();
    let part = |chunk: usize| {
        let mut most = 0.0_f64;
        points.each(chunk * CHUNK, CHUNK, |row| most = most.max(norm(row)));
        most
    };
    (0..points.len().div_ceil(CHUNK)).into_par_iter().map(part).reduce(|| 0.0, f64::max)
}

/// Returns the column means, summed in fixed chunks, in order.
fn mean(points: Rows<'_>) -> Vec<f64> {
    let part = |chunk: usize| {
        let mut sum = vec![0.0; points.dim()];
        points.each(chunk * CHUNK, CHUNK, |row| sum.iter_mut().zip(row).for_each(|(s, x)| *s += x));
        sum
    };
    let parts: Vec<Vec<f64>> = (0..points.len().div_ceil(CHUNK)).into_par_iter().map(part).collect();
    let n = points.len() as f64;
    (0..points.dim()).map(|c| parts.iter().map(|part| part[c] / n).sum()).collect()
}
