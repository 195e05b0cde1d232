//! Messages as bytes: a JSON header, and blocks of numbers that it refers to.
//!
//! Little-endian: the length of the header and of the whole message as `u32`, the header,
//! zeros up to a multiple of 8, and blocks that each begin at a multiple of 8. In the
//! header, `{"array": "f64", "offset": o, "length": n}` stands for n numbers that begin o
//! bytes after the first block.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::failure::Failure;

/// Alignment of the blocks.
const ALIGN: usize = 8;

/// Bytes before the header.
const PREFIX: usize = 8;

/// The type of the numbers of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Type {
    /// Double precision.
    F64,
    /// Single precision.
    F32,
    /// Indices.
    U32,
    /// Bytes.
    U8,
}

impl Type {
    fn size(self) -> usize {
        match self {
            Self::F64 => 8,
            Self::F32 | Self::U32 => 4,
            Self::U8 => 1,
        }
    }
}

/// The place of an array among the blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct Array {
    /// The type of its numbers.
    pub array: Type,
    /// Bytes from the first block.
    pub offset: usize,
    /// The number of values.
    pub length: usize,
}

/// The blocks of a message that is being written.
#[derive(Debug, Default)]
pub struct Blocks {
    bytes: Vec<u8>,
}

impl Blocks {
    /// Adds numbers in double precision; returns the reference to them for the header.
    pub fn f64(&mut self, values: &[f64]) -> Value {
        self.add("f64", values.len(), values.iter().flat_map(|value| value.to_le_bytes()))
    }

    /// Adds numbers in single precision.
    pub fn f32(&mut self, values: impl ExactSizeIterator<Item = f64>) -> Value {
        self.add("f32", values.len(), values.flat_map(|value| (value as f32).to_le_bytes()))
    }

    /// Adds indices.
    pub fn u32(&mut self, values: &[u32]) -> Value {
        self.add("u32", values.len(), values.iter().flat_map(|value| value.to_le_bytes()))
    }

    /// Adds bytes.
    pub fn u8(&mut self, values: &[u8]) -> Value {
        self.add("u8", values.len(), values.iter().copied())
    }

    fn add(&mut self, array: &str, length: usize, bytes: impl Iterator<Item = u8>) -> Value {
        let offset = self.bytes.len();
        self.bytes.extend(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(ALIGN), 0);
        json!({ "array": array, "offset": offset, "length": length })
    }

    /// The message that consists of the header and the blocks.
    pub fn with_header(self, header: &Value) -> Vec<u8> {
        let header = header.to_string().into_bytes();
        let start = (PREFIX + header.len()).next_multiple_of(ALIGN);
        let total = start + self.bytes.len();
        let mut message = Vec::with_capacity(total);
        message.extend((header.len() as u32).to_le_bytes());
        message.extend((total as u32).to_le_bytes());
        message.extend(header);
        message.resize(start, 0);
        message.extend(self.bytes);
        message
    }
}

/// A received message.
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    header: &'a [u8],
    blocks: &'a [u8],
}

impl<'a> Message<'a> {
    /// Separates header and blocks; fails when the lengths contradict the bytes.
    pub(crate) fn parse(bytes: &'a [u8]) -> Result<Self, Failure> {
        let length = |at: usize| {
            let four = bytes.get(at..at + 4).and_then(|four| four.try_into().ok());
            four.map(|four| u32::from_le_bytes(four) as usize)
        };
        let damaged = || Failure::request("the lengths of the message contradict its bytes");
        let (header, total) = (length(0).ok_or_else(damaged)?, length(4).ok_or_else(damaged)?);
        let end = PREFIX.checked_add(header).ok_or_else(damaged)?;
        if total != bytes.len() || end > total {
            return Err(damaged());
        }
        let blocks = bytes.get(end.next_multiple_of(ALIGN)..).unwrap_or_default();
        Ok(Self { header: &bytes[PREFIX..end], blocks })
    }

