//! Bar charts of eigenvalues.

use crate::color::{ALERT, BAR, HAIRLINE, PAPER};
use crate::scene::{Area, Item, Scene};

/// Most bars that are drawn; further ones would show nothing more.
pub const MOST: usize = 20;

/// Eigenvalues in the order of their method.
#[derive(Clone, Debug, PartialEq)]
pub struct Spectrum {
    /// The values.
    pub values: Vec<f64>,
    /// The number of values behind the coordinates; they come first.
    pub used: usize,
}

/// Draws a bar per value on a common base line. Values behind the coordinates have a darker color;
/// bars of negative values point down and have the color of a warning. A value that is not finite
/// has no bar.
pub(crate) fn bars(scene: &mut Scene, spectrum: &Spectrum, area: Area) {
    let values = &spectrum.values[..spectrum.values.len().min(MOST)];
    let finite = || values.iter().copied().filter(|value| value.is_finite()).chain([0.0]);
    let (low, high) = (embedding::implement::minimum(finite()), embedding::implement::maximum(finite()));
    if high == low {
        return;
    }
    let scale = area.height / (high - low);
    let base = area.y + scale * high;
    let pitch = (area.width / values.len() as f64).min(area.height.max(12.0));
    for (i, &value) in values.iter().enumerate().filter(|(_, value)| value.is_finite()) {
        let (x, width) = (area.x + i as f64 * pitch, 0.76 * pitch);
        let length = (scale * value.abs()).max(0.5);
        let color = if i < spectrum.used { BAR } else { BAR.mix(PAPER, 0.5) };
        let (y, fill) = if value < 0.0 { (base, ALERT) } else { (base - length, color) };
        scene.push(Item::Rect { area: Area { x, y, width, height: length }, fill });
    }
    let width = pitch * values.len() as f64;
    scene.push(Item::Line {
        path: vec![[area.x, base], [area.x + width, base]],
        width: 1.0,
        color: HAIRLINE,
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color::Color;

    fn scene_of(values: &[f64], used: usize) -> Scene {
        let mut scene = Scene::new(80.0, 52.0);
        let area = Area { x: 0.0, y: 0.0, width: 80.0, height: 52.0 }.inset(1.0);
        bars(&mut scene, &Spectrum { values: values.to_vec(), used }, area);
        scene
    }

    #[test]
    fn bars_are_as_long_as_their_values() {
        let scene = scene_of(&[4.0, 2.0, -1.0], 3);
        let heights: Vec<f64> = scene
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Rect { area, .. } => Some(area.height),
                _ => None,
            })
            .collect();
        assert_eq!(heights, [40.0, 20.0, 10.0]);
    }

    #[test]
    fn values_beyond_those_of_the_map_are_paler() {
        let scene = scene_of(&[4.0, 3.0, 1.0, -1.0], 2);
        let fills: Vec<Color> = scene
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Rect { fill, .. } => Some(*fill),
                _ => None,
            })
            .collect();
        assert_eq!(fills, [BAR, BAR, BAR.mix(PAPER, 0.5), ALERT]);
    }

    #[test]
    fn values_that_are_not_finite_leave_a_gap() {
        let svg = |values: &[f64]| crate::svg(&scene_of(values, values.len()));
        let with = svg(&[4.0, f64::NAN, f64::INFINITY, 2.0]);
        assert!(!with.contains("NaN") && !with.contains("inf"));
        assert_eq!(with.matches("<rect").count() + 1, svg(&[4.0, 1.0, 2.0]).matches("<rect").count());
        assert!(scene_of(&[f64::NAN; 3], 3).items.is_empty());
    }
}
