//! The interface of methods on a neighbor graph.

use embedding::implement::{Sizes, StartScale};
use embedding::{About, Error, Fitted, Input, MemoryLimit, Neighborhood, Neighbors, Recipe};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::NeighborSearch;
use crate::copies::Copies;
use crate::search::{search_bytes, search_threads_bytes};
use crate::unrelated::Measurable;
use crate::{ComponentFits, Components, Duplicates, Manifold};

/// A method that embeds one connected manifold at a time.
///
/// [`graph_method!`](crate::graph_method) makes it an [`embedding::Method`] whose
/// fit searches the neighbors where none are given, applies the component policy,
/// and returns the [`ComponentFits`] with the rows that were placed. The recipe has the fields
/// `neighborhood`, `components` and `duplicates`.
pub trait GraphMethod: Recipe + Clone + Default + Serialize + DeserializeOwned + Send + Sync {
    /// The model of one manifold.
    type Model: Fitted;

    /// The description of the method.
    const ABOUT: About;

    /// The lists whose graph is embedded, where they differ from the lists of the
    /// neighborhood, with the same rule: for example the lists of a kernel that reaches
    /// beyond the k nearest. Components are computed from these lists.
    fn widened(&self, _input: &Input<'_>, _neighbors: &Neighbors) -> Result<Option<Neighbors>, Error> {
        Ok(None)
    }

    /// See [`embedding::Method::SPARSE`]: for a method that does not accept neighbor lists alone.
    const SPARSE: bool = false;

    /// See [`embedding::Method::READS_COORDINATES`].
    const READS_COORDINATES: bool = false;

    /// See [`embedding::Method::START`].
    const START: Option<StartScale> = None;

    /// See [`embedding::Method::complete`].
    fn complete(&self, sizes: Sizes) -> Sizes {
        sizes
    }

    /// Whether models keep the points, to place new ones. If the model has to copy the points of the
    /// input, the limit that [`GraphMethod::check_memory`] receives already accounts for the copy.
    const KEEPS_POINTS: bool = true;

    /// Fails when a manifold of the given sizes, which include the number of points, needs more
    /// memory than the limit. It is called before the neighbors are searched, where all points
    /// form one manifold. The limit of a [`Manifold`] contains the points that its model copies.
    fn check_memory(&self, _sizes: Sizes, _limit: MemoryLimit) -> Result<(), Error> {
        Ok(())
    }

