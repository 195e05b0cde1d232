//! Maps of several data sets whose rows are related by names.

mod relations;
mod starts;
#[cfg(test)]
mod tests;

use embedding::{
    DynMethod, DynModel, Error, Input, MemoryLimit, Metric, Neighbors, Observer, PointSet, Points,
};
use neighbor_graph::NeighborSearch;
use swissroll::saved::rotated::Rotated;

pub use self::relations::Relations;
use self::relations::{Related, related};
use self::starts::{Copies, Others, Start};
use crate::update::{Movement, distance, neighbor_distance, rotation};

/// λ where no pull is given.
pub const PULL: f64 = 2.0;

/// How often all sets are fitted again, after each was fitted once.
const SWEEPS: usize = 1;

/// A data set with a name per row.
#[derive(Clone, Copy)]
pub struct NamedRows<'a> {
    /// The rows. Sets may have different columns.
    pub points: Points<'a>,
    /// Their names, all different.
    pub names: &'a [String],
}

/// Several data sets, and the method that makes a map of each.
///
/// Rows of one name are related: in neighboring sets, or in all. A method that keeps rows at given places
/// ([`DynMethod::fixes_rows`]) has the objective
///
/// F(Y₁, …, Yₘ) = Σₛ Lₛ(Yₛ) + λ/2 Σ |y − y′|²,
///
/// Lₛ the method's own loss of the map of set s, y and y′ the places of two related rows, each pair once. λ has the
/// unit of [`Input::with_pull`]. Lₛ of SMACOF is half the stress divided by the n − 1 weights of a row. Where rows
/// have different sums of weights, as in Sammon's mapping, each set draws its rows by its own sums: the steps below
/// are then no steps of one objective.
///
/// 1. Set 1 is fitted by itself. Every later set starts at the mean places of its related rows in earlier sets.
///    Each other row starts at the mean of the places of its five nearest related rows, weighted by the inverses of
///    their distances in its own set. Related rows are drawn to where they start.
/// 2. Sets m − 1, …, 1 and then 2, …, m are fitted again from their maps, while the other maps stay. These are steps
///    of proximal block coordinate descent. Let r be the number of related places p of a row, c the largest r in
///    the set, and y₀ the place of the row before. The block has the terms λ/2 (Σ |y − p|² + (c − r) |y − y₀|²).
///    Up to a constant their sum is λ c/2 |y − q|², the pull λ c to q = y₀ + Σ (p − y₀) / c. The term of y₀ is 0
///    where the row stays. Therefore a fit that leaves its block lower than before decreases F. For two sets there is
///    no such term.
///
/// F decreases where the fits decrease their blocks. UMAP draws random pairs, t-SNE has momentum, and a fit starts
/// with related rows at q; nothing enforces the decrease, and no limit is claimed. Copies that a method merges count
/// as one row, with the mean of their q.
///
/// All other methods are fitted to each set by itself. Each map is rotated, or reflected, onto the mean places
/// of its related rows in earlier sets by Procrustes analysis, without a change of size.
///
/// Cost: m fits, and 2 (m − 1) more by methods with a pull; neighbors are searched once per set. Starts take a search
/// among the related rows of each set, and memory O(n D).
#[derive(Clone, Copy)]
pub struct Alignment<'a> {
    /// The method of all maps.
    pub method: &'a dyn DynMethod,
    /// The sets, at least two.
    pub sets: &'a [NamedRows<'a>],
    /// The distance between rows.
    pub metric: Metric,
    /// Which sets are related.
    pub relations: Relations,
    /// λ, how strongly related rows are drawn to each other: finite and above 0, [`PULL`] where it is `None`. Only
    /// for methods that keep rows at given places.
    pub pull: Option<f64>,
}

/// The maps of several data sets.
pub struct Aligned {
    /// A model per set, which places new rows.
    pub models: Vec<Box<dyn DynModel>>,
    /// How far related rows are apart, for each pair of neighboring sets that share names.
    pub apart: Vec<Apart>,
    /// How the maps were brought together.
    pub note: String,
}

/// How far the related rows of two neighboring sets are apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Apart {
    /// The first of the sets, counted from 0.
    pub set: usize,
    /// The number of pairs of related rows.
    pub related: usize,
    /// Their distances, in units of the median distance from a row to its 10th neighbor in its map, the smaller one
    /// of the two maps.
    pub distance: Movement,
}

