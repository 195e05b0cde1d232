//! Cells that are not numbers: what they look like, and what to write instead.

use super::cells::has_decimal_comma;
use embedding::Remedy;

use super::errors::Problem;
use super::missing::HINT;

/// The value of `true` and `false`, in any case of letters.
pub(super) fn truth(cell: &str) -> Option<bool> {
    [("true", true), ("false", false)]
        .into_iter()
        .find(|(word, _)| cell.eq_ignore_ascii_case(word))
        .map(|(_, value)| value)
}

/// What a cell looks like, with what to try.
pub(super) enum Look {
    /// It is a number that is written otherwise.
    Number(Hint),
    /// It may be a number.
    Perhaps(Hint),
}

/// What to try with a cell that is not a number.
pub(super) struct Hint {
    /// What was seen, in addition to the problem.
    pub(super) seen: Option<String>,
    pub(super) advice: String,
    pub(super) remedy: Option<Remedy>,
}

impl Hint {
    /// Advice that needs no option of reading.
    pub(super) fn plain(seen: String, advice: impl Into<String>) -> Self {
        Self { seen: Some(seen), advice: advice.into(), remedy: None }
    }

    /// The problem with the cell, with this advice.
    pub(super) fn after(self, problem: String) -> Problem {
        let Self { seen, advice, remedy } = self;
        let what = seen.map_or_else(|| problem.clone(), |seen| format!("{problem}; {seen}"));
        Problem::new(what, advice, remedy)
    }
}

/// The decimal sign of the numbers of a file.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Decimal {
    /// A point: commas separate cells.
    Point,
    /// A point, unless an option declares a comma.
    Either,
    /// A comma.
    Comma,
}

/// The advice on a cell of a file with this decimal sign; `None` where it looks like a word.
pub(super) fn advice(cell: &str, sign: Decimal) -> Option<Look> {
    if let Some(hint) = of_number(cell, sign) {
        return Some(Look::Number(hint));
    }
    let seen = format!("it looks like a number with a unit, `{}`", unit(cell)?);
    Some(Look::Perhaps(Hint::plain(seen, "write the number alone")))
}

fn of_number(cell: &str, sign: Decimal) -> Option<Hint> {
    let (cell, minus) = with_minus(cell);
    if let Some(minus) = minus
        && cell.parse::<f64>().is_ok()
    {
        let code = u32::from(minus);
        let seen = format!("its minus sign is another character (U+{code:04X})");
        return Some(Hint::plain(seen, "replace it by `-`"));
    }
    if truth(&cell).is_some() {
        return Some(Hint::plain("it looks like a truth value among numbers".to_owned(), "write 1 or 0"));
    }
    if has_decimal_comma(&cell) && sign != Decimal::Comma {
        let thousands = match without_separators(&cell) {
            Some(_) if !cell.contains('.') => "; if the commas separate thousands, say --thousands comma",
            Some(_) | None => "",
        };
        let (advice, remedy) = match sign {
            Decimal::Either => (
                ": if the numbers of the file have decimal commas, say --decimal-comma",
                Some(Remedy::Reading),
            ),
            _ => (", not a comma: export the file so, or replace the commas", None),
        };
        let advice = format!("numbers must have a decimal point{advice}{thousands}");
        return Some(Hint { seen: None, advice, remedy });
    }
    if let Some(plain) = without_separators(&cell) {
        let plain = if sign == Decimal::Comma { plain.replace('.', ",") } else { plain };
        let seen = "it looks like a number with separators between thousands".to_owned();
        return Some(Hint::plain(seen, format!("write it without them: {plain}")));
    }
    let bounded = cell.trim_start_matches(['<', '>', '=', '≤', '≥', '~', '≈']);
    if bounded.len() < cell.len() && is_value(bounded.trim()) {
        return Some(Hint {
            seen: Some("it looks like a bound, not a value".to_owned()),
            advice: format!("write a number, or make such cells empty and {HINT}"),
            remedy: Some(Remedy::MissingValues),
        });
    }
    None
}

