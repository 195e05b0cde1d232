//! Many sources at once.

use crate::Graph;
use crate::heap::Heap;

/// Sources that share one sweep over the graph.
pub(crate) const LANES: usize = 16;

/// How many vertices around a source are searched for company.
const REACH: usize = 1024;

/// Sweeps that pop more than this many vertices per vertex change their order.
const PATIENCE: usize = 4;

type Lanes = [f64; LANES];

/// Sources in groups of at most [`LANES`] that lie close together, as indices
/// into `sources`; every source is in one group.
pub(crate) fn batches(graph: &Graph, sources: &[u32]) -> Vec<Vec<u32>> {
    // The sources of each vertex: a linked list, since one may be asked twice.
    const NONE: u32 = u32::MAX;
    let mut first = vec![NONE; graph.len()];
    let mut next = vec![NONE; sources.len()];
    for (s, &v) in sources.iter().enumerate().rev() {
        next[s] = first[v as usize];
        first[v as usize] = s as u32;
    }
    let mut seen = vec![NONE; graph.len()];
    let mut queue = Vec::with_capacity(REACH);
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
            for &j in graph.of(v).0 {
                if queue.len() < REACH && seen[j as usize] != s as u32 {
                    seen[j as usize] = s as u32;
                    queue.push(j);
                }
            }
        }
        batches.push(batch);
    }
    batches
}

/// The graph with its vertices renumbered breadth first, so that neighbors lie
/// close in memory.
#[derive(Debug)]
pub(crate) struct Ordered {
    offsets: Vec<usize>,
    arcs: Vec<(u32, f64)>,
    /// The new number of each vertex.
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
                for &j in graph.of(order[next] as usize).0 {
                    if number[j as usize] == u32::MAX {
                        number[j as usize] = order.len() as u32;
                        order.push(j);
                    }
                }
                next += 1;
            }
        }
        let mut offsets = vec![0];
        let mut arcs = Vec::with_capacity(2 * graph.edges());
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

/// The reusable state of one thread.
#[derive(Debug)]
pub(crate) struct Sweep {
    /// Per vertex its distance from each source.
    distances: Vec<Lanes>,
    heap: Heap,
    /// The same, source by source and in the graph's own numbering.
    rows: Vec<f64>,
}

impl Sweep {
    pub(crate) fn new(n: usize) -> Self {
        Self { distances: vec![[f64::INFINITY; LANES]; n], heap: Heap::new(n), rows: vec![0.0; n * LANES] }
    }

    /// Distances from up to [`LANES`] sources, one row each.
    pub(crate) fn run(&mut self, graph: &Ordered, sources: &[u32]) -> impl Iterator<Item = &[f64]> {
        if let [source] = *sources {
            self.alone(graph, source);
        } else {
            self.together(graph, sources);
        }
        self.rows.chunks_exact(graph.number.len()).take(sources.len())
    }

    /// Dijkstra's algorithm.
    fn alone(&mut self, graph: &Ordered, source: u32) {
        let n = graph.number.len();
        // The second row serves as the distances in the new numbering.
        let (row, rest) = self.rows.split_at_mut(n);
        let distances = &mut rest[..n];
        distances.fill(f64::INFINITY);
        let start = graph.number[source as usize];
        distances[start as usize] = 0.0;
        self.heap.offer(start, 0.0);
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

    /// Relaxes all lanes of a vertex at once.
    ///
    /// The queue orders vertices by their farthest lane, which settles nearly
    /// all of them the first time when the sources lie close. Where they do
    /// not (a long edge runs between them), the order changes to that of the
    /// nearest improved lane, which pops a vertex at most once per lane.
    fn together(&mut self, graph: &Ordered, sources: &[u32]) {
        let n = graph.number.len();
        self.distances.fill([f64::INFINITY; LANES]);
        for (lane, &source) in sources.iter().enumerate() {
            let v = graph.number[source as usize];
            self.distances[v as usize][lane] = 0.0;
            self.heap.offer(v, 0.0);
        }
        let mut pops = 0;
        while let Some((_, v)) = self.heap.pop() {
            pops += 1;
            let from = self.distances[v as usize];
            let farthest = from.iter().fold(0.0, |m, &d| if d > m && d < f64::INFINITY { d } else { m });
            for &(to, w) in graph.of(v) {
                let nearest = relax(&from, w, &mut self.distances[to as usize]);
                if nearest < f64::INFINITY {
                    self.heap.offer(to, if pops < PATIENCE * n { farthest + w } else { nearest });
                }
            }
        }
        for (i, &v) in graph.number.iter().enumerate() {
            for (lane, &d) in self.distances[v as usize].iter().enumerate().take(sources.len()) {
                self.rows[lane * n + i] = d;
            }
        }
    }
}

/// Shortens what `from` + w shortens; the least new distance, or infinity.
#[inline(always)]
fn relax(from: &Lanes, w: f64, to: &mut Lanes) -> f64 {
    let mut least = [f64::INFINITY; LANES];
    for l in 0..LANES {
        let candidate = from[l] + w;
        let shorter = candidate < to[l];
        least[l] = if shorter { candidate } else { f64::INFINITY };
        to[l] = if shorter { candidate } else { to[l] };
    }
    let mut width = LANES / 2;
    while width > 0 {
        for l in 0..width {
            least[l] = if least[l + width] < least[l] { least[l + width] } else { least[l] };
        }
        width /= 2;
    }
    least[0]
}
