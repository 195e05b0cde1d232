//! Conformal eigenmaps: turn and stretch a spectral basis so that angles survive;
//! and maximum variance unfolding, which does so that lengths survive.
//!
//! - [`ConformalEigenmaps`]: the method, from points to coordinates.
//! - [`refine`]: its heart, for any basis of functions on the points.
//! - [`MaximumVarianceUnfolding`] and [`unfold`]: the same two for lengths;
//!   [`LengthLoss`], [`maximize_variance`] and [`unfolding_certificate`] are their
//!   pieces.
//! - [`Quadratic`], [`estimate`], [`alternate`], [`certificate`],
//!   [`barrier_oracle`]: the pieces, to study or to recombine.
//!
//! # The problem
//!
//! Locally linear embedding, Laplacian eigenmaps and tangent space alignment
//! return eigenvectors, all of one length. They know which points belong
//! together, but not how long a direction is, and often the second one is a
//! function of the first: a Swiss roll comes out as a skewed band. The remedy
//! is to take more eigenvectors than wanted, m instead of d, and to look for
//! z = L y, linear in them, that keeps the angles between neighbors. Such a map
//! is *conformal*: near every point a rotation times a scale √s, where s may
//! differ from point to point. With P = LᵀL,
//!
//! |z_i − z_j|² = (y_i − y_j)ᵀ P (y_i − y_j),
//!
//! so asking |z_i − z_j|² = s_h |x_i − x_j|² of all pairs near h is a
//! least-squares problem in P; every s_h has a closed form; what remains is one
//! q × q matrix, q = m (m + 1) / 2, whatever the number of points:
//!
//! D(P) = svec(P)ᵀ Q svec(P), over P ⪰ 0 with tr P = 1 (or all would shrink).
//!
//! # EstimateB and EstimateC
//!
//! That is a semidefinite program, and the published program hands it to an
//! external solver. The lecture slides that inspired this crate write P = BᵀC
//! with two factors instead, add a penalty that makes them one, and improve them
//! in turn:
//!
//! F(B, C) = D(sym(BᵀC)) + λ₁ (tr(BᵀC) − 1)² + λ₂ |B − C|².
//!
//! "EstimateB" and "EstimateC", the two halves of that loop, are left out there
//! as complicated. They are this: with B held fixed, BᵀC is linear in C, so F is
//! a quadratic in the r m entries of C, and its minimum solves
//!
//! (A_Bᵀ Q A_B + (λ₂ I + λ₁ b bᵀ)) c = (λ₁ + λ₂) b,
//!
//! b and c the entries of B and C, and A_B the matrix that makes svec(sym(BᵀC))
//! of c. One linear system, by Cholesky: that is EstimateC. The loss sees BᵀC
//! through its symmetric part only, so B and C may be exchanged, and EstimateB
//! is the same function: [`estimate`].
//!
//! # Why the plain loop fails, and what works
//!
//! With a constant λ₂ the loop has a sharp threshold: where 4 λ₂ exceeds the
//! largest eigenvalue of the gradient G of the loss, every stationary point has
//! B = C (subtract the two conditions of stationarity: (B − C)(G − 4 λ₂ I) = 0);
//! below it the loop ends at B ≠ C, which is no map at all. The threshold
//! depends on the data by orders of magnitude, and far above it the loop needs
//! thousands of sweeps. On a Swiss roll of 1,000 points λ₂ = 0.1 is far above:
//! after 300 estimates the loss is 2.8 times the optimum. On 1,000 images of
//! digits λ₂ = 0.01 is below: the loop ends with B and C a sixth apart, and the
//! loss of their mean 5 % above the optimum. Growing λ₂ step by step, as penalty methods do,
//! starts on the wrong side and ends on the slow one. [`Scheme::Plain`] shows
//! all this.
//!
//! Two observations mend it. Averaging B and C after a single estimate is
//! exactly a step of Levenberg and Marquardt on the quartic D(LᵀL), with damping
//! 4 λ₂; and with a matrix K in place of λ₂, 4 K = G, it is Newton's step.
//! [`Scheme::Midpoint`] takes 4 K = G₊ + μ |G| I and lets μ go to zero as the
//! model proves right: that roll is solved and certified after 31 estimates,
//! those digits after 10.
//!
//! # How one knows that it is solved
//!
//! At L of m rows the problem has no bad local minimum, and [`certificate`]
//! proves it after the fact: one eigenvalue of an m × m matrix bounds the
//! optimum from below. [`barrier_oracle`] solves the same problem by an
//! interior-point method that shares nothing with the alternation but Q.
//!
//! # Why not cut the convex solution down
//!
//! P may use all m dimensions. On a surface in space whose own coordinates lie
//! in the span of the basis, the surface itself keeps every angle: the convex
//! solution of a hemisphere is the hemisphere, in three dimensions. Its two
//! leading axes are its shadow, whose angles are worse than those of locally
//! linear embedding. The alternation can do what the semidefinite program
//! cannot: with L of d rows it looks for the best map *into d dimensions*, here
//! the stereographic projection. That problem is not convex; it is solved from
//! two informed starts, and the mean change of the angles of small triangles
//! ([`quality::angle_error`]) decides between them, for a folded map can have the smaller
//! loss.
//!
//! # With every scale at one
//!
//! Hold every s_h at 1 and the sum asks for an isometry. No trace constraint is
//! needed then, for lengths fix the size; instead the variance tr P is maximized,
//! which decides between maps that keep lengths equally well in favor of the one
//! that is unfolded: maximum variance unfolding. The two share the sums over pairs,
//! the Newton step of the interior-point method, and the placing. An isometry of a
//! flat sheet is a stronger demand than a conformal map of it, so the sheet comes
//! out nearer to the truth; a hemisphere has a conformal picture and no isometric
//! one.
//!
//! # What it cannot do
//!
//! Conformal is not isometric. Where the sampling is uneven the scale may drift
//! along the sheet: angles are right, lengths are not, and
//! [`ConformalReport::scale_variation`] says so. The loss weighs a patch by
//! s_h², so distortion can hide where the map shrinks; above a variation of 1 do
//! not trust it. One edge of the neighbor graph between two layers of a roll
//! spoils the map; [`neighbor_graph::without_shortcuts`] finds and cuts
//! it. Data that are not two-dimensional keep no triangles in the
//! plane, whatever the method.
//!
//! # Example
//!
//! Any basis will do; here tangent space alignment of a bent strip.
//!
//! ```
//! use conformal_eigenmaps::{Method, Model, Points, Refinement, refine};
//! use lle::Ltsa;
//! use neighbor_graph::{Manifold, Neighborhood, find_neighbors};
//! let uv = |i: usize| ((i as f64 * 0.754_877_666).fract(), (i as f64 * 0.569_840_291).fract());
//! let strip: Vec<f64> =
//!     (1..=300).map(uv).flat_map(|(u, v)| [(3.0 * u).cos(), (3.0 * u).sin(), v]).collect();
//! let points = Points::new(&strip, 3)?;
//! let neighbors = find_neighbors(points, Neighborhood::Nearest { k: 10 }, &embedding::Silent)?;
//! let ltsa = Ltsa::default().fit(points)?;
//! let basis = ltsa.embedding().coordinates();
//! let map = refine(Manifold::new(points, &neighbors), basis, 2, &Refinement::default())?;
//! // Alignment makes the strip a square; the map gives it its length back.
//! assert!(map.report.angle_error_before > 15.0 && map.report.angle_error_after < 2.0);
//! # Ok::<(), embedding::Error>(())
//! ```
//!
//! Architecture invariant: after Q, nothing depends on the number of points but
//! the placing and the measuring.

