//! The spectral basis of both methods.

use embedding::implement::{Bound, Parameter, Range, Sizes, Value, ValueSyntax};
use embedding::{Error, Recipe};
use lle::{FittedLle, Lle};
use neighbor_graph::{Manifold, Neighborhood, implement::GraphMethod};
use serde::{Deserialize, Serialize};
use spectral::Tolerance;

/// How many spectral vectors are refined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum BasisSize {
    /// The larger of 4 d + 2 and the recipe's usual number, at most
    /// n − 1 and 30: 10 for [`crate::ConformalEigenmaps`], 15 for
    /// [`crate::MaximumVarianceUnfolding`].
    #[default]
    Auto,
    /// Exactly `count`, d ≤ `count` < n and at most 30; may exceed the number of columns of the data.
    Vectors {
        /// The number m.
        count: usize,
    },
}

impl BasisSize {
    /// Returns the number m for n points and d dimensions, where `usual` is the method's
    /// own default.
    pub fn count(self, n: usize, dim: usize, usual: usize) -> usize {
        match self {
            Self::Auto => {
                dim.saturating_mul(4).saturating_add(2).max(usual).min(n.saturating_sub(1)).min(MOST)
            }
            Self::Vectors { count } => count,
        }
    }
}

/// Largest m. The quadratic form has m⁴/4 entries and each step of the optimization
/// solves systems with it in O(m⁶) time: with 37 vectors a fit of 38 points took 47 s.
const MOST: usize = 30;

/// The smaller of n − 1 and [`MOST`].
const LARGEST: Bound =
    Bound::new("n - 1, at most 30", |s| s.points.map(|n| (n as f64 - 1.0).min(MOST as f64)));

/// d.
const D: Bound = Bound::new("dim", |s| s.dim.map(|d| d as f64));

/// m.
const M: Bound = Bound::new("basis", |s| s.basis.map(|m| m as f64));

/// Legal target dimensions.
pub(crate) const DIM: Range = Range::from_one_to(M);

/// Legal numbers of neighbors: two make a triangle, and a patch of all points is none.
const K: Range =
    Range::between(Bound::new("2", |_| Some(2.0)), Bound::new("n - 2", |s| s.points.map(|n| n as f64 - 2.0)));

/// The parameters `k` and `radius` of a recipe that needs triangles between neighbors.
pub(crate) fn triangles() -> Vec<Parameter<Neighborhood>> {
    let narrowed =
        |parameter: Parameter<_>| if parameter.name() == "k" { parameter.within(K) } else { parameter };
    Neighborhood::parameters().into_iter().map(narrowed).collect()
}

impl Value for BasisSize {
    const SYNTAX: ValueSyntax = ValueSyntax::WordOrNumber("auto");
    const RANGE: Option<Range> = Some(Range::between(D, LARGEST));

    fn show(&self) -> String {
        match self {
            Self::Auto => "auto".to_owned(),
            Self::Vectors { count } => count.to_string(),
        }
    }

    fn read(text: &str) -> Option<Self> {
        if text == "auto" { Some(Self::Auto) } else { usize::read(text).map(|count| Self::Vectors { count }) }
    }

    fn number(&self) -> Option<f64> {
        match self {
            Self::Auto => None,
            Self::Vectors { count } => Some(*count as f64),
        }
    }
}

embedding::text!(BasisSize);

impl BasisSize {
    /// Adds the number of vectors to the sizes.
    pub(crate) fn complete(self, sizes: Sizes, dim: usize, usual: usize) -> Sizes {
        Sizes { dim: Some(dim), basis: sizes.points.map(|n| self.count(n, dim, usual)), ..sizes }
    }
}

/// A locally linear embedding with m vectors for a map into d dimensions.
pub(crate) struct SpectralBasis {
    pub(crate) size: BasisSize,
    /// The usual number of vectors.
    pub(crate) usual: usize,
    pub(crate) dim: usize,
    pub(crate) regularization: f64,
    pub(crate) tolerance: Tolerance,
}

impl SpectralBasis {
    pub(crate) fn fit(&self, manifold: Manifold<'_>) -> Result<FittedLle, Error> {
        let lle = Lle {
            neighborhood: manifold.neighbors.neighborhood(),
            dim: self.size.count(manifold.len(), self.dim, self.usual),
            regularization: self.regularization,
            tolerance: self.tolerance,
            ..Lle::default()
        };
        lle.fit_manifold(manifold)
    }
}
