//! The cells of a text file, one at a time, so that a row takes no memory besides its numbers.

use std::borrow::Cow;
use std::path::Path;
use std::str;

use csv_core::{ReadFieldResult, Reader, ReaderBuilder};
use embedding::{Error, MemoryLimit};

use super::errors::allow;

/// The cells of a text in their order; quotes are removed, and spaces around a cell.
pub(super) struct TextCells<'a> {
    parser: Reader,
    delimiter: u8,
    text: &'a [u8],
    rest: &'a [u8],
    /// Lines of the text above the first line of the file.
    above: u64,
    /// Lines before `counted`.
    lines: u64,
    counted: usize,
    cell: Vec<u8>,
    path: &'a Path,
    /// The memory that may be taken in addition to what is held already.
    memory: MemoryLimit,
}

/// One cell.
pub(super) struct Cell<'c> {
    pub(super) text: &'c str,
    /// Whether it is the last of its row.
    pub(super) ends_row: bool,
}

/// Bytes of a cell that are held at first.
const SHORT: usize = 1 << 10;

impl<'a> TextCells<'a> {
    /// Cells with this delimiter between them.
    pub(super) fn new(text: &'a str, path: &'a Path, delimiter: u8, memory: MemoryLimit) -> Self {
        Self::separated(text.as_bytes(), path, delimiter, memory)
    }

    /// The same cells of a text that has this number of lines above the first line of its file.
    pub(super) fn below(self, above: u64) -> Self {
        Self { above, ..self }
    }

    /// The same cells from the first.
    pub(super) fn again(&self) -> Self {
        // A clone of a csv-core 0.1.13 parser has other separators.
        Self::separated(self.text, self.path, self.delimiter, self.memory).below(self.above)
    }

    fn separated(text: &'a [u8], path: &'a Path, delimiter: u8, memory: MemoryLimit) -> Self {
        let parser = ReaderBuilder::new().delimiter(delimiter).build();
        Self {
            parser,
            delimiter,
            text,
            rest: text,
            above: 0,
            lines: 0,
            counted: 0,
            cell: vec![0; SHORT],
            path,
            memory,
        }
    }

    /// The same cells of a text whose rows are no lines of its file.
    pub(super) fn without_lines(self) -> Self {
        self.below(u64::MAX)
    }

    /// The same cells where this memory may be taken in addition to what is held.
    pub(super) fn within(self, memory: MemoryLimit) -> Self {
        Self { memory, ..self }
    }

    /// The memory that may be taken in addition to what is held.
    pub(super) fn memory(&self) -> MemoryLimit {
        self.memory
    }

    /// Lines of the text above the first line of its file.
    pub(super) fn lines_above(&self) -> u64 {
        self.above
    }

    /// The whole text.
    pub(super) fn text(&self) -> &'a str {
        str::from_utf8(self.text).unwrap_or_default()
    }

    /// The delimiter between cells.
    pub(super) fn delimiter(&self) -> u8 {
        self.delimiter
    }

    /// The next cell; none at the end of the text. Fails where a cell exceeds the limit, and where the
    /// text ends within quotes.
    pub(super) fn next(&mut self) -> Result<Option<Cell<'_>>, Error> {
        let (mut length, start) = (0, self.rest);
        let ends_row = loop {
            let is_at_end = self.rest.is_empty();
            let (result, read, written) = self.parser.read_field(self.rest, &mut self.cell[length..]);
            self.rest = &self.rest[read..];
            length += written;
            match result {
                // The next call, without input, ends the text.
                ReadFieldResult::InputEmpty => {}
                ReadFieldResult::OutputFull => self.grow()?,
                ReadFieldResult::Field { .. } if is_at_end && is_open(start) => return Err(self.open(start)),
                ReadFieldResult::Field { record_end } => break record_end,
                ReadFieldResult::End => return Ok(None),
            }
        };
        let text = str::from_utf8(&self.cell[..length]).expect("text is cut at ASCII characters alone");
        Ok(Some(Cell { text: text.trim(), ends_row }))
    }

    /// The error for a text that ends within the quotes of its last cell, which begins at `start`.
    fn open(&self, start: &[u8]) -> Error {
        let line = 1 + line_ends(&self.text[..self.text.len() - without_line_ends(start).len()]);
        let cell = String::from_utf8_lossy(without_line_ends(start));
        let problem = format!(
            "every quote that opens a cell must be closed, but the quote of line {line} (`{}`) is open at the end of the \
             file; close it, or write a quote that is part of the text twice, within quotes",
            excerpt(cell.split(['\n', '\r']).next().unwrap_or_default())
        );
        Error::file(self.path.display(), problem)
    }

    /// Doubles the space for a cell.
    fn grow(&mut self) -> Result<(), Error> {
        let length = 2 * self.cell.len();
        let needed = (self.cell.len() + length) as u64;
        allow(
            self.memory,
            self.path,
            "holding a cell",
            needed,
            "allow more memory, or make the cell shorter",
        )?;
        self.cell.resize(length, 0);
        Ok(())
    }

    /// The line on which the next row begins, counted from 1 as editors do: LF, CR and CR LF each
    /// end one, within a cell and on an empty line, too; 0 where rows are no lines. Must be called before the
    /// first cell of this row.
    pub(super) fn line(&mut self) -> u64 {
        let start = self.text.len() - without_line_ends(self.rest).len();
        self.lines += line_ends(&self.text[self.counted..start]);
        self.counted = start;
        (self.lines + 1).saturating_sub(self.above)
    }
}

