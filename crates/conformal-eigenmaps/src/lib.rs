//! Conformal eigenmaps and maximum variance unfolding: linear transformations of a
//! spectral basis that preserve local angles or local distances.
//!
//! - [`ConformalEigenmaps`]: conformal eigenmaps of points.
//! - [`refine`]: its optimization step, for any basis of functions on the points.
//! - [`MaximumVarianceUnfolding`] and [`unfold`]: the same for maximum variance
//!   unfolding; [`steps::LengthLoss`], [`steps::maximize_variance`] and [`steps::unfolding_certificate`] are
//!   its parts.
//! - [`steps::Quadratic`], [`steps::estimate`], [`steps::alternate`], [`steps::certificate`], [`steps::solve_by_barrier`]: the
//!   parts of [`refine`].
//!
//! # The problem
//!
//! Locally linear embedding, Laplacian eigenmaps and tangent space alignment return
//! eigenvectors of equal norm. These preserve proximity but not the scale of each
//! direction, and the second is often a function of the first: a Swiss roll is embedded
//! as a skewed band. Conformal eigenmaps compute m eigenvectors y, more than the output
//! dimension d, and a linear map z = L y that preserves the angles between neighbors.
//! Such a map is *conformal*: near every point it is a rotation times a scale √s, where s
//! may vary from point to point. With P = LᵀL,
//!
//! |z_i − z_j|² = (y_i − y_j)ᵀ P (y_i − y_j).
//!
//! Requiring |z_i − z_j|² = s_h |x_i − x_j|² for all pairs near h is therefore a
//! least-squares problem in P. Every s_h has a closed form. Eliminating them leaves one
//! q × q matrix, q = m (m + 1) / 2, independent of the number of points:
//!
//! D(P) = svec(P)ᵀ Q svec(P), over P ⪰ 0 with tr P = 1 (which excludes P = 0).
//!
//! # EstimateB and EstimateC
//!
//! This is a semidefinite program, which the published program passes to an external
//! solver. The lecture slides that inspired this crate instead write P = BᵀC with two
//! factors, add a penalty on their difference, and minimize over them alternately:
//!
//! F(B, C) = D(sym(BᵀC)) + λ₁ (tr(BᵀC) − 1)² + λ₂ |B − C|².
//!
//! The two half-steps of that loop, "EstimateB" and "EstimateC", are omitted there as
//! complicated. They are as follows: for fixed B, BᵀC is linear in C, so F is a quadratic
//! in the r m entries of C, and its minimum solves
//!
//! (A_Bᵀ Q A_B + (λ₂ I + λ₁ b bᵀ)) c = (λ₁ + λ₂) b,
//!
//! where b and c are the entries of B and C, and A_B maps c to svec(sym(BᵀC)). EstimateC
//! is therefore one linear system, solved by Cholesky. The loss depends only on the
//! symmetric part of BᵀC, so B and C are interchangeable, and EstimateB is the same
//! function: [`steps::estimate`].
//!
//! # Convergence of the plain loop, and the midpoint scheme
//!
//! With constant λ₂ the loop has a sharp threshold, the largest eigenvalue of the gradient
//! G of the loss. If 4 λ₂ exceeds it, every stationary point has B = C: subtracting the two
//! stationarity conditions gives (B − C)(G − 4 λ₂ I) = 0. Below it the loop converges to
//! B ≠ C, which does not define a map. The threshold varies between data sets by
//! orders of magnitude, and far above it the loop needs thousands of sweeps. On a Swiss
//! roll of 1,000 points λ₂ = 0.1 is far above: after 300 estimates the loss is 2.8 times
//! the optimum. On 1,000 images of digits λ₂ = 0.01 is below: the loop ends with B and C
//! differing by a sixth, and the loss of their mean is 5 % above the optimum. Increasing
//! λ₂ gradually, as penalty methods do, starts below the threshold and ends with slow
//! convergence. [`Scheme::Plain`] implements this loop.
//!
//! Averaging B and C after a single estimate is exactly a Levenberg–Marquardt step on the
//! quartic D(LᵀL), with damping 4 λ₂. With a matrix K instead of λ₂, 4 K = G, it is
//! Newton's step. [`Scheme::Midpoint`] uses 4 K = G₊ + μ |G| I and reduces μ as the
//! quadratic model proves accurate: the Swiss roll above is solved and certified after 31
//! estimates, the digits after 10.
//!
//! # Certificate of optimality
//!
//! With m rows in L, every local minimum is global, and [`steps::certificate`] proves optimality
//! a posteriori: one eigenvalue of an m × m matrix gives a lower bound on the optimum.
//! [`steps::solve_by_barrier`] solves the same problem by an interior-point method, independent of
//! the alternation except for Q.
//!
//! # Rank-d solutions
//!
//! P may use all m dimensions. On a surface in space whose own coordinates lie in the span of
//! the basis, the surface itself keeps every angle: the convex solution of a hemisphere is the
//! hemisphere, in three dimensions. The projection onto its two leading axes has larger angle
//! errors than locally linear embedding. The alternation can do what the semidefinite program
//! cannot: with L of d rows it finds the best map *into d dimensions*, here the stereographic
//! projection. That problem is not convex; it is solved from two informed starts. The mean
//! change of the angles of small triangles ([`quality::shape::angle_error`]) decides between
//! them, because a folded map can have the smaller loss.
//!
//! # Maximum variance unfolding
//!
//! With every s_h fixed at 1, the least-squares problem requires an isometry. Lengths
//! then fix the scale, so no trace constraint is needed; instead the variance tr P is
//! maximized, which selects the unfolded map among those that preserve lengths equally
//! well: maximum variance unfolding. The two methods share the sums over pairs, the
//! Newton step of the interior-point method, and the out-of-sample map. An isometry of a
//! flat sheet is a stronger requirement than a conformal map, so the sheet is recovered
//! more accurately; a hemisphere has a conformal map to the plane but no isometric one.
//!
//! # Limitations
//!
//! Conformal is not isometric. Where the sampling is uneven the scale may drift along the
//! sheet: angles are right, lengths are not, and [`ConformalReport::scale_variation`]
//! measures it. The loss weights a patch by s_h², so distortion can remain unnoticed
//! where the map shrinks; above a variation of 1 the map is not reliable. One edge of the
//! neighbor graph between two layers of a roll spoils the map;
//! [`neighbor_graph::shortcuts::without_shortcuts`] finds and removes it. If the data are
//! not two-dimensional, no method preserves their triangles in the plane.
//!
//! # Example
//!
//! Any basis can be used; here local tangent space alignment of a bent strip.
//!
//! ```
//! use conformal_eigenmaps::{Method, Model, Points, Refinement, refine};
//! use lle::Ltsa;
//! use neighbor_graph::{Manifold, NeighborSearch};
//! let uv = |i: usize| ((i as f64 * 0.754_877_666).fract(), (i as f64 * 0.569_840_291).fract());
//! let strip: Vec<f64> =
//!     (1..=300).map(uv).flat_map(|(u, v)| [(3.0 * u).cos(), (3.0 * u).sin(), v]).collect();
//! let points = Points::new(&strip, 3)?;
//! let neighbors = NeighborSearch::nearest(10).find(points)?;
//! let ltsa = Ltsa::default().fit(points)?;
//! let basis = ltsa.embedding().coordinates();
//! let map = refine(Manifold::new(points, &neighbors), basis, 2, &Refinement::default())?;
//! // Alignment makes the strip a square; the map gives it its length back.
//! assert!(map.report.angle_error_before > 15.0 && map.report.angle_error_after < 2.0);
//! # Ok::<(), embedding::Error>(())
//! ```
//!
//! Architecture invariant: once Q is computed, no step depends on the number of points
//! except the final map and its evaluation.

