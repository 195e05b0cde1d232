//! Figure of an iterative method's map during optimization.

use faer::MatRef;

use crate::results::Frame;

use super::chart::{Chart, draw_chart};
use super::cloud::Cloud;
use super::color::{HAIRLINE, INK, PANEL, SOFT};
use super::number::{count, score};
use super::paint::Paint;
use super::scene::{Anchor, Area, Item, Scene, Type};

const PANEL_SIZE: f64 = 190.0;
const CAPTION: f64 = 40.0;
const GAP: f64 = 14.0;
const MARGIN: f64 = 20.0;

/// Draws snapshots of an iterative method, four per row, each with its iteration and
/// objective, and below them the curve of the objective. `rows` are the input rows of the
/// coordinates. Each snapshot is scaled to its panel, as a map may grow by a factor of a
/// thousand.
pub fn filmstrip_scene(frames: &[Frame], rows: &[usize], paint: &Paint, objective: Option<&Chart>) -> Scene {
    let columns = frames.len().clamp(1, 5);
    let lines = frames.len().div_ceil(columns);
    let width = 2.0 * MARGIN + columns as f64 * (PANEL_SIZE + GAP) - GAP;
    let strip = lines as f64 * (PANEL_SIZE + CAPTION);
    let mut scene = Scene::new(width, 2.0 * MARGIN + strip);
    for (i, frame) in frames.iter().enumerate() {
        let x = MARGIN + (i % columns) as f64 * (PANEL_SIZE + GAP);
        let y = MARGIN + (i / columns) as f64 * (PANEL_SIZE + CAPTION);
        draw_frame(&mut scene, frame, rows, paint, Area { x, y, width: PANEL_SIZE, height: PANEL_SIZE });
    }
    if let Some(chart) = objective {
        let area = Area { x: MARGIN, y: MARGIN + strip, width: width - 2.0 * MARGIN, height: 240.0 };
        draw_chart(&mut scene, chart, area);
        scene.height += 240.0;
    }
    scene
}

fn draw_frame(scene: &mut Scene, frame: &Frame, rows: &[usize], paint: &Paint, area: Area) {
    scene.push(Item::Rect { area, fill: PANEL });
    scene.push(Item::Frame { area, color: HAIRLINE });
    draw_coordinates(scene, frame.coordinates.as_ref(), rows, paint, area.inset(8.0));
    let y = area.bottom() + 16.0;
    let number = format!("iteration {}", count(frame.iteration));
    scene.text([area.x, y], number, Type::bold(11.5, INK), Anchor::Start);
    if let Some(objective) = frame.objective {
        scene.text([area.right(), y], score(objective), Type::regular(11.5, SOFT), Anchor::End);
    }
}

fn draw_coordinates(
    scene: &mut Scene,
    coordinates: MatRef<'_, f64>,
    rows: &[usize],
    paint: &Paint,
    area: Area,
) {
    let rows: Vec<usize> = rows.iter().copied().take(coordinates.nrows()).collect();
    let drawn = coordinates.subrows(0, rows.len());
    Cloud::new(drawn, rows, paint, area).draw(scene, paint);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::svg;
    use faer::Mat;

    #[test]
    fn one_panel_per_frame() {
        let values: Vec<f64> = (0..30).map(f64::from).collect();
        let paint = Paint::numbers("x", &values);
        let rows: Vec<usize> = (0..30).collect();
        let frame = |iteration: usize| Frame {
            iteration,
            objective: Some(3.0 / iteration as f64),
            coordinates: Mat::from_fn(30, 2, |i, j| ((i + iteration) * (j + 2) % 17) as f64),
        };
        let frames: Vec<Frame> = (1..=7).map(frame).collect();
        let scene = filmstrip_scene(&frames, &rows, &paint, None);
        let clouds = scene.items.iter().filter(|item| matches!(item, Item::Discs { .. })).count();
        assert_eq!(clouds, 7);
        assert!(svg(&scene).contains("iteration 7"));
        assert!(filmstrip_scene(&[], &rows, &paint, None).items.is_empty());
    }
}
