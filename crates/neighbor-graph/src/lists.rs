//! Many lists in three flat arrays, and the loop that fills them.

use embedding::{Error, Observer, proceed};
use rayon::prelude::*;

/// One list: (index, distance), nearest first, ties by index.
pub(crate) type List = Vec<(u32, f64)>;

/// Sorts by (distance, index): the one order of this crate.
pub(crate) fn sort(list: &mut [(u32, f64)]) {
    list.sort_unstable_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
}

/// Keeps the `k` first by (distance, index), sorted.
pub(crate) fn keep_nearest(list: &mut List, k: usize) {
    if k < list.len() {
        list.select_nth_unstable_by(k, |a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        list.truncate(k);
    }
    sort(list);
}

/// Lists one after another.
#[derive(Debug)]
pub(crate) struct Lists {
    pub(crate) offsets: Vec<usize>,
    pub(crate) indices: Vec<u32>,
    pub(crate) distances: Vec<f64>,
}

impl Lists {
    pub(crate) fn new() -> Self {
        Self { offsets: vec![0], indices: Vec::new(), distances: Vec::new() }
    }

    /// Room for `count` lists of `edges` entries together.
    pub(crate) fn with_capacity(count: usize, edges: usize) -> Self {
        let mut offsets = Vec::with_capacity(count + 1);
        offsets.push(0);
        Self { offsets, indices: Vec::with_capacity(edges), distances: Vec::with_capacity(edges) }
    }

    pub(crate) fn push(&mut self, list: &[(u32, f64)]) {
        self.indices.extend(list.iter().map(|e| e.0));
        self.distances.extend(list.iter().map(|e| e.1));
        self.offsets.push(self.indices.len());
    }

    pub(crate) fn append(&mut self, other: &Self) {
        let base = self.indices.len();
        self.indices.extend_from_slice(&other.indices);
        self.distances.extend_from_slice(&other.distances);
        self.offsets.extend(other.offsets[1..].iter().map(|o| base + o));
    }

    /// The lists where they belong: the one at position p to `order[p]`.
    pub(crate) fn returned(&self, order: &[u32]) -> Self {
        let mut position = vec![0_u32; order.len()];
        for (at, &i) in order.iter().enumerate() {
            position[i as usize] = at as u32;
        }
        let mut lists = Self::with_capacity(order.len(), self.indices.len());
        for &at in &position {
            let range = self.offsets[at as usize]..self.offsets[at as usize + 1];
            lists.indices.extend_from_slice(&self.indices[range.clone()]);
            lists.distances.extend_from_slice(&self.distances[range]);
            lists.offsets.push(lists.indices.len());
        }
        lists
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[u32], &[f64])> {
        self.offsets.windows(2).map(|w| (&self.indices[w[0]..w[1]], &self.distances[w[0]..w[1]]))
    }

    pub(crate) fn into_vecs(self) -> Vec<List> {
        self.iter().map(|(js, ds)| js.iter().copied().zip(ds.iter().copied()).collect()).collect()
    }
}

/// Queries per task.
const CHUNK: usize = 256;

/// Tasks between two reports to the observer.
const GROUP: usize = 64;

/// Calls `fill(scratch, i, lists)` for each i < count, which pushes what belongs
/// to i: chunks in parallel, results in order.
pub(crate) fn fill_in_order<S>(
    count: usize,
    observer: &dyn Observer,
    scratch: impl Fn() -> S + Sync,
    fill: impl Fn(&mut S, usize, &mut Lists) + Sync,
) -> Result<Lists, Error> {
    proceed(observer, 0, count)?;
    let mut all = Lists::new();
    for start in (0..count).step_by(CHUNK * GROUP) {
        let end = count.min(start + CHUNK * GROUP);
        let starts: Vec<usize> = (start..end).step_by(CHUNK).collect();
        let parts: Vec<Lists> = starts
            .into_par_iter()
            .map(|from| {
                let mut own = scratch();
                let mut lists = Lists::new();
                for i in from..end.min(from + CHUNK) {
                    fill(&mut own, i, &mut lists);
                }
                lists
            })
            .collect();
        parts.iter().for_each(|part| all.append(part));
        proceed(observer, end, count)?;
    }
    Ok(all)
}
