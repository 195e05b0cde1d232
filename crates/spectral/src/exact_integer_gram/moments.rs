//! Means and second moments of levels.

use embedding::Points;
use embedding::implement::multiply_lower;
use faer::{Accum, Mat, MatMut, MatRef};
use rayon::prelude::*;

use super::Levels;
use super::tiles::{self, Tiles};

/// Rows of a product. Levels above the lowest one are at most 256, so that the sum of as many
/// products of two of them is at most 2²⁴, which single precision holds.
const ROWS: usize = 4 * tiles::ROWS;

/// Rows whose sums are one part, whole numbers of at most 2²⁸.
const PART_ROWS: usize = 16 * ROWS;

/// Parts that are held at one time.
const GROUP: usize = 8;

/// Fewest columns that are cut into tiles.
const LEAST: usize = 4 * tiles::LANES;

/// A product in tiles takes the time of 1.5 in a matrix product (measured); with a margin.
const TILE_COST: usize = 2;

impl Levels {
    /// Returns the column means, and Σ (x − mean)(x − mean)ᵀ, without rounding any sum. O(n D²).
    /// Columns that are at the lowest level in all of 256 rows, such as the margins of pictures, are
    /// left out of the products of these rows. Where it is faster, the products of a few columns are
    /// summed only over the rows in which some of these columns are above the lowest level.
    pub(crate) fn moments(self, points: Points<'_>) -> (Vec<f64>, Mat<f64>) {
        let (n, d) = (points.len(), points.dim());
        let mut products = vec![0.0; d * d];
        let mut sums = vec![0.0; d];
        let mut parts: Vec<Part> = (0..n.div_ceil(PART_ROWS).min(GROUP)).map(|_| Part::new(d)).collect();
        // A few sums at a time bound the memory; they are whole numbers, and their total exact.
        for (at, group) in points.values().chunks(GROUP * PART_ROWS * d).enumerate() {
            parts.truncate(group.len().div_ceil(PART_ROWS * d));
            let rows = group.par_chunks(PART_ROWS * d);
            parts.par_iter_mut().zip(rows).for_each(|(part, rows)| self.sum(rows, d, part));
            products.par_chunks_mut(d).enumerate().for_each(|(j, products)| {
                if at == 0 {
                    // Fresh memory, as in `sum`.
                    products.fill(0.0);
                }
                for part in &parts {
                    let column = &part.products[j * part.width..][j..d];
                    products[j..].iter_mut().zip(column).for_each(|(sum, x)| *sum += f64::from(*x));
                }
            });
            for part in &parts {
                sums.iter_mut().zip(&part.sums).for_each(|(sum, x)| *sum += x);
            }
        }
        let count = n as f64;
        let mean =
            sums.iter().map(|s| (s + count * self.lowest()) / (count * self.parts) * self.unit).collect();
        // n Σ h hᵀ − (Σ h)(Σ h)ᵀ is the scatter of the heights, n times. Sums are less than 2⁵³.
        let product = |a: f64, b: f64| i128::from(a as i64) * i128::from(b as i64);
        products.par_chunks_mut(d).zip(&sums).enumerate().for_each(|(j, (products, sum))| {
            for (entry, other) in products[j..].iter_mut().zip(&sums[j..]) {
                let scatter = (product(count, *entry) - product(*sum, *other)) as f64;
                *entry = scatter / (count * self.parts * self.parts) * (self.unit * self.unit);
            }
        });
        (mean, Mat::from_fn(d, d, |i, j| products[i.min(j) * d + i.max(j)]))
    }

    /// Replaces sums by sums over some rows.
    fn sum(self, rows: &[f64], d: usize, part: &mut Part) {
        // Fresh memory is written before it is read: its pages would be mapped twice, and the
        // second time all threads wait.
        part.products.fill(0);
        part.sums.fill(0.0);
        let width = part.width;
        let most = ROWS.min(rows.len() / d);
        let (mut heights, mut packed, mut square) =
            (vec![0.0; most * width], vec![0.0; most * d], vec![0.0; d * d]);
        for rows in rows.chunks(ROWS * d) {
            let heights = &mut heights[..rows.len() / d * width];
            if width == d {
                self.write_above(self.lowest(), rows, heights);
            } else {
                let pairs = rows.chunks_exact(d).zip(heights.chunks_exact_mut(width));
                pairs.for_each(|(row, heights)| self.write_above(self.lowest(), row, &mut heights[..d]));
            }
            let mut totals = vec![0.0_f32; d];
            for row in heights.chunks_exact(width) {
                totals.iter_mut().zip(row).for_each(|(sum, h)| *sum += h);
            }
            part.sums.iter_mut().zip(&totals).for_each(|(sum, h)| *sum += f64::from(*h));
            let used: Vec<usize> = (0..d).filter(|&column| totals[column] > 0.0).collect();
            match part.in_tiles(heights, used.len()) {
                Some(tiles) => tiles.into_iter().for_each(|tiles| tiles.add_to(&mut part.products)),
                None => part.add(heights, &used, &mut packed, &mut square),
            }
        }
    }
}

/// Sums over rows of heights h of levels above the lowest.
struct Part {
    /// The lower triangle of Σ h hᵀ, by columns.
    products: Vec<u32>,
    /// Its rows and columns: d, in whole tiles where there are several.
    width: usize,
    /// Σ h.
    sums: Vec<f64>,
}

impl Part {
    fn new(d: usize) -> Self {
        let width = if d < LEAST { d } else { d.next_multiple_of(tiles::LANES) };
        Self { products: vec![0; width * width], width, sums: vec![0.0; d] }
    }

    /// The tiles of some rows, where their products take less time than the products of all the
    /// columns that are used.
    fn in_tiles<'a>(&self, heights: &'a [f32], used: usize) -> Option<Vec<Tiles<'a>>> {
        if self.width < LEAST {
            return None;
        }
        let rows = heights.len() / self.width;
        let tiles = heights.chunks(tiles::ROWS * self.width).map(|heights| Tiles::new(heights, self.width));
        let tiles: Vec<Tiles<'_>> = tiles.collect();
        let products: usize = tiles.iter().map(Tiles::products).sum();
        (TILE_COST * products < used * used * rows).then_some(tiles)
    }

    /// Adds the products of the columns that are used, with a place for these columns and one for
    /// their products.
    fn add(&mut self, heights: &[f32], used: &[usize], packed: &mut [f32], square: &mut [f32]) {
        let (count, width) = (heights.len() / self.width, used.len());
        let packed = &mut packed[..count * width];
        for (to, row) in packed.chunks_exact_mut(width.max(1)).zip(heights.chunks_exact(self.width)) {
            to.iter_mut().zip(used).for_each(|(to, &column)| *to = row[column]);
        }
        let h = MatRef::from_row_major_slice(&*packed, count, width);
        let found = &mut square[..width * width];
        let out = MatMut::from_column_major_slice_mut(&mut *found, width, width);
        multiply_lower(out, Accum::Replace, h.transpose(), h, 1.0);
        for (a, (found, &j)) in found.chunks_exact(width.max(1)).zip(used).enumerate() {
            let column = &mut self.products[j * self.width..][..self.width];
            found[a..].iter().zip(&used[a..]).for_each(|(h, &i)| column[i] += whole_number(*h));
        }
    }
}

/// A whole number from 0 to 2²⁴; a conversion would check its range.
fn whole_number(h: f32) -> u32 {
    const BASE: f64 = (1_u64 << 52) as f64;
    (f64::from(h) + BASE).to_bits() as u32
}
