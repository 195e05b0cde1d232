//! The columns of a text file.

use std::path::Path;

use super::cells::TextCells;
use super::reading::Reading;
use super::thousands::NumberFormat;

/// The columns of a file with the options that concern their cells.
pub(super) struct Columns<'a> {
    pub(super) names: Option<Vec<String>>,
    /// The coordinates, ascending.
    pub(super) kept: Vec<usize>,
    pub(super) label: Option<usize>,
    pub(super) colors: Vec<usize>,
    /// The column of the names of rows.
    pub(super) name: Option<usize>,
    pub(super) width: usize,
    pub(super) path: &'a Path,
    pub(super) reading: &'a Reading,
    /// The format of the numbers of each column, where one column is not plain.
    pub(super) formats: Vec<Option<NumberFormat>>,
    /// All cells, from the first row.
    pub(super) start: TextCells<'a>,
}

impl Columns<'_> {
    /// The name of a column, where the file has a header.
    pub(super) fn name(&self, column: usize) -> Option<&str> {
        self.names.as_ref().map(|names| names[column].as_str())
    }
}
