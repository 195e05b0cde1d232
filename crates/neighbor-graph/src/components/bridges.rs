//! Shortest edges that connect the components.
//!
//! Borůvka's algorithm: every component but the largest finds its nearest point outside,
//! all these edges are added, and this is repeated until one component is left. Points
//! are stored in a k-d tree whose nodes record whether all their points belong to one
//! component; a search skips nodes of its own component and nodes farther than its best
//! edge. In high dimensions [`nearest_pairs`] considers all pairs.

use embedding::{Data, Error, Input, PointSet, Points, Rows, SparsePointSet};
use rayon::prelude::*;

use crate::components::bridge::Bridge;
use crate::components::labels::ComponentLabels;
use crate::components::nearest_pairs;
use crate::metric::{self, bounding_box, distance};
use crate::search::partition::least_above;
use crate::search::{self, sparse};

/// Dimensions from which on bounding boxes do not prune, and number of components up to
/// which the shortest edges of all pairs of components are stored.
const PAIRWISE: (usize, usize) = (64, 64);

/// The shortest edges that connect the components, for points of any scale, as in a neighbor search.
pub(crate) fn between(input: &Input<'_>, labels: &ComponentLabels) -> Result<Vec<Bridge>, Error> {
    let metric = input.metric();
    match input.data() {
        Data::Rows(Rows::Dense(points)) if metric.is_euclidean() => {
            let exponent = metric::exponent(points.into());
            let near = (exponent != 0).then(|| search::scaled(points, -exponent)).transpose()?;
            let points = near.as_ref().map_or(points, PointSet::view);
            undone(spanning_tree(points, labels), exponent)
        }
        Data::Rows(Rows::Dense(points)) => {
            let measured = metric.prepare(points)?;
            Ok(spanning_tree_of_pairs(|i, j| measured.distance(i, j), labels))
        }
        Data::Distances(distances) => Ok(spanning_tree_of_pairs(|i, j| distances.get(i, j), labels)),
        Data::Rows(Rows::Sparse(points)) => {
            let exponent = sparse::exponent(points, metric);
            let near = (exponent != 0).then(|| points.times_power_of_two(-exponent)).transpose()?;
            let measured = metric.prepare_sparse(near.as_ref().map_or(points, SparsePointSet::view))?;
            undone(spanning_tree_of_pairs(|i, j| measured.distance(i, j), labels), exponent)
        }
        Data::Neighbors(_) => Err(Error::degenerate(
            "components of given neighbor lists cannot be bridged: the distances between them are not known",
            "give the points as well, or choose the component policy largest or per-component",
        )),
    }
}

/// The bridges of points that were divided by 2ᵉ.
fn undone(mut bridges: Vec<Bridge>, e: i32) -> Result<Vec<Bridge>, Error> {
    search::multiply(bridges.iter_mut().map(|bridge| &mut bridge.distance), e)?;
    Ok(bridges)
}

/// Computes the minimum spanning tree over the components, shortest edge first. The
/// distance of two components is the distance of their closest points.
fn spanning_tree(points: Points<'_>, labels: &ComponentLabels) -> Vec<Bridge> {
    if points.dim() >= PAIRWISE.0 && labels.sizes.len() <= PAIRWISE.1 {
        return nearest_pairs::spanning_tree(points, labels);
    }
    by_tree(points, labels)
}

/// By Borůvka's algorithm on a k-d tree.
fn by_tree(points: Points<'_>, labels: &ComponentLabels) -> Vec<Bridge> {
    let mut tree = Tree::new(points);
    boruvka(labels, |group, count| {
        tree.label(group);
        shortest_out(points, &tree, group, count)
    })
}

/// The same for points with any distances. O(n² log c) distances for c components.
fn spanning_tree_of_pairs(
    distance: impl Fn(usize, usize) -> f64 + Sync,
    labels: &ComponentLabels,
) -> Vec<Bridge> {
    boruvka(labels, |group, count| {
        let nearest: Vec<Option<Bridge>> = (0..group.len() as u32)
            .into_par_iter()
            .map(|i| {
                let outside = (0..group.len() as u32).filter(|&j| group[j as usize] != group[i as usize]);
                let edge = |j| Bridge::new(i, j, distance(i as usize, j as usize));
                outside.map(edge).min_by(Bridge::order)
            })
            .collect();
        let mut shortest: Vec<Option<Bridge>> = vec![None; count];
        for (bridge, &own) in nearest.into_iter().zip(group) {
            let best = &mut shortest[own as usize];
            if let Some(bridge) = bridge.filter(|bridge| best.is_none_or(|b| bridge.before(&b))) {
                *best = Some(bridge);
            }
        }
        shortest
    })
}

