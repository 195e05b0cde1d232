//! Exact nearest neighbors by a k-d tree.
//!
//! The tree stores distinct positions, so duplicates cost nothing and cannot overflow a
//! leaf. Its results are candidates: distances are recomputed by the crate's metric, and
//! ties or near ties at the boundary are resolved by a second query with a margin.

use std::num::NonZero;

use embedding::{Error, Observer, Points};
use kiddo::{ImmutableKdTree, SquaredEuclidean};

use crate::Neighborhood;
use crate::lists::{self, List, Lists, fill_in_order, fill_in_parts};
use crate::metric::distance;
use crate::order::Positions;

/// The tree is compiled for each dimension up to this.
pub(crate) const MAX_DIM: usize = 8;

/// Relative margin: the tree sums the same squares in another order, and both sums are
/// within D · eps of the exact value. The margin is a thousand times that.
const MARGIN: f64 = 1e-12;

/// Finds the neighbors of the points among themselves, or of `new` points among them.
pub(crate) fn search(
    points: Points<'_>,
    new: Option<Points<'_>>,
    neighborhood: Neighborhood,
    observer: &dyn Observer,
) -> Result<Lists, Error> {
    macro_rules! by_dimension {
        ($($d:literal)*) => {
            match points.dim() {
                $($d => search_in::<$d>(points, new, neighborhood, observer),)*
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
    neighborhood: Neighborhood,
    observer: &dyn Observer,
) -> Result<Lists, Error> {
    let tree = Tree::<D>::new(points);
    match new {
        None => tree.all(neighborhood, observer),
        Some(new) => fill_in_order(new.len(), observer, List::new, |list, i, lists| {
            let row = new.row(i);
            match neighborhood {
                Neighborhood::Nearest { k } => tree.nearest(row, k, list),
                Neighborhood::Within { radius } => tree.within(row, radius, list),
            }
            lists.push(list);
        }),
    }
}

struct Tree<const D: usize> {
    positions: Positions,
    /// The coordinates of each position, in Morton order.
    rows: Vec<[f64; D]>,
    tree: ImmutableKdTree<f64, D>,
}

impl<const D: usize> Tree<D> {
    fn new(points: Points<'_>) -> Self {
        let positions = Positions::new(points);
        let rows: Vec<[f64; D]> =
            (0..positions.len()).map(|p| fixed(points.row(positions.at(p)[0] as usize))).collect();
        let tree = ImmutableKdTree::new_from_slice(&rows).expect("fewer than 2³² points, as validated");
        Self { positions, rows, tree }
    }

    /// Returns the lists of all points, in order. Duplicates share one query.
    fn all(&self, neighborhood: Neighborhood, observer: &dyn Observer) -> Result<Lists, Error> {
        let by_place = fill_in_parts(
            self.positions.len(),
            observer,
            || (List::new(), List::new()),
            |(list, own), p, lists| {
                let members = self.positions.at(p);
                let row = &self.rows[p];
                match neighborhood {
                    Neighborhood::Nearest { k } => self.nearest(row, k + 1, list),
                    Neighborhood::Within { radius } => self.within(row, radius, list),
                }
                for &i in members {
                    own.clear();
                    own.extend(list.iter().filter(|e| e.0 != i));
                    if let Neighborhood::Nearest { k } = neighborhood {
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
    fn nearest(&self, row: &[f64], k: usize, list: &mut List) {
        let query = fixed(row);
        // One position beyond the k-th detects a tie.
        let asked = (k + 1).min(self.positions.len());
        let found = self
            .tree
            .query(&query)
            .nearest_n::<SquaredEuclidean<f64>>(NonZero::new(asked).expect("k + 1 and one position at least"))
            .execute();
        list.clear();
        let mut last = 0.0_f64;
        for entry in &found {
            self.expand(row, entry.item, k, list);
            last = last.max(entry.distance);
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
        for entry in self.tree.query(&query).within::<SquaredEuclidean<f64>>(reach).unsorted().execute() {
            self.expand(row, entry.item, k, list);
        }
        lists::keep_nearest(list, k);
    }

    /// Collects all points within a radius of a row, including the row itself if it is
    /// one of them.
    fn within(&self, row: &[f64], radius: f64, list: &mut List) {
        let query = fixed(row);
        let reach = widened(radius * radius);
        list.clear();
        for entry in self.tree.query(&query).within::<SquaredEuclidean<f64>>(reach).unsorted().execute() {
            self.expand(row, entry.item, usize::MAX, list);
        }
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

/// Returns an upper bound that covers rounding and underflow of a squared distance.
fn widened(squared: f64) -> f64 {
    squared * (1.0 + MARGIN) + 1e-300
}

fn fixed<const D: usize>(row: &[f64]) -> [f64; D] {
    std::array::from_fn(|j| row[j])
}
