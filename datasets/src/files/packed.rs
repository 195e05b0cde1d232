//! Files packed by gzip.

use std::io::Read;
use std::path::Path;

use embedding::{Error, MemoryLimit};
use flate2::bufread::MultiGzDecoder;

/// The content of bytes that gzip packed; other bytes as they are. The first two
/// bytes tell.
pub(super) fn unpacked(bytes: Vec<u8>, path: &Path, memory: MemoryLimit) -> Result<Vec<u8>, Error> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes);
    }
    let mut content = Vec::new();
    // One byte more than is allowed tells that there is too much.
    MultiGzDecoder::new(&bytes[..])
        .take(memory.bytes.saturating_add(1))
        .read_to_end(&mut content)
        .map_err(|error| Error::file(path.display(), format!("the packed file is damaged: {error}")))?;
    memory.allow("unpacking the file", content.len() as u64, "allow more memory")?;
    Ok(content)
}