/// Borůvka's algorithm: adds the edges of `shortest_out(group of each point, number
/// of groups)` until one group is left.
fn boruvka(
    labels: &ComponentLabels,
    mut shortest_out: impl FnMut(&[u32], usize) -> Vec<Option<Bridge>>,
) -> Vec<Bridge> {
    let mut group = labels.of.clone();
    let mut count = labels.sizes.len();
    let mut bridges: Vec<Bridge> = Vec::with_capacity(count - 1);
    while count > 1 {
        let mut union = petgraph::unionfind::UnionFind::<u32>::new(count);
        for bridge in shortest_out(&group, count).into_iter().flatten() {
            if union.union(group[bridge.from as usize], group[bridge.to as usize]) {
                bridges.push(bridge);
            }
        }
        // The remaining groups, numbered from zero.
        let mut number = vec![u32::MAX; count];
        count = 0;
        for g in &mut group {
            let root = union.find(*g) as usize;
            if number[root] == u32::MAX {
                number[root] = count as u32;
                count += 1;
            }
            *g = number[root];
        }
    }
    bridges.sort_by(Bridge::order);
    bridges
}

/// Returns for each group but the largest its shortest edge to another one.
fn shortest_out(points: Points<'_>, tree: &Tree, group: &[u32], count: usize) -> Vec<Option<Bridge>> {
    let mut sizes = vec![0_usize; count];
    group.iter().for_each(|&g| sizes[g as usize] += 1);
    let largest = (0..count).rev().max_by_key(|&g| sizes[g]).unwrap_or(0);
    // A chunk of points consecutive in the tree shares its bound; chunks are small,
    // because in high dimensions even a few points are worth distributing.
    let chunks: Vec<Vec<(u32, Option<Bridge>)>> = tree
        .order
        .par_chunks((points.len() / 64).clamp(16, 2048))
        .map(|chunk| {
            let mut best: Vec<(u32, Option<Bridge>)> = Vec::new();
            let mut place = vec![u32::MAX; count];
            for &i in chunk {
                let own = group[i as usize];
                if own as usize == largest {
                    continue;
                }
                if place[own as usize] == u32::MAX {
                    place[own as usize] = best.len() as u32;
                    best.push((own, None));
                }
                tree.nearest_outside(points, group, i, &mut best[place[own as usize] as usize].1);
            }
            best
        })
        .collect();
    let mut shortest: Vec<Option<Bridge>> = vec![None; count];
    for (own, found) in chunks.into_iter().flatten() {
        let best = &mut shortest[own as usize];
        if let Some(bridge) = found
            && best.is_none_or(|b| bridge.before(&b))
        {
            *best = Some(bridge);
        }
    }
    shortest
}

/// Largest number of points per leaf.
const LEAF: usize = 16;

/// Marks a node whose points belong to several groups.
const MIXED: u32 = u32::MAX;

/// A k-d tree over all points, split at the median of the longest side.
struct Tree {
    /// All points, ordered by leaves.
    order: Vec<u32>,
    nodes: Vec<Node>,
}

struct Node {
    /// The range of the node's points in `order`.
    start: u32,
    end: u32,
    /// Index of the first child, followed by the second; 0 for a leaf.
    children: u32,
    group: u32,
    low: Vec<f64>,
    high: Vec<f64>,
}

impl Tree {
    fn new(points: Points<'_>) -> Self {
        let mut order: Vec<u32> = (0..points.len() as u32).collect();
        let mut nodes = vec![Node::around(points, &order, 0)];
        let mut next = 0;
        while next < nodes.len() {
            let (start, end) = (nodes[next].start as usize, nodes[next].end as usize);
            let (axis, width) = nodes[next].widest();
            if end - start > LEAF && width > 0.0 {
                let middle = (end - start) / 2;
                least_above(&mut order[start..end], middle, points.values(), (points.dim(), axis));
                nodes[next].children = nodes.len() as u32;
                nodes.push(Node::around(points, &order[start..start + middle], start));
                nodes.push(Node::around(points, &order[start + middle..end], start + middle));
            }
            next += 1;
        }
        Self { order, nodes }
    }

