//! Connected components, and the policy for more than one.

mod assemble;
pub(crate) mod bridge;
mod bridges;
pub(crate) mod component_fits;
pub(crate) mod labels;
pub(crate) mod manifold;
mod nearest_pairs;
mod shifts;
pub(crate) mod transform;

use embedding::{Error, Neighbors};
use serde::{Deserialize, Serialize};

use self::labels::ComponentLabels;
use crate::Graph;

/// The policy for a disconnected neighbor graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Components {
    /// Refuse, naming the number of components and their sizes.
    #[default]
    Reject,
    /// Add the shortest edges that join the components, along a minimum
    /// spanning tree over them.
    ///
    /// A tree has no cycle: components that lie around a ring become an open chain, connected
    /// by single edges. The lowest coordinates of spectral methods (the LLE family, Laplacian
    /// eigenmaps) then separate the components, and a component that is itself a ring, such as
    /// an object seen from all sides, is flattened to an arc. For two, three and six circles
    /// in a row, Laplacian eigenmaps draw the outer ones less than 5 % as wide as long. To see
    /// such rings, use [`Components::PerComponent`] or more neighbors.
    Bridge,
    /// Keep the largest component only, with a map of its rows. Rows that are related to no other row are
    /// left out: rows without a distance to others (rows of zeros by cosine), and
    /// [`unrelated_rows`](crate::unrelated_rows).
    Largest,
    /// Embed every component by itself and set them side by side. Rows that are related to no other row are
    /// left out.
    PerComponent,
}

embedding::words!(Components {
    Reject = "reject",
    Bridge = "bridge",
    Largest = "largest",
    PerComponent = "per-component"
});

impl Graph {
    /// Labels the connected components, by union-find. O(n + edges), except for a factor
    /// that never exceeds five.
    pub fn components(&self) -> ComponentLabels {
        ComponentLabels::new(self.len(), |i| self.indices_of(i))
    }

    /// Fails with [`Error::Disconnected`] unless the graph is one component.
    pub fn require_connected(&self) -> Result<(), Error> {
        let labels = self.components();
        if labels.sizes.len() > 1 { Err(labels.error()) } else { Ok(()) }
    }
}

/// The connected components of the union graph of neighbor lists, without making it.
pub fn components(neighbors: &Neighbors) -> ComponentLabels {
    ComponentLabels::new(neighbors.len(), |i| neighbors.indices_of(i))
}
