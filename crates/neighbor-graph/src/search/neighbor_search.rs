//! The entry point of all neighbor searches.

use embedding::implement::{Scalar, Stored};
use embedding::{
    DistanceMatrix, Error, Input, Metric, Neighborhood, Neighbors, Observer, PointSet, Points, Search,
    Silent, SparsePoints,
};

use crate::search::approximate::{self, Goal, Recall};
use crate::search::exact;

/// A search for the neighbors of every point among the others.
///
/// The rule comes first, then the settings that differ from the defaults, then the data:
///
/// ```
/// use embedding::{Metric, Points, SparsePoints};
/// use neighbor_graph::NeighborSearch;
/// let points = Points::new(&[0.0, 1.0, 3.0, 7.0], 1)?;
/// assert_eq!(NeighborSearch::nearest(1).find(points)?.indices_of(2), [1]);
/// assert_eq!(NeighborSearch::within(2.0).find(points)?.indices_of(1), [0, 2]);
/// // The rows (2, 0, 0), (0, 1, 1) and (0, 3, 0).
/// let sparse = SparsePoints::new(&[0, 1, 3, 4], &[0, 1, 2, 1], &[2.0, 1.0, 1.0, 3.0], 3)?;
/// let neighbors = NeighborSearch::nearest(1).with_metric(Metric::Cosine).find(sparse)?;
/// assert_eq!(neighbors.indices_of(1), [2]);
/// # Ok::<(), embedding::Error>(())
/// ```
///
/// The data are dense points in double or single precision, sparse points, distances between
/// all pairs, or an [`Input`]. The metric, the observer and the memory limit of an [`Input`]
/// hold, unless the search has its own metric or observer.
///
/// An exact search computes each distance in `f64` with a fixed order of additions. So its
/// lists depend neither on the algorithm nor on the machine or the number of threads; ties are
/// ordered by index.
///
/// - **Dense points, Euclidean**: by the algorithm that
///   [`chosen_search`](crate::implement::chosen_search) names. Points in single precision have
///   the lists of their copy in double precision, which is made only in up to 8 dimensions.
///   Points whose squared distances would overflow or underflow are first divided by a power of
///   two.
/// - **Dense points, other metrics**: cosine, correlation and Hellinger distances take as long
///   as Euclidean ones, because the points are mapped to points with the same Euclidean
///   neighbors. Other metrics take O(n² D).
/// - **Sparse points**: the lists of the same dense points, to the bit (by correlation up to
///   rounding). Inverted lists give, for one point at a time, the sums over the columns that it
///   shares with every other point. These sums bound all distances, and only distances within
///   the bounds are computed. O(n² + Σ_c n_c²) time, where n_c points have column c; memory for
///   three copies of the entries, and per thread 16 n bytes and 16 bytes per candidate, at most
///   32 n.
/// - **Distances**: O(n²).
///
/// [`NeighborSearch::with_recall`] makes the search approximate.
#[derive(Clone, Copy)]
#[must_use]
pub struct NeighborSearch<'a> {
    neighborhood: Neighborhood,
    algorithm: Search,
    goal: Goal,
    metric: Option<Metric>,
    observer: Option<&'a dyn Observer>,
}

impl From<Neighborhood> for NeighborSearch<'_> {
    fn from(neighborhood: Neighborhood) -> Self {
        let (algorithm, goal) = (Search::Auto, Goal::default());
        Self { neighborhood, algorithm, goal, metric: None, observer: None }
    }
}

impl<'a> NeighborSearch<'a> {
    /// Searches the `k` nearest other points.
    pub fn nearest(k: usize) -> Self {
        Neighborhood::Nearest { k }.into()
    }

    /// Searches all other points at a distance of at most `radius`.
    pub fn within(radius: f64) -> Self {
        Neighborhood::Within { radius }.into()
    }

    /// Sets the metric; by default the metric of the [`Input`], or Euclidean.
    pub fn with_metric(self, metric: Metric) -> Self {
        Self { metric: Some(metric), ..self }
    }

    /// Sets the algorithm for dense points and the Euclidean metric; by default
    /// [`Search::Auto`]. [`Search::Approximate`] keeps the recall that is set.
    pub fn with_algorithm(self, algorithm: Search) -> Self {
        Self { algorithm, ..self }
    }

