//! Directed neighbor lists.

use serde::{Deserialize, Serialize};

use crate::implement::Scale;
use crate::{Error, Neighborhood};

/// For each of n points its neighbors, nearest first.
///
/// Invariants: lists are sorted by (distance, index); no point is its own
/// neighbor (self is excluded by index, so duplicates are neighbors of each other)
/// nor listed twice; distances are finite and not negative. Reading a saved value
/// checks them.
///
/// Two values are equal when their lists and their rule are, however found.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "RawNeighbors")]
pub struct Neighbors {
    offsets: Vec<usize>,
    indices: Vec<u32>,
    distances: Vec<f64>,
    neighborhood: Neighborhood,
    found_by: Option<Search>,
}

/// The algorithm of a neighbor search. All but the approximate one return the same lists,
/// to the bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Search {
    /// Chosen by the number of dimensions and points.
    #[default]
    Auto,
    /// A k-d tree; fast in few dimensions, at most 8. About O(n k log n) time
    /// where the data fill few dimensions, O(n) memory.
    KdTree,
    /// Bounds for all pairs by matrix products in single precision, exact
    /// distances for the pairs that the bounds leave. O(n² D) time, O(n D) memory.
    BruteForce,
    /// The same with bounds from a projection to the leading directions. The
    /// wider the spectrum, the more pairs are left: O(n² + f n² D) time with f
    /// their fraction.
    Projected,
    /// Comparison with nearby blocks of points, or of neighbors of neighbors: most of the lists
    /// are right, and how many is measured. Never chosen by `Auto`.
    Approximate,
}

crate::words!(Search {
    Auto = "auto",
    KdTree = "kd-tree",
    BruteForce = "brute-force",
    Projected = "projected",
    Approximate = "approximate"
});

impl PartialEq for Neighbors {
    fn eq(&self, other: &Self) -> bool {
        self.offsets == other.offsets
            && self.indices == other.indices
            && self.distances == other.distances
            && self.neighborhood == other.neighborhood
    }
}

impl Neighbors {
    /// Takes neighbors that were found elsewhere: for each point its (index, distance)
    /// pairs in any order, and the rule they obey. Lists may be shorter than the rule's
    /// k.
    ///
    /// Fails with [`Error::Parameter`] when a list contains its own point, an index
    /// out of range, or one point twice; when a distance is negative, NaN
    /// or infinite; and when a list is longer than the rule's k or reaches
    /// beyond its radius.
    ///
    /// ```
    /// use embedding::{Neighborhood, Neighbors};
    /// let lists = vec![vec![(1, 0.5)], vec![(0, 0.5)]];
    /// let neighbors = Neighbors::from_lists(lists, Neighborhood::Nearest { k: 1 })?;
    /// assert_eq!(neighbors.of(0), (&[1][..], &[0.5][..]));
    /// assert!(Neighbors::from_lists(vec![vec![(0, 0.0)]], Neighborhood::Nearest { k: 1 }).is_err());
    /// # Ok::<(), embedding::Error>(())
    /// ```
    pub fn from_lists(lists: Vec<Vec<(u32, f64)>>, neighborhood: Neighborhood) -> Result<Self, Error> {
        if lists.is_empty() {
            return Err(Error::TooFewPoints { what: "a neighbor graph", needed: 1, got: 0 });
        }
        neighborhood.check(lists.len())?;
        for (i, list) in lists.iter().enumerate() {
            let (legal, got) = match neighborhood {
                Neighborhood::Nearest { k } => (list.len() <= k, list.len().to_string()),
                Neighborhood::Within { radius } => {
                    let farthest = list.iter().map(|e| e.1).fold(0.0, f64::max);
                    (farthest <= radius, farthest.to_string())
                }
            };
            if !legal {
                return Err(Error::parameter(
                    "a neighbor list",
                    match neighborhood {
                        Neighborhood::Nearest { k } => format!("at most {k} long, the number of neighbors"),
                        Neighborhood::Within { radius } => format!("within the radius {radius}"),
                    },
                    format!("{got} at point {i}"),
                ));
            }
        }
        let mut all = Self::empty(neighborhood, None, lists.len());
        for mut list in lists {
            list.iter_mut().for_each(|e| e.1 += 0.0);
            sort(&mut list);
            all.push(&list);
        }
        all.check_entries()?;
        Ok(all)
    }

