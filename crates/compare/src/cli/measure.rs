//! `compare measure`.

use std::path::Path;
use std::process::ExitCode;

use datasets::files;
use embedding::{Embedding, Error, PointSet};
use neighbor_graph::{Neighborhood, find_neighbors};
use serde_json::{Map, Value};

use super::arguments::Measure;
use super::{Context, print};
use crate::Failure;
use crate::measures::{Known, Reference};
use crate::output::json;

pub(super) fn measure(arguments: &Measure, context: &Context) -> Result<ExitCode, Failure> {
    let read = |path: &Path| files::read_points(path, context.memory).map(|table| table.points);
    let data = read(&arguments.input)?;
    let coordinates = read(&arguments.embedding)?;
    let n = data.len();
    same("the number of embedded points", n, coordinates.len())?;
    let truth = arguments.truth.as_deref().map(read).transpose()?;
    if let Some(truth) = &truth {
        same("the number of true coordinates", n, truth.len())?;
    }
    let labels =
        arguments.labels.as_ref().map(|path| files::read_labels(path, context.memory)).transpose()?;
    if let Some(labels) = &labels {
        same("the number of labels", n, labels.values.len())?;
    }
    let most = n.saturating_sub(1) / 2;
    if !(1..=most).contains(&arguments.k) {
        let requirement = format!("between 1 and {most}, below half of the {n} points");
        return Err(Error::parameter("k", requirement, arguments.k).into());
    }
    let known = Known {
        points: data.view(),
        truth: truth.as_ref().map(PointSet::view),
        labels: labels.as_ref().map(|labels| &labels.values[..]),
    };
    context.progress.begin("measuring");
    let neighborhood = Neighborhood::Nearest { k: arguments.k };
    let neighbors = find_neighbors(data.view(), neighborhood, &context.progress)?;
    let reference = Reference::new(known, &neighbors, arguments.k);
    let scores = reference.score(&Embedding::new(coordinates.view().as_mat().to_owned()))?;
    context.progress.end();
    let mut object = Map::new();
    object.insert("n".to_owned(), n.into());
    object.insert("D".to_owned(), data.dim().into());
    object.insert("dim".to_owned(), coordinates.dim().into());
    object.insert("k".to_owned(), arguments.k.into());
    object.extend(scores.into_iter().map(|score| (score.measure, score.value.into())));
    print(&json(&Value::Object(object)));
    Ok(ExitCode::SUCCESS)
}

fn same(what: &'static str, expected: usize, got: usize) -> Result<(), Error> {
    if expected == got {
        return Ok(());
    }
    Err(Error::Shape { what, expected: format!("{expected}, one per row of the data"), got: got.to_string() })
}
