//! Out-of-sample extension by Nyström's formula.

use embedding::implement::{Validate, matrix, require, require_finite};
use embedding::{Embedding, Error, Points, TrainingRows};
use faer::Mat;
use neighbor_graph::{Manifold, NeighborIndex, NewPoints};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::affinity::Affinity;

/// ψ(x) = Σⱼ p(x, xⱼ) ψⱼ / λ, with p the transition probabilities from x.
///
/// A point equal to a training point gets its values, where that is requested. The formula itself does not
/// interpolate. A training point's neighbors include the points that list it, and a new point next to it has
/// an affinity to it that the graph does not have.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Nystrom {
    index: NeighborIndex,
    affinity: Affinity,
    /// Divides the affinity to each training point.
    pub(crate) densities: Vec<f64>,
    /// ψ at the training points, n × d.
    #[serde(with = "matrix")]
    psi: Mat<f64>,
    /// Eigenvalues λ of the random walk.
    eigenvalues: Vec<f64>,
}

impl Nystrom {
    pub(crate) fn new(
        manifold: &Manifold<'_>,
        affinity: Affinity,
        densities: Vec<f64>,
        psi: Mat<f64>,
        eigenvalues: Vec<f64>,
    ) -> Self {
        Self { index: NeighborIndex::of(manifold), affinity, densities, psi, eigenvalues }
    }

    /// The training points, where there are some with all values.
    pub(crate) fn points(&self) -> Option<Points<'_>> {
        self.index.points()
    }

    /// The number of training points among which new points have neighbor lists, where they are given by lists.
    pub(crate) fn lists_among(&self) -> Option<usize> {
        self.index.lists_among()
    }

    /// The width of the kernel, in input units, where it has one.
    pub(crate) fn width(&self) -> Option<f64> {
        self.affinity.width()
    }

    /// ψ and the degree of each new point. A degree is the sum of its affinities.
    pub(crate) fn place(
        &self,
        new: NewPoints<'_>,
        known: TrainingRows<'_>,
    ) -> Result<Vec<(Vec<f64>, Position)>, Error> {
        let lists = self.index.edges(new, known)?;
        Ok(lists.par_iter().map(|list| self.place_one(list, known)).collect())
    }

    fn place_one(&self, list: &[(u32, f64)], known: TrainingRows<'_>) -> (Vec<f64>, Position) {
        let d = self.psi.ncols();
        let row = |i: usize| (0..d).map(|j| self.psi[(i, j)]).collect::<Vec<f64>>();
        let (nearest, distance) = list[0];
        if known == TrainingRows::Stored && distance == 0.0 {
            return (row(nearest as usize), Position::Training(nearest));
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
        (psi, Position::New { degree })
    }
}

impl Nystrom {
    /// Fails unless it extends `dim` functions from `n` training points.
    pub(crate) fn require_shape(&self, n: usize, dim: usize) -> Result<(), Error> {
        self.index.validate()?;
        self.affinity.validate()?;
        let trained = self.index.len() == n && self.densities.len() == n;
        require(trained, "it does not have a training point for every row")?;
        let functions = self.psi.shape() == (n, dim) && self.eigenvalues.len() == dim;
        require(functions, "it does not have an eigenfunction for every coordinate")?;
        require_finite(self.densities.iter().chain(&self.eigenvalues), "a density or eigenvalue")?;
        // Of an eigenvalue 0 the map is right; new points have no place by it, which `require_numbers` says.
        require(self.densities.iter().all(|d| *d > 0.0), "a density is not positive")
    }
}

/// Fails where a coordinate of a new point is beyond floating point.
pub(crate) fn require_numbers(placed: Embedding) -> Result<Embedding, Error> {
    match placed.rows().position(|row| row.iter().any(|v| !v.is_finite())) {
        None => Ok(placed),
        Some(row) => Err(Error::degenerate(
            format!("the coordinates of new point {row} leave the range of numbers"),
            "check the scale of the new points and where the model comes from; of an eigenvalue 0 no new \
             point has a place",
        )),
    }
}

/// The position of a new point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Position {
    /// On a training row.
    Training(u32),
    /// Elsewhere.
    New {
        /// The sum of its affinities.
        degree: f64,
    },
}