    /// Lists in compressed form, as a search finds them: list i is
    /// `offsets[i]..offsets[i + 1]` of the entries. The caller guarantees the
    /// invariants of the type; debug builds check them.
    pub fn from_sorted(
        offsets: Vec<usize>,
        indices: Vec<u32>,
        distances: Vec<f64>,
        neighborhood: Neighborhood,
        found_by: Option<Search>,
    ) -> Self {
        let lists = Self { offsets, indices, distances, neighborhood, found_by };
        debug_assert!(lists.check_offsets().is_ok());
        lists
    }

    fn empty(neighborhood: Neighborhood, found_by: Option<Search>, lists: usize) -> Self {
        let mut offsets = Vec::with_capacity(lists + 1);
        offsets.push(0);
        Self { offsets, indices: Vec::new(), distances: Vec::new(), neighborhood, found_by }
    }

    fn push(&mut self, list: &[(u32, f64)]) {
        self.indices.extend(list.iter().map(|e| e.0));
        self.distances.extend(list.iter().map(|e| e.1));
        self.offsets.push(self.indices.len());
    }

    /// The number of points, n.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The rule these lists obey.
    pub fn neighborhood(&self) -> Neighborhood {
        self.neighborhood
    }

    /// The algorithm that found them, never [`Search::Auto`]; `None` where the
    /// lists, the distances or the metric were given.
    pub fn found_by(&self) -> Option<Search> {
        self.found_by
    }

    /// Indices of and distances to the neighbors of point `i`, nearest first.
    ///
    /// Panics unless `i` < n.
    pub fn of(&self, i: usize) -> (&[u32], &[f64]) {
        let range = self.offsets[i]..self.offsets[i + 1];
        (&self.indices[range.clone()], &self.distances[range])
    }

    /// Indices of the neighbors of point `i`, nearest first.
    ///
    /// Panics unless `i` < n.
    pub fn indices_of(&self, i: usize) -> &[u32] {
        self.of(i).0
    }

    /// Distances to the neighbors of point `i`, in ascending order.
    ///
    /// Panics unless `i` < n.
    pub fn distances_of(&self, i: usize) -> &[f64] {
        self.of(i).1
    }

    /// The number of directed edges.
    pub fn edge_count(&self) -> usize {
        self.indices.len()
    }

    /// The memory of the arrays, in bytes.
    pub fn bytes(&self) -> u64 {
        (self.offsets.len() * size_of::<usize>() + self.edge_count() * (size_of::<u32>() + size_of::<f64>()))
            as u64
    }

    /// The lengths of the shortest and the longest list.
    pub fn degrees(&self) -> (usize, usize) {
        let degree = |i: usize| self.offsets[i + 1] - self.offsets[i];
        let all = (0..self.len()).map(degree);
        (all.clone().min().unwrap_or(0), all.max().unwrap_or(0))
    }

    /// The lists for a smaller k: exactly what a search with that k returns.
    pub fn truncated(&self, k: usize) -> Result<Self, Error> {
        match self.neighborhood {
            Neighborhood::Nearest { k: most } if (1..=most).contains(&k) => {}
            other => {
                return Err(Error::parameter("k", format!("at least 1 and at most the k of {other:?}"), k));
            }
        }
        let mut shorter = self.map_lists(|_, list| list.truncate(k));
        shorter.neighborhood = Neighborhood::Nearest { k };
        Ok(shorter)
    }

    /// Keeps the edges i → j that `keep(i, j)` accepts (labels, time windows, …).
    ///
    /// Lists get shorter. To find the k nearest among the accepted points, search with
    /// distances that are infinite for the other points.
    pub fn filtered(&self, keep: impl Fn(usize, usize) -> bool) -> Self {
        self.map_lists(|i, list| list.retain(|e| keep(i, e.0 as usize)))
    }

    /// The lists of the given rows (in increasing order), renumbered; entries that lead
    /// outside are dropped.
    pub fn restricted(&self, rows: &[u32]) -> Self {
        let mut part = Self::empty(self.neighborhood, self.found_by, rows.len());
        let mut list = Vec::new();
        for &row in rows {
            let (js, ds) = self.of(row as usize);
            list.clear();
            let renumbered = js
                .iter()
                .zip(ds)
                .filter_map(|(j, &d)| rows.binary_search(j).ok().map(|local| (local as u32, d)));
            list.extend(renumbered);
            part.push(&list);
        }
        part
    }