    /// The fit of one connected manifold, whose parameters were checked.
    fn fit_manifold(&self, manifold: Manifold<'_>) -> Result<Self::Model, Error>;
}

/// The fields that all recipes on a neighbor graph have.
#[derive(Clone, Copy, Debug)]
pub struct OnGraph {
    /// The rule that selects neighbors.
    pub neighborhood: Neighborhood,
    /// What to do with a disconnected neighbor graph.
    pub components: Components,
    /// What to do with rows that are exact copies of others.
    pub duplicates: Duplicates,
}

/// The fit of a graph method: rows that are related to no other, copies, neighbors, component policy, and each
/// manifold.
pub fn fit_components<M>(
    method: &M,
    shared: OnGraph,
    input: &Input<'_>,
) -> Result<ComponentFits<M::Model>, Error>
where
    M: GraphMethod + embedding::Method,
{
    let measurable = if sets_apart(shared.components) { Measurable::of(input) } else { None };
    match measurable {
        None => fit_measurable(method, shared, input),
        Some(part) => {
            let fitted = fit_measurable(method, shared, &part.input(input)?);
            Ok(fitted.map_err(|error| of_rows(error, &part.rows))?.of_rows(&part.rows, input.len()))
        }
    }
}

/// Whether the policy leaves rows out that are related to no other.
fn sets_apart(components: Components) -> bool {
    match components {
        Components::Reject | Components::Bridge => false,
        Components::Largest | Components::PerComponent => true,
    }
}

/// An error of some rows as one of all rows.
fn of_rows(error: Error, rows: &[u32]) -> Error {
    match error {
        Error::Component { component, components, size, row, problem } => {
            Error::Component { component, components, size, row: rows[row as usize], problem }
        }
        other => other,
    }
}

/// The fit of rows that all have a distance to others.
fn fit_measurable<M>(method: &M, shared: OnGraph, input: &Input<'_>) -> Result<ComponentFits<M::Model>, Error>
where
    M: GraphMethod + embedding::Method,
{
    let copies = match shared.duplicates {
        Duplicates::Merge => Copies::of(input),
        Duplicates::Keep => None,
    };
    let Some(copies) = copies else { return fit_rows(method, shared, input) };
    let distinct = copies.distinct(input, Some(shared.neighborhood))?;
    let all_rows = copies.observer(input.observer());
    let fitted = fit_rows(method, shared, &distinct.input(input)?.with_observer(&all_rows));
    let fitted = fitted.map_err(|error| of_rows(error, &copies.rows))?;
    Ok(fitted.with_copies(&copies))
}

/// The fit of all rows of an input.
fn fit_rows<M>(method: &M, shared: OnGraph, input: &Input<'_>) -> Result<ComponentFits<M::Model>, Error>
where
    M: GraphMethod + embedding::Method,
{
    check_rows(method, shared.components, input, input.len())?;
    let found;
    let neighbors = match input.neighbors() {
        Some(given) => given,
        None => {
            allow_search(input, shared.neighborhood, copied::<M>(input))?;
            found = NeighborSearch::from(shared.neighborhood).find(input)?;
            &found
        }
    };
    let widened = method.widened(input, neighbors)?;
    let neighbors = widened.as_ref().unwrap_or(neighbors);
    ComponentFits::fit(input, neighbors, shared.components, |manifold| {
        method.check(manifold.sizes())?;
        let copied = if M::KEEPS_POINTS { manifold.copied_bytes() } else { 0 };
        method.check_memory(manifold.sizes(), manifold.memory_limit.beside(copied))?;
        method.fit_manifold(manifold)
    })
}

/// [`embedding::Method::check_memory_of`] of a [`GraphMethod`], for a fit of `n` rows as one manifold. It
/// does not refuse rows with copies if the policy merges them first. O(n D).
pub fn check_memory_of<M>(method: &M, shared: OnGraph, input: &Input<'_>, n: usize) -> Result<(), Error>
where
    M: GraphMethod + embedding::Method,
{
    let refused = check_rows(method, shared.components, input, n);
    if refused.is_err() && shared.duplicates == Duplicates::Merge && Copies::of(input).is_some() {
        return Ok(());
    }
    refused
}

/// The bytes of the points that a model copies.
fn copied<M: GraphMethod>(input: &Input<'_>) -> u64 {
    if M::KEEPS_POINTS { input.copied_bytes() } else { 0 }
}

/// [`check_memory_of`] for all rows, copies included.
fn check_rows<M>(method: &M, components: Components, input: &Input<'_>, n: usize) -> Result<(), Error>
where
    M: GraphMethod + embedding::Method,
{
    match components {
        Components::Reject | Components::Bridge => {
            // The columns of sparse points have no values in memory.
            let sizes = Sizes { points: Some(n), columns: input.sizes().columns, ..method.sizes(input) };
            let copied = input.amount_for(n, copied::<M>(input));
            method.check_memory(sizes, input.memory_limit().beside(copied))
        }
        Components::Largest | Components::PerComponent => Ok(()),
    }
}

/// Fails unless a search of k neighbors among points fits the limit of an input. Its memory is
/// its workspace and its lists, which are concatenated from parts; then the lists and the
/// points that models copy; and the memory of either that the threads keep for later products.
fn allow_search(input: &Input<'_>, neighborhood: Neighborhood, copied: u64) -> Result<(), Error> {
    let (Some(points), Neighborhood::Nearest { k }) = (input.points(), neighborhood) else {
        return Ok(());
    };
    const NEIGHBOR: u64 = (size_of::<u32>() + size_of::<f64>()) as u64;
    let (n, dim) = (points.len(), points.dim());
    let lists = NEIGHBOR * (n as u64) * k.min(n) as u64;
    let needed = (search_bytes(n, dim) + 2 * lists).max(copied + lists) + search_threads_bytes(n, dim);
    input.memory_limit().allow("the search of neighbors", needed, "use fewer neighbors, points or columns")
}

/// Implements [`embedding::Method`] for a [`GraphMethod`]. (A blanket implementation
/// is not possible: both traits and the recipe are in three crates.)
#[macro_export]
macro_rules! graph_method {
    ($recipe:ty) => {
        impl ::embedding::Method for $recipe {
            type Fitted = $crate::ComponentFits<<$recipe as $crate::implement::GraphMethod>::Model>;

            const ABOUT: ::embedding::About = <$recipe as $crate::implement::GraphMethod>::ABOUT;

            const DIVISION: Option<::embedding::implement::Division> = None;

            const SPARSE: bool = <$recipe as $crate::implement::GraphMethod>::SPARSE;

            const READS_COORDINATES: bool = <$recipe as $crate::implement::GraphMethod>::READS_COORDINATES;

            const START: Option<::embedding::implement::StartScale> =
                <$recipe as $crate::implement::GraphMethod>::START;

            fn neighborhood(&self, _n: usize) -> Option<::embedding::Neighborhood> {
                Some(self.neighborhood)
            }

            fn complete(&self, sizes: ::embedding::implement::Sizes) -> ::embedding::implement::Sizes {
                $crate::implement::GraphMethod::complete(self, sizes)
            }

            fn check_memory_of(
                &self,
                input: &::embedding::Input<'_>,
                n: usize,
            ) -> Result<(), ::embedding::Error> {
                $crate::implement::check_memory_of(self, self.on_graph(), input, n)
            }

            fn fit_input(&self, input: &::embedding::Input<'_>) -> Result<Self::Fitted, ::embedding::Error> {
                $crate::implement::fit_components(self, self.on_graph(), input)
            }
        }

        impl $recipe {
            /// The fields that all recipes on a neighbor graph have.
            fn on_graph(&self) -> $crate::implement::OnGraph {
                let &Self { neighborhood, components, duplicates, .. } = self;
                $crate::implement::OnGraph { neighborhood, components, duplicates }
            }
        }
    };
}
