//! Matrix Market files: `%%MatrixMarket matrix coordinate real general`, …

use std::iter::Enumerate;
use std::path::Path;
use std::str;

use embedding::{Error, MemoryLimit, SparsePointSet};

use super::errors::{allow, named};
use super::raw::Raw;

/// The first bytes of every file.
pub(super) const BANNER: &[u8] = b"%%MatrixMarket";

/// Bytes of a row and of an entry of sparse points: offsets, and row, column and value while
/// they are sorted, with a buffer, or columns and values, twice while entries of one place are
/// added.
const ROW: u64 = 16;
const ENTRY: u64 = 32;

/// The first line.
struct Banner {
    /// Whether row and column precede each entry; otherwise all entries are listed, column by column.
    coordinate: bool,
    /// Whether entries are 1 and not written.
    pattern: bool,
    symmetry: Symmetry,
}

#[derive(Clone, Copy, PartialEq)]
enum Symmetry {
    General,
    /// Entries below the diagonal also stand for their mirror images above it.
    Symmetric,
    /// The same with the other sign, and a diagonal of zeros.
    Skew,
}

/// A file whose first lines were read.
struct Matrix<'a> {
    banner: Banner,
    rows: usize,
    columns: usize,
    /// The number of entries that the file promises.
    entries: usize,
    /// The lines of the entries with their line numbers, counted from 1.
    lines: Lines<'a>,
}

/// The lines of a text that are neither empty nor comments, numbered from 1.
#[derive(Clone)]
struct Lines<'a>(Enumerate<str::Lines<'a>>);

impl<'a> Iterator for Lines<'a> {
    type Item = (&'a str, usize);

    fn next(&mut self) -> Option<Self::Item> {
        let mut lines = self.0.by_ref().map(|(at, line)| (line.trim(), at + 1));
        lines.find(|(line, _)| !line.is_empty() && !line.starts_with('%'))
    }
}

/// Whether a file that starts with these bytes lists all entries, without their positions.
pub(super) fn holds_all(start: &[u8]) -> bool {
    let text = String::from_utf8_lossy(start);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    text.lines().next().is_some_and(|line| banner(line).is_ok_and(|banner| !banner.coordinate))
}

/// Reads a matrix, one point per row, as dense numbers; entries that are named
/// twice are added. The second result is the number of entries, where the file lists their positions.
pub(super) fn read(text: &str, path: &Path, memory: MemoryLimit) -> Result<(Raw, Option<usize>), Error> {
    let fail = |problem: String| Error::file(path.display(), problem);
    let matrix = Matrix::open(text).map_err(fail)?;
    let (rows, columns) = (matrix.rows, matrix.columns);
    let bytes = (rows as u64).saturating_mul(columns as u64).saturating_mul(8);
    let advice = "read fewer rows or allow more memory";
    allow(memory, path, "holding the matrix without its gaps", bytes, advice)?;
    let mut values = vec![0.0; rows * columns];
    matrix.each(|i, j, value| values[i * columns + j] += value).map_err(fail)?;
    Ok((Raw::new(values, columns), matrix.banner.coordinate.then_some(matrix.entries)))
}

/// Reads a matrix as sparse points; none where the file holds all entries.
///
/// Fails with [`Error::Memory`] before the entries are read where the text, the entries and the rows made of
/// them exceed `memory`.
pub(super) fn read_sparse(
    text: &str,
    path: &Path,
    memory: MemoryLimit,
) -> Result<Option<SparsePointSet>, Error> {
    let fail = |problem: String| Error::file(path.display(), problem);
    let matrix = Matrix::open(text).map_err(fail)?;
    if !matrix.banner.coordinate {
        return Ok(None);
    }
    // The shortest line of an entry: a file that promises more entries than its length can hold is
    // read before it is refused.
    let line = if matrix.banner.pattern { "1 1\n" } else { "1 1 1\n" }.len();
    let lines = matrix.entries.min(text.len() / line);
    let stored = if matrix.banner.symmetry == Symmetry::General { lines } else { 2 * lines };
    let bytes = text.len() as u64 + (matrix.rows as u64 + 1) * ROW + stored as u64 * ENTRY;
    allow(memory, path, "holding the sparse matrix", bytes, "read fewer rows or allow more memory")?;
    let mut entries = Vec::with_capacity(stored);
    matrix.each(|i, j, value| entries.push((i as u32, j as u32, value))).map_err(fail)?;
    // Stable: entries of one place are added in the order of the file.
    entries.sort_by_key(|entry| entry.0);
    let row = |row: usize| entries.partition_point(|entry| (entry.0 as usize) < row);
    let offsets = (0..=matrix.rows).map(row).collect();
    let (columns, values) = entries.iter().map(|entry| (entry.1, entry.2)).unzip();
    drop(entries);
    SparsePointSet::new(offsets, columns, values, matrix.columns)
        .map(Some)
        .map_err(|error| named(error, path))
}

impl<'a> Matrix<'a> {
    /// Reads the banner and the line of sizes; an error is the problem.
    fn open(text: &'a str) -> Result<Self, String> {
        let mut lines = Lines(text.lines().enumerate());
        let (_, line) = lines.0.next().ok_or("the file is empty")?;
        let banner = banner(line)?;
        let (line, number) = lines.next().ok_or("the file has no line of sizes")?;
        let sizes: Option<Vec<usize>> = line.split_whitespace().map(|word| word.parse().ok()).collect();
        let (rows, columns, entries) = match (sizes.as_deref(), banner.coordinate) {
            (Some(&[rows, columns, entries]), true) => (rows, columns, entries),
            (Some(&[rows, columns]), false) => (rows, columns, stored(rows, columns, banner.symmetry)),
            _ => {
                let wanted = if banner.coordinate { "rows, columns and entries" } else { "rows and columns" };
                return Err(format!("line {number} must hold the numbers of {wanted}, but is `{line}`"));
            }
        };
        if rows == 0 || columns == 0 {
            return Err(format!("the matrix has {rows} rows and {columns} columns: it holds no points"));
        }
        if rows.max(columns) as u64 > 1 << 32 {
            return Err(format!("the matrix is {rows} × {columns}, but indices have 32 bits"));
        }
        if banner.symmetry != Symmetry::General && rows != columns {
            return Err(format!("a symmetric matrix must be square, but it is {rows} × {columns}"));
        }
        Ok(Self { banner, rows, columns, entries, lines })
    }

