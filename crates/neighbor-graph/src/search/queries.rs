//! The queries of a block, and their lists.

use std::ops::Range;

use crate::search::best::Best;
use crate::search::lists::Lists;
use crate::search::query_rule::QueryRule;
use crate::search::sketch::Frame;

/// Consecutive queries, and their lists for the known points compared so far.
pub(crate) struct Queries<'a> {
    /// Their rows in the sketch.
    pub(crate) rows: Range<usize>,
    pub(crate) rule: QueryRule<'a>,
    best: Best<'a>,
    /// Squared distances in the frame beyond which points are discarded.
    pub(crate) thresholds: Vec<f32>,
    /// Rows whose distances are computed later, with their bounds, if they are not at once.
    pub(crate) pending: Vec<Vec<(f32, usize)>>,
}

impl<'a> Queries<'a> {
    pub(crate) fn new(rows: Range<usize>, rule: QueryRule<'a>, frame: &Frame) -> Self {
        let threshold = |row| match rule {
            QueryRule::Nearest { .. } => f32::INFINITY,
            QueryRule::Within { radii } => frame.threshold(radii.of(row)),
        };
        let thresholds = rows.clone().map(threshold).collect();
        Self { best: Best::new(rule, rows.clone()), rule, thresholds, rows, pending: Vec::new() }
    }

    /// Computes distances only when many points are near by their bounds, in order of
    /// increasing bounds.
    pub(crate) fn delayed(mut self) -> Self {
        self.pending = vec![Vec::new(); self.rows.len()];
        self
    }

    pub(crate) fn rows(&self) -> Range<usize> {
        self.rows.clone()
    }

    pub(crate) fn into_lists(self) -> Lists {
        self.best.into_lists()
    }

    /// Adds points to the list of query `q`.
    #[inline(always)]
    pub(crate) fn offer(&mut self, q: usize, near: impl Iterator<Item = (u32, f64)>, frame: &Frame) {
        let before = self.best.reach(q);
        near.for_each(|(j, distance)| self.best.offer(q, j, distance));
        let reach = self.best.reach(q);
        if reach < before {
            self.thresholds[q] = self.thresholds[q].min(frame.threshold(reach));
        }
    }
}
