//! Which columns of a file are coordinates.

use std::collections::BTreeMap;

use embedding::Remedy;

use super::errors::Problem;
use super::missing::not_finite;
use super::raw::{LABEL, NAME, Raw, unnamed};
use super::reading::Reading;
use crate::suggestion::one_of;
use crate::{Quantity, RowNames};

/// The columns of a file by their use.
#[derive(Debug)]
pub(super) struct Chosen {
    /// Coordinates.
    pub(super) kept: Vec<usize>,
    /// A class per row.
    pub(super) label: Option<usize>,
    /// Numbers that are no coordinates, in the order of the request.
    pub(super) colors: Vec<usize>,
    /// A name per row.
    pub(super) name: Option<usize>,
    /// Columns of any use whose cells are kept as text.
    pub(super) carried: Vec<usize>,
    /// Columns that are ignored by request.
    pub(super) ignored: Vec<usize>,
    /// Columns that are not among the requested coordinates.
    pub(super) unwanted: Vec<usize>,
}

/// Chooses as coordinates all columns without another use that are not in `without`, whose columns are no part
/// of the table.
pub(super) fn choose(
    names: Option<&[String]>,
    width: usize,
    without: &[usize],
    reading: &Reading,
) -> Result<Chosen, Problem> {
    let find = |option: &str, which: &String| {
        find(which, names, width).map_err(|problem| {
            let what = format!("--{option} {which}: {}", problem.what);
            Problem { what, ..problem }
        })
    };
    let label = reading.label_column.as_ref().map(|which| find("label-column", which)).transpose()?;
    let name = reading.name_column.as_ref().map(|which| find("name-column", which)).transpose()?;
    let all = |option: &str, which: &[String]| {
        which.iter().map(|which| find(option, which)).collect::<Result<Vec<usize>, _>>()
    };
    let target = reading.target_column.as_ref().map(|which| find("target-column", which)).transpose()?;
    let (colors, ignored) = (all("color-column", &reading.color_columns)?, all("ignore", &reading.ignore)?);
    let mut colors: Vec<usize> = target.into_iter().chain(colors).collect();
    // The weights are read as the last color.
    if let Some(weights) = &reading.weight_column {
        colors.push(find("weight-column", weights)?);
    }
    let carried = all("with", &reading.carried)?;
    let mut kept = Vec::with_capacity(width);
    let left_out = |column: usize| {
        [&ignored[..], &colors, without].iter().any(|columns| columns.contains(&column))
            || [label, name].contains(&Some(column))
    };
    kept.extend((0..width).filter(|column| !left_out(*column)));
    let unwanted = match names.and_then(|names| Some((names, wanted(&reading.coordinates, names)?))) {
        Some((names, wanted)) => {
            kept.extract_if(.., |column| !wanted.contains_key(names[*column].as_str())).collect()
        }
        None => Vec::new(),
    };
    if kept.is_empty() {
        let what = format!("no coordinate is left of the {width} columns");
        return Err(Problem::new(what, "give fewer of them another use", None));
    }
    let label = label.filter(|_| !reading.without_labels);
    Ok(Chosen { kept, label, colors, name, carried, ignored, unwanted })
}

/// Leaves out the columns of an array that are no coordinates.
pub(super) fn choose_in_array(raw: &mut Raw, reading: &Reading) -> Result<(), Problem> {
    if !reading.names_columns() {
        return Ok(());
    }
    let chosen = choose(None, raw.width, &[], reading)?;
    let words = |column: usize| {
        let cell = |row: &[f64]| if row[column].is_nan() { String::new() } else { row[column].to_string() };
        raw.values.chunks_exact(raw.width).map(cell).collect()
    };
    raw.labels = chosen.label.map(|column| (LABEL.to_owned(), words(column)));
    raw.row_names = chosen.name.map(|column| RowNames { name: NAME.to_owned(), values: words(column) });
    let carried = |&column: &usize| RowNames { name: unnamed(column), values: words(column) };
    raw.carried = chosen.carried.iter().map(carried).collect();
    let numbers = |&column: &usize| {
        let missing = reading.missing_in_arrays();
        let cell =
            |row: &[f64]| Some(row[column]).filter(|value| !value.is_nan() && !missing.contains(value));
        let values: Vec<Option<f64>> = raw.values.chunks_exact(raw.width).map(cell).collect();
        match values.iter().position(|value| value.is_some_and(f64::is_infinite)) {
            Some(row) => Err(not_finite(row, column, None, raw.values[row * raw.width + column])),
            None => Ok(Quantity { name: unnamed(column), values }),
        }
    };
    raw.quantities = chosen.colors.iter().map(numbers).collect::<Result<_, _>>()?;
    let coordinates = |row: &[f64]| -> Vec<f64> { chosen.kept.iter().map(|&column| row[column]).collect() };
    raw.values = raw.values.chunks_exact(raw.width).flat_map(coordinates).collect();
    (raw.width, raw.sources, raw.images) = (chosen.kept.len(), chosen.kept, None);
    Ok(())
}

