//! Figure of images along the axes of a map.

use datasets::{Dataset, ImageShape};
use embedding::Embedding;
use embedding::implement::{maximum, minimum};

use crate::cloud::{Cloud, input_rows, leading};
use crate::color::{ALERT, HAIRLINE, INK, PANEL, PAPER, SOFT};
use crate::images::{draw_thumbnail, thumbnail, thumbnail_size};
use crate::paint::Paint;
use crate::scene::{Anchor, Area, Disc, Item, Scene, Type};
use crate::text::wrap;

const MARGIN: f64 = 20.0;
/// The longer side of a picture, and the distance of two.
const SIDE: f64 = 56.0;
const PITCH: f64 = 64.0;
/// Between the map and the pictures, for the lines that join them.
const GAP: f64 = 26.0;
/// Pictures along the first and the second axis.
const STEPS: [usize; 2] = [10, 7];
/// The fraction of the points beyond the first and the last picture of an axis.
const OUTER: f64 = 0.02;

/// The first two coordinates of a map, as the method gives them, with the pictures of the points
/// that are nearest to equal steps along each axis. Pictures of the first axis are below the map, pictures
/// of the second axis to its left, and pictures of a third axis in a separate row. Lines join the chosen
/// points in the map, and each point with its picture. The pictures do not cover the map.
pub fn axes_scene(
    data: &Dataset,
    shape: ImageShape,
    map: &Embedding,
    paint: &Paint,
    title: &str,
    caption: &str,
) -> Scene {
    let panel = Area {
        x: MARGIN + SIDE + GAP,
        y: MARGIN + 42.0,
        width: PITCH * STEPS[0] as f64,
        height: PITCH * STEPS[1] as f64,
    };
    let mut scene = Scene::new(panel.right() + MARGIN, 0.0);
    scene.text([MARGIN, MARGIN + 16.0], title, Type::bold(15.0, INK), Anchor::Start);
    scene.push(Item::Rect { area: panel, fill: PANEL });
    scene.push(Item::Frame { area: panel, color: HAIRLINE });
    let plane = leading(map.coordinates());
    let all = (0..map.len()).collect();
    let cloud = Cloud::inner(plane.as_ref(), all, paint, panel.inset(14.0));
    let rows = input_rows(map);
    let of_row = |i: usize| paint.color(rows[i]);
    cloud.draw_with(&mut scene, of_row);

    let size = thumbnail_size(shape, SIDE);
    let place = |axis: usize, step: usize| match axis {
        0 => [panel.x + (step as f64 + 0.5) * PITCH, panel.bottom() + GAP + 0.5 * SIDE],
        1 => [MARGIN + 0.5 * SIDE, panel.bottom() - (step as f64 + 0.5) * PITCH],
        _ => [panel.x + (step as f64 + 0.5) * PITCH, panel.bottom() + GAP + 1.5 * SIDE + 32.0],
    };
    let label = Type::regular(11.0, SOFT);
    for axis in 0..map.dim().min(3) {
        let steps = if axis == 1 { STEPS[1] } else { STEPS[0] };
        let chosen = along(map, &cloud.rows, axis, steps);
        if axis < 2 {
            mark(&mut scene, &cloud, &chosen, |step| place(axis, step), axis);
        }
        for (step, &i) in chosen.iter().enumerate() {
            let picture = thumbnail(data, shape, paint, rows[i]);
            draw_thumbnail(&mut scene, picture, place(axis, step), size, of_row(i));
        }
        let at = match axis {
            1 => [MARGIN, panel.y - 6.0],
            _ => [MARGIN, place(axis, 0)[1] + 4.0],
        };
        scene.text(at, format!("axis {}", axis + 1), label, Anchor::Start);
    }
    let mut y = place(if map.dim() > 2 { 2 } else { 0 }, 0)[1] + 0.5 * SIDE + 10.0;
    for line in wrap(caption, Type::regular(12.0, SOFT), scene.width - 2.0 * MARGIN, 4) {
        y += 17.0;
        scene.text([MARGIN, y], line, Type::regular(12.0, SOFT), Anchor::Start);
    }
    scene.height = y + MARGIN;
    scene
}

/// Joins the chosen points, marks them by rings, and joins each to its picture.
fn mark(
    scene: &mut Scene,
    cloud: &Cloud,
    chosen: &[usize],
    picture: impl Fn(usize) -> [f64; 2],
    axis: usize,
) {
    let at = |i: &usize| cloud.rows.iter().position(|row| row == i).map(|p| cloud.positions[p]);
    let places: Vec<[f64; 2]> = chosen.iter().filter_map(at).collect();
    for (step, &from) in places.iter().enumerate() {
        let [x, y] = picture(step);
        let edge = if axis == 0 { [x, y - 0.5 * SIDE] } else { [x + 0.5 * SIDE, y] };
        scene.push(Item::Line { path: vec![edge, from], width: 0.7, color: SOFT.mix(PAPER, 0.3) });
    }
    scene.push(Item::Line { path: places.clone(), width: 1.4, color: ALERT });
    let ring =
        |&at: &[f64; 2]| [Disc { at, radius: 4.6, color: ALERT }, Disc { at, radius: 3.0, color: PAPER }];
    scene.push(Item::Discs { discs: places.iter().flat_map(ring).collect() });
}

