//! The cross entropy of graph and map.

use neighbor_graph::Graph;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use crate::curved::Curved;
use crate::forces::Forces;
use crate::negative_samples::draw;
use crate::{Curve, Surface};

/// Smallest similarity, and smallest difference of it from 1, whose logarithm is taken.
const SMALLEST: f64 = 1e-4;

/// Number of points up to which the final loss is computed over all pairs.
pub(crate) const EXACT_UP_TO: usize = 10_000;

/// Pairs per point in estimates.
const SAMPLED: usize = 200;

/// Stream of the random pairs, distinct from the stream of the optimization.
const STREAM: u64 = 1 << 63;

/// Multiplied by the number of a point, it gives the point's key; keys differ in both halves of 32 bits.
const ODD: u64 = 0x9E37_79B9_7F4A_7C15;

/// The loss of a map: Σ over pairs of −v ln w − (1 − v) ln(1 − w), v the weight of the
/// graph and w the similarity in the map, both w and 1 − w taken as at least 1e-4.
pub(crate) struct Loss<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) curve: Curve,
    pub(crate) seed: u64,
    pub(crate) surface: Surface,
}

/// The pairs of a point whose similarities are summed, edges or not.
#[derive(Clone, Copy)]
enum Others {
    /// All points before it.
    Before,
    /// Random ones, determined by a key.
    Random(u64),
}

impl Loss<'_> {
    /// Over all pairs.
    pub(crate) fn exact(&self, y: &[f32], dim: usize) -> f64 {
        self.sum(y, dim, 1.0, |_| Others::Before)
    }

    /// Estimates the terms of pairs that are no edges from 200 random points each, the same ones at every
    /// call.
    pub(crate) fn estimate(&self, y: &[f32], dim: usize) -> f64 {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(STREAM);
        let key = random.next_u64();
        let weight = 0.5 * (self.graph.len() - 1) as f64 / SAMPLED as f64;
        self.sum(y, dim, weight, |i| Others::Random(key ^ (i as u64).wrapping_mul(ODD)))
    }

    /// The terms of all edges, and `weight` times the terms of the pairs with `others`.
    fn sum(&self, y: &[f32], dim: usize, weight: f64, others: impl Fn(usize) -> Others + Sync) -> f64 {
        let forces = Forces::new(self.curve, 1.0);
        let curved = self.surface.curved();
        let term = |i: usize, pairs: &mut Squares| -> f64 {
            match curved {
                None => pairs.collect(i, others(i), y, dim),
                Some(curved) => pairs.collect_on(curved, i, others(i), y),
            }
            forces.separate(&mut pairs.squares, SMALLEST as f32);
            let apart = weight * pairs.squares.iter().map(|&t| f64::from(t)).sum::<f64>();
            apart + self.edges(i, y, dim)
        };
        let rows: Vec<f64> = (0..self.graph.len())
            .into_par_iter()
            .with_min_len(64)
            .map_init(Squares::default, |pairs, i| term(i, pairs))
            .collect();
        rows.iter().sum()
    }

    /// Σ over the edges to points before i of v (ln(1 − w) − ln w).
    fn edges(&self, i: usize, y: &[f32], dim: usize) -> f64 {
        let (js, vs) = self.graph.of(i);
        let position = |i: usize| &y[i * dim..(i + 1) * dim];
        js.iter()
            .zip(vs)
            .take_while(|(j, _)| (**j as usize) < i)
            .map(|(&j, v)| {
                let w =
                    self.curve.similarity(f64::from(self.surface.squared(position(i), position(j as usize))));
                v * ((1.0 - w).max(SMALLEST).ln() - w.max(SMALLEST).ln())
            })
            .sum()
    }
}

/// Working memory: squared distances of a point to others.
#[derive(Default)]
struct Squares {
    drawn: Vec<u32>,
    squares: Vec<f32>,
}

impl Squares {
    fn collect(&mut self, i: usize, others: Others, y: &[f32], dim: usize) {
        pulp::Arch::new().dispatch(Collect { pairs: self, i, others, y, dim });
    }

    /// The same along a surface.
    fn collect_on(&mut self, curved: Curved, i: usize, others: Others, y: &[f32]) {
        let Self { drawn, squares } = self;
        let columns = curved.columns();
        let position = |i: usize| &y[i * columns..][..columns];
        squares.clear();
        match others {
            Others::Before => squares.extend((0..i).map(|j| curved.squared(position(i), position(j)))),
            Others::Random(key) => {
                drawn.resize(SAMPLED, 0);
                draw(key, 0, y.len() / columns - 1, drawn);
                let others = drawn.iter().map(|&j| other_than(i, j));
                squares.extend(others.map(|j| curved.squared(position(i), position(j))));
            }
        }
    }
}

/// The arguments of [`Squares::collect`], so that it is compiled for the widest registers.
struct Collect<'a> {
    pairs: &'a mut Squares,
    i: usize,
    others: Others,
    y: &'a [f32],
    dim: usize,
}

impl pulp::NullaryFnOnce for Collect<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        // The common number of coordinates is compiled separately.
        match self.dim {
            2 => self.run(2),
            dim => self.run(dim),
        }
    }
}

impl Collect<'_> {
    #[inline(always)]
    fn run(self, dim: usize) {
        let Self { pairs: Squares { drawn, squares }, i, others, y, .. } = self;
        let here = &y[i * dim..][..dim];
        squares.clear();
        match others {
            Others::Before => {
                squares.extend(y[..i * dim].chunks_exact(dim).map(|there| squared(here, there)));
            }
            Others::Random(key) => {
                drawn.resize(SAMPLED, 0);
                draw(key, 0, y.len() / dim - 1, drawn);
                squares.extend(drawn.iter().map(|&j| squared(here, &y[other_than(i, j) * dim..][..dim])));
            }
        }
    }
}

/// Any point but i, for a number below n − 1.
#[inline(always)]
fn other_than(i: usize, j: u32) -> usize {
    j as usize + usize::from(j as usize >= i)
}

/// Squared distance of two positions.
#[inline]
pub(crate) fn squared(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}