    /// Calls `add` with row, column and value of every entry, and of the entries that it implies; an error is
    /// the problem.
    fn each(&self, mut add: impl FnMut(usize, usize, f64)) -> Result<(), String> {
        let Self { ref banner, rows, columns, entries, ref lines } = *self;
        let mut places = places(rows, columns, banner.symmetry);
        let mut found = 0;
        for (line, number) in lines.clone() {
            found += 1;
            if found > entries {
                return Err(format!("the file promises {entries} entries, but line {number} is one more"));
            }
            let mut words = line.split_whitespace();
            let place = if banner.coordinate {
                let index = |word: Option<&str>, most: usize| {
                    word?.parse::<usize>().ok().filter(|index| (1..=most).contains(index))
                };
                index(words.next(), rows).zip(index(words.next(), columns)).map(|(i, j)| (i - 1, j - 1))
            } else {
                places.next()
            };
            let value =
                if banner.pattern { Some(1.0) } else { words.next().and_then(|word| word.parse().ok()) };
            let (Some((i, j)), Some(value), None) = (place, value, words.next()) else {
                return Err(format!(
                    "line {number} must hold an entry of a {rows} × {columns} matrix, but is `{line}`"
                ));
            };
            let value: f64 = value;
            add(i, j, value);
            match banner.symmetry {
                Symmetry::Symmetric if i != j => add(j, i, value),
                Symmetry::Skew if i != j => add(j, i, -value),
                _ => {}
            }
        }
        if found < entries {
            return Err(format!("the file promises {entries} entries, but holds {found}; it is truncated"));
        }
        Ok(())
    }
}

fn banner(line: &str) -> Result<Banner, String> {
    let words: Vec<String> = line.split_whitespace().map(str::to_ascii_lowercase).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let refuse = || {
        format!(
            "the first line must be `%%MatrixMarket matrix`, coordinate or array, real, integer or pattern, general, symmetric or skew-symmetric, but is `{line}`"
        )
    };
    let &["%%matrixmarket", "matrix", layout, numbers, symmetry] = &words[..] else { return Err(refuse()) };
    let coordinate = match layout {
        "coordinate" => true,
        "array" => false,
        _ => return Err(refuse()),
    };
    let pattern = match numbers {
        "real" | "double" | "integer" => false,
        "pattern" if coordinate => true,
        _ => return Err(refuse()),
    };
    let symmetry = match symmetry {
        "general" => Symmetry::General,
        "symmetric" => Symmetry::Symmetric,
        "skew-symmetric" => Symmetry::Skew,
        _ => return Err(refuse()),
    };
    Ok(Banner { coordinate, pattern, symmetry })
}

/// The first stored row of a column.
fn first(column: usize, symmetry: Symmetry) -> usize {
    match symmetry {
        Symmetry::General => 0,
        Symmetry::Symmetric => column,
        Symmetry::Skew => column + 1,
    }
}

/// The entries of an array that are stored.
fn stored(rows: usize, columns: usize, symmetry: Symmetry) -> usize {
    let triangle = rows.saturating_mul(rows.saturating_sub(1)) / 2;
    match symmetry {
        Symmetry::General => rows.saturating_mul(columns),
        Symmetry::Symmetric => triangle.saturating_add(rows),
        Symmetry::Skew => triangle,
    }
}

/// The positions of the stored entries, column by column.
fn places(rows: usize, columns: usize, symmetry: Symmetry) -> impl Iterator<Item = (usize, usize)> {
    (0..columns).flat_map(move |j| (first(j, symmetry)..rows).map(move |i| (i, j)))
}
