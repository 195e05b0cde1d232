//! States of an iteration, side by side.

use faer::MatRef;

use crate::curves::Chart;

use crate::chart::draw_chart;
use crate::cloud::Cloud;
use crate::color::{HAIRLINE, INK, PANEL, SOFT};
use crate::number::{count, counted, score};
use crate::paint::Paint;
use crate::scene::{Anchor, Area, Item, Scene, Type};

const PANEL_SIZE: f64 = 190.0;
const CAPTION: f64 = 40.0;
const GAP: f64 = 14.0;
const MARGIN: f64 = 20.0;

/// One state of an iteration.
#[derive(Clone, Copy)]
pub struct Still<'a> {
    /// The number of the iteration, counted from 1.
    pub iteration: usize,
    /// The objective, where it is known.
    pub objective: Option<f64>,
    /// One row per placed point.
    pub coordinates: MatRef<'a, f64>,
}

/// The states of an iterative method, at most five per row, each with its iteration
/// and objective, and below them the curve of the objective. `rows` are the
/// input rows of the coordinates. Each frame fills its panel; a map that grows
/// by a factor of a thousand could not be seen otherwise. Where a few far points would collapse
/// a frame, only its inner part is drawn, with the number of the other points below it.
pub fn filmstrip_scene(
    frames: &[Still<'_>],
    rows: &[usize],
    paint: &Paint,
    objective: Option<&Chart>,
) -> Scene {
    // As even as possible: no line holds a single frame that another had space for.
    let lines = frames.len().div_ceil(5).max(1);
    let columns = frames.len().div_ceil(lines).max(1);
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

fn draw_frame(scene: &mut Scene, frame: &Still<'_>, rows: &[usize], paint: &Paint, area: Area) {
    scene.push(Item::Rect { area, fill: PANEL });
    scene.push(Item::Frame { area, color: HAIRLINE });
    let outside = draw_coordinates(scene, frame.coordinates, rows, paint, area.inset(8.0));
    let y = area.bottom() + 16.0;
    let number = format!("iteration {}", count(frame.iteration));
    scene.text([area.x, y], number, Type::bold(11.5, INK), Anchor::Start);
    if let Some(objective) = frame.objective {
        scene.text([area.right(), y], score(objective), Type::regular(11.5, SOFT), Anchor::End);
    }
    if outside > 0 {
        let text = format!("{} too far outside", counted(outside, "point", "points"));
        scene.text([area.x, y + 14.0], text, Type::regular(10.0, SOFT), Anchor::Start);
    }
}

/// Draws a state; returns the number of points left out.
fn draw_coordinates(
    scene: &mut Scene,
    coordinates: MatRef<'_, f64>,
    rows: &[usize],
    paint: &Paint,
    area: Area,
) -> usize {
    let rows: Vec<usize> = rows.iter().copied().take(coordinates.nrows()).collect();
    let (all, drawn) = (rows.len(), coordinates.subrows(0, rows.len()));
    let cloud = Cloud::inner(drawn, rows, paint, area);
    cloud.draw(scene, paint);
    all - cloud.positions.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg;
    use faer::Mat;

    #[test]
    fn a_few_far_points_do_not_shrink_a_frame() {
        let map = Mat::from_fn(200, 2, |i, j| match (i, j) {
            (7, 0) => 1e6,
            _ => ((i + 1) * (j + 2) % 17) as f64,
        });
        let paint = Paint::numbers("x", &[0.0; 200]);
        let still = Still { iteration: 1, objective: None, coordinates: map.as_ref() };
        let scene = filmstrip_scene(&[still], &(0..200).collect::<Vec<_>>(), &paint, None);
        let discs = scene.items.iter().find_map(|item| match item {
            Item::Discs { discs } => Some(discs),
            _ => None,
        });
        let across = || discs.expect("a frame").iter().map(|disc| disc.at[0]);
        assert!(
            embedding::implement::maximum(across()) - embedding::implement::minimum(across())
                > 0.8 * PANEL_SIZE
        );
        let left_out = 200 - discs.expect("a frame").len();
        assert_eq!(left_out, 1);
        assert!(svg(&scene).contains("1 point too far outside"));
    }

    #[test]
    fn one_panel_per_frame() {
        let values: Vec<f64> = (0..30).map(f64::from).collect();
        let paint = Paint::numbers("x", &values);
        let rows: Vec<usize> = (0..30).collect();
        let maps: Vec<Mat<f64>> =
            (1..=7).map(|at| Mat::from_fn(30, 2, |i, j| ((i + at) * (j + 2) % 17) as f64)).collect();
        let frames: Vec<Still<'_>> = maps
            .iter()
            .zip(1..)
            .map(|(map, iteration)| Still {
                iteration,
                objective: Some(3.0 / iteration as f64),
                coordinates: map.as_ref(),
            })
            .collect();
        let scene = filmstrip_scene(&frames, &rows, &paint, None);
        let clouds = scene.items.iter().filter(|item| matches!(item, Item::Discs { .. })).count();
        assert_eq!(clouds, 7);
        assert!(svg(&scene).contains("iteration 7"));
        assert!(filmstrip_scene(&[], &rows, &paint, None).items.is_empty());
    }
}
