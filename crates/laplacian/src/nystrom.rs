//! Out-of-sample extension by Nyström's formula.

use embedding::{Error, Points, matrix};
use faer::Mat;
use neighbor_graph::{NeighborIndex, Neighborhood, Neighbors};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::affinity::Affinity;

/// ψ(x) = Σⱼ p(x, xⱼ) ψⱼ / λ, with p the transition probabilities from x.
///
/// A point equal to a training point gets its values.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Nystrom {
    index: NeighborIndex,
    affinity: Affinity,
    neighborhood: Neighborhood,
    /// Divisors of the affinities to the training points.
    pub(crate) densities: Vec<f64>,
    /// ψ at the training points, n × d.
    #[serde(with = "matrix")]
    psi: Mat<f64>,
    /// Eigenvalues λ of the random walk.
    eigenvalues: Vec<f64>,
}

impl Nystrom {
    pub(crate) fn new(
        points: Points<'_>,
        neighbors: &Neighbors,
        affinity: Affinity,
        densities: Vec<f64>,
        psi: Mat<f64>,
        eigenvalues: Vec<f64>,
    ) -> Self {
        Self {
            index: NeighborIndex::new(points),
            affinity,
            neighborhood: neighbors.neighborhood(),
            densities,
            psi,
            eigenvalues,
        }
    }

    /// Returns ψ and the degree of each new point, the sum of its affinities.
    pub(crate) fn extend(&self, new: Points<'_>) -> Result<Vec<(Vec<f64>, Home)>, Error> {
        let lists = match self.neighborhood {
            Neighborhood::Nearest { k } => self.index.nearest(new, k.min(self.psi.nrows()))?,
            Neighborhood::Within { radius } => {
                let mut lists = self.index.within(new, radius)?;
                // If no training point is within the radius, the nearest one is used.
                let alone: Vec<u32> =
                    (0..new.len() as u32).filter(|&i| lists[i as usize].is_empty()).collect();
                if !alone.is_empty() {
                    let nearest = self.index.nearest(new.select(&alone).view(), 1)?;
                    alone.iter().zip(nearest).for_each(|(&i, list)| lists[i as usize] = list);
                }
                lists
            }
        };
        Ok(lists.par_iter().map(|list| self.place(list)).collect())
    }

    fn place(&self, list: &[(u32, f64)]) -> (Vec<f64>, Home) {
        let d = self.psi.ncols();
        let row = |i: usize| (0..d).map(|j| self.psi[(i, j)]).collect::<Vec<f64>>();
        let (nearest, distance) = list[0];
        if distance == 0.0 {
            return (row(nearest as usize), Home::Training(nearest));
        }
        let mut degree = 0.0;
        let mut psi = vec![0.0; d];
        for &(j, distance) in list {
            let a = self.affinity.of(distance) / self.densities[j as usize];
            degree += a;
            for (value, at) in psi.iter_mut().zip(row(j as usize)) {
                *value += a * at;
            }
        }
        for (value, lambda) in psi.iter_mut().zip(&self.eigenvalues) {
            *value /= degree * lambda;
        }
        (psi, Home::Between { degree })
    }
}

/// The relation of a new point to the training points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Home {
    /// Equal to a training point.
    Training(u32),
    /// Different from all training points.
    Between {
        /// The sum of its affinities.
        degree: f64,
    },
}
