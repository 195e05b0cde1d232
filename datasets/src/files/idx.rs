//! IDX, the format of MNIST: a magic number, the lengths, then big-endian
//! numbers. Plain or packed by gzip.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use embedding::{Error, MemoryLimit};
use flate2::bufread::MultiGzDecoder;

use super::errors::{allow, named, reason};
use super::header::{Kind, Type};
use super::raw::Raw;
use crate::ImageShape;

/// The bytes of an array, before they become points.
///
/// The numbers stay as small as they are in the file, so that reading a few rows of a large set does not
/// widen the others.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Idx {
    kind: Type,
    /// The lengths, the number of rows first.
    pub(crate) shape: Vec<usize>,
    bytes: Vec<u8>,
}

impl Idx {
    /// Reads a file, packed or not; the first bytes determine which.
    pub(crate) fn open(path: &Path, memory: MemoryLimit) -> Result<Self, Error> {
        let fail = |error: io::Error| Error::file(path.display(), reason(&error));
        let file = File::open(path).map_err(fail)?;
        let length = file.metadata().map_err(fail)?.len();
        Self::of(BufReader::new(file), length, path, memory)
    }

    fn of(source: impl BufRead, length: u64, path: &Path, memory: MemoryLimit) -> Result<Self, Error> {
        Self::parse(source, length, memory).map_err(|problem| match problem {
            Problem::Memory(error) => named(error, path),
            Problem::File(problem) => Error::file(path.display(), problem),
        })
    }

    /// An array that is part of the crate.
    #[cfg(feature = "bundled")]
    pub(crate) fn bundled(bytes: &[u8]) -> Self {
        Self::parse(bytes, bytes.len() as u64, MemoryLimit::UNLIMITED)
            .expect("bundled files are checked by the tests")
    }

    /// Parses a source of `length` bytes; only the numbers are held in memory.
    fn parse(mut source: impl BufRead, length: u64, memory: MemoryLimit) -> Result<Self, Problem> {
        let first = source.fill_buf().map_err(|error| damaged(&error, "its magic number"))?;
        if first.is_empty() {
            return Err("the file is empty".into());
        }
        if first.starts_with(&[0x1f, 0x8b]) {
            let most = length.saturating_mul(DEFLATE_RATIO);
            return Self::read(&mut MultiGzDecoder::new(source), Held::AtMost(most), memory);
        }
        Self::read(&mut source, Held::Exactly(length), memory)
    }

    fn read(source: &mut dyn Read, held: Held, memory: MemoryLimit) -> Result<Self, Problem> {
        let mut magic = [0; 4];
        source.read_exact(&mut magic).map_err(|error| damaged(&error, "its magic number"))?;
        let kind = match magic {
            [0, 0, code, rank] if rank > 0 => element_type(code)?,
            _ => {
                return Err("this is no IDX file: it must start with two zeros, a type and a rank".into());
            }
        };
        let rank = usize::from(magic[3]);
        let mut shape = vec![0; rank];
        for length in &mut shape {
            let mut word = [0; 4];
            source.read_exact(&mut word).map_err(|error| damaged(&error, "its header"))?;
            *length = u32::from_be_bytes(word) as usize;
        }
        if shape.contains(&0) {
            return Err(format!("the array has shape {shape:?}: it holds no numbers").into());
        }
        let promised = shape
            .iter()
            .try_fold(kind.size as u64, |product, &length| product.checked_mul(length as u64))
            .unwrap_or(u64::MAX);
        held.allows(promised, 4 + 4 * rank as u64)?;
        memory.allow("unpacking the file", promised, "allow more memory").map_err(Problem::Memory)?;
        // Grows with what really arrives, whatever the header says.
        let mut bytes = Vec::new();
        source
            .take(promised.saturating_add(1))
            .read_to_end(&mut bytes)
            .map_err(|error| damaged(&error, "its numbers"))?;
        if bytes.len() as u64 != promised {
            let got = if bytes.len() as u64 > promised { "more".to_owned() } else { bytes.len().to_string() };
            return Err(format!(
                "the header promises {promised} bytes of numbers, but the file holds {got}; it is truncated or damaged"
            )
            .into());
        }
        Ok(Self { kind, shape, bytes })
    }

