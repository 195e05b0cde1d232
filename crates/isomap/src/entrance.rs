//! How a new point enters the graph.

use embedding::{Error, Points};
use neighbor_graph::{Manifold, NeighborIndex, Neighborhood};
use serde::{Deserialize, Serialize};

/// The training points, and how far a new point reaches among them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Entrance {
    index: NeighborIndex,
    /// The longest list of the training points; all of them where one lists all
    /// others.
    most: usize,
    neighborhood: Neighborhood,
}

impl Entrance {
    pub(crate) fn new(manifold: Manifold<'_>) -> Self {
        let (n, longest) = (manifold.points.len(), manifold.neighbors.degrees().1);
        Self {
            index: NeighborIndex::new(manifold.points),
            most: if longest + 1 == n { n } else { longest.max(1) },
            neighborhood: manifold.neighbors.neighborhood(),
        }
    }

    /// The edges (vertex, length) of each new point, nearest first, never none:
    /// under a radius that reaches nobody the nearest training point stays.
    /// Where a new point is a training point, that one at distance 0 alone.
    pub(crate) fn edges(&self, new: Points<'_>) -> Result<Vec<Vec<(u32, f64)>>, Error> {
        let mut lists = match self.neighborhood {
            Neighborhood::Nearest { .. } => self.index.nearest(new, self.most)?,
            Neighborhood::Within { radius } => self.index.within(new, radius)?,
        };
        if lists.iter().any(Vec::is_empty) {
            let nearest = self.index.nearest(new, 1)?;
            lists
                .iter_mut()
                .zip(nearest)
                .filter(|(list, _)| list.is_empty())
                .for_each(|(list, one)| *list = one);
        }
        for list in &mut lists {
            if list[0].1 == 0.0 {
                list.truncate(1);
            }
        }
        Ok(lists)
    }
}
