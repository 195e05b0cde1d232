//! The map that `compare invert` decodes, and the data of its points.

use datasets::{Dataset, Request};
use embedding::{Error, PointSet};

use super::arguments::Invert;
use crate::cli::context::Context;
use crate::cli::files::saved_model::SavedModel;
use crate::cli::files::{input, map_rows, model_columns, row_names};
use crate::{Failure, dataset_names};

/// A map, and the data of its points where they are given.
pub(super) struct Source {
    pub(super) map: PointSet,
    pub(super) data: Option<Dataset>,
    /// Whether `--input` are the places.
    pub(super) alone: bool,
}

impl Source {
    /// Reads the files; the map of a saved model is its own.
    pub(super) fn read(
        options: &Invert,
        model: Option<&SavedModel>,
        context: &Context,
    ) -> Result<Self, Failure> {
        let Invert { input, labels, dataset, reading, .. } = options;
        let alone = model.is_some() && options.places.is_none() && options.grid.is_none();
        let map = |model: &SavedModel| PointSet::from_mat(model.fitted.embedding().coordinates());
        if let (true, Some(model)) = (alone, model) {
            if input.is_none() {
                return Err(Failure::usage("say what is decoded: give --input, --places or --grid"));
            }
            return Ok(Self { map: map(model)?, data: None, alone });
        }
        let given = |data| match &options.embedding {
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
                    n: options.n,
                    seed: options.seed,
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

/// Fails where the rows are no pictures, or the map has not two columns.
pub(super) fn require_pictures(data: &Dataset, dim: usize) -> Result<(), Failure> {
    if data.images.is_none_or(|shape| shape.is_empty()) || data.pixels.is_some() {
        return Err(Failure::usage(format!(
            "--plot draws decoded pictures, but the rows of {} are no pictures; use a folder of pictures, an IDX \
             file, an array of three or four dimensions, or --dataset digits",
            data.name
        )));
    }
    if dim != 2 {
        return Err(Failure::usage(format!("--plot needs a map of two columns, but this one has {dim}")));
    }
    Ok(())
}
