//! Files of other programs, which are not read: what they are, and how to convert them.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use embedding::Error;

use super::cells::line_ends;

/// A spreadsheet.
#[cfg(not(feature = "xlsx"))]
const SPREADSHEET: &str = "the file is a spreadsheet (as of Excel or LibreOffice), which is not read by a program that was built without `--features xlsx`; save it as CSV in UTF-8, or convert it in Python by pandas.read_excel('FILE.xlsx').to_csv('FILE.csv', index=False)";

#[cfg(feature = "xlsx")]
const SPREADSHEET: &str = "the file is a spreadsheet; give it a name that ends in .xlsx, .xls or .ods";

const HDF5: &str = "the file is HDF5 (.h5, .h5ad, .hdf5), which is not read; save the array first, for example in Python by numpy.save('FILE.npy', h5py.File('FILE.h5')['NAME'][:]), or the matrix of an AnnData file by scipy.sparse.save_npz('FILE.npz', scipy.sparse.csr_matrix(anndata.read_h5ad('FILE.h5ad').X))";

const JSON: &str = "the file is JSON, which is not read; convert it first, for example in Python by pandas.read_json('FILE.json').to_csv('FILE.csv', index=False)";

#[cfg(feature = "parquet")]
const PARQUET: &str = "the file is Parquet, not packed; give it a name that ends in .parquet";

#[cfg(feature = "parquet")]
const ARROW: &str = "the file is Arrow, not packed; give it a name that ends in .arrow or .feather";

#[cfg(not(feature = "parquet"))]
const ARROW: &str = "Arrow and Feather files are not read by a program that was built without `--features parquet`; build it so, or convert the file first, for example in Python by pandas.read_feather('FILE.feather').to_csv('FILE.csv', index=False)";

/// Version 1 has another format than Arrow.
const FEATHER: &str = "the file is Feather of version 1, which is not read; convert it first, for example in Python by pandas.read_feather('FILE.feather').to_csv('FILE.csv', index=False)";

#[cfg(not(feature = "parquet"))]
const PARQUET: &str = "Parquet is not read by a program that was built without `--features parquet`; build it so, or convert the file first, for example in Python by pandas.read_parquet('FILE.parquet').to_csv('FILE.csv', index=False), or by duckdb -c \"COPY 'FILE.parquet' TO 'FILE.csv'\"";

const ZIP: &str =
    "the file is a ZIP archive, not text; unpack it first, or call it .npz if numpy.savez wrote it";

/// The format of a file with this extension, in a message with advice.
pub(super) fn of_extension(extension: &str) -> Option<&'static str> {
    match extension {
        "parquet" | "pq" => Some(PARQUET),
        "xlsx" | "xlsm" | "xlsb" | "xls" | "ods" => Some(SPREADSHEET),
        "arrow" | "arrows" | "feather" | "ipc" => Some(ARROW),
        "h5" | "h5ad" | "hdf5" => Some(HDF5),
        "json" => Some(JSON),
        _ => None,
    }
}

/// The format of a file with these first and last bytes. A ZIP archive is a spreadsheet if it contains a
/// certain name; others may hold arrays.
pub(super) fn of_bytes(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        _ if is_workbook(bytes) => Some(SPREADSHEET),
        [0x89, b'H', b'D', b'F', b'\r', b'\n', 0x1a, b'\n', ..] => Some(HDF5),
        [b'P', b'A', b'R', b'1', .., b'P', b'A', b'R', b'1'] => Some(PARQUET),
        [b'A', b'R', b'R', b'O', b'W', b'1', ..] => Some(ARROW),
        [b'F', b'E', b'A', b'1', ..] => Some(FEATHER),
        _ => is_json(bytes).then_some(JSON),
    }
}

/// Whether bytes are a spreadsheet.
pub(super) fn is_workbook(bytes: &[u8]) -> bool {
    match bytes {
        [b'P', b'K', 3, 4, ..] => is_spreadsheet(bytes),
        [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, ..] => true,
        _ => false,
    }
}

/// The format of a file that is named as text.
pub(super) fn of_text(bytes: &[u8]) -> Option<&'static str> {
    of_bytes(bytes).or(bytes.starts_with(b"PK\x03\x04").then_some(ZIP))
}

/// The error of a file whose content differs from its name: states the actual format, where it is known.
pub(super) fn recognized(error: Error, path: &Path) -> Error {
    let problem = ends(path).ok().and_then(|bytes| of_bytes(&bytes));
    problem.map_or(error, |problem| Error::file(path.display(), problem))
}

/// The first and the last bytes of a file.
fn ends(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let (length, ends) = (file.metadata()?.len(), ENDS as u64);
    let mut bytes = Vec::new();
    (&mut file).take(ends).read_to_end(&mut bytes)?;
    file.seek(SeekFrom::Start(length.saturating_sub(ends).max(bytes.len() as u64)))?;
    file.take(ends).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Bytes at both ends of an archive that identify it: the names of its files are at its end.
const ENDS: usize = 1 << 16;

/// Whether a ZIP archive holds the files of a spreadsheet by Excel or LibreOffice.
fn is_spreadsheet(archive: &[u8]) -> bool {
    let (start, end) = (archive.len().min(ENDS), archive.len().saturating_sub(ENDS));
    let ends = [&archive[..start], &archive[end..]];
    let holds = |name: &[u8]| ends.iter().any(|end| end.windows(name.len()).any(|part| part == name));
    holds(b"[Content_Types].xml") || holds(b"application/vnd.oasis.opendocument")
}

/// Whether the first two lines are objects of JSON.
pub(super) fn is_json_lines(bytes: &[u8]) -> bool {
    let is_object = |line: &[u8]| line.trim_ascii().starts_with(b"{") && line.trim_ascii().ends_with(b"}");
    let mut lines = bytes.split(|byte| *byte == b'\n').take(2);
    matches!((lines.next(), lines.next()), (Some(first), Some(second)) if is_object(first) && is_object(second))
}

/// Whether the text begins as an object or as an array of values.
fn is_json(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut signs = bytes.iter().filter(|byte| !byte.is_ascii_whitespace());
    match (signs.next(), signs.next()) {
        (Some(b'{'), Some(next)) => matches!(next, b'"' | b'}'),
        (Some(b'['), Some(next)) => matches!(next, b'[' | b'{' | b'"' | b'-' | b']' | b'0'..=b'9'),
        _ => false,
    }
}

/// The problem with bytes that are not UTF-8 from position `at` on.
pub(super) fn no_utf_8(bytes: &[u8], at: usize) -> String {
    if bytes.contains(&0) {
        return format!(
            "byte {at} is not UTF-8 text, and the file holds binary data; convert it to CSV, or give it the name of its format (.npy, .npz, .idx)"
        );
    }
    format!(
        "byte {at} is not UTF-8 text (it is on line {}), perhaps text of Windows in a language of Western Europe: if so, say --encoding windows-1252; else save the file as UTF-8",
        line_of(bytes, at)
    )
}

/// The line of a byte, counted from 1.
pub(super) fn line_of(bytes: &[u8], at: usize) -> u64 {
    line_ends(&bytes[..at]) + 1
}