mod alternation;
mod angles;
mod barrier;
mod basis_coordinates;
mod basis_map;
mod basis_observer;
mod certificate;
mod conditions;
mod conformal_eigenmaps;
mod convergence;
mod estimate;
mod length_loss;
mod local_scale;
mod maximum_variance_unfolding;
mod midpoint;
mod naive_alternation;
mod newton;
mod normalized_scale;
mod pairs;
mod patches;
mod penalized;
mod quadratic;
mod rank;
mod refinement;
mod serde_form;
mod solution;
mod spectral_basis;
mod starts;
mod sub_progress;
mod svec;
mod unfolding;
mod variance;
mod whiten;

pub use basis_coordinates::BasisCoordinates;
pub use conformal_eigenmaps::{ConformalEigenmaps, FittedConformalEigenmaps};
pub use embedding::{Method, Model, Points};
pub use maximum_variance_unfolding::{FittedMaximumVarianceUnfolding, MaximumVarianceUnfolding};
pub use neighbor_graph::{Components, Duplicates, Neighborhood};
pub use refinement::{ConformalMap, ConformalReport, Refinement, refine};
pub use solution::Outcome;
pub use unfolding::{UnfoldedMap, Unfolding, UnfoldingReport, unfold};
pub use {embedding, lle, neighbor_graph};

/// The types of settings.
pub mod settings {
    pub use spectral::Tolerance;

    pub use crate::alternation::{Alternation, Coupling, Scheme};
    pub use crate::pairs::{PatchPairs, PatchWeight};
    pub use crate::refinement::{Pipeline, Units};
    pub use crate::spectral_basis::BasisSize;
}

/// The steps of the refinement and of the unfolding, to study or to recombine.
pub mod steps {
    pub use crate::alternation::alternate;
    pub use crate::barrier::solve_by_barrier;
    pub use crate::certificate::{Certificate, certificate};
    pub use crate::estimate::estimate;
    pub use crate::length_loss::LengthLoss;
    pub use crate::local_scale::local_scale;
    pub use crate::quadratic::Quadratic;
    pub use crate::rank::Candidate;
    pub use crate::solution::{Solution, Step};
    pub use crate::starts::{Start, basis_start, random_start, truncated};
    pub use crate::svec::{packed_len, smat, svec};
    pub use crate::variance::{
        UnfoldingCertificate, UnfoldingSolution, maximize_variance, unfolding_certificate,
    };
    pub use crate::whiten::{Whitened, whiten};
}

pub(crate) use settings::*;
pub(crate) use steps::*;
