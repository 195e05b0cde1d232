//! `compare invert`.

pub(super) mod arguments;
mod places;

use std::fs;
use std::process::ExitCode;

use datasets::files::{Scaling, WholeFiles};
use datasets::{Dataset, Request};
use embedding::{DynModel, Error, PointSet, Points, Transform};
use figure::number::counted;
use figure::{Decoded, Paint, decoded_scene};
use regression::{KernelRidge, LeaveOut, LeftOut, LocalBarycentric, Regressor, Width};
use serde_json::{Value, json};
use swissroll::columns::Columns;
use swissroll::standardized;

use self::arguments::{Inverse, Invert};
use self::places::Places;
use crate::cli::context::Context;
use crate::cli::files::{input, map_rows, model_columns, outputs, row_names};
use crate::cli::plot;
use crate::figure::number::counted;
use crate::figure::{Decoded, Paint, decoded_scene};
use crate::output::json as text;
use crate::{Failure, dataset_names};

pub(in crate::cli) fn invert(arguments: &Invert, context: &Context) -> Result<ExitCode, Failure> {
    check(arguments)?;
    let model = arguments.model.as_ref().map(|_| Model::read(arguments)).transpose()?;
    let source = Source::read(arguments, model.as_ref(), context)?;
    let Source { map, data, .. } = &source;
    let places = Places::read(arguments, &source, context)?;
    let kept = places.kept(arguments.grid.is_some());
    if kept.is_empty() {
        let problem = "every cell of the grid lies far from the points of the map";
        return Err(Error::degenerate(problem, "use a larger --reach, or a finer grid").into());
    }
    let chosen = places.all.view().select(&kept);
    context.progress.begin("decoding");
    let default = if data.is_some() { Inverse::Barycentric } else { Inverse::Linear };
    let inverse = arguments.inverse.unwrap_or(default);
    let learn = |data: &Option<Dataset>| match data {
        Some(data) => Ok(data.points.clone()),
        None => Err(Failure::usage(format!("{} needs the data of the map: --input", inverse.name()))),
    };
    let scaling = model.as_ref().and_then(|model| model.scaling.as_ref());
    let decoding = Decoding { arguments, context, map: map.view(), places: chosen.view(), scaling };
    let (decoded, error) = match inverse {
        Inverse::Linear => decoding.linear(model.as_ref())?,
        Inverse::Barycentric => {
            let recipe = LocalBarycentric { k: arguments.k, regularization: arguments.reg };
            decoding.learned(&recipe, learn(data)?.view())?
        }
        Inverse::KernelRidge => {
            let width = Width::Spacing(arguments.width);
            let recipe = KernelRidge { width, ridge: arguments.ridge, memory_limit: context.memory };
            decoding.learned(&recipe, learn(data)?.view())?
        }
    };
    context.progress.end();
    let far: Vec<usize> = places.far();
    if !far.is_empty() {
        context
            .progress
            .line(format!("note: {}", far_away(far.len(), places.all.len(), arguments.grid.is_some())));
    }
    let said = error.as_ref().map(|error| sentence(error, scaling.is_some())).unwrap_or_default();
    if error.is_some() {
        context.progress.line(format!("note: {said}"));
    }
    let report = json!({
        "inverse": inverse.name(),
        "n": map.len(), "D": decoded.dim(), "dim": map.dim(), "k": arguments.k,
        "grid": arguments.grid, "reach": arguments.reach,
        "places": places.all.len(), "decoded": decoded.len(), "far": far,
        "left_out": error.map(|error| left_out(&error, arguments, scaling.is_some())),
    });
    let mut files = WholeFiles::default();
    files.write_points(&arguments.output, decoded.view())?;
    if let Some(path) = &arguments.decoded_places {
        files.write_points(path, chosen.view())?;
    }
    if let Some(path) = &arguments.report {
        files.write(path, |file| file.write_all(text(&report).as_bytes()))?;
    }
    if let (Some(path), Some(data)) = (&arguments.plot, data) {
        let nearest = kept.iter().map(|&place| &places.around[place as usize].0[..]);
        let pictures = pictures(data, decoded, nearest);
        let at = places.drawn(&kept);
        let drawn = Decoded {
            map: map.view().as_mat(),
            places: &at,
            cell: places.grid.as_ref().map(|grid| grid.cell),
            pictures: &pictures,
        };
        let title = arguments.title.as_deref().unwrap_or(&data.name);
        let caption = caption(inverse, arguments, data, &said);
        plot::write_scene(&mut files, path, &decoded_scene(title, &caption, &Paint::of(data), drawn))?;
    }
    files.complete()?;
    Ok(ExitCode::SUCCESS)
}

