//! Candidate lists of the queries of one block.

use std::ops::Range;

use crate::search::lists::{self, List, Lists};
use crate::search::query_rule::QueryRule;

/// One list per query, complete for the points considered so far.
#[derive(Debug)]
pub(crate) struct Best<'a> {
    rule: QueryRule<'a>,
    /// The number of the first query.
    first: usize,
    lists: Vec<List>,
}

impl<'a> Best<'a> {
    pub(crate) fn new(rule: QueryRule<'a>, queries: Range<usize>) -> Self {
        let capacity = match rule {
            QueryRule::Nearest { k } => k,
            QueryRule::Within { .. } => 0,
        };
        let lists = queries.clone().map(|_| List::with_capacity(capacity)).collect();
        Self { rule, first: queries.start, lists }
    }

    /// Returns the distance beyond which no point can enter the list of query `q`.
    #[inline(always)]
    pub(crate) fn reach(&self, q: usize) -> f64 {
        match self.rule {
            QueryRule::Nearest { k } => match self.lists[q].get(k - 1) {
                Some(last) => last.1,
                None => f64::INFINITY,
            },
            QueryRule::Within { radii } => radii.of(self.first + q),
        }
    }

    /// Adds a point to the list of query `q` if it is near enough; each point is passed
    /// once.
    #[inline(always)]
    pub(crate) fn offer(&mut self, q: usize, j: u32, distance: f64) {
        let list = &mut self.lists[q];
        match self.rule {
            QueryRule::Nearest { k } => {
                let at = list.partition_point(|e| e.1 < distance || (e.1 == distance && e.0 < j));
                if at < k {
                    if list.len() == k {
                        list.pop();
                    }
                    list.insert(at, (j, distance));
                }
            }
            QueryRule::Within { radii } => {
                if distance <= radii.of(self.first + q) {
                    list.push((j, distance));
                }
            }
        }
    }

    pub(crate) fn into_lists(mut self) -> Lists {
        let mut out = Lists::with_capacity(self.lists.len(), self.lists.iter().map(Vec::len).sum());
        for list in &mut self.lists {
            lists::sort(list);
            out.push(list);
        }
        out
    }
}
