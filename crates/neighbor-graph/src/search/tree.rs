//! Exact nearest neighbors by a k-d tree.
//!
//! The tree stores distinct positions, so duplicates cost nothing and cannot overflow a
//! leaf. Its results are candidates: distances are recomputed by the crate's metric, and
//! ties or near ties at the boundary are resolved by a second query with a margin.

use embedding::{Error, Observer, Points};

use crate::metric::distance;
use crate::search::kd::{KdTree, Search, widened};
use crate::search::lists::{self, List, Lists, fill_in_order, fill_in_parts};
use crate::search::order::Positions;
use crate::search::query_rule::QueryRule;

/// The tree is compiled for each dimension up to this.
pub(crate) const MAX_DIM: usize = 8;

/// Finds the neighbors of the points among themselves, or of `new` points among them.
pub(crate) fn search(
    points: Points<'_>,
    new: Option<Points<'_>>,
    rule: QueryRule<'_>,
    observer: &dyn Observer,
) -> Result<Lists, Error> {
    macro_rules! by_dimension {
        ($($d:literal)*) => {
            match points.dim() {
                $($d => search_in::<$d>(points, new, rule, observer),)*
                more => {
                    let requirement = format!("at most {MAX_DIM} for a k-d tree");
                    Err(Error::parameter("the number of dimensions", requirement, more))
                }
            }
        };
    }
    by_dimension!(1 2 3 4 5 6 7 8)
}

fn search_in<const D: usize>(
    points: Points<'_>,
    new: Option<Points<'_>>,
    rule: QueryRule<'_>,
    observer: &dyn Observer,
) -> Result<Lists, Error> {
    let tree = Tree::<D>::new(points);
    match new {
        None => tree.all(rule, observer),
        Some(new) => {
            let scratch = || (List::new(), Search::new());
            fill_in_order(new.len(), observer, scratch, |(list, search), i, lists| {
                let row = new.row(i);
                match rule {
                    QueryRule::Nearest { k } => tree.nearest(row, k, search, list),
                    QueryRule::Within { radii } => tree.within(row, radii.of(i), search, list),
                }
                lists.push(list);
            })
        }
    }
}

struct Tree<const D: usize> {
    positions: Positions,
    /// The coordinates of each position, in Morton order.
    rows: Vec<[f64; D]>,
    tree: KdTree<D>,
}

impl<const D: usize> Tree<D> {
    fn new(points: Points<'_>) -> Self {
        let positions = Positions::new(points);
        let rows: Vec<[f64; D]> =
            (0..positions.len()).map(|p| fixed(points.row(positions.at(p)[0] as usize))).collect();
        let tree = KdTree::new(&rows);
        Self { positions, rows, tree }
    }

    /// Returns the lists of all points, in order. Duplicates share one query.
    fn all(&self, rule: QueryRule<'_>, observer: &dyn Observer) -> Result<Lists, Error> {
        let by_place = fill_in_parts(
            self.positions.len(),
            observer,
            || (List::new(), List::new(), Search::new()),
            |(list, own, search), p, lists| {
                let members = self.positions.at(p);
                let row = &self.rows[p];
                match rule {
                    QueryRule::Nearest { k } => self.nearest(row, k + 1, search, list),
                    QueryRule::Within { radii } => self.within(row, radii.of(p), search, list),
                }
                for &i in members {
                    own.clear();
                    own.extend(list.iter().filter(|e| e.0 != i));
                    if let QueryRule::Nearest { k } = rule {
                        own.truncate(k);
                    }
                    lists.push(own);
                }
            },
        )?;
        Ok(lists::returned(&by_place, self.positions.order()))
    }

    /// Collects the `k` nearest points to a row, including the row itself if it is one of
    /// them.
    fn nearest(&self, row: &[f64], k: usize, search: &mut Search<D>, list: &mut List) {
        let query = fixed(row);
        // One position beyond the k-th detects a tie.
        let asked = (k + 1).min(self.positions.len());
        self.tree.nearest(&query, asked, search);
        list.clear();
        let mut last = 0.0_f64;
        for (place, squared) in search.found() {
            self.expand(row, place, k, list);
            last = last.max(squared);
        }
        lists::keep_nearest(list, k);
        if asked == self.positions.len() {
            return;
        }
        let kth = list.last().map_or(0.0, |e| e.1);
        let reach = widened(kth * kth);
        if last > reach {
            return;
        }
        list.clear();
        self.tree.within(&query, reach, search, |place| self.expand(row, place, k, list));
        lists::keep_nearest(list, k);
    }

    /// Collects all points within a radius of a row, including the row itself if it is
    /// one of them.
    fn within(&self, row: &[f64], radius: f64, search: &mut Search<D>, list: &mut List) {
        let query = fixed(row);
        let reach = widened(radius * radius);
        list.clear();
        self.tree.within(&query, reach, search, |place| self.expand(row, place, usize::MAX, list));
        list.retain(|e| e.1 <= radius);
        lists::sort(list);
    }

    /// Adds at most `most` of the points at a position.
    fn expand(&self, row: &[f64], position: u32, most: usize, list: &mut List) {
        let members = self.positions.at(position as usize);
        let d = distance(row, &self.rows[position as usize]);
        list.extend(members.iter().take(most).map(|&j| (j, d)));
    }
}

fn fixed<const D: usize>(row: &[f64]) -> [f64; D] {
    std::array::from_fn(|j| row[j])
}
