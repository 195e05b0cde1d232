//! One neighbor search per data set, shared by all methods.

use std::time::Instant;

use datasets::Geometry;
use embedding::implement::Value;
use embedding::{Error, Input, Metric, Observer, Rows};
use figure::number::counted;
use neighbor_graph::{
    Graph, NeighborSearch, Neighborhood, Neighbors, Recall, Search, Symmetry,
    shortcuts::{true_shortcuts, without_shortcuts},
    unrelated_rows,
};
use quality::diagnosis::count_shortcuts;

use crate::Failure;
use crate::dataset_source::DatasetSource;
use crate::results::{GraphFacts, NeighborRecall};

/// The neighbor lists of one data set: one search with the largest k needed, truncated
/// for smaller k, and one search per radius.
pub(crate) struct SharedGraph {
    metric: Metric,
    nearest: Neighbors,
    within: Vec<Neighbors>,
    recall: Option<NeighborRecall>,
    cut: Option<Cut>,
    seconds: f64,
}

/// The lists of every requested neighborhood with shortcuts removed, computed once for
/// all methods.
struct Cut {
    stretch: f64,
    lists: Vec<(Neighbors, usize)>,
}

/// A neighborhood in words.
pub(crate) fn in_words(neighborhood: Neighborhood) -> String {
    match neighborhood {
        Neighborhood::Nearest { k } => counted(k, "nearest neighbor", "nearest neighbors"),
        Neighborhood::Within { radius } => format!("neighbors within {radius}"),
    }
}

/// Rows that a sentence names.
const NAMED: usize = 5;

/// A sentence on rows that are related to no other row by the metric, where there are such rows.
pub(crate) fn unrelated(neighbors: &Neighbors, metric: Metric, columns: usize) -> Option<String> {
    let rows = unrelated_rows(neighbors, metric, columns);
    (!rows.is_empty()).then(|| {
        format!(
            "{} nothing in common with others by {metric} (counted from 0: {}): --unrelated-rows drop leaves them \
             out; otherwise maps place them arbitrarily, unless --components is largest or per-component",
            counted(rows.len(), "row has", "rows have"),
            listed(&rows)
        )
    })
}

/// The first numbers of rows, for a sentence.
pub(crate) fn listed(rows: &[u32]) -> String {
    let named: Vec<String> = rows.iter().take(NAMED).map(u32::to_string).collect();
    let more = if rows.len() > NAMED { ", …" } else { "" };
    format!("{}{more}", named.join(", "))
}

/// Refuses the removal of shortcuts for metrics other than the Euclidean one, which tangent spaces need.
pub(crate) fn tangents_of(metric: Metric) -> Result<(), Failure> {
    if metric.is_euclidean() {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "--cut-shortcuts compares edges with tangent spaces, which are euclidean, but --metric is {metric}; leave \
         one of them out"
    )))
}

/// Lists of k neighbors of points, by their metric, with the measured recall: the fraction of right
/// neighbors, which should be at least `goal`.
pub(crate) fn approximate(
    input: &Input<'_>,
    k: usize,
    goal: f64,
) -> Result<(Neighbors, NeighborRecall), Error> {
    let search = NeighborSearch::nearest(k).with_recall(goal);
    let (lists, Recall { measured, points }) = search.find_with_recall(input)?;
    let exact = lists.found_by() != Some(Search::Approximate);
    Ok((lists, NeighborRecall { goal, measured, points, k, exact }))
}

