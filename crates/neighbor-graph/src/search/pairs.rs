//! Neighbors from the distances of all pairs, for metrics without a faster search.

use std::ops::Range;

use embedding::implement::{MetricPoints, proceed};
use embedding::{Error, Observer};
use faer::traits::pulp::{Arch, NullaryFnOnce};
use rayon::prelude::*;

use crate::search::lists::{self, List, Lists};
use crate::search::query_rule::QueryRule;

/// Points of a block.
const BLOCK: usize = 128;

/// Queries compared with the same known points while these are in the first-level cache: with
/// 1,000 columns a quarter of a megabyte.
const TILE: usize = 32;

/// Tiles of new points between two reports to the observer.
const GROUP: usize = 64;

/// Distances that are accumulated together.
const AT_ONCE: usize = 4;

/// The distances of all pairs among the points, or of `new` points to them.
pub(crate) fn all_pairs(
    known: &MetricPoints<'_>,
    new: Option<&MetricPoints<'_>>,
    rule: QueryRule<'_>,
    observer: &dyn Observer,
) -> Result<Lists, Error> {
    match new {
        Some(new) => of_new(known, new, rule, observer),
        None => among(known, rule, observer),
    }
}

/// The lists of the points; the distance of each pair is computed once.
///
/// Blocks of points are compared with each other as the players of a tournament: in every
/// round each block has one opponent, so that all pairs of a round are compared in parallel,
/// and both lists of a pair of points are completed by one thread.
fn among(points: &MetricPoints<'_>, rule: QueryRule<'_>, observer: &dyn Observer) -> Result<Lists, Error> {
    let n = points.len();
    proceed(observer, 0, n)?;
    let mut circle: Vec<Candidates<'_>> = parts(n, BLOCK).map(|rows| Candidates::new(rows, rule)).collect();
    circle.par_iter_mut().for_each_init(Vec::new, |distances, block| {
        compute(points, points, &block.rows, &block.rows, distances);
        block.offer_each_other(distances);
    });
    if circle.len() % 2 == 1 {
        // The opponent of a block that has none.
        circle.push(Candidates::new(n..n, rule));
    }
    let count = circle.len();
    for round in 1..count {
        let (ones, others) = circle.split_at_mut(count / 2);
        let pairs = ones.par_iter_mut().zip(others.par_iter_mut().rev());
        pairs.for_each_init(Vec::new, |distances, (one, other)| {
            compute(points, points, &one.rows, &other.rows, distances);
            one.exchange(other, distances);
        });
        circle[1..].rotate_right(1);
        proceed(observer, n * round / count, n)?;
    }
    circle.sort_unstable_by_key(|block| block.rows.start);
    let mut all = Lists::with_capacity(n, 0);
    circle.into_iter().for_each(|block| all.append(&block.into_lists()));
    proceed(observer, n, n)?;
    Ok(all)
}

/// The lists of new points.
fn of_new(
    known: &MetricPoints<'_>,
    new: &MetricPoints<'_>,
    rule: QueryRule<'_>,
    observer: &dyn Observer,
) -> Result<Lists, Error> {
    let tiles: Vec<Range<usize>> = parts(new.len(), TILE).collect();
    let search = |distances: &mut Vec<f64>, rows: &Range<usize>| {
        let mut tile = Candidates::new(rows.clone(), rule);
        for columns in parts(known.len(), BLOCK) {
            compute(new, known, rows, &columns, distances);
            for (q, row) in distances.chunks_exact(columns.len()).enumerate() {
                columns.clone().zip(row).for_each(|(j, &d)| tile.offer(q, j, d));
            }
        }
        tile.into_lists()
    };
    let mut all = Lists::with_capacity(new.len(), 0);
    proceed(observer, 0, new.len())?;
    for group in tiles.chunks(GROUP) {
        let found: Vec<Lists> = group.par_iter().map_init(Vec::new, search).collect();
        found.iter().for_each(|part| all.append(part));
        proceed(observer, all.len(), new.len())?;
    }
    Ok(all)
}

/// Consecutive ranges of at most `most` of n rows.
fn parts(n: usize, most: usize) -> impl Iterator<Item = Range<usize>> {
    (0..n).step_by(most).map(move |start| start..n.min(start + most))
}

/// Candidates for the lists of consecutive rows, complete for all points offered so far.
struct Candidates<'a> {
    rows: Range<usize>,
    rule: QueryRule<'a>,
    lists: Vec<List>,
    /// The last entry of each list that is kept, once there are enough.
    limits: Vec<(u32, f64)>,
}

impl<'a> Candidates<'a> {
    fn new(rows: Range<usize>, rule: QueryRule<'a>) -> Self {
        let limit = |row| match rule {
            QueryRule::Nearest { .. } => f64::INFINITY,
            QueryRule::Within { radii } => radii.of(row),
        };
        let lists = vec![List::new(); rows.len()];
        let limits = rows.clone().map(|row| (u32::MAX, limit(row))).collect();
        Self { limits, rows, rule, lists }
    }

    /// Adds a point to list `q` if it is near enough; each point is offered once.
    #[inline(always)]
    fn offer(&mut self, q: usize, j: usize, distance: f64) {
        let (last, limit) = self.limits[q];
        if distance < limit || (distance == limit && j <= last as usize) {
            self.add(q, (j as u32, distance));
        }
    }

