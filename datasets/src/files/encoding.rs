//! Bytes of files as text.

use std::path::Path;
use std::string::FromUtf8Error;

use embedding::{Error, MemoryLimit};

use super::errors::allow;
use super::packed::{bytes, unpacked};
use super::unsupported_formats;

/// The encoding of text files that begin with no byte-order mark; behind one, text is UTF-8 or UTF-16.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Encoding {
    /// UTF-8.
    #[default]
    Utf8,
    /// windows-1252 (cp1252), as programs on Windows write in languages of Western Europe; it equals ISO
    /// 8859-1 (Latin-1) except for control characters. Bytes that are UTF-8 are refused.
    Windows1252,
}

impl Encoding {
    /// The whole text of a file, packed or not, without a byte-order mark.
    pub(super) fn text(self, path: &Path, memory: MemoryLimit) -> Result<String, Error> {
        self.decode(unpacked(bytes(path, memory)?, path, memory)?, path, memory)
    }

    /// Bytes as text, without a byte-order mark.
    pub(super) fn decode(self, bytes: Vec<u8>, path: &Path, memory: MemoryLimit) -> Result<String, Error> {
        let fail = |problem: String| Error::file(path.display(), problem);
        match bytes[..] {
            [0xff, 0xfe, ..] => return utf_16(&bytes[2..], u16::from_le_bytes, path, memory),
            [0xfe, 0xff, ..] => return utf_16(&bytes[2..], u16::from_be_bytes, path, memory),
            _ => {}
        }
        if let Some(problem) = unsupported_formats::of_text(&bytes) {
            return Err(fail(problem.to_owned()));
        }
        match (String::from_utf8(bytes), self) {
            (Ok(text), Self::Windows1252) if !text.is_ascii() && !text.starts_with(BYTE_ORDER_MARK) => {
                Err(fail("the file is text in UTF-8; leave out --encoding windows-1252".to_owned()))
            }
            (Ok(text), _) => Ok(without_mark(text)),
            (Err(error), Self::Windows1252) if !error.as_bytes().contains(&0) => {
                windows_1252(error.as_bytes(), path, memory)
            }
            (Err(error), _) => Err(no_utf_8(&error, path)),
        }
    }
}

/// Bytes in UTF-8 as text, without a byte-order mark.
pub(super) fn utf_8(bytes: Vec<u8>, path: &Path) -> Result<String, Error> {
    String::from_utf8(bytes).map(without_mark).map_err(|error| no_utf_8(&error, path))
}

fn without_mark(mut text: String) -> String {
    if text.starts_with(BYTE_ORDER_MARK) {
        text.drain(..BYTE_ORDER_MARK.len_utf8());
    }
    text
}

fn no_utf_8(error: &FromUtf8Error, path: &Path) -> Error {
    let at = error.utf8_error().valid_up_to();
    Error::file(path.display(), unsupported_formats::no_utf_8(error.as_bytes(), at))
}

/// Fails where decoded text takes more memory than is allowed in addition to its bytes; each byte becomes up
/// to `most` / 2 bytes.
fn decoding(
    what: &'static str,
    bytes: &[u8],
    most: usize,
    path: &Path,
    memory: MemoryLimit,
) -> Result<(), Error> {
    let needed = (bytes.len() + most * bytes.len() / 2) as u64;
    allow(memory, path, what, needed, "save it as CSV in UTF-8")
}

/// Text in UTF-16, as Excel writes it.
fn utf_16(
    bytes: &[u8],
    unit: impl Fn([u8; 2]) -> u16,
    path: &Path,
    memory: MemoryLimit,
) -> Result<String, Error> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    // Two bytes become three at most.
    decoding("decoding text in UTF-16", bytes, 3, path, memory)?;
    let decoded: Result<String, _> = char::decode_utf16(pairs.iter().map(|pair| unit(*pair))).collect();
    match decoded {
        Ok(text) if rest.is_empty() => Ok(text),
        _ => {
            let problem = "the file begins as text in UTF-16, but is none; save it as CSV in UTF-8";
            Err(Error::file(path.display(), problem))
        }
    }
}

/// Text of one byte per character.
fn windows_1252(bytes: &[u8], path: &Path, memory: MemoryLimit) -> Result<String, Error> {
    decoding("decoding text in windows-1252", bytes, 6, path, memory)?;
    let mut text = String::with_capacity(bytes.len());
    for (at, &byte) in bytes.iter().enumerate() {
        let character = match byte {
            0x80..=0x9f => BEYOND_LATIN_1[usize::from(byte - 0x80)],
            _ => char::from(byte),
        };
        if character == NONE {
            let problem = format!(
                "byte {at} is {byte:#x}, which is no character of windows-1252 (it is on line {}); save the file as \
                 UTF-8",
                unsupported_formats::line_of(bytes, at)
            );
            return Err(Error::file(path.display(), problem));
        }
        text.push(character);
    }
    Ok(text)
}

/// Replaces a byte that has no character.
const NONE: char = char::REPLACEMENT_CHARACTER;

/// The characters of windows-1252 from byte 0x80 on that differ from Latin-1.
const BEYOND_LATIN_1: [char; 32] = [
    '€', NONE, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', NONE, 'Ž', NONE, NONE, '‘', '’', '“',
    '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', NONE, 'ž', 'Ÿ',
];

/// The mark that editors on some systems put before a text.
const BYTE_ORDER_MARK: char = '\u{feff}';
