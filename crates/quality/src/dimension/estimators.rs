//! The list of estimators: name, definition, assumption and computation of each.

use embedding::{Error, MemoryLimit, Points};
use neighbor_graph::Neighbors;

use super::correlation::{CorrelationDimension, correlation_dimension};
use super::likelihood::{Averaging, maximum_likelihood, maximum_likelihood_of_rows};
use super::local_pca::{local_pca, local_pca_of_rows};
use super::principal_components::principal_components;
use super::two_nn::two_nn;
use crate::RowSample;

/// An estimator of intrinsic dimension with usual parameters, by which data sets are compared.
#[derive(Clone, Copy)]
pub struct Estimator {
    /// The stable name, unique among [`estimators`].
    pub name: &'static str,
    /// What is computed, as a noun phrase.
    pub meaning: &'static str,
    /// What must hold for the estimate to be right, and how it errs otherwise.
    pub assumes: &'static str,
    compute: fn(&Evidence<'_>) -> Result<f64, Error>,
    of_rows: Option<OfRows>,
}

type OfRows = fn(&Evidence<'_>) -> Result<Vec<Option<f64>>, Error>;

/// The data from which dimensions are estimated.
#[derive(Clone, Copy)]
pub struct Evidence<'a> {
    /// The points, n × D.
    pub points: Points<'a>,
    /// Their neighbor lists, at least two neighbors each.
    pub neighbors: &'a Neighbors,
    /// Memory limit for the distances of the correlation dimension, at most 500 · n numbers.
    pub memory_limit: MemoryLimit,
}

impl Estimator {
    /// The estimate for all points together.
    ///
    /// Fails with [`Error::Degenerate`] where the estimator is undefined, as for points that
    /// coincide, and with [`Error::Memory`] above the memory limit.
    pub fn estimate(&self, evidence: &Evidence<'_>) -> Result<f64, Error> {
        (self.compute)(evidence)
    }

    /// The estimate around each point; `None` for estimators that need all points together. The value of
    /// a single point is `None` where it is undefined there alone.
    pub fn of_rows(&self, evidence: &Evidence<'_>) -> Result<Option<Vec<Option<f64>>>, Error> {
        self.of_rows.map(|compute| compute(evidence)).transpose()
    }
}

/// Every estimator, in the order in which they are listed.
///
/// ```
/// use embedding::{MemoryLimit, PointSet};
/// use neighbor_graph::NeighborSearch;
/// use quality::dimension::{Evidence, estimators};
/// // A sheet in space.
/// let row = |i: u32| [f64::from(i % 20), f64::from(i / 20), 0.1 * f64::from(i % 20).powi(2)];
/// let points = PointSet::from_rows(&(0..400).map(row).collect::<Vec<_>>())?;
/// let neighbors = NeighborSearch::nearest(12).find(points.view())?;
/// let evidence =
///     Evidence { points: points.view(), neighbors: &neighbors, memory_limit: MemoryLimit::default() };
/// let local_pca = estimators().iter().find(|estimator| estimator.name == "local-pca").unwrap();
/// assert!((local_pca.estimate(&evidence)? - 2.0).abs() < 0.1);
/// # Ok::<(), embedding::Error>(())
/// ```
pub fn estimators() -> &'static [Estimator] {
    &ESTIMATORS
}

/// Fraction of the largest local variance below which a direction counts as noise or curvature.
const THRESHOLD: f64 = 0.05;

static ESTIMATORS: [Estimator; 5] = [
    Estimator {
        name: "maximum-likelihood",
        meaning: "growth of the number of neighbors with their distance, at all points jointly",
        assumes: "constant density within neighborhoods; low near boundaries and above 5 dimensions, high \
                  where noise exceeds the distance to the neighbors",
        compute: |e| maximum_likelihood(e.neighbors, Averaging::default()),
        of_rows: Some(|e| Ok(maximum_likelihood_of_rows(e.neighbors))),
    },
    Estimator {
        name: "two-nn",
        meaning: "ratio of the distances to the second and the first neighbor",
        assumes: "constant density up to the second neighbor; high where noise exceeds this distance",
        compute: |e| two_nn(e.neighbors, 0.1),
        of_rows: None,
    },
    Estimator {
        name: "local-pca",
        meaning: "number of directions with more than a twentieth of the largest variance of a neighborhood",
        assumes: "flat neighborhoods with more neighbors than dimensions; high where noise or curvature is \
                  larger, never above the number of neighbors",
        compute: |e| Ok(local_pca(e.points, e.neighbors, THRESHOLD, RowSample::All)?.value),
        of_rows: Some(|e| local_pca_of_rows(e.points, e.neighbors, THRESHOLD)),
    },
    Estimator {
        name: "correlation",
        meaning: "growth of the number of close pairs with their distance, of 500 rows with all others",
        assumes: "uniform density; low near boundaries, and never above about 2 log10(n)",
        compute: |e| {
            let recipe =
                CorrelationDimension { memory_limit: e.memory_limit, ..CorrelationDimension::default() };
            correlation_dimension(&e.points, &recipe)
        },
        of_rows: None,
    },
    Estimator {
        name: "principal-components",
        meaning: "number of principal components that explain 95 % of the variance, of up to 1,000 rows",
        assumes: "a flat subspace: an upper bound for curved surfaces",
        compute: |e| principal_components(e.points, 0.05),
        of_rows: None,
    },
];
