//! Neighbor lists in three flat arrays, and their parallel construction.

use embedding::implement::proceed;
use embedding::{Error, Neighborhood, Neighbors, Observer, Search};
use rayon::prelude::*;

use crate::search::query_rule::{QueryRule, Radii};

/// One list of (index, distance), nearest first, ties by index.
pub(crate) type List = Vec<(u32, f64)>;

/// Sorts by (distance, index), the order of all lists in this crate.
pub(crate) fn sort(list: &mut [(u32, f64)]) {
    list.sort_unstable_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
}

/// Lists up to this length are sorted whole.
const SHORT: usize = 20;

/// Keeps the first `k` by (distance, index), sorted.
pub(crate) fn keep_nearest(list: &mut List, k: usize) {
    // For short, nearly sorted lists sorting is faster than selection.
    if k < list.len() && list.len() > SHORT {
        list.select_nth_unstable_by(k, |a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        list.truncate(k);
    }
    sort(list);
    list.truncate(k);
}

/// Keeps what a rule selects for query `q` from a list of all candidates, sorted.
pub(crate) fn keep(list: &mut List, rule: QueryRule<'_>, q: usize) {
    match rule {
        QueryRule::Nearest { k } => keep_nearest(list, k),
        QueryRule::Within { radii } => {
            list.retain(|e| e.1 <= radii.of(q));
            sort(list);
        }
    }
}

/// Lists stored consecutively.
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

    /// Allocates space for `count` lists with `edges` entries in total.
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

    /// The number of lists.
    pub(crate) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The lists without entries beyond their radius.
    pub(crate) fn within(&self, radii: Radii<'_>) -> Self {
        let mut kept = Self::with_capacity(self.len(), self.indices.len());
        for (q, (js, ds)) in self.iter().enumerate() {
            let count = ds.partition_point(|d| *d <= radii.of(q));
            kept.indices.extend_from_slice(&js[..count]);
            kept.distances.extend_from_slice(&ds[..count]);
            kept.offsets.push(kept.indices.len());
        }
        kept
    }

    /// List `q`.
    pub(crate) fn of(&self, q: usize) -> (&[u32], &[f64]) {
        let entries = self.offsets[q]..self.offsets[q + 1];
        (&self.indices[entries.clone()], &self.distances[entries])
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[u32], &[f64])> {
        self.offsets.windows(2).map(|w| (&self.indices[w[0]..w[1]], &self.distances[w[0]..w[1]]))
    }

    /// The lists as the result of a search.
    pub(crate) fn into_neighbors(self, neighborhood: Neighborhood, found_by: Option<Search>) -> Neighbors {
        Neighbors::from_sorted(self.offsets, self.indices, self.distances, neighborhood, found_by)
    }

    pub(crate) fn into_vecs(self) -> Vec<List> {
        self.iter().map(|(js, ds)| js.iter().copied().zip(ds.iter().copied()).collect()).collect()
    }
}

/// Concatenates the lists of all parts and permutes them: the list at position p is moved
/// to `order[p]`.
pub(crate) fn returned(parts: &[Lists], order: &[u32]) -> Lists {
    let mut origins = vec![(0, 0); order.len()];
    let mut next = order.iter();
    for (part, lists) in parts.iter().enumerate() {
        for (at, &i) in (0..lists.offsets.len() - 1).zip(&mut next) {
            origins[i as usize] = (part as u32, at as u32);
        }
    }
    let of = |&(part, at): &(u32, u32)| {
        let lists = &parts[part as usize];
        let range = lists.offsets[at as usize]..lists.offsets[at as usize + 1];
        (&lists.indices[range.clone()], &lists.distances[range])
    };
    let mut offsets = vec![0];
    offsets.extend(origins.iter().scan(0, |end, origin| {
        *end += of(origin).0.len();
        Some(*end)
    }));
    let edges = offsets[order.len()];
    let (mut indices, mut distances) = (vec![0; edges], vec![0.0; edges]);
    let entries = cut(&mut indices, &offsets).into_par_iter().zip(cut(&mut distances, &offsets));
    origins.par_chunks(CHUNK).zip(entries).for_each(|(origins, (mut indices, mut distances))| {
        for (js, ds) in origins.iter().map(of) {
            indices.split_off_mut(..js.len()).expect("space for every list").copy_from_slice(js);
            distances.split_off_mut(..ds.len()).expect("space for every list").copy_from_slice(ds);
        }
    });
    Lists { offsets, indices, distances }
}

/// Splits entries at every [`CHUNK`] lists.
fn cut<'a, T>(mut entries: &'a mut [T], offsets: &[usize]) -> Vec<&'a mut [T]> {
    let count = offsets.len() - 1;
    (0..count)
        .step_by(CHUNK)
        .map(|first| {
            let length = offsets[count.min(first + CHUNK)] - offsets[first];
            entries.split_off_mut(..length).expect("offsets end with the entries")
        })
        .collect()
}

/// Queries per task.
const CHUNK: usize = 256;

/// Tasks between progress reports.
const GROUP: usize = 64;

/// Calls `fill(scratch, i, lists)` for each i < count, which pushes the list of i: chunks
/// in parallel, results in order.
pub(crate) fn fill_in_order<S>(
    count: usize,
    observer: &dyn Observer,
    scratch: impl Fn() -> S + Sync,
    fill: impl Fn(&mut S, usize, &mut Lists) + Sync,
) -> Result<Lists, Error> {
    let parts = fill_in_parts(count, observer, scratch, fill)?;
    let mut all = Lists::with_capacity(count, parts.iter().map(|part| part.indices.len()).sum());
    parts.iter().for_each(|part| all.append(part));
    Ok(all)
}

/// As [`fill_in_order`], with the results in parts.
pub(crate) fn fill_in_parts<S>(
    count: usize,
    observer: &dyn Observer,
    scratch: impl Fn() -> S + Sync,
    fill: impl Fn(&mut S, usize, &mut Lists) + Sync,
) -> Result<Vec<Lists>, Error> {
    proceed(observer, 0, count)?;
    let mut parts = Vec::with_capacity(count.div_ceil(CHUNK));
    for start in (0..count).step_by(CHUNK * GROUP) {
        let end = count.min(start + CHUNK * GROUP);
        let starts: Vec<usize> = (start..end).step_by(CHUNK).collect();
        parts.par_extend(starts.into_par_iter().map(|from| {
            let mut own = scratch();
            let mut lists = Lists::new();
            for i in from..end.min(from + CHUNK) {
                fill(&mut own, i, &mut lists);
            }
            lists
        }));
        proceed(observer, end, count)?;
    }
    Ok(parts)
}
