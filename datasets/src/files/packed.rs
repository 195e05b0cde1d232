//! The bytes of files, packed by gzip or not.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Result as Outcome, Write};
use std::path::Path;

use embedding::{Error, MemoryLimit};
use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;

use super::atomic_write::WholeFiles;
use super::errors::{allow, reason};

/// The first bytes of data packed by gzip.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// The bytes of a file.
pub(super) fn bytes(path: &Path, memory: MemoryLimit) -> Result<Vec<u8>, Error> {
    let fail = |error: std::io::Error| Error::file(path.display(), reason(&error));
    let length = fs::metadata(path).map_err(fail)?.len();
    allow(memory, path, "reading the file", length, "allow more memory, or save the numbers as .npy")?;
    fs::read(path).map_err(fail)
}

/// Unpacks bytes packed by gzip, recognized by their first two bytes; other bytes are returned unchanged.
pub(super) fn unpacked(bytes: Vec<u8>, path: &Path, memory: MemoryLimit) -> Result<Vec<u8>, Error> {
    if !bytes.starts_with(&MAGIC) {
        return Ok(bytes);
    }
    let mut content = Vec::new();
    // One byte more than is allowed shows that there is too much.
    MultiGzDecoder::new(&bytes[..])
        .take(memory.bytes.saturating_add(1))
        .read_to_end(&mut content)
        .map_err(|error| Error::file(path.display(), format!("the packed file is damaged: {error}")))?;
    if content.len() as u64 > memory.bytes {
        // Its last four bytes are the length of the content, of one below 4 GiB.
        let stated = bytes.last_chunk().map_or(0, |end| u64::from(u32::from_le_bytes(*end)));
        allow(memory, path, "unpacking the file", stated.max(memory.bytes + 1), "allow more memory")?;
    }
    Ok(content)
}

/// Writes text, packed where the name of the file ends in `.gz`.
pub(super) fn write_text(
    files: &mut WholeFiles,
    path: &Path,
    write: &mut dyn FnMut(&mut dyn Write) -> Outcome<()>,
) -> Result<(), Error> {
    if path.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("gz")) {
        return files.write(path, write);
    }
    files.write(path, |file| {
        let mut packing = GzEncoder::new(file, Compression::default());
        write(&mut packing)?;
        packing.finish().map(drop)
    })
}

/// The first `count` bytes of a file's content, packed or not; fewer for a shorter file.
pub(super) fn start(path: &Path, count: u64) -> Outcome<Vec<u8>> {
    let (mut file, mut start) = (BufReader::new(File::open(path)?), Vec::new());
    if file.fill_buf()?.starts_with(&MAGIC) {
        MultiGzDecoder::new(file).take(count).read_to_end(&mut start)?;
    } else {
        file.take(count).read_to_end(&mut start)?;
    }
    Ok(start)
}
