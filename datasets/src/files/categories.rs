//! Columns of words that are coordinates: a column per category.

use std::collections::{BTreeMap, BTreeSet};

use embedding::{Error, Remedy};

use super::cells::{ADVICE, excerpt, line_ends, lines};
use super::columns::typed;
use super::csv_file::cell;
use super::errors::{Problem, allow};
use super::reading::{Categories, Missing, Reading};
use super::text_columns::Columns;

/// Most categories of a column.
const MOST: usize = 100;

/// A column of words and its categories.
struct Words {
    column: usize,
    levels: Vec<String>,
    /// Words that are no categories of the training data of a model.
    unknown: Vec<String>,
}

impl Words {
    /// The position of a word among the categories; their number for another word.
    fn position(&self, word: &str) -> usize {
        self.levels.iter().position(|level| level == word).unwrap_or(self.levels.len())
    }
}

/// How many cells of a column are numbers, are read as numbers, and are words.
#[derive(Clone, Copy, Default)]
struct Counts {
    numbers: usize,
    converted: usize,
    words: usize,
}

/// The same table with a column of 0 and 1 for each category, behind the others, or with the positions of
/// categories instead of words.
pub(super) struct Indicators {
    pub(super) text: String,
    /// The options by which the columns of words are no coordinates.
    pub(super) reading: Reading,
    pub(super) notes: Vec<String>,
    /// The columns of the file that the added ones are made from, in order.
    pub(super) origins: Vec<(usize, Option<String>)>,
    /// The names of categories of the columns that hold their positions.
    pub(super) categories: BTreeMap<usize, Vec<String>>,
    /// The number that stands for the first category.
    pub(super) first: usize,
}