/// A text from its first line that is not empty.
fn without_line_ends(text: &[u8]) -> &[u8] {
    let ends = text.iter().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
    &text[ends..]
}

/// Whether a cell, which is the rest of a text, begins with a quote that no other one closes. Two adjacent
/// quotes are one quote of the text.
fn is_open(cell: &[u8]) -> bool {
    let Some((b'"', mut rest)) = without_line_ends(cell).split_first() else { return false };
    while let Some(at) = rest.iter().position(|byte| *byte == b'"') {
        if rest.get(at + 1) != Some(&b'"') {
            return false;
        }
        rest = &rest[at + 2..];
    }
    true
}

/// The separator of the cells of a text, judged by its first line: a semicolon when it has one, else a tab
/// when it has one and no comma, else `|` under the same condition, else a comma; where numbers have decimal
/// commas, a tab or a semicolon.
pub(super) fn delimiter_of(text: &str, decimal_comma: bool) -> u8 {
    let first = first_line(text);
    let has_tab = first.contains('\t') && (decimal_comma || !first.contains(','));
    match (first.contains(';'), has_tab) {
        (true, _) => b';',
        (false, true) => b'\t',
        (false, false) if first.contains('|') && !first.contains(',') => b'|',
        (false, false) if decimal_comma => b';',
        (false, false) => b',',
    }
}

/// The first line that is not empty.
pub(super) fn first_line(text: &str) -> &str {
    text.split(['\n', '\r']).find(|line| !line.trim().is_empty()).unwrap_or_default()
}

/// The number of line ends in a text: LF, CR, or CR LF.
pub(super) fn line_ends(text: &[u8]) -> u64 {
    let (mut lines, mut after_return) = (0, false);
    for &byte in text {
        lines += u64::from(byte == b'\r' || byte == b'\n' && !after_return);
        after_return = byte == b'\r';
    }
    lines
}

/// Characters of a cell that a message shows.
const SHOWN: usize = 40;

/// A cell as a message shows it: a long one is cut.
pub(super) fn excerpt(cell: &str) -> Cow<'_, str> {
    match cell.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", cell[..end].trim_end()).into(),
        None => cell.into(),
    }
}

/// The separator between the parts of a cell, if at least one part is a number.
pub(super) fn separator_of_numbers(cell: &str) -> Option<&'static str> {
    let numbers = |parts: &mut dyn Iterator<Item = &str>| {
        let (mut count, mut any) = (0, false);
        for part in parts {
            (count, any) = (count + 1, any || part.trim().parse::<f64>().is_ok());
        }
        count > 1 && any
    };
    let others = [(';', "semicolons"), ('|', "`|`"), ('\t', "tabs"), (',', "commas")];
    let found = others.into_iter().find(|(separator, _)| numbers(&mut cell.split(*separator)));
    found.map(|(_, name)| name).or_else(|| numbers(&mut cell.split_whitespace()).then_some("spaces"))
}

/// The delimiter between cells, in words.
pub(super) fn separators(delimiter: u8) -> &'static str {
    match delimiter {
        b'\t' => "tabs",
        b';' => "semicolons",
        b'|' => "`|`",
        _ => "commas",
    }
}

/// Whether a cell is a number once its only comma is a point: `1,5`, `1.234,5`.
pub(super) fn has_decimal_comma(cell: &str) -> bool {
    let digits = |part: &str| part.bytes().any(|byte| byte.is_ascii_digit());
    match cell.split_once(',') {
        Some((whole, rest)) => {
            digits(rest) && format!("{}.{rest}", whole.replace('.', "")).parse::<f64>().is_ok()
        }
        None => false,
    }
}

/// Bytes of a word of this length in memory, including the allocator's overhead for its text.
pub(super) const fn word(length: usize) -> u64 {
    let text = (length + 8).next_multiple_of(16);
    (size_of::<String>() + if text < 32 { 32 } else { text }) as u64
}

/// Bytes of a short word, and of the numbers that it may be.
pub(super) const WORD: u64 = word(0) + 24;

/// The advice when memory does not suffice.
pub(super) const ADVICE: &str = "read fewer rows, save the numbers as .npy, or allow more memory";

/// The number of lines, whichever of the two characters ends them.
pub(super) fn lines(text: &str) -> usize {
    let count = |end: u8| text.bytes().filter(|byte| *byte == end).count();
    count(b'\n').max(count(b'\r')) + usize::from(!text.ends_with(['\n', '\r']))
}
