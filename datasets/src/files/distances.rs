//! Distances and similarities as other programs write them: triangles, matrices with names, PHYLIP, Orange,
//! and lists of pairs.

use std::path::Path;

use embedding::{Error, MemoryLimit};

use super::cells::{ADVICE, delimiter_of};
use super::errors::allow;
use super::format::extension;
use super::layout::{Between, Lines};
use super::raw::{NAME, Raw};
use super::reading::{Given, Reading};
use super::{pairs, phylip, triangles};
use crate::RowNames;

/// A matrix that was found in a text.
#[derive(PartialEq)]
pub(super) struct Matrix {
    /// The number of points.
    pub(super) n: usize,
    pub(super) names: Option<Vec<String>>,
    /// n × n.
    pub(super) values: Vec<f64>,
    /// What the text was read as.
    pub(super) form: &'static str,
}

/// Which entries of a matrix the rows of a text hold.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Shape {
    Square,
    Lower { diagonal: bool },
    Upper { diagonal: bool },
}

/// The lines of a text that are not empty, and how to read them.
pub(super) struct Source<'a> {
    pub(super) lines: Vec<Line<'a>>,
    between: Between,
    pub(super) path: &'a Path,
    pub(super) reading: &'a Reading,
    /// Bytes that are held already.
    held: u64,
}

/// A line and its number, counted from 1.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    pub(super) number: usize,
    pub(super) text: &'a str,
}

/// Rows that show what stands between cells.
const FIRST: usize = 20;

/// The matrix of a text in one of these forms; `None` for a table, such as a matrix of numbers alone. Fails
/// where the text has several meanings, and where it is damaged.
pub(super) fn read(text: &str, path: &Path, reading: &Reading) -> Result<Option<Raw>, Error> {
    let kind = extension(path);
    let (is_orange, is_phylip) = (kind == "dst", kind == "phy" || kind == "phylip");
    if reading.names_columns() || reading.transpose {
        if is_orange || is_phylip {
            let problem = "a file of Orange or PHYLIP has names and distances alone; leave out options that name \
                           columns, and --transpose";
            return Err(Error::file(path.display(), problem));
        }
        return Ok(None);
    }
    let source = Source::of(text, path, reading)?;
    let fail = |what: &str, advice: &str| {
        Err(Error::file(path.display(), format!("the file must be {what}, but is not; {advice}")))
    };
    let mut failed = None;
    let mut found = Vec::new();
    if is_orange || !is_phylip && phylip::is_orange(&source) {
        match phylip::orange(&source)? {
            Some(matrix) => found.push(matrix),
            None => return fail("a matrix of Orange", "its first line must hold the number of rows"),
        }
    } else {
        found.extend(phylip::read(&source)?);
        if !is_phylip {
            found.extend(triangles::read(&source)?);
            match pairs::read(&source) {
                Ok(matrix) => found.extend(matrix),
                Err(error) => failed = Some(error),
            }
        } else if found.is_empty() {
            let advice = "its first line must hold the number of rows, and each row a name and as many distances as a \
                          square or a triangle has there";
            return fail("a matrix of PHYLIP", advice);
        }
    }
    let same = |matrix: &Matrix| matrix.values == found[0].values && matrix.names == found[0].names;
    if let Some(other) = found.iter().find(|matrix| !same(matrix)) {
        let first = &found[0];
        let problem = format!(
            "the file can be read as {} of {} points and as {} of {} points; if it is PHYLIP's, call it .phy; else \
             write the whole matrix, with names above and before it",
            first.form, first.n, other.form, other.n
        );
        return Err(Error::file(path.display(), problem));
    }
    match (found.into_iter().next(), failed) {
        (Some(matrix), _) => Ok(Some(matrix.raw())),
        (None, Some(error)) => Err(error),
        (None, None) => Ok(None),
    }
}

impl Matrix {
    fn raw(self) -> Raw {
        let Self { n, names, values, form } = self;
        let with = if names.is_some() { " with names" } else { "" };
        let notes = vec![format!("read as {form} of {n} points{with}")];
        let row_names = names.map(|values| RowNames { name: NAME.to_owned(), values });
        Raw { row_names, notes, ..Raw::new(values, n) }
    }
}

/// The square matrix of the entries above its diagonal, row by row, as `scipy.spatial.distance.pdist` returns
/// them; `None` of another number of values. Fails where the matrix exceeds the memory.
pub(super) fn of_condensed(raw: &Raw, path: &Path, memory: MemoryLimit) -> Result<Option<Raw>, Error> {
    let count = raw.values.len();
    let n = (((1 + 8 * count) as f64).sqrt() as usize).div_ceil(2);
    if raw.width != 1 || n < 3 || n * (n - 1) / 2 != count {
        return Ok(None);
    }
    let needed = 8 * (n as u64).saturating_mul(n as u64);
    allow(memory.beside(8 * count as u64), path, "holding the distances", needed, ADVICE)?;
    let values = Shape::Upper { diagonal: false }.square(n, &raw.values);
    let notes = vec![format!("read as the distances above the diagonal of a matrix of {n} points")];
    Ok(Some(Raw { notes, ..Raw::new(values, n) }))
}

