//! Writes NumPy's archives: `.npy` files in a zip file, stored as they are.

use std::io::{self, Write};

use flate2::Crc;

/// An archive that is written.
pub(super) struct Archive<'a> {
    file: &'a mut dyn Write,
    /// Bytes written so far.
    length: u32,
    /// The entries of the directory, which ends the archive.
    directory: Vec<u8>,
    count: u16,
}

impl<'a> Archive<'a> {
    pub(super) fn new(file: &'a mut dyn Write) -> Self {
        Self { file, length: 0, directory: Vec::new(), count: 0 }
    }

    /// Adds the array `name` with the bytes of its `.npy` file.
    pub(super) fn add(&mut self, name: &str, content: &[u8]) -> io::Result<()> {
        let name = format!("{name}.npy");
        let mut crc = Crc::new();
        crc.update(content);
        let (size, named) = (whole(content.len())?, name.len().try_into().map_err(|_| too_long())?);
        let mut entry = Entry::default();
        entry.shorts(&[20, UTF_8, STORED, 0, FIRST_DAY]);
        entry.words(&[crc.sum(), size, size]);
        entry.shorts(&[named, 0]);
        let header = [b"PK\x03\x04", &entry.0[..], name.as_bytes()].concat();
        let start = self.length;
        self.write(&header)?;
        self.write(content)?;
        let mut end = Entry::default();
        end.shorts(&[0, 0, 0]);
        end.words(&[0, start]);
        self.directory.extend([b"PK\x01\x02\x14\x00", &entry.0[..], &end.0[..], name.as_bytes()].concat());
        self.count = self.count.checked_add(1).ok_or_else(too_long)?;
        Ok(())
    }

    /// Writes the directory.
    pub(super) fn finish(mut self) -> io::Result<()> {
        let (start, directory) = (self.length, std::mem::take(&mut self.directory));
        self.write(&directory)?;
        let mut end = Entry::default();
        end.shorts(&[0, 0, self.count, self.count]);
        end.words(&[whole(directory.len())?, start]);
        end.shorts(&[0]);
        self.write(&[b"PK\x05\x06", &end.0[..]].concat())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.length = self.length.checked_add(whole(bytes.len())?).ok_or_else(too_long)?;
        self.file.write_all(bytes)
    }
}

/// Names are in UTF-8.
const UTF_8: u16 = 1 << 11;

/// No compression.
const STORED: u16 = 0;

/// 1980-01-01, so that equal arrays give equal bytes.
const FIRST_DAY: u16 = 1 << 5 | 1;

/// Numbers of a zip file.
#[derive(Default)]
struct Entry(Vec<u8>);

impl Entry {
    fn shorts(&mut self, numbers: &[u16]) {
        self.0.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }

    fn words(&mut self, numbers: &[u32]) {
        self.0.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }
}

fn whole(length: usize) -> io::Result<u32> {
    length.try_into().map_err(|_| too_long())
}

fn too_long() -> io::Error {
    io::Error::other("an .npz file must be below 4 GiB; write the map as .npy or .csv")
}
