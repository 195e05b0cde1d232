//! Matrices of PHYLIP and of Orange, which begin with the number of points.

use embedding::Error;

use super::cells::excerpt;
use super::distances::{Line, Matrix, Shape, Source};
use super::reading::Given;

/// Where the name of a row ends.
#[derive(Clone, Copy)]
enum Names {
    /// Before the first tab.
    Tab,
    /// Before the first space.
    Relaxed,
    /// After ten characters, as PHYLIP itself writes it.
    Strict,
}

/// Characters of a strict name.
const STRICT: usize = 10;

/// The matrices of PHYLIP that a text can be read as: a square or a triangle, whose rows may continue on the
/// next lines.
pub(super) fn read(source: &Source<'_>) -> Result<Vec<Matrix>, Error> {
    let mut found: Vec<Matrix> = Vec::new();
    let Some((first, lines)) = source.lines.split_first() else { return Ok(found) };
    let Ok(n) = first.text.trim().parse::<usize>() else { return Ok(found) };
    if !(2..=lines.len()).contains(&n) {
        return Ok(found);
    }
    source.allow(n)?;
    for names in [Names::Tab, Names::Relaxed, Names::Strict] {
        for shape in Shape::all(source.reading.given) {
            let Some(matrix) = rows(source, lines, n, names, shape) else { continue };
            if found.iter().all(|other| other.values != matrix.values || other.names != matrix.names) {
                found.push(matrix);
            }
        }
    }
    Ok(found)
}

fn rows(source: &Source<'_>, lines: &[Line<'_>], n: usize, names: Names, shape: Shape) -> Option<Matrix> {
    let (mut found, mut entries, mut lines) = (Vec::new(), Vec::new(), lines.iter());
    for i in 0..n {
        let (name, mut rest) = names.split(lines.next()?.text)?;
        found.push(name.to_owned());
        let end = entries.len() + shape.count(i, n);
        loop {
            for cell in rest.split_whitespace() {
                entries.push(source.number(cell)?);
            }
            if entries.len() >= end {
                break;
            }
            rest = lines.next()?.text;
        }
        if entries.len() > end {
            return None;
        }
    }
    if lines.next().is_some() {
        return None;
    }
    let values = shape.square(n, &entries);
    let form = match shape {
        Shape::Square => "a square matrix of PHYLIP",
        Shape::Lower { .. } => "a lower triangle of PHYLIP",
        Shape::Upper { .. } => "an upper triangle of PHYLIP",
    };
    shape.takes_diagonal(n, &values, source.reading.given).then_some(Matrix {
        n,
        names: Some(found),
        values,
        form,
    })
}

impl Names {
    /// The name of a line, and what follows.
    fn split(self, line: &str) -> Option<(&str, &str)> {
        let (name, rest) = match self {
            Self::Tab => {
                line.split_once('\t').or_else(|| Some((line, "")).filter(|_| !line.contains(' ')))?
            }
            Self::Relaxed => line.trim_start().split_once([' ', '\t']).unwrap_or((line.trim(), "")),
            Self::Strict => {
                let end = line.char_indices().nth(STRICT).map_or(line.len(), |(at, _)| at);
                line.split_at(end)
            }
        };
        let name = name.trim();
        (!name.is_empty()).then_some((name, rest))
    }
}

/// Whether a text begins as Orange writes it: the number of rows, and flags.
pub(super) fn is_orange(source: &Source<'_>) -> bool {
    let words = source.lines.first().map(|line| line.text.split_whitespace().collect::<Vec<_>>());
    matches!(words.as_deref(), Some([n, flags @ ..])
        if n.parse::<usize>().is_ok() && !flags.is_empty() && flags.iter().all(|flag| is_flag(flag)))
}

fn is_flag(word: &str) -> bool {
    const FLAGS: [&str; 6] = ["labelled", "labeled", "row_labels", "col_labels", "symmetric", "asymmetric"];
    FLAGS.contains(&word) || word.strip_prefix("axis=").is_some_and(|axis| axis.parse::<u8>().is_ok())
}

/// Reads a matrix of Orange: rows with tabs between their cells. As in Orange, entries above the diagonal are
/// not read. `None` where the first line is another one.
pub(super) fn orange(source: &Source<'_>) -> Result<Option<Matrix>, Error> {
    let Some((first, mut lines)) = source.lines.split_first() else { return Ok(None) };
    let mut words = first.text.split_whitespace();
    let Some(n) = words.next().and_then(|word| word.parse::<usize>().ok()).filter(|n| *n > 0) else {
        return Ok(None);
    };
    let flags: Vec<&str> = words.collect();
    if let Some(other) = flags.iter().find(|flag| !is_flag(flag)) {
        let problem = format!("`{}` is no flag of Orange's format", excerpt(other));
        return Err(source.fail(first.number, &problem));
    }
    if flags.contains(&"asymmetric") {
        let problem =
            "distances must be symmetric, but the file says asymmetric; write the mean of both directions";
        return Err(source.fail(first.number, problem));
    }
    let mut titles = None;
    if flags.contains(&"col_labels") {
        let Some((names, rest)) = lines.split_first() else { return Ok(None) };
        titles = Some(names.text.trim().split('\t').map(|name| name.trim().to_owned()).collect::<Vec<_>>());
        lines = rest;
    }
    if lines.len() != n || titles.as_ref().is_some_and(|titles| titles.len() != n) {
        let problem = format!("{n} rows and names must follow, but there are {} rows", lines.len());
        return Err(source.fail(first.number, &problem));
    }
    source.allow(n)?;
    let is_named = flags.iter().any(|flag| ["labelled", "labeled", "row_labels"].contains(flag));
    let (mut names, mut values) = (Vec::new(), vec![0.0; n * n]);
    for (i, line) in lines.iter().enumerate() {
        let mut cells: Vec<&str> = line.text.trim().split('\t').map(str::trim).collect();
        if is_named {
            names.push(cells.remove(0).to_owned());
        } else if cells == [""] {
            cells.clear();
        }
        let fewest = i + usize::from(source.reading.given == Given::Similarities);
        if !(fewest..=n).contains(&cells.len()) {
            let problem = format!("the row must have {fewest} to {n} numbers, but has {}", cells.len());
            return Err(source.fail(line.number, &problem));
        }
        for (j, cell) in cells.iter().enumerate().take(i + 1) {
            let Some(value) = source.number(cell) else {
                let problem =
                    format!("every distance must be a finite number, but one is `{}`", excerpt(cell));
                return Err(source.fail(line.number, &problem));
            };
            (values[i * n + j], values[j * n + i]) = (value, value);
        }
    }
    let names = if is_named { Some(names) } else { titles };
    Ok(Some(Matrix { n, names, values, form: "a matrix of Orange" }))
}
