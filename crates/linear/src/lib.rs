//! The linear yardsticks: [`Pca`], [`KernelPca`], [`Lda`] and
//! [`RandomProjection`].
//!
//! A manifold method earns its cost where it finds what these cannot. All four
//! place new points row by row.
//!
//! Architecture invariant: this crate knows no neighbor graph.

mod affine;
mod kernel;
mod kernel_pca;
mod lda;
mod pca;
mod random_projection;

pub use kernel::Kernel;
pub use kernel_pca::{FittedKernelPca, KernelPca, PreImage};
pub use lda::{FittedLda, Lda};
pub use pca::{FittedPca, Pca};
pub use random_projection::{Distribution, FittedRandomProjection, RandomProjection, sufficient_dim};
