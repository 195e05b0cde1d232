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

/// Sixty colors, none of them gray, nearly black or nearly white, for a light ground: the first seventeen with
/// a contrast of at least 3 to 1 to the panel, the others of at least 2 to 1. Searches maximized the smallest
/// distance between two colors, first among ten, then among twenty, then among all. Distances are in Oklab, with
/// normal sight and with protanopia and deuteranopia, where less than half of the distance is required. The
/// tests state the distances that were reached.
const CLASSES: [Color; 60] = [
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
    Color(0xc0, 0xa8, 0xcc),
    Color(0x00, 0x48, 0x3c),
    Color(0xfc, 0x84, 0xfc),
    Color(0xb4, 0xb4, 0x00),
    Color(0x6c, 0xc0, 0x9c),
    Color(0xfc, 0x9c, 0x6c),
    Color(0x84, 0x60, 0x24),
    Color(0x30, 0x60, 0x84),
    Color(0x48, 0x00, 0x90),
    Color(0x6c, 0xb4, 0xfc),
    Color(0x78, 0x48, 0x60),
    Color(0xfc, 0x30, 0xc0),
    Color(0xa8, 0x6c, 0x6c),
    Color(0x30, 0xcc, 0x54),
    Color(0xb4, 0x9c, 0x78),
    Color(0x84, 0x84, 0xa8),
    Color(0x60, 0x3c, 0x90),
    Color(0x9c, 0x30, 0xc0),
    Color(0x24, 0x90, 0x84),
    Color(0xcc, 0x60, 0xe4),
    Color(0x78, 0x84, 0x48),
    Color(0x9c, 0x00, 0x48),
    Color(0xfc, 0x90, 0xb4),
    Color(0x18, 0x3c, 0x6c),
    Color(0x54, 0x3c, 0x24),
    Color(0x18, 0x60, 0xc0),
    Color(0x3c, 0x00, 0xc0),
    Color(0xb4, 0x3c, 0x54),
    Color(0xd8, 0x54, 0x18),
    Color(0xc0, 0x84, 0xd8),
    Color(0x60, 0x6c, 0xd8),
    Color(0xfc, 0x0c, 0x78),
    Color(0x48, 0x3c, 0xfc),
    Color(0x9c, 0x3c, 0x90),
    Color(0x6c, 0x9c, 0x9c),
    Color(0x3c, 0xc0, 0xd8),
    Color(0xa8, 0x18, 0x00),
    Color(0x54, 0x78, 0x9c),
    Color(0xf0, 0x6c, 0x60),
    Color(0x00, 0x90, 0xf0),
    Color(0x6c, 0x24, 0x54),
    Color(0x0c, 0x0c, 0xa8),
    Color(0x3c, 0x60, 0x0c),
];

/// Returns the color of a class; beyond sixty classes the colors repeat.
pub fn class(index: usize) -> Color {
    CLASSES[index % CLASSES.len()]
}

/// Returns the color of the inner part of the points of a class, which distinguishes classes of one color: none
/// of the first sixty, white of the next, black of the third sixty. Beyond these, marks repeat.
pub(super) fn core(index: usize) -> Option<Color> {
    [None, Some(PAPER), Some(INK)][index / CLASSES.len() % 3]
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
    fn classes_stand_out_from_the_panel_and_are_no_grays_blacks_or_whites() {
        let luminance = |color| product([[0.2126, 0.7152, 0.0722]; 3], light(color))[0];
        for (index, color) in CLASSES.into_iter().enumerate() {
            let contrast = (luminance(PANEL) + 0.05) / (luminance(color) + 0.05);
            assert!(contrast >= if index < 17 { 3.0 } else { 2.0 }, "{}: {contrast:.2}", color.hex());
            let [lightness, a, b] = oklab(light(color));
            assert!(a.hypot(b) > 0.05, "{} is gray", color.hex());
            assert!((0.3..0.82).contains(&lightness), "{} is nearly black or white", color.hex());
        }
    }

    /// Color blindness as Machado, Oliveira and Fernandes (2009) simulate it, at
    /// full severity. The colors of Petroff (2021) reach 0.090, 0.061, 0.084.
    #[test]
    fn sixty_classes_stay_apart_for_every_eye() {
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
        // Among the first ten, twenty, forty, and all.
        let apart = [[0.16, 0.135, 0.09, 0.075], [0.10, 0.06, 0.038, 0.031], [0.10, 0.06, 0.038, 0.031]];
        for (sight, [ten, twenty, forty, sixty]) in SIGHT.into_iter().zip(apart) {
            let seen = CLASSES.map(|color| oklab(product(sight, light(color)).map(|c| c.clamp(0.0, 1.0))));
            for (i, a) in seen.iter().enumerate() {
                let least = match i {
                    0..10 => ten,
                    10..20 => twenty,
                    20..40 => forty,
                    _ => sixty,
                };
                for (j, b) in seen[..i].iter().enumerate() {
                    let apart = distance(*a, *b);
                    assert!(apart > least, "{} and {}: {apart}", CLASSES[i].hex(), CLASSES[j].hex());
                }
            }
        }
    }

    #[test]
    fn marks_of_180_classes_differ() {
        let all: Vec<(Color, Option<Color>)> = (0..180).map(|i| (class(i), core(i))).collect();
        assert!((0..180).all(|i| (0..i).all(|j| all[i] != all[j])));
        assert!((0..60).all(|i| all[i].1.is_none() && class(i + 180) == class(i)));
    }
}
