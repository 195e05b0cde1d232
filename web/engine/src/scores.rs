//! Maps: measures, measures per point, and alignment.

use embedding::{Error, PointSet, Points, Silent};
use neighbor_graph::{Neighborhood, Neighbors};
use quality::shape::{Reflection, Similarity};
use quality::{Context, RowSample, measures as listed, point_measures};
use serde_json::json;

use crate::data::matrix;
use crate::failure::Failure;
use crate::message::{Blocks, Message};
use crate::request::{Align, MapSource, Measures, PerPoint};
use crate::state::{Answer, Engine};
use crate::trust;

/// Coordinates, and the data row of each; all rows in order where there are none.
struct Map {
    coordinates: PointSet,
    rows: Option<Vec<u32>>,
}

impl Map {
    fn of(engine: &Engine, source: &MapSource, message: Message<'_>) -> Result<Self, Failure> {
        match source {
            MapSource::Model { model } => {
                let embedding = engine.kept(model)?.model.embedding();
                let coordinates = PointSet::from_mat(embedding.coordinates())?;
                Ok(Self { coordinates, rows: embedding.placed_rows().map(<[u32]>::to_vec) })
            }
            MapSource::Given { coordinates, columns, rows } => {
                let coordinates = matrix(message, *coordinates, *columns)?;
                let missing = || Failure::request("the rows of the map are missing");
                let rows = rows.map(|rows| message.indices(rows).ok_or_else(missing)).transpose()?;
                let map = Self { coordinates, rows };
                map.check_rows()?;
                Ok(map)
            }
        }
    }

    /// Fails unless the rows are as many as the coordinates, and ascending.
    fn check_rows(&self) -> Result<(), Error> {
        let Some(rows) = &self.rows else { return Ok(()) };
        let n = self.coordinates.len();
        if rows.len() != n {
            let expected = format!("{n}, one for each point of the map");
            return Err(Error::Shape { what: "the number of rows", expected, got: rows.len().to_string() });
        }
        if let Some(two) = rows.windows(2).find(|two| two[0] >= two[1]) {
            return Err(Error::parameter("the rows", "ascending", format!("{} before {}", two[0], two[1])));
        }
        Ok(())
    }

    fn row(&self, at: usize) -> u32 {
        self.rows.as_ref().map_or(at as u32, |rows| rows[at])
    }
}

/// A data set at the rows of a map.
struct Placed {
    points: PointSet,
    truth: Option<PointSet>,
    labels: Option<Vec<Option<u32>>>,
    neighbors: Neighbors,
}

impl Placed {
    fn new(engine: &mut Engine, data: &str, map: &Map, k: usize, labels: usize) -> Result<Self, Failure> {
        let stored = engine.stored_mut(data)?;
        let lists = stored.neighbors(Neighborhood::Nearest { k }, &Silent)?;
        let labels = stored.labels(labels)?;
        let data = &stored.data;
        let n = data.points.len();
        let Some(rows) = &map.rows else {
            let got = map.coordinates.len();
            if got != n {
                let expected = format!("{n}, as in the data");
                let what = "the number of points of the map";
                return Err(Error::Shape { what, expected, got: got.to_string() }.into());
            }
            let truth = data.global_truth().map(|truth| truth.to_owned());
            return Ok(Self { points: data.points.clone(), truth, labels, neighbors: lists });
        };
        if let Some(row) = rows.last().filter(|row| **row as usize >= n) {
            return Err(Error::parameter("the rows", format!("below {n}"), row).into());
        }
        Ok(Self {
            points: data.points.view().select(rows),
            truth: data.global_truth().map(|truth| truth.select(rows)),
            labels: labels.map(|labels| rows.iter().map(|&row| labels[row as usize]).collect()),
            neighbors: lists.restricted(rows),
        })
    }

    fn context(&self, k: usize, rows: RowSample) -> Context<'_> {
        let mut context = Context::new(self.points.view(), &self.neighbors, k, rows);
        if let Some(truth) = &self.truth {
            context = context.with_truth(truth.view());
        }
        if let Some(labels) = &self.labels {
            context = context.with_partial_labels(labels);
        }
        context
    }
}

/// A function that returns whether a name is requested; fails on a requested name that is not known.
fn chosen<'a>(
    names: Option<&'a [String]>,
    known: &[&str],
) -> Result<impl Fn(&str) -> bool + use<'a>, Failure> {
    if let Some(name) = names.into_iter().flatten().find(|name| !known.contains(&name.as_str())) {
        return Err(Failure::request(format!("there is no measure `{name}`; known: {}", known.join(", "))));
    }
    Ok(move |name: &str| names.is_none_or(|names| names.iter().any(|chosen| chosen == name)))
}