    fn add(&mut self, q: usize, entry: (u32, f64)) {
        let list = &mut self.lists[q];
        list.push(entry);
        if let QueryRule::Nearest { k } = self.rule
            && list.len() == k + k / 4 + 16
        {
            lists::keep_nearest(list, k);
            self.limits[q] = list[k - 1];
        }
    }

    /// Offers the rows to each other, by the distances of all their pairs.
    fn offer_each_other(&mut self, distances: &[f64]) {
        let (first, count) = (self.rows.start, self.rows.len());
        for (q, row) in distances.chunks_exact(count).enumerate() {
            row.iter().enumerate().filter(|(j, _)| *j != q).for_each(|(j, &d)| self.offer(q, first + j, d));
        }
    }

    /// Offers the rows to other rows and vice versa, by one row of distances for each own row.
    fn exchange(&mut self, others: &mut Self, distances: &[f64]) {
        if others.rows.is_empty() {
            return;
        }
        for (q, row) in distances.chunks_exact(others.rows.len()).enumerate() {
            for (c, &d) in row.iter().enumerate() {
                self.offer(q, others.rows.start + c, d);
                others.offer(c, self.rows.start + q, d);
            }
        }
    }

    fn into_lists(mut self) -> Lists {
        let mut out = Lists::with_capacity(self.lists.len(), self.lists.iter().map(Vec::len).sum());
        for (row, list) in self.rows.clone().zip(&mut self.lists) {
            lists::keep(list, self.rule, row);
            out.push(list);
        }
        out
    }
}

/// Writes the distances of `rows` of some points to `columns`, rows of others, one row after
/// another.
fn compute(
    points: &MetricPoints<'_>,
    others: &MetricPoints<'_>,
    rows: &Range<usize>,
    columns: &Range<usize>,
    distances: &mut Vec<f64>,
) {
    distances.clear();
    distances.resize(rows.len() * columns.len(), 0.0);
    Arch::new().dispatch(Block { points, others, rows, columns, distances });
}

struct Block<'a> {
    points: &'a MetricPoints<'a>,
    others: &'a MetricPoints<'a>,
    rows: &'a Range<usize>,
    columns: &'a Range<usize>,
    distances: &'a mut [f64],
}

impl NullaryFnOnce for Block<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { points, others, rows, columns, distances } = self;
        let (width, from, to) = (columns.len(), points.rows(), others.rows());
        for tile in (0..rows.len()).step_by(TILE) {
            let tile = tile..rows.len().min(tile + TILE);
            for c in (0..width).step_by(AT_ONCE) {
                for q in tile.clone() {
                    let (row, out) = (from.row(rows.start + q), &mut distances[q * width..][..width]);
                    if c + AT_ONCE <= width {
                        let four = std::array::from_fn(|i| to.row(columns.start + c + i));
                        out[c..c + AT_ONCE].copy_from_slice(&points.between_each::<AT_ONCE>(row, four));
                    } else {
                        let rest = out[c..].iter_mut().enumerate();
                        rest.for_each(|(i, d)| *d = points.between(row, to.row(columns.start + c + i)));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use embedding::{Metric, Points, Silent};

    use super::*;
    use crate::search::query_rule::Radii;

    #[test]
    fn a_part_of_the_queries_has_its_own_radii() {
        let radii = [1.0, 2.0, 3.0, 4.0];
        let part = QueryRule::Within { radii: Radii::Each(&radii) }.part(1..3);
        assert!(matches!(part, QueryRule::Within { radii } if [radii.of(0), radii.of(1)] == [2.0, 3.0]));
        let same = QueryRule::Within { radii: Radii::Same(7.0) }.part(1..3);
        assert!(matches!(same, QueryRule::Within { radii } if radii.of(1) == 7.0));
    }

    /// Several blocks, the last one incomplete, and an odd and an even number of them; with one
    /// list of new points per known one.
    #[test]
    fn every_pair_is_in_both_lists() {
        for n in [5, 128, 129, 300, 430, 600] {
            let values: Vec<f64> = (0..n * 3).map(|i| f64::from((i * i + i / 5) as u32 % 11)).collect();
            let points = Points::new(&values, 3).expect("finite");
            let measured = Metric::Manhattan.prepare(points).expect("legal rows");
            let all = |radius| QueryRule::Within { radii: Radii::Same(radius) };
            for rule in [QueryRule::Nearest { k: 4 }, all(2.0)] {
                let among = all_pairs(&measured, None, rule, &Silent).expect("a search").into_vecs();
                let twice = all_pairs(&measured, Some(&measured), all(99.0), &Silent);
                for (i, mut list) in twice.expect("a search").into_vecs().into_iter().enumerate() {
                    assert_eq!(list.len(), n);
                    list.retain(|entry| entry.0 as usize != i);
                    let direct = |j: u32| measured.distance(i, j as usize);
                    assert!(list.iter().all(|&(j, d)| d == direct(j)));
                    lists::keep(&mut list, rule, i);
                    assert_eq!(among[i], list, "n = {n}, row {i}");
                }
            }
        }
    }
}
