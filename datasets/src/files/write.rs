//! Writing points, whole numbers and labels in the format that a name requests.

use std::path::Path;

use embedding::{Error, Points};

use super::atomic_write::WholeFiles;
use super::format::{Format, unwritten};
use super::{csv_file, npy};
use crate::Labels;

/// Fails unless points and whole numbers can be written under a name, by its extension; nothing
/// is written.
pub fn check_output(path: &Path) -> Result<(), Error> {
    match Format::of_output(path)? {
        Format::Npy | Format::Text { .. } => Ok(()),
        _ => Err(unwritten(path)),
    }
}

/// Writes points by extension, as 64-bit floats or as text that reads back to
/// the same bits.
pub fn write_points(path: &Path, points: Points<'_>) -> Result<(), Error> {
    let mut files = WholeFiles::default();
    files.write_points(path, points)?;
    files.complete()
}

/// Writes whole numbers in rows of `columns` by extension, such as neighbor
/// lists or labels.
pub fn write_indices(path: &Path, columns: usize, values: &[u32]) -> Result<(), Error> {
    let mut files = WholeFiles::default();
    files.write_indices(path, columns, values)?;
    files.complete()
}

impl WholeFiles {
    /// The points of [`write_points`], as one file of the set.
    pub fn write_points(&mut self, path: &Path, points: Points<'_>) -> Result<(), Error> {
        match Format::of_output(path)? {
            Format::Npy => npy::write_f64(self, path, points),
            Format::Text { delimiter } => {
                csv_file::write(self, path, delimiter, points.dim(), points.values(), |&value| {
                    csv_file::Double(value)
                })
            }
            _ => Err(unwritten(path)),
        }
    }

    /// The numbers of [`write_indices`], as one file of the set.
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
            Format::Text { delimiter } => {
                csv_file::write(self, path, delimiter, columns, values, |value| *value)
            }
            _ => Err(unwritten(path)),
        }
    }

    /// A label per row, as one file of the set: the names of classes as text, their numbers as an array.
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
