//! Products of columns with mostly zero values.
//!
//! The products of four columns with sixteen are one tile. They are summed over the rows in which some of
//! the four and some of the sixteen are not zero, and stay in registers meanwhile.

use std::array::from_fn;

use faer::traits::pulp::{Arch, Simd, WithSimd};

/// Rows, a bit for each.
pub(super) const ROWS: usize = 64;

/// Columns of a tile.
pub(super) const LANES: usize = 16;

/// Columns that they are multiplied with.
const NARROW: usize = 4;

/// 2²³: the last bits of it and a smaller whole number, in single precision, are that number.
const BASE: f32 = (1 << 23) as f32;

/// At most [`ROWS`] rows of whole numbers from 0 to 256, so that no sum of products exceeds half of
/// [`BASE`], with the places of those that are not zero.
pub(super) struct Tiles<'a> {
    heights: &'a [f32],
    /// A multiple of [`LANES`].
    width: usize,
    /// The rows in which some of [`NARROW`] columns are not zero.
    narrow: Vec<u64>,
    /// The same for [`LANES`] columns.
    wide: Vec<u64>,
}

impl<'a> Tiles<'a> {
    pub(super) fn new(heights: &'a [f32], width: usize) -> Self {
        let mut narrow = vec![0; width / NARROW];
        for (i, row) in heights.chunks_exact(width).enumerate() {
            for (rows, columns) in narrow.iter_mut().zip(row.as_chunks::<NARROW>().0) {
                *rows |= u64::from(columns.iter().sum::<f32>() > 0.0) << i;
            }
        }
        let wide =
            narrow.chunks_exact(LANES / NARROW).map(|rows| rows.iter().fold(0, |all, r| all | r)).collect();
        Self { heights, width, narrow, wide }
    }

    /// About the number of products that [`Tiles::add_to`] forms, of the square of the width in a row
    /// without zeros.
    pub(super) fn products(&self) -> usize {
        let count = |tiles: &[u64], row: usize| tiles.iter().filter(|rows| *rows >> row & 1 == 1).count();
        let rows = self.heights.len() / self.width;
        (0..rows).map(|row| NARROW * LANES * count(&self.narrow, row) * count(&self.wide, row)).sum()
    }

    /// Adds Σ h hᵀ to a matrix of as many rows and columns as the width, in its lower triangle and
    /// the tiles on the diagonal.
    pub(super) fn add_to(self, products: &mut [u32]) {
        Arch::new().dispatch(Sums { tiles: self, products });
    }
}

/// A product that is compiled for the widest registers of the processor.
struct Sums<'a> {
    tiles: Tiles<'a>,
    products: &'a mut [u32],
}

impl WithSimd for Sums<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        const { assert!(LANES.is_multiple_of(2 * S::F32_LANES)) };
        let Self { tiles: Tiles { heights, width, narrow, wide }, products } = self;
        let base = simd.splat_u32s(BASE.to_bits());
        let columns = products.chunks_exact_mut(NARROW * width);
        for (first, (products, in_some)) in (0..).step_by(NARROW).zip(columns.zip(narrow)) {
            for (tile, in_others) in wide.iter().enumerate().skip(first / LANES) {
                let rows = in_some & in_others;
                if rows == 0 {
                    continue;
                }
                for part in (tile * LANES..(tile + 1) * LANES).step_by(2 * S::F32_LANES) {
                    let mut sums = [[simd.splat_f32s(BASE); 2]; NARROW];
                    let mut left = rows;
                    while left != 0 {
                        let row = &heights[left.trailing_zeros() as usize * width..][..width];
                        let others = S::as_simd_f32s(&row[part..][..2 * S::F32_LANES]).0;
                        let (height, other) = (&row[first..][..NARROW], [others[0], others[1]]);
                        sums = from_fn(|k| {
                            let height = simd.splat_f32s(height[k]);
                            from_fn(|r| simd.mul_add_e_f32s(height, other[r], sums[k][r]))
                        });
                        left &= left - 1;
                    }
                    for (products, sums) in products.chunks_exact_mut(width).zip(sums) {
                        let products = S::as_mut_simd_u32s(&mut products[part..][..2 * S::F32_LANES]).0;
                        for (product, sum) in products.iter_mut().zip(sums) {
                            let sum = simd.sub_u32s(simd.transmute_u32s_f32s(sum), base);
                            *product = simd.add_u32s(*product, sum);
                        }
                    }
                }
            }
        }
    }
}
