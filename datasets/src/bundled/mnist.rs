//! MNIST, all 70,000 digits.

use std::path::{Path, PathBuf};

use embedding::Error;

use super::{digit_labels, pictures};
use crate::files::idx::Idx;
use crate::{Dataset, Geometry, Info, Request};

pub(crate) const MNIST: Info = Info {
    name: "mnist",
    summary: "70,000 handwritten digits of 28 × 28 pixels, values 0 to 255; the first 60,000 are the training part.",
    shows: "Separation of ten classes, and scaling to large n.",
    failure: None,
    default_n: 2000,
    largest_n: Some(70_000),
    ambient: 784,
    dimension: None,
    geometry: Geometry::Unknown,
    default_scale: None,
    source: "Y. LeCun, C. Cortes and C. J. C. Burges, the MNIST database of handwritten digits, as packed by mnist-dir 0.2",
    license: "CC BY-SA 3.0 (the database); MIT (mnist-dir)",
    make,
};

/// The four files, without the extension `.gz`.
const PARTS: [[&str; 2]; 2] = [
    ["train-images-idx3-ubyte", "train-labels-idx1-ubyte"],
    ["t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"],
];

fn make(info: &Info, request: &Request) -> Result<Dataset, Error> {
    let folder = folder(request);
    let (mut images, mut digits) = (Vec::new(), Vec::new());
    for [image_name, label_name] in PARTS {
        let (image_path, label_path) = (find(&folder, image_name)?, find(&folder, label_name)?);
        let pictures = Idx::open(&image_path, request.memory)?;
        let labels = Idx::open(&label_path, request.memory)?;
        if pictures.shape.len() != 3 || pictures.dim() != info.ambient {
            let problem =
                format!("MNIST images must have 28 × 28 pixels, but these have shape {:?}", pictures.shape);
            return Err(Error::file(image_path.display(), problem));
        }
        if labels.shape != [pictures.rows()] {
            let problem = format!(
                "there must be one label for each of the {} images, but these have shape {:?}",
                pictures.rows(),
                labels.shape
            );
            return Err(Error::file(label_path.display(), problem));
        }
        if let Some((row, value)) = labels
            .values()
            .enumerate()
            .find(|(_, value)| !(0.0..=9.0).contains(value) || value.fract() != 0.0)
        {
            let problem =
                format!("labels must be digits from 0 to 9, but row {row} (counted from 0) is {value}");
            return Err(Error::file(label_path.display(), problem));
        }
        digits.extend(labels.values().map(|value| value as u32));
        images.push(pictures);
    }
    let n = request.n.unwrap_or(info.default_n);
    if n > digits.len() {
        let requirement = format!("at most {}, the number of images in {}", digits.len(), folder.display());
        return Err(Error::parameter("n", requirement, n));
    }
    pictures(info, request, &images, digit_labels(digits), 255.0)
}

/// Returns the requested folder if it has the files, otherwise the crate's own folder.
fn folder(request: &Request) -> PathBuf {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("files").join("mnist");
    let asked = request.directory.clone();
    asked.filter(|folder| find(folder, PARTS[0][0]).is_ok()).unwrap_or_else(beside)
}

fn find(folder: &Path, name: &str) -> Result<PathBuf, Error> {
    [format!("{name}.gz"), name.to_owned(), name.replacen("-idx", ".idx", 1)]
        .into_iter()
        .map(|name| folder.join(name))
        .find(|path| path.is_file())
        .ok_or_else(|| {
            Error::file(
                folder.join(name).display(),
                "MNIST was not found, with or without .gz; it is part of the repository but not of the published crate: copy the four files from datasets/files/mnist in the repository (or any copy of MNIST) and specify their folder",
            )
        })
}
