//! Single-precision sketches of points, for lower bounds on distances.
//!
//! With z = s (x − μ) for any μ and s, and orthonormal directions Q,
//!
//! |z − z'|² ≥ |p − p'|² + (r − r')²,  p = Qᵀz,  r² = |z|² − |p|²:
//!
//! since the components outside the span differ by at least the difference of their
//! norms. The right-hand side is |z|² + |z'|² − 2 (p·p' + r r'), one matrix product for
//! many pairs. Rounding can increase it by at most ε (|z|² + |z'|²), with ε derived
//! in [`Frame`]; this amount is subtracted from the norms, so the computed value is a lower
//! bound on the squared distance.
//!
//! A second bound adds more directions, and stops as soon as the pair is discarded.

mod frame;

use std::ops::Range;

use faer::traits::pulp::Simd;
use faer::{Mat, MatRef};
use rayon::prelude::*;

pub(crate) use self::frame::{Frame, Widths};
use crate::search::i16_bounds::I16Rows;

/// Products are summed in ranges of this length, which bounds their rounding errors.
pub(crate) const DEPTH: usize = 512;

/// Independent partial sums of the second bound.
const LANES: usize = 16;

/// Number of terms of the second bound after which it is first compared.
const STAGE: usize = 4 * LANES;

/// Sketches of many points, by rows.
#[derive(Debug)]
pub(crate) struct Sketch {
    /// Length of a row: coordinates, remaining length, reduced norm.
    pub(crate) width: usize,
    /// (p, r, (1 − ε) |z|²)
    values: Vec<f32>,
    /// (p, r) as multiples of a quantum, if first bounds are computed from them; |z|² is then
    /// computed from these multiples.
    rounded: Option<I16Rows>,
    refined_width: usize,
    /// The number of additional directions.
    refined_count: usize,
    /// r, then (p, r) in the additional directions, then zeros.
    refined: Vec<f32>,
    /// |z|²
    norms: Vec<f32>,
    refined_slack: f32,
    /// The cosines that the two bounds assume between remainders: 1 for a bound.
    cosines: [f32; 2],
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

    /// The least cosines between the remainders of two points, from −1 to 1, with which the two
    /// bounds are not above a squared distance in the frame that is not below their own.
    pub(crate) fn least_cosines(&self, i: usize, j: usize, limit: f32) -> [f64; 2] {
        let square = |a: &[f32], b: &[f32]| -> f64 {
            a.iter().zip(b).map(|(x, y)| (f64::from(*x) - f64::from(*y)).powi(2)).sum()
        };
        // Where remainders are rounding errors, the quotient can exceed 1.
        let least = |inside: f64, remaining: [f32; 2]| {
            let [r, s] = remaining.map(f64::from);
            let excess = inside + r * r + s * s - f64::from(limit);
            // Without remainders any cosine will do.
            if r * s > 0.0 { (excess / (2.0 * r * s)).clamp(-1.0, 1.0) } else { -1.0 }
        };
        let inside = square(self.place(i), self.place(j));
        let first = least(inside, [i, j].map(|row| self.values[(row + 1) * self.width - 2]));
        if !self.is_refined() {
            return [first, 1.0];
        }
        let [a, b] = [i, j].map(|row| &self.refined[row * self.refined_width..][1..]);
        let more = self.refined_count;
        [first, least(inside + square(&a[..more], &b[..more]), [a[more], b[more]])]
    }

    /// Assumes cosines c between the remainders of points instead of 1. The first bound is then
    /// |p − p'|² + r² + r'² − 2 c r r', which holds for remainders with a cosine of at most c;
    /// the second one likewise.
    pub(crate) fn assume(&mut self, cosines: [f32; 2]) {
        self.cosines = cosines;
        let (width, factor) = (self.width, cosines[0].sqrt());
        self.values.chunks_exact_mut(width).for_each(|row| row[width - 2] *= factor);
    }

    /// Rounds (p, r), and returns the error of distances between such rows, if the processor is
    /// faster by that.
    fn round(&mut self, reduction: f64) -> Option<f64> {
        let width = self.width - 1;
        let rounded = I16Rows::new(self.values.chunks_exact(self.width).map(|row| &row[..width]), width)?;
        let left_out = f64::from((1.0 - self.cosines[0]) / self.cosines[0]);
        for (i, row) in self.values.chunks_exact_mut(self.width).enumerate() {
            let remaining = f64::from(row[width - 1]);
            let square = f64::from(rounded.square(i)) + left_out * remaining * remaining;
            row[width] = (square * reduction) as f32;
        }
        let error = rounded.error();
        self.rounded = Some(rounded);
        Some(error)
    }

