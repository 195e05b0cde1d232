//! The conditions of both methods on a manifold and on a basis on it.

use embedding::Error;
use embedding::implement::Sizes;
use faer::MatRef;
use neighbor_graph::{Graph, Manifold, Symmetry};

use crate::patches::check_rows;
use crate::spectral_basis::DIM;

/// Fails unless there is a neighbor list per point and the lists form a connected graph.
pub(crate) fn require_connected(manifold: &Manifold<'_>) -> Result<(), Error> {
    let n = manifold.pair_distances()?.len();
    check_rows("the number of neighbor lists", n, manifold.neighbors.len())?;
    Graph::new(manifold.neighbors, Symmetry::Union).require_connected()
}

/// Fails unless a basis of m vectors has a map to d ≤ m coordinates, where `what` names the map:
/// if lists are too short to form an angle, or if every patch contains all points.
pub(crate) fn check_sizes(
    what: &'static str,
    manifold: &Manifold<'_>,
    basis: MatRef<'_, f64>,
    d: usize,
) -> Result<(), Error> {
    let n = manifold.pair_distances()?.len();
    DIM.check("dim", d as f64, &Sizes { basis: Some(basis.ncols()), ..Sizes::default() }, &d)?;
    if n < 4 {
        return Err(Error::TooFewPoints { what, needed: 4, got: n });
    }
    let range = || format!("between 2, to form triangles, and {}, so that patches differ", n - 2);
    let (least, most) = manifold.neighbors.degrees();
    if most < 2 {
        return Err(Error::parameter("k", range(), most));
    }
    if least > n - 2 {
        return Err(Error::parameter("k", range(), least));
    }
    Ok(())
}
