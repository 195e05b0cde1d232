//! First bounds from rows of 16-bit integers.
//!
//! Rows y = (p, r) of sketches are rounded to multiples of δ, ŷ. Then
//! |y − y'| ≥ |ŷ − ŷ'| − √width δ, and ŷ·ŷ' is δ² times an integer: |y| ≤ 1, so that all partial
//! sums are below 2³¹. Registers have twice as many 16-bit integers as numbers in single precision.
//! The bounds are compared where they are computed: most exceed the limit, and are not stored.

use std::ops::Range;

#[cfg(target_arch = "x86_64")]
use faer::traits::pulp::x86::V3 as Wide;

/// δ, a power of two.
const QUANTUM: f32 = 1.0 / (1 << 14) as f32;

/// Known rows of a register.
const LANES: usize = 8;

/// Known rows compared at a time, with
const PANEL: usize = 2 * LANES;

/// as many queries, which leaves registers for the factors.
pub(crate) const QUERIES: usize = 6;

/// Other processors have no such products here.
#[cfg(not(target_arch = "x86_64"))]
#[derive(Clone, Copy, Debug)]
enum Wide {}

#[cfg(not(target_arch = "x86_64"))]
impl Wide {
    fn try_new() -> Option<Self> {
        None
    }
}

/// Rows of rounded numbers.
#[derive(Debug)]
pub(crate) struct I16Rows {
    wide: Wide,
    /// Pairs of numbers in a row.
    width: usize,
    /// Two 16-bit integers each.
    pairs: Vec<i32>,
}

/// Known rows in the order in which they are read.
#[derive(Debug, Default)]
pub(crate) struct Panels {
    /// Number of known rows.
    count: usize,
    /// Panels of known rows, one pair of their numbers after another.
    known: Vec<[[i32; LANES]; 2]>,
    /// |ŷ'|² of the known rows, less rounding.
    squares: Vec<[[f32; LANES]; 2]>,
}

/// Memory of a thread: queries in the order in which they are read, and what was found.
#[derive(Debug, Default)]
pub(crate) struct Packed {
    /// The known rows' own thresholds.
    thresholds: Vec<[[f32; LANES]; 2]>,
    /// The queries, one pair of their numbers after another.
    queries: Vec<[i32; QUERIES]>,
    /// For each query the rows that it may be near to, each with its bound less |ŷ|².
    pub(crate) near: [Vec<(f32, usize)>; QUERIES],
}

