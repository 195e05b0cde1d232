//! Solutions of rank d.

use embedding::implement::{Bound, Range, ZERO, proceed};
use embedding::{Error, Observer};
use faer::{Mat, MatRef};
use serde::{Deserialize, Serialize};

use crate::sub_progress::SubProgress;
use crate::{
    Outcome, Quadratic, Refinement, Solution, Start, alternate, basis_start, random_start, truncated,
};

/// Legal numbers of random starts: all of them are kept in memory.
pub(crate) const RESTARTS: Range = Range::between(ZERO, Bound::new("1000", |_| Some(1000.0)));

/// The result of a run at rank d.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Candidate {
    /// Initialization of the run.
    pub start: Start,
    /// The solution found.
    pub solution: Solution,
    /// The mean angle error of its coordinates, in degrees.
    pub angle_error: f64,
}

/// Returns runs from the deterministic starts and the random ones, and the index of the
/// run with the smallest angle error (the first of equals).
///
/// The loss is not used for the choice: a folded map can have the smaller loss.
pub(crate) fn best_of_rank(
    quadratic: &Quadratic,
    convex: Option<&Solution>,
    d: usize,
    settings: &Refinement,
    error: &dyn Fn(MatRef<'_, f64>) -> Result<f64, Error>,
    observer: &dyn Observer,
) -> Result<(Vec<Candidate>, usize), Error> {
    let m = quadratic.order();
    let mut starts: Vec<(Start, Mat<f64>)> = Vec::new();
    if let Some(convex) = convex {
        starts.push((Start::Truncated, truncated(convex.factor.as_ref(), d)?));
    }
    starts.push((Start::Basis, basis_start(d, m)));
    for restart in 0..settings.restarts {
        let seed = settings.seed.wrapping_add(restart as u64);
        starts.push((Start::Random { seed }, random_start(d, m, seed)));
    }
    let steps = settings.alternation.max_iterations;
    let total = steps * starts.len();
    let mut candidates: Vec<Candidate> = Vec::with_capacity(starts.len());
    for (start, factor) in starts {
        let before = steps * candidates.len();
        let part = SubProgress { observer, before, total, shown: Some(observer) };
        let solution = alternate(quadratic, factor.as_ref(), &settings.alternation, &part)?;
        let angle_error = error(solution.factor.as_ref())?;
        candidates.push(Candidate { start, solution, angle_error });
    }
    let mut chosen = 0;
    for at in 1..candidates.len() {
        if candidates[at].angle_error < candidates[chosen].angle_error {
            chosen = at;
        }
    }
    Ok((candidates, chosen))
}

/// Returns the smallest loss found at ranks 1, …, `settings.profile`.
///
/// Each rank is solved from the truncated convex solution and, unless that is certified,
/// also from the basis; ranks already solved are reused. A rank-r map is also a map of
/// rank r + 1, so a larger value at a higher rank is a worse local minimum and is
/// replaced by the smaller one.
pub(crate) fn rank_profile(
    quadratic: &Quadratic,
    convex: Option<&Solution>,
    candidates: &[Candidate],
    d: usize,
    settings: &Refinement,
    observer: &dyn Observer,
) -> Result<Vec<f64>, Error> {
    let m = quadratic.order();
    let (ranks, steps) = (settings.profile.min(m), settings.alternation.max_iterations);
    let mut profile: Vec<f64> = Vec::new();
    for rank in 1..=ranks {
        let known: Vec<f64> = match convex {
            Some(convex) if rank == m => vec![convex.certificate.value],
            _ if rank == d && !candidates.is_empty() => {
                candidates.iter().map(|c| c.solution.certificate.value).collect()
            }
            _ => {
                let mut starts = Vec::with_capacity(2);
                if let Some(convex) = convex {
                    starts.push(truncated(convex.factor.as_ref(), rank)?);
                }
                starts.push(basis_start(rank, m));
                let mut values = Vec::new();
                for (at, start) in starts.iter().enumerate() {
                    let before = steps * (2 * (rank - 1) + at);
                    let part = SubProgress { observer, before, total: 2 * ranks * steps, shown: None };
                    let solution = alternate(quadratic, start.as_ref(), &settings.alternation, &part)?;
                    values.push(solution.certificate.value);
                    if matches!(solution.outcome, Outcome::Certified | Outcome::ExactZero) {
                        break;
                    }
                }
                values
            }
        };
        let before = profile.last().copied().unwrap_or(f64::INFINITY);
        profile.push(embedding::implement::minimum(known.into_iter().chain([before])));
    }
    let total = (2 * ranks * steps).max(1);
    proceed(observer, total, total)?;
    Ok(profile)
}
