//! Shortest paths from batches of sources.

use faer::traits::pulp::{Arch, NullaryFnOnce};

use crate::Graph;
use crate::graph::heap::Heap;

/// Number of sources searched together.
pub(crate) const LANES: usize = 16;

/// Smallest number of vertices around a source that are searched for other sources.
const REACH: usize = 1024;

/// A region with at most one in this number of vertices is searched for each source separately first.
const REGION: usize = 4;

/// Average pops per vertex above which the order of the queue is changed.
const PATIENCE: usize = 4;

type Lanes = [f64; LANES];

/// Groups sources, each at a vertex, into batches of at most [`LANES`] nearby ones, as indices into
/// `sources`; every source is in one batch.
pub(crate) fn batches(graph: &Graph, sources: &[u32]) -> Vec<Vec<u32>> {
    // The sources of each vertex as a linked list, since a vertex may occur several
    // times.
    const NONE: u32 = u32::MAX;
    let mut first = vec![NONE; graph.len()];
    let mut next = vec![NONE; sources.len()];
    for (s, &v) in sources.iter().enumerate().rev() {
        next[s] = first[v as usize];
        first[v as usize] = s as u32;
    }
    // If sources are few, their typical distance is larger.
    let reach = REACH.max(2 * LANES * graph.len() / sources.len().max(1));
    let mut seen = vec![NONE; graph.len()];
    let mut queue = Vec::with_capacity(reach);
    let mut batches = Vec::new();
    for (s, &start) in sources.iter().enumerate() {
        if first[start as usize] == NONE {
            continue;
        }
        let mut batch = Vec::with_capacity(LANES);
        queue.clear();
        queue.push(start);
        seen[start as usize] = s as u32;
        let mut at = 0;
        while at < queue.len() && batch.len() < LANES {
            let v = queue[at] as usize;
            at += 1;
            while first[v] != NONE && batch.len() < LANES {
                batch.push(first[v]);
                first[v] = next[first[v] as usize];
            }
            for &j in graph.indices_of(v) {
                if queue.len() < reach && seen[j as usize] != s as u32 {
                    seen[j as usize] = s as u32;
                    queue.push(j);
                }
            }
        }
        batches.push(batch);
    }
    batches
}

/// The graph with vertices renumbered in breadth-first order, for memory locality.
#[derive(Debug)]
pub(crate) struct Ordered {
    offsets: Vec<usize>,
    arcs: Vec<(u32, f64)>,
    /// The new index of each vertex.
    number: Vec<u32>,
}

impl Ordered {
    pub(crate) fn new(graph: &Graph) -> Self {
        let n = graph.len();
        let mut number = vec![u32::MAX; n];
        let mut order: Vec<u32> = Vec::with_capacity(n);
        for start in 0..n {
            if number[start] != u32::MAX {
                continue;
            }
            let mut next = order.len();
            number[start] = next as u32;
            order.push(start as u32);
            while next < order.len() {
                for &j in graph.indices_of(order[next] as usize) {
                    if number[j as usize] == u32::MAX {
                        number[j as usize] = order.len() as u32;
                        order.push(j);
                    }
                }
                next += 1;
            }
        }
        let mut offsets = vec![0];
        let mut arcs = Vec::with_capacity(2 * graph.edge_count());
        for &i in &order {
            let (js, ws) = graph.of(i as usize);
            arcs.extend(js.iter().zip(ws).map(|(&j, &w)| (number[j as usize], w)));
            offsets.push(arcs.len());
        }
        Self { offsets, arcs, number }
    }

    fn of(&self, v: u32) -> &[(u32, f64)] {
        &self.arcs[self.offsets[v as usize]..self.offsets[v as usize + 1]]
    }
}