impl Alignment<'_> {
    /// Fits the method to every set.
    ///
    /// Fails where there are fewer than two sets, where a name occurs twice in a set, where a set shares fewer than
    /// d + 1 names with related sets before it, where a map has no place for some rows, where a pull is given to a
    /// method that has none, and as the fits do.
    pub fn run(&self, memory: MemoryLimit, observer: &dyn Observer) -> Result<Aligned, Error> {
        let Self { method, sets, metric, .. } = *self;
        let pull = self.checked_pull()?;
        let related = related(sets, self.relations)?;
        let mut inputs = Vec::new();
        for set in sets {
            let input = Input::from(set.points).with_metric(metric).with_memory_limit(memory);
            inputs.push(input.with_observer(observer));
        }
        let search = |input: &Input<'_>| {
            let rule = method.neighborhood_dyn(input.len());
            rule.map(|rule| NeighborSearch::from(rule).find(*input)).transpose()
        };
        let lists: Vec<Option<Neighbors>> = inputs.iter().map(search).collect::<Result<_, _>>()?;
        for (input, lists) in inputs.iter_mut().zip(&lists) {
            *input = lists.as_ref().map_or(*input, |lists| input.with_neighbors(lists));
        }
        let merges = pull.is_some() && merges_copies(method);
        let copies: Vec<Option<Copies>> =
            sets.iter().map(|set| merges.then(|| Copies::of(set.points))).collect();

        let mut models = vec![whole(method, &inputs[0])?];
        let dim = models[0].embedding().dim();
        related.iter().enumerate().skip(1).try_for_each(|(at, set)| set.require(at, dim))?;
        for at in 1..sets.len() {
            let others = Others { models: &models, related: &related[at], copies: copies[at].as_ref() };
            models.push(match pull {
                Some(pull) => {
                    drawn(method, &inputs[at], &others.first(sets[at].points, metric, memory)?, pull)?
                }
                None => rotated(whole(method, &inputs[at])?, &others)?,
            });
        }
        if let Some(pull) = pull {
            let resumed = method.resumed_dyn();
            for at in (0..SWEEPS).flat_map(|_| (0..sets.len() - 1).rev().chain(1..sets.len())) {
                let others = Others { models: &models, related: &related[at], copies: copies[at].as_ref() };
                let start = others.further(models[at].embedding().values())?;
                models[at] = drawn(resumed.as_ref(), &inputs[at], &start, pull)?;
            }
        }
        let note = match pull {
            Some(pull) => format!("related rows are drawn to each other by a pull of {pull}"),
            None => "each map is rotated onto the maps of the sets before it".to_owned(),
        };
        let apart = (0..sets.len() - 1).map(|at| apart(at, &related[at], &models));
        Ok(Aligned { apart: apart.filter_map(Result::transpose).collect::<Result<_, _>>()?, models, note })
    }

    /// λ; `None` for a method without a pull.
    fn checked_pull(&self) -> Result<Option<f64>, Error> {
        match self.pull {
            Some(_) if !self.method.fixes_rows() => Err(Error::degenerate(
                format!("{} has no pull: its maps are rotated onto each other", self.method.about().title),
                "leave the pull out",
            )),
            Some(pull) if !(pull > 0.0 && pull.is_finite()) => {
                Err(Error::parameter("the pull between related rows", "above 0 and finite", pull))
            }
            given => Ok(self.method.fixes_rows().then(|| given.unwrap_or(PULL))),
        }
    }
}

/// Whether the method gives copies of a row one place.
fn merges_copies(method: &dyn DynMethod) -> bool {
    method.parameters().iter().any(|info| info.name == "duplicates" && info.value == "merge")
}

/// A fit whose map has a place for every row.
fn whole(method: &dyn DynMethod, input: &Input<'_>) -> Result<Box<dyn DynModel>, Error> {
    let fitted = method.fit_dyn(input)?;
    let map = fitted.embedding();
    if map.len() != input.len() || map.placed_rows().is_some() {
        return Err(Error::Shape {
            what: "the number of placed rows",
            expected: format!("{}, all rows of the data set, to relate maps by their rows", input.len()),
            got: map.len().to_string(),
        });
    }
    Ok(fitted)
}

/// A fit from a start, whose related rows are drawn to their places in it.
fn drawn(
    method: &dyn DynMethod,
    input: &Input<'_>,
    start: &Start,
    pull: f64,
) -> Result<Box<dyn DynModel>, Error> {
    let input = input.with_start(start.places.view()).with_pull(&start.drawn, pull * start.count as f64);
    whole(method, &input)
}

/// A model whose map is rotated onto the places of related rows.
fn rotated(fitted: Box<dyn DynModel>, others: &Others<'_>) -> Result<Box<dyn DynModel>, Error> {
    let (rows, means) = others.means();
    let map = fitted.embedding();
    let own = PointSet::new(map.values().to_vec(), map.dim())?.view().select(&rows);
    let rotation = rotation(PointSet::new(means, map.dim())?.view(), own.view())?;
    Ok(Box::new(Rotated::new(fitted, rotation)?))
}

/// How far the related rows of a set and the next one are apart; `None` where there are none.
fn apart(set: usize, related: &Related, models: &[Box<dyn DynModel>]) -> Result<Option<Apart>, Error> {
    let (map, next) = (models[set].embedding(), models[set + 1].embedding());
    let of_row = |row: usize| {
        related.of(row).iter().filter(|other| other.0 == set + 1).map(move |other| (row, other.1))
    };
    let pairs: Vec<(usize, usize)> = (0..map.len()).flat_map(of_row).collect();
    if pairs.is_empty() {
        return Ok(None);
    }
    let gaps = pairs.iter().map(|&(row, other)| distance(map.row(row), next.row(other)));
    let unit = neighbor_distance(map)?.min(neighbor_distance(next)?);
    Ok(Some(Apart { set, related: pairs.len(), distance: Movement::of(gaps.collect(), unit) }))
}
