//! How the numbers of columns are written, which may show that they are meant otherwise.

use super::cells::excerpt;
use super::text_columns::Columns;

/// How the numbers of each coordinate are written.
pub(super) struct Looks {
    kinds: Vec<Kind>,
    /// One per column if points of the file may group thousands; otherwise empty.
    columns: Vec<Look>,
}

/// The type of the cells of a column that are not missing.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// There was no such cell yet.
    Unknown,
    Numbers,
    /// `true` and `false`.
    Truths,
    Dates,
}

/// How the numbers of one column are written.
#[derive(Clone, Copy, Default)]
struct Look {
    /// The first number that may have a point between thousands.
    first: f64,
    /// How many such numbers there are.
    grouped: u32,
    /// Whether there are whole numbers below 1,000.
    whole: bool,
    /// Whether there are numbers that no program writes that groups thousands: 0.5, 12.25, 1200.
    other: bool,
}

/// Number of rows from which on a column whose numbers all have three decimals is reported.
const FEW: u32 = 3;

impl Looks {
    /// Prepares `columns` columns; `may_group` states whether points of the file may group thousands.
    pub(super) fn new(columns: usize, may_group: bool) -> Self {
        let kinds = vec![Kind::Unknown; columns];
        Self { kinds, columns: if may_group { vec![Look::default(); columns] } else { Vec::new() } }
    }

    /// Memory for this number of columns, in bytes.
    pub(super) const fn bytes(columns: usize, may_group: bool) -> u64 {
        let look = if may_group { size_of::<Look>() } else { 0 };
        ((look + size_of::<Kind>()) * columns) as u64
    }

    /// Takes a number of a coordinate; false where its other cells are truth values.
    pub(super) fn takes_number(&mut self, coordinate: usize) -> bool {
        self.takes(coordinate, Kind::Numbers)
    }

    /// Takes a truth value of a coordinate; false where its other cells are numbers.
    pub(super) fn takes_truth(&mut self, coordinate: usize) -> bool {
        self.takes(coordinate, Kind::Truths)
    }

    fn takes(&mut self, coordinate: usize, kind: Kind) -> bool {
        let found = &mut self.kinds[coordinate];
        if *found == Kind::Unknown {
            *found = kind;
        }
        *found == kind
    }

    /// Takes a date of a coordinate; false where its other cells are numbers or truth values.
    pub(super) fn takes_date(&mut self, coordinate: usize) -> bool {
        self.takes(coordinate, Kind::Dates)
    }

    /// What the cells of a coordinate are so far.
    pub(super) fn others(&self, coordinate: usize) -> &'static str {
        match self.kinds[coordinate] {
            Kind::Unknown | Kind::Numbers => "numbers",
            Kind::Truths => "true or false",
            Kind::Dates => "dates",
        }
    }

    /// Notes where truth values or dates were read as numbers.
    pub(super) fn converted(&self, columns: &Columns<'_>) -> impl Iterator<Item = String> {
        let kinds =
            [(Kind::Truths, "true and false", "1 and 0"), (Kind::Dates, "dates", "days since 1970-01-01")];
        kinds.into_iter().filter_map(|(wanted, what, numbers)| {
            let found = self.kinds.iter().zip(&columns.kept).filter(|(kind, _)| **kind == wanted);
            let place = place(found.map(|(_, column)| *column), columns)?;
            Some(format!("{what} in {place} were read as {numbers}"))
        })
    }

    /// Records how a cell of a coordinate is written.
    pub(super) fn see(&mut self, coordinate: usize, cell: &str) {
        let Some(look) = self.columns.get_mut(coordinate) else { return };
        let Ok(value) = cell.parse::<f64>() else { return };
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let short = |part: &str| (1..=3).contains(&part.len()) && digits(part);
        let unsigned = cell.strip_prefix(['-', '+']).unwrap_or(cell);
        match unsigned.split_once('.') {
            None if short(unsigned) => look.whole = true,
            Some((thousands, rest))
                if short(thousands) && !thousands.starts_with('0') && rest.len() == 3 && digits(rest) =>
            {
                if look.grouped == 0 {
                    look.first = value;
                }
                look.grouped += 1;
            }
            _ => look.other = true,
        }
    }

    /// A warning where the points may stand between thousands.
    pub(super) fn grouped(&self, columns: &Columns<'_>) -> Option<String> {
        let grouped = |look: &Look| !look.other && (look.grouped >= FEW || look.grouped > 0 && look.whole);
        let found = || self.columns.iter().zip(&columns.kept).filter(|(look, _)| grouped(look));
        let (look, _) = found().next()?;
        let place = place(found().map(|(_, column)| *column), columns)?;
        Some(format!(
            "in {place} every number with a point has three digits after it, such as {:.3}, which was read as a fraction, not as {:.0}; if the points group thousands, export the file without them",
            look.first,
            1000.0 * look.first
        ))
    }
}

/// The first of the columns found, and how many more were found; `None` without any.
fn place(mut found: impl Iterator<Item = usize>, columns: &Columns<'_>) -> Option<String> {
    let column = found.next()?;
    let name = columns.name(column).map(|name| format!(" `{}`", excerpt(name))).unwrap_or_default();
    let more = match found.count() {
        0 => String::new(),
        1 => " and in one more column".to_owned(),
        count => format!(" and in {count} more columns"),
    };
    Some(format!("column {column}{name} (counted from 0){more}"))
}
