//! Image data: thumbnails, their positions, and a mosaic.

use std::sync::Arc;

use datasets::{Dataset, ImageShape};

use crate::cloud::ascending;
use crate::color::{Color, HAIRLINE, PAPER};
use crate::paint::Paint;
use crate::png::resize;
use crate::scene::{Area, Item, Picture, Scene};

/// Largest resolution of a thumbnail, in pixels per side.
const SHARPEST: usize = 56;

/// Draws a row as an image. Grayscale images with class labels are drawn in the color of
/// their class on a white background.
pub(crate) fn thumbnail(data: &Dataset, shape: ImageShape, paint: &Paint, row: usize) -> Arc<Picture> {
    let values = data.pictures();
    let values = values.row(row);
    let level = |value: f64| if shape.white > 0.0 { (value / shape.white).clamp(0.0, 1.0) } else { 0.0 };
    let ink = paint.is_classes().then(|| paint.color(row));
    let pixel = |channels: &[f64]| match (channels, ink) {
        (&[gray], Some(ink)) => PAPER.mix(ink, level(gray)),
        (&[gray], None) => Color(0, 0, 0).mix(Color(255, 255, 255), level(gray)),
        (channels, _) => {
            let channel = |i: usize| (255.0 * level(channels[i.min(channels.len() - 1)])).round() as u8;
            Color(channel(0), channel(1), channel(2))
        }
    };
    let colors = values.chunks(shape.channels.max(1)).map(pixel);
    let pixels = colors.flat_map(|Color(r, g, b)| [r, g, b]).collect();
    let picture = Picture { width: shape.width, height: shape.height, pixels };
    let longest = shape.width.max(shape.height);
    if longest <= SHARPEST {
        return Arc::new(picture);
    }
    let side = |length: usize| (length * SHARPEST).div_ceil(longest);
    Arc::new(resize(&picture, side(shape.width), side(shape.height)))
}

/// Selects positions greedily, in order, that differ from all selected ones by `distance`
/// along at least one axis, so that thumbnails do not overlap.
pub(crate) fn spread(positions: &[[f64; 2]], distance: [f64; 2], most: usize) -> Vec<usize> {
    let mut chosen: Vec<usize> = Vec::new();
    for (i, here) in positions.iter().enumerate() {
        if chosen.len() == most {
            break;
        }
        let apart = |&j: &usize| (0..2).any(|axis| (here[axis] - positions[j][axis]).abs() >= distance[axis]);
        if chosen.iter().all(apart) {
            chosen.push(i);
        }
    }
    chosen
}

/// Returns the size of a thumbnail whose longer side is `side`.
pub(crate) fn thumbnail_size(shape: ImageShape, side: f64) -> [f64; 2] {
    let longest = shape.width.max(shape.height).max(1) as f64;
    [side * shape.width as f64 / longest, side * shape.height as f64 / longest]
}

/// Draws a thumbnail with a thin border.
pub(crate) fn draw_thumbnail(
    scene: &mut Scene,
    picture: Arc<Picture>,
    center: [f64; 2],
    size: [f64; 2],
    border: Color,
) {
    let area =
        Area { x: center[0] - 0.5 * size[0], y: center[1] - 0.5 * size[1], width: size[0], height: size[1] };
    scene.push(Item::Picture { area, picture });
    scene.push(Item::Frame { area, color: border });
}

/// Fills an area with evenly spaced rows of the data set, in the order of the legend, so
/// that the mosaic shows the meaning of the colors.
pub(crate) fn mosaic(scene: &mut Scene, data: &Dataset, shape: ImageShape, paint: &Paint, area: Area) {
    let n = data.points.len();
    let across = (n as f64).sqrt().ceil().clamp(1.0, 9.0);
    let size = thumbnail_size(shape, area.width / across);
    let columns = ((area.width / size[0] + 1e-9).floor() as usize).max(1);
    let lines = ((area.height / size[1] + 1e-9).floor() as usize).max(1).min(n.div_ceil(columns));
    let shown = (columns * lines).min(n);
    let order = ascending(&(0..n).map(|row| paint.place(row)).collect::<Vec<f64>>());
    let top = area.y + 0.5 * (area.height - lines as f64 * size[1]);
    for slot in 0..shown {
        let row = order[(2 * slot + 1) * n / (2 * shown)];
        let (line, column) = (slot / columns, slot % columns);
        let center = [area.x + (column as f64 + 0.5) * size[0], top + (line as f64 + 0.5) * size[1]];
        let inner = size.map(|length| length - 2.0);
        draw_thumbnail(scene, thumbnail(data, shape, paint, row), center, inner, HAIRLINE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_thumbnails_never_overlap() {
        let positions: Vec<[f64; 2]> =
            (0..500_u32).map(|i| [f64::from(i * 7919 % 211), f64::from(i * 104_729 % 157)]).collect();
        let chosen = spread(&positions, [20.0, 15.0], 1000);
        for (a, &i) in chosen.iter().enumerate() {
            for &j in &chosen[..a] {
                let (p, q) = (positions[i], positions[j]);
                assert!((p[0] - q[0]).abs() >= 20.0 || (p[1] - q[1]).abs() >= 15.0);
            }
        }
        // No position that would have fitted was omitted.
        assert!(chosen.len() > 20);
        assert_eq!(spread(&positions, [20.0, 15.0], 4), chosen[..4]);
        assert_eq!(spread(&positions, [1e9, 1e9], 4), [0]);
    }
}
