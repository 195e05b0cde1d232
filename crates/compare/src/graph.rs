//! One neighbor search per data set, shared by every method.

use std::time::Instant;

use embedding::{Error, Observer, Points, Value};
use neighbor_graph::{Graph, Neighborhood, Neighbors, Symmetry, find_neighbors, without_shortcuts};

use crate::results::GraphFacts;

/// The neighbor lists of one data set: the longest k that anybody wants, sliced
/// for the others, and one set of lists per radius.
pub(crate) struct SharedGraph {
    nearest: Neighbors,
    within: Vec<Neighbors>,
    cut: Option<Cut>,
    seconds: f64,
}

/// The lists of every wish without its shortcuts: cut once, for all methods.
struct Cut {
    stretch: f64,
    lists: Vec<(Neighbors, usize)>,
}

/// How far around a way must be for an edge to count as a jump where nobody said
/// otherwise; see [`Graph::shortcuts`].
const STRETCH: f64 = 4.0;

/// Points up to which shortcuts are counted without being asked for: on 70,000
/// pictures the count takes longer than a map of them.
const FEW: usize = 10_000;

impl SharedGraph {
    /// Finds the lists for `k` and for every wish that n points can fulfill;
    /// the others fail when their turn comes. Shortcuts of stretch `cut` are cut.
    pub(crate) fn find(
        points: Points<'_>,
        k: usize,
        wishes: impl Iterator<Item = Neighborhood>,
        cut: Option<f64>,
        observer: &dyn Observer,
    ) -> Result<Self, Error> {
        let begun = Instant::now();
        Neighborhood::Nearest { k }.check(points.len())?;
        let mut all = vec![Neighborhood::Nearest { k }];
        for wish in wishes.filter(|wish| wish.check(points.len()).is_ok()) {
            if !all.contains(&wish) {
                all.push(wish);
            }
        }
        let (mut most, mut radii) = (k, Vec::new());
        for wish in &all {
            match *wish {
                Neighborhood::Nearest { k } => most = most.max(k),
                Neighborhood::Within { radius } => radii.push(radius),
            }
        }
        let nearest = find_neighbors(points, Neighborhood::Nearest { k: most }, observer)?;
        let search = |radius| find_neighbors(points, Neighborhood::Within { radius }, observer);
        let within = radii.into_iter().map(search).collect::<Result<_, _>>()?;
        let mut graph = Self { nearest, within, cut: None, seconds: begun.elapsed().as_secs_f64() };
        if let Some(stretch) = cut {
            let without = |wish| -> Result<_, Error> {
                let (rest, shortcuts) = without_shortcuts(&graph.lists(wish)?, stretch, observer)?;
                Ok((rest, shortcuts.len()))
            };
            let lists = all.into_iter().map(without).collect::<Result<_, _>>()?;
            graph.cut = Some(Cut { stretch, lists });
        }
        Ok(graph)
    }

    /// The lists of one neighborhood; fails where n points do not have it.
    pub(crate) fn lists(&self, wish: Neighborhood) -> Result<Neighbors, Error> {
        wish.check(self.nearest.len())?;
        match wish {
            Neighborhood::Nearest { k } => self.nearest.truncated(k),
            Neighborhood::Within { .. } => {
                let found = self.within.iter().find(|lists| lists.neighborhood() == wish);
                Ok(found.expect("every legal wish was fulfilled").clone())
            }
        }
    }

    /// The lists that a method is given: without shortcuts, where they are cut.
    pub(crate) fn lists_for_method(&self, wish: Neighborhood) -> Result<Neighbors, Error> {
        wish.check(self.nearest.len())?;
        self.cut.as_ref().map_or_else(|| self.lists(wish), |cut| Ok(cut.of(wish).0.clone()))
    }

    /// What is known about the graph of the `k` nearest.
    pub(crate) fn facts(&self, k: usize, observer: &dyn Observer) -> Result<GraphFacts, Error> {
        let neighborhood = Neighborhood::Nearest { k };
        let graph = Graph::new(&self.lists_for_method(neighborhood)?, Symmetry::Union);
        let shortcuts = match &self.cut {
            Some(cut) => Some(cut.of(neighborhood).1),
            None if graph.len() <= FEW => Some(graph.shortcuts(STRETCH, observer)?.len()),
            None => None,
        };
        let mut components = graph.components().sizes;
        components.sort_unstable_by(|a, b| b.cmp(a));
        Ok(GraphFacts {
            neighborhood,
            edges: graph.edges(),
            components,
            shortcuts,
            cut: self.cut.as_ref().map(|cut| cut.stretch),
            search: self.nearest.found_by().map_or_else(|| "given".to_owned(), |search| search.show()),
            seconds: self.seconds,
        })
    }
}

impl Cut {
    fn of(&self, wish: Neighborhood) -> &(Neighbors, usize) {
        let found = self.lists.iter().find(|(lists, _)| lists.neighborhood() == wish);
        found.expect("every legal wish was fulfilled")
    }
}
