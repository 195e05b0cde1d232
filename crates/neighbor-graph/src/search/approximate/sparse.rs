//! Sparse points: pairs are compared by their common columns.

use embedding::implement::{SparseMetricPoints, proceed};
use embedding::{Error, Observer, Search};

use super::compared::Compared;
use super::descent::{Descent, most_candidates};
use super::nearest::Nearest;
use super::sparse_space::SparseSpace;
use super::{FEW, Goal, Recall, Sample, chosen, hash, ranks, trees};
use crate::search::lists::{self, List, Lists, fill_in_order};
use crate::search::query_rule::QueryRule;
use crate::search::sparse::Inverted;

/// Trees at the start.
const TREES: u64 = 6;

/// How often the lists are made twice as long.
const WIDENED: u64 = 2;

/// A round usually compares at most this multiple of the pairs of the round before it.
const NEXT: f64 = 1.5;

/// Longer lists are tried where at least this fraction of the neighbors is found.
const PROMISING: f64 = 0.5;

/// Whether an approximate search may pay: not in WebAssembly, where data are small and the size of the code
/// counts.
const PAYS: bool = !cfg!(target_arch = "wasm32");

/// Nanoseconds of one core, measured on 20,000 texts of 60 to 70 words, of the exact search: for a column
/// that two points have in common, and for a pair;
const ALL: (f64, f64) = (0.95, 10.0);

/// and of the approximate search, for a column of one point of a compared pair, and for a compared pair.
const COMPARED: (f64, f64) = (1.5, 40.0);

/// The lists, how they were found and their recall, of points of ordinary scale.
pub(super) fn search(
    points: &SparseMetricPoints,
    k: usize,
    goal: Goal,
    observer: &dyn Observer,
) -> Result<(Lists, Search, Recall), Error> {
    let (n, inverted) = (points.len(), Inverted::new(points, points.len()));
    let all = ALL.0 * inverted.common() + ALL.1 * (n as f64).powi(2);
    let compared = COMPARED.0 * inverted.entries() as f64 / n as f64 + COMPARED.1;
    let most = all / compared;
    if PAYS
        && n > FEW.max(4 * k)
        && n as f64 * usual_pairs(k) < most
        && let Some((lists, recall)) = approximate(&inverted, k, goal, most, observer)?
    {
        return Ok((lists, Search::Approximate, recall));
    }
    let lists = inverted.search(QueryRule::Nearest { k }, observer)?;
    Ok((lists, Search::BruteForce, Recall { measured: 1.0, points: n }))
}

/// The number of pairs per point that usually reach a recall of .95: 40 % of the largest leaf of each tree,
/// and by rounds of descent 1.6 times the square of the number of candidates.
fn usual_pairs(k: usize) -> f64 {
    0.4 * (TREES as usize * trees::leaf(k)) as f64 + 1.6 * (most_candidates(k) as f64).powi(2)
}

/// The lists and their recall; `None` where `most` comparisons do not reach the goal.
fn approximate(
    inverted: &Inverted<'_>,
    k: usize,
    goal: Goal,
    most: f64,
    observer: &dyn Observer,
) -> Result<Option<(Lists, Recall)>, Error> {
    let (points, rule) = (inverted.points, QueryRule::Nearest { k });
    let chosen = chosen(points.len(), goal.seed);
    let exact = inverted.search_of(&chosen, rule, observer)?;
    let sample = Sample::new(chosen, &exact, k - 1);
    let space = SparseSpace::new(inverted, k);
    let ranks = ranks(&space.order);
    let list = |found: &Nearest, i: usize| -> List {
        let entries = found.of(ranks[i] as usize).0.iter().filter(|at| **at != u32::MAX);
        entries.map(|&at| space.order[at as usize]).map(|j| (j, points.distance(i, j as usize))).collect()
    };
    let recall =
        |found: &Nearest| sample.recall(k, |i| list(found, i as usize).into_iter().map(|entry| entry.1));
    let Some((found, measured)) = improve(&space, k, goal, most, &recall, observer)? else { return Ok(None) };
    let lists = fill_in_order(
        points.len(),
        observer,
        || (),
        |(), i, lists| {
            let mut list = list(&found, i);
            lists::keep(&mut list, rule, i);
            lists.push(&list);
        },
    )?;
    Ok(Some((lists, Recall { measured, points: sample.exact.len() })))
}

