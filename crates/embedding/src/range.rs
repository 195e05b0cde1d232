//! Legal ranges of parameters: declared once, printed and checked from there.

use std::fmt::{self, Display};

use serde::Serialize;

use crate::Error;

/// The sizes that bounds of parameters depend on; `None` where not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Points, n.
    pub points: Option<usize>,
    /// Columns of the data, D.
    pub columns: Option<usize>,
    /// Neighbors of each point, k.
    pub neighbors: Option<usize>,
    /// Landmarks, l.
    pub landmarks: Option<usize>,
    /// Vectors of a spectral basis, m.
    pub basis: Option<usize>,
    /// Classes.
    pub classes: Option<usize>,
    /// The target dimension, d.
    pub dim: Option<usize>,
}

/// One end of a [`Range`]: its formula as printed, and its value for given
/// sizes, `None` where a size that it needs is not known.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    text: &'static str,
    value: fn(&Sizes) -> Option<f64>,
}

impl Bound {
    /// A bound with its formula.
    pub const fn new(text: &'static str, value: fn(&Sizes) -> Option<f64>) -> Self {
        Self { text, value }
    }
}

/// One.
pub const ONE: Bound = Bound::new("1", |_| Some(1.0));

/// Zero.
pub const ZERO: Bound = Bound::new("0", |_| Some(0.0));

/// n − 1.
pub const N_LESS_1: Bound = Bound::new("n - 1", |s| s.points.map(|n| n as f64 - 1.0));

/// The legal range of a numeric parameter.
///
/// ```
/// use embedding::implement::{N_LESS_1, Range, Sizes};
/// const DIM: Range = Range::from_one_to(N_LESS_1);
/// assert_eq!(DIM.to_string(), "1 to n - 1");
/// let sizes = Sizes { points: Some(50), ..Sizes::default() };
/// let error = DIM.check("dim", 60.0, &sizes, &60).unwrap_err();
/// assert_eq!(error.to_string(), "dim must be 1 to n - 1 (here 1 to 49), but is 60");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Range {
    low: Option<Bound>,
    high: Option<Bound>,
    /// Whether the lower end itself is illegal.
    above: bool,
    /// Whether the upper end itself is illegal.
    below: bool,
}

/// The ends of a [`Range`] for given sizes: `None` where there is no end, or where it
/// depends on a size that is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Limits {
    /// The lower end.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// Whether the lower end itself is illegal.
    pub low_open: bool,
    /// Whether the upper end itself is illegal.
    pub high_open: bool,
}

impl Limits {
    /// Whether the value lies between the ends.
    pub fn contain(&self, value: f64) -> bool {
        let above = self.low.is_none_or(|low| if self.low_open { value > low } else { value >= low });
        let below = self.high.is_none_or(|high| if self.high_open { value < high } else { value <= high });
        above && below
    }
}

impl Range {
    /// Both ends legal.
    pub const fn between(low: Bound, high: Bound) -> Self {
        Self { low: Some(low), high: Some(high), above: false, below: false }
    }

    /// 1 to `high`, both legal.
    pub const fn from_one_to(high: Bound) -> Self {
        Self::between(ONE, high)
    }

    /// At least `low`.
    pub const fn at_least(low: Bound) -> Self {
        Self { low: Some(low), high: None, above: false, below: false }
    }

    /// Above 0.
    pub const fn positive() -> Self {
        Self { low: Some(ZERO), high: None, above: true, below: false }
    }

    /// Above `low` and below `high`, both excluded.
    pub const fn inside(low: Bound, high: Bound) -> Self {
        Self { low: Some(low), high: Some(high), above: true, below: true }
    }

    /// At least `low` and below `high`.
    pub const fn below(low: Bound, high: Bound) -> Self {
        Self { low: Some(low), high: Some(high), above: false, below: true }
    }

