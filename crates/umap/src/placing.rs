//! Out-of-sample placement of new points in a fixed map.

use embedding::implement::{Bound, ONE, Range, Sizes, ZERO, require};
use embedding::{Embedding, Error, Recipe, TrainingRows};
use neighbor_graph::{NeighborIndex, NewPoints};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::curved::{Pulled, Turn};
use crate::edges::Edges;
use crate::forces::Forces;
use crate::pairs::{Acting, Pairs};
use crate::smooth::Scale;
use crate::{Curve, Surface};

/// How new points are placed.
///
/// A new point starts at the mean of its neighbors' coordinates, weighted by its memberships (with ρ of a
/// local connectivity that is lower by one). It is then moved as in the fit, while the points of the map stay
/// fixed. Each new point is placed independently: memberships are relative to the largest of the row, the
/// number of epochs is fixed, and all rows draw the same random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Recipe)]
#[serde(default, deny_unknown_fields)]
pub struct TransformSettings {
    /// Epochs of a new point.
    #[param(name = "placing-epochs", default = 100, range = EPOCHS)]
    pub epochs: usize,
    /// Step length of a new point at first.
    #[param(name = "placing-learning-rate", default = 0.25, range = "above 0")]
    pub learning_rate: f64,
}

/// What a model stores to place new points.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Placing {
    pub(crate) curve: Curve,
    pub(crate) settings: TransformSettings,
    pub(crate) connectivity: f64,
    pub(crate) pushes: Pushes,
    pub(crate) repulsion: f64,
    pub(crate) seed: u64,
    /// Mean distance of the training points to their neighbors.
    pub(crate) overall: f64,
}

/// The number of random points per visit of an edge, and the surface of the map. Both are one number in saved
/// models, so that models that were saved before maps had surfaces are maps of the plane.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "u64", into = "u64")]
pub(crate) struct Pushes {
    pub(crate) negatives: usize,
    pub(crate) surface: Surface,
}

/// In the order of their numbers.
const SURFACES: [Surface; 4] = [Surface::Plane, Surface::Sphere, Surface::Torus, Surface::Hyperboloid];

/// Bits of the number of random points.
const BITS: u32 = 32;

impl From<Pushes> for u64 {
    fn from(Pushes { negatives, surface }: Pushes) -> Self {
        let at = SURFACES.iter().position(|other| *other == surface).expect("every surface is listed");
        negatives as u64 | (at as u64) << BITS
    }
}

impl TryFrom<u64> for Pushes {
    type Error = String;

    fn try_from(number: u64) -> Result<Self, String> {
        let surface = SURFACES.get((number >> BITS) as usize).ok_or("the model has an unknown surface")?;
        Ok(Self { negatives: number as u32 as usize, surface: *surface })
    }
}

/// Legal numbers of epochs of a new point.
pub(crate) const EPOCHS: Range = Range::between(ONE, Bound::new("1000000", |_| Some(1e6)));

/// Legal numbers of random points per visit of an edge.
pub(crate) const NEGATIVES: Range = Range::between(ZERO, Bound::new("10000", |_| Some(1e4)));

impl Placing {
    /// Fails unless new points can be placed.
    pub(crate) fn require(&self) -> Result<(), Error> {
        let Self { curve, settings, connectivity, pushes, repulsion, overall, .. } = self;
        let within = |range: &Range, count: usize| range.at(&Sizes::default()).contain(count as f64);
        let counts = within(&EPOCHS, settings.epochs) && within(&NEGATIVES, pushes.negatives);
        require(counts, "it takes too many steps for a new point")?;
        let positive = [curve.a, curve.b, settings.learning_rate].iter().all(|v| v.is_finite() && *v > 0.0);
        require(positive, "its curve or learning rate is not positive")?;
        // A connectivity beyond the number of neighbors is legal, as in the fit.
        let legal = [repulsion, overall, connectivity].iter().all(|v| v.is_finite() && **v >= 0.0);
        require(legal, "a parameter of its forces is out of range")
    }
}

/// Stream of random numbers of new points, distinct from the stream of the fit.
const STREAM: u64 = u64::MAX;

impl Placing {
    /// Coordinates of `new` in the map of the training points.
    pub(crate) fn place(
        &self,
        new: NewPoints<'_>,
        training: &NeighborIndex,
        embedding: &Embedding,
        known: TrainingRows<'_>,
    ) -> Result<Embedding, Error> {
        let lists = training.lists_of(new, known)?;
        let map: Vec<f32> = embedding.values().iter().map(|&v| v as f32).collect();
        let dim = embedding.dim();
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(STREAM);
        let keys: Vec<u64> = (0..self.settings.epochs).map(|_| random.next_u64()).collect();
        let rows: Vec<Vec<f64>> = lists
            .par_iter()
            .map_init(Default::default, |pairs, list| match list[0] {
                (nearest, 0.0) if known == TrainingRows::Stored => embedding.row(nearest as usize).to_vec(),
                _ => self.descend(list, &map, dim, &keys, pairs),
            })
            .collect();
        if let Some(row) = rows.iter().position(|row| row.iter().any(|y| !y.is_finite())) {
            return Err(Error::degenerate(
                format!("the place of new point {row} left the range of numbers"),
                "use a smaller learning rate of placing",
            ));
        }
        Ok(Embedding::from_rows(rows.concat(), dim))
    }

    fn descend(
        &self,
        list: &[(u32, f64)],
        map: &[f32],
        dim: usize,
        keys: &[u64],
        (pairs, pulled): &mut (Pairs, Pulled),
    ) -> Vec<f64> {
        let (columns, distances): (Vec<u32>, Vec<f64>) = list.iter().copied().unzip();
        let scale = Scale::of(&distances, (self.connectivity - 1.0).max(0.0), self.overall);
        let weights: Vec<f64> = distances.iter().map(|&d| scale.membership(d)).collect();
        let total: f64 = weights.iter().sum();
        let curved = self.pushes.surface.curved();
        let mut y = vec![0.0_f32; dim];
        if total <= 0.0 {
            y.copy_from_slice(&map[columns[0] as usize * dim..][..dim]);
        }
        for (&j, w) in columns.iter().zip(&weights).filter(|_| total > 0.0) {
            let there = &map[j as usize * dim..][..dim];
            y.iter_mut().zip(there).for_each(|(y, there)| *y += (w / total) as f32 * there);
        }
        let largest = weights[0].max(f64::MIN_POSITIVE);
        let edges = Edges::new(1, |_| (&columns, &weights), largest, 1);
        let forces = Forces::new(self.curve, self.repulsion);
        if let Some(curved) = curved {
            curved.put(&mut y);
        }
        let mut step = vec![0.0_f32; dim];
        for (epoch, &key) in keys.iter().enumerate() {
            let rate = self.settings.learning_rate * (1.0 - epoch as f64 / self.settings.epochs as f64);
            let acting = Acting { forces, pull: 1.0, negatives: self.pushes.negatives, key };
            if let Some(curved) = curved {
                edges.due(0, epoch as u32, &mut pulled.visits);
                pulled.turn(Turn { curved, acting, map, rate }, &y, &mut step);
                y.copy_from_slice(&step);
                continue;
            }
            step.fill(0.0);
            edges.due(0, epoch as u32, &mut pairs.visits);
            pairs.add_forces(dim, &y, map, acting, &mut step);
            y.iter_mut().zip(&step).for_each(|(y, m)| *y += rate as f32 * m);
        }
        let mut y: Vec<f64> = y.into_iter().map(f64::from).collect();
        self.pushes.surface.rounded(&mut y);
        y
    }
}
