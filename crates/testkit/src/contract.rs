//! The promises of a method.

use embedding::DynMethod;
use neighbor_graph::Components;

/// The settings that the suite requests of a recipe. A method applies the settings that it has and ignores
/// the others.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// The size of neighborhoods.
    pub k: usize,
    /// The target dimension.
    pub dim: usize,
    /// The seed.
    pub seed: u64,
    /// What to do with a disconnected graph.
    pub components: Components,
}

/// How a method uses the distances between points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// By a neighbor graph: k matters, and so do the graph's components.
    Graph,
    /// By all points at once: neither matters.
    Global,
}

/// How the embedding answers a change of the data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Response {
    /// Pairwise distances stay, to the contract's tolerance.
    Same,
    /// Pairwise distances are multiplied as the data are.
    Scaled,
    /// The method promises nothing; the result must still be finite.
    Unspecified,
}

/// Whether a seed changes the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seeds {
    /// Every seed gives the same bytes, or there is none.
    Irrelevant,
    /// Different seeds give different coordinates.
    Matter,
}

/// The largest target dimension that a method accepts; it must refuse larger ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Most {
    /// n − 1, the number of dimensions that n points can span.
    PointsMinusOne,
    /// The number of columns.
    Columns,
    /// Some other bound, which the method tests itself.
    Other,
}

/// The promises of one method; the suite holds it to them.
#[derive(Clone, Copy, Debug)]
pub struct Contract {
    /// The method's name on the command line.
    pub name: &'static str,
    /// The recipe for a setup; everything else at its default.
    pub make: fn(Setup) -> Box<dyn DynMethod>,
    /// Graph or global.
    pub kind: Kind,
    /// The stages in their documented order, on a connected data set.
    pub stages: &'static [&'static str],
    /// The neighborhood size that suits 120 points.
    pub k: usize,
    /// The largest target dimension.
    pub most: Most,
    /// How much a pairwise distance may change where the contract says `Same`
    /// or `Scaled`, relative to the largest distance.
    pub tolerance: f64,
    /// The response when all points are shifted.
    pub translation: Response,
    /// The response when all points are rotated.
    pub rotation: Response,
    /// The response when the points are in another order.
    pub permutation: Response,
    /// The response when all points are multiplied by 1e6 or 1e-6.
    pub scaling: Response,
    /// The effect of another seed.
    pub seeds: Seeds,
}

impl Contract {
    /// A method on a neighbor graph: everything is invariant to 1e-6, lengths
    /// follow `scaling`, seeds change nothing.
    pub fn graph(
        name: &'static str,
        stages: &'static [&'static str],
        scaling: Response,
        make: fn(Setup) -> Box<dyn DynMethod>,
    ) -> Self {
        Self {
            name,
            make,
            kind: Kind::Graph,
            stages,
            k: 8,
            most: Most::PointsMinusOne,
            tolerance: 1e-6,
            translation: Response::Same,
            rotation: Response::Same,
            permutation: Response::Same,
            scaling,
            seeds: Seeds::Irrelevant,
        }
    }

    /// A method on all points at once, otherwise as [`Contract::graph`].
    pub fn global(
        name: &'static str,
        stages: &'static [&'static str],
        scaling: Response,
        make: fn(Setup) -> Box<dyn DynMethod>,
    ) -> Self {
        Self { kind: Kind::Global, ..Self::graph(name, stages, scaling, make) }
    }

    /// The setup from which most checks start: two dimensions, disconnected graphs refused.
    pub(crate) fn setup(&self) -> Setup {
        Setup { k: self.k, dim: 2, seed: 1, components: Components::Reject }
    }
}
