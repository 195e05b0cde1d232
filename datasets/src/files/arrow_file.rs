//! Arrow files and streams, such as Feather (version 2), by way of JSON lines.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_cast::cast;
use arrow_ipc::reader::StreamReader;
use arrow_ipc::root_as_message;
use arrow_json::WriterBuilder;
use arrow_json::writer::LineDelimited;
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema};
use embedding::{Error, MemoryLimit};

use super::cells::ADVICE;
use super::errors::allow;

/// The first bytes of a file. After zeros a stream follows, and then a table of contents, which is not read.
pub(super) const MAGIC: &[u8] = b"ARROW1";

/// The rows, one object per line.
pub(super) fn as_lines(content: &[u8], path: &Path, memory: MemoryLimit) -> Result<String, Error> {
    // Lengths of damaged files are not checked everywhere.
    catch_unwind(AssertUnwindSafe(|| lines(content, path, memory))).unwrap_or_else(|_| Err(damaged(path)))
}

fn damaged(path: &Path) -> Error {
    Error::file(path.display(), "the Arrow file is damaged; write it again")
}

fn lines(content: &[u8], path: &Path, memory: MemoryLimit) -> Result<String, Error> {
    let memory = memory.beside(content.len() as u64);
    let zeros = |bytes: &[u8]| bytes.iter().take_while(|byte| **byte == 0).count();
    let stream = content.strip_prefix(MAGIC).map_or(content, |rest| &rest[zeros(rest)..]);
    allow(memory, path, "unpacking Arrow", unpacked(stream).ok_or_else(|| damaged(path))?, ADVICE)?;
    let unread = |error: ArrowError| {
        let advice = match error.to_string() {
            text if text.contains("zstd") => "; write it with another compression, as lz4 or none",
            _ => "",
        };
        let problem = format!("the Arrow file is damaged, or has what is not read ({error}){advice}");
        Error::file(path.display(), problem)
    };
    let mut writer = WriterBuilder::new().with_explicit_nulls(true).build::<_, LineDelimited>(Vec::new());
    let mut rows = 0;
    for batch in StreamReader::try_new(stream, None).map_err(unread)? {
        let batch = batch.map_err(unread)?;
        let held = 2 * batch.get_array_memory_size() as u64 + writer.get_ref().len() as u64;
        let values = (batch.num_rows() as u64).saturating_mul(batch.num_columns() as u64 + 1);
        let needed = values.saturating_mul(CELL).saturating_add(held);
        allow(memory, path, "reading Arrow", needed, ADVICE)?;
        rows += batch.num_rows();
        writer.write(&widened(&batch).map_err(unread)?).map_err(unread)?;
    }
    if rows == 0 {
        return Err(Error::file(path.display(), "the Arrow file has no rows"));
    }
    writer.finish().map_err(unread)?;
    String::from_utf8(writer.into_inner()).map_err(|_| damaged(path))
}

/// The bytes of the compressed buffers of a stream when they are unpacked. `None` where a length exceeds what there
/// is, or what LZ4 can hold: the reader allocates what the lengths say.
fn unpacked(stream: &[u8]) -> Option<u64> {
    let (mut rest, mut bytes) = (stream, 0_u64);
    let length = |bytes: &[u8]| bytes.first_chunk().map(|four| u32::from_le_bytes(*four));
    while let Some(first) = length(rest) {
        rest = &rest[4..];
        let metadata = match first {
            // Files of before 2019 lack this sign.
            CONTINUED => {
                let metadata = length(rest)?;
                rest = &rest[4..];
                metadata
            }
            metadata => metadata,
        } as usize;
        if metadata == 0 {
            break;
        }
        // In a place of its own, so that numbers are aligned.
        let head = rest.get(..metadata)?.to_vec();
        let message = root_as_message(&head).ok()?;
        rest = &rest[metadata..];
        let body = rest.get(..usize::try_from(message.bodyLength()).ok()?)?;
        rest = &rest[body.len()..];
        let dictionary = || message.header_as_dictionary_batch()?.data();
        let batch = message.header_as_record_batch().or_else(dictionary);
        let packed = batch.filter(|batch| batch.compression().is_some()).and_then(|batch| batch.buffers());
        for buffer in packed.iter().flatten() {
            let [from, size] = [buffer.offset(), buffer.length()].map(|at| usize::try_from(at).ok());
            let buffer = body.get(from?..from?.checked_add(size?)?)?;
            if let Some(plain) = buffer.first_chunk().map(|eight| i64::from_le_bytes(*eight)) {
                let plain = u64::try_from(plain.max(0)).ok()?;
                bytes = bytes.checked_add(plain).filter(|_| plain <= MOST * buffer.len() as u64)?;
            }
        }
    }
    Some(bytes)
}

/// The sign before the length of a message.
const CONTINUED: u32 = u32::MAX;

/// The most bytes that one byte of LZ4 stands for.
const MOST: u64 = 255;

/// Bytes of a value as text, with its name.
const CELL: u64 = 30;

/// The same with numbers of single precision as numbers of double precision, which are written without a
/// loss.
fn widened(batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
    let schema = batch.schema();
    let fields: Fields = schema.fields().iter().map(|field| wide(field)).collect();
    let columns = batch.columns().iter().zip(&fields);
    let columns = columns.map(|(column, field)| cast(column, field.data_type())).collect::<Result<_, _>>()?;
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
}

fn wide(field: &Field) -> Field {
    let within = |part: &Arc<Field>| Arc::new(wide(part));
    let of = match field.data_type() {
        DataType::Float16 | DataType::Float32 => DataType::Float64,
        DataType::List(part) => DataType::List(within(part)),
        DataType::LargeList(part) => DataType::LargeList(within(part)),
        DataType::FixedSizeList(part, length) => DataType::FixedSizeList(within(part), *length),
        DataType::Struct(parts) => DataType::Struct(parts.iter().map(within).collect()),
        other => other.clone(),
    };
    field.clone().with_data_type(of)
}
