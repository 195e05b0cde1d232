//! The two kinds of panel: the data, and what a method made of it.

use datasets::Dataset;
use embedding::{Embedding, PointSet, Points, Silent};
use faer::Mat;
use quality::{Reflection, align_to};
use spectral::{Principal, Tolerance, dense};

use crate::results::{DatasetResults, MethodResults, Outcome};

use super::cloud::{Cloud, input_rows, leading};
use super::color::{ALERT, HAIRLINE, PANEL, SOFT};
use super::images::{draw_thumbnail, mosaic, spread, thumbnail, thumbnail_size};
use super::measure::words;
use super::number::{count, duration};
use super::paint::Paint;
use super::scene::{Anchor, Area, Item, Scene, Type};
use super::text::wrap;

/// Whether pictures are put into a panel, and how large.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Thumbnails {
    /// Points alone.
    None,
    /// With a longer side of this length, this many times as far apart.
    Side {
        /// Longer side.
        side: f64,
        /// Distance of neighbors in sides; 1 lets them touch.
        pitch: f64,
    },
}

/// The data alone on a page: see [`draw_data`].
pub fn data_scene(results: &DatasetResults, paint: &Paint, width: f64, height: f64) -> Scene {
    let mut scene = Scene::new(width, height);
    draw_data(&mut scene, results, paint, Area { x: 0.0, y: 0.0, width, height });
    scene
}

/// What one method made of the data, alone on a page: see [`draw_method`].
pub fn method_scene(
    results: &DatasetResults,
    method: &MethodResults,
    paint: &Paint,
    thumbnails: Thumbnails,
    width: f64,
    height: f64,
) -> Scene {
    let mut scene = Scene::new(width, height);
    draw_method(&mut scene, results, method, paint, thumbnails, Area { x: 0.0, y: 0.0, width, height });
    scene
}

/// Draws the data: a mosaic of pictures, three or two dimensions as they are,
/// the first principal plane of more.
pub fn draw_data(scene: &mut Scene, results: &DatasetResults, paint: &Paint, area: Area) {
    ground(scene, area);
    let data = &results.data;
    if let Some(shape) = data.images.filter(|shape| !shape.is_empty()) {
        return mosaic(scene, data, shape, paint, area.inset(4.0));
    }
    let points = data.points.view();
    let coordinates = match points.dim() {
        1..=3 => points.as_mat().to_owned(),
        _ => principal_plane(points),
    };
    let cloud = Cloud::new(coordinates.as_ref(), (0..points.len()).collect(), paint, area.inset(12.0));
    cloud.draw(scene, paint);
}

/// How [`draw_data`] shows the data, in words.
pub fn data_caption(results: &DatasetResults) -> String {
    let columns = results.data.points.dim();
    match results.data.images {
        Some(shape) if !shape.is_empty() => {
            let kind = if shape.channels == 1 { "gray" } else { "color" };
            format!("samples of the data: {} × {} {kind} pixels", shape.height, shape.width)
        }
        _ if columns <= 3 => format!("the data in {columns} dimensions"),
        _ => format!("the first principal plane of {columns} dimensions"),
    }
}

/// [`draw_map`] of a result of a run.
pub fn draw_method(
    scene: &mut Scene,
    results: &DatasetResults,
    method: &MethodResults,
    paint: &Paint,
    thumbnails: Thumbnails,
    area: Area,
) {
    draw_map(scene, &results.data, method, paint, thumbnails, area);
}

