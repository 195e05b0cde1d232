//! The lines of a text file that are no rows of its table: titles, comments, further rows of a header. The
//! lines that remain keep their numbers.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use embedding::Error;

use super::cells::{ADVICE, delimiter_of, has_decimal_comma};
use super::dialect::separator_line;
use super::ends::{self, Ends};
use super::errors::allow;
use super::reading::{HeaderRow, Missing, Reading};

/// A text that is a table, and how to read it.
pub(super) struct Layout<'a> {
    /// The text with an empty line for each one that is no row of the table.
    pub(super) text: Cow<'a, str>,
    pub(super) delimiter: u8,
    /// What was left out.
    pub(super) notes: Vec<String>,
    /// The uses of the columns, where a file of Orange states them.
    pub(super) roles: Option<Roles>,
}

/// The uses of columns in a file of Orange, by their names.
#[derive(Default)]
pub(super) struct Roles {
    pub(super) class: Option<String>,
    /// Columns that are no features.
    pub(super) others: Vec<String>,
}

impl<'a> Layout<'a> {
    /// The layout of a text whose cells have `delimiter` between them, or the one that its first row shows.
    pub(super) fn of(
        text: &'a str,
        path: &Path,
        delimiter: Option<u8>,
        reading: &Reading,
    ) -> Result<Self, Error> {
        let fail = |problem: String| Error::file(path.display(), problem);
        let (mut changes, mut notes) = (BTreeMap::new(), Vec::new());
        let mut lines = Lines(text).enumerate().peekable();
        for (number, _) in lines.by_ref().take(reading.skip_rows) {
            changes.insert(number, "");
        }
        if changes.len() < reading.skip_rows {
            let (skipped, has) = (reading.skip_rows, changes.len());
            return Err(fail(format!(
                "--skip-rows {skipped} must leave rows, but the file has {has} lines; skip fewer"
            )));
        }
        let is_geo = is_geo(text);
        if is_geo {
            let described = Lines(text).enumerate().filter(|(_, (line, _))| is_description(line));
            changes.extend(described.map(|(number, _)| (number, "")));
            notes.push(
                "lines that begin with !, ^ or # describe the data, as GEO writes them, and were left out"
                    .to_owned(),
            );
        }
        let is_row = |line: &str| !(line.trim().is_empty() || is_geo && is_description(line));
        let mut lines = lines.filter(|(_, (line, _))| is_row(line)).peekable();
        let mut stated = None;
        if let Some((number, (line, _))) = lines.peek().copied()
            && let Some(separator) = separator_line(line)
        {
            changes.insert(number, "");
            stated = Some(separator);
            lines.next();
        }
        let mut comments = Vec::new();
        while let Some((number, (line, _))) = lines.next_if(|(_, (line, _))| is_comment(line)) {
            changes.insert(number, "");
            comments.push((number, line));
        }
        let first = lines.next().map(|(number, (line, _))| (number, line));
        let first_line = first.map_or("", |(_, line)| line);
        // Rows of a header that are left out show nothing.
        let next_line = lines.clone().nth(reading.header_rows.saturating_sub(1)).map(|(_, (line, _))| line);
        let by_spaces = delimiter.is_none_or(|delimiter| delimiter == b'\t')
            && stated.is_none()
            && is_separated_by_spaces(first_line, next_line, reading.decimal_comma);
        let delimiter = match (stated, delimiter) {
            (Some(separator), _) => separator,
            (None, Some(delimiter)) => delimiter,
            (None, None) if by_spaces => b'\t',
            (None, None) => delimiter_of(first_line, reading.decimal_comma),
        };
        let between = if by_spaces { Between::Spaces } else { Between::Delimiter(delimiter) };
        let mut has_header = reading.header != HeaderRow::No;
        if let Some(&(number, line)) = comments.last() {
            let names = line.trim_start().trim_start_matches(['#', '%']).trim();
            let [above, below] = [names, first_line].map(|line| between.cells(line).count());
            let has_number = |line| between.cells(line).any(is_number);
            let count = comments.len();
            if has_header && above > 1 && above == below && has_number(first_line) && !has_number(names) {
                changes.insert(number, names);
                notes.extend(left_out(count - 1));
                notes.push(format!("line {} names the columns behind its comment sign", number + 1));
                has_header = false;
            } else {
                notes.extend(left_out(count));
            }
        }
        let mut roles = None;
        if has_header && reading.header_rows > 1 {
            changes.extend(lines.by_ref().take(reading.header_rows - 1).map(|(number, _)| (number, "")));
        } else if has_header
            && reading.header_rows == 0
            && let (Some((second, (types, _))), Some((third, (uses, _)))) = (lines.next(), lines.next())
            && let Some(found) = Roles::of([first_line, types, uses], between)
        {
            changes.extend([(second, ""), (third, "")]);
            notes.push(found.note(second + 1, third + 1));
            roles = Some(found);
        }
        let drops = reading.missing == Missing::Drop;
        let is_left_out = |line: usize| changes.contains_key(&line);
        let ends = if by_spaces { None } else { ends::of(text, delimiter, drops, is_left_out) };
        notes.extend(ends.iter().map(Ends::note));
        if changes.is_empty() && !by_spaces && ends.is_none() {
            return Ok(Self { text: text.into(), delimiter, notes, roles });
        }
        allow(
            reading.memory.beside(text.len() as u64),
            path,
            "leaving out lines",
            text.len() as u64,
            ADVICE,
        )?;
        let mut table = String::with_capacity(text.len());
        let mut is_open = false;
        for (number, (line, end)) in Lines(text).enumerate() {
            let line = changes.get(&number).copied().unwrap_or(line);
            let line = ends.as_ref().map_or(line, |ends| ends.without(number, line));
            if by_spaces {
                write_with_tabs(line, &mut is_open, &mut table);
            } else {
                table.push_str(line);
            }
            table.push_str(end);
        }
        Ok(Self { text: table.into(), delimiter, notes, roles })
    }
}

