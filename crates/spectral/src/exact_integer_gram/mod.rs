//! Products of whole numbers, exactly, in single precision.
//!
//! Pictures and counts are whole multiples of a step in a narrow range. Less a whole number in the
//! middle of that range they are at most 128 in magnitude, so that the sum of 1,024 products of two
//! of them is a whole number of at most 2²⁴ in magnitude. Single precision holds it exactly, in
//! whatever order it is summed, and vector registers hold twice as many numbers of it.

mod moments;
mod tiles;

use std::array::from_fn;

use embedding::implement::scale::{exponent_of, times_power_of_two};
use faer::traits::pulp::{Arch, NullaryFnOnce};
use rayon::prelude::*;

/// Adding and subtracting it rounds numbers up to 2⁵¹ in magnitude to whole ones.
const ROUNDING: f64 = 1.5 * (1_u64 << 52) as f64;

/// Largest magnitude of numbers that are rounded in this way, with a margin.
const LARGEST: f64 = 1e15;

/// Lanes of the examination.
const LANES: usize = 8;

/// Values examined at one time.
const PART: usize = 1 << 16;

/// Values that are (shift + l) unit / `parts`, l a whole number of at most 128 in magnitude.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Levels {
    /// The smallest power of two that is no smaller than the range of the values.
    unit: f64,
    parts: f64,
    shift: f64,
}

impl Levels {
    /// The most products of levels whose sum is exact in single precision.
    pub const TERMS: usize = 1024;

    /// Describes values as levels, or returns `None` where they are not: values that are no multiples
    /// of a 256th of their unit, nor of a 255th to the last digit; and where the first 65,536 are all
    /// equal. O(values).
    ///
    /// These are whole numbers in a range of 256, and pictures of 256 shades divided by 255. Values
    /// times a power of two have the same levels.
    pub fn of(values: &[f64]) -> Option<Self> {
        Self::in_parts::<256>(values).or_else(|| Self::in_parts::<255>(values))
    }

    fn in_parts<const PARTS: u32>(values: &[f64]) -> Option<Self> {
        let examine = |part, unit| Arch::new().dispatch(Examined::<PARTS> { values: part, unit });
        // Most data have no levels, which their first values show.
        let first = &values[..PART.min(values.len())];
        let mut unit = examine(first, 1.0).unit()?;
        loop {
            let others = examine(first, unit).others;
            let all = (!others).then(|| {
                let parts = values.par_chunks(PART).map(|part| examine(part, unit));
                parts.reduce(Examination::nothing, Examination::and)
            })?;
            let range = all.unit()?;
            if range > unit {
                unit = range;
                continue;
            }
            let low = whole(all.low * (f64::from(PARTS) / unit));
            let known = !all.others && low.abs() < LARGEST;
            return known.then_some(Self { unit, parts: f64::from(PARTS), shift: low + 128.0 });
        }
    }

    /// Writes the levels l of values.
    pub fn write(self, values: &[f64], levels: &mut [f32]) {
        self.write_above(self.shift, values, levels);
    }

    /// Writes values as whole numbers above another one, all in units of the unit / `parts`.
    fn write_above(self, base: f64, values: &[f64], heights: &mut [f32]) {
        Arch::new().dispatch(Heights { values, factor: self.parts / self.unit, base, heights });
    }

    /// Products of levels times this are products of values less the same number.
    pub fn square(self) -> f64 {
        self.unit * self.unit / (self.parts * self.parts)
    }

    /// The lowest level, as a multiple of the unit / `parts`.
    fn lowest(self) -> f64 {
        self.shift - 128.0
    }
}

/// Values to be written as whole numbers above `base`.
struct Heights<'a> {
    values: &'a [f64],
    factor: f64,
    base: f64,
    heights: &'a mut [f32],
}

impl NullaryFnOnce for Heights<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { values, factor, base, heights } = self;
        for (to, value) in heights.iter_mut().zip(values) {
            *to = (whole(value * factor) - base) as f32;
        }
    }
}

/// The nearest whole number, of numbers up to 2⁵¹ in magnitude.
#[inline(always)]
fn whole(x: f64) -> f64 {
    x + ROUNDING - ROUNDING
}

/// The results of the examination of values.
#[derive(Clone, Copy)]
struct Examination {
    low: f64,
    high: f64,
    /// Whether some are no multiples of a part of the unit.
    others: bool,
}

impl Examination {
    fn nothing() -> Self {
        Self { low: f64::INFINITY, high: f64::NEG_INFINITY, others: false }
    }

    fn and(self, more: Self) -> Self {
        let (low, high) = (self.low.min(more.low), self.high.max(more.high));
        Self { low, high, others: self.others || more.others }
    }

    /// The smallest power of two that is no smaller than the range; `None` where all values are
    /// equal, and near the ends of the range of numbers.
    fn unit(self) -> Option<f64> {
        let range = self.high - self.low;
        let below = times_power_of_two(1.0, exponent_of(range.clamp(f64::MIN_POSITIVE, f64::MAX)));
        let unit = if below < range { 2.0 * below } else { below };
        (range > 0.0 && unit.is_normal() && unit.recip().is_normal()).then_some(unit)
    }
}

/// Values to be compared with multiples of the unit / `PARTS`; a named type, as [`Heights`].
struct Examined<'a, const PARTS: u32> {
    values: &'a [f64],
    unit: f64,
}

impl<const PARTS: u32> NullaryFnOnce for Examined<'_, PARTS> {
    type Output = Examination;

    #[inline(always)]
    fn call(self) -> Examination {
        let parts = f64::from(PARTS);
        let (factor, unit) = (parts / self.unit, self.unit);
        let (mut low, mut high, mut others) =
            ([f64::INFINITY; LANES], [f64::NEG_INFINITY; LANES], [0.0; LANES]);
        let (chunks, rest) = self.values.as_chunks::<LANES>();
        // Values that do not fill a chunk are repeated.
        let last = (!rest.is_empty()).then(|| from_fn(|l| rest[l % rest.len()]));
        for values in chunks.iter().chain(&last) {
            let multiples: [f64; LANES] = from_fn(|l| whole(values[l] * factor) / parts * unit);
            others = from_fn(|l| if multiples[l] == values[l] { others[l] } else { 1.0 });
            low = from_fn(|l| if values[l] < low[l] { values[l] } else { low[l] });
            high = from_fn(|l| if values[l] > high[l] { values[l] } else { high[l] });
        }
        let low = low.into_iter().fold(f64::INFINITY, f64::min);
        let high = high.into_iter().fold(f64::NEG_INFINITY, f64::max);
        Examination { low, high, others: others.iter().sum::<f64>() > 0.0 }
    }
}
