//! Numbers with separators between thousands, and with percent signs: in columns that have one format.

use embedding::Error;

use super::cells::excerpt;
use super::reading::{Reading, Thousands};
use super::text_columns::Columns;

/// How all numbers of a column are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NumberFormat {
    thousands: Option<Thousands>,
    percent: bool,
}

/// What the cells of a column show about one sign between thousands.
#[derive(Clone, Copy)]
struct Evidence {
    sign: Thousands,
    /// Whether all numbers so far may have this sign between thousands.
    fits: bool,
    /// Whether some have it.
    seen: bool,
    /// Whether it cannot be a decimal sign.
    sure: bool,
}

/// What the cells of a column show.
struct Look {
    evidence: [Evidence; SIGNS.len()],
    percents: usize,
    cells: usize,
}

const SIGNS: [Thousands; 5] =
    [Thousands::Comma, Thousands::Point, Thousands::Space, Thousands::Apostrophe, Thousands::Underscore];

impl Thousands {
    fn is(self, sign: char) -> bool {
        match self {
            Self::Comma => sign == ',',
            Self::Point => sign == '.',
            Self::Space => [' ', '\u{a0}', '\u{202f}', '\u{2009}'].contains(&sign),
            Self::Apostrophe => ['\'', '\u{2019}'].contains(&sign),
            Self::Underscore => sign == '_',
        }
    }

    /// A number without this sign between its thousands, with the decimal sign that it has; `None` where the
    /// groups have other than three digits.
    pub(super) fn without(self, cell: &str, decimal: char) -> Option<String> {
        let (minus, unsigned) = match cell.strip_prefix('-') {
            Some(rest) => ("-", rest),
            None => ("", cell.strip_prefix('+').unwrap_or(cell)),
        };
        let (whole, rest) = match unsigned.split_once(decimal) {
            Some((whole, rest)) if !self.is(decimal) => (whole, Some(rest)),
            _ => (unsigned, None),
        };
        let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let mut groups = whole.split(|sign| self.is(sign));
        let first = groups.next().filter(|first| digits(first) && first.len() <= 3)?;
        let mut found = format!("{minus}{first}");
        for group in groups {
            if group.len() != 3 || !digits(group) {
                return None;
            }
            found.push_str(group);
        }
        if let Some(rest) = rest {
            if !digits(rest) {
                return None;
            }
            found.push(decimal);
            found.push_str(rest);
        }
        Some(found)
    }
}

impl Reading {
    fn decimal(&self) -> char {
        if self.decimal_comma { ',' } else { '.' }
    }

    /// Whether a cell has the sign between thousands that the options name.
    pub(super) fn has_thousands(&self, cell: &str) -> bool {
        self.thousands.is_some_and(|sign| cell.contains(|c| sign.is(c)))
    }

    /// A cell without the signs between thousands that the options name.
    pub(super) fn ungrouped(&self, cell: &str) -> Option<String> {
        self.thousands.filter(|_| self.has_thousands(cell))?.without(cell, self.decimal())
    }
}

impl NumberFormat {
    /// The cell as a plain number.
    pub(super) fn plain(self, cell: &str, reading: &Reading) -> Option<String> {
        let cell = if self.percent { cell.strip_suffix('%')?.trim_end() } else { cell };
        match self.thousands {
            Some(sign) => sign.without(cell, reading.decimal()),
            None => Some(cell.to_owned()),
        }
    }
}

impl Look {
    fn new(reading: &Reading) -> Self {
        let evidence = SIGNS.map(|sign| Evidence {
            sign,
            fits: !sign.is(reading.decimal()) || sign == Thousands::Point,
            seen: false,
            sure: !matches!(sign, Thousands::Comma | Thousands::Point)
                || sign == Thousands::Point && reading.decimal_comma,
        });
        Self { evidence, percents: 0, cells: 0 }
    }

