//! The few eigenproblems all manifold methods share, with proven residuals.
//!
//! - [`largest`]: leading pairs of a symmetric [`Operator`] (a dense matrix, a
//!   doubly centered distance matrix, …), algebraically largest first.
//! - [`smallest`]: trailing pairs of a sparse positive semidefinite matrix
//!   whose null vectors are known and deflated, never dropped by position.
//! - [`Principal`]: directions of largest variance.
//! - [`dense`]: the full decompositions of small matrices, so that no method
//!   has to meet the workspace stacks of the linear-algebra library.
//! - [`Sparse`]: compressed sparse rows; [`solve_sparse`] for positive definite ones.
//!
//! Every pair that leaves this crate has had its residual recomputed and
//! compared with the stated tolerance; vectors are orthonormal, and the entry
//! of largest magnitude of each is positive ([`canonical_signs`]).
//! Everything is deterministic, at any number of threads.
//!
//! Architecture invariant: this crate knows no graph and no method.

mod block;
mod centering;
mod chunks;
pub mod dense;
mod factor;
mod filtered;
mod form;
mod front;
mod incomplete;
mod krylov;
mod largest;
mod operator;
mod orthonormal;
mod pairs;
mod parts;
mod plan;
pub mod principal;
mod progress;
mod real;
mod signs;
mod smallest;
mod solve;
mod sparse;
mod substitution;

pub use centering::{CenteredSquares, double_center};
pub use largest::largest;
pub use operator::{DenseOperator, Operator};
pub use pairs::{Pairs, Solver, Tolerance};
pub use principal::Principal;
pub use signs::canonical_signs;
pub use smallest::{Smallest, factor_bytes, smallest};
pub use solve::solve_sparse;
pub use sparse::Sparse;