/// Refuses what can be refused before anything is read.
fn check(arguments: &Invert) -> Result<(), Failure> {
    let Invert { input, labels, embedding, model, places, .. } = arguments;
    let inputs = [input, labels, embedding, model, places].into_iter().flatten();
    input::one_stdin(inputs.clone())?;
    let decoded_places = arguments.decoded_places.iter().map(|path| ("--decoded-places", path));
    let tables = std::iter::once(("--output", &arguments.output)).chain(decoded_places);
    let report = arguments.report.iter().map(|path| ("--report", path));
    let plot = arguments.plot.iter().map(|path| ("--plot", path));
    outputs::check(inputs, tables.clone().chain(report).chain(plot))?;
    tables.clone().try_for_each(|(option, path)| outputs::check_table(option, path))?;
    arguments.plot.as_deref().map_or(Ok(()), plot::check)?;
    if arguments.reading.standardize {
        return Err(Failure::usage(
            "--standardize belongs to `compare embed`: data are decoded in their units",
        ));
    }
    if arguments.inverse == Some(Inverse::Linear) && model.is_none() {
        return Err(Failure::usage("--inverse linear needs the map itself: give --model"));
    }
    if arguments.grid.is_some() || places.is_some() {
        return Ok(());
    }
    if model.is_none() {
        return Err(Failure::usage("say what is decoded: give --places or --grid"));
    }
    let by_data = matches!(arguments.inverse, Some(Inverse::Barycentric | Inverse::KernelRidge));
    if by_data || arguments.dataset.is_some() {
        return Err(Failure::usage(
            "without --places and --grid, --input are the places, decoded by the saved linear map alone; give \
             --places or --grid, so that --input (or --dataset) are the data",
        ));
    }
    Ok(())
}

/// A saved model.
struct Model {
    fitted: Box<dyn DynModel>,
    name: &'static str,
    /// How the columns of its data were standardized, where they were.
    scaling: Option<Scaling>,
    /// The columns of its data, where they have names.
    columns: Option<Columns>,
}

impl Model {
    fn read(arguments: &Invert) -> Result<Self, Failure> {
        let path = arguments.model.as_ref().expect("asked for where it is given");
        let file = |problem: String| Error::file(path.display(), problem);
        let bytes = fs::read(path).map_err(|error| file(format!("cannot be read: {error}")))?;
        let refused = |error: Error| file(error.to_string());
        let (bytes, columns) = swissroll::columns::load(bytes).map_err(refused)?;
        let scaling = standardized::scaling(&bytes).map_err(refused)?;
        let (method, fitted) = swissroll::load(&bytes).map_err(refused)?;
        Ok(Self { fitted, name: method.about().name, scaling, columns })
    }
}

/// A map, and the data of its points where they are given.
struct Source {
    map: PointSet,
    data: Option<Dataset>,
    /// Whether `--input` are the places.
    alone: bool,
}

