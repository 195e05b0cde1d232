//! Arrow files and streams, such as Feather (version 2), by way of JSON lines.

use std::io::Cursor;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_cast::cast;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_json::WriterBuilder;
use arrow_json::writer::LineDelimited;
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema};
use embedding::{Error, MemoryLimit};

use super::cells::ADVICE;
use super::errors::allow;

/// The first bytes of a file.
pub(super) const MAGIC: &[u8] = b"ARROW1";

/// The rows, one object per line.
pub(super) fn as_lines(content: &[u8], path: &Path, memory: MemoryLimit) -> Result<String, Error> {
    // Lengths of damaged files are not checked everywhere.
    catch_unwind(AssertUnwindSafe(|| lines(content, path, memory)))
        .unwrap_or_else(|_| Err(Error::file(path.display(), "the Arrow file is damaged; write it again")))
}

fn lines(content: &[u8], path: &Path, memory: MemoryLimit) -> Result<String, Error> {
    let memory = memory.beside(content.len() as u64);
    let damaged = |error: ArrowError| {
        let advice = match error.to_string() {
            text if text.contains("zstd") => "; write it with another compression, as lz4 or none",
            _ => "",
        };
        let problem = format!("the Arrow file is damaged, or has what is not read ({error}){advice}");
        Error::file(path.display(), problem)
    };
    let batches: Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + '_> =
        if content.starts_with(MAGIC) {
            Box::new(FileReader::try_new(Cursor::new(content), None).map_err(damaged)?)
        } else {
            Box::new(StreamReader::try_new(Cursor::new(content), None).map_err(damaged)?)
        };
    let mut writer = WriterBuilder::new().with_explicit_nulls(true).build::<_, LineDelimited>(Vec::new());
    let mut rows = 0;
    for batch in batches {
        let batch = batch.map_err(damaged)?;
        let held = batch.get_array_memory_size() as u64;
        let text = writer.get_ref().len() as u64;
        let values = CELL * batch.num_rows() as u64 * batch.num_columns() as u64;
        allow(memory, path, "reading Arrow", held.saturating_mul(2).saturating_add(text + values), ADVICE)?;
        rows += batch.num_rows();
        writer.write(&widened(&batch).map_err(damaged)?).map_err(damaged)?;
    }
    if rows == 0 {
        return Err(Error::file(path.display(), "the Arrow file has no rows"));
    }
    writer.finish().map_err(damaged)?;
    String::from_utf8(writer.into_inner()).map_err(|_| {
        Error::file(path.display(), "the Arrow file is damaged: its text is not UTF-8; write it again")
    })
}

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
