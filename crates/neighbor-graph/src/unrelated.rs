//! Rows that are related to no other row by a metric.

use embedding::implement::OwnedData;
use embedding::{Error, Input, Metric, Neighbors, PointSet, Points, Rows};

use crate::NeighborSearch;

/// The distance of two rows that have nothing in common, less its rounding errors; `None` for metrics without
/// such a distance.
fn nothing_in_common(metric: Metric, columns: usize) -> Option<f64> {
    match metric {
        Metric::Jaccard => Some(1.0),
        // Half of the squared distance of unit vectors, and its root: sums over all columns.
        Metric::Cosine | Metric::Hellinger => Some(1.0 - (columns + 8) as f64 * f64::EPSILON),
        _ => None,
    }
}

/// Returns the rows whose nearest neighbor is at the distance of rows that have nothing in common: 1 by Jaccard,
/// Hellinger and cosine (up to rounding, or more by cosine). All other rows are then as far as the nearest, and
/// the lists of such rows are arbitrary. Empty for other metrics. `columns` is the number of columns of the
/// rows. O(n).
///
/// [`Components::Largest`](crate::Components::Largest) and
/// [`Components::PerComponent`](crate::Components::PerComponent) leave such rows out.
///
/// ```
/// use embedding::{Input, Metric, Points};
/// use neighbor_graph::{NeighborSearch, unrelated_rows};
/// // The last row has no column in common with another.
/// let counts = [1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
/// let points = Points::new(&counts, 3)?;
/// let input = Input::from(points).with_metric(Metric::Jaccard);
/// let neighbors = NeighborSearch::nearest(1).find(input)?;
/// assert_eq!(unrelated_rows(&neighbors, Metric::Jaccard, 3), [2]);
/// # Ok::<(), embedding::Error>(())
/// ```
pub fn unrelated_rows(neighbors: &Neighbors, metric: Metric, columns: usize) -> Vec<u32> {
    let Some(largest) = nothing_in_common(metric, columns) else { return Vec::new() };
    let unrelated =
        |i: &u32| neighbors.distances_of(*i as usize).first().is_some_and(|nearest| *nearest >= largest);
    (0..neighbors.len() as u32).filter(unrelated).collect()
}

/// Returns the rows that are related to another row by the metric of the input, in increasing order; `None` where
/// all are. The others have no distance to any row (rows of zeros by cosine, constant rows by correlation), or have
/// nothing in common with any ([`unrelated_rows`]). A fit of the selected rows places none arbitrarily, whatever
/// the method.
///
/// Only cosine, correlation, Jaccard's and Hellinger's distance of points have such rows. The nearest neighbor of
/// each row is searched. O(n D), and the cost of the search. Fails as [`NeighborSearch::find`].
///
/// ```
/// use embedding::{Input, Metric, Points};
/// use neighbor_graph::related_rows;
/// // The third row has no column in common with another, the fourth has no direction.
/// let counts = [1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
/// let points = Points::new(&counts, 3)?;
/// assert_eq!(related_rows(&Input::from(points).with_metric(Metric::Cosine))?, Some(vec![0, 1]));
/// assert_eq!(related_rows(&Input::from(points))?, None);
/// # Ok::<(), embedding::Error>(())
/// ```
pub fn related_rows(input: &Input<'_>) -> Result<Option<Vec<u32>>, Error> {
    let metric = input.metric();
    let has_unrelated =
        matches!(metric, Metric::Cosine | Metric::Correlation | Metric::Hellinger | Metric::Jaccard);
    if input.rows().is_none() || !has_unrelated {
        return Ok(None);
    }
    let own = Measurable::of(input);
    let measurable = own.as_ref().map(|own| own.input(input)).transpose()?;
    let searched = measurable.as_ref().unwrap_or(input);
    let lone = match searched.len() {
        1 => vec![0],
        _ => unrelated_rows_of(searched, &NeighborSearch::nearest(1).find(searched)?),
    };
    if own.is_none() && lone.is_empty() {
        return Ok(None);
    }
    let row_of = |i: u32| own.as_ref().map_or(i, |own| own.rows[i as usize]);
    let related = (0..searched.len() as u32).filter(|i| lone.binary_search(i).is_err());
    Ok(Some(related.map(row_of).collect()))
}

/// The [`unrelated_rows`] of an input with its lists.
pub(crate) fn unrelated_rows_of(input: &Input<'_>, neighbors: &Neighbors) -> Vec<u32> {
    unrelated_rows(neighbors, input.metric(), input.rows().map_or(0, |rows| rows.dim()))
}

/// The lists without edges from and to some rows, in increasing order; `None` for no rows.
pub(crate) fn without(neighbors: &Neighbors, rows: &[u32]) -> Result<Option<Neighbors>, Error> {
    if rows.is_empty() {
        return Ok(None);
    }
    let stays = |i: u32| rows.binary_search(&i).is_err();
    let list = |i: u32| {
        let (js, ds) = neighbors.of(i as usize);
        let edges = js.iter().copied().zip(ds.iter().copied());
        edges.filter(|edge| stays(i) && stays(edge.0)).collect()
    };
    let lists = (0..neighbors.len() as u32).map(list).collect();
    Neighbors::from_lists(lists, neighbors.neighborhood()).map(Some)
}

/// The rows of an input that have a distance to others.
pub(crate) struct Measurable {
    pub(crate) rows: Vec<u32>,
    data: OwnedData,
    start: Option<PointSet>,
}

impl Measurable {
    /// Finds the rows that have no distance to others, such as rows of zeros by cosine; `None` where there are
    /// none, where none is left, and where neighbor lists are given. O(n D).
    pub(crate) fn of(input: &Input<'_>) -> Option<Self> {
        let given = input.rows().filter(|_| input.neighbors().is_none())?;
        let metric = input.metric();
        let has_distance = |i: &u32| match given {
            Rows::Dense(points) => Points::new(points.row(*i as usize), points.dim())
                .is_ok_and(|row| metric.prepare(row).is_ok()),
            Rows::Sparse(points) => metric.prepare_sparse(points.select(&[*i]).view()).is_ok(),
        };
        let is_mapped = matches!(metric, Metric::Cosine | Metric::Correlation | Metric::Hellinger);
        let rows: Vec<u32> = (0..input.len() as u32).filter(|i| !is_mapped || has_distance(i)).collect();
        if rows.len() == input.len() || rows.is_empty() {
            return None;
        }
        let start = input.start().map(|start| start.select(&rows));
        Some(Self { data: OwnedData::select(input.data(), &rows)?, rows, start })
    }

    /// The input of a fit of these rows.
    pub(crate) fn input<'a>(&'a self, whole: &Input<'a>) -> Result<Input<'a>, Error> {
        let input = Input::from(self.data.view()?).with_metric(whole.metric());
        let own = input.points().map_or(0, |points| points.bytes());
        let input = match &self.start {
            Some(start) => input.with_start(start.view()),
            None => input,
        };
        Ok(input.with_observer(whole.observer()).with_memory_limit(whole.memory_limit().beside(own)))
    }
}