impl SharedGraph {
    /// Searches the lists of an input's points, by its metric, for `k` and for every requested
    /// neighborhood that is valid for n points; invalid ones fail later. With a `recall`, the
    /// nearest are searched until this fraction of them is right. Shortcuts with stretch `cut`
    /// are removed.
    pub(crate) fn find(
        input: &Input<'_>,
        k: usize,
        neighborhoods: impl Iterator<Item = Neighborhood>,
        recall: Option<f64>,
        cut: Option<f64>,
    ) -> Result<Self, Error> {
        let (begun, metric) = (Instant::now(), input.metric());
        Neighborhood::Nearest { k }.check(input.len())?;
        let mut all = vec![Neighborhood::Nearest { k }];
        for neighborhood in neighborhoods.filter(|neighborhood| neighborhood.check(input.len()).is_ok()) {
            if !all.contains(&neighborhood) {
                all.push(neighborhood);
            }
        }
        let (mut most, mut radii) = (k, Vec::new());
        for neighborhood in &all {
            match *neighborhood {
                Neighborhood::Nearest { k } => most = most.max(k),
                Neighborhood::Within { radius } => radii.push(radius),
            }
        }
        let (nearest, recall) = match recall {
            Some(goal) => {
                let (lists, recall) = approximate(input, most, goal)?;
                (lists, Some(recall))
            }
            None => (NeighborSearch::nearest(most).find(input)?, None),
        };
        let search = |radius| NeighborSearch::within(radius).find(input);
        let within = radii.into_iter().map(search).collect::<Result<_, _>>()?;
        let mut graph =
            Self { metric, nearest, within, recall, cut: None, seconds: begun.elapsed().as_secs_f64() };
        if let Some(stretch) = cut {
            let without = |rule| -> Result<_, Error> {
                let (rest, shortcuts) = without_shortcuts(input, &graph.lists(rule)?, stretch)?;
                Ok((rest, shortcuts.len()))
            };
            let lists = all.into_iter().map(without).collect::<Result<_, _>>()?;
            graph.cut = Some(Cut { stretch, lists });
        }
        Ok(graph)
    }

    /// Returns the lists of one neighborhood; fails if it is invalid for n points.
    pub(crate) fn lists(&self, neighborhood: Neighborhood) -> Result<Neighbors, Error> {
        neighborhood.check(self.nearest.len())?;
        match neighborhood {
            Neighborhood::Nearest { k } => self.nearest.truncated(k),
            Neighborhood::Within { .. } => {
                let found = self.within.iter().find(|lists| lists.neighborhood() == neighborhood);
                Ok(found.expect("every valid neighborhood was searched").clone())
            }
        }
    }

    /// Returns the lists passed to methods: with shortcuts removed, if requested.
    pub(crate) fn lists_for_method(&self, neighborhood: Neighborhood) -> Result<Neighbors, Error> {
        neighborhood.check(self.nearest.len())?;
        self.cut.as_ref().map_or_else(|| self.lists(neighborhood), |cut| Ok(cut.of(neighborhood).0.clone()))
    }

    /// Returns facts about the graph of the `k` nearest neighbors of the points of `source`.
    /// Shortcuts are counted where the metric is Euclidean and the points have their zeros: they leave
    /// tangent spaces.
    pub(crate) fn facts(
        &self,
        k: usize,
        source: &DatasetSource,
        observer: &dyn Observer,
    ) -> Result<GraphFacts, Error> {
        let neighborhood = Neighborhood::Nearest { k };
        let lists = self.lists_for_method(neighborhood)?;
        let graph = Graph::new(&lists, Symmetry::Union);
        let shortcuts = match &self.cut {
            Some(cut) => Some(cut.of(neighborhood).1),
            None => match source.points() {
                Rows::Dense(points) if self.metric.is_euclidean() => {
                    count_shortcuts(&Input::from(points).with_observer(observer), &lists)?
                }
                Rows::Dense(_) | Rows::Sparse(_) => None,
            },
        };
        let data = &source.data;
        let isometric = data.geometry == Geometry::Isometric && self.metric.is_euclidean();
        let isometric = data.truth.as_ref().filter(|_| isometric);
        let truth = isometric.map(|truth| true_shortcuts(&lists, truth.view())).transpose()?;
        let mut components = graph.components().sizes;
        components.sort_unstable_by(|a, b| b.cmp(a));
        Ok(GraphFacts {
            neighborhood,
            metric: self.metric.show(),
            edges: graph.edge_count(),
            components,
            shortcuts,
            true_shortcuts: truth.map(|edges| edges.len()),
            cut: self.cut.as_ref().map(|cut| cut.stretch),
            search: self.nearest.found_by().map_or_else(|| "given".to_owned(), |search| search.show()),
            recall: self.recall,
            seconds: self.seconds,
        })
    }
}

impl Cut {
    fn of(&self, neighborhood: Neighborhood) -> &(Neighbors, usize) {
        let found = self.lists.iter().find(|(lists, _)| lists.neighborhood() == neighborhood);
        found.expect("every valid neighborhood was searched")
    }
}
