//! Exact and approximate neighbor search, the symmetric neighbor graph, its components
//! and geodesics.
//!
//! [`NeighborSearch`] finds neighbors. Two types store them. [`Neighbors`] is directed: each
//! point has its own list, nearest first. [`Graph`] is undirected. Only it has components,
//! geodesics and Laplacians, so that directed lists cannot be used for them by mistake.
//!
//! ```
//! use embedding::Points;
//! use neighbor_graph::{Graph, NeighborSearch, Symmetry};
//! let line = [0.0, 1.0, 2.0, 4.0];
//! let points = Points::new(&line, 1)?;
//! let neighbors = NeighborSearch::nearest(1).find(points)?;
//! assert_eq!(neighbors.indices_of(2), &[1]);
//! let graph = Graph::new(&neighbors, Symmetry::Union);
//! assert_eq!(graph.geodesics_from(0), vec![0.0, 1.0, 2.0, 4.0]);
//! # Ok::<(), embedding::Error>(())
//! ```
//!
//! [`implement::GraphMethod`] is the interface of methods on such a graph. [`Components`] is the
//! policy for disconnected graphs, [`Duplicates`] the policy for duplicates. [`ComponentFits`] is the result
//! of a fit, [`Deduplicated`] the result of methods with the policy for duplicates alone.
//!
//! Architecture invariant: this crate uses no eigenvector.

mod all_rows_observer;
mod components;
mod copies;
mod deduplicated;
mod graph;
mod graph_method;
mod metric;
mod search;
mod unrelated;

pub use components::bridge::Bridge;
pub use components::component_fits::{ComponentFit, ComponentFits};
pub use components::labels::ComponentLabels;
pub use components::manifold::Manifold;
pub use components::{Components, components};
pub use copies::Duplicates;
pub use deduplicated::Deduplicated;
pub use embedding;
pub use embedding::{Neighborhood, Neighbors, Search};
pub use graph::{Graph, GraphView, Symmetry, shortcuts};
pub use search::approximate::Recall;
pub use search::neighbor_search::{NeighborSearch, SearchData};
pub use search::new_points::NewPoints;
pub use search::query::NeighborIndex;
pub use unrelated::{related_rows, unrelated_rows};

/// Items for authors of methods.
pub mod implement {
    pub use crate::copies::Copies;
    pub use crate::deduplicated::fit_deduplicated;
    pub use crate::graph_method::{GraphMethod, OnGraph, check_memory_of, fit_components};
    pub use crate::metric::distances_from;
    pub use crate::search::{chosen_search, search_bytes, search_of_new_bytes, search_threads_bytes};
}