impl Source {
    fn read(arguments: &Invert, model: Option<&Model>, context: &Context) -> Result<Self, Failure> {
        let Invert { input, labels, dataset, reading, .. } = arguments;
        let alone = model.is_some() && arguments.places.is_none() && arguments.grid.is_none();
        let map = |model: &Model| PointSet::from_mat(model.fitted.embedding().coordinates());
        if let (true, Some(model)) = (alone, model) {
            if input.is_none() {
                return Err(Failure::usage("say what is decoded: give --input, --places or --grid"));
            }
            return Ok(Self { map: map(model)?, data: None, alone });
        }
        let given = |data| match &arguments.embedding {
            Some(path) => row_names::read_map(path, (reading, data), context).map(Some),
            None => Ok(None),
        };
        let (data, found) = match (input, dataset) {
            (Some(path), _) => {
                let classes = input::Classes::of(labels.as_ref(), None);
                let known = model.and_then(|model| model.columns.as_ref());
                let wanted = known.map_or(&[][..], |known| &known.names);
                let mut table = input::read_coordinates(path, wanted, classes, reading, context)?;
                if let Some(known) = known {
                    table = model_columns::in_order(table, known, path, context)?;
                }
                let rows = |found| {
                    map_rows::rows(
                        (table.points.len(), table.kept.as_deref().map(|kept| (table.rows, kept))),
                        "the number of places of the map",
                        found,
                        map_rows::FEWER_PLACES,
                    )
                };
                let found = given(Some(&table))?.map(rows).transpose()?;
                (Some(table.into_dataset(input::stem(path), "")), found)
            }
            (None, Some(name)) => {
                let request = Request {
                    n: arguments.n,
                    seed: arguments.seed,
                    memory: context.memory,
                    ..Request::default()
                };
                (Some(dataset_names::find(name)?.load(&request)?), given(None)?.map(|table| table.points))
            }
            (None, None) => (None, given(None)?.map(|table| table.points)),
        };
        let Some(model) = model else {
            let (Some(map), Some(data)) = (found, data) else {
                return Err(Failure::usage(
                    "--embedding needs the data of the map: give --input or --dataset",
                ));
            };
            require_rows(&data, map.len())?;
            return Ok(Self { map, data: Some(data), alone });
        };
        let embedding = model.fitted.embedding();
        let placed = |data: Dataset| match embedding.placed_rows() {
            // Rows that the component policy left out have no place.
            Some(rows) if rows.iter().all(|row| (*row as usize) < data.points.len()) => data.select(rows),
            _ => Ok(data),
        };
        let data = data.map(placed).transpose()?;
        data.iter().try_for_each(|data| require_rows(data, embedding.len()))?;
        Ok(Self { map: map(model)?, data, alone })
    }
}

fn require_rows(data: &Dataset, expected: usize) -> Result<(), Error> {
    if data.points.len() == expected {
        return Ok(());
    }
    Err(Error::Shape {
        what: "the number of rows of the data",
        expected: format!("{expected}, one per place of the map"),
        got: data.points.len().to_string(),
    })
}

fn require_pictures(data: &Dataset, dim: usize) -> Result<(), Failure> {
    if data.images.is_none_or(|shape| shape.is_empty()) || data.pixels.is_some() {
        return Err(Failure::usage(format!(
            "--plot draws decoded pictures, but the rows of {} are none; images are those of a folder, of an IDX \
             file, of an array of three or four dimensions, or of --dataset digits",
            data.name
        )));
    }
    if dim != 2 {
        return Err(Failure::usage(format!("--plot needs a map of two columns, but this one has {dim}")));
    }
    Ok(())
}

/// The parts of a decoding.
struct Decoding<'a> {
    arguments: &'a Invert,
    context: &'a Context,
    map: Points<'a>,
    places: Points<'a>,
    /// The units of the model, in which errors are stated.
    scaling: Option<&'a Scaling>,
}

impl Decoding<'_> {
    /// Refuses rows of this many columns that exceed the memory limit, by columns and by rows.
    fn allow(&self, columns: usize) -> Result<(), Error> {
        let needed = 2 * 8 * self.places.len() as u64 * columns as u64;
        self.context.memory.allow("the decoded rows", needed, "decode fewer places, or allow more memory")
    }

    /// By a function learned from the map to the data, with its error on points left out.
    fn learned<R: Regressor>(
        &self,
        recipe: &R,
        data: Points<'_>,
    ) -> Result<(PointSet, Option<LeftOut>), Failure> {
        let Invert { folds, seed, .. } = *self.arguments;
        let (map, observer) = (self.map, &self.context.progress);
        self.allow(data.dim())?;
        let fitted = recipe.fit(map, data.as_mat(), observer)?;
        let decoded = PointSet::from_mat(fitted.transform(self.places)?.coordinates())?;
        // Every column is learned by itself, so that these are the errors of the same function.
        let scaled = self.scaling.map(|scaling| scaling.apply(data)).transpose()?;
        let targets = scaled.as_ref().map_or(data, PointSet::view);
        let error = LeaveOut { folds, seed }.errors(recipe, map, targets.as_mat(), observer)?;
        Ok((decoded, Some(error)))
    }

    /// By the pseudo-inverse of a saved linear map, in the units of the data.
    fn linear(&self, model: Option<&Model>) -> Result<(PointSet, Option<LeftOut>), Failure> {
        let model = model.ok_or_else(|| Failure::usage("--inverse linear needs --model"))?;
        self.allow(model.fitted.linear_map().map_or(0, |map| map.origin.len()))?;
        let Some(decoded) = model.fitted.invert(self.places)? else {
            return Err(Failure::usage(format!(
                "a model of {} is no linear map; decode by its data: --input DATA with --places or --grid",
                model.name
            )));
        };
        Ok((PointSet::from_mat(decoded.coordinates())?, None))
    }
}

