//! JSON lines: an object or a list for each row.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use embedding::{Error, MemoryLimit};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};

use super::cells::{ADVICE, excerpt};
use super::csv_file::cell;
use super::errors::allow;

/// The same rows as text with commas between cells, below one line of names. An empty line stays one.
///
/// The numbers of a list are columns that are numbered from 0: `embedding.0`, `embedding.1`. An object within
/// an object gives `outer.inner`. A key that a row lacks is an empty cell, as `null` is.
pub(super) fn as_table(text: &str, path: &Path, memory: MemoryLimit) -> Result<String, Error> {
    let memory = memory.beside(text.len() as u64);
    // Each cell ends before a comma, a bracket or a brace; one row is held at a time.
    let cells = |line: &str| line.bytes().filter(|byte| matches!(byte, b',' | b']' | b'}')).count();
    let row = CELL * text.lines().map(cells).max().unwrap_or(0) as u64;
    allow(memory, path, "reading JSON lines", row.saturating_add(2 * text.len() as u64), ADVICE)?;
    let (mut columns, mut found) = (Columns::default(), Vec::new());
    let lines = || text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    for (number, line) in lines() {
        columns.read(number, line, path, &mut found)?;
    }
    // Rows may lack most of the columns.
    let separators = text.lines().count() as u64 * columns.names.len() as u64;
    let needed = row.saturating_add(2 * text.len() as u64).saturating_add(separators);
    allow(memory, path, "making a table of JSON lines", needed, ADVICE)?;
    let names: Vec<String> = columns.names.iter().map(|name| cell(name, None)).collect();
    let mut table = String::with_capacity(text.len());
    table.push_str(&names.join(","));
    let mut written = 0;
    for (number, line) in lines() {
        columns.read(number, line, path, &mut found)?;
        let line = columns.line(&mut found);
        (written..=number).for_each(|_| table.push('\n'));
        written = number + 1;
        table.push_str(&line);
    }
    Ok(table)
}

/// Bytes of a cell of the row that is read: as a value, as text, and in its column.
const CELL: u64 = 160;

/// A column that a row has twice.
fn repeated(cells: &[(usize, String)], columns: usize) -> Option<usize> {
    let mut found = vec![false; columns];
    cells.iter().map(|(column, _)| *column).find(|&column| std::mem::replace(&mut found[column], true))
}

/// The columns in the order in which they first occur.
#[derive(Default)]
pub(super) struct Columns {
    names: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Columns {
    /// Reads the cells of a row, on the line of this number from 0, with their columns.
    fn read(
        &mut self,
        number: usize,
        line: &str,
        path: &Path,
        cells: &mut Vec<(usize, String)>,
    ) -> Result<(), Error> {
        let (place, shown) = (number + 1, excerpt(line.trim()));
        let fail = |problem: String| Err(Error::file(path.display(), format!("line {place} must {problem}")));
        let value = match serde_json::from_str(line) {
            Ok(value @ (Value::Object(_) | Value::List(_))) => value,
            Ok(_) => return fail(format!("be an object or a list, but is `{shown}`")),
            Err(error) => {
                return fail(format!("be one object or one list in JSON, but `{shown}` is not ({error})"));
            }
        };
        cells.clear();
        self.add("", value, cells);
        match repeated(cells, self.names.len()) {
            Some(column) => {
                let name = excerpt(&self.names[column]);
                fail(format!("have each key once, but has `{name}` twice"))
            }
            None => Ok(()),
        }
    }

    /// The names of the columns so far.
    #[cfg(feature = "parquet")]
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    /// The cells of a row, with their columns; of a column that occurs twice, all.
    #[cfg(feature = "parquet")]
    pub(super) fn take(&mut self, row: Value, cells: &mut Vec<(usize, String)>) {
        cells.clear();
        self.add("", row, cells);
    }

    /// The line of these cells, which are left empty.
    pub(super) fn line(&self, cells: &mut Vec<(usize, String)>) -> String {
        let mut texts = vec![String::new(); self.names.len()];
        cells.drain(..).for_each(|(column, text)| texts[column] = text);
        match &texts[..] {
            // An empty line would be no row.
            [only] if only.is_empty() => "\"\"".to_owned(),
            texts => texts.join(","),
        }
    }

    /// Adds the cells of a value under this name.
    fn add(&mut self, name: &str, value: Value, cells: &mut Vec<(usize, String)>) {
        let within = |part: &str| if name.is_empty() { part.to_owned() } else { format!("{name}.{part}") };
        let text = match value {
            Value::Object(parts) => {
                return parts.into_iter().for_each(|(key, value)| self.add(&within(&key), value, cells));
            }
            Value::List(values) => {
                return values.into_iter().enumerate().for_each(|(number, value)| {
                    self.add(&within(&number.to_string()), value, cells);
                });
            }
            Value::Null => String::new(),
            Value::Text(text) => cell(&text, None),
            Value::Truth(truth) => truth.to_string(),
            Value::Number(number) => number.to_string(),
        };
        let next = self.names.len();
        let column = *self.numbers.entry(name.to_owned()).or_insert_with(|| {
            self.names.push(name.to_owned());
            next
        });
        cells.push((column, text));
    }
}

/// A JSON value, whose keys keep their order.
pub(super) enum Value {
    Null,
    Truth(bool),
    Number(serde_json::Number),
    Text(String),
    List(Vec<Value>),
    Object(Vec<(String, Value)>),
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a value of JSON")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Value, E> {
        Ok(Value::Truth(truth))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Number(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Number(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(serde_json::Number::from_f64(number).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element()? {
            values.push(value);
        }
        Ok(Value::List(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
        let mut parts = Vec::new();
        while let Some(part) = object.next_entry()? {
            parts.push(part);
        }
        Ok(Value::Object(parts))
    }
}
