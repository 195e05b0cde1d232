//! Search by a metric other than Euclidean.

use embedding::{Error, Measured, Metric, Neighborhood, Observer, Points, Search, proceed};
use faer::traits::pulp::{Arch, NullaryFnOnce};
use rayon::prelude::*;

use crate::search::lists::{self, List, Lists};
use crate::search::run;

/// Queries compared with the same known points while these are in the cache.
const TILE: usize = 16;

/// Tiles between two reports to the observer.
const GROUP: usize = 64;

/// Known points compared at a time: with a tile of queries they fit into the second-level
/// cache up to 1,000 columns.
const STRIP: usize = 32;

/// Finds neighbors as [`run`], by a metric.
///
/// Where the distance is an increasing function of a Euclidean one (see [`Measured`]), the
/// neighbors are those of the mapped points; else all distances are computed, in O(n² D).
/// Both give the same lists, to the bit.
pub(crate) fn run_by_metric(
    points: Points<'_>,
    new: Option<Points<'_>>,
    neighborhood: Neighborhood,
    metric: Metric,
    observer: &dyn Observer,
) -> Result<(Lists, Search), Error> {
    if metric.is_euclidean() {
        return run(points.into(), new, neighborhood, Search::Auto, observer);
    }
    let known = metric.prepare(points)?;
    let new = new.map(|new| metric.prepare(new)).transpose()?;
    run_measured(&known, new.as_ref(), neighborhood, observer)
}

/// The same for prepared points.
pub(crate) fn run_measured(
    known: &Measured<'_>,
    new: Option<&Measured<'_>>,
    neighborhood: Neighborhood,
    observer: &dyn Observer,
) -> Result<(Lists, Search), Error> {
    match known.of_euclidean() {
        Some(distance) => mapped(known, new, neighborhood, distance, observer),
        None => Ok((all_pairs(known, new, neighborhood, observer)?, Search::BruteForce)),
    }
}

/// Euclidean neighbors of the mapped points, with the distances of the metric.
fn mapped(
    known: &Measured<'_>,
    new: Option<&Measured<'_>>,
    neighborhood: Neighborhood,
    distance: fn(f64) -> f64,
    observer: &dyn Observer,
) -> Result<(Lists, Search), Error> {
    let rule = match neighborhood {
        Neighborhood::Within { radius } => Neighborhood::Within { radius: known.euclidean_bound(radius) },
        nearest => nearest,
    };
    let new = new.map(Measured::rows);
    let (mut found, search) = run(known.rows().into(), new, rule, Search::Auto, observer)?;
    found.distances.iter_mut().for_each(|d| *d = distance(*d));
    if let Neighborhood::Within { radius } = neighborhood {
        found = found.within(radius);
    }
    Ok((found, search))
}

/// Computes the distances of all pairs.
pub(crate) fn all_pairs(
    known: &Measured<'_>,
    new: Option<&Measured<'_>>,
    neighborhood: Neighborhood,
    observer: &dyn Observer,
) -> Result<Lists, Error> {
    let queries = new.unwrap_or(known);
    let tiles: Vec<usize> = (0..queries.len()).step_by(TILE).collect();
    let arch = Arch::new();
    let mut all = Lists::with_capacity(queries.len(), 0);
    proceed(observer, 0, queries.len())?;
    for group in tiles.chunks(GROUP) {
        let search = |scratch: &mut Scratch, &first: &usize| {
            let count = TILE.min(queries.len() - first);
            scratch.distances.resize(count * known.len(), 0.0);
            arch.dispatch(Tile { known, queries, first, distances: &mut scratch.distances });
            let mut found = Lists::new();
            for (at, row) in scratch.distances.chunks_exact(known.len()).enumerate() {
                let own = new.is_none().then_some(first + at);
                let others = row.iter().enumerate().filter(|(j, _)| Some(*j) != own);
                scratch.list.clear();
                scratch.list.extend(others.map(|(j, &d)| (j as u32, d)));
                lists::keep(&mut scratch.list, neighborhood);
                found.push(&scratch.list);
            }
            found
        };
        let parts: Vec<Lists> = group.par_iter().map_init(Scratch::default, search).collect();
        parts.iter().for_each(|part| all.append(part));
        proceed(observer, all.len(), queries.len())?;
    }
    Ok(all)
}

/// What a thread needs for a tile of queries.
#[derive(Default)]
struct Scratch {
    distances: Vec<f64>,
    list: List,
}

/// A tile of queries, whose distances to all known points are computed. (A named type: a
/// closure would be compiled for the baseline instruction set only.)
struct Tile<'a> {
    known: &'a Measured<'a>,
    queries: &'a Measured<'a>,
    first: usize,
    distances: &'a mut [f64],
}

impl NullaryFnOnce for Tile<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { known, queries, first, distances } = self;
        let (n, rows) = (known.len(), known.rows());
        for start in (0..n).step_by(STRIP) {
            let strip = start..n.min(start + STRIP);
            for (at, row) in distances.chunks_exact_mut(n).enumerate() {
                let query = queries.rows().row(first + at);
                for j in strip.clone() {
                    row[j] = known.between(query, rows.row(j));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use embedding::Silent;

    use super::*;

    /// Rows of small whole numbers, so that many distances are equal.
    fn tied(n: usize, dim: usize) -> Vec<f64> {
        (0..n * dim)
            .map(|i| f64::from((i * i + i / 7) as u32 % 3) + f64::from(u8::from(i % dim == 0)))
            .collect()
    }

    /// The lists of the mapped points are those of all pairs, ties included.
    #[test]
    fn mapping_gives_the_lists_of_all_pairs() {
        for (n, dim) in [(60, 3), (90, 5), (300, 12), (200, 40)] {
            let values = tied(n, dim);
            let points = Points::new(&values, dim).expect("finite");
            for metric in [Metric::Cosine, Metric::Correlation, Metric::Hellinger] {
                let varied = points.rows().enumerate().filter(|(_, row)| row.iter().any(|v| *v != row[0]));
                let rows: Vec<u32> = varied.map(|(i, _)| i as u32).collect();
                let points = points.select(&rows);
                let measured = metric.prepare(points.view()).expect("legal rows");
                let farthest = measured.distance(0, 7);
                for rule in [
                    Neighborhood::Nearest { k: 1 },
                    Neighborhood::Nearest { k: 9 },
                    Neighborhood::Within { radius: farthest },
                ] {
                    let (fast, _) = run_measured(&measured, None, rule, &Silent).expect("a search");
                    let slow = all_pairs(&measured, None, rule, &Silent).expect("a search");
                    assert_eq!(fast.into_vecs(), slow.into_vecs(), "{metric}, n = {n}, {rule:?}");
                }
            }
        }
    }
}
