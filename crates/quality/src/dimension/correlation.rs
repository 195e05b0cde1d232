use embedding::{Error, MemoryLimit};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::RowSample;
use crate::reference_distances::Distances;

/// Parameters of [`correlation_dimension`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CorrelationDimension {
    /// Fraction of pairs within the smaller radius; default 0.001.
    pub low: f64,
    /// Fraction of pairs within the larger radius; default 0.02. 0 < low < high < 1.
    pub high: f64,
    /// The points whose distances to all others are used; default a sample of 500.
    pub rows: RowSample,
    /// Memory limit for rows · n distances; default 4 GB.
    pub memory_limit: MemoryLimit,
}

impl Default for CorrelationDimension {
    fn default() -> Self {
        let rows = RowSample::Sample { count: 500, seed: 0 };
        Self { low: 0.001, high: 0.02, rows, memory_limit: MemoryLimit::default() }
    }
}

/// Estimates the correlation dimension, the growth exponent of the number of close pairs.
///
/// *Definition.* With C(r) the fraction of pairs within distance r, and r₁, r₂ the radii
/// where it is `low` and `high`, the slope ln(high/low) / ln(r₂/r₁).
///
/// *Cost.* O(rows · n) distances and memory.
///
/// *When it fails.* From n points, dimensions above about 2 log₁₀ n cannot be detected
/// (Eckmann and Ruelle 1992, <https://doi.org/10.1016/0167-2789(92)90023-G>), and
/// nonuniform density biases the estimate. Fails if a fraction is out of range, if either
/// radius is 0 or both are equal, or if the memory limit is exceeded.
///
/// *Reference.* Grassberger and Procaccia (1983),
/// <https://doi.org/10.1016/0167-2789(83)90298-1>.
pub fn correlation_dimension(distances: &dyn Distances, recipe: &CorrelationDimension) -> Result<f64, Error> {
    let (low, high, n) = (recipe.low, recipe.high, distances.len());
    if !(low > 0.0 && low < high && high < 1.0) {
        return Err(Error::parameter("low and high", "0 < low < high < 1", format!("{low} and {high}")));
    }
    recipe.rows.check()?;
    let rows = recipe.rows.choose(n);
    let needed = 8 * rows.len() as u64 * n as u64;
    recipe.memory_limit.allow("the correlation dimension", needed, "use a smaller sample of rows")?;
    let mut all: Vec<f64> = rows
        .par_iter()
        .flat_map_iter(|&i| {
            let mut row = vec![0.0; n];
            distances.write_row(i as usize, &mut row);
            row.swap_remove(i as usize);
            row
        })
        .collect();
    let last = all.len().saturating_sub(1);
    let mut radius = |share: f64| {
        let at = ((all.len() as f64 * share) as usize).min(last);
        (!all.is_empty()).then(|| *all.select_nth_unstable_by(at, f64::total_cmp).1)
    };
    let too_few = Error::TooFewPoints { what: "the correlation dimension", needed: 2, got: n };
    let (Some(inner), Some(outer)) = (radius(low), radius(high)) else { return Err(too_few) };
    if inner > 0.0 && outer > inner && outer.is_finite() {
        return Ok((high / low).ln() / (outer / inner).ln());
    }
    Err(Error::degenerate(
        format!("the radii of the correlation dimension are {inner} and {outer}"),
        "raise `low` above the fraction of coinciding pairs, and `high` above `low`",
    ))
}
