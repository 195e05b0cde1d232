//! Fitted models as bytes.
//!
//! A saved model is a header and a body:
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `MANIFOLD` |
//! | 4 | version of this format |
//! | 1 + k | length and name of the method that made the model |
//! | 8 | length of the body |
//! | 8 | checksum of everything else |
//! | … | body: the model in [postcard](https://postcard.jamesmunns.com/wire-format) encoding |
//!
//! Numbers are little-endian. [`encode`] and [`decode`] turn models into bytes and back,
//! bit for bit; files are the business of programs. Bytes that [`encode`] did not write
//! are refused with [`Error::Model`], which says what is wrong. The checksum detects
//! accidents, not attacks. The content is validated as well, so that a model of unknown
//! origin is refused or places points, but never panics.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Error;
use crate::implement::Validate;

const MAGIC: [u8; 8] = *b"MANIFOLD";

/// The format written by [`encode`] and read by [`decode`].
pub const FORMAT: u32 = 3;

/// A model made by the method `kind`, as bytes.
///
/// Fails when the name is empty or longer than 255 bytes, or when the model
/// holds something the encoding cannot express. O(size of the model).
///
/// ```
/// use embedding::{Embedding, persist};
/// let model = Embedding::new(faer::Mat::identity(3, 2));
/// let bytes = persist::encode("isomap", &model)?;
/// assert_eq!(persist::kind(&bytes)?, "isomap");
/// assert_eq!(persist::decode::<Embedding>("isomap", &bytes)?, model);
/// let error = persist::decode::<Embedding>("lle", &bytes).unwrap_err();
/// assert!(error.to_string().contains("isomap"));
/// # Ok::<(), embedding::Error>(())
/// ```
pub fn encode<T: Serialize>(kind: &str, model: &T) -> Result<Vec<u8>, Error> {
    with_header(kind, postcard::to_stdvec(model).map_err(|e| unencoded(kind, e))?)
}

/// The model of the method `kind` that [`encode`] wrote.
///
/// Fails on bytes that are no saved model, or one that is cut short, altered,
/// written in another format, or made by another method, and where the model's parts
/// contradict each other ([`Validate`]). Nothing larger than a small multiple of `bytes`
/// is allocated.
pub fn decode<T: DeserializeOwned + Validate>(kind: &str, bytes: &[u8]) -> Result<T, Error> {
    let body = body_of(kind, bytes)?;
    let (model, rest) = postcard::take_from_bytes::<T>(body).map_err(|e| other_content(kind, e))?;
    ended(kind, rest)?;
    model.validate().map(|()| model)
}

/// The name of the method that made the model in `bytes`, which are checked as
/// by [`decode`].
pub fn kind(bytes: &[u8]) -> Result<&str, Error> {
    Ok(open(bytes)?.kind)
}

/// The header and the body. This and what follows is compiled once, not for every type of models.
fn with_header(kind: &str, body: Vec<u8>) -> Result<Vec<u8>, Error> {
    let length = match u8::try_from(kind.len()) {
        Ok(length) if length > 0 => length,
        _ => return Err(Error::parameter("the name of a model", "1 to 255 bytes long", kind.len())),
    };
    let mut bytes = Vec::with_capacity(MAGIC.len() + 21 + kind.len() + body.len());
    bytes.extend(MAGIC);
    bytes.extend(FORMAT.to_le_bytes());
    bytes.push(length);
    bytes.extend(kind.as_bytes());
    bytes.extend((body.len() as u64).to_le_bytes());
    let sum = checksum(&[&bytes, &body]);
    bytes.extend(sum.to_le_bytes());
    bytes.extend(body);
    Ok(bytes)
}

/// The body of a model of the method `kind`.
fn body_of<'a>(kind: &str, bytes: &'a [u8]) -> Result<&'a [u8], Error> {
    let saved = open(bytes)?;
    if saved.kind != kind {
        return Err(unusable(format!("it was made by {}, but a model of {kind} is needed", saved.kind)));
    }
    Ok(saved.body)
}

fn unencoded(kind: &str, error: postcard::Error) -> Error {
    unusable(format!("a {kind} model has no encoding: {error}"))
}

fn other_content(kind: &str, error: postcard::Error) -> Error {
    unusable(format!("its content is no {kind} model of this version: {error}"))
}

fn ended(kind: &str, rest: &[u8]) -> Result<(), Error> {
    if rest.is_empty() { Ok(()) } else { Err(unusable(format!("a {kind} model ends before its bytes do"))) }
}

struct Saved<'a> {
    kind: &'a str,
    body: &'a [u8],
}

/// Reads the header and checks everything but the body's meaning.
fn open(bytes: &[u8]) -> Result<Saved<'_>, Error> {
    let rest = bytes.strip_prefix(&MAGIC);
    let rest = rest.ok_or_else(|| unusable("this is no saved model: its first bytes are others".into()))?;
    let cut = || unusable("it is cut short".into());
    let (format, rest) = rest.split_first_chunk().ok_or_else(cut)?;
    let format = u32::from_le_bytes(*format);
    if format > FORMAT {
        return Err(unusable(format!(
            "it is written in format {format}, but this version reads format {FORMAT}; use a newer version"
        )));
    }
    if format < FORMAT {
        return Err(unusable(format!(
            "it is written in format {format}, but this version reads format {FORMAT}; fit the model again"
        )));
    }
    let (&length, rest) = rest.split_first().ok_or_else(cut)?;
    let (kind, rest) = rest.split_at_checked(length as usize).ok_or_else(cut)?;
    let (promised, rest) = rest.split_first_chunk().ok_or_else(cut)?;
    let head = &bytes[..bytes.len() - rest.len()];
    let (sum, body) = rest.split_first_chunk().ok_or_else(cut)?;
    let promised = u64::from_le_bytes(*promised);
    if promised != body.len() as u64 {
        return Err(unusable(format!(
            "it should go on for {promised} bytes after its header, but does for {}: it is cut short or damaged",
            body.len()
        )));
    }
    let damaged = || unusable("it is damaged: its checksum does not match".into());
    if checksum(&[head, body]) != u64::from_le_bytes(*sum) {
        return Err(damaged());
    }
    let kind = std::str::from_utf8(kind).map_err(|_| damaged())?;
    Ok(Saved { kind, body })
}

/// FNV-1a over the parts in order. Every step is a bijection of the state, so
/// that no change of a single byte goes unnoticed.
pub fn checksum(parts: &[&[u8]]) -> u64 {
    let bytes = parts.iter().flat_map(|part| part.iter());
    bytes.fold(0xcbf2_9ce4_8422_2325, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

fn unusable(problem: String) -> Error {
    Error::Model { problem }
}
