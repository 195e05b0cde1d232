//! The header of an npy file: a small Python dictionary.

/// What the header promises.
#[derive(Debug, PartialEq)]
pub(super) struct Header {
    pub(super) kind: Type,
    pub(super) fortran: bool,
    pub(super) shape: Vec<usize>,
}

/// The type of one number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Type {
    pub(super) kind: Kind,
    pub(super) size: usize,
    pub(super) big_endian: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Float,
    Signed,
    Unsigned,
    Bool,
}

/// Parses `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }`.
pub(super) fn parse(text: &str) -> Result<Header, String> {
    let mut rest = Cursor(text);
    rest.expect('{')?;
    let (mut kind, mut fortran, mut shape) = (None, None, None);
    while !rest.take('}') {
        let key = rest.string()?;
        rest.expect(':')?;
        match key {
            "descr" => kind = Some(element_type(&mut rest)?),
            "fortran_order" => fortran = Some(rest.boolean()?),
            "shape" => shape = Some(rest.tuple()?),
            _ => return Err(format!("the header has an unknown key `{key}`")),
        }
        if !rest.take(',') {
            rest.expect('}')?;
            break;
        }
    }
    match (kind, fortran, shape) {
        (Some(kind), Some(fortran), Some(shape)) if rest.0.trim().is_empty() => {
            Ok(Header { kind, fortran, shape })
        }
        _ => Err("the header must name descr, fortran_order and shape, and nothing after them".to_owned()),
    }
}

fn element_type(rest: &mut Cursor<'_>) -> Result<Type, String> {
    if rest.peek('[') {
        return Err("the array has named fields; save one plain array of numbers".to_owned());
    }
    let descr = rest.string()?;
    let refuse = |code: &str| match code.as_bytes().first() {
        Some(b'U' | b'S' | b'a' | b'T' | b'O') => format!(
            "the array holds words or other objects (type `{descr}`), which are not read; save numbers, or labels as a .csv file with one per line, as numpy.savetxt('FILE.csv', labels, fmt='%s') does"
        ),
        _ => format!(
            "numbers of type `{descr}` are not read; save as float64, float32, float16, an integer type or bool"
        ),
    };
    let (order, code) = match descr.as_bytes().first() {
        Some(b'<' | b'>' | b'|' | b'=') => descr.split_at(1),
        _ => ("<", descr),
    };
    let (kind, size) = match code {
        "f8" => (Kind::Float, 8),
        "f4" => (Kind::Float, 4),
        "f2" => (Kind::Float, 2),
        "i1" | "i2" | "i4" | "i8" => (Kind::Signed, usize::from(code.as_bytes()[1] - b'0')),
        "u1" | "u2" | "u4" | "u8" => (Kind::Unsigned, usize::from(code.as_bytes()[1] - b'0')),
        "b1" => (Kind::Bool, 1),
        _ => return Err(refuse(code)),
    };
    if size > 1 && order == "|" {
        return Err(refuse(code));
    }
    Ok(Type { kind, size, big_endian: order == ">" })
}

/// What is left to parse.
struct Cursor<'a>(&'a str);

impl<'a> Cursor<'a> {
    fn peek(&mut self, wanted: char) -> bool {
        self.0 = self.0.trim_start();
        self.0.starts_with(wanted)
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek(wanted);
        if found {
            self.0 = &self.0[wanted.len_utf8()..];
        }
        found
    }

    fn expect(&mut self, wanted: char) -> Result<(), String> {
        if self.take(wanted) {
            Ok(())
        } else {
            Err(format!("the header lacks `{wanted}` before `{}`", self.excerpt()))
        }
    }

    fn string(&mut self) -> Result<&'a str, String> {
        let quote = if self.take('\'') {
            '\''
        } else if self.take('"') {
            '"'
        } else {
            return Err(format!("the header lacks a quoted word before `{}`", self.excerpt()));
        };
        let (word, rest) = self.0.split_once(quote).ok_or("the header has an open quote")?;
        self.0 = rest;
        Ok(word)
    }

    fn boolean(&mut self) -> Result<bool, String> {
        self.0 = self.0.trim_start();
        for (word, value) in [("True", true), ("False", false)] {
            if let Some(rest) = self.0.strip_prefix(word) {
                self.0 = rest;
                return Ok(value);
            }
        }
        Err(format!("fortran_order must be True or False, not `{}`", self.excerpt()))
    }

    fn tuple(&mut self) -> Result<Vec<usize>, String> {
        self.expect('(')?;
        let mut numbers = Vec::new();
        while !self.take(')') {
            let end = self.0.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.0.len());
            let number = self.0[..end]
                .parse()
                .map_err(|_| format!("the shape is unreadable at `{}`", self.excerpt()))?;
            numbers.push(number);
            // Python 2 wrote long integers as 3L.
            self.0 = self.0[end..].strip_prefix('L').unwrap_or(&self.0[end..]);
            if !self.take(',') {
                self.expect(')')?;
                break;
            }
        }
        Ok(numbers)
    }

    fn excerpt(&self) -> String {
        self.0.chars().take(20).collect()
    }
}
