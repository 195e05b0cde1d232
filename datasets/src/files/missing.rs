//! Which cells count as missing values, and the advice on them.

use embedding::Remedy;

use super::errors::Problem;
use super::reading::Reading;

/// The advice on missing values.
pub(super) const HINT: &str =
    "leave out such rows (--missing drop) or fill in the mean of the column (--missing mean)";

/// The advice on missing labels, which have no mean.
const LABEL_HINT: &str = "leave out such rows (--missing drop), or name the word that stands for an unknown class (--unknown-label, of commands that read classes for a fit or a measure)";

/// The advice on a cell of text: how to declare it missing, and what to do then.
pub(super) fn option_for(cell: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || ['-', '_', '.', '/'].contains(&c);
    let typed = if cell.chars().all(plain) { cell.to_owned() } else { format!("'{cell}'") };
    // Commas separate values of the option.
    match cell.contains([',', '\'']) || cell.len() > LONGEST {
        true => format!("make such cells empty, and {HINT}"),
        false => format!("say so (--missing-values {typed}), and {HINT}"),
    }
}

/// Longest word, in bytes, that is repeated as the value of an option.
const LONGEST: usize = 20;

/// Words that always stand for a missing value.
const WORDS: [&str; 8] = ["", "na", "n/a", "nan", "null", "none", "?", "."];

/// Whole numbers from here on are no positions of categories; below, all sums with such are exact.
const MOST_POSITIONS: f64 = (1_u64 << 52) as f64;

impl Reading {
    /// Whether the cell of a coordinate stands for a missing value.
    pub(super) fn is_missing(&self, cell: &str) -> bool {
        self.is_word_for_missing(cell)
            || !self.missing_values.is_empty()
                && self
                    .number(cell)
                    .is_some_and(|value| self.numbers_for_missing().any(|number| number == value))
    }

    /// The number that a cell is.
    pub(super) fn number(&self, cell: &str) -> Option<f64> {
        if self.has_thousands(cell) {
            return self.ungrouped(cell)?.replacen(',', ".", 1).parse().ok();
        }
        if !self.decimal_comma {
            return cell.parse().ok();
        }
        // A point may group thousands.
        if cell.contains('.') { None } else { cell.replacen(',', ".", 1).parse().ok() }
    }

    fn is_word_for_missing(&self, cell: &str) -> bool {
        let words = self.missing_values.iter().map(|word| word.trim());
        WORDS.into_iter().chain(words).any(|word| cell.eq_ignore_ascii_case(word))
    }

    /// The numbers among [`Reading::missing_values`].
    fn numbers_for_missing(&self) -> impl Iterator<Item = f64> {
        self.missing_values.iter().filter_map(|word| word.trim().parse().ok())
    }

    /// A whole number above all numbers that stand for missing values, but for numbers above every position of a
    /// category.
    pub(super) fn above_missing(&self) -> usize {
        let may_be_position = |number: &f64| (0.0..MOST_POSITIONS).contains(number);
        let above = self.numbers_for_missing().filter(may_be_position).map(|number| number as usize + 1);
        above.max().unwrap_or(0)
    }

    /// The numbers that stand for missing values in an array, in either precision.
    pub(super) fn missing_in_arrays(&self) -> Vec<f64> {
        self.numbers_for_missing().flat_map(|number| [number, f64::from(number as f32)]).collect()
    }

    /// Whether a cell of the label column holds no label. Numbers are classes there.
    pub(super) fn lacks_label(&self, cell: &str) -> bool {
        self.is_word_for_missing(cell)
            && !cell.parse::<f64>().is_ok_and(f64::is_finite)
            && self.unknown_label.as_deref() != Some(cell)
    }
}

/// The problem with a row without a label, with advice.
pub(super) fn no_label(what: String) -> Problem {
    Problem::new(what, LABEL_HINT, Remedy::MissingValues)
}

/// The problem with a value that is no finite number.
pub(super) fn not_finite(row: usize, column: usize, name: Option<&str>, value: f64) -> Problem {
    let name = name.map(|name| format!(" `{name}`")).unwrap_or_default();
    let must = if value.is_finite() { "there" } else { "finite" };
    let what = format!(
        "every value must be {must}, but row {row}, column {column}{name} (counted from 0) is {value}"
    );
    if value.is_infinite() {
        return Problem::new(what, "remove or replace it", None);
    }
    Problem::new(what, HINT, Remedy::MissingValues)
}
