//! NumPy's array files.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use embedding::{Error, MemoryLimit, Points};

use super::atomic_write::WholeFiles;
use super::errors::{allow, reason};
use super::header::{self, Header, Kind, Type};
use super::raw::Raw;
use crate::ImageShape;

const MAGIC: &[u8; 6] = b"\x93NUMPY";

impl Type {
    /// Appends the numbers from their bytes.
    fn extend(self, values: &mut Vec<f64>, bytes: &[u8]) {
        // Common types are read without a decision for each number.
        match (self.kind, self.size, self.big_endian) {
            (Kind::Float, 8, false) => {
                values.extend(bytes.as_chunks().0.iter().map(|number| f64::from_le_bytes(*number)));
            }
            (Kind::Float, 4, false) => {
                values
                    .extend(bytes.as_chunks().0.iter().map(|number| f64::from(f32::from_le_bytes(*number))));
            }
            (Kind::Unsigned, 1, _) => values.extend(bytes.iter().map(|number| f64::from(*number))),
            _ => values.extend(bytes.chunks_exact(self.size).map(|number| self.decode(number))),
        }
    }

    /// One number from its bytes. Integers beyond 2⁵³ are rounded to the
    /// nearest double.
    pub(super) fn decode(self, bytes: &[u8]) -> f64 {
        let mut word = [0; 8];
        word[..self.size].copy_from_slice(bytes);
        if self.big_endian {
            word[..self.size].reverse();
        }
        let bits = u64::from_le_bytes(word);
        match self.kind {
            Kind::Float if self.size == 8 => f64::from_bits(bits),
            Kind::Float if self.size == 2 => half(bits as u16),
            Kind::Float => f64::from(f32::from_bits(bits as u32)),
            Kind::Unsigned => bits as f64,
            Kind::Bool => f64::from(u8::from(bits != 0)),
            Kind::Signed => {
                let unused = 64 - 8 * self.size as u32;
                ((bits << unused) as i64 >> unused) as f64
            }
        }
    }
}

/// A number of 16 bits: a sign, five bits of exponent, ten of the significand.
fn half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    match exponent {
        0 => sign * fraction * 2_f64.powi(-24),
        31 if fraction == 0.0 => sign * f64::INFINITY,
        31 => f64::NAN,
        _ => sign * (1.0 + fraction / 1024.0) * 2_f64.powi(exponent - 15),
    }
}

/// Reads an array of one (n × 1), two (n × D), three (n pictures, height ×
/// width) or four dimensions (… × 1 or 3 channels).
pub(super) fn read(path: &Path, memory: MemoryLimit) -> Result<Raw, Error> {
    let mut file = File::open(path).map_err(|error| Error::file(path.display(), reason(&error)))?;
    let length = file.metadata().map_err(|error| Error::file(path.display(), reason(&error)))?.len();
    read_from(&mut file, length, path, memory)
}

/// The same from `length` bytes of any source.
pub(super) fn read_from(
    file: &mut dyn Read,
    length: u64,
    path: &Path,
    memory: MemoryLimit,
) -> Result<Raw, Error> {
    let fail = |problem: String| Error::file(path.display(), problem);
    let (header, start) = read_header(file, length).map_err(fail)?;
    let layout = layout(&header.shape).map_err(fail)?;
    let promised = layout.count.and_then(|count| count.checked_mul(header.kind.size));
    let held = length.saturating_sub(start);
    let bytes = promised.filter(|&bytes| bytes as u64 == held).ok_or_else(|| {
        let promised =
            promised.map_or("more bytes than a computer can address".to_owned(), |b| format!("{b} bytes"));
        fail(format!(
            "the header promises {promised} of numbers, but the file holds {held}; it is truncated or damaged"
        ))
    })?;
    let needed = (bytes / header.kind.size) as u64 * 8;
    allow(memory, path, "holding the points", needed, "read fewer rows or allow more memory")?;
    let values = decode(file, &header, layout.rows, bytes).map_err(|error| fail(reason(&error)))?;
    let dim = values.len() / layout.rows;
    let white =
        if header.kind.kind == Kind::Unsigned && header.kind.size == 1 { 255.0 } else { brightest(&values) };
    let images =
        layout.picture.map(|[height, width, channels]| ImageShape { height, width, channels, white });
    Ok(Raw { images, ..Raw::new(values, dim) })
}

/// More than any array of numbers needs: 64 lengths of 20 digits.
const LONGEST_HEADER: u64 = 1 << 16;

/// The header, and where the numbers start.
fn read_header(file: &mut dyn Read, length: u64) -> Result<(Header, u64), String> {
    if length == 0 {
        return Err("the file is empty".to_owned());
    }
    let truncated = |_: io::Error| "the file ends within its header; it is truncated".to_owned();
    let mut start = [0; 8];
    file.read_exact(&mut start).map_err(|_| "this is no npy file: it is too short".to_owned())?;
    if &start[..6] != MAGIC {
        return Err("this is no npy file: it does not start with \\x93NUMPY".to_owned());
    }
    let (size, preamble) = match start[6] {
        1 => {
            let mut size = [0; 2];
            file.read_exact(&mut size).map_err(truncated)?;
            (u64::from(u16::from_le_bytes(size)), 10)
        }
        2 | 3 => {
            let mut size = [0; 4];
            file.read_exact(&mut size).map_err(truncated)?;
            (u64::from(u32::from_le_bytes(size)), 12)
        }
        version => return Err(format!("npy version {version} is not read; versions 1 to 3 are")),
    };
    if preamble + size > length {
        return Err("the file ends within its header; it is truncated".to_owned());
    }
    if size > LONGEST_HEADER {
        return Err(format!(
            "its header is {size} bytes long, but the header of an array of numbers has at most {LONGEST_HEADER}; it is damaged"
        ));
    }
    let mut text = vec![0; size as usize];
    file.read_exact(&mut text).map_err(truncated)?;
    let text = String::from_utf8(text).map_err(|_| "the header is not text".to_owned())?;
    Ok((header::parse(&text)?, preamble + size))
}

