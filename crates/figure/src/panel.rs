//! The two kinds of panel: the data, and an embedding of them.

use datasets::Dataset;
use embedding::{Embedding, PointSet, Points, Silent};
use faer::Mat;
use quality::diagnosis::{count_concentrated, inner_points, tight_clusters};
use quality::shape::{Reflection, align_to};
use spectral::{Principal, Tolerance, dense};

use crate::cloud::{Cloud, input_rows, leading, plane};
use crate::color::{Color, HAIRLINE, PANEL, SOFT};
use crate::images::{draw_thumbnail, mosaic, spread, thumbnail, thumbnail_size};
use crate::names;
use crate::number::{count, counted};
use crate::paint::Paint;
use crate::scene::{Anchor, Area, Item, Scene, Type};
use crate::text::wrap;

/// Whether, and at what size, thumbnails are drawn in a panel.
#[derive(Clone, Copy, PartialEq)]
pub enum Thumbnails {
    /// Points only.
    None,
    /// Thumbnails with this length and spacing.
    Side {
        /// Length of the longer side.
        side: f64,
        /// Distance between neighboring thumbnails in units of `side`; at 1 they touch.
        pitch: f64,
    },
}

/// What the panel of a method shows.
#[derive(Clone, Copy)]
pub enum Content<'a> {
    /// An embedding of the data.
    Map(&'a Embedding),
    /// Words, where there is no embedding.
    Message {
        /// A word or two.
        heading: &'a str,
        /// The color of the heading.
        color: Color,
        /// A sentence.
        text: &'a str,
    },
}

/// The data alone on a page.
pub fn data_scene(data: &Dataset, paint: &Paint, width: f64, height: f64) -> Scene {
    let mut scene = Scene::new(width, height);
    draw_data(&mut scene, data, paint, Area { x: 0.0, y: 0.0, width, height });
    scene
}

/// A panel alone on a page.
pub fn panel_scene(
    data: &Dataset,
    content: Content<'_>,
    paint: &Paint,
    thumbnails: Thumbnails,
    width: f64,
    height: f64,
) -> Scene {
    let mut scene = Scene::new(width, height);
    draw_panel(&mut scene, data, content, paint, thumbnails, Area { x: 0.0, y: 0.0, width, height });
    scene
}

/// Draws the data: a mosaic of pictures, three or two dimensions as they are,
/// the first principal plane of more.
pub(crate) fn draw_data(scene: &mut Scene, data: &Dataset, paint: &Paint, area: Area) {
    ground(scene, area);
    if let Some(shape) = data.images.filter(|shape| !shape.is_empty()) {
        return mosaic(scene, data, shape, paint, area.inset(4.0));
    }
    let points = data.points.view();
    let coordinates = match points.dim() {
        1..=3 => points.as_mat().to_owned(),
        _ => principal_components(points, 2),
    };
    let cloud = Cloud::new(coordinates.as_ref(), (0..points.len()).collect(), paint, area.inset(12.0));
    cloud.draw(scene, paint);
}

/// How [`data_scene`] shows the data, which have this many columns, in words.
pub fn data_caption(data: &Dataset, columns: usize) -> String {
    match data.images {
        Some(shape) if !shape.is_empty() => {
            let kind = if shape.channels == 1 { "gray" } else { "color" };
            format!("samples of the data: {} × {} {kind} pixels", shape.height, shape.width)
        }
        _ if columns <= 3 => format!("the data in {columns} dimensions"),
        // All columns have names or none, so that fewer names belong to a part of the columns.
        _ if (1..columns).contains(&data.column_names.len()) => {
            let (some, all) = (count(data.column_names.len()), count(columns));
            format!("the first principal plane of {some} of {all} dimensions")
        }
        _ => format!("the first principal plane of {} dimensions", count(columns)),
    }
}

