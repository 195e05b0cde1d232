//! Out-of-sample placement of new points in a fixed map.

use embedding::implement::{Sizes, require, squared_distance};
use embedding::{Embedding, Error, Points, TrainingRows};
use layout::Placing;
use serde::{Deserialize, Serialize};

use crate::loss::{SCALE, Term};

/// What a model stores to place new points.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PairPlacing {
    pub(crate) shared: Placing,
    /// The term of near pairs.
    pub(crate) term: Term,
}

impl PairPlacing {
    /// Coordinates of `new` in the map of the training points. The sum of the terms of near pairs, weighted
    /// by their closeness, is lowered from the neighbor's position where it is smallest.
    pub(crate) fn place(
        &self,
        new: Points<'_>,
        map: &Embedding,
        known: TrainingRows<'_>,
    ) -> Result<Embedding, Error> {
        self.shared.place(new, map, known, |_, list| self.descend(&self.shared.neighbors(list), map))
    }

    /// The terms are concave functions of squared distances, so that the mean of the
    /// neighbors' positions, weighted by the slopes of their terms, lies no higher. With equal
    /// weights the neighbors of an outlier would outvote it: a row next to the outlier would be placed among
    /// them, far from it.
    fn descend(&self, neighbors: &[(u32, f64)], map: &Embedding) -> Vec<f64> {
        let positions = neighbors.iter().map(|&(j, _)| map.row(j as usize));
        let pairs: Vec<(f64, &[f64])> =
            self.shared.scales.closeness(neighbors).into_iter().zip(positions).collect();
        let d = |y: &[f64], other: &[f64]| 1.0 + squared_distance(y, other);
        let loss = |y: &[f64]| pairs.iter().map(|(w, there)| w * self.term.value(d(y, there))).sum::<f64>();
        let start = pairs.iter().map(|(_, there)| (loss(there), *there)).min_by(|a, b| a.0.total_cmp(&b.0));
        let mut y = start.map_or_else(|| vec![0.0; map.dim()], |(_, y)| y.to_vec());
        for _ in 0..self.shared.steps {
            let slopes: Vec<f64> = pairs.iter().map(|(w, there)| w * self.term.slope(d(&y, there))).collect();
            let total: f64 = slopes.iter().sum();
            let mut next = vec![0.0; y.len()];
            for (slope, (_, there)) in slopes.iter().zip(&pairs) {
                next.iter_mut().zip(*there).for_each(|(next, there)| *next += slope / total * there);
            }
            if next == y {
                break;
            }
            y = next;
        }
        y
    }

    /// Fails unless new points can be placed in a map of `n` points.
    pub(crate) fn require(&self, n: usize) -> Result<(), Error> {
        self.shared.require(n)?;
        let legal = |scale: f64| SCALE.at(&Sizes::default()).contain(scale);
        let legal = match self.term {
            Term::Pull { c } => legal(c),
            // h is half the distance of LocalMAP.
            Term::LocalPull { c, h } => legal(c) && legal(2.0 * h),
            Term::Push { .. } => false,
        };
        require(legal, "the term of its near pairs does not pull")
    }
}
