//! NumPy's archives: a zip file with one `.npy` file for each array.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use embedding::{Error, MemoryLimit, SparsePointSet};
use flate2::{Crc, read::DeflateDecoder};

use super::errors::{allow, named, reason};
use super::idx::DEFLATE_RATIO;
use super::npy;
use super::raw::Raw;

/// A file and the array that is named behind it: `data.npz:X`. If a file of the whole name exists, that file
/// is meant.
pub(super) fn split(path: &Path) -> (PathBuf, Option<String>) {
    let whole = || (path.to_owned(), None);
    let Some(text) = path.to_str().filter(|_| !path.exists()) else { return whole() };
    match text.rsplit_once(':') {
        Some((file, member)) if PARTED.iter().any(|end| file.to_ascii_lowercase().ends_with(end)) => {
            (PathBuf::from(file), Some(member.to_owned()))
        }
        _ => whole(),
    }
}

/// Ends of names behind which an array or a sheet may be named.
const PARTED: [&str; 6] = [".npz", ".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"];

/// Reads one array: the named one, or the only one.
pub(super) fn read(path: &Path, member: Option<&str>, memory: MemoryLimit) -> Result<Raw, Error> {
    let file = File::open(path).map_err(|error| Error::file(path.display(), reason(&error)))?;
    read_from(&mut BufReader::new(file), path, member, memory)
}

/// The same from any source.
pub(super) fn read_from(
    source: &mut (impl Read + Seek),
    path: &Path,
    member: Option<&str>,
    memory: MemoryLimit,
) -> Result<Raw, Error> {
    let fail = |problem: String| Error::file(path.display(), problem);
    let members = directory(source).map_err(|problem| fail(problem.sentence()))?;
    let names = || members.iter().map(|member| member.array()).collect::<Vec<_>>().join(", ");
    let chosen = match (member, &members[..]) {
        (_, []) => return Err(fail("the archive holds no array".to_owned())),
        (None, [only]) => only,
        (None, _) => {
            // Bytes without a file, such as standard input, have no name to put it behind.
            let advice = if path.exists() {
                format!("name one behind a colon, as in {}", path.display())
            } else {
                "save the one that you mean by itself, or name it behind the name of the file, as in FILE.npz"
                    .to_owned()
            };
            return Err(fail(format!(
                "the archive holds {} arrays: {}; {advice}:{}",
                members.len(),
                names(),
                members[0].array()
            )));
        }
        (Some(name), _) => members
            .iter()
            .find(|member| member.array() == name)
            .ok_or_else(|| fail(format!("the archive holds no array `{name}`; it holds {}", names())))?,
    };
    chosen.numbers(source, path, memory)
}

/// A matrix in compressed rows, as it is stored: entries of a row in any order, and zeros among
/// them.
pub(super) struct Rows {
    pub(super) offsets: Vec<usize>,
    pub(super) columns: Vec<u32>,
    pub(super) values: Vec<f64>,
    /// The number of columns.
    pub(super) width: usize,
}

/// Reads the matrix that `scipy.sparse.save_npz` writes, in compressed rows or columns, with the entries of
/// one place added; none where the archive holds other arrays.
pub(super) fn read_sparse(
    source: &mut (impl Read + Seek),
    path: &Path,
    memory: MemoryLimit,
) -> Result<Option<SparsePointSet>, Error> {
    let Some(Rows { offsets, columns, values, width }) = read_rows(source, path, memory)? else {
        return Ok(None);
    };
    SparsePointSet::new(offsets, columns, values, width).map(Some).map_err(|error| named(error, path))
}

