//! Eigensolvers for manifold learning, with recomputed residuals.
//!
//! - [`largest`]: algebraically largest eigenpairs of a symmetric [`Operator`] (a dense
//!   matrix, a doubly centered distance matrix, …).
//! - [`smallest`]: smallest eigenpairs of a sparse positive semidefinite matrix, with
//!   known null vectors deflated by projection.
//! - [`Principal`]: directions of largest variance, for dense or sparse points;
//!   [`RowSpace`]: an orthonormal basis of the space that the data span.
//! - [`rayleigh_ritz`]: the smallest values of a sparse quadratic form among the
//!   combinations of some columns.
//! - [`AffineMap`]: the projection on such directions, row by row.
//! - [`Levels`]: exact products of whole numbers, in single precision.
//! - [`centering`]: double centering of squared distances.
//! - [`memory`]: estimates of the peak memory of the solvers.
//! - [`dense`]: full decompositions of small matrices, without workspace arguments.
//! - [`Sparse`]: compressed sparse rows; [`solve_sparse`] solves positive definite
//!   systems.
//!
//! The residual of every returned pair is recomputed and compared with the requested
//! tolerance. Eigenvectors are orthonormal, and the entry of largest magnitude of each is
//! positive ([`canonical_signs`]). All results are bitwise identical at any number of
//! threads.
//!
//! Architecture invariant: this crate depends neither on neighbor graphs nor on any
//! method.

mod affine;
mod block;
mod centered;
pub mod centering;
mod chunks;
pub mod dense;
mod distance_components;
mod exact_integer_gram;
mod extra_eigenvalues;
mod factor;
mod filter;
mod frontal_solve;
mod gram_operator;
mod incomplete;
mod krylov;
mod largest;
mod operator;
mod orthonormal;
mod pairs;
pub mod principal;
mod progress;
mod raw;
mod rayleigh_ritz;
mod real;
mod row_space;
mod signs;
mod smallest;
mod solve;
mod sparse;
mod sparse_principal;
mod substitution;
mod symbolic;

pub use affine::AffineMap;
pub use centered::Centered;
pub use exact_integer_gram::Levels;
pub use largest::largest;
pub use operator::{DenseOperator, Operator};
pub use pairs::{Pairs, Solver, Tolerance};
pub use principal::Principal;
pub use rayleigh_ritz::{QuadraticForm, RayleighRitz, rayleigh_ritz};
pub use row_space::RowSpace;
pub use signs::canonical_signs;
pub use smallest::{Smallest, smallest};
pub use solve::solve_sparse;
pub use sparse::Sparse;
pub use sparse_principal::sparse_components;

/// The crate of the public types that are not defined here.
pub use embedding;

/// Estimates of the peak memory of the solvers, in bytes.
pub mod memory {
    pub use crate::largest::largest_bytes;
    pub use crate::rayleigh_ritz::rayleigh_ritz_bytes;
    pub use crate::smallest::{factor_bytes, solving_bytes};
}
