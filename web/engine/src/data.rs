//! Data sets: generated, given, read and sampled.

use datasets::files::{Encoding, Reading};
use datasets::{Dataset, Geometry, Labels, Quantity, Request};
use embedding::{Error, MemoryLimit, Neighborhood, Neighbors, Observer, PointSet, Points};
use neighbor_graph::find_neighbors;
use quality::OfData;
use serde_json::{Value, json};

use crate::engine::{Answer, Engine};
use crate::failure::Failure;
use crate::message::{Array, Blocks, Message};
use crate::request::{File, Generate, Given, GivenLabels, GivenQuantity, Sample, Source};

/// Most points of a data set: below it, the number of pairs fits 32-bit indices.
pub(crate) const MOST_POINTS: usize = 50_000;

/// Memory that a data set may take.
pub(crate) const MEMORY: MemoryLimit = MemoryLimit::new(1_000_000_000);

/// A data set with what was found about it.
pub(crate) struct Stored {
    pub(crate) data: Dataset,
    pub(crate) source: Option<Source>,
    /// Of a sample: the rows of the whole data set.
    rows: Option<Vec<u32>>,
    /// The lists of the last search for nearest neighbors.
    nearest: Option<Neighbors>,
    /// What the last measures of a map of all rows needed of the data: k, and how many rows.
    measured: Option<((usize, Option<usize>), OfData)>,
}

/// The largest memory that is kept for measures of further maps.
const KEPT: usize = 100_000_000;

impl Stored {
    fn new(data: Dataset, source: Option<Source>) -> Result<Self, Failure> {
        check_count(data.points.len())?;
        Ok(Self { data, source, rows: None, nearest: None, measured: None })
    }

    /// The true coordinates where distances along the manifold are those between them.
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
            return find_neighbors(points, neighborhood, observer);
        };
        neighborhood.check(points.len())?;
        let enough = |lists: &Neighbors| lists.neighborhood().k().is_some_and(|most| most >= k);
        let lists = match self.nearest.take().filter(enough) {
            Some(lists) => lists,
            None => find_neighbors(points, neighborhood, observer)?,
        };
        self.nearest.insert(lists).truncated(k)
    }

    /// What measures of a map of all rows need of the data, kept for those of other maps where it is
    /// not too large.
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

    fn answer(&self, name: &str, blocks: &mut Blocks) -> Value {
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
        })
    }
}

fn check_count(n: usize) -> Result<(), Error> {
    let requirement = || format!("at most {MOST_POINTS} in the page; take a sample");
    if n <= MOST_POINTS { Ok(()) } else { Err(Error::parameter("n", requirement(), n)) }
}

fn keep(engine: &mut Engine, name: String, stored: Stored, blocks: &mut Blocks) -> Answer {
    let answer = stored.answer(&name, blocks);
    engine.data.insert(name, stored);
    Ok(answer)
}

/// Makes a data set of the catalog.
pub(crate) fn generate(engine: &mut Engine, request: Generate, blocks: &mut Blocks) -> Answer {
    let Generate { data, dataset, n, noise, seed, scale } = request;
    check_count(n.unwrap_or(0))?;
    let options = Request { n, seed, noise, scale, memory: MEMORY, ..Request::default() };
    let made = datasets::load(&dataset, &options)?;
    let source = Source::Listed { dataset, n: Some(made.points.len()), noise, seed, scale };
    keep(engine, data, Stored::new(made, Some(source))?, blocks)
}

/// Keeps points of the caller.
pub(crate) fn points(
    engine: &mut Engine,
    request: Given,
    message: Message<'_>,
    blocks: &mut Blocks,
) -> Answer {
    let points = matrix(message, request.points, request.columns)?;
    let n = points.len();
    let truth = request.truth.map(|truth| matrix(message, truth, request.truth_columns)).transpose()?;
    check_rows("the rows of the true coordinates", n, truth.as_ref().map_or(n, PointSet::len))?;
    let labels = request.labels.into_iter().map(|set| labels(message, set, n)).collect::<Result<_, _>>()?;
    let quantities =
        request.quantities.into_iter().map(|given| quantity(message, given, n)).collect::<Result<_, _>>()?;
    if let Some(names) = &request.row_names {
        check_rows("the names of rows", n, names.values.len())?;
    }
    let columns = request.images.map_or(0, |shape| shape.len());
    let pixels = request.pixels.map(|pixels| matrix(message, pixels, columns)).transpose()?;
    check_rows("the number of pictures", n, pixels.as_ref().map_or(n, PointSet::len))?;
    if request.images.is_some() && pixels.is_none() {
        check_rows("the columns of pictures", columns, points.dim())?;
    }
    let unknown = if truth.is_some() { Geometry::Parameters } else { Geometry::Unknown };
    let data = Dataset {
        name: request.title.unwrap_or_else(|| request.data.clone()),
        points,
        column_names: request.column_names,
        truth,
        truth_names: request.truth_names,
        geometry: request.geometry.unwrap_or(unknown),
        labels,
        quantities,
        row_names: request.row_names,
        images: request.images,
        pixels,
        notes: request.notes,
    };
    keep(engine, request.data, Stored::new(data, request.source)?, blocks)
}