/// Reads the matrix as it is stored.
pub(super) fn read_rows(
    source: &mut (impl Read + Seek),
    path: &Path,
    memory: MemoryLimit,
) -> Result<Option<Rows>, Error> {
    let fail = |problem: String| Error::file(path.display(), problem);
    let members = directory(source).map_err(|problem| fail(problem.sentence()))?;
    let find = |name: &str| members.iter().find(|member| member.array() == name);
    let (Some(data), Some(format), Some(shape)) = (find("data"), find("format"), find("shape")) else {
        return Ok(None);
    };
    let format = format.text(source).map_err(|problem| fail(problem.sentence()))?;
    let kind = ["csr", "csc"].into_iter().find(|kind| format.trim_end_matches('\0').ends_with(kind));
    let (Some(kind), Some((indices, pointers))) = (kind, find("indices").zip(find("indptr"))) else {
        return Err(fail(
            "the archive holds a sparse matrix that is in neither compressed rows nor compressed columns; save it \
             as scipy.sparse.save_npz(FILE, matrix.tocsr())"
                .to_owned(),
        ));
    };
    let by_columns = kind == "csc";
    let mut whole = |member: &Member| -> Result<Vec<f64>, Error> {
        let numbers = member.numbers(source, path, memory)?.values;
        match numbers.iter().find(|v| v.fract() != 0.0 || !(0.0..9e15).contains(*v)) {
            Some(v) => Err(fail(format!("array {} must hold indices, but holds {v}", member.array()))),
            None => Ok(numbers),
        }
    };
    let (shape, pointers, indices) = (whole(shape)?, whole(pointers)?, whole(indices)?);
    let &[rows, columns] = &shape[..] else {
        return Err(fail(format!("the shape of the matrix must be two numbers, but is {shape:?}")));
    };
    let [(lines, name), (others, other)] = if by_columns {
        [(columns, "columns"), (rows, "row")]
    } else {
        [(rows, "rows"), (columns, "column")]
    };
    if pointers.len() as f64 != lines + 1.0 {
        return Err(fail(format!("{lines} {name} need one more pointer, but there are {}", pointers.len())));
    }
    // Pointers as read, as offsets, and of the points; columns and values, twice, and once more where columns
    // are put into rows.
    let once_more = if by_columns { 12 * indices.len() as u64 + 16 * rows as u64 } else { 0 };
    let bytes = 24 * pointers.len() as u64 + 24 * indices.len() as u64 + once_more;
    allow(memory, path, "holding the sparse matrix", bytes, "read fewer rows or allow more memory")?;
    let mut entries = Vec::with_capacity(indices.len());
    for index in indices {
        if index >= others || index > f64::from(u32::MAX) {
            return Err(fail(format!("a {other} must be below {others} and 2^32, but is {index}")));
        }
        entries.push(index as u32);
    }
    let offsets: Vec<usize> = pointers.iter().map(|pointer| *pointer as usize).collect();
    let values = data.numbers(source, path, memory)?.values;
    let stored = Rows { offsets, columns: entries, values, width: others as usize };
    if !by_columns {
        return Ok(Some(stored));
    }
    let whole = stored.offsets.first() == Some(&0)
        && stored.offsets.is_sorted()
        && stored.offsets.last() == Some(&stored.columns.len())
        && stored.values.len() == stored.columns.len();
    if !whole {
        return Err(fail(
            "the pointers of the columns must begin with 0, never fall and end with the number of values"
                .to_owned(),
        ));
    }
    Ok(Some(in_rows(&stored)))
}

/// A matrix whose columns are stored as rows, by rows: the columns of each in increasing order.
fn in_rows(stored: &Rows) -> Rows {
    let mut offsets = vec![0; stored.width + 1];
    stored.columns.iter().for_each(|&row| offsets[row as usize + 1] += 1);
    (0..stored.width).for_each(|row| offsets[row + 1] += offsets[row]);
    let mut next = offsets.clone();
    let (mut columns, mut values) = (vec![0; stored.columns.len()], vec![0.0; stored.values.len()]);
    for (column, range) in stored.offsets.windows(2).enumerate() {
        for at in range[0]..range[1] {
            let place = &mut next[stored.columns[at] as usize];
            (columns[*place], values[*place]) = (column as u32, stored.values[at]);
            *place += 1;
        }
    }
    Rows { offsets, columns, values, width: stored.offsets.len() - 1 }
}

/// More than an array of one word needs.
const WORD: u64 = 1 << 10;

/// A file in the archive.
struct Member {
    name: String,
    encrypted: bool,
    method: u16,
    packed: u64,
    size: u64,
    crc: u32,
    /// Where its own header starts.
    start: u64,
}

impl Member {
    /// The name of the array.
    fn array(&self) -> &str {
        self.name.strip_suffix(".npy").unwrap_or(&self.name)
    }

    /// The numbers of the array.
    fn numbers(
        &self,
        source: &mut (impl Read + Seek),
        path: &Path,
        memory: MemoryLimit,
    ) -> Result<Raw, Error> {
        let fail = |problem: String| Error::file(path.display(), problem);
        let mut content = self.open(source).map_err(|problem| fail(problem.sentence()))?;
        let raw = npy::read_from(&mut content, self.size, path, memory)?;
        if content.crc.sum() != self.crc {
            return Err(fail(format!("array {} is damaged: its checksum differs", self.array())));
        }
        Ok(raw)
    }

    /// The content of an array of one word.
    fn text(&self, source: &mut (impl Read + Seek)) -> Result<String, Problem> {
        let mut content = Vec::new();
        self.open(source)?.take(WORD).read_to_end(&mut content)?;
        Ok(String::from_utf8_lossy(&content).into_owned())
    }

    /// The bytes of the file, unpacked while they are read.
    fn open<'a, S: Read + Seek>(&self, source: &'a mut S) -> Result<Checked<'a>, Problem> {
        if self.encrypted {
            return Err(Problem::Format("the archive is encrypted"));
        }
        if self.size > self.packed.saturating_mul(DEFLATE_RATIO) {
            return Err(Problem::Format("the archive promises more than it can hold; it is damaged"));
        }
        source.seek(SeekFrom::Start(self.start))?;
        let header: [u8; 30] = bytes(source)?;
        if header[..4] != *b"PK\x03\x04" {
            return Err(Problem::Format("the archive is damaged: an array does not lie where it should"));
        }
        let skipped = u64::from(short(&header, 26)) + u64::from(short(&header, 28));
        source.seek(SeekFrom::Current(skipped as i64))?;
        let packed = source.take(self.packed);
        let content: Box<dyn Read + 'a> = match self.method {
            0 => Box::new(packed),
            8 => Box::new(DeflateDecoder::new(packed)),
            _ => {
                return Err(Problem::Format(
                    "the archive is packed in an unknown way; numpy.savez and numpy.savez_compressed write what is read",
                ));
            }
        };
        Ok(Checked { content, crc: Crc::new() })
    }
}

