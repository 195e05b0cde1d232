//! The points to which the kernel gives an affinity.

use embedding::implement::proceed;
use embedding::{Data, Error, Input, PointSet, Points, Rows};
use neighbor_graph::{NeighborIndex, Neighbors, implement::search_of_new_bytes};

use crate::kernel::{Kernel, bandwidth};

/// Points whose lists are widened together; fewer where their distances to all points are copied.
const STRIP: usize = 65_536;
const COPIED: usize = 8192;

/// Points whose lists are counted to estimate the number of all entries.
const COUNTED: usize = 1024;

/// Bytes of an entry of the lists, in the search and in the lists, and of the kernel made
/// of it: two entries of its rows, and two of the matrix.
const ENTRY: u64 = 16 + 12 + 2 * (2 * 16 + 12);

/// Bytes of the search for the points within reach of a strip of n points, and of the search that counts
/// lists, with a copy of its points.
pub(crate) fn search_bytes(n: usize, columns: usize) -> u64 {
    let counted = if n > COUNTED { COUNTED } else { 0 };
    search_of_new_bytes(n, n.min(STRIP) + counted, columns) + 8 * (counted * columns) as u64
}

/// Lists of all points within reach of each point, where the distances to them are known and every list has
/// its k nearest. `None` for lists from which edges were removed and for lists by radius.
pub(crate) fn widened(
    input: &Input<'_>,
    neighbors: &Neighbors,
    kernel: Kernel,
) -> Result<Option<Neighbors>, Error> {
    let (data, rule) = (input.data(), neighbors.neighborhood());
    let n = neighbors.len();
    if rule.k().is_none_or(|k| neighbors.degrees().0 < k) {
        return Ok(None);
    }
    let index = NeighborIndex::of_input(input, rule);
    let search = |rows: &[u32], own: Rows<'_>| {
        let reach = |&i: &u32| kernel.reach(bandwidth(neighbors.distances_of(i as usize), rule.k()));
        index.within(own, &rows.iter().map(reach).collect::<Vec<f64>>())
    };
    let within_reach = |rows: &[u32]| match data {
        Data::Rows(points) => points.selected(rows, |own| search(rows, own)),
        Data::Distances(given) => {
            let all = rows.iter().flat_map(|&i| (0..n).map(move |j| given.get(i as usize, j)));
            search(rows, PointSet::new(all.collect(), n)?.view().into())
        }
        Data::Neighbors(_) => Err(Error::lists_alone("PHATE")),
    };
    let allow = |entries: u64| {
        let advice = "use a larger decay or threshold, fewer neighbors, or fewer points";
        input.memory_limit().allow("the kernel", ENTRY * entries, advice)
    };
    proceed(input.observer(), 0, n)?;
    if n > COUNTED {
        let rows: Vec<u32> = (0..COUNTED).map(|at| (at * n / COUNTED) as u32).collect();
        let counted: usize = within_reach(&rows)?.iter().map(Vec::len).sum();
        allow(counted as u64 * n as u64 / COUNTED as u64)?;
    }
    let (mut offsets, mut indices, mut distances) = (vec![0], Vec::new(), Vec::new());
    let strip = if matches!(data, Data::Rows(_)) { STRIP } else { COPIED };
    for first in (0..n).step_by(strip) {
        proceed(input.observer(), first, n)?;
        let rows: Vec<u32> = (first..n.min(first + strip)).map(|i| i as u32).collect();
        let found = match data {
            Data::Rows(Rows::Dense(points)) => {
                let d = points.dim();
                search(&rows, Points::new(&points.values()[first * d..][..rows.len() * d], d)?.into())?
            }
            _ => within_reach(&rows)?,
        };
        for (&i, list) in rows.iter().zip(found) {
            let others = list.into_iter().filter(|&(j, _)| j != i);
            others.for_each(|(j, d)| {
                indices.push(j);
                distances.push(d);
            });
            offsets.push(indices.len());
        }
        allow(indices.len() as u64)?;
    }
    proceed(input.observer(), n, n)?;
    Ok(Some(Neighbors::from_sorted(offsets, indices, distances, rule, neighbors.found_by())))
}
