//! One embedding as a figure of its own, for a slide.

use datasets::Dataset;
use embedding::Embedding;

use crate::color::{INK, SOFT};
use crate::legend::legend;
use crate::names;
use crate::number::count;
use crate::paint::Paint;
use crate::panel::{Content, Thumbnails, draw_panel};
use crate::scene::{Anchor, Area, Scene, Type};
use crate::text::{shorten, wrap};

const MARGIN: f64 = 24.0;
const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 600.0;

/// Draws an embedding below a title, if it is not empty, and above the color legend,
/// with thumbnails if rows are images, else with names next to points if rows have names. A note
/// states how a map is drawn that has other than two dimensions, and how many points a map has that
/// leaves some out.
pub fn slide_scene(title: &str, data: &Dataset, embedding: &Embedding) -> Scene {
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
    let drawn_as = match embedding.dim() {
        1 => Some(format!("a map of one dimension, {}", paint.against())),
        2 => None,
        3 => Some("a map of three dimensions in perspective; what is farther is paler".to_owned()),
        dim => Some(format!("the first two of {} dimensions", count(dim))),
    };
    let placed = (embedding.len() < data.points.len())
        .then(|| format!("{} of {} points were placed", count(embedding.len()), count(data.points.len())));
    let some = drawn.filter(|(named, drawn)| drawn < named).map(|(named, drawn)| {
        format!("names of {} of {} points, where there is space", count(drawn), count(named))
    });
    let style = Type::regular(10.5, SOFT);
    for line in drawn_as.into_iter().chain(placed).chain(some).flat_map(|said| wrap(&said, style, WIDTH, 2)) {
        y += 16.0;
        scene.text([MARGIN, y], line, style, Anchor::Start);
    }
    scene.height = y + MARGIN;
    scene
}