    /// The number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.shape[0]
    }

    /// Numbers per row.
    pub(crate) fn dim(&self) -> usize {
        self.shape[1..].iter().product()
    }

    /// The numbers of one row.
    pub(crate) fn row(&self, row: usize) -> impl Iterator<Item = f64> {
        let width = self.dim() * self.kind.size;
        self.bytes[row * width..][..width].chunks_exact(self.kind.size).map(|number| self.kind.decode(number))
    }

    /// All numbers, row by row.
    pub(crate) fn values(&self) -> impl Iterator<Item = f64> {
        (0..self.rows()).flat_map(|row| self.row(row))
    }

    /// The shape of a row, where rows are pictures.
    fn picture(&self, values: &[f64]) -> Option<ImageShape> {
        let [height, width, channels] = match self.shape[..] {
            [_, height, width] => [height, width, 1],
            [_, height, width, channels @ (1 | 3)] => [height, width, channels],
            _ => return None,
        };
        let byte = self.kind.kind == Kind::Unsigned;
        let white = if byte { 255.0 } else { values.iter().copied().fold(0.0, f64::max) };
        Some(ImageShape { height, width, channels, white })
    }
}

/// Reads points.
pub(super) fn read(path: &Path, memory: MemoryLimit) -> Result<Raw, Error> {
    points(&Idx::open(path, memory)?, path, memory)
}

/// The same from bytes.
pub(super) fn read_bytes(bytes: &[u8], path: &Path, memory: MemoryLimit) -> Result<Raw, Error> {
    points(&Idx::of(bytes, bytes.len() as u64, path, memory)?, path, memory)
}

fn points(array: &Idx, path: &Path, memory: MemoryLimit) -> Result<Raw, Error> {
    let (rows, dim) = (array.rows(), array.dim());
    let needed = (rows * dim) as u64 * 8 + array.bytes.len() as u64;
    allow(memory, path, "holding the points", needed, "read fewer rows or allow more memory")?;
    let values: Vec<f64> = array.values().collect();
    let images = array.picture(&values);
    Ok(Raw { images, ..Raw::new(values, dim) })
}

/// Deflate packs at most 1032 bytes into one.
pub(super) const DEFLATE_RATIO: u64 = 1032;

/// What is known about the length of a file's content.
enum Held {
    Exactly(u64),
    AtMost(u64),
}

impl Held {
    fn allows(&self, promised: u64, header: u64) -> Result<(), Problem> {
        let (fits, held) = match *self {
            Self::Exactly(held) => {
                let numbers = held.saturating_sub(header);
                (promised == numbers, numbers.to_string())
            }
            Self::AtMost(held) => (promised <= held, format!("at most {held}")),
        };
        if fits {
            return Ok(());
        }
        let promised = if promised == u64::MAX {
            "more bytes than a computer can address".to_owned()
        } else {
            format!("{promised} bytes")
        };
        Err(format!(
            "the header promises {promised} of numbers, but the file holds {held}; it is truncated or damaged"
        )
        .into())
    }
}

#[derive(Debug)]
enum Problem {
    File(String),
    Memory(Error),
}

impl From<String> for Problem {
    fn from(problem: String) -> Self {
        Self::File(problem)
    }
}

impl From<&str> for Problem {
    fn from(problem: &str) -> Self {
        Self::File(problem.to_owned())
    }
}

fn element_type(code: u8) -> Result<Type, Problem> {
    let (kind, size) = match code {
        0x08 => (Kind::Unsigned, 1),
        0x09 => (Kind::Signed, 1),
        0x0b => (Kind::Signed, 2),
        0x0c => (Kind::Signed, 4),
        0x0d => (Kind::Float, 4),
        0x0e => (Kind::Float, 8),
        _ => return Err(format!("IDX has no element type {code:#04x}; the file is damaged").into()),
    };
    Ok(Type { kind, size, big_endian: true })
}

fn damaged(error: &io::Error, place: &str) -> Problem {
    if error.kind() == io::ErrorKind::UnexpectedEof {
        return format!("the file ends within {place}; it is truncated").into();
    }
    format!("the file is damaged in {place}: {error}").into()
}