    /// Updates the groups of the nodes, children before parents.
    fn label(&mut self, group: &[u32]) {
        for at in (0..self.nodes.len()).rev() {
            let node = &self.nodes[at];
            let one = match node.children as usize {
                0 => {
                    let members = &self.order[node.start as usize..node.end as usize];
                    let first = group[members[0] as usize];
                    if members.iter().all(|&j| group[j as usize] == first) { first } else { MIXED }
                }
                child if self.nodes[child].group == self.nodes[child + 1].group => self.nodes[child].group,
                _ => MIXED,
            };
            self.nodes[at].group = one;
        }
    }

    /// Replaces `best` if there is a shorter edge from point `i` to another group.
    fn nearest_outside(&self, points: Points<'_>, group: &[u32], i: u32, best: &mut Option<Bridge>) {
        let row = points.row(i as usize);
        let own = group[i as usize];
        let mut corner = vec![0.0; row.len()];
        let mut stack = vec![(0.0, 0_usize)];
        while let Some((gap, at)) = stack.pop() {
            let node = &self.nodes[at];
            if node.group == own || best.is_some_and(|b| gap > b.distance) {
                continue;
            }
            let child = node.children as usize;
            if child == 0 {
                for &j in &self.order[node.start as usize..node.end as usize] {
                    if group[j as usize] != own {
                        let d = distance(row, points.row(j as usize));
                        let bridge = Bridge::new(i, j, d);
                        if best.is_none_or(|b| bridge.before(&b)) {
                            *best = Some(bridge);
                        }
                    }
                }
            } else {
                let mut both = [child, child + 1].map(|c| (self.nodes[c].gap(row, &mut corner), c));
                both.sort_by(|a, b| b.0.total_cmp(&a.0));
                stack.extend(both);
            }
        }
    }
}

impl Node {
    fn around(points: Points<'_>, members: &[u32], start: usize) -> Self {
        let sides = bounding_box(members.iter().map(|&i| points.row(i as usize)), points.dim());
        let (low, high) = sides.into_iter().unzip();
        Self {
            start: start as u32,
            end: (start + members.len()) as u32,
            children: 0,
            group: MIXED,
            low,
            high,
        }
    }

    fn widest(&self) -> (usize, f64) {
        let widths = self.low.iter().zip(&self.high).map(|(low, high)| high - low).enumerate();
        widths.fold((0, 0.0), |widest, side| if side.1 > widest.1 { side } else { widest })
    }

    /// Returns the distance from a row to the nearest point `corner` of the box.
    ///
    /// Differences, squares and sums are rounded monotonically and in the same order, so
    /// the result never exceeds the computed distance to a point inside.
    fn gap(&self, row: &[f64], corner: &mut [f64]) -> f64 {
        for (c, (&x, (&low, &high))) in corner.iter_mut().zip(row.iter().zip(self.low.iter().zip(&self.high)))
        {
            *c = x.clamp(low, high);
        }
        distance(row, corner)
    }
}

#[cfg(test)]
mod tests {
    use embedding::PointSet;

    use super::*;

    /// Returns pseudorandom points, with component labels in no particular order.
    fn scattered(n: usize, dim: usize, count: u32, spread: f64) -> (PointSet, ComponentLabels) {
        let of: Vec<u32> =
            (0..n as u32).map(|i| if i < count { i } else { i * i * 31 % 97 % count }).collect();
        let value = |e: usize| {
            let wave = ((e * 7919 % 10_007) as f64 * 12.9898).sin() * 43_758.547;
            wave - wave.floor() + spread * f64::from(of[e / dim])
        };
        let sizes = (0..count).map(|c| of.iter().filter(|g| **g == c).count()).collect();
        (
            PointSet::new((0..n * dim).map(value).collect(), dim).expect("finite"),
            ComponentLabels { of, sizes },
        )
    }

    #[test]
    fn all_pairs_and_the_tree_agree() {
        for (n, dim, count) in [(2, 64, 2), (90, 3, 5), (90, 8, 7), (120, 77, 9), (70, 600, 3)] {
            for spread in [0.0, 0.5] {
                let (points, labels) = scattered(n, dim, count, spread);
                let expected = by_tree(points.view(), &labels);
                assert_eq!(expected.len(), count as usize - 1);
                assert_eq!(
                    nearest_pairs::spanning_tree(points.view(), &labels),
                    expected,
                    "{n}, {dim}, {count}"
                );
            }
        }
        // Only zeros and ones, so that all distances are tied.
        let (points, labels) = scattered(150, 70, 6, 0.0);
        let bits = points.view().values().iter().map(|v| f64::from(*v > 0.9)).collect();
        let points = PointSet::new(bits, 70).expect("finite");
        assert_eq!(nearest_pairs::spanning_tree(points.view(), &labels), by_tree(points.view(), &labels));
    }
}
