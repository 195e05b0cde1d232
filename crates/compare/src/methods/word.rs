//! Parameter values as words of the command line.

use embedding::MemoryLimit;
use neighbor_graph::{Components, Search, Symmetry};

/// A value that can be typed and shown.
pub trait Word: Sized {
    /// The value as it would be typed.
    fn show(&self) -> String;

    /// The value that was typed; none where it is no value of this type.
    fn read(text: &str) -> Option<Self>;
}

macro_rules! number {
    ($($number:ty),*) => {$(
        impl Word for $number {
            fn show(&self) -> String {
                self.to_string()
            }

            fn read(text: &str) -> Option<Self> {
                text.parse().ok()
            }
        }
    )*};
}
number!(u8, u64, usize, bool);

/// Plain or in powers of ten, whichever is shorter; never infinite or NaN.
impl Word for f64 {
    fn show(&self) -> String {
        let (plain, power) = (self.to_string(), format!("{self:e}"));
        if power.len() < plain.len() { power } else { plain }
    }

    fn read(text: &str) -> Option<Self> {
        text.parse().ok().filter(|value: &Self| value.is_finite())
    }
}

/// A value that is `auto` until it is set.
impl<W: Word> Word for Option<W> {
    fn show(&self) -> String {
        self.as_ref().map_or_else(|| "auto".to_owned(), W::show)
    }

    fn read(text: &str) -> Option<Self> {
        if text == "auto" { Some(None) } else { W::read(text).map(Some) }
    }
}

/// Gives each case of an enum without payloads its word.
macro_rules! words {
    ($kind:ty { $($case:ident = $word:literal),+ $(,)? }) => {
        impl $crate::methods::Word for $kind {
            fn show(&self) -> String {
                match self { $(Self::$case => $word),+ }.to_owned()
            }

            fn read(text: &str) -> Option<Self> {
                match text { $($word => Some(Self::$case),)+ _ => None }
            }
        }
    };
}
pub(crate) use words;

words!(Components { Reject = "reject", Bridge = "bridge", Largest = "largest", PerComponent = "per-component" });
words!(Search {
    Auto = "auto",
    KdTree = "kd-tree",
    BruteForce = "brute-force",
    Projected = "projected"
});
words!(Symmetry { Union = "union", Mutual = "mutual" });

/// Bytes, or a number with the unit kB, MB, GB or TB (powers of 1000), or
/// `unlimited`.
impl Word for MemoryLimit {
    fn show(&self) -> String {
        if *self == Self::UNLIMITED {
            return "unlimited".to_owned();
        }
        let bytes = self.bytes;
        match UNITS.iter().find(|(_, size)| bytes >= *size && bytes.is_multiple_of((size / 10).max(1))) {
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
        let number = f64::read(digits).filter(|number| *number > 0.0)?;
        let bytes = number * size as f64;
        (bytes >= 1.0 && bytes < u64::MAX as f64).then_some(Self { bytes: bytes as u64 })
    }
}

const UNITS: [(&str, u64); 5] =
    [("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000), ("B", 1)];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_reads_back() {
        for limit in [1, 999, 1_000, 1_500, 4_000_000_000, 12_345_678_901, u64::MAX] {
            let limit = MemoryLimit { bytes: limit };
            assert_eq!(MemoryLimit::read(&limit.show()), Some(limit), "{}", limit.show());
        }
        for value in [0.0, 1e-3, 0.1, 30.0, 1e-10, -2.5e7] {
            assert_eq!(f64::read(&value.show()), Some(value), "{}", value.show());
        }
        assert_eq!(Components::read(&Components::PerComponent.show()), Some(Components::PerComponent));
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in ["nan", "inf", "-inf", "", "1,5", "x"] {
            assert_eq!(f64::read(text), None, "{text}");
        }
        for text in ["0", "-1GB", "GB", "1XB", "nan", "1e40"] {
            assert_eq!(MemoryLimit::read(text), None, "{text}");
        }
    }

    #[test]
    fn memory_is_read_in_any_unit() {
        assert_eq!(MemoryLimit::read("1.5gb"), Some(MemoryLimit { bytes: 1_500_000_000 }));
        assert_eq!(
            MemoryLimit::read("250 MB".replace(' ', "").as_str()),
            Some(MemoryLimit { bytes: 250_000_000 })
        );
    }
}
