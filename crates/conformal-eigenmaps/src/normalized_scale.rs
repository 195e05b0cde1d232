//! Points and distances of any scale, divided by a power of two.

use embedding::{DistanceMatrix, Error, Geometry, Scale};
use neighbor_graph::Manifold;

/// What `then` returns for the manifold divided by its scale, so that fourth powers of
/// distances between its points, the inverse weights of patches, are normal numbers. Of the neighbor lists, whose distances stay, only the entries count.
pub(crate) fn with_normalized_scale<T>(
    manifold: Manifold<'_>,
    then: impl FnOnce(Manifold<'_>, Scale) -> Result<T, Error>,
) -> Result<T, Error> {
    let geometry = manifold.geometry()?;
    let (scale, numbers) = match geometry {
        Geometry::Points(points) => (Scale::for_powers(4, points), points.values().len()),
        Geometry::Distances(distances) => {
            (Scale::for_powers_of_length(4, distances.largest()), distances.len().pow(2))
        }
    };
    if scale.is_one() {
        return then(manifold, scale);
    }
    let needed = 8 * numbers as u64;
    manifold.memory_limit.allow("the data divided by a power of two", needed, "allow more memory")?;
    match geometry {
        Geometry::Points(points) => {
            scale.divided(points, |points| then(Manifold { points: Some(points), ..manifold }, scale))
        }
        Geometry::Distances(distances) => {
            let n = distances.len();
            let all = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
            let values: Vec<f64> = all.map(|(i, j)| scale.quotient(distances.get(i, j))).collect();
            let distances = Some(DistanceMatrix::new(&values, n)?);
            then(Manifold { distances, ..manifold }, scale)
        }
    }
}
