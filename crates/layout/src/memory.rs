//! Peak memory of a preparation, estimated before anything is allocated.

use embedding::Input;
use neighbor_graph::implement::search_bytes;
use spectral::Principal;
use spectral::centering::distance_components_bytes;

use crate::Preparation;
use crate::reduced_points::DENSE_ROWS;

/// Bytes of a neighbor, an index and a distance, and of an entry of a row that is sorted.
const NEIGHBOR: u64 = 12;
const ENTRY: u64 = 16;

/// Bytes of a neighbor in an approximate search.
const VISITED: u64 = 30;

/// Times as long as the result are lists in an approximate search of sparse points, at most.
const WIDENED: u64 = 4;

/// Principal directions of a start.
const FEW: usize = 3;

/// Points whose distances to all others are sorted together.
const GROUP: u64 = 1024;

/// Working memory of the tasks of a search.
const TASKS: u64 = 3 << 20;

/// Estimated memory of a [`Preparation`] in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bytes {
    /// While the input is prepared, and principal components are computed for the start.
    pub peak: u64,
    /// Afterwards: reduced points and lists.
    pub kept: u64,
    /// At the end, without the lists: reduced points, or the points that a model copies.
    pub last: u64,
}

impl Preparation {
    /// Estimates the memory of [`Preparation::apply`] for n points with the columns of an input.
    pub fn bytes(&self, input: &Input<'_>, n: usize) -> Bytes {
        let count = n as u64;
        let sparse = input.sparse_points();
        let columns = input.rows().map_or(0, |rows| rows.dim());
        let euclidean = input.metric().is_euclidean();
        let given = input.neighbors().is_some();
        let reduces = (columns > self.columns || sparse.is_some()) && euclidean && !given;
        let width = if reduces { self.columns.min(columns).min(n) } else { columns };
        // Of an entry, its column and value.
        let entries = sparse.map(|points| input.amount_for(n, 12 * points.entries() as u64));
        let size = |columns: usize| 8 * count * columns as u64;
        let reduced = if reduces { size(width) } else { 0 };
        let components = match sparse {
            Some(points) if reduces => {
                let dense = 16 * n.min(DENSE_ROWS) as u64 * columns as u64;
                let solver = input.amount_for(n, Principal::sparse_bytes(points, width.min(points.len())));
                solver.max(reduced + dense + 8 * (columns * width) as u64)
            }
            // Of the start, few.
            Some(points) => {
                input.amount_for(n, Principal::sparse_bytes(points, FEW.min(columns).min(points.len())))
            }
            None if columns > 0 => Principal::bytes(n, columns),
            None if input.distances().is_some() => distance_components_bytes(n, FEW),
            None => 0,
        };
        // The lists are concatenated from parts.
        let lists =
            if given { 0 } else { NEIGHBOR * count * self.candidates.min(n.saturating_sub(1)) as u64 };
        // With another metric the rows can be mapped: for distances, and again for the search.
        let mapped = match entries {
            Some(entries) if !reduces => entries,
            _ if euclidean => 0,
            _ => size(columns),
        };
        let search = match (given, columns) {
            (true, _) => 0,
            (false, 0) => ENTRY * count * count.min(GROUP),
            // Inverted lists of the entries, and a sum per row; a second copy of the entries, and lists that
            // become longer, in an approximate search.
            (false, _) if sparse.is_some() && !reduces => {
                let visited =
                    if self.recall < 1.0 { mapped + WIDENED * VISITED * lists / NEIGHBOR } else { 0 };
                mapped + 16 * count + visited
            }
            (false, _) if self.recall < 1.0 => size(width) / 2 + VISITED * lists / NEIGHBOR,
            (false, _) => search_bytes(n, width),
        };
        // Memory that a search of points frees is not returned to the system.
        let points = reduced + mapped + if columns > 0 { search } else { 0 };
        let searching = reduced + mapped + mapped + 2 * lists + search + TASKS;
        let copied = if reduces { 0 } else { input.amount_for(n, input.copied_bytes()) };
        Bytes { peak: components.max(searching), kept: points + lists, last: points + copied }
    }
}