/// A number per row, none where it is NaN.
fn quantity(message: Message<'_>, given: GivenQuantity, n: usize) -> Result<Quantity, Failure> {
    let values = message
        .reals(given.values)
        .ok_or_else(|| Failure::request("the numbers of a quantity are missing"))?;
    check_rows("the numbers of a quantity", n, values.len())?;
    if values.iter().any(|value| value.is_infinite()) {
        return Err(Failure::request("the numbers of a quantity must be finite or NaN"));
    }
    let values = values.into_iter().map(|value| Some(value).filter(|value| !value.is_nan())).collect();
    Ok(Quantity { name: given.name, values })
}

/// Points of a block; fails on a count that is not whole rows and on values that are not finite.
pub(crate) fn matrix(message: Message<'_>, array: Array, columns: usize) -> Result<PointSet, Failure> {
    let values = message.reals(array).ok_or_else(|| Failure::request("coordinates are missing"))?;
    Ok(PointSet::new(values, columns)?)
}

fn labels(message: Message<'_>, set: GivenLabels, n: usize) -> Result<Labels, Failure> {
    let values = message.indices(set.values).ok_or_else(|| Failure::request("labels are missing"))?;
    check_rows("the number of labels", n, values.len())?;
    let outside = |value: &&u32| **value as usize >= set.classes.len();
    if let Some(value) = values.iter().chain(&set.unknown).find(outside) {
        let requirement = format!("below {}, the number of classes", set.classes.len());
        return Err(Error::parameter("a label", requirement, value).into());
    }
    Ok(Labels { name: set.name, classes: set.classes, values, unknown: set.unknown })
}

fn check_rows(what: &'static str, expected: usize, got: usize) -> Result<(), Error> {
    if expected == got {
        return Ok(());
    }
    Err(Error::Shape { what, expected: expected.to_string(), got: got.to_string() })
}

/// Reads a file of the caller.
pub(crate) fn read(engine: &mut Engine, request: File, message: Message<'_>, blocks: &mut Blocks) -> Answer {
    let File {
        data,
        name,
        bytes,
        label_column,
        labels,
        ignore,
        color_columns,
        name_column,
        windows_1252,
        decimal_comma,
        standardize,
    } = request;
    let content = |bytes| {
        let bytes = message.bytes(bytes).ok_or_else(|| Failure::request("the bytes of a file are missing"));
        bytes.map(<[u8]>::to_vec)
    };
    let mut options = Vec::new();
    let mut option = |words: &[&str]| options.extend(words.iter().map(|word| (*word).to_owned()));
    if let Some(column) = &label_column {
        option(&["--label-column", column]);
    }
    if let Some(file) = &labels {
        option(&["--labels", &file.name]);
    }
    if !ignore.is_empty() {
        option(&["--ignore", &ignore.join(",")]);
    }
    if !color_columns.is_empty() {
        option(&["--color-column", &color_columns.join(",")]);
    }
    if let Some(column) = &name_column {
        option(&["--name-column", column]);
    }
    if windows_1252 {
        option(&["--encoding", "windows-1252"]);
    }
    if decimal_comma {
        option(&["--decimal-comma"]);
    }
    if standardize {
        option(&["--standardize"]);
    }
    let reading = Reading {
        encoding: if windows_1252 { Encoding::Windows1252 } else { Encoding::Utf8 },
        ignore,
        label_column,
        color_columns,
        name_column,
        decimal_comma,
        standardize,
        memory: MEMORY,
        ..Reading::default()
    };
    let mut table = reading.read_bytes(content(bytes)?, &name)?;
    if let Some(file) = labels {
        reading.label_bytes(&mut table, content(file.bytes)?, &file.name)?;
    }
    let sentences = table.notes.iter().chain(&table.warnings);
    let notes = sentences.map(|sentence| format!(" {sentence}.")).collect::<String>();
    let notes = format!("Read from {name}.{notes}");
    let stem = name.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or(&name).to_owned();
    let source = Source::File { file: name, sample: None, options };
    keep(engine, data, Stored::new(table.into_dataset(stem, notes), Some(source))?, blocks)
}

/// Samples another data set.
pub(crate) fn sample(engine: &mut Engine, request: &Sample, blocks: &mut Blocks) -> Answer {
    let Sample { data, of, n, seed } = request;
    let whole = engine.stored(of)?;
    let rows = whole.data.sample_rows(*n, *seed)?;
    let part = whole.data.select(&rows)?;
    // The command line samples files with the same seed, but has no sample of a generated set.
    let source = match whole.source.clone() {
        Some(Source::File { file, sample: None, options }) => {
            Some(Source::File { file, sample: Some((*n, *seed)), options })
        }
        _ => None,
    };
    let rows = match &whole.rows {
        Some(of_whole) => rows.iter().map(|&row| of_whole[row as usize]).collect(),
        None => rows,
    };
    let stored = Stored { rows: Some(rows), ..Stored::new(part, source)? };
    keep(engine, data.clone(), stored, blocks)
}
