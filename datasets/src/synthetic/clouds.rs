//! Clusters.

use embedding::{Error, PointSet};

use super::SURFACE;
use crate::random::{Random, Rounds};
use crate::{Dataset, Geometry, Info, Labels};

pub(crate) const CLUSTERS: Info = Info {
    name: "clusters",
    summary: "Six Gaussian clusters at the vertices of an octahedron.",
    shows: "Separation of clusters, and disconnected neighbor graphs.",
    geometry: Geometry::Unknown,
    dimension: Some(3),
    make: |info, request| clusters(info.points(request.n)?, request.seed),
    ..SURFACE
};

/// Generates six Gaussian clusters of standard deviation ½ centered at (±5, 0, 0), (0,
/// ±5, 0) and (0, 0, ±5), labeled by `cluster`. With 6 m points each cluster has m.
pub fn clusters(n: usize, seed: u64) -> Result<Dataset, Error> {
    let (mut random, mut rounds) = (Random::new(seed), Rounds::new(6));
    let (mut values, mut clusters) = (Vec::with_capacity(3 * n), Vec::with_capacity(n));
    for _ in 0..n {
        let cluster = rounds.next(&mut random);
        clusters.push(cluster as u32);
        let mut point = [0.0; 3];
        point[cluster / 2] = if cluster % 2 == 0 { 5.0 } else { -5.0 };
        values.extend(point.map(|x| x + 0.5 * random.normal()));
    }
    let labels = Labels::new("cluster", ["+x", "-x", "+y", "-y", "+z", "-z"], clusters);
    Ok(CLUSTERS.dataset(PointSet::new(values, 3)?).with_labels(labels))
}
