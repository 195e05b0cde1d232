//! The transformation from points to sketches.

use embedding::Points;
use embedding::implement::multiply;
use faer::reborrow::*;
use faer::{Accum, Mat, MatRef};
use rayon::prelude::*;

use crate::search::directions;
use crate::search::rows::Rows;
use crate::search::sketch::{DEPTH, LANES, Sketch};

/// Unit roundoff of single and double precision.
const UNIT: f64 = 1.0 / (1 << 24) as f64;
const UNIT_F64: f64 = f64::EPSILON / 2.0;

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
    /// The largest amount by which bounds on distances in the frame can be too large.
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

    /// Computes first bounds from rounded sketches from now on, where the processor is faster
    /// with them and the rounding is fine enough for most points.
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

    /// Converts a distance to a squared distance in the frame that no bound of a shorter
    /// distance exceeds.
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
                    multiply(p.rb_mut(), Accum::Replace, q.transpose(), z, 1.0);
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
        Sketch {
            width,
            values,
            rounded: None,
            refined_width,
            refined_count: more,
            refined,
            norms,
            refined_slack,
            cosines: [1.0; 2],
        }
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
    /// precision, so the error of r is at most √δ |z|, and the error of its products or
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

/// Splits values into `count` consecutive ranges, also if all are empty.
fn rows_of(values: &mut [f32], size: usize, count: usize) -> Vec<&mut [f32]> {
    if size == 0 {
        return (0..count).map(|_| Default::default()).collect();
    }
    values.chunks_mut(size).collect()
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
