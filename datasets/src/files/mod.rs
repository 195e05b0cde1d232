//! Reading and writing points: `.npy`, `.csv` and `.tsv` (also packed, `.csv.gz`), chosen by
//! extension; reading `.npz`, `.mtx`, folders of pictures, and IDX, named as MNIST's files are
//! (`…-ubyte`, `…-idx3-float.gz`) or `.idx`, `.idx.gz`.
//! [`read_sparse`] reads matrices without their zeros, [`read_graph`] neighbor graphs.
//!
//! [`Reading`] holds the options: encoding, header, decimal commas, columns to ignore, of labels, of
//! quantities and of names, missing values, standardization.
//!
//! A reader answers every malformed file with [`Error::File`]:
//! the path, the place and what to try. A header that promises more than the
//! file can hold is refused before anything is allocated. A writer writes to a
//! temporary file beside the target and renames it: atomically.

mod atomic_write;
mod cell_errors;
mod cells;
mod columns;
mod csv_file;
mod dialect;
mod encoding;
mod graph;
mod header;
pub(crate) mod idx;
mod label_file;
mod missing;
mod mtx;
mod npy;
mod npz;
mod number_format;
mod packed;
mod pictures;
mod raw;
mod reading;
mod rows;
mod scaling;
mod sparse;
mod unsupported_formats;

use std::path::Path;

use embedding::{Error, MemoryLimit, Points};

use crate::{Dataset, Labels, RowNames};

pub use atomic_write::{WholeFiles, replace, write_whole};
pub use encoding::Encoding;
pub use graph::{GraphFile, read_graph};
pub use pictures::{Color, PictureFolder};
pub use reading::{HeaderRow, Missing, Reading, Table};
pub use scaling::Scaling;
pub use sparse::{SparseTable, read_sparse};

/// The file formats.
enum Format {
    Npy,
    Npz,
    Idx,
    Mtx,
    Text { delimiter: Option<u8> },
}

impl Format {
    fn of(path: &Path) -> Result<Self, Error> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let unpacked = name.strip_suffix(".gz").unwrap_or(&name);
        let is_idx = ["-ubyte", "-byte", "-short", "-int", "-float", "-double", ".idx"]
            .iter()
            .any(|end| unpacked.ends_with(end));
        let extension = unpacked.rsplit_once('.').map(|(_, extension)| extension);
        match extension {
            _ if is_idx => Ok(Self::Idx),
            Some("csv") => Ok(Self::Text { delimiter: None }),
            Some("tsv") => Ok(Self::Text { delimiter: Some(b'\t') }),
            Some("mtx") => Ok(Self::Mtx),
            Some("npy") if unpacked == name => Ok(Self::Npy),
            Some("npz") if unpacked == name => Ok(Self::Npz),
            _ => Err(Error::file(
                path.display(),
                extension.and_then(unsupported_formats::of_extension).unwrap_or("the name must end in .csv, .tsv (either with .gz), .npy, .npz or .mtx, or be that of an IDX file (as …-idx3-ubyte, .idx, either with .gz) or of a folder of PNG or JPEG pictures"),
            )),
        }
    }

    /// The format of a file that is written.
    fn of_output(path: &Path) -> Result<Self, Error> {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        if unsupported_formats::of_extension(&extension).is_some() {
            return Err(unwritten(path));
        }
        Self::of(path)
    }

    /// The format of bytes without a name: binary formats by their first bytes,
    /// everything else is text. Fails where they are those of a format that is not read.
    fn of_bytes(bytes: &[u8], path: &Path) -> Result<Self, Error> {
        if let Some(problem) = unsupported_formats::of_bytes(bytes) {
            return Err(Error::file(path.display(), problem));
        }
        Ok(match bytes {
            [0x93, b'N', b'U', b'M', b'P', b'Y', ..] => Self::Npy,
            [b'P', b'K', 3 | 5, 4 | 6, ..] => Self::Npz,
            [0, 0, 0x08..=0x0e, 1..=8, ..] => Self::Idx,
            _ if bytes.starts_with(mtx::BANNER) => Self::Mtx,
            _ => Self::Text { delimiter: None },
        })
    }
}

/// Reads points by extension, or the pictures of a folder; [`Reading`] has
/// options.
///
/// `memory` bounds what the points may take; see [`MemoryLimit`].
pub fn read_points(path: &Path, memory: MemoryLimit) -> Result<Table, Error> {
    Reading { memory, ..Reading::default() }.read(path)
}

