//! Conformal eigenmaps: turn and stretch a spectral basis so that angles survive.

mod alternation;
mod angles;
mod certificate;
mod conformal_eigenmaps;
mod estimate;
mod local_scale;
mod midpoint;
mod oracle;
mod pairs;
mod penalized;
mod plain;
mod portion;
mod quadratic;
mod rank;
mod refinement;
mod solution;
mod starts;
mod svec;
mod whiten;

pub use alternation::{Alternation, Coupling, Scheme, alternate};
pub use angles::{Angles, angle_error};
pub use certificate::{Certificate, certificate};
pub use conformal_eigenmaps::{BasisSize, ConformalEigenmaps, FittedConformalEigenmaps};
pub use estimate::estimate;
pub use local_scale::local_scale;
pub use oracle::barrier_oracle;
pub use pairs::{PatchPairs, PatchWeight};
pub use quadratic::Quadratic;
pub use rank::Candidate;
pub use refinement::{ConformalMap, ConformalReport, Pipeline, Refinement, Units, refine};
pub use solution::{Outcome, Solution, Step};
pub use starts::{Start, basis_start, random_start, truncated};
pub use svec::{packed_len, smat, svec};
pub use whiten::{Whitened, whiten};
