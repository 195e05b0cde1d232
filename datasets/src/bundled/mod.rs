//! Real data, embedded in the crate or (MNIST) in files next to it.

mod digits;
mod fashion;
mod mnist;
mod reviews;
mod tables;

use embedding::{Error, PointSet};

use crate::files::idx::Idx;
use crate::sample::stratified;
use crate::{Dataset, ImageShape, Info, Labels, Request};

/// All bundled sets.
pub(crate) const LIST: [&Info; 7] = [
    &digits::DIGITS,
    &mnist::MNIST,
    &fashion::FASHION,
    &reviews::REVIEWS,
    &tables::PBMC,
    &tables::METHANE,
    &tables::SEA_SURFACE,
];

pub use reviews::{Reviews, reviews};

/// Returns images with one label each, stratified if a subset is requested.
fn pictures(
    info: &Info,
    request: &Request,
    images: &[Idx],
    labels: Labels,
    white: f64,
) -> Result<Dataset, Error> {
    let [height, width] = [images[0].shape[1], images[0].shape[2]];
    let n = request.n.unwrap_or(info.default_n);
    let rows = stratified(&labels, n, request.seed);
    let mut values = Vec::with_capacity(rows.len() * height * width);
    for &row in &rows {
        let mut row = row as usize;
        let part = images
            .iter()
            .find(|part| {
                let here = row < part.rows();
                if !here {
                    row -= part.rows();
                }
                here
            })
            .expect("there is one label per image");
        values.extend(part.row(row));
    }
    let points = PointSet::new(values, height * width)?;
    Ok(info.dataset(points).with_labels(labels.select(&rows)).with_images(ImageShape {
        height,
        width,
        channels: 1,
        white,
    }))
}

/// Returns the labels 0 to 9 of digits.
fn digit_labels(values: Vec<u32>) -> Labels {
    Labels::new("digit", (0..10).map(|digit| digit.to_string()), values)
}