/// Content whose checksum is computed on the way.
struct Checked<'a> {
    content: Box<dyn Read + 'a>,
    crc: Crc,
}

impl Read for Checked<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.content.read(buffer)?;
        self.crc.update(&buffer[..count]);
        Ok(count)
    }
}

enum Problem {
    Format(&'static str),
    Io(io::Error),
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Problem {
    fn sentence(self) -> String {
        match self {
            Self::Format(sentence) => sentence.to_owned(),
            Self::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                "the archive is truncated".to_owned()
            }
            Self::Io(error) => reason(&error),
        }
    }
}

/// The members that are arrays, in the order of the archive's directory.
fn directory(source: &mut (impl Read + Seek)) -> Result<Vec<Member>, Problem> {
    let (count, start, length) = end(source)?;
    source.seek(SeekFrom::Start(start))?;
    let mut members = Vec::new();
    let mut source = source.take(length);
    for _ in 0..count {
        let entry: [u8; 46] = bytes(&mut source)?;
        if entry[..4] != *b"PK\x01\x02" {
            return Err(Problem::Format("the archive's directory is damaged"));
        }
        let mut rest = vec![
            0;
            usize::from(short(&entry, 28))
                + usize::from(short(&entry, 30))
                + usize::from(short(&entry, 32))
        ];
        source.read_exact(&mut rest)?;
        let (name, rest) = rest.split_at(usize::from(short(&entry, 28)));
        let extra = &rest[..usize::from(short(&entry, 30))];
        let [size, packed, start] =
            large([word(&entry, 24), word(&entry, 20), word(&entry, 42)].map(u64::from), extra)?;
        members.push(Member {
            name: String::from_utf8_lossy(name).into_owned(),
            encrypted: short(&entry, 8) & 1 == 1,
            method: short(&entry, 10),
            packed,
            size,
            crc: word(&entry, 16),
            start,
        });
    }
    members.retain(|member| member.name.ends_with(".npy"));
    Ok(members)
}

/// Sizes that do not fit 32 bits are in the extra field of number 1, in this
/// order.
fn large(mut sizes: [u64; 3], mut extra: &[u8]) -> Result<[u64; 3], Problem> {
    let damaged = || Problem::Format("the archive's directory is damaged");
    while extra.len() >= 4 {
        let (kind, length) = (short(extra, 0), usize::from(short(extra, 2)));
        let mut field = extra.get(4..4 + length).ok_or_else(damaged)?;
        extra = &extra[4 + length..];
        if kind == 1 {
            for size in sizes.iter_mut().filter(|size| **size == u64::from(u32::MAX)) {
                let (now, rest) = field.split_at_checked(8).ok_or_else(damaged)?;
                (*size, field) = (long(now, 0), rest);
            }
        }
    }
    Ok(sizes)
}

/// The number of members, and where their directory lies.
fn end(source: &mut (impl Read + Seek)) -> Result<(u64, u64, u64), Problem> {
    const RECORD: u64 = 22;
    let none = Problem::Format("this is no npz file: it is no zip archive, or it is truncated");
    let length = source.seek(SeekFrom::End(0))?;
    if length < RECORD {
        return Err(none);
    }
    // The record may be followed by a comment.
    let from = length.saturating_sub(RECORD + u64::from(u16::MAX));
    source.seek(SeekFrom::Start(from))?;
    let mut tail = Vec::new();
    source.read_to_end(&mut tail)?;
    let last = tail.len() - RECORD as usize;
    let Some(at) = (0..=last).rev().find(|&at| tail[at..].starts_with(b"PK\x05\x06")) else {
        return Err(none);
    };
    let record = &tail[at..];
    let (count, size, start) = (short(record, 10), word(record, 12), word(record, 16));
    if count < u16::MAX && size < u32::MAX && start < u32::MAX {
        return Ok((u64::from(count), u64::from(start), u64::from(size)));
    }
    let locator = at.checked_sub(20).map(|at| &tail[at..]).filter(|tail| tail.starts_with(b"PK\x06\x07"));
    let locator = locator.ok_or(Problem::Format("the archive's directory is damaged"))?;
    source.seek(SeekFrom::Start(long(locator, 8)))?;
    let record: [u8; 56] = bytes(source)?;
    if record[..4] != *b"PK\x06\x06" {
        return Err(Problem::Format("the archive's directory is damaged"));
    }
    Ok((long(&record, 32), long(&record, 48), long(&record, 40)))
}

fn bytes<const N: usize>(source: &mut impl Read) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    source.read_exact(&mut bytes)?;
    Ok(bytes)
}

fn short(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from(short(bytes, at)) | u32::from(short(bytes, at + 2)) << 16
}

fn long(bytes: &[u8], at: usize) -> u64 {
    u64::from(word(bytes, at)) | u64::from(word(bytes, at + 4)) << 32
}
