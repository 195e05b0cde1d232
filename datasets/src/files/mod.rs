//! Reading and writing points: `.npy`, `.csv` and `.tsv`, chosen by extension;
//! reading IDX, named as MNIST's files are (`…-ubyte`, `…-idx3-float.gz`) or
//! `.idx`, `.idx.gz`.
//!
//! A reader answers every malformed file with [`Error::File`]:
//! the path, the place and what to try. A header that promises more than the
//! file can hold is refused before anything is allocated. A writer writes to a
//! temporary file beside the target and renames it: whole or not at all.

mod csv_file;
mod header;
pub(crate) mod idx;
mod npy;
mod pictures;
mod whole;

use std::path::Path;

use embedding::{Error, MemoryLimit, PointSet, Points};

use crate::{Dataset, Geometry, ImageShape, Labels};

pub use pictures::{Color, PictureFolder};
pub use whole::write_whole;

/// What a file of points holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The points, one per row.
    pub points: PointSet,
    /// The column names, where the file has a header.
    pub columns: Option<Vec<String>>,
    /// The shape of the pictures, where rows are pictures (a file of three or
    /// four dimensions).
    pub images: Option<ImageShape>,
}

/// The file formats.
enum Format {
    Npy,
    Idx,
    Text { delimiter: Option<u8> },
}

impl Format {
    fn of(path: &Path) -> Result<Self, Error> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let unpacked = name.strip_suffix(".gz").unwrap_or(&name);
        let is_idx = ["-ubyte", "-byte", "-short", "-int", "-float", "-double", ".idx"]
            .iter()
            .any(|end| unpacked.ends_with(end));
        match name.rsplit_once('.').map(|(_, extension)| extension) {
            _ if is_idx => Ok(Self::Idx),
            Some("npy") => Ok(Self::Npy),
            Some("csv") => Ok(Self::Text { delimiter: None }),
            Some("tsv") => Ok(Self::Text { delimiter: Some(b'\t') }),
            _ => Err(Error::file(
                path.display(),
                "the name must end in .npy, .csv or .tsv, or be that of an IDX file (as …-idx3-ubyte, .idx, either with .gz)",
            )),
        }
    }
}

/// Reads points by extension.
///
/// `memory` bounds what the points may take; see [`MemoryLimit`].
pub fn read_points(path: &Path, memory: MemoryLimit) -> Result<Table, Error> {
    match Format::of(path)? {
        Format::Npy => npy::read(path, memory),
        Format::Idx => idx::read(path, memory),
        Format::Text { delimiter } => csv_file::read(path, delimiter, memory),
    }
}

/// Reads one label per row, by extension: whole numbers of a `.npy` or IDX file, or
/// the one column of a text file (numbers or words).
///
/// Classes are the distinct labels: numbers ascending, words in order of
/// first appearance.
pub fn read_labels(path: &Path, memory: MemoryLimit) -> Result<Labels, Error> {
    match Format::of(path)? {
        Format::Npy => numbered(path, read_points(path, memory)?.points.view()),
        Format::Idx => idx::read_labels(path, memory),
        Format::Text { delimiter } => csv_file::read_labels(path, delimiter),
    }
}

/// Reads the user's own data: a file of points, with labels where a second file
/// holds them, or a folder of pictures (see [`PictureFolder`]; it brings its own
/// labels).
///
/// Fails as the readers do, and when there is not one label per row.
pub fn read_dataset(path: &Path, labels: Option<&Path>, pictures: &PictureFolder) -> Result<Dataset, Error> {
    let memory = pictures.memory;
    let mut dataset = if path.is_dir() {
        pictures.read(path)?
    } else {
        let table = read_points(path, memory)?;
        Dataset {
            name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            points: table.points,
            truth: None,
            geometry: Geometry::Unknown,
            labels: Vec::new(),
            images: table.images,
            notes: format!("Points of {}.", path.display()),
        }
    };
    if let Some(path) = labels {
        let labels = read_labels(path, memory)?;
        let (rows, got) = (dataset.points.len(), labels.values.len());
        if got != rows {
            let problem = format!("there must be one label for each of the {rows} rows, but there are {got}");
            return Err(Error::file(path.display(), problem));
        }
        dataset.labels.push(labels);
    }
    Ok(dataset)
}

/// Writes points by extension, as 64-bit floats or as text that reads back to
/// the same bits.
pub fn write_points(path: &Path, points: Points<'_>) -> Result<(), Error> {
    match Format::of(path)? {
        Format::Npy => npy::write_f64(path, points),
        Format::Idx => Err(unwritten(path)),
        Format::Text { delimiter } => csv_file::write(path, delimiter, points.dim(), points.values()),
    }
}

/// Writes whole numbers in rows of `columns` by extension, such as neighbor
/// lists or labels.
pub fn write_indices(path: &Path, columns: usize, values: &[u32]) -> Result<(), Error> {
    if columns == 0 || !values.len().is_multiple_of(columns) {
        return Err(Error::Shape {
            what: "the number of values",
            expected: format!("a multiple of {columns} columns, at least 1"),
            got: values.len().to_string(),
        });
    }
    match Format::of(path)? {
        Format::Npy => npy::write_u32(path, columns, values),
        Format::Idx => Err(unwritten(path)),
        Format::Text { delimiter } => csv_file::write(path, delimiter, columns, values),
    }
}

fn unwritten(path: &Path) -> Error {
    Error::file(path.display(), "IDX is read, not written; choose a name that ends in .npy, .csv or .tsv")
}

/// Labels from numbers: a class for each distinct one, ascending.
fn numbered(path: &Path, points: Points<'_>) -> Result<Labels, Error> {
    if points.dim() != 1 {
        return Err(Error::file(
            path.display(),
            format!("labels must be one column, but there are {}", points.dim()),
        ));
    }
    if let Some(row) = points.values().iter().position(|value| value.fract() != 0.0) {
        let value = points.values()[row];
        return Err(Error::file(
            path.display(),
            format!("labels must be whole numbers or words, but row {row} (counted from 0) is {value}"),
        ));
    }
    let mut distinct = points.values().to_vec();
    distinct.sort_unstable_by(f64::total_cmp);
    distinct.dedup();
    let values =
        points.values().iter().map(|value| distinct.partition_point(|other| other < value) as u32).collect();
    Ok(Labels::new("label", distinct.iter().map(f64::to_string), values))
}

/// The sentence for a value that is no finite number.
fn not_finite(row: usize, column: usize, name: Option<&str>, value: f64) -> String {
    let name = name.map(|name| format!(" `{name}`")).unwrap_or_default();
    format!(
        "every value must be finite, but row {row}, column {column}{name} (counted from 0) is {value}; remove or impute it"
    )
}