/// How many lines at the start are titles: lines of other widths than the rows after them. Those begin with
/// the names of columns, unless the first line is a sentence.
pub(super) fn titles(text: &str) -> Option<usize> {
    let lines: Vec<&str> = Lines(text).map(|(line, _)| line).take(TITLES + ROWS).collect();
    (1..lines.len().saturating_sub(1).min(TITLES)).find(|&start| {
        let rows = || lines[start..].iter().filter(|line| !line.trim().is_empty()).take(ROWS);
        let Some(first) = lines.get(start).filter(|line| !line.trim().is_empty()) else { return false };
        let delimiter = delimiter_of(first, false);
        let between = Between::Delimiter(delimiter);
        let width = between.cells(first).count();
        let number = |line: &&str| between.cells(line).any(is_number);
        width > 1
            && rows().count() > 1
            && rows().all(|line| between.cells(line).count() == width)
            && rows().skip(1).all(number)
            && (!number(first) || lines[0].trim().contains(' '))
            && between.cells(lines[0]).count() != width
    })
}

/// The advice where this many lines look like titles.
pub(super) fn skip(lines: usize) -> String {
    match lines {
        1 => "if the first line is a title, say --skip-rows 1".to_owned(),
        lines => format!("if the first {lines} lines are titles, say --skip-rows {lines}"),
    }
}

/// Most lines of titles that are looked for.
const TITLES: usize = 30;

/// The rows of a table that are looked at.
const ROWS: usize = 20;

impl Roles {
    /// The roles that the second and the third row of a header state: types and uses of the columns.
    fn of([names, types, uses]: [&str; 3], between: Between) -> Option<Self> {
        const WORDS: [&str; 3] = ["string", "s", "text"];
        const TYPES: [&str; 9] =
            ["continuous", "c", "numeric", "n", "discrete", "d", "categorical", "time", "t"];
        const USES: [&str; 9] = ["", "class", "meta", "m", "weight", "w", "ignore", "i", "c"];
        let is_of = |cell: &str, words: &[&str]| words.iter().any(|word| cell.eq_ignore_ascii_case(word));
        let is_type = |cell: &str| is_of(cell, &TYPES) || is_of(cell, &WORDS);
        // The values of a category may stand for its type.
        let is_list = |cell: &str| cell.contains(' ');
        let are_types = between.cells(types).all(|cell| is_type(cell) || is_list(cell))
            && between.cells(types).any(is_type);
        if !(are_types && between.cells(uses).all(|cell| is_of(cell, &USES))) {
            return None;
        }
        let [names_count, types_count, uses_count] =
            [names, types, uses].map(|row| between.cells(row).count());
        if names_count != types_count || names_count != uses_count {
            return None;
        }
        let mut roles = Self::default();
        let columns = between.cells(names).zip(between.cells(types).zip(between.cells(uses)));
        for (name, (kind, purpose)) in columns {
            if is_of(purpose, &["class", "c"]) && roles.class.is_none() {
                roles.class = Some(name.to_owned());
            } else if !purpose.is_empty() || is_of(kind, &WORDS) {
                roles.others.push(name.to_owned());
            }
        }
        Some(roles)
    }

