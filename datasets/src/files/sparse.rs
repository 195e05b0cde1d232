//! Files of sparse matrices.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use embedding::{Error, MemoryLimit, SparsePointSet};

use super::encoding::Encoding;
use super::packed::start;
use super::whole::reason;
use super::{Format, mtx, npz};

/// Bytes in which the first line of a Matrix Market file ends.
const BANNER: u64 = 1 << 10;

/// Reads the sparse points of a file, one per row: a Matrix Market file of coordinates
/// (`.mtx`), or what `scipy.sparse.save_npz` writes of compressed rows or columns (`.npz`). Entries of one
/// place are added. `None` where the file has another format.
///
/// Fails on a malformed file, on a value that is not finite, and with [`Error::Memory`] where
/// the points, with what is read to make them, exceed `memory`.
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

/// The matrix of an archive; none where one array of it is named.
pub(super) fn read(path: &Path, memory: MemoryLimit) -> Result<Option<SparsePointSet>, Error> {
    if npz::split(path).1.is_some() {
        return Ok(None);
    }
    let file = File::open(path).map_err(|error| Error::file(path.display(), reason(&error)))?;
    npz::read_sparse(&mut BufReader::new(file), path, memory)
}

/// What is said where zeros are stored too.
pub(super) fn filled_note(rows: usize, columns: usize, entries: usize) -> String {
    let megabytes = 8e-6 * rows as f64 * columns as f64;
    format!(
        "a sparse matrix, {rows} × {columns} with {entries} entries, is read with its zeros, {megabytes:.1} MB"
    )
}