    fn see(&mut self, cell: &str, reading: &Reading) {
        let number = cell.strip_suffix('%').map(str::trim_end);
        self.percents += usize::from(number.is_some());
        self.cells += 1;
        let number = number.unwrap_or(cell);
        for Evidence { sign, fits, seen, sure } in &mut self.evidence {
            let groups = number.chars().filter(|c| sign.is(*c)).count();
            *fits = *fits && sign.without(number, reading.decimal()).is_some();
            *seen |= groups > 0;
            *sure |= groups > 1 || *sign == Thousands::Comma && number.contains('.');
        }
    }

    /// The one format of the column; `None` where its numbers are plain, differ, or have two meanings.
    fn format(&self, reading: &Reading) -> Option<NumberFormat> {
        let percent = self.percents > 0 && self.percents == self.cells;
        // A point that may be decimal leaves a plain number.
        let is_plain = |of: &Evidence| of.sign == Thousands::Point && !of.sure;
        let seen = |evidence: &&Evidence| evidence.seen && evidence.fits && !is_plain(evidence);
        let found = self.evidence.iter().find(seen).filter(|_| reading.thousands.is_none());
        let thousands = found.filter(|evidence| evidence.sure).map(|evidence| evidence.sign);
        let is_doubtful = found.is_some() && thousands.is_none();
        (!is_doubtful && (percent || thousands.is_some())).then_some(NumberFormat { thousands, percent })
    }
}

impl Columns<'_> {
    /// The format of each column of numbers that has one throughout; empty where there is none.
    pub(super) fn number_formats(&self) -> Result<Vec<Option<NumberFormat>>, Error> {
        let mut looks: Vec<Look> = (0..self.width).map(|_| Look::new(self.reading)).collect();
        let (mut cells, mut at, mut is_header) = (self.start.again(), 0, self.names.is_some());
        while let Some(cell) = cells.next()? {
            if let Some(look) =
                looks.get_mut(at).filter(|_| !is_header && !self.reading.is_missing(cell.text))
            {
                look.see(cell.text, self.reading);
            }
            at += 1;
            if cell.ends_row {
                (at, is_header) = (0, false);
            }
        }
        let is_used =
            |column: &usize| self.kept.binary_search(column).is_ok() || self.colors.contains(column);
        let formats: Vec<Option<NumberFormat>> = looks
            .iter()
            .enumerate()
            .map(|(column, look)| look.format(self.reading).filter(|_| is_used(&column)))
            .collect();
        Ok(if formats.iter().any(Option::is_some) { formats } else { Vec::new() })
    }

    /// The number of a cell of this column, and the cell without the signs of its format.
    pub(super) fn number_of(&self, cell: &str, column: usize) -> (Option<f64>, Option<String>) {
        let plain = match self.formats.get(column).copied().flatten() {
            Some(format) => format.plain(cell, self.reading),
            None => self.reading.ungrouped(cell),
        };
        (self.reading.number(plain.as_deref().unwrap_or(cell)), plain)
    }

    /// Notes on the signs that were left out.
    pub(super) fn format_notes(&self) -> Vec<String> {
        let columns = |is: &dyn Fn(&NumberFormat) -> bool| {
            let found = (0..).zip(&self.formats).filter(|(_, format)| format.as_ref().is_some_and(is));
            let shown = |(column, _): (usize, _)| match self.name(column) {
                Some(name) if !name.is_empty() => format!("{column} `{}`", excerpt(name)),
                _ => column.to_string(),
            };
            found.map(shown).collect::<Vec<_>>()
        };
        let note = |what: &str, columns: Vec<String>| {
            let more = if columns.len() > LISTED { ", …" } else { "" };
            let list = columns[..columns.len().min(LISTED)].join(", ");
            (!columns.is_empty()).then(|| {
                format!("the {what} of the numbers of column {list}{more} (counted from 0) were left out")
            })
        };
        let thousands = note("separators between thousands", columns(&|format| format.thousands.is_some()));
        let percents = note("percent signs", columns(&|format| format.percent));
        thousands.into_iter().chain(percents).collect()
    }
}

/// Most columns that a note lists.
const LISTED: usize = 10;
