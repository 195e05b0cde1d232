//! Values of parameters as text.

use std::fmt::{self, Display};

use crate::MemoryLimit;
use crate::implement::Range;

/// The form of a parameter's text, in addition to its [`Range`](crate::implement::Range).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueSyntax {
    /// A whole number, not negative.
    Integer,
    /// A finite number.
    Real,
    /// `true` or `false`.
    Flag,
    /// One of these words.
    Words(&'static [&'static str]),
    /// A word, or a number of the parameter's range.
    WordOrNumber(&'static str),
    /// Text of this form.
    Text(&'static str),
    /// `auto`, or text of this form.
    AutoOr(&'static str),
}

impl ValueSyntax {
    /// Whether values have a number, which a range can apply to.
    pub const fn has_number(self) -> bool {
        !matches!(self, Self::Flag | Self::Words(_))
    }
}

impl Display for ValueSyntax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer => f.write_str("a whole number, 0 or more"),
            Self::Real => f.write_str("a finite number"),
            Self::Flag => f.write_str("true or false"),
            Self::Words(words) => match words {
                [] => Ok(()),
                [only] => f.write_str(only),
                [first @ .., last] => write!(f, "{} or {last}", first.join(", ")),
            },
            Self::WordOrNumber(word) => write!(f, "{word} or a number"),
            Self::Text(text) => f.write_str(text),
            Self::AutoOr(text) => write!(f, "auto, {text}"),
        }
    }
}

/// A type of parameter values that can be read from text and shown as text;
/// what is shown reads back as the same value.
pub trait Value: Sized {
    /// The form of the text.
    const SYNTAX: ValueSyntax;

    /// The largest value, of a type of whole numbers.
    const LARGEST: Option<u64> = None;

    /// The legal range of all parameters of the type that declare no other.
    const RANGE: Option<Range> = None;

    /// The value as it would be typed.
    fn show(&self) -> String;

    /// The value of the text; `None` where the text is not of the form.
    fn read(text: &str) -> Option<Self>;

    /// The number that a range applies to, if there is one.
    fn number(&self) -> Option<f64> {
        None
    }
}

macro_rules! integer {
    ($($number:ty),*) => {$(
        impl Value for $number {
            const SYNTAX: ValueSyntax = ValueSyntax::Integer;
            const LARGEST: Option<u64> = Some(<$number>::MAX as u64);

            fn show(&self) -> String {
                self.to_string()
            }

            fn read(text: &str) -> Option<Self> {
                text.parse().ok()
            }

            fn number(&self) -> Option<f64> {
                Some(*self as f64)
            }
        }
    )*};
}
integer!(u8, u64, usize);

impl Value for bool {
    const SYNTAX: ValueSyntax = ValueSyntax::Flag;

    fn show(&self) -> String {
        self.to_string()
    }

    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

/// In decimal or scientific notation, whichever is shorter; never infinite or NaN.
impl Value for f64 {
    const SYNTAX: ValueSyntax = ValueSyntax::Real;

    fn show(&self) -> String {
        let (decimal, scientific) = (self.to_string(), format!("{self:e}"));
        if scientific.len() < decimal.len() { scientific } else { decimal }
    }

    fn read(text: &str) -> Option<Self> {
        text.parse().ok().filter(|value: &Self| value.is_finite())
    }

    fn number(&self) -> Option<f64> {
        Some(*self)
    }
}

/// `None` is `auto`.
impl<V: Value> Value for Option<V> {
    const SYNTAX: ValueSyntax = match V::SYNTAX {
        ValueSyntax::Text(text) => ValueSyntax::AutoOr(text),
        _ => ValueSyntax::WordOrNumber("auto"),
    };
    const LARGEST: Option<u64> = V::LARGEST;
    const RANGE: Option<Range> = V::RANGE;

    fn show(&self) -> String {
        self.as_ref().map_or_else(|| "auto".to_owned(), V::show)
    }

    fn read(text: &str) -> Option<Self> {
        if text == "auto" { Some(None) } else { V::read(text).map(Some) }
    }