/// Scores of a map.
pub(crate) fn measures(engine: &mut Engine, request: &Measures, message: Message<'_>) -> Answer {
    let known: Vec<&str> = listed().iter().map(|measure| measure.name).collect();
    let wanted = chosen(request.names.as_deref(), &known)?;
    let map = Map::of(engine, &request.map, message)?;
    let placed = Placed::new(engine, &request.data, &map, request.k, request.labels)?;
    let rows = request.rows.map_or(RowSample::All, |count| RowSample::Spaced { count });
    let mut context = placed.context(request.k, rows);
    if map.rows.is_none() {
        context = context.with_data(&engine.stored_mut(&request.data)?.measured(request.k, request.rows));
    }
    let mut scores = Vec::new();
    for measure in listed().iter().filter(|measure| wanted(measure.name)) {
        if let Some(value) = measure.score(&context, map.coordinates.view())? {
            scores.push(json!({ "name": measure.name, "value": value }));
        }
    }
    Ok(json!({ "scores": scores }))
}

/// Measures per placed point.
pub(crate) fn per_point(
    engine: &mut Engine,
    request: &PerPoint,
    message: Message<'_>,
    blocks: &mut Blocks,
) -> Answer {
    let known: Vec<&str> =
        point_measures().iter().map(|measure| measure.name).chain(trust::names()).collect();
    let wanted = chosen(request.names.as_deref(), &known)?;
    let mut found = trust::values(engine, request, blocks)?;
    let of_map = |name: &String| trust::names().all(|of_model| of_model != name);
    if request.names.as_ref().is_some_and(|names| !names.iter().any(of_map)) {
        return Ok(json!({ "measures": found }));
    }
    let map = Map::of(engine, &request.map, message)?;
    let placed = Placed::new(engine, &request.data, &map, request.k, 0)?;
    let context = placed.context(request.k, RowSample::All);
    for measure in point_measures().iter().filter(|measure| wanted(measure.name)) {
        if let Some(values) = measure.values(&context, map.coordinates.view())? {
            let values: Vec<f64> = values.into_iter().map(|value| value.unwrap_or(f64::NAN)).collect();
            found.push(json!({ "name": measure.name, "values": blocks.f64(&values) }));
        }
    }
    Ok(json!({ "measures": found }))
}

/// A map moved onto a reference.
pub(crate) fn align(engine: &Engine, request: &Align, message: Message<'_>, blocks: &mut Blocks) -> Answer {
    let map = Map::of(engine, &request.map, message)?;
    let reference = Map::of(engine, &request.reference, message)?;
    if reference.coordinates.dim() > map.coordinates.dim() {
        return Err(Error::Shape {
            what: "the number of columns of the reference",
            expected: format!("at most {} as the map's", map.coordinates.dim()),
            got: reference.coordinates.dim().to_string(),
        }
        .into());
    }
    let (of_reference, of_map) = common(&reference, &map);
    if of_map.len() < 2 {
        return Err(Error::TooFewPoints {
            what: "alignment of two maps by their common rows",
            needed: 2,
            got: of_map.len(),
        }
        .into());
    }
    let select = |points: Points<'_>, at: &[u32]| points.select(at);
    let target = select(reference.coordinates.view(), &of_reference);
    let moved = select(map.coordinates.view(), &of_map);
    let mut found = Similarity::between(target.view(), moved.view(), Reflection::Allowed)?;
    if !request.scale {
        found.scale = 1.0;
    }
    let coordinates = found.apply(map.coordinates.view())?;
    Ok(json!({
        "columns": coordinates.ncols(),
        "coordinates": blocks.f64(&embedding::implement::matrix::to_rows(coordinates.as_ref())),
        "scale": found.scale,
        "residual": found.residual,
    }))
}

/// The positions of the rows that both maps have, in each of them.
fn common(first: &Map, second: &Map) -> (Vec<u32>, Vec<u32>) {
    let (mut a, mut b) = (0, 0);
    let mut found = (Vec::new(), Vec::new());
    while a < first.coordinates.len() && b < second.coordinates.len() {
        match first.row(a).cmp(&second.row(b)) {
            std::cmp::Ordering::Less => a += 1,
            std::cmp::Ordering::Greater => b += 1,
            std::cmp::Ordering::Equal => {
                found.0.push(a as u32);
                found.1.push(b as u32);
                (a, b) = (a + 1, b + 1);
            }
        }
    }
    found
}
