//! One embedding as a figure of its own, for a slide.

use datasets::Dataset;
use embedding::Embedding;

use super::color::{INK, SOFT};
use super::legend::legend;
use super::names;
use super::number::count;
use super::paint::Paint;
use super::panel::{Content, Thumbnails, draw_panel};
use super::scene::{Anchor, Area, Scene, Type};
use super::text::shorten;

const MARGIN: f64 = 24.0;
const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 600.0;

/// Draws an embedding below a title, if it is not empty, and above the color legend,
/// with thumbnails if rows are images, else with names beside points if rows have names.
pub(crate) fn slide_scene(title: &str, data: &Dataset, embedding: &Embedding) -> Scene {
    let paint = Paint::of(data);
    let mut scene = Scene::new(WIDTH + 2.0 * MARGIN, 0.0);
    let mut y = MARGIN;
    if !title.is_empty() {
        let style = Type::bold(22.0, INK);
        scene.text([MARGIN, y + 20.0], shorten(title, style, WIDTH), style, Anchor::Start);
        y += 36.0;
    }
    let area = Area { x: MARGIN, y, width: WIDTH, height: HEIGHT };
    let thumbnails = Thumbnails::Side { side: 0.045 * WIDTH, pitch: 2.2 };
    let cloud = draw_panel(&mut scene, data, Content::Map(embedding), &paint, thumbnails, area);
    let names = data.row_names.as_ref().filter(|_| data.images.is_none());
    let drawn = cloud.zip(names).map(|(cloud, names)| names::draw(&mut scene, &cloud, &names.values, area));
    y = area.bottom() + 16.0;
    y += legend(&mut scene, &paint, Area { y, height: 0.0, ..area });
    if let Some((named, drawn)) = drawn.filter(|(named, drawn)| drawn < named) {
        y += 16.0;
        let said = format!("names of {} of {} points, where there is space", count(drawn), count(named));
        scene.text([MARGIN, y], said, Type::regular(10.5, SOFT), Anchor::Start);
    }
    scene.height = y + MARGIN;
    scene
}
