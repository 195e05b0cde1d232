//! Who is near whom: neighbor lists, the symmetric graph, its components and
//! geodesics.
//!
//! Two types, two invariants. [`Neighbors`] is directed: each point's own list,
//! nearest first. [`Graph`] is undirected; components, geodesics and Laplacians
//! exist only there, so that walking one-way lists by mistake cannot be written.
//!
//! ```
//! use embedding::{Points, Silent};
//! use neighbor_graph::{Graph, Neighborhood, Neighbors, Symmetry};
//! let line = [0.0, 1.0, 2.0, 4.0];
//! let points = Points::new(&line, 1)?;
//! let neighbors = Neighbors::find(points, Neighborhood::Nearest { k: 1 }, &Silent)?;
//! assert_eq!(neighbors.of(2).0, &[1]);
//! let graph = Graph::new(&neighbors, Symmetry::Union);
//! assert_eq!(graph.geodesics_from(0), vec![0.0, 1.0, 2.0, 4.0]);
//! # Ok::<(), embedding::Error>(())
//! ```
//!
//! Architecture invariant: this crate knows no eigenvector.

mod best;
mod between;
mod blocks;
mod bridges;
mod components;
mod directions;
mod geodesics;
mod given;
mod graph;
mod graph_method;
mod heap;
mod kd;
mod lists;
mod metric;
mod neighborhood;
mod neighbors;
mod order;
mod partition;
mod pieces;
mod query;
mod search;
mod shortcuts;
mod sketch;
mod sweep;
mod tree;

pub use bridges::Bridge;
pub use components::{Components, Labels};
pub use graph::{Graph, Symmetry};
pub use neighborhood::Neighborhood;
pub use neighbors::Neighbors;
pub use pieces::{Manifold, Piece, Pieces};
pub use query::NeighborIndex;
pub use search::Search;
pub use shortcuts::Shortcut;
