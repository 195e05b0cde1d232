//! The user's own data: points with the labels of another file, or a folder of pictures.

use std::path::Path;

use embedding::{Error, MemoryLimit};

use super::pictures::PictureFolder;
use super::reading::Reading;
use super::table::Table;
use crate::{Dataset, Labels};

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
