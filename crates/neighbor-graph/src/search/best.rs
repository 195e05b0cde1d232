//! Candidate lists of the queries of one block.

use crate::Neighborhood;
use crate::search::lists::{self, List, Lists};

/// One list per query, complete for the points considered so far.
#[derive(Debug)]
pub(crate) struct Best {
    neighborhood: Neighborhood,
    lists: Vec<List>,
}

impl Best {
    pub(crate) fn new(neighborhood: Neighborhood, queries: usize) -> Self {
        let capacity = match neighborhood {
            Neighborhood::Nearest { k } => k,
            Neighborhood::Within { .. } => 0,
        };
        Self { neighborhood, lists: (0..queries).map(|_| List::with_capacity(capacity)).collect() }
    }

    /// Returns the distance beyond which no point can enter the list of query `q`.
    #[inline(always)]
    pub(crate) fn reach(&self, q: usize) -> f64 {
        match self.neighborhood {
            Neighborhood::Nearest { k } => match self.lists[q].get(k - 1) {
                Some(last) => last.1,
                None => f64::INFINITY,
            },
            Neighborhood::Within { radius } => radius,
        }
    }

    /// Adds a point to the list of query `q` if it is near enough; each point is passed
    /// once.
    #[inline(always)]
    pub(crate) fn offer(&mut self, q: usize, j: u32, distance: f64) {
        let list = &mut self.lists[q];
        match self.neighborhood {
            Neighborhood::Nearest { k } => {
                let at = list.partition_point(|e| e.1 < distance || (e.1 == distance && e.0 < j));
                if at < k {
                    if list.len() == k {
                        list.pop();
                    }
                    list.insert(at, (j, distance));
                }
            }
            Neighborhood::Within { radius } => {
                if distance <= radius {
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
