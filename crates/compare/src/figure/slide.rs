//! One map as a picture of its own, for a slide.

use datasets::Dataset;

use crate::results::MethodResults;

use super::color::INK;
use super::legend::legend;
use super::paint::Paint;
use super::panel::{Thumbnails, draw_map};
use super::scene::{Anchor, Area, Scene, Type};
use super::text::shorten;

const MARGIN: f64 = 24.0;
const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 600.0;

/// The map of a method below its title, if it has one, and above the key to the
/// colors; thumbnails where rows are pictures.
pub fn slide_scene(title: &str, data: &Dataset, method: &MethodResults) -> Scene {
    let paint = Paint::of(data);
    let mut scene = Scene::new(WIDTH + 2.0 * MARGIN, 0.0);
    let mut y = MARGIN;
    if !title.is_empty() {
        let style = Type::bold(22.0, INK);
        scene.text([MARGIN, y + 20.0], shorten(title, style, WIDTH), style, Anchor::Start);
        y += 36.0;
    }
    let area = Area { x: MARGIN, y, width: WIDTH, height: HEIGHT };
    let thumbnails = Thumbnails::Side { side: 0.05 * WIDTH, pitch: 1.5 };
    draw_map(&mut scene, data, method, &paint, thumbnails, area);
    y = area.bottom() + 16.0;
    y += legend(&mut scene, &paint, Area { y, height: 0.0, ..area });
    scene.height = y + MARGIN;
    scene
}