    /// Makes the search approximate: it stops when this fraction of the true neighbors is
    /// found. Above 0, at most 1; by default 0.95 where the algorithm is
    /// [`Search::Approximate`].
    ///
    /// Each point is compared with the blocks of points whose centers are nearest to it, by
    /// lower bounds on distances that hold for most neighbors. The number of blocks and the
    /// bounds that reach the recall are found on a sample of 256 points, whose neighbors are
    /// found exactly. Where a trial shows that this costs more, random trees divide the points,
    /// all pairs in a leaf are compared, and then neighbors of neighbors, until the recall on the
    /// sample is reached or nothing improves. Then the recall can stay below the goal;
    /// [`NeighborSearch::find_with_recall`] returns it. Distances are exact, in `f64`; only
    /// lists may miss a point. Same points, k and seed give the same lists, at any number of
    /// threads.
    ///
    /// The search is exact for up to 4,096 points, up to 8 dimensions, and where a trial shows
    /// that this is faster. [`Neighbors::found_by`] is the algorithm used.
    ///
    /// Cosine, correlation and Hellinger distances use the mapped points. For other metrics the
    /// trees divide the points as coordinates, and pairs are compared by the metric; there the
    /// search is also exact where squares of values leave the range of numbers. The recall always
    /// refers to the neighbors by the metric.
    ///
    /// **Sparse points** are compared by their common columns, by every metric of an exact search. Six
    /// random trees divide them in halves along directions near the leading principal direction of each
    /// part, and neighbors of neighbors follow. Lists that miss the goal are made two and four times as
    /// long. The search is exact for up to 4,096 points, where an estimate says that this is faster, and
    /// where the goal is not reached with as many operations as an exact search takes. So the recall is
    /// never below the goal. Texts of 70 words by cosine are searched exactly below about 5,500 points for
    /// 15 neighbors. Points without any structure cost an approximate and an exact search.
    ///
    /// Time O(n b D) for n points compared with b others each: 7,000 of MNIST's 70,000, and 2,400
    /// of 1,000,000 on a surface of 4 dimensions. By neighbors of neighbors about
    /// O(n log n (k² D)), where all pairs take O(n² D). Memory for at most 300 numbers in single
    /// precision for each point, or for one copy in single precision (in double precision by
    /// other metrics) and 30 n k bytes. Sparse points of s values take O(n log n s) for the trees and
    /// O(k² s) per point and round for neighbors of neighbors; memory for two further copies of the
    /// values, per thread a number per column that occurs, and 30 to 120 n k bytes.
    ///
    /// Sivic and Zisserman: Video Google: a text retrieval approach to object matching in videos.
    /// ICCV 2003. <https://doi.org/10.1109/ICCV.2003.1238663> (lists of the points near a center)
    /// Dong, Moses and Li: Efficient k-nearest neighbor graph construction for generic
    /// similarity measures. WWW 2011. <https://doi.org/10.1145/1963405.1963487>
    /// Dasgupta and Freund: Random projection trees and low dimensional manifolds. STOC 2008.
    /// <https://doi.org/10.1145/1374376.1374452>
    pub fn with_recall(self, recall: f64) -> Self {
        Self { algorithm: Search::Approximate, goal: Goal { recall, ..self.goal }, ..self }
    }

    /// Sets the seed of an approximate search: of its sample, of the divisions by trees and of
    /// the pairs that are tried. By default 0.
    pub fn with_seed(self, seed: u64) -> Self {
        Self { goal: Goal { seed, ..self.goal }, ..self }
    }

    /// Sets the observer of the stage `"neighbors"`; by default the observer of the [`Input`], or
    /// none.
    pub fn with_observer(self, observer: &'a dyn Observer) -> Self {
        Self { observer: Some(observer), ..self }
    }