/// The number of rows, and the shape of a row.
struct Layout {
    rows: usize,
    /// All numbers; none when the product overflows.
    count: Option<usize>,
    /// Height, width and channels.
    picture: Option<[usize; 3]>,
}

fn layout(shape: &[usize]) -> Result<Layout, String> {
    let picture = match *shape {
        [_] | [_, _] => None,
        [_, height, width] => Some([height, width, 1]),
        [_, height, width, channels @ (1 | 3)] => Some([height, width, channels]),
        _ => {
            return Err(format!(
                "the array has shape {shape:?}; points are n, n × D, n × height × width or n × height × width × 1 or 3"
            ));
        }
    };
    if shape.contains(&0) {
        return Err(format!("the array has shape {shape:?}: it holds no numbers"));
    }
    let count = shape.iter().try_fold(1_usize, |product, &length| product.checked_mul(length));
    Ok(Layout { rows: shape[0], count, picture })
}

/// Reads the numbers in pieces, so that the bytes are never held whole.
fn decode(file: &mut dyn Read, header: &Header, rows: usize, bytes: usize) -> io::Result<Vec<f64>> {
    let size = header.kind.size;
    let mut values = Vec::with_capacity(bytes / size);
    let mut piece = vec![0; (1 << 16).min(bytes)];
    let mut left = bytes;
    while left > 0 {
        let now = left.min(piece.len());
        file.read_exact(&mut piece[..now])?;
        header.kind.extend(&mut values, &piece[..now]);
        left -= now;
    }
    if header.fortran && header.shape.len() > 1 {
        Ok(by_rows(&values, &header.shape, rows))
    } else {
        Ok(values)
    }
}

/// Fortran order (first index fastest) to C order (last index fastest).
fn by_rows(values: &[f64], shape: &[usize], rows: usize) -> Vec<f64> {
    let inner = &shape[1..];
    let columns: usize = inner.iter().product();
    // Where each column of a row lies among the columns in Fortran order.
    let offsets: Vec<usize> = (0..columns)
        .map(|column| {
            let (mut left, mut digits) = (column, vec![0; inner.len()]);
            for (digit, &length) in digits.iter_mut().zip(inner).rev() {
                (*digit, left) = (left % length, left / length);
            }
            digits.iter().zip(inner).rev().fold(0, |offset, (digit, length)| offset * length + digit)
        })
        .collect();
    (0..rows).flat_map(|row| offsets.iter().map(move |offset| values[row + offset * rows])).collect()
}

fn brightest(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, f64::max)
}

/// Writes n × D doubles.
pub(super) fn write_f64(files: &mut WholeFiles, path: &Path, points: Points<'_>) -> Result<(), Error> {
    files.write(path, |file| doubles(file, points))
}

fn doubles(file: &mut dyn Write, points: Points<'_>) -> io::Result<()> {
    write_header(file, "<f8", points.len(), points.dim())?;
    points.values().iter().try_for_each(|value| file.write_all(&value.to_le_bytes()))
}

/// The bytes of a file of n × D doubles.
pub(super) fn of_doubles(points: Points<'_>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    doubles(&mut bytes, points)?;
    Ok(bytes)
}

/// The bytes of a file of whole numbers.
pub(super) fn of_whole(values: &[u32]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    write_header(&mut bytes, "<u4", values.len(), 1)?;
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    Ok(bytes)
}

/// The bytes of a file of words, each with as many characters as the longest.
pub(super) fn of_words(words: &[String]) -> io::Result<Vec<u8>> {
    let longest = words.iter().map(|word| word.chars().count()).max().unwrap_or(0).max(1);
    let mut bytes = Vec::new();
    write_header(&mut bytes, &format!("<U{longest}"), words.len(), 1)?;
    for word in words {
        let padded = word.chars().chain(std::iter::repeat('\0')).take(longest);
        bytes.extend(padded.flat_map(|sign| u32::from(sign).to_le_bytes()));
    }
    Ok(bytes)
}

/// Writes rows of unsigned 32-bit integers; a single column is written as a
/// one-dimensional array.
pub(super) fn write_u32(
    files: &mut WholeFiles,
    path: &Path,
    columns: usize,
    values: &[u32],
) -> Result<(), Error> {
    files.write(path, |file| {
        write_header(file, "<u4", values.len() / columns, columns)?;
        values.iter().try_for_each(|value| file.write_all(&value.to_le_bytes()))
    })
}

/// A version 1 header, padded so that the numbers start at a multiple of 64.
fn write_header(file: &mut dyn Write, descr: &str, rows: usize, columns: usize) -> io::Result<()> {
    let shape =
        if descr != "<f8" && columns == 1 { format!("({rows},)") } else { format!("({rows}, {columns})") };
    let mut text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    while !(text.len() + 11).is_multiple_of(64) {
        text.push(' ');
    }
    text.push('\n');
    file.write_all(MAGIC)?;
    file.write_all(&[1, 0])?;
    file.write_all(&(text.len() as u16).to_le_bytes())?;
    file.write_all(text.as_bytes())
}
