//! Sparse points in an order in which neighbors are near in memory.

use embedding::implement::SparseMetricPoints;
use embedding::implement::scale::times_power_of_two;
use faer::traits::pulp::Simd;

use super::compared::Compared;
use super::{hash, trees};
use crate::search::sparse::Inverted;

/// Steps by which the direction of a division approaches the direction of the largest variance.
const STEPS: usize = 2;

/// Sparse points by position, in single precision.
pub(super) struct SparseSpace<'a> {
    points: &'a SparseMetricPoints,
    /// The point at each position.
    pub(super) order: Vec<u32>,
    offsets: Vec<usize>,
    /// Columns, counted among those that occur, and values divided by `unit`.
    entries: Vec<(u32, f32)>,
    columns: usize,
    /// A power of two as large as the largest value.
    unit: f64,
    /// A power of two that brings separations into the range of single precision.
    scale: f64,
}

impl<'a> SparseSpace<'a> {
    /// The points in the order of the leaves of a tree for lists of k neighbors.
    pub(super) fn new(inverted: &Inverted<'a>, k: usize) -> Self {
        let points = inverted.points;
        let power = |largest: f64, sign: i32| {
            if largest > 0.0 { times_power_of_two(1.0, sign * largest.log2().floor() as i32) } else { 1.0 }
        };
        let values = (0..points.len()).flat_map(|i| points.row(i).1);
        let unit = power(values.fold(0.0, |most, x| most.max(x.abs())), 1);
        let farthest = (0..points.len()).map(|i| points.bounds(i, i, 0.0).1).fold(0.0, f64::max);
        let mut order: Vec<u32> = (0..points.len() as u32).collect();
        let mut space = Self {
            points,
            order: Vec::new(),
            offsets: Vec::new(),
            entries: Vec::with_capacity(inverted.entries()),
            columns: inverted.columns(),
            unit,
            scale: power(farthest, -1),
        };
        space.arrange(inverted, order.clone());
        trees::divided(&space, &mut order, trees::leaf(k), 0);
        space.arrange(inverted, order);
        space
    }

    /// Copies the points in an order.
    fn arrange(&mut self, inverted: &Inverted<'a>, order: Vec<u32>) {
        (self.offsets, self.order) = (vec![0], order);
        self.entries.clear();
        for &i in &self.order {
            let (places, values) = inverted.row(i as usize);
            self.entries.extend(places.iter().zip(values).map(|(&place, x)| (place, (x / self.unit) as f32)));
            self.offsets.push(self.entries.len());
        }
    }

    #[inline(always)]
    fn row(&self, at: u32) -> &[(u32, f32)] {
        &self.entries[self.offsets[at as usize]..self.offsets[at as usize + 1]]
    }

    /// The sum of products of a point with a row of all columns.
    fn product(&self, at: u32, row: &[f32]) -> f32 {
        self.row(at).iter().map(|&(place, x)| row[place as usize] * x).sum()
    }

    /// Adds a multiple of a point to a row of all columns.
    #[inline(always)]
    fn add(&self, at: u32, factor: f32, row: &mut [f32]) {
        self.row(at).iter().for_each(|&(place, x)| row[place as usize] += factor * x);
    }

    /// Sets a row of all columns to 0 where a point has values.
    #[inline(always)]
    fn clear(&self, at: u32, row: &mut [f32]) {
        self.row(at).iter().for_each(|&(place, _)| row[place as usize] = 0.0);
    }
}

impl Compared for SparseSpace<'_> {
    /// A row of all columns that occur, of zeros between calls.
    type Scratch = Vec<f32>;

    fn scratch(&self) -> Vec<f32> {
        vec![0.0; self.columns]
    }

    fn len(&self) -> usize {
        self.order.len()
    }

    /// The function of [`SparseMetricPoints::bounds`].
    #[inline(always)]
    fn separations<S: Simd>(
        &self,
        _: S,
        scratch: &mut Vec<f32>,
        a: u32,
        others: impl Iterator<Item = u32>,
        mut each: impl FnMut(u32, f32),
    ) {
        self.add(a, 1.0, scratch);
        let i = self.order[a as usize] as usize;
        for b in others {
            let values = self.row(b).iter().map(|&(place, y)| (scratch[place as usize], y));
            let common = self.points.common_of(self.unit, values);
            let (low, high) = self.points.bounds(i, self.order[b as usize] as usize, common);
            each(b, ((0.5 * low + 0.5 * high) * self.scale) as f32);
        }
        self.clear(a, scratch);
    }

    /// Along the line through two of the members, brought nearer to the leading principal direction of the
    /// members by steps of the power method: the line alone passes by most members of sparse data, which
    /// have no column of the two in common.
    fn along(&self, members: &[u32], key: u64) -> Vec<f32> {
        let [from, to] = [0, 1].map(|which| members[hash(key, which) as usize % members.len()]);
        let mut direction = self.scratch();
        self.add(to, 1.0, &mut direction);
        self.add(from, -1.0, &mut direction);
        let places = |direction: &[f32]| -> Vec<f32> {
            members.iter().map(|&at| self.product(at, direction)).collect()
        };
        let mut along = places(&direction);
        [from, to].iter().for_each(|&at| self.clear(at, &mut direction));
        for _ in 0..STEPS {
            let mean = along.iter().sum::<f32>() / members.len() as f32;
            let widest = along.iter().fold(f32::MIN_POSITIVE, |most, x| most.max((x - mean).abs()));
            for (&at, x) in members.iter().zip(&along) {
                self.add(at, (x - mean) / widest, &mut direction);
            }
            along = places(&direction);
            members.iter().for_each(|&at| self.clear(at, &mut direction));
        }
        along
    }
}
