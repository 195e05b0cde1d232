//! Bar charts of eigenvalues.

use crate::results::MethodResults;

use super::color::{ALERT, BAR, HAIRLINE};
use super::scene::{Area, Item, Scene};

/// Largest number of bars.
const MOST: usize = 20;

/// Returns a method's eigenvalues: those it reports, or those of its embedding; for
/// conformal eigenmaps the variances along its axes, not the eigenvalues of its basis.
/// `None` if there are fewer than two.
pub fn eigenvalues(method: &MethodResults) -> Option<Vec<f64>> {
    let reported =
        ["conformal_spectrum", "eigenvalues"].iter().find_map(|fact| method.facts.get(*fact)?.as_array());
    let reported: Option<Vec<f64>> = reported.map(|list| list.iter().filter_map(|v| v.as_f64()).collect());
    let own = method.embedding.as_ref().and_then(|embedding| embedding.spectrum.clone());
    let values = match (reported, own) {
        (Some(reported), Some(own))
            if own.len() > reported.len() && !method.facts.contains_key("conformal_spectrum") =>
        {
            own
        }
        (Some(reported), _) => reported,
        (None, own) => own?,
    };
    let values: Vec<f64> = values.into_iter().filter(|v| v.is_finite()).take(MOST).collect();
    (values.len() >= 2 && values.iter().any(|v| *v != 0.0)).then_some(values)
}

/// Draws one bar per value on a common baseline; negative values extend downward in the
/// alert color.
pub fn bars(scene: &mut Scene, values: &[f64], area: Area) {
    let high = values.iter().copied().fold(0.0, f64::max);
    let low = values.iter().copied().fold(0.0, f64::min);
    if high == low {
        return;
    }
    let scale = area.height / (high - low);
    let base = area.y + scale * high;
    let pitch = (area.width / values.len() as f64).min(area.height.max(12.0));
    for (i, &value) in values.iter().enumerate() {
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
}
