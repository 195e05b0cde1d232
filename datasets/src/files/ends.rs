//! Separators behind the last cell of rows, and rows of separators alone at the end, as spreadsheets write
//! them.

use super::layout::Lines;

/// What a table has behind its cells.
pub(super) struct Ends {
    delimiter: char,
    /// The line of the first row, counted from 0.
    first: usize,
    /// Separators that are left out at the end of the first row, and of every other row.
    more: [usize; 2],
    /// The first line of rows without cells at the end.
    empty: usize,
    /// How many such rows there are.
    rows: usize,
}

/// The separators at the ends of rows and the empty rows at the end; `None` where nothing is to be left out.
/// `without` states which lines are no rows. Empty rows stay where rows with missing values are left out
/// (`drops`): a file of labels may have a line for each.
pub(super) fn of(text: &str, delimiter: u8, drops: bool, without: impl Fn(usize) -> bool) -> Option<Ends> {
    let delimiter = char::from(delimiter);
    let behind = |line: &str| {
        let line = line.trim_end_matches([' ', '\r']);
        line.len() - line.trim_end_matches(delimiter).len()
    };
    let is_empty = |line: &str| line.trim_matches([delimiter, ' ', '\t']).is_empty();
    let kept = || {
        let numbered = Lines(text).map(|(line, _)| line).enumerate();
        numbered.filter(|(number, line)| !without(*number) && !line.trim_matches(' ').is_empty())
    };
    let (first, head) = kept().next()?;
    // The first two rows and the last one show whether the others are looked at.
    let last = text.trim_end_matches(['\n', '\r', ' ']).rsplit(['\n', '\r']).next().unwrap_or_default();
    if kept().take(2).all(|(_, line)| behind(line) < 2) && !is_empty(last) {
        return None;
    }
    let width = |line: &str| line.matches(delimiter).count();
    let (mut empty, mut rows, mut fewest, mut count) = (first + 1, 0, usize::MAX, 0);
    let (mut width_of_rows, mut is_even) = (0, true);
    for (number, line) in kept().skip(1) {
        if is_empty(line) {
            (rows, empty) = (rows + 1, if rows == 0 { number } else { empty });
            continue;
        }
        is_even = is_even && (count == 0 || width(line) == width_of_rows);
        (rows, fewest, count, width_of_rows) = (0, fewest.min(behind(line)), count + 1, width(line));
    }
    // In a column alone, an empty row is a missing value.
    let is_column = !head.contains(delimiter);
    let rows = if is_column || drops || count == 0 { 0 } else { rows };
    // One separator more than the header has is an empty column, which the reader knows; a quote may end
    // on another line.
    let (wide, above) = (width(head), behind(head));
    let is_plain = count > 0 && is_even && !text.contains('"');
    let more = match width_of_rows {
        width if is_plain && width > wide + 1 && fewest >= width - wide => [0, width - wide],
        width if is_plain && width < wide && above >= wide - width => [wide - width, 0],
        _ => [0, 0],
    };
    (rows > 0 || more != [0, 0]).then_some(Ends { delimiter, first, more, empty, rows })
}

impl Ends {
    /// A line without what is left out.
    pub(super) fn without<'a>(&self, number: usize, line: &'a str) -> &'a str {
        if self.rows > 0 && number >= self.empty {
            return "";
        }
        let count = self.more[usize::from(number != self.first)];
        let mut line = line;
        for _ in 0..count {
            line = line.trim_end_matches([' ', '\r']);
            line = line.strip_suffix(self.delimiter).unwrap_or(line);
        }
        line
    }

    pub(super) fn note(&self) -> String {
        let of_rows = match self.rows {
            0 => None,
            1 => Some("an empty row at the end was left out".to_owned()),
            rows => Some(format!("{rows} empty rows at the end were left out")),
        };
        let separators =
            (self.more != [0, 0]).then(|| "separators at the ends of rows were left out".to_owned());
        of_rows.into_iter().chain(separators).collect::<Vec<_>>().join("; ")
    }
}
