//! The rows of one name in different data sets.

use std::collections::HashMap;

use embedding::Error;

use super::NamedRows;

/// Which sets have related rows: the rows of one name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Relations {
    /// Each set and the next one.
    #[default]
    Neighboring,
    /// All pairs of sets.
    All,
}

embedding::words!(Relations { Neighboring = "neighboring", All = "all" });

/// The related rows of each row of a set: the set and the row, both counted from 0, in the order of sets.
pub(super) struct Related(Vec<Vec<(usize, usize)>>);

impl Related {
    /// The related rows of a row.
    pub(super) fn of(&self, row: usize) -> &[(usize, usize)] {
        &self.0[row]
    }

    /// The number of rows.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The number of rows that are related to a row of an earlier set than `set`.
    fn earlier(&self, set: usize) -> usize {
        // The first related row is of the earliest set.
        self.0.iter().filter(|rows| rows.first().is_some_and(|related| related.0 < set)).count()
    }

    /// Fails where fewer than d + 1 rows of this set, number `set`, are related to rows of earlier sets.
    pub(super) fn require(&self, set: usize, dim: usize) -> Result<(), Error> {
        match self.earlier(set) {
            found if found > dim => Ok(()),
            found => Err(too_few(set, found, dim + 1)),
        }
    }
}

/// Finds the related rows of every set.
///
/// Fails where there are fewer than two sets, where a set has another number of names than rows, where a name occurs
/// twice in a set, and where a set shares no name with the sets before it that are related to it.
pub(super) fn related(sets: &[NamedRows<'_>], relations: Relations) -> Result<Vec<Related>, Error> {
    if sets.len() < 2 {
        return Err(Error::degenerate(
            format!("several data sets are aligned, at least 2, but {} is given", sets.len()),
            "give another one, or fit this one by itself",
        ));
    }
    let rows: Vec<HashMap<&str, usize>> =
        sets.iter().enumerate().map(|(at, set)| numbered(at, set)).collect::<Result<_, _>>()?;
    let are_related = |a: usize, b: usize| match relations {
        Relations::Neighboring => a.abs_diff(b) == 1,
        Relations::All => a != b,
    };
    let of = |(at, set): (usize, &NamedRows<'_>)| {
        let others: Vec<usize> = (0..sets.len()).filter(|&other| are_related(at, other)).collect();
        let of_name = |name: &String| {
            let found = others.iter().map(|&other| (other, rows[other].get(name.as_str())));
            found.filter_map(|(other, row)| Some((other, *row?))).collect()
        };
        Related(set.names.iter().map(of_name).collect())
    };
    let related: Vec<Related> = sets.iter().enumerate().map(of).collect();
    let lonely = related.iter().enumerate().skip(1).find(|(at, set)| set.earlier(*at) == 0);
    match lonely {
        Some((set, _)) => Err(too_few(set, 0, 1)),
        None => Ok(related),
    }
}

/// The row of each name of a set.
fn numbered<'a>(at: usize, set: &NamedRows<'a>) -> Result<HashMap<&'a str, usize>, Error> {
    if set.names.len() != set.points.len() {
        return Err(Error::Shape {
            what: "the number of names of a data set",
            expected: format!("{}, one per row", set.points.len()),
            got: set.names.len().to_string(),
        });
    }
    let mut rows = HashMap::new();
    for (row, name) in set.names.iter().enumerate() {
        if let Some(first) = rows.insert(name.as_str(), row) {
            return Err(Error::degenerate(
                format!(
                    "rows {first} and {row} of data set {} (rows are counted from 0) are both named `{name}`",
                    at + 1
                ),
                "rows are related by names, which must differ within a set: give other names, or leave one of them out",
            ));
        }
    }
    Ok(rows)
}

fn too_few(set: usize, found: usize, needed: usize) -> Error {
    Error::degenerate(
        format!(
            "data set {} must share at least {needed} names of rows with related sets before it, but shares {found}",
            set + 1
        ),
        "name the same rows alike in both, change the order of the sets, or relate all pairs of sets",
    )
}
