//! Data sets as text: numbers as base64 of gzip of their bytes.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use datasets::{ImageShape, Labels, Quantity, RowNames};
use embedding::Points;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;

use super::Carried;

/// A data set as text.
#[derive(Serialize)]
pub(super) struct Packed<'a> {
    name: &'a str,
    file: Option<&'a str>,
    /// Whether the page has all rows of a data set of the catalog, so that its samples equal the
    /// samples of the command line.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    complete: bool,
    columns: usize,
    column_names: &'a [String],
    points: Numbers,
    truth: Option<Numbers>,
    truth_columns: usize,
    truth_names: &'a [String],
    geometry: datasets::Geometry,
    labels: Vec<PackedLabels<'a>>,
    quantities: Vec<PackedQuantity<'a>>,
    row_names: Option<&'a RowNames>,
    images: Option<ImageShape>,
    pixels: Option<Numbers>,
    notes: &'a str,
}

#[derive(Serialize)]
pub(super) struct PackedLabels<'a> {
    name: &'a str,
    classes: &'a [String],
    values: Numbers,
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<u32>,
}

impl<'a> PackedLabels<'a> {
    pub(super) fn of(labels: &'a Labels) -> Self {
        Self {
            name: &labels.name,
            classes: &labels.classes,
            values: whole(&labels.values),
            unknown: labels.unknown,
        }
    }
}

/// A number per row, NaN where it is missing.
#[derive(Serialize)]
pub(super) struct PackedQuantity<'a> {
    name: &'a str,
    values: Numbers,
}

impl<'a> PackedQuantity<'a> {
    pub(super) fn of(quantity: &'a Quantity) -> Self {
        let values = quantity.values.iter().map(|value| value.unwrap_or(f64::NAN));
        Self { name: &quantity.name, values: Numbers::F64(packed(values.flat_map(f64::to_le_bytes))) }
    }
}

/// Base64 of gzip of little-endian values, under the name of their type.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Numbers {
    F64(String),
    U32(String),
    U16(String),
    U8(String),
}

impl<'a> Packed<'a> {
    pub(super) fn of(Carried { file, data }: &Carried<'a>) -> Self {
        // Sets with several label sets are stratified by all of them together, samples by the first.
        let all = datasets::find(&data.name).is_ok_and(|info| info.largest_n == Some(data.points.len()));
        Self {
            name: &data.name,
            file: *file,
            complete: file.is_none() && all && data.labels.len() < 2,
            columns: data.points.dim(),
            column_names: &data.column_names,
            points: floats(data.points.view()),
            truth: data.truth.as_ref().map(|truth| floats(truth.view())),
            truth_columns: data.truth.as_ref().map_or(0, |truth| truth.dim()),
            truth_names: &data.truth_names,
            geometry: data.geometry,
            labels: data.labels.iter().map(PackedLabels::of).collect(),
            quantities: data.quantities.iter().map(PackedQuantity::of).collect(),
            row_names: data.row_names.as_ref(),
            images: data.images,
            pixels: data.images.zip(data.pixels.as_ref()).map(|(shape, pixels)| levels(pixels.view(), shape)),
            notes: &data.notes,
        }
    }
}

/// Whole numbers of one byte as bytes, others in double precision.
pub(super) fn floats(points: Points<'_>) -> Numbers {
    let byte = |value: &f64| (0.0..=255.0).contains(value) && value.fract() == 0.0;
    if points.values().iter().all(byte) {
        return Numbers::U8(packed(points.values().iter().map(|value| *value as u8)));
    }
    Numbers::F64(packed(points.values().iter().flat_map(|value| value.to_le_bytes())))
}

pub(super) fn whole(values: &[u32]) -> Numbers {
    Numbers::U32(packed(values.iter().flat_map(|value| value.to_le_bytes())))
}

/// Pixels in 256 levels.
pub(super) fn levels(pixels: Points<'_>, shape: ImageShape) -> Numbers {
    let level = |value: &f64| (255.0 * value / shape.white).round().clamp(0.0, 255.0) as u8;
    Numbers::U8(packed(pixels.values().iter().map(level)))
}

pub(super) fn packed(bytes: impl Iterator<Item = u8>) -> String {
    let bytes: Vec<u8> = bytes.collect();
    packed_bytes(&bytes)
}

pub(super) fn packed_bytes(bytes: &[u8]) -> String {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("memory accepts every byte");
    STANDARD.encode(encoder.finish().expect("memory accepts every byte"))
}
