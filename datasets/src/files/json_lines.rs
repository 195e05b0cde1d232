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
    let fail =
        |line: usize, problem: String| Error::file(path.display(), format!("line {} {problem}", line + 1));
    let mut columns = Columns::default();
    // Each cell ends before a comma, a bracket or a brace.
    let most = text.bytes().filter(|byte| matches!(byte, b',' | b']' | b'}' | b'\n')).count() as u64;
    let needed = (CELL * most).saturating_add(3 * text.len() as u64);
    let memory = memory.beside(text.len() as u64);
    allow(memory, path, "reading JSON lines", needed, ADVICE)?;
    let mut rows: Vec<Option<Vec<(usize, String)>>> = Vec::new();
    for (line, content) in text.lines().enumerate() {
        if content.trim().is_empty() {
            rows.push(None);
            continue;
        }
        let value: Value = serde_json::from_str(content).map_err(|error| {
            let shown = excerpt(content.trim());
            fail(line, format!("must be one object or one list in JSON, but `{shown}` is not ({error})"))
        })?;
        let mut cells = Vec::new();
        match value {
            Value::Object(_) | Value::List(_) => columns.add("", value, &mut cells),
            _ => {
                let shown = excerpt(content.trim());
                return Err(fail(line, format!("must be an object or a list, but is `{shown}`")));
            }
        }
        if let Some(&(column, _)) = cells.iter().max_by_key(|(column, _)| *column)
            && let Some(repeated) = repeated(&cells, column)
        {
            let name = &columns.names[repeated];
            return Err(fail(line, format!("must have each key once, but has `{}` twice", excerpt(name))));
        }
        rows.push(Some(cells));
    }
    // Rows may lack most of the columns.
    let separators = rows.len() as u64 * columns.names.len() as u64;
    allow(memory.beside(needed), path, "making a table of JSON lines", separators, ADVICE)?;
    let mut table = String::with_capacity(text.len());
    let names: Vec<String> = columns.names.iter().map(|name| cell(name, None)).collect();
    table.push_str(&names.join(","));
    let mut texts = vec![String::new(); columns.names.len()];
    for row in rows {
        table.push('\n');
        if let Some(cells) = row {
            texts.iter_mut().for_each(String::clear);
            cells.into_iter().for_each(|(column, text)| texts[column] = text);
            match &texts[..] {
                // An empty line would be no row.
                [only] if only.is_empty() => table.push_str("\"\""),
                texts => table.push_str(&texts.join(",")),
            }
        }
    }
    Ok(table)
}

/// Bytes of a cell as a value, as text and as a column of its own.
const CELL: u64 = 320;

/// A column that a row has twice.
fn repeated(cells: &[(usize, String)], last: usize) -> Option<usize> {
    let mut found = vec![false; last + 1];
    cells.iter().map(|(column, _)| *column).find(|&column| std::mem::replace(&mut found[column], true))
}

/// The columns in the order in which they first occur.
#[derive(Default)]
struct Columns {
    names: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Columns {
    /// Adds the cells of a value under this name.
    fn add(&mut self, name: &str, value: Value, cells: &mut Vec<(usize, String)>) {
        let within = |part: &str| if name.is_empty() { part.to_owned() } else { format!("{name}.{part}") };
        let text = match value {
            Value::Object(parts) => {
                return parts.into_iter().for_each(|(key, value)| self.add(&within(&key), value, cells));
            }
            Value::List(values) => {
                let mut number = 0..;
                return values.into_iter().zip(&mut number).for_each(|(value, number)| {
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
enum Value {
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