/// What the pictures of a figure are.
fn caption(inverse: Inverse, arguments: &Invert, data: &Dataset, error: &str) -> String {
    let k = arguments.k;
    let how = match inverse {
        Inverse::Barycentric => format!("barycentric weights of the {k} nearest points"),
        Inverse::KernelRidge => "kernel ridge regression".to_owned(),
        Inverse::Linear => "the pseudo-inverse of the map".to_owned(),
    };
    let mut text = match arguments.grid {
        Some(_) => format!(
            "Each picture is decoded by {how}, from the center of its cell, or, where that is far from all points, \
             from the mean of the points in the cell; other cells far from the points are empty."
        ),
        None => format!("Each picture is decoded from its place by {how}."),
    };
    if !data.labels.is_empty() {
        text += &format!(" Its color is that of most of the {k} nearest points.");
    }
    if !error.is_empty() {
        let mut letters = error.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        text += &format!(" {}{}.", first.into_iter().collect::<String>(), letters.as_str());
    }
    text
}

fn sentence(error: &LeftOut, standardized: bool) -> String {
    let units =
        if standardized { ", each column divided by its standard deviation, as by the model" } else { "" };
    format!(
        "points left out are decoded with a root mean square error of {:.3} of the data's spread{units}",
        error.total.relative()
    )
}

/// What is said of places far from the map, or of cells, which are left out.
fn far_away(far: usize, all: usize, cells: bool) -> String {
    let one = far == 1;
    match cells {
        true => format!(
            "{far} of {} {} left out, with no points and far from the map",
            counted(all, "cell", "cells"),
            if one { "is" } else { "are" }
        ),
        false => format!(
            "{far} of {} {} far from the map",
            counted(all, "place", "places"),
            if one { "lies" } else { "lie" }
        ),
    }
}

fn left_out(error: &LeftOut, arguments: &Invert, standardized: bool) -> Value {
    let one = |error: &regression::ValidationError| {
        json!({
            "root_mean_square": error.root_mean_square,
            "relative": error.relative(),
            "unexplained": error.unexplained,
        })
    };
    let mut report = one(&error.total);
    report["units"] = json!(if standardized { "standardized columns" } else { "data" });
    report["seed"] = json!(arguments.seed);
    report["folds"] = error.folds.iter().map(one).collect();
    report
}

/// Decoded rows as a data set, each of the class that most of the points near it have (of
/// several such the first).
fn pictures<'a>(
    data: &Dataset,
    decoded: PointSet,
    nearest: impl Iterator<Item = &'a [(u32, f64)]> + Clone,
) -> Dataset {
    let mut labels = data.labels.clone();
    for labels in &mut labels {
        let most = |list: &[(u32, f64)]| {
            let mut counts = vec![0_usize; labels.classes.len()];
            list.iter().for_each(|&(row, _)| counts[labels.values[row as usize] as usize] += 1);
            let largest = counts.iter().max().copied();
            counts.iter().position(|count| Some(*count) == largest).unwrap_or(0) as u32
        };
        labels.values = nearest.clone().map(most).collect();
    }
    Dataset {
        points: decoded,
        labels,
        truth: None,
        truth_names: Vec::new(),
        quantities: Vec::new(),
        row_names: None,
        pixels: None,
        ..data.clone()
    }
}
