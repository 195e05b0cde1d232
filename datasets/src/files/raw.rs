//! The numbers of a file, before they are checked.

use super::columns::choose;
use super::not_finite;
use super::reading::Reading;
use crate::{ImageShape, Quantity, RowNames};

/// The numbers of a file before they are checked.
pub(super) struct Raw {
    pub(super) values: Vec<f64>,
    pub(super) width: usize,
    /// For each column its number in the file.
    pub(super) sources: Vec<usize>,
    pub(super) names: Option<Vec<String>>,
    /// The name and the cells of the label column.
    pub(super) labels: Option<(String, Vec<String>)>,
    pub(super) quantities: Vec<Quantity>,
    pub(super) row_names: Option<RowNames>,
    pub(super) images: Option<ImageShape>,
    pub(super) notes: Vec<String>,
    pub(super) warnings: Vec<String>,
}

impl Raw {
    /// Numbers without names, labels and pictures.
    pub(super) fn new(values: Vec<f64>, width: usize) -> Self {
        let sources = (0..width).collect();
        Self {
            values,
            width,
            sources,
            names: None,
            labels: None,
            quantities: Vec::new(),
            row_names: None,
            images: None,
            notes: Vec::new(),
            warnings: Vec::new(),
        }
    }

    pub(super) fn rows(&self) -> usize {
        self.values.len() / self.width
    }

    /// Leaves out the columns that are no coordinates.
    pub(super) fn choose(&mut self, reading: &Reading) -> Result<(), String> {
        if !reading.names_columns() {
            return Ok(());
        }
        let chosen = choose(None, self.width, None, reading)?;
        let words = |column: usize| {
            let cell =
                |row: &[f64]| if row[column].is_nan() { String::new() } else { row[column].to_string() };
            self.values.chunks_exact(self.width).map(cell).collect()
        };
        self.labels = chosen.label.map(|column| (LABEL.to_owned(), words(column)));
        self.row_names = chosen.name.map(|column| RowNames { name: NAME.to_owned(), values: words(column) });
        let numbers = |&column: &usize| {
            let missing = reading.missing_in_arrays();
            let cell =
                |row: &[f64]| Some(row[column]).filter(|value| !value.is_nan() && !missing.contains(value));
            let values: Vec<Option<f64>> = self.values.chunks_exact(self.width).map(cell).collect();
            match values.iter().position(|value| value.is_some_and(f64::is_infinite)) {
                Some(row) => Err(not_finite(row, column, None, self.values[row * self.width + column])),
                None => Ok(Quantity { name: unnamed(column), values }),
            }
        };
        self.quantities = chosen.colors.iter().map(numbers).collect::<Result<_, _>>()?;
        let coordinates =
            |row: &[f64]| -> Vec<f64> { chosen.kept.iter().map(|&column| row[column]).collect() };
        self.values = self.values.chunks_exact(self.width).flat_map(coordinates).collect();
        (self.width, self.sources, self.images) = (chosen.kept.len(), chosen.kept, None);
        Ok(())
    }
}

/// The name of labels without one.
pub(super) const LABEL: &str = "label";

/// What names are called that have no name themselves.
pub(super) const NAME: &str = "name";

/// The name of a quantity whose column has none.
pub(super) fn unnamed(column: usize) -> String {
    format!("column {column}")
}
