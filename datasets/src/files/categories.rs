//! Columns of words that are coordinates: a column per category.

use embedding::{Error, Remedy};

use super::cells::{ADVICE, excerpt};
use super::columns::typed;
use super::csv_file::cell;
use super::errors::{Problem, allow};
use super::reading::{Categories, Reading};
use super::text_columns::Columns;

/// Most categories of a column.
const MOST: usize = 100;

/// A column of words and its categories.
struct Words {
    column: usize,
    levels: Vec<String>,
}

/// The same table with a column of 0 and 1 for each category, behind the others.
pub(super) struct Indicators {
    pub(super) text: String,
    /// The options by which the columns of words are no coordinates.
    pub(super) reading: Reading,
    pub(super) note: String,
}

impl Columns<'_> {
    /// Replaces coordinates that are words, where the options say so; `without` is a column that the file has in
    /// addition to its table.
    pub(super) fn indicators(&self, without: Option<usize>) -> Result<Option<Indicators>, Error> {
        if self.reading.categories == Categories::Refuse {
            return Ok(None);
        }
        let tallies = self.tallies();
        let is_words =
            |column: &&usize| tallies[**column].0 < tallies[**column].1 && !self.is_converted(**column);
        let columns: Vec<usize> = self.kept.iter().filter(is_words).copied().collect();
        if columns.is_empty() {
            return Ok(None);
        }
        let words = match self.reading.categories {
            Categories::Indicators => self.levels(&columns)?,
            Categories::Ignore | Categories::Refuse => Vec::new(),
        };
        let mut reading = Reading { categories: Categories::Refuse, ..self.reading.clone() };
        reading.ignore.extend(columns.iter().copied().chain(without).map(|column| column.to_string()));
        let place = |column: &usize| match self.name(*column) {
            Some(name) => format!("{column} `{}`", excerpt(name)),
            None => column.to_string(),
        };
        let (list, one) = (columns.iter().map(place).collect::<Vec<_>>().join(", "), columns.len() == 1);
        let (what, was) = if one { ("column", "was") } else { ("columns", "were") };
        let count: usize = words.iter().map(|words| words.levels.len()).sum();
        let note = match words.is_empty() {
            true => format!("{what} {list} of words (counted from 0) {was} left out"),
            false => format!(
                "{what} {list} of words (counted from 0) {was} replaced by {count} columns, one per category, which are 1 for its rows and 0 for others"
            ),
        };
        Ok(Some(Indicators { text: self.extended(&words)?, reading, note }))
    }

    /// Whether all cells of a column are true, false or dates that are read as days.
    fn is_converted(&self, column: usize) -> bool {
        let mut cells = self.start.again();
        let (mut at, mut row) = (0, 0);
        while let Ok(Some(found)) = cells.next() {
            let is_name = row == 0 && self.names.is_some();
            if at == column
                && !is_name
                && !self.reading.is_missing(found.text)
                && self.converted(found.text).is_none()
            {
                return false;
            }
            (at, row) = if found.ends_row { (0, row + 1) } else { (at + 1, row) };
        }
        true
    }

    /// The categories of columns in alphabetical order, or the ones of a model's coordinates.
    fn levels(&self, columns: &[usize]) -> Result<Vec<Words>, Error> {
        let known = |column: usize| -> Vec<String> {
            let start = self.name(column).map(|name| format!("{name}="));
            let level = |name: &String| name.strip_prefix(start.as_deref()?).map(str::to_owned);
            self.reading.coordinates.iter().filter_map(level).collect()
        };
        let of_model: Vec<Vec<String>> = columns.iter().map(|column| known(*column)).collect();
        let mut found = of_model.clone();
        let (mut cells, mut at, mut row) = (self.start.again(), 0, 0);
        while let Some(cell) = cells.next()? {
            let is_name = row == 0 && self.names.is_some();
            if let Ok(number) = columns.binary_search(&at)
                && !is_name
                && !self.reading.is_missing(cell.text)
                && let Err(place) = search(&found[number], cell.text, of_model[number].is_empty())
            {
                let name = typed(self.name(at), at);
                let row = row - usize::from(self.names.is_some());
                if !of_model[number].is_empty() {
                    let what = format!(
                        "every category must be one of the model's, but row {row}, column {at} `{name}` (counted from 0) is `{}`; the model has `{}`",
                        excerpt(cell.text),
                        of_model[number].join("`, `")
                    );
                    return Err(Problem::new(what, "leave out such rows", Remedy::Reading).in_file(self.path));
                }
                if found[number].len() == MOST {
                    let what = format!(
                        "a column of categories must have at most {MOST} different words, but column {at} `{name}` (counted from 0) has more"
                    );
                    let advice = format!(
                        "read it as names of rows (--name-column {name}), or leave it out (--ignore {name})"
                    );
                    return Err(Problem::new(what, advice, Remedy::Reading).in_file(self.path));
                }
                found[number].insert(place, cell.text.to_owned());
            }
            (at, row) = if cell.ends_row { (0, row + 1) } else { (at + 1, row) };
        }
        Ok(columns.iter().zip(found).map(|(&column, levels)| Words { column, levels }).collect())
    }

    /// The text with the columns of categories; every row begins on the same line as before.
    fn extended(&self, words: &[Words]) -> Result<String, Error> {
        let (text, delimiter) = (self.start.text(), self.start.delimiter());
        let lines = super::cells::lines(text) as u64;
        let count: usize = words.iter().map(|words| words.levels.len()).sum();
        let needed = (2 * text.len() as u64).saturating_add(lines.saturating_mul(2 * count as u64 + 2));
        allow(self.start.memory(), self.path, "making columns of categories", needed, ADVICE)?;
        let between = char::from(delimiter);
        let mut table = String::with_capacity(text.len());
        let (mut cells, mut line) = (self.start.again(), 1);
        let mut is_name = self.names.is_some();
        loop {
            let starts = cells.line();
            let mut row: Vec<String> = Vec::with_capacity(self.width + count);
            while let Some(found) = cells.next()? {
                let ends = found.ends_row;
                row.push(found.text.to_owned());
                if ends {
                    break;
                }
            }
            if row.is_empty() {
                return Ok(table);
            }
            if is_name && let Some(names) = &self.names {
                row.clone_from(names);
            }
            for Words { column, levels } in words {
                let cell = row.get(*column).cloned().unwrap_or_default();
                row.extend(levels.iter().map(|level| match (is_name, self.reading.is_missing(&cell)) {
                    (true, _) => format!("{cell}={level}"),
                    (false, true) => String::new(),
                    (false, false) => u8::from(*level == cell).to_string(),
                }));
            }
            while line < starts {
                table.push('\n');
                line += 1;
            }
            let cells: Vec<String> =
                row.iter().map(|text| cell(text, Some(delimiter)).replace(['\n', '\r'], " ")).collect();
            table.push_str(&cells.join(&between.to_string()));
            table.push('\n');
            line += 1;
            is_name = false;
        }
    }
}

/// The place of a word among categories: in alphabetical order, or among the ones of a model.
fn search(levels: &[String], word: &str, is_sorted: bool) -> Result<usize, usize> {
    match is_sorted {
        true => levels.binary_search_by(|level| level.as_str().cmp(word)),
        false => levels.iter().position(|level| level == word).ok_or(0),
    }
}
