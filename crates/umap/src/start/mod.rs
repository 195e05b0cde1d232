//! Initialization of the map: by default from eigenvectors of the graph's Laplacian.

mod origin;
mod principal;
mod random;
mod spectral;

use embedding::implement::{StartScale, require_shape};
use embedding::{Data, Error, Input, PointSet};
use faer::Mat;
use neighbor_graph::implement::Copies;
use serde::{Deserialize, Serialize};

use self::spectral::spectral_start;
pub(crate) use origin::Origin;
use principal::{principal_components, principal_of_distances};
use random::Random;

/// Standard deviation of the noise added to computed starts, which separates duplicates.
const NOISE: f64 = 1e-4;

/// Initialization of the map. All but `Given` are scaled to a largest magnitude of 5, and
/// normally distributed noise of standard deviation 1e-4 is added.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Start {
    /// Eigenvectors of the graph's normalized Laplacian for the smallest eigenvalues above
    /// 0, of each connected component by itself; components are placed side by side. The
    /// default.
    #[default]
    Spectral,
    /// The leading principal components of the data; for distances, by classical scaling. Neighbor
    /// lists have no components: the start is spectral for them. Coordinates beyond the number of components are
    /// random.
    Pca,
    /// Independent, uniformly distributed coordinates.
    Random,
    /// The caller's coordinates, n × d, rounded to single precision.
    Given(PointSet),
}

embedding::words!(Start { Spectral = "spectral", Pca = "pca", Random = "random" } Given(_) = "given");

impl Start {
    /// The scale of coordinates that are given with an input ([`Input::with_start`]); coordinates in
    /// [`Start::Given`] stay unchanged.
    pub const SCALE: StartScale = StartScale::Magnitude(random::EXTENT);

    /// The start of a fit to an input: its own coordinates where it has any, else a given start of the
    /// recipe for its distinct rows.
    pub(crate) fn of_input(&self, input: &Input<'_>, copies: Option<&Copies>) -> Result<Self, Error> {
        let own = if let Self::Given(given) = self { Some(given) } else { None };
        Ok(Copies::given_start(copies, input, own)?.map_or_else(|| self.clone(), Self::Given))
    }

    /// Returns n × d coordinates, stored by rows. Fails where given ones have another shape, or exceed the
    /// range of single precision.
    pub(crate) fn coordinates(&self, origin: &Origin<'_>) -> Result<Vec<f32>, Error> {
        let Origin { data, graph, dim, .. } = *origin;
        let n = graph.len();
        let mut random = Random::new(origin.seed);
        let mut y = match (self, data) {
            (Self::Given(given), _) => {
                require_shape(given.view(), n, dim)?;
                return layout::given_coordinates(given.view());
            }
            (Self::Spectral, _) | (Self::Pca, Data::Neighbors(_)) => spectral_start(origin, &mut random)?,
            (Self::Pca, Data::Rows(points)) => {
                let columns = principal_components(points, origin)?;
                random.completed(columns, n, dim)
            }
            (Self::Pca, Data::Distances(distances)) => {
                let columns = principal_of_distances(distances, origin)?;
                random.completed(columns, n, dim)
            }
            (Self::Random, _) => random.completed(Mat::zeros(n, 0), n, dim),
        };
        y.iter_mut().for_each(|v| *v += NOISE * random.normal());
        Ok(y.into_iter().map(|v| v as f32).collect())
    }
}
