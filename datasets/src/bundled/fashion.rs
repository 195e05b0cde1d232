//! Fashion-MNIST.

use super::pictures;
use crate::files::idx::Idx;
use crate::{Geometry, Info, Labels};

pub(crate) const FASHION: Info = Info {
    name: "fashion",
    summary: "2,000 articles of clothing of 28 × 28 pixels, values 0 to 255, 200 of each of ten kinds.",
    shows: "Overlapping classes of similar appearance: shirts and coats, shoes and boots.",
    failure: None,
    default_n: 2000,
    largest_n: Some(2000),
    ambient: 784,
    dimension: None,
    geometry: Geometry::Unknown,
    default_scale: None,
    source: "Fashion-MNIST by Zalando SE (H. Xiao, K. Rasul, R. Vollgraf, 2017), from the test part in Debian's dataset-fashion-mnist 0.0~git20200523",
    license: "MIT",
    make: |info, request| {
        let images = Idx::bundled(include_bytes!("../../files/fashion-images-idx3-ubyte.gz"));
        let labels = Idx::bundled(include_bytes!("../../files/fashion-labels-idx1-ubyte.gz"));
        let labels = Labels::new("kind", KINDS, labels.values().map(|value| value as u32).collect());
        pictures(info, request, &[images], labels, 255.0)
    },
};

const KINDS: [&str; 10] = [
    "T-shirt/top",
    "trouser",
    "pullover",
    "dress",
    "coat",
    "sandal",
    "shirt",
    "sneaker",
    "bag",
    "ankle boot",
];
