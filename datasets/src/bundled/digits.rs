//! The UCI handwritten digits of 8 × 8 pixels.

use super::{digit_labels, pictures};
use crate::files::idx::Idx;
use crate::{Geometry, Info};

pub(crate) const DIGITS: Info = Info {
    name: "digits",
    summary: "1,797 handwritten digits of 8 × 8 pixels, values 0 to 16.",
    shows: "Separation of ten classes, in a set small enough for every method.",
    failure: None,
    default_n: 1797,
    largest_n: Some(1797),
    ambient: 64,
    dimension: None,
    geometry: Geometry::Unknown,
    default_scale: None,
    source: "scikit-learn 1.9.1, from the UCI set Optical Recognition of Handwritten Digits (test part), E. Alpaydin and C. Kaynak",
    license: "CC BY 4.0 (UCI); BSD-3-Clause (scikit-learn)",
    make: |info, request| {
        let images = Idx::bundled(include_bytes!("../../files/digits-images-idx3-ubyte.gz"));
        let labels = Idx::bundled(include_bytes!("../../files/digits-labels-idx1-ubyte.gz"));
        let labels = digit_labels(labels.values().map(|value| value as u32).collect());
        pictures(info, request, &[images], labels, 16.0)
    },
};
