//! Figure of reconstructions from landmarks by LLE weights.

use faer::MatRef;

use crate::cloud::Cloud;
use crate::color::{ALERT, HAIRLINE, INK, PANEL, PAPER};
use crate::paint::Paint;
use crate::scene::{Anchor, Area, Disc, Item, Scene, Type};

/// One reconstruction.
#[derive(Clone, Copy, Debug)]
pub struct Reconstruction<'a> {
    /// Title of the panel.
    pub title: &'a str,
    /// The input rows with given coordinates; empty for the true coordinates.
    pub landmarks: &'a [u32],
    /// The coordinates of all points.
    pub coordinates: MatRef<'a, f64>,
}

/// Draws one panel per reconstruction, two per row, with landmarks as rings.
pub fn landmarks_scene(panels: &[Reconstruction<'_>], paint: &Paint) -> Scene {
    const SIZE: [f64; 2] = [460.0, 230.0];
    const GAP: f64 = 20.0;
    const CAPTION: f64 = 34.0;
    let columns = panels.len().clamp(1, 2);
    let lines = panels.len().div_ceil(columns);
    let width = columns as f64 * (SIZE[0] + GAP) + GAP;
    let mut scene = Scene::new(width, lines as f64 * (SIZE[1] + CAPTION) + GAP + 8.0);
    for (i, panel) in panels.iter().enumerate() {
        let x = GAP + (i % columns) as f64 * (SIZE[0] + GAP);
        let y = GAP + (i / columns) as f64 * (SIZE[1] + CAPTION);
        draw(&mut scene, panel, paint, Area { x, y, width: SIZE[0], height: SIZE[1] });
    }
    scene
}

fn draw(scene: &mut Scene, panel: &Reconstruction<'_>, paint: &Paint, area: Area) {
    scene.push(Item::Rect { area, fill: PANEL });
    scene.push(Item::Frame { area, color: HAIRLINE });
    let rows: Vec<usize> = (0..panel.coordinates.nrows()).collect();
    let cloud = Cloud::new(panel.coordinates, rows, paint, area.inset(14.0));
    cloud.draw(scene, paint);
    let mut discs = Vec::new();
    for &row in panel.landmarks {
        let at = cloud.positions[row as usize];
        discs.push(Disc { at, radius: 6.5, color: ALERT });
        discs.push(Disc { at, radius: 4.6, color: PAPER });
        discs.push(Disc { at, radius: 3.2, color: paint.color(row as usize) });
    }
    scene.push(Item::Discs { discs });
    scene.text([area.x, area.bottom() + 19.0], panel.title, Type::bold(12.5, INK), Anchor::Start);
}

#[cfg(test)]
mod tests {
    use super::*;
    use faer::Mat;

    #[test]
    fn landmarks_are_where_their_points_are() {
        let paint = Paint::numbers("x", &(0..20).map(f64::from).collect::<Vec<_>>());
        let mat = Mat::from_fn(20, 2, |i, j| ((i * (j + 3)) % 11) as f64);
        let panel = Reconstruction { title: "2 landmarks", landmarks: &[3, 7], coordinates: mat.as_ref() };
        let scene = landmarks_scene(&[panel], &paint);
        let clouds: Vec<&Vec<Disc>> = scene
            .items
            .iter()
            .filter_map(|item| match item {
                Item::Discs { discs } => Some(discs),
                _ => None,
            })
            .collect();
        assert_eq!((clouds[0].len(), clouds[1].len()), (20, 6));
        assert_eq!((clouds[1][0].at, clouds[1][3].at), (clouds[0][3].at, clouds[0][7].at));
    }
}