    /// Searches the neighbors.
    ///
    /// Fails when the rule cannot hold for n points, when a row has no distance to others by
    /// the metric, and when distances exceed the range of numbers. Fails with
    /// [`Error::Degenerate`] when an input has neither points nor distances.
    ///
    /// An algorithm other than [`Search::Auto`] and [`Search::Approximate`] needs dense points and the
    /// Euclidean metric. An approximate search needs dense or sparse points, a number of nearest
    /// neighbors, and a recall in (0, 1].
    pub fn find<'b>(&self, data: impl Into<SearchData<'b>>) -> Result<Neighbors, Error> {
        Ok(self.find_with_recall(data)?.0)
    }

    /// Searches the neighbors, and returns how many of the true ones were found; fails as
    /// [`NeighborSearch::find`].
    pub fn find_with_recall<'b>(
        &self,
        data: impl Into<SearchData<'b>>,
    ) -> Result<(Neighbors, Recall), Error> {
        if let (Search::Approximate, Neighborhood::Within { .. }) = (self.algorithm, self.neighborhood) {
            let requirement = "a number of nearest neighbors (an approximate search finds no radius)";
            return Err(Error::parameter("the neighborhood", requirement, "a radius"));
        }
        match (data.into().0, self.metric.filter(|metric| !metric.is_euclidean())) {
            (Source::Single(points), None) => self.euclidean(points, self.observer.unwrap_or(&Silent)),
            (Source::Single(points), Some(_)) => self.find_in(&Input::from(&points.widened())),
            (Source::Input(input), _) => self.find_in(&input),
        }
    }

    /// Searches the neighbors by distances that a function computes: `distance(i, j)` for every
    /// pair i ≠ j, not negative and not NaN. Points at an infinite distance are never neighbors.
    /// O(n²) calls.
    ///
    /// Fails for other distances, when the rule cannot hold for n points, and for an algorithm
    /// other than [`Search::Auto`]. The metric is not used.
    ///
    /// ```
    /// use neighbor_graph::NeighborSearch;
    /// let on_circle = |i: usize, j: usize| i.abs_diff(j).min(8 - i.abs_diff(j)) as f64;
    /// let neighbors = NeighborSearch::nearest(2).find_by(8, on_circle)?;
    /// assert_eq!(neighbors.indices_of(0), [1, 7]);
    /// # Ok::<(), embedding::Error>(())
    /// ```
    pub fn find_by(
        &self,
        n: usize,
        distance: impl Fn(usize, usize) -> f64 + Sync,
    ) -> Result<Neighbors, Error> {
        self.require_auto()?;
        exact::by_function(n, self.neighborhood, &distance, self.observer.unwrap_or(&Silent))
    }

    /// The search in an input, by the metric and the observer of the search where it has them.
    fn find_in(&self, input: &Input<'_>) -> Result<(Neighbors, Recall), Error> {
        let input = input.with_metric(self.metric.unwrap_or(input.metric()));
        let input = input.with_observer(self.observer.unwrap_or(input.observer()));
        match (self.algorithm, self.neighborhood) {
            (Search::Approximate, Neighborhood::Nearest { k }) => approximate::in_input(&input, k, self.goal),
            (Search::Auto, rule) => Ok(exactly(exact::in_input(&input, rule)?)),
            _ => match input.points().filter(|_| input.metric().is_euclidean()) {
                Some(points) => self.euclidean(points, input.observer()),
                None => self
                    .require_auto()
                    .and_then(|()| Ok(exactly(exact::in_input(&input, self.neighborhood)?))),
            },
        }
    }

    /// The search for Euclidean neighbors of dense points.
    fn euclidean<T: Scalar>(
        &self,
        points: Points<'_, T>,
        observer: &dyn Observer,
    ) -> Result<(Neighbors, Recall), Error> {
        match (self.algorithm, self.neighborhood) {
            (Search::Approximate, Neighborhood::Nearest { k }) => {
                approximate::euclidean(points.into(), k, self.goal, observer)
            }
            (algorithm, rule) => Ok(exactly(exact::euclidean(points.into(), rule, algorithm, observer)?)),
        }
    }

    /// Fails unless the algorithm may be chosen.
    fn require_auto(&self) -> Result<(), Error> {
        if self.algorithm == Search::Auto {
            return Ok(());
        }
        let requirement = "auto, except for points with all values and the metric euclidean";
        Err(Error::parameter("the algorithm of the search", requirement, self.algorithm))
    }
}

/// Lists of an exact search, with their recall.
fn exactly(neighbors: Neighbors) -> (Neighbors, Recall) {
    let recall = Recall { measured: 1.0, points: neighbors.len() };
    (neighbors, recall)
}

/// The data of a [`NeighborSearch`]: points in double or single precision, sparse points,
/// distances, or an [`Input`].
#[derive(Clone, Copy)]
pub struct SearchData<'a>(Source<'a>);

#[derive(Clone, Copy)]
#[expect(clippy::large_enum_variant, reason = "a search has one value, which is copied a few times")]
enum Source<'a> {
    Input(Input<'a>),
    Single(Points<'a, f32>),
}

impl<'a, T: Scalar> From<Points<'a, T>> for SearchData<'a> {
    fn from(points: Points<'a, T>) -> Self {
        Self(match T::stored(points) {
            Stored::Double(points) => Source::Input(points.into()),
            Stored::Single(points) => Source::Single(points),
        })
    }
}

impl<'a> From<&'a PointSet> for SearchData<'a> {
    fn from(points: &'a PointSet) -> Self {
        points.view().into()
    }
}

impl<'a> From<SparsePoints<'a>> for SearchData<'a> {
    fn from(points: SparsePoints<'a>) -> Self {
        Self(Source::Input(points.into()))
    }
}

impl<'a> From<DistanceMatrix<'a>> for SearchData<'a> {
    fn from(distances: DistanceMatrix<'a>) -> Self {
        Self(Source::Input(distances.into()))
    }
}

impl<'a> From<Input<'a>> for SearchData<'a> {
    fn from(input: Input<'a>) -> Self {
        Self(Source::Input(input))
    }
}

impl<'a> From<&Input<'a>> for SearchData<'a> {
    fn from(input: &Input<'a>) -> Self {
        Self(Source::Input(*input))
    }
}
