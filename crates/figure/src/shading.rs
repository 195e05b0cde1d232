//! Clouds of many points as shading: every pixel has the color of its points, the stronger
//! the more there are, where discs would hide each other.

use std::sync::Arc;

use crate::color::{Color, PANEL, ramp};
use crate::scene::{Area, Item, Picture};

/// Number of points of a cloud above which it is shaded.
pub(crate) const MOST_DISCS: usize = 20_000;

/// Pixels per unit of length.
const FINENESS: f64 = 2.0;

/// Strength of the color of a pixel with one point; it grows with the logarithm of their
/// number.
const LEAST: f64 = 0.4;

/// The fraction of pixels with points whose strength is below 1.
const CLEAR: f64 = 0.98;

/// In three dimensions nearer points count more, e to this power times the depth.
const NEARNESS: f64 = 5.0;

/// A point of a shaded cloud.
#[derive(Clone, Copy)]
pub(super) struct Shade {
    /// Position on the page.
    pub at: [f64; 2],
    /// From 0 (far) to 1 (near).
    pub depth: f64,
    /// What its color means.
    pub tint: Tint,
}

/// The color of a point.
#[derive(Clone, Copy)]
pub(super) enum Tint {
    /// A number from 0 to 1 on the ramp; pixels have the color of the mean number.
    Number(f64),
    /// A color of its own; pixels have the mean of the light of their colors.
    Color(Color),
}

/// Sums over the points of a pixel.
#[derive(Clone, Copy, Default)]
struct Sum {
    count: u32,
    weight: f64,
    number: f64,
    /// Squared levels, which are nearly proportional to light.
    light: [f64; 3],
}

/// Shades the points in an area, each as a square of about `diameter`, on the background of
/// panels.
pub(super) fn shading(points: &[Shade], area: Area, diameter: f64) -> Item {
    let [width, height] =
        [area.width, area.height].map(|length| (FINENESS * length).ceil().max(1.0) as usize);
    let side = (FINENESS * diameter).round().max(1.0) as usize;
    let mut sums = vec![Sum::default(); width * height];
    for point in points {
        let [left, top] = [point.at[0] - area.x, point.at[1] - area.y]
            .map(|length| (FINENESS * length - 0.5 * side as f64).round() as i64);
        let span = |from: i64, most: usize| {
            from.max(0) as usize..(from + side as i64).clamp(0, most as i64) as usize
        };
        for y in span(top, height) {
            for x in span(left, width) {
                sums[y * width + x].add(point);
            }
        }
    }
    let mut counts: Vec<u32> = sums.iter().map(|sum| sum.count).filter(|count| *count > 0).collect();
    counts.sort_unstable();
    let at = (CLEAR * counts.len() as f64) as usize;
    let top = f64::from(counts.get(at).or(counts.last()).copied().unwrap_or(2).max(2));
    let pixels = sums.iter().flat_map(|sum| {
        let Color(r, g, b) = sum.color(top);
        [r, g, b]
    });
    Item::Picture { area, picture: Arc::new(Picture { width, height, pixels: pixels.collect() }) }
}

impl Sum {
    fn add(&mut self, point: &Shade) {
        let weight = (NEARNESS * point.depth).exp();
        self.count += 1;
        self.weight += weight;
        match point.tint {
            Tint::Number(number) => self.number += weight * number,
            Tint::Color(Color(r, g, b)) => {
                for (sum, level) in self.light.iter_mut().zip([r, g, b]) {
                    *sum += weight * f64::from(level) * f64::from(level);
                }
            }
        }
    }

    /// The color, on the background of panels, where `top` points make it full.
    fn color(&self, top: f64) -> Color {
        if self.count == 0 {
            return PANEL;
        }
        let full = if self.light == [0.0; 3] {
            ramp(self.number / self.weight)
        } else {
            let [r, g, b] = self.light.map(|light| (light / self.weight).sqrt().round() as u8);
            Color(r, g, b)
        };
        let strength = LEAST + (1.0 - LEAST) * (f64::from(self.count).ln() / top.ln()).min(1.0);
        PANEL.mix(full, strength)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: Area = Area { x: 5.0, y: 7.0, width: 10.0, height: 6.0 };

    fn pixel(item: &Item, x: usize, y: usize) -> [u8; 3] {
        let Item::Picture { picture, .. } = item else { panic!("a picture") };
        assert_eq!((picture.width, picture.height), (20, 12));
        picture.pixels[3 * (y * picture.width + x)..][..3].try_into().expect("three channels")
    }

    fn points(count: usize, at: [f64; 2], tint: impl Fn(usize) -> Tint) -> Vec<Shade> {
        (0..count).map(|i| Shade { at, depth: 0.5, tint: tint(i) }).collect()
    }

    #[test]
    fn more_points_are_stronger_and_none_leave_the_background() {
        let black = |_| Tint::Color(Color(1, 1, 1));
        let mut all = points(1, [6.0, 8.0], black);
        all.extend(points(10, [8.0, 8.0], black));
        all.extend(points(100, [10.0, 8.0], black));
        let item = shading(&all, AREA, 1.0);
        let [one, ten, hundred, none] = [2, 6, 10, 15].map(|x| pixel(&item, x, 2)[0]);
        assert_eq!((none, hundred), (PANEL.0, 1));
        // The logarithm of 10 is half the logarithm of 100.
        assert!(one > ten && ten > hundred);
        assert!(
            (i32::from(ten) * 2 - i32::from(one) - i32::from(hundred)).abs() <= 2,
            "{one} {ten} {hundred}"
        );
    }

    #[test]
    fn a_pixel_has_the_mean_number_and_the_mean_light() {
        let numbers = shading(&points(50, [8.0, 8.0], |i| Tint::Number((i % 2) as f64)), AREA, 1.0);
        let Color(r, g, b) = ramp(0.5);
        assert_eq!(pixel(&numbers, 6, 2), [r, g, b]);
        let two =
            |i: usize| Tint::Color(if i.is_multiple_of(2) { Color(200, 0, 0) } else { Color(0, 0, 100) });
        let level = |of: f64| (0.5 * of * of).sqrt().round() as u8;
        assert_eq!(
            pixel(&shading(&points(50, [8.0, 8.0], two), AREA, 1.0), 6, 2),
            [level(200.0), 0, level(100.0)]
        );
    }

    #[test]
    fn nearer_points_have_their_color_in_front_of_farther_ones() {
        let mut all = points(30, [8.0, 8.0], |_| Tint::Number(0.0));
        all.iter_mut().for_each(|point| point.depth = 0.0);
        all.push(Shade { at: [8.0, 8.0], depth: 1.0, tint: Tint::Number(1.0) });
        let [r, ..] = pixel(&shading(&all, AREA, 1.0), 6, 2);
        assert!(r > ramp(0.7).0, "{r}");
    }
}
