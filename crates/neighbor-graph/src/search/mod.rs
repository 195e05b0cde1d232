//! Nearest neighbor search.

pub(crate) mod approximate;
mod best;
mod block_pair;
mod blocks;
pub(crate) mod by_metric;
mod directions;
pub(crate) mod exact;
mod i16_bounds;
mod kd;
mod lists;
pub(crate) mod neighbor_search;
pub(crate) mod new_points;
mod order;
mod pairs;
pub(crate) mod partition;
mod queries;
pub(crate) mod query;
pub(crate) mod query_rule;
pub(crate) mod rows;
mod sketch;
pub(crate) mod sparse;
mod tree;

use embedding::implement::scale::times_power_of_two;
use embedding::{Error, Observer, PointSet, Points, Search};

use self::block_pair::KNOWN;
use self::blocks::Projection;
use self::lists::{List, Lists, fill_in_order};
use self::query_rule::QueryRule;
use self::rows::Rows;
use self::sketch::Widths;
use crate::metric::{self, distance};

/// Numbers of dimensions and points from which on a projection is tried. On MNIST (784
/// dimensions) the break-even point is between 3,500 and 5,000 points; on the leading principal
/// components of its 70,000 images it is at 30 for 15 neighbors, and above that for 90. Points of
/// fewer dimensions are ordered as the projected ones are: 90 neighbors of 10 to 30 components take
/// half of the time by that, 15 neighbors .6 to .85.
const PROJECTED: (usize, usize) = (40, 5000);

/// For fewer new points than the first number, preparing the known ones is not worthwhile; for fewer
/// than the second, a projection or an order is not. The break-even point is at 700 to 2,000 images of
/// MNIST among 5,000 to 60,000, and above 2,000 for their leading principal components.
const FEW: usize = 32;
const PREPARED: usize = 1500;

/// The algorithm that `search` means for n points in D dimensions; never `Auto`.
///
/// `Auto`: up to 8 dimensions the tree (uniform points, the worst case for it, break even
/// there at 10,000), from 40 dimensions and 5,000 points on the
/// projection, brute force in between. Where `Auto` chose a projection but
/// a trial shows that it leaves too many pairs, brute force takes over.
pub fn chosen_search(search: Search, n: usize, dim: usize) -> Search {
    match search {
        Search::Auto if dim <= tree::MAX_DIM => Search::KdTree,
        Search::Auto if dim >= PROJECTED.0 && n >= PROJECTED.1 => Search::Projected,
        Search::Auto => Search::BruteForce,
        chosen => chosen,
    }
}

/// The same of a search for the neighbors of `new` points among n.
fn chosen_of_new(search: Search, n: usize, new: usize, dim: usize) -> Search {
    match chosen_search(search, n, dim) {
        Search::Projected if search == Search::Auto && new < PREPARED => Search::BruteForce,
        chosen => chosen,
    }
}

/// Estimates the memory of a search among n points in D dimensions by the algorithm that `Auto`
/// means, in bytes, without the lists.
pub fn search_bytes(n: usize, dim: usize) -> u64 {
    n as u64 * known_bytes(chosen_search(Search::Auto, n, dim), dim)
}

/// Estimates the memory of a search for the neighbors of `new` points among n, including its
/// threads, in bytes, without the lists. Both sets of points are sketched. Memory that is freed
/// during the search counts, because common allocators keep it.
pub fn search_of_new_bytes(n: usize, new: usize, dim: usize) -> u64 {
    let chosen = chosen_of_new(Search::Auto, n, new, dim);
    n as u64 * known_bytes(chosen, dim)
        + new as u64 * sketch_bytes(chosen, dim)
        + search_threads_bytes(n, dim)
}

/// The memory of a known point.
fn known_bytes(chosen: Search, dim: usize) -> u64 {
    match chosen {
        // The tree, and the positions in order.
        Search::KdTree => 24 * dim as u64 + 40,
        Search::BruteForce if dim >= PROJECTED.0 => sketch_bytes(chosen, dim),
        // Sketches, twice while they are reordered.
        _ => 2 * sketch_bytes(chosen, dim),
    }
}

/// The memory of the sketch of a point.
fn sketch_bytes(chosen: Search, dim: usize) -> u64 {
    match chosen {
        Search::KdTree => 0,
        Search::Projected => 4 * Widths::of(dim).values() as u64,
        _ => 4 * (dim as u64 + 3),
    }
}