impl Shape {
    /// The shapes that a text may have: similarities need a diagonal.
    pub(super) fn all(given: Given) -> impl Iterator<Item = Self> {
        let whole = [Self::Square, Self::Lower { diagonal: true }, Self::Upper { diagonal: true }];
        let without = [Self::Lower { diagonal: false }, Self::Upper { diagonal: false }];
        whole.into_iter().chain(without.into_iter().filter(move |_| given == Given::Distances))
    }

    /// The entries of row `i` of `n`.
    pub(super) fn count(self, i: usize, n: usize) -> usize {
        match self {
            Self::Square => n,
            Self::Lower { diagonal } => i + usize::from(diagonal),
            Self::Upper { diagonal } => n - i - usize::from(!diagonal),
        }
    }

    /// The n × n matrix of these entries, row by row.
    pub(super) fn square(self, n: usize, entries: &[f64]) -> Vec<f64> {
        let (mut matrix, mut entries) = (vec![0.0; n * n], entries.iter());
        for i in 0..n {
            let first = match self {
                Self::Square | Self::Lower { .. } => 0,
                Self::Upper { diagonal } => i + usize::from(!diagonal),
            };
            for (j, &value) in (first..).zip(entries.by_ref().take(self.count(i, n))) {
                matrix[i * n + j] = value;
                if self != Self::Square {
                    matrix[j * n + i] = value;
                }
            }
        }
        matrix
    }

    /// Whether the diagonal of these entries may be one of distances or of similarities.
    pub(super) fn takes_diagonal(self, n: usize, matrix: &[f64], given: Given) -> bool {
        matches!(self, Self::Lower { diagonal: false } | Self::Upper { diagonal: false })
            || given == Given::Similarities
            || is_zero((0..n).map(|i| matrix[i * n + i]), matrix)
    }

    pub(super) fn form(self) -> &'static str {
        match self {
            Self::Square => "a square matrix",
            Self::Lower { diagonal: true } => "a lower triangle with its diagonal",
            Self::Lower { diagonal: false } => "a lower triangle without diagonal",
            Self::Upper { diagonal: true } => "an upper triangle with its diagonal",
            Self::Upper { diagonal: false } => "an upper triangle without diagonal",
        }
    }
}

/// Differences that are rounding errors, relative to the largest distance.
pub(super) const ROUNDING: f64 = 1e-12;

/// Whether these entries of a matrix are zeros, up to rounding.
pub(super) fn is_zero(entries: impl IntoIterator<Item = f64>, all: &[f64]) -> bool {
    let largest = all.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    entries.into_iter().all(|entry| entry.abs() <= ROUNDING * largest)
}

impl<'a> Source<'a> {
    fn of(text: &'a str, path: &'a Path, reading: &'a Reading) -> Result<Self, Error> {
        let is_empty = |line: &str| line.trim().is_empty();
        let numbered = || (1..).zip(Lines(text).map(|(line, _)| line)).skip(reading.skip_rows);
        let kept = || numbered().filter(|(_, line)| !is_empty(line) && !line.trim_start().starts_with('#'));
        let held = text.len() as u64 + (kept().count() * size_of::<Line<'_>>()) as u64;
        allow(reading.memory, path, "reading distances", held, ADVICE)?;
        let lines: Vec<Line<'_>> = kept().map(|(number, text)| Line { number, text }).collect();
        let first: String = lines.iter().take(FIRST).map(|line| line.text).collect::<Vec<_>>().join(" ");
        let between = match delimiter_of(&first, reading.decimal_comma) {
            delimiter if first.contains(char::from(delimiter)) => Between::Delimiter(delimiter),
            _ => Between::Spaces,
        };
        Ok(Self { lines, between, path, reading, held })
    }

    /// The cells of a line, without empty ones at both ends.
    pub(super) fn cells(&self, line: Line<'a>) -> Vec<&'a str> {
        let mut cells: Vec<&str> = self.between.cells(line.text).collect();
        while cells.last().is_some_and(|cell| cell.is_empty()) {
            cells.pop();
        }
        let empty = cells.iter().take_while(|cell| cell.is_empty()).count();
        cells.split_off(empty)
    }

    /// The finite number that a cell is.
    pub(super) fn number(&self, cell: &str) -> Option<f64> {
        self.reading.number(cell).filter(|value| value.is_finite())
    }

    /// Fails where a matrix of `n` points exceeds the memory; its entries are held, too.
    pub(super) fn allow(&self, n: usize) -> Result<(), Error> {
        let entries = (n as u64).saturating_mul(n as u64).saturating_mul(16);
        allow(self.reading.memory.beside(self.held), self.path, "holding the distances", entries, ADVICE)
    }

    /// The error for a line.
    pub(super) fn fail(&self, line: usize, problem: &str) -> Error {
        Error::file(self.path.display(), format!("line {line}: {problem}"))
    }
}