    /// The rounded rows, if first bounds are computed from them.
    pub(crate) fn rounded(&self) -> Option<&I16Rows> {
        self.rounded.as_ref()
    }

    /// Returns (−2 p, −2 r, 1) as the queries' factor of a product, one per column.
    pub(crate) fn left(&self, rows: impl ExactSizeIterator<Item = usize>) -> Mat<f32> {
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

    /// Returns the mean of the coordinates in the first bound over some rows.
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
        let replaced = first + self.own_part(row)
            - 2.0 * (remaining * remaining + (1.0 - self.cosines[0]) * a[0] * b[0]);
        let last = self.refined_count + 1;
        let replaced = replaced + 2.0 * (1.0 - self.cosines[1]) * a[last] * b[last];
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

#[cfg(test)]
mod tests {
    use embedding::Points;
    use faer::traits::pulp::{Arch, WithSimd};

    use super::*;

    /// The two bounds of a pair, infinite where the second exceeds the limit.
    struct Bounds<'a>(&'a Sketch, [usize; 2], f32);

    impl WithSimd for Bounds<'_> {
        type Output = [f32; 2];

        fn with_simd<S: Simd>(self, simd: S) -> [f32; 2] {
            let Self(sketch, [i, j], limit) = self;
            let left = sketch.left(i..i + 1);
            let known = sketch.right(j..j + 1);
            let first = (0..sketch.width).map(|at| known[(0, at)] * left[(at, 0)]).sum::<f32>();
            let second = sketch.refined_bound(simd, i, (sketch, j), first, limit);
            [first + sketch.own_part(i), second.unwrap_or(f32::INFINITY)]
        }
    }

    #[test]
    fn rounding_keeps_norms_whatever_cosine_is_assumed() {
        let values: Vec<f64> = (0..40 * 30).map(|at| ((at * at) as f64 * 0.37).sin()).collect();
        let points = Points::new(&values, 30).expect("finite").into();
        let mut frame = Frame::new(points, None, Some(Widths { narrow: 5, wide: 12 }));
        let plain = frame.sketch(points);
        for c in [0.1, 0.6, 1.0] {
            let mut rounded = frame.sketch(points);
            rounded.assume([c, c]);
            frame.round([Some(&mut rounded), None]);
            for row in 0..40 {
                let (own, before) = (rounded.own_part(row), plain.own_part(row));
                assert!((own - before).abs() < 1e-3 * before, "{own} for {before}, cosine {c}");
            }
        }
    }

    #[test]
    fn bounds_with_assumed_cosines_hold_from_the_least_ones_on() {
        let (n, dim) = (40, 30);
        let values: Vec<f64> = (0..n * dim).map(|at| ((at * at) as f64 * 0.37).sin()).collect();
        let points = Points::new(&values, dim).expect("finite").into();
        let frame = Frame::new(points, None, Some(Widths { narrow: 5, wide: 12 }));
        let (plain, mut held) = (frame.sketch(points), [[0; 2]; 2]);
        for (c, part) in [(0.1, 0.3), (0.1, 0.9), (0.6, 0.3), (0.6, 0.9)] {
            let mut assumed = frame.sketch(points);
            assumed.assume([c, c]);
            for (i, j) in (0..n).flat_map(|i| (0..i).map(move |j| (i, j))) {
                let distance = crate::metric::distance(&values[i * dim..][..dim], &values[j * dim..][..dim]);
                let limit = frame.threshold(distance) * part;
                let bounds = Arch::new().dispatch(Bounds(&assumed, [i, j], limit));
                for (bound, (least, value)) in
                    plain.least_cosines(i, j, limit).into_iter().zip(bounds).enumerate()
                {
                    // But for rounding.
                    if (least - f64::from(c)).abs() > 1e-3 {
                        assert_eq!(value <= limit, least < f64::from(c), "{i} and {j}: {least} for {c}");
                        held[bound][usize::from(value <= limit)] += 1;
                    }
                }
            }
        }
        assert!(held.as_flattened().iter().all(|count| *count > 100), "{held:?}");
    }
}