/// The requested coordinates, if there are any, they differ, and each is the name of exactly one column.
fn wanted<'a>(coordinates: &'a [String], names: &[String]) -> Option<BTreeMap<&'a str, usize>> {
    let mut count: BTreeMap<&str, usize> = coordinates.iter().map(|name| (name.as_str(), 0)).collect();
    for name in names {
        if let Some(count) = count.get_mut(name.as_str()) {
            *count += 1;
        }
    }
    let each_once = count.len() == coordinates.len() && count.values().all(|count| *count == 1);
    (each_once && !coordinates.is_empty()).then_some(count)
}

/// A column by name, else by number.
fn find(which: &str, names: Option<&[String]>, width: usize) -> Result<usize, Problem> {
    let which = which.trim();
    let named: Vec<usize> =
        names.map_or(Vec::new(), |names| (0..width).filter(|&column| names[column] == which).collect());
    match (&named[..], which.parse()) {
        (&[column], _) => Ok(column),
        ([first, second, ..], _) => {
            let what = format!("columns {first} and {second} both have this name");
            Err(Problem::new(what, "give the number instead", None))
        }
        ([], Ok(column)) if column < width => Ok(column),
        ([], _) => {
            let last = width - 1;
            let numbers = format!("a number from 0 to {last}");
            let expected = match names {
                Some(names) => {
                    let names: Vec<&str> = names.iter().map(String::as_str).collect();
                    format!("{}, or {numbers}", one_of(which, &names))
                }
                None => format!(
                    "{numbers}: the columns have no names; if the first row holds names, say --header yes"
                ),
            };
            // Commas separate the values of an option.
            let part = |name: &String| name.contains(',') && name.split(',').any(|part| part.trim() == which);
            let number = match names.is_some_and(|names| names.iter().any(part)) {
                true => "; a name with a comma is given by its number",
                false => "",
            };
            Err(Problem::new(
                "there is no such column".to_owned(),
                format!("it must be {expected}{number}"),
                Remedy::ExistingColumn,
            ))
        }
    }
}

/// How an option refers to a first column without a name: by its number, unless another column has this name.
pub(super) fn number_of_first(names: Option<&[String]>) -> &'static str {
    if names.is_some_and(|names| names.iter().any(|name| name == "0")) { "''" } else { "0" }
}

/// Names under which row numbers are stored.
const NUMBERING: [&str; 6] = ["id", "index", "idx", "row", "unnamed: 0", ""];

/// Names under which classes are stored.
const CLASSES: [&str; 7] = ["class", "classes", "label", "labels", "target", "species", "category"];

/// Most different whole numbers that stand for classes.
const MOST_CLASSES: usize = 50;

/// Rows from which on few whole numbers in the first or the last column may be classes.
const FEW_ROWS: usize = 20;

/// Rows from which on integers that only increase are more than chance.
const FEW: usize = 5;