/// Reads one label per row, by extension: whole numbers of a `.npy`, `.npz` or IDX
/// file, or the one column of a text file (numbers or words).
///
/// Classes are the distinct labels: numbers ascending, words in order of
/// first appearance. A missing label is refused.
pub fn read_labels(path: &Path, memory: MemoryLimit) -> Result<Labels, Error> {
    Reading { memory, ..Reading::default() }.all_labels(path)
}

/// Reads the user's own data: a file of points, with labels where a second file
/// holds them, or a folder of pictures (see [`PictureFolder`]; it brings its own
/// labels).
///
/// Fails as the readers do, and when there is not one label per row.
pub fn read_dataset(path: &Path, labels: Option<&Path>, pictures: &PictureFolder) -> Result<Dataset, Error> {
    let PictureFolder { size, color, memory } = *pictures;
    Reading { size, color, memory, ..Reading::default() }.dataset(path, labels)
}

impl Reading {
    /// Reads the user's own data: the points, with labels where a second file holds them; see
    /// [`read_dataset`]. Its notes hold what was done beyond plain reading, and what looks like a
    /// mistake.
    pub fn dataset(&self, path: &Path, labels: Option<&Path>) -> Result<Dataset, Error> {
        let table = self.labeled(path, labels)?;
        let sentences = table.notes.iter().chain(&table.warnings);
        let sentences: String = sentences.map(|sentence| format!(" {sentence}.")).collect();
        let data = table.into_dataset_of(path);
        Ok(Dataset { notes: data.notes.clone() + &sentences, ..data })
    }

    /// Reads points, with labels where a second file holds them.
    pub fn labeled(&self, path: &Path, labels: Option<&Path>) -> Result<Table, Error> {
        let mut table = self.read(path)?;
        if let Some(path) = labels {
            self.label(&mut table, path)?;
        }
        if let (Some(labels), Some(unknown)) = (&mut table.labels, &self.unknown_label) {
            labels.mark_unknown(unknown);
        }
        Ok(table)
    }
}

impl Table {
    /// The data set of a file or folder.
    pub fn into_dataset_of(self, path: &Path) -> Dataset {
        let name = if path.is_dir() { path.file_name() } else { path.file_stem() };
        let what = if path.is_dir() { "Pictures" } else { "Points" };
        let name = name.unwrap_or(path.as_os_str()).to_string_lossy();
        self.into_dataset(name, format!("{what} of {}.", path.display()))
    }
}

/// Fails unless points and whole numbers can be written under a name, by its extension; nothing
/// is written.
pub fn check_output(path: &Path) -> Result<(), Error> {
    match Format::of_output(path)? {
        Format::Npy | Format::Text { .. } => Ok(()),
        Format::Idx | Format::Npz | Format::Mtx => Err(unwritten(path)),
    }
}

/// Writes points by extension, as 64-bit floats or as text that reads back to
/// the same bits.
pub fn write_points(path: &Path, points: Points<'_>) -> Result<(), Error> {
    let mut files = WholeFiles::default();
    files.write_points(path, points)?;
    files.complete()
}

impl WholeFiles {
    /// The points of [`write_points`], as one of these files.
    pub fn write_points(&mut self, path: &Path, points: Points<'_>) -> Result<(), Error> {
        match Format::of_output(path)? {
            Format::Npy => npy::write_f64(self, path, points),
            Format::Idx | Format::Npz | Format::Mtx => Err(unwritten(path)),
            Format::Text { delimiter } => {
                csv_file::write(self, path, delimiter, points.dim(), points.values(), |&value| {
                    csv_file::Double(value)
                })
            }
        }
    }

    /// Coordinates of rows that have names, as one of these files: as text with a header, the
    /// name before the coordinates, which are called x1, x2 and so on; an array has no names.
    ///
    /// Fails unless there is one name per row.
    pub fn write_named_points(
        &mut self,
        path: &Path,
        points: Points<'_>,
        names: &RowNames,
    ) -> Result<(), Error> {
        if names.values.len() != points.len() {
            return Err(Error::Shape {
                what: "the number of names",
                expected: format!("{}, one per row", points.len()),
                got: names.values.len().to_string(),
            });
        }
        match Format::of_output(path)? {
            Format::Text { delimiter } => csv_file::write_named(self, path, delimiter, points, names),
            _ => self.write_points(path, points),
        }
    }