    /// Separates header and blocks; `None` when the lengths contradict the bytes.
    pub fn read(bytes: &'a [u8]) -> Option<Self> {
        Self::parse(bytes).ok()
    }

    /// The JSON header.
    pub fn header(&self) -> &'a [u8] {
        self.header
    }

    /// Numbers of either precision, in double precision; `None` where the array is of
    /// another type or not within the message.
    pub fn reals(&self, array: Array) -> Option<Vec<f64>> {
        match array.array {
            Type::F64 => Some(self.numbers(array)?.map(f64::from_le_bytes).collect()),
            Type::F32 => Some(self.numbers(array)?.map(|four| f64::from(f32::from_le_bytes(four))).collect()),
            _ => None,
        }
    }

    /// Indices.
    pub fn indices(&self, array: Array) -> Option<Vec<u32>> {
        (array.array == Type::U32).then_some(())?;
        Some(self.numbers(array)?.map(u32::from_le_bytes).collect())
    }

    /// Bytes.
    pub fn bytes(&self, array: Array) -> Option<&'a [u8]> {
        (array.array == Type::U8).then_some(())?;
        self.block(array)
    }

    fn block(&self, Array { array, offset, length }: Array) -> Option<&'a [u8]> {
        let end = length.checked_mul(array.size())?.checked_add(offset)?;
        self.blocks.get(offset..end)
    }

    fn numbers<const SIZE: usize>(&self, array: Array) -> Option<impl Iterator<Item = [u8; SIZE]>> {
        Some(self.block(array)?.as_chunks().0.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(value: &Value) -> Array {
        serde_json::from_value(value.clone()).expect("a reference")
    }

    #[test]
    fn numbers_of_all_types_are_read_as_written() {
        let mut blocks = Blocks::default();
        let bytes = array(&blocks.u8(&[1, 2, 3]));
        let reals = array(&blocks.f64(&[0.1, f64::NEG_INFINITY, f64::NAN]));
        let indices = array(&blocks.u32(&[7, u32::MAX, 0]));
        let singles = array(&blocks.f32([0.5, 1e300].into_iter()));
        let message = blocks.with_header(&json!({ "a": "ä" }));
        assert_eq!(message.len() % ALIGN, 0);
        let read = Message::read(&message).expect("whole");
        assert_eq!(read.header(), "{\"a\":\"ä\"}".as_bytes());
        assert_eq!(read.bytes(bytes), Some(&[1, 2, 3][..]));
        let got = read.reals(reals).expect("reals");
        assert_eq!((got[0], got[1], got[2].is_nan()), (0.1, f64::NEG_INFINITY, true));
        assert_eq!(read.indices(indices), Some(vec![7, u32::MAX, 0]));
        assert_eq!(read.reals(singles), Some(vec![0.5, f64::INFINITY]));
        assert!([reals, indices, singles].iter().all(|array| array.offset.is_multiple_of(ALIGN)));
    }

    #[test]
    fn what_is_not_in_the_message_is_not_read() {
        let mut blocks = Blocks::default();
        let whole = array(&blocks.f64(&[1.0, 2.0]));
        let message = blocks.with_header(&json!({}));
        let read = Message::read(&message).expect("whole");
        assert_eq!(read.reals(Array { length: 3, ..whole }), None);
        assert_eq!(read.reals(Array { offset: usize::MAX, ..whole }), None);
        assert_eq!(read.reals(Array { length: usize::MAX, ..whole }), None);
        assert_eq!(read.indices(whole), None, "of another type");
        assert_eq!(read.bytes(whole), None, "of another type");
    }

    #[test]
    fn messages_of_another_length_are_refused() {
        let message = Blocks::default().with_header(&json!({}));
        assert!(Message::read(&message).is_some());
        assert!(Message::read(&message[..message.len() - 1]).is_none());
        assert!(Message::read(&[]).is_none());
        let mut longer = message.clone();
        longer[0] = 200;
        assert!(Message::read(&longer).is_none(), "the header ends behind the message");
        longer[..4].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(Message::read(&longer).is_none(), "lengths that overflow");
    }
}