/// A warning for each coordinate that looks like a row number or an identifier:
/// by its name, or because its values are integers that increase from row to
/// row; for each that has the name of a class, and few whole numbers; and for the first or the last one, where it
/// alone holds the numbers of few classes. Pictures and single columns have none.
pub(super) fn no_coordinates(raw: &Raw) -> Vec<String> {
    if raw.width < 2 || raw.images.is_some() {
        return Vec::new();
    }
    let value = |row: usize, column: usize| raw.values[row * raw.width + column];
    // The numbers of words are their positions among categories.
    let is_words = |column: usize| raw.categories.contains_key(&raw.sources[column]);
    let increases = |column: usize| {
        !is_words(column)
            && raw.rows() >= FEW
            && value(0, column).fract() == 0.0
            && (1..raw.rows())
                .all(|row| value(row, column).fract() == 0.0 && value(row, column) > value(row - 1, column))
    };
    let classes = |column: usize| {
        let mut found: Vec<f64> = Vec::new();
        let few = (0..raw.rows()).all(|row| {
            let value = value(row, column);
            if !found.contains(&value) {
                found.push(value);
            }
            value.fract() == 0.0 && found.len() <= MOST_CLASSES
        });
        found.sort_by(f64::total_cmp);
        (few && 2 * found.len() <= raw.rows()).then_some(found)
    };
    // The numbers of classes count from 0 or 1, and other columns do not.
    let numbered = |column: usize| {
        if is_words(column) {
            return None;
        }
        let found = classes(column).filter(|found| found.len() > 1 && raw.rows() >= FEW_ROWS)?;
        let first = found[0];
        let counts = found.windows(2).all(|pair| pair[1] == pair[0] + 1.0) && (first == 0.0 || first == 1.0);
        counts.then_some(found)
    };
    let at_end = |column: usize| if [0, raw.width - 1].contains(&column) { numbered(column) } else { None };
    let is_alone = raw.width > 2
        && at_end(0).is_some() != at_end(raw.width - 1).is_some()
        && (1..raw.width - 1).all(|column| numbered(column).is_none());
    let increasing: Vec<usize> = (0..raw.width).filter(|column| increases(*column)).collect();
    let counters = if increasing.len() > MOST_COUNTERS { increasing } else { Vec::new() };
    let suspect = |column: usize| {
        if counters.contains(&column) || is_words(column) {
            return None;
        }
        let name = raw.names.as_ref().map(|names| names[column].as_str());
        let named = |as_one_of: &[&str]| {
            name.is_some_and(|name| as_one_of.contains(&name.to_ascii_lowercase().as_str()))
        };
        let (why, advice) = match (increases(column), named(&NUMBERING)) {
            (true, _) => {
                ("holds integers that increase from row to row".to_owned(), "leave it out by --ignore")
            }
            (false, true) => ("has the name of an identifier".to_owned(), "leave it out by --ignore"),
            (false, false) if named(&CLASSES) => {
                let classes = classes(column)?.len();
                let why = format!("has the name of a class and {classes} different whole numbers");
                (why, "read it as classes by --label-column")
            }
            (false, false) => {
                let found = at_end(column).filter(|_| is_alone)?;
                let (least, most) = (found[0], found[found.len() - 1]);
                let why = format!("holds the whole numbers from {least} to {most} alone");
                (why, "if they are classes, read them by --label-column")
            }
        };
        let number = raw.sources[column];
        let shown = name.map(|name| format!(" `{name}`")).unwrap_or_default();
        let column = match (number, name) {
            (0, Some("")) => number_of_first(raw.names.as_deref()).to_owned(),
            _ => typed(name, number),
        };
        Some(format!(
            "column {number}{shown} (counted from 0) {why}, and counts as a coordinate; {advice} {column}"
        ))
    };
    let of_counters = counters.first().zip(counters.last()).map(|(&first, &last)| {
        let place = |column: usize| {
            let name = raw.names.as_ref().map(|names| format!(" `{}`", names[column])).unwrap_or_default();
            format!("{}{name}", raw.sources[column])
        };
        format!(
            "{} columns, the first {} and the last {} (counted from 0), hold integers that increase from row to row, and count as coordinates; leave out by --ignore what only numbers the rows",
            counters.len(),
            place(first),
            place(last)
        )
    });
    of_counters.into_iter().chain((0..raw.width).filter_map(suspect)).collect()
}

/// Most columns of increasing integers that have a warning each.
const MOST_COUNTERS: usize = 3;

/// A column as it is typed on a command line: its name where that is one word,
/// else its number.
pub(super) fn typed(name: Option<&str>, number: usize) -> String {
    let word = |name: &&str| {
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || ['_', '-', '.'].contains(&c))
    };
    name.filter(word).map_or_else(|| number.to_string(), str::to_owned)
}
