//! Files of neighbor graphs.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use embedding::{Error, MemoryLimit, Neighborhood, Neighbors, NewNeighbors};

use super::errors::{allow, reason};
use super::format::Format;
use super::npz::{self, Rows};

/// The neighbor lists of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphFile {
    /// The lists; k of their rule is the length of the longest.
    pub neighbors: Neighbors,
    /// Notes in sentences: what was done beyond plain reading, and what looks like a mistake.
    pub notes: Vec<String>,
}

/// Reads neighbor lists from a sparse matrix of distances, as
/// `sklearn.neighbors.kneighbors_graph(…, mode="distance")` makes it and
/// `scipy.sparse.save_npz` writes it: row i has the distances from point i to its neighbors, and
/// stored zeros are distances of 0. `None` where the file holds no sparse matrix.
///
/// Entries on the diagonal, of distance 0, are left out. Rows may have different numbers of
/// entries, or none.
///
/// Fails unless the matrix is square and in compressed rows or columns with one entry per pair, and its
/// distances are finite and not negative, 0 on the diagonal; and with [`Error::Memory`] where the lists,
/// together with the matrix read, exceed `memory`.
pub fn read_graph(path: &Path, memory: MemoryLimit) -> Result<Option<GraphFile>, Error> {
    read(path, memory, of)
}

/// Reads the neighbor lists of new points from a sparse matrix of distances, as
/// `sklearn.neighbors.KNeighborsTransformer.transform` makes it: row i has the distances from new point i to its
/// neighbors among the training points, which are the columns, and stored zeros are distances of 0. `None` where the
/// file holds no sparse matrix.
///
/// Fails unless the matrix is in compressed rows or columns and has an entry in each row, and as
/// [`NewNeighbors::new`] and [`read_graph`].
pub fn read_new_neighbors(path: &Path, memory: MemoryLimit) -> Result<Option<NewNeighbors>, Error> {
    read(path, memory, |rows| NewNeighbors::new(lists(rows)?, rows.width))
}

/// What `of` finds in a sparse matrix.
fn read<T>(
    path: &Path,
    memory: MemoryLimit,
    of: impl FnOnce(&Rows) -> Result<T, Error>,
) -> Result<Option<T>, Error> {
    let (file, member) = npz::split(path);
    if path.is_dir() || member.is_some() || !matches!(Format::of(&file)?, Format::Npz) {
        return Ok(None);
    }
    let file = File::open(path).map_err(|error| Error::file(path.display(), reason(&error)))?;
    let Some(rows) = npz::read_rows(&mut BufReader::new(file), path, memory)? else { return Ok(None) };
    // The lists of pairs, and their compressed form.
    let bytes = (24 + 12) * rows.values.len() as u64;
    allow(memory, path, "holding the neighbor lists", bytes, "use fewer neighbors or allow more memory")?;
    of(&rows).map(Some).map_err(|error| match error {
        Error::File { .. } | Error::Memory { .. } => error,
        other => Error::file(path.display(), other.to_string()),
    })
}

/// The lists of a matrix.
fn of(rows: &Rows) -> Result<GraphFile, Error> {
    let n = rows.offsets.len() - 1;
    if rows.width != n {
        return Err(Error::Shape {
            what: "the number of columns of a neighbor graph",
            expected: format!("{n}, as of rows"),
            got: rows.width.to_string(),
        });
    }
    let (mut lists, mut diagonal) = (lists(rows)?, 0_usize);
    for (i, list) in lists.iter_mut().enumerate() {
        if let Some((_, distance)) = list.iter().find(|(j, d)| *j as usize == i && *d != 0.0) {
            return Err(Error::parameter(
                "the distance of a point to itself",
                "0, or not stored",
                format!("{distance} in row {i}"),
            ));
        }
        let stored = list.len();
        list.retain(|(j, _)| *j as usize != i);
        diagonal += stored - list.len();
    }
    let (least, most) = lists
        .iter()
        .fold((usize::MAX, 0), |(least, most), list| (least.min(list.len()), most.max(list.len())));
    if most == 0 {
        return Err(Error::degenerate(
            "the neighbor graph has no edges",
            "save the matrix of sklearn.neighbors.kneighbors_graph with mode='distance'",
        ));
    }
    let mut notes = Vec::new();
    if diagonal > 0 {
        notes.push(format!("{diagonal} distances of points to themselves are left out"));
    }
    if least < most {
        notes.push(format!("points have from {least} to {most} neighbors"));
    }
    if lists.iter().flatten().all(|(_, distance)| *distance == 1.0) {
        notes.push(
            "all distances are 1; a graph of distances is made by kneighbors_graph with mode='distance'"
                .to_owned(),
        );
    }
    let neighbors = Neighbors::from_lists(lists, Neighborhood::Nearest { k: most })?;
    Ok(GraphFile { neighbors, notes })
}