    fn note(&self, types: usize, uses: usize) -> String {
        let class = self.class.as_ref().map(|name| format!("; `{name}` is the class")).unwrap_or_default();
        let others = match &self.others[..] {
            [] => String::new(),
            [name] => format!("; `{name}` is left out"),
            names => format!("; `{}` are left out", names.join("`, `")),
        };
        format!(
            "lines {types} and {uses} state the types and uses of the columns, as Orange writes them{class}{others}"
        )
    }
}

/// The note on comments.
fn left_out(count: usize) -> Option<String> {
    match count {
        0 => None,
        1 => Some("a comment line was left out".to_owned()),
        count => Some(format!("{count} comment lines were left out")),
    }
}

/// Whether a text begins as GEO writes series matrices and samples.
fn is_geo(text: &str) -> bool {
    let first = text.trim_start();
    ["!Series_", "!Sample_", "^DATABASE", "^DATASET", "^SAMPLE", "^SERIES"]
        .iter()
        .any(|start| first.starts_with(start))
}

/// Whether a line of a file of GEO is no row of its table.
fn is_description(line: &str) -> bool {
    line.starts_with(['!', '^', '#'])
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with(['#', '%'])
}

fn is_number(cell: &str) -> bool {
    cell.parse::<f64>().is_ok() || has_decimal_comma(cell)
}

/// A cell without its quotes.
fn plain(cell: &str) -> &str {
    cell.trim().trim_matches('"')
}

/// What stands between the cells of a row.
#[derive(Clone, Copy)]
pub(super) enum Between {
    Delimiter(u8),
    Spaces,
}

impl Between {
    /// The cells of a line, quotes removed.
    pub(super) fn cells(self, line: &str) -> Box<dyn Iterator<Item = &str> + '_> {
        match self {
            Self::Spaces => Box::new(words(line).map(plain)),
            Self::Delimiter(delimiter) => {
                let mut is_open = false;
                let between = move |sign: char| {
                    is_open ^= sign == '"';
                    !is_open && sign == char::from(delimiter)
                };
                Box::new(line.split(between).map(plain))
            }
        }
    }
}

/// The words of a line with spaces or tabs between them; a word may be in quotes.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(SPACES);
        if rest.is_empty() {
            return None;
        }
        let mut is_open = false;
        let end = rest.find(|sign: char| {
            is_open ^= sign == '"';
            !is_open && SPACES.contains(&sign)
        });
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after;
        Some(word)
    })
}

const SPACES: [char; 2] = [' ', '\t'];

/// Whether the first two rows are numbers with spaces between them, with or without names above and before
/// them.
fn is_separated_by_spaces(first: &str, next: Option<&str>, decimal_comma: bool) -> bool {
    let spaced = |line: &str| {
        !line.contains([';', '\t']) && (decimal_comma || !line.contains(',')) && words(line).count() > 1
    };
    let Some(next) = next else { return spaced(first) && words(first).all(is_number) };
    let numbers = words(next).filter(|word| is_number(word)).count();
    let (above, below) = (words(first).count(), words(next).count());
    let is_row = above == below && (numbers > 1 || words(next).next().is_some_and(is_number));
    spaced(first) && spaced(next) && (is_row || above + 1 == below && numbers > 0)
}

/// Writes a line with a tab for each run of spaces that is not within quotes.
fn write_with_tabs(line: &str, is_open: &mut bool, text: &mut String) {
    let (mut is_between, start) = (false, text.len());
    for sign in line.chars() {
        *is_open ^= sign == '"';
        if !*is_open && SPACES.contains(&sign) {
            is_between = text.len() > start;
            continue;
        }
        if std::mem::take(&mut is_between) {
            text.push('\t');
        }
        text.push(sign);
    }
}

/// The lines of a text, each with its end: LF, CR, or CR LF.
#[derive(Clone)]
pub(super) struct Lines<'a>(pub(super) &'a str);

impl<'a> Iterator for Lines<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let end = self.0.find(['\n', '\r']).unwrap_or(self.0.len());
        let (line, rest) = self.0.split_at(end);
        let length = match rest.as_bytes() {
            [b'\r', b'\n', ..] => 2,
            [_, ..] => 1,
            [] => 0,
        };
        let (end, rest) = rest.split_at(length);
        self.0 = rest;
        Some((line, end))
    }
}
