//! Shortcut edges between different parts of a manifold.

use embedding::implement::{PairDistances, proceed, squared_distance};
use embedding::{Error, Input, Neighbors, Observer, Points};
use rayon::prelude::*;

use crate::graph::detour::Detours;
use crate::graph::tangent_angle::{self, Slopes};
use crate::{Graph, Symmetry};

/// An edge that leaves the manifold at both ends and connects points that are far apart
/// in the rest of the graph.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shortcut {
    /// Its lower vertex.
    pub from: u32,
    /// Its higher vertex.
    pub to: u32,
    /// Its weight.
    pub distance: f64,
}

/// An edge is steep if its slope exceeds this multiple of the median slope.
const STEEP: f64 = 1.5;
/// And this, the sine of 33 degrees.
const LEAST_STEEP: f64 = 0.55;
/// The stretch of shortcuts in true coordinates.
const TRUE_STRETCH: f64 = 3.0;
/// Edges between progress reports.
const GROUP: usize = 4096;

#[derive(Clone, Copy)]
struct Edge {
    from: u32,
    to: u32,
    distance: f64,
    slope: f64,
}

/// Finds edges that probably connect different layers of the manifold, in ascending
/// order; stage `"shortcuts"`.
///
/// A shortcut must fulfill two conditions, because sound edges can fulfill each of them
/// alone.
///
/// 1. *It is steep.* Its slope at an end is the sine of the angle between the edge and the
///    span of the nearby neighbors of that end (at most 16, those nearer to this end than
///    to the other), regularized by 2 % of their squared lengths; its slope is the mean of
///    both. An edge is steep if its slope exceeds both 0.55 and 1.5 times the median slope
///    of the graph. An edge across a gap in the sample is long and lies in the tangent
///    space; an edge between layers does not.
/// 2. *The detour is long.* In the graph without steep edges, the shortest path between
///    its ends is longer than `stretch` times the edge, and than `stretch` times the
///    median neighbor distance of either end; and there is such a path, so that connected
///    parts stay connected. Noise makes edges steep, but their detour is short.
///
/// Parallel shortcuts are in each other's neighborhoods, which reduces their slope; the
/// search is repeated without the shortcuts found until there are no more. Both conditions
/// are independent of the scale of the data. Where neighborhoods do not determine tangent
/// spaces (images, say) the median slope approaches 1, and nothing is steep.
///
/// `stretch` must be finite and above 1; 5 is the value of the table. `input` must have
/// points or distances: lists alone do not determine slopes.
///
/// # Accuracy
///
/// At 5, over 20 seeds per row, k = 10; noise is the standard deviation in units of the
/// data; true are edges whose length in true coordinates exceeds 3 times their length and
/// the median neighbor distance of either end. `cargo run -p compare --example shortcuts`
/// prints the table.
///
#[doc = include_str!("shortcuts.md")]
///
/// Two kinds of shortcuts are not detected. The first are edges of a point between two
/// layers that has neighbors in both, because the neighbors span the direction from one
/// layer to the other. The second are most shortcuts where noise is as large as the
/// neighbor distances, or where a large fraction of all edges are shortcuts.
///
/// Cost: O(n k (k² + k D)) time for the slopes; one bounded Dijkstra search per steep
/// edge, and n numbers per thread.
///
/// On the instability of geodesic distances under a single such edge: Balasubramanian
/// and Schwartz, *The Isomap algorithm and topological stability*, Science 295
/// (2002),
/// [doi:10.1126/science.295.5552.7a](https://doi.org/10.1126/science.295.5552.7a).
pub fn find_shortcuts(
    input: &Input<'_>,
    neighbors: &Neighbors,
    stretch: f64,
) -> Result<Vec<Shortcut>, Error> {
    if !(stretch.is_finite() && stretch > 1.0) {
        return Err(Error::parameter("stretch", "finite and above 1", stretch));
    }
    input.with_neighbors(neighbors).check()?;
    let observer = input.observer();
    observer.stage("shortcuts");
    proceed(observer, 0, neighbors.len())?;
    let local = local_lengths(neighbors);
    let distances = tangent_angle::distances(input)?;
    let mut found: Vec<Shortcut> = Vec::new();
    let mut rest = Graph::new(neighbors, Symmetry::Union);
    loop {
        let more = more_shortcuts(&rest, distances, stretch, &local, observer)?;
        if more.is_empty() {
            return Ok(found);
        }
        found.extend(more);
        found.sort_unstable_by_key(|edge| (edge.from, edge.to));
        let kept: Vec<(u32, u32, f64)> = edges(&rest)
            .filter(|&(from, to, _)| found.binary_search_by_key(&(from, to), |s| (s.from, s.to)).is_err())
            .collect();
        rest = Graph::from_edges(rest.len(), &kept)?;
    }
}

/// One round of [`find_shortcuts`]: the shortcuts of a graph, in ascending order.
fn more_shortcuts(
    graph: &Graph,
    distances: PairDistances<'_>,
    stretch: f64,
    local: &[f64],
    observer: &dyn Observer,
) -> Result<Vec<Shortcut>, Error> {
    let edges = sloped_edges(graph, &Slopes::new(graph, distances, observer)?);
    let Some(median) = median(edges.iter().map(|edge| edge.slope).collect()) else { return Ok(Vec::new()) };
    let limit = |edge: &Edge| stretch * length(edge.from, edge.to, edge.distance, local);
    let found = far_edges(graph, &edges, (STEEP * median).max(LEAST_STEEP), limit, observer)?;
    let shortcut = |edge: Edge| Shortcut { from: edge.from, to: edge.to, distance: edge.distance };
    Ok(found.into_iter().map(shortcut).collect())
}

