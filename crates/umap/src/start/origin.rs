//! What a start is computed from.

use embedding::{Data, MemoryLimit, Observer};
use neighbor_graph::Graph;

/// What a start is computed from.
pub(crate) struct Origin<'a> {
    pub(crate) data: Data<'a>,
    pub(crate) graph: &'a Graph,
    pub(crate) dim: usize,
    pub(crate) seed: u64,
    pub(crate) memory_limit: MemoryLimit,
    pub(crate) observer: &'a dyn Observer,
}
