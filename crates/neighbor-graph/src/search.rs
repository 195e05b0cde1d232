//! Nearest neighbor search.

use embedding::{Error, Observer, Points};
use serde::{Deserialize, Serialize};

use crate::blocks::{self, Projection};
use crate::lists::{self, List, Lists, fill_in_order};
use crate::metric::{self, distance};
use crate::sketch::Widths;
use crate::{Neighborhood, tree};

/// The algorithm of a neighbor search. All return bitwise identical lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Search {
    /// Selected by the numbers of dimensions and points; see [`Search::chosen`].
    #[default]
    Auto,
    /// A k-d tree; fast in low dimensions, at most 8. About O(n k log n) time for data of
    /// low intrinsic dimension, O(n) memory.
    KdTree,
    /// Lower bounds for all pairs by matrix products in single precision, and exact
    /// distances for the pairs not discarded. O(n² D) time, O(n D) memory.
    BruteForce,
    /// The same, with bounds from a projection to the leading directions: O(n² + f n² D)
    /// time, where f is the fraction of pairs not discarded, which is larger for slowly
    /// decaying spectra.
    Projected,
}

/// Numbers of dimensions and points from which on a projection is tried. On MNIST (784
/// dimensions) the break-even point is between 5,000 and 10,000 points.
const PROJECTED: (usize, usize) = (160, 7000);

/// Up to this many queries, preparing the known points is not worthwhile.
const FEW: usize = 32;

impl Search {
    /// Returns the algorithm used for n points in D dimensions; never `Auto`.
    ///
    /// `Auto` selects the tree up to 8 dimensions (break-even at 10,000 points for
    /// uniform points, its worst case), the projection from 160 dimensions and 7,000
    /// points on, and brute force in between. If a trial shows that the projection
    /// discards too few pairs, brute force is used instead.
    pub fn chosen(self, n: usize, dim: usize) -> Self {
        match self {
            Self::Auto if dim <= tree::MAX_DIM => Self::KdTree,
            Self::Auto if dim >= PROJECTED.0 && n >= PROJECTED.1 => Self::Projected,
            Self::Auto => Self::BruteForce,
            chosen => chosen,
        }
    }
}

/// Finds the neighbors of the points among themselves (self excluded by index), or of
/// `new` points among them, and returns them with the algorithm used.
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
        _ => blocks(Projection::None).map(|lists| lists.expect("only a projection is abandoned")),
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
                Projection::IfWorthwhile(widths)
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

/// Computes all distances, one query after another.
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