    /// The ends for these sizes.
    ///
    /// ```
    /// use embedding::implement::{N_LESS_1, Range, Sizes};
    /// let limits = Range::from_one_to(N_LESS_1).at(&Sizes { points: Some(50), ..Sizes::default() });
    /// assert_eq!((limits.low, limits.high, limits.high_open), (Some(1.0), Some(49.0), false));
    /// ```
    pub fn at(&self, sizes: &Sizes) -> Limits {
        Limits {
            low: self.low.and_then(|bound| (bound.value)(sizes)),
            high: self.high.and_then(|bound| (bound.value)(sizes)),
            low_open: self.above,
            high_open: self.below,
        }
    }

    /// Fails with [`Error::Parameter`] unless `value` is finite and inside; `shown` is the
    /// value as the user wrote it. A bound whose sizes are not known is not checked.
    pub fn check(
        &self,
        name: &'static str,
        value: f64,
        sizes: &Sizes,
        shown: &dyn Display,
    ) -> Result<(), Error> {
        if value.is_finite() && self.at(sizes).contain(value) {
            return Ok(());
        }
        let mut requirement = self.to_string();
        if let Some((what, least, got)) = self.missing(sizes) {
            requirement = format!("{requirement} (needs at least {least} {what}, here {got})");
            return Err(Error::parameter(name, requirement, shown));
        }
        let here = self.with(|bound| (bound.value)(sizes).map(|value| value.to_string()));
        if let Some(here) = here.filter(|here| *here != requirement) {
            requirement = format!("{requirement} (here {here})");
        }
        Err(Error::parameter(name, requirement, shown))
    }

    /// For a range that is empty for these sizes, the first size that would make it nonempty if it
    /// alone were larger: what it counts, the smallest sufficient value, and the given value.
    fn missing(&self, sizes: &Sizes) -> Option<(&'static str, usize, usize)> {
        type Field = fn(&mut Sizes) -> &mut Option<usize>;
        const FIELDS: [(&str, Field); 6] = [
            ("neighbors", |s| &mut s.neighbors),
            ("points", |s| &mut s.points),
            ("landmarks", |s| &mut s.landmarks),
            ("basis vectors", |s| &mut s.basis),
            ("classes", |s| &mut s.classes),
            ("columns", |s| &mut s.columns),
        ];
        if !self.is_empty(sizes) {
            return None;
        }
        FIELDS.iter().find_map(|&(what, field)| {
            let mut larger = *sizes;
            let got = (*field(&mut larger))?;
            let least = (got + 1..=got + 8).find(|least| {
                *field(&mut larger) = Some(*least);
                !self.is_empty(&larger)
            })?;
            Some((what, least, got))
        })
    }

    /// Whether no value is legal for these sizes.
    fn is_empty(&self, sizes: &Sizes) -> bool {
        let Limits { low, high, low_open, high_open } = self.at(sizes);
        low.zip(high).is_some_and(|(low, high)| low > high || (low == high && (low_open || high_open)))
    }

    /// The range with each bound as `show` prints it; `None` where that is `None`.
    fn with(&self, show: impl Fn(&Bound) -> Option<String>) -> Option<String> {
        let low = self.low.as_ref().map(&show);
        let high = self.high.as_ref().map(&show);
        Some(match (low, high) {
            (Some(low), Some(high)) => {
                let (low, high) = (low?, high?);
                match (self.above, self.below) {
                    (false, false) => format!("{low} to {high}"),
                    (false, true) => format!("at least {low} and below {high}"),
                    (true, false) => format!("above {low} and at most {high}"),
                    (true, true) => format!("above {low} and below {high}"),
                }
            }
            (Some(low), None) if self.above => format!("above {}", low?),
            (Some(low), None) => format!("at least {}", low?),
            (None, Some(high)) if self.below => format!("below {}", high?),
            (None, Some(high)) => format!("at most {}", high?),
            (None, None) => "a finite number".to_owned(),
        })
    }
}

impl Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.with(|bound| Some(bound.text.to_owned())).unwrap_or_default())
    }
}