/// The reusable workspace of one thread.
#[derive(Debug)]
pub(crate) struct Workspace {
    /// The distances of each vertex from the sources.
    distances: Vec<Lanes>,
    heap: Heap,
    /// Whether each vertex lies between the sources.
    between: Vec<bool>,
    /// The distances by source, in the graph's own numbering.
    rows: Vec<f64>,
}

impl Workspace {
    pub(crate) fn new(n: usize) -> Self {
        Self {
            distances: vec![[f64::INFINITY; LANES]; n],
            heap: Heap::new(n),
            between: vec![false; n],
            rows: vec![0.0; n * LANES],
        }
    }

    /// Computes the distances from up to [`LANES`] sources, one row each. A source is connected to
    /// the graph by edges (vertex, length), a vertex to itself by one of length 0.
    pub(crate) fn run(&mut self, graph: &Ordered, sources: &[&[(u32, f64)]]) -> impl Iterator<Item = &[f64]> {
        if let [source] = *sources {
            self.run_single(graph, source);
        } else {
            self.run_batch(graph, sources);
        }
        self.rows.chunks_exact(graph.number.len()).take(sources.len())
    }

    /// Dijkstra's algorithm for a single source.
    fn run_single(&mut self, graph: &Ordered, source: &[(u32, f64)]) {
        let n = graph.number.len();
        // The second row stores the distances in the new numbering.
        let (row, rest) = self.rows.split_at_mut(n);
        let distances = &mut rest[..n];
        distances.fill(f64::INFINITY);
        for &(start, length) in source {
            let start = graph.number[start as usize];
            if length < distances[start as usize] {
                distances[start as usize] = length;
                self.heap.offer(start, length);
            }
        }
        while let Some((d, v)) = self.heap.pop() {
            for &(to, w) in graph.of(v) {
                let candidate = d + w;
                if candidate < distances[to as usize] {
                    distances[to as usize] = candidate;
                    self.heap.offer(to, candidate);
                }
            }
        }
        for (value, &v) in row.iter_mut().zip(&graph.number) {
            *value = distances[v as usize];
        }
    }

    /// Relaxes all sources (lanes) of a vertex together.
    ///
    /// First the distances to all vertices between the sources are computed for each lane
    /// separately, so that all lanes start from there together, unless these are a large part of the
    /// graph. Then vertices are ordered by their farthest lane, which settles nearly all of them at
    /// the first visit. If the sources are not close (a long edge lies between them), vertices are
    /// ordered by their nearest improved lane instead, which visits a vertex at most once per lane.
    fn run_batch(&mut self, graph: &Ordered, sources: &[&[(u32, f64)]]) {
        self.distances.fill([f64::INFINITY; LANES]);
        for v in self.initialize(graph, sources) {
            self.heap.offer(v, farthest(&self.distances[v as usize]));
        }
        Arch::new().dispatch(Relaxation { workspace: self, graph });
        let n = graph.number.len();
        for (i, &v) in graph.number.iter().enumerate() {
            for (lane, &d) in self.distances[v as usize].iter().enumerate().take(sources.len()) {
                self.rows[lane * n + i] = d;
            }
        }
    }

