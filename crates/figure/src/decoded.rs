//! Pictures decoded from places of a map, over its points.

use datasets::Dataset;
use faer::MatRef;

use crate::cloud::plane;
use crate::color::{HAIRLINE, INK, PANEL, SOFT};
use crate::images::{draw_thumbnail, thumbnail, thumbnail_size};
use crate::legend::legend_of_discs;
use crate::paint::Paint;
use crate::scene::{Anchor, Area, Disc, Item, Scene, Type};
use crate::text::{shorten, wrap};
use crate::view::Fit;

const MARGIN: f64 = 24.0;
const WIDTH: f64 = 860.0;
/// The part of a cell that its picture fills.
const FILLED: f64 = 0.94;
/// Side of the pictures at places that are no grid.
const SIDE: f64 = 0.045 * WIDTH;

/// What was decoded.
#[derive(Clone, Copy)]
pub struct Decoded<'a> {
    /// The map, two columns.
    pub map: MatRef<'a, f64>,
    /// The place of each picture.
    pub places: &'a [[f64; 2]],
    /// Width and height of a cell, where the places are the cells of a grid.
    pub cell: Option<[f64; 2]>,
    /// One picture per place.
    pub pictures: &'a Dataset,
}

/// Draws the points of a map, each in its color, under decoded pictures at their places, which
/// have the colors of their own classes; a title above and a caption below.
///
/// Data that are no pictures leave the points alone.
pub fn decoded_scene(title: &str, caption: &str, paint: &Paint, decoded: Decoded<'_>) -> Scene {
    let mut scene = Scene::new(WIDTH + 2.0 * MARGIN, 0.0);
    let mut y = MARGIN;
    if !title.is_empty() {
        let style = Type::bold(22.0, INK);
        scene.text([MARGIN, y + 20.0], shorten(title, style, WIDTH), style, Anchor::Start);
        y += 36.0;
    }
    let points = plane(decoded.map);
    let half = decoded.cell.unwrap_or([0.0; 2]).map(|length| 0.5 * length);
    let mut seen = points.clone();
    for place in decoded.places {
        seen.push([place[0] - half[0], place[1] - half[1]]);
        seen.push([place[0] + half[0], place[1] + half[1]]);
    }
    let area = Area { x: MARGIN, y, width: WIDTH, height: (WIDTH * aspect(&seen)).clamp(320.0, 1100.0) };
    scene.push(Item::Rect { area, fill: PANEL });
    scene.push(Item::Frame { area, color: HAIRLINE });
    let fit = Fit::new(&seen, area.inset(if decoded.cell.is_some() { 10.0 } else { 10.0 + 0.5 * SIDE }));
    let disc = |(row, point): (usize, &[f64; 2])| Disc {
        at: fit.place(*point),
        radius: 2.2,
        color: paint.color(row).mix(PANEL, 0.35),
    };
    scene.push(Item::Discs { discs: points.iter().enumerate().map(disc).collect() });
    draw_pictures(&mut scene, decoded, fit);
    y = area.bottom() + 16.0;
    for line in wrap(caption, Type::regular(12.0, SOFT), WIDTH, 3) {
        scene.text([MARGIN, y + 11.0], line, Type::regular(12.0, SOFT), Anchor::Start);
        y += 17.0;
    }
    y += 6.0;
    y += legend_of_discs(&mut scene, paint, Area { y, height: 0.0, ..area });
    scene.height = y + MARGIN;
    scene
}

fn draw_pictures(scene: &mut Scene, decoded: Decoded<'_>, fit: Fit) {
    let Some(shape) = decoded.pictures.images.filter(|shape| !shape.is_empty()) else { return };
    let origin = fit.place([0.0; 2]);
    let side = decoded.cell.map_or(SIDE, |cell| {
        let corner = fit.place(cell);
        FILLED * (corner[0] - origin[0]).abs().min((corner[1] - origin[1]).abs())
    });
    let size = thumbnail_size(shape, side);
    let paint = Paint::of(decoded.pictures);
    for (row, place) in decoded.places.iter().enumerate() {
        let picture = thumbnail(decoded.pictures, shape, &paint, row);
        draw_thumbnail(scene, picture, fit.place(*place), size, HAIRLINE);
    }
}

/// Height of the bounding box by its width.
fn aspect(points: &[[f64; 2]]) -> f64 {
    let extent = |axis: usize| {
        let values = || points.iter().map(|point| point[axis]);
        embedding::implement::maximum(values()) - embedding::implement::minimum(values())
    };
    if extent(0) > 0.0 { extent(1) / extent(0) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use faer::Mat;

    /// Every picture lies at its place among the points, and no two overlap.
    #[test]
    fn pictures_of_a_grid_lie_at_their_places_and_do_not_overlap() {
        let data = datasets::generate("digits", 12, 0).expect("digits");
        let map = Mat::from_fn(12, 2, |i, j| if j == 0 { (i % 4) as f64 } else { (i / 4) as f64 });
        let places: Vec<[f64; 2]> = (0..12).map(|i| [map[(i, 0)], map[(i, 1)]]).collect();
        let decoded = Decoded { map: map.as_ref(), places: &places, cell: Some([1.0, 1.0]), pictures: &data };
        let scene = decoded_scene("digits", "a caption", &Paint::of(&data), decoded);
        let mut discs: Vec<[f64; 2]> = Vec::new();
        let mut areas: Vec<Area> = Vec::new();
        for item in &scene.items {
            match item {
                Item::Discs { discs: found } if found.len() == 12 => {
                    discs = found.iter().map(|d| d.at).collect()
                }
                Item::Picture { area, .. } => areas.push(*area),
                _ => {}
            }
        }
        assert_eq!((discs.len(), areas.len()), (12, 12));
        for (area, at) in areas.iter().zip(&discs) {
            let center = area.center();
            assert!((center[0] - at[0]).hypot(center[1] - at[1]) < 1e-9);
        }
        for (i, a) in areas.iter().enumerate() {
            for b in &areas[..i] {
                let (p, q) = (a.center(), b.center());
                assert!((p[0] - q[0]).abs() > a.width || (p[1] - q[1]).abs() > a.height);
            }
        }
        // Data that are no pictures have points alone.
        let points = Dataset { images: None, ..data.clone() };
        let scene = decoded_scene("", "", &Paint::of(&points), Decoded { pictures: &points, ..decoded });
        assert!(!scene.items.iter().any(|item| matches!(item, Item::Picture { .. })));
    }
}