/// Finds the edges of the union graph that are shortcuts by the true coordinates, in
/// ascending order: the distance of their ends there exceeds 3 times their length and 3
/// times the median neighbor distance of either end.
///
/// `truth` must have one row per point and be isometric to the manifold: otherwise the
/// scale varies, and sound edges are long too. O(n k d) time.
pub fn true_shortcuts(neighbors: &Neighbors, truth: Points<'_>) -> Result<Vec<Shortcut>, Error> {
    Input::from(truth).with_neighbors(neighbors).check()?;
    let graph = Graph::new(neighbors, Symmetry::Union);
    let local = local_lengths(neighbors);
    let far = |&(from, to, distance): &(u32, u32, f64)| {
        let squared = squared_distance(truth.row(from as usize), truth.row(to as usize));
        squared.sqrt() > TRUE_STRETCH * length(from, to, distance, &local)
    };
    let shortcut = |(from, to, distance)| Shortcut { from, to, distance };
    Ok(edges(&graph).filter(far).map(shortcut).collect())
}

/// Returns the lists without the [shortcuts](find_shortcuts) of their union graph, and
/// the removed shortcuts. Lists get shorter, and connected parts stay connected.
///
/// ```
/// use embedding::{Input, PointSet};
/// use neighbor_graph::{NeighborSearch, shortcuts::without_shortcuts};
/// // A spiral, and one edge between its turns.
/// let angle = |i: u32| 5.0 + 0.05 * f64::from(i);
/// let spiral = (0..180).flat_map(|i| [angle(i) * angle(i).cos(), angle(i) * angle(i).sin()]);
/// let points = PointSet::new(spiral.collect(), 2)?;
/// let lists = NeighborSearch::nearest(6).find(points.view())?;
/// let joined = lists.with_edges(&[(20, 146, 6.3)]);
/// let (cut, shortcuts) = without_shortcuts(&Input::from(&points), &joined, 5.0)?;
/// assert_eq!((shortcuts[0].from, shortcuts[0].to), (20, 146));
/// assert_eq!(cut.edge_count(), lists.edge_count());
/// # Ok::<(), embedding::Error>(())
/// ```
pub fn without_shortcuts(
    input: &Input<'_>,
    neighbors: &Neighbors,
    stretch: f64,
) -> Result<(Neighbors, Vec<Shortcut>), Error> {
    let shortcuts = find_shortcuts(input, neighbors, stretch)?;
    let named = |i: usize, j: usize| {
        let ends = (i.min(j) as u32, i.max(j) as u32);
        shortcuts.binary_search_by_key(&ends, |s| (s.from, s.to)).is_ok()
    };
    Ok((neighbors.filtered(|i, j| !named(i, j)), shortcuts))
}

/// The median neighbor distance of every point.
fn local_lengths(neighbors: &Neighbors) -> Vec<f64> {
    let middle = |distances: &[f64]| distances.get(distances.len() / 2).copied().unwrap_or(0.0);
    (0..neighbors.len()).map(|i| middle(neighbors.distances_of(i))).collect()
}

/// The length to which a detour is compared: the largest of the edge's length and the
/// local lengths at its ends.
fn length(from: u32, to: u32, distance: f64, local: &[f64]) -> f64 {
    distance.max(local[from as usize]).max(local[to as usize])
}

/// All edges in ascending order.
fn edges(graph: &Graph) -> impl Iterator<Item = (u32, u32, f64)> {
    (0..graph.len() as u32).flat_map(|i| {
        let (js, ws) = graph.of(i as usize);
        js.iter().zip(ws).filter(move |(j, _)| **j > i).map(move |(&j, &w)| (i, j, w))
    })
}

/// The same, each with the mean of the slopes at its ends.
fn sloped_edges(graph: &Graph, slopes: &Slopes) -> Vec<Edge> {
    let at = |i: u32, j: u32| {
        let position = graph.indices_of(i as usize).binary_search(&j).expect("edges have two directions");
        slopes.of(i)[position]
    };
    let edge = |(from, to, distance)| Edge { from, to, distance, slope: 0.5 * (at(from, to) + at(to, from)) };
    edges(graph).map(edge).collect()
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    let middle = values.len() / 2;
    values.sort_unstable_by(f64::total_cmp);
    values.get(middle).copied()
}

/// The edges with a slope above `steep` whose ends are connected without such edges, but not
/// within the limit.
fn far_edges(
    graph: &Graph,
    edges: &[Edge],
    steep: f64,
    limit: impl Fn(&Edge) -> f64 + Sync,
    observer: &dyn Observer,
) -> Result<Vec<Edge>, Error> {
    let (steep, flat): (Vec<Edge>, Vec<Edge>) = edges.iter().partition(|edge| edge.slope > steep);
    let flat: Vec<(u32, u32, f64)> = flat.iter().map(|edge| (edge.from, edge.to, edge.distance)).collect();
    let rest = Graph::from_edges(graph.len(), &flat)?;
    let parts = rest.components().of;
    let joined = |edge: &Edge| parts[edge.from as usize] == parts[edge.to as usize];
    let examined: Vec<Edge> = steep.into_iter().filter(joined).collect();
    let mut found = Vec::new();
    for (group, part) in examined.chunks(GROUP).enumerate() {
        let far: Vec<bool> = part
            .par_iter()
            .with_min_len(16)
            .map_init(
                || Detours::new(&rest),
                |detours, edge| !detours.within(edge.from, edge.to, limit(edge)),
            )
            .collect();
        found.extend(part.iter().zip(far).filter(|(_, far)| *far).map(|(edge, _)| *edge));
        proceed(observer, (group * GROUP + part.len()).min(examined.len()), examined.len())?;
    }
    Ok(found)
}
