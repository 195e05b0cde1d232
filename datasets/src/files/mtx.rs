//! Matrix Market files: `%%MatrixMarket matrix coordinate real general`, …

use std::path::Path;

use embedding::{Error, MemoryLimit};

use super::reading::Raw;

/// What every file begins with.
pub(super) const BANNER: &[u8] = b"%%MatrixMarket";

/// The first line.
struct Banner {
    /// Row and column before each entry; else all entries, column by column.
    coordinate: bool,
    /// Entries are 1 and not written.
    pattern: bool,
    symmetry: Symmetry,
}

#[derive(Clone, Copy, PartialEq)]
enum Symmetry {
    General,
    /// Entries below the diagonal stand for those above.
    Symmetric,
    /// The same with the other sign, and a diagonal of zeros.
    Skew,
}

/// Reads a matrix, one point per row, as dense numbers; entries that are named
/// twice are added.
pub(super) fn read(text: &str, path: &Path, memory: MemoryLimit) -> Result<Raw, Error> {
    let fail = |problem: String| Error::file(path.display(), problem);
    let mut lines = text.lines().zip(1..);
    let banner = lines.next().ok_or("the file is empty".to_owned()).and_then(|(line, _)| banner(line));
    let banner = banner.map_err(fail)?;
    let mut lines = lines
        .map(|(line, number)| (line.trim(), number))
        .filter(|(line, _)| !line.is_empty() && !line.starts_with('%'));
    let (line, number) = lines.next().ok_or_else(|| fail("the file has no line of sizes".to_owned()))?;
    let sizes: Option<Vec<usize>> = line.split_whitespace().map(|word| word.parse().ok()).collect();
    let (rows, columns, entries) = match (sizes.as_deref(), banner.coordinate) {
        (Some(&[rows, columns, entries]), true) => (rows, columns, entries),
        (Some(&[rows, columns]), false) => (rows, columns, stored(rows, columns, banner.symmetry)),
        _ => {
            let wanted = if banner.coordinate { "rows, columns and entries" } else { "rows and columns" };
            return Err(fail(format!("line {number} must hold the numbers of {wanted}, but is `{line}`")));
        }
    };
    if rows == 0 || columns == 0 {
        return Err(fail(format!("the matrix has {rows} rows and {columns} columns: it holds no points")));
    }
    if banner.symmetry != Symmetry::General && rows != columns {
        return Err(fail(format!("a symmetric matrix must be square, but it is {rows} × {columns}")));
    }
    let bytes = (rows as u64).saturating_mul(columns as u64).saturating_mul(8);
    memory.allow("holding the matrix without its gaps", bytes, "read fewer rows or allow more memory")?;
    let mut values = vec![0.0; rows * columns];
    let mut places = places(rows, columns, banner.symmetry);
    let mut found = 0;
    for (line, number) in lines {
        found += 1;
        if found > entries {
            return Err(fail(format!("the file promises {entries} entries, but line {number} is one more")));
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
        let value = if banner.pattern { Some(1.0) } else { words.next().and_then(|word| word.parse().ok()) };
        let (Some((i, j)), Some(value), None) = (place, value, words.next()) else {
            return Err(fail(format!(
                "line {number} must hold an entry of a {rows} × {columns} matrix, but is `{line}`"
            )));
        };
        let value: f64 = value;
        values[i * columns + j] += value;
        match banner.symmetry {
            Symmetry::Symmetric if i != j => values[j * columns + i] += value,
            Symmetry::Skew if i != j => values[j * columns + i] -= value,
            _ => {}
        }
    }
    if found < entries {
        return Err(fail(format!("the file promises {entries} entries, but holds {found}; it is truncated")));
    }
    Ok(Raw::new(values, columns))
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

/// Their places, column by column.
fn places(rows: usize, columns: usize, symmetry: Symmetry) -> impl Iterator<Item = (usize, usize)> {
    (0..columns).flat_map(move |j| (first(j, symmetry)..rows).map(move |i| (i, j)))
}
