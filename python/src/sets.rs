//! Data sets of the catalog, and files of points.

use std::path::PathBuf;

use datasets::files::{Categories, DateOrder, Encoding, Given, HeaderRow, Missing, Reading, Thousands};
use datasets::{Dataset, Labels, Quantity, Request};
use embedding::{Error, MemoryLimit};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::json;

use crate::failure::exception;
use crate::matrix::array_of;
use crate::work::run;

/// A data set of the catalog, as a dictionary.
#[pyfunction]
#[pyo3(signature = (name, *, n=None, seed=0, noise=0.0, scale=None, directory=None))]
pub(crate) fn data_set<'py>(
    py: Python<'py>,
    name: &str,
    n: Option<usize>,
    seed: u64,
    noise: f64,
    scale: Option<f64>,
    directory: Option<PathBuf>,
) -> PyResult<Bound<'py, PyDict>> {
    let request = Request { n, seed, noise, scale, directory, memory: MemoryLimit::default() };
    let found = run(py, 0, None, |_| datasets::load(name, &request))?;
    dictionary(py, found)
}

/// A file of points or a folder of pictures, as a dictionary.
#[pyfunction]
#[pyo3(signature = (path, *, labels=None, header=None, label_column=None, color_columns=Vec::new(), name_column=None, encoding=None, decimal_comma=false, ignore=Vec::new(), missing=None, missing_values=Vec::new(), unknown_label=None, categories=None, transpose=false, skip_rows=0, header_rows=0, dates_as_days=false, date_order=None, given="points", thousands=None))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn read<'py>(
    py: Python<'py>,
    path: PathBuf,
    labels: Option<PathBuf>,
    header: Option<bool>,
    label_column: Option<String>,
    color_columns: Vec<String>,
    name_column: Option<String>,
    encoding: Option<&str>,
    decimal_comma: bool,
    ignore: Vec<String>,
    missing: Option<&str>,
    missing_values: Vec<String>,
    unknown_label: Option<String>,
    categories: Option<&str>,
    transpose: bool,
    skip_rows: usize,
    header_rows: usize,
    dates_as_days: bool,
    date_order: Option<&str>,
    given: &str,
    thousands: Option<&str>,
) -> PyResult<Bound<'py, PyDict>> {
    let header = header.map_or(HeaderRow::Auto, |header| if header { HeaderRow::Yes } else { HeaderRow::No });
    let missing = match missing {
        None => Missing::Refuse,
        Some("drop") => Missing::Drop,
        Some("mean") => Missing::Mean,
        Some("median") => Missing::Median,
        Some("zero") => Missing::Zero,
        Some(other) => {
            return Err(exception(Error::parameter(
                "missing",
                "None, `drop`, `mean`, `median` or `zero`",
                format!("`{other}`"),
            )));
        }
    };
    let categories = match categories {
        None => Categories::Refuse,
        Some("ignore") => Categories::Ignore,
        Some("indicators") => Categories::Indicators,
        Some(other) => {
            return Err(exception(Error::parameter(
                "categories",
                "None, `ignore` or `indicators`",
                format!("`{other}`"),
            )));
        }
    };
    let date_order = match date_order {
        None | Some("year-first") => DateOrder::YearFirst,
        Some("day-first") => DateOrder::DayFirst,
        Some("month-first") => DateOrder::MonthFirst,
        Some(other) => {
            return Err(exception(Error::parameter(
                "date_order",
                "`year-first`, `day-first` or `month-first`",
                format!("`{other}`"),
            )));
        }
    };
    let encoding = match encoding.map(|name| name.to_ascii_lowercase().replace('_', "-")).as_deref() {
        None | Some("utf-8" | "utf8" | "utf-8-sig") => Encoding::Utf8,
        Some("windows-1252" | "cp1252") => Encoding::Windows1252,
        Some(other) => {
            let problem = format!("`{other}`");
            return Err(exception(Error::parameter("encoding", "`utf-8` or `windows-1252`", problem)));
        }
    };
    let given = match given {
        "points" => Given::Points,
        "distances" => Given::Distances,
        "similarities" => Given::Similarities,
        other => {
            let words = "`points`, `distances` or `similarities`";
            return Err(exception(Error::parameter("given", words, format!("`{other}`"))));
        }
    };
    let thousands = match thousands {
        None => None,
        Some("," | "comma") => Some(Thousands::Comma),
        Some("." | "point") => Some(Thousands::Point),
        Some(" " | "space") => Some(Thousands::Space),
        Some("'" | "apostrophe") => Some(Thousands::Apostrophe),
        Some("_" | "underscore") => Some(Thousands::Underscore),
        Some(other) => {
            let words = "None, `,`, `.`, ` `, `'` or `_`";
            return Err(exception(Error::parameter("thousands", words, format!("`{other}`"))));
        }
    };
    let reading = Reading {
        given,
        thousands,
        encoding,
        header,
        ignore,
        label_column,
        color_columns,
        name_column,
        decimal_comma,
        unknown_label,
        missing,
        missing_values,
        categories,
        transpose,
        skip_rows,
        header_rows,
        dates_as_days,
        date_order,
        ..Reading::default()
    };
    let mut table = reading.labeled(&path, labels.as_deref()).map_err(exception)?;
    let said =
        [("notes", std::mem::take(&mut table.notes)), ("warnings", std::mem::take(&mut table.warnings))];
    let found = dictionary(py, table.into_dataset_of(&path))?;
    said.into_iter().try_for_each(|(key, sentences)| found.set_item(key, sentences))?;
    Ok(found)
}

fn dictionary(py: Python<'_>, data: Dataset) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    let classes = |labels: &Labels| labels.known().iter().map(|class| class.map_or(-1, i64::from)).collect();
    let labels: Vec<(String, Vec<String>, Vec<i64>)> = data
        .labels
        .into_iter()
        .map(|labels| (labels.name.clone(), labels.classes.clone(), classes(&labels)))
        .collect();
    all.set_item("name", data.name)?;
    all.set_item("points", array_of(py, data.points)?)?;
    all.set_item("truth", data.truth.map(|truth| array_of(py, truth)).transpose()?)?;
    all.set_item("truth_names", data.truth_names)?;
    all.set_item("labels", labels)?;
    let numbers = |values: Vec<Option<f64>>| values.into_iter().map(|value| value.unwrap_or(f64::NAN));
    let quantities: Vec<(String, Vec<f64>)> = data
        .quantities
        .into_iter()
        .map(|Quantity { name, values }| (name, numbers(values).collect()))
        .collect();
    all.set_item("quantities", quantities)?;
    all.set_item("row_names", data.row_names.map(|names| names.values))?;
    all.set_item("pixels", data.pixels.map(|pixels| array_of(py, pixels)).transpose()?)?;
    all.set_item("description", data.notes)?;
    all.set_item("about", json!({ "geometry": data.geometry, "images": data.images }).to_string())?;
    Ok(all)
}
