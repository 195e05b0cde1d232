//! Initialization of the map.

use embedding::implement::{StartScale, require_shape, standard_normal};
use embedding::{Data, Error, Input, Observer, PointSet, Rows};
use faer::{Mat, MatMut, MatRef};
use neighbor_graph::implement::Copies;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use spectral::centering::distance_components;
use spectral::{AffineMap, Operator, Principal, Tolerance, sparse_components};

use crate::Affinities;

/// Standard deviation of the first initial coordinate.
const SPREAD: f64 = 1e-4;

/// Initialization of the map. All but `Given` are scaled to a standard deviation of 1e-4
/// in the first coordinate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Start {
    /// The leading principal components of the data; for distances, by classical scaling. Neighbor
    /// lists have no components: the start is spectral for them. Duplicate points start, and remain, at equal
    /// coordinates. If there are fewer components than output dimensions, the missing
    /// coordinates are random. The default.
    #[default]
    Pca,
    /// A Laplacian eigenmap of the affinities: the slowest modes of their random walk.
    Spectral,
    /// Independent normally distributed coordinates.
    Random,
    /// The caller's coordinates, n × d, unchanged.
    Given(PointSet),
}

embedding::words!(Start { Pca = "pca", Spectral = "spectral", Random = "random" } Given(_) = "given");

impl Start {
    /// The scale of coordinates that are given with an input ([`Input::with_start`]); coordinates in
    /// [`Start::Given`] stay unchanged.
    pub const SCALE: StartScale = StartScale::Deviation(SPREAD);

    /// The start of a fit to an input: its own coordinates where it has any, else a given start of the
    /// recipe for its distinct rows.
    pub(crate) fn of_input(&self, input: &Input<'_>, copies: Option<&Copies>) -> Result<Self, Error> {
        let own = if let Self::Given(given) = self { Some(given) } else { None };
        Ok(Copies::given_start(copies, input, own)?.map_or_else(|| self.clone(), Self::Given))
    }

    /// Returns n × d coordinates, stored by rows.
    pub(crate) fn coordinates(
        &self,
        data: Option<Data<'_>>,
        affinities: &Affinities,
        dim: usize,
        seed: u64,
        observer: &dyn Observer,
    ) -> Result<Vec<f64>, Error> {
        let n = affinities.len();
        let columns = match (self, data) {
            (Self::Given(given), _) => {
                require_shape(given.view(), n, dim)?;
                return Ok(given.view().values().to_vec());
            }
            (Self::Pca, Some(Data::Rows(points))) => components(points, dim, observer)?,
            (Self::Pca, Some(Data::Distances(distances))) => distance_components(distances, dim, observer)?,
            (Self::Pca, Some(Data::Neighbors(_))) | (Self::Spectral, _) => modes(affinities, dim, observer)?,
            (Self::Random, _) | (Self::Pca, None) => Mat::zeros(n, 0),
        };
        let first = if columns.ncols() > 0 { columns.col(0).norm_l2() / (n as f64).sqrt() } else { 0.0 };
        let scale = if first > 0.0 { SPREAD / first } else { 0.0 };
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut y = vec![0.0; n * dim];
        for c in 0..dim {
            let known = c < columns.ncols() && scale * columns.col(c).norm_max() > 1e-6 * SPREAD;
            for i in 0..n {
                y[i * dim + c] = if known { scale * columns[(i, c)] } else { SPREAD * normal(&mut random) };
            }
        }
        Ok(y)
    }
}

/// Standard normal.
fn normal(random: &mut ChaCha8Rng) -> f64 {
    let mut uniform = || ((random.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
    standard_normal(uniform(), uniform())
}

/// Returns centered coordinates along the leading principal directions.
fn components(points: Rows<'_>, dim: usize, observer: &dyn Observer) -> Result<Mat<f64>, Error> {
    let points = match points {
        Rows::Dense(points) => points,
        Rows::Sparse(points) => return sparse_components(points, dim, observer),
    };
    let count = dim.min(points.dim()).min(points.len());
    let principal = Principal::new(points, count, Tolerance::default(), observer)?;
    let images = AffineMap::new(principal.mean, principal.directions).apply(points)?;
    Ok(images.coordinates().to_owned())
}

/// Returns the slowest modes of the random walk, without the stationary one.
fn modes(affinities: &Affinities, dim: usize, observer: &dyn Observer) -> Result<Mat<f64>, Error> {
    let n = affinities.len();
    let degrees: Vec<f64> = (0..n).map(|i| affinities.of(i).1.iter().sum()).collect();
    let walk = Walk { affinities, roots: degrees.iter().map(|d: &f64| d.sqrt()).collect() };
    let count = dim.min(n - 1);
    // A start needs directions, not digits.
    let tolerance = Tolerance::new(1e-4)?;
    let pairs = spectral::largest(&walk, count, tolerance, observer)?;
    Ok(Mat::from_fn(n, count, |i, c| pairs.vectors[(i, c)] / walk.roots[i]))
}

/// I + D^−½ P D^−½, with the eigenvalue of the stationary mode √degree moved to 0.
struct Walk<'a> {
    affinities: &'a Affinities,
    roots: Vec<f64>,
}

impl Operator for Walk<'_> {
    fn order(&self) -> usize {
        self.roots.len()
    }

    fn apply(&self, x: MatRef<'_, f64>, mut out: MatMut<'_, f64>) {
        let total: f64 = self.roots.iter().map(|r| r * r).sum();
        for c in 0..x.ncols() {
            let at_rest = (0..x.nrows()).map(|i| self.roots[i] * x[(i, c)]).sum::<f64>() / total;
            for i in 0..x.nrows() {
                let (columns, p) = self.affinities.of(i);
                let terms =
                    columns.iter().zip(p).map(|(&j, p)| p * x[(j as usize, c)] / self.roots[j as usize]);
                out[(i, c)] = x[(i, c)] + terms.sum::<f64>() / self.roots[i] - 2.0 * at_rest * self.roots[i];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use embedding::Silent;
    use testkit::cases::cloud;

    use super::*;

    #[test]
    fn the_walk_has_no_stationary_mode() -> Result<(), Error> {
        let points = cloud(90, 3, 1);
        let affinities = Affinities::of_points(points.view(), 8.0, &Silent)?;
        let roots: Vec<f64> = (0..90).map(|i| affinities.of(i).1.iter().sum::<f64>().sqrt()).collect();
        let mode = Mat::from_fn(90, 1, |i, _| roots[i]);
        let mut image = Mat::zeros(90, 1);
        Walk { affinities: &affinities, roots }.apply(mode.as_ref(), image.as_mut());
        assert!(image.norm_max() < 1e-13 * mode.norm_max(), "{}", image.norm_max());
        Ok(())
    }
}
