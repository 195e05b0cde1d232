//! The points of an approximate search, and their distances.

use embedding::implement::MetricPoints;
use embedding::{Error, Observer, Points, Search};
use faer::traits::pulp::{Arch, Simd, WithSimd};

use super::compared::Compared;
use super::{DIRECTIONS, hash};
use crate::metric::{distance, distances_in};
use crate::search::lists::{List, Lists};
use crate::search::pairs::all_pairs;
use crate::search::query_rule::QueryRule;
use crate::search::rows::Rows;
use crate::search::sketch::{Frame, Sketch, Widths, squared_distance};
use crate::search::{partition, run};

/// Points, with the distance that defines their neighbors.
#[derive(Clone, Copy)]
pub(super) enum Distances<'a> {
    Euclidean(Rows<'a>),
    Metric(&'a MetricPoints<'a>),
}

impl<'a> Distances<'a> {
    /// The rows, as coordinates.
    pub(super) fn rows(&self) -> Rows<'_> {
        match self {
            Self::Euclidean(rows) => *rows,
            Self::Metric(measured) => measured.rows().into(),
        }
    }

    /// The distance between two points; rows in single precision are widened in `wide`.
    pub(super) fn between(&self, i: u32, j: u32, wide: &mut (Vec<f64>, Vec<f64>)) -> f64 {
        match self {
            Self::Euclidean(rows) => {
                distance(rows.row(i as usize, &mut wide.0), rows.row(j as usize, &mut wide.1))
            }
            Self::Metric(measured) => measured.distance(i as usize, j as usize),
        }
    }

    /// Appends other points to a list with their distances from point `i`.
    pub(super) fn append(&self, i: u32, others: impl Iterator<Item = u32>, wide: &mut Wide, list: &mut List) {
        let begun = list.len();
        list.extend(others.map(|j| (j, 0.0)));
        let list = &mut list[begun..];
        match self {
            Self::Euclidean(rows) => Arch::new().dispatch(FromOne { rows: *rows, i, wide, list }),
            Self::Metric(measured) => {
                list.iter_mut().for_each(|(j, d)| *d = measured.distance(i as usize, *j as usize));
            }
        }
    }

    /// The exact neighbors of some of the points, which include the points themselves.
    pub(super) fn exact(&self, of: &[u32], k: usize, observer: &dyn Observer) -> Result<Lists, Error> {
        let rule = QueryRule::Nearest { k };
        match self {
            Self::Euclidean(rows) => {
                let (mut values, mut wide) = (Vec::with_capacity(of.len() * rows.dim()), Vec::new());
                of.iter().for_each(|&i| values.extend_from_slice(rows.row(i as usize, &mut wide)));
                let queries = Points::new(&values, rows.dim())?;
                Ok(run(*rows, Some(queries), rule, Search::BruteForce, observer)?.0)
            }
            Self::Metric(measured) => all_pairs(measured, Some(&measured.select(of)), rule, observer),
        }
    }
}

/// Distances that are computed together, to overlap memory latency.
const AT_ONCE: usize = 4;

/// Rows widened from single precision.
pub(super) type Wide = (Vec<f64>, [Vec<f64>; AT_ONCE]);

/// The distances of listed points from one.
struct FromOne<'a> {
    rows: Rows<'a>,
    i: u32,
    wide: &'a mut Wide,
    list: &'a mut [(u32, f64)],
}

impl WithSimd for FromOne<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { rows, i, wide: (own, others), list } = self;
        let from = rows.row(i as usize, own);
        let (whole, rest) = list.as_chunks_mut::<AT_ONCE>();
        for entries in whole {
            let mut wide = others.iter_mut();
            let to = entries.map(|(j, _)| rows.row(j as usize, wide.next().expect("AT_ONCE rows")));
            let distances = distances_in(simd, from, to);
            entries.iter_mut().zip(distances).for_each(|(entry, d)| entry.1 = d);
        }
        for (j, d) in rest {
            [*d] = distances_in(simd, from, [rows.row(*j as usize, &mut others[0])]);
        }
    }
}

/// The points, neighbors in space near in memory.
pub(super) struct Space<'a> {
    /// The point at each position.
    pub(super) order: Vec<u32>,
    copy: Copy<'a>,
    /// Coordinates in the leading directions, by position.
    pub(super) leading: Sketch,
}

/// The points by position.
enum Copy<'a> {
    /// In single precision, filled with zeros to a whole number of registers.
    Euclidean { rows: Vec<f32>, width: usize },
    /// Distances are multiplied by a power of two to be within the range of single precision.
    Metric { points: MetricPoints<'a>, scale: f64 },
}

impl<'a> Space<'a> {
    pub(super) fn new(distances: Distances<'a>, block: usize) -> Self {
        let points = distances.rows();
        let widths = Widths { narrow: DIRECTIONS, wide: DIRECTIONS };
        let frame = Frame::new(points, None, (points.dim() > DIRECTIONS).then_some(widths));
        let leading = frame.sketch(points);
        let order = partition::by_halves(&leading, block);
        let leading = leading.reordered(&order);
        let copy = match distances {
            Distances::Euclidean(points) => {
                let (rows, width) = frame.rows(points, &order);
                Copy::Euclidean { rows, width }
            }
            Distances::Metric(measured) => {
                let scale = if measured.has_unit() { frame.scale } else { 1.0 };
                Copy::Metric { points: measured.select(&order), scale }
            }
        };
        Self { order, copy, leading }
    }
}

impl Compared for Space<'_> {
    type Scratch = ();

    fn scratch(&self) {}

    fn len(&self) -> usize {
        self.order.len()
    }

    /// The square for Euclidean distances.
    #[inline(always)]
    fn separations<S: Simd>(
        &self,
        simd: S,
        (): &mut (),
        a: u32,
        others: impl Iterator<Item = u32>,
        mut each: impl FnMut(u32, f32),
    ) {
        match &self.copy {
            Copy::Euclidean { rows, width } => {
                let row = |at: u32| &rows[at as usize * width..][..*width];
                others.for_each(|b| each(b, squared_distance(simd, row(a), row(b))));
            }
            Copy::Metric { points, scale } => {
                others.for_each(|b| each(b, (points.distance(a as usize, b as usize) * scale) as f32));
            }
        }
    }

    /// Along the line through two of the members.
    fn along(&self, members: &[u32], key: u64) -> Vec<f32> {
        let place = |at: u32| self.leading.place(at as usize);
        let pick = |which: u64| place(members[hash(key, which) as usize % members.len()]);
        let direction: Vec<f32> = pick(0).iter().zip(pick(1)).map(|(a, b)| a - b).collect();
        let along = |&at: &u32| place(at).iter().zip(&direction).map(|(x, d)| x * d).sum();
        members.iter().map(along).collect()
    }
}
