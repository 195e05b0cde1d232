//! Files of sparse matrices.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use embedding::{Error, MemoryLimit, SparsePointSet};

use super::encoding::Encoding;
use super::errors::{allow, reason};
use super::format::Format;
use super::packed::start;
use super::reading::Reading;
use super::resolve_missing::{all_zero, zero_rows_note};
use super::table::{kept_of, left_out};
use super::{mtx, npz};

/// Bytes in which the first line of a Matrix Market file ends.
const BANNER: u64 = 1 << 10;

/// Reads the sparse points of a file, one per row: a Matrix Market file of coordinates
/// (`.mtx`), or a matrix in compressed rows or columns by `scipy.sparse.save_npz` (`.npz`). Entries of one
/// place are added. `None` where the file has another format.
///
/// Fails on a malformed file, on a value that is not finite, and with [`Error::Memory`] where the points,
/// together with the data read for them, exceed `memory`.
pub fn read_sparse(path: &Path, memory: MemoryLimit) -> Result<Option<SparsePointSet>, Error> {
    if path.is_dir() {
        return Ok(None);
    }
    match Format::of(&npz::split(path).0)? {
        // A file that cannot be read is refused as a whole.
        Format::Mtx if start(path, BANNER).is_ok_and(|start| mtx::holds_all(&start)) => Ok(None),
        Format::Mtx => mtx::read_sparse(&Encoding::Utf8.text(path, memory)?, path, memory),
        Format::Npz => read(path, memory),
        _ => Ok(None),
    }
}

/// The content of a file of sparse points.
#[derive(Clone, Debug, PartialEq)]
pub struct SparseTable {
    /// The points, one per row.
    pub points: SparsePointSet,
    /// Which rows of the file the points are, where some were left out.
    pub kept: Option<Vec<u32>>,
    /// The rows of the file.
    pub rows: usize,
    /// Notes in sentences on what was done beyond plain reading.
    pub notes: Vec<String>,
}

impl SparseTable {
    /// The rows of the file that were left out, counted from 0.
    pub fn left_out(&self) -> Vec<u32> {
        self.kept.as_ref().map_or_else(Vec::new, |kept| left_out(kept, self.rows))
    }

    /// Leaves out all rows but these, of the rows that there are, in increasing order.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub fn select(&mut self, rows: &[u32]) {
        self.points = self.points.view().select(rows);
        self.kept = Some(kept_of(self.kept.as_deref(), rows));
    }
}

impl Reading {
    /// Reads sparse points as [`read_sparse`] does, but applies only the options [`Reading::memory`] and
    /// [`Reading::without_zero_rows`].
    pub fn read_sparse(&self, path: &Path) -> Result<Option<SparseTable>, Error> {
        let Some(points) = read_sparse(path, self.memory)? else { return Ok(None) };
        let (view, rows) = (points.view(), points.view().len());
        if !self.without_zero_rows {
            return Ok(Some(SparseTable { points, kept: None, rows, notes: Vec::new() }));
        }
        let zero = |row: &u32| view.row(*row as usize).0.is_empty();
        let (left_out, kept): (Vec<u32>, Vec<u32>) = (0..rows as u32).partition(zero);
        if kept.is_empty() {
            return Err(Error::file(path.display(), all_zero(rows)));
        }
        if left_out.is_empty() {
            return Ok(Some(SparseTable { points, kept: None, rows, notes: Vec::new() }));
        }
        let both = 2 * (12 * view.entries() + 8 * rows) as u64 + 8 * rows as u64;
        allow(self.memory, path, "leaving out rows of zeros", both, "allow more memory")?;
        let notes = vec![zero_rows_note(&left_out, rows)];
        Ok(Some(SparseTable { points: view.select(&kept), kept: Some(kept), rows, notes }))
    }
}

/// The matrix of an archive; `None` where the path names a single array.
pub(super) fn read(path: &Path, memory: MemoryLimit) -> Result<Option<SparsePointSet>, Error> {
    if npz::split(path).1.is_some() {
        return Ok(None);
    }
    let file = File::open(path).map_err(|error| Error::file(path.display(), reason(&error)))?;
    npz::read_sparse(&mut BufReader::new(file), path, memory)
}

/// The note on a sparse matrix that is stored with its zeros.
pub(super) fn filled_note(rows: usize, columns: usize, entries: usize) -> String {
    let megabytes = 8e-6 * rows as f64 * columns as f64;
    format!(
        "a sparse matrix, {rows} × {columns} with {entries} entries, is read with its zeros, {megabytes:.1} MB"
    )
}
