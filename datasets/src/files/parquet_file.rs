//! Parquet files, row by row.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use bytes::Bytes;
use embedding::{Error, MemoryLimit};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

use super::cells::ADVICE;
use super::csv_file::cell;
use super::dates::{MICROS, iso};
use super::errors::allow;
use super::json_lines::{Columns, Value};

/// The rows as text with commas between cells, below one line of names, as JSON lines have it.
pub(super) fn as_table(content: Vec<u8>, path: &Path, memory: MemoryLimit) -> Result<String, Error> {
    // parquet 60.1 panics on some damaged files, such as a column with a negative length.
    catch_unwind(AssertUnwindSafe(|| table(content, path, memory)))
        .unwrap_or_else(|_| Err(Error::file(path.display(), "the Parquet file is damaged; write it again")))
}

fn table(content: Vec<u8>, path: &Path, memory: MemoryLimit) -> Result<String, Error> {
    let memory = memory.beside(content.len() as u64);
    let damaged = |error: ParquetError| {
        let advice = match error.to_string().contains("Disabled feature") {
            true => "; write it with another compression, such as snappy or none",
            false => "",
        };
        Error::file(
            path.display(),
            format!("the Parquet file is damaged, or has what is not read ({error}){advice}"),
        )
    };
    let reader = SerializedFileReader::new(Bytes::from(content)).map_err(damaged)?;
    let leaves = reader.metadata().file_metadata().schema_descr().num_columns() as u64;
    let groups = reader.metadata().row_groups().iter();
    let unpacked: i64 = groups.map(|group| group.total_byte_size().max(0)).fold(0, i64::saturating_add);
    let rows = reader.metadata().file_metadata().num_rows().max(0) as u64;
    let needed = rows.saturating_mul(leaves).saturating_mul(CELL).saturating_add(unpacked as u64);
    allow(memory, path, "reading Parquet", needed, ADVICE)?;
    let (mut columns, mut found) = (Columns::default(), Vec::new());
    for row in reader.get_row_iter(None).map_err(damaged)? {
        columns.take(value(Field::Group(row.map_err(damaged)?)), &mut found);
    }
    if columns.names().is_empty() {
        return Err(Error::file(path.display(), "the Parquet file has no rows"));
    }
    let names: Vec<String> = columns.names().iter().map(|name| cell(name, None)).collect();
    let mut table = names.join(",");
    for row in reader.get_row_iter(None).map_err(damaged)? {
        columns.take(value(Field::Group(row.map_err(damaged)?)), &mut found);
        table.push('\n');
        let line = columns.line(&mut found);
        allow(memory, path, "making a table of Parquet", (table.len() + line.len()) as u64, ADVICE)?;
        table.push_str(&line);
    }
    Ok(table)
}

/// Bytes of a cell as text, on average.
const CELL: u64 = 20;

fn value(field: Field) -> Value {
    let whole = |number: i64| Value::Number(number.into());
    let float = |number: f64| serde_json::Number::from_f64(number).map_or(Value::Null, Value::Number);
    match field {
        Field::Null => Value::Null,
        Field::Bool(truth) => Value::Truth(truth),
        Field::Byte(number) => whole(number.into()),
        Field::Short(number) => whole(number.into()),
        Field::Int(number) => whole(number.into()),
        Field::Long(number) => whole(number),
        Field::UByte(number) => whole(number.into()),
        Field::UShort(number) => whole(number.into()),
        Field::UInt(number) => whole(number.into()),
        Field::ULong(number) => Value::Number(number.into()),
        Field::Float16(number) => float(number.into()),
        Field::Float(number) => float(number.into()),
        Field::Double(number) => float(number),
        Field::Str(text) => Value::Text(text),
        Field::Date(days) => Value::Text(iso(i64::from(days).saturating_mul(MICROS))),
        Field::TimestampMillis(millis) => Value::Text(iso(millis.saturating_mul(1000))),
        Field::TimestampMicros(micros) => Value::Text(iso(micros)),
        Field::Bytes(bytes) => Value::Text(String::from_utf8_lossy(bytes.data()).into_owned()),
        Field::Group(row) => {
            Value::Object(row.into_columns().into_iter().map(|(name, field)| (name, value(field))).collect())
        }
        Field::ListInternal(list) => Value::List(list.elements().iter().cloned().map(value).collect()),
        Field::MapInternal(map) => {
            let entries = map.entries().iter().cloned();
            let name = |key: Field| match key {
                Field::Str(text) => text,
                other => other.to_string(),
            };
            Value::Object(entries.map(|(key, field)| (name(key), value(field))).collect())
        }
        other @ (Field::Decimal(_) | Field::TimeMillis(_) | Field::TimeMicros(_)) => {
            Value::Text(other.to_string())
        }
    }
}