    /// The numbers of [`write_indices`], as one of these files.
    pub fn write_indices(&mut self, path: &Path, columns: usize, values: &[u32]) -> Result<(), Error> {
        if columns == 0 || !values.len().is_multiple_of(columns) {
            return Err(Error::Shape {
                what: "the number of values",
                expected: format!("a multiple of {columns} columns, at least 1"),
                got: values.len().to_string(),
            });
        }
        match Format::of_output(path)? {
            Format::Npy => npy::write_u32(self, path, columns, values),
            Format::Idx | Format::Npz | Format::Mtx => Err(unwritten(path)),
            Format::Text { delimiter } => {
                csv_file::write(self, path, delimiter, columns, values, |value| *value)
            }
        }
    }

    /// A label per row, as one of these files: the names of classes as text, their numbers as an
    /// array.
    pub fn write_labels(&mut self, path: &Path, labels: &Labels) -> Result<(), Error> {
        match Format::of_output(path)? {
            Format::Text { delimiter } => {
                let names: Vec<String> =
                    labels.classes.iter().map(|name| csv_file::cell(name, delimiter)).collect();
                let cells: Vec<&str> =
                    labels.values.iter().map(|&value| names[value as usize].as_str()).collect();
                csv_file::write(self, path, delimiter, 1, &cells, |cell| *cell)
            }
            _ => self.write_indices(path, 1, &labels.values),
        }
    }
}

/// Writes whole numbers in rows of `columns` by extension, such as neighbor
/// lists or labels.
pub fn write_indices(path: &Path, columns: usize, values: &[u32]) -> Result<(), Error> {
    let mut files = WholeFiles::default();
    files.write_indices(path, columns, values)?;
    files.complete()
}

/// Fails where `stage` of a file exceeds the limit.
fn allow(
    memory: MemoryLimit,
    path: &Path,
    stage: &'static str,
    needed: u64,
    advice: &'static str,
) -> Result<(), Error> {
    memory.allow(stage, needed, advice).map_err(|error| named(error, path))
}

/// The error with the file that it is about.
fn named(error: Error, path: &Path) -> Error {
    match error {
        Error::Memory { stage, needed, allowed, advice } => {
            Error::Memory { stage: format!("{}: {stage}", path.display()).into(), needed, allowed, advice }
        }
        Error::File { .. } => error,
        other => Error::file(path.display(), other),
    }
}

fn unwritten(path: &Path) -> Error {
    Error::file(
        path.display(),
        "this format is not written; choose a name that ends in .npy, .csv, .tsv, .csv.gz or .tsv.gz",
    )
}

/// Labels from numbers: a class for each distinct one, ascending.
fn numbered(path: &Path, points: Points<'_>) -> Result<Labels, Error> {
    if points.dim() != 1 {
        return Err(Error::file(
            path.display(),
            format!("labels must be one column, but there are {}", points.dim()),
        ));
    }
    numbers("label", points.values()).map_err(|problem| Error::file(path.display(), problem))
}

/// A class for each distinct number, ascending.
fn numbers(name: &str, values: &[f64]) -> Result<Labels, String> {
    if let Some(row) = values.iter().position(|value| value.fract() != 0.0) {
        let value = values[row];
        return Err(format!(
            "labels must be whole numbers or words, but row {row} (counted from 0) is {value}"
        ));
    }
    let mut distinct = values.to_vec();
    distinct.sort_unstable_by(f64::total_cmp);
    distinct.dedup();
    let values = values.iter().map(|value| distinct.partition_point(|other| other < value) as u32).collect();
    Ok(Labels::new(name, distinct.iter().map(f64::to_string), values))
}

/// Classes of words: numbers ascending, where all are, else words in order of
/// first appearance.
fn worded(name: &str, words: Vec<String>) -> Result<Labels, String> {
    let parsed: Option<Vec<f64>> =
        words.iter().map(|word| word.parse().ok().filter(|value: &f64| value.is_finite())).collect();
    if let Some(values) = parsed {
        return numbers(name, &values);
    }
    let mut classes: Vec<String> = Vec::new();
    let mut known = std::collections::HashMap::new();
    let values = words
        .into_iter()
        .map(|word| {
            *known.entry(word).or_insert_with_key(|word| {
                classes.push(word.clone());
                classes.len() as u32 - 1
            })
        })
        .collect();
    Ok(Labels::new(name, classes, values))
}

/// The sentence for a value that is no finite number.
fn not_finite(row: usize, column: usize, name: Option<&str>, value: f64) -> String {
    let name = name.map(|name| format!(" `{name}`")).unwrap_or_default();
    let hint = if value.is_infinite() { "remove or replace it" } else { missing::HINT };
    let must = if value.is_finite() { "there" } else { "finite" };
    format!(
        "every value must be {must}, but row {row}, column {column}{name} (counted from 0) is {value}; {hint}"
    )
}
