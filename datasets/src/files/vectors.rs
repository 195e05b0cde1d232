//! Columns of vectors, as `[0.1, 0.2]`: a column per number.

use embedding::Error;

use super::cells::{ADVICE, excerpt, line_ends, lines};
use super::csv_file::{Double, cell};
use super::errors::allow;
use super::reading::Reading;
use super::text_columns::Columns;

/// A column of vectors with this many numbers each.
struct Vectors {
    column: usize,
    length: usize,
}

/// The same table with a column per number behind the others.
pub(super) struct Expanded {
    pub(super) text: String,
    /// The options by which the columns of vectors are no coordinates.
    pub(super) reading: Reading,
    pub(super) note: String,
}

/// The numbers of a vector: in brackets, with commas, semicolons or spaces between them. Commas are decimal
/// signs where semicolons or spaces separate, too, and the options say so.
pub(super) fn numbers(cell: &str, decimal_comma: bool) -> Option<Vec<f64>> {
    let inner = [('[', ']'), ('(', ')')]
        .iter()
        .find_map(|&(start, end)| cell.strip_prefix(start)?.strip_suffix(end))?
        .trim();
    let inside = |part: &str| part.trim().contains(char::is_whitespace);
    let decimal = decimal_comma && (inner.contains(';') || inside(inner) && !inner.contains(", "));
    let between: &[char] = if decimal { &[';'] } else { &[',', ';'] };
    let parts: Vec<&str> = match inner.contains(between) {
        true => inner.trim_end_matches(between).split(between).collect(),
        false => inner.split_whitespace().collect(),
    };
    let number = |part: &str| match decimal {
        true => part.trim().replacen(',', ".", 1).parse().ok(),
        false => part.trim().parse().ok(),
    };
    parts.into_iter().map(number).collect::<Option<Vec<f64>>>().filter(|v| !v.is_empty())
}

impl Columns<'_> {
    /// Replaces coordinates whose cells are all vectors of one length or missing; `without` is a column that the
    /// file has in addition to its table.
    pub(super) fn vectors(&self, without: Option<usize>) -> Result<Option<Expanded>, Error> {
        let found = self.of_vectors()?;
        if found.is_empty() {
            return Ok(None);
        }
        let mut reading = self.reading.clone();
        // By a name where one column has it, since a number may be the name of another one.
        let typed = |column: usize| {
            let names = self.names.as_deref().unwrap_or_default();
            let only =
                |name: &&String| !name.is_empty() && names.iter().filter(|other| other == name).count() == 1;
            names.get(column).filter(only).cloned().unwrap_or_else(|| column.to_string())
        };
        reading.ignore.extend(found.iter().map(|of| of.column).chain(without).map(typed));
        let sentence = |Vectors { column, length }: &Vectors| match self.name(*column) {
            Some(name) => {
                let name = excerpt(name);
                let last = length - 1;
                format!(
                    "column {column} `{name}` of vectors was replaced by {length} columns, `{name}.0` to `{name}.{last}`"
                )
            }
            None => format!("column {column} of vectors was replaced by {length} columns"),
        };
        let note = found.iter().map(sentence).collect::<Vec<_>>().join("; ") + " (columns count from 0)";
        Ok(Some(Expanded { text: self.expanded(&found)?, reading, note }))
    }

    fn of_vectors(&self) -> Result<Vec<Vectors>, Error> {
        // The length of the vectors so far; none where a cell is no such vector.
        let mut lengths: Vec<Option<usize>> = vec![Some(0); self.width];
        let (mut cells, mut at, mut is_header) = (self.start.again(), 0, self.names.is_some());
        while let Some(cell) = cells.next()? {
            if let Some(length) = lengths.get_mut(at).filter(|length| !is_header && length.is_some())
                && !self.reading.is_missing(cell.text)
            {
                let count = numbers(cell.text, self.reading.decimal_comma).map(|numbers| numbers.len());
                *length = count.filter(|count| [Some(0), Some(*count)].contains(length));
            }
            at += 1;
            if cell.ends_row {
                (at, is_header) = (0, false);
            }
        }
        let of = |&column: &usize| {
            let length = lengths[column].filter(|length| *length > 0)?;
            Some(Vectors { column, length })
        };
        Ok(self.kept.iter().filter_map(of).collect())
    }

    /// The text with a column per number; every row begins on the same line as before.
    fn expanded(&self, vectors: &[Vectors]) -> Result<String, Error> {
        let (text, delimiter) = (self.start.text(), self.start.delimiter());
        let count: usize = vectors.iter().map(|of| of.length).sum();
        // Numbers have at most 25 characters.
        let needed =
            (text.len() as u64).saturating_add((lines(text) as u64).saturating_mul(26 * count as u64));
        allow(self.start.memory(), self.path, "making columns of vectors", needed, ADVICE)?;
        let between = char::from(delimiter).to_string();
        let decimal = |value: f64| {
            let text = Double(value).to_string();
            if self.reading.decimal_comma { text.replace('.', ",") } else { text }
        };
        let mut table = String::with_capacity(text.len());
        let (mut cells, mut line, mut is_header) = (self.start.again(), 1, self.names.is_some());
        loop {
            // Lines before a row that are empty.
            let starts = cells.line();
            while line < starts {
                table.push('\n');
                line += 1;
            }
            let (start, mut column) = (table.len(), 0);
            let (mut row, mut behind): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
            while let Some(next) = cells.next()? {
                if !is_header {
                    row.push(cell(next.text, Some(delimiter)));
                    if let Some(of) = vectors.iter().find(|of| of.column == column) {
                        let found = numbers(next.text, self.reading.decimal_comma).unwrap_or_default();
                        let shown =
                            |at: usize| found.get(at).map(|value| decimal(*value)).unwrap_or_default();
                        behind.extend((0..of.length).map(shown));
                    }
                }
                column += 1;
                if next.ends_row {
                    break;
                }
            }
            if column == 0 {
                return Ok(table);
            }
            // A first column without a name has no cell in the header.
            if let Some(names) = self.names.as_ref().filter(|_| is_header) {
                row.extend(names.iter().map(|name| cell(name, Some(delimiter))));
                for Vectors { column, length } in vectors {
                    let name = |at: usize| cell(&format!("{}.{at}", names[*column]), Some(delimiter));
                    behind.extend((0..*length).map(name));
                }
            }
            row.append(&mut behind);
            table.push_str(&row.join(&between));
            line += 1 + line_ends(&table.as_bytes()[start..]);
            table.push('\n');
            is_header = false;
        }
    }
}
