//! Connected sets of points, which graph methods embed one at a time.

use embedding::implement::{PairDistances, Sizes};
use embedding::{Data, Error, Input, MemoryLimit, Metric, Neighbors, Observer, Points};

/// A connected set of points: what a graph method embeds at one time.
#[derive(Clone, Copy)]
pub struct Manifold<'a> {
    /// The data of its points.
    pub data: Data<'a>,
    /// The distance between the points, by which the lists were found and new points find
    /// their neighbors.
    pub metric: Metric,
    /// Their neighbor lists; every list stays inside, and their union graph is
    /// connected. Lists may be ragged.
    pub neighbors: &'a Neighbors,
    /// The initial coordinates of the points, where given.
    pub start: Option<Points<'a>>,
    /// Observes the fit.
    pub observer: &'a dyn Observer,
    /// The memory that one stage may allocate.
    pub memory_limit: MemoryLimit,
}

impl<'a> Manifold<'a> {
    /// Points with their lists, without an observer, under the default memory limit.
    pub fn new(points: Points<'a>, neighbors: &'a Neighbors) -> Self {
        Self::of(&Input::from(points), neighbors)
    }

    pub(crate) fn of(input: &Input<'a>, neighbors: &'a Neighbors) -> Self {
        Self {
            data: input.data(),
            metric: input.metric(),
            neighbors,
            start: input.start(),
            observer: input.observer(),
            memory_limit: input.memory_limit(),
        }
    }

    /// The number of points, n.
    pub fn len(&self) -> usize {
        self.neighbors.len()
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The points, as coordinates, or the distances; fails with [`Error::Degenerate`] where there are
    /// neighbor lists alone.
    pub fn pair_distances(&self) -> Result<PairDistances<'a>, Error> {
        PairDistances::of(self.data)
    }

    /// Fails with [`Error::Degenerate`] where all points coincide: several points, and every
    /// list distance is 0.
    pub(crate) fn require_distinct(&self) -> Result<(), Error> {
        let same = |i: usize| self.neighbors.distances_of(i).iter().all(|d| *d == 0.0);
        if self.len() > 1 && (0..self.len()).all(same) { Err(Error::coincident(self.len())) } else { Ok(()) }
    }

    /// The bytes of the points that a model copies; see [`Input::copied_bytes`].
    pub fn copied_bytes(&self) -> u64 {
        self.data.points().map_or(0, |points| points.copied_bytes())
    }

    /// The sizes that legal ranges depend on.
    pub fn sizes(&self) -> Sizes {
        Sizes {
            points: Some(self.len()),
            columns: self.data.points().map(|points| points.dim()),
            neighbors: self.neighbors.neighborhood().k(),
            ..Sizes::default()
        }
    }
}