/// The columns and values of each row.
fn lists(Rows { offsets, columns, values, .. }: &Rows) -> Result<Vec<Vec<(u32, f64)>>, Error> {
    let n = offsets.len() - 1;
    let entries = values.len();
    let fits = offsets.windows(2).all(|pair| pair[0] <= pair[1]);
    if !fits || offsets[0] != 0 || offsets[n] != entries || columns.len() != entries {
        return Err(Error::parameter(
            "the pointers to rows",
            format!("increasing from 0 to {entries}, the number of entries"),
            format!("from {} to {} for {} columns", offsets[0], offsets[n], columns.len()),
        ));
    }
    let list = |pair: &[usize]| {
        let range = pair[0]..pair[1];
        columns[range.clone()].iter().copied().zip(values[range].iter().copied()).collect()
    };
    Ok(offsets.windows(2).map(list).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The matrix with the given rows of columns and values.
    fn rows(lists: &[&[(u32, f64)]], width: usize) -> Rows {
        let mut offsets = vec![0];
        offsets.extend(lists.iter().scan(0, |end, list| {
            *end += list.len();
            Some(*end)
        }));
        let (columns, values) = lists.concat().into_iter().unzip();
        Rows { offsets, columns, values, width }
    }

    #[test]
    fn rows_may_have_different_numbers_of_entries() -> Result<(), Error> {
        let GraphFile { neighbors, notes } = of(&rows(&[&[(2, 2.0), (1, 0.5)], &[(0, 0.5)], &[]], 3))?;
        assert_eq!(neighbors.of(0), (&[1, 2][..], &[0.5, 2.0][..]));
        assert_eq!((neighbors.indices_of(1).len(), neighbors.indices_of(2).len()), (1, 0));
        assert_eq!(neighbors.neighborhood(), Neighborhood::Nearest { k: 2 });
        assert!(notes == ["points have from 0 to 2 neighbors"], "{notes:?}");
        let connected = of(&rows(&[&[(1, 1.0)], &[(0, 1.0)]], 2))?;
        assert!(connected.notes[0].contains("mode='distance'"), "{:?}", connected.notes);
        Ok(())
    }

    /// Rows of new points keep stored zeros and entries on the diagonal; the matrix need not be square.
    #[test]
    fn lists_of_new_points_have_all_entries() -> Result<(), Error> {
        let matrix = rows(&[&[(3, 2.0), (0, 0.0)], &[(1, 0.5)]], 4);
        let new = NewNeighbors::new(lists(&matrix)?, matrix.width)?;
        assert_eq!((new.lists(), new.training()), (&[vec![(0, 0.0), (3, 2.0)], vec![(1, 0.5)]][..], 4));
        let empty = rows(&[&[(3, 2.0)], &[]], 4);
        assert!(NewNeighbors::new(lists(&empty)?, 4).is_err());
        Ok(())
    }

    #[test]
    fn what_is_no_graph_of_distances_is_refused_with_its_place() {
        let said = |matrix: Rows| of(&matrix).expect_err("no graph").to_string();
        for (matrix, parts) in [
            (rows(&[&[(1, 1.0)], &[(0, 1.0)]], 3), ["2, as of rows", "3"]),
            (rows(&[&[(0, 0.5), (1, 1.0)], &[(0, 1.0)]], 2), ["to itself", "0.5 in row 0"]),
            (rows(&[&[(1, -1.0)], &[(0, 1.0)]], 2), ["distance", "-1"]),
            (rows(&[&[(1, f64::NAN)], &[(0, 1.0)]], 2), ["distance", "NaN"]),
            (rows(&[&[(1, f64::INFINITY)], &[(0, 1.0)]], 2), ["distance", "inf"]),
            (rows(&[&[(1, 1.0), (1, 2.0)], &[(0, 1.0)], &[]], 3), ["each once", "1"]),
            (rows(&[&[(0, 0.0)], &[(1, 0.0)]], 2), ["no edges", "mode='distance'"]),
            (
                Rows { offsets: vec![0, 2, 1], ..rows(&[&[(1, 1.0)], &[(0, 1.0)]], 2) },
                ["pointers", "increasing"],
            ),
        ] {
            let sentence = said(matrix);
            assert!(parts.iter().all(|part| sentence.contains(part)), "{parts:?}: {sentence}");
        }
    }
}
