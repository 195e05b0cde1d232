//! Search by a metric other than Euclidean.

use embedding::implement::MetricPoints;
use embedding::{Error, Metric, Observer, Points, Search};

use crate::search::lists::Lists;
use crate::search::pairs::all_pairs;
use crate::search::query_rule::QueryRule;
use crate::search::run;

/// Finds neighbors as [`run`], by a metric.
///
/// Where the distance is an increasing function of a Euclidean one (see [`MetricPoints`]), the
/// neighbors of the mapped points are found; otherwise all distances are computed, in O(n² D).
/// Both give the same lists, to the bit.
pub(crate) fn run_by_metric(
    points: Points<'_>,
    new: Option<Points<'_>>,
    rule: QueryRule<'_>,
    metric: Metric,
    observer: &dyn Observer,
) -> Result<(Lists, Search), Error> {
    if metric.is_euclidean() {
        return run(points.into(), new, rule, Search::Auto, observer);
    }
    let known = metric.prepare(points)?;
    let new = new.map(|new| metric.prepare(new)).transpose()?;
    run_measured(&known, new.as_ref(), rule, observer)
}

/// The same for prepared points.
pub(crate) fn run_measured(
    known: &MetricPoints<'_>,
    new: Option<&MetricPoints<'_>>,
    rule: QueryRule<'_>,
    observer: &dyn Observer,
) -> Result<(Lists, Search), Error> {
    if let Some(new) = new {
        known.check_new(new)?;
    }
    match known.of_euclidean() {
        Some(distance) => mapped(known, new, rule, distance, observer),
        None => Ok((all_pairs(known, new, rule, observer)?, Search::BruteForce)),
    }
}

/// Euclidean neighbors of the mapped points, with the distances of the metric.
fn mapped(
    known: &MetricPoints<'_>,
    new: Option<&MetricPoints<'_>>,
    rule: QueryRule<'_>,
    distance: fn(f64) -> f64,
    observer: &dyn Observer,
) -> Result<(Lists, Search), Error> {
    let mut radii = Vec::new();
    let mapped = rule.with_radii(|radius| known.euclidean_bound(radius), &mut radii);
    let new = new.map(MetricPoints::rows);
    let (mut found, search) = run(known.rows().into(), new, mapped, Search::Auto, observer)?;
    found.distances.iter_mut().for_each(|d| *d = distance(*d));
    if let QueryRule::Within { radii } = rule {
        found = found.within(radii);
    }
    Ok((found, search))
}

#[cfg(test)]
mod tests {
    use embedding::{Neighborhood, Silent};

    use super::*;

    /// Rows of small whole numbers, so that many distances are equal.
    fn tied(n: usize, dim: usize) -> Vec<f64> {
        (0..n * dim)
            .map(|i| f64::from((i * i + i / 7) as u32 % 3) + f64::from(u8::from(i % dim == 0)))
            .collect()
    }

    /// The lists of the mapped points agree with the lists from all pairs, ties included.
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
                    let (fast, _) = run_measured(&measured, None, rule.into(), &Silent).expect("a search");
                    let slow = all_pairs(&measured, None, rule.into(), &Silent).expect("a search");
                    assert_eq!(fast.into_vecs(), slow.into_vecs(), "{metric}, n = {n}, {rule:?}");
                }
            }
        }
    }
}
