//! The linear baselines: [`Pca`], [`FactorAnalysis`], [`FastIca`], [`KernelPca`], [`Lda`] and
//! [`RandomProjection`].
//!
//! ```
//! use linear::{Method, Model, Pca, PointSet};
//! let points = PointSet::from_rows(&[[0.0, 0.0, 1.0], [1.0, 0.1, 1.0], [2.0, 0.0, 1.1]])?;
//! let fitted = Pca::default().fit(&points)?;
//! assert_eq!(fitted.embedding().row(0).len(), 2);
//! # Ok::<(), linear::Error>(())
//! ```
//!
//! A manifold method is worth its cost where it finds structure that these methods cannot. All of them place
//! new points row by row.
//!
//! Architecture invariant: this crate uses no neighbor graph.

pub use embedding::{Error, Method, Model, PointSet, Transform};

/// The crates of the public types that are not defined here.
pub use {embedding, spectral};

mod contrast;
mod factor_analysis;
mod fast_ica;
mod kernel;
mod kernel_matrix;
mod kernel_pca;
mod lda;
mod likelihood;
mod pca;
mod radial;
mod random;
mod random_projection;
mod rotation;
mod symmetric;
mod unmixing;

pub use contrast::Contrast;
pub use factor_analysis::{FactorAnalysis, FittedFactorAnalysis};
pub use fast_ica::{Algorithm, FastIca, FittedFastIca};
pub use kernel::Kernel;
pub use kernel_pca::{FittedKernelPca, KernelPca, PreImage};
pub use lda::{FittedLda, Lda};
pub use pca::{FittedPca, Pca};
pub use random_projection::{Distribution, FittedRandomProjection, RandomProjection};
pub use rotation::Rotation;
