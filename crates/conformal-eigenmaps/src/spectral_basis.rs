//! The spectral basis of both methods.

use embedding::{Error, MemoryLimit, Observer};
use lle::{FittedLle, Lle};
use neighbor_graph::{Components, Manifold, Neighborhood};
use serde::{Deserialize, Serialize};
use spectral::Tolerance;

use crate::refinement::check_degrees;

/// The number of spectral vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum BasisSize {
    /// max(4 d + 2, u), at most n − 1, where u is the best value found for the method: 10
    /// for [`crate::ConformalEigenmaps`], 15 for [`crate::MaximumVarianceUnfolding`].
    #[default]
    Auto,
    /// Exactly `count`, d ≤ `count` < n; may exceed the number of columns of the data.
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
            Self::Auto => dim.saturating_mul(4).saturating_add(2).max(usual).min(n.saturating_sub(1)),
            Self::Vectors { count } => count,
        }
    }
}

/// A locally linear embedding with m vectors, used as a basis for maps into d dimensions.
pub(crate) struct SpectralBasis {
    /// Name of the method, for error messages.
    pub(crate) what: &'static str,
    /// The method's default number of vectors.
    pub(crate) usual: usize,
    pub(crate) neighborhood: Neighborhood,
    pub(crate) size: BasisSize,
    pub(crate) dim: usize,
    pub(crate) regularization: f64,
    pub(crate) components: Components,
    pub(crate) tolerance: Tolerance,
    pub(crate) memory_limit: MemoryLimit,
}

impl SpectralBasis {
    pub(crate) fn fit(&self, manifold: Manifold<'_>, observer: &dyn Observer) -> Result<FittedLle, Error> {
        let n = manifold.points.len();
        self.check(n)?;
        let lle = Lle {
            neighborhood: self.neighborhood,
            dim: self.size.count(n, self.dim, self.usual),
            regularization: self.regularization,
            components: self.components,
            tolerance: self.tolerance,
            memory_limit: self.memory_limit,
            ..Lle::default()
        };
        lle.fit_manifold(manifold, observer)
    }

    /// Validates the parameters before any costly step.
    pub(crate) fn check(&self, n: usize) -> Result<(), Error> {
        let (m, d) = (self.size.count(n, self.dim, self.usual), self.dim);
        if let Neighborhood::Nearest { k } = self.neighborhood {
            check_degrees(self.what, (k, k), n)?;
        }
        if d == 0 || d >= n {
            return Err(Error::parameter("dim", format!("between 1 and {} for {n} points", n - 1), d));
        }
        if m < d || m >= n {
            let range = format!("between {d} (dim) and {} for {n} points", n - 1);
            return Err(Error::parameter("basis", range, m));
        }
        Ok(())
    }
}