impl I16Rows {
    /// Rounds rows of `width` numbers, whose norms are at most 1; `None` where the processor is
    /// not faster by them.
    pub(crate) fn new<'a>(rows: impl ExactSizeIterator<Item = &'a [f32]>, width: usize) -> Option<Self> {
        let wide = Wide::try_new()?;
        let width = width.div_ceil(2);
        let mut pairs = Vec::with_capacity(rows.len() * width);
        for row in rows {
            let rounded = |x: f32| i32::from((x / QUANTUM).round() as i16);
            let pair = |two: &[f32]| rounded(two[0]) & 0xffff | rounded(two.get(1).map_or(0.0, |x| *x)) << 16;
            pairs.extend(row.chunks(2).map(pair));
        }
        Some(Self { wide, width, pairs })
    }

    /// |ŷ|² of a row.
    pub(crate) fn square(&self, row: usize) -> f32 {
        let squares = |pair: &i32| [(pair << 16) >> 16, pair >> 16].map(|v| v * v).into_iter().sum::<i32>();
        self.row(row).iter().map(squares).sum::<i32>() as f32 * (QUANTUM * QUANTUM)
    }

    /// An upper bound on the difference between |ŷ − ŷ'| and |y − y'|.
    pub(crate) fn error(&self) -> f64 {
        (2.0 * self.width as f64).sqrt() * f64::from(QUANTUM) * (1.0 + 1e-6)
    }

    fn row(&self, row: usize) -> &[i32] {
        &self.pairs[row * self.width..][..self.width]
    }

    /// Arranges known rows for [`Self::compare`], with |ŷ'|² of each.
    pub(crate) fn pack(&self, rows: Range<usize>, square: impl Fn(usize) -> f32, panels: &mut Panels) {
        let Panels { count, known, squares } = panels;
        *count = rows.len();
        let panels = rows.len().div_ceil(PANEL);
        known.clear();
        known.resize(panels * self.width, [[0; LANES]; 2]);
        squares.clear();
        squares.resize(panels, [[0.0; LANES]; 2]);
        for (at, row) in rows.enumerate() {
            let (panel, lane) = (at / PANEL, at % PANEL);
            squares[panel].as_flattened_mut()[lane] = square(row);
            for (out, pair) in known[panel * self.width..].iter_mut().zip(self.row(row)) {
                out.as_flattened_mut()[lane] = *pair;
            }
        }
    }

    /// Collects for each of at most [`QUERIES`] queries the packed rows whose bound,
    /// |ŷ|² + |ŷ'|² − 2 ŷ·ŷ', is not above the larger one of the query's and the row's threshold.
    ///
    /// `queries` has |ŷ|² and the threshold of each.
    pub(crate) fn compare(
        &self,
        rows: impl Iterator<Item = usize>,
        queries: impl Iterator<Item = (f32, f32)>,
        panels: &Panels,
        thresholds: Option<&[f32]>,
        packed: &mut Packed,
    ) {
        packed.queries.clear();
        packed.queries.resize(self.width, [0; QUERIES]);
        for (place, row) in rows.enumerate() {
            for (out, pair) in packed.queries.iter_mut().zip(self.row(row)) {
                out[place] = *pair;
            }
        }
        packed.thresholds.clear();
        packed.thresholds.resize(panels.squares.len(), [[f32::NEG_INFINITY; LANES]; 2]);
        if let Some(thresholds) = thresholds {
            packed.thresholds.as_flattened_mut().as_flattened_mut()[..panels.count]
                .copy_from_slice(thresholds);
        }
        packed.near.iter_mut().for_each(Vec::clear);
        let mut limits = [(f32::INFINITY, f32::NEG_INFINITY); QUERIES];
        limits.iter_mut().zip(queries).for_each(|(limit, query)| *limit = query);
        packed.compare(self.wide, panels, limits);
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Packed {
    fn compare(&mut self, wide: Wide, _: &Panels, _: [(f32, f32); QUERIES]) {
        match wide {}
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::{__m256i, _CMP_LE_OQ};

    use faer::traits::pulp::{NullaryFnOnce, cast};

    use super::{LANES, PANEL, Packed, Panels, QUANTUM, QUERIES, Wide};

    impl Packed {
        pub(super) fn compare(&mut self, wide: Wide, panels: &Panels, limits: [(f32, f32); QUERIES]) {
            wide.vectorize(Comparison { wide, panels, packed: self, limits });
        }
    }

    struct Comparison<'a> {
        wide: Wide,
        panels: &'a Panels,
        packed: &'a mut Packed,
        /// |ŷ|² and the threshold of each query.
        limits: [(f32, f32); QUERIES],
    }

    impl NullaryFnOnce for Comparison<'_> {
        type Output = ();

        #[inline(always)]
        fn call(self) {
            let Self { wide, panels: Panels { count, known, squares }, packed, limits } = self;
            let Packed { thresholds, queries, near } = packed;
            let avx = wide.avx;
            let factor = avx._mm256_set1_ps(-2.0 * QUANTUM * QUANTUM);
            let own = limits.map(|limit| avx._mm256_set1_ps(limit.0));
            let thresholds_of_queries = limits.map(|limit| avx._mm256_set1_ps(limit.1));
            let panels = known.chunks_exact(queries.len()).zip(squares).zip(thresholds);
            for (panel, ((known, squares), thresholds)) in panels.enumerate() {
                let products = products(wide, known, queries);
                for q in 0..QUERIES {
                    let mut bounds = [[0.0_f32; LANES]; 2];
                    let mut found = 0;
                    for i in 0..2 {
                        let product = avx._mm256_cvtepi32_ps(products[q][i]);
                        let bound = wide.fma._mm256_fmadd_ps(product, factor, cast(squares[i]));
                        let limit = avx._mm256_max_ps(cast(thresholds[i]), thresholds_of_queries[q]);
                        let limit = avx._mm256_sub_ps(limit, own[q]);
                        let is_near = avx._mm256_cmp_ps::<_CMP_LE_OQ>(bound, limit);
                        found |= (avx._mm256_movemask_ps(is_near) as u32) << (LANES * i);
                        bounds[i] = cast(bound);
                    }
                    while found != 0 {
                        let lane = found.trailing_zeros() as usize;
                        found &= found - 1;
                        if panel * PANEL + lane < *count {
                            near[q].push((bounds[lane / LANES][lane % LANES], panel * PANEL + lane));
                        }
                    }
                }
            }
        }
    }

    /// The products of all queries with a panel of known rows.
    #[inline(always)]
    fn products(
        wide: Wide,
        known: &[[[i32; LANES]; 2]],
        queries: &[[i32; QUERIES]],
    ) -> [[__m256i; 2]; QUERIES] {
        let mut sums = [[wide.avx._mm256_setzero_si256(); 2]; QUERIES];
        for (known, queries) in known.iter().zip(queries) {
            let known: [__m256i; 2] = [cast(known[0]), cast(known[1])];
            for q in 0..QUERIES {
                let query = wide.avx._mm256_set1_epi32(queries[q]);
                for i in 0..2 {
                    let products = wide.avx2._mm256_madd_epi16(known[i], query);
                    sums[q][i] = wide.avx2._mm256_add_epi32(sums[q][i], products);
                }
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of norms up to 1.
    fn rows(count: usize, width: usize, seed: usize) -> Vec<f32> {
        let wave = |at: usize| ((at * at + seed) as f32 * 0.37).sin() / (width as f32).sqrt();
        (0..count * width).map(|at| wave(at) * (1.0 - (at / width) as f32 / count as f32)).collect()
    }

    fn square(a: impl Iterator<Item = f32>) -> f64 {
        a.map(|x| f64::from(x).powi(2)).sum()
    }

    #[test]
    fn the_largest_rows_do_not_overflow_and_rounding_is_within_the_error() {
        for width in [1, 2, 7, 64] {
            let mut values = rows(40, width, 3);
            values[..width].fill(0.0);
            values[0] = 1.0;
            values[width..2 * width].fill(-1.0 / (width as f32).sqrt());
            let Some(integers) = I16Rows::new(values.chunks_exact(width), width) else { return };
            let at = |row: usize| &values[row * width..][..width];
            for (i, j) in (0..40).flat_map(|i| (0..40).map(move |j| (i, j))) {
                let pairs = integers.row(i).iter().zip(integers.row(j));
                let differences = pairs.flat_map(|(a, b)| {
                    [*a as i16 as f32 - *b as i16 as f32, ((a >> 16) as f32) - ((b >> 16) as f32)]
                });
                let rounded = square(differences).sqrt() * f64::from(QUANTUM);
                let distance = square(at(i).iter().zip(at(j)).map(|(a, b)| a - b)).sqrt();
                let gap = (rounded - distance).abs();
                assert!(gap <= integers.error(), "width {width}, rows {i} and {j}: {gap}");
            }
        }
    }

    /// Half a step in every number of both rows, away from each other: no rounding is larger.
    #[test]
    fn the_largest_rounding_is_within_the_error() {
        for width in [2, 8, 64] {
            let (a, b) = (vec![200.5 * QUANTUM; width], vec![-300.5 * QUANTUM; width]);
            let values = [a, b].concat();
            let Some(integers) = I16Rows::new(values.chunks_exact(width), width) else { return };
            let rounded = f64::from((201 + 301) as f32 * QUANTUM) * (width as f64).sqrt();
            let distance = f64::from((200.5 + 300.5) * QUANTUM) * (width as f64).sqrt();
            let squares = (integers.square(0) + integers.square(1)) as f64;
            assert!(
                (squares / f64::from(QUANTUM).powi(2) - (201.0 * 201.0 + 301.0 * 301.0) * width as f64).abs()
                    < 1.0
            );
            assert!(rounded - distance <= integers.error(), "{} of {}", rounded - distance, integers.error());
        }
    }

    #[test]
    fn rows_within_either_threshold_are_found_and_no_other() {
        for (count, queries, width) in [(1, 1, 2), (16, 6, 8), (17, 5, 63), (70, 3, 64), (95, 6, 31)] {
            let (known, new) = (rows(count, width, 1), rows(queries, width, 7));
            let Some(integers) = I16Rows::new(known.chunks_exact(width), width) else { return };
            let new = I16Rows::new(new.chunks_exact(width), width).expect("the same processor");
            let bound = |q: usize, row: usize| {
                let product = |at: usize| {
                    let (a, b) = (new.row(q)[at], integers.row(row)[at]);
                    i32::from(a as i16) * i32::from(b as i16) + (a >> 16) * (b >> 16)
                };
                let product = (0..integers.width).map(product).sum::<i32>() as f32;
                product.mul_add(-2.0 * QUANTUM * QUANTUM, integers.square(row))
            };
            let of_rows: Vec<f32> = (0..count).map(|row| 0.2 + 0.1 * (row % 4) as f32).collect();
            let limits: Vec<(f32, f32)> =
                (0..queries).map(|q| (new.square(q), if q == 1 { f32::INFINITY } else { 0.3 })).collect();
            for thresholds in [None, Some(&of_rows[..])] {
                let (mut panels, mut packed) = (Panels::default(), Packed::default());
                integers.pack(0..count, |row| integers.square(row), &mut panels);
                new.compare(0..queries, limits.iter().copied(), &panels, thresholds, &mut packed);
                for (q, (own, threshold)) in limits.iter().enumerate() {
                    let limit =
                        |row: usize| thresholds.map_or(*threshold, |of| of[row].max(*threshold)) - own;
                    let expected: Vec<(f32, usize)> = (0..count)
                        .map(|row| (bound(q, row), row))
                        .filter(|(bound, row)| *bound <= limit(*row))
                        .collect();
                    assert_eq!(packed.near[q], expected, "{count} rows, query {q} of {queries}");
                }
                assert!(packed.near[queries..].iter().all(Vec::is_empty));
            }
        }
    }
}
