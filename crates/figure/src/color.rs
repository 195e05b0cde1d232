//! Colors: a perceptually uniform ramp for numbers, and a color-blind-safe palette for
//! classes.

/// An opaque color, red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(pub u8, pub u8, pub u8);

/// Headings and names.
pub(crate) const INK: Color = Color(0x1b, 0x1f, 0x24);
/// Secondary text.
pub const SOFT: Color = Color(0x5b, 0x64, 0x6f);
/// Thin separating lines.
pub(crate) const HAIRLINE: Color = Color(0xdd, 0xe1, 0xe6);
/// Background of panels.
pub(crate) const PANEL: Color = Color(0xfa, 0xfb, 0xfc);
/// Background of the page.
pub(crate) const PAPER: Color = Color(0xff, 0xff, 0xff);
/// Failed methods.
pub const ALERT: Color = Color(0xa3, 0x3a, 0x2a);
/// Bars of charts.
pub(crate) const BAR: Color = Color(0x5a, 0x7d, 0xa6);
/// Bars and points without color coding.
pub(crate) const PLAIN: Color = Color(0x3b, 0x6e, 0x9e);
/// Points of unknown class.
pub(crate) const UNKNOWN: Color = Color(0xb4, 0xb9, 0xc0);

impl Color {
    /// Blends with another color; `fraction` is the fraction of the other color.
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

/// Twenty colors, none of them gray, with a contrast of at least 3 to 1 to the panel.
/// A random search maximized the smallest distance between two colors, first among ten, then from
/// ten more to all. Distances are in Oklab, with normal sight and with protanopia and deuteranopia,
/// where five eighths of the distance are required, then less than half. The tests state the
/// distances that were reached.
const CLASSES: [Color; 20] = [
    Color(0x04, 0x69, 0xf8),
    Color(0xd2, 0x7b, 0x00),
    Color(0x17, 0x76, 0x4b),
    Color(0xd1, 0x15, 0x00),
    Color(0x80, 0x01, 0x74),
    Color(0x01, 0x9d, 0xc6),
    Color(0xe7, 0x60, 0x8e),
    Color(0x83, 0x1c, 0x0b),
    Color(0x02, 0x3c, 0xa9),
    Color(0x7d, 0x5c, 0xa8),
    Color(0x3f, 0xa4, 0x49),
    Color(0xcd, 0x06, 0xd8),
    Color(0x95, 0x7c, 0xff),
    Color(0xc3, 0x09, 0x7a),
    Color(0x66, 0x08, 0xcf),
    Color(0x45, 0x22, 0x50),
    Color(0x0c, 0x00, 0xff),
    Color(0x00, 0x00, 0x71),
    Color(0x3f, 0x00, 0x00),
    Color(0x00, 0x00, 0x28),
];

/// Returns the color of a class; beyond twenty classes the palette repeats in darker shades.
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

    /// Red, green and blue light.
    fn light(Color(r, g, b): Color) -> [f64; 3] {
        [r, g, b].map(|channel| {
            let c = f64::from(channel) / 255.0;
            if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        })
    }

    fn product(matrix: [[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
        matrix.map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum())
    }

    /// Oklab (Ottosson 2020).
    fn oklab(light: [f64; 3]) -> [f64; 3] {
        const CONES: [[f64; 3]; 3] = [
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ];
        const LAB: [[f64; 3]; 3] = [
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ];
        product(LAB, product(CONES, light).map(f64::cbrt))
    }

    fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
        a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt()
    }

    /// The contrast of WCAG 2.
    #[test]
    fn classes_stand_out_from_the_panel_and_are_no_grays() {
        let luminance = |color| product([[0.2126, 0.7152, 0.0722]; 3], light(color))[0];
        for color in (0..30).map(class) {
            let contrast = (luminance(PANEL) + 0.05) / (luminance(color) + 0.05);
            assert!(contrast >= 3.0, "{}: {contrast:.2}", color.hex());
        }
        for color in CLASSES {
            let [_, a, b] = oklab(light(color));
            assert!(a.hypot(b) > 0.08, "{} is gray", color.hex());
        }
    }

    /// Color blindness as Machado, Oliveira and Fernandes (2009) simulate it, at
    /// full severity. The colors of Petroff (2021) reach 0.090, 0.061, 0.084.
    #[test]
    fn twenty_classes_stay_apart_for_every_eye() {
        const SIGHT: [[[f64; 3]; 3]; 3] = [
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            [
                [0.152286, 1.052583, -0.204868],
                [0.114503, 0.786281, 0.099216],
                [-0.003882, -0.048116, 1.051998],
            ],
            [
                [0.367322, 0.860646, -0.227968],
                [0.280085, 0.672501, 0.047413],
                [-0.011820, 0.042940, 0.968881],
            ],
        ];
        for (sight, [ten, twenty]) in SIGHT.into_iter().zip([[0.16, 0.135], [0.10, 0.06], [0.10, 0.06]]) {
            let seen = CLASSES.map(|color| oklab(product(sight, light(color)).map(|c| c.clamp(0.0, 1.0))));
            for (i, a) in seen.iter().enumerate() {
                let least = if i < 10 { ten } else { twenty };
                for (j, b) in seen[..i].iter().enumerate() {
                    let apart = distance(*a, *b);
                    assert!(apart > least, "{} and {}: {apart}", CLASSES[i].hex(), CLASSES[j].hex());
                }
            }
        }
    }

    #[test]
    fn thirty_classes_have_thirty_colors() {
        let all: Vec<String> = (0..30).map(|i| class(i).hex()).collect();
        assert!((0..30).all(|i| (0..i).all(|j| all[i] != all[j])));
    }
}