/// The points among `rows` of a map that are nearest to `steps` equally spaced places, each point
/// once, in the order of the places. The places are on the line through the medians along an axis,
/// between the quantiles 0.02 and 0.98 of the axis.
pub(crate) fn along(map: &Embedding, rows: &[usize], axis: usize, steps: usize) -> Vec<usize> {
    let quantile = |j: usize, fraction: f64| {
        let mut values: Vec<f64> = rows.iter().map(|&i| map[(i, j)]).collect();
        values.sort_by(f64::total_cmp);
        values[((values.len() - 1) as f64 * fraction).round() as usize]
    };
    let (low, high) = (quantile(axis, OUTER), quantile(axis, 1.0 - OUTER));
    let middle: Vec<f64> = (0..map.dim()).map(|j| quantile(j, 0.5)).collect();
    // In units of the extent, so that squares neither overflow nor vanish.
    let extent = |j: usize| {
        let values = || rows.iter().map(|&i| map[(i, j)]);
        maximum(values()) - minimum(values())
    };
    let unit = maximum((0..map.dim()).map(extent));
    if unit.is_nan() || unit <= 0.0 {
        return Vec::new();
    }
    let mut chosen: Vec<usize> = Vec::with_capacity(steps);
    for step in 0..steps {
        let fraction = step as f64 / (steps - 1).max(1) as f64;
        let target = |j: usize| if j == axis { low + fraction * (high - low) } else { middle[j] };
        let distance =
            |i: usize| (0..map.dim()).map(|j| ((map[(i, j)] - target(j)) / unit).powi(2)).sum::<f64>();
        let free = rows.iter().copied().filter(|i| !chosen.contains(i));
        chosen.extend(free.min_by(|&a, &b| distance(a).total_cmp(&distance(b))));
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use faer::Mat;

    /// A grid of 21 × 11 points.
    fn grid(scale: f64) -> Embedding {
        Embedding::new(Mat::from_fn(231, 2, |i, j| scale * (if j == 0 { i % 21 } else { i / 21 }) as f64))
    }

    #[test]
    fn the_chosen_points_are_on_the_axis_at_equal_steps() {
        let rows: Vec<usize> = (0..231).collect();
        for scale in [1.0, 1e200, 1e-200] {
            // Row 5 of the grid is its middle, column 10 as well.
            let across: Vec<usize> = (0..11).map(|step| 5 * 21 + 2 * step).collect();
            assert_eq!(along(&grid(scale), &rows, 0, 11), across, "{scale}");
            let up: Vec<usize> = (0..11).map(|step| step * 21 + 10).collect();
            assert_eq!(along(&grid(scale), &rows, 1, 11), up, "{scale}");
        }
    }

    #[test]
    fn no_point_is_chosen_twice_and_a_map_without_extent_has_none() {
        let map = Embedding::new(Mat::from_fn(4, 1, |i, _| if i < 3 { 0.0 } else { 1.0 }));
        let mut chosen = along(&map, &[0, 1, 2, 3], 0, 10);
        chosen.sort_unstable();
        assert_eq!(chosen, [0, 1, 2, 3]);
        let flat = Embedding::new(Mat::zeros(4, 2));
        assert_eq!(along(&flat, &[0, 1, 2, 3], 0, 10), [0; 0]);
    }

    #[test]
    fn pictures_are_beside_the_map() {
        let data = datasets::load("hand", &datasets::Request { n: Some(231), ..Default::default() })
            .expect("rendered");
        let shape = data.images.expect("pictures");
        let paint = Paint::of(&data);
        let three = Embedding::new(Mat::from_fn(231, 3, |i, j| ((i * (j + 3)) % 29) as f64));
        for (map, pictures) in [(grid(1.0), 17), (three, 27)] {
            let scene = axes_scene(&data, shape, &map, &paint, "hand", "a caption");
            let panel = scene.items.iter().find_map(|item| match item {
                Item::Rect { area, .. } => Some(*area),
                _ => None,
            });
            let panel = panel.expect("the ground of the map");
            let areas = scene.items.iter().filter_map(|item| match item {
                Item::Picture { area, .. } => Some(*area),
                _ => None,
            });
            let areas: Vec<Area> = areas.collect();
            assert_eq!(areas.len(), pictures);
            let beside = |area: &Area| area.right() < panel.x || area.y > panel.bottom();
            assert!(areas.iter().all(beside) && areas.iter().all(|area| area.bottom() < scene.height));
        }
    }
}