/// Draws an embedding, rotated to the true coordinates where they are known,
/// with thumbnails where rows are pictures; or the message. Where more than half of the
/// points would be drawn as one, the inner part alone is drawn, with the number of points
/// outside. A map of a few tight clusters has the largest of them in an inset. Returns the points that
/// were drawn, without the points of the inset; for a message, no points.
pub(crate) fn draw_panel(
    scene: &mut Scene,
    data: &Dataset,
    content: Content<'_>,
    paint: &Paint,
    thumbnails: Thumbnails,
    area: Area,
) -> Option<Cloud> {
    ground(scene, area);
    let embedding = match content {
        Content::Map(embedding) => embedding,
        Content::Message { heading, color, text } => {
            draw_message(scene, heading, color, text, area);
            return None;
        }
    };
    let shape = data.images.filter(|shape| !shape.is_empty());
    let (size, pitch) = match (shape, thumbnails) {
        (Some(shape), Thumbnails::Side { side, pitch }) => (thumbnail_size(shape, side), pitch),
        _ => ([0.0; 2], 0.0),
    };
    let margin = 0.5 * size[0].max(size[1]) + 8.0;
    let coordinates = turned(embedding, data.truth.as_ref());
    // Counted on the map's own axes.
    let flat = plane(embedding.coordinates());
    let outside = embedding.len() - inner_points(&plane(coordinates.as_ref())).len();
    // The text has a space of its own.
    let of = if embedding.dim() > 2 { " in the first two columns" } else { "" };
    let said = part_shown(&flat, of, outside, area.width - 2.0 * INDENT);
    let drawn = Area { height: area.height - NOTE * said.len() as f64, ..area };
    let rows = input_rows(embedding);
    let cloud = Cloud::inner(coordinates.as_ref(), rows.clone(), paint, drawn.inset(margin));
    cloud.draw(scene, paint);
    if shape.is_none() && data.row_names.is_none() {
        names::draw_classes(scene, &cloud, paint, drawn);
    }
    for (i, line) in said.into_iter().rev().enumerate() {
        scene.text([area.x + INDENT, area.bottom() - 6.0 - NOTE * i as f64], line, SAID, Anchor::Start);
    }
    if outside == 0
        && let Some(place) = tight_clusters(&flat).first()
    {
        let part = Mat::from_fn(place.len(), coordinates.ncols(), |i, j| coordinates[(place[i], j)]);
        let rows = place.iter().map(|&i| rows[i]).collect();
        draw_inset(scene, (part, rows), &cloud, place, paint, drawn);
    }
    if let (Some(shape), true) = (shape, pitch > 0.0) {
        for i in spread(&cloud.positions, size.map(|length| pitch * length), 400) {
            let row = cloud.rows[i];
            let picture = thumbnail(data, shape, paint, row);
            draw_thumbnail(scene, picture, cloud.positions[i], size, paint.color(row));
        }
    }
    Some(cloud)
}

/// The height of a line of text in a panel, its distance from the sides, and its type.
const NOTE: f64 = 16.0;
const INDENT: f64 = 6.0;
const SAID: Type = Type::regular(10.0, SOFT);

/// The note in a panel that cannot show every point apart: how many points are concentrated and not shown, or how
/// many are in a few tight clusters; in lines of a width. `columns` names the columns that are drawn.
fn part_shown(points: &[[f64; 2]], columns: &str, outside: usize, available: f64) -> Vec<String> {
    let n = points.len();
    let of = |held: usize| format!("{} of {}", count(held), counted(n, "point", "points"));
    let clusters = tight_clusters(points);
    let text = if outside > 0 {
        let close = of(count_concentrated(points));
        format!("{close} within 1 % of the extent{columns}; {} not shown", count(outside))
    } else if clusters.is_empty() {
        return Vec::new();
    } else {
        let held = clusters.iter().map(Vec::len).sum();
        format!("{} at {}{columns}", of(held), counted(clusters.len(), "place", "places"))
    };
    wrap(&text, SAID, available, 2)
}

