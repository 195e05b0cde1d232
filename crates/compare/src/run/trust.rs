//! The perturbation scores of each map of a run, where they are requested.

use embedding::{Embedding, Error, Input, Transform};
use quality::RowSample;
use quality::trust::Perturbation;

use crate::results::MapTrust;

/// Points up to which all are scored.
const ALL: usize = 1000;
/// Number of points that are scored of more.
const SAMPLE: usize = 500;

/// The scores of a map that `model` made of the points of `input`, with `k` neighbors: of all points, or of a
/// sample of 500 of more than 1,000.
pub(super) fn trust(
    model: &dyn Transform,
    map: &Embedding,
    input: &Input<'_>,
    k: usize,
) -> Result<MapTrust, Error> {
    let rows = if map.len() > ALL { RowSample::Sample { count: SAMPLE, seed: 0 } } else { RowSample::All };
    let found = Perturbation { k, rows, ..Perturbation::default() }.scores(model, map, input)?;
    Ok(MapTrust {
        rows: found.rows().to_vec(),
        scores: found.values().to_vec(),
        of: found.population(),
        jumps: found.jumps(),
    })
}
