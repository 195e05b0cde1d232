//! Bar charts of eigenvalues.

use super::color::{ALERT, BAR, HAIRLINE};
use super::scene::{Area, Item, Scene};

/// Bars beyond this number say nothing more.
pub const MOST: usize = 20;

/// Draws a bar per value on a common base line; those below zero hang down and
/// have the color of a warning. A value that is not finite has no bar.
pub fn bars(scene: &mut Scene, values: &[f64], area: Area) {
    let finite = || values.iter().copied().filter(|value| value.is_finite()).chain([0.0]);
    let (low, high) = (embedding::minimum(finite()), embedding::maximum(finite()));
    if high == low {
        return;
    }
    let scale = area.height / (high - low);
    let base = area.y + scale * high;
    let pitch = (area.width / values.len() as f64).min(area.height.max(12.0));
    for (i, &value) in values.iter().enumerate().filter(|(_, value)| value.is_finite()) {
        let (x, width) = (area.x + i as f64 * pitch, 0.76 * pitch);
        let length = (scale * value.abs()).max(0.5);
        let (y, fill) = if value < 0.0 { (base, ALERT) } else { (base - length, BAR) };
        scene.push(Item::Rect { area: Area { x, y, width, height: length }, fill });
    }
    let width = pitch * values.len() as f64;
    scene.push(Item::Line {
        path: vec![[area.x, base], [area.x + width, base]],
        width: 1.0,
        color: HAIRLINE,
    });
}

/// Returns a scene with the bars only.
pub fn spectrum_scene(values: &[f64], width: f64, height: f64) -> Scene {
    let mut scene = Scene::new(width, height);
    let area = Area { x: 0.0, y: 0.0, width, height }.inset(1.0);
    bars(&mut scene, &values[..values.len().min(MOST)], area);
    scene
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_values() {
        let scene = spectrum_scene(&[4.0, 2.0, -1.0], 80.0, 52.0);
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
    fn values_that_are_not_finite_leave_a_gap() {
        let svg = |values: &[f64]| crate::figure::svg(&spectrum_scene(values, 80.0, 52.0));
        let with = svg(&[4.0, f64::NAN, f64::INFINITY, 2.0]);
        assert!(!with.contains("NaN") && !with.contains("inf"));
        assert_eq!(with.matches("<rect").count() + 1, svg(&[4.0, 1.0, 2.0]).matches("<rect").count());
        assert!(spectrum_scene(&[f64::NAN; 3], 80.0, 52.0).items.is_empty());
    }
}