/// A cell whose first sign is `-`, and the sign that it replaces.
fn with_minus(cell: &str) -> (String, Option<char>) {
    let other = cell.chars().next().filter(|sign| "−‐‑‒–—﹣－".contains(*sign));
    match other {
        Some(sign) => (format!("-{}", &cell[sign.len_utf8()..]), Some(sign)),
        None => (cell.to_owned(), None),
    }
}

/// A number without the separators of its thousands; `None` where it has none.
pub(super) fn without_separators(cell: &str) -> Option<String> {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let (sign, unsigned) = match cell.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", cell.strip_prefix('+').unwrap_or(cell)),
    };
    let separator = unsigned.chars().find(|c| !c.is_ascii_digit())?;
    if !",.'’_ \u{a0}\u{202f}\u{2009}".contains(separator) {
        return None;
    }
    // After the last separator a different decimal sign may follow.
    let decimal = unsigned.rfind(['.', ',']).filter(|&at| !unsigned[at..].starts_with(separator));
    let (whole, rest) = decimal.map_or((unsigned, ""), |at| unsigned.split_at(at));
    let groups: Vec<&str> = whole.split(separator).collect();
    let grouped = groups.len() > 1
        && groups[0].len() <= 3
        && groups.iter().all(|group| digits(group))
        && groups[1..].iter().all(|group| group.len() == 3);
    let rest = rest.get(1..).unwrap_or_default();
    match (grouped, rest) {
        (true, "") => Some(format!("{sign}{}", groups.concat())),
        (true, rest) if digits(rest) => Some(format!("{sign}{}.{rest}", groups.concat())),
        _ => None,
    }
}

/// Whether a cell is a number, however it is written.
fn is_value(cell: &str) -> bool {
    cell.parse::<f64>().is_ok() || has_decimal_comma(cell) || without_separators(cell).is_some()
}

/// Most characters of a unit.
const UNIT: usize = 5;

/// The unit next to a number: the text after it or, if it is a sign such as `$`, before it.
fn unit(cell: &str) -> Option<&str> {
    let of_number = |c: char| c.is_ascii_digit() || "+-.,' \u{a0}\u{202f}".contains(c);
    let end = cell.find(|c| !of_number(c))?;
    let (number, behind) = cell.split_at(end);
    if end == 0 {
        let start = cell.find(|c| of_number(c) && c != ' ')?;
        let (before, number) = cell.split_at(start);
        let sign = before.trim();
        let short = sign.chars().count() == 1 && "$€£¥₹₽₩¢".contains(sign);
        return (short && is_value(number.trim())).then_some(sign);
    }
    let unit = |c: char| !c.is_whitespace() && !c.is_ascii_digit();
    (behind.chars().count() <= UNIT && behind.chars().all(unit) && is_value(number.trim())).then_some(behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separators_between_thousands_are_left_out() {
        for (cell, plain) in [
            ("1,606.64", "1606.64"),
            ("1.606.640", "1606640"),
            ("-1 000", "-1000"),
            ("12'345,5", "12345.5"),
            ("1\u{202f}000\u{202f}000", "1000000"),
        ] {
            assert_eq!(without_separators(cell).as_deref(), Some(plain), "{cell}");
        }
        for cell in ["1.5", "12,34", "1.606.64", "2020-01-01", "1,606.64.1", "12 5", "", "x", "1,", ",123"] {
            assert_eq!(without_separators(cell), None, "{cell}");
        }
    }

    #[test]
    fn units_are_short_and_beside_a_number() {
        for (cell, found) in
            [("449.61 €", "€"), ("5%", "%"), ("1,5 kg", "kg"), ("$1,000", "$"), ("20 °C", "°C")]
        {
            assert_eq!(unit(cell), Some(found), "{cell}");
        }
        for cell in ["setosa", "A12", "12:30", "3 little pigs", "2020-01-01", "#1", "-", "kg"] {
            assert_eq!(unit(cell), None, "{cell}");
        }
    }
}
