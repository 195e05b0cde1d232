//! The points to which the kernel gives an affinity.

use embedding::{Error, Geometry, Input, MemoryLimit, PointSet, Points, proceed};
use neighbor_graph::{NeighborIndex, Neighbors};

use crate::kernel::{Kernel, bandwidth};

/// Points whose lists are widened together; fewer where their distances to all points are copied.
const STRIP: usize = 65_536;
const COPIED: usize = 8192;

/// Bytes of an entry of the lists, in the search and in the lists, and of the kernel made
/// of it: two entries of its rows, and two of the matrix.
const ENTRY: u64 = 16 + 12 + 2 * (2 * 16 + 12);

/// An entry of a list: index and distance.
pub(crate) type Entry = (u32, f64);

/// Lists of all points within reach of each point, where the distances to them are known
/// and every list has its k nearest; `None` otherwise: of lists from which edges were
/// removed, and of those of a radius.
pub(crate) fn widened(
    input: &Input<'_>,
    neighbors: &Neighbors,
    kernel: Kernel,
) -> Result<Option<Neighbors>, Error> {
    let geometry = input.geometry()?;
    let rule = neighbors.neighborhood();
    let n = neighbors.len();
    if rule.k().is_none_or(|k| neighbors.degrees().0 < k) {
        return Ok(None);
    }
    let index = NeighborIndex::of_input(input, rule);
    let (mut offsets, mut indices, mut distances) = (vec![0], Vec::new(), Vec::new());
    let strip = if matches!(geometry, Geometry::Points(_)) { STRIP } else { COPIED };
    for first in (0..n).step_by(strip) {
        let rows = first..n.min(first + strip);
        let reach: Vec<f64> =
            rows.clone().map(|i| kernel.reach(bandwidth(neighbors.of(i).1, rule.k()))).collect();
        let pulse = |done: usize| proceed(input.observed_by(), first + done, n);
        let distances_of;
        let own = match geometry {
            Geometry::Points(points) => {
                let d = points.dim();
                Points::new(&points.values()[rows.start * d..rows.end * d], d)?
            }
            Geometry::Distances(given) => {
                let all = rows.clone().flat_map(|i| (0..n).map(move |j| given.get(i, j)));
                distances_of = PointSet::new(all.collect(), n)?;
                distances_of.view()
            }
        };
        let found = within(&index, own, |row, _| reach[row], indices.len(), input.limit(), pulse)?;
        for ((i, reach), list) in rows.zip(reach).zip(found) {
            let near = |&(j, d): &Entry| j as usize != i && d <= reach;
            for (j, d) in list.into_iter().filter(near) {
                indices.push(j);
                distances.push(d);
            }
            offsets.push(indices.len());
        }
    }
    proceed(input.observed_by(), n, n)?;
    Ok(Some(Neighbors::from_sorted(offsets, indices, distances, rule, neighbors.found_by())))
}

/// For each row of `new` its k nearest training points and at least all within
/// `reach(row, list)`, nearest first. `stored` entries are kept already; `pulse` is given the number
/// of rows that are complete, before each search.
pub(crate) fn within(
    index: &NeighborIndex,
    new: Points<'_>,
    reach: impl Fn(usize, &[Entry]) -> f64,
    stored: usize,
    limit: MemoryLimit,
    pulse: impl Fn(usize) -> Result<(), Error>,
) -> Result<Vec<Vec<Entry>>, Error> {
    let mut lists = vec![Vec::new(); new.len()];
    let mut rows: Vec<u32> = (0..new.len() as u32).collect();
    let k = index.neighborhood().k().unwrap_or(1);
    let mut count = k.saturating_mul(2).saturating_add(4).min(index.len());
    while !rows.is_empty() {
        let entries = stored + lists.iter().map(Vec::len).sum::<usize>() + rows.len() * count;
        let advice = "use a larger decay or threshold, fewer neighbors, or fewer points";
        limit.allow("the kernel", ENTRY * entries as u64, advice)?;
        pulse(new.len() - rows.len())?;
        let found = if rows.len() == new.len() {
            index.nearest(new, count)?
        } else {
            index.nearest(new.select(&rows).view(), count)?
        };
        rows.iter().zip(found).for_each(|(&row, list)| lists[row as usize] = list);
        rows.retain(|&row| {
            let list: &[Entry] = &lists[row as usize];
            count < index.len() && list[count - 1].1 <= reach(row as usize, list)
        });
        count = count.saturating_mul(4).min(index.len());
    }
    Ok(lists)
}
