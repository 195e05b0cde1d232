//! Where the rows of a data set start, and where related rows are drawn to.

use std::collections::HashMap;

use embedding::{DynModel, Error, MemoryLimit, Metric, Neighborhood, PointSet, Points};
use neighbor_graph::NeighborIndex;

use super::relations::Related;

/// Related rows between which a row without a relation starts.
const NEAREST: usize = 5;

/// The maps that a set is brought near to.
pub(super) struct Others<'a> {
    /// The models of all sets so far.
    pub(super) models: &'a [Box<dyn DynModel>],
    /// The related rows of the set.
    pub(super) related: &'a Related,
    /// Which rows of the set are merged.
    pub(super) copies: Option<&'a Copies>,
}

/// The start of a fit with a pull.
pub(super) struct Start {
    /// A place per row.
    pub(super) places: PointSet,
    /// Which rows are drawn to their places.
    pub(super) drawn: Vec<bool>,
    /// c, the largest number of related places of a row.
    pub(super) count: usize,
}

impl Others<'_> {
    fn dim(&self) -> usize {
        self.models[0].embedding().dim()
    }

    /// The related places of a row.
    fn places(&self, row: usize) -> impl Iterator<Item = &[f64]> {
        let placed = self.related.of(row).iter().filter(|(set, _)| *set < self.models.len());
        placed.map(|&(set, row)| self.models[set].embedding().row(row))
    }

    /// The rows with related places, in order, and the means of these places, by rows.
    pub(super) fn means(&self) -> (Vec<u32>, Vec<f64>) {
        let (mut rows, mut means) = (Vec::new(), Vec::new());
        for row in 0..self.related.len() {
            let count = self.places(row).count();
            if count > 0 {
                rows.push(row as u32);
                let column = |c: usize| self.places(row).map(|place| place[c]).sum::<f64>() / count as f64;
                means.extend((0..self.dim()).map(column));
            }
        }
        (rows, means)
    }

    /// The start of the first fit: related rows at the means of their related places, others between their
    /// nearest related rows.
    pub(super) fn first(
        &self,
        points: Points<'_>,
        metric: Metric,
        memory: MemoryLimit,
    ) -> Result<Start, Error> {
        let dim = self.dim();
        let (rows, means) = self.means();
        let mut drawn = vec![false; points.len()];
        rows.iter().for_each(|&row| drawn[row as usize] = true);
        let others: Vec<u32> = (0..points.len() as u32).filter(|&row| !drawn[row as usize]).collect();
        memory.allow("the rows of a set, by relation", points.bytes(), "allow more memory")?;
        let k = NEAREST.min(rows.len());
        let index =
            NeighborIndex::with_metric(points.select(&rows).view(), metric, Neighborhood::Nearest { k });
        let mut places = vec![0.0; points.len() * dim];
        let mut put = |row: u32, place: &mut dyn Iterator<Item = f64>| {
            let at = row as usize * dim;
            places[at..at + dim].iter_mut().zip(place).for_each(|(v, p)| *v = p);
        };
        rows.iter().zip(means.chunks_exact(dim)).for_each(|(&row, mean)| put(row, &mut mean.iter().copied()));
        if !others.is_empty() {
            let lists = index.nearest(points.select(&others).view(), k)?;
            for (&row, list) in others.iter().zip(&lists) {
                let weights = inverse_distances(list);
                let total: f64 = weights.iter().sum();
                let column = |c: usize| {
                    let terms = list.iter().zip(&weights);
                    terms.map(|((of, _), weight)| weight * means[*of as usize * dim + c]).sum::<f64>() / total
                };
                put(row, &mut (0..dim).map(column));
            }
        }
        let counts = rows.iter().map(|&row| self.places(row as usize).count());
        let count = counts.max().unwrap_or(0);
        self.toward(&places, drawn, count)
    }

    /// The start of a further fit of a map: related rows between their places and the related places.
    pub(super) fn further(&self, map: &[f64]) -> Result<Start, Error> {
        let drawn: Vec<bool> = (0..self.related.len()).map(|row| self.places(row).next().is_some()).collect();
        let count = (0..drawn.len()).map(|row| self.places(row).count()).max().unwrap_or(0);
        self.toward(map, drawn, count)
    }

    /// The places with drawn rows moved to y₀ + Σ (p − y₀) / c, p their related places.
    fn toward(&self, map: &[f64], drawn: Vec<bool>, count: usize) -> Result<Start, Error> {
        let (mut places, dim) = (map.to_vec(), self.dim());
        for row in (0..drawn.len()).filter(|row| drawn[*row]) {
            for c in 0..dim {
                let own = map[row * dim + c];
                let gaps = self.places(row).map(|place| place[c] - own);
                places[row * dim + c] = own + gaps.sum::<f64>() / count as f64;
            }
        }
        if let Some(copies) = self.copies {
            copies.join(&mut places, &drawn, dim);
        }
        Ok(Start { places: PointSet::new(places, dim)?, drawn, count })
    }
}

/// The weights of neighbors in a list, nearest first: the inverses of their distances, in units of the nearest; of
/// neighbors at distance 0 alone where there are any.
fn inverse_distances(list: &[(u32, f64)]) -> Vec<f64> {
    let nearest = list[0].1;
    let weight = |&(_, distance): &(u32, f64)| match nearest == 0.0 {
        true => f64::from(u8::from(distance == 0.0)),
        false => nearest / distance,
    };
    list.iter().map(weight).collect()
}

/// The rows that are copies of each other, which share a place.
pub(super) struct Copies(Vec<Vec<usize>>);

impl Copies {
    /// Finds rows that are equal.
    pub(super) fn of(points: Points<'_>) -> Self {
        let mut rows: HashMap<Vec<u64>, Vec<usize>> = HashMap::new();
        for (at, row) in points.rows().enumerate() {
            // Zeros of both signs are equal.
            rows.entry(row.iter().map(|v| (v + 0.0).to_bits()).collect()).or_default().push(at);
        }
        Self(rows.into_values().filter(|rows| rows.len() > 1).collect())
    }

    /// Moves the drawn copies of each row to the mean of their places.
    fn join(&self, places: &mut [f64], drawn: &[bool], dim: usize) {
        for group in &self.0 {
            let group: Vec<usize> = group.iter().copied().filter(|row| drawn[*row]).collect();
            for c in 0..dim {
                let mean = group.iter().map(|row| places[row * dim + c]).sum::<f64>() / group.len() as f64;
                group.iter().for_each(|row| places[row * dim + c] = mean);
            }
        }
    }
}
