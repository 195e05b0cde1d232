//! A data set of an engine, with results about it that are kept.

use datasets::{Dataset, Geometry, Labels, Quantity};
use embedding::{Error, MemoryLimit, Neighborhood, Neighbors, Observer, PointSet, Points};
use neighbor_graph::NeighborSearch;
use quality::OfData;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::message::Blocks;
use crate::request::Source;

/// Most points of a data set: below it, the number of pairs fits 32-bit indices.
pub(crate) const MOST_POINTS: usize = 50_000;

/// Memory that a data set may take.
pub(crate) const MEMORY: MemoryLimit = MemoryLimit::new(1_000_000_000);

/// A data set with results about it that are kept.
pub(crate) struct Stored {
    pub(crate) data: Dataset,
    pub(crate) source: Option<Source>,
    /// Of a sample: the rows of the whole data set.
    pub(crate) rows: Option<Vec<u32>>,
    /// Of a file: probable mistakes in it.
    pub(crate) warnings: Vec<Value>,
    /// The lists of the last search for nearest neighbors.
    nearest: Option<Neighbors>,
    /// What the last measures of a map of all rows needed of the data: k, and how many rows.
    measured: Option<((usize, Option<usize>), OfData)>,
}

/// The largest memory that is kept for measures of further maps.
const KEPT: usize = 100_000_000;

impl Stored {
    pub(crate) fn new(data: Dataset, source: Option<Source>) -> Result<Self, Failure> {
        check_count(data.points.len())?;
        Ok(Self { data, source, rows: None, warnings: Vec::new(), nearest: None, measured: None })
    }

    /// The true coordinates, if distances between them are the distances along the manifold.
    pub(crate) fn isometric_truth(&self) -> Option<Points<'_>> {
        let isometric = self.data.geometry == Geometry::Isometric;
        self.data.truth.as_ref().filter(|_| isometric).map(PointSet::view)
    }

    /// The neighbor lists of a rule, from the last search where it had enough of them.
    pub(crate) fn neighbors(
        &mut self,
        neighborhood: Neighborhood,
        observer: &dyn Observer,
    ) -> Result<Neighbors, Error> {
        let points = self.data.points.view();
        let Neighborhood::Nearest { k } = neighborhood else {
            return NeighborSearch::from(neighborhood).with_observer(observer).find(points);
        };
        neighborhood.check(points.len())?;
        let enough = |lists: &Neighbors| lists.neighborhood().k().is_some_and(|most| most >= k);
        let lists = match self.nearest.take().filter(enough) {
            Some(lists) => lists,
            None => NeighborSearch::from(neighborhood).with_observer(observer).find(points)?,
        };
        self.nearest.insert(lists).truncated(k)
    }

    /// The values that measures of a map of all rows compute from the data alone. They are kept for the
    /// measures of other maps where they are not too large.
    pub(crate) fn measured(&mut self, k: usize, rows: Option<usize>) -> OfData {
        let n = self.data.points.len();
        if 16 * n * rows.unwrap_or(n).min(n) > KEPT {
            return OfData::default();
        }
        let same = self.measured.take().filter(|(of, _)| *of == (k, rows));
        let (_, of_data) = self.measured.insert(same.unwrap_or(((k, rows), OfData::default())));
        of_data.clone()
    }

    /// The class of each row in a label set; `None` where the data has no label sets.
    pub(crate) fn labels(&self, index: usize) -> Result<Option<Vec<Option<u32>>>, Failure> {
        let sets = &self.data.labels;
        if index >= sets.len().max(1) {
            return Err(Failure::request(format!("there are {} label sets, and no set {index}", sets.len())));
        }
        Ok(sets.get(index).map(Labels::known))
    }

    /// Fails unless there is such a row.
    pub(crate) fn check_row(&self, row: usize) -> Result<(), Failure> {
        let n = self.data.points.len();
        if row < n { Ok(()) } else { Err(Error::parameter("the row", format!("below {n}"), row).into()) }
    }

    pub(crate) fn answer(&self, name: &str, blocks: &mut Blocks) -> Value {
        let data = &self.data;
        let labels: Vec<Value> = (data.labels.iter())
            .map(|set| {
                let values = blocks.u32(&set.values);
                json!({ "name": set.name, "classes": set.classes, "values": values, "unknown": set.unknown })
            })
            .collect();
        let quantities: Vec<Value> = (data.quantities.iter())
            .map(|Quantity { name, values }| {
                let values: Vec<f64> = values.iter().map(|value| value.unwrap_or(f64::NAN)).collect();
                json!({ "name": name, "values": blocks.f64(&values) })
            })
            .collect();
        let mut matrix = |set: &PointSet| blocks.f64(set.view().values());
        let (points, truth) = (matrix(&data.points), data.truth.as_ref().map(&mut matrix));
        let pixels = data.pixels.as_ref().map(&mut matrix);
        let rows = self.rows.as_ref().map(|rows| blocks.u32(rows));
        json!({
            "data": name,
            "title": data.name,
            "n": data.points.len(),
            "columns": data.points.dim(),
            "points": points,
            "truth": truth,
            "truth_columns": data.truth.as_ref().map_or(0, PointSet::dim),
            "truth_names": data.truth_names,
            "geometry": data.geometry,
            "labels": labels,
            "quantities": quantities,
            "row_names": data.row_names,
            "images": data.images,
            "pixels": pixels,
            "rows": rows,
            "column_names": data.column_names,
            "notes": data.notes,
            "warnings": self.warnings,
        })
    }
}

/// Fails where a data set would have more points than the page can hold.
pub(crate) fn check_count(n: usize) -> Result<(), Error> {
    let requirement = || format!("at most {MOST_POINTS} in the page; take a sample");
    if n <= MOST_POINTS { Ok(()) } else { Err(Error::parameter("n", requirement(), n)) }
}
