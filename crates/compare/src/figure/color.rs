//! Colors: a perceptually uniform ramp for numbers, and a color-blind-safe palette for
//! classes.

/// An opaque color, red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(pub u8, pub u8, pub u8);

/// Headings and names.
pub const INK: Color = Color(0x1b, 0x1f, 0x24);
/// Secondary text.
pub const SOFT: Color = Color(0x5b, 0x64, 0x6f);
/// Thin separating lines.
pub const HAIRLINE: Color = Color(0xdd, 0xe1, 0xe6);
/// Background of panels.
pub const PANEL: Color = Color(0xfa, 0xfb, 0xfc);
/// Background of the page.
pub const PAPER: Color = Color(0xff, 0xff, 0xff);
/// Failed methods.
pub const ALERT: Color = Color(0xa3, 0x3a, 0x2a);
/// Bars of charts.
pub const BAR: Color = Color(0x5a, 0x7d, 0xa6);
/// Bars and points without color coding.
pub const PLAIN: Color = Color(0x3b, 0x6e, 0x9e);

impl Color {
    /// Blends with another color; `fraction` is that of the other color.
    pub fn mix(self, other: Self, fraction: f64) -> Self {
        let channel = |a: u8, b: u8| (f64::from(a) + fraction * (f64::from(b) - f64::from(a))).round() as u8;
        Self(channel(self.0, other.0), channel(self.1, other.1), channel(self.2, other.2))
    }

    /// Returns the color in hexadecimal CSS notation.
    pub fn hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// Viridis (van der Walt and Smith, public domain), sampled at tenths. Lightness
/// increases monotonically, so the ramp is readable in grayscale and with common color
/// vision deficiencies.
const RAMP: [Color; 11] = [
    Color(68, 1, 84),
    Color(72, 36, 117),
    Color(65, 68, 135),
    Color(53, 95, 141),
    Color(42, 120, 142),
    Color(33, 145, 140),
    Color(34, 168, 132),
    Color(68, 191, 112),
    Color(122, 209, 81),
    Color(189, 223, 38),
    Color(253, 231, 37),
];

/// Returns the color of a number between 0 and 1.
pub fn ramp(fraction: f64) -> Color {
    let at = fraction.clamp(0.0, 1.0) * (RAMP.len() - 1) as f64;
    let low = (at.floor() as usize).min(RAMP.len() - 2);
    RAMP[low].mix(RAMP[low + 1], at - low as f64)
}

/// Ten colors distinguishable with common color vision deficiencies (Petroff 2021,
/// arXiv:2107.02270), saturated ones first.
const CLASSES: [Color; 10] = [
    Color(0x3f, 0x90, 0xda),
    Color(0xff, 0xa9, 0x0e),
    Color(0xbd, 0x1f, 0x01),
    Color(0x83, 0x2d, 0xb6),
    Color(0x94, 0xa4, 0xa2),
    Color(0xa9, 0x6b, 0x59),
    Color(0xe7, 0x63, 0x00),
    Color(0x92, 0xda, 0xdd),
    Color(0x71, 0x75, 0x81),
    Color(0xb9, 0xac, 0x70),
];

/// Returns the color of a class; beyond ten classes the palette repeats in darker shades.
pub fn class(index: usize) -> Color {
    let round = index / CLASSES.len();
    CLASSES[index % CLASSES.len()].mix(Color(0, 0, 0), 1.0 - 0.65_f64.powi(round as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ramp_rises_in_lightness() {
        let light = |c: Color| 0.2126 * f64::from(c.0) + 0.7152 * f64::from(c.1) + 0.0722 * f64::from(c.2);
        assert!((1..=100).all(|i| light(ramp(i as f64 / 100.0)) > light(ramp((i - 1) as f64 / 100.0))));
        assert_eq!((ramp(-1.0), ramp(2.0)), (RAMP[0], RAMP[10]));
    }

    #[test]
    fn thirty_classes_have_thirty_colors() {
        let all: Vec<String> = (0..30).map(|i| class(i).hex()).collect();
        assert!((0..30).all(|i| (0..i).all(|j| all[i] != all[j])));
    }
}