/// Lists by trees and descent, longer ones where these miss the goal, and their recall; `None` where the
/// next round would exceed `most` comparisons, or lists of the largest length miss the goal.
fn improve(
    space: &SparseSpace<'_>,
    k: usize,
    goal: Goal,
    most: f64,
    recall: &dyn Fn(&Nearest) -> f64,
    observer: &dyn Observer,
) -> Result<Option<(Nearest, f64)>, Error> {
    let (n, mut pairs) = (space.len(), 0);
    let report = |pairs: u64| {
        let done = pairs as f64 / most * n as f64;
        proceed(observer, (done as usize).min(n - 1), n)
    };
    let mut found = Nearest::new(n, k);
    for tree in 0..TREES {
        pairs += trees::join_leaves(space, &mut found, tree, goal.seed);
        report(pairs)?;
    }
    let mut measured = recall(&found);
    for width in 0..=WIDENED {
        let mut descent = Descent::new(space, hash(goal.seed, width));
        let mut improves = true;
        let mut next = 0.5 * n as f64 * (most_candidates(found.k()) as f64).powi(2);
        while improves && measured < goal.recall {
            if pairs as f64 + next > most {
                return Ok(None);
            }
            improves = descent.round(&mut found);
            pairs += descent.pairs();
            next = NEXT * descent.pairs() as f64;
            report(pairs)?;
            measured = recall(&found);
        }
        if measured >= goal.recall {
            return Ok(Some((found, measured)));
        }
        if measured < PROMISING {
            break;
        }
        found = found.widened();
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use embedding::{Metric, Silent, SparsePointSet};

    use super::*;

    /// Rows of up to `entries` of `dim` columns; with `themes`, four fifths of the columns are from one of 40
    /// themes of 20 columns.
    fn texts(n: usize, dim: u64, entries: u64, themes: bool) -> SparsePointSet {
        let (mut offsets, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
        for i in 0..n as u64 {
            for e in 0..entries {
                let draw = hash(1, i * entries + e);
                let theme = hash(2, i * 40 / n as u64 * 7 + draw % 20) % dim;
                let column = if themes && !draw.is_multiple_of(5) { theme } else { hash(3, draw) % dim };
                columns.push(column as u32);
                values.push(1.0 + (draw % 64) as f64 / 64.0);
            }
            offsets.push(columns.len());
        }
        SparsePointSet::new(offsets, columns, values, dim as usize).expect("finite values")
    }

    fn found(
        set: &SparsePointSet,
        k: usize,
        recall: f64,
        most: f64,
    ) -> (SparseMetricPoints, Lists, Option<(Lists, Recall)>) {
        let points = Metric::Cosine.prepare_sparse(set.view()).expect("rows with entries");
        let inverted = Inverted::new(&points, points.len());
        let exact = inverted.search(QueryRule::Nearest { k }, &Silent).expect("lists");
        let goal = Goal { recall, seed: 5 };
        let found = approximate(&inverted, k, goal, most, &Silent).expect("nothing cancels");
        (points, exact, found)
    }

    #[test]
    fn lists_reach_the_goal_with_exact_distances() {
        let (n, k) = (2000, 6);
        for goal in [0.5, 0.9, 0.99] {
            let (points, exact, found) = found(&texts(n, 900, 12, true), k, goal, f64::INFINITY);
            let (lists, recall) = found.expect("themes are found");
            assert!(recall.measured >= goal, "{recall:?}");
            let mut right = 0;
            for i in 0..n {
                let (js, ds) = lists.of(i);
                assert!(js.len() == k && !js.contains(&(i as u32)) && ds.is_sorted(), "{i}: {js:?}");
                assert!(js.iter().map(|&j| points.distance(i, j as usize)).eq(ds.iter().copied()), "{i}");
                right += ds.iter().filter(|d| **d <= exact.of(i).1[k - 1]).count();
            }
            let truth = right as f64 / (n * k) as f64;
            assert!((truth - recall.measured).abs() < 0.05, "{recall:?}, in truth {truth}");
        }
    }

    /// Rows without themes have no neighbors that trees or neighbors of neighbors find.
    #[test]
    fn a_goal_that_is_not_reached_or_costs_too_much_is_given_up() {
        assert!(found(&texts(6000, 3000, 12, false), 6, 0.95, f64::INFINITY).2.is_none());
        assert!(found(&texts(2000, 900, 12, true), 6, 0.99, 1e4).2.is_none());
    }

    /// One tree finds a multiple of the neighbors that as many random pairs find.
    #[test]
    fn trees_divide_points_by_their_themes() {
        let set = texts(4000, 900, 12, true);
        let points = Metric::Cosine.prepare_sparse(set.view()).expect("rows with entries");
        let inverted = Inverted::new(&points, points.len());
        let exact = inverted.search(QueryRule::Nearest { k: 6 }, &Silent).expect("lists");
        let space = SparseSpace::new(&inverted, 6);
        let mut found = Nearest::new(4000, 6);
        trees::join_leaves(&space, &mut found, 1, 5);
        let ranks = ranks(&space.order);
        let right = |i: usize| {
            let list = found.of(ranks[i] as usize).0;
            list.iter().filter(|at| exact.of(i).0.contains(&space.order[**at as usize])).count()
        };
        let fraction = (0..4000).map(right).sum::<usize>() as f64 / (4000.0 * 6.0);
        assert!(fraction > 0.3, "{fraction}");
    }
}
