//! Measurements other than images: blood cells, methane, sea surface.

use embedding::{Error, PointSet};

use crate::files::idx::Idx;
use crate::sample::stratified;
use crate::{Dataset, Geometry, Info, Labels, Request};

pub(crate) const PBMC: Info = Info {
    name: "pbmc",
    summary: "700 blood cells by the scaled expression of 765 genes, of ten types.",
    shows: "Noisy measurements of many variables, with classes of very different sizes.",
    failure: None,
    default_n: 700,
    largest_n: Some(700),
    ambient: 765,
    dimension: None,
    geometry: Geometry::Unknown,
    default_scale: None,
    source: "the reduced set of 68,000 peripheral blood cells (G. X. Y. Zheng et al., 2017, 10x Genomics) in scanpy 1.11.5",
    license: "CC BY 4.0 (10x Genomics); BSD-3-Clause (scanpy)",
    make: pbmc,
};

pub(crate) const METHANE: Info = Info {
    name: "methane",
    summary: "Two sheets of 81 methane configurations each, as power spectra of atomic densities (SOAP, 12 numbers).",
    shows: "Two surfaces that intersect in a curve, where the descriptor does not distinguish them.",
    failure: None,
    default_n: 162,
    largest_n: Some(162),
    ambient: 12,
    dimension: Some(2),
    geometry: Geometry::Unknown,
    default_scale: None,
    source: "the degenerate CH4 manifold (S. N. Pozdnyakov et al., 2020) in scikit-matter 0.4.1",
    license: "BSD-3-Clause",
    make: methane,
};

pub(crate) const SEA_SURFACE: Info = Info {
    name: "sea-surface",
    summary: "The mean temperature of 7,410 cells of the ocean's surface in each of twelve months, in degrees Celsius.",
    shows: "Whether monthly temperatures determine the location: the true coordinates are latitude and longitude.",
    failure: None,
    default_n: 2000,
    largest_n: Some(7410),
    ambient: 12,
    dimension: Some(2),
    geometry: Geometry::Parameters,
    default_scale: None,
    source: "the COADS climatology (NOAA) in Debian's ferret-datasets 7.6.0",
    license: "Ferret license; the data is in the public domain",
    make: sea_surface,
};

const CELLS: [&str; 10] = [
    "CD4+/CD25 T reg",
    "CD4+/CD45RA+/CD25- naive T",
    "CD4+/CD45RO+ memory",
    "CD8+ cytotoxic T",
    "CD8+/CD45RA+ naive cytotoxic",
    "CD14+ monocyte",
    "CD19+ B",
    "CD34+",
    "CD56+ NK",
    "dendritic",
];

fn pbmc(info: &Info, request: &Request) -> Result<Dataset, Error> {
    let cells = Idx::bundled(include_bytes!("../../files/pbmc-labels-idx1-ubyte.gz"));
    let labels = Labels::new("cell", CELLS, cells.values().map(|value| value as u32).collect());
    let rows = stratified(&labels, info.points(request.n)?, request.seed);
    // The source has three decimals; the file stores integers in thousandths.
    let expression = Idx::bundled(include_bytes!("../../files/pbmc-expression-idx2-short.gz"));
    let points = select(&expression, &rows, 1000.0)?;
    Ok(info.dataset(points).with_labels(labels.select(&rows)))
}

fn methane(info: &Info, request: &Request) -> Result<Dataset, Error> {
    let sheets = (0..162).map(|row| row / 81).collect();
    let labels = Labels::new("sheet", ["minus", "plus"], sheets);
    let rows = stratified(&labels, info.points(request.n)?, request.seed);
    let spectra = Idx::bundled(include_bytes!("../../files/methane-descriptors-idx2-double.gz"));
    Ok(info.dataset(select(&spectra, &rows, 1.0)?).with_labels(labels.select(&rows)))
}

/// The true coordinates are (latitude, longitude) in degrees, with longitude east from 20
/// to 380.
fn sea_surface(info: &Info, request: &Request) -> Result<Dataset, Error> {
    let temperatures = Idx::bundled(include_bytes!("../../files/sea-surface-temperatures-idx2-float.gz"));
    let places = Idx::bundled(include_bytes!("../../files/sea-surface-places-idx2-short.gz"));
    let everywhere = Labels::new("ocean", ["sea"], vec![0; temperatures.rows()]);
    let rows = stratified(&everywhere, info.points(request.n)?, request.seed);
    let truth = select(&places, &rows, 1.0)?;
    Ok(info.dataset(select(&temperatures, &rows, 1.0)?).with_truth(truth, &["latitude", "longitude"]))
}

/// Returns the given rows of an array, in units of 1 / `per_unit`.
fn select(array: &Idx, rows: &[u32], per_unit: f64) -> Result<PointSet, Error> {
    let values = rows.iter().flat_map(|&row| array.row(row as usize)).map(|value| value / per_unit);
    PointSet::new(values.collect(), array.dim())
}