    fn number(&self) -> Option<f64> {
        self.as_ref().and_then(V::number)
    }
}

/// Gives each variant of an enum without fields its word, and the enum its
/// [`Value`], [`Display`] and [`FromStr`](std::str::FromStr). One more variant, with a field, may
/// follow: it is shown by its word, but not read from text.
#[macro_export]
macro_rules! words {
    ($kind:ty { $($case:ident = $word:literal),+ $(,)? } $($shown:ident(_) = $name:literal)?) => {
        impl $crate::implement::Value for $kind {
            const SYNTAX: $crate::implement::ValueSyntax = $crate::implement::ValueSyntax::Words(&[$($word),+]);

            fn show(&self) -> String {
                match self { $(Self::$case => $word),+ $(, Self::$shown(_) => $name)? }.to_owned()
            }

            fn read(text: &str) -> Option<Self> {
                match text { $($word => Some(Self::$case),)+ _ => None }
            }
        }

        $crate::text!($kind);
    };
}

/// Implements [`Display`] and [`FromStr`](std::str::FromStr) by [`Value`].
#[macro_export]
macro_rules! text {
    ($kind:ty) => {
        impl ::std::fmt::Display for $kind {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(&$crate::implement::Value::show(self))
            }
        }

        impl ::std::str::FromStr for $kind {
            type Err = $crate::Error;

            fn from_str(text: &str) -> Result<Self, $crate::Error> {
                <Self as $crate::implement::Value>::read(text).ok_or_else(|| {
                    $crate::Error::parameter(
                        "the value",
                        <Self as $crate::implement::Value>::SYNTAX.to_string(),
                        format!("`{text}`"),
                    )
                })
            }
        }
    };
}

const UNITS: [(&str, u64); 5] =
    [("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000), ("B", 1)];

impl Value for MemoryLimit {
    const SYNTAX: ValueSyntax =
        ValueSyntax::Text("bytes, or a number with kB, MB, GB or TB (powers of 1000), or unlimited");

    fn show(&self) -> String {
        if *self == Self::UNLIMITED {
            return "unlimited".to_owned();
        }
        let bytes = self.bytes;
        // Above 2⁵³ not every number of bytes is a double.
        let tenths = |size: u64| bytes >= size && bytes < 1 << 53 && bytes.is_multiple_of((size / 10).max(1));
        match UNITS.iter().find(|(_, size)| tenths(*size)) {
            Some((unit, size)) if *size > 1 => format!("{}{unit}", bytes as f64 / *size as f64),
            _ => bytes.to_string(),
        }
    }

    fn read(text: &str) -> Option<Self> {
        if text == "unlimited" {
            return Some(Self::UNLIMITED);
        }
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit = text[digits.len()..].to_ascii_uppercase();
        let size = match unit.as_str() {
            "" => 1,
            unit => UNITS.iter().find(|(name, _)| name.to_ascii_uppercase() == unit)?.1,
        };
        if let Ok(whole) = digits.parse::<u64>() {
            return whole.checked_mul(size).filter(|bytes| *bytes > 0).map(Self::new);
        }
        let bytes = f64::read(digits)? * size as f64;
        (bytes >= 1.0 && bytes < u64::MAX as f64).then_some(Self::new(bytes.round() as u64))
    }
}
crate::text!(MemoryLimit);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_values_read_back() {
        for bytes in [
            1,
            999,
            1_000,
            1_500,
            64_100,
            4_000_000_000,
            4_100_000_000,
            12_345_678_901,
            (1 << 53) + 1,
            u64::MAX,
        ] {
            let limit = MemoryLimit::new(bytes);
            assert_eq!(MemoryLimit::read(&limit.show()), Some(limit), "{}", limit.show());
        }
        for value in [0.0, 1e-3, 0.1, 30.0, 1e-10, -2.5e7] {
            assert_eq!(f64::read(&value.show()), Some(value), "{}", value.show());
        }
    }

    #[test]
    fn text_that_is_no_number_is_refused() {
        for text in ["nan", "inf", "-inf", "", "1,5", "x"] {
            assert_eq!(f64::read(text), None, "{text}");
        }
        for text in ["0", "-1GB", "GB", "1XB", "nan", "1e40"] {
            assert_eq!(MemoryLimit::read(text), None, "{text}");
        }
    }

    #[test]
    fn memory_is_read_in_any_unit() {
        assert_eq!(MemoryLimit::read("1.5gb"), Some(MemoryLimit::new(1_500_000_000)));
        assert_eq!(MemoryLimit::read("250MB"), Some(MemoryLimit::new(250_000_000)));
    }
}