/// Draws the points of a place of the map, enlarged, in the corner that is farthest from
/// all points, with a line to the place.
fn draw_inset(
    scene: &mut Scene,
    (part, rows): (Mat<f64>, Vec<usize>),
    cloud: &Cloud,
    place: &[usize],
    paint: &Paint,
    area: Area,
) {
    let (width, height) = (0.3 * area.width, 0.3 * area.height);
    let corner = |i: usize| Area {
        x: if i.is_multiple_of(2) { area.x + 4.0 } else { area.right() - width - 4.0 },
        y: if i < 2 { area.y + 4.0 } else { area.bottom() - height - 4.0 },
        width,
        height,
    };
    let free = |inset: &Area| {
        let outside = |p: &[f64; 2]| {
            let [x, y] = [p[0].clamp(inset.x, inset.right()), p[1].clamp(inset.y, inset.bottom())];
            (p[0] - x).hypot(p[1] - y)
        };
        embedding::implement::minimum(cloud.positions.iter().map(outside))
    };
    let inset = (0..4).map(corner).max_by(|a, b| free(a).total_cmp(&free(b)));
    let inset = inset.expect("there are four corners");
    let path = vec![cloud.positions[place[0]], inset.center()];
    scene.push(Item::Line { path, width: 0.8, color: SOFT });
    ground(scene, inset);
    scene.push(Item::Frame { area: inset, color: SOFT });
    Cloud::new(part.as_ref(), rows, paint, inset.inset(5.0)).draw(scene, paint);
}

/// The map, rotated and reflected onto the truth; an embedding determines neither.
fn turned(embedding: &Embedding, truth: Option<&PointSet>) -> Mat<f64> {
    let plain = || match embedding.dim() {
        3 => embedding.coordinates().to_owned(),
        _ => leading(embedding.coordinates()),
    };
    let Some(truth) = truth.filter(|truth| truth.dim() == embedding.dim()) else { return plain() };
    let truth = match embedding.placed_rows() {
        Some(rows) => truth.view().select(rows),
        None => truth.clone(),
    };
    let Ok(points) = PointSet::from_mat(embedding.coordinates()) else { return plain() };
    align_to(truth.view(), points.view(), Reflection::Allowed).unwrap_or_else(|_| plain())
}

/// The first principal components of the points, at most as many as points.
pub fn principal_components(points: Points<'_>, count: usize) -> Mat<f64> {
    let count = points.len().min(count);
    match Principal::new(points, count, Tolerance::default(), &Silent) {
        Ok(plane) => dense::product(points.as_mat(), plane.directions.as_ref()),
        // The first two columns are also a projection.
        Err(_) => leading(points.as_mat()),
    }
}

fn ground(scene: &mut Scene, area: Area) {
    scene.push(Item::Rect { area, fill: PANEL });
    scene.push(Item::Frame { area, color: HAIRLINE });
}

fn draw_message(scene: &mut Scene, heading: &str, color: Color, text: &str, area: Area) {
    let space = area.inset(12.0);
    let (bold, style) = (Type::bold(12.0, color), Type::regular(11.0, SOFT));
    const LINE: f64 = 15.0;
    let most = ((space.height - 20.0) / LINE).floor().max(1.0) as usize;
    let lines = wrap(text, style, space.width, most);
    let top = area.center()[1] - 0.5 * LINE * (lines.len() as f64 + 1.0);
    scene.text([area.center()[0], top + 10.0], heading, bold, Anchor::Middle);
    for (i, line) in lines.into_iter().enumerate() {
        scene.text([area.center()[0], top + 10.0 + LINE * (i as f64 + 1.2)], line, style, Anchor::Middle);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::width;

    #[test]
    fn what_is_said_of_a_map_is_no_wider_than_its_panel() {
        let line: Vec<[f64; 2]> = (0..2000).map(|i| [f64::from(i / 1990) * f64::from(i), 0.0]).collect();
        for (outside, available, lines) in [(40, 200.0, 2), (40, 400.0, 1)] {
            let said = part_shown(&line, "", outside, available);
            assert_eq!(said.len(), lines, "{said:?}");
            assert!(said.iter().all(|line| width(line, SAID) <= available), "{said:?}");
            assert_eq!(said.join(" "), "1,990 of 2,000 points within 1 % of the extent; 40 not shown");
        }
    }
}
