//! Stress: differences between given and embedded distances, with and without optimal
//! scaling.

use embedding::{Error, Points};
use serde::{Deserialize, Serialize};

use crate::reference_distances::Distances;
use crate::reference_distances::same_length;
use crate::residual_variance::over_rows;

/// The stress of an embedding by its four usual definitions, over all pairs i < j with
/// given distances δ and embedded distances d.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stress {
    /// Raw stress, Σ (δ − d)², in squared input units.
    pub raw: f64,
    /// Kruskal's stress-1, √(raw / Σ d²). Depends on the scale of d.
    pub one: f64,
    /// Normalized stress, √(raw / Σ δ²). Depends on the scale of d.
    pub normalized: f64,
    /// The minimum of `normalized` over all scales of the embedding, √(1 − (Σ δd)² / (Σ
    /// δ² Σ d²)): suited to comparing methods. In [0, 1].
    pub scale_normalized: f64,
    /// The factor on d that attains this minimum, Σ δd / Σ d².
    pub scale: f64,
}

/// Computes the stress by all definitions in one pass.
///
/// *Cost.* O(n²) times the cost of a distance, rows in parallel, O(n) memory
/// per row.
///
/// *Fails* if the sizes differ, if a distance is not finite (disconnected graph), or if
/// all points of one side coincide.
///
/// ```
/// use embedding::Points;
/// let data = Points::new(&[0.0, 1.0, 3.0], 1)?;
/// let twice = Points::new(&[0.0, 2.0, 6.0], 1)?;
/// let stress = quality::distances::stress(&data, twice)?;
/// assert_eq!((stress.raw, stress.scale), (14.0, 0.5));
/// assert!(stress.scale_normalized < 1e-7 && stress.normalized == 1.0);
/// # Ok::<(), embedding::Error>(())
/// ```
///
/// *Reference.* Kruskal (1964), <https://doi.org/10.1007/BF02289565>; on the dependence
/// on scale: Smelser, Miller and Kobourov (2024),
/// <https://doi.org/10.48550/arXiv.2408.07724>.
pub fn stress(reference: &dyn Distances, embedding: Points<'_>) -> Result<Stress, Error> {
    let n = embedding.len();
    same_length("the number of embedded points", reference.len(), n)?;
    if n < 2 {
        return Err(Error::TooFewPoints { what: "stress", needed: 2, got: n });
    }
    let [given, embedded, both] = over_rows(reference, embedding, |x, y| [x * x, y * y, x * y])?;
    for (sum, what) in [(given, "the reference"), (embedded, "the embedding")] {
        if sum <= 0.0 {
            let found = format!("all points of {what} coincide");
            return Err(Error::degenerate(found, "stress needs distances that are not all 0"));
        }
    }
    let [raw, _, _] = over_rows(reference, embedding, |x, y| [(x - y) * (x - y), 0.0, 0.0])?;
    let cosine = (both / (given.sqrt() * embedded.sqrt())).min(1.0);
    Ok(Stress {
        raw,
        one: (raw / embedded).sqrt(),
        normalized: (raw / given).sqrt(),
        scale_normalized: ((1.0 - cosine) * (1.0 + cosine)).sqrt(),
        scale: both / embedded,
    })
}
