//! Eigensolvers for manifold learning, with recomputed residuals.
//!
//! - [`largest`]: algebraically largest eigenpairs of a symmetric [`Operator`] (a dense
//!   matrix, a doubly centered distance matrix, …).
//! - [`smallest`]: smallest eigenpairs of a sparse positive semidefinite matrix, with
//!   known null vectors deflated by projection.
//! - [`Principal`]: directions of largest variance, of sparse points without their zeros;
//!   [`RowSpace`]: an orthonormal basis of the
//!   space that the data span.
//! - [`smallest_within`]: the smallest values of a sparse quadratic form among the
//!   combinations of some columns.
//! - [`AffineMap`]: the projection on such directions, row by row.
//! - [`Levels`]: exact products of whole numbers, in single precision.
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
mod centering;
mod chunks;
pub mod dense;
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
pub use centering::{CenteredSquares, double_center};
pub use exact_integer_gram::Levels;
pub use largest::{largest, largest_bytes};
pub use operator::{DenseOperator, Operator};
pub use pairs::{Pairs, Solver, Tolerance};
pub use principal::Principal;
pub use rayleigh_ritz::{Quadratic, Within, smallest_within, within_bytes};
pub use row_space::RowSpace;
pub use signs::canonical_signs;
pub use smallest::{Smallest, factor_bytes, smallest, solving_bytes};
pub use solve::solve_sparse;
pub use sparse::Sparse;
pub use sparse_principal::sparse_components;
