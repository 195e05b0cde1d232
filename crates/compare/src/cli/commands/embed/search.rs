//! The second step of `compare embed`: the neighbors of the points, without shortcut edges where these
//! are removed.

use embedding::{DynMethod, Error, Input, Neighbors};
use neighbor_graph::{NeighborSearch, Neighborhood, shortcuts::without_shortcuts};
use quality::diagnosis::count_shortcuts;

use super::arguments::Embed;
use crate::Failure;
use crate::cli::files::embed_input::EmbedInput;
use crate::cli::settings::searches_itself;
use crate::graph::{approximate, unrelated};
use crate::progress::Progress;
use crate::results::Stage;
use crate::stopwatch::{Stopwatch, Times};

/// The neighbor lists of a fit, and how they were found.
pub(super) struct Search {
    /// The lists, of a method that reads some.
    pub(super) lists: Option<Neighbors>,
    /// The recall of an approximate search, in words.
    pub(super) recall: Option<String>,
    /// The rows that are related to no other row, in words.
    pub(super) unrelated: Option<String>,
    /// The number of shortcut edges that were removed.
    removed: Option<usize>,
    /// The time of the search, in seconds.
    pub(super) seconds: f64,
    /// The stages of the search.
    pub(super) stages: Vec<Stage>,
}

impl Search {
    /// Searches the neighbors that the method reads; given lists are taken as they are.
    pub(super) fn run(
        options: &Embed,
        method: &dyn DynMethod,
        data: &EmbedInput<'_>,
        input: &Input<'_>,
        progress: &Progress,
    ) -> Result<Self, Failure> {
        let stopwatch = Stopwatch::start(progress);
        let observed = input.with_observer(&stopwatch);
        let mut recall = None;
        let wanted = method.neighborhood_dyn(input.len());
        let mut lists = match (data, wanted, options.search.neighbor_recall) {
            (
                EmbedInput::Points(_) | EmbedInput::Sparse(_),
                Some(Neighborhood::Nearest { k }),
                Some(goal),
            ) => {
                let (lists, found) = approximate(&observed, k, goal)?;
                recall = Some(found.to_string());
                Some(lists)
            }
            (EmbedInput::Points(_) | EmbedInput::Sparse(_), None, Some(_)) if searches_itself(method) => None,
            (_, _, Some(_)) => {
                return Err(Failure::usage(
                    "--neighbor-recall needs points, and a method of a number of nearest neighbors"
                        .to_owned(),
                ));
            }
            (EmbedInput::Neighbors(given), _, None) => Some(given.as_ref().clone()),
            (_, Some(wanted), None) => Some(NeighborSearch::from(wanted).find(observed)?),
            (_, None, None) => None,
        };
        let columns = data.rows().map_or(0, |rows| rows.dim());
        let unrelated = lists.as_ref().and_then(|lists| unrelated(lists, input.metric(), columns));
        let mut removed = None;
        if let (Some(lists), Some(stretch)) = (&mut lists, options.graph.cut_shortcuts) {
            let (others, shortcuts) = without_shortcuts(&observed, lists, stretch)?;
            *lists = others;
            removed = Some(shortcuts.len());
        }
        let Times { seconds, stages, .. } = stopwatch.stop();
        Ok(Self { lists, recall, unrelated, removed, seconds, stages })
    }

    /// The number of shortcut edges: the removed ones, or the ones that Euclidean distances show in the
    /// lists. The count is a diagnosis, not part of the fit, so that its time does not count.
    pub(super) fn count_shortcuts(
        &self,
        options: &Embed,
        data: &EmbedInput<'_>,
        input: &Input<'_>,
        progress: &Progress,
    ) -> Result<Option<usize>, Error> {
        let shown = data.has_distances() && options.distance.metric.is_euclidean();
        match (&self.lists, options.graph.cut_shortcuts) {
            (Some(lists), None) if shown => count_shortcuts(&input.with_observer(progress), lists),
            _ => Ok(self.removed),
        }
    }
}
