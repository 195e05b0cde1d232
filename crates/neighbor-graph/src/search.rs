//! How neighbors are found.

use embedding::{Error, Observer, Points};
use serde::{Deserialize, Serialize};

use crate::blocks::{self, Projection};
use crate::lists::{self, List, Lists, fill_in_order};
use crate::metric::{self, distance};
use crate::sketch::Widths;
use crate::{Neighborhood, tree};

/// The algorithm behind a neighbor search. All give the same lists, to the bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Search {
    /// Chosen by the number of dimensions and points; see [`Search::chosen`].
    #[default]
    Auto,
    /// A k-d tree; fast in few dimensions, at most 8. Near O(n k log n) time
    /// where the data fill few dimensions, O(n) memory.
    KdTree,
    /// Bounds for all pairs by products of matrices in single precision, exact
    /// distances for those that the bounds leave. O(n² D) time, O(n D) memory.
    BruteForce,
    /// The same with bounds from a projection to the leading directions. The
    /// wider the spectrum, the more pairs are left: O(n² + f n² D) time with f
    /// their share.
    Projected,
}

/// From this many dimensions and points on a projection is tried. On MNIST
/// (784 dimensions) it breaks even between 5,000 and 10,000 points.
const PROJECTED: (usize, usize) = (160, 7000);

/// So few queries do not pay for preparing the known points.
const FEW: usize = 32;

impl Search {
    /// What this choice means for n points in D dimensions; never `Auto`.
    ///
    /// Up to 8 dimensions the tree (uniform points, the worst for it, break even
    /// there at 10,000), from 160 dimensions and 7,000 points on the
    /// projection, brute force in between. Where `Auto` chose a projection but
    /// a trial shows that it leaves too many pairs, brute force takes over.
    pub fn chosen(self, n: usize, dim: usize) -> Self {
        match self {
            Self::Auto if dim <= tree::MAX_DIM => Self::KdTree,
            Self::Auto if dim >= PROJECTED.0 && n >= PROJECTED.1 => Self::Projected,
            Self::Auto => Self::BruteForce,
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
    let blocks = |projection| blocks::search(points, new, neighborhood, projection, observer);
    let brute_force = || match new {
        Some(new) if new.len() < FEW => one_by_one(points, new, neighborhood, observer),
        _ => blocks(Projection::None).map(|lists| lists.expect("only a projection is given up")),
    };
    let widths = Widths::of(points.dim());
    let chosen = match search.chosen(points.len(), points.dim()) {
        _ if search == Search::Auto && new.is_some_and(|new| new.len() < FEW) => Search::BruteForce,
        chosen => chosen,
    };
    let lists = match chosen {
        Search::KdTree => tree::search(points, new, neighborhood, observer)?,
        Search::Projected => {
            let projection = if search == Search::Auto {
                Projection::IfItPays(widths)
            } else {
                Projection::Always(widths)
            };
            match blocks(projection)? {
                Some(lists) => lists,
                None => return Ok((brute_force()?, Search::BruteForce)),
            }
        }
        _ => brute_force()?,
    };
    Ok((lists, chosen))
}

/// All distances, one query after another.
fn one_by_one(
    points: Points<'_>,
    new: Points<'_>,
    neighborhood: Neighborhood,
    observer: &dyn Observer,
) -> Result<Lists, Error> {
    fill_in_order(new.len(), observer, List::new, |list, i, lists| {
        let row = new.row(i);
        list.clear();
        list.extend(points.rows().enumerate().map(|(j, other)| (j as u32, distance(row, other))));
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