    /// Adds the edges from → to and to → from of the given distances; none of them
    /// may be in the lists yet.
    pub fn with_edges(&self, edges: &[(u32, u32, f64)]) -> Self {
        let mut added: Vec<(u32, u32, f64)> =
            edges.iter().flat_map(|&(i, j, d)| [(i, j, d), (j, i, d)]).collect();
        added.sort_unstable_by_key(|e| (e.0, e.1));
        self.map_lists(|i, list| {
            let first = added.partition_point(|e| (e.0 as usize) < i);
            let own = added[first..].iter().take_while(|e| e.0 as usize == i);
            let before = list.len();
            list.extend(own.map(|e| (e.1, e.2)));
            if list.len() > before {
                sort(list);
            }
        })
    }

    /// The lists of the points divided by a power of two. Fails where a distance leaves the range
    /// of numbers.
    pub(crate) fn divided(&self, scale: Scale) -> Result<Self, Error> {
        let divided = Self {
            distances: self.distances.iter().map(|d| scale.quotient(*d)).collect(),
            neighborhood: self.neighborhood.divided(scale),
            ..self.clone()
        };
        divided.check_entries()?;
        Ok(divided)
    }

    /// Every list changed in place, in order; `change` keeps it sorted.
    fn map_lists(&self, change: impl Fn(usize, &mut Vec<(u32, f64)>)) -> Self {
        let mut changed = Self::empty(self.neighborhood, self.found_by, self.len());
        changed.indices.reserve(self.edge_count());
        changed.distances.reserve(self.edge_count());
        let mut list = Vec::new();
        for i in 0..self.len() {
            let (js, ds) = self.of(i);
            list.clear();
            list.extend(js.iter().copied().zip(ds.iter().copied()));
            change(i, &mut list);
            changed.push(&list);
        }
        changed
    }

    fn check_offsets(&self) -> Result<(), Error> {
        let fits = self.offsets.first() == Some(&0)
            && self.offsets.last() == Some(&self.indices.len())
            && self.indices.len() == self.distances.len()
            && self.offsets.is_sorted()
            && self.offsets.len() <= u32::MAX as usize;
        if fits { Ok(()) } else { Err(Error::damaged("the lists of neighbors do not match their entries")) }
    }

    /// Fails unless every entry leads to another point, once, at a finite distance.
    fn check_entries(&self) -> Result<(), Error> {
        let n = self.len();
        let mut seen = vec![u32::MAX; n];
        for i in 0..n {
            let (js, ds) = self.of(i);
            for (&j, &d) in js.iter().zip(ds) {
                if j as usize >= n || j as usize == i || seen[j as usize] == i as u32 {
                    return Err(Error::parameter(
                        "a neighbor list",
                        format!("of other points below {n}, each once"),
                        format!("{j} in the list of {i}"),
                    ));
                }
                seen[j as usize] = i as u32;
                if !(d.is_finite() && d >= 0.0) {
                    let got = format!("{d} between {i} and {j}");
                    return Err(Error::parameter("a distance", "finite and not negative", got));
                }
            }
        }
        Ok(())
    }
}

/// Sorts by (distance, index).
fn sort(list: &mut [(u32, f64)]) {
    list.sort_unstable_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
}

/// A deserialized [`Neighbors`] before validation.
#[derive(Deserialize)]
struct RawNeighbors {
    offsets: Vec<usize>,
    indices: Vec<u32>,
    distances: Vec<f64>,
    neighborhood: Neighborhood,
    found_by: Option<Search>,
}

impl TryFrom<RawNeighbors> for Neighbors {
    type Error = Error;

    fn try_from(raw: RawNeighbors) -> Result<Self, Error> {
        let RawNeighbors { offsets, indices, distances, neighborhood, found_by } = raw;
        let lists = Self { offsets, indices, distances, neighborhood, found_by };
        lists.check_offsets()?;
        lists.check_entries()?;
        let sorted = (0..lists.len()).all(|i| {
            let (js, ds) = lists.of(i);
            (1..js.len()).all(|at| ds[at - 1].total_cmp(&ds[at]).then(js[at - 1].cmp(&js[at])).is_lt())
        });
        if sorted { Ok(lists) } else { Err(Error::damaged("a neighbor list is not sorted")) }
    }
}
