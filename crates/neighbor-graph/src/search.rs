//! How neighbors are found.

use embedding::{Error, Observer, Points};
use serde::{Deserialize, Serialize};

use crate::lists::{self, List, Lists, fill_in_order};
use crate::metric::{self, distance};
use crate::{Neighborhood, tree};

/// The algorithm behind a neighbor search. All give the same lists, to the bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Search {
    /// Chosen by the number of dimensions and points; see [`Search::chosen`].
    #[default]
    Auto,
    /// A k-d tree; fast in few dimensions, at most 8.
    KdTree,
    /// Distances to all points.
    BruteForce,
}

impl Search {
    /// What this choice means for n points in D dimensions; never `Auto`.
    pub fn chosen(self, n: usize, dim: usize) -> Self {
        match self {
            Self::Auto if dim <= 8 && n > 64 => Self::KdTree,
            Self::Auto => Self::BruteForce,
            chosen => chosen,
        }
    }

    /// A few queries do not pay for building a tree.
    pub(crate) fn for_queries(self, queries: usize, n: usize, dim: usize) -> Self {
        match self.chosen(n, dim) {
            Self::KdTree if queries < 32 => Self::BruteForce,
            chosen => chosen,
        }
    }
}

/// Neighbors of the points among themselves (self excluded by index), or of
/// `new` points among them, and the algorithm that found them.
pub(crate) fn run(
    points: Points<'_>,
    new: Option<Points<'_>>,
    neighborhood: Neighborhood,
    search: Search,
    observer: &dyn Observer,
) -> Result<(Lists, Search), Error> {
    metric::check_scale(points, new)?;
    let chosen = search.chosen(points.len(), points.dim());
    let lists = match chosen {
        Search::KdTree => tree::search(points, new, neighborhood, observer)?,
        _ => brute_force(points, new, neighborhood, observer)?,
    };
    Ok((lists, chosen))
}

/// All distances, one query after another.
fn brute_force(
    points: Points<'_>,
    new: Option<Points<'_>>,
    neighborhood: Neighborhood,
    observer: &dyn Observer,
) -> Result<Lists, Error> {
    let queries = new.unwrap_or(points);
    fill_in_order(queries.len(), observer, List::new, |list, i, lists| {
        let row = queries.row(i);
        let skip = if new.is_none() { i } else { usize::MAX };
        list.clear();
        list.extend(
            points
                .rows()
                .enumerate()
                .filter(|e| e.0 != skip)
                .map(|(j, other)| (j as u32, distance(row, other))),
        );
        match neighborhood {
            Neighborhood::Nearest { k } => lists::keep_nearest(list, k),
            Neighborhood::Within { radius } => {
                list.retain(|e| e.1 <= radius);
                lists::sort(list);
            }
        }
        lists.push(list);
    })
}
