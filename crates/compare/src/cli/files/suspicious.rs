//! Sentences about points whose distances may mislead ([`Suspicion`]), with the option that helps.

use datasets::Labels;
use datasets::files::{Suspicion, Table};
use embedding::{DataKind, DynMethod, Metric};
use figure::number::{count, counted, ends, tick};

/// Most names that a note lists.
const LISTED: usize = 5;

/// What the points of a table are read for.
#[derive(Clone, Copy)]
pub(in crate::cli) enum Use<'a> {
    /// A fit of one method.
    Method(&'a dyn DynMethod),
    /// Fits of several methods.
    Methods,
    /// Measures of a map.
    Measures,
    /// Neighbors alone.
    Search,
}

/// The sentences about the points of a table, compared by `metric`.
pub(in crate::cli) fn notes(table: &Table, metric: Metric, of: Use<'_>) -> Vec<String> {
    Suspicion::find(table, metric).iter().filter_map(|found| sentence(found, table, of)).collect()
}

/// The sentence about labels that are different for most rows.
pub(in crate::cli) fn unlikely(labels: &Labels) -> Option<String> {
    match Suspicion::of_labels(labels)? {
        Suspicion::Classes { name, classes } => Some(unlikely_classes(&name, classes, labels.values.len())),
        _ => None,
    }
}

fn sentence(found: &Suspicion, table: &Table, of: Use<'_>) -> Option<String> {
    let n = table.points.len();
    match found {
        Suspicion::Classes { name, classes } => Some(unlikely_classes(name, *classes, n)),
        Suspicion::Equal => {
            Some(format!("all {} rows are equal: there are no distances between them", count(n)))
        }
        Suspicion::Distances => Some(distances_as_points(of)),
        Suspicion::Nines { number, columns, others, rows } => {
            Some(nines(*number, columns, others, *rows, table))
        }
        Suspicion::Dominant { column, fraction, others } => {
            Some(dominated(&table.named(*column), *fraction, *others))
        }
        Suspicion::Constant { columns } => Some(constant(columns, table)),
        Suspicion::Copies { copies } => copied(*copies, n, of),
        Suspicion::Indifferent { metric, distance } => Some(indifferent(*metric, *distance)),
    }
}

fn unlikely_classes(name: &str, classes: usize, n: usize) -> String {
    let name = if name.trim().is_empty() { "labels".to_owned() } else { format!("labels `{name}`") };
    format!(
        "the {name} have {} classes for {} rows, so that they are probably none",
        count(classes),
        count(n)
    )
}

fn dominated(name: &str, fraction: f64, others: usize) -> String {
    let percent = 100.0 * fraction;
    let percent = if percent >= 99.995 { "more than 99.99".to_owned() } else { format!("{percent:.2}") };
    format!(
        "{name} has {percent} % of the variance, so that distances hardly depend on the other {others} columns; \
         --standardize divides each column by its standard deviation"
    )
}

fn nines(number: f64, columns: &[usize], others: &[[f64; 2]], rows: usize, table: &Table) -> String {
    let where_they_are = match (columns, others) {
        (&[only], &[[low, high]]) => {
            let [low, high] = ends(low, high);
            format!("{}, whose other values are from {low} to {high}", table.named(only))
        }
        _ => {
            let mut names = String::new();
            for &column in columns.iter().take(LISTED) {
                names += &table.named(column);
                names += ", ";
            }
            if columns.len() > LISTED {
                names += &format!("and {} more, ", columns.len() - LISTED);
            }
            names + "far outside of their other values"
        }
    };
    let have = if rows == 1 { "has" } else { "have" };
    format!(
        "{} of {} {have} {number} in {where_they_are}; if that stands for a missing value, \
         say --missing-values {number}, and --missing drop or mean",
        count(rows),
        counted(table.points.len(), "row", "rows")
    )
}

fn constant(found: &[usize], table: &Table) -> String {
    if let [only] = found {
        return format!("{} is constant and changes no distance", table.named(*only));
    }
    let short = |&j: &usize| match &table.columns {
        Some(names) => format!("`{}`", names[j]),
        None => table.numbers[j].to_string(),
    };
    let names = found.iter().take(LISTED).map(short).collect::<Vec<_>>().join(", ");
    let more = match found.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let counted = if table.columns.is_some() { "" } else { " (counted from 0)" };
    format!("columns {names}{more}{counted} are constant and change no distance")
}

/// The sentence about copies, where there are many; `None` where the method reports them itself, and
/// where a map is measured.
fn copied(copies: usize, n: usize, of: Use<'_>) -> Option<String> {
    let advice = match of {
        Use::Measures => return None,
        Use::Search => "",
        Use::Methods => "; the parameter `duplicates` of a method merges or keeps them",
        Use::Method(method) => match method.parameters().iter().find(|p| p.name == "duplicates") {
            Some(policy) if policy.value == "merge" => return None,
            Some(_) => "; `--set duplicates=merge` gives copies one place",
            None => "",
        },
    };
    let (verb, what) = if copies == 1 { ("is a copy", "another") } else { ("are copies", "others") };
    let rows = counted(n, "row", "rows");
    Some(format!("{} of {rows} {verb} of {what}{advice}", count(copies)))
}

fn distances_as_points(of: Use<'_>) -> String {
    let advice = match of {
        Use::Methods | Use::Search => "`compare embed --set given=distances` reads it as one".to_owned(),
        Use::Measures => "`--given distances` reads it as one".to_owned(),
        Use::Method(method) if method.about().accepts.contains(&DataKind::Distances) => {
            "`--set given=distances` reads it as one".to_owned()
        }
        Use::Method(method) => format!(
            "{} reads it as points; choose a method that takes distances, such as smacof, \
             with `--set given=distances`",
            method.about().name
        ),
    };
    format!(
        "the rows are symmetric with zeros on the diagonal, which looks like a matrix of distances; {advice}"
    )
}

fn indifferent(metric: Metric, distance: f64) -> String {
    let what = if metric == Metric::Hamming { "whether values are equal" } else { "which values are 0" };
    format!(
        "by {metric} all pairs of a sample of rows are at distance {}, so that it does not distinguish them: it \
         looks only at {what}; for measured values choose another metric, such as euclidean",
        tick(distance)
    )
}