/// Bytes of a thread: the bounds of a block of pairs with its candidates, and the packed factors of
/// a matrix product, measured with points of 100 and of 800 dimensions.
const THREAD: u64 = 1_300_000 + 2_100_000;

/// Estimates the memory of the threads of a search, which [`search_bytes`] does not contain.
pub fn search_threads_bytes(n: usize, dim: usize) -> u64 {
    match chosen_search(Search::Auto, n, dim) {
        Search::KdTree => 0,
        // Of few points the blocks are smaller.
        _ => THREAD * n.min(KNOWN) as u64 / KNOWN as u64 * rayon::current_num_threads() as u64,
    }
}

/// Finds the neighbors of the points among themselves (self excluded by index), or of
/// `new` points among them, and returns them with the algorithm used.
pub(crate) fn run(
    points: Rows<'_>,
    new: Option<Points<'_>>,
    rule: QueryRule<'_>,
    search: Search,
    observer: &dyn Observer,
) -> Result<(Lists, Search), Error> {
    at_ordinary_scale(points, new, rule, |points, new, rule| {
        run_ordinary(points, new, rule, search, observer)
    })
}

/// Returns what `find` returns. Points whose squared distances would overflow or underflow
/// are divided by a power of two first, and the distances multiplied by it.
fn at_ordinary_scale<A>(
    points: Rows<'_>,
    new: Option<Points<'_>>,
    rule: QueryRule<'_>,
    find: impl FnOnce(Rows<'_>, Option<Points<'_>>, QueryRule<'_>) -> Result<(Lists, A), Error>,
) -> Result<(Lists, A), Error> {
    let exponent = metric::exponent(points);
    let Some(far) = points.double().filter(|_| exponent != 0) else {
        return find(points, new, rule);
    };
    let known = scaled(far, -exponent)?;
    let new = new.map(|new| scaled(new, -exponent)).transpose()?;
    let mut radii = Vec::new();
    let rule = rule.with_radii(|radius| times_power_of_two(radius, -exponent), &mut radii);
    let new = new.as_ref().map(PointSet::view);
    let (mut lists, more) = find(known.view().into(), new, rule)?;
    multiply(&mut lists.distances, exponent)?;
    Ok((lists, more))
}

/// Multiplies all distances by 2ᵉ; fails where one leaves the range of numbers.
pub(crate) fn multiply<'a>(distances: impl IntoIterator<Item = &'a mut f64>, e: i32) -> Result<(), Error> {
    let mut finite = true;
    for d in distances {
        *d = times_power_of_two(*d, e);
        finite &= d.is_finite();
    }
    if finite {
        return Ok(());
    }
    Err(Error::degenerate(
        "distances between points exceed the range of numbers",
        "divide all values by a common factor",
    ))
}

/// The points times 2ᵉ; fails where a value leaves the range of numbers.
pub(crate) fn scaled(points: Points<'_>, e: i32) -> Result<PointSet, Error> {
    PointSet::new(points.values().iter().map(|v| times_power_of_two(*v, e)).collect(), points.dim())
}

/// The search for points of ordinary scale.
fn run_ordinary(
    points: Rows<'_>,
    new: Option<Points<'_>>,
    rule: QueryRule<'_>,
    search: Search,
    observer: &dyn Observer,
) -> Result<(Lists, Search), Error> {
    metric::check_scale(points, new)?;
    let blocks = |projection| blocks::search(points, new, rule, projection, observer);
    let brute_force = || match new {
        Some(new) if new.len() < FEW => one_by_one(points, new, rule, observer),
        _ => blocks(Projection::None).map(|lists| lists.expect("only a projection is abandoned")),
    };
    let widths = Widths::of(points.dim());
    let (n, dim) = (points.len(), points.dim());
    let chosen = match new {
        None => chosen_search(search, n, dim),
        Some(new) if search == Search::Auto && new.len() < FEW => Search::BruteForce,
        Some(new) => chosen_of_new(search, n, new.len(), dim),
    };
    let lists = match chosen {
        // The tree copies the few coordinates in any case.
        Search::KdTree => points.with_double(|points| tree::search(points, new, rule, observer))?,
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
    points: Rows<'_>,
    new: Points<'_>,
    rule: QueryRule<'_>,
    observer: &dyn Observer,
) -> Result<Lists, Error> {
    fill_in_order(new.len(), observer, List::new, |list, i, lists| {
        let row = new.row(i);
        list.clear();
        points.each(0, points.len(), |other| list.push((list.len() as u32, distance(row, other))));
        lists::keep(list, rule, i);
        lists.push(list);
    })
}