    /// Collects the vertices around the sources in breadth-first order until all ends of their edges
    /// are reached, and computes upper bounds on their distances, from paths within these vertices.
    /// Returns these vertices, or where they are many only the ends, with the lengths of the edges
    /// as bounds.
    fn initialize(&mut self, graph: &Ordered, sources: &[&[(u32, f64)]]) -> Vec<u32> {
        let mut ends: Vec<u32> =
            sources.iter().flat_map(|edges| edges.iter()).map(|edge| graph.number[edge.0 as usize]).collect();
        ends.sort_unstable();
        ends.dedup();
        let mut region = Vec::new();
        for &end in &ends {
            // Further components have their own ends.
            if self.between[end as usize] {
                continue;
            }
            self.between[end as usize] = true;
            let mut at = region.len();
            region.push(end);
            let reached = |v: &u32| ends.binary_search(v).is_ok();
            let mut missing = ends.iter().filter(|&&end| !self.between[end as usize]).count();
            while missing > 0 && at < region.len() {
                for &(to, _) in graph.of(region[at]) {
                    if !self.between[to as usize] {
                        self.between[to as usize] = true;
                        missing -= usize::from(reached(&to));
                        region.push(to);
                    }
                }
                at += 1;
            }
        }
        let large = region.len() > graph.number.len() / REGION;
        for (lane, edges) in sources.iter().enumerate() {
            for &(end, length) in *edges {
                let end = graph.number[end as usize];
                let known = &mut self.distances[end as usize][lane];
                if length < *known {
                    *known = length;
                    if !large {
                        self.heap.offer(end, length);
                    }
                }
            }
            while let Some((d, v)) = self.heap.pop() {
                for &(to, w) in graph.of(v) {
                    let known = &mut self.distances[to as usize][lane];
                    if self.between[to as usize] && d + w < *known {
                        *known = d + w;
                        self.heap.offer(to, d + w);
                    }
                }
            }
        }
        region.iter().for_each(|&v| self.between[v as usize] = false);
        if large { ends } else { region }
    }

    #[inline(always)]
    fn relax(&mut self, graph: &Ordered) {
        let mut pops = 0;
        while let Some((_, v)) = self.heap.pop() {
            pops += 1;
            let patient = pops < PATIENCE * graph.number.len();
            let from = self.distances[v as usize];
            let farthest = farthest(&from);
            for &(to, w) in graph.of(v) {
                let there = &mut self.distances[to as usize];
                let before = *there;
                let after = relaxed(&from, w, &before);
                if differ(&after, &before) {
                    *there = after;
                    self.heap.offer(to, if patient { farthest + w } else { nearest(&after, &before) });
                }
            }
        }
    }
}

/// The relaxation phase, dispatched to the widest SIMD instructions available.
struct Relaxation<'a> {
    workspace: &'a mut Workspace,
    graph: &'a Ordered,
}

impl NullaryFnOnce for Relaxation<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.workspace.relax(self.graph);
    }
}

// The functions below take and return whole arrays, and each loop applies one operation
// to all lanes, so that they vectorize. A conditional assignment would become a masked
// store, which is slow on some processors.

/// Returns the largest finite distance.
#[inline(always)]
fn farthest(lanes: &Lanes) -> f64 {
    let mut known = [0.0; LANES];
    for l in 0..LANES {
        known[l] = if lanes[l] < f64::INFINITY { lanes[l] } else { 0.0 };
    }
    folded(known, |a, b| if a > b { a } else { b })
}

/// Returns the minimum of the current distances and those via `from` + w.
#[inline(always)]
fn relaxed(from: &Lanes, w: f64, before: &Lanes) -> Lanes {
    let mut after = [0.0; LANES];
    for l in 0..LANES {
        let candidate = from[l] + w;
        after[l] = if candidate < before[l] { candidate } else { before[l] };
    }
    after
}

#[inline(always)]
fn differ(after: &Lanes, before: &Lanes) -> bool {
    let mut any = false;
    for l in 0..LANES {
        any |= after[l] < before[l];
    }
    any
}

/// Returns the smallest of the distances that decreased.
#[inline(always)]
fn nearest(after: &Lanes, before: &Lanes) -> f64 {
    let mut shorter = [f64::INFINITY; LANES];
    for l in 0..LANES {
        shorter[l] = if after[l] < before[l] { after[l] } else { f64::INFINITY };
    }
    folded(shorter, |a, b| if a < b { a } else { b })
}

#[inline(always)]
fn folded(mut lanes: Lanes, of: impl Fn(f64, f64) -> f64) -> f64 {
    let mut width = LANES / 2;
    while width > 0 {
        for l in 0..width {
            lanes[l] = of(lanes[l], lanes[l + width]);
        }
        width /= 2;
    }
    lanes[0]
}
