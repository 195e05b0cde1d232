//! Out-of-sample placement of new points in a fixed map.

use embedding::{
    Bound, Embedding, Error, ExactMatches, ONE, Points, Range, Sizes, Validate, require, squared_distance,
};
use layout::{Scales, Training};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::loss::Term;
use crate::pacmap::SCALE;

/// Legal numbers of steps of a new point.
pub(crate) const STEPS: Range = Range::between(ONE, Bound::new("1000000", |_| Some(1e6)));

/// What a model stores to place new points.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Places {
    pub(crate) training: Training,
    pub(crate) scales: Scales,
    /// Number of near pairs of a point.
    pub(crate) near: usize,
    pub(crate) term: Term,
    /// Most steps.
    pub(crate) steps: usize,
}

impl Places {
    /// Coordinates of `new` in the map of the training points: the sum of the terms of near
    /// pairs is minimized, from the place among its neighbors' where it is smallest. A row
    /// that equals a training row takes its coordinates, where `exact` requests it.
    pub(crate) fn place(
        &self,
        new: Points<'_>,
        map: &Embedding,
        exact: ExactMatches,
    ) -> Result<Embedding, Error> {
        let lists = self.training.candidates(new)?;
        let rows: Vec<Vec<f64>> = lists
            .into_par_iter()
            .map(|list| match list[0] {
                (nearest, 0.0) if exact == ExactMatches::Stored => map.row(nearest as usize).to_vec(),
                _ => self.descend(&self.scales.nearest(list.into_iter(), self.near), map),
            })
            .collect();
        Ok(Embedding::from_rows(rows.concat(), map.dim()))
    }

    /// The terms are concave functions of squared distances, so that the mean of the
    /// neighbors' places, weighted by the slopes of their terms, lies no higher.
    fn descend(&self, neighbors: &[u32], map: &Embedding) -> Vec<f64> {
        let places: Vec<&[f64]> = neighbors.iter().map(|&j| map.row(j as usize)).collect();
        let d = |y: &[f64], place: &[f64]| 1.0 + squared_distance(y, place);
        let loss = |y: &[f64]| places.iter().map(|place| self.term.value(d(y, place))).sum::<f64>();
        let start = places.iter().map(|place| (loss(place), *place)).min_by(|a, b| a.0.total_cmp(&b.0));
        let mut y = start.map_or_else(|| vec![0.0; map.dim()], |(_, place)| place.to_vec());
        for _ in 0..self.steps {
            let slopes: Vec<f64> = places.iter().map(|place| self.term.slope(d(&y, place))).collect();
            let total: f64 = slopes.iter().sum();
            let mut next = vec![0.0; y.len()];
            for (slope, place) in slopes.iter().zip(&places) {
                next.iter_mut().zip(*place).for_each(|(next, there)| *next += slope / total * there);
            }
            if next == y {
                break;
            }
            y = next;
        }
        y
    }
}

impl Places {
    /// Fails unless new points can be placed in a map of `n` points.
    pub(crate) fn require(&self, n: usize) -> Result<(), Error> {
        self.training.validate()?;
        self.scales.validate()?;
        let whole = self.training.len() == n && self.scales.len() == n;
        require(whole, "it does not have a training point and a scale for every row")?;
        require(self.near >= 1, "its number of neighbors is 0")?;
        let steps = STEPS.at(&Sizes::default()).contain(self.steps as f64);
        require(steps, "it takes too many steps for a new point")?;
        let legal = |scale: f64| SCALE.at(&Sizes::default()).contain(scale);
        let legal = match self.term {
            Term::Pull { c } => legal(c),
            // h is half the distance of LocalMAP.
            Term::LocalPull { c, h } => legal(c) && legal(2.0 * h),
            Term::Push { .. } => false,
        };
        require(legal, "the term of its near pairs is none that pulls")
    }
}