impl Columns<'_> {
    /// Replaces coordinates that are words, where the options say so; `without` is a column that the file has in
    /// addition to its table.
    pub(super) fn indicators(&self, without: Option<usize>) -> Result<Option<Indicators>, Error> {
        if self.reading.categories == Categories::Refuse {
            return Ok(None);
        }
        let columns = self.of_categories()?;
        if columns.is_empty() {
            return Ok(None);
        }
        if self.reading.categories == Categories::Gower {
            return self.positions(&columns).map(Some);
        }
        let words = match self.reading.categories {
            Categories::Indicators | Categories::Gower => self.levels(&columns)?,
            Categories::Ignore | Categories::Refuse => Vec::new(),
        };
        let mut reading = Reading { categories: Categories::Refuse, ..self.reading.clone() };
        reading.ignore.extend(columns.iter().copied().chain(without).map(|column| column.to_string()));
        let (what, list, was) = self.listed(&columns);
        let count: usize = words.iter().map(|words| words.levels.len()).sum();
        let note = match words.is_empty() {
            true => format!("{what} {list} of words (counted from 0) {was} left out"),
            false => format!(
                "{what} {list} of words (counted from 0) {was} replaced by {count} columns, one per category, which are 1 for its rows and 0 for others"
            ),
        };
        let origin = |words: &Words| (words.column, self.name(words.column).map(str::to_owned));
        let origins = words.iter().flat_map(|words| words.levels.iter().map(|_| origin(words))).collect();
        let (text, notes) = (self.extended(&words)?, vec![note]);
        Ok(Some(Indicators { text, reading, notes, origins, categories: BTreeMap::new(), first: 0 }))
    }

    /// The table with the positions of categories instead of words.
    fn positions(&self, columns: &[usize]) -> Result<Indicators, Error> {
        let words = self.levels(columns)?;
        let (what, list, was) = self.listed(columns);
        let count: usize = words.iter().map(|words| words.levels.len()).sum();
        let note = format!(
            "{what} {list} of words (counted from 0) {was} read as {count} categories, which differ or not; all others as numbers"
        );
        let unknown = words.iter().filter_map(|words| self.unknown_note(words));
        let notes = std::iter::once(note).chain(unknown).collect();
        let reading = Reading { categories: Categories::Refuse, ..self.reading.clone() };
        let (text, first) = (self.extended(&words)?, self.reading.above_missing());
        let categories = words.into_iter().map(|words| (words.column, words.levels)).collect();
        Ok(Indicators { text, reading, notes, origins: Vec::new(), categories, first })
    }

    /// A note on words that are no categories of the training data.
    fn unknown_note(&self, words: &Words) -> Option<String> {
        let (first, count) = (words.unknown.first()?, words.unknown.len());
        let (what, _, _) = self.listed(&[words.column]);
        let (name, more) = (typed(self.name(words.column), words.column), count - 1);
        let more = if more > 0 { format!(" and {more} other words") } else { String::new() };
        Some(format!(
            "`{}`{more} in {what} `{name}` are no categories of the model, and differ from all of them",
            excerpt(first)
        ))
    }

    /// The columns in words: the noun, the list and the verb.
    fn listed(&self, columns: &[usize]) -> (&'static str, String, &'static str) {
        let place = |column: &usize| match self.name(*column) {
            Some(name) => format!("{column} `{}`", excerpt(name)),
            None => column.to_string(),
        };
        let list = columns.iter().map(place).collect::<Vec<_>>().join(", ");
        if columns.len() == 1 { ("column", list, "was") } else { ("columns", list, "were") }
    }

    /// The names of the categories of a coordinate in the training data of a model.
    fn of_training(&self, column: usize) -> Option<&[String]> {
        let place = self.kept.iter().position(|kept| *kept == column)?;
        self.reading.known_categories(self.name(column), place)
    }

    /// The coordinates with more words than numbers. Columns of `true` and `false`, and of dates that are read
    /// as days, hold no words.
    fn of_categories(&self) -> Result<Vec<usize>, Error> {
        let mut counts = vec![Counts::default(); self.width];
        let (mut cells, mut at, mut row) = (self.start.again(), 0, 0);
        while let Some(cell) = cells.next()? {
            let is_name = row == 0 && self.names.is_some();
            if let Some(counts) =
                counts.get_mut(at).filter(|_| !is_name && !self.reading.is_missing(cell.text))
            {
                let is_number = self.reading.number(cell.text).is_some();
                let count = match is_number {
                    true => &mut counts.numbers,
                    false if self.converted(cell.text).is_some() => &mut counts.converted,
                    false => &mut counts.words,
                };
                *count += 1;
            }
            (at, row) = if cell.ends_row { (0, row + 1) } else { (at + 1, row) };
        }
        let is_words = |&&column: &&usize| {
            if let Some(names) = self.of_training(column) {
                return !names.is_empty();
            }
            let Counts { numbers, converted, words } = counts[column];
            words > 0 && numbers < words + converted
        };
        let mut found: Vec<usize> = self.kept.iter().filter(is_words).copied().collect();
        if found.is_empty() {
            return Ok(found);
        }
        // Numbers with signs between thousands are no words.
        let formats = self.number_formats()?;
        found.retain(|&column| !formats.get(column).is_some_and(Option::is_some));
        Ok(found)
    }

    /// The categories of columns in alphabetical order, or the ones of a model's coordinates.
    fn levels(&self, columns: &[usize]) -> Result<Vec<Words>, Error> {
        let known = |column: usize| -> Vec<String> {
            let start = self.name(column).map(|name| format!("{name}="));
            let level = |name: &String| name.strip_prefix(start.as_deref()?).map(str::to_owned);
            self.reading.coordinates.iter().filter_map(level).collect()
        };
        let is_gower = self.reading.categories == Categories::Gower;
        let known = |column: &usize| match is_gower {
            true => self.of_training(*column).map(<[String]>::to_vec).unwrap_or_default(),
            false => known(*column),
        };
        let of_model: Vec<Vec<String>> = columns.iter().map(known).collect();
        let mut found = of_model.clone();
        let mut unknown = vec![BTreeSet::new(); columns.len()];
        let mut many = BTreeSet::new();
        let (mut cells, mut at, mut row) = (self.start.again(), 0, 0);
        while let Some(cell) = cells.next()? {
            let is_name = row == 0 && self.names.is_some();
            if let Ok(number) = columns.binary_search(&at)
                && !is_name
                && !self.reading.is_missing(cell.text)
                && let Err(place) = search(&found[number], cell.text, of_model[number].is_empty())
            {
                if is_gower && !of_model[number].is_empty() {
                    unknown[number].insert(cell.text.to_owned());
                    (at, row) = if cell.ends_row { (0, row + 1) } else { (at + 1, row) };
                    continue;
                }
                if !of_model[number].is_empty() {
                    let name = typed(self.name(at), at);
                    let row = row - usize::from(self.names.is_some());
                    let what = format!(
                        "every category must be one of the model's, but row {row}, column {at} `{name}` (counted from 0) is `{}`; the model has `{}`",
                        excerpt(cell.text),
                        of_model[number].join("`, `")
                    );
                    return Err(Problem::new(what, "leave out such rows", Remedy::Reading).in_file(self.path));
                }
                if found[number].len() < MOST {
                    found[number].insert(place, cell.text.to_owned());
                } else {
                    many.insert(at);
                }
            }
            (at, row) = if cell.ends_row { (0, row + 1) } else { (at + 1, row) };
        }
        if !many.is_empty() {
            return Err(self.too_many(&many.into_iter().collect::<Vec<_>>()));
        }
        let words = columns.iter().zip(found).zip(unknown);
        let words = words.map(|((&column, levels), unknown)| Words {
            column,
            levels,
            unknown: unknown.into_iter().collect(),
        });
        Ok(words.collect())
    }

    /// The refusal of columns with too many words.
    fn too_many(&self, columns: &[usize]) -> Error {
        let (what, list, _) = self.listed(columns);
        let have = if columns.len() == 1 { "has" } else { "have" };
        let what = format!(
            "a column of categories must have at most {MOST} different words, but {what} {list} (counted from 0) {have} more"
        );
        let typed = |column: &usize| typed(self.name(*column), *column);
        let (name, all) = (typed(&columns[0]), columns.iter().map(typed).collect::<Vec<_>>().join(","));
        let dates = self.advice_on_dates(columns[0]).map(|advice| format!("{advice} ")).unwrap_or_default();
        let advice = format!(
            "{dates}leave out such columns (--ignore {all}), or read one as names of rows (--name-column {name})"
        );
        Problem::new(what, advice, Remedy::Reading).in_file(self.path)
    }

    /// The text with the columns of categories; every row begins on the same line as before.
    fn extended(&self, words: &[Words]) -> Result<String, Error> {
        let (text, delimiter) = (self.start.text(), self.start.delimiter());
        let lines = lines(text) as u64;
        let is_gower = self.reading.categories == Categories::Gower;
        let count: usize = words.iter().map(|words| words.levels.len()).sum();
        let needed = (2 * text.len() as u64).saturating_add(lines.saturating_mul(2 * count as u64 + 2));
        allow(self.start.memory(), self.path, "making columns of categories", needed, ADVICE)?;
        let between = char::from(delimiter);
        let mut table = String::with_capacity(text.len());
        let (mut cells, mut line, mut is_name) = (self.start.again(), 1, self.names.is_some());
        let (mut found, mut row) = (vec![String::new(); words.len()], 0);
        let is_refused =
            |cell: &str| self.reading.missing == Missing::Refuse && self.reading.is_missing(cell);
        loop {
            // Lines before a row that are empty.
            let starts = cells.line();
            while line < starts {
                table.push('\n');
                line += 1;
            }
            let (start, mut column) = (table.len(), 0);
            // A first column without a name has no cell in the header.
            if is_name && let Some(names) = &self.names {
                let names: Vec<String> = names.iter().map(|name| cell(name, Some(delimiter))).collect();
                table.push_str(&names.join(&between.to_string()));
            }
            while let Some(next) = cells.next()? {
                if !is_name {
                    if column > 0 {
                        table.push(between);
                    }
                    match words.iter().find(|words| is_gower && words.column == column) {
                        Some(words) if !self.reading.is_missing(next.text) => {
                            let position = self.reading.above_missing() + words.position(next.text);
                            table.push_str(&position.to_string());
                        }
                        _ => table.push_str(&cell(next.text, Some(delimiter))),
                    }
                }
                if let Some(number) = words.iter().position(|words| words.column == column) {
                    if !is_name && is_refused(next.text) {
                        let problem = self.no_word(next.text, row, column, starts);
                        return Err(problem.in_file(self.path));
                    }
                    next.text.clone_into(&mut found[number]);
                }
                column += 1;
                if next.ends_row {
                    break;
                }
            }
            if column == 0 {
                return Ok(table);
            }
            for (Words { column, levels, .. }, found) in words.iter().zip(&found).filter(|_| !is_gower) {
                let is_missing = self.reading.is_missing(found);
                for level in levels {
                    table.push(between);
                    match is_name {
                        true => {
                            let name = self.name(*column).unwrap_or_default();
                            table.push_str(&cell(&format!("{name}={level}"), Some(delimiter)));
                        }
                        false if is_missing => {}
                        false => table.push(if level == found { '1' } else { '0' }),
                    }
                }
            }
            line += 1 + line_ends(&table.as_bytes()[start..]);
            table.push('\n');
            row += usize::from(!is_name);
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
