//! Points and distances of any scale, divided by a power of two.

use embedding::implement::{Division, PairDistances, Scale};
use embedding::{DistanceMatrix, Error};
use neighbor_graph::Manifold;

/// Inverse weights of patches are fourth powers of distances.
const FOURTH_POWERS: Division = Division::ToUnit { power: 4 };

/// What `then` returns for the manifold divided by its scale, so that fourth powers of distances between
/// its points, the inverse weights of patches, are normal numbers. The distances in the neighbor lists are
/// not divided; only the indices in the lists are used.
pub(crate) fn with_normalized_scale<T>(
    manifold: Manifold<'_>,
    then: impl FnOnce(Manifold<'_>, Scale) -> Result<T, Error>,
) -> Result<T, Error> {
    let distances = manifold.pair_distances()?;
    let (scale, numbers) = match distances {
        PairDistances::Points(points) => (Scale::of_points(points, FOURTH_POWERS), points.values().len()),
        PairDistances::Distances(distances) => {
            (Scale::of_length(distances.largest(), FOURTH_POWERS), distances.len().pow(2))
        }
    };
    if scale.is_one() {
        return then(manifold, scale);
    }
    let needed = 8 * numbers as u64;
    manifold.memory_limit.allow("the data divided by a power of two", needed, "allow more memory")?;
    match distances {
        PairDistances::Points(points) => {
            scale.divided(points, |points| then(Manifold { data: points.into(), ..manifold }, scale))
        }
        PairDistances::Distances(distances) => {
            let n = distances.len();
            let all = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
            let values: Vec<f64> = all.map(|(i, j)| scale.quotient(distances.get(i, j))).collect();
            then(Manifold { data: DistanceMatrix::new(&values, n)?.into(), ..manifold }, scale)
        }
    }
}
