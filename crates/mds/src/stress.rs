//! Stress: the misfit between distances of coordinates and given dissimilarities.

use embedding::Error;
use faer::MatRef;
use serde::{Deserialize, Serialize};

use crate::Dissimilarities;

/// Measures of misfit; sums run over pairs i < j with weights w.
///
/// 0 is best. Reference: Borg and Groenen (2005), "Modern Multidimensional Scaling",
/// chapter 3, doi:10.1007/0-387-28981-X.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stress {
    /// Raw stress, Σ w (δ − d)², in squared input units.
    pub raw: f64,
    /// Kruskal's stress-1, √(Σ w (δ − d)² / Σ w d²): relative to the distances of the
    /// coordinates; at most 1 at a stationary point.
    pub stress_1: f64,
    /// √(min over α of Σ w (δ − α d)² / Σ w δ²), in 0 ..= 1: the normalized stress after
    /// optimal scaling of the coordinates; suited to comparing methods.
    pub scale_normalized: f64,
}

impl Stress {
    /// Computes the stress of coordinates (n × d). O(n² d).
    pub fn of(dissimilarities: &Dissimilarities, coordinates: MatRef<'_, f64>) -> Result<Self, Error> {
        let n = dissimilarities.len();
        if coordinates.nrows() != n {
            return Err(Error::Shape {
                what: "the number of rows of coordinates",
                expected: n.to_string(),
                got: coordinates.nrows().to_string(),
            });
        }
        let distance = |i: usize, j: usize| {
            (0..coordinates.ncols())
                .map(|c| (coordinates[(i, c)] - coordinates[(j, c)]).powi(2))
                .sum::<f64>()
                .sqrt()
        };
        let pairs = (0..n).flat_map(|i| (0..i).map(move |j| (i, j)));
        let triple = |(i, j)| (dissimilarities.get(i, j), distance(i, j), dissimilarities.weight(i, j));
        Ok(Self::between(pairs.map(triple)))
    }

    /// Computes the stress from triples (δ, d, w).
    pub(crate) fn between(triples: impl Iterator<Item = (f64, f64, f64)>) -> Self {
        let (mut raw, mut given, mut shown, mut cross) = (0.0, 0.0, 0.0, 0.0);
        for (target, distance, weight) in triples.filter(|t| t.2 > 0.0) {
            raw += weight * (target - distance) * (target - distance);
            given += weight * target * target;
            shown += weight * distance * distance;
            cross += weight * target * distance;
        }
        let ratio = |a: f64, b: f64| if b > 0.0 { a / b } else { f64::from(u8::from(a > 0.0)) };
        let explained = ratio(cross * cross, given * shown);
        Self {
            raw,
            stress_1: ratio(raw, shown).sqrt(),
            scale_normalized: if given > 0.0 { (1.0 - explained).max(0.0).sqrt() } else { 0.0 },
        }
    }
}
