//! Columns whose cells are kept as text, to be written with a map.

use embedding::Error;

use super::cells::{ADVICE, lines, word};
use super::errors::allow;
use super::raw::unnamed;
use super::text_columns::Columns;
use crate::RowNames;

impl Columns<'_> {
    /// The cells of these columns, one per row and column.
    pub(super) fn carried(&self, columns: &[usize]) -> Result<Vec<RowNames>, Error> {
        if columns.is_empty() {
            return Ok(Vec::new());
        }
        let text = self.start.text();
        let cells = (lines(text) * columns.len()) as u64;
        let needed = (cells * word(0)).saturating_add((text.len() * columns.len()) as u64);
        allow(self.start.memory(), self.path, "holding the columns of --with", needed, ADVICE)?;
        let titled = |&column: &usize| {
            let name = self.name(column).filter(|name| !name.is_empty()).map(str::to_owned);
            RowNames { name: name.unwrap_or_else(|| unnamed(column)), values: Vec::new() }
        };
        let mut carried: Vec<RowNames> = columns.iter().map(titled).collect();
        let (mut cells, mut at, mut is_header) = (self.start.again(), 0, self.names.is_some());
        while let Some(cell) = cells.next()? {
            if !is_header {
                let found = carried.iter_mut().zip(columns).filter(|(_, column)| **column == at);
                found.for_each(|(names, _)| names.values.push(cell.text.to_owned()));
            }
            at += 1;
            if cell.ends_row {
                (at, is_header) = (0, false);
            }
        }
        Ok(carried)
    }
}
