//! Triangles of distances, and matrices with the names of their points.

use embedding::Error;

use super::distances::{Line, Matrix, Shape, Source};
use super::reading::Given;

/// The rows below a header, and the names of points in it and in the first column.
struct Rows<'a, 's> {
    source: &'s Source<'a>,
    lines: &'s [Line<'a>],
    header: Option<Vec<&'a str>>,
    is_named: bool,
}

/// The matrices that a text may be: more than one where its diagonal is in doubt.
pub(super) fn read(source: &Source<'_>) -> Result<Option<Matrix>, Error> {
    if let Some(matrix) = of_r(source)? {
        return Ok(Some(matrix));
    }
    let Some(rows) = Rows::of(source) else { return Ok(None) };
    for shape in Shape::all(source.reading.given) {
        // A matrix of numbers alone is a table.
        if shape == Shape::Square && !rows.is_named {
            continue;
        }
        if let Some(matrix) = rows.read(shape)? {
            return Ok(Some(matrix));
        }
    }
    Ok(None)
}

impl<'a, 's> Rows<'a, 's> {
    fn of(source: &'s Source<'a>) -> Option<Self> {
        let (first, others) = source.lines.split_first()?;
        let (head, next) = (source.cells(*first), source.cells(*others.first()?));
        let is_name = |cell: &&str| source.number(cell).is_none();
        let begins = |name: Option<&&str>| name.is_some() && name == next.first();
        let is_header = head.len() > 1 && head.iter().all(is_name)
            // Names that are numbers are above and before the numbers.
            || head.len() > 1 && next.len() > 1 && (begins(head.get(1)) && is_name(&head[0]));
        let (header, lines) = if is_header { (Some(head), others) } else { (None, &source.lines[..]) };
        let firsts: Vec<Option<&str>> =
            lines.iter().map(|line| source.cells(*line).first().copied()).collect();
        let names = header.as_deref().unwrap_or_default();
        let named_by = |names: &[&'a str]| firsts.iter().copied().eq(names.iter().copied().map(Some));
        let is_named = named_by(names)
            || names.len() > 1 && named_by(&names[1..])
            || firsts.iter().all(|cell| cell.is_some_and(|cell| is_name(&cell)));
        Some(Self { source, lines, header, is_named })
    }

    /// The cells of a line behind its name and behind empty cells.
    fn numbers(&self, line: Line<'a>) -> Vec<&'a str> {
        let mut cells = self.source.cells(line);
        cells.drain(..usize::from(self.is_named).min(cells.len()));
        cells.split_off(cells.iter().take_while(|cell| cell.is_empty()).count())
    }

    fn read(&self, shape: Shape) -> Result<Option<Matrix>, Error> {
        let given = self.source.reading.given;
        // Without names, the row or the column of a point without entries is no line.
        let without = !self.is_named
            && matches!(shape, Shape::Lower { diagonal: false } | Shape::Upper { diagonal: false });
        let n = self.lines.len() + usize::from(without);
        let shift = usize::from(without && shape == Shape::Lower { diagonal: false });
        if self.lines.len() < 2 {
            return Ok(None);
        }
        // Only rows that all have this shape need memory.
        let has_shape = |(i, line): (usize, &Line<'a>)| self.numbers(*line).len() == shape.count(i, n);
        if !(shift..).zip(self.lines).all(has_shape) {
            return Ok(None);
        }
        self.source.allow(n)?;
        let (mut names, mut entries) = (Vec::new(), Vec::new());
        for line in self.lines {
            for cell in self.numbers(*line) {
                let Some(number) = self.source.number(cell) else { return Ok(None) };
                entries.push(number);
            }
            if self.is_named {
                names.extend(self.source.cells(*line).first().map(|name| (*name).to_owned()));
            }
        }
        let values = shape.square(n, &entries);
        if shape != Shape::Square && !shape.takes_diagonal(n, &values, given) {
            return Ok(None);
        }
        let titles = self.header.as_ref().map(|names| &names[names.len().saturating_sub(n)..]);
        let titles = titles.filter(|titles| titles.len() == n);
        let of_header = || titles.map(|titles| titles.iter().map(|name| (*name).to_owned()).collect());
        let names = if self.is_named { Some(names) } else { of_header() };
        // Columns of other names are no distances between the points of the rows.
        if let (Some(titles), Some(names), true) = (titles, &names, self.is_named)
            && titles != names
        {
            return Ok(None);
        }
        Ok(Some(Matrix { n, names, values, form: shape.form() }))
    }
}

/// The lower triangle as R prints it: names of all points but the last above, of all but the first before it.
fn of_r(source: &Source<'_>) -> Result<Option<Matrix>, Error> {
    let Some((first, lines)) = source.lines.split_first() else { return Ok(None) };
    let (head, n) = (source.cells(*first), lines.len() + 1);
    if head.len() != lines.len() || n < 3 || source.reading.given == Given::Similarities {
        return Ok(None);
    }
    let mut names = vec![head[0].to_owned()];
    let mut entries = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let cells = source.cells(*line);
        if cells.len() != i + 2 || head.get(i + 1).is_some_and(|name| *name != cells[0]) {
            return Ok(None);
        }
        for cell in &cells[1..] {
            let Some(number) = source.number(cell) else { return Ok(None) };
            entries.push(number);
        }
        names.push(cells[0].to_owned());
    }
    source.allow(n)?;
    let shape = Shape::Lower { diagonal: false };
    Ok(Some(Matrix { n, names: Some(names), values: shape.square(n, &entries), form: shape.form() }))
}