pub use embedding::{DynMethod, Embedding, Error, Fitted, Input, Method, Model, PointSet, Points, Transform};
pub use neighbor_graph::{Components, Manifold, Neighborhood, Pieces};

mod alternation;
mod angles;
mod certificate;
mod conformal_eigenmaps;
mod convergence;
mod estimate;
mod length_loss;
mod local_scale;
mod maximum_variance_unfolding;
mod midpoint;
mod newton;
mod oracle;
mod pairs;
mod patches;
mod penalized;
mod placing;
mod plain;
mod portion;
mod quadratic;
mod rank;
mod refinement;
mod solution;
mod spectral_basis;
mod starts;
mod stored;
mod svec;
mod unfolding;
mod variance;
mod whiten;

pub use alternation::{Alternation, Coupling, Scheme, alternate};
pub use certificate::{Certificate, certificate};
pub use conformal_eigenmaps::{ConformalEigenmaps, FittedConformalEigenmaps};
pub use estimate::estimate;
pub use length_loss::LengthLoss;
pub use local_scale::local_scale;
pub use maximum_variance_unfolding::{FittedMaximumVarianceUnfolding, MaximumVarianceUnfolding};
pub use oracle::barrier_oracle;
pub use pairs::{PatchPairs, PatchWeight};
pub use quadratic::Quadratic;
pub use rank::Candidate;
pub use refinement::{ConformalMap, ConformalReport, Pipeline, Refinement, Units, refine};
pub use solution::{Outcome, Solution, Step};
pub use spectral_basis::BasisSize;
pub use starts::{Start, basis_start, random_start, truncated};
pub use svec::{packed_len, smat, svec};
pub use unfolding::{UnfoldedMap, Unfolding, UnfoldingReport, unfold};
pub use variance::{UnfoldingCertificate, UnfoldingSolution, maximize_variance, unfolding_certificate};
pub use whiten::{Whitened, whiten};