/// Draws an embedding, turned onto the true coordinates where they are known,
/// with thumbnails where rows are pictures; or the reason why there is none.
pub fn draw_map(
    scene: &mut Scene,
    data: &Dataset,
    method: &MethodResults,
    paint: &Paint,
    thumbnails: Thumbnails,
    area: Area,
) {
    ground(scene, area);
    let Some(embedding) = &method.embedding else { return draw_reason(scene, &method.outcome, area) };
    let shape = data.images.filter(|shape| !shape.is_empty());
    let (size, pitch) = match (shape, thumbnails) {
        (Some(shape), Thumbnails::Side { side, pitch }) => (thumbnail_size(shape, side), pitch),
        _ => ([0.0; 2], 0.0),
    };
    let margin = 0.5 * size[0].max(size[1]) + 8.0;
    let coordinates = turned(embedding, data.truth.as_ref());
    let cloud = Cloud::new(coordinates.as_ref(), input_rows(embedding), paint, area.inset(margin));
    cloud.draw(scene, paint);
    if let (Some(shape), true) = (shape, pitch > 0.0) {
        for i in spread(&cloud.positions, size.map(|length| pitch * length), 400) {
            let row = cloud.rows[i];
            let picture = thumbnail(data, shape, paint, row);
            draw_thumbnail(scene, picture, cloud.positions[i], size, paint.color(row));
        }
    }
}

/// Says what a drawing of the embedding shows, for readers who cannot see it.
pub fn method_caption(method: &MethodResults) -> String {
    let name = words(&method.method);
    match (&method.embedding, method.outcome.reason()) {
        (Some(embedding), _) => {
            format!("{name}: {} points placed in {} dimensions", embedding.len(), embedding.dim())
        }
        (None, Some(reason)) => format!("{name}: no embedding, {reason}"),
        (None, None) => format!("{name}: no embedding kept"),
    }
}

/// The time a method took, after the number of points where these are not all.
pub fn effort(results: &DatasetResults, method: &MethodResults) -> String {
    match method.outcome {
        Outcome::Skipped { .. } => String::new(),
        _ if method.n == results.n => duration(method.seconds),
        _ => format!("n = {} · {}", count(method.n), duration(method.seconds)),
    }
}

/// Rotated and mirrored onto the truth; an embedding knows neither.
fn turned(embedding: &Embedding, truth: Option<&PointSet>) -> Mat<f64> {
    let plain = || match embedding.dim() {
        3 => embedding.coordinates.clone(),
        _ => leading(embedding.coordinates.as_ref()),
    };
    let Some(truth) = truth.filter(|truth| truth.dim() == embedding.dim()) else { return plain() };
    let truth = match &embedding.rows {
        Some(rows) => truth.view().select(rows),
        None => truth.clone(),
    };
    let Ok(points) = PointSet::from_mat(embedding.coordinates.as_ref()) else { return plain() };
    align_to(truth.view(), points.view(), Reflection::Allowed).unwrap_or_else(|_| plain())
}

fn principal_plane(points: Points<'_>) -> Mat<f64> {
    let count = points.len().min(2);
    match Principal::new(points, count, Tolerance::default(), &Silent) {
        Ok(plane) => dense::product(points.as_mat(), plane.directions.as_ref()),
        // The first two columns are a projection too.
        Err(_) => leading(points.as_mat()),
    }
}

fn ground(scene: &mut Scene, area: Area) {
    scene.push(Item::Rect { area, fill: PANEL });
    scene.push(Item::Frame { area, color: HAIRLINE });
}

fn draw_reason(scene: &mut Scene, outcome: &Outcome, area: Area) {
    let (heading, color, reason) = match outcome {
        Outcome::Failed { reason } => ("failed", ALERT, reason.as_str()),
        Outcome::Skipped { reason } => ("not applicable", SOFT, reason.as_str()),
        Outcome::Done => ("done", SOFT, "the coordinates were not kept"),
    };
    let room = area.inset(12.0);
    let (bold, style) = (Type::bold(12.0, color), Type::regular(11.0, SOFT));
    const LINE: f64 = 15.0;
    let most = ((room.height - 20.0) / LINE).floor().max(1.0) as usize;
    let lines = wrap(reason, style, room.width, most);
    let top = area.center()[1] - 0.5 * LINE * (lines.len() as f64 + 1.0);
    scene.text([area.center()[0], top + 10.0], heading, bold, Anchor::Middle);
    for (i, line) in lines.into_iter().enumerate() {
        scene.text([area.center()[0], top + 10.0 + LINE * (i as f64 + 1.2)], line, style, Anchor::Middle);
    }
}
